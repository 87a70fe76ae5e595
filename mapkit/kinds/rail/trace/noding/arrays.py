"""Arrays of chains: the lines to be noded as one array of vertices, and the events that cut them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

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
    dx: Floats  # from each vertex to the next; nothing after the last of a chain
    dy: Floats
    arc: Floats  # length of all before each vertex; only differences within a chain mean anything
    of_vertex: NDArray[np.int32]

    @property
    def lengths(self) -> Floats:
        """The length of each chain."""
        return self.arc[self.last] - self.arc[self.first]


@dataclass(frozen=True)
class Events:
    """Places on chains where a node may be: after the share `frac` of a segment.

    `rank` says how well the place is known: 0 a crossing or a line that another one ends at, 1 the end of a chain.
    """

    seg: Ints
    frac: Floats
    xy: Floats
    chain: Ints
    rank: Ints


@dataclass(frozen=True)
class PinOwners:
    """Which lines a pin may join: those of its railroads.

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
        pairs = [(pin, code) for pin, codes in enumerate(railroads) for code in sorted(codes)]
        return cls(
            np.array([not codes for codes in railroads], dtype=bool), np.array(pairs, dtype=np.int64).reshape(-1, 2)
        )

    def together(self, place: Ints, places: int) -> "PinOwners":
        """Return the owners of places, each of several pins: all that any of them allows."""
        everybody = np.zeros(places, dtype=bool)
        everybody[place[self.everybody]] = True
        pairs = np.column_stack((place[self.pairs[:, 0]], self.pairs[:, 1]))
        return PinOwners(everybody, np.unique(pairs[~everybody[pairs[:, 0]]], axis=0))

    def allow(self, pin: Ints, code: Ints) -> Bools:
        """Return whether each pin may join a line of the railroad."""
        if not len(self.pairs):
            return self.everybody[pin]
        low = min(int(self.pairs[:, 1].min()), int(code.min(initial=0)))
        wide = max(int(self.pairs[:, 1].max()), int(code.max(initial=0))) - low + 1
        own: Bools = np.isin(pin * wide + code - low, self.pairs[:, 0] * wide + self.pairs[:, 1] - low)
        return self.everybody[pin] | own

    def apart(self, one: int, other: int) -> bool:
        """Return whether no line can join both pins."""
        if self.everybody[one] or self.everybody[other]:
            return False
        codes = [set(self.pairs[self.pairs[:, 0] == pin, 1].tolist()) for pin in (one, other)]
        return codes[0].isdisjoint(codes[1])


def number_places(xy: Floats) -> Ints:
    """Return for each place the number of the distinct place that it is, counted by x, then y."""
    return number_rows(number_rows(xy[:, 0]) * len(xy) + number_rows(xy[:, 1]))


def to_lines(xy: Floats) -> Shapes:
    """Return LineStrings of as many vertices each: shape (n, vertices, 2)."""
    lines: Shapes = np.asarray(shapely.linestrings(xy), dtype=np.object_)
    return lines


@dataclass(frozen=True)
class Strides:
    """Vertices of chains one after another, and the way from each to the next one, as columns; the last has none."""

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
        return cls(x, y, dx, dy, norms(dx, dy))


def norms(x: Floats, y: Floats) -> Floats:
    """Return the lengths of vectors; `numpy.hypot` takes five times as long, for sizes that no map has."""
    out: Floats = x * x
    out += y * y
    return np.sqrt(out, out=out)


def make_chains(xy: Floats, strides: Strides, counts: Ints, railroad: Ints, source: Ints) -> Chains:
    """Return chains of `counts` vertices each, all at least two."""
    last = np.cumsum(counts) - 1
    arc = np.zeros(len(xy))
    np.cumsum(strides.size, out=arc[1:])
    return Chains(
        xy=xy,
        x=strides.x,
        y=strides.y,
        first=last - counts + 1,
        last=last,
        railroad=railroad,
        source=source,
        dx=strides.dx,
        dy=strides.dy,
        arc=arc,
        of_vertex=np.repeat(np.arange(len(counts), dtype=np.int32), counts),
    )


def place_events(chains: Chains, seg: Ints, frac: Floats, rank: int) -> Events:
    """Return events with their coordinates; exactly a vertex's at the ends of a segment."""
    start, end = chains.xy.take(seg, axis=0), chains.xy.take(seg + 1, axis=0)
    xy = start + frac[:, None] * (end - start)
    xy = np.where((frac == 1)[:, None], end, xy)
    return Events(seg=seg, frac=frac, xy=xy, chain=chains.of_vertex[seg].astype(np.int64), rank=np.full(len(seg), rank))


def join_events(*parts: Events) -> Events:
    """Return all events as one."""
    return Events(
        *(np.concatenate([_field(p, name) for p in parts]) for name in ("seg", "frac", "xy", "chain", "rank"))
    )


def _field(events: Events, name: str) -> NDArray[Any]:
    values: NDArray[Any] = getattr(events, name)
    return values
