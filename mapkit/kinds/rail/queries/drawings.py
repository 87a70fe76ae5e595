"""Preview of placing the drawings again."""

from mapkit.core.base import Frozen
from mapkit.document.changes import apply
from mapkit.kinds.protocol import QueryResult, SentCommand
from mapkit.kinds.rail.commands.drawings import PlaceDrawings
from mapkit.kinds.rail.importing.placing_changes import placing_report
from mapkit.kinds.rail.live.view import ViewDelta, view_delta
from mapkit.kinds.rail.model.import_report import PlacingReport
from mapkit.kinds.rail.queries.question import Asked, question


class PlaceDrawingsPreview(Frozen):
    """Nothing else is asked: all drawings are placed."""


class DrawingsPreview(QueryResult):
    """Changes of placing the drawings again, and its command; `changes` is false if there are none."""

    label: str
    command: SentCommand
    changes: bool
    report: PlacingReport
    view: ViewDelta


@question("place-drawings-preview", PlaceDrawingsPreview, DrawingsPreview)
def preview(_ask: PlaceDrawingsPreview, asked: Asked) -> DrawingsPreview:
    """Return the changes of placing the drawings again."""
    command = PlaceDrawings()
    plan = command.plan(asked.document)
    live = asked.live
    document = apply(asked.document, plan.patch)
    after = live.recompile(document)
    return DrawingsPreview(
        label=plan.label,
        command=command,
        changes=bool(plan.patch),
        report=placing_report(asked.document, document),
        view=view_delta(live, after),
    )
