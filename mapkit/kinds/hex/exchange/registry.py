"""Formats of hexagon boards by name, and by name and content of a file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from mapkit.core.errors import SourceError
from mapkit.exchange.formats import FormatTable
from mapkit.formats.json_reading import read_json
from mapkit.kinds.hex.exchange.format import HexFormat

_HERE: Final = "mapkit.kinds.hex.exchange"
_FORMATS: Final = {
    "json": f"{_HERE}.board_json:FORMAT",
    "hexjson": f"{_HERE}.hexjson:FORMAT",
    "tiled": f"{_HERE}.tiled.format:TMX",
    "tiled-json": f"{_HERE}.tiled.format:TMJ",
    "18xx-maker": f"{_HERE}.eighteen.maker:FORMAT",
    "18xx-games": f"{_HERE}.eighteen.games:FORMAT",
    "gpkg": f"{_HERE}.gis:FORMAT",
    "vassal": f"{_HERE}.vassal.format:FORMAT",
    "tts": f"{_HERE}.tabletop:FORMAT",
}


FORMATS: Final = FormatTable("boards of hexagons", _FORMATS)
get_format = FORMATS.get


def reader_for(path: Path) -> HexFormat:
    """Return the format of a file by its name, or for JSON by its content.

    Raises:
        SourceError: No format of hexagon boards that is read is like it.
        WorkspaceError: It is missing or may not be read.
    """
    name = path.name.lower()
    for key in _FORMATS:
        form: HexFormat = get_format(key)
        if form.read is not None and key != "json" and any(name.endswith(one) for one in form.suffixes):
            return form
    known = _json_format(read_json(path)) if name.endswith(".json") else ""
    if not known:
        readable = ", ".join(f"{get_format(key).title}" for key in _FORMATS if get_format(key).read is not None)
        raise SourceError(f"{path.name}: is not a board of hexagons that mapkit reads; it reads {readable}")
    found: HexFormat = get_format(known)
    return found


def _json_format(data: Any) -> str:  # noqa: ANN401 - whatever the file holds
    if not isinstance(data, Mapping):
        return ""
    if data.get("kind") == "hex":
        return "json"
    if "layout" in data and "hexes" in data:
        return "hexjson"
    if "orientation" in data and "layers" in data:
        return "tiled-json"
    return "18xx-maker" if "info" in data and "map" in data else ""
