"""Charts solved from weights: optimal by another search, exact where that can be, refused with reasons."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.kinds.rail.charts.destinations.chart_targets import (
    CELL_WEIGHT,
    CELLS,
    Wish,
    WishError,
    cells_text,
    compute_targets,
)
from mapkit.kinds.rail.charts.destinations.solver import SolvedChart, solve_chart
from mapkit.kinds.rail.network.destination_chances import count_chart_weights

NEVER = 600.0
"""A limit that is not reached: tests must not depend on the speed of a machine."""

Left = tuple[int, ...]
FULL: Left = (4, 4, 4, 4, 4, 2)


def wishes(*weights: float | str, **bounds: Mapping[str, object]) -> list[Wish]:
    named = [Wish(chr(97 + i), Fraction(str(w))) for i, w in enumerate(weights)]
    return [Wish(w.item, w.weight, **bounds.get(w.item, {})) for w in named]  # type: ignore[arg-type]


def cells_of(solved: SolvedChart) -> dict[str, int]:
    return count_chart_weights(solved.chart)


@cache
def sums(left: Left) -> int:
    """Return the totals that some of the cells left can add to, as bits."""
    bits = 1
    for index, number in enumerate(left):
        for _ in range(number):
            bits |= bits << (index + 1)
    return bits


def can_give(first: int, second: int) -> bool:
    """Whether 22 cells can be dealt to three so that two of them get these totals."""
    for used in product(*(range(n + 1) for n in FULL)):
        if sum((i + 1) * n for i, n in enumerate(used)) == first:
            left = tuple(a - b for a, b in zip(FULL, used, strict=True))
            if sums(left) >> second & 1:
                return True
    return False


def by_enumeration(goals: tuple[Fraction, ...]) -> tuple[Fraction, Fraction]:
    """Return least largest deviation, then least sum, by going through what three items can get."""
    near = [range(max(1, int(goal) - 2), int(goal) + 4) for goal in goals[:2]]
    ranked = sorted(
        (max(off), sum(off, Fraction(0)), got)
        for got in ((a, b, 72 - a - b) for a, b in product(*near) if a + b < 72)
        for off in [[abs(g - goal) for g, goal in zip(got, goals, strict=True)]]
    )
    return next((largest, total) for largest, total, got in ranked if can_give(got[0], got[1]))


@pytest.mark.slow
@settings(max_examples=examples(6))
@given(st.lists(st.integers(1, 60), min_size=3, max_size=3))
def test_deviations_are_the_least_by_another_search(weights: list[int]) -> None:
    asked = wishes(*weights)
    largest, total = by_enumeration(compute_targets(asked))
    solved = solve_chart(asked, seconds=NEVER)
    assert solved.proven
    assert (Fraction(solved.largest_exact) * 72, Fraction(solved.total_exact) * 72) == (largest, total)


@pytest.mark.slow
@settings(max_examples=examples(6))
@given(st.data())
def test_targets_that_a_chart_can_give_are_met(data: st.DataObject) -> None:
    owners = data.draw(st.lists(st.integers(0, 6), min_size=22, max_size=22))
    weights = [sum(CELL_WEIGHT[c] for c, o in zip(CELLS, owners, strict=True) if o == k) for k in sorted(set(owners))]
    solved = solve_chart(wishes(*weights), seconds=NEVER)
    assert solved.proven
    assert (solved.largest, solved.total) == (0, 0)
    assert list(cells_of(solved).values()) != []
    assert {item.item: item.got for item in solved.items} == cells_of(solved)
    assert [item.got for item in solved.items] == weights
    assert solved.runs <= _runs(owners)


def _runs(owners: list[int]) -> int:
    return 2 + sum(owners[i] != owners[i - 1] for i in range(1, 22) if i != 11)


def test_two_halves_are_two_columns_in_order() -> None:
    solved = solve_chart(wishes(1, 1), seconds=NEVER)
    assert set(solved.chart.odd.values()) == {"a"}
    assert set(solved.chart.even.values()) == {"b"}
    assert solved.runs == 2
    assert [stage.goal for stage in solved.stages] == ["largest deviation", "sum of deviations", "runs", "order"]
    assert all(stage.proven and stage.gap == 0 for stage in solved.stages)


def test_the_first_chart_in_order_is_taken() -> None:
    """Thirds: 24 each; the only parts of a column of 24 in one run are found by hand."""
    solved = solve_chart(wishes(1, 1, 1), seconds=NEVER)
    assert [item.got for item in solved.items] == [24, 24, 24]
    again = solve_chart(wishes(1, 1, 1), seconds=NEVER)
    assert again.chart == solved.chart
    first = solved.chart.odd["2"]
    assert first == "a"


def test_bounds_and_cells_hold() -> None:
    asked = [
        Wish("a", Fraction(30), least=32),
        Wish("b", Fraction(20), most=15),
        Wish("c", Fraction(12), least=11, most=11),
        Wish("d", Fraction(10), avoid=frozenset({("odd", 2), ("even", 2), ("odd", 12), ("even", 12)})),
        Wish("e", Fraction(5), fixed=frozenset({("even", 7), ("odd", 2)})),
    ]
    solved = solve_chart(asked, seconds=NEVER)
    got = cells_of(solved)
    assert solved.proven
    assert got["a"] >= 32
    assert got["b"] <= 15
    assert got["c"] == 11
    assert (solved.chart.even["7"], solved.chart.odd["2"]) == ("e", "e")
    assert "d" not in {c[t] for c in (solved.chart.odd, solved.chart.even) for t in ("2", "12")}
    assert any(note.startswith("b is held at 15/72 by its ceiling of 15") for note in solved.notes)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (wishes(*[1] * 23), r"23 cannot share 22 cells, each needs one; drop 1"),
        (wishes(1, 1, a={"least": 40}, b={"least": 40}), r"least shares add to 80 of 72, 8 too many"),
        (wishes(1, 1, a={"most": 30}, b={"most": 30}), r"most shares add to 60 of 72, so 12 is left over"),
        (wishes(1, 1, a={"least": 5, "most": 4}), r"at least 5 and at most 4"),
        (
            wishes(1, 1, a={"fixed": frozenset({("odd", 7)})}, b={"fixed": frozenset({("odd", 7)})}),
            r"odd 7 is fixed for a and for b",
        ),
        (
            wishes(1, 1, a={"avoid": frozenset({("odd", 7)})}, b={"avoid": frozenset({("odd", 7)})}),
            r"no region or city may have odd 7",
        ),
        (wishes(0, 0), r"no weight is above 0"),
        (
            wishes(1, 1, 1, 1, 1, 9, **{k: {"least": 1, "most": 1} for k in "abcde"}),
            r"cannot be had together: a exactly 1/72; b exactly 1/72; c exactly 1/72; d exactly 1/72; e exactly 1/72\.",
        ),
        ([], r"nothing to put into the chart"),
    ],
)
def test_what_cannot_be_had_is_said(asked: list[Wish], why: str) -> None:
    with pytest.raises(WishError, match=why):
        solve_chart(asked, seconds=NEVER)


def test_an_interrupted_one_gives_its_best_and_the_gap() -> None:
    asked = wishes(*[3 + (7 * i) % 11 for i in range(20)])
    solved = solve_chart(asked, seconds=0.001)
    assert not solved.proven
    last = solved.stages[-1]
    assert not last.proven
    assert last.gap >= 0
    assert sum(cells_of(solved).values()) == 72
    assert len(cells_of(solved)) == 20


def test_small_shares_are_noted() -> None:
    solved = solve_chart(wishes(100, 100, 0.1), seconds=NEVER)
    assert cells_of(solved)["c"] == 1
    assert "c wants less than half of 1/72, but a cell weighs 1/72 at least" in solved.notes


def test_cells_are_written_as_runs() -> None:
    assert cells_text([("even", 7), ("odd", 2), ("odd", 4), ("odd", 3)]) == "odd 2-4, even 7"
