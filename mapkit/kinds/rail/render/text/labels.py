"""Placing names without overlap.

Each name has candidates (`candidates`), whose cost grows with lines below and with other symbols close by. No
candidate touches a dot or a square, and no two chosen ones touch each other (`placing`). City names find a
place, if need be farther off with a leader line; the name of a dot is left out where none is left.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.base import Area, Point
from mapkit.kinds.rail.render.lines.polyline import Array
from mapkit.kinds.rail.render.text.candidates import Name, PlacedName, Spots, far, joined, led_line, near, placed
from mapkit.kinds.rail.render.text.placing import NONE, CandidatePlaces, choose

__all__ = ["Name", "Obstacles", "PlacedName", "place_names", "shapes_of"]

_PADDING_MM: Final = 0.2
"""Half of what two names stay apart."""
_SYMBOL_MM: Final = 0.15
_EDGE_MM: Final = 0.8
_SAMPLE_MM: Final = 0.6
_LINE_COST: Final = 2.0
_NEAR_MM: Final = 1.1
_NEAR_COST: Final = 2.0
_CROSS_COST: Final = 20.0
"""Of a symbol that a leader line crosses."""
_COVER_COST: Final = 300.0
_LEADER_WIDTH: Final = 0.6
_UNDER_MM: Final = 0.9
"""How far beyond a name a line is still below it."""
LEFT_OUT: Final = 45.0
MUST: Final = 1e5
_MOST: Final = 32
"""Candidates kept of a name, the cheapest."""
_AT_ONCE: Final = 20_000
"""Candidates whose overlaps are looked for at once."""
_REACHES: Final = (
    (8.0, 12.0, 17.0),
    (23.0, 30.0, 40.0, 52.0),
    (66.0, 82.0, 100.0, 120.0, 145.0, 175.0, 210.0, 250.0),
)


@dataclass(frozen=True)
class Obstacles:
    """What is on the map before any name.

    Args:
        area: Names stay inside it.
        symbols: Boxes that no name may touch.
        lines: Lines that a name covers only if it must.
    """

    area: Area
    symbols: Sequence[Area]
    lines: Sequence[Array]


def place_names(names: Sequence[Name], ground: Obstacles) -> tuple[PlacedName, ...]:
    """Return the places of the names, in the order given; a name that finds no room is missing.

    A city's name finds one but on a page that is far too small, or off the page.
    """
    if not names:
        return ()
    field = _Field(ground)
    options = [field.priced(near(name)) for name in names]
    for reaches in (*_REACHES, None, ()):
        chosen = _chosen(names, options)
        lacking = [i for i, name in enumerate(names) if name.bold and chosen[i] == NONE]
        if not lacking or reaches == ():
            break
        for i in lacking:
            if reaches:
                more = field.priced(far(names[i], reaches))
            else:
                # symbols so dense that no name fits between: a city is named all the same, and the audit says
                more = field.priced(joined([near(names[i]), far(names[i], _REACHES[0])]), covering=True)
            options[i] = joined([options[i], more])
    starts = np.cumsum([0, *(len(spots) for spots in options)])
    return tuple(placed(options[i].spot(int(c - starts[i]))) for i, c in enumerate(chosen) if c != NONE)


class _Field:
    """What is on the map, to price candidates by."""

    def __init__(self, ground: Obstacles) -> None:
        left, top, right, bottom = ground.area
        self._area = np.array((left + _EDGE_MM, top + _EDGE_MM, -(right - _EDGE_MM), -(bottom - _EDGE_MM)))
        self._symbols = np.array(ground.symbols, dtype=np.float64).reshape(-1, 4)
        self._tree = shapely.STRtree(_boxes(self._symbols, 0.0))
        self._dots = _dots(ground.lines)

    def priced(self, spots: Spots, *, covering: bool = False) -> Spots:
        """Return the cheapest candidates of a name, with all their costs.

        None touches a symbol; with `covering` they may, at a high cost.
        """
        inside = np.flatnonzero((spots.box * (1, 1, -1, -1) >= self._area).all(axis=1))
        spots = spots.take(inside)
        symbols = self._symbols_near(spots)
        ways = _distances(spots.box, symbols)
        over = np.count_nonzero(ways <= _SYMBOL_MM, axis=1)
        cost = spots.cost
        if covering:
            cost = cost + _COVER_COST * over
        else:
            spots, cost, ways = spots.take(over == 0), cost[over == 0], ways[over == 0]
        if not len(spots):
            return spots
        if spots.led.any():
            shapes = _covered(spots, 0.0)
            tree = shapely.STRtree(_boxes(symbols, 0.0))
            for reach, price in ((0.0, _CROSS_COST), (_NEAR_MM, _NEAR_COST)):
                hit = tree.query(shapes, predicate="dwithin", distance=reach)[0]
                cost = cost + price * np.bincount(hit, minlength=len(shapes))
            bounds = shapely.bounds(shapes)
        else:
            cost = cost + _NEAR_COST * np.count_nonzero(ways <= _NEAR_MM, axis=1)
            bounds = spots.box
        cost += self._dots_below(bounds) * (_SAMPLE_MM * _LINE_COST)
        order = np.argsort(np.round(cost, 6), kind="stable")[:_MOST]
        return spots.at_cost(cost).take(order)

    def _symbols_near(self, spots: Spots) -> Array:
        """Return the symbols that may count, without the name's own: it may come near that, and leaders begin there."""
        if not len(spots) or not len(self._symbols):
            return self._symbols[:0]
        at = np.array((spots.name.x, spots.name.y))
        low = np.minimum(spots.box[:, :2].min(axis=0), at) - 2 * _NEAR_MM
        high = np.maximum(spots.box[:, 2:].max(axis=0), at) + 2 * _NEAR_MM
        close: Array = self._symbols[np.sort(self._tree.query(shapely.box(*low, *high)))]
        own = ((close[:, :2] < at) & (close[:, 2:] > at)).all(axis=1)
        return close[~own]

    def _dots_below(self, bounds: Array) -> Array:
        """Return how many dots of lines lie in each box, or nearly so."""
        low, high = bounds[:, :2] - _UNDER_MM, bounds[:, 2:] + _UNDER_MM
        first, last = np.searchsorted(self._dots[:, 0], (low[:, 0].min(), high[:, 0].max() + _UNDER_MM))
        dots = self._dots[first:last]
        dots = dots[(dots[:, 1] >= low[:, 1].min()) & (dots[:, 1] <= high[:, 1].max())]
        x, y = dots.T
        inside = (x >= low[:, :1]) & (x <= high[:, :1]) & (y >= low[:, 1:]) & (y <= high[:, 1:])
        count: Array = np.count_nonzero(inside, axis=1).astype(np.float64)
        return count


