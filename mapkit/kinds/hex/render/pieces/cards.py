"""Cards: operations, barons, engines and bonds, with their backs (RW-C06, RW-E02, RW-I02)."""

from collections.abc import Sequence
from typing import Final

from mapkit.core.base import Area, Point
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.inks import theme_colour
from mapkit.drawing.page import draw_ground
from mapkit.drawing.sheet import CARD, SAFE, Sheet
from mapkit.drawing.svg_page import format_mm, line_path_data
from mapkit.kinds.hex.model.board import BaronCard, OperationsCard
from mapkit.kinds.hex.render.palette import ink_on
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.render.pieces.piece import draw_polygon
from mapkit.kinds.hex.render.pieces.tokens import draw_engine

NOTE: Final = (CARD[0], 44.0)
"""Width and height of an engine card and of a bond in millimetres: half a card."""
_RADIUS_MM: Final = 2.6
_PAD_MM: Final = 2.6
_BAND_MM: Final = 15.0
_EMBLEM_MM: Final = 22.0
_CARD_COLOURS: Final = {"operations": "#2f6b5e", "baron": "#6b2f4a", "engine": "#5a4a2f", "bond": "#2f4a6b"}


def card_sheets(job: HexJob) -> list[Sheet]:
    """Return every copy of every card: operations, barons, engines, bonds."""
    return [*operations_cards(job), *baron_cards(job), *engine_cards(job), *bond_cards(job)]


def operations_cards(job: HexJob) -> list[Sheet]:
    """Return the operations cards, with a mark on those that are open at the start."""
    card_back = draw_back(job, "operations", CARD)
    sheets = []
    for card in job.board.operations:
        card_svg = operations_card(job, card)
        for number in range(1, card.count + 1):
            card_id = f"operations-{card.id}" + (f"-{number}" if card.count > 1 else "")
            sheets.append(Sheet(card_id, card.title, card_svg, *CARD, "card", card_back))
    return sheets


def operations_card(job: HexJob, card: OperationsCard) -> str:
    """Return the front of an operations card."""
    words = job.words
    when_text = words("card.at_once" if card.when == "at-once" else "card.kept")
    foot_lines = [when_text, words("card.open")] if card.open else [when_text]
    return _draw_goal_card(job, "operations", card.title, card.text, foot_lines, _city_names(job, card.cities))


def baron_cards(job: HexJob) -> list[Sheet]:
    """Return the baron cards."""
    card_back = draw_back(job, "baron", CARD)
    return [
        Sheet(f"baron-{card.id}", card.title, baron_card(job, card), *CARD, "card", card_back)
        for card in job.board.barons
    ]


def baron_card(job: HexJob, card: BaronCard) -> str:
    """Return the front of a baron card, with its points at the foot (RW-K03)."""
    foot_lines = [job.words.count("card.points", card.points)]
    return _draw_goal_card(job, "baron", card.title, card.text, foot_lines, _city_names(job, card.cities), card.points)


def engine_cards(job: HexJob) -> list[Sheet]:
    """Return a card for each level of engine, for each player if the components say so."""
    engine_components = [component for component in job.board.components if component.kind == "engine"]
    if not engine_components:
        return []
    card_back = draw_back(job, "engine", NOTE)
    copy_count = job.players() if any(component.each for component in engine_components) else 1
    sheets = []
    for level in job.board.rules.engine.levels:
        card_svg = engine_card(job, level)
        title = job.words("card.engine_level", level=level)
        for number in range(1, copy_count + 1):
            card_id = f"engine-{level}" + (f"-{number}" if copy_count > 1 else "")
            sheets.append(Sheet(card_id, title, card_svg, *NOTE, "card", card_back))
    return sheets


def engine_card(job: HexJob, level: int) -> str:
    """Return an engine card of a level: its price, and the number of links a cube can travel (RW-D02)."""
    rules, words = job.board.rules.engine, job.words
    canvas, fill = _begin_card(job, "engine", words("card.engine_level", level=level), NOTE)
    left, top, right, bottom = _card_frame(NOTE)
    ink = ink_on(fill)
    canvas.box((left, top, left + 17.0, bottom), fill=fill, radius=_RADIUS_MM)
    canvas.words(
        (left, top, left + 17.0, bottom - 8.0),
        str(level),
        TextStyle(points_to_mm(44), bold=True, align="middle", fill=ink),
    )
    level_type = TextStyle(points_to_mm(8), align="middle", fill=ink)
    canvas.words((left + 1, bottom - 9.0, left + 16.0, bottom - 4.0), words("card.level"), level_type)
    draw_engine(canvas, canvas.layer, ((left + 17.0 + right) / 2, top + 9.6), job.theme.ink, 1.45)
    links_type = TextStyle(points_to_mm(11), bold=True, align="middle", lines=2)
    canvas.words((left + 19, top + 18.5, right - 2, top + 29), words.count("card.links", level), links_type)
    price_index = level - rules.first_level
    price_text = (
        words("card.first_engine")
        if price_index == 0
        else words("card.price", price=job.money(rules.prices[price_index - 1]))
    )
    canvas.words(
        (left + 19, top + 29, right - 2, bottom - 2), price_text, TextStyle(points_to_mm(9.5), align="middle", lines=2)
    )
    _draw_rim(canvas, NOTE, fill)
    return canvas.to_text()


