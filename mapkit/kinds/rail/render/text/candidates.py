"""Where a name may stand: boxes round its symbol, and what each direction and distance costs.

Right of the symbol is best, as map makers have it (Imhof 1962; Yoeli 1972), then above, left and below; close is
better than far. A long name may be broken at a space into two rows. Where a name finds no room near its symbol it
may stand farther off, joined to it by a leader line.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.core.base import Area, Point
from mapkit.drawing.text_extent import CAP_HEIGHT, text_extent
from mapkit.drawing.text_width import text_width
from mapkit.kinds.rail.render.lines.polyline import Array, rounded

Ints = NDArray[np.int64]
Anchor = Literal["start", "middle", "end"]

_LEADING: Final = 1.0
_TWO_ROWS: Final = 0.6
_SHORTEST_ROW: Final = 3
_BREAKS_FROM: Final = 10
_RING: Final = 2.2
_LEADER: Final = 25.0
_LEADER_MM: Final = 0.5
_DECIMALS: Final = 2
_TOUCH: Final = 0.01
_TWIN_MM: Final = 0.5
_TWIN_COST: Final = 4.0
_SHARE: Final = {0: 0.0, 1: 0.5, -1: 1.0}
_SHARES: Final = np.array([_SHARE[0], _SHARE[1], _SHARE[-1]])
_ANCHORS: Final[dict[int, Anchor]] = {0: "start", 1: "middle", -1: "end"}

_BESIDE: Final = ((0.0, 0.0), (-0.5, 0.35), (0.5, 0.45), (-1.0, 0.55), (1.0, 0.65))
"""Share by which a name beside its symbol is raised or lowered to stand above or below its middle; cost."""
_ACROSS: Final = ((0.0, 0.9), (1.0, 1.0), (-1.0, 1.15), (0.5, 1.1), (-0.5, 1.2))
"""Share by which a name above its symbol is moved right (1: flush left) or left of the middle; cost."""
_LEFT_COST: Final = 0.8
_BELOW_COST: Final = 0.1
_PLACE_COST: Final = np.array([cost for _, cost in (*_BESIDE, *_ACROSS) for _ in range(2)])
_SIDE_COST: Final = np.array([0.0, _LEFT_COST] * len(_BESIDE) + [0.0, _BELOW_COST] * len(_ACROSS))
"""Of each place round a symbol, in pairs: right and left of it, then over and under it."""
_ROUND: Final = (
    (1.0, 0.0), (0.92, 0.38), (0.71, 0.71), (0.38, 0.92), (0.0, 1.0), (-0.38, 0.92), (-0.71, 0.71), (-0.92, 0.38),
    (-1.0, 0.0), (-0.92, -0.38), (-0.71, -0.71), (-0.38, -0.92), (0.0, -1.0), (0.38, -0.92), (0.71, -0.71),
    (0.92, -0.38),
)  # fmt: skip


@dataclass(frozen=True)
class Name:
    """A name to place: `hx`, `hy` are half the width and height of its symbol at (`x`, `y`), in millimetres.

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


@dataclass(frozen=True)
class PlacedName:
    """A placed name.

    Args:
        name: What is placed.
        x, y: Anchor and baseline of the first row.
        anchor: Which part of a row stands at its anchor.
        box: Left, top, right and bottom of the ink, advance widths for breadth.
        rows: Text and anchor of each row; all rows of two start at their left edge.
        leader: Line from the symbol to the name, where the name stands far off.
    """

    name: Name
    x: float
    y: float
    anchor: Anchor
    box: Area
    rows: tuple[tuple[str, Point], ...]
    leader: tuple[Point, Point] | None = None


class Spot(NamedTuple):
    """A candidate: a block to set at a place, the box of its ink and its cost; `placed` makes it a name."""

    name: Name
    block: "Block"
    at: float
    base: float
    turn: int
    box: Area
    cost: float
    led: bool = False