def _dots(lines: Sequence[Array]) -> Array:
    """Return points on the lines, from left to right."""
    if not lines:
        return np.empty((0, 2))
    dots = shapely.get_coordinates(shapely.segmentize([shapely.LineString(line) for line in lines], _SAMPLE_MM))
    dots = np.round(dots, 4)
    found: Array = dots[np.argsort(dots[:, 0], kind="stable")]
    return found


def _distances(boxes: Array, others: Array) -> Array:
    """Return the distances of boxes, each of the first to each of the second."""
    x, y = (
        np.maximum(np.maximum(low - boxes[:, 2 + axis, None], boxes[:, axis, None] - high), 0.0)
        for axis, (low, high) in enumerate(((others[:, 0], others[:, 2]), (others[:, 1], others[:, 3])))
    )
    distances: Array = np.sqrt(x * x + y * y)
    return distances


def _chosen(names: Sequence[Name], options: Sequence[Spots]) -> NDArray[np.int64]:
    shapes = np.concatenate([_covered(spots, _PADDING_MM) for spots in options])
    led = np.concatenate([spots.led for spots in options])
    owner = np.repeat(np.arange(len(options)), [len(spots) for spots in options])
    one, other = _overlaps(shapes, owner)
    # boxes that overlap do so as shapes, too
    clash = ~(led[one] | led[other])
    slow = np.flatnonzero(~clash)
    clash[slow] = shapely.intersects(shapes[one[slow]], shapes[other[slow]])
    return choose(
        CandidatePlaces(
            owner=owner,
            cost=np.concatenate([spots.cost for spots in options]),
            left_out=np.array([MUST if name.bold else LEFT_OUT for name in names]),
            clashes=(one[clash], other[clash]),
        )
    )


def _overlaps(shapes: NDArray[np.object_], owner: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs of candidates of different names whose bounds overlap.

    They are looked for a part at a time: the pairs of one name with itself, dropped here, are most of what is found.
    """
    tree = shapely.STRtree(shapes)
    found: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    for start in range(0, max(len(shapes), 1), _AT_ONCE):
        one, other = tree.query(shapes[start : start + _AT_ONCE])
        one += start
        apart = owner[one] < owner[other]
        found.append((one[apart], other[apart]))
    return np.concatenate([one for one, _ in found]), np.concatenate([other for _, other in found])


def shapes_of(spots: Sequence[PlacedName], margin: float) -> NDArray[np.object_]:
    """Return what each name covers, its leader line included, grown by a margin in millimetres."""
    return _shapes([spot.box for spot in spots], {k: s.leader for k, s in enumerate(spots) if s.leader}, margin)


def _covered(spots: Spots, margin: float) -> NDArray[np.object_]:
    leaders = {int(k): led_line(spots.spot(int(k))) for k in np.flatnonzero(spots.led)}
    return _shapes(spots.box, leaders, margin)


def _shapes(
    boxes: Sequence[Area] | Array, leaders: Mapping[int, tuple[Point, Point]], margin: float
) -> NDArray[np.object_]:
    if not len(boxes):
        return np.empty(0, dtype=object)
    shapes = _boxes(np.array(boxes), margin)
    for index, leader in leaders.items():
        line = shapely.LineString(leader).buffer(_LEADER_WIDTH / 2 + margin, cap_style="flat")
        shapes[index] = shapely.union(shapes[index], line)
    return shapes


def _boxes(boxes: Array, margin: float) -> NDArray[np.object_]:
    shapes: NDArray[np.object_] = shapely.box(
        boxes[:, 0] - margin, boxes[:, 1] - margin, boxes[:, 2] + margin, boxes[:, 3] + margin
    )
    return shapes
