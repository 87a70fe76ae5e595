"""Which copies of a chart come from one another: shared errors, as in the study of manuscripts.

Copies that agree where they are right show nothing: so would any two careful ones. Copies that agree in the same
error have it from a common source, because two typists hardly make the same slip in the same cell (P. Maas,
Textual Criticism, 1927: "indicative errors"). An error here is a reading other than the one that stands in the end.

For two charts that share N cells, with e1 and e2 errors in them, of which s are the same reading of the same cell,
chance alone gives s or more with P(X >= s), X hypergeometric (N, e1, e2), even if every slip in a cell gave the same
wrong value. Charts are joined if s >= 2 and that chance, times the number of pairs of charts, is below 0.001. A
family is a set of charts connected in this way.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb

from pydantic import Field

from mapkit.core.base import Frozen

CHANCE = 0.001
FEWEST = 2

Errors = Mapping[int, Mapping[tuple[str, str], float]]
"""For each chart its errors: pair of cities -> the value it gives, thousands."""


class ChartLink(Frozen):
    """What two charts have in common."""

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


def links(names: Sequence[str], errors: Errors, common: Mapping[tuple[int, int], int]) -> list[ChartLink]:
    """Compare the errors of each two charts.

    Args:
        names: The charts' names.
        errors: By index of the chart.
        common: By indices of two charts, the smaller first: how many pairs of cities both give.
    """
    pairs = list(combinations(range(len(names)), 2))
    out = []
    for i, j in pairs:
        cells, e1, e2 = common[i, j], len(errors[i]), len(errors[j])
        shared = sum(errors[j].get(cell) == value for cell, value in errors[i].items())
        cells = max(cells, e1, e2)
        chance = _as_many(shared, cells, e1, e2) if shared else 1.0
        joined = shared >= FEWEST and chance * len(pairs) < CHANCE
        contains = None
        if joined and e1 != e2 and shared == min(e1, e2):
            contains = names[i] if e1 > e2 else names[j]
        out.append(
            ChartLink(
                one=names[i],
                other=names[j],
                cells=cells,
                errors_one=e1,
                errors_other=e2,
                shared=shared,
                expected=round(e1 * e2 / cells, 4) if cells else 0.0,
                chance=float(f"{chance:.3g}"),
                joined=joined,
                contains=contains,
            )
        )
    return out


def families(names: Sequence[str], found: Sequence[ChartLink]) -> tuple[tuple[str, ...], ...]:
    """Return the sets of charts that links join, in the order of the charts; a chart alone is a family of one."""
    family = {name: name for name in names}
    for link in found:
        if link.joined:
            old, new = family[link.other], family[link.one]
            family = {name: new if head == old else head for name, head in family.items()}
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(family[name], []).append(name)
    return tuple(map(tuple, groups.values()))


def _as_many(shared: int, cells: int, one: int, other: int) -> float:
    """Return the hypergeometric chance of this many shared errors or more."""
    ways = sum(comb(one, both) * comb(cells - one, other - both) for both in range(shared, min(one, other) + 1))
    return ways / comb(cells, other)
