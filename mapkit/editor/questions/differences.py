"""What changed between two moments of a board, by meaning."""

from typing import Any

from mapkit.editor.questions.moments import Moment, board_at
from mapkit.editor.questions.question import Asked, question
from mapkit.model.base import Frozen
from mapkit.variants.board_diff import diff_boards


class Difference(Frozen):
    """Two moments; without `after` the board as it is now."""

    before: Moment = "saved"
    after: Moment | None = None


@question("diff", Difference)
def diff(ask: Difference, asked: Asked) -> dict[str, Any]:
    """Return the difference of two boards as `mapkit diff` has it, and its story."""
    old = board_at(asked, ask.before)
    new = asked.live.board if ask.after is None else board_at(asked, ask.after)
    return diff_boards(old, new).model_dump(mode="json")
