"""Reader of Tiled's JSON, with limits."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mapkit.core.errors import SourceError
from mapkit.formats.json_reading import read_json
from mapkit.kinds.hex.exchange.tiled.data import tile_numbers
from mapkit.kinds.hex.exchange.tiled.model import TiledMap, TiledObject, TiledTile, offset_of
from mapkit.kinds.hex.exchange.values import make_grid, read_whole_number

Data = Mapping[str, Any]


def read_tiled_json(path: Path) -> TiledMap:
    """Return the map of a file of Tiled's JSON; raises as `read_tiled_xml`."""
    root, file = _require_object(read_json(path), path.name), path.name
    offset = offset_of(
        root.get("orientation"), root.get("staggeraxis"), root.get("staggerindex"), root.get("infinite"), file
    )
    columns, rows = read_whole_number(root, "width", file), read_whole_number(root, "height", file)
    make_grid(file, columns=columns, rows=rows)
    flat_layers = list(_flatten_layers(root.get("layers"), file, 0))
    return TiledMap(
        columns,
        rows,
        (
            read_whole_number(root, "tilewidth", file),
            read_whole_number(root, "tileheight", file),
            read_whole_number(root, "hexsidelength", file),
        ),
        offset,
        layers=tuple(
            (_layer_name(layer), _layer_tiles(layer, columns * rows, file))
            for layer in flat_layers
            if layer.get("type") == "tilelayer"
        ),
        objects={
            _layer_name(layer): tuple(_read_objects(layer, file))
            for layer in flat_layers
            if layer.get("type") == "objectgroup"
        },
        tiles=dict(_read_tiles(root, file)),
        properties=_read_properties(root, file),
    )


def _require_object(data: Any, where: str) -> Data:  # noqa: ANN401 - of a foreign file
    if not isinstance(data, Mapping):
        raise SourceError(f"{where}: is {str(data)[:60]!r}, where Tiled writes an object; save it in Tiled again")
    return data


def _require_objects(data: Data, key: str, where: str) -> Iterator[Data]:
    item_list = data.get(key, [])
    if not isinstance(item_list, list):
        raise SourceError(f"{where}: {key} is not a list; save it in Tiled again")
    return (_require_object(item, f"{where}: {key}") for item in item_list)


def _flatten_layers(layers: object, file: str, depth: int) -> Iterator[Data]:
    """Yield layers, including those of groups."""
    for layer in _require_objects({"layers": layers or []}, "layers", file):
        if layer.get("type") == "group":
            yield from _flatten_layers(layer.get("layers"), file, depth + 1)
        else:
            yield layer


def _layer_name(layer: Data) -> str:
    return str(layer.get("name", "")).strip().lower()


def _layer_tiles(layer: Data, count: int, file: str) -> tuple[int, ...]:
    where, data = f"{file}: layer {_layer_name(layer)!r}", layer.get("data")
    if isinstance(data, str):
        return tile_numbers(
            data, str(layer.get("encoding", "base64")), str(layer.get("compression") or ""), count, where
        )
    if not isinstance(data, list) or len(data) != count:
        tile_count = len(data) if isinstance(data, list) else 0
        raise SourceError(f"{where}: {tile_count:,} tiles, and the map has {count:,} places; save it in Tiled again")
    return tuple(read_whole_number({"gid": tile_number}, "gid", where, most=2**32) for tile_number in data)


def _read_objects(layer: Data, file: str) -> Iterator[TiledObject]:
    for object_data in _require_objects(layer, "objects", file):
        object_id = read_whole_number(object_data, "id", file) if "id" in object_data else 0
        where = f"{file}: object {object_id}"
        point_list = object_data.get("polyline", object_data.get("polygon"))
        yield TiledObject(
            object_id,
            str(object_data.get("name", "")).strip(),
            (_read_number(object_data, "x", where), _read_number(object_data, "y", where)),
            ()
            if point_list is None
            else tuple(
                (_read_number(point_data, "x", where), _read_number(point_data, "y", where))
                for point_data in _require_objects({"points": point_list}, "points", where)
            ),
            _read_properties(object_data, where),
        )


def _read_tiles(root: Data, file: str) -> Iterator[tuple[int, TiledTile]]:
    for tileset in _require_objects(root, "tilesets", file):
        first_gid = read_whole_number(tileset, "firstgid", file)
        for tile in _require_objects(tileset, "tiles", file):
            tile_name = str(tile.get("type") or tile.get("class") or "")
            yield first_gid + read_whole_number(tile, "id", file), TiledTile(tile_name, _read_properties(tile, file))


def _read_properties(owner: Data, where: str) -> dict[str, Any]:
    return {
        str(property_data.get("name", "")): property_data.get("value")
        for property_data in _require_objects(owner, "properties", where)
    }


def _read_number(data: Data, key: str, where: str) -> float:
    value = data.get(key, 0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:  # noqa: PLR2004 - as there
        raise SourceError(f"{where}: {key} is {str(value)[:60]!r}, which is not a place on a map")
    return float(value)
