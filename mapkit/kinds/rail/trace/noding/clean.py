"""Repairs that need no other line: doubled vertices, spikes, lines of no length."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from mapkit.kinds.rail.trace.noding.arrays import Bools, Chains, Floats, Ints, Shapes, Strides, make_chains

DOUBLED = 0.01  # of the tolerance: two clicks where one was meant
_REVERSAL = -0.999  # cosine of the turn: the line goes back on itself (to 2.6 degrees)
_LOLLIPOP = 5  # vertices up to which a ring that ends as it begins is the same both ways


@dataclass
class Notes:
    """Repairs while they are gathered: kind, place, size, source line."""

    kinds: list[str]
    places: list[Floats]
    sizes: list[Floats]
    sources: list[Ints]

    def add(self, kind: str, xy: Floats, size: Floats, source: Ints) -> None:
        """Note one repair a row of `xy`."""
        if len(xy):
            self.kinds.extend([kind] * len(xy))
            self.places.append(xy)
            self.sizes.append(size)
            self.sources.append(source)

    def take(self, others: "Notes", source: Ints | None = None) -> None:
        """Note all that others have; `source` says what their sources are called here."""
        self.kinds.extend(others.kinds)
        self.places.extend(others.places)
        self.sizes.extend(others.sizes)
        self.sources.extend(others.sources if source is None else [source[rows] for rows in others.sources])

    def rows(self) -> Iterator[tuple[str, float, float, float, int]]:
        """Yield kind, x, y, size, source line."""
        if self.kinds:
            x, y = np.concatenate(self.places).T.tolist()
            yield from zip(
                self.kinds,
                x,
                y,
                np.concatenate(self.sizes).tolist(),
                np.concatenate(self.sources).tolist(),
                strict=True,
            )


def clean_lines(lines: Shapes, railroad: Ints, tolerance: float, notes: Notes) -> Chains:
    """Return the lines as chains, without doubled vertices and spikes, cut where they turn back.

    A line that goes out and comes back the same way further than the tolerance is cut at the turn; that its halves
    are one line is found later, as for any two lines.
    """
    xy, counts, source = _in_order(lines, railroad)
    strides = Strides.along(xy)
    turns = np.zeros(len(xy), dtype=bool)
    for _ in range(2 * len(xy)):
        kind = "doubled vertex"
        gone, size = _doubled(strides, counts, tolerance)
        if not gone.any():
            kind = "spike"  # without it, its two sides may have one place
            gone, size, turns = _spikes(strides, counts, tolerance)
        if not gone.any():
            break
        _drop(gone, size, kind, xy, counts, source, notes)
        xy, counts, source = _without(gone, xy, counts, source)
        strides = Strides.along(xy)
    if len(xy) and turns.any():
        xy, counts, source = _cut(turns, xy, counts, source)
        strides = Strides.along(xy)
    whole = counts > 1
    if not whole.all():
        one = np.cumsum(counts)[~whole & (counts > 0)] - 1
        notes.add("zero-length line", xy[one], np.zeros(len(one)), source[~whole & (counts > 0)])
        kept = np.repeat(whole, counts)
        xy, counts, source = xy[kept], counts[whole], source[whole]
        strides = Strides.along(xy)
    return make_chains(xy, strides, counts, railroad[source], source)


def _in_order(lines: Shapes, railroad: Ints) -> tuple[Floats, Ints, Ints]:
    """Return coordinates, counts and numbers of the lines, sorted by place and each from its lower end.

    So whatever is decided later by who comes first is the same however the lines were ordered and drawn.
    """
    xy = shapely.get_coordinates(lines)
    counts = shapely.get_num_coordinates(lines).astype(np.int64)
    some = np.flatnonzero(counts > 0)
    if len(some) == 0:
        return xy, counts, np.arange(len(lines), dtype=np.int64)
    xy += 0.0
    last = np.cumsum(counts)[some] - 1
    first = last - counts[some] + 1
    place = xy.view(np.complex128)[:, 0]  # sorts by x, then y
    # A ring keeps its first vertex; its second and its last but one say which way round.
    step = (counts[some] > 1).astype(np.int64)
    low, high = place[first], place[last]
    after, before = place[first + step], place[last - step]
    back = (high < low) | ((high == low) & (before < after))
    ahead = np.where(back, before, after)
    for line in np.flatnonzero((high == low) & (before == after) & (counts[some] > _LOLLIPOP)).tolist():
        way = place[first[line] : last[line] + 1]
        differ = np.flatnonzero(way != way[::-1])
        back[line] = len(differ) > 0 and way[::-1][differ[0]] < way[differ[0]]
    middle = place[np.where(back, last - counts[some] // 2, first + counts[some] // 2)]
    order = np.lexsort((middle, ahead, counts[some], np.maximum(low, high), np.minimum(low, high), railroad[some]))
    start, size, sign = np.where(back, last, first)[order], counts[some][order], np.where(back, -1, 1)[order]
    begins = np.cumsum(size) - size
    which = np.repeat(sign, size) * np.arange(len(xy), dtype=np.int64)
    which += np.repeat(start - sign * begins, size)
    return xy.take(which, axis=0), size, some[order]


def _drop(gone: Bools, size: Floats, kind: str, xy: Floats, counts: Ints, source: Ints, notes: Notes) -> None:
    at = np.flatnonzero(gone)
    owner = np.searchsorted(np.cumsum(counts), at, side="right")
    notes.add(kind, xy[at], size[at], source[owner])


def _without(gone: Bools, xy: Floats, counts: Ints, source: Ints) -> tuple[Floats, Ints, Ints]:
    owner = np.searchsorted(np.cumsum(counts), np.flatnonzero(gone), side="right")
    return xy.compress(~gone, axis=0), counts - np.bincount(owner, minlength=len(counts)), source


def _doubled(strides: Strides, counts: Ints, tolerance: float) -> tuple[Bools, Floats]:
    """Return which vertices to drop, never a chain's first nor two neighbours at once, and the step before each."""
    size = np.full(len(strides.x), np.inf)
    size[1:] = strides.size
    last = np.cumsum(counts) - 1
    size[(last - counts + 1)[counts > 0]] = np.inf
    short = size <= tolerance * DOUBLED
    if not short.any():
        return short, size
    # A slow pen leaves many short steps in a row, and those are the line: only a short step alone is a double.
    alone = short.copy()
    alone[1:] &= ~short[:-1]
    alone[:-1] &= ~short[1:]
    return alone | (size == 0), size


