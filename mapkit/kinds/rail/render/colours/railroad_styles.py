"""Colours of railroads and regions in a theme, derived from the board's own colours."""

from collections.abc import Mapping
from functools import lru_cache
from operator import add
from typing import Final, get_args

from mapkit.core.base import Colour
from mapkit.drawing.colours.colour import mix_colours, oklab, rgb
from mapkit.drawing.theme.steps import ensure_contrast, scale_chroma, shift_lightness
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.model.board import Board, Pattern, Region, Style
from mapkit.kinds.rail.render.lines.adjacency import find_adjacent_railroads

# Patterns for a black drawing: as few adjacent railroads that look alike as possible.

_PARALLEL_FACTOR: Final = 20
_CHANGE_COST: Final = 1
_REPEAT_COST: Final = 3
"""More than a change costs, so that no pattern appears twice while another is not used."""
_ALIKE_COST: Final = 600
PATTERNS: Final[tuple[Pattern, ...]] = get_args(Pattern)


def assign_ink_patterns(board: Board) -> Mapping[str, Pattern]:
    """Assign a pattern to each railroad (id).

    Railroads side by side share a pattern only if unavoidable, railroads that touch as rarely as possible; then every
    pattern is used before one repeats; then railroads keep the board's patterns. Local search from the board's own
    patterns, one railroad at a time, then two: no change of one or two railroads improves the result.
    """
    pair_weights = {
        (t.a, t.b): _PARALLEL_FACTOR * _ALIKE_COST if t.kind == "beside" else _ALIKE_COST
        for t in find_adjacent_railroads(board)
    }
    return dict(_solve_patterns(tuple((r.id, r.style.pattern) for r in board.railroads), tuple(pair_weights.items())))


@lru_cache(maxsize=8)
def _solve_patterns(
    own: tuple[tuple[str, Pattern], ...], weights: tuple[tuple[tuple[str, str], int], ...]
) -> tuple[tuple[str, Pattern], ...]:
    pattern_search = _PatternSearch(dict(own), dict(weights))
    while any([pattern_search.improve(ident) for ident in pattern_search.order]):  # noqa: C419 - every one has its turn
        pass
    while any([pattern_search.improve_two(a, b) for a in pattern_search.order for b in sorted(pattern_search.near[a])]):  # noqa: C419
        pass
    return tuple(sorted(pattern_search.found().items()))


