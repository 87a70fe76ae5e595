"""Repairs of single lines: doubled vertices, spikes, lines of no length."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from mapkit.kinds.rail.trace.noding.arrays import Bools, Chains, Floats, Ints, Shapes, Strides, make_chains

DOUBLED = 0.01  # of the tolerance: two clicks where one was meant
_REVERSAL_COSINE = -0.999  # cosine of the turn: the line goes back on itself (to 2.6 degrees)
_MAX_LOLLIPOP = 5  # vertices up to which a ring with equal second and last but one vertex is symmetric


@dataclass
class RepairNotes:
    """Repairs under collection: kind, place, size, source line."""

    kinds: list[str]
    places: list[Floats]
    sizes: list[Floats]
    sources: list[Ints]

    def add(self, kind: str, xy: Floats, size: Floats, source: Ints) -> None:
        """Add one repair per row of `xy`."""
        if len(xy):
            self.kinds.extend([kind] * len(xy))
            self.places.append(xy)
            self.sizes.append(size)
            self.sources.append(source)

    def take(self, others: "RepairNotes", source: Ints | None = None) -> None:
        """Add the notes of others; `source` maps their sources to those of these notes."""
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


def clean_lines(lines: Shapes, railroad: Ints, tolerance: float, notes: RepairNotes) -> Chains:
    """Convert lines to chains, without doubled vertices and spikes, cut where they turn back.

    A line that returns along itself for more than the tolerance is cut at the turn; later its halves are recognised as
    doubled, like any two lines.
    """
    xy, counts, source = _sort_lines(lines, railroad)
    strides = Strides.along(xy)
    turning_vertices = np.zeros(len(xy), dtype=bool)
    for _ in range(2 * len(xy)):
        repair_kind = "doubled vertex"
        is_dropped, repair_size = _find_doubled(strides, counts, tolerance)
        if not is_dropped.any():
            repair_kind = "spike"  # without it, its two sides may have one place
            is_dropped, repair_size, turning_vertices = _find_spikes(strides, counts, tolerance)
        if not is_dropped.any():
            break
        dropped_vertices = np.flatnonzero(is_dropped)
        owner_chain = np.searchsorted(np.cumsum(counts), dropped_vertices, side="right")
        notes.add(repair_kind, xy[dropped_vertices], repair_size[dropped_vertices], source[owner_chain])
        xy, counts = xy.compress(~is_dropped, axis=0), counts - np.bincount(owner_chain, minlength=len(counts))
        strides = Strides.along(xy)
    if len(xy) and turning_vertices.any():
        xy, counts, source = _cut_at(turning_vertices, xy, counts, source)
        strides = Strides.along(xy)
    is_line = counts > 1
    if not is_line.all():
        single_vertices = np.cumsum(counts)[~is_line & (counts > 0)] - 1
        notes.add(
            "zero-length line", xy[single_vertices], np.zeros(len(single_vertices)), source[~is_line & (counts > 0)]
        )
        is_kept = np.repeat(is_line, counts)
        xy, counts, source = xy[is_kept], counts[is_line], source[is_line]
        strides = Strides.along(xy)
    return make_chains(xy, strides, counts, railroad[source], source)


def _sort_lines(lines: Shapes, railroad: Ints) -> tuple[Floats, Ints, Ints]:
    """Return coordinates, counts and numbers of the lines, sorted by place and each from its lower end.

    So later decisions by order do not depend on the order and direction in which the lines were drawn.
    """
    xy = shapely.get_coordinates(lines)
    counts = shapely.get_num_coordinates(lines).astype(np.int64)
    nonempty_lines = np.flatnonzero(counts > 0)
    if len(nonempty_lines) == 0:
        return xy, counts, np.arange(len(lines), dtype=np.int64)
    xy += 0.0
    last_vertices = np.cumsum(counts)[nonempty_lines] - 1
    first_vertices = last_vertices - counts[nonempty_lines] + 1
    place = xy.view(np.complex128)[:, 0]  # sorts by x, then y
    # A ring keeps its first vertex; its second and its last but one decide the direction.
    inner_step = (counts[nonempty_lines] > 1).astype(np.int64)
    first_place, last_place = place[first_vertices], place[last_vertices]
    second_place, last_but_one = place[first_vertices + inner_step], place[last_vertices - inner_step]
    is_reversed = (last_place < first_place) | ((last_place == first_place) & (last_but_one < second_place))
    next_place = np.where(is_reversed, last_but_one, second_place)
    for line in np.flatnonzero(
        (last_place == first_place) & (last_but_one == second_place) & (counts[nonempty_lines] > _MAX_LOLLIPOP)
    ).tolist():
        ring_places = place[first_vertices[line] : last_vertices[line] + 1]
        differing = np.flatnonzero(ring_places != ring_places[::-1])
        is_reversed[line] = len(differing) > 0 and ring_places[::-1][differing[0]] < ring_places[differing[0]]
    middle_place = place[
        np.where(is_reversed, last_vertices - counts[nonempty_lines] // 2, first_vertices + counts[nonempty_lines] // 2)
    ]
    line_order = np.lexsort(
        (
            middle_place,
            next_place,
            counts[nonempty_lines],
            np.maximum(first_place, last_place),
            np.minimum(first_place, last_place),
            railroad[nonempty_lines],
        )
    )
    first_read, vertex_counts, read_direction = (
        np.where(is_reversed, last_vertices, first_vertices)[line_order],
        counts[nonempty_lines][line_order],
        np.where(is_reversed, -1, 1)[line_order],
    )
    first_written = np.cumsum(vertex_counts) - vertex_counts
    vertex_order = np.repeat(read_direction, vertex_counts) * np.arange(len(xy), dtype=np.int64)
    vertex_order += np.repeat(first_read - read_direction * first_written, vertex_counts)
    return xy.take(vertex_order, axis=0), vertex_counts, nonempty_lines[line_order]


def _find_doubled(strides: Strides, counts: Ints, tolerance: float) -> tuple[Bools, Floats]:
    """Return the vertices to drop, never a chain's first nor two neighbours at once, and the step before each."""
    step_before = np.full(len(strides.x), np.inf)
    step_before[1:] = strides.size
    last_vertices = np.cumsum(counts) - 1
    step_before[(last_vertices - counts + 1)[counts > 0]] = np.inf
    is_short = step_before <= tolerance * DOUBLED
    if not is_short.any():
        return is_short, step_before
    # A slow pen leaves many short steps in a row, which belong to the line: only an isolated short step is a double.
    is_alone = is_short.copy()
    is_alone[1:] &= ~is_short[:-1]
    is_alone[:-1] &= ~is_short[1:]
    return is_alone | (step_before == 0), step_before


