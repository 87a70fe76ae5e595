"""Which findings an earlier moment of the board had: what is new stands out then."""

from typing import Any

from mapkit.editor.live.board import live_board
from mapkit.editor.live.checks import live_findings
from mapkit.editor.questions.moments import Moment
from mapkit.editor.questions.question import Asked, QuestionError, question
from mapkit.model.base import Frozen


class FindingIds(Frozen):
    """The moment."""

    at: Moment = "saved"


@question("finding-ids", FindingIds)
def finding_ids(ask: FindingIds, asked: Asked) -> dict[str, Any]:
    """Return the `ids` of the findings of a moment, without those of the drawing."""
    if asked.document_at is None:
        raise QuestionError("this board has no history to compare with; open it as a session")
    document = asked.document_at(ask.at)
    live = asked.live
    if document is not asked.document:
        live = live_board(document, board_id=live.id, before=live)
    return {"ids": [found.id for found in live_findings(live).findings]}