@dataclass(frozen=True)
class Block:
    """A name set in one row or two: how far it reaches over and under its first baseline, and from one to the next."""

    rows: tuple[str, ...]
    widths: tuple[float, ...]
    size: float
    up: float
    down: float
    width: float
    leading: float


def blocks(text: str, size: float, *, bold: bool, breaks: bool) -> list[Block]:
    """Return a name in one row, and in two where it is long and has a space to break at."""
    found = [_block((text,), size, bold=bold)]
    words = text.split(" ")
    if breaks and len(text) >= _BREAKS_FROM and len(words) > 1:
        halves = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
        halves = [h for h in halves if min(map(len, h)) >= _SHORTEST_ROW]
        if halves:
            best = min((_block(h, size, bold=bold) for h in halves), key=lambda b: b.width)
            found.append(best)
    return found


def _block(rows: tuple[str, ...], size: float, *, bold: bool) -> Block:
    extents = [text_extent(row, size) for row in rows]
    down = max(index * _LEADING * size + below for index, (_, below) in enumerate(extents))
    up = max(above - index * _LEADING * size for index, (above, _) in enumerate(extents))
    widths = tuple(text_width(row, size, bold=bold) for row in rows)
    return Block(rows, widths, size, up, down, max(widths), _LEADING * size)


