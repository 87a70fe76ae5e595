"""Finishing of a draft: solve its colours, judge its findings, and write its files."""

from collections.abc import Mapping
from typing import Final

from mapkit.core.errors import BoardError
from mapkit.core.findings import CheckReport, Finding
from mapkit.core.problems import problem_lines
from mapkit.core.progress import Progress, quiet
from mapkit.evaluate import Evaluator
from mapkit.kinds.rail.checks import run_checks
from mapkit.kinds.rail.checks.registry import CHECKS_WITH_AMOUNTS
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.drafting.package import draft_files
from mapkit.kinds.rail.drafting.plan import Plan
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.reading.files import Folder
from mapkit.kinds.rail.reading.package import read_package
from mapkit.kinds.rail.render.colours.solver import solve_colours
from mapkit.kinds.rail.render.pictured import DRAWING, kept_run

_COLOUR_DISTANCE: Final = 100.0
"""Colours of a draft are nobody's: they may go anywhere."""
_PAGE_FACTORS: Final = (1.1, 1.2, 1.3)
"""Pages that are tried where there is no room for what is drawn, in first ones."""
REASONS: Final[Mapping[str, str]] = {
    "N09": "Drafted: railroads part near a milepost, at a place of their own.",
    "N10": "Drafted: two mileposts lie where railroads part, so the step between them is as long as the way.",
    "N17": "Drafted: another railroad has the way between.",
    "N18": "Drafted: the lines meet before the city.",
    "V07": "Drafted: with so few cities, one that is larger than the others comes up often.",
}
"""Why a warning on a draft is right as it is, by the code of its check."""


def finish_draft(plan: Plan, board_id: str, progress: Progress = quiet) -> tuple[dict[str, bytes], Board]:
    """Return the files of a draft by path, and its board.

    Args:
        plan: The plan.
        board_id: The board's id.
        progress: Called with what is being done.

    Raises:
        BoardError: The draft would have errors, so it is not one; another seed may give a better one.
    """
    progress("building the board")
    compiled = _build_board(plan, board_id)
    board = compiled.board
    progress("solving colours")
    styles = solve_colours(board, near=_COLOUR_DISTANCE).styles
    coloured_railroads = tuple(
        r.model_copy(update={"colour": styles[r.id].colour, "pattern": styles[r.id].pattern}) for r in plan.railroads
    )
    plan = plan.model_copy(update={"railroads": coloured_railroads})
    progress("checking the drawing")
    compiled = _build_board(plan, board_id, compiled.evaluator)
    best_plan, report = plan, _check_draft(compiled.board, board_id)
    for page_factor in _PAGE_FACTORS:
        if plan.sheet or not _drawing_warnings(report):
            break
        progress("making the page larger")
        wider_plan = plan.model_copy(
            update={"page": (round(plan.page[0] * page_factor / 10) * 10, round(plan.page[1] * page_factor / 10) * 10)}
        )
        wider_compiled = _build_board(wider_plan, board_id, compiled.evaluator)
        wider_report = _check_draft(wider_compiled.board, board_id)
        if len(_drawing_warnings(wider_report)) < len(_drawing_warnings(report)):
            best_plan, compiled, report = wider_plan, wider_compiled, wider_report
    best_plan = best_plan.model_copy(update={"accepted": accept_findings(report.findings)})
    return draft_files(best_plan), _build_board(best_plan, board_id, compiled.evaluator).board


def _check_draft(board: Board, board_id: str) -> CheckReport:
    """Return all findings on a board, as `mapkit check` lists them.

    Raises:
        BoardError: There are errors.
    """
    report = run_checks(board, checks=(*CHECKS_WITH_AMOUNTS, *DRAWING), run=kept_run(board))
    if report.errors:
        raise BoardError(
            f"{board_id}: the draft has errors, so nothing was written; try another --seed, or ask for fewer cities or "
            "railroads:\n" + "\n".join(f"{one.code} {one.message}" for one in report.errors)
        )
    return report


def _drawing_warnings(report: CheckReport) -> list[Finding]:
    """Return the warnings on the drawing, because a larger page may cure them."""
    return [one for one in report.findings if one.severity == "warning" and one.code.startswith("R")]


def accept_findings(findings: tuple[Finding, ...]) -> dict[str, str]:
    """Return the warnings on a draft that are accepted: id -> reason."""
    return {one.id: REASONS[one.code] for one in findings if one.severity == "warning" and one.code in REASONS}


def _build_board(plan: Plan, board_id: str, evaluator: Evaluator | None = None) -> Compiled:
    package_reading = read_package(Folder({path: data.decode() for path, data in draft_files(plan).items()}))
    compiled = compile_document(package_reading.document, board_id=board_id, evaluator=evaluator)
    problems = (*package_reading.problems, *compiled.problems)
    if problems:
        raise BoardError(
            f"{board_id}: the draft cannot be built, so nothing was written; try another --seed:\n"
            + "\n".join(problem_lines(problems))
        )
    return compiled
