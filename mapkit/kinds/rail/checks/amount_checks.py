"""Checks of the amounts of the payoff chart by one another (P08 to P11), with a model of the whole chart.

`mapkit check` runs them with the checks of the drawing, the editor in its full check; during typing, the panel of the
payoff chart shows them.
"""

from collections.abc import Callable, Iterable, Iterator

from mapkit.core.checks import Found
from mapkit.core.findings import Severity
from mapkit.kinds.rail.checks.check import Check, CheckedRails
from mapkit.kinds.rail.checks.payoff_chart.check import judge_board
from mapkit.kinds.rail.checks.table import load_amount_check_rows


def _make_judged_search(code: str) -> Callable[[CheckedRails], Iterable[Found]]:
    def find(c: CheckedRails) -> Iterator[Found]:
        if not set(c.board.payoffs.cities) <= c.city_names.keys():
            return
        for finding in judge_board(c.board).findings:
            if finding.code == code:
                place = c.place("payoffs", finding.elements[0], at="")
                yield Found(finding.message, finding.elements, place, finding.data, finding.severity)

    find.__doc__ = load_amount_check_rows()[code].explained
    return find


CHECKS = tuple(
    Check(check.code, check.name, check.title, Severity.ERROR, _make_judged_search(check.code), needs=("P01",))
    for check in load_amount_check_rows().values()
    if check.code != "P12"  # for charts without a board
)
