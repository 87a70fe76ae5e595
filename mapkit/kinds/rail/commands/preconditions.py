"""Checks of each step of a draft: refusal of steps that would make the board unusable."""

from typing import Final

from mapkit.core.errors import SourceError
from mapkit.document.changes import Patch
from mapkit.document.document import Setting
from mapkit.document.preconditions import refuse_new_problems, refuse_problems
from mapkit.kinds.rail.commands import late
from mapkit.kinds.rail.commands.command import COMMANDS, CommandError, Draft
from mapkit.kinds.rail.compiler.compile import compile_document, refit
from mapkit.kinds.rail.compiler.letters import undrawn_in

_INDEPENDENT_GROUPS: Final = frozenset({"rules", "drawing", "credits", "licence", "units", "extensions", "accepted"})
"""Settings that nothing else of a board must go together with; reading them judges them."""
_PAGE_GROUPS: Final = frozenset({"projection", "page"})


@COMMANDS.checks_steps
def refuse_unusable(draft: Draft, patch: Patch) -> None:
    """Refuse undrawable names, and settings that break more of the board than before.

    Raises:
        CommandError: The step does so.
    """
    refuse_problems(undrawn_in(patch))
    for edit in patch:
        if edit.table == "settings" and edit.key == "tracing.crs" and isinstance(edit.after, Setting):
            try:
                late.parse_crs(str(edit.after.value), where="tracing.crs")
            except SourceError as error:
                raise CommandError("; ".join(error.problems)) from error
    changed_groups = {change.key.partition(".")[0] for change in patch if change.table == "settings"}
    if draft.table("compiled") or changed_groups <= _INDEPENDENT_GROUPS | {"title"}:
        return
    compiled_base = compile_document(draft.base, board_id="board")
    compiled_after = compiled_base.recompile(draft.document)
    if changed_groups & _PAGE_GROUPS:
        compiled_after = refit(compiled_after)
    refuse_new_problems(compiled_base.problems, compiled_after.problems)
