"""Formats by name and by suffix: mapkit's own, and those that installed packages add."""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

from mapkit.core.errors import ChoiceError, ExportError, MapkitError, did_you_mean
from mapkit.exchange.formats import ALL, AnyFormat, formats_of_all
from mapkit.kinds.rail.exchange.format import GROUP, Format, ReadingFormat

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
"""Name -> where it is. The entry points of pyproject.toml say the same; these need no installed metadata."""


def format_names() -> tuple[str, ...]:
    """Return the names of all formats, mapkit's own first, in its order, then others sorted."""
    return (*BUILT_IN, *sorted(set(_installed_formats()) - set(BUILT_IN)))


@cache
def _installed_formats() -> dict[str, str]:
    added = {point.name: point.value for point in sorted(entry_points(group=GROUP), key=lambda p: (p.name, p.value))}
    return {**added, **formats_of_all()}


@cache
def get_format(name: str) -> Format:
    """Return a format by its name; mapkit's own stand before others of that name.

    Raises:
        UnknownNameError: There is no such format; the nearest is offered.
        ExportError: A package that adds it cannot be loaded, or what it adds is not a format.
    """
    value = BUILT_IN.get(name) or _installed_formats().get(name)
    if value is None:
        known = format_names()
        hint = did_you_mean(name, known) or f"; formats are {', '.join(known)}"
        raise ChoiceError(f"format {name!r} is unknown{hint}")
    module, _, attribute = value.partition(":")
    try:
        found = import_module(module)
        for part in filter(None, attribute.split(".")):
            found = getattr(found, part)
    except MapkitError:
        raise
    except Exception as error:  # a foreign package may fail in any way
        raise ExportError(
            f"format {name!r}: {value} cannot be loaded ({type(error).__name__}: {error}); "
            "update or remove the package that adds it"
        ) from error
    if not isinstance(found, Format | AnyFormat):
        raise ExportError(f"format {name!r}: {value} is not a format; see mapkit.kinds.rail.exchange.format")
    return found


def list_all() -> tuple[tuple[Format, ...], tuple[str, ...]]:
    """Return the formats, and the errors of plug-ins that cannot be loaded."""
    found: list[Format] = []
    wrong: list[str] = []
    for name in format_names():
        try:
            found.append(get_format(name))
        except ExportError as error:
            wrong.append(str(error))
    return tuple(found), tuple(wrong)


def named(names: str) -> tuple[Format, ...]:
    """Return the formats of a list with commas, or of `all`; each once, in the order of `format_names`.

    Raises:
        UnknownNameError: One is unknown, or none is named.
        ExportError: As for `get_format`.
    """
    wanted = {name.strip() for name in names.split(",") if name.strip()}
    if not wanted:
        raise ChoiceError(f"no format is given; formats are {', '.join(format_names())}, or {ALL}")
    order = format_names()
    if ALL in wanted:
        return tuple(get_format(name) for name in order)
    return tuple(
        get_format(name) for name in sorted(wanted, key=lambda n: order.index(n) if n in order else len(order))
    )


named_formats = named
"""The same under the name that tools use."""


def reader_for(file: str) -> ReadingFormat | None:
    """Return the format that reads files of such a name; None if there is none.

    The longest suffix that fits wins; of equal ones, that of the first format. A suffix may be the whole name,
    without its dot.
    """
    name_of = Path(file).name.lower()
    best: tuple[int, ReadingFormat] | None = None
    for name in format_names():
        try:
            form = get_format(name)
        except ExportError:
            continue  # a broken package may not keep others from reading
        if isinstance(form, ReadingFormat):
            fits = [len(s) for s in form.suffixes if f".{name_of}".endswith(s)]
            if fits and (best is None or max(fits) > best[0]):
                best = (max(fits), form)
    return best[1] if best else None
