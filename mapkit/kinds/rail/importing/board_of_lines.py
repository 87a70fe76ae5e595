"""New board from files of lines alone: railroads by keys, and cities at the largest places nearby."""

import csv
import io
import json
import math
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import shapely
import shapely.affinity

from mapkit.core.csvtext import csv_text
from mapkit.core.errors import SourceError
from mapkit.core.geodesy import METRES_PER_MILE, line_miles
from mapkit.core.names import slug
from mapkit.document.boards import make_board, new_board_folder
from mapkit.document.package import Files
from mapkit.document.workspace import Workspace
from mapkit.formats.degrees import TURN, middle_longitude
from mapkit.formats.lines.any_file import read_any
from mapkit.formats.lines.crs_candidates import LAT_LON
from mapkit.formats.lines.features import NoCrsError
from mapkit.formats.lines.seam import unwrap_lines
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.geography.region import parse_region, places_in
from mapkit.kinds.rail.importing.earlier_packages import package_files, read_for_placing
from mapkit.kinds.rail.importing.files import ImportPlan, import_files, refuse_unused_options
from mapkit.kinds.rail.importing.mapping import choose_keys
from mapkit.kinds.rail.model.import_report import ImportReport
from mapkit.kinds.rail.model.source import TracingConfig
from mapkit.kinds.rail.sources.table_files import RAILROADS
from mapkit.kinds.rail.trace.noding.arrays import Shapes
from mapkit.kinds.rail.trace.plane import Plane

_SEARCH_DEGREES: Final = 0.3
"""Distance from lines, in degrees, within which places are searched."""
_SEGMENT_DEGREES: Final = 0.1
"""Largest length of straight segments, in degrees, for the conversion to a plane."""
_SNAP_SHARE: Final = 0.95
"""Largest distance of a city from a line, in snapping distances, with a margin for added vertices."""
_MI_PER_CITY: Final = 60.0
"""Miles of line for each city."""
_FEWEST_CITIES: Final = 6
_MOST_CITIES: Final = 60
_STEPS_PER_CITY: Final = 4
_TRIP_THOUSANDS: Final = 7.73
"""Average payoff of a trip on boards of this family, in thousands."""
_CITIES_PER_REGION: Final = 12
_COLOURS: Final = ("#f6e0b5", "#cfe3c8")
_PAGE_MM: Final = 420
_MARGIN_MM: Final = 24
_LEGEND_MM: Final = 50
_PRICE_PER_MI: Final = 40
_LEAST_PRICE: Final = 4000
_PRICE_STEP: Final = 500
_PEOPLE_UNIT: Final = 1000


class _NewCity(NamedTuple):
    lon: float
    lat: float
    people: int


class PixelDrawingError(SourceError):
    """The file is a drawing in pixels, which does not say where it lies."""


