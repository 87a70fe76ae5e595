"""Files of the tables of a source package, and the forms of plain tables."""

from collections.abc import Iterable, Mapping
from typing import Final

from mapkit.core.base import Point
from mapkit.core.names import fold
from mapkit.document.plain_tables import TableForm, cell_text
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.tables import ControlPoint, Declared, RailDocument, Wanted, control_point_key, wanted_key

RAILROADS: Final = "railroads.csv"
CITIES: Final = "cities.csv"
PLACES: Final = "places.csv"
CONTROL_POINTS: Final = "control_points.csv"
DESTINATIONS: Final = "charts/destinations.csv"
WANTED: Final = "charts/wanted.csv"
DECLARED: Final = "charts/declared.csv"
PAYOFFS: Final = "charts/payoffs.csv"
MILEPOSTS: Final = "mileposts.csv"
JUNCTIONS: Final = "junctions.csv"
TRACK: Final = "track.csv"
MAPPING: Final = "lines/mapping.csv"
PATTERNS: Final = ("board.toml", "*.csv", "charts/*.csv", "lines/*", "drawings/*", "layers/*", "pictures/*")
"""Patterns of the files of a source package."""


def degrees_text(value: float) -> str:
    """Return degrees with four decimals, or with all decimals if there are more."""
    short_text = f"{value:.4f}"
    return short_text if float(short_text) == value else cell_text(float(value))


def number_text(value: float | None) -> str:
    """Return the shortest text of a number; empty for None."""
    return "" if value is None else cell_text(float(value))


def names_to_type(names: Mapping[str, str]) -> dict[str, str]:
    """Return the text to type for each id: its name, or the id if the name is ambiguous."""
    id_by_fold = {fold(key): element_id for element_id, name in names.items() for key in (element_id, name)}
    return {
        element_id: name if id_by_fold[fold(name)] == element_id else element_id for element_id, name in names.items()
    }


def region_name(document: RailDocument, ident: str) -> str:
    """Return the name of a region, or an empty text."""
    region = document.regions.get(ident)
    return "" if region is None else region.name


def _bends_text(points: Iterable[Point]) -> str:
    return "; ".join(f"{degrees_text(lon)} {degrees_text(lat)}" for lon, lat in points)


def _declared_cells(document: RailDocument, row: Declared) -> dict[str, str]:
    named_rows = document.regions if row.chart == REGIONS else document.cities
    return {"name": names_to_type({key: item.name for key, item in named_rows.items()}).get(row.item, row.item)}


def _wanted_key(row: Wanted) -> str:
    return wanted_key(row.chart, row.name)


def _control_point_key(row: ControlPoint) -> str:
    return control_point_key(row.x, row.y)


_PLACED: Final = {"lon": degrees_text, "lat": degrees_text}
FORMS: Final[Mapping[str, TableForm]] = {
    "railroads": TableForm(RAILROADS, unique=("short",), slugs=True),
    "cities": TableForm(
        CITIES,
        optional=frozenset({"lon", "lat"}),
        unique=("name",),
        slugs=True,
        texts=_PLACED,
        context=lambda document, row: (region_name(document, row.region),),
    ),
    "places": TableForm(PLACES, key=("place",), unique=("place",), texts=_PLACED),
    "control_points": TableForm(
        CONTROL_POINTS,
        key=("x", "y"),
        key_of=_control_point_key,
        repeats=True,
        written=frozenset({"x", "y"}),
        texts=_PLACED,
    ),
    "wanted": TableForm(WANTED, key=("name", "chart"), key_of=_wanted_key, written=frozenset({"name", "chart"})),
    "declared": TableForm(
        DECLARED,
        key=("chart", "name"),
        key_of=lambda row: f"{row.chart}/{row.item}",
        columns={"item": "name"},
        typed=_declared_cells,
        context=lambda document, row: (region_name(document, row.chart), row.item),
    ),
    "mileposts": TableForm(MILEPOSTS, slugs=True, texts=_PLACED),
    "junctions": TableForm(JUNCTIONS, slugs=True, texts=_PLACED),
    "track": TableForm(TRACK, slugs=True, texts={"bends": _bends_text}),
}
"""Forms of plain tables by name."""

TABLE_FILES: Final[Mapping[str, str]] = {
    **{form.file: table for table, form in FORMS.items()},
    DESTINATIONS: "destinations",
    PAYOFFS: "payoffs",
}
"""File -> table of the document that it contains."""
