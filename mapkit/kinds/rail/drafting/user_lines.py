"""Lines given by the author of a draft, as ways between stops: noded, joined and simplified."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core.arrays import lowest_members
from mapkit.core.errors import ChoiceError, SourceError
from mapkit.core.neighbours import find_pairs_among
from mapkit.formats.lines.any_file import read_any
from mapkit.formats.lines.features import ImportOptions
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.drafting.ground import Ground
from mapkit.kinds.rail.drafting.plane import Floats, Ints, Plane, Shapes
from mapkit.kinds.rail.drafting.stops import Stops
from mapkit.kinds.rail.drafting.ways import WayNet

_MARGIN_DEG: Final = 0.2
"""Degrees around lines that are the region where none is named."""
_SNAP_DISTANCE: Final = 0.04
"""Distances of stops to which ends of lines are put together."""
_JOIN_DISTANCE: Final = 0.3
"""And across which a line that ends is joined to the next one."""
_VERTEX_DISTANCE: Final = 0.7
"""Distances of stops from vertex to vertex along a line at the most."""
_SIMPLIFY_DISTANCE: Final = 0.12
"""And by which a simplified line may leave its vertices out."""
_PLACE_DISTANCE: Final = 0.7
"""And within which a place is at a line."""
_SAME_POINT_MI: Final = 1e-3
"""Miles within which two points are one."""


@dataclass(frozen=True)
class UserLines:
    """Lines of a file.

    Attributes:
        file: Its name, for messages.
        shapes: LineStrings, degrees.
    """

    file: str
    shapes: Shapes

    @property
    def area(self) -> BaseGeometry:
        """Return the area around the lines, degrees."""
        return shapely.union_all(self.shapes).convex_hull.buffer(_MARGIN_DEG)


def read_user_lines(path: Path, name: str) -> UserLines:
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
        raise SourceError(
            f"{name}: its coordinates are not in degrees, as it is a drawing; give lines as GeoJSON, GeoPackage, "
            "Shapefile or KML"
        )
    if not len(layer.lines):
        raise SourceError(f"{name}: no lines; give the rail lines of the region, or leave --lines out")
    return UserLines(name, layer.lines)


def lay_user_lines(
    given: UserLines, plane: Plane, ground: Ground, places: Sequence[GazetteerPlace], apart: float, called: str
) -> tuple[Stops, WayNet]:
    """Return the stops and ways of given lines: only the connected part with the most people.

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
    lines = _clip_to_ground(given, plane, ground)
    if not len(lines):
        raise ChoiceError(
            f"{given.file}: no line of it lies in {called}; give lines of the region, or name the region of the lines"
        )
    edges = _join_loose_ends(_split_at_crossings(lines, apart * _SNAP_DISTANCE), apart * _JOIN_DISTANCE)
    vertices, ends = _make_vertices(edges, apart)
    place_by_vertex, vertices = _place_vertices(plane, vertices, places, apart * _PLACE_DISTANCE)
    miles, _, cost = ground.along(vertices[ends[:, 0]], vertices[ends[:, 1]])
    group_of_vertex = lowest_members(ends, len(vertices))
    people_by_group = np.bincount(
        group_of_vertex, weights=[0 if place is None else 1 + place.population for place in place_by_vertex]
    )
    is_kept = group_of_vertex[ends[:, 0]] == int(people_by_group.argmax())
    reached_stops = frozenset(np.unique(ends[is_kept]).tolist())
    return Stops(vertices, place_by_vertex, apart), WayNet(
        ends[is_kept], miles[is_kept], (miles * cost)[is_kept], frozenset(), reached_stops
    )


def _clip_to_ground(given: UserLines, plane: Plane, ground: Ground) -> Shapes:
    """Return the parts of lines on the ground, miles."""
    rows, columns = ground.dry.shape
    box = shapely.box(
        ground.left, ground.bottom, ground.left + columns * ground.cell, ground.bottom + rows * ground.cell
    )
    corners = plane.to_degrees(np.array(box.segmentize(ground.cell * 40).exterior.coords))
    west, east = (float(edge(plane.turned(corners[:, 0]))) for edge in (np.min, np.max))
    south, north = float(corners[:, 1].min()), float(corners[:, 1].max())
    left, bottom, right, top = shapely.bounds(given.shapes).T
    is_near = np.zeros(len(given.shapes), np.bool_)
    for turn in (-360.0, 0.0, 360.0):
        is_near |= (left + turn <= east) & (right + turn >= west) & (bottom <= north) & (top >= south)
    if not is_near.any():
        return given.shapes[:0]
    projected_lines = shapely.transform(given.shapes[is_near], plane.to_plane)
    parts = shapely.get_parts(shapely.intersection(projected_lines, box))
    parts = parts[shapely.get_type_id(parts) == 1]
    clipped_lines: Shapes = parts[shapely.length(parts) > _SAME_POINT_MI]
    return clipped_lines


