"""Arrays of chains: the lines to be noded as one array of vertices, and the events that cut them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.arrays import number_rows

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Shapes = NDArray[np.object_]

NO_INTS: Ints = np.empty(0, dtype=np.int64)
NO_XY: Floats = np.empty((0, 2), dtype=np.float64)


@dataclass(frozen=True)
class Chains:
    """Lines as vertices: chain `c` has the vertices `first[c]` to `last[c]`, both included.

    The segment from vertex `v` to `v + 1` has the number `v`; the last vertex of a chain starts none.
    """

    xy: Floats
    x: Floats
    y: Floats
    first: Ints
    last: Ints
    railroad: Ints
    source: Ints
    dx: Floats  # from each vertex to the next; undefined for the last vertex of a chain
    dy: Floats
    arc: Floats  # length of all before each vertex; only differences within a chain mean anything
    of_vertex: NDArray[np.int32]

    @property
    def lengths(self) -> Floats:
        """Length of each chain."""
        return self.arc[self.last] - self.arc[self.first]


@dataclass(frozen=True)
class Events:
    """Candidate places of nodes on chains: after the share `frac` of a segment.

    `rank` is the precision of its place: 0 a crossing or a line at which another one ends, 1 the end of a chain.
    """

    seg: Ints
    frac: Floats
    xy: Floats
    chain: Ints
    rank: Ints


@dataclass(frozen=True)
class PinOwners:
    """Railroads with lines that each pin may join.

    Attributes:
        everybody: For each pin, whether it is for lines of every railroad.
        pairs: Pin and railroad of every pin that is not, shape (n, 2).
    """

    everybody: Bools
    pairs: Ints

    @classmethod
    def of(cls, railroads: Sequence[Collection[int]] | None, pins: int) -> "PinOwners":
        """Return the owners of pins; a pin without railroads is for all.

        Raises:
            ValueError: There are not as many as pins.
        """
        if railroads is None:
            return cls(np.ones(pins, dtype=bool), np.empty((0, 2), dtype=np.int64))
        if len(railroads) != pins:
            raise ValueError(f"{pins} pins, but {len(railroads)} owners")
        pin_pairs = [(pin, code) for pin, codes in enumerate(railroads) for code in sorted(codes)]
        return cls(
            np.array([not codes for codes in railroads], dtype=bool), np.array(pin_pairs, dtype=np.int64).reshape(-1, 2)
        )

    def together(self, place: Ints, places: int) -> "PinOwners":
        """Return the owners of places, each of several pins: all that any of them allows."""
        for_everybody = np.zeros(places, dtype=bool)
        for_everybody[place[self.everybody]] = True
        place_pairs = np.column_stack((place[self.pairs[:, 0]], self.pairs[:, 1]))
        return PinOwners(for_everybody, np.unique(place_pairs[~for_everybody[place_pairs[:, 0]]], axis=0))

    def allow(self, pin: Ints, code: Ints) -> Bools:
        """Return whether each pin may join a line of the railroad."""
        if not len(self.pairs):
            return self.everybody[pin]
        lowest_code = min(int(self.pairs[:, 1].min()), int(code.min(initial=0)))
        code_range = max(int(self.pairs[:, 1].max()), int(code.max(initial=0))) - lowest_code + 1
        is_own: Bools = np.isin(
            pin * code_range + code - lowest_code, self.pairs[:, 0] * code_range + self.pairs[:, 1] - lowest_code
        )
        return self.everybody[pin] | is_own

    def apart(self, one: int, other: int) -> bool:
        """Return whether no line can join both pins."""
        if self.everybody[one] or self.everybody[other]:
            return False
        railroad_codes = [set(self.pairs[self.pairs[:, 0] == pin, 1].tolist()) for pin in (one, other)]
        return railroad_codes[0].isdisjoint(railroad_codes[1])


def number_places(xy: Floats) -> Ints:
    """Number the distinct places by x, then y, and return the number of each place."""
    return number_rows(number_rows(xy[:, 0]) * len(xy) + number_rows(xy[:, 1]))


def to_lines(xy: Floats) -> Shapes:
    """Return LineStrings of as many vertices each: shape (n, vertices, 2)."""
    lines: Shapes = np.asarray(shapely.linestrings(xy), dtype=np.object_)
    return lines


@dataclass(frozen=True)
class Strides:
    """Vertices of chains one after another, with the step from each to the next; the last has none."""

    x: Floats
    y: Floats
    dx: Floats
    dy: Floats
    size: Floats

    @classmethod
    def along(cls, xy: Floats) -> "Strides":
        """Return the strides along vertices."""
        x, y = np.ascontiguousarray(xy[:, 0]), np.ascontiguousarray(xy[:, 1])
        dx, dy = x[1:] - x[:-1], y[1:] - y[:-1]
        return cls(x, y, dx, dy, vector_lengths(dx, dy))


def vector_lengths(x: Floats, y: Floats) -> Floats:
    """Return the lengths of vectors, five times as fast as `numpy.hypot`; extreme sizes overflow."""
    squared_lengths: Floats = x * x
    squared_lengths += y * y
    return np.sqrt(squared_lengths, out=squared_lengths)


def make_chains(xy: Floats, strides: Strides, counts: Ints, railroad: Ints, source: Ints) -> Chains:
    """Return chains of `counts` vertices each, all at least two."""
    last_vertices = np.cumsum(counts) - 1
    arc_lengths = np.zeros(len(xy))
    np.cumsum(strides.size, out=arc_lengths[1:])
    return Chains(
        xy=xy,
        x=strides.x,
        y=strides.y,
        first=last_vertices - counts + 1,
        last=last_vertices,
        railroad=railroad,
        source=source,
        dx=strides.dx,
        dy=strides.dy,
        arc=arc_lengths,
        of_vertex=np.repeat(np.arange(len(counts), dtype=np.int32), counts),
    )


def place_events(chains: Chains, seg: Ints, frac: Floats, rank: int) -> Events:
    """Return events with their coordinates, exactly those of a vertex at the ends of a segment."""
    start_xy, end_xy = chains.xy.take(seg, axis=0), chains.xy.take(seg + 1, axis=0)
    event_xy = start_xy + frac[:, None] * (end_xy - start_xy)
    event_xy = np.where((frac == 1)[:, None], end_xy, event_xy)
    return Events(
        seg=seg, frac=frac, xy=event_xy, chain=chains.of_vertex[seg].astype(np.int64), rank=np.full(len(seg), rank)
    )


def join_events(*parts: Events) -> Events:
    """Return all events as one."""
    return Events(
        *(
            np.concatenate([getattr(event_part, field_name) for event_part in parts])
            for field_name in ("seg", "frac", "xy", "chain", "rank")
        )
    )
