"""Engine cards (RB-C15): as many as the rules give, each with its price and its bonus, in a pawn's colour (RB-P15)."""

from typing import Final

from mapkit.drawing.canvas import Type
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.fit import pt
from mapkit.drawing.inks import ink_on, plain
from mapkit.drawing.sheet import CARD, Sheet
from mapkit.kinds.rail.render.sheets.card import INNER, back, band, card, frame
from mapkit.kinds.rail.render.sheets.chips import PLAYERS
from mapkit.kinds.rail.render.sheets.job import SheetJob
from mapkit.kinds.rail.render.sheets.locomotives import draw_locomotive
from mapkit.kinds.rail.rules.rules import Engine

COLOURS: Final[dict[Engine, str]] = {"freight": "#4a4a4a", "express": "#1f5c8b", "superchief": "#a3261f"}
_PAD: Final = 3.5
_NUMBER: Final = 8.5
"""Room at each end of the band, for the number of the pawn."""


def engine_sheets(job: SheetJob) -> list[Sheet]:
    """Return the engine cards: Freight only where it has a card, and as many of each as titles or players."""
    rules = job.board.rules
    kinds: list[tuple[Engine, int]] = [("freight", rules.setup.max_players)] if rules.setup.freight_card else []
    titles = rules.setup.engine_titles or rules.setup.max_players
    kinds += [("express", titles), ("superchief", titles)]
    reverse = back(job, job.words("engine.title"))
    return [
        Sheet(
            f"engine-{engine}-{n}",
            job.words("engine.titled", engine=job.engine(engine)),
            _front(job, engine, n),
            *CARD,
            "card",
            reverse,
        )
        for engine, count in kinds
        for n in range(1, count + 1)
    ]


def engine_price(job: SheetJob, engine: Engine) -> str:
    """Return the price of Express or SuperChief as players read it (RB-P04, RB-P05)."""
    rules = job.board.rules
    return job.money(rules.purchase.express_price if engine == "express" else rules.purchase.superchief_price)


def superchief_table(job: SheetJob) -> list[tuple[int, int]]:
    """Return players and the price of SuperChief where it depends on them (RB-V08), else nothing."""
    rules = job.board.rules
    if not rules.options.superchief_by_players:
        return []
    return [(n, rules.superchief_price(n)) for n in range(rules.setup.min_players, rules.setup.max_players + 1)]


def bonus_when(job: SheetJob, engine: Engine) -> str:
    """Return what earns an engine its bonus roll (RB-B01 to RB-B03)."""
    when = str(getattr(job.board.rules.bonus, engine))
    return job.words(f"engine.{when.replace('-', '_')}")


def _front(job: SheetJob, engine: Engine, number: int) -> str:
    """Draw a card: its band and frame are of the colour of the pawn with this number, if there is such a pawn."""
    name = job.engine(engine)
    canvas = card(job, name)
    theme, colour = job.theme, plain(job.theme, COLOURS[engine])
    pawn = plain(theme, PLAYERS[number - 1]) if number <= len(PLAYERS) else colour
    left, _, right, bottom = INNER
    box = band(canvas, 12.0, pawn)
    title = Type(pt(20), bold=True, align="middle", fill=ink_on(pawn))
    canvas.words((box[0] + _NUMBER, box[1], box[2] - _NUMBER, box[3]), name, title)
    if number <= len(PLAYERS):
        middle = (box[2] - _NUMBER / 2 - 0.5, (box[1] + box[3]) / 2)
        ring = {"fill": "none", "stroke": ink_on(pawn), "stroke-width": "0.4"}
        canvas.document.circle(canvas.group({"class": "pawn"}), middle, 3.2, ring)
        kind = Type(pt(10), bold=True, align="middle", fill=ink_on(pawn))
        canvas.words((middle[0] - 3, middle[1] - 2.4, middle[0] + 3, middle[1] + 2.4), str(number), kind)
    sky = (left, box[3], right, box[3] + 34.0)
    canvas.box(sky, fill=mixed(theme.water, theme.casing, 0.55))
    canvas.box((left, sky[3] - 6.0, right, sky[3]), fill=mixed(theme.border, theme.land, 0.5))
    draw_locomotive(canvas, engine, (left + 4, sky[1] + 4, right - 4, sky[3] - 4), colour)
    y = sky[3] + 2.0
    words = job.words
    table = superchief_table(job) if engine == "superchief" else []
    prices = [(job.words.count("engine.players", players), job.money(price)) for players, price in table]
    first = [(words("engine.from_start"), words("engine.free"))]
    if engine != "freight":
        first = [(words("engine.price"), engine_price(job, engine))]
    rows = prices or first
    height = min(8.0, 17.0 / len(rows))
    for label, value in rows:
        size = min(pt(12), height / 1.2)
        canvas.words((left + _PAD, y, left + 26, y + height), label, Type(size, fill=theme.quiet_ink))
        bold = Type(min(pt(16), height / 1.2), bold=True, align="end")
        canvas.words((left + 27, y, right - _PAD, y + height), value, bold, data={"price": engine})
        y += height
    canvas.line([(left + _PAD, y + 1), (right - _PAD, y + 1)], ink=theme.border)
    rules = job.board.rules
    kind = Type(pt(13), bold=True)
    canvas.words((left + _PAD, y + 2.4, right - _PAD, y + 8.6), bonus_when(job, engine), kind)
    text = words("engine.bonus", dice=job.dice(rules.bonus.dice, "coloured"))
    room = (left + _PAD, y + 8.8, right - _PAD, bottom - 2)
    canvas.words(room, text, Type(pt(10.5), lines=4, top=True))
    frame(canvas, pawn)
    return canvas.to_text()
