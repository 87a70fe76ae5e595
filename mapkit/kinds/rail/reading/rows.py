"""Rows of a document's tables, from their files; each notes in `origins` where it stands.

Rows that are wrong go to `problems` and are left out.
"""

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mapkit.core.errors import PlaceError
from mapkit.document.document import File, Row, RowOrigin
from mapkit.document.toml_file import OPAQUE
from mapkit.formats.tables import Problems, coordinates, number, raw_rows, read_table
from mapkit.kinds.rail.model.board import SUMS
from mapkit.kinds.rail.model.source import BoardConfig, ChartRow, CityRow, RegionConfig
from mapkit.kinds.rail.sources.chart_tables import read_declared, read_destinations, read_payoffs
from mapkit.kinds.rail.sources.cities import FILE as CITIES
from mapkit.kinds.rail.sources.cities import OPTIONAL as MORE_CITY_COLUMNS
from mapkit.kinds.rail.sources.cities import REQUIRED as CITY_COLUMNS
from mapkit.kinds.rail.sources.control_points import FILE as CONTROL_POINTS
from mapkit.kinds.rail.sources.control_points import read_control_points
from mapkit.kinds.rail.sources.package import DECLARED, DESTINATIONS, PAYOFFS, RAILROADS
from mapkit.kinds.rail.sources.places import FILE as PLACES
from mapkit.kinds.rail.sources.places import PlaceFinder, read_places
from mapkit.kinds.rail.sources.wanted import FILE as WANTED
from mapkit.kinds.rail.sources.wanted import read_wanted
from mapkit.kinds.rail.tables import (
    Cell,
    City,
    ControlPoint,
    Declared,
    Payoff,
    PayoffCity,
    Place,
    Wanted,
    cell_key,
    control_point_key,
    payoff_key,
    wanted_key,
)

Origins = dict[tuple[str, str], RowOrigin]
Keyed = list[tuple[str, Any]]
"""Rows by key, in order."""

COLUMNS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    RAILROADS: (("id", "name", "short", "price", "public", "colour", "pattern"), ()),
    CITIES: (CITY_COLUMNS, MORE_CITY_COLUMNS),
}
"""Columns that a table must have, and may have."""


def has_rows(text: str, file: str) -> bool:
    """Return whether a table has rows below its header."""
    return sum(1 for _ in raw_rows(text, file=file)) > 1


