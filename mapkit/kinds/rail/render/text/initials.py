"""Railroads' initials set along their lines, as a printed board has them.

A railroad's track is taken apart into runs that go straight on at forks; each long run has a place for initials
every 200 mm or so, and every separated part at least one. Initials stand on their own line, which their halo opens, or
beside it where other railroads run along; they read from the left, follow a stretch that is straight enough, and
touch no name, no symbol and no other railroad's line. Which place each takes is chosen together (`placing`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import atan2, degrees
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.arrays import rest_of
from mapkit.core.base import Area, Point
from mapkit.drawing.text_extent import text_extent
from mapkit.drawing.text_width import text_width
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Board, Piece
from mapkit.kinds.rail.render.lines.polyline import Array, lengths, points_at, rounded
from mapkit.kinds.rail.render.text.placing import NONE, CandidatePlaces, choose

_EVERY_MM: Final = 200.0
_SHORTEST_MM: Final = 90.0
_STEP_MM: Final = 4.0
_AHEAD_MM: Final = 4.0
_BEND_MM: Final = (0.45, 0.9)
_GAP_MM: Final = 0.5
_LEAST_TEXT: Final = 2.15
"""Font size in millimetres that initials shrink to where nothing else fits: 6.1 pt."""
_BESIDE_COST: Final = 5.0
_MIDDLE_COST: Final = 6.0
_BEND_COST: Final = 8.0
_STEEP_COST: Final = 3.0
_LEFT_OUT: Final = 60.0
_SIDES: Final = np.array([0.0, -1.0, 1.0])
"""On the line, above it, below it."""


@dataclass(frozen=True)
class Mark:
    """Initials on the page.

    Args:
        railroad: Id of the railroad.
        text: Its initials.
        x, y: Middle of the text on its baseline.
        angle: Turn in degrees, clockwise as SVG has it, from -90 to 90.
        size: Font size in millimetres.
        corners: The ink's box, turned.
        beside: True where the text stands beside its line rather than on it.
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
    """A line of one railroad without a break, and the separated part of it that it belongs to."""

    railroad: str
    part: int
    line: Array


@dataclass(frozen=True)
class _Slot:
    """A stretch that should carry initials once."""

    run: LineRun
    start: float
    end: float
    left_out: float


@dataclass(frozen=True)
class _Tries:
    """Places that initials may take, in arrays of the same length."""

    slot: NDArray[np.int64]
    """Which slot each is for."""
    at: Array
    way: Array
    """Unit vector that the text runs along."""
    corners: Array
    """Shape (n, 4, 2)."""
    beside: NDArray[np.bool_]
    cost: Array

    def take(self, which: NDArray[np.int64]) -> "_Tries":
        return _Tries(
            self.slot[which],
            self.at[which],
            self.way[which],
            self.corners[which],
            self.beside[which],
            self.cost[which],
        )


def _joined(parts: Sequence[_Tries]) -> _Tries:
    return _Tries(
        np.concatenate([part.slot for part in parts]),
        np.concatenate([part.at for part in parts]),
        np.concatenate([part.way for part in parts]),
        np.concatenate([part.corners for part in parts]),
        np.concatenate([part.beside for part in parts]),
        np.concatenate([part.cost for part in parts]),
    )


def place_initials(
    board: Board, lines: Mapping[str, Array], *, taken: Sequence[shapely.Geometry], area: Area, sizes: Sizes
) -> tuple[tuple[Mark, ...], tuple[str, ...]]:
    """Return the initials placed, and the ids of railroads that have a separated part without any.

    Args:
        board: The board.
        lines: Drawn line of each track piece.
        taken: What initials may not touch: symbols and names.
        area: Initials stay inside it.
        sizes: Their font size, and the width of lines.
    """
    texts = {r.id: r.short for r in board.railroads}
    found = [run for railroad in sorted(texts) for run in runs(board, railroad, lines)]
    field = _Field(board, lines, taken, area, sizes)
    marks: list[tuple[LineRun, Mark]] = []
    lacking = found
    for size, bend in ((sizes.initials_text, _BEND_MM[0]), (min(sizes.initials_text, _LEAST_TEXT), _BEND_MM[1])):
        if lacking:
            extra = [shapely.Polygon(mark.corners) for _, mark in marks]
            marks += field.choose(_slots(lacking), texts, size, bend, extra)
        done = {(run.railroad, run.part) for run, _ in marks}
        lacking = [run for run in found if (run.railroad, run.part) not in done]
    placed = sorted((mark for _, mark in marks), key=lambda m: (m.railroad, m.x, m.y))
    return tuple(placed), tuple(sorted({run.railroad for run in lacking}))


