"""Checks of an open board: an edit runs only those again that read its changes.

Findings and their ids are those of `mapkit check`, which also looks at the drawing (R) and judges amounts by one
another (P08 to P11); `full_findings` does too, and builds the board as a build does.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from mapkit.core.base import Point
from mapkit.core.findings import CheckReport, CheckStatus, Finding
from mapkit.core.problems import Problem, number_problems, prepend_problems
from mapkit.evaluate import Reader, tracked
from mapkit.kinds.protocol import ShownFinding, ShownFindings, encode_finding
from mapkit.kinds.rail.checks import CAUSE_RULES, CHECKS, CHECKS_WITH_AMOUNTS, find_inapplicable_letters, run_checks
from mapkit.kinds.rail.checks.check import Check
from mapkit.kinds.rail.compiler.assembling import compile_board, find_problems
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.live.finding_locations import FindingLocations
from mapkit.kinds.rail.live.lookups import run_check
from mapkit.kinds.rail.render.checks import CHECKS as DRAWING


@dataclass(frozen=True)
class LiveFinding:
    """A finding with where to look on the page.

    Args:
        finding: What was found.
        at: Places in page millimetres, the first one to fly to.
        table: The table of the document that a problem is about.
        key: The row.
    """

    finding: Finding
    at: tuple[Point, ...]
    table: str | None = None
    key: str | None = None

    @property
    def id(self) -> str:
        """Return the id, as `mapkit check` has it."""
        return self.finding.id

    @property
    def message(self) -> str:
        """Return the message of the finding."""
        return self.finding.message

    @cached_property
    def _json(self) -> ShownFinding:
        return encode_finding(self.finding, self.at, table=self.table, key=self.key)

    def as_json(self) -> ShownFinding:
        """Return it as a page gets it."""
        return self._json


@dataclass(frozen=True)
class LiveFindings:
    """All findings on a board, problems first, and how each check ended."""

    findings: tuple[LiveFinding, ...]
    checks: Mapping[str, CheckStatus]
    report: CheckReport = field(repr=False)

    def as_json(self) -> ShownFindings:
        """Return them as a page gets them."""
        return {"findings": [found.as_json() for found in self.findings], "checks": dict(self.checks)}


def live_findings(live: Compiled) -> LiveFindings:
    """Return the findings of `mapkit check --no-drawing` on a board."""
    return find_live(live.db)


@tracked
def find_live(db: Reader) -> LiveFindings:
    """Return the findings of `mapkit check --no-drawing` on the board of a document."""
    board, problems = compile_board(db), find_problems(db)

    def run(check: Check) -> tuple[Finding, ...]:
        done = run_check(db, check.code)
        if done.crashed is not None:
            raise done.crashed
        return done.found

    without = find_inapplicable_letters(board, problems) if problems else ()
    report = run_checks(board, run=run, without=without, whole=not problems)
    return _place(db, report, problems)


Progress = Callable[[int, int, str], None]
"""Called with what is done: how many of how many checks, and the title of the one that begins."""


def full_findings(live: Compiled, *, drawing: bool = True, progress: Progress | None = None) -> LiveFindings:
    """Return the findings of `mapkit check` on the document as saved; this takes as long as a build.

    Args:
        live: The board, for the places on the page.
        drawing: Whether to look at the drawing too (R), which takes longest, and to judge amounts by one another.
        progress: Called before each check.
    """
    if progress is not None:
        progress(0, 0, "building the board")
    fresh = compile_document(live.document, board_id=live.id, files=())
    if fresh.problems:
        return _place(live.db, live_findings(live).report, fresh.problems)
    board = fresh.board
    checks = CHECKS
    if drawing:
        checks = (*CHECKS_WITH_AMOUNTS, *DRAWING)
    begun = 0

    def run(check: Check) -> Iterable[Finding]:
        nonlocal begun
        if progress is not None:
            progress(begun, len(checks), check.title)
        begun += 1
        return check.run(board)

    return _place(live.db, run_checks(board, checks=checks, run=run), ())


def _place(db: Reader, report: CheckReport, problems: Sequence[Problem]) -> LiveFindings:
    """Return findings with their places on the page; those of problems come first."""
    whole = prepend_problems(report, problems, CAUSE_RULES)
    about = [problem for _, problem in number_problems(problems)]
    placed = {
        (finding.id, number if number < len(about) else -1): (finding, about[number] if number < len(about) else None)
        for number, finding in enumerate(whole.findings)
    }
    places = FindingLocations.read(db)
    found = db.each(_place_finding, placed, *(getattr(places, each.name) for each in fields(places)))
    return LiveFindings(findings=tuple(found.values()), checks=whole.checks, report=report)


def _place_finding(
    _key: tuple[str, int],
    found: tuple[Finding, Problem | None],
    *places: Any,  # noqa: ANN401 - fields of `FindingLocations`
) -> LiveFinding:
    finding, problem = found
    known = FindingLocations(*places)
    if problem is None:
        return LiveFinding(finding, known.of_finding(finding))
    return LiveFinding(finding, known.of_row(problem.table, problem.key), problem.table, problem.key)