class _PatternSearch:
    """Current patterns and their costs.

    The cost of each pattern for each railroad is updated with every change, as it is read a hundred times for every
    change.
    """

    def __init__(self, own: Mapping[str, Pattern], weights: Mapping[tuple[str, str], int]) -> None:
        self._own_patterns = {ident: PATTERNS.index(pattern) for ident, pattern in own.items()}
        self._current = dict(self._own_patterns)
        pattern_counts = [list(self._current.values()).count(pattern) for pattern in range(len(PATTERNS))]
        self._repeat_costs = [_REPEAT_COST * count for count in pattern_counts]  # cost of one more of each pattern
        self.near: dict[str, dict[str, int]] = {ident: {} for ident in own}
        self._pattern_costs = {ident: [_CHANGE_COST] * len(PATTERNS) for ident in own}
        self._total_cost = sum(_REPEAT_COST * count * (count - 1) // 2 for count in pattern_counts)
        for ident, pattern in self._own_patterns.items():
            self._pattern_costs[ident][pattern] = 0
        for (a, b), weight in weights.items():
            self.near[a][b] = self.near[b][a] = weight
            self._pattern_costs[a][self._current[b]] += weight
            self._pattern_costs[b][self._current[a]] += weight
            self._total_cost += weight if self._current[a] == self._current[b] else 0
        self._change_count = 0
        self._failed_at: dict[tuple[str, str], int] = {}
        """Number of changes at the last failed attempt with two railroads."""
        self.order = sorted(self.near, key=lambda ident: (-sum(self.near[ident].values()), ident))

    def found(self) -> dict[str, Pattern]:
        """Return the pattern of each railroad by id."""
        return {ident: PATTERNS[pattern] for ident, pattern in self._current.items()}

    def _assign(self, ident: str, pattern: int) -> None:
        old_pattern, own_costs = self._current[ident], self._pattern_costs[ident]
        if pattern == old_pattern:
            return
        self._current[ident] = pattern
        self._total_cost += (
            own_costs[pattern]
            - own_costs[old_pattern]
            + self._repeat_costs[pattern]
            - self._repeat_costs[old_pattern]
            + _REPEAT_COST
        )
        self._repeat_costs[old_pattern] -= _REPEAT_COST
        self._repeat_costs[pattern] += _REPEAT_COST
        for neighbour, weight in self.near[ident].items():
            neighbour_costs = self._pattern_costs[neighbour]
            neighbour_costs[old_pattern] -= weight
            neighbour_costs[pattern] += weight

    def improve(self, ident: str) -> bool:
        """Give a railroad its cheapest pattern, its own if that costs no more; return whether it changed."""
        old_pattern = self._current[ident]
        if self._pattern_costs[ident][old_pattern] + self._repeat_costs[old_pattern] - _REPEAT_COST <= min(
            self._repeat_costs
        ):
            return False  # no pattern can be cheaper
        pattern_costs = list(map(add, self._pattern_costs[ident], self._repeat_costs))
        pattern_costs[old_pattern] -= _REPEAT_COST  # its own use is no repetition
        least_cost = min(pattern_costs)
        if pattern_costs[old_pattern] == least_cost:
            return False
        self._assign(ident, pattern_costs.index(least_cost))
        return True

    def improve_two(self, a: str, b: str) -> bool:
        """Try every pattern of one railroad with the best answers of its neighbours; return whether it helped."""
        if self._failed_at.get((a, b)) == self._change_count:  # nothing has changed since it failed
            return False
        answering_railroads = (b, *sorted(self.near[a]), a)
        answer_costs = [(ident, self._pattern_costs[ident]) for ident in answering_railroads]
        cost_before = least = self._total_cost
        best_patterns = {ident: self._current[ident] for ident in answering_railroads}
        current_patterns = self._current
        for pattern in range(len(PATTERNS)):
            self._assign(a, pattern)
            least_repeats = min(self._repeat_costs)
            for ident, costs in answer_costs:
                old_pattern = current_patterns[ident]
                # skip railroads that cannot improve: this loop takes most of the time
                if costs[old_pattern] + self._repeat_costs[old_pattern] - _REPEAT_COST > least_repeats and self.improve(
                    ident
                ):
                    least_repeats = min(self._repeat_costs)
            if self._total_cost < least:
                least, best_patterns = (
                    self._total_cost,
                    {ident: current_patterns[ident] for ident in answering_railroads},
                )
            for ident, best_pattern in best_patterns.items():
                if current_patterns[ident] != best_pattern:
                    self._assign(ident, best_pattern)
        if least == cost_before:
            self._failed_at[a, b] = self._change_count
            return False
        self._change_count += 1
        return True


LINE_CONTRAST: Final = 3.0
"""Least contrast of graphics by WCAG 2.2 (1.4.11)."""
LIGHT_CONTRAST: Final = 4.5
"""Least contrast of lines on a dark ground, where thin lines look thinner."""

_BOARD_LIGHTNESS: Final = (0.2, 0.7)
_LIGHT_LIGHTNESS: Final = (0.6, 0.9)
"""Range of the OKLab lightness of railroads on dark ground; `_BOARD_LIGHTNESS` is the range on light ground."""


def choose_railroad_styles(board: Board, theme: Theme) -> Mapping[str, Style]:
    """Return the drawn style of each railroad by id; `data-` attributes keep the style from the board (RB-C08).

    A dark theme lightens the colours in OKLab to a contrast of 4.5:1 with the casing and keeps their hues and order of
    lightness. An ink-only theme draws all railroads in its ink and reassigns the patterns, so that adjacent railroads
    share as few as possible.
    """
    if theme.lines == "ink":
        pattern_of = assign_ink_patterns(board)
        return {r.id: Style(colour=theme.ink, pattern=pattern_of[r.id]) for r in board.railroads}
    colour_of = choose_railroad_colours(board, theme)
    return {r.id: r.style.model_copy(update={"colour": colour_of[r.id]}) for r in board.railroads}


def choose_railroad_colours(board: Board, theme: Theme) -> Mapping[str, Colour]:
    """Return only the drawn colour of each railroad by id, without the slow assignment of patterns."""
    if theme.lines == "ink":
        return {r.id: theme.ink for r in board.railroads}
    if theme.lines == "light":
        return {r.id: lighten_colour(r.style.colour, theme.casing) for r in board.railroads}
    return {r.id: r.style.colour for r in board.railroads}


@lru_cache(maxsize=256)
def lighten_colour(colour: str, ground: str) -> str:
    """Lighten a colour for a dark ground; keep its hue and its place in the order of lightness."""
    oklab_colour = oklab(rgb(colour))
    least_source, most_source = _BOARD_LIGHTNESS
    lightness_share = min(max((float(oklab_colour[0]) - least_source) / (most_source - least_source), 0.0), 1.0)
    least_lightness, most_lightness = _LIGHT_LIGHTNESS
    return ensure_contrast(
        shift_lightness(
            colour,
            round(least_lightness + (most_lightness - least_lightness) * lightness_share - float(oklab_colour[0]), 4),
        ),
        ground,
        LIGHT_CONTRAST,
    )


def region_tint(region: Region, theme: Theme) -> str:
    """Return the fill colour of a region, before the theme's opacity."""
    if theme.tint_ground is None:
        return region.colour
    return mix_colours(scale_chroma(region.colour, theme.tint_chroma), theme.tint_ground, theme.tint_share)


def visible_tint(region: Region, theme: Theme) -> str:
    """Return the colour of a region's ground: its tint blended with the land, or the land in a theme without tints."""
    if not theme.is_tinted:
        return theme.land
    return mix_colours(region_tint(region, theme), theme.land, theme.tint_opacity)
