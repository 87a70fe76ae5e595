"""Cards: operations, barons, engines and bonds, with their backs (RW-C06, RW-E02, RW-I02)."""

from collections.abc import Sequence
from typing import Final

from mapkit.core.base import Area, Point
from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.fit import pt
from mapkit.drawing.inks import plain
from mapkit.drawing.sheet import CARD, Sheet
from mapkit.drawing.svg_page import line_d, mm
from mapkit.kinds.hex.model.board import BaronCard, OperationsCard
from mapkit.kinds.hex.render.palette import ink_on
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.render.pieces.piece import polygon
from mapkit.kinds.hex.render.pieces.tokens import draw_engine

NOTE: Final = (CARD[0], 44.0)
"""Width and height of an engine card and of a bond in millimetres: half a card."""
_EDGE: Final = 2.6
_ROUND: Final = 2.6
_PAD: Final = 2.6
_BAND: Final = 15.0
_EMBLEM: Final = 22.0
_COLOURS: Final = {"operations": "#2f6b5e", "baron": "#6b2f4a", "engine": "#5a4a2f", "bond": "#2f4a6b"}


def card_sheets(job: HexJob) -> list[Sheet]:
    """Return every card as often as there is one: operations, barons, engines, bonds."""
    return [*operations_cards(job), *baron_cards(job), *engine_cards(job), *bond_cards(job)]


def operations_cards(job: HexJob) -> list[Sheet]:
    """Return the operations cards, those that lie open at the start marked."""
    reverse = back_of(job, "operations", CARD)
    out = []
    for card in job.board.operations:
        drawn = operations_card(job, card)
        for number in range(1, card.count + 1):
            ident = f"operations-{card.id}" + (f"-{number}" if card.count > 1 else "")
            out.append(Sheet(ident, card.title, drawn, *CARD, "card", reverse))
    return out


def operations_card(job: HexJob, card: OperationsCard) -> str:
    """Return the front of an operations card."""
    words = job.words
    when = words("card.at_once" if card.when == "at-once" else "card.kept")
    foot = [when, words("card.open")] if card.open else [when]
    return _goal(job, "operations", card.title, card.text, foot, _city_names(job, card.cities))


def baron_cards(job: HexJob) -> list[Sheet]:
    """Return the baron cards."""
    reverse = back_of(job, "baron", CARD)
    return [
        Sheet(f"baron-{card.id}", card.title, baron_card(job, card), *CARD, "card", reverse)
        for card in job.board.barons
    ]


def baron_card(job: HexJob, card: BaronCard) -> str:
    """Return the front of a baron card, with its points at the foot (RW-K03)."""
    foot = [job.words.count("card.points", card.points)]
    return _goal(job, "baron", card.title, card.text, foot, _city_names(job, card.cities), card.points)


def engine_cards(job: HexJob) -> list[Sheet]:
    """Return a card for each level of engine, for each player where the components say so."""
    found = [one for one in job.board.components if one.kind == "engine"]
    if not found:
        return []
    reverse = back_of(job, "engine", NOTE)
    copies = job.players() if any(one.each for one in found) else 1
    out = []
    for level in job.board.rules.engine.levels:
        drawn = engine_card(job, level)
        title = job.words("card.engine_level", level=level)
        for number in range(1, copies + 1):
            ident = f"engine-{level}" + (f"-{number}" if copies > 1 else "")
            out.append(Sheet(ident, title, drawn, *NOTE, "card", reverse))
    return out


def engine_card(job: HexJob, level: int) -> str:
    """Return an engine of a level: what the step to it costs, and how many links it pulls a cube over (RW-D02)."""
    rules, words = job.board.rules.engine, job.words
    canvas, fill = _begin(job, "engine", words("card.engine_level", level=level), NOTE)
    left, top, right, bottom = _frame_of(NOTE)
    ink = ink_on(fill)
    canvas.box((left, top, left + 17.0, bottom), fill=fill, radius=_ROUND)
    canvas.words((left, top, left + 17.0, bottom - 8.0), str(level), Type(pt(44), bold=True, align="middle", fill=ink))
    kind = Type(pt(8), align="middle", fill=ink)
    canvas.words((left + 1, bottom - 9.0, left + 16.0, bottom - 4.0), words("card.level"), kind)
    draw_engine(canvas, canvas.layer, ((left + 17.0 + right) / 2, top + 9.6), job.theme.ink, 1.45)
    links = Type(pt(11), bold=True, align="middle", lines=2)
    canvas.words((left + 19, top + 18.5, right - 2, top + 29), words.count("card.links", level), links)
    price = level - rules.first_level
    said = words("card.first_engine") if price == 0 else words("card.price", price=job.money(rules.prices[price - 1]))
    canvas.words((left + 19, top + 29, right - 2, bottom - 2), said, Type(pt(9.5), align="middle", lines=2))
    _rim(canvas, NOTE, fill)
    return canvas.to_text()


