"""The checks of an open board: after an edit only those run again whose ground it changed.

`rail.live.ground` says which those are. Findings and their ids are those of `mapkit check`, which also looks at the
drawing (R) and judges amounts by one another (P08 to P11); `full_findings` does too, and builds the board as a build
does.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from mapkit.core.base import Point
from mapkit.core.findings import CheckReport, CheckStatus, Finding
from mapkit.core.problems import Problem, numbered, with_problems
from mapkit.kinds.protocol import ShownFinding, ShownFindings, encode_finding
from mapkit.kinds.rail.checks import CHECKS, WITH_JUDGED, groundless, run_checks
from mapkit.kinds.rail.checks.check import Check
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.live.finding_locations import FindingLocations
from mapkit.kinds.rail.live.ground import CheckRun, Lookups, run_on
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
        """Return what is wrong and what to do."""
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
    spots: FindingLocations = field(repr=False)
    ground: Lookups | None = field(default=None, repr=False)
    runs: Mapping[str, CheckRun] = field(default_factory=dict, repr=False)

    def as_json(self) -> ShownFindings:
        """Return them as a page gets them."""
        return {"findings": [found.as_json() for found in self.findings], "checks": dict(self.checks)}


def live_findings(live: Compiled, before: LiveFindings | None = None) -> LiveFindings:
    """Return what the checks of `mapkit check --no-drawing` find on a board.

    Args:
        live: The board.
        before: What was found on any board; checks whose ground is the same are not run again.
    """
    ground = Lookups(live.board, live.laid.by_id, live.laid.drawn, before.ground if before is not None else None)
    runs: dict[str, CheckRun] = {}

    def run(check: Check) -> tuple[Finding, ...]:
        old = before.runs.get(check.code) if before is not None else None
        done = old if old is not None and old.holds(ground) else run_on(check, ground)
        runs[check.code] = done
        if done.crashed is not None:
            raise done.crashed
        return done.found

    without = groundless(live.board, live.problems) if live.problems else ()
    report = run_checks(live.board, run=run, without=without, whole=not live.problems)
    return replace(_placed(live, report, live.problems, before), ground=ground, runs=runs)


Progress = Callable[[int, int, str], None]
"""Called with what is done: how many of how many checks, and the title of the one that begins."""


def full_findings(live: Compiled, *, drawing: bool = True, progress: Progress | None = None) -> LiveFindings:
    """Return what `mapkit check` would find in the document once it is saved; this takes as long as a build.

    Args:
        live: The board, for the places on the page.
        drawing: Whether to look at the drawing too (R), which takes longest, and to judge amounts by one another.
        progress: Called before each check.
    """
    if progress is not None:
        progress(0, 0, "building the board")
    fresh = compile_document(live.document, board_id=live.id, files=())
    if fresh.problems:
        return _placed(live, live_findings(live).report, fresh.problems)
    board = fresh.board
    checks = CHECKS
    if drawing:
        checks = (*WITH_JUDGED, *DRAWING)
    begun = 0

    def run(check: Check) -> Iterable[Finding]:
        nonlocal begun
        if progress is not None:
            progress(begun, len(checks), check.title)
        begun += 1
        return check.run(board)

    return _placed(live, run_checks(board, checks=checks, run=run), ())


def _placed(
    live: Compiled, report: CheckReport, problems: Sequence[Problem], before: LiveFindings | None = None
) -> LiveFindings:
    spots = before.spots if before is not None and before.spots.hold(live) else FindingLocations(live)
    moved = before.spots.moved(live) if before is not None and spots is not before.spots else frozenset()
    whole = with_problems(report, problems)
    known = {found.id: found for found in before.findings} if before is not None else {}

    def placed(finding: Finding, problem: Problem | None) -> LiveFinding:
        old = known.get(finding.id)
        if old is not None and old.finding is not finding and old.finding != finding:
            old = None
        if old is not None and before is not None and (spots is before.spots or _stays(finding, problem, moved)):
            return old
        at = spots.of_finding(finding) if problem is None else spots.of_row(problem.table, problem.key)
        if old is not None and old.at == at:
            return old
        return LiveFinding(finding, at, *((problem.table, problem.key) if problem is not None else ()))

    about = [problem for _, problem in numbered(problems)]  # findings of problems come first
    return LiveFindings(
        findings=tuple(
            placed(finding, about[number] if number < len(about) else None)
            for number, finding in enumerate(whole.findings)
        ),
        checks=whole.checks,
        report=report,
        spots=spots,
    )


def _stays(finding: Finding, problem: Problem | None, moved: frozenset[str] | None) -> bool:
    """Return whether what a finding names lies where it lay."""
    return problem is None and moved is not None and moved.isdisjoint(finding.elements)
