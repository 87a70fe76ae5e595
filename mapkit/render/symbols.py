"""Squares, dots and junctions (RB-C03, RB-C04, RB-C06, RB-C10)."""

import re
from typing import Final

from mapkit.model.board import Board, City
from mapkit.render.backdrop import Area
from mapkit.render.document import Document, data_attributes, mm
from mapkit.render.theme import CITY_SIDE, DOT_RADIUS, INK, JUNCTION_RADIUS, SYMBOL_EDGE

_TWIN_GAP: Final = 0.4
_STATE: Final = re.compile(r" [A-Z]{2}$")


def milepost_label(name: str) -> str:
    """Return a milepost's name as it is written on the map: `Altoona PA` is `Altoona` there."""
    return _STATE.sub("", name)


def squares(board: Board) -> dict[str, tuple[float, float]]:
    """Return city id -> middle of its square; twins stand side by side about their milepost.

    Twins keep the order of the milepost's name (`Minneapolis/St. Paul`) where that names them.
    """
    spots = {m.id: m for m in board.mileposts}
    groups: dict[str, list[City]] = {}
    for city in board.cities:
        groups.setdefault(city.milepost, []).append(city)
    out: dict[str, tuple[float, float]] = {}
    for ident, members in groups.items():
        milepost = spots[ident]
        members.sort(key=lambda c: (milepost.name.find(c.name), c.id))
        for index, city in enumerate(members):
            shift = (index - (len(members) - 1) / 2) * (CITY_SIDE + _TWIN_GAP)
            out[city.id] = (milepost.x + shift, milepost.y)
    return out


def symbol_boxes(board: Board) -> list[Area]:
    """Return the boxes of all squares, dots and junctions."""
    boxes = [_around(x, y, CITY_SIDE / 2) for x, y in squares(board).values()]
    boxes += [_around(m.x, m.y, DOT_RADIUS) for m in board.mileposts if m.kind == "dot"]
    boxes += [_around(j.x, j.y, JUNCTION_RADIUS) for j in board.junctions]
    return boxes


def draw_symbols(document: Document, board: Board) -> None:
    """Fill the layers `junctions`, `mileposts` and `cities`."""
    colours = {r.id: r.style.colour for r in board.railroads}
    layer = document.group(document.layers["junctions"], {"fill": "#ffffff", "stroke-width": "0.35"})
    for j in board.junctions:
        data = {"railroad": j.railroad, "lon": j.lon, "lat": j.lat, "x": j.x, "y": j.y}
        attributes = {"id": f"j-{j.id}", "class": "junction", "stroke": colours.get(j.railroad, INK)}
        document.circle(layer, (j.x, j.y), JUNCTION_RADIUS, attributes | data_attributes(data))
    spots = squares(board)
    x_of = {m.id: m.x for m in board.mileposts}
    widest: dict[str, float] = {}
    for city in board.cities:
        x = spots[city.id][0]
        middle = x_of[city.milepost]
        widest[city.milepost] = max(widest.get(city.milepost, 0.0), abs(x - middle) + CITY_SIDE / 2)
    layer = document.group(
        document.layers["mileposts"], {"fill": INK, "stroke": "#ffffff", "stroke-width": mm(SYMBOL_EDGE)}
    )
    for m in board.mileposts:
        data = {"name": m.name, "kind": m.kind, "lon": m.lon, "lat": m.lat, "x": m.x, "y": m.y}
        attributes = {
            "id": f"m-{m.id}",
            "class": f"milepost {'dot' if m.kind == 'dot' else 'square'}",
        } | data_attributes(data)
        if m.kind == "dot":
            document.circle(layer, (m.x, m.y), DOT_RADIUS, attributes, tip=m.name)
        else:
            # the white ground of its squares
            half, tall = widest.get(m.id, CITY_SIDE / 2) + 0.35, CITY_SIDE / 2 + 0.35
            box = (m.x - half, m.y - tall, m.x + half, m.y + tall)
            document.rect(layer, box, attributes | {"fill": "#ffffff"}, tip=m.name)
    layer = document.group(document.layers["cities"], {"fill": INK})
    for city in board.cities:
        data = {"name": city.name, "region": city.region, "milepost": city.milepost}
        attributes = {"id": f"c-{city.id}", "class": "city"} | data_attributes(data)
        document.rect(layer, _around(*spots[city.id], CITY_SIDE / 2), attributes, tip=city.name)


def _around(x: float, y: float, half: float) -> Area:
    return (x - half, y - half, x + half, y + half)