def runs(board: Board, railroad: str, lines: Mapping[str, Array]) -> list[LineRun]:
    """Return the runs of a railroad in a fixed order: from end to end, straight on at forks, each piece once."""
    pieces = sorted((p for p in board.pieces if p.railroad == railroad), key=lambda p: p.id)
    at: dict[str, list[Piece]] = {}
    for piece in pieces:
        at.setdefault(piece.a, []).append(piece)
        at.setdefault(piece.b, []).append(piece)
    part = _parts(pieces)
    used: set[str] = set()
    found: list[LineRun] = []
    # ends first, then forks that a line ends at, then rings
    for node in sorted(at, key=lambda n: (len(at[n]) != 1, len(at[n]) % 2 == 0, n)):
        while any(p.id not in used for p in at[node]):
            line: list[Array] = []
            here = node
            while onward := [p for p in at[here] if p.id not in used]:
                ways = {p.id: lines[p.id] if p.a == here else lines[p.id][::-1] for p in onward}
                piece = onward[0]
                if len(onward) > 1:
                    piece = min(onward, key=lambda p: (_turn(line[-1], ways[p.id]) if line else 0.0, p.id))
                used.add(piece.id)
                line.append(ways[piece.id])
                here = piece.b if piece.a == here else piece.a
            found.append(LineRun(railroad, part[node], np.concatenate([line[0], *(way[1:] for way in line[1:])])))
    return found


def _turn(arriving: Array, leaving: Array) -> float:
    """Return how sharply a line turns onto the next: -1 straight on, 1 back."""
    before = arriving[-1] - points_at(arriving[::-1], np.array([_AHEAD_MM]))[0]
    after = points_at(leaving, np.array([_AHEAD_MM]))[0] - leaving[0]
    size = float(np.sqrt((before**2).sum() * (after**2).sum()))
    return round(-float((before * after).sum()) / max(size, 1e-9), 6)


def _parts(pieces: Sequence[Piece]) -> dict[str, int]:
    """Return node -> number of the connected part it belongs to."""
    group: dict[str, list[str]] = {}
    for piece in pieces:
        a, b = group.setdefault(piece.a, [piece.a]), group.setdefault(piece.b, [piece.b])
        if a is not b:
            a.extend(b)
            for node in b:
                group[node] = a
    first = {id(members): index for index, members in enumerate({id(g): g for g in group.values()}.values())}
    return {node: first[id(members)] for node, members in group.items()}


def _slots(found: Sequence[LineRun]) -> list[_Slot]:
    longest: dict[tuple[str, int], LineRun] = {}
    size = {id(run): float(lengths(run.line)[-1]) for run in found}
    for run in found:
        key = (run.railroad, run.part)
        if key not in longest or size[id(run)] > size[id(longest[key])] + 1e-6:
            longest[key] = run
    slots: list[_Slot] = []
    for run in found:
        total, only = size[id(run)], run is longest[run.railroad, run.part]
        if total < _SHORTEST_MM and not only:
            continue
        count = max(1, round(total / _EVERY_MM))
        slots += [
            _Slot(run, total * k / count, total * (k + 1) / count, _LEFT_OUT * (10.0 if only else 1.0))
            for k in range(count)
        ]
    return slots


