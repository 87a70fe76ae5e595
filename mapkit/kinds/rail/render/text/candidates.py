"""Candidate places of a name: boxes round its symbol, with the cost of each direction and distance.

Right of the symbol is best, as in cartography (Imhof 1962; Yoeli 1972), then above, left and below; close is better
than far. A long name may be broken at a space into two rows. A name without room near its symbol may be placed farther
off, with a leader line.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import Ints
from mapkit.core.base import Area, Point
from mapkit.drawing.text_extent import CAP_HEIGHT, text_extent
from mapkit.drawing.text_width import SANS, Family, text_width
from mapkit.kinds.rail.render.lines.polyline import Array, round_exactly

Anchor = Literal["start", "middle", "end"]

_LINE_SPACING: Final = 1.0
_SECOND_ROW_COST: Final = 0.6
_LEAST_ROW_LENGTH: Final = 3
_LEAST_BREAK_LENGTH: Final = 10
_RING_COST: Final = 2.2
_LEADER_COST: Final = 25.0
_LEADER_COST_PER_MM: Final = 0.5
_DECIMALS: Final = 2
_TOUCH_MM: Final = 0.01
_TWIN_MM: Final = 0.5
_TWIN_COST: Final = 4.0
_ANCHOR_SHARE: Final = {0: 0.0, 1: 0.5, -1: 1.0}
_ANCHOR_SHARES: Final = np.array([_ANCHOR_SHARE[0], _ANCHOR_SHARE[1], _ANCHOR_SHARE[-1]])
_ANCHORS: Final[dict[int, Anchor]] = {0: "start", 1: "middle", -1: "end"}

_BESIDE_PLACES: Final = ((0.0, 0.0), (-0.5, 0.35), (0.5, 0.45), (-1.0, 0.55), (1.0, 0.65))
"""Share by which a name beside its symbol is raised or lowered from its middle; cost."""
_ACROSS_PLACES: Final = ((0.0, 0.9), (1.0, 1.0), (-1.0, 1.15), (0.5, 1.1), (-0.5, 1.2))
"""Share by which a name above its symbol is moved right (1: flush left) or left of the middle; cost."""
_LEFT_COST: Final = 0.8
_BELOW_COST: Final = 0.1
_PLACE_COST: Final = np.array([cost for _, cost in (*_BESIDE_PLACES, *_ACROSS_PLACES) for _ in range(2)])
_SIDE_COST: Final = np.array([0.0, _LEFT_COST] * len(_BESIDE_PLACES) + [0.0, _BELOW_COST] * len(_ACROSS_PLACES))
"""Of each place round a symbol, in pairs: right and left of it, then over and under it."""
_DIRECTIONS: Final = (
    (1.0, 0.0), (0.92, 0.38), (0.71, 0.71), (0.38, 0.92), (0.0, 1.0), (-0.38, 0.92), (-0.71, 0.71), (-0.92, 0.38),
    (-1.0, 0.0), (-0.92, -0.38), (-0.71, -0.71), (-0.38, -0.92), (0.0, -1.0), (0.38, -0.92), (0.71, -0.71),
    (0.92, -0.38),
)  # fmt: skip


@dataclass(frozen=True)
class NameToPlace:
    """Name to place: `hx`, `hy` are half the width and height of its symbol at (`x`, `y`), in millimetres.

    A bold name is a city's and is never left out. `side` keeps a twin's name from the other twin where it can: 1
    to the right, -1 to the left, 0 anywhere.
    """

    key: str
    text: str
    x: float
    y: float
    hx: float
    hy: float
    size: float
    bold: bool
    gaps: tuple[float, ...]
    side: int = 0
    family: Family = SANS


@dataclass(frozen=True)
class PlacedName:
    """Name at its place on the page.

    Args:
        name: The name.
        x, y: Anchor and baseline of the first row.
        anchor: Part of a row that lies at its anchor.
        box: Left, top, right and bottom of the ink, advance widths for breadth.
        rows: Text and anchor of each row; all rows of two start at their left edge.
        leader: Line from the symbol to the name, for a name far off.
    """

    name: NameToPlace
    x: float
    y: float
    anchor: Anchor
    box: Area
    rows: tuple[tuple[str, Point], ...]
    leader: tuple[Point, Point] | None = None


class NameCandidate(NamedTuple):
    """Candidate place: a block to set, the box of its ink and its cost; `placed` makes it a name."""

    name: NameToPlace
    block: "NameBlock"
    at: float
    base: float
    turn: int
    box: Area
    cost: float
    led: bool = False


@dataclass(frozen=True)
class NameBlock:
    """Name set in one row or two, with its extent over and under the first baseline, and the distance of its rows."""

    rows: tuple[str, ...]
    widths: tuple[float, ...]
    size: float
    up: float
    down: float
    width: float
    leading: float


def set_name_blocks(text: str, size: float, *, bold: bool, breaks: bool, family: Family = SANS) -> list[NameBlock]:
    """Set a name in one row, and also in two if it is long and has a space to break at."""
    name_blocks = [_set_block((text,), size, bold=bold, family=family)]
    text_words = text.split(" ")
    if breaks and len(text) >= _LEAST_BREAK_LENGTH and len(text_words) > 1:
        row_pairs = [(" ".join(text_words[:i]), " ".join(text_words[i:])) for i in range(1, len(text_words))]
        row_pairs = [h for h in row_pairs if min(map(len, h)) >= _LEAST_ROW_LENGTH]
        if row_pairs:
            narrowest_block = min(
                (_set_block(h, size, bold=bold, family=family) for h in row_pairs), key=lambda b: b.width
            )
            name_blocks.append(narrowest_block)
    return name_blocks


def _set_block(rows: tuple[str, ...], size: float, *, bold: bool, family: Family) -> NameBlock:
    row_extents = [text_extent(row, size, family) for row in rows]
    down = max(index * _LINE_SPACING * size + below for index, (_, below) in enumerate(row_extents))
    up = max(above - index * _LINE_SPACING * size for index, (above, _) in enumerate(row_extents))
    row_widths = tuple(text_width(row, size, bold=bold, family=family) for row in rows)
    return NameBlock(rows, row_widths, size, up, down, max(row_widths), _LINE_SPACING * size)


@dataclass(frozen=True)
class NameCandidates:
    """Candidates of one name, as arrays of the same length."""

    name: NameToPlace
    blocks: tuple[NameBlock, ...]
    block: Ints
    """Index into `blocks`."""
    at: Array
    base: Array
    turn: Ints
    box: Array
    """Shape (n, 4)."""
    cost: Array
    led: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.at)

    def take(self, which: Ints | NDArray[np.bool_]) -> "NameCandidates":
        """Return some of the candidates."""
        return NameCandidates(
            self.name,
            self.blocks,
            self.block[which],
            self.at[which],
            self.base[which],
            self.turn[which],
            self.box[which],
            self.cost[which],
            self.led[which],
        )

    def at_cost(self, cost: Array) -> "NameCandidates":
        """Return the candidates with other costs."""
        return replace(self, cost=cost)

    def spot(self, index: int) -> NameCandidate:
        """Return one candidate."""
        left, top, right, bottom = self.box[index].tolist()
        return NameCandidate(
            self.name,
            self.blocks[int(self.block[index])],
            float(self.at[index]),
            float(self.base[index]),
            int(self.turn[index]),
            (left, top, right, bottom),
            float(self.cost[index]),
            bool(self.led[index]),
        )


def join_candidates(parts: Sequence[NameCandidates]) -> NameCandidates:
    """Concatenate candidates of one name."""
    return NameCandidates(
        parts[0].name,
        parts[0].blocks,
        np.concatenate([part.block for part in parts]),
        np.concatenate([part.at for part in parts]),
        np.concatenate([part.base for part in parts]),
        np.concatenate([part.turn for part in parts]),
        np.concatenate([part.box for part in parts]),
        np.concatenate([part.cost for part in parts]),
        np.concatenate([part.led for part in parts]),
    )


def list_near_candidates(name: NameToPlace) -> NameCandidates:
    """Return the candidates close to the symbol."""
    name_blocks = tuple(set_name_blocks(name.text, name.size, bold=name.bold, breaks=name.bold, family=name.family))
    near_spots = join_candidates([_place_round_symbol(name, name_blocks, index) for index in range(len(name_blocks))])
    if not name.side:
        return near_spots
    # how far the name reaches over to the other twin
    overreach_mm = name.x - name.hx - near_spots.box[:, 0] if name.side > 0 else near_spots.box[:, 2] - name.x - name.hx
    near_spots = near_spots.at_cost(np.where(overreach_mm > _TOUCH_MM, near_spots.cost + _TWIN_COST, near_spots.cost))
    return near_spots.take(overreach_mm <= 2 * name.hx + _TWIN_MM)


def list_far_candidates(name: NameToPlace, reaches: tuple[float, ...]) -> NameCandidates:
    """Return candidates away from the symbol, at distances in millimetres, each with a leader line."""
    name_blocks = tuple(set_name_blocks(name.text, name.size, bold=name.bold, breaks=name.bold, family=name.family))
    distances_mm, (dx, dy) = np.array(reaches)[:, None], np.array(_DIRECTIONS).T
    block_spots = []
    for index, block in enumerate(name_blocks):
        row_cost = _SECOND_ROW_COST * (len(block.rows) - 1)
        block_height = block.up + block.down
        x = name.x + dx * (name.hx + distances_mm + block.width / 2)
        y = name.y + dy * (name.hy + distances_mm + block_height / 2)
        cost = np.broadcast_to(_LEADER_COST + row_cost + distances_mm * _LEADER_COST_PER_MM, x.shape)
        anchor_turns = np.ones(len(_DIRECTIONS), dtype=np.int64)
        block_spots.append(
            _make_spots(name, name_blocks, index, x, y - block_height / 2 + block.up, anchor_turns, cost, led=True)
        )
    return join_candidates(block_spots)


def _place_round_symbol(name: NameToPlace, found: tuple[NameBlock, ...], index: int) -> NameCandidates:
    """Return the candidates of a block close to the symbol: for each gap those beside it, then over and under it."""
    set_block = found[index]
    row_cost = _SECOND_ROW_COST * (len(set_block.rows) - 1)
    cap_height = CAP_HEIGHT * set_block.size
    half_width = min(name.hx, set_block.width / 2)
    rows_middle = (len(set_block.rows) - 1) * set_block.leading / 2
    middle_baseline = name.y + cap_height / 2 - rows_middle
    # raised until the last baseline is level with the symbol's upper edge, or lowered likewise
    baseline_lift = name.hy + cap_height / 2 + rows_middle
    gap_mm = np.array(name.gaps)
    over_baseline, under_baseline = name.y - name.hy - gap_mm - set_block.down, name.y + name.hy + gap_mm + set_block.up
    anchor_places: list[Array] = []
    baselines: list[Array] = []
    anchor_turns: list[int] = []
    for share, _ in _BESIDE_PLACES:
        side_gap = gap_mm * (1.0 - 0.3 * abs(share))
        anchor_places += [name.x + name.hx + side_gap, name.x - name.hx - side_gap]
        baselines += [np.full(len(gap_mm), middle_baseline + share * baseline_lift)] * 2
        anchor_turns += [0, -1]
    for share, _ in _ACROSS_PLACES:
        x = name.x - set_block.width / 2 + share * (set_block.width / 2 - half_width)
        anchor_turn = 0 if share > 0 else -1 if share < 0 else 1
        anchor_places += [
            np.full(
                len(gap_mm),
                x if anchor_turn == 0 else x + set_block.width if anchor_turn < 0 else x + set_block.width / 2,
            )
        ] * 2
        baselines += [over_baseline, under_baseline]
        anchor_turns += [anchor_turn, anchor_turn]
    place_costs = _PLACE_COST + (np.arange(len(gap_mm)) * _RING_COST + row_cost)[:, None] + _SIDE_COST
    return _make_spots(
        name,
        found,
        index,
        np.array(anchor_places).T,
        np.array(baselines).T,
        np.array(anchor_turns),
        place_costs,
        led=False,
    )


def _make_spots(
    name: NameToPlace,
    found: tuple[NameBlock, ...],
    index: int,
    at: Array,
    base: Array,
    turn: Ints,
    cost: Array,
    *,
    led: bool,
) -> NameCandidates:
    """Set a block at places of shape (rings, ways); `at` is its left edge for `turn` 0, right for -1, middle for 1."""
    set_block = found[index]
    turn = np.broadcast_to(turn, at.shape).ravel()
    at, base = round_exactly(at.ravel(), _DECIMALS), round_exactly(base.ravel(), _DECIMALS)
    left_edges = at - _ANCHOR_SHARES[turn] * set_block.width
    return NameCandidates(
        name,
        found,
        np.full(len(at), index),
        at,
        base,
        turn,
        np.column_stack((left_edges, base - set_block.up, left_edges + set_block.width, base + set_block.down)),
        cost.ravel(),
        np.full(len(at), led),
    )


def place_candidate(spot: NameCandidate) -> PlacedName:
    """Return the name as drawn at a candidate's place."""
    block, name, anchor_share = spot.block, spot.name, _ANCHOR_SHARE[spot.turn]
    leader_line = make_leader_line(spot) if spot.led else None
    if len(block.rows) == 1:
        row = (name.text, (spot.at, spot.base))
        return PlacedName(name, spot.at, spot.base, _ANCHORS[spot.turn], spot.box, (row,), leader_line)
    placed_rows = tuple(
        (row, (round(spot.at - anchor_share * width, _DECIMALS), round(spot.base + index * block.leading, _DECIMALS)))
        for index, (row, width) in enumerate(zip(block.rows, block.widths, strict=True))
    )
    return PlacedName(name, *placed_rows[0][1], "start", spot.box, placed_rows, leader_line)


def make_leader_line(spot: NameCandidate) -> tuple[Point, Point]:
    """Return the leader line from the edge of the symbol to the edge of the name."""
    name = spot.name
    left, top, right, bottom = spot.box
    line_end = (min(max(name.x, left), right), min(max(name.y, top), bottom))
    dx, dy = line_end[0] - name.x, line_end[1] - name.y
    edge_scale = min(name.hx / abs(dx) if dx else 1e9, name.hy / abs(dy) if dy else 1e9)
    line_start = (round(name.x + dx * edge_scale, _DECIMALS), round(name.y + dy * edge_scale, _DECIMALS))
    end_gap = 0.4 / max((dx * dx + dy * dy) ** 0.5, 1e-6)
    return line_start, (round(line_end[0] - dx * end_gap, _DECIMALS), round(line_end[1] - dy * end_gap, _DECIMALS))
