"""Placing names without overlap.

Each name has candidates (`candidates`), whose cost grows with lines below and with strange symbols close by. No
candidate touches a dot or a square, and no two chosen ones touch each other (`placing`). City names always find a
place, if need be farther off with a leader line; the name of a dot is left out where none is left.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.errors import WorkspaceError
from mapkit.model.base import Point
from mapkit.render.backdrop import Area
from mapkit.render.candidates import Name, Placed, Spot, far, led_line, near, placed
from mapkit.render.placing import NONE, Places, choose
from mapkit.render.polyline import Array, as_points

__all__ = ["Ground", "Name", "Placed", "place_names", "shapes_of"]

_PADDING_MM: Final = 0.2
"""Half of what two names stay apart."""
_SYMBOL_MM: Final = 0.15
_EDGE_MM: Final = 0.8
_SAMPLE_MM: Final = 0.6
_LINE_COST: Final = 1.1
_NEAR_MM: Final = 1.1
_NEAR_COST: Final = 2.0
_CROSS_COST: Final = 20.0
"""Of a symbol that a leader line crosses."""
_LEADER_WIDTH: Final = 0.6
LEFT_OUT: Final = 45.0
MUST: Final = 1e5
_MOST: Final = 32
"""Candidates kept of a name, the cheapest."""
_REACHES: Final = (
    (8.0, 12.0, 17.0),
    (23.0, 30.0, 40.0, 52.0),
    (66.0, 82.0, 100.0, 120.0, 145.0, 175.0, 210.0, 250.0),
)


@dataclass(frozen=True)
class Ground:
    """What is on the map before any name.

    Args:
        area: Names stay inside it.
        symbols: Boxes that no name may touch.
        lines: Lines that a name covers only if it must.
    """

    area: Area
    symbols: Sequence[Area]
    lines: Sequence[Array]


def place_names(names: Sequence[Name], ground: Ground) -> tuple[Placed, ...]:
    """Return the places of the names, in the order given; a dot's name that finds no room is missing.

    Raises:
        WorkspaceError: There is no room for a city's name anywhere near it.
    """
    found = [_Candidates(ground, index, name) for index, name in enumerate(names)]
    options = _options(ground, [(c.index, spot) for c in found for spot in c.near()])
    for reaches in (*_REACHES, ()):
        chosen = _chosen(names, options)
        lacking = [i for i, name in enumerate(names) if name.bold and chosen[i] == NONE]
        if not lacking:
            break
        if not reaches:
            raise WorkspaceError(
                f"no room on the map for the name of {names[lacking[0]].text!r}: too many cities, or text too large; "
                "enlarge the page in board.toml"
            )
        more = [(c.index, spot) for c in found if c.index in lacking for spot in c.far(reaches)]
        options = sorted([*options, *_options(ground, more)], key=lambda o: o[0])
    return tuple(placed(options[c][1]) for c in chosen if c != NONE)


_Option = tuple[int, Spot]


@dataclass(frozen=True)
class _Candidates:
    ground: Ground
    index: int
    name: Name

    def near(self) -> list[Spot]:
        return [spot for spot in near(self.name) if self._inside(spot.box)]

    def far(self, reaches: tuple[float, ...]) -> list[Spot]:
        return [spot for spot in far(self.name, reaches) if self._inside(spot.box)]

    def _inside(self, box: Area) -> bool:
        left, top, right, bottom = self.ground.area
        edge = _EDGE_MM
        return box[0] >= left + edge and box[1] >= top + edge and box[2] <= right - edge and box[3] <= bottom - edge


def _options(ground: Ground, rough: Sequence[_Option]) -> list[_Option]:
    """Return the candidates that touch no symbol, with all their costs, the cheapest of each name, by name."""
    if not rough:
        return []
    shapes = _covered([spot for _, spot in rough], 0.0)
    cost = np.array([spot.cost for _, spot in rough])
    clear = np.ones(len(rough), dtype=bool)
    if len(ground.symbols):
        boxes = np.array(ground.symbols)
        tree = shapely.STRtree(_boxes(boxes, 0.0))
        own = np.array([(s.name.x, s.name.y) for _, s in rough])
        text = _boxes(np.array([s.box for _, s in rough]), 0.0)
        led = np.array([s.led for _, s in rough])
        for covered, reach, price in (
            (text, _SYMBOL_MM, 0.0),
            (shapes, 0.0, _CROSS_COST),
            (shapes, _NEAR_MM, _NEAR_COST),
        ):
            if price == _CROSS_COST and not led.any():
                continue
            spot, symbol = tree.query(covered, predicate="dwithin", distance=reach)
            at = own[spot]
            # a name may come near its own symbol, and a leader line begins at it
            mine = (boxes[symbol, :2] < at).all(axis=1) & (boxes[symbol, 2:] > at).all(axis=1)
            hit = np.bincount(spot[~mine], minlength=len(rough))
            if price:
                cost += price * hit
            else:
                clear &= hit == 0
    kept = np.flatnonzero(clear)
    cost += _line_cost(shapes, ground.lines)
    order = kept[np.lexsort((kept, np.round(cost[kept], 6), [rough[k][0] for k in kept]))]
    found: list[_Option] = []
    count: dict[int, int] = {}
    for k in order.tolist():
        index, spot = rough[k]
        count[index] = count.get(index, 0) + 1
        if count[index] <= _MOST:
            found.append((index, spot._replace(cost=float(cost[k]))))
    return found


def _chosen(names: Sequence[Name], options: Sequence[_Option]) -> NDArray[np.int64]:
    shapes = _covered([spot for _, spot in options], _PADDING_MM)
    owner = np.array([index for index, _ in options], dtype=np.int64)
    one, other = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    apart = (owner[one] < owner[other]) if len(one) else np.zeros(0, dtype=bool)
    return choose(
        Places(
            owner=owner,
            cost=np.array([spot.cost for _, spot in options]),
            left_out=np.array([MUST if name.bold else LEFT_OUT for name in names]),
            clashes=(one[apart], other[apart]),
        )
    )


def shapes_of(spots: Sequence[Placed], margin: float) -> NDArray[np.object_]:
    """Return what each name covers, its leader line included, grown by a margin in millimetres."""
    return _shapes([spot.box for spot in spots], {k: s.leader for k, s in enumerate(spots) if s.leader}, margin)


def _covered(spots: Sequence[Spot], margin: float) -> NDArray[np.object_]:
    return _shapes([spot.box for spot in spots], {k: led_line(s) for k, s in enumerate(spots) if s.led}, margin)


def _shapes(boxes: Sequence[Area], leaders: Mapping[int, tuple[Point, Point]], margin: float) -> NDArray[np.object_]:
    if not boxes:
        return np.empty(0, dtype=object)
    shapes = _boxes(np.array(boxes), margin)
    for index, leader in leaders.items():
        line = shapely.LineString(leader).buffer(_LEADER_WIDTH / 2 + margin, cap_style="flat")
        shapes[index] = shapely.union(shapes[index], line)
    return shapes


def _line_cost(shapes: NDArray[np.object_], lines: Sequence[Array]) -> Array:
    """Return what the lines below each name cost, by their length."""
    if not lines or not len(shapes):
        return np.zeros(len(shapes))
    dots = shapely.get_coordinates(shapely.segmentize([shapely.LineString(line) for line in lines], _SAMPLE_MM))
    left, top, right, bottom = shapely.bounds(shapes).T
    hit, _ = shapely.STRtree(as_points(np.round(dots, 4))).query(
        shapely.box(left - 0.3, top - 0.3, right + 0.3, bottom + 0.3)
    )
    cost: Array = np.bincount(hit, minlength=len(shapes)).astype(np.float64) * (_SAMPLE_MM * _LINE_COST)
    return cost


def _boxes(boxes: Array, margin: float) -> NDArray[np.object_]:
    shapes: NDArray[np.object_] = shapely.box(
        boxes[:, 0] - margin, boxes[:, 1] - margin, boxes[:, 2] + margin, boxes[:, 3] + margin
    )
    return shapes
