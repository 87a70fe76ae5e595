"""TMX, read with limits: no entities, nothing fetched, no more tiles than the map has places."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import fromstring

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.formats.xml_reading import checked_xml
from mapkit.kinds.hex.exchange.tiled.data import tile_numbers
from mapkit.kinds.hex.exchange.tiled.model import TiledMap, TiledObject, TiledTile, offset_of
from mapkit.kinds.hex.exchange.values import grid_of


def read_tiled_xml(path: Path) -> TiledMap:
    """Return the map of a TMX file.

    Raises:
        SourceError: It is not a map of hexagons, damaged, or stored in a way that mapkit does not read.
        WorkspaceError: It is missing or may not be read.
    """
    root, file = fromstring(checked_xml(path)), path.name
    if root.tag != "map":
        raise SourceError(f"{file}: begins with <{root.tag}>; a Tiled map begins with <map>")
    offset = offset_of(
        root.get("orientation"), root.get("staggeraxis"), root.get("staggerindex"), root.get("infinite"), file
    )
    columns, rows = _whole(root, "width", file), _whole(root, "height", file)
    grid_of(file, columns=columns, rows=rows)
    return TiledMap(
        columns,
        rows,
        (_whole(root, "tilewidth", file), _whole(root, "tileheight", file), _whole(root, "hexsidelength", file)),
        offset,
        layers=tuple(_layers(root, columns * rows, file)),
        objects={name: tuple(_objects(group, file)) for name, group in _named(root, "objectgroup")},
        tiles=dict(_tiles(root, file)),
        properties=_properties(root, file),
    )


def _named(root: Element, tag: str) -> Iterator[tuple[str, Element]]:
    return ((one.get("name", "").strip().lower(), one) for one in root.iter(tag))


def _layers(root: Element, count: int, file: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    for name, layer in _named(root, "layer"):
        where = f"{file}: layer {name!r}"
        data = layer.find("data")
        if data is None:
            raise SourceError(f"{where}: holds no data; save it in Tiled again")
        if data.find("chunk") is not None:
            raise SourceError(f"{where}: is infinite; give the map a size in Tiled (Map > Map Properties), and save it")
        if "encoding" not in data.attrib:
            numbers = tuple(_whole(tile, "gid", where, 0) for tile in data.iter("tile"))
            if len(numbers) != count:
                raise SourceError(f"{where}: {len(numbers):,} tiles, and the map has {count:,} places; save it again")
            yield name, numbers
        else:
            yield (
                name,
                tile_numbers(data.text or "", data.attrib["encoding"], data.get("compression", ""), count, where),
            )


def _objects(group: Element, file: str) -> Iterator[TiledObject]:
    for one in group.iter("object"):
        ident = _whole(one, "id", file, 0)
        where = f"{file}: object {ident}"
        line = one.find("polyline")
        line = one.find("polygon") if line is None else line
        yield TiledObject(
            ident,
            one.get("name", "").strip(),
            (_number(one.get("x", "0"), where), _number(one.get("y", "0"), where)),
            () if line is None else tuple(_points(line.get("points", ""), where)),
            _properties(one, where),
        )


def _points(text: str, where: str) -> Iterator[Point]:
    for pair in text.split():
        x, _, y = pair.partition(",")
        yield _number(x, where), _number(y, where)


def _tiles(root: Element, file: str) -> Iterator[tuple[int, TiledTile]]:
    for tileset in root.iter("tileset"):
        first = _whole(tileset, "firstgid", file)
        for tile in tileset.iter("tile"):
            name = tile.get("type") or tile.get("class") or ""
            yield first + _whole(tile, "id", file), TiledTile(name, _properties(tile, file))


def _properties(owner: Element, where: str) -> dict[str, Any]:
    held = owner.find("properties")
    out: dict[str, Any] = {}
    for one in () if held is None else held.findall("property"):
        text = one.get("value", one.text or "")
        kind = one.get("type", "string")
        value: Any = text
        if kind in ("int", "float"):
            value = _number(text, f"{where}: property {one.get('name')!r}")
        elif kind == "bool":
            value = text == "true"
        out[one.get("name", "")] = value
    return out


def _whole(one: Element, key: str, where: str, usual: int | None = None) -> int:
    text = one.get(key)
    if text is None and usual is not None:
        return usual
    if text is None or not (text.isascii() and text.isdigit()) or len(text) > len(str(2**32)):
        raise SourceError(f"{where}: <{one.tag}> has {key} {text!r}; it must be a whole number")
    return int(text)


def _number(text: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise SourceError(f"{where}: {text[:60]!r} is not a number") from error
    if not abs(value) < 1e9:  # noqa: PLR2004 - no picture is as large; NaN too
        raise SourceError(f"{where}: {text[:60]!r} is not a place on a map")
    return value
