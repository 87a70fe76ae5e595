"""Placement of names without overlap.

Each name has candidates (`candidates`); lines below and other symbols close by make them dearer. No candidate touches a
dot or a square, and no two chosen ones touch each other (`placing`). City names always get a place, if need be farther
off with a leader line; a dot without room has no name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.base import Area, Point
from mapkit.kinds.rail.render.lines.polyline import Array
from mapkit.kinds.rail.render.text.candidates import (
    NameCandidates,
    NameToPlace,
    PlacedName,
    join_candidates,
    list_far_candidates,
    list_near_candidates,
    make_leader_line,
    place_candidate,
)
from mapkit.kinds.rail.render.text.independent_set import NONE, CandidatePlaces, choose_places

__all__ = ["LabelObstacles", "NameToPlace", "PlacedName", "cover_names", "place_names"]

_PADDING_MM: Final = 0.2
"""Half the gap between two names."""
_SYMBOL_GAP_MM: Final = 0.15
_EDGE_GAP_MM: Final = 0.8
_SAMPLE_STEP_MM: Final = 0.6
_LINE_COST: Final = 2.0
_NEAR_MM: Final = 1.1
_NEAR_COST: Final = 2.0
_CROSS_COST: Final = 20.0
"""Of a symbol that a leader line crosses."""
_COVER_COST: Final = 300.0
_LEADER_WIDTH_MM: Final = 0.6
_UNDER_MM: Final = 0.9
"""How far beyond a name a line is still below it."""
LEFT_OUT: Final = 45.0
MUST: Final = 1e5
_MOST_CANDIDATES: Final = 32
"""Number of candidates of a name, the cheapest ones."""
_BATCH_SIZE: Final = 20_000
"""Number of candidates in a batch of the search for overlaps."""
_LEADER_REACHES: Final = (
    (8.0, 12.0, 17.0),
    (23.0, 30.0, 40.0, 52.0),
    (66.0, 82.0, 100.0, 120.0, 145.0, 175.0, 210.0, 250.0),
)


@dataclass(frozen=True)
class LabelObstacles:
    """Obstacles on the map before any name is placed.

    Args:
        area: Names stay inside it.
        symbols: Boxes that no name may touch.
        lines: Lines that a name covers only if it must.
    """

    area: Area
    symbols: Sequence[Area]
    lines: Sequence[Array]


def place_names(names: Sequence[NameToPlace], ground: LabelObstacles) -> tuple[PlacedName, ...]:
    """Place names, in the order given; a name without room is left out.

    A city's name finds one but on a page that is far too small, or off the page.
    """
    if not names:
        return ()
    field = _LabelField(ground)
    name_options = [field.priced(list_near_candidates(name)) for name in names]
    for leader_reaches in (*_LEADER_REACHES, None, ()):
        shapes = np.concatenate([_cover_candidates(spots, _PADDING_MM) for spots in name_options])
        has_leader = np.concatenate([spots.led for spots in name_options])
        name_index = np.repeat(np.arange(len(name_options)), [len(spots) for spots in name_options])
        first_spots, second_spots = _find_overlaps(shapes, name_index)
        # boxes that overlap do so as shapes, too
        is_clash = ~(has_leader[first_spots] | has_leader[second_spots])
        unsure_pairs = np.flatnonzero(~is_clash)
        is_clash[unsure_pairs] = shapely.intersects(
            shapes[first_spots[unsure_pairs]], shapes[second_spots[unsure_pairs]]
        )
        chosen_places = choose_places(
            CandidatePlaces(
                owner=name_index,
                cost=np.concatenate([spots.cost for spots in name_options]),
                left_out=np.array([MUST if name.bold else LEFT_OUT for name in names]),
                clashes=(first_spots[is_clash], second_spots[is_clash]),
            )
        )
        unplaced_names = [i for i, name in enumerate(names) if name.bold and chosen_places[i] == NONE]
        if not unplaced_names or leader_reaches == ():
            break
        for i in unplaced_names:
            if leader_reaches:
                added_spots = field.priced(list_far_candidates(names[i], leader_reaches))
            else:
                # symbols too dense for any name: the city is named all the same, and the audit reports it
                added_spots = field.priced(
                    join_candidates(
                        [list_near_candidates(names[i]), list_far_candidates(names[i], _LEADER_REACHES[0])]
                    ),
                    covering=True,
                )
            name_options[i] = join_candidates([name_options[i], added_spots])
    starts = np.cumsum([0, *(len(spots) for spots in name_options)])
    return tuple(
        place_candidate(name_options[i].spot(int(c - starts[i]))) for i, c in enumerate(chosen_places) if c != NONE
    )


class _LabelField:
    """Obstacles on the map that decide the price of candidates."""

    def __init__(self, ground: LabelObstacles) -> None:
        left, top, right, bottom = ground.area
        self._area = np.array(
            (left + _EDGE_GAP_MM, top + _EDGE_GAP_MM, -(right - _EDGE_GAP_MM), -(bottom - _EDGE_GAP_MM))
        )
        self._symbol_boxes = np.array(ground.symbols, dtype=np.float64).reshape(-1, 4)
        self._symbol_tree = shapely.STRtree(_make_boxes(self._symbol_boxes, 0.0))
        self._line_dots: Array = np.empty((0, 2))
        if ground.lines:
            line_shapes = [shapely.LineString(line) for line in ground.lines]
            line_dots = np.round(shapely.get_coordinates(shapely.segmentize(line_shapes, _SAMPLE_STEP_MM)), 4)
            self._line_dots = line_dots[np.argsort(line_dots[:, 0], kind="stable")]  # from left to right

    def priced(self, spots: NameCandidates, *, covering: bool = False) -> NameCandidates:
        """Return the cheapest candidates of a name, with all their costs.

        None touches a symbol; with `covering` they may, at a high cost.
        """
        inside_spots = np.flatnonzero((spots.box * (1, 1, -1, -1) >= self._area).all(axis=1))
        spots = spots.take(inside_spots)
        near_symbols = self._find_near_symbols(spots)
        symbol_distances = _measure_distances(spots.box, near_symbols)
        covered_symbols = np.count_nonzero(symbol_distances <= _SYMBOL_GAP_MM, axis=1)
        spot_costs = spots.cost
        if covering:
            spot_costs = spot_costs + _COVER_COST * covered_symbols
        else:
            spots, spot_costs, symbol_distances = (
                spots.take(covered_symbols == 0),
                spot_costs[covered_symbols == 0],
                symbol_distances[covered_symbols == 0],
            )
        if not len(spots):
            return spots
        if spots.led.any():
            spot_shapes = _cover_candidates(spots, 0.0)
            symbol_tree = shapely.STRtree(_make_boxes(near_symbols, 0.0))
            for near_reach, reach_price in ((0.0, _CROSS_COST), (_NEAR_MM, _NEAR_COST)):
                hit_spots = symbol_tree.query(spot_shapes, predicate="dwithin", distance=near_reach)[0]
                spot_costs = spot_costs + reach_price * np.bincount(hit_spots, minlength=len(spot_shapes))
            spot_bounds = shapely.bounds(spot_shapes)
        else:
            spot_costs = spot_costs + _NEAR_COST * np.count_nonzero(symbol_distances <= _NEAR_MM, axis=1)
            spot_bounds = spots.box
        spot_costs += self._count_dots_below(spot_bounds) * (_SAMPLE_STEP_MM * _LINE_COST)
        cost_order = np.argsort(np.round(spot_costs, 6), kind="stable")[:_MOST_CANDIDATES]
        return spots.at_cost(spot_costs).take(cost_order)

    def _find_near_symbols(self, spots: NameCandidates) -> Array:
        """Return the symbols that may matter, without the name's own, which names and leaders may touch."""
        if not len(spots) or not len(self._symbol_boxes):
            return self._symbol_boxes[:0]
        symbol_place = np.array((spots.name.x, spots.name.y))
        lower_corner = np.minimum(spots.box[:, :2].min(axis=0), symbol_place) - 2 * _NEAR_MM
        high = np.maximum(spots.box[:, 2:].max(axis=0), symbol_place) + 2 * _NEAR_MM
        near_boxes: Array = self._symbol_boxes[np.sort(self._symbol_tree.query(shapely.box(*lower_corner, *high)))]
        is_own = ((near_boxes[:, :2] < symbol_place) & (near_boxes[:, 2:] > symbol_place)).all(axis=1)
        return near_boxes[~is_own]

    def _count_dots_below(self, bounds: Array) -> Array:
        """Count the dots of lines in each box, with a margin."""
        lower_corners, high = bounds[:, :2] - _UNDER_MM, bounds[:, 2:] + _UNDER_MM
        first, last = np.searchsorted(self._line_dots[:, 0], (lower_corners[:, 0].min(), high[:, 0].max() + _UNDER_MM))
        near_dots = self._line_dots[first:last]
        near_dots = near_dots[(near_dots[:, 1] >= lower_corners[:, 1].min()) & (near_dots[:, 1] <= high[:, 1].max())]
        x, y = near_dots.T
        is_inside = (x >= lower_corners[:, :1]) & (x <= high[:, :1]) & (y >= lower_corners[:, 1:]) & (y <= high[:, 1:])
        dot_counts: Array = np.count_nonzero(is_inside, axis=1).astype(np.float64)
        return dot_counts