def bond_cards(job: HexJob) -> list[Sheet]:
    """Return the bonds of the components."""
    bond_count = sum(component.count or 0 for component in job.board.components if component.kind == "bond")
    if not bond_count:
        return []
    card_back, card_svg = draw_back(job, "bond", NOTE), bond_card(job)
    return [
        Sheet(f"bond-{number}", job.words("card.bond"), card_svg, *NOTE, "card", card_back)
        for number in range(1, bond_count + 1)
    ]


def bond_card(job: HexJob) -> str:
    """Return a bond: its value, its dividend, and its cost at the end (RW-I02, RW-I03, RW-Z06)."""
    rules, words = job.board.rules, job.words
    canvas, fill = _begin_card(job, "bond", words("card.bond"), NOTE)
    left, top, right, _ = _card_frame(NOTE)
    canvas.box((left, top, right, top + 2 * _RADIUS_MM), fill=fill, radius=_RADIUS_MM)
    canvas.box((left, top + _RADIUS_MM, right, top + 10.0), fill=fill)
    title_type = TextStyle(points_to_mm(14), bold=True, fill=ink_on(fill))
    canvas.words((left + _PAD_MM, top, right - 24, top + 10), words("card.bond"), title_type)
    value_text = job.money(rules.income.bond_value)
    canvas.words((right - 26, top, right - _PAD_MM, top + 10), value_text, title_type.but(align="end"))
    lines = [
        words("card.dividend", amount=job.money(rules.income.dividend)),
        words.count("card.bond_points", abs(rules.end.bond_points)),
        words("card.repaid" if rules.income.bonds_repaid else "card.never_repaid"),
    ]
    for number, line in enumerate(lines):
        y = top + 13.0 + number * 8.0
        canvas.words((left + _PAD_MM, y, right - _PAD_MM, y + 7.4), line, TextStyle(points_to_mm(9), lines=2))
    _draw_rim(canvas, NOTE, fill)
    return canvas.to_text()


def draw_back(job: HexJob, kind: str, size: tuple[float, float]) -> str:
    """Return the back of cards: the board's name on a ground of hexagons.

    Args:
        job: The board and its look.
        kind: `operations`, `baron`, `engine`, `bond`.
        size: Of the cards.
    """
    card_kind = job.words(f"card.{kind}")
    canvas = Canvas(
        size, job.theme, title=f"{job.title}: {card_kind}", description=job.words("sheet.back", kind=card_kind)
    )
    ground_colour = theme_colour(job.theme, _CARD_COLOURS[kind])
    box = _card_frame(size)
    canvas.box((0.0, 0.0, *size), fill=ground_colour)
    _draw_honeycomb(canvas, box, mix_colours("#ffffff", ground_colour, 0.22))
    middle_y = size[1] / 2
    plate = (box[0] + 5, middle_y - 11, box[2] - 5, middle_y + 11)
    canvas.box(plate, fill=job.theme.panel, edge=job.theme.ink, width=0.5, radius=2.0)
    canvas.box((plate[0] + 1, plate[1] + 1, plate[2] - 1, plate[3] - 1), edge=job.theme.ink, width=0.2, radius=1.4)
    title_type = TextStyle(points_to_mm(17), bold=True, align="middle", lines=2)
    canvas.words((plate[0] + 3, plate[1] + 2, plate[2] - 3, plate[3] - 7.5), job.title, title_type)
    canvas.words(
        (plate[0] + 3, plate[3] - 7.5, plate[2] - 3, plate[3] - 2),
        card_kind,
        TextStyle(points_to_mm(9), align="middle"),
    )
    _draw_rim(canvas, size, ground_colour)
    return canvas.to_text()


def _draw_emblem(job: HexJob, canvas: Canvas, at: Point, fill: str, points: int | None) -> None:
    """Draw a hexagon with points, or with an engine, with its middle at a point."""
    emblem_scale = (_EMBLEM_MM - 2.0) / job.box[1]
    group = canvas.group({"class": "emblem"})
    draw_polygon(canvas, group, job.spokes, at, {"fill": mix_colours(fill, job.theme.panel, 0.18)}, emblem_scale)
    draw_polygon(
        canvas,
        group,
        job.spokes,
        at,
        {"fill": "none", "stroke": fill, "stroke-width": format_mm(0.4)},
        emblem_scale * 0.9,
    )
    x, y = at
    if points is None:
        draw_engine(canvas, group, (x, y - 0.4), job.theme.ink, 0.9)
    else:
        points_type = TextStyle(points_to_mm(22), bold=True, align="middle")
        canvas.words((x - 8, y - 6, x + 8, y + 6), str(points), points_type, parent=group)


