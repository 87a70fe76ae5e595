"""Genealogy of copies of a chart by shared errors, as in textual criticism.

Agreement in correct readings proves nothing: any two careful copies agree. Agreement in the same error indicates a
common source, because two typists hardly make the same slip in the same cell (P. Maas, Textual Criticism, 1927:
"indicative errors"). An error here is a reading that is not accepted in the end.

For two charts with N common cells, with e1 and e2 errors in them and s identical errors, chance alone gives s or more
with P(X >= s), X hypergeometric (N, e1, e2), even if every slip in a cell gave the same wrong value. Charts are joined
if s >= 2 and that chance, times the number of pairs of charts, is below 0.001. A family is a set of charts connected in
this way.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb

from pydantic import Field

from mapkit.core.base import Frozen

CHANCE = 0.001
FEWEST = 2
MOST_CORRECTED = 0.2
"""Share of the errors of its source that a copy may correct."""

Errors = Mapping[int, Mapping[tuple[str, str], float]]
"""Errors of each chart: pair of cities -> its value, thousands."""


class ChartLink(Frozen):
    """Common properties of two charts."""

    one: str
    other: str
    cells: int = Field(description="Pairs of cities for which both have an amount")
    errors_one: int
    errors_other: int
    shared: int = Field(description="Cells in which both have the same error")
    expected: float = Field(description="Shared errors that chance would give at most")
    chance: float = Field(description="Chance of so many or more")
    joined: bool = Field(description="Too many for chance: they have a common source, or one is copied from the other")
    contains: str | None = Field(description="The chart that has all errors of the other and some more, if joined")


def find_links(names: Sequence[str], errors: Errors, common: Mapping[tuple[int, int], int]) -> list[ChartLink]:
    """Compare the errors of each pair of charts.

    Args:
        names: The charts' names.
        errors: By index of the chart.
        common: By indices of two charts, the smaller first: how many pairs of cities both give.
    """
    chart_pairs = list(combinations(range(len(names)), 2))
    chart_links = []
    for i, j in chart_pairs:
        common_cells, e1, e2 = common[i, j], len(errors[i]), len(errors[j])
        shared_errors = sum(errors[j].get(cell) == value for cell, value in errors[i].items())
        common_cells = max(common_cells, e1, e2)
        chance = _chance_of_shared(shared_errors, common_cells, e1, e2) if shared_errors else 1.0
        is_joined = shared_errors >= FEWEST and chance * len(chart_pairs) < CHANCE
        contains = None
        if is_joined and e1 != e2 and shared_errors == min(e1, e2):
            contains = names[i] if e1 > e2 else names[j]
        chart_links.append(
            ChartLink(
                one=names[i],
                other=names[j],
                cells=common_cells,
                errors_one=e1,
                errors_other=e2,
                shared=shared_errors,
                expected=round(e1 * e2 / common_cells, 4) if common_cells else 0.0,
                chance=float(f"{chance:.3g}"),
                joined=is_joined,
                contains=contains,
            )
        )
    return chart_links


class Descent(Frozen):
    """Place of a chart in the family tree: the copy that it descends from, by the errors that both have."""

    chart: str
    parent: str | None = Field(description="The nearest copy whose errors it has; None: of no chart that was given")
    inherited: int = Field(description="Errors of the parent that it has too")
    added: int = Field(description="Errors that the parent has not")
    corrected: int = Field(description="Errors of the parent that it has not")


def find_descents(names: Sequence[str], errors: Errors, found: Sequence[ChartLink]) -> tuple[Descent, ...]:
    """Return the place of each chart in the family tree.

    A copy has nearly all errors of its source, and more of its own, since slips are made more often than they are
    noticed. Its parent is the source with which it shares most errors. Of two charts with the same errors the first
    counts as the source.

    Args:
        names: The charts' names.
        errors: By index of the chart.
        found: The links of these charts.
    """
    joined_pairs = {(link.one, link.other) for link in found if link.joined}
    descents = []
    for j, name in enumerate(names):
        sources = []
        for i, source in enumerate(names):
            if (source, name) not in joined_pairs and (name, source) not in joined_pairs:
                continue
            shared_count = sum(errors[j].get(cell) == value for cell, value in errors[i].items())
            corrected, added = len(errors[i]) - shared_count, len(errors[j]) - shared_count
            is_earlier = corrected < added or (corrected == added == 0 and i < j)
            if is_earlier and corrected <= MOST_CORRECTED * len(errors[i]):
                sources.append((-shared_count, corrected, i, added))
        if sources:
            shared_count, corrected, i, added = min(sources)
            descents.append(
                Descent(chart=name, parent=names[i], inherited=-shared_count, added=added, corrected=corrected)
            )
        else:
            descents.append(Descent(chart=name, parent=None, inherited=0, added=len(errors[j]), corrected=0))
    return tuple(descents)


def find_families(names: Sequence[str], found: Sequence[ChartLink]) -> tuple[tuple[str, ...], ...]:
    """Return the sets of charts that links join, in the order of the charts; a chart alone forms its own family."""
    head_by_name = {name: name for name in names}
    for link in found:
        if link.joined:
            old_head, new_head = head_by_name[link.other], head_by_name[link.one]
            head_by_name = {name: new_head if head == old_head else head for name, head in head_by_name.items()}
    names_by_head: dict[str, list[str]] = {}
    for name in names:
        names_by_head.setdefault(head_by_name[name], []).append(name)
    return tuple(map(tuple, names_by_head.values()))


def _chance_of_shared(shared_errors: int, cell_count: int, first_errors: int, second_errors: int) -> float:
    """Return the hypergeometric chance of at least this many shared errors."""
    favourable_count = sum(
        comb(first_errors, shared_count) * comb(cell_count - first_errors, second_errors - shared_count)
        for shared_count in range(shared_errors, min(first_errors, second_errors) + 1)
    )
    return favourable_count / comb(cell_count, second_errors)
