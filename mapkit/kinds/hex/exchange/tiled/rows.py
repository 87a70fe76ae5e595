"""Conversion of Tiled maps to rows of a board, from mapkit's own maps or any map of hexagons."""

import json
from collections.abc import Iterator
from typing import Any, Final

from mapkit.core.errors import SourceError
from mapkit.core.names import fold, slug
from mapkit.document.row_validation import validate_row
from mapkit.formats.json_reading import parse_json
from mapkit.kinds.hex.exchange.board_rows import Rows, make_hex_rows
from mapkit.kinds.hex.exchange.carried_data import KEY, carried_grid_size, merge_carried_data, merge_cities
from mapkit.kinds.hex.exchange.format import ReadHexes
from mapkit.kinds.hex.exchange.tiled.layout import TiledLayout
from mapkit.kinds.hex.exchange.tiled.model import FLIPS, TiledMap, TiledObject, TiledTile
from mapkit.kinds.hex.exchange.values import make_grid
from mapkit.kinds.hex.model.terrain import SEA, known_terrains, terrain_words
from mapkit.kinds.hex.tables import EdgeRow, TerrainRow

_TERRAIN_LAYERS: Final = ("terrain", "hexes", "ground")
_OWN_COLOUR: Final = "#cfc9b8"


def rows_of_map(found: TiledMap, file: str) -> ReadHexes:
    """Return the board data of a map.

    Terrain is the lowest tile layer, or one called terrain. Objects of the layers `edges` and `cities` are taken by
    where they lie, so that what was moved in Tiled is moved; other layers are left out.

    Raises:
        SourceError: An object lies on no edge or off the grid, or what mapkit wrote is damaged.
    """
    other_data = _read_rest(found, file)
    art_by_hex = other_data.pop("art", {}) if other_data else {}
    grid = make_grid(file, offset=found.offset, columns=found.columns, rows=found.rows, **carried_grid_size(other_data))
    layout = TiledLayout(grid, *found.tile)
    if min(found.tile) < 1:
        raise SourceError(f"{file}: tiles of {found.tile[0]} by {found.tile[1]} pixels; set their size in Tiled")
    notes: list[str] = []
    terrain_by_tile = _read_terrains(found, other_data, notes)
    tile_numbers = _read_ground(found, file, notes)
    hex_ids = [grid.hex_id(cube) for cube in grid.cubes]
    terrain_rows = make_hex_rows(
        (
            (
                hex_id,
                terrain_by_tile.get(number & FLIPS, (SEA, None))[0],
                str(art_by_hex.get(hex_id, "")) if isinstance(art_by_hex, dict) else "",
            )
            for hex_id, number in zip(hex_ids, tile_numbers, strict=True)
        ),
        file,
    )
    edge_rows: Rows = list(_read_edges(found.objects.get("edges", ()), layout, file))
    tables = merge_carried_data(other_data, grid, terrain_rows, edge_rows, file=file)
    own_terrains: Rows = [
        (terrain_id, row) for terrain_id, row in dict(terrain_by_tile.values()).items() if row is not None
    ]
    if other_data is None and own_terrains:
        tables["terrains"] = own_terrains
    if "cities" in found.objects:
        cities = _read_cities(found.objects["cities"], layout, file)
        tables["cities"] = merge_cities(list(cities), tables.get("cities", []), file=file)
    unused_layers = [layer_name for layer_name in found.objects if layer_name not in ("edges", "cities", "links")]
    if unused_layers:
        notes.append(f"object layers left out: {', '.join(map(repr, unused_layers))}; mapkit takes edges and cities")
    return ReadHexes(tables, tuple(notes))


def _read_rest(found: TiledMap, file: str) -> dict[str, Any] | None:
    property_text = found.properties.get(KEY)
    if property_text is None:
        return None
    other_data = parse_json(str(property_text), file=f"{file}: property {KEY!r}")
    if not isinstance(other_data, dict):
        raise SourceError(
            f"{file}: property {KEY!r} is {json.dumps(other_data)[:60]}; remove it, or export the board again"
        )
    return other_data


