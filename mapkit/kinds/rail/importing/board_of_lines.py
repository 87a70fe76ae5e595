"""A new board made of files of lines alone: its railroads are their keys, its cities the largest places beside them."""

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
from mapkit.document.boards import free_folder, make_board
from mapkit.document.package import Files
from mapkit.document.workspace import Workspace
from mapkit.formats.degrees import TURN, unwrap_lines
from mapkit.formats.lines.any_file import read_any
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.geography.region import middle_longitude, name_region, places_in
from mapkit.kinds.rail.importing.files import ImportPlan, import_files
from mapkit.kinds.rail.importing.older import package_files, read_for_placing
from mapkit.kinds.rail.model.import_report import ImportReport
from mapkit.kinds.rail.model.source import TracingConfig
from mapkit.kinds.rail.sources.table_files import RAILROADS
from mapkit.kinds.rail.trace.naming import place_name
from mapkit.kinds.rail.trace.noding.arrays import Shapes
from mapkit.kinds.rail.trace.plane import Plane

_AROUND: Final = 0.3
"""Degrees around lines in which places are looked for."""
_STRAIGHT: Final = 0.1
"""Degrees in which a line in degrees is straight on a plane too."""
_NEAR: Final = 0.95
"""In snapping distances: how near a city is to a line, wherever that gets vertices."""
_CITY_MI: Final = 60.0
"""Miles of line for each city."""
_FEWEST_CITIES: Final = 6
_MOST_CITIES: Final = 60
_STEPS_PER_CITY: Final = 4
_TRIP_PAYS: Final = 7.73
"""Thousands that a trip pays on boards of this family, on average."""
_REGION_CITIES: Final = 12
_COLOURS: Final = ("#f6e0b5", "#cfe3c8")
_PAGE_MM: Final = 420
_MARGIN_MM: Final = 24
_LEGEND_MM: Final = 50
_MILE_PRICE: Final = 40
_LEAST_PRICE: Final = 4000
_PRICE_STEP: Final = 500
_PEOPLE: Final = 1000


class _City(NamedTuple):
    lon: float
    lat: float
    people: int


def import_new_board(space: Workspace, files: Sequence[Path], plan: ImportPlan) -> ImportReport:
    """Make a board of lines in degrees, named after the first file.

    Args:
        space: The workspace that gets the board.
        files: The files.
        plan: How they are read.

    Raises:
        SourceError: A file cannot be used, is a drawing in pixels, or has no lines near a known place.
        WorkspaceError: There is a board of this name, or none may have it; likewise OutputError.
    """
    name = slug(files[0].stem) or "board"
    folder = free_folder(space, name)
    layers = [read_any(path, name=path.name, options=plan.options) for path in files]
    drawings = [layer.file for layer in layers if layer.crs is None]
    if drawings:
        raise SourceError(
            f"{drawings[0]}: a drawing in pixels needs a board that says where it lies; make one with mapkit new, add "
            "control_points.csv, and import with --into"
        )
    keyed = [
        line for layer in layers for line, key in zip(layer.lines, layer.line_keys, strict=True) if key and line.length
    ]
    lines = np.array(keyed, dtype=object)
    if not keyed:
        raise SourceError(
            [note for layer in layers for note in layer.notes]
            or f"{files[0].name}: no lines in it that have a railroad and a length"
        )
    lines = _turned_lines(lines)
    around = shapely.union_all(lines).buffer(_AROUND)
    turned = [shapely.affinity.translate(around, xoff=turn) for turn in (-TURN, 0.0, TURN)]
    places = places_in(name_region(area=shapely.union_all(turned), called=files[0].name))
    if not places:
        raise SourceError(
            f"{files[0].name}: no place of the gazetteer lies near its lines; make a board with mapkit new, and "
            "import the lines with --into"
        )
    keyless = {"": ""} if any("" in layer.line_keys for layer in layers) else None
    plan = replace(plan, new_railroads=True, railroads=keyless)
    straight = lines if plan.keep_topology else shapely.segmentize(lines, _STRAIGHT)
    cities = _largest_places(straight, places)
    made, report = _imported(files, plan, _package(lines, places, cities))
    if ends := _ends(made, places, cities):
        cities |= ends
        made, report = _imported(files, plan, _package(lines, places, cities))
    data = {path: text if isinstance(text, bytes) else text.encode() for path, text in made.items()}
    make_board(folder, name, data | {RAILROADS: _with_prices(made)})
    written = tuple(sorted(path.as_posix() for path in folder.rglob("*") if path.is_file()))
    return report.model_copy(update={"written": written})


