"""Reading `cities.csv`."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from mapkit.core.base import Point
from mapkit.core.errors import PlaceError, SourceError, did_you_mean
from mapkit.core.names import fold, slug
from mapkit.document.plain import TableReader
from mapkit.formats.files import read_text
from mapkit.formats.tables import Row, coordinates, number
from mapkit.kinds.rail.model.source import BoardConfig, RegionConfig
from mapkit.kinds.rail.sources.places import PlaceFinder, place_points, read_places
from mapkit.kinds.rail.sources.table_files import CITIES, FORMS, PLACES
from mapkit.kinds.rail.tables import City


def load_cities(folder: Path, config: BoardConfig) -> tuple[dict[str, City], dict[str, int]]:
    """Read `cities.csv` of a source package; positions that it leaves empty are looked up.

    Returns:
        The cities by id, and the row of each.

    Raises:
        SourceError: Something in it is wrong, or a city cannot be looked up.
        WorkspaceError: It is missing.
    """
    places = {PLACES: read_text(folder / PLACES, name=PLACES)} if (folder / PLACES).exists() else {}
    points = place_points(read_places(TableReader(places)))  # other readers say what is wrong with that file
    finder = PlaceFinder.of(cities=(), places=points, countries=config.gazetteer.countries)
    reader = TableReader({CITIES: read_text(folder / CITIES, name=CITIES)})
    cities = read_cities(reader, config.regions, finder=finder)
    reader.raise_if_any()
    return cities, {key: reader.origins["cities", key].row for key in cities}


def read_cities(
    reader: TableReader, regions: Iterable[RegionConfig] | None, *, finder: PlaceFinder | None = None
) -> dict[str, City]:
    """Read `cities.csv`; a city without lon and lat lies where its name is found.

    Args:
        reader: Reads the file, and takes what is wrong.
        regions: The regions of `board.toml`; None where it cannot be read, so that any will do.
        finder: What finds cities without a position; None where it is not known, so that they are left out.
    """
    ids = {fold(key): region.id for region in regions or () for key in (region.id, region.name)}
    known = [region.name for region in regions or ()]

    @cache
    def typed() -> tuple[Point, ...]:
        return _typed_points(reader)

    def values(row: Row) -> Mapping[str, object]:
        cells = row.cells
        region = ids.get(fold(cells["region"])) if regions is not None else slug(cells["region"])
        if region is None:
            hint = did_you_mean(cells["region"], known) or f"; the regions are {', '.join(known)}"
            said = f"region {cells['region']!r} of {cells['name']!r} is not in board.toml{hint}"
            raise SourceError(row.at(said))
        if cells.get("lon") or cells.get("lat"):
            lon, lat = _typed_point(row)
        elif finder is None:
            raise SourceError([])
        else:
            try:
                _, lon, lat = finder.find(cells["name"], typed())
            except PlaceError as error:
                raise SourceError(row.at(_not_found(str(error), cells["name"], finder, typed()))) from error
        weight = number(row, "weight", like="2.5") if cells.get("weight") else None
        milepost = cells.get("milepost", "")
        found = {"region": region, "lon": lon, "lat": lat, "milepost": milepost, "weight": weight}
        return {name: cell for name, cell in cells.items() if cell and name != "id"} | found

    return reader.rows("cities", City, FORMS["cities"], values)


def _typed_point(row: Row) -> Point:
    for empty, full in (("lat", "lon"), ("lon", "lat")):
        if row.cells.get(full) and not row.cells.get(empty):
            raise SourceError(row.at(f"{empty} is empty; fill it in, or leave both empty to look the city up"))
    return coordinates(row)


def _typed_points(reader: TableReader) -> tuple[Point, ...]:
    """Return the positions that the file has, whatever else is wrong with its rows."""
    (_, header), *rows = reader.parsed("cities", CITIES)
    out: dict[Point, None] = {}
    for line, cells in rows:
        try:
            out[coordinates(Row(CITIES, line, {"lon": "", "lat": ""} | dict(zip(header, cells, strict=False))))] = None
        except SourceError:
            continue
    return tuple(out)


def _not_found(said: str, name: str, finder: PlaceFinder, near: tuple[Point, ...]) -> str:
    """Return what was said of a name, with what to do about a city: its name is printed, so that it stays."""
    best = finder.gazetteer.candidates(name, near, most=1) if name else []
    such = f", such as {best[0].place.lon:.5f},{best[0].place.lat:.5f}" if best and best[0].how != "similar" else ""
    return f"{said.rpartition('; ')[0] or said}; write its lon and lat{such}"
