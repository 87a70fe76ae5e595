"""What a check of the board refuses outright: a step that makes it is refused with the same words."""

from typing import Final

from mapkit.core.errors import SourceError
from mapkit.document.changes import Patch
from mapkit.document.document import Setting
from mapkit.document.preconditions import refuse_new_problems, refuse_problems
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
    refuse_problems(undrawn_in(patch))
    _refuse_unknown_crs(patch)
    heads = {change.key.partition(".")[0] for change in patch if change.table == "settings"}
    if draft.table("compiled") or heads <= _JUDGED_ALONE | {"title"}:
        return
    base = compile_document(draft.base, board_id="board")
    after = base.recompile(draft.document)
    if heads & _PAGE:
        after = refit(after)
    refuse_new_problems(base.problems, after.problems)


def _refuse_unknown_crs(patch: Patch) -> None:
    for change in patch:
        if change.table == "settings" and change.key == "tracing.crs" and isinstance(change.after, Setting):
            try:
                crs_of_text(str(change.after.value), where="tracing.crs")
            except SourceError as error:
                raise CommandError("; ".join(error.problems)) from error
