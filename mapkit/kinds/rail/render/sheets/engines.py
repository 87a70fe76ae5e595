"""Engine cards (RB-C15): as many as the rules give, each with its price and its bonus, in a pawn's colour (RB-P15)."""

from collections.abc import Callable
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.inks import BLACK, WHITE, ink_on, theme_colour
from mapkit.drawing.sheet import CARD, Sheet
from mapkit.drawing.svg_page import Element
from mapkit.kinds.rail.render.sheets.card import INNER, begin_card, draw_band, draw_card_back, draw_frame
from mapkit.kinds.rail.render.sheets.chips import PLAYERS
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob
from mapkit.kinds.rail.rules.rules import Engine

# Three engines in profile, of simple shapes, drawn in a box of 100 by 44 units.

_WIDTH_UNITS, _HEIGHT_UNITS = 100.0, 44.0
_RAIL_Y: Final = 42.0


def draw_locomotive(canvas: Canvas, engine: Engine, area: Area, colour: str) -> None:
    """Draw an engine as large as its box allows, standing at the bottom."""
    left, top, right, bottom = area
    unit_mm = min((right - left) / _WIDTH_UNITS, (bottom - top) / _HEIGHT_UNITS)
    x, y = (left + right - _WIDTH_UNITS * unit_mm) / 2, bottom - _HEIGHT_UNITS * unit_mm
    engine_group = canvas.group({"class": "engine", "transform": f"translate({x:.2f} {y:.2f}) scale({unit_mm:.4f})"})
    canvas.box((0, _RAIL_Y, _WIDTH_UNITS, _RAIL_Y + 1.2), fill=BLACK, parent=engine_group)
    _DRAW_BY_ENGINE[engine](canvas, engine_group, colour)


def _draw_wheels(canvas: Canvas, group: Element, middles: list[float], radius: float, colour: str) -> None:
    y = _RAIL_Y - radius
    for x in middles:
        canvas.document.circle(group, (x, y), radius, {"fill": BLACK})
        canvas.document.circle(group, (x, y), radius * 0.72, {"fill": mix_colours(colour, WHITE, 0.75)})
        canvas.document.circle(group, (x, y), radius * 0.26, {"fill": BLACK})


def _draw_shape(canvas: Canvas, group: Element, d: str, fill: str) -> None:
    canvas.document.path(group, d, {"fill": fill})


def _draw_freight(canvas: Canvas, group: Element, colour: str) -> None:
    canvas.box((76, 19, 98, 34), fill=mix_colours(colour, BLACK, 0.7), radius=1.0, parent=group)
    _draw_shape(canvas, group, "M78,19 Q82,13 87,16 Q92,12 96,19 Z", BLACK)
    _draw_wheels(canvas, group, [80.5, 87.5, 94.5], 3.6, colour)
    canvas.box((16, 15, 62, 29), fill=colour, radius=3.0, parent=group)
    canvas.box((13, 16.5, 17, 27.5), fill=BLACK, radius=1.0, parent=group)
    _draw_shape(canvas, group, "M20,15 L21,7 L19,5 L27,5 L25,7 L26,15 Z", BLACK)
    _draw_shape(canvas, group, "M34,15 Q34,10 37.5,10 Q41,10 41,15 Z M47,15 Q47,11 50,11 Q53,11 53,15 Z", BLACK)
    _draw_shape(
        canvas, group, "M60,8 L76,8 L77,10 L74,10 L74,33 L60,33 L60,10 L58,10 Z", mix_colours(colour, BLACK, 0.8)
    )
    canvas.box((63, 13, 71, 20), fill=mix_colours(colour, WHITE, 0.25), radius=0.8, parent=group)
    canvas.box((12, 29, 76, 33), fill=BLACK, parent=group)
    _draw_shape(canvas, group, "M12,31 L3,41.5 L13,41.5 L16,33 Z", mix_colours(colour, BLACK, 0.6))
    _draw_wheels(canvas, group, [19.5, 27.5], 3.6, colour)
    _draw_wheels(canvas, group, [38.5, 52, 65.5], 6.4, colour)
    canvas.box((38, 34.6, 66, 36.2), fill=mix_colours(colour, WHITE, 0.4), radius=0.8, parent=group)


