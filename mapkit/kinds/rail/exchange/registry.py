"""Formats by name and by suffix: mapkit's own, and those that installed packages add."""

from pathlib import Path
from typing import Final

from mapkit.core.addons import MissingAddOnError
from mapkit.core.errors import ExportError
from mapkit.exchange.formats import FormatTable
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
    "web": "mapkit.kinds.rail.exchange.web:FORMAT",
    "svg": "mapkit.kinds.rail.exchange.pictures:SVG_FORMAT",
    "png": "mapkit.kinds.rail.exchange.pictures:PNG_FORMAT",
    "pdf": "mapkit.kinds.rail.exchange.pictures:PDF_FORMAT",
}
"""Name -> where it is. The entry points of pyproject.toml say the same; these need no installed metadata."""

FORMATS: Final = FormatTable("railroad boards", BUILT_IN, group=GROUP, form=Format)
format_names, get_format = FORMATS.names, FORMATS.get


def find_reader(file: str) -> ReadingFormat | None:
    """Return the format that reads files of such a name; None if there is none.

    The longest suffix that fits wins; of equal ones, that of the first format. A suffix may be the whole name,
    without its dot.
    """
    name_of = Path(file).name.lower()
    best: tuple[int, ReadingFormat] | None = None
    for name in format_names():
        try:
            form = get_format(name)
        except (ExportError, MissingAddOnError):
            continue  # a broken package may not keep others from reading
        if isinstance(form, ReadingFormat):
            fits = [len(s) for s in form.suffixes if f".{name_of}".endswith(s)]
            if fits and (best is None or max(fits) > best[0]):
                best = (max(fits), form)
    return best[1] if best else None
