"""Files of the tables of a source package, and the forms of those that are plain."""

from collections.abc import Iterable, Mapping
from typing import Final

from mapkit.core.base import Point
from mapkit.core.names import fold
from mapkit.document.plain import TableForm, cell_text
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
CHARTS: Final = (DECLARED, DESTINATIONS, PAYOFFS)


def degrees(value: float) -> str:
    """Return degrees with four decimals, or as many as there are."""
    short = f"{value:.4f}"
    return short if float(short) == value else cell_text(float(value))


def number_text(value: float | None) -> str:
    """Return the shortest text of a number; nothing for None."""
    return "" if value is None else cell_text(float(value))


def typed_names(names: Mapping[str, str]) -> dict[str, str]:
    """Return what to type for each id: its name, or the id where the name would find something else."""
    found = {fold(key): ident for ident, name in names.items() for key in (ident, name)}
    return {ident: name if found[fold(name)] == ident else ident for ident, name in names.items()}


def region_name(document: RailDocument, ident: str) -> str:
    """Return the name of a region, or nothing if there is none."""
    region = document.regions.get(ident)
    return "" if region is None else region.name


def _bends(points: Iterable[Point]) -> str:
    return "; ".join(f"{degrees(lon)} {degrees(lat)}" for lon, lat in points)


def _declared(document: RailDocument, row: Declared) -> dict[str, str]:
    rows = document.regions if row.chart == REGIONS else document.cities
    return {"name": typed_names({key: item.name for key, item in rows.items()}).get(row.item, row.item)}


def _wanted_key(row: Wanted) -> str:
    return wanted_key(row.chart, row.name)


def _control_point_key(row: ControlPoint) -> str:
    return control_point_key(row.x, row.y)


_PLACED: Final = {"lon": degrees, "lat": degrees}
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
        typed=_declared,
        context=lambda document, row: (region_name(document, row.chart), row.item),
    ),
    "mileposts": TableForm(MILEPOSTS, slugs=True, texts=_PLACED),
    "junctions": TableForm(JUNCTIONS, slugs=True, texts=_PLACED),
    "track": TableForm(TRACK, slugs=True, texts={"bends": _bends}),
}
"""The tables that are plain, by name."""

TABLE_FILES: Final[Mapping[str, str]] = {
    **{form.file: table for table, form in FORMS.items()},
    DESTINATIONS: "destinations",
    PAYOFFS: "payoffs",
}
"""Files of tables, and the table of the document that each holds."""
