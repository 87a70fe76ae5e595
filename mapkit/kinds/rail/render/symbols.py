"""Drawing of squares, dots and junctions (RB-C03, RB-C04, RB-C06, RB-C10)."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from mapkit.core.base import Area, Point
from mapkit.drawing.svg_page import SvgPage, data_attributes, format_mm, line_path_data
from mapkit.drawing.theme.sizes import Sizes
from mapkit.geography.gazetteer_table import strip_source_code
from mapkit.kinds.rail.model.board import Board, City, Junction, Milepost
from mapkit.kinds.rail.render.colours.railroad_styles import choose_railroad_colours
from mapkit.kinds.rail.render.symbol_marks import box_around, draw_city_mark, draw_dot_mark, find_interchanges

if TYPE_CHECKING:
    from mapkit.kinds.rail.render.layout import Layout

_TWIN_GAP: Final = 0.4
_BOXES_PER_BAR: Final = 4
_STATE_PATTERN: Final = re.compile(r" [A-Z]{2,3}$")
_WORKING_PATTERN: Final = re.compile(r"\S - \S.* \d+$|^\d+\.\d+[NS] \d+\.\d+[EW]$")
"""Names of mileposts that were placed by rule and that no place is near to."""


def format_milepost_label(name: str) -> str:
    """Return a milepost's name for the map, without state or source code: `Altoona` for `Altoona PA`.

    A working name, such as `Harbourton - Westport 3`, is none.
    """
    if _WORKING_PATTERN.search(name):
        return ""
    return _STATE_PATTERN.sub("", strip_source_code(name))


def place_squares(board: Board, spots: Mapping[str, Point], sizes: Sizes) -> dict[str, Point]:
    """Return the middle of each city's square by id; twins are side by side about their milepost's spot.

    If the milepost's name contains the names of twins (`Minneapolis/St. Paul`), they are in its order.
    """
    milepost_names = {m.id: m.name for m in board.mileposts}
    cities_by_milepost: dict[str, list[City]] = {}
    for city in board.cities:
        cities_by_milepost.setdefault(city.milepost, []).append(city)
    square_middles: dict[str, Point] = {}
    for milepost_id, milepost_cities in cities_by_milepost.items():
        x, y = spots[milepost_id]
        milepost_cities.sort(key=lambda c: (milepost_names[milepost_id].find(c.name), c.id))
        for index, city in enumerate(milepost_cities):
            square_shift = (index - (len(milepost_cities) - 1) / 2) * (sizes.city_side + _TWIN_GAP)
            square_middles[city.id] = (x + square_shift, y)
    return square_middles


def list_symbol_boxes(
    board: Board, spots: Mapping[str, Point], middles: Mapping[str, Point], sizes: Sizes
) -> list[Area]:
    """Return the boxes of all squares, dots and junctions."""
    symbol_areas = [box_around(middle, sizes.city_side / 2) for middle in middles.values()]
    symbol_areas += [box_around(spots[m.id], sizes.dot_radius) for m in board.mileposts if m.kind == "dot"]
    symbol_areas += [box_around(spots[j.id], sizes.junction_radius) for j in board.junctions]
    return symbol_areas


def list_bar_boxes(bars: Mapping[str, tuple[Point, Point]], sizes: Sizes) -> list[Area]:
    """Return boxes along the bars drawn for dots that span several lanes."""
    bar_shares = [i / _BOXES_PER_BAR for i in range(_BOXES_PER_BAR + 1)]
    return [
        box_around((x0 + (x1 - x0) * bar_share, y0 + (y1 - y0) * bar_share), sizes.dot_radius)
        for _, ((x0, y0), (x1, y1)) in sorted(bars.items())
        for bar_share in bar_shares
    ]


def _describe_place(board: Board, point: Junction | Milepost) -> dict[str, float]:
    """Return where a point lies: in degrees, except in an invented land, and on the page."""
    degrees = {"lon": point.lon, "lat": point.lat} if board.projection.plane is None else {}
    return degrees | {"x": point.x, "y": point.y}


def draw_symbols(document: SvgPage, layout: "Layout") -> None:
    """Fill the layers `junctions`, `mileposts` and `cities`."""
    board, spots, middles = layout.board, layout.spots, layout.squares
    sizes, theme = layout.sizes, document.theme
    colour_of = choose_railroad_colours(board, theme)
    symbol_layer = document.group(document.layers["junctions"], {"fill": theme.casing, "stroke-width": "0.35"})
    for j in board.junctions:
        element_data = {"railroad": j.railroad, **_describe_place(board, j)}
        attributes = {"id": f"j-{j.id}", "class": "junction", "stroke": colour_of.get(j.railroad, theme.ink)}
        if theme.symbols == "engraved":  # dots are open circles
            attributes["fill"] = attributes["stroke"]
        document.circle(symbol_layer, spots[j.id], sizes.junction_radius, attributes | data_attributes(element_data))
    half_widths: dict[str, float] = {}
    for city in board.cities:
        x, milepost_x = middles[city.id][0], spots[city.milepost][0]
        half_widths[city.milepost] = max(half_widths.get(city.milepost, 0.0), abs(x - milepost_x) + sizes.city_side / 2)
    symbol_layer = document.group(
        document.layers["mileposts"],
        {"fill": theme.ink, "stroke": theme.casing, "stroke-width": format_mm(sizes.symbol_edge)},
    )
    for _, ends in sorted(layout.bars.items()):
        # the edge of the bar, like that of a circle; the bars are drawn after the mileposts
        edge = {"class": "bar-edge", "fill": "none", "stroke-linecap": "round"}
        document.path(
            symbol_layer,
            line_path_data(ends),
            edge | {"stroke-width": format_mm(2 * sizes.dot_radius + sizes.symbol_edge)},
        )
    interchanges = find_interchanges(board, theme)
    has_grounds = theme.symbols in ("squares", "engraved")
    for m in board.mileposts:
        element_data = {"name": m.name, "kind": m.kind, **_describe_place(board, m)}
        attributes = {
            "id": f"m-{m.id}",
            "class": f"milepost {'dot' if m.kind == 'dot' else 'square'}",
        } | data_attributes(element_data)
        if m.kind == "dot":
            tip = strip_source_code(m.name)
            draw_dot_mark(document, symbol_layer, spots[m.id], attributes, tip=tip, is_interchange=m.id in interchanges)
        else:
            # the ground of its squares, in the colour of the casing
            half_width, half_height = half_widths.get(m.id, sizes.city_side / 2) + 0.35, sizes.city_side / 2 + 0.35
            x, y = spots[m.id]
            ground_box = (x - half_width, y - half_height, x + half_width, y + half_height)
            ground = {"fill": theme.casing} if has_grounds else {"fill": "none", "stroke": "none"}
            document.rect(symbol_layer, ground_box, attributes | ground, tip=strip_source_code(m.name))
    bar_group = document.group(
        symbol_layer,
        {"fill": "none", "stroke": theme.ink, "stroke-width": format_mm(2 * sizes.dot_radius - sizes.symbol_edge)},
    )
    for _, ends in sorted(layout.bars.items()):
        document.path(bar_group, line_path_data(ends), {"class": "bar", "stroke-linecap": "round"})
    symbol_layer = document.group(document.layers["cities"], {"fill": theme.ink})
    for city in board.cities:
        element_data = {"name": city.name, "region": city.region, "milepost": city.milepost}
        attributes = {"id": f"c-{city.id}", "class": "city"} | data_attributes(element_data)
        draw_city_mark(document, symbol_layer, middles[city.id], attributes, tip=city.name, mark=city.mark)