def import_new_board(space: Workspace, files: Sequence[Path], plan: ImportPlan, board_id: str = "") -> ImportReport:
    """Create a board of lines in degrees.

    Args:
        space: The workspace that gets the board.
        files: The files.
        plan: Settings of the import.
        board_id: The board's id; by default named after the first file.

    Raises:
        PixelDrawingError: A file is a drawing in pixels.
        NoCrsError: A file states no CRS, or its lines lie near known places with the latitude first only.
        SourceError: A file is invalid, or has no lines near a known place.
        WorkspaceError: A board of this name exists, or the name is invalid; also OutputError.
    """
    board_id = board_id or slug(files[0].stem) or "board"
    folder = new_board_folder(space, board_id)
    refuse_unused_options(files, plan.options)
    traced_layers = [choose_keys(read_any(path, name=path.name, options=plan.options), {}) for path in files]
    pixel_files = [layer.file for layer in traced_layers if layer.crs is None]
    if pixel_files:
        raise PixelDrawingError(
            f"{pixel_files[0]}: a drawing in pixels needs a board that says where it lies; make one with "
            "mapkit new NAME --from empty --region COUNTRY, add control_points.csv, and import with --into NAME "
            "--new-railroads"
        )
    keyed_lines = [
        line
        for layer in traced_layers
        for line, key in zip(layer.lines, layer.line_keys, strict=True)
        if key and line.length
    ]
    line_shapes = np.array(keyed_lines, dtype=object)
    if not keyed_lines:
        raise SourceError(
            [note for layer in traced_layers for note in layer.notes]
            or f"{files[0].name}: no lines in it that have a railroad and a length"
        )
    line_shapes = _unwrap_around_middle(line_shapes)
    nearby_places = _find_places_near(line_shapes, files[0].name)
    if not nearby_places:
        swapped_lines = shapely.transform(line_shapes, lambda vertices: vertices[:, ::-1])
        swapped_places = _find_places_near(swapped_lines, files[0].name)
        problem = f"{files[0].name}: no place of the gazetteer lies near its lines"
        if swapped_places:
            found = f"{swapped_places[0].printed_name} ({swapped_places[0].country})"
            raise NoCrsError(
                f"{problem}; with the latitude first they lie near {found}; add --crs {LAT_LON}", suggested_crs=LAT_LON
            )
        raise SourceError(f"{problem}; make a board with mapkit new, and import the lines with --into")
    keyless_mapping = {"": ""} if any("" in layer.line_keys for layer in traced_layers) else None
    plan = replace(plan, new_railroads=True, railroads=keyless_mapping)
    segmented_lines = line_shapes if plan.keep_topology else shapely.segmentize(line_shapes, _SEGMENT_DEGREES)
    cities = _largest_places(segmented_lines, nearby_places)
    package_data, report = _import_into_package(files, plan, _make_package(line_shapes, nearby_places, cities))
    if end_cities := _find_line_ends(package_data, nearby_places, cities):
        cities |= end_cities
        package_data, report = _import_into_package(files, plan, _make_package(line_shapes, nearby_places, cities))
    board_files = {path: text if isinstance(text, bytes) else text.encode() for path, text in package_data.items()}
    make_board(folder, board_id, board_files | {RAILROADS: _price_railroads(package_data)})
    written_paths = tuple(sorted(path.as_posix() for path in folder.rglob("*") if path.is_file()))
    return report.model_copy(update={"written": written_paths})


def _find_places_near(lines: Shapes, file: str) -> tuple[GazetteerPlace, ...]:
    """Return the places of the gazetteer near lines in degrees, the most people first."""
    search_area = shapely.union_all(lines).buffer(_SEARCH_DEGREES)
    search_areas = [shapely.affinity.translate(search_area, xoff=turn) for turn in (-TURN, 0.0, TURN)]
    return places_in(parse_region(area=shapely.union_all(search_areas), called=file))


def _unwrap_around_middle(lines: Shapes) -> Shapes:
    """Return lines without jumps at longitude 180, all within half a turn of their middle."""
    lines = unwrap_lines(lines)
    west_lon = middle_longitude(shapely.get_coordinates(lines)[:, 0].tolist()) - TURN / 2
    line_turns = np.floor((shapely.bounds(lines)[:, 0] - west_lon) / TURN)
    vertices, line_indices = shapely.get_coordinates(lines, return_index=True)
    vertices[:, 0] -= TURN * line_turns[line_indices]
    return np.asarray(shapely.set_coordinates(lines, vertices), dtype=object)


def _import_into_package(
    files: Sequence[Path], plan: ImportPlan, package: Mapping[str, str]
) -> tuple[Files, ImportReport]:
    """Return the files of a package with the lines in it, and the import report."""
    with tempfile.TemporaryDirectory(prefix="mapkit-import-") as folder:
        for path, text in package.items():
            (Path(folder) / path).write_text(text, encoding="utf-8", newline="\n")
        report = import_files(files, into=Path(folder), plan=plan)
        package_data = package_files(Path(folder))
    return package_data, report


