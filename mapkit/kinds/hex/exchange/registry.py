"""The formats of hexagon boards by name, and by what a file is called and holds."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from mapkit.core.errors import ChoiceError, SourceError, did_you_mean
from mapkit.formats.json_reading import read_json
from mapkit.kinds.hex.exchange.format import HexFormat

ALL: Final = "all"
"""What `--to` takes for every format."""
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


def format_names() -> tuple[str, ...]:
    """Return the names of all formats."""
    return tuple(_FORMATS)


def get_format(name: str) -> HexFormat:
    """Return a format by its name.

    Raises:
        ChoiceError: There is no such format; the nearest is offered.
    """
    where = _FORMATS.get(name)
    if where is None:
        hint = did_you_mean(name, _FORMATS) or f"; formats are {', '.join(_FORMATS)}"
        raise ChoiceError(f"format {name!r} is unknown for boards of hexagons{hint}")
    module, _, attribute = where.partition(":")
    found = getattr(import_module(module), attribute)
    assert isinstance(found, HexFormat)  # noqa: S101 - the table above is ours
    return found


def named_formats(names: str) -> tuple[HexFormat, ...]:
    """Return the formats of a list with commas, or of `all`; each once, in the order of `format_names`.

    Raises:
        ChoiceError: One is unknown, or none is named.
    """
    wanted = {name.strip() for name in names.split(",") if name.strip()}
    if not wanted:
        raise ChoiceError(f"no format is given; formats are {', '.join(_FORMATS)}, or {ALL}")
    if ALL in wanted:
        wanted = {*_FORMATS}
    found = {name: get_format(name) for name in sorted(wanted)}
    return tuple(found[name] for name in _FORMATS if name in found)


def reader_for(path: Path) -> HexFormat:
    """Return the format of a file: by its name, or for JSON by what it holds.

    Raises:
        SourceError: No format of hexagon boards that is read is like it.
        WorkspaceError: It is missing or may not be read.
    """
    name = path.name.lower()
    for key in _FORMATS:
        form = get_format(key)
        if form.read is not None and key != "json" and any(name.endswith(one) for one in form.suffixes):
            return form
    known = _json_format(read_json(path)) if name.endswith(".json") else ""
    if not known:
        readable = ", ".join(f"{get_format(key).title}" for key in _FORMATS if get_format(key).read is not None)
        raise SourceError(f"{path.name}: is not a board of hexagons that mapkit reads; it reads {readable}")
    return get_format(known)


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
