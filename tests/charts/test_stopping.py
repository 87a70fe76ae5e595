"""Solves that are stopped from outside: the best so far, and its gap."""

from fractions import Fraction

import pytest
from ortools.sat.python import cp_model

from mapkit.kinds.rail.charts.destinations.board_charts import solve_charts
from mapkit.kinds.rail.charts.destinations.chart_targets import Wish
from mapkit.kinds.rail.charts.destinations.solver import solve_chart
from mapkit.kinds.rail.charts.destinations.stop_requests import StopRequest
from mapkit.kinds.rail.model.source import WantedRow
from mapkit.kinds.rail.network.destination_chances import count_chart_weights

ITEMS = 12


def wishes() -> list[Wish]:
    return [Wish(f"c{i:02}", Fraction(3 + (7 * i) % 11)) for i in range(ITEMS)]


class StopAt(StopRequest):
    """Asks for the stop when the search has been called so many times."""

    def __init__(self, calls: int) -> None:
        super().__init__()
        self.calls = calls

    def solve(self, solver: cp_model.CpSolver, model: cp_model.CpModel) -> cp_model.CpSolverStatus:
        self.calls -= 1
        if self.calls == 0:
            self.set()
        return super().solve(solver, model)


def test_a_stop_keeps_the_best_so_far_and_its_gap() -> None:
    best = solve_chart(wishes(), seconds=600)
    assert best.proven
    for calls in range(1, 8):
        solved = solve_chart(wishes(), seconds=600, stop=StopAt(calls))
        got = count_chart_weights(solved.chart)
        assert sum(got.values()) == 72
        assert len(got) == ITEMS
        assert all(stage.gap >= 0 for stage in solved.stages)
        assert solved.proven == all(stage.proven for stage in solved.stages[-1:])
        assert solved.largest >= best.largest
        assert not any(not stage.proven for stage in solved.stages[:-1])


def test_a_stop_before_the_search_gives_a_chart_that_holds_the_bounds() -> None:
    stop = StopRequest()
    stop.set()
    solved = solve_chart([Wish("a", Fraction(1), least=40), Wish("b", Fraction(5))], seconds=600, stop=stop)
    assert not solved.proven
    assert count_chart_weights(solved.chart)["a"] >= 40


@pytest.mark.slow
def test_charts_not_begun_are_left_out() -> None:
    rows = [
        WantedRow(row=i, chart=chart, item=f"{chart}-{i}", weight="1", unit="number")
        for chart in ("one", "two")
        for i in range(ITEMS)
    ]
    assert list(solve_charts(rows, seconds=600, stop=StopAt(3))) == ["one"]
    assert list(solve_charts(rows, seconds=600, stop=StopRequest())) == ["one", "two"]
