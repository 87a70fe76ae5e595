"""Railroads' initials set along their lines, as on a printed board.

A railroad's track is taken apart into runs that go straight on at forks; each long run has a place for initials
every 200 mm or so, and every separated part at least one. Initials lie on their own line, interrupted by their halo,
or beside it where other railroads are parallel; they read from the left, follow a stretch that is straight enough, and
touch no name, no symbol and no other railroad's line. The places of all are chosen together (`placing`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import atan2, degrees
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.arrays import other_numbers
from mapkit.core.base import Area, Point
from mapkit.drawing.text_extent import text_extent
from mapkit.drawing.text_width import text_width
from mapkit.drawing.theme.sizes import ThemeSizes
from mapkit.kinds.rail.model.board import Board, Piece
from mapkit.kinds.rail.render.lines.polyline import Array, cumulative_lengths, interpolate_points, round_exactly
from mapkit.kinds.rail.render.text.independent_set import NONE, CandidatePlaces, choose_places

_SPACING_MM: Final = 200.0
_SHORTEST_RUN_MM: Final = 90.0
_STEP_MM: Final = 4.0
_LOOK_AHEAD_MM: Final = 4.0
_MOST_BEND_MM: Final = (0.45, 0.9)
_GAP_MM: Final = 0.5
_LEAST_TEXT_MM: Final = 2.15
"""Font size in millimetres that initials shrink to where nothing else fits: 6.1 pt."""
_BESIDE_COST: Final = 5.0
_MIDDLE_COST: Final = 6.0
_BEND_COST: Final = 8.0
_STEEP_COST: Final = 3.0
_LEFT_OUT_COST: Final = 60.0
_SIDES: Final = np.array([0.0, -1.0, 1.0])
"""On the line, above it, below it."""


@dataclass(frozen=True)
class InitialsMark:
    """Initials of a railroad at a place on the page.

    Args:
        railroad: Id of the railroad.
        text: Its initials.
        x, y: Middle of the text on its baseline.
        angle: Turn in degrees, clockwise as SVG has it, from -90 to 90.
        size: Font size in millimetres.
        corners: The ink's box, turned.
        beside: Whether the text is beside its line rather than on it.
    """

    railroad: str
    text: str
    x: float
    y: float
    angle: float
    size: float
    corners: tuple[Point, ...]
    beside: bool


@dataclass(frozen=True)
class LineRun:
    """Line of one railroad without a break, and the number of the separated part that it belongs to."""

    railroad: str
    part: int
    line: Array


@dataclass(frozen=True)
class _InitialsSlot:
    """Stretch of a line that should carry initials once."""

    run: LineRun
    start: float
    end: float
    left_out: float


@dataclass(frozen=True)
class _InitialsCandidates:
    """Candidate places of initials, as arrays of the same length."""

    slot: NDArray[np.int64]
    """Number of the slot of each."""
    at: Array
    way: Array
    """Unit vector that the text runs along."""
    corners: Array
    """Shape (n, 4, 2)."""
    beside: NDArray[np.bool_]
    cost: Array

    def take(self, which: NDArray[np.int64]) -> "_InitialsCandidates":
        return _InitialsCandidates(
            self.slot[which],
            self.at[which],
            self.way[which],
            self.corners[which],
            self.beside[which],
            self.cost[which],
        )


def place_initials(
    board: Board, lines: Mapping[str, Array], *, taken: Sequence[shapely.Geometry], area: Area, sizes: ThemeSizes
) -> tuple[tuple[InitialsMark, ...], tuple[str, ...]]:
    """Place the initials of all railroads; return also the ids of railroads with a separated part without any.

    Args:
        board: The board.
        lines: Drawn line of each track piece.
        taken: Obstacles of initials: symbols and names.
        area: Initials stay inside it.
        sizes: Their font size, and the width of lines.
    """
    initials_of = {r.id: r.short for r in board.railroads}
    all_runs = [run for railroad in sorted(initials_of) for run in divide_into_runs(board, railroad, lines)]
    initials_field = _InitialsField(board, lines, taken, area, sizes)
    placed_marks: list[tuple[LineRun, InitialsMark]] = []
    runs_without = all_runs
    for size, most_bend in (
        (sizes.initials_text, _MOST_BEND_MM[0]),
        (min(sizes.initials_text, _LEAST_TEXT_MM), _MOST_BEND_MM[1]),
    ):
        if runs_without:
            mark_shapes = [shapely.Polygon(mark.corners) for _, mark in placed_marks]
            placed_marks += initials_field.choose(_make_slots(runs_without), initials_of, size, most_bend, mark_shapes)
        parts_done = {(run.railroad, run.part) for run, _ in placed_marks}
        runs_without = [run for run in all_runs if (run.railroad, run.part) not in parts_done]
    sorted_marks = sorted((mark for _, mark in placed_marks), key=lambda m: (m.railroad, m.x, m.y))
    return tuple(sorted_marks), tuple(sorted({run.railroad for run in runs_without}))


def divide_into_runs(board: Board, railroad: str, lines: Mapping[str, Array]) -> list[LineRun]:
    """Divide a railroad into runs in a fixed order: from end to end, straight on at forks, each piece once."""
    own_pieces = sorted((p for p in board.pieces if p.railroad == railroad), key=lambda p: p.id)
    pieces_at: dict[str, list[Piece]] = {}
    for piece in own_pieces:
        pieces_at.setdefault(piece.a, []).append(piece)
        pieces_at.setdefault(piece.b, []).append(piece)
    part_number = _number_parts(own_pieces)
    used_pieces: set[str] = set()
    line_runs: list[LineRun] = []
    # ends first, then forks that a line ends at, then rings
    for node in sorted(pieces_at, key=lambda n: (len(pieces_at[n]) != 1, len(pieces_at[n]) % 2 == 0, n)):
        while any(p.id not in used_pieces for p in pieces_at[node]):
            run_lines: list[Array] = []
            current_node = node
            while unused_pieces := [p for p in pieces_at[current_node] if p.id not in used_pieces]:
                line_by_piece = {p.id: lines[p.id] if p.a == current_node else lines[p.id][::-1] for p in unused_pieces}
                piece = unused_pieces[0]
                if len(unused_pieces) > 1:
                    piece = min(
                        unused_pieces,
                        key=lambda p: (_measure_turn(run_lines[-1], line_by_piece[p.id]) if run_lines else 0.0, p.id),
                    )
                used_pieces.add(piece.id)
                run_lines.append(line_by_piece[piece.id])
                current_node = piece.b if piece.a == current_node else piece.a
            line_runs.append(
                LineRun(
                    railroad,
                    part_number[node],
                    np.concatenate([run_lines[0], *(next_line[1:] for next_line in run_lines[1:])]),
                )
            )
    return line_runs


def _measure_turn(arriving: Array, leaving: Array) -> float:
    """Return how sharply a line turns onto the next, as a negative cosine: -1 straight on, 1 back."""
    arriving_vector = arriving[-1] - interpolate_points(arriving[::-1], np.array([_LOOK_AHEAD_MM]))[0]
    leaving_vector = interpolate_points(leaving, np.array([_LOOK_AHEAD_MM]))[0] - leaving[0]
    length_product = float(np.sqrt((arriving_vector**2).sum() * (leaving_vector**2).sum()))
    return round(-float((arriving_vector * leaving_vector).sum()) / max(length_product, 1e-9), 6)


def _number_parts(pieces: Sequence[Piece]) -> dict[str, int]:
    """Return the number of the connected component of each node."""
    node_groups: dict[str, list[str]] = {}
    for piece in pieces:
        a, b = node_groups.setdefault(piece.a, [piece.a]), node_groups.setdefault(piece.b, [piece.b])
        if a is not b:
            a.extend(b)
            for node in b:
                node_groups[node] = a
    first = {id(members): index for index, members in enumerate({id(g): g for g in node_groups.values()}.values())}
    return {node: first[id(members)] for node, members in node_groups.items()}


def _make_slots(found: Sequence[LineRun]) -> list[_InitialsSlot]:
    longest_runs: dict[tuple[str, int], LineRun] = {}
    run_length = {id(run): float(cumulative_lengths(run.line)[-1]) for run in found}
    for run in found:
        part_key = (run.railroad, run.part)
        if part_key not in longest_runs or run_length[id(run)] > run_length[id(longest_runs[part_key])] + 1e-6:
            longest_runs[part_key] = run
    slots: list[_InitialsSlot] = []
    for run in found:
        run_length_mm, is_longest = run_length[id(run)], run is longest_runs[run.railroad, run.part]
        if run_length_mm < _SHORTEST_RUN_MM and not is_longest:
            continue
        slot_count = max(1, round(run_length_mm / _SPACING_MM))
        slots += [
            _InitialsSlot(
                run,
                run_length_mm * k / slot_count,
                run_length_mm * (k + 1) / slot_count,
                _LEFT_OUT_COST * (10.0 if is_longest else 1.0),
            )
            for k in range(slot_count)
        ]
    return slots


class _InitialsField:
    """Obstacles on the map for candidate places."""

    def __init__(
        self, board: Board, lines: Mapping[str, Array], taken: Sequence[shapely.Geometry], area: Area, sizes: ThemeSizes
    ) -> None:
        piece_ids = sorted(lines)
        railroad_of = {p.id: p.railroad for p in board.pieces}
        self._railroad_of_line = np.array([railroad_of[i] for i in piece_ids])
        self._line_tree = shapely.STRtree([shapely.LineString(np.round(lines[i], 4)) for i in piece_ids])
        self._obstacle_tree = shapely.STRtree(list(taken))
        self._area = area
        self._sizes = sizes

    def choose(
        self,
        slots: Sequence[_InitialsSlot],
        texts: Mapping[str, str],
        size: float,
        bend: float,
        extra: Sequence[shapely.Geometry],
    ) -> list[tuple[LineRun, InitialsMark]]:
        parts = [self._list_candidates(k, slot, texts[slot.run.railroad], size, bend) for k, slot in enumerate(slots)]
        candidates = _InitialsCandidates(
            np.concatenate([part.slot for part in parts]),
            np.concatenate([part.at for part in parts]),
            np.concatenate([part.way for part in parts]),
            np.concatenate([part.corners for part in parts]),
            np.concatenate([part.beside for part in parts]),
            np.concatenate([part.cost for part in parts]),
        )
        slot_railroads = np.array([slot.run.railroad for slot in slots])
        candidates = self._drop_clashing(candidates, slot_railroads, extra)
        if not len(candidates.slot):
            return []
        grown_shapes = shapely.buffer(_make_shapes(candidates), _GAP_MM, join_style="mitre")
        first_candidates, second_candidates = shapely.STRtree(grown_shapes).query(grown_shapes, predicate="intersects")
        is_other_slot = candidates.slot[first_candidates] < candidates.slot[second_candidates]
        left_out_costs = np.array([slot.left_out for slot in slots])
        chosen_candidates = choose_places(
            CandidatePlaces(
                candidates.slot,
                candidates.cost,
                left_out_costs,
                (first_candidates[is_other_slot], second_candidates[is_other_slot]),
            )
        )
        chosen_runs = [(slots[int(candidates.slot[c])].run, int(c)) for c in chosen_candidates if c != NONE]
        return [(run, _make_mark(candidates, c, run.railroad, texts[run.railroad], size)) for run, c in chosen_runs]

    def _list_candidates(
        self, index: int, slot: _InitialsSlot, text: str, size: float, bend: float
    ) -> _InitialsCandidates:
        """Return the candidates along the straight parts of a stretch: on the line, above it and below it."""
        width = text_width(text, size, bold=True, family=self._sizes.family)
        up, down = text_extent(text, size, self._sizes.family)
        cap_height = 0.69 * size
        slot_length = slot.end - slot.start
        free_length = slot_length - width - 2.0
        slot_middle = (slot.start + slot.end) / 2
        count = int(free_length / _STEP_MM) + 1 if free_length >= 0 else 0
        stops = slot_middle + (np.arange(count) - (count - 1) / 2) * min(_STEP_MM, free_length / max(count - 1, 1))
        sample_offsets = np.linspace(-width / 2 - 0.6, width / 2 + 0.6, 9)
        xy = interpolate_points(slot.run.line, (stops[:, None] + sample_offsets[None, :]).ravel()).reshape(count, 9, 2)
        line_points = np.round(xy, 4)
        chord_vectors = line_points[:, -1] - line_points[:, 0]
        chord_lengths = np.sqrt((chord_vectors**2).sum(axis=1))
        is_long = (chord_lengths >= 0.9 * width) & (chord_lengths > 0)
        stops, line_points, text_directions = (
            stops[is_long],
            line_points[is_long],
            chord_vectors[is_long] / chord_lengths[is_long][:, None],
        )
        # from left to right, or upward
        text_directions[
            (text_directions[:, 0] < 0) | ((text_directions[:, 0] == 0) & (text_directions[:, 1] > 0))
        ] *= -1
        point_offsets = line_points - line_points[:, :1]
        signed_offsets = (
            point_offsets[..., 0] * -text_directions[:, 1:] + point_offsets[..., 1] * text_directions[:, :1]
        )
        low, high = (
            signed_offsets.min(axis=1, initial=0.0),
            signed_offsets.max(axis=1, initial=0.0),
        )
        is_straight = high - low <= bend
        stops, line_points, text_directions, low, high = (
            stops[is_straight],
            line_points[is_straight],
            text_directions[is_straight],
            low[is_straight],
            high[is_straight],
        )
        stop_costs = _MIDDLE_COST * np.abs(stops - slot_middle) / max(slot_length, 1.0) * 2 + _BEND_COST * (high - low)
        stop_costs += _STEEP_COST * np.abs(text_directions[:, 1])
        chord_middles = (line_points[:, 0] + line_points[:, -1]) / 2
        side_offsets = cap_height / 2 + self._sizes.line / 2 + self._sizes.casing_edge + _GAP_MM + (high - low) / 2
        side_shifts = ((low + high + cap_height) / 2)[:, None] + _SIDES * side_offsets[:, None]
        ux, uy = text_directions[:, :1], text_directions[:, 1:]
        x, y = (chord_middles[:, :1] - side_shifts * uy).ravel(), (chord_middles[:, 1:] + side_shifts * ux).ravel()
        text_directions = np.repeat(text_directions, len(_SIDES), axis=0)
        a, b = np.array([(-width / 2, -up), (width / 2, -up), (width / 2, down), (-width / 2, down)]).T
        ux, uy = text_directions[:, :1], text_directions[:, 1:]
        text_corners = np.stack((x[:, None] + a * ux - b * uy, y[:, None] + a * uy + b * ux), axis=2)
        return _InitialsCandidates(
            slot=np.full(len(x), index),
            at=np.column_stack((x, y)),
            way=text_directions,
            corners=round_exactly(text_corners.ravel(), 3).reshape(text_corners.shape),
            beside=np.tile(_SIDES != 0, len(stop_costs)),
            cost=(stop_costs[:, None] + np.where(_SIDES != 0, _BESIDE_COST + 0.5 * _SIDES, 0.0)).ravel(),
        )

    def _drop_clashing(
        self, tries: _InitialsCandidates, own: NDArray[np.str_], extra: Sequence[shapely.Geometry]
    ) -> _InitialsCandidates:
        """Return the candidates without contact to anything; `own` are the railroads of the slots."""
        left, top, right, bottom = self._area
        first, last = tries.corners.min(axis=1), tries.corners.max(axis=1)
        tries = tries.take(np.flatnonzero((first >= (left, top)).all(axis=1) & (last <= (right, bottom)).all(axis=1)))
        for tree in (self._obstacle_tree, shapely.STRtree(list(extra))):
            hit_candidates = tree.query(_make_shapes(tries), predicate="dwithin", distance=_GAP_MM)[0]
            tries = tries.take(other_numbers(len(tries.slot), hit_candidates))
        line_reach = self._sizes.line / 2 + self._sizes.casing_edge + 0.1
        candidate_index, line = self._line_tree.query(_make_shapes(tries), predicate="dwithin", distance=line_reach)
        is_foreign = (self._railroad_of_line[line] != own[tries.slot[candidate_index]]) | tries.beside[candidate_index]
        return tries.take(other_numbers(len(tries.slot), candidate_index[is_foreign]))


def _make_mark(candidates: _InitialsCandidates, index: int, railroad: str, text: str, size: float) -> InitialsMark:
    x, y = candidates.at[index].tolist()
    ux, uy = candidates.way[index].tolist()
    corners = tuple((a, b) for a, b in candidates.corners[index].tolist())
    angle = round(degrees(atan2(uy, ux)), 1)
    return InitialsMark(
        railroad, text, round(x, 2), round(y, 2), angle, size, corners, beside=bool(candidates.beside[index])
    )


def _make_shapes(tries: _InitialsCandidates) -> NDArray[np.object_]:
    return np.asarray(shapely.polygons(tries.corners), dtype=object)