def _spikes(strides: Strides, counts: Ints, tolerance: float) -> tuple[Bools, Floats, Bools]:
    """Return the tips of spikes to drop, their lengths, and the tips of long ones."""
    none = np.zeros(len(strides.x), dtype=bool)
    size = np.zeros(len(strides.x))
    dx, dy = strides.dx, strides.dy
    dot = dx[1:] * dx[:-1] + dy[1:] * dy[:-1]
    back = np.flatnonzero(dot < 0)
    one, other = strides.size[back], strides.size[back + 1]
    turned = dot[back] < _REVERSAL * other * one
    sharp = none.copy()
    sharp[back[turned] + 1] = True
    last = np.cumsum(counts) - 1
    sharp[last[counts > 0]] = False
    sharp[(last - counts + 1)[counts > 0]] = False
    if not sharp.any():
        return sharp, size, sharp
    size[back + 1] = np.minimum(other, one)
    short = sharp & (size <= tolerance)
    short[1:] &= ~short[:-1]
    return short, size, sharp & ~short


def _cut(turns: Bools, xy: Floats, counts: Ints, source: Ints) -> tuple[Floats, Ints, Ints]:
    """Cut chains at the vertices `turns`, which then end one chain and begin the next."""
    at = np.flatnonzero(turns)
    owner = np.searchsorted(np.cumsum(counts), at, side="right")
    ends = np.sort(
        np.concatenate([np.cumsum(counts) + np.searchsorted(at, np.cumsum(counts)), at + 1 + np.arange(len(at))])
    )
    again = np.repeat(np.arange(len(xy)), 1 + turns.astype(np.int64))
    times = 1 + np.bincount(owner, minlength=len(counts))
    return xy[again], np.diff(ends, prepend=0), np.repeat(source, times)
