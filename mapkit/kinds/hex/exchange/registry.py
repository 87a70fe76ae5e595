"""Formats of hexagon boards by name, and by name and content of a file."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from mapkit.core.errors import ChoiceError, SourceError, did_you_mean
from mapkit.formats.json_reading import read_json
from mapkit.kinds.hex.exchange.format import HexFormat

ALL: Final = "all"
"""What `--to` takes for every format."""
_PACKAGE_NAME: Final = "mapkit.kinds.hex.exchange"
_FORMAT_PATHS: Final = {
    "json": f"{_PACKAGE_NAME}.board_json:FORMAT",
    "hexjson": f"{_PACKAGE_NAME}.hexjson:FORMAT",
    "tiled": f"{_PACKAGE_NAME}.tiled.format:TMX",
    "tiled-json": f"{_PACKAGE_NAME}.tiled.format:TMJ",
    "18xx-maker": f"{_PACKAGE_NAME}.eighteen.maker:FORMAT",
    "18xx-games": f"{_PACKAGE_NAME}.eighteen.games:FORMAT",
    "gpkg": f"{_PACKAGE_NAME}.gis:FORMAT",
    "vassal": f"{_PACKAGE_NAME}.vassal.format:FORMAT",
    "tts": f"{_PACKAGE_NAME}.tabletop:FORMAT",
}


def format_names() -> tuple[str, ...]:
    """Return the names of all formats."""
    return tuple(_FORMAT_PATHS)


def get_format(name: str) -> HexFormat:
    """Return a format by its name.

    Raises:
        ChoiceError: There is no such format; the nearest is offered.
    """
    format_path = _FORMAT_PATHS.get(name)
    if format_path is None:
        hint = did_you_mean(name, _FORMAT_PATHS) or f"; formats are {', '.join(_FORMAT_PATHS)}"
        raise ChoiceError(f"format {name!r} is unknown for boards of hexagons{hint}")
    module, _, attribute = format_path.partition(":")
    hex_format = getattr(import_module(module), attribute)
    assert isinstance(hex_format, HexFormat)  # noqa: S101 - the table above is ours
    return hex_format


def named_formats(names: str) -> tuple[HexFormat, ...]:
    """Return the formats of a comma-separated list, or of `all`, in the order of `format_names`.

    Raises:
        ChoiceError: One is unknown, or none is named.
    """
    wanted_names = {name.strip() for name in names.split(",") if name.strip()}
    if not wanted_names:
        raise ChoiceError(f"no format is given; formats are {', '.join(_FORMAT_PATHS)}, or {ALL}")
    if ALL in wanted_names:
        wanted_names = {*_FORMAT_PATHS}
    format_by_name = {name: get_format(name) for name in sorted(wanted_names)}
    return tuple(format_by_name[name] for name in _FORMAT_PATHS if name in format_by_name)


def reader_for(path: Path) -> HexFormat:
    """Return the format of a file: by its name, or for JSON by its content.

    Raises:
        SourceError: No format of hexagon boards that is read is like it.
        WorkspaceError: It is missing or may not be read.
    """
    file_name = path.name.lower()
    for key in _FORMAT_PATHS:
        hex_format = get_format(key)
        if (
            hex_format.read is not None
            and key != "json"
            and any(file_name.endswith(suffix) for suffix in hex_format.suffixes)
        ):
            return hex_format
    format_name = _recognise_json(read_json(path)) if file_name.endswith(".json") else ""
    if not format_name:
        readable_titles = ", ".join(
            f"{get_format(key).title}" for key in _FORMAT_PATHS if get_format(key).read is not None
        )
        raise SourceError(f"{path.name}: is not a board of hexagons that mapkit reads; it reads {readable_titles}")
    return get_format(format_name)


def _recognise_json(data: Any) -> str:  # noqa: ANN401 - whatever the file holds
    if not isinstance(data, Mapping):
        return ""
    if data.get("kind") == "hex":
        return "json"
    if "layout" in data and "hexes" in data:
        return "hexjson"
    if "orientation" in data and "layers" in data:
        return "tiled-json"
    return "18xx-maker" if "info" in data and "map" in data else ""