def _read_terrains(found: TiledMap, rest: object, notes: list[str]) -> dict[int, tuple[str, TerrainRow | None]]:
    """Return number of a tile -> its terrain, with a new row if mapkit does not know it."""
    terrain_by_tile: dict[int, tuple[str, TerrainRow | None]] = {0: (SEA, None)}
    used_tiles = {number & FLIPS for _, numbers in found.layers[:1] for number in numbers}
    for number in sorted({*found.tiles, *used_tiles} - {0}):
        tile = found.tiles.get(number, TiledTile())
        tile_terrain = str(tile.properties.get("terrain") or tile.name)
        terrain = (
            tile_terrain
            if tile_terrain in known_terrains() or (rest is not None and tile_terrain)
            else terrain_words().get(fold(tile_terrain), "")
        )
        if terrain:
            terrain_by_tile[number] = (terrain, None)
        elif number in used_tiles:
            terrain_id = slug(tile_terrain) or f"tile-{number}"
            terrain_by_tile[number] = (
                terrain_id,
                TerrainRow(name=tile_terrain or f"tile {number}", cost=2000, colour=_OWN_COLOUR),
            )
            notes.append(
                f"tile {number} became the terrain {terrain_id!r} at the cost of plains; set its cost in terrains.csv"
            )
    return terrain_by_tile


def _read_ground(found: TiledMap, file: str, notes: list[str]) -> tuple[int, ...]:
    if not found.layers:
        raise SourceError(f"{file}: has no tile layer; put the terrain on one")
    terrain_layers = [layer for layer in found.layers if layer[0] in _TERRAIN_LAYERS] or list(found.layers)
    unused_layers = [name for name, _ in found.layers if name != terrain_layers[0][0]]
    if unused_layers:
        notes.append(
            f"tile layers left out: {', '.join(map(repr, unused_layers))}; terrain comes from {terrain_layers[0][0]!r}"
        )
    return terrain_layers[0][1]


def _read_edges(objects: tuple[TiledObject, ...], layout: TiledLayout, file: str) -> Iterator[tuple[str, EdgeRow]]:
    object_by_edge: dict[str, int] = {}
    for map_object in objects:
        where = f"{file}: object {map_object.ident} ({map_object.name or 'no name'})"
        edge = layout.edge_at(map_object.middle)
        if edge is None:
            x, y = map_object.middle
            raise SourceError(f"{where}: its middle is at {x:g}, {y:g}, where no edge is; draw it along one edge")
        edge_id = layout.grid.edge_id(edge)
        if edge_id in object_by_edge:
            raise SourceError(
                f"{where}: lies on the edge {edge_id}, where object {object_by_edge[edge_id]} is; remove one of them"
            )
        object_by_edge[edge_id] = map_object.ident
        kinds = tuple(str(map_object.properties.get("kinds", "ridge")).split())
        values = {
            "kinds": kinds,
            **({"cost": map_object.properties["cost"]} if "cost" in map_object.properties else {}),
        }
        yield edge_id, validate_row(EdgeRow, values, where)


def _read_cities(
    objects: tuple[TiledObject, ...], layout: TiledLayout, file: str
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for map_object in objects:
        cube = layout.hex_at(map_object.middle)
        if cube is None:
            x, y = map_object.middle
            raise SourceError(
                f"{file}: object {map_object.ident} ({map_object.name}): {x:g}, {y:g} is off the map; move it onto it"
            )
        city_fields: dict[str, Any] = {"name": map_object.name or str(map_object.properties.get("city", "City"))}
        if "colours" in map_object.properties:
            city_fields["colours"] = tuple(str(map_object.properties["colours"]).split())
        if "cubes" in map_object.properties:
            city_fields["cubes"] = map_object.properties["cubes"]
        yield str(map_object.properties.get("city", "")), layout.grid.hex_id(cube), city_fields
