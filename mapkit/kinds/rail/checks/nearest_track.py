"""Nearest track of a place, and ends of railroads at one place."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

import numpy as np

from mapkit.core.base import Point
from mapkit.core.geodesy import line_miles
from mapkit.kinds.rail.checks.check import CheckedRails, Link
from mapkit.kinds.rail.model.board import Piece

LAST_SNAP_MI: Final = 50.0
"""`tracing.snap_mi` is not more."""
SAME_PLACE_MI: Final = 0.1
_CELL_DEGREES: Final = 0.01  # latitude of more than `SAME_PLACE_MI`


class TrackFinder:
    """Finder of the piece of track nearest to a point."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self._pieces = sorted(pieces, key=lambda piece: piece.id)
        part_counts = [len(piece.line) - 1 for piece in self._pieces]
        self._piece_of_part = np.repeat(np.arange(len(self._pieces)), part_counts)
        self._starts, self._ends = (
            np.array([point for piece in self._pieces for point in piece.line[of_line]]).reshape(-1, 2)
            for of_line in (slice(-1), slice(1, None))
        )
        self._pieces_at: defaultdict[str, list[int]] = defaultdict(list)
        for n, piece in enumerate(self._pieces):
            self._pieces_at[piece.a].append(n)
            self._pieces_at[piece.b].append(n)

    def nearest(self, at: Point, *, apart_from: str = "") -> tuple[Piece, float] | None:
        """Return the piece nearest to a point `(lon, lat)`, and the miles to it; None without track.

        Args:
            at: The point.
            apart_from: A milepost; pieces that end there are left out.
        """
        scale = np.array([math.cos(math.radians(at[1])), 1.0])
        vectors, offsets = (self._ends - self._starts) * scale, (at - self._starts) * scale
        squared_lengths = (vectors**2).sum(axis=1)
        shares = np.clip((vectors * offsets).sum(axis=1) / np.where(squared_lengths, squared_lengths, 1.0), 0.0, 1.0)
        squared_distances = ((offsets - shares[:, None] * vectors) ** 2).sum(axis=1)
        squared_distances[np.isin(self._piece_of_part, self._pieces_at.get(apart_from, ()))] = np.inf
        if not np.isfinite(squared_distances).any():
            return None
        n = int(np.argmin(squared_distances))
        lon, lat = (self._starts[n] + shares[n] * (self._ends[n] - self._starts[n])).tolist()
        return self._pieces[self._piece_of_part[n]], line_miles((at, (lon, lat)))


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