@dataclass(frozen=True)
class Spots:
    """Candidates of one name, in arrays of the same length."""

    name: Name
    blocks: tuple[Block, ...]
    block: Ints
    """Which of `blocks` is set."""
    at: Array
    base: Array
    turn: Ints
    box: Array
    """Shape (n, 4)."""
    cost: Array
    led: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.at)

    def take(self, which: Ints | NDArray[np.bool_]) -> "Spots":
        """Return some of the candidates."""
        return Spots(
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

    def at_cost(self, cost: Array) -> "Spots":
        """Return the candidates with other costs."""
        return replace(self, cost=cost)

    def spot(self, index: int) -> Spot:
        """Return one candidate."""
        left, top, right, bottom = self.box[index].tolist()
        return Spot(
            self.name,
            self.blocks[int(self.block[index])],
            float(self.at[index]),
            float(self.base[index]),
            int(self.turn[index]),
            (left, top, right, bottom),
            float(self.cost[index]),
            bool(self.led[index]),
        )


def joined(parts: Sequence[Spots]) -> Spots:
    """Return the candidates of one name in one."""
    return Spots(
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


def near(name: Name) -> Spots:
    """Return the places close to the symbol."""
    found = tuple(blocks(name.text, name.size, bold=name.bold, breaks=name.bold))
    spots = joined([_round_symbol(name, found, index) for index in range(len(found))])
    if not name.side:
        return spots
    # how far the name reaches over to the other twin
    over = name.x - name.hx - spots.box[:, 0] if name.side > 0 else spots.box[:, 2] - name.x - name.hx
    spots = spots.at_cost(np.where(over > _TOUCH, spots.cost + _TWIN_COST, spots.cost))
    return spots.take(over <= 2 * name.hx + _TWIN_MM)


def far(name: Name, reaches: tuple[float, ...]) -> Spots:
    """Return places away from the symbol, at distances in millimetres, each with a leader line."""
    found = tuple(blocks(name.text, name.size, bold=name.bold, breaks=name.bold))
    away, (dx, dy) = np.array(reaches)[:, None], np.array(_ROUND).T
    parts = []
    for index, block in enumerate(found):
        extra = _TWO_ROWS * (len(block.rows) - 1)
        tall = block.up + block.down
        x = name.x + dx * (name.hx + away + block.width / 2)
        y = name.y + dy * (name.hy + away + tall / 2)
        cost = np.broadcast_to(_LEADER + extra + away * _LEADER_MM, x.shape)
        turn = np.ones(len(_ROUND), dtype=np.int64)
        parts.append(_set(name, found, index, x, y - tall / 2 + block.up, turn, cost, led=True))
    return joined(parts)


def _round_symbol(name: Name, found: tuple[Block, ...], index: int) -> Spots:
    """Return the places of a block close to the symbol: for each gap first those beside it, then over and under it."""
    block = found[index]
    extra = _TWO_ROWS * (len(block.rows) - 1)
    caps = CAP_HEIGHT * block.size
    half = min(name.hx, block.width / 2)
    middle = (len(block.rows) - 1) * block.leading / 2
    level = name.y + caps / 2 - middle
    # raised until the last baseline is level with the symbol's upper edge, or lowered likewise
    lift = name.hy + caps / 2 + middle
    gap = np.array(name.gaps)
    over, under = name.y - name.hy - gap - block.down, name.y + name.hy + gap + block.up
    at: list[Array] = []
    base: list[Array] = []
    turns: list[int] = []
    for share, _ in _BESIDE:
        side = gap * (1.0 - 0.3 * abs(share))
        at += [name.x + name.hx + side, name.x - name.hx - side]
        base += [np.full(len(gap), level + share * lift)] * 2
        turns += [0, -1]
    for share, _ in _ACROSS:
        x = name.x - block.width / 2 + share * (block.width / 2 - half)
        turn = 0 if share > 0 else -1 if share < 0 else 1
        at += [np.full(len(gap), x if turn == 0 else x + block.width if turn < 0 else x + block.width / 2)] * 2
        base += [over, under]
        turns += [turn, turn]
    cost = _PLACE_COST + (np.arange(len(gap)) * _RING + extra)[:, None] + _SIDE_COST
    return _set(name, found, index, np.array(at).T, np.array(base).T, np.array(turns), cost, led=False)


def _set(
    name: Name, found: tuple[Block, ...], index: int, at: Array, base: Array, turn: Ints, cost: Array, *, led: bool
) -> Spots:
    """Set a block at places of shape (rings, ways); `turn` is 0 where `at` is its left edge, -1 right, 1 middle."""
    block = found[index]
    turn = np.broadcast_to(turn, at.shape).ravel()
    at, base = rounded(at.ravel(), _DECIMALS), rounded(base.ravel(), _DECIMALS)
    left = at - _SHARES[turn] * block.width
    return Spots(
        name,
        found,
        np.full(len(at), index),
        at,
        base,
        turn,
        np.column_stack((left, base - block.up, left + block.width, base + block.down)),
        cost.ravel(),
        np.full(len(at), led),
    )


def placed(spot: Spot) -> PlacedName:
    """Return the name as it is drawn at a candidate's place."""
    block, name, share = spot.block, spot.name, _SHARE[spot.turn]
    leader = led_line(spot) if spot.led else None
    if len(block.rows) == 1:
        row = (name.text, (spot.at, spot.base))
        return PlacedName(name, spot.at, spot.base, _ANCHORS[spot.turn], spot.box, (row,), leader)
    rows = tuple(
        (row, (round(spot.at - share * width, _DECIMALS), round(spot.base + index * block.leading, _DECIMALS)))
        for index, (row, width) in enumerate(zip(block.rows, block.widths, strict=True))
    )
    return PlacedName(name, *rows[0][1], "start", spot.box, rows, leader)


def led_line(spot: Spot) -> tuple[Point, Point]:
    """Return the leader line from the edge of the symbol to the edge of the name."""
    name = spot.name
    left, top, right, bottom = spot.box
    end = (min(max(name.x, left), right), min(max(name.y, top), bottom))
    dx, dy = end[0] - name.x, end[1] - name.y
    scale = min(name.hx / abs(dx) if dx else 1e9, name.hy / abs(dy) if dy else 1e9)
    start = (round(name.x + dx * scale, _DECIMALS), round(name.y + dy * scale, _DECIMALS))
    gap = 0.4 / max((dx * dx + dy * dy) ** 0.5, 1e-6)
    return start, (round(end[0] - dx * gap, _DECIMALS), round(end[1] - dy * gap, _DECIMALS))
