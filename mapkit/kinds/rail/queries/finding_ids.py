"""Findings of an earlier moment, so that new ones stand out."""

from mapkit.core.base import Frozen
from mapkit.kinds.protocol import QueryResult
from mapkit.kinds.rail.live.checks import live_findings
from mapkit.kinds.rail.queries.moments import Moment, live_at
from mapkit.kinds.rail.queries.question import Asked, question


class FindingIds(Frozen):
    """The moment."""

    at: Moment = "saved"


class IdsFound(QueryResult):
    """The ids of the findings of a moment, without those of the drawing."""

    ids: tuple[str, ...]


@question("finding-ids", FindingIds, IdsFound)
def finding_ids(ask: FindingIds, asked: Asked) -> IdsFound:
    """Return the ids of a moment's findings."""
    return IdsFound(ids=tuple(found.id for found in live_findings(live_at(asked, ask.at)).findings))
