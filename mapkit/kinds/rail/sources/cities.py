"""Reader of `cities.csv`."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from mapkit.core.base import Point
from mapkit.core.errors import PlaceError, SourceError, did_you_mean
from mapkit.core.names import fold, slug
from mapkit.core.plurals import join_some
from mapkit.document.plain_tables import TableReader
from mapkit.formats.files import read_text
from mapkit.formats.tables import Row, parse_coordinates, parse_number
from mapkit.kinds.rail.model.source import BoardConfig, RegionConfig
from mapkit.kinds.rail.sources.places import KnownPlaces, PlaceFinder, place_points, read_places
from mapkit.kinds.rail.sources.plane_tables import PlaneTableReader
from mapkit.kinds.rail.sources.table_files import CITIES, FORMS, PLACES
from mapkit.kinds.rail.tables import City


def load_cities(folder: Path, config: BoardConfig) -> tuple[dict[str, City], dict[str, int]]:
    """Read `cities.csv` of a source package, and look up missing positions.

    Returns:
        The cities by id, and the row of each.

    Raises:
        SourceError: The file has a mistake, or a city cannot be looked up.
        WorkspaceError: It is missing.
    """
    plane = config.projection.land_plane
    place_texts = {PLACES: read_text(folder / PLACES, name=PLACES)} if (folder / PLACES).exists() else {}
    # Other readers report problems of that file.
    place_positions = place_points(read_places(PlaneTableReader(place_texts, plane)))
    place_finder = PlaceFinder(
        KnownPlaces.of((), place_positions), config.gazetteer.countries, is_invented=plane is not None
    )
    reader = PlaneTableReader({CITIES: read_text(folder / CITIES, name=CITIES)}, plane)
    cities = read_cities(reader, config.regions, finder=place_finder)
    reader.raise_if_any()
    return cities, {key: reader.origins["cities", key].row for key in cities}


def read_cities(
    reader: TableReader, regions: Iterable[RegionConfig] | None, *, finder: PlaceFinder | None = None
) -> dict[str, City]:
    """Read `cities.csv`; cities without lon and lat are looked up by name.

    Args:
        reader: Reader of the file, which collects its problems.
        regions: The regions of `board.toml`; None if it cannot be read, so that all regions are accepted.
        finder: Finder of cities without a position; None to skip such cities.
    """
    region_by_name = {fold(key): region.id for region in regions or () for key in (region.id, region.name)}
    region_names = [region.name for region in regions or ()]

    @cache
    def typed() -> tuple[Point, ...]:
        return _list_typed_points(reader)

    def values(row: Row) -> Mapping[str, object]:
        cells = row.cells
        region_id = region_by_name.get(fold(cells["region"])) if regions is not None else slug(cells["region"])
        if region_id is None:
            hint = did_you_mean(cells["region"], region_names) or f"; the regions are {join_some(region_names)}"
            problem_text = f"region {cells['region']!r} of {cells['name']!r} is not in board.toml{hint}"
            raise SourceError(row.at(problem_text))
        if cells.get("lon") or cells.get("lat"):
            for empty_column, filled_column in (("lat", "lon"), ("lon", "lat")):
                if row.cells.get(filled_column) and not row.cells.get(empty_column):
                    raise SourceError(
                        row.at(f"{empty_column} is empty; fill it in, or leave both empty to look the city up")
                    )
            lon, lat = parse_coordinates(row)
        elif finder is None:
            raise SourceError([])
        else:
            try:
                _, lon, lat = finder.find(cells["name"], typed())
            except PlaceError as error:
                raise SourceError(row.at(_describe_unknown_city(str(error), cells["name"], finder, typed()))) from error
        weight = parse_number(row, "weight", like="2.5") if cells.get("weight") else None
        milepost_name = cells.get("milepost", "")
        derived_values = {"region": region_id, "lon": lon, "lat": lat, "milepost": milepost_name, "weight": weight}
        return {
            column_name: cell for column_name, cell in cells.items() if cell and column_name != "id"
        } | derived_values

    return reader.rows("cities", City, FORMS["cities"], values)


def _list_typed_points(reader: TableReader) -> tuple[Point, ...]:
    """Return the positions in the file, regardless of other mistakes in its rows."""
    (_, header), *data_rows = reader.parsed("cities", CITIES)
    typed_points: dict[Point, None] = {}
    for row_number, cells in data_rows:
        try:
            typed_points[
                parse_coordinates(
                    Row(CITIES, row_number, {"lon": "", "lat": ""} | dict(zip(header, cells, strict=False)))
                )
            ] = None
        except SourceError:
            continue
    return tuple(typed_points)


def _describe_unknown_city(lookup_problem: str, name: str, finder: PlaceFinder, near_points: tuple[Point, ...]) -> str:
    """Return a lookup problem with a cure for cities, because their printed names cannot change."""
    if finder.is_invented:
        return lookup_problem
    candidates = finder.gazetteer.candidates(name, near_points, most=1) if name else []
    example_text = (
        f", such as {candidates[0].place.lon:.5f},{candidates[0].place.lat:.5f}"
        if candidates and candidates[0].how != "similar"
        else ""
    )
    problem_text = lookup_problem.rpartition("; ")[0] or lookup_problem
    return f"{problem_text}; write its lon and lat{example_text}, or run mapkit match"