def _split_at_crossings(lines: Shapes, grid: float) -> list[Floats]:
    """Return lines split where they meet, with ends near each other merged."""
    merged_lines = shapely.get_parts(shapely.line_merge(shapely.union_all(lines, grid_size=grid)))
    return [np.asarray(shapely.get_coordinates(line)) for line in merged_lines if shapely.length(line) > _SAME_POINT_MI]


def _join_loose_ends(edges: list[Floats], reach: float) -> list[Floats]:
    """Join ends of lines to the nearest other line within reach."""
    ends_at_point: dict[tuple[float, float], int] = defaultdict(int)
    for edge in edges:
        for x, y in (edge[0].tolist(), edge[-1].tolist()):
            ends_at_point[x, y] += 1
    shapes = np.array([shapely.linestrings(edge) for edge in edges], dtype=object)
    tree = shapely.STRtree(shapes)
    joining_lines = []
    for end in sorted(end for end, end_count in ends_at_point.items() if end_count == 1):
        point = shapely.points(end)
        near_lines = tree.query(point, predicate="dwithin", distance=reach).tolist()
        own_lines = {k for k in near_lines if shapely.distance(shapes[k], point) <= _SAME_POINT_MI}
        nearest_lines = [
            (round(float(shapely.distance(shapes[k], point)), 6), k) for k in near_lines if k not in own_lines
        ]
        if nearest_lines:
            joining_lines.append(shapely.shortest_line(point, shapes[min(nearest_lines)[1]]))
    if not joining_lines:
        return edges
    joined_lines = shapely.union_all([*shapes, *joining_lines], grid_size=min(reach / 50, 0.01))
    return [np.asarray(shapely.get_coordinates(line)) for line in shapely.get_parts(shapely.line_merge(joined_lines))]


def _make_vertices(edges: Sequence[Floats], apart: float) -> tuple[Floats, Ints]:
    """Return the vertices of simplified lines, and the two vertices of each way."""
    number_by_point: dict[tuple[float, float], int] = {}
    vertex_pairs: set[tuple[int, int]] = set()
    for edge in edges:
        simplified_line = shapely.simplify(
            shapely.linestrings(edge), apart * _SIMPLIFY_DISTANCE, preserve_topology=False
        )
        vertex_points = np.round(
            shapely.get_coordinates(shapely.segmentize(simplified_line, apart * _VERTEX_DISTANCE)), 4
        )
        stops = [number_by_point.setdefault((x, y), len(number_by_point)) for x, y in vertex_points.tolist()]
        vertex_pairs.update((min(pair), max(pair)) for pair in pairwise(stops) if pair[0] != pair[1])
    return np.array(list(number_by_point), dtype=np.float64), np.array(sorted(vertex_pairs), dtype=np.int64).reshape(
        -1, 2
    )


def _place_vertices(
    plane: Plane, at: Floats, places: Sequence[GazetteerPlace], reach: float
) -> tuple[tuple[GazetteerPlace | None, ...], Floats]:
    """Return the place at each vertex, and vertices moved to their places: each place takes the nearest free vertex.

    Of places that are near each other, only the largest gets a vertex.
    """
    place_points = plane.to_plane(np.array([(place.lon, place.lat) for place in places]))
    tree = shapely.STRtree(np.array(shapely.points(at), dtype=object))
    place_numbers, near_vertices = tree.query(shapely.points(place_points), predicate="dwithin", distance=reach)
    distances_mi = np.hypot(*(place_points[place_numbers] - at[near_vertices]).T)
    vertices_by_place: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for place_number, vertex, distance_mi in zip(
        place_numbers.tolist(), near_vertices.tolist(), np.round(distances_mi, 6).tolist(), strict=True
    ):
        vertices_by_place[place_number].append((distance_mi, vertex))
    near_places: dict[int, set[int]] = defaultdict(set)
    for first_place, second_place in zip(
        *(pair.tolist() for pair in find_pairs_among(place_points, reach)), strict=True
    ):
        near_places[max(first_place, second_place)].add(min(first_place, second_place))
    place_by_vertex: dict[int, GazetteerPlace] = {}
    moved_points = at.copy()
    placed_numbers: set[int] = set()
    for place_number in sorted(vertices_by_place):
        if near_places[place_number] & placed_numbers:
            continue
        vertex = min(vertices_by_place[place_number])[1]
        if vertex not in place_by_vertex:
            place_by_vertex[vertex] = places[place_number]
            moved_points[vertex] = place_points[place_number]
            placed_numbers.add(place_number)
    return tuple(place_by_vertex.get(vertex) for vertex in range(len(at))), moved_points