def _largest_places(lines: Shapes, places: Sequence[GazetteerPlace]) -> dict[str, _NewCity]:
    """Return the largest places within the snapping distance of a line, well apart, by name."""
    local_plane = Plane.around([(place.lon, place.lat) for place in places])
    place_metres = local_plane.metres([(place.lon, place.lat) for place in places])
    projected_lines = [shapely.LineString(local_plane.metres(shapely.get_coordinates(line))) for line in lines]
    city_count, min_gap_m = _count_cities(lines), _milepost_gap_mi(lines) * METRES_PER_MILE
    reach_m = _SNAP_SHARE * TracingConfig().snap_mi * METRES_PER_MILE
    nearby_indices, _ = shapely.STRtree(projected_lines).query(
        shapely.points(place_metres), predicate="dwithin", distance=reach_m
    )
    city_by_name: dict[str, _NewCity] = {}
    chosen_indices: list[int] = []
    for place_index in np.unique(nearby_indices).tolist():  # in order of population
        place = places[place_index]
        is_far = (
            not chosen_indices
            or np.linalg.norm(place_metres[chosen_indices] - place_metres[place_index], axis=1).min() > min_gap_m
        )
        if len(city_by_name) < city_count and place.printed_name not in city_by_name and is_far:
            chosen_indices.append(place_index)
            city_by_name[place.printed_name] = _NewCity(round(place.lon, 5), round(place.lat, 5), place.population)
    return city_by_name


def _count_cities(lines: Shapes) -> int:
    return min(max(round(_total_miles(lines) / _MI_PER_CITY), _FEWEST_CITIES), _MOST_CITIES)


def _milepost_gap_mi(lines: Shapes) -> int:
    """Return the distance between mileposts, miles."""
    return max(round(_total_miles(lines) / _count_cities(lines) / _STEPS_PER_CITY), 1)


def _total_miles(lines: Shapes) -> float:
    return sum(line_miles([(x, y) for x, y in shapely.get_coordinates(line).tolist()]) for line in lines)


def _find_line_ends(
    current_files: Files, places: Sequence[GazetteerPlace], cities: Mapping[str, _NewCity]
) -> dict[str, _NewCity]:
    """Return the railroad ends off cities, the largest places first, so that each line leads to a destination."""
    document = read_for_placing(current_files)
    neighbours: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for line in document.lines.values():
        for (first_stop, _), (second_stop, _) in pairwise(line.stops):
            neighbours[line.railroad, first_stop].add(second_stop)
            neighbours[line.railroad, second_stop].add(first_stop)
    end_names = {
        name for (_, name), neighbour_names in neighbours.items() if len(neighbour_names) == 1 and name not in cities
    }
    population_by_name = {place.printed_name: place.population for place in places}
    sorted_ends = sorted((-population_by_name.get(name, 0), name) for name in end_names if name in document.places)
    return {
        name: _NewCity(document.places[name].lon, document.places[name].lat, -negative_population)
        for negative_population, name in sorted_ends[: 2 * _MOST_CITIES - len(cities)]
    }


class _NewRegion(NamedTuple):
    name: str
    cities: tuple[str, ...]


def _make_regions(cities: Mapping[str, _NewCity], *, by_lon: bool) -> list[_NewRegion]:
    """Return stripes of equally many cities; more than two are named after their largest city."""
    if not cities:  # the ends of the lines may still become cities
        return [_NewRegion("West" if by_lon else "South", ())]
    region_count = max(math.ceil(len(cities) / _CITIES_PER_REGION), 2)
    west_lon = middle_longitude([city.lon for city in cities.values()]) - TURN / 2
    sorted_names = sorted(
        cities, key=lambda name: ((cities[name].lon - west_lon) % TURN if by_lon else cities[name].lat, name)
    )
    region_parts = [
        tuple(
            sorted_names[
                len(sorted_names) * part_index // region_count : len(sorted_names) * (part_index + 1) // region_count
            ]
        )
        for part_index in range(region_count)
    ]
    region_parts = [region_part for region_part in region_parts if region_part]
    region_names = list(("West", "East") if by_lon else ("South", "North"))
    if len(region_parts) > len(region_names):
        region_names = [
            f"Around {max(region_part, key=lambda name: (cities[name].people, name))}" for region_part in region_parts
        ]
    return [_NewRegion(name, region_part) for name, region_part in zip(region_names, region_parts, strict=False)]


