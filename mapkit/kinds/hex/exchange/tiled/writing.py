"""Content of a board as a map of Tiled, before it becomes XML or JSON."""

import json
from typing import Any, Final

from mapkit.kinds.hex.exchange.carried_data import KEY, carried_data
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
    """Return the properties of the map: the data that Tiled has no place for."""
    other_data = carried_data(board)
    other_data["art"] = {hexagon.id: hexagon.art for hexagon in board.hexes if hexagon.art}
    return [(KEY, "string", json.dumps(other_data, ensure_ascii=False, separators=(",", ":"), sort_keys=True))]


def tile_properties(board: HexBoard) -> list[list[Property]]:
    """Return the properties of each tile, in the order of the tile set."""
    return [
        [*([("cost", "int", terrain.cost)] if terrain.cost is not None else []), ("terrain", "string", terrain.id)]
        for terrain in board.terrains
    ]


def object_layers(board: HexBoard) -> dict[str, list[dict[str, Any]]]:
    """Return object layer -> objects, each with `name`, `x`, `y`, perhaps `polyline`, and `properties`."""
    layout, grid = TiledLayout.of(board.grid), board.grid
    edge_objects = []
    for edge in board.edges:
        named_edge = grid.edge_named(edge.id)
        if named_edge is not None:
            (x1, y1), (x2, y2) = layout.ends(named_edge)
            line_points = [(0.0, 0.0), (round(x2 - x1, 1), round(y2 - y1, 1))]
            properties = [("cost", "int", edge.cost), ("kinds", "string", " ".join(edge.kinds))]
            edge_objects.append({"name": "", "x": x1, "y": y1, "polyline": line_points, "properties": properties})
    city_objects, centre_by_city = [], {}
    for city in board.cities:
        cube = grid.hex_of(city.hex)
        if cube is not None:
            x, y = centre_by_city[city.id] = layout.centre(cube)
            properties = [
                ("city", "string", city.id),
                ("colours", "string", " ".join(city.colours)),
                ("cubes", "int", city.cubes),
            ]
            city_objects.append({"name": city.name, "x": x, "y": y, "point": True, "properties": properties})
    link_objects = []
    for link in board.links:
        if link.b is not None:
            (x1, y1), (x2, y2) = centre_by_city[link.a], centre_by_city[link.b]
            line_points = [(0.0, 0.0), (round(x2 - x1, 1), round(y2 - y1, 1))]
            properties = [("cost", "int", link.cost), ("link", "string", link.id)]
            link_objects.append(
                {"name": link.name, "x": x1, "y": y1, "polyline": line_points, "properties": properties}
            )
    return {"edges": edge_objects, "links": link_objects, "cities": city_objects}
