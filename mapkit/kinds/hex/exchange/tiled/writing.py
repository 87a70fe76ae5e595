"""A board as a map of Tiled: what is in it, before it becomes XML or JSON."""

import json
from typing import Any, Final

from mapkit.kinds.hex.exchange.rest import KEY, rest_of
from mapkit.kinds.hex.exchange.tiled.layout import TiledLayout
from mapkit.kinds.hex.model.board import HexBoard

VERSION: Final = "1.10"
"""Of the format, and the first version of Tiled that writes it."""
TILED: Final = "1.10.0"
Property = tuple[str, str, Any]
"""Name, type (`string`, `int`, `bool`) and value."""


def terrain_numbers(board: HexBoard) -> dict[str, int]:
    """Return terrain -> the number of its tile, from 1."""
    return {terrain.id: number for number, terrain in enumerate(board.terrains, start=1)}


def map_properties(board: HexBoard) -> list[Property]:
    """Return the properties of the map: what Tiled has no place for."""
    rest = rest_of(board)
    rest["art"] = {one.id: one.art for one in board.hexes if one.art}
    return [(KEY, "string", json.dumps(rest, ensure_ascii=False, separators=(",", ":"), sort_keys=True))]


def tile_properties(board: HexBoard) -> list[list[Property]]:
    """Return the properties of each tile, in the order of the tile set."""
    return [
        [*([("cost", "int", terrain.cost)] if terrain.cost is not None else []), ("terrain", "string", terrain.id)]
        for terrain in board.terrains
    ]


def objects(board: HexBoard) -> dict[str, list[dict[str, Any]]]:
    """Return object layer -> objects, each with `name`, `x`, `y`, perhaps `polyline`, and `properties`."""
    layout, grid = TiledLayout.of(board.grid), board.grid
    edges = []
    for edge in board.edges:
        known = grid.edge_named(edge.id)
        if known is not None:
            (x1, y1), (x2, y2) = layout.ends(known)
            line = [(0.0, 0.0), (round(x2 - x1, 1), round(y2 - y1, 1))]
            properties = [("cost", "int", edge.cost), ("kinds", "string", " ".join(edge.kinds))]
            edges.append({"name": edge.id, "x": x1, "y": y1, "polyline": line, "properties": properties})
    cities, at = [], {}
    for city in board.cities:
        cube = grid.hex_of(city.hex)
        if cube is not None:
            x, y = at[city.id] = layout.centre(cube)
            properties = [
                ("city", "string", city.id),
                ("colours", "string", " ".join(city.colours)),
                ("cubes", "int", city.cubes),
            ]
            cities.append({"name": city.name, "x": x, "y": y, "point": True, "properties": properties})
    links = []
    for link in board.links:
        if link.b is not None:
            (x1, y1), (x2, y2) = at[link.a], at[link.b]
            line = [(0.0, 0.0), (round(x2 - x1, 1), round(y2 - y1, 1))]
            properties = [("cost", "int", link.cost), ("link", "string", link.id)]
            links.append({"name": link.name or link.id, "x": x1, "y": y1, "polyline": line, "properties": properties})
    return {"edges": edges, "links": links, "cities": cities}
