"""Railroads' initials set along their lines, as a printed board has them.

A railroad's track is taken apart into runs that go straight on at forks; each long run has a place for initials
every 200 mm or so, and every separated part at least one. Initials stand on their own line, which their halo opens, or
beside it where other railroads run along; they read from the left, follow a stretch that is straight enough, and
touch no name, no symbol and no other railroad's line. Which place each takes is chosen together (`placing`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, degrees
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.model.base import Point
from mapkit.model.board import Board, Piece
from mapkit.render.backdrop import Area
from mapkit.render.placing import NONE, Places, choose
from mapkit.render.polyline import Array, lengths, points_at
from mapkit.render.text_extent import text_extent
from mapkit.render.text_width import text_width
from mapkit.render.theme import Sizes

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
class Run:
    """A line of one railroad without a break, and the separated part of it that it belongs to."""

    railroad: str
    part: int
    line: Array


@dataclass(frozen=True)
class _Slot:
    """A stretch that should carry initials once."""

    run: Run
    start: float
    end: float
    left_out: float


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
    marks: list[tuple[Run, Mark]] = []
    lacking = found
    for size, bend in ((sizes.initials_text, _BEND_MM[0]), (min(sizes.initials_text, _LEAST_TEXT), _BEND_MM[1])):
        if lacking:
            extra = [shapely.Polygon(mark.corners) for _, mark in marks]
            marks += field.choose(_slots(lacking), texts, size, bend, extra)
        done = {(run.railroad, run.part) for run, _ in marks}
        lacking = [run for run in found if (run.railroad, run.part) not in done]
    placed = sorted((mark for _, mark in marks), key=lambda m: (m.railroad, m.x, m.y))
    return tuple(placed), tuple(sorted({run.railroad for run in lacking}))


def runs(board: Board, railroad: str, lines: Mapping[str, Array]) -> list[Run]:
    """Return the runs of a railroad in a fixed order: from end to end, straight on at forks, each piece once."""
    pieces = sorted((p for p in board.pieces if p.railroad == railroad), key=lambda p: p.id)
    at: dict[str, list[Piece]] = {}
    for piece in pieces:
        at.setdefault(piece.a, []).append(piece)
        at.setdefault(piece.b, []).append(piece)
    part = _parts(pieces)
    used: set[str] = set()
    found: list[Run] = []
    # ends first, then forks that a line ends at, then rings
    for node in sorted(at, key=lambda n: (len(at[n]) != 1, len(at[n]) % 2 == 0, n)):
        while any(p.id not in used for p in at[node]):
            line: list[Array] = []
            here = node
            while onward := [p for p in at[here] if p.id not in used]:
                ways = {p.id: lines[p.id] if p.a == here else lines[p.id][::-1] for p in onward}
                piece = min(onward, key=lambda p: (_turn(line[-1], ways[p.id]) if line else 0.0, p.id))
                used.add(piece.id)
                line.append(ways[piece.id])
                here = piece.b if piece.a == here else piece.a
            found.append(Run(railroad, part[node], np.concatenate([line[0], *(way[1:] for way in line[1:])])))
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


def _slots(found: Sequence[Run]) -> list[_Slot]:
    longest: dict[tuple[str, int], Run] = {}
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
        self._area = shapely.box(*area)
        self._sizes = sizes

    def choose(
        self,
        slots: Sequence[_Slot],
        texts: Mapping[str, str],
        size: float,
        bend: float,
        extra: Sequence[shapely.Geometry],
    ) -> list[tuple[Run, Mark]]:
        options = [
            (index, mark, cost)
            for index, slot in enumerate(slots)
            for mark, cost in self._candidates(slot, texts[slot.run.railroad], size, bend)
        ]
        options = self._clear(options, extra)
        if not options:
            return []
        shapes = _shapes([mark for _, mark, _ in options])
        grown = shapely.buffer(shapes, _GAP_MM, join_style="mitre")
        one, other = shapely.STRtree(grown).query(grown, predicate="intersects")
        owner = np.array([index for index, _, _ in options], dtype=np.int64)
        apart = owner[one] < owner[other]
        chosen = choose(
            Places(
                owner,
                np.array([cost for _, _, cost in options]),
                np.array([slot.left_out for slot in slots]),
                (one[apart], other[apart]),
            )
        )
        return [(slots[options[c][0]].run, options[c][1]) for c in chosen if c != NONE]

    def _candidates(self, slot: _Slot, text: str, size: float, bend: float) -> Iterator[tuple[Mark, float]]:
        width = text_width(text, size, bold=True)
        up, down = text_extent(text, size)
        caps = 0.69 * size
        total = slot.end - slot.start
        room = total - width - 2.0
        if room < 0:
            return
        middle = (slot.start + slot.end) / 2
        count = int(room / _STEP_MM) + 1
        stops = middle + (np.arange(count) - (count - 1) / 2) * min(_STEP_MM, room / max(count - 1, 1))
        away = np.linspace(-width / 2 - 0.6, width / 2 + 0.6, 9)
        xy = points_at(slot.run.line, (stops[:, None] + away[None, :]).ravel()).reshape(count, 9, 2)
        for stop, points in zip(stops.tolist(), np.round(xy, 4), strict=True):
            chord = points[-1] - points[0]
            length = float(np.sqrt((chord**2).sum()))
            if length < 0.9 * width:
                continue
            ux, uy = (chord / length).tolist()
            if ux < 0 or (ux == 0 and uy > 0):
                ux, uy = -ux, -uy
            sag = ((points[:, 0] - points[0, 0]) * -uy + (points[:, 1] - points[0, 1]) * ux).tolist()
            low, high = min(sag), max(sag)
            if high - low > bend:
                continue
            cost = _MIDDLE_COST * abs(stop - middle) / max(total, 1.0) * 2 + _BEND_COST * (high - low)
            cost += _STEEP_COST * abs(uy)
            mean_x, mean_y = ((points[0] + points[-1]) / 2).tolist()
            offset = caps / 2 + self._sizes.line / 2 + self._sizes.casing_edge + _GAP_MM + (high - low) / 2
            for side in (0.0, -1.0, 1.0):
                shift = (low + high + caps) / 2 + side * offset
                x, y = mean_x - shift * uy, mean_y + shift * ux
                corners = tuple(
                    (round(x + a * ux - b * uy, 3), round(y + a * uy + b * ux, 3))
                    for a, b in ((-width / 2, -up), (width / 2, -up), (width / 2, down), (-width / 2, down))
                )
                angle = round(degrees(atan2(uy, ux)), 1)
                mark = Mark(slot.run.railroad, text, round(x, 2), round(y, 2), angle, size, corners, beside=side != 0)
                yield mark, cost + (_BESIDE_COST + 0.5 * side if side else 0.0)

    def _clear(
        self, options: list[tuple[int, Mark, float]], extra: Sequence[shapely.Geometry]
    ) -> list[tuple[int, Mark, float]]:
        if not options:
            return []
        shapes = _shapes([mark for _, mark, _ in options])
        good = shapely.contains(self._area, shapes)
        good[self._taken.query(shapes, predicate="dwithin", distance=_GAP_MM)[0]] = False
        if extra:
            good[shapely.STRtree(list(extra)).query(shapes, predicate="dwithin", distance=_GAP_MM)[0]] = False
        reach = self._sizes.line / 2 + self._sizes.casing_edge + 0.1
        mark, line = self._lines.query(shapes, predicate="dwithin", distance=reach)
        own = np.array([m.railroad for _, m, _ in options])
        beside = np.array([m.beside for _, m, _ in options])
        good[mark[(self._owner[line] != own[mark]) | beside[mark]]] = False
        return [option for option, ok in zip(options, good.tolist(), strict=True) if ok]


def _shapes(marks: Sequence[Mark]) -> NDArray[np.object_]:
    shapes = shapely.polygons(np.array([mark.corners for mark in marks]).reshape(-1, 4, 2))
    return np.asarray(shapes, dtype=object)
