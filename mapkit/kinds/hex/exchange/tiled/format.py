"""Tiled's two formats, and the picture of the tile set."""

import json
from pathlib import Path
from typing import Any, Final

from mapkit.core.jsontext import json_text
from mapkit.drawing.picture_files import picture_bytes
from mapkit.exchange.plan import ExportedBoard
from mapkit.formats.xml_text import xml_text
from mapkit.kinds.hex.exchange.carried_data import KEY, carried_data
from mapkit.kinds.hex.exchange.format import HexExport, HexFormat, ReadHexes
from mapkit.kinds.hex.exchange.tiled.json_maps import read_tiled_json
from mapkit.kinds.hex.exchange.tiled.layout import TiledLayout
from mapkit.kinds.hex.exchange.tiled.rows import rows_of_map
from mapkit.kinds.hex.exchange.tiled.xml_maps import read_tiled_xml
from mapkit.kinds.hex.model.board import HexBoard

# Content of a board as a map of Tiled, before it becomes XML or JSON.

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


_CARRIES: Final = (
    "everything; terrain as tiles, edges, cities and links as objects, the rest as a property of the map; "
    "read back with edits made in Tiled"
)
_ROW_SEPARATOR: Final = ",\n"
_PIXELS_AN_INCH: Final = 96.0
_MM: Final = 25.4 / _PIXELS_AN_INCH


def tmx(board: HexBoard, picture: str) -> str:
    """Return a board as TMX, Tiled's XML.

    Args:
        board: The board.
        picture: The file of the picture of its tile set.

    Raises:
        ExportError: A name holds a character that XML forbids.
    """
    grid, layout = board.grid, TiledLayout.of(board.grid)
    tile_by_terrain, count = terrain_numbers(board), len(board.terrains)
    layers = object_layers(board)
    object_count = sum(len(layer_objects) for layer_objects in layers.values())
    tile_size = f'tilewidth="{layout.width}" tileheight="{layout.height}"'
    map_attributes = {
        "version": VERSION,
        "tiledversion": TILED,
        "orientation": "hexagonal",
        "renderorder": "right-down",
        "width": grid.columns,
        "height": grid.rows,
        "tilewidth": layout.width,
        "tileheight": layout.height,
        "infinite": 0,
        "hexsidelength": layout.side,
        "staggeraxis": "x" if grid.flat else "y",
        "staggerindex": "odd" if grid.odd else "even",
        "nextlayerid": len(layers) + 2,
        "nextobjectid": object_count + 1,
    }
    attribute_texts = [f'{key}="{value}"' for key, value in map_attributes.items()]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<map {' '.join(attribute_texts)}>",
        *_xml_properties(map_properties(board), " "),
        f' <tileset firstgid="1" name="terrain" {tile_size} tilecount="{count}" columns="{count}">',
        f'  <image source="{xml_text(picture)}" width="{layout.width * count}" height="{layout.height}"/>',
    ]
    for number, (terrain, properties) in enumerate(zip(board.terrains, tile_properties(board), strict=True)):
        lines += [f'  <tile id="{number}" type="{xml_text(terrain.id)}">', *_xml_properties(properties, "   ")]
        lines.append("  </tile>")
    hex_rows = [board.hexes[start : start + grid.columns] for start in range(0, len(board.hexes), grid.columns)]
    csv_text = _ROW_SEPARATOR.join(
        ",".join(str(tile_by_terrain[hexagon.terrain]) for hexagon in row) for row in hex_rows
    )
    lines += [
        " </tileset>",
        f' <layer id="1" name="terrain" width="{grid.columns}" height="{grid.rows}">',
        f'  <data encoding="csv">\n{csv_text}\n</data>',
        " </layer>",
    ]
    object_id = 0
    for layer_id, (name, layer_objects) in enumerate(layers.items(), start=2):
        lines.append(f' <objectgroup id="{layer_id}" name="{name}">')
        for layer_object in layer_objects:
            object_id += 1
            lines += _xml_object(layer_object, name, object_id)
        lines.append(" </objectgroup>")
    return "\n".join([*lines, "</map>", ""])


def _xml_object(one: dict[str, Any], layer: str, ident: int) -> list[str]:
    points_text = " ".join(f"{x:g},{y:g}" for x, y in one.get("polyline", ()))
    shape_element = f'<polyline points="{points_text}"/>' if points_text else "<point/>"
    kind = {"edges": "edge", "links": "link", "cities": "city"}[layer]
    opening_tag = (
        f'  <object id="{ident}" name="{xml_text(one["name"])}" type="{kind}" x="{one["x"]:g}" y="{one["y"]:g}">'
    )
    return [opening_tag, *_xml_properties(one["properties"], "   "), f"   {shape_element}", "  </object>"]


def _xml_properties(properties: list[Property], indent: str) -> list[str]:
    def typed(kind: str) -> str:
        return "" if kind == "string" else f' type="{kind}"'

    property_lines = [
        f'{indent} <property name="{name}"{typed(kind)} value="{xml_text(value)}"/>' for name, kind, value in properties
    ]
    return [f"{indent}<properties>", *property_lines, f"{indent}</properties>"]


