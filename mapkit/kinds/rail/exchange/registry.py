"""Registry of formats by name and by suffix: built-in ones, and those of installed packages."""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

from mapkit.core.errors import ChoiceError, ExportError, MapkitError, did_you_mean
from mapkit.kinds.rail.exchange.format import GROUP, Format, ReadingFormat

ALL: Final = "all"
"""Value of `--to` for all formats."""

BUILT_IN: Final = {
    "engine": "mapkit.kinds.rail.exchange.engine.format:FORMAT",
    "graph": "mapkit.kinds.rail.exchange.graphs.graph_json:FORMAT",
    "lookup": "mapkit.kinds.rail.exchange.engine.lookup:FORMAT",
    "gpkg": "mapkit.kinds.rail.exchange.gis.geopackage:FORMAT",
    "geojson": "mapkit.kinds.rail.exchange.gis.geojson:FORMAT",
    "kml": "mapkit.kinds.rail.exchange.gis.kml:FORMAT",
    "topojson": "mapkit.kinds.rail.exchange.gis.topojson:FORMAT",
    "graphml": "mapkit.kinds.rail.exchange.graphs.graphml:FORMAT",
    "gexf": "mapkit.kinds.rail.exchange.graphs.gexf:FORMAT",
    "node-link": "mapkit.kinds.rail.exchange.graphs.node_link:FORMAT",
    "xlsx": "mapkit.kinds.rail.exchange.workbook.format:FORMAT",
    "rb3": "mapkit.kinds.rail.exchange.rb3.format:FORMAT",
    "tts": "mapkit.kinds.rail.exchange.tts.format:FORMAT",
    "bga": "mapkit.kinds.rail.exchange.bga.format:FORMAT",
    "vassal": "mapkit.kinds.rail.exchange.vassal.format:FORMAT",
    "svg": "mapkit.kinds.rail.exchange.pictures:SVG_FORMAT",
    "png": "mapkit.kinds.rail.exchange.pictures:PNG_FORMAT",
    "pdf": "mapkit.kinds.rail.exchange.pictures:PDF_FORMAT",
}
"""Name -> location. The entry points in pyproject.toml are the same; these need no installed metadata."""


def format_names() -> tuple[str, ...]:
    """Return the names of all formats: the built-in ones in their order, then others sorted."""
    return (*BUILT_IN, *sorted(set(_installed_formats()) - set(BUILT_IN)))


@cache
def _installed_formats() -> dict[str, str]:
    return {
        entry_point.name: entry_point.value
        for entry_point in sorted(entry_points(group=GROUP), key=lambda p: (p.name, p.value))
    }


@cache
def get_format(name: str) -> Format:
    """Return a format by its name; built-in formats take precedence.

    Raises:
        UnknownNameError: There is no such format; the message suggests the nearest name.
        ExportError: The package that adds it cannot be loaded, or its object is not a format.
    """
    object_path = BUILT_IN.get(name) or _installed_formats().get(name)
    if object_path is None:
        known_names = format_names()
        hint = did_you_mean(name, known_names) or f"; formats are {', '.join(known_names)}"
        raise ChoiceError(f"format {name!r} is unknown{hint}")
    module_name, _, attribute_path = object_path.partition(":")
    try:
        format_object = import_module(module_name)
        for attribute_name in filter(None, attribute_path.split(".")):
            format_object = getattr(format_object, attribute_name)
    except MapkitError:
        raise
    except Exception as error:  # a foreign package may fail in any way
        raise ExportError(
            f"format {name!r}: {object_path} cannot be loaded ({type(error).__name__}: {error}); "
            "update or remove the package that adds it"
        ) from error
    if not isinstance(format_object, Format):
        raise ExportError(f"format {name!r}: {object_path} is not a format; see mapkit.kinds.rail.exchange.format")
    return format_object


def named_formats(names: str) -> tuple[Format, ...]:
    """Return the formats of a comma-separated list, or of `all`, each once, in the order of `format_names`.

    Raises:
        UnknownNameError: One is unknown, or none is named.
        ExportError: As for `get_format`.
    """
    wanted_names = {format_name.strip() for format_name in names.split(",") if format_name.strip()}
    if not wanted_names:
        raise ChoiceError(f"no format is given; formats are {', '.join(format_names())}, or {ALL}")
    all_names = format_names()
    if ALL in wanted_names:
        return tuple(get_format(format_name) for format_name in all_names)
    return tuple(
        get_format(format_name)
        for format_name in sorted(wanted_names, key=lambda n: all_names.index(n) if n in all_names else len(all_names))
    )


def reader_for(file: str) -> ReadingFormat | None:
    """Return the format that reads files with a given name; None without one.

    The longest matching suffix wins, among equals that of the first format. A suffix may be the whole name without its
    dot.
    """
    file_name = Path(file).name.lower()
    best_match: tuple[int, ReadingFormat] | None = None
    for format_name in format_names():
        try:
            form = get_format(format_name)
        except ExportError:
            continue  # a broken package does not prevent others from reading
        if isinstance(form, ReadingFormat):
            suffix_lengths = [len(suffix) for suffix in form.suffixes if f".{file_name}".endswith(suffix)]
            if suffix_lengths and (best_match is None or max(suffix_lengths) > best_match[0]):
                best_match = (max(suffix_lengths), form)
    return best_match[1] if best_match else None