def _make_package(lines: Shapes, places: Sequence[GazetteerPlace], cities: Mapping[str, _NewCity]) -> dict[str, str]:
    """Return a source package without track."""
    west, south, east, north = (float(value) for value in shapely.total_bounds(lines))
    lon_0, lat_0 = ((west + east) / 2 + TURN / 2) % TURN - TURN / 2, (south + north) / 2
    height_ratio = max(north - south, 0.1) / max((east - west) * math.cos(math.radians(lat_0)), 0.1)
    page_height = round(_PAGE_MM * min(max(height_ratio, 0.5), 1.6)) + _LEGEND_MM
    diagonal_miles = line_miles([(west, south), (east, north)])
    regions = _make_regions(cities, by_lon=height_ratio < 1)
    region_by_city = {name: region.name for region in regions for name in region.cities}
    city_rows = [
        (slug(name), name, slug(region_by_city[name]), f"{lon:.5f}", f"{lat:.5f}", "",
         round(math.sqrt(people / _PEOPLE_UNIT)) + 1)
        for name, (lon, lat, people) in sorted(cities.items())
    ]  # fmt: skip
    country_codes = sorted({place.country for place in places})
    config_lines = [
        'title = "Board"',
        'licence = "CC-BY-4.0"',
        'credits = ["Place positions: GeoNames (geonames.org), CC BY 4.0", "Land: Natural Earth, public domain"]',
        "",
        "[projection]",
        'name = "transverse-mercator"',
        f"lat_0 = {lat_0:.1f}",
        f"lon_0 = {lon_0:.1f}",
        "",
        "[page]",
        f"width = {_PAGE_MM}",
        f"height = {page_height}",
        f"margin = {_MARGIN_MM}",
        f"legend = {_LEGEND_MM}",
        "",
        "[gazetteer]",
        f"countries = {json.dumps(country_codes)}",
        "",
        "[spacing]",
        f"gap_mi = {_milepost_gap_mi(lines)}",
        "",
        "[destinations]",
        "solve = true",
        "",
        "[payoffs]",
        'model = "rail"',
        "base = 0",
        f"rail = {max(round(2 * 100 * _TRIP_THOUSANDS / (0.6 * diagonal_miles)) / 2, 0.5):g}",
        "step = 0.5",
    ]
    for region_number, (name, _) in enumerate(regions):
        config_lines += ["", "[[regions]]", f'id = "{slug(name)}"', f"name = {json.dumps(name, ensure_ascii=False)}"]
        config_lines += [f'short = "{name[0] if len(regions) == len(_COLOURS) else f"R{region_number + 1}"}"']
        config_lines += [f'colour = "{_COLOURS[region_number % len(_COLOURS)]}"']
    return {
        "board.toml": "\n".join(config_lines) + "\n",
        "cities.csv": csv_text([("id", "name", "region", "lon", "lat", "milepost", "weight"), *city_rows]),
        RAILROADS: csv_text([("id", "name", "short", "price", "public", "colour", "pattern")]),
    }


def _price_railroads(current_files: Files) -> bytes:
    """Return `railroads.csv` with prices by the miles of track."""
    document = read_for_placing(current_files)
    point_by_name = {name: (place.lon, place.lat) for name, place in document.places.items()}
    point_by_name |= {city.name: (city.lon, city.lat) for city in document.cities.values()}
    miles_by_railroad: defaultdict[str, float] = defaultdict(float)
    for line in document.lines.values():
        known_points = [point_by_name[name] for name, _ in line.stops if name in point_by_name]
        miles_by_railroad[line.railroad] += line_miles(known_points)
    railroad_rows = list(csv.DictReader(io.StringIO(str(current_files[RAILROADS]))))
    for railroad_row in railroad_rows:
        price_steps = round(_PRICE_PER_MI * miles_by_railroad[railroad_row["id"]] / _PRICE_STEP)
        railroad_row["price"] = str(max(_PRICE_STEP * price_steps, _LEAST_PRICE))
    return csv_text([list(railroad_rows[0]), *(list(railroad_row.values()) for railroad_row in railroad_rows)]).encode()