def _turned_lines(lines: Shapes) -> Shapes:
    """Return lines without jumps at longitude 180, all within half a turn of their middle."""
    lines = unwrap_lines(lines)
    west = middle_longitude(shapely.get_coordinates(lines)[:, 0].tolist()) - TURN / 2
    turns = np.floor((shapely.bounds(lines)[:, 0] - west) / TURN)
    vertices, of = shapely.get_coordinates(lines, return_index=True)
    vertices[:, 0] -= TURN * turns[of]
    return np.asarray(shapely.set_coordinates(lines, vertices), dtype=object)


def _imported(files: Sequence[Path], plan: ImportPlan, package: Mapping[str, str]) -> tuple[Files, ImportReport]:
    """Return the files of a package with the lines in it, and what importing them says."""
    with tempfile.TemporaryDirectory(prefix="mapkit-import-") as folder:
        for path, text in package.items():
            (Path(folder) / path).write_text(text, encoding="utf-8", newline="\n")
        report = import_files(files, into=Path(folder), plan=plan)
        made = package_files(Path(folder))
    return made, report


def _largest_places(lines: Shapes, places: Sequence[GazetteerPlace]) -> dict[str, _City]:
    """Return the largest places within the snapping distance of a line, well apart, by name."""
    plane = Plane.around([(place.lon, place.lat) for place in places])
    metres = plane.metres([(place.lon, place.lat) for place in places])
    moved = [shapely.LineString(plane.metres(shapely.get_coordinates(line))) for line in lines]
    most, apart = _city_number(lines), _gap_mi(lines) * METRES_PER_MILE
    reach = _NEAR * TracingConfig().snap_mi * METRES_PER_MILE
    near, _ = shapely.STRtree(moved).query(shapely.points(metres), predicate="dwithin", distance=reach)
    out: dict[str, _City] = {}
    chosen: list[int] = []
    for number in np.unique(near).tolist():  # the most people first
        place = places[number]
        far = not chosen or np.linalg.norm(metres[chosen] - metres[number], axis=1).min() > apart
        if len(out) < most and place_name(place) not in out and far:
            chosen.append(number)
            out[place_name(place)] = _City(round(place.lon, 5), round(place.lat, 5), place.population)
    return out


def _city_number(lines: Shapes) -> int:
    return min(max(round(_miles(lines) / _CITY_MI), _FEWEST_CITIES), _MOST_CITIES)


def _gap_mi(lines: Shapes) -> int:
    """Return the distance between mileposts, miles."""
    return max(round(_miles(lines) / _city_number(lines) / _STEPS_PER_CITY), 1)


def _miles(lines: Shapes) -> float:
    return sum(line_miles([(x, y) for x, y in shapely.get_coordinates(line).tolist()]) for line in lines)


def _ends(made: Files, places: Sequence[GazetteerPlace], cities: Mapping[str, _City]) -> dict[str, _City]:
    """Return the mileposts off cities at which a railroad ends, the most people first: trains need a reason to go."""
    document = read_for_placing(made)
    beside: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for line in document.lines.values():
        for (one, _), (other, _) in pairwise(line.stops):
            beside[line.railroad, one].add(other)
            beside[line.railroad, other].add(one)
    ends = {name for (_, name), others in beside.items() if len(others) == 1 and name not in cities}
    people = {place_name(place): place.population for place in places}
    found = sorted((-people.get(name, 0), name) for name in ends if name in document.places)
    return {
        name: _City(document.places[name].lon, document.places[name].lat, -number)
        for number, name in found[: 2 * _MOST_CITIES - len(cities)]
    }


class _Region(NamedTuple):
    name: str
    cities: tuple[str, ...]


