"""What placing mileposts anew would do, before it is done."""

from typing import Any

import numpy as np
from pydantic import Field

from mapkit.charts.payoff_distances import board_distances
from mapkit.editor.changes import apply
from mapkit.editor.commands import read_command
from mapkit.editor.live.board import live_board
from mapkit.editor.live.view import view_delta
from mapkit.editor.questions.question import Asked, question
from mapkit.model.base import Frozen

SHOWN = 50


class RespacePreview(Frozen):
    """The lines, and how far apart their mileposts should be, miles; as `respace-lines`."""

    lines: tuple[str, ...] = Field(min_length=1, max_length=1000)
    gap_mi: float = Field(ge=0.5, le=1000)
    reach_mi: float = Field(default=5.0, gt=0, le=100)


@question("respace-preview", RespacePreview)
def preview(ask: RespacePreview, asked: Asked) -> dict[str, Any]:
    """Return what it would change: `label`, counts of mileposts, distances between cities in mileposts, the `view`.

    `pairs` are those whose distance changes most, `{a, b, before, after}` in mileposts, null where there is no way;
    `changed` is how many change in all, `mean` the mean change.
    """
    plan = read_command({"kind": "respace-lines", **ask.model_dump(mode="json")}).plan(asked.document)
    live = asked.live
    after = live_board(apply(asked.document, plan.patch), board_id=live.id, before=live)
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

    return {
        "label": plan.label,
        "command": {"kind": "respace-lines", **ask.model_dump(mode="json")},
        "mileposts": {"before": len(live.board.mileposts), "after": len(after.board.mileposts)},
        "changed": len(rows),
        "mean": round(float((new - old)[both].mean()), 4) if both.any() else 0.0,
        "pairs": [
            {
                "a": cities[rows[k]],
                "b": cities[cols[k]],
                "before": moves(old[rows[k], cols[k]]),
                "after": moves(new[rows[k], cols[k]]),
            }
            for k in order.tolist()
        ],
        "view": view_delta(live, after),
    }
