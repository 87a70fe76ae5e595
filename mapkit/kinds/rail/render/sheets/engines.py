"""Engine cards (RB-C15): as many as the rules give, each with its price and its bonus, in a pawn's colour (RB-P15)."""

from typing import Final

from mapkit.drawing.canvas import TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.inks import ink_on, theme_colour
from mapkit.drawing.sheet import CARD, Sheet
from mapkit.kinds.rail.render.sheets.card import INNER, begin_card, draw_band, draw_card_back, draw_frame
from mapkit.kinds.rail.render.sheets.chips import PLAYERS
from mapkit.kinds.rail.render.sheets.locomotives import draw_locomotive
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob
from mapkit.kinds.rail.rules.rules import Engine

COLOURS: Final[dict[Engine, str]] = {"freight": "#4a4a4a", "express": "#1f5c8b", "superchief": "#a3261f"}
_PAD_MM: Final = 3.5
_NUMBER_MM: Final = 8.5
"""Room at each end of the band, for the number of the pawn."""


def make_engine_sheets(job: SheetJob) -> list[Sheet]:
    """Return the engine cards: Freight only if it has a card, and as many of each as titles or players."""
    rules = job.board.rules
    engine_counts: list[tuple[Engine, int]] = [("freight", rules.setup.max_players)] if rules.setup.freight_card else []
    title_count = rules.setup.engine_titles or rules.setup.max_players
    engine_counts += [("express", title_count), ("superchief", title_count)]
    card_back = draw_card_back(job, job.words("engine.title"))
    return [
        Sheet(
            f"engine-{engine}-{n}",
            job.words("engine.titled", engine=job.engine(engine)),
            _draw_front(job, engine, n),
            *CARD,
            "card",
            card_back,
        )
        for engine, count in engine_counts
        for n in range(1, count + 1)
    ]


def format_engine_price(job: SheetJob, engine: Engine) -> str:
    """Return the price of Express or SuperChief as players read it (RB-P04, RB-P05)."""
    rules = job.board.rules
    return job.money(rules.purchase.express_price if engine == "express" else rules.purchase.superchief_price)


def list_superchief_prices(job: SheetJob) -> list[tuple[int, int]]:
    """Return the price of SuperChief by number of players if it depends on them (RB-V08), else nothing."""
    rules = job.board.rules
    if not rules.options.superchief_by_players:
        return []
    return [(n, rules.superchief_price(n)) for n in range(rules.setup.min_players, rules.setup.max_players + 1)]


def describe_bonus_condition(job: SheetJob, engine: Engine) -> str:
    """Return the condition for an engine's bonus roll (RB-B01 to RB-B03)."""
    bonus_rule = str(getattr(job.board.rules.bonus, engine))
    return job.words(f"engine.{bonus_rule.replace('-', '_')}")


def _draw_front(job: SheetJob, engine: Engine, number: int) -> str:
    """Draw the front of a card: band and frame have the colour of the pawn with this number, if there is one."""
    engine_name = job.engine(engine)
    card_canvas = begin_card(job, engine_name)
    theme, colour = job.theme, theme_colour(job.theme, COLOURS[engine])
    pawn_colour = theme_colour(theme, PLAYERS[number - 1]) if number <= len(PLAYERS) else colour
    left, _, right, bottom = INNER
    box = draw_band(card_canvas, 12.0, pawn_colour)
    title_type = TextStyle(points_to_mm(20), bold=True, align="middle", fill=ink_on(pawn_colour))
    card_canvas.words((box[0] + _NUMBER_MM, box[1], box[2] - _NUMBER_MM, box[3]), engine_name, title_type)
    if number <= len(PLAYERS):
        middle = (box[2] - _NUMBER_MM / 2 - 0.5, (box[1] + box[3]) / 2)
        ring_style = {"fill": "none", "stroke": ink_on(pawn_colour), "stroke-width": "0.4"}
        card_canvas.document.circle(card_canvas.group({"class": "pawn"}), middle, 3.2, ring_style)
        number_type = TextStyle(points_to_mm(10), bold=True, align="middle", fill=ink_on(pawn_colour))
        card_canvas.words((middle[0] - 3, middle[1] - 2.4, middle[0] + 3, middle[1] + 2.4), str(number), number_type)
    sky_box = (left, box[3], right, box[3] + 34.0)
    card_canvas.box(sky_box, fill=mix_colours(theme.water, theme.casing, 0.55))
    card_canvas.box((left, sky_box[3] - 6.0, right, sky_box[3]), fill=mix_colours(theme.border, theme.land, 0.5))
    draw_locomotive(card_canvas, engine, (left + 4, sky_box[1] + 4, right - 4, sky_box[3] - 4), colour)
    y = sky_box[3] + 2.0
    words = job.words
    price_table = list_superchief_prices(job) if engine == "superchief" else []
    price_rows = [(job.words.count("engine.players", players), job.money(price)) for players, price in price_table]
    first_row = [(words("engine.from_start"), words("engine.free"))]
    if engine != "freight":
        first_row = [(words("engine.price"), format_engine_price(job, engine))]
    shown_rows = price_rows or first_row
    row_height = min(8.0, 17.0 / len(shown_rows))
    for label, value in shown_rows:
        label_size = min(points_to_mm(12), row_height / 1.2)
        card_canvas.words(
            (left + _PAD_MM, y, left + 26, y + row_height), label, TextStyle(label_size, fill=theme.quiet_ink)
        )
        value_type = TextStyle(min(points_to_mm(16), row_height / 1.2), bold=True, align="end")
        card_canvas.words((left + 27, y, right - _PAD_MM, y + row_height), value, value_type, data={"price": engine})
        y += row_height
    card_canvas.line([(left + _PAD_MM, y + 1), (right - _PAD_MM, y + 1)], ink=theme.border)
    rules = job.board.rules
    number_type = TextStyle(points_to_mm(13), bold=True)
    card_canvas.words(
        (left + _PAD_MM, y + 2.4, right - _PAD_MM, y + 8.6), describe_bonus_condition(job, engine), number_type
    )
    bonus_text = words("engine.bonus", dice=job.dice(rules.bonus.dice, "coloured"))
    text_box = (left + _PAD_MM, y + 8.8, right - _PAD_MM, bottom - 2)
    card_canvas.words(text_box, bonus_text, TextStyle(points_to_mm(10.5), lines=4, top=True))
    draw_frame(card_canvas, pawn_colour)
    return card_canvas.to_text()
