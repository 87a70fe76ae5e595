"""What any command would do, before it is done."""

from collections import Counter
from typing import Any

from pydantic import Field

from mapkit.editor.commands import read_command
from mapkit.editor.questions.question import Asked, question
from mapkit.model.base import Frozen


class PlanAsked(Frozen):
    """A command as it would be sent, and how many changed rows are wanted at most."""

    command: dict[str, Any]
    most: int = Field(default=500, ge=0, le=100_000)


@question("plan", PlanAsked)
def planned(ask: PlanAsked, asked: Asked) -> dict[str, Any]:
    """Return the `label` of the step, how many rows it changes by table, and the first of them with both values."""
    plan = read_command(ask.command).plan(asked.document)
    return {
        "label": plan.label,
        "counts": dict(sorted(Counter(change.table for change in plan.patch).items())),
        "changes": [
            {
                "table": change.table,
                "key": change.key,
                "before": None if change.before is None else change.before.model_dump(mode="json"),
                "after": None if change.after is None else change.after.model_dump(mode="json"),
            }
            for change in plan.patch[: ask.most]
        ],
    }
