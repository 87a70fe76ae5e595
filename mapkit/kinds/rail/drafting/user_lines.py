"""Lines that an author gives for a draft, as ways between stops: cut where they meet, joined, and simplified."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core.errors import ChoiceError, SourceError
from mapkit.core.neighbours import find_pairs_among
from mapkit.formats.lines.any_file import read_any
from mapkit.formats.lines.features import ImportOptions
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.drafting.ground import Ground
from mapkit.kinds.rail.drafting.plane import Floats, Ints, Plane, Shapes
from mapkit.kinds.rail.drafting.stops import Stops
from mapkit.kinds.rail.drafting.ways import Net, components

_AROUND: Final = 0.2
"""Degrees around lines that are the region where none is named."""
_GRID: Final = 0.04
"""Distances of stops to which ends of lines are put together."""
_JOIN: Final = 0.3
"""And across which a line that ends is joined to the next one."""
_APART: Final = 0.7
"""Distances of stops from vertex to vertex along a line at the most."""
_STRAIGHT: Final = 0.12
"""And by which a simplified line may leave its vertices out."""
_REACH: Final = 0.7
"""And within which a place is at a line."""
_SAME: Final = 1e-3
"""Miles within which two points are one."""


@dataclass(frozen=True)
class GivenLines:
    """Lines of a file.

    Attributes:
        file: Its name, for messages.
        shapes: LineStrings, degrees.
    """

    file: str
    shapes: Shapes

    @property
    def area(self) -> BaseGeometry:
        """Return the area around them, degrees."""
        return shapely.union_all(self.shapes).convex_hull.buffer(_AROUND)


def read_given(path: Path, name: str) -> GivenLines:
    """Return the lines of a file of geodata.

    Args:
        path: Of the file.
        name: What the author calls it.

    Raises:
        SourceError: It is not geodata, or it has no lines.
        WorkspaceError: It is missing.
    """
    layer = read_any(path, name=name, options=ImportOptions(plain=True))
    if layer.crs is None:
        raise SourceError(f"{name}: a drawing has no degrees; give lines as GeoJSON, GeoPackage, Shapefile or KML")
    if not len(layer.lines):
        raise SourceError(f"{name}: no lines; give the rail lines of the region, or leave --lines out")
    return GivenLines(name, layer.lines)


def lay_given(
    given: GivenLines, plane: Plane, ground: Ground, places: Sequence[GazetteerPlace], apart: float, called: str
) -> tuple[Stops, Net]:
    """Return the stops and ways that lines give; only the part of them where most people live, in one piece.

    Args:
        given: The lines.
        plane: The plane.
        ground: The ground.
        places: The places of the region, the most people first.
        apart: How far stops are apart, miles.
        called: The region, for messages.

    Raises:
        ChoiceError: No line lies in the region.
    """
    lines = _on_plane(given, plane, ground)
    if not len(lines):
        raise ChoiceError(
            f"{given.file}: no line of it lies in {called}; give lines of the region, or name the region of the lines"
        )
    edges = _joined(_noded(lines, apart * _GRID), apart * _JOIN)
    at, ends = _vertices(edges, apart)
    found, at = _placed(plane, at, places, apart * _REACH)
    miles, _, cost = ground.along(at[ends[:, 0]], at[ends[:, 1]])
    group = components(ends, len(at))
    people = np.bincount(group, weights=[0 if one is None else 1 + one.population for one in found])
    kept = group[ends[:, 0]] == int(people.argmax())
    reached = frozenset(np.unique(ends[kept]).tolist())
    return Stops(at, found, apart), Net(ends[kept], miles[kept], (miles * cost)[kept], frozenset(), reached)


def _on_plane(given: GivenLines, plane: Plane, ground: Ground) -> Shapes:
    """Return the parts of lines on the ground, miles."""
    rows, columns = ground.dry.shape
    box = shapely.box(
        ground.left, ground.bottom, ground.left + columns * ground.cell, ground.bottom + rows * ground.cell
    )
    corners = plane.to_degrees(np.array(box.segmentize(ground.cell * 40).exterior.coords))
    west, east = (float(edge(plane.turned(corners[:, 0]))) for edge in (np.min, np.max))
    south, north = float(corners[:, 1].min()), float(corners[:, 1].max())
    left, bottom, right, top = shapely.bounds(given.shapes).T
    near = np.zeros(len(given.shapes), np.bool_)
    for turn in (-360.0, 0.0, 360.0):
        near |= (left + turn <= east) & (right + turn >= west) & (bottom <= north) & (top >= south)
    if not near.any():
        return given.shapes[:0]
    moved = shapely.transform(given.shapes[near], plane.to_plane)
    parts = shapely.get_parts(shapely.intersection(moved, box))
    parts = parts[shapely.get_type_id(parts) == 1]
    found: Shapes = parts[shapely.length(parts) > _SAME]
    return found


def _noded(lines: Shapes, grid: float) -> list[Floats]:
    """Return lines cut where they meet, ends near each other put together."""
    whole = shapely.get_parts(shapely.line_merge(shapely.union_all(lines, grid_size=grid)))
    return [np.asarray(shapely.get_coordinates(one)) for one in whole if shapely.length(one) > _SAME]


def _joined(edges: list[Floats], reach: float) -> list[Floats]:
    """Return lines with short ones that lead from ends of lines to the nearest other line."""
    count: dict[tuple[float, float], int] = defaultdict(int)
    for edge in edges:
        for x, y in (edge[0].tolist(), edge[-1].tolist()):
            count[x, y] += 1
    shapes = np.array([shapely.linestrings(edge) for edge in edges], dtype=object)
    tree = shapely.STRtree(shapes)
    links = []
    for end in sorted(end for end, many in count.items() if many == 1):
        point = shapely.points(end)
        near = tree.query(point, predicate="dwithin", distance=reach).tolist()
        own = {k for k in near if shapely.distance(shapes[k], point) <= _SAME}
        other = [(round(float(shapely.distance(shapes[k], point)), 6), k) for k in near if k not in own]
        if other:
            links.append(shapely.shortest_line(point, shapes[min(other)[1]]))
    if not links:
        return edges
    grown = shapely.union_all([*shapes, *links], grid_size=min(reach / 50, 0.01))
    return [np.asarray(shapely.get_coordinates(one)) for one in shapely.get_parts(shapely.line_merge(grown))]


def _vertices(edges: Sequence[Floats], apart: float) -> tuple[Floats, Ints]:
    """Return the vertices of simplified lines, and the two of each way."""
    number: dict[tuple[float, float], int] = {}
    ways: set[tuple[int, int]] = set()
    for edge in edges:
        plain = shapely.simplify(shapely.linestrings(edge), apart * _STRAIGHT, preserve_topology=False)
        fine = np.round(shapely.get_coordinates(shapely.segmentize(plain, apart * _APART)), 4)
        stops = [number.setdefault((x, y), len(number)) for x, y in fine.tolist()]
        ways.update((min(pair), max(pair)) for pair in pairwise(stops) if pair[0] != pair[1])
    return np.array(list(number), dtype=np.float64), np.array(sorted(ways), dtype=np.int64).reshape(-1, 2)


def _placed(
    plane: Plane, at: Floats, places: Sequence[GazetteerPlace], reach: float
) -> tuple[tuple[GazetteerPlace | None, ...], Floats]:
    """Return the place at each vertex, and the vertices moved to their places: each goes to the nearest free one.

    Of places that are near each other, only the largest gets a vertex.
    """
    spots = plane.to_plane(np.array([(one.lon, one.lat) for one in places]))
    tree = shapely.STRtree(np.array(shapely.points(at), dtype=object))
    numbers, near = tree.query(shapely.points(spots), predicate="dwithin", distance=reach)
    far = np.hypot(*(spots[numbers] - at[near]).T)
    close: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for number, vertex, long in zip(numbers.tolist(), near.tolist(), np.round(far, 6).tolist(), strict=True):
        close[number].append((long, vertex))
    crowded: dict[int, set[int]] = defaultdict(set)
    for one, other in zip(*(pair.tolist() for pair in find_pairs_among(spots, reach)), strict=True):
        crowded[max(one, other)].add(min(one, other))
    found: dict[int, GazetteerPlace] = {}
    moved = at.copy()
    taken: set[int] = set()
    for number in sorted(close):
        if crowded[number] & taken:
            continue
        vertex = min(close[number])[1]
        if vertex not in found:
            found[vertex] = places[number]
            moved[vertex] = spots[number]
            taken.add(number)
    return tuple(found.get(vertex) for vertex in range(len(at))), moved
