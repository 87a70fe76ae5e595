"""Where a name may stand: boxes round its symbol, and what each direction and distance costs.

Right of the symbol is best, as map makers have it (Imhof 1962; Yoeli 1972), then above, left and below; close is
better than far. A long name may be broken at a space into two rows. Where a name finds no room near its symbol it
may stand farther off, joined to it by a leader line.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from mapkit.model.base import Point
from mapkit.render.backdrop import Area
from mapkit.render.text_extent import CAP_HEIGHT, text_extent
from mapkit.render.text_width import text_width

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
_ANCHORS: Final[dict[int, Anchor]] = {0: "start", 1: "middle", -1: "end"}

_BESIDE: Final = ((0.0, 0.0), (-0.5, 0.35), (0.5, 0.45), (-1.0, 0.55), (1.0, 0.65))
"""Share by which a name beside its symbol is raised or lowered to stand above or below its middle; cost."""
_ACROSS: Final = ((0.0, 0.9), (1.0, 1.0), (-1.0, 1.15), (0.5, 1.1), (-0.5, 1.2))
"""Share by which a name above its symbol is moved right (1: flush left) or left of the middle; cost."""
_LEFT_COST: Final = 0.8
_BELOW_COST: Final = 0.1
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
class Placed:
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


def near(name: Name) -> Iterator[Spot]:
    """Yield the places close to the symbol."""
    for block in blocks(name.text, name.size, bold=name.bold, breaks=name.bold):
        extra = _TWO_ROWS * (len(block.rows) - 1)
        caps = CAP_HEIGHT * block.size
        half = min(name.hx, block.width / 2)
        middle = (len(block.rows) - 1) * block.leading / 2
        level = name.y + caps / 2 - middle
        for ring, gap in enumerate(name.gaps):
            ring_cost = ring * _RING + extra
            # raised until the last baseline is level with the symbol's upper edge, or lowered likewise
            lift = name.hy + caps / 2 + middle
            for share, cost in _BESIDE:
                side = gap * (1.0 - 0.3 * abs(share))
                base = level + share * lift
                yield from _kept(name, block, name.x + name.hx + side, base, 0, cost + ring_cost)
                left = name.x - name.hx - side
                yield from _kept(name, block, left, base, -1, cost + ring_cost + _LEFT_COST)
            for share, cost in _ACROSS:
                shift = share * (block.width / 2 - half)
                x = name.x - block.width / 2 + shift
                turn = 0 if share > 0 else -1 if share < 0 else 1
                at = x if turn == 0 else x + block.width if turn < 0 else x + block.width / 2
                over, under = name.y - name.hy - gap - block.down, name.y + name.hy + gap + block.up
                yield from _kept(name, block, at, over, turn, cost + ring_cost)
                yield from _kept(name, block, at, under, turn, cost + ring_cost + _BELOW_COST)


def far(name: Name, reaches: tuple[float, ...]) -> Iterator[Spot]:
    """Yield places away from the symbol, at distances in millimetres, each with a leader line."""
    for block in blocks(name.text, name.size, bold=name.bold, breaks=name.bold):
        extra = _TWO_ROWS * (len(block.rows) - 1)
        tall = block.up + block.down
        for reach in reaches:
            for dx, dy in _ROUND:
                x = name.x + dx * (name.hx + reach + block.width / 2)
                y = name.y + dy * (name.hy + reach + tall / 2)
                cost = _LEADER + extra + reach * _LEADER_MM
                yield _spot(name, block, x, y - tall / 2 + block.up, 1, cost)._replace(led=True)


def _kept(  # noqa: PLR0913, PLR0917 - as `_spot`
    name: Name, block: Block, at: float, base: float, turn: int, cost: float
) -> Iterator[Spot]:
    spot = _spot(name, block, at, base, turn, cost)
    if name.side:
        # how far the name reaches over to the other twin
        over = name.x - name.hx - spot.box[0] if name.side > 0 else spot.box[2] - name.x - name.hx
        if over > 2 * name.hx + _TWIN_MM:
            return
        if over > _TOUCH:
            spot = spot._replace(cost=cost + _TWIN_COST)
    yield spot


def _spot(name: Name, block: Block, at: float, base: float, turn: int, cost: float) -> Spot:  # noqa: PLR0913, PLR0917
    """Set a block; `turn` is 0 where `at` is its left edge, -1 its right edge, 1 its middle."""
    at, base = round(at, _DECIMALS), round(base, _DECIMALS)
    left = at - _SHARE[turn] * block.width
    return Spot(name, block, at, base, turn, (left, base - block.up, left + block.width, base + block.down), cost)


def placed(spot: Spot) -> Placed:
    """Return the name as it is drawn at a candidate's place."""
    block, name, share = spot.block, spot.name, _SHARE[spot.turn]
    leader = led_line(spot) if spot.led else None
    if len(block.rows) == 1:
        row = (name.text, (spot.at, spot.base))
        return Placed(name, spot.at, spot.base, _ANCHORS[spot.turn], spot.box, (row,), leader)
    rows = tuple(
        (row, (round(spot.at - share * width, _DECIMALS), round(spot.base + index * block.leading, _DECIMALS)))
        for index, (row, width) in enumerate(zip(block.rows, block.widths, strict=True))
    )
    return Placed(name, *rows[0][1], "start", spot.box, rows, leader)


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
