"""Squares, dots and junctions (RB-C03, RB-C04, RB-C06, RB-C10)."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from mapkit.core.base import Area, Point
from mapkit.drawing.svg_page import SvgPage, data_attributes, line_d, mm
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Board, City
from mapkit.kinds.rail.render.colours.railroad_styles import railroad_colours

if TYPE_CHECKING:
    from mapkit.kinds.rail.render.layout import Layout

_TWIN_GAP: Final = 0.4
_BAR_BOXES: Final = 4
_STATE: Final = re.compile(r" [A-Z]{2,3}$")


def milepost_label(name: str) -> str:
    """Return a milepost's name as it is written on the map: `Altoona PA` is `Altoona` there."""
    return _STATE.sub("", name)


def squares(board: Board, spots: Mapping[str, Point], sizes: Sizes) -> dict[str, Point]:
    """Return city id -> middle of its square; twins stand side by side about their milepost's spot.

    Twins keep the order of the milepost's name (`Minneapolis/St. Paul`) where that names them.
    """
    full = {m.id: m.name for m in board.mileposts}
    groups: dict[str, list[City]] = {}
    for city in board.cities:
        groups.setdefault(city.milepost, []).append(city)
    out: dict[str, Point] = {}
    for ident, members in groups.items():
        x, y = spots[ident]
        members.sort(key=lambda c: (full[ident].find(c.name), c.id))
        for index, city in enumerate(members):
            shift = (index - (len(members) - 1) / 2) * (sizes.city_side + _TWIN_GAP)
            out[city.id] = (x + shift, y)
    return out


def symbol_boxes(board: Board, spots: Mapping[str, Point], middles: Mapping[str, Point], sizes: Sizes) -> list[Area]:
    """Return the boxes of all squares, dots and junctions."""
    boxes = [_around(x, y, sizes.city_side / 2) for x, y in middles.values()]
    boxes += [_around(*spots[m.id], sizes.dot_radius) for m in board.mileposts if m.kind == "dot"]
    boxes += [_around(*spots[j.id], sizes.junction_radius) for j in board.junctions]
    return boxes


def bar_boxes(bars: Mapping[str, tuple[Point, Point]], sizes: Sizes) -> list[Area]:
    """Return boxes along the bars of dots that reach across lanes."""
    steps = [i / _BAR_BOXES for i in range(_BAR_BOXES + 1)]
    return [
        _around(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t, sizes.dot_radius)
        for _, ((x0, y0), (x1, y1)) in sorted(bars.items())
        for t in steps
    ]


def draw_symbols(document: SvgPage, layout: "Layout") -> None:
    """Fill the layers `junctions`, `mileposts` and `cities`."""
    board, spots, middles = layout.board, layout.spots, layout.squares
    sizes, theme = layout.sizes, document.theme
    colours = railroad_colours(board, theme)
    layer = document.group(document.layers["junctions"], {"fill": theme.casing, "stroke-width": "0.35"})
    for j in board.junctions:
        data = {"railroad": j.railroad, "lon": j.lon, "lat": j.lat, "x": j.x, "y": j.y}
        attributes = {"id": f"j-{j.id}", "class": "junction", "stroke": colours.get(j.railroad, theme.ink)}
        document.circle(layer, spots[j.id], sizes.junction_radius, attributes | data_attributes(data))
    widest: dict[str, float] = {}
    for city in board.cities:
        x, middle = middles[city.id][0], spots[city.milepost][0]
        widest[city.milepost] = max(widest.get(city.milepost, 0.0), abs(x - middle) + sizes.city_side / 2)
    layer = document.group(
        document.layers["mileposts"], {"fill": theme.ink, "stroke": theme.casing, "stroke-width": mm(sizes.symbol_edge)}
    )
    for _, ends in sorted(layout.bars.items()):
        # the edge that a circle has, below; then the bar
        edge = {"class": "bar-edge", "fill": "none", "stroke-linecap": "round"}
        document.path(layer, line_d(ends), edge | {"stroke-width": mm(2 * sizes.dot_radius + sizes.symbol_edge)})
    for m in board.mileposts:
        data = {"name": m.name, "kind": m.kind, "lon": m.lon, "lat": m.lat, "x": m.x, "y": m.y}
        attributes = {
            "id": f"m-{m.id}",
            "class": f"milepost {'dot' if m.kind == 'dot' else 'square'}",
        } | data_attributes(data)
        if m.kind == "dot":
            document.circle(layer, spots[m.id], sizes.dot_radius, attributes, tip=m.name)
        else:
            # the white ground of its squares
            half, tall = widest.get(m.id, sizes.city_side / 2) + 0.35, sizes.city_side / 2 + 0.35
            x, y = spots[m.id]
            box = (x - half, y - tall, x + half, y + tall)
            document.rect(layer, box, attributes | {"fill": theme.casing}, tip=m.name)
    bars = document.group(
        layer, {"fill": "none", "stroke": theme.ink, "stroke-width": mm(2 * sizes.dot_radius - sizes.symbol_edge)}
    )
    for _, ends in sorted(layout.bars.items()):
        document.path(bars, line_d(ends), {"class": "bar", "stroke-linecap": "round"})
    layer = document.group(document.layers["cities"], {"fill": theme.ink})
    for city in board.cities:
        data = {"name": city.name, "region": city.region, "milepost": city.milepost}
        attributes = {"id": f"c-{city.id}", "class": "city"} | data_attributes(data)
        document.rect(layer, _around(*middles[city.id], sizes.city_side / 2), attributes, tip=city.name)


def _around(x: float, y: float, half: float) -> Area:
    return (x - half, y - half, x + half, y + half)
