"""Solver for colours and patterns of railroads: as far apart as possible under any colour vision.

Every railroad gets a pattern, and a colour from an OKLab grid (Ottosson 2020) within sRGB that contrasts with the land
and is close to its old colour, above all in hue. An adjacent pair costs the cube of its deficit to a goal, in
hundredths of CIEDE2000 under the worst of four visions (`mapkit.drawing.colours.vision`), on light ground and, as in
the dark theme, on dark ground; the goal is highest for equal patterns. A pair of equal pattern also pays for its
deficit in lightness, for copies in grey. Iterated local search: each railroad in turn takes its cheapest style until
none improves, then the worst get random styles, by a fixed seed, and the best result wins. Costs are integers, so all
machines agree.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import Floats, Ints
from mapkit.core.errors import UnknownNameError, did_you_mean
from mapkit.drawing.colours.colour import contrast, in_gamut, oklab, oklab_to_light, rgb, rgbs, to_encoded, to_hex
from mapkit.drawing.theme.theme import CLASSIC, DARK, Theme
from mapkit.kinds.rail.model.board import Board, Style
from mapkit.kinds.rail.render.colours.distances import GREY_LIMIT, measure_colour_distances, measure_grey_distances
from mapkit.kinds.rail.render.colours.railroad_styles import LINE_CONTRAST, PATTERNS, lighten_colour
from mapkit.kinds.rail.render.lines.adjacency import find_adjacent_railroads

Flags = NDArray[np.bool_]

NEAR: Final = 22.0
"""How far a colour may go from the one it had, CIEDE2000 under normal sight."""
_LIGHTNESS_STEPS: Final = (0.25, 0.32, 0.39, 0.46, 0.53, 0.59, 0.64, 0.68)
_CHROMA_STEPS: Final = (0.0, 0.05, 0.09, 0.13, 0.17, 0.21)
_HUE_COUNT: Final = 30
_DISTANCE_GOALS: Final = {("beside", True): 1800, ("beside", False): 1200, ("touch", True): 1400, ("touch", False): 900}
"""Wanted distance in hundredths: how they lie, whether the patterns are the same."""
_GREY_GOALS: Final = {"beside": 1800, "touch": 1200}
"""Wanted difference of lightness of two that share a pattern, in hundredths of CIELAB: how they lie."""
_GREY_ALIKE_COST: Final = 2 * 10**9
"""Cost of two railroads of one pattern that look alike in grey: above that of a new pattern, below confusion."""
_ALIKE_LIMIT: Final = 1000
_CONFUSED_COST: Final = 10**11
"""Cost of two adjacent railroads of equal pattern and similar colours."""
_STRAY_COST: Final = 12
"""Cost factor of the squared distance from the old colour, in hundredths."""
_CHROMA_LOSS_COST: Final = 100.0
"""Distance added for a loss of chroma in OKLab: liveries are not grey."""
_HUELESS_CHROMA: Final = 0.035
"""Chroma in OKLab below which a colour is grey to the eye."""
_HUE_TURN_COST: Final = 12.0
"""Distance added for a turn of hue by 30 degrees between two colours that are not grey."""
_GREYED_COST: Final = 40.0
"""Distance added if a colour becomes grey, or a grey one coloured, as its name changes."""
_REPATTERN_COST: Final = 60_000_000
_FAINT_COST: Final = 10**11
"""Cost of a colour without enough contrast; only colours to keep may have it."""
_SEARCH_ROUNDS: Final = 60
_THROWN_RAILROADS: Final = 4
_SEARCH_SEED: Final = 1940


@dataclass(frozen=True)
class SolvedColours:
    """Styles by railroad, the cost of the solution, and the changed railroads."""

    styles: Mapping[str, Style]
    cost: int
    changed: tuple[str, ...]


def list_candidate_colours(theme: Theme = CLASSIC) -> tuple[str, ...]:
    """Return the colours of the grid with a contrast of at least 3:1 to land and casing, sorted."""
    grid_colours = {
        to_hex(to_encoded(linear_rgb))
        for lightness in _LIGHTNESS_STEPS
        for chroma in _CHROMA_STEPS
        for hue_angle in (2 * np.pi * hue / _HUE_COUNT for hue in range(_HUE_COUNT))
        for oklab_point in [np.array([lightness, chroma * np.cos(hue_angle), chroma * np.sin(hue_angle)])]
        if in_gamut(linear_rgb := oklab_to_light(oklab_point))
    }
    return tuple(sorted(c for c in grid_colours if _stands_out(c, theme)))


def _stands_out(colour: str, theme: Theme) -> bool:
    return min(contrast(colour, ground) for ground in (theme.land, theme.casing)) >= LINE_CONTRAST


def solve_colours(board: Board, *, keep: Collection[str] = (), near: float = NEAR) -> SolvedColours:
    """Solve a style for every railroad; the same board gives the same styles.

    Args:
        board: Its railroads' styles are where the search starts from, and near where it stays.
        keep: Railroads (ids) that keep theirs.
        near: How far a colour may go, CIEDE2000; 100 for anywhere.

    Raises:
        UnknownNameError: A railroad to keep is not on the board.
    """
    ids = [r.id for r in board.railroads]
    for ident in sorted(keep):
        if ident not in ids:
            raise UnknownNameError(f"{ident!r} is not a railroad of {board.id}{did_you_mean(ident, ids)}")
    own_styles = [r.style for r in board.railroads]
    style_search = _StyleSearch(
        board, _Palette.of(CLASSIC, own_styles), [i for i, ident in enumerate(ids) if ident not in keep], near
    )
    cost, colour_numbers, pattern_numbers = style_search.best()
    styles = {
        ident: Style(colour=style_search.palette.colours[c], pattern=PATTERNS[p])
        for ident, c, p in zip(ids, colour_numbers.tolist(), pattern_numbers.tolist(), strict=True)
    }
    changed_railroads = tuple(ident for ident, style in zip(ids, own_styles, strict=True) if styles[ident] != style)
    return SolvedColours(styles, cost, changed_railroads)


@dataclass(frozen=True, eq=False)
class _Palette:
    """Colours to choose from, n of them, and their distances."""

    colours: tuple[str, ...]
    held: Flags
    """Whether each has enough contrast, shape (n,)."""
    worst: Ints
    """Hundredths of CIEDE2000 on light ground under the worst of four visions, shape (n, n)."""
    confused: Flags
    """Whether two are under the limit on light or on dark ground, shape (n, n)."""
    greyed: Mapping[str, Ints]
    """Cost of the deficit in lightness of two railroads of one pattern, shape (n, n), by kind of contact."""
    stray: Ints
    """Distance from one (row) to another, in hundredths: difference, loss of chroma and turn of hue."""

    @classmethod
    def of(cls, theme: Theme, own: Sequence[Style]) -> "_Palette":
        grid_colours = list_candidate_colours(theme)
        all_colours = [*grid_colours, *sorted({style.colour for style in own} - set(grid_colours))]
        rgb_values = rgbs(all_colours)
        vision_distances = measure_colour_distances(rgb_values[:, None], rgb_values[None, :])
        dark_values = rgbs([lighten_colour(colour, DARK.casing) for colour in all_colours])
        worst_distances = _to_hundredths(vision_distances.min(axis=0))
        dark_distances = _to_hundredths(
            measure_colour_distances(dark_values[:, None], dark_values[None, :]).min(axis=0)
        )
        grey_differences = _to_hundredths(measure_grey_distances(rgb_values[:, None], rgb_values[None, :]))
        alike_costs = np.where(grey_differences < GREY_LIMIT * 100, _GREY_ALIKE_COST, 0)
        oklab_a, oklab_b = oklab(rgb_values)[:, 1:].T
        colour_chroma = np.hypot(oklab_a, oklab_b)
        return cls(
            colours=tuple(all_colours),
            held=np.array([_stands_out(colour, theme) for colour in all_colours]),
            worst=worst_distances,
            confused=np.minimum(worst_distances, dark_distances) < _ALIKE_LIMIT,
            greyed={
                kind: np.maximum(goal - grey_differences, 0) ** 3 + alike_costs for kind, goal in _GREY_GOALS.items()
            },
            stray=_to_hundredths(
                vision_distances[0]
                + _CHROMA_LOSS_COST * np.maximum(colour_chroma[:, None] - colour_chroma[None, :], 0.0)
                + _renaming_cost(colour_chroma, np.arctan2(oklab_b, oklab_a))
            ),
        )


def _renaming_cost(chroma: Floats, hue: Floats) -> Floats:
    """Return the cost of a change of colour name from one colour (row) to another, shape (n, n)."""
    is_grey = chroma < _HUELESS_CHROMA
    hue_turns = np.abs(hue[:, None] - hue[None, :])
    hue_turns = np.degrees(np.minimum(hue_turns, 2 * np.pi - hue_turns))
    both_coloured = ~is_grey[:, None] & ~is_grey[None, :]
    renaming_costs: Floats = np.where(
        both_coloured,
        _HUE_TURN_COST * hue_turns / 30,
        np.where(is_grey[:, None] != is_grey[None, :], _GREYED_COST, 0.0),
    )
    return renaming_costs


class _StyleSearch:
    """Costs of styles, and the search for the least."""

    def __init__(self, board: Board, palette: _Palette, free: Sequence[int], near: float) -> None:
        colour_number = {colour: i for i, colour in enumerate(palette.colours)}
        railroad_number = {r.id: i for i, r in enumerate(board.railroads)}
        self.palette, self._free_railroads = palette, list(free)
        self._start_colours = np.array([colour_number[r.style.colour] for r in board.railroads], dtype=np.int64)
        self._own_patterns = np.array([PATTERNS.index(r.style.pattern) for r in board.railroads], dtype=np.int64)
        all_colours = np.arange(len(palette.colours))
        self._allowed_colours = [
            np.flatnonzero(((palette.stray[start_colour] <= near * 100) & palette.held) | (all_colours == start_colour))
            for start_colour in self._start_colours
        ]
        self._neighbours: list[list[tuple[int, str]]] = [[] for _ in railroad_number]
        for touch in find_adjacent_railroads(board):
            self._neighbours[railroad_number[touch.a]].append((railroad_number[touch.b], touch.kind))
            self._neighbours[railroad_number[touch.b]].append((railroad_number[touch.a], touch.kind))

    def _tabulate_costs(self, i: int, at: Ints, form: Ints) -> Ints:
        """Return the cost of each allowed colour (rows) with each pattern (columns) for railroad i."""
        allowed_colours, palette = self._allowed_colours[i], self.palette
        style_costs = np.repeat(
            palette.stray[self._start_colours[i], allowed_colours][:, None] ** 2 * _STRAY_COST, len(PATTERNS), axis=1
        )
        style_costs[~palette.held[allowed_colours]] += _FAINT_COST
        style_costs += np.where(np.arange(len(PATTERNS)) == self._own_patterns[i], 0, _REPATTERN_COST)
        for j, kind in self._neighbours[i]:
            colour_gaps = palette.worst[allowed_colours, at[j]]
            gap_costs = np.maximum(_DISTANCE_GOALS[kind, False] - colour_gaps, 0) ** 3
            style_costs += gap_costs[:, None]
            confusion_costs = np.where(palette.confused[allowed_colours, at[j]], _CONFUSED_COST, 0)
            grey_costs = palette.greyed[kind][allowed_colours, at[j]]
            style_costs[:, form[j]] += (
                np.maximum(_DISTANCE_GOALS[kind, True] - colour_gaps, 0) ** 3 - gap_costs + confusion_costs + grey_costs
            )
        return style_costs

    def _own_cost(self, i: int, at: Ints, form: Ints) -> int:
        return int(self._tabulate_costs(i, at, form)[np.searchsorted(self._allowed_colours[i], at[i]), form[i]])

    def _settle(self, at: Ints, form: Ints) -> int:
        """Let each railroad take its cheapest style until none changes; return the total cost."""
        has_moved = True
        while has_moved:
            has_moved = False
            for i in self._free_railroads:
                style_costs = self._tabulate_costs(i, at, form)
                if style_costs.min() < style_costs[np.searchsorted(self._allowed_colours[i], at[i]), form[i]]:
                    best_style = int(style_costs.argmin())
                    at[i], form[i] = self._allowed_colours[i][best_style // len(PATTERNS)], best_style % len(PATTERNS)
                    has_moved = True
        return sum(self._own_cost(i, at, form) for i in range(len(at)))

    def best(self) -> tuple[int, Ints, Ints]:
        """Return the least cost found, with colours and patterns by number."""
        colour_numbers, pattern_numbers = self._start_colours.copy(), self._own_patterns.copy()
        best_solution = (self._settle(colour_numbers, pattern_numbers), colour_numbers, pattern_numbers)
        random = np.random.Generator(np.random.PCG64(_SEARCH_SEED))
        for _ in range(_SEARCH_ROUNDS if self._free_railroads else 0):
            colour_numbers, pattern_numbers = best_solution[1].copy(), best_solution[2].copy()
            by_burden = sorted(
                self._free_railroads, key=lambda i: (-self._own_cost(i, colour_numbers, pattern_numbers), i)
            )
            heavy_railroads = by_burden[: max(_THROWN_RAILROADS, len(by_burden) // 2)]
            for i in random.choice(
                heavy_railroads, size=min(_THROWN_RAILROADS, len(heavy_railroads)), replace=False
            ).tolist():
                colour_numbers[i] = self._allowed_colours[i][int(random.integers(len(self._allowed_colours[i])))]
                pattern_numbers[i] = int(random.integers(len(PATTERNS)))
            cost = self._settle(colour_numbers, pattern_numbers)
            if cost < best_solution[0]:
                best_solution = (cost, colour_numbers, pattern_numbers)
        return best_solution


def _to_hundredths(values: Floats) -> Ints:
    return np.rint(np.round(values, 2) * 100).astype(np.int64)


def measure_livery_distance(a: str, b: str) -> float:
    """Return the difference of two colours under normal sight, CIEDE2000."""
    return float(measure_colour_distances(rgb(a), rgb(b))[0])