def _regions(cities: Mapping[str, _City], *, by_lon: bool) -> list[_Region]:
    """Return stripes of equally many cities; more than two are called after their largest."""
    number = max(math.ceil(len(cities) / _REGION_CITIES), 2)
    west = middle_longitude([city.lon for city in cities.values()]) - TURN / 2
    order = sorted(cities, key=lambda name: ((cities[name].lon - west) % TURN if by_lon else cities[name].lat, name))
    parts = [tuple(order[len(order) * k // number : len(order) * (k + 1) // number]) for k in range(number)]
    parts = [part for part in parts if part]
    names = list(("West", "East") if by_lon else ("South", "North"))
    if len(parts) > len(names):
        names = [f"Around {max(part, key=lambda name: (cities[name].people, name))}" for part in parts]
    return [_Region(name, part) for name, part in zip(names, parts, strict=False)]


def _package(lines: Shapes, places: Sequence[GazetteerPlace], cities: Mapping[str, _City]) -> dict[str, str]:
    """Return a source package without track."""
    west, south, east, north = (float(value) for value in shapely.total_bounds(lines))
    lon_0, lat_0 = ((west + east) / 2 + TURN / 2) % TURN - TURN / 2, (south + north) / 2
    shape = max(north - south, 0.1) / max((east - west) * math.cos(math.radians(lat_0)), 0.1)
    height = round(_PAGE_MM * min(max(shape, 0.5), 1.6)) + _LEGEND_MM
    diagonal = line_miles([(west, south), (east, north)])
    regions = _regions(cities, by_lon=shape < 1)
    region_of = {name: region.name for region in regions for name in region.cities}
    rows = [
        (slug(name), name, slug(region_of[name]), f"{lon:.5f}", f"{lat:.5f}", "",
         round(math.sqrt(people / _PEOPLE)) + 1)
        for name, (lon, lat, people) in sorted(cities.items())
    ]  # fmt: skip
    countries = sorted({place.country for place in places})
    config = [
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
        f"height = {height}",
        f"margin = {_MARGIN_MM}",
        f"legend = {_LEGEND_MM}",
        "",
        "[gazetteer]",
        f"countries = {json.dumps(countries)}",
        "",
        "[spacing]",
        f"gap_mi = {_gap_mi(lines)}",
        "",
        "[destinations]",
        "solve = true",
        "",
        "[payoffs]",
        'model = "rail"',
        "base = 0",
        f"rail = {max(round(2 * 100 * _TRIP_PAYS / (0.6 * diagonal)) / 2, 0.5):g}",
        "step = 0.5",
    ]
    for number, (name, _) in enumerate(regions):
        config += ["", "[[regions]]", f'id = "{slug(name)}"', f"name = {json.dumps(name, ensure_ascii=False)}"]
        config += [f'short = "{name[0] if len(regions) == len(_COLOURS) else f"R{number + 1}"}"']
        config += [f'colour = "{_COLOURS[number % len(_COLOURS)]}"']
    return {
        "board.toml": "\n".join(config) + "\n",
        "cities.csv": csv_text([("id", "name", "region", "lon", "lat", "milepost", "weight"), *rows]),
        RAILROADS: csv_text([("id", "name", "short", "price", "public", "colour", "pattern")]),
    }


def _with_prices(made: Files) -> bytes:
    """Return `railroads.csv` with prices by the miles of track."""
    document = read_for_placing(made)
    at = {name: (place.lon, place.lat) for name, place in document.places.items()}
    at |= {city.name: (city.lon, city.lat) for city in document.cities.values()}
    miles: defaultdict[str, float] = defaultdict(float)
    for line in document.lines.values():
        known = [at[name] for name, _ in line.stops if name in at]
        miles[line.railroad] += line_miles(known)
    rows = list(csv.DictReader(io.StringIO(str(made[RAILROADS]))))
    for row in rows:
        steps = round(_MILE_PRICE * miles[row["id"]] / _PRICE_STEP)
        row["price"] = str(max(_PRICE_STEP * steps, _LEAST_PRICE))
    return csv_text([list(rows[0]), *(list(row.values()) for row in rows)]).encode()
