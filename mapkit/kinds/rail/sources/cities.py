"""Reading `cities.csv`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from mapkit.core.base import Point
from mapkit.core.errors import PlaceError, SourceError, did_you_mean
from mapkit.core.names import fold, slug
from mapkit.formats.files import read_text
from mapkit.formats.tables import Problems, Row, checked, coordinates, number, read_table, refuse_doubles
from mapkit.kinds.rail.model.source import BoardConfig, CityRow, RegionConfig
from mapkit.kinds.rail.sources.places import FILE as PLACES
from mapkit.kinds.rail.sources.places import PlaceFinder, read_places

FILE = "cities.csv"
REQUIRED: Final = ("id", "name", "region")
OPTIONAL: Final = ("lon", "lat", "milepost", "weight")


def load_cities(folder: Path, config: BoardConfig) -> list[CityRow]:
    """Read `cities.csv` of a source package; positions that it leaves empty are looked up.

    Raises:
        SourceError: Something in it is wrong, or a city cannot be looked up.
        WorkspaceError: It is missing.
    """
    places = read_text(folder / PLACES, name=PLACES) if (folder / PLACES).exists() else None
    finder = city_finder(places, config.gazetteer.countries)
    return read_cities(read_text(folder / FILE, name=FILE), config.regions, finder=finder)


def city_finder(places: str | None, countries: tuple[str, ...]) -> PlaceFinder:
    """Return what finds cities without a position: the text of `places.csv`, then the gazetteer."""
    kept = Problems(kept=True)  # whoever reads the file for itself says what is wrong with it
    try:
        points = read_places(places, file=PLACES, problems=kept) if places is not None else {}
    except SourceError:
        points = {}
    return PlaceFinder.of(cities=(), places=points, countries=countries)


def read_cities(
    text: str,
    regions: Iterable[RegionConfig] | None,
    *,
    finder: PlaceFinder | None = None,
    problems: Problems | None = None,
) -> list[CityRow]:
    """Read `cities.csv`; a city without lon and lat lies where its name is found.

    Args:
        text: The file's text.
        regions: The regions of `board.toml`; None where it cannot be read, so that any will do.
        finder: What finds cities without a position; None where it is not known, so that they are left out.
        problems: Takes what is wrong, and the rest is read; without it all is refused.

    Raises:
        SourceError: A region is unknown, an id or name appears twice, or coordinates are wrong or cannot be looked up.
    """
    ids = {fold(key): region.id for region in regions or () for key in (region.id, region.name)}
    known = [region.name for region in regions or ()]
    out: list[CityRow] = []
    problems = problems or Problems()
    rows = read_table(text, file=FILE, required=REQUIRED, optional=OPTIONAL, problems=problems)
    points = _positions(rows, finder, problems)
    for row in rows:
        region = ids.get(fold(row.cells["region"])) if regions is not None else slug(row.cells["region"])
        if region is None:
            name = row.cells["region"]
            hint = did_you_mean(name, known) or f"; the regions are {', '.join(known)}"
            problems.add(row.at(f"region {name!r} of {row.cells['name']!r} is not in board.toml{hint}"))
            continue
        if row.number not in points:
            continue
        try:
            lon, lat = points[row.number]
            out.append(
                checked(
                    CityRow,
                    row,
                    id=row.cells["id"],
                    name=row.cells["name"],
                    region=region,
                    lon=lon,
                    lat=lat,
                    milepost=row.cells.get("milepost") or row.cells["name"],
                    weight=number(row, "weight", like="2.5") if row.cells.get("weight") else None,
                )
            )
        except SourceError as error:
            problems.extend(error)
    double = {
        row
        for column in ("id", "name")
        for row in refuse_doubles(problems, FILE, column, [(c.row, str(getattr(c, column))) for c in out])
    }
    problems.raise_if_any()
    return [city for city in out if city.row not in double]


def _positions(rows: Iterable[Row], finder: PlaceFinder | None, problems: Problems) -> dict[int, Point]:
    """Return `(lon, lat)` by row: as typed, else as found; rows that have none are noted."""
    out: dict[int, Point] = {}
    unplaced: list[Row] = []
    for row in rows:
        lon, lat = row.cells.get("lon", ""), row.cells.get("lat", "")
        if not lon and not lat:
            unplaced.append(row)
            continue
        if not lon or not lat:
            one = "lat" if lon else "lon"
            problems.add(row.at(f"{one} is empty; fill it in, or leave both empty to look the city up"))
            continue
        try:
            out[row.number] = coordinates(row)
        except SourceError as error:
            problems.extend(error)
    typed = tuple(dict.fromkeys(out.values()))
    if finder is None:
        return out
    for row in unplaced:
        try:
            _, lon_found, lat_found = finder.find(row.cells["name"], typed)
        except PlaceError as error:
            problems.add(row.at(_not_found(str(error), row.cells["name"], finder, typed)))
            continue
        out[row.number] = (lon_found, lat_found)
    return out


def _not_found(said: str, name: str, finder: PlaceFinder, near: tuple[Point, ...]) -> str:
    """Return what was said of a name, with what to do about a city: its name is printed, so that it stays."""
    best = finder.gazetteer.candidates(name, near, most=1) if name else []
    such = f", such as {best[0].place.lon:.5f},{best[0].place.lat:.5f}" if best and best[0].how != "similar" else ""
    return f"{said.rpartition('; ')[0] or said}; write its lon and lat{such}"