def tmj(board: HexBoard, picture: str) -> dict[str, Any]:
    """Return a board as Tiled's JSON; arguments as for `tmx`."""
    grid, layout = board.grid, TiledLayout.of(board.grid)
    tile_by_terrain, count = terrain_numbers(board), len(board.terrains)
    map_size = {"width": grid.columns, "height": grid.rows}
    layer_defaults = {"opacity": 1, "visible": True, "x": 0, "y": 0}
    layer_items: list[dict[str, Any]] = [
        {
            "id": 1,
            "name": "terrain",
            "type": "tilelayer",
            **map_size,
            **layer_defaults,
            "data": [tile_by_terrain[hexagon.terrain] for hexagon in board.hexes],
        }
    ]
    object_id = 0
    for layer_id, (name, layer_objects) in enumerate(object_layers(board).items(), start=2):
        object_items = []
        for layer_object in layer_objects:
            object_id += 1
            object_items.append(_json_object(layer_object, name, object_id))
        layer_items.append(
            {
                "id": layer_id,
                "name": name,
                "type": "objectgroup",
                "draworder": "topdown",
                **layer_defaults,
                "objects": object_items,
            }
        )
    tile_items = [
        {"id": number, "type": terrain.id, "properties": _json_properties(properties)}
        for number, (terrain, properties) in enumerate(zip(board.terrains, tile_properties(board), strict=True))
    ]
    tile_size = {"tilewidth": layout.width, "tileheight": layout.height}
    tileset = {
        "firstgid": 1,
        "name": "terrain",
        **tile_size,
        "tilecount": count,
        "columns": count,
        "margin": 0,
        "spacing": 0,
        "image": picture,
        "imagewidth": layout.width * count,
        "imageheight": layout.height,
        "tiles": tile_items,
    }
    return {
        "type": "map",
        "version": VERSION,
        "tiledversion": TILED,
        "orientation": "hexagonal",
        "renderorder": "right-down",
        "infinite": False,
        **map_size,
        **tile_size,
        "hexsidelength": layout.side,
        "staggeraxis": "x" if grid.flat else "y",
        "staggerindex": "odd" if grid.odd else "even",
        "compressionlevel": -1,
        "nextlayerid": len(layer_items) + 1,
        "nextobjectid": object_id + 1,
        "properties": _json_properties(map_properties(board)),
        "tilesets": [tileset],
        "layers": layer_items,
    }


def _json_object(one: dict[str, Any], layer: str, ident: int) -> dict[str, Any]:
    kind = {"edges": "edge", "links": "link", "cities": "city"}[layer]
    object_fields = {
        "id": ident,
        "name": one["name"],
        "type": kind,
        "x": one["x"],
        "y": one["y"],
        "width": 0,
        "height": 0,
        "rotation": 0,
        "visible": True,
        "properties": _json_properties(one["properties"]),
    }
    if one.get("point"):
        return {**object_fields, "point": True}
    return {**object_fields, "polyline": [{"x": x, "y": y} for x, y in one["polyline"]]}


def _json_properties(properties: list[Property]) -> list[dict[str, Any]]:
    return [{"name": name, "type": kind, "value": value} for name, kind, value in properties]


def _draw_tile_picture(board: HexBoard) -> bytes:
    """Return the PNG of the tile set of a board: a hexagon per terrain, side by side, in its colour."""
    layout = TiledLayout.of(board.grid)
    tile_width, tile_height, side = layout.width, layout.height, layout.side
    corner_inset = (tile_width - side) / 2 if board.grid.flat else (tile_height - side) / 2
    polygons = []
    for number, terrain in enumerate(board.terrains):
        x = number * tile_width
        if board.grid.flat:
            corners = [(x, tile_height / 2), (x + corner_inset, 0), (x + tile_width - corner_inset, 0)]
            corners += [
                (x + tile_width, tile_height / 2),
                (x + tile_width - corner_inset, tile_height),
                (x + corner_inset, tile_height),
            ]
        else:
            corners = [
                (x + tile_width / 2, 0),
                (x + tile_width, corner_inset),
                (x + tile_width, tile_height - corner_inset),
            ]
            corners += [(x + tile_width / 2, tile_height), (x, tile_height - corner_inset), (x, corner_inset)]
        points_text = " ".join(f"{px:g},{py:g}" for px, py in corners)
        polygons.append(f'<polygon points="{points_text}" fill="{terrain.colour}" stroke="#5b5b52" stroke-width="1"/>')
    picture_width, picture_height = tile_width * len(board.terrains), tile_height
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{picture_width * _MM:.4f}mm" '
        f'height="{picture_height * _MM:.4f}mm" '
        f'viewBox="0 0 {picture_width} {picture_height}">{"".join(polygons)}</svg>'
    )
    png_bytes, _ = picture_bytes(svg, "png", dpi=_PIXELS_AN_INCH, name=board.id)
    return png_bytes


def _write_xml(board: HexBoard, asked: HexExport) -> ExportedBoard:
    picture = f"{asked.stem(board)}-terrain.png"
    return ExportedBoard({f"{asked.stem(board)}.tmx": tmx(board, picture), picture: _draw_tile_picture(board)})


def _write_json(board: HexBoard, asked: HexExport) -> ExportedBoard:
    picture = f"{asked.stem(board)}-terrain.png"
    return ExportedBoard(
        {f"{asked.stem(board)}.tmj": json_text(tmj(board, picture)), picture: _draw_tile_picture(board)}
    )


def _read_xml(path: Path) -> ReadHexes:
    return rows_of_map(read_tiled_xml(path), path.name)


def _read_json(path: Path) -> ReadHexes:
    return rows_of_map(read_tiled_json(path), path.name)


TMX = HexFormat("tiled", "Tiled map (TMX)", (".tmx",), _CARRIES, "nothing", _write_xml, _read_xml)
TMJ = HexFormat("tiled-json", "Tiled map (JSON)", (".tmj",), _CARRIES, "nothing", _write_json, _read_json)