def _draw_express(canvas: Canvas, group: Element, colour: str) -> None:
    canvas.box((77, 12, 99, 35), fill=colour, radius=1.0, parent=group)
    _draw_wheels(canvas, group, [81, 88, 95], 3.6, colour)
    _draw_shape(canvas, group, "M4,38 Q3,18 20,13 L76,11 L76,38 Z", colour)
    _draw_shape(canvas, group, "M30,12.7 Q34,8 44,8 L66,8 L66,11.4 Z", mix_colours(colour, BLACK, 0.8))
    _draw_shape(canvas, group, "M5.2,27 Q6,24 7.5,22 L99,22 L99,24.5 L7,24.5 Z", mix_colours(colour, WHITE, 0.12))
    _draw_shape(canvas, group, "M4.6,30 L76,30 L76,31.2 L4.4,31.2 Z", mix_colours(colour, WHITE, 0.35))
    canvas.box((66, 13.5, 73.5, 19.5), fill=mix_colours(colour, WHITE, 0.2), radius=1.0, parent=group)
    canvas.document.circle(group, (10.5, 19.5), 1.6, {"fill": theme_colour(canvas.theme, "#f6d66b")})
    _draw_wheels(canvas, group, [15, 23], 3.6, colour)
    _draw_wheels(canvas, group, [36, 49, 62], 6.0, colour)
    canvas.box((36, 35.4, 62.5, 36.8), fill=mix_colours(colour, WHITE, 0.4), radius=0.7, parent=group)
    _draw_shape(canvas, group, "M28,33.5 L70,33.5 L70,31 L28,31 Z", mix_colours(colour, BLACK, 0.85))


def _draw_superchief(canvas: Canvas, group: Element, colour: str) -> None:
    silver, gold = (theme_colour(canvas.theme, tone) for tone in ("#c9ccd0", "#f0c64a"))
    _draw_shape(canvas, group, "M3,37 Q2,28 9,23 L14,20 L20,11 Q21,10 24,10 L99,10 L99,37 Z", silver)
    _draw_shape(canvas, group, "M3,37 Q2,28 9,23 L14,20 L20,11 Q21,10 24,10 L40,10 Q38,24 24,28 L15,37 Z", colour)
    _draw_shape(canvas, group, "M40,10 L43.5,10 Q41,26 26,30 L19,37 L15,37 L24,28 Q38,24 40,10 Z", gold)
    _draw_shape(canvas, group, "M18.6,18.5 L22.5,12.6 L29,12.6 L29,18.5 Z", mix_colours(silver, WHITE, 0.15))
    canvas.box((31, 12.6, 34.5, 18.5), fill=mix_colours(silver, WHITE, 0.15), radius=0.6, parent=group)
    canvas.document.circle(group, (9.2, 26), 1.5, {"fill": theme_colour(canvas.theme, "#fff3c4")})
    for x in (50.0, 62.0, 74.0, 86.0):
        canvas.document.circle(group, (x, 18), 2.4, {"fill": mix_colours(BLACK, silver, 0.75)})
    for y in (26.0, 28.6, 31.2):
        canvas.box((44, y, 99, y + 1.0), fill=mix_colours(silver, BLACK, 0.75), parent=group)
    canvas.box((13, 35, 99, 38), fill=mix_colours(silver, BLACK, 0.35), parent=group)
    _draw_wheels(canvas, group, [22, 30.5, 39], 4.2, colour)
    _draw_wheels(canvas, group, [74, 82.5, 91], 4.2, colour)


_DRAW_BY_ENGINE: Final[dict[Engine, Callable[[Canvas, Element, str], None]]] = {
    "freight": _draw_freight,
    "express": _draw_express,
    "superchief": _draw_superchief,
}


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
    theme, colour = job.theme, theme_colour(job.theme, COLOURS[engine])
    pawn_colour = theme_colour(theme, PLAYERS[number - 1]) if number <= len(PLAYERS) else colour
    card_canvas = begin_card(job, engine_name, pawn_colour)
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
