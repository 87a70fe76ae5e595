"""Reader of TMX with limits: no entities, no downloads, no more tiles than places on the map."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import fromstring

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.formats.xml_reading import read_checked_xml
from mapkit.kinds.hex.exchange.tiled.data import tile_numbers
from mapkit.kinds.hex.exchange.tiled.model import TiledMap, TiledObject, TiledTile, offset_of
from mapkit.kinds.hex.exchange.values import make_grid


def read_tiled_xml(path: Path) -> TiledMap:
    """Return the map of a TMX file.

    Raises:
        SourceError: It is not a map of hexagons, damaged, or stored in a way that mapkit does not read.
        WorkspaceError: It is missing or may not be read.
    """
    root, file = fromstring(read_checked_xml(path)), path.name
    if root.tag != "map":
        raise SourceError(f"{file}: begins with <{root.tag}>; a Tiled map begins with <map>")
    offset = offset_of(
        root.get("orientation"), root.get("staggeraxis"), root.get("staggerindex"), root.get("infinite"), file
    )
    columns, rows = _read_whole(root, "width", file), _read_whole(root, "height", file)
    make_grid(file, columns=columns, rows=rows)
    return TiledMap(
        columns,
        rows,
        (
            _read_whole(root, "tilewidth", file),
            _read_whole(root, "tileheight", file),
            _read_whole(root, "hexsidelength", file),
        ),
        offset,
        layers=tuple(_read_layers(root, columns * rows, file)),
        objects={name: tuple(_read_objects(group, file)) for name, group in _named_elements(root, "objectgroup")},
        tiles=dict(_read_tiles(root, file)),
        properties=_read_properties(root, file),
    )


def _named_elements(root: Element, tag: str) -> Iterator[tuple[str, Element]]:
    return ((element.get("name", "").strip().lower(), element) for element in root.iter(tag))


def _read_layers(root: Element, count: int, file: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    for name, layer in _named_elements(root, "layer"):
        where = f"{file}: layer {name!r}"
        data_element = layer.find("data")
        if data_element is None:
            raise SourceError(f"{where}: holds no data; save it in Tiled again")
        if data_element.find("chunk") is not None:
            raise SourceError(f"{where}: is infinite; give the map a size in Tiled (Map > Map Properties), and save it")
        if "encoding" not in data_element.attrib:
            numbers = tuple(_read_whole(tile, "gid", where, 0) for tile in data_element.iter("tile"))
            if len(numbers) != count:
                raise SourceError(f"{where}: {len(numbers):,} tiles, and the map has {count:,} places; save it again")
            yield name, numbers
        else:
            yield (
                name,
                tile_numbers(
                    data_element.text or "",
                    data_element.attrib["encoding"],
                    data_element.get("compression", ""),
                    count,
                    where,
                ),
            )


def _read_objects(group: Element, file: str) -> Iterator[TiledObject]:
    for object_element in group.iter("object"):
        object_id = _read_whole(object_element, "id", file, 0)
        where = f"{file}: object {object_id}"
        line_element = object_element.find("polyline")
        line_element = object_element.find("polygon") if line_element is None else line_element
        yield TiledObject(
            object_id,
            object_element.get("name", "").strip(),
            (_read_number(object_element.get("x", "0"), where), _read_number(object_element.get("y", "0"), where)),
            () if line_element is None else tuple(_read_points(line_element.get("points", ""), where)),
            _read_properties(object_element, where),
        )


def _read_points(text: str, where: str) -> Iterator[Point]:
    for pair in text.split():
        x, _, y = pair.partition(",")
        yield _read_number(x, where), _read_number(y, where)


def _read_tiles(root: Element, file: str) -> Iterator[tuple[int, TiledTile]]:
    for tileset in root.iter("tileset"):
        first_gid = _read_whole(tileset, "firstgid", file)
        for tile in tileset.iter("tile"):
            tile_name = tile.get("type") or tile.get("class") or ""
            yield first_gid + _read_whole(tile, "id", file), TiledTile(tile_name, _read_properties(tile, file))


def _read_properties(owner: Element, where: str) -> dict[str, Any]:
    property_list = owner.find("properties")
    value_by_name: dict[str, Any] = {}
    for property_element in () if property_list is None else property_list.findall("property"):
        value_text = property_element.get("value", property_element.text or "")
        kind = property_element.get("type", "string")
        value: Any = value_text
        if kind in ("int", "float"):
            value = _read_number(value_text, f"{where}: property {property_element.get('name')!r}")
        elif kind == "bool":
            value = value_text == "true"
        value_by_name[property_element.get("name", "")] = value
    return value_by_name


def _read_whole(one: Element, key: str, where: str, usual: int | None = None) -> int:
    text = one.get(key)
    if text is None and usual is not None:
        return usual
    if text is None or not (text.isascii() and text.isdigit()) or len(text) > len(str(2**32)):
        raise SourceError(f"{where}: <{one.tag}> has {key} {text!r}; it must be a whole number")
    return int(text)


def _read_number(text: str, where: str) -> float:
    try:
        number = float(text)
    except ValueError as error:
        raise SourceError(f"{where}: {text[:60]!r} is not a number") from error
    if not abs(number) < 1e9:  # noqa: PLR2004 - no picture is as large; NaN too
        raise SourceError(f"{where}: {text[:60]!r} is not a place on a map")
    return number
