"""Preview of any command."""

from collections import Counter

from pydantic import Field

from mapkit.core.base import Frozen, JsonObject
from mapkit.document.changes import row_json
from mapkit.kinds.protocol import CommandJson, QueryResult
from mapkit.kinds.rail.commands import read_command
from mapkit.kinds.rail.queries.question import Asked, question


class PlanAsked(Frozen):
    """A command as it would be sent, and how many changed rows are wanted at most."""

    command: CommandJson
    most: int = Field(default=500, ge=0, le=100_000)


class PlannedChange(Frozen):
    """A row that changes, as it is and as it will be; null where there is none."""

    table: str
    key: str
    before: JsonObject | None
    after: JsonObject | None


class Planned(QueryResult):
    """The label of the step, how many rows it changes by table, and the first of them."""

    label: str
    counts: dict[str, int]
    changes: tuple[PlannedChange, ...]


@question("plan", PlanAsked, Planned)
def planned(ask: PlanAsked, asked: Asked) -> Planned:
    """Return the effect of a command."""
    plan = read_command(ask.command).plan(asked.document)
    return Planned(
        label=plan.label,
        counts=dict(sorted(Counter(change.table for change in plan.patch).items())),
        changes=tuple(
            PlannedChange(table=c.table, key=c.key, before=row_json(c.before), after=row_json(c.after))
            for c in plan.patch[: ask.most]
        ),
    )
