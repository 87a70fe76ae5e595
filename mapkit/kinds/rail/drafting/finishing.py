"""From the plan of a draft to its files: colours solved, and findings judged, on the board that it makes."""

from collections.abc import Mapping
from typing import Final

from mapkit.core.errors import BoardError
from mapkit.core.findings import Finding
from mapkit.core.problems import problem_lines
from mapkit.core.progress import Progress, quiet
from mapkit.kinds.rail.checks import run_checks
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.drafting.package import files_of
from mapkit.kinds.rail.drafting.plan import Plan
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.reading.files import Folder
from mapkit.kinds.rail.reading.package import read_package
from mapkit.kinds.rail.render.colours.solver import solve_colours

_FAR: Final = 100.0
"""Colours of a draft are nobody's: they may go anywhere."""
REASONS: Final[Mapping[str, str]] = {
    "N09": "Drafted: railroads part near a milepost, at a place of their own.",
    "N10": "Drafted: two mileposts lie where railroads part, so the step between them is as long as the way.",
    "N17": "Drafted: another railroad has the way between.",
    "N18": "Drafted: the lines meet before the city.",
    "V07": "Drafted: with so few cities, one that is larger than the others comes up often.",
}
"""Why a warning on a draft is right as it is, by the code of its check."""


def finished(plan: Plan, board_id: str, progress: Progress = quiet) -> tuple[dict[str, bytes], Board]:
    """Return the files of a draft by path, and its board.

    Args:
        plan: The plan.
        board_id: The board's id.
        progress: Called with what is being done.

    Raises:
        BoardError: The draft would have errors, so it is not one; another seed may give a better one.
    """
    progress("building the board")
    made = _built(plan, board_id)
    board = made.board
    progress("solving colours")
    styles = solve_colours(board, near=_FAR).styles
    coloured = tuple(
        r.model_copy(update={"colour": styles[r.id].colour, "pattern": styles[r.id].pattern}) for r in plan.railroads
    )
    plan = plan.model_copy(update={"railroads": coloured})
    progress("checking")
    report = run_checks(board)
    if report.errors:
        raise BoardError(
            f"{board_id}: the draft has errors, so nothing was written; try another --seed, or ask for fewer cities or "
            "railroads:\n" + "\n".join(f"{one.code} {one.message}" for one in report.errors)
        )
    plan = plan.model_copy(update={"accepted": judged(report.findings)})
    return files_of(plan), _built(plan, board_id, made).board


def judged(findings: tuple[Finding, ...]) -> dict[str, str]:
    """Return the warnings on a draft that are right as they are: id -> reason."""
    return {one.id: REASONS[one.code] for one in findings if one.severity == "warning" and one.code in REASONS}


def _built(plan: Plan, board_id: str, before: Compiled | None = None) -> Compiled:
    reading = read_package(Folder({path: data.decode() for path, data in files_of(plan).items()}))
    compiled = compile_document(reading.document, board_id=board_id, before=before)
    problems = (*reading.problems, *compiled.problems)
    if problems:
        raise BoardError(
            f"{board_id}: the draft cannot be built, so nothing was written; try another --seed:\n"
            + "\n".join(problem_lines(problems))
        )
    return compiled
