"""Registry of all checks, and their runner.

To add a check: write a generator of findings, named after it (`_find_city_passed_by`), in the module of its topic, add
its code to that module's `CHECKS` and its title to `checks.toml`, run `python tools/make_docs.py`, and give it two
tests: a bad board gives exactly its finding, a good one none.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

from mapkit.core.acceptances import add_acceptance_findings
from mapkit.core.checks import run_checks as run_all
from mapkit.core.findings import CheckReport, Finding
from mapkit.core.problems import Problem
from mapkit.kinds.rail.checks import (
    destinations,
    draft_assumptions,
    gaps,
    geometry,
    network,
    payoffs,
    play,
    projections,
    region_areas,
    rules,
    tracing,
)
from mapkit.kinds.rail.checks.amount_checks import CHECKS as JUDGED
from mapkit.kinds.rail.checks.check import Check
from mapkit.kinds.rail.checks.table import load_amount_check_rows
from mapkit.kinds.rail.model.board import Board

CHECKS: tuple[Check, ...] = tuple(
    sorted(
        (
            *network.CHECKS,
            *geometry.CHECKS,
            *gaps.CHECKS,
            *destinations.CHECKS,
            *draft_assumptions.CHECKS,
            *payoffs.CHECKS,
            *play.CHECKS,
            *projections.CHECKS,
            *region_areas.CHECKS,
            *rules.CHECKS,
            *tracing.CHECKS,
        ),
        key=lambda check: check.code,
    )
)


CHECKS_WITH_AMOUNTS: tuple[Check, ...] = (*CHECKS, *JUDGED)
"""All checks with those of amounts against each other, which take a model of the whole payoff chart."""
ELSEWHERE: Final = frozenset(load_amount_check_rows())
"""Codes that `mapkit payoffs check` always finds."""


def run_checks(
    board: Board,
    *,
    checks: Iterable[Check] = CHECKS,
    run: Callable[[Check], Iterable[Finding]] | None = None,
    without: Collection[str] = (),
    long: Collection[str] = (),
    whole: bool = True,
) -> CheckReport:
    """Run checks and return their findings, most serious first.

    A check that raises is `crashed`, with an error as finding; a check is `skipped` if a check that it needs found
    something. Neither is a pass. If all checks run, accepted findings that do not occur, or have no reason, are
    findings too.

    Args:
        board: The board.
        checks: Checks to run; all but those of the drawing by default.
        run: Runs a check on the board, for instance from a cache; `Check.run` by default.
        without: First letters of the codes of checks without any input.
        long: Codes of checks that take long, as for the frame's `run_checks`.
        whole: Whether the board is complete, with nothing left out because of problems.
    """
    checks, accepted = tuple(checks), board.provenance.accepted
    report = run_all(checks, run or (lambda check: check.run(board)), accepted, without=without, long=long)
    check_codes = {check.code for check in checks}
    has_all_checks = check_codes.issuperset(check.code for check in CHECKS)
    # acceptances of a board are for the board without its variants
    judges_acceptances = whole and has_all_checks and not board.variants
    if not judges_acceptances:
        return report
    return add_acceptance_findings(report, accepted, checks=CHECKS_WITH_AMOUNTS, elsewhere=ELSEWHERE - check_codes)


_ALL_TOPICS: Final = frozenset("DGNPRV")
_TOPICS_OF_TRACK: Final = frozenset("GNPRV")
_TOPICS: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("settings", "cities", "railroads"), _ALL_TOPICS),
    **dict.fromkeys(("lines", "places", "mileposts", "junctions", "track"), _TOPICS_OF_TRACK),
    **dict.fromkeys(("destinations", "wanted", "declared"), frozenset("DV")),
    **dict.fromkeys(("payoff_cities", "payoffs"), frozenset("PV")),
}
"""First letters of the codes of checks that say nothing of a board without a table."""


def find_inapplicable_letters(board: Board, problems: Iterable[Problem]) -> frozenset[str]:
    """Return the first letters of the codes of checks without any input on a half-made board.

    Args:
        board: The readable part.
        problems: Problems of the rest; checks on a table that is missing as a whole would only repeat them.
    """
    charts = any(cell for chart in board.destinations.values() for cell in (*chart.odd.values(), *chart.even.values()))
    has_track, has_players = bool(board.segments), bool(board.cities and board.railroads)
    has_ground = {
        "N": has_track,
        "G": has_track,
        "D": charts,
        "P": bool(board.payoffs.cities),
        "R": has_track,
        "V": has_players,
    }
    groundless_letters = frozenset(letter for letter, has_input in has_ground.items() if not has_input)
    return groundless_letters.union(*(_TOPICS.get(problem.table, frozenset()) for problem in problems if problem.whole))