def bond_cards(job: HexJob) -> list[Sheet]:
    """Return the bonds, as many as the components say."""
    count = sum(one.count or 0 for one in job.board.components if one.kind == "bond")
    if not count:
        return []
    reverse, drawn = back_of(job, "bond", NOTE), bond_card(job)
    return [
        Sheet(f"bond-{number}", job.words("card.bond"), drawn, *NOTE, "card", reverse) for number in range(1, count + 1)
    ]


def bond_card(job: HexJob) -> str:
    """Return a bond: what it brings, its dividend, and what it costs at the end (RW-I02, RW-I03, RW-Z06)."""
    rules, words = job.board.rules, job.words
    canvas, fill = _begin(job, "bond", words("card.bond"), NOTE)
    left, top, right, _ = _frame_of(NOTE)
    canvas.box((left, top, right, top + 2 * _ROUND), fill=fill, radius=_ROUND)
    canvas.box((left, top + _ROUND, right, top + 10.0), fill=fill)
    head = Type(pt(14), bold=True, fill=ink_on(fill))
    canvas.words((left + _PAD, top, right - 24, top + 10), words("card.bond"), head)
    amount = job.money(rules.income.bond_value)
    canvas.words((right - 26, top, right - _PAD, top + 10), amount, head.but(align="end"))
    lines = [
        words("card.dividend", amount=job.money(rules.income.dividend)),
        words.count("card.bond_points", abs(rules.end.bond_points)),
        words("card.repaid" if rules.income.bonds_repaid else "card.never_repaid"),
    ]
    for number, line in enumerate(lines):
        y = top + 13.0 + number * 8.0
        canvas.words((left + _PAD, y, right - _PAD, y + 7.4), line, Type(pt(9), lines=2))
    _rim(canvas, NOTE, fill)
    return canvas.to_text()


def back_of(job: HexJob, kind: str, size: tuple[float, float]) -> str:
    """Return the back of cards: the board's name on a ground of hexagons.

    Args:
        job: The board and its look.
        kind: `operations`, `baron`, `engine`, `bond`.
        size: Of the cards.
    """
    words = job.words(f"card.{kind}")
    canvas = Canvas(size, job.theme, title=f"{job.title}: {words}", description=job.words("sheet.back", kind=words))
    fill = plain(job.theme, _COLOURS[kind])
    box = _frame_of(size)
    canvas.box(box, fill=fill, radius=_ROUND)
    _honeycomb(canvas, box, mixed("#ffffff", fill, 0.22))
    middle = size[1] / 2
    plate = (box[0] + 5, middle - 11, box[2] - 5, middle + 11)
    canvas.box(plate, fill=job.theme.panel, edge=job.theme.ink, width=0.5, radius=2.0)
    canvas.box((plate[0] + 1, plate[1] + 1, plate[2] - 1, plate[3] - 1), edge=job.theme.ink, width=0.2, radius=1.4)
    name = Type(pt(17), bold=True, align="middle", lines=2)
    canvas.words((plate[0] + 3, plate[1] + 2, plate[2] - 3, plate[3] - 7.5), job.title, name)
    canvas.words((plate[0] + 3, plate[3] - 7.5, plate[2] - 3, plate[3] - 2), words, Type(pt(9), align="middle"))
    _rim(canvas, size, fill)
    return canvas.to_text()


