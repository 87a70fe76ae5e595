"""Tiled's JSON, read with limits."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.formats.json_reading import read_json
from mapkit.kinds.hex.exchange.tiled.data import tile_numbers
from mapkit.kinds.hex.exchange.tiled.model import TiledMap, TiledObject, TiledTile, offset_of
from mapkit.kinds.hex.exchange.values import grid_of, whole

Data = Mapping[str, Any]


def read_tiled_json(path: Path) -> TiledMap:
    """Return the map of a file of Tiled's JSON; raises as `read_tiled_xml`."""
    root, file = _one(read_json(path), path.name), path.name
    offset = offset_of(
        root.get("orientation"), root.get("staggeraxis"), root.get("staggerindex"), root.get("infinite"), file
    )
    columns, rows = whole(root, "width", file), whole(root, "height", file)
    grid_of(file, columns=columns, rows=rows)
    layers = list(_flat(root.get("layers"), file, 0))
    return TiledMap(
        columns,
        rows,
        (whole(root, "tilewidth", file), whole(root, "tileheight", file), whole(root, "hexsidelength", file)),
        offset,
        layers=tuple(
            (_name(one), _numbers(one, columns * rows, file)) for one in layers if one.get("type") == "tilelayer"
        ),
        objects={_name(one): tuple(_objects(one, file)) for one in layers if one.get("type") == "objectgroup"},
        tiles=dict(_tiles(root, file)),
        properties=_properties(root, file),
    )


def _one(data: Any, where: str) -> Data:  # noqa: ANN401 - of a foreign file
    if not isinstance(data, Mapping):
        raise SourceError(f"{where}: is {str(data)[:60]!r}, where Tiled writes an object; save it in Tiled again")
    return data


def _many(data: Data, key: str, where: str) -> Iterator[Data]:
    found = data.get(key, [])
    if not isinstance(found, list):
        raise SourceError(f"{where}: {key} is not a list; save it in Tiled again")
    return (_one(one, f"{where}: {key}") for one in found)


def _flat(layers: object, file: str, depth: int) -> Iterator[Data]:
    """Yield layers, those of groups too."""
    for one in _many({"layers": layers or []}, "layers", file):
        if one.get("type") == "group":
            yield from _flat(one.get("layers"), file, depth + 1)
        else:
            yield one


def _name(layer: Data) -> str:
    return str(layer.get("name", "")).strip().lower()


def _numbers(layer: Data, count: int, file: str) -> tuple[int, ...]:
    where, data = f"{file}: layer {_name(layer)!r}", layer.get("data")
    if isinstance(data, str):
        return tile_numbers(
            data, str(layer.get("encoding", "base64")), str(layer.get("compression") or ""), count, where
        )
    if not isinstance(data, list) or len(data) != count:
        there = len(data) if isinstance(data, list) else 0
        raise SourceError(f"{where}: {there:,} tiles, and the map has {count:,} places; save it in Tiled again")
    return tuple(whole({"gid": one}, "gid", where, most=2**32) for one in data)


def _objects(layer: Data, file: str) -> Iterator[TiledObject]:
    for one in _many(layer, "objects", file):
        ident = whole(one, "id", file) if "id" in one else 0
        where = f"{file}: object {ident}"
        points = one.get("polyline", one.get("polygon"))
        yield TiledObject(
            ident,
            str(one.get("name", "")).strip(),
            (_number(one, "x", where), _number(one, "y", where)),
            () if points is None else tuple(_point(p, where) for p in _many({"points": points}, "points", where)),
            _properties(one, where),
        )


def _point(data: Data, where: str) -> Point:
    return _number(data, "x", where), _number(data, "y", where)


def _tiles(root: Data, file: str) -> Iterator[tuple[int, TiledTile]]:
    for tileset in _many(root, "tilesets", file):
        first = whole(tileset, "firstgid", file)
        for tile in _many(tileset, "tiles", file):
            name = str(tile.get("type") or tile.get("class") or "")
            yield first + whole(tile, "id", file), TiledTile(name, _properties(tile, file))


def _properties(owner: Data, where: str) -> dict[str, Any]:
    return {str(one.get("name", "")): one.get("value") for one in _many(owner, "properties", where)}


def _number(data: Data, key: str, where: str) -> float:
    value = data.get(key, 0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:  # noqa: PLR2004 - as there
        raise SourceError(f"{where}: {key} is {str(value)[:60]!r}, which is not a place on a map")
    return float(value)
