"""Colours of railroads: how far apart they are, and better ones."""

from typing import Any

from pydantic import Field

from mapkit.editor.questions.question import Asked, question
from mapkit.model.base import Frozen


class ColourDistances(Frozen):
    """Nothing more to say."""


@question("colour-distances", ColourDistances)
def distances(_ask: ColourDistances, asked: Asked) -> dict[str, Any]:
    """Return how far apart colours that touch are, for people with any colour vision (`mapkit colours`)."""
    from mapkit.render.colour_distances import colour_distances  # noqa: PLC0415 - heavy, and for this alone

    return colour_distances(asked.live.board).model_dump(mode="json")


class ColourSuggestions(Frozen):
    """The railroads that keep their colours, and how far a colour may go (CIEDE2000; 100 for anywhere)."""

    keep: tuple[str, ...] = ()
    near: float = Field(default=25.0, ge=0, le=100)


@question("colour-suggestions", ColourSuggestions)
def suggestions(ask: ColourSuggestions, asked: Asked) -> dict[str, Any]:
    """Return `styles`, the colour and pattern of each railroad that should change, and a `command` that does it."""
    from mapkit.render.colour_solver import solve_colours  # noqa: PLC0415 - heavy, and for this alone

    board = asked.live.board
    solved = solve_colours(board, keep=ask.keep, near=ask.near)
    own = {r.id: r.style for r in board.railroads}
    styles = {
        railroad: {"colour": style.colour, "pattern": style.pattern}
        for railroad, style in sorted(solved.styles.items())
        if style != own[railroad]
    }
    commands = [{"kind": "edit-railroad", "id": railroad, **style} for railroad, style in styles.items()]
    batch = {"kind": "batch", "label": f"Take {len(styles)} suggested colours", "commands": commands}
    return {"styles": styles, "command": batch if commands else None}
