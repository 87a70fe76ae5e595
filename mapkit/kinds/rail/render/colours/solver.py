"""Colours and patterns of railroads, solved: as far apart as can be for people with any colour vision.

Every railroad takes a colour of a grid in OKLab (Ottosson 2020) that sRGB has, that stands out from the land and is
not far from the colour it had, in hue above all; and one of the patterns. A pair that touches costs the cube of what it
lacks to a goal, in hundredths of CIEDE2000 under the worst of four visions (`rail.render.vision`), on light ground and,
as the dark theme draws them, on dark ground; the goal is highest where the patterns are the same. A pair of the same
pattern also costs what its lightness lacks to a goal, for copies in grey, where pattern and lightness are all. One
railroad after the other takes its cheapest style until none gets better; then the worst are thrown about, by a fixed
seed, and again, and the best is kept. All costs are whole numbers, so every machine finds the same.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.errors import UnknownNameError, did_you_mean
from mapkit.drawing.colours.colour import (
    Floats,
    contrast,
    in_gamut,
    oklab,
    oklab_to_light,
    rgb,
    rgbs,
    to_encoded,
    to_hex,
)
from mapkit.drawing.theme.theme import CLASSIC, DARK, Theme
from mapkit.kinds.rail.model.board import Board, Style
from mapkit.kinds.rail.render.colours.distances import GREY_LIMIT, distances, grey_distances
from mapkit.kinds.rail.render.colours.ink_patterns import PATTERNS
from mapkit.kinds.rail.render.colours.railroad_styles import LINE_CONTRAST, lightened
from mapkit.kinds.rail.render.lines.touching import touching

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

NEAR: Final = 22.0
"""How far a colour may go from the one it had, CIEDE2000 under normal sight."""
_LIGHTNESS: Final = (0.25, 0.32, 0.39, 0.46, 0.53, 0.59, 0.64, 0.68)
_CHROMA: Final = (0.0, 0.05, 0.09, 0.13, 0.17, 0.21)
_HUES: Final = 30
_GOALS: Final = {("beside", True): 1800, ("beside", False): 1200, ("touch", True): 1400, ("touch", False): 900}
"""Wanted distance in hundredths: how they lie, whether the patterns are the same."""
_GREY_GOALS: Final = {"beside": 1800, "touch": 1200}
"""Wanted difference of lightness of two that share a pattern, in hundredths of CIELAB: how they lie."""
_GREY_ALIKE: Final = 2 * 10**9
"""What two of one pattern cost that a grey copy makes alike: more than another pattern, less than confusion."""
_ALIKE: Final = 1000
_CONFUSED: Final = 10**11
"""What two that touch cost if patterns and colours are alike."""
_STRAY: Final = 12
"""What a hundredth of distance from the colour it had costs, squared."""
_GREYER: Final = 100.0
"""What a loss of chroma in OKLab adds to the distance: liveries are not grey."""
_HUELESS: Final = 0.035
"""Chroma in OKLab below which a colour is grey to the eye."""
_TURNED: Final = 12.0
"""What a turn of hue by 30 degrees adds to the distance of two colours that are not grey."""
_DRAINED: Final = 40.0
"""What it adds that a colour becomes grey, or a grey one coloured: people call it by another name then."""
_REPATTERN: Final = 60_000_000
_FAINT: Final = 10**11
"""A colour that does not stand out; only one to keep may have it."""
_ROUNDS: Final = 60
_THROWN: Final = 4
_SEED: Final = 1940


@dataclass(frozen=True)
class SolvedColours:
    """Styles by railroad, and how many rounds and changes it took."""

    styles: Mapping[str, Style]
    cost: int
    changed: tuple[str, ...]


def candidates(theme: Theme = CLASSIC) -> tuple[str, ...]:
    """Return the colours of the grid that stand out from land and casing at least 3:1, sorted."""
    found = {
        to_hex(to_encoded(light))
        for lightness in _LIGHTNESS
        for chroma in _CHROMA
        for hue in range(_HUES)
        if in_gamut(light := oklab_to_light(_at(lightness, chroma, hue)))
    }
    return tuple(sorted(c for c in found if _stands_out(c, theme)))


def _stands_out(colour: str, theme: Theme) -> bool:
    return min(contrast(colour, ground) for ground in (theme.land, theme.casing)) >= LINE_CONTRAST


def _at(lightness: float, chroma: float, hue: int) -> Floats:
    turn = 2 * np.pi * hue / _HUES
    return np.array([lightness, chroma * np.cos(turn), chroma * np.sin(turn)])


def solve_colours(
    board: Board, *, keep: Collection[str] = (), theme: Theme = CLASSIC, near: float = NEAR
) -> SolvedColours:
    """Return a style for every railroad; the same board gives the same styles.

    Args:
        board: Its railroads' styles are where the search starts from, and near where it stays.
        keep: Railroads (ids) that keep theirs.
        theme: Whose land and casing colours have to stand out from.
        near: How far a colour may go, CIEDE2000; 100 for anywhere.

    Raises:
        UnknownNameError: A railroad to keep is not on the board.
    """
    ids = [r.id for r in board.railroads]
    for ident in sorted(keep):
        if ident not in ids:
            raise UnknownNameError(f"{ident!r} is not a railroad of {board.id}{did_you_mean(ident, ids)}")
    own = [r.style for r in board.railroads]
    search = _Search(board, _Palette.of(theme, own), [i for i, ident in enumerate(ids) if ident not in keep], near)
    cost, colours, patterns = search.best()
    styles = {
        ident: Style(colour=search.palette.colours[c], pattern=PATTERNS[p])
        for ident, c, p in zip(ids, colours.tolist(), patterns.tolist(), strict=True)
    }
    changed = tuple(ident for ident, style in zip(ids, own, strict=True) if styles[ident] != style)
    return SolvedColours(styles, cost, changed)


@dataclass(frozen=True, eq=False)
class _Palette:
    """The colours that may be taken, n of them, and how they lie to each other."""

    colours: tuple[str, ...]
    held: Flags
    """Whether each stands out, shape (n,)."""
    worst: Ints
    """Hundredths of CIEDE2000 on light ground under the worst of four visions, shape (n, n)."""
    confused: Flags
    """Whether two are under the limit on light or on dark ground, shape (n, n)."""
    greyed: Mapping[str, Ints]
    """What two of one pattern cost for what they lack in lightness, shape (n, n), by how they lie."""
    stray: Ints
    """What it costs to go from one (row) to another, in hundredths: the difference, loss of chroma, turn of hue."""

    @classmethod
    def of(cls, theme: Theme, own: Sequence[Style]) -> "_Palette":
        grid = candidates(theme)
        colours = [*grid, *sorted({style.colour for style in own} - set(grid))]
        values = rgbs(colours)
        apart = distances(values[:, None], values[None, :])
        night = rgbs([lightened(colour, DARK.casing) for colour in colours])
        worst = _hundredths(apart.min(axis=0))
        dark = _hundredths(distances(night[:, None], night[None, :]).min(axis=0))
        grey = _hundredths(grey_distances(values[:, None], values[None, :]))
        alike = np.where(grey < GREY_LIMIT * 100, _GREY_ALIKE, 0)
        across, up = oklab(values)[:, 1:].T
        chroma = np.hypot(across, up)
        return cls(
            colours=tuple(colours),
            held=np.array([_stands_out(colour, theme) for colour in colours]),
            worst=worst,
            confused=np.minimum(worst, dark) < _ALIKE,
            greyed={kind: np.maximum(goal - grey, 0) ** 3 + alike for kind, goal in _GREY_GOALS.items()},
            stray=_hundredths(
                apart[0]
                + _GREYER * np.maximum(chroma[:, None] - chroma[None, :], 0.0)
                + _renamed(chroma, np.arctan2(up, across))
            ),
        )


def _renamed(chroma: Floats, hue: Floats) -> Floats:
    """Return what it costs that one colour (row) is called otherwise when it becomes another, shape (n, n)."""
    grey = chroma < _HUELESS
    turn = np.abs(hue[:, None] - hue[None, :])
    turn = np.degrees(np.minimum(turn, 2 * np.pi - turn))
    coloured = ~grey[:, None] & ~grey[None, :]
    out: Floats = np.where(coloured, _TURNED * turn / 30, np.where(grey[:, None] != grey[None, :], _DRAINED, 0.0))
    return out


class _Search:
    """Costs of styles, and the search for the least."""

    def __init__(self, board: Board, palette: _Palette, free: Sequence[int], near: float) -> None:
        number = {colour: i for i, colour in enumerate(palette.colours)}
        where = {r.id: i for i, r in enumerate(board.railroads)}
        self.palette, self._free = palette, list(free)
        self._start = np.array([number[r.style.colour] for r in board.railroads], dtype=np.int64)
        self._patterns = np.array([PATTERNS.index(r.style.pattern) for r in board.railroads], dtype=np.int64)
        every = np.arange(len(palette.colours))
        self._allowed = [
            np.flatnonzero(((palette.stray[home] <= near * 100) & palette.held) | (every == home))
            for home in self._start
        ]
        self._touching: list[list[tuple[int, str]]] = [[] for _ in where]
        for t in touching(board):
            self._touching[where[t.a]].append((where[t.b], t.kind))
            self._touching[where[t.b]].append((where[t.a], t.kind))

    def _costs(self, i: int, at: Ints, form: Ints) -> Ints:
        """Return what each allowed colour (rows) with each pattern (columns) would cost railroad i."""
        here, palette = self._allowed[i], self.palette
        table = np.repeat(palette.stray[self._start[i], here][:, None] ** 2 * _STRAY, len(PATTERNS), axis=1)
        table[~palette.held[here]] += _FAINT
        table += np.where(np.arange(len(PATTERNS)) == self._patterns[i], 0, _REPATTERN)
        for j, kind in self._touching[i]:
            gap = palette.worst[here, at[j]]
            lack = np.maximum(_GOALS[kind, False] - gap, 0) ** 3
            table += lack[:, None]
            alike = np.where(palette.confused[here, at[j]], _CONFUSED, 0)
            greyed = palette.greyed[kind][here, at[j]]
            table[:, form[j]] += np.maximum(_GOALS[kind, True] - gap, 0) ** 3 - lack + alike + greyed
        return table

    def _own(self, i: int, at: Ints, form: Ints) -> int:
        return int(self._costs(i, at, form)[np.searchsorted(self._allowed[i], at[i]), form[i]])

    def _settle(self, at: Ints, form: Ints) -> int:
        """Let each railroad take its cheapest style, until none changes; return the whole cost."""
        moved = True
        while moved:
            moved = False
            for i in self._free:
                table = self._costs(i, at, form)
                if table.min() < table[np.searchsorted(self._allowed[i], at[i]), form[i]]:
                    best = int(table.argmin())
                    at[i], form[i] = self._allowed[i][best // len(PATTERNS)], best % len(PATTERNS)
                    moved = True
        return sum(self._own(i, at, form) for i in range(len(at)))

    def best(self) -> tuple[int, Ints, Ints]:
        """Return the least cost found, with colours and patterns by number."""
        at, form = self._start.copy(), self._patterns.copy()
        best = (self._settle(at, form), at, form)
        random = np.random.Generator(np.random.PCG64(_SEED))
        for _ in range(_ROUNDS if self._free else 0):
            at, form = best[1].copy(), best[2].copy()
            burden = sorted(self._free, key=lambda i: (-self._own(i, at, form), i))
            heavy = burden[: max(_THROWN, len(burden) // 2)]
            for i in random.choice(heavy, size=min(_THROWN, len(heavy)), replace=False).tolist():
                at[i] = self._allowed[i][int(random.integers(len(self._allowed[i])))]
                form[i] = int(random.integers(len(PATTERNS)))
            cost = self._settle(at, form)
            if cost < best[0]:
                best = (cost, at, form)
        return best


def _hundredths(values: Floats) -> Ints:
    return np.rint(np.round(values, 2) * 100).astype(np.int64)


def livery_distance(a: str, b: str) -> float:
    """Return how far two colours are apart under normal sight, CIEDE2000."""
    return float(distances(rgb(a), rgb(b))[0])
