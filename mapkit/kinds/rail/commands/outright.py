"""What a check of the board refuses outright: a step that makes it is refused with the same words."""

from collections.abc import Iterable, Sequence
from typing import Final

from mapkit.core.errors import SourceError
from mapkit.core.plurals import counted
from mapkit.core.problems import Problem
from mapkit.document.changes import Patch
from mapkit.document.command import MOST_NAMED
from mapkit.document.document import Setting
from mapkit.formats.lines.features import crs_of_text
from mapkit.kinds.rail.commands.command import COMMANDS, CommandError, Draft
from mapkit.kinds.rail.compiler.compile import compile_document, refit
from mapkit.kinds.rail.compiler.letters import undrawn_in

_JUDGED_ALONE: Final = frozenset({"rules", "drawing", "credits", "licence", "units", "extensions", "accepted"})
"""Settings that nothing else of a board must go together with; reading them judges them."""
_PAGE: Final = frozenset({"projection", "page"})


@COMMANDS.checks_steps
def refuse_outright(draft: Draft, patch: Patch) -> None:
    """Refuse names that cannot be drawn, and settings by which less of the board can be used than before.

    Raises:
        CommandError: The step does so.
    """
    _refuse(undrawn_in(patch))
    _refuse_unknown_crs(patch)
    heads = {change.key.partition(".")[0] for change in patch if change.table == "settings"}
    if draft.table("compiled") or heads <= _JUDGED_ALONE | {"title"}:
        return
    before = compile_document(draft.base, board_id="board")
    after = compile_document(draft.document, board_id="board", before=before)
    if heads & _PAGE:
        after = refit(after)
    known = {_said(problem) for problem in before.problems}
    _refuse(problem for problem in after.problems if _said(problem) not in known)


def _refuse_unknown_crs(patch: Patch) -> None:
    for change in patch:
        if change.table == "settings" and change.key == "tracing.crs" and isinstance(change.after, Setting):
            try:
                crs_of_text(str(change.after.value), where="tracing.crs")
            except SourceError as error:
                raise CommandError("; ".join(error.problems)) from error


def _said(problem: Problem) -> tuple[str, str, int | None, str]:
    """Return what a problem says, wherever its row stands now."""
    return problem.table, problem.key, problem.part, problem.message


def _refuse(problems: Iterable[Problem]) -> None:
    texts: Sequence[str] = list(dict.fromkeys(map(str, problems)))
    if texts:
        more = len(texts) - MOST_NAMED
        raise CommandError("; ".join(texts[:MOST_NAMED]) + (f"; and {counted(more, 'more')}" if more > 0 else ""))