def _draw_goal_card(
    job: HexJob,
    kind: str,
    title: str,
    text: str,
    foot: Sequence[str],
    cities: Sequence[str],
    points: int | None = None,
) -> str:
    """Return a card with a title, a text, its cities, and lines at its foot."""
    canvas, fill = _begin_card(job, kind, title, CARD)
    left, top, right, bottom = _card_frame(CARD)
    ink = ink_on(fill)
    canvas.box((left, top, right, top + 2 * _RADIUS_MM), fill=fill, radius=_RADIUS_MM)
    canvas.box((left, top + _RADIUS_MM, right, top + _BAND_MM), fill=fill)
    inner = (left + _PAD_MM, right - _PAD_MM)
    canvas.words(
        (inner[0], top + 1.0, inner[1], top + 5.0), job.words(f"card.{kind}"), TextStyle(points_to_mm(7), fill=ink)
    )
    canvas.words(
        (inner[0], top + 4.6, inner[1], top + _BAND_MM - 1),
        title,
        TextStyle(points_to_mm(15), bold=True, lines=2, fill=ink),
    )
    foot_y = bottom - 5.6 * len(foot) - 3.0
    box = (inner[0], top + _BAND_MM + 4.0, inner[1], foot_y - (12.0 if cities else 2.0))
    fitted_text = canvas.words(box, text, TextStyle(points_to_mm(12), lines=9, top=True))
    free_space = (box[1] + fitted_text.height + 3.0, box[3])
    if free_space[1] - free_space[0] >= _EMBLEM_MM:
        _draw_emblem(job, canvas, ((left + right) / 2, (free_space[0] + free_space[1]) / 2), fill, points)
    if cities:
        cities_type = TextStyle(points_to_mm(9.5), bold=True, lines=2)
        canvas.words((inner[0], foot_y - 11.0, inner[1], foot_y - 1.5), ", ".join(cities), cities_type)
    canvas.line([(inner[0], foot_y), (inner[1], foot_y)], ink=fill, width=0.3)
    for number, line in enumerate(foot):
        y = foot_y + 1.0 + number * 5.6
        canvas.words((inner[0], y, inner[1], y + 5.4), line, TextStyle(points_to_mm(9), bold=True))
    _draw_rim(canvas, CARD, fill)
    return canvas.to_text()


def _begin_card(job: HexJob, kind: str, title: str, size: tuple[float, float]) -> tuple[Canvas, str]:
    description = job.words("sheet.card", title=title)
    canvas = Canvas(size, job.theme, title=f"{job.title}: {title}", description=description)
    fill = theme_colour(job.theme, _CARD_COLOURS[kind])
    draw_ground(canvas, _card_frame(size), fill, _RADIUS_MM)
    return canvas, fill


def _card_frame(size: tuple[float, float]) -> Area:
    return (SAFE, SAFE, size[0] - SAFE, size[1] - SAFE)


def _draw_rim(canvas: Canvas, size: tuple[float, float], ink: str) -> None:
    canvas.box(_card_frame(size), edge=ink, width=0.4, radius=_RADIUS_MM)


def _draw_honeycomb(canvas: Canvas, box: Area, ink: str) -> None:
    """Draw flat-topped hexagons in a box."""
    left, top, right, bottom = box
    radius_mm = 4.4
    height_mm = radius_mm * 3**0.5
    line_looks = {"fill": "none", "stroke": ink, "stroke-width": format_mm(0.35)}
    hexagon_paths: list[str] = []
    column, x = 0, left + radius_mm + 0.6
    while x + radius_mm < right:
        y = top + height_mm / 2 + 0.6 + (height_mm / 2 if column % 2 else 0.0)
        while y + height_mm / 2 < bottom:
            corners: list[Point] = [
                (x + radius_mm, y),
                (x + radius_mm / 2, y + height_mm / 2),
                (x - radius_mm / 2, y + height_mm / 2),
                (x - radius_mm, y),
                (x - radius_mm / 2, y - height_mm / 2),
                (x + radius_mm / 2, y - height_mm / 2),
            ]
            hexagon_paths.append(line_path_data([*corners, corners[0]], closed=True))
            y += height_mm
        column, x = column + 1, x + 1.5 * radius_mm
    canvas.document.path(canvas.layer, " ".join(hexagon_paths), line_looks)


def _city_names(job: HexJob, cities: Sequence[str]) -> list[str]:
    name_by_id = {city.id: city.name for city in job.board.cities}
    return [name_by_id.get(city, city) for city in cities]