def _find_spikes(strides: Strides, counts: Ints, tolerance: float) -> tuple[Bools, Floats, Bools]:
    """Return the tips of spikes to drop, their lengths, and the tips of long ones."""
    all_false = np.zeros(len(strides.x), dtype=bool)
    spike_lengths = np.zeros(len(strides.x))
    dx, dy = strides.dx, strides.dy
    dot_products = dx[1:] * dx[:-1] + dy[1:] * dy[:-1]
    backward_turns = np.flatnonzero(dot_products < 0)
    length_before, length_after = strides.size[backward_turns], strides.size[backward_turns + 1]
    is_reversal = dot_products[backward_turns] < _REVERSAL_COSINE * length_after * length_before
    is_tip = all_false.copy()
    is_tip[backward_turns[is_reversal] + 1] = True
    last_vertices = np.cumsum(counts) - 1
    is_tip[last_vertices[counts > 0]] = False
    is_tip[(last_vertices - counts + 1)[counts > 0]] = False
    if not is_tip.any():
        return is_tip, spike_lengths, is_tip
    spike_lengths[backward_turns + 1] = np.minimum(length_after, length_before)
    is_short = is_tip & (spike_lengths <= tolerance)
    is_short[1:] &= ~is_short[:-1]
    return is_short, spike_lengths, is_tip & ~is_short


def _cut_at(turns: Bools, xy: Floats, counts: Ints, source: Ints) -> tuple[Floats, Ints, Ints]:
    """Cut chains at the vertices `turns`; each then ends one chain and begins the next."""
    cut_vertices = np.flatnonzero(turns)
    owner_chain = np.searchsorted(np.cumsum(counts), cut_vertices, side="right")
    chain_ends = np.sort(
        np.concatenate(
            [
                np.cumsum(counts) + np.searchsorted(cut_vertices, np.cumsum(counts)),
                cut_vertices + 1 + np.arange(len(cut_vertices)),
            ]
        )
    )
    vertex_order = np.repeat(np.arange(len(xy)), 1 + turns.astype(np.int64))
    part_counts = 1 + np.bincount(owner_chain, minlength=len(counts))
    return xy[vertex_order], np.diff(chain_ends, prepend=0), np.repeat(source, part_counts)