class _Field:
    """What is on the map, to try places against."""

    def __init__(
        self, board: Board, lines: Mapping[str, Array], taken: Sequence[shapely.Geometry], area: Area, sizes: Sizes
    ) -> None:
        ids = sorted(lines)
        owner = {p.id: p.railroad for p in board.pieces}
        self._owner = np.array([owner[i] for i in ids])
        self._lines = shapely.STRtree([shapely.LineString(np.round(lines[i], 4)) for i in ids])
        self._taken = shapely.STRtree(list(taken))
        self._area = area
        self._sizes = sizes

    def choose(
        self,
        slots: Sequence[_Slot],
        texts: Mapping[str, str],
        size: float,
        bend: float,
        extra: Sequence[shapely.Geometry],
    ) -> list[tuple[LineRun, Mark]]:
        tries = _joined([self._tries(k, slot, texts[slot.run.railroad], size, bend) for k, slot in enumerate(slots)])
        own = np.array([slot.run.railroad for slot in slots])
        tries = self._clear(tries, own, extra)
        if not len(tries.slot):
            return []
        grown = shapely.buffer(_shapes(tries), _GAP_MM, join_style="mitre")
        one, other = shapely.STRtree(grown).query(grown, predicate="intersects")
        apart = tries.slot[one] < tries.slot[other]
        left_out = np.array([slot.left_out for slot in slots])
        chosen = choose(CandidatePlaces(tries.slot, tries.cost, left_out, (one[apart], other[apart])))
        runs_of = [(slots[int(tries.slot[c])].run, int(c)) for c in chosen if c != NONE]
        return [(run, _mark(tries, c, run.railroad, texts[run.railroad], size)) for run, c in runs_of]

    def _tries(self, index: int, slot: _Slot, text: str, size: float, bend: float) -> _Tries:
        """Return the places along a stretch where the line is straight enough: on it, above it and below it."""
        width = text_width(text, size, bold=True)
        up, down = text_extent(text, size)
        caps = 0.69 * size
        total = slot.end - slot.start
        room = total - width - 2.0
        middle = (slot.start + slot.end) / 2
        count = int(room / _STEP_MM) + 1 if room >= 0 else 0
        stops = middle + (np.arange(count) - (count - 1) / 2) * min(_STEP_MM, room / max(count - 1, 1))
        away = np.linspace(-width / 2 - 0.6, width / 2 + 0.6, 9)
        xy = points_at(slot.run.line, (stops[:, None] + away[None, :]).ravel()).reshape(count, 9, 2)
        points = np.round(xy, 4)
        chord = points[:, -1] - points[:, 0]
        length = np.sqrt((chord**2).sum(axis=1))
        long = (length >= 0.9 * width) & (length > 0)
        stops, points, way = stops[long], points[long], chord[long] / length[long][:, None]
        # from left to right, or upward
        way[(way[:, 0] < 0) | ((way[:, 0] == 0) & (way[:, 1] > 0))] *= -1
        off = points - points[:, :1]
        sag = off[..., 0] * -way[:, 1:] + off[..., 1] * way[:, :1]
        low, high = sag.min(axis=1, initial=0.0), sag.max(axis=1, initial=0.0)
        even = high - low <= bend
        stops, points, way, low, high = stops[even], points[even], way[even], low[even], high[even]
        cost = _MIDDLE_COST * np.abs(stops - middle) / max(total, 1.0) * 2 + _BEND_COST * (high - low)
        cost += _STEEP_COST * np.abs(way[:, 1])
        mean = (points[:, 0] + points[:, -1]) / 2
        offset = caps / 2 + self._sizes.line / 2 + self._sizes.casing_edge + _GAP_MM + (high - low) / 2
        shift = ((low + high + caps) / 2)[:, None] + _SIDES * offset[:, None]
        ux, uy = way[:, :1], way[:, 1:]
        x, y = (mean[:, :1] - shift * uy).ravel(), (mean[:, 1:] + shift * ux).ravel()
        way = np.repeat(way, len(_SIDES), axis=0)
        a, b = np.array([(-width / 2, -up), (width / 2, -up), (width / 2, down), (-width / 2, down)]).T
        ux, uy = way[:, :1], way[:, 1:]
        corners = np.stack((x[:, None] + a * ux - b * uy, y[:, None] + a * uy + b * ux), axis=2)
        return _Tries(
            slot=np.full(len(x), index),
            at=np.column_stack((x, y)),
            way=way,
            corners=rounded(corners.ravel(), 3).reshape(corners.shape),
            beside=np.tile(_SIDES != 0, len(cost)),
            cost=(cost[:, None] + np.where(_SIDES != 0, _BESIDE_COST + 0.5 * _SIDES, 0.0)).ravel(),
        )

    def _clear(self, tries: _Tries, own: NDArray[np.str_], extra: Sequence[shapely.Geometry]) -> _Tries:
        """Return the places that touch nothing; `own` are the railroads of the slots."""
        left, top, right, bottom = self._area
        first, last = tries.corners.min(axis=1), tries.corners.max(axis=1)
        tries = tries.take(np.flatnonzero((first >= (left, top)).all(axis=1) & (last <= (right, bottom)).all(axis=1)))
        for tree in (self._taken, shapely.STRtree(list(extra))):
            hit = tree.query(_shapes(tries), predicate="dwithin", distance=_GAP_MM)[0]
            tries = tries.take(rest_of(len(tries.slot), hit))
        reach = self._sizes.line / 2 + self._sizes.casing_edge + 0.1
        mark, line = self._lines.query(_shapes(tries), predicate="dwithin", distance=reach)
        strange = (self._owner[line] != own[tries.slot[mark]]) | tries.beside[mark]
        return tries.take(rest_of(len(tries.slot), mark[strange]))


def _mark(tries: _Tries, index: int, railroad: str, text: str, size: float) -> Mark:
    x, y = tries.at[index].tolist()
    ux, uy = tries.way[index].tolist()
    corners = tuple((a, b) for a, b in tries.corners[index].tolist())
    angle = round(degrees(atan2(uy, ux)), 1)
    return Mark(railroad, text, round(x, 2), round(y, 2), angle, size, corners, beside=bool(tries.beside[index]))


def _shapes(tries: _Tries) -> NDArray[np.object_]:
    return np.asarray(shapely.polygons(tries.corners), dtype=object)