def flat(data: Mapping[str, Any], before: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Yield dotted keys with their values; an empty table is an empty object."""
    for key, value in data.items():
        path = (*before, key)
        if isinstance(value, dict) and value and path != OPAQUE:
            yield from flat(value, path)
        else:
            yield ".".join(path), value


def file_row(data: bytes) -> File:
    """Return a file that the editor carries."""
    return File(sha256=hashlib.sha256(data).hexdigest(), content=base64.b64encode(data).decode("ascii"))


def cities(text: str | None, known: Sequence[CityRow]) -> Keyed:
    """Return cities; whether `milepost` was typed or follows from the name is kept."""
    if text is None or not known:
        return []
    required, optional = COLUMNS[CITIES]
    typed = {
        row.number: row.cells.get("milepost", "")
        for row in read_table(text, file=CITIES, required=required, optional=optional, problems=Problems(kept=True))
    }
    return [
        (city.id, City(**city.model_dump(exclude={"row", "id", "milepost"}), milepost=typed[city.row]))
        for city in known
    ]


def places(text: str, origins: Origins, problems: Problems) -> Keyed:
    """Return the rows of `places.csv`."""
    points = read_places(text, file=PLACES, problems=problems)
    out: dict[str, Place] = {}
    for row in read_table(
        text, file=PLACES, required=("place", "lon", "lat"), optional=("note",), problems=Problems(kept=True)
    ):
        name = row.cells["place"]
        if name in points and name not in out:
            lon, lat = points[name]
            origins["places", name] = RowOrigin(PLACES, row.number)
            out[name] = Place(lon=lon, lat=lat, note=row.cells.get("note", ""))
    return list(out.items())


def destinations(
    text: str, regions: Sequence[RegionConfig], known: Sequence[CityRow], origins: Origins, problems: Problems
) -> Keyed:
    """Return the cells of destination charts: all of a chart of which there is a row."""
    found = read_destinations(text, file=DESTINATIONS, cities=known, regions=regions, problems=problems)
    typed: dict[tuple[str, int], ChartRow] = {(row.chart, row.total): row for row in found}
    out: Keyed = []
    for chart in dict.fromkeys(row.chart for row in found):
        for total in map(int, SUMS):
            row = typed.get((chart, total))
            for parity in ("odd", "even"):
                key = cell_key(chart, parity, total)
                if row is not None:
                    origins["destinations", key] = RowOrigin(DESTINATIONS, row.row)
                out.append((key, Cell(item=getattr(row, parity) if row else None)))
    return out


def declared(
    text: str, regions: Sequence[RegionConfig], known: Sequence[CityRow], origins: Origins, problems: Problems
) -> Keyed:
    """Return odds that charts are said to give."""
    found = read_declared(text, file=DECLARED, cities=known, regions=regions, problems=problems)
    columns = ("chart", "name", "odds")
    typed = {
        row.number: row.cells["odds"]
        for row in read_table(text, file=DECLARED, required=columns, problems=Problems(kept=True))
    }
    out: Keyed = []
    for row in found:
        key = f"{row.chart}/{row.item}"
        origins["declared", key] = RowOrigin(DECLARED, row.row)
        out.append((key, Declared(chart=row.chart, item=row.item, odds=typed[row.row])))
    return out


def wanted(text: str, config: BoardConfig, known: Sequence[CityRow], origins: Origins, problems: Problems) -> Keyed:
    """Return wishes of `charts/wanted.csv`, as typed."""
    good = {row.row for row in read_wanted(text, file=WANTED, cities=known, config=config, problems=problems)}
    optional = ("chart", "weight", "least", "most", "exactly", "avoid", "cells")
    out: Keyed = []
    for row in read_table(text, file=WANTED, required=("name",), optional=optional, problems=Problems(kept=True)):
        if row.number in good:
            key = wanted_key(row.cells.get("chart", ""), row.cells["name"])
            origins["wanted", key] = RowOrigin(WANTED, row.number)
            out.append((key, Wanted.model_validate(row.cells)))
    return out


class _Anywhere(PlaceFinder):
    """Finds any place, for reading rows whatever they name."""

    def get(self, name: str) -> tuple[str, float, float]:
        """Return the name, and a place that means nothing."""
        return name, 0.0, 0.0


def control_points(text: str, finder: PlaceFinder, origins: Origins, problems: Problems) -> tuple[Keyed, list[str]]:
    """Return control points, and which name a city that cannot be found; they keep its name."""
    anywhere = _Anywhere.of(cities=(), places={}, countries=())
    found = read_control_points(text, file=CONTROL_POINTS, finder=anywhere, problems=problems)
    unknown: list[str] = []
    good = {point.row for point in found}
    taken: dict[str, int] = {}
    optional = ("lon", "lat", "city", "note")
    out: Keyed = []
    for row in read_table(
        text, file=CONTROL_POINTS, required=("x", "y"), optional=optional, problems=Problems(kept=True)
    ):
        if row.number not in good:
            continue
        lon, lat = coordinates(row) if row.cells.get("lon") or row.cells.get("lat") else (None, None)
        city, note = row.cells.get("city", ""), row.cells.get("note", "")
        try:
            finder.find(city or "@0,0")
        except PlaceError as error:
            unknown.append(row.at(str(error)))
        point = ControlPoint(x=number(row, "x"), y=number(row, "y"), lon=lon, lat=lat, city=city, note=note)
        key = control_point_key(point.x, point.y)
        taken[key] = taken.get(key, 0) + 1
        key = key if taken[key] == 1 else f"{key}#{taken[key]}"
        origins["control_points", key] = RowOrigin(CONTROL_POINTS, row.number)
        out.append((key, point))
    return out, unknown


def payoffs(text: str, known: Sequence[CityRow], origins: Origins, problems: Problems) -> tuple[Keyed, Keyed]:
    """Return the cities of the payoff chart, and its cells that are not as usual: 0 to itself, empty to others."""
    columns, found = read_payoffs(text, file=PAYOFFS, cities=known, problems=problems)
    origins.update({("payoff_cities", row.city): RowOrigin(PAYOFFS, row.row) for row in found})
    amounts = {(row.city, other): cell for row in found for other, cell in zip(columns, row.thousands, strict=True)}
    out: list[tuple[str, Row]] = []
    for one in columns:
        for other in columns:
            here, back = amounts[one, other], amounts[other, one]
            usual = here == 0 if one == other else here is None and back is None
            if one > other or usual:
                continue
            below = "same" if here == back else back
            out.append((payoff_key(one, other), Payoff(thousands=here, below=below)))
    return [(city, PayoffCity()) for city in columns], out
