"""Preview of placing mileposts again."""

import numpy as np
from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.document.changes import apply
from mapkit.kinds.protocol import QueryResult, SentCommand
from mapkit.kinds.rail.charts.payoffs.distances import board_distances
from mapkit.kinds.rail.commands import read_command
from mapkit.kinds.rail.live.view import ViewDelta, view_delta
from mapkit.kinds.rail.queries.question import Asked, question

SHOWN = 50


class RespacePreview(Frozen):
    """The lines, and how far apart their mileposts should be, miles; as `respace-lines`."""

    lines: tuple[str, ...] = Field(min_length=1, max_length=1000)
    gap_mi: float = Field(ge=0.5, le=1000)
    reach_mi: float = Field(default=5.0, gt=0, le=100)


class BeforeAfter(Frozen):
    """How many there are, and will be."""

    before: int
    after: int


class ChangedPair(Frozen):
    """Two cities and their distance in mileposts, null where there is no way."""

    a: str
    b: str
    before: int | None
    after: int | None


class Respaced(QueryResult):
    """Changes of the number of mileposts, and of distances between cities in mileposts.

    `pairs` are those whose distance changes most; `changed` is how many change in all, `mean` the mean change.
    """

    label: str
    command: SentCommand
    mileposts: BeforeAfter
    changed: int
    mean: float
    pairs: tuple[ChangedPair, ...]
    view: ViewDelta


@question("respace-preview", RespacePreview, Respaced)
def preview(ask: RespacePreview, asked: Asked) -> Respaced:
    """Return the changes of placing mileposts again."""
    command = read_command({"kind": "respace-lines", **ask.model_dump(mode="json")})
    plan = command.plan(asked.document)
    live = asked.live
    after = live.recompile(apply(asked.document, plan.patch))
    cities = [city.id for city in live.board.cities]
    old, new = (board_distances(each.board, cities).moves for each in (live, after))
    if old is None or new is None:
        raise ValueError("distances along track have moves")
    upper = np.triu(np.ones(old.shape, dtype=bool), 1)
    other = upper & (np.nan_to_num(old, nan=-1) != np.nan_to_num(new, nan=-1))
    both = upper & np.isfinite(old) & np.isfinite(new)
    rows, cols = np.nonzero(other)
    off = np.nan_to_num(np.abs(new - old)[rows, cols], nan=np.inf)
    order = np.lexsort((cols, rows, -off))[:SHOWN]

    def moves(value: float) -> int | None:
        return int(value) if np.isfinite(value) else None

    return Respaced(
        label=plan.label,
        command=command,
        mileposts=BeforeAfter(before=len(live.board.mileposts), after=len(after.board.mileposts)),
        changed=len(rows),
        mean=round(float((new - old)[both].mean()), 4) if both.any() else 0.0,
        pairs=tuple(
            ChangedPair(
                a=cities[rows[k]],
                b=cities[cols[k]],
                before=moves(old[rows[k], cols[k]]),
                after=moves(new[rows[k], cols[k]]),
            )
            for k in order.tolist()
        ),
        view=view_delta(live, after),
    )