def _emblem(job: HexJob, canvas: Canvas, at: Point, fill: str, points: int | None) -> None:
    """Draw a hexagon with points, or with an engine, its middle at a point."""
    share = (_EMBLEM - 2.0) / job.box[1]
    group = canvas.group({"class": "emblem"})
    polygon(canvas, group, job.spokes, at, {"fill": mixed(fill, job.theme.panel, 0.18)}, share)
    polygon(canvas, group, job.spokes, at, {"fill": "none", "stroke": fill, "stroke-width": mm(0.4)}, share * 0.9)
    x, y = at
    if points is None:
        draw_engine(canvas, group, (x, y - 0.4), job.theme.ink, 0.9)
    else:
        kind = Type(pt(22), bold=True, align="middle")
        canvas.words((x - 8, y - 6, x + 8, y + 6), str(points), kind, parent=group)


def _goal(
    job: HexJob,
    kind: str,
    title: str,
    text: str,
    foot: Sequence[str],
    cities: Sequence[str],
    points: int | None = None,
) -> str:
    """Return a card with a title, a text, the cities that it names, and lines at its foot."""
    canvas, fill = _begin(job, kind, title, CARD)
    left, top, right, bottom = _frame_of(CARD)
    ink = ink_on(fill)
    canvas.box((left, top, right, top + 2 * _ROUND), fill=fill, radius=_ROUND)
    canvas.box((left, top + _ROUND, right, top + _BAND), fill=fill)
    inner = (left + _PAD, right - _PAD)
    canvas.words((inner[0], top + 1.0, inner[1], top + 5.0), job.words(f"card.{kind}"), Type(pt(7), fill=ink))
    canvas.words((inner[0], top + 4.6, inner[1], top + _BAND - 1), title, Type(pt(15), bold=True, lines=2, fill=ink))
    under = bottom - 5.6 * len(foot) - 3.0
    box = (inner[0], top + _BAND + 4.0, inner[1], under - (12.0 if cities else 2.0))
    said = canvas.words(box, text, Type(pt(12), lines=9, top=True))
    free = (box[1] + said.height + 3.0, box[3])
    if free[1] - free[0] >= _EMBLEM:
        _emblem(job, canvas, ((left + right) / 2, (free[0] + free[1]) / 2), fill, points)
    if cities:
        named = Type(pt(9.5), bold=True, lines=2)
        canvas.words((inner[0], under - 11.0, inner[1], under - 1.5), ", ".join(cities), named)
    canvas.line([(inner[0], under), (inner[1], under)], ink=fill, width=0.3)
    for number, line in enumerate(foot):
        y = under + 1.0 + number * 5.6
        canvas.words((inner[0], y, inner[1], y + 5.4), line, Type(pt(9), bold=True))
    _rim(canvas, CARD, fill)
    return canvas.to_text()


def _begin(job: HexJob, kind: str, title: str, size: tuple[float, float]) -> tuple[Canvas, str]:
    said = job.words("sheet.card", title=title)
    canvas = Canvas(size, job.theme, title=f"{job.title}: {title}", description=said)
    return canvas, plain(job.theme, _COLOURS[kind])


def _frame_of(size: tuple[float, float]) -> Area:
    return (_EDGE, _EDGE, size[0] - _EDGE, size[1] - _EDGE)


def _rim(canvas: Canvas, size: tuple[float, float], ink: str) -> None:
    canvas.box(_frame_of(size), edge=ink, width=0.4, radius=_ROUND)


def _honeycomb(canvas: Canvas, box: Area, ink: str) -> None:
    """Draw hexagons with a flat top that lie in a box."""
    left, top, right, bottom = box
    r = 4.4
    high = r * 3**0.5
    looks = {"fill": "none", "stroke": ink, "stroke-width": mm(0.35)}
    parts: list[str] = []
    column, x = 0, left + r + 0.6
    while x + r < right:
        y = top + high / 2 + 0.6 + (high / 2 if column % 2 else 0.0)
        while y + high / 2 < bottom:
            corners: list[Point] = [
                (x + r, y),
                (x + r / 2, y + high / 2),
                (x - r / 2, y + high / 2),
                (x - r, y),
                (x - r / 2, y - high / 2),
                (x + r / 2, y - high / 2),
            ]
            parts.append(line_d([*corners, corners[0]], closed=True))
            y += high
        column, x = column + 1, x + 1.5 * r
    canvas.document.path(canvas.layer, " ".join(parts), looks)


def _city_names(job: HexJob, cities: Sequence[str]) -> list[str]:
    names = {city.id: city.name for city in job.board.cities}
    return [names.get(city, city) for city in cities]
