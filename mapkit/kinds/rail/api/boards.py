"""Checking and building a board."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mapkit.core.causes import PROBLEM
from mapkit.core.errors import BoardError, limit_problems
from mapkit.core.findings import CheckReport, Finding, finding_lines
from mapkit.core.problems import Problem, prepend_problems, problem_lines
from mapkit.core.processes.forked import start_in_fork
from mapkit.core.progress import Progress, quiet
from mapkit.document.bundle_manifest import write_bundle
from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.api.loading import load, load_as_it_is
from mapkit.kinds.rail.bundle import BOARD, PICTURE, plan_bundle
from mapkit.kinds.rail.checks import CAUSE_RULES, CHECKS_WITH_AMOUNTS, find_inapplicable_letters, run_checks
from mapkit.kinds.rail.checks.check import Check, CheckedRails
from mapkit.kinds.rail.checks.missing_links import GapReport, find_missing_links
from mapkit.kinds.rail.checks.table import load_amount_check_rows
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network import report as network_report
from mapkit.kinds.rail.network.report import Report
from mapkit.kinds.rail.package import PACKAGE
from mapkit.kinds.rail.render.pictured import (
    DRAWING,
    begun_judging,
    below_names,
    file_text,
    is_map_kept,
    kept_run,
    picture_of,
)


@dataclass(frozen=True)
class Built:
    """Result of `build`: the board, its findings and report, and the paths of the files."""

    board: Board
    checks: CheckReport
    report: Report
    folder: Path
    files: tuple[Path, ...]

    @property
    def picture(self) -> Path:
        """The drawn board."""
        return self.folder / PICTURE


@dataclass(frozen=True)
class PlannedBuild:
    """Bundle before it is written: its files by name, and their inputs."""

    board: Board
    checks: CheckReport
    report: Report
    files: Mapping[str, str]
    picture: str = PICTURE


def check(board: Board, *, drawing: bool = True, problems: Sequence[Problem] = ()) -> CheckReport:
    """Return all findings on a board, most serious first, and how every check ended.

    Args:
        board: The board.
        drawing: Whether to lay the board out and check its drawing too (R), which takes longest; and amounts by one
            another (P08 to P11), which takes a model of the payoff chart.
        problems: What of its sources cannot be used, as `load_as_it_is` reports it; listed before all else. The drawing
            of such a board is not looked at.
    """
    if problems:
        found = run_checks(board, without=find_inapplicable_letters(board, problems), whole=False)
    elif drawing:
        found = _checked(board, kept_run(board))
    else:
        found = run_checks(board)
    return prepend_problems(found, problems, CAUSE_RULES)


def find_gaps(name: str | Path, *, variants: Sequence[str] = (), workspace: str | Path | None = None) -> GapReport:
    """List the ends of railroads where a link may be missing, the likeliest first, with the command that adds it.

    Args:
        name: As for `load`.
        variants: As for `load`.
        workspace: As for `load`.

    Raises:
        MapkitError: There is no such board or variant, or it cannot be compiled.
    """
    board = load(name, variants=variants, workspace=workspace)
    return GapReport(board=board.id, links=tuple(find_missing_links(CheckedRails(board))))


_ALL: Final = (*CHECKS_WITH_AMOUNTS, *DRAWING)


def _checked(board: Board, run: Callable[[Check], Iterable[Finding]]) -> CheckReport:
    return run_checks(board, checks=_ALL, run=run, long={check.code for check in DRAWING})


def _checked_meanwhile(board: Board) -> tuple[CheckReport, Mapping[str, Callable[[], str]]]:
    """Return all findings, and the files whose texts are made in a second process while checks run."""
    begun: dict[str, Callable[[], str]] = {}
    if is_map_kept(board):  # then only amounts may take long to judge
        run = kept_run(board, judging=begun_judging(board))
        picture, text = picture_of(board), file_text(board)
        begun |= {PICTURE: lambda: picture, BOARD: lambda: text}
        return run_checks(board, checks=_ALL, run=run), begun

    def lined() -> None:
        begun[BOARD] = start_in_fork(lambda: file_text(board))

    def grounded() -> None:
        below = start_in_fork(lambda: below_names(board))
        begun[PICTURE] = lambda: picture_of(board, below)

    return _checked(board, kept_run(board, lined=lined, grounded=grounded)), begun


def plan_build(
    name: str | Path,
    *,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    allow_errors: bool = False,
    progress: Progress = quiet,
) -> PlannedBuild:
    """Compile, check and draw a board; arguments and errors as for `build`, but nothing is written."""
    loaded = load_as_it_is(name, variants=variants, workspace=workspace, progress=progress)
    board = loaded.board
    progress("checking")
    if loaded.problems:
        raise BoardError(_refusal(board, check(board, problems=loaded.problems), loaded.problems))
    found, begun = _checked_meanwhile(board)
    checks = prepend_problems(found, (), CAUSE_RULES)
    if stops_build(checks) and not allow_errors:
        raise BoardError(_refusal(board, checks))
    progress("reporting")
    summary = network_report.report(board)
    progress("drawing")
    return PlannedBuild(board, checks, summary, plan_bundle(board, checks, summary, begun))


def build(
    name: str | Path,
    *,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    out: str | Path | None = None,
    allow_errors: bool = False,
    progress: Progress = quiet,
) -> Built:
    """Compile, check and draw a board and write its bundle; all files or none.

    Args:
        name: As for `load`.
        variants: As for `load`.
        workspace: As for `load`; the bundle goes to `build/<board>/` in it, or `build/<board>+<variant>.../`.
        out: Another folder for the bundle.
        allow_errors: Write the bundle even if the checks find errors other than P08 to P11; not if the sources cannot
            be used as they are.
        progress: Called with the name of each stage as it begins.

    Raises:
        BoardError: The sources cannot be used as they are, or the checks found errors; nothing was written.
        OutputError: The folder could not be written; what was there is unchanged.
        UnknownNameError: As for `load`; likewise VariantError and WorkspaceError.
    """
    plan = plan_build(name, variants=variants, workspace=workspace, allow_errors=allow_errors, progress=progress)
    board, files = plan.board, plan.files
    space = open_workspace(workspace)
    folder = Path(out) if out is not None else space.bundle_folder(board.id, variants)
    progress("writing")
    paths = write_bundle(
        folder, files, board=board.id, variants=variants, source=space.board_source(str(name)), package=PACKAGE
    )
    return Built(board, plan.checks, plan.report, folder, paths)


def stops_build(checks: CheckReport) -> bool:
    """Return whether a report stops the build: a check crashed or was skipped, or an error is not accepted.

    Amounts that are probably wrong (P08 to P11) stop nothing, since a chart may be printed so: clients can use them.
    """
    doubted = load_amount_check_rows()
    return bool({"crashed", "skipped"} & {*checks.checks.values()}) or any(
        found.code not in doubted for found in checks.errors
    )


def _refusal(board: Board, checks: CheckReport, problems: Sequence[Problem] = ()) -> str:
    errors = finding_lines(found for found in checks.errors if found.code != PROBLEM and found.follows is None)
    what = "the sources are wrong:" if problems else "the checks found errors:"
    lines = [f"{board.id} was not built, {what}", *limit_problems(problem_lines(problems)), *errors]
    bad = [f"{code} {status}" for code, status in checks.checks.items() if status in ("crashed", "skipped")]
    return "\n".join([*lines, *bad])
