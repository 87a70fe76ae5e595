"""The registry: every check there is, and running them.

To add a check: write a generator `Board -> findings` in the module of its topic, add a `Check` to that
module's `CHECKS`, run `python tools/make_docs.py`, and give it two tests: a bad board gives exactly its
finding, a good one none.
"""

from collections.abc import Callable, Iterable

from mapkit.checks import destinations, geometry, network, payoffs, rules, tracing
from mapkit.checks.check import Check
from mapkit.model.board import Board
from mapkit.model.findings import SEVERITY_ORDER, CheckReport, CheckStatus, Finding, Severity

CHECKS: tuple[Check, ...] = tuple(
    sorted(
        (*network.CHECKS, *geometry.CHECKS, *destinations.CHECKS, *payoffs.CHECKS, *rules.CHECKS, *tracing.CHECKS),
        key=lambda check: check.code,
    )
)


def run_checks(
    board: Board, *, checks: Iterable[Check] = CHECKS, run: Callable[[Check], Iterable[Finding]] | None = None
) -> CheckReport:
    """Run checks and return what they found, most serious first.

    A check that raises is `crashed`, and an error says so; one whose ground is missing, because a check that
    it builds on found something, is `skipped`. Neither is a pass.

    Args:
        board: The board.
        checks: Those to run; all but the drawing's by default.
        run: How a check is run on the board, if it is known what it will find.
    """
    findings: list[Finding] = []
    statuses: dict[str, CheckStatus] = {}
    for check in sorted(checks, key=lambda c: c.code):
        if any(statuses.get(code, "passed") != "passed" for code in check.needs):
            statuses[check.code] = "skipped"
            continue
        try:
            found = list(run(check) if run is not None else check.run(board))
        except Exception as error:  # noqa: BLE001 - any defect of a check must be reported, not hide the rest
            statuses[check.code] = "crashed"
            findings.append(_crash(check, error))
            continue
        statuses[check.code] = "found" if found else "passed"
        findings.extend(found)
    accepted = board.provenance.accepted
    judged = [f.model_copy(update={"accepted": accepted.get(f.id)}) for f in findings]
    judged.sort(key=lambda f: (f.accepted is not None, SEVERITY_ORDER[f.severity], f.code, f.elements))
    return CheckReport(findings=tuple(judged), checks=statuses)


def _crash(check: Check, error: Exception) -> Finding:
    return Finding(
        code=check.code,
        severity=Severity.ERROR,
        elements=("crashed",),
        message=f"the check {check.title!r} crashed ({type(error).__name__}: {error}), so it passed nothing; "
        "please report it",
    )
