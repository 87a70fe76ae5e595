"""The checks of an open board: after an edit only those run again whose ground it changed.

Which those are is told by `mapkit.editor.live.ground`. Findings and their ids are those of `mapkit check`, which also
looks at the drawing (R); `full_findings` does too, and builds the board as a build does.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mapkit.checks import CHECKS, run_checks
from mapkit.checks.check import Check
from mapkit.editor.live.board import LiveBoard
from mapkit.editor.live.ground import Ground, Run, run_on
from mapkit.editor.live.railroads import Problem
from mapkit.editor.live.source import document_to_board
from mapkit.editor.live.spots import Spots
from mapkit.errors import MapkitError, SourceError
from mapkit.model.base import Point
from mapkit.model.findings import CheckReport, CheckStatus, Finding

BUILD = "build"
"""The code of what keeps a board from being built: no check finds it, for there is no board then."""


@dataclass(frozen=True)
class LiveFinding:
    """A finding with where to look on the page.

    Args:
        id: As `mapkit check` has it, under which it is accepted; of what keeps the board from being built,
            `build:table:key`.
        finding: What was found; None if the board cannot be built.
        message: What is wrong and what to do.
        at: Places in page millimetres, the first one to fly to.
        table: The table of the document that a problem of building is about.
        key: The row.
    """

    id: str
    message: str
    at: tuple[Point, ...]
    finding: Finding | None = None
    table: str | None = None
    key: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it as the page has it; `x`, `y` are the place to fly to, null if it has none."""
        found = self.finding.model_dump(mode="json") if self.finding is not None else {}
        x, y = self.at[0] if self.at else (None, None)
        return {
            "code": BUILD,
            "severity": "error",
            "elements": [],
            "accepted": None,
            "data": {},
            **found,
            "id": self.id,
            "message": self.message,
            "x": x,
            "y": y,
            "at": [list(place) for place in self.at],
            "table": self.table,
            "key": self.key,
        }


@dataclass(frozen=True)
class LiveFindings:
    """All findings on a board, what it cannot be built for first, and how each check ended."""

    findings: tuple[LiveFinding, ...]
    checks: Mapping[str, CheckStatus]
    report: CheckReport = field(repr=False)
    spots: Spots = field(repr=False)
    ground: Ground | None = field(default=None, repr=False)
    runs: Mapping[str, Run] = field(default_factory=dict, repr=False)

    def as_json(self) -> dict[str, Any]:
        """Return `{findings, checks}` as the wire has them."""
        return {"findings": [found.as_json() for found in self.findings], "checks": dict(self.checks)}


def live_findings(live: LiveBoard, before: LiveFindings | None = None) -> LiveFindings:
    """Return what the checks of `mapkit check --no-drawing` find on a board.

    Args:
        live: The board.
        before: What was found on any board; checks whose ground is the same are not run again.
    """
    ground = Ground(live.board, live.laid.by_id, before.ground if before is not None else None)
    runs: dict[str, Run] = {}

    def run(check: Check) -> tuple[Finding, ...]:
        old = before.runs.get(check.code) if before is not None else None
        done = old if old is not None and old.holds(ground) else run_on(check, ground)
        runs[check.code] = done
        if done.crashed is not None:
            raise done.crashed
        return done.found

    report = run_checks(live.board, run=run)
    return replace(_told(live, report, live.problems, before), ground=ground, runs=runs)


Progress = Callable[[int, int, str], None]
"""Told what is done: how many of how many checks, and the title of the one that begins."""


def full_findings(live: LiveBoard, *, drawing: bool = True, progress: Progress | None = None) -> LiveFindings:
    """Return what `mapkit check` would say of the document once it is saved; this takes as long as a build.

    Args:
        live: The board, for the places on the page.
        drawing: Whether to look at the drawing too (R), which takes longest.
        progress: Called before each check.
    """
    if progress is not None:
        progress(0, 0, "building the board")
    try:
        board = document_to_board(live.document, board_id=live.id)
    except MapkitError as error:
        told = error.problems if isinstance(error, SourceError) else (str(error),)
        known = {problem.message for problem in live.problems}
        problems = (*live.problems, *(Problem("", str(n), text) for n, text in enumerate(told) if text not in known))
        found = live_findings(live)
        return _told(live, found.report, problems)
    checks = CHECKS
    if drawing:
        from mapkit.render.checks import CHECKS as DRAWING  # noqa: PLC0415 - heavy, and for this alone

        checks = (*CHECKS, *DRAWING)
    begun = 0

    def run(check: Check) -> Iterable[Finding]:
        nonlocal begun
        if progress is not None:
            progress(begun, len(checks), check.title)
        begun += 1
        return check.run(board)

    return _told(live, run_checks(board, checks=checks, run=run), ())


def _told(
    live: LiveBoard, report: CheckReport, problems: Iterable[Problem], before: LiveFindings | None = None
) -> LiveFindings:
    spots = before.spots if before is not None and before.spots.hold(live) else Spots(live)
    return LiveFindings(
        findings=(
            *(
                LiveFinding(
                    id=":".join((BUILD, problem.table, problem.key, *([str(n)] if n > 1 else []))),
                    message=problem.message,
                    at=spots.of_row(problem.table, problem.key),
                    table=problem.table,
                    key=problem.key,
                )
                for problem, n in _numbered(problems)
            ),
            *(LiveFinding(found.id, found.message, spots.of_finding(found), found) for found in report.findings),
        ),
        checks=report.checks,
        report=report,
        spots=spots,
    )


def _numbered(problems: Iterable[Problem]) -> Iterator[tuple[Problem, int]]:
    """Yield problems with their number among those of the same row."""
    count: Counter[tuple[str, str]] = Counter()
    for problem in problems:
        count[problem.table, problem.key] += 1
        yield problem, count[problem.table, problem.key]