def _measure_distances(boxes: Array, other_boxes: Array) -> Array:
    """Return the distances of boxes, from each of the first to each of the second."""
    x, y = (
        np.maximum(np.maximum(low - boxes[:, 2 + axis, None], boxes[:, axis, None] - high), 0.0)
        for axis, (low, high) in enumerate(
            ((other_boxes[:, 0], other_boxes[:, 2]), (other_boxes[:, 1], other_boxes[:, 3]))
        )
    )
    distances: Array = np.sqrt(x * x + y * y)
    return distances


def _find_overlaps(
    shapes: NDArray[np.object_], name_index: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs of candidates of different names with bounds that overlap.

    The search runs in batches: most pairs are of one name with itself and are dropped at once.
    """
    shape_tree = shapely.STRtree(shapes)
    found_pairs: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    for start in range(0, max(len(shapes), 1), _BATCH_SIZE):
        first_spots, second_spots = shape_tree.query(shapes[start : start + _BATCH_SIZE])
        first_spots += start
        is_other_name = name_index[first_spots] < name_index[second_spots]
        found_pairs.append((first_spots[is_other_name], second_spots[is_other_name]))
    return np.concatenate([first_spots for first_spots, _ in found_pairs]), np.concatenate(
        [second_spots for _, second_spots in found_pairs]
    )


def cover_names(spots: Sequence[PlacedName], margin: float) -> NDArray[np.object_]:
    """Return the area of each name, with its leader line, grown by a margin in millimetres."""
    return _make_shapes([spot.box for spot in spots], {k: s.leader for k, s in enumerate(spots) if s.leader}, margin)


def _cover_candidates(spots: NameCandidates, margin: float) -> NDArray[np.object_]:
    leader_lines = {int(k): make_leader_line(spots.spot(int(k))) for k in np.flatnonzero(spots.led)}
    return _make_shapes(spots.box, leader_lines, margin)


def _make_shapes(
    boxes: Sequence[Area] | Array, leaders: Mapping[int, tuple[Point, Point]], margin: float
) -> NDArray[np.object_]:
    if not len(boxes):
        return np.empty(0, dtype=object)
    covered_shapes = _make_boxes(np.array(boxes), margin)
    for index, leader in leaders.items():
        leader_shape = shapely.LineString(leader).buffer(_LEADER_WIDTH_MM / 2 + margin, cap_style="flat")
        covered_shapes[index] = shapely.union(covered_shapes[index], leader_shape)
    return covered_shapes


def _make_boxes(boxes: Array, margin: float) -> NDArray[np.object_]:
    box_shapes: NDArray[np.object_] = shapely.box(
        boxes[:, 0] - margin, boxes[:, 1] - margin, boxes[:, 2] + margin, boxes[:, 3] + margin
    )
    return box_shapes
