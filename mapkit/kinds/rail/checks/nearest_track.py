"""Nearest track of a place, and ends of railroads at one place."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Final

from mapkit.core.base import Point
from mapkit.core.geodesy import line_miles
from mapkit.kinds.rail.checks.check import CheckedRails, Link
from mapkit.kinds.rail.model.board import Piece

LAST_SNAP_MI: Final = 50.0
"""`tracing.snap_mi` is not more."""
SAME_PLACE_MI: Final = 0.1
_CELL_DEGREES: Final = 0.01  # latitude of more than `SAME_PLACE_MI`


def find_nearest_track(pieces: Iterable[Piece], at: Point) -> tuple[Piece, float] | None:
    """Return the piece of track nearest to a point `(lon, lat)`, and the miles to it; None without track."""
    longitude_scale = math.cos(math.radians(at[1]))
    best_match: tuple[float, str, Piece, Point] | None = None
    for piece in pieces:
        for line_start, line_end in pairwise(piece.line):
            squared_distance, nearest_point = _project_on_line(line_start, line_end, at, longitude_scale)
            if best_match is None or (squared_distance, piece.id) < best_match[:2]:
                best_match = (squared_distance, piece.id, piece, nearest_point)
    return None if best_match is None else (best_match[2], line_miles((at, best_match[3])))


def _project_on_line(line_start: Point, line_end: Point, point: Point, longitude_scale: float) -> tuple[float, Point]:
    """Return the square of the distance from a straight line in degrees, and the nearest point on it."""
    line_vector = ((line_end[0] - line_start[0]) * longitude_scale, line_end[1] - line_start[1])
    point_vector = ((point[0] - line_start[0]) * longitude_scale, point[1] - line_start[1])
    squared_length = line_vector[0] ** 2 + line_vector[1] ** 2
    share = (
        min(1.0, max(0.0, (line_vector[0] * point_vector[0] + line_vector[1] * point_vector[1]) / squared_length))
        if squared_length
        else 0.0
    )
    squared_distance = (point_vector[0] - share * line_vector[0]) ** 2 + (point_vector[1] - share * line_vector[1]) ** 2
    return squared_distance, (
        line_start[0] + share * (line_end[0] - line_start[0]),
        line_start[1] + share * (line_end[1] - line_start[1]),
    )


def find_line_ends(links: Iterable[Link]) -> list[str]:
    """Return the nodes with exactly one link of a railroad; a loop counts twice."""
    link_counts = Counter(chain.from_iterable((link.a, link.b) for link in links))
    return [ident for ident, link_count in link_counts.items() if link_count == 1]


def find_unjoined_ends(c: CheckedRails) -> Iterator[tuple[str, str, float]]:
    """Yield the end of a railroad, the milepost of another railroad at the same place, and the miles between them.

    Each pair is yielded once; pairs of mileposts of one railroad are left out.
    """
    end_nodes = sorted({*chain.from_iterable(c.of_railroads(find_line_ends).values())})
    mileposts_by_cell: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for milepost in c.board.mileposts:
        mileposts_by_cell[_grid_cell(milepost.lon, milepost.lat)].append(milepost.id)
    reported_pairs: set[frozenset[str]] = set()
    for end_node in end_nodes:
        end_milepost = c.mileposts[end_node]
        x, y = _grid_cell(end_milepost.lon, end_milepost.lat)
        nearby_mileposts = chain.from_iterable(
            mileposts_by_cell.get((x + dx, y + dy), ()) for dx in (-1, 0, 1) for dy in (-1, 0, 1)
        )
        for other_node in sorted(nearby_mileposts):
            end_railroads, other_railroads = (
                {link.railroad for link in c.links_at.get(ident, ())} for ident in (end_node, other_node)
            )
            if (
                not other_railroads
                or end_railroads & other_railroads
                or frozenset((end_node, other_node)) in reported_pairs
            ):
                continue
            other_milepost = c.mileposts[other_node]
            miles = line_miles(((end_milepost.lon, end_milepost.lat), (other_milepost.lon, other_milepost.lat)))
            if miles <= SAME_PLACE_MI:
                reported_pairs.add(frozenset((end_node, other_node)))
                yield end_node, other_node, miles


def _grid_cell(lon: float, lat: float) -> tuple[int, int]:
    return math.floor(lon / _CELL_DEGREES), math.floor(lat / _CELL_DEGREES)
