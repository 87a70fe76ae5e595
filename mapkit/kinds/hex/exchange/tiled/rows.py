"""A map of Tiled as rows of a board: mapkit's own, edited or not, or anybody's map of hexagons."""

import json
from collections.abc import Iterator
from typing import Any, Final

from mapkit.core.errors import SourceError
from mapkit.core.names import fold, slug
from mapkit.document.checked import checked_row
from mapkit.formats.json_reading import parse_json
from mapkit.kinds.hex.exchange.as_rows import Rows, hex_rows
from mapkit.kinds.hex.exchange.format import ReadHexes
from mapkit.kinds.hex.exchange.rest import KEY, joined_cities, size_of, with_rest
from mapkit.kinds.hex.exchange.tiled.layout import TiledLayout
from mapkit.kinds.hex.exchange.tiled.model import FLIPS, TiledMap, TiledObject, TiledTile
from mapkit.kinds.hex.exchange.values import grid_of
from mapkit.kinds.hex.model.terrain import SEA, known_terrains, terrain_words
from mapkit.kinds.hex.tables import EdgeRow, TerrainRow

_LAYERS: Final = ("terrain", "hexes", "ground")
_OWN_COLOUR: Final = "#cfc9b8"


def rows_of_map(found: TiledMap, file: str) -> ReadHexes:
    """Return what a map holds of a board.

    Terrain is the lowest tile layer, or one called terrain. Objects of the layers `edges` and `cities` are taken by
    where they lie, so that what was moved in Tiled is moved; other layers are left out.

    Raises:
        SourceError: An object lies on no edge or off the grid, or what mapkit wrote is damaged.
    """
    rest = _rest(found, file)
    art = rest.pop("art", {}) if rest else {}
    grid = grid_of(file, offset=found.offset, columns=found.columns, rows=found.rows, **size_of(rest))
    layout = TiledLayout(grid, *found.tile)
    if min(found.tile) < 1:
        raise SourceError(f"{file}: tiles of {found.tile[0]} by {found.tile[1]} pixels; set their size in Tiled")
    notes: list[str] = []
    terrains = _terrains(found, rest, notes)
    numbers = _ground(found, file, notes)
    ids = [grid.hex_id(cube) for cube in grid.cubes]
    hexes = hex_rows(
        (
            (
                name,
                terrains.get(number & FLIPS, (SEA, None))[0],
                str(art.get(name, "")) if isinstance(art, dict) else "",
            )
            for name, number in zip(ids, numbers, strict=True)
        ),
        file,
    )
    edges: Rows = list(_edges(found.objects.get("edges", ()), layout, file))
    tables = with_rest(rest, grid, hexes, edges, file=file)
    own: Rows = [(name, row) for name, row in dict(terrains.values()).items() if row is not None]
    if rest is None and own:
        tables["terrains"] = own
    if "cities" in found.objects:
        cities = _cities(found.objects["cities"], layout, file)
        tables["cities"] = joined_cities(list(cities), tables.get("cities", []), file=file)
    left = [name for name in found.objects if name not in ("edges", "cities", "links")]
    if left:
        notes.append(f"object layers left out: {', '.join(map(repr, left))}; mapkit takes edges and cities")
    return ReadHexes(tables, tuple(notes))


def _rest(found: TiledMap, file: str) -> dict[str, Any] | None:
    text = found.properties.get(KEY)
    if text is None:
        return None
    data = parse_json(str(text), file=f"{file}: property {KEY!r}")
    if not isinstance(data, dict):
        raise SourceError(
            f"{file}: property {KEY!r} is {json.dumps(data)[:60]}; take it out, or export the board again"
        )
    return data


def _terrains(found: TiledMap, rest: object, notes: list[str]) -> dict[int, tuple[str, TerrainRow | None]]:
    """Return number of a tile -> its terrain, with a row of its own if mapkit does not know it."""
    out: dict[int, tuple[str, TerrainRow | None]] = {0: (SEA, None)}
    used = {number & FLIPS for _, numbers in found.layers[:1] for number in numbers}
    for number in sorted({*found.tiles, *used} - {0}):
        tile = found.tiles.get(number, TiledTile())
        given = str(tile.properties.get("terrain") or tile.name)
        terrain = (
            given if given in known_terrains() or (rest is not None and given) else terrain_words().get(fold(given), "")
        )
        if terrain:
            out[number] = (terrain, None)
        elif number in used:
            own = slug(given) or f"tile-{number}"
            out[number] = (own, TerrainRow(name=given or f"tile {number}", cost=2000, colour=_OWN_COLOUR))
            notes.append(
                f"tile {number} became the terrain {own!r} at the cost of plains; set its cost in terrains.csv"
            )
    return out


def _ground(found: TiledMap, file: str, notes: list[str]) -> tuple[int, ...]:
    if not found.layers:
        raise SourceError(f"{file}: has no tile layer; put the terrain on one")
    named = [layer for layer in found.layers if layer[0] in _LAYERS] or list(found.layers)
    left = [name for name, _ in found.layers if name != named[0][0]]
    if left:
        notes.append(f"tile layers left out: {', '.join(map(repr, left))}; terrain comes from {named[0][0]!r}")
    return named[0][1]


def _edges(objects: tuple[TiledObject, ...], layout: TiledLayout, file: str) -> Iterator[tuple[str, EdgeRow]]:
    seen: dict[str, int] = {}
    for one in objects:
        where = f"{file}: object {one.ident} ({one.name or 'no name'})"
        edge = layout.edge_at(one.middle)
        if edge is None:
            x, y = one.middle
            raise SourceError(f"{where}: its middle is at {x:g}, {y:g}, where no edge is; draw it along one edge")
        name = layout.grid.edge_id(edge)
        if name in seen:
            raise SourceError(f"{where}: lies on the edge {name}, where object {seen[name]} is; remove one of them")
        seen[name] = one.ident
        kinds = tuple(str(one.properties.get("kinds", "ridge")).split())
        values = {"kinds": kinds, **({"cost": one.properties["cost"]} if "cost" in one.properties else {})}
        yield name, checked_row(EdgeRow, values, where)


def _cities(
    objects: tuple[TiledObject, ...], layout: TiledLayout, file: str
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for one in objects:
        cube = layout.hex_at(one.middle)
        if cube is None:
            x, y = one.middle
            raise SourceError(f"{file}: object {one.ident} ({one.name}): {x:g}, {y:g} is off the map; move it onto it")
        fields: dict[str, Any] = {"name": one.name or str(one.properties.get("city", "City"))}
        if "colours" in one.properties:
            fields["colours"] = tuple(str(one.properties["colours"]).split())
        if "cubes" in one.properties:
            fields["cubes"] = one.properties["cubes"]
        yield str(one.properties.get("city", "")), layout.grid.hex_id(cube), fields
