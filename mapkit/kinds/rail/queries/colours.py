"""Colours of railroads: how far apart they are, and better ones."""

from pydantic import Field

from mapkit.core.base import Colour, Frozen
from mapkit.kinds.protocol import QueryResult, SentCommand
from mapkit.kinds.rail.commands import read_command
from mapkit.kinds.rail.model.board import Pattern
from mapkit.kinds.rail.queries.question import Asked, question
from mapkit.kinds.rail.render.colours.distances import ColourReport, report_colour_distances
from mapkit.kinds.rail.render.colours.solver import solve_colours


class ColourDistances(Frozen):
    """Nothing more to say."""


class DistancesFound(ColourReport, QueryResult):
    """How far apart colours that touch are, for people with any colour vision, as `mapkit colours` has it."""


@question("colour-distances", ColourDistances, DistancesFound)
def distances(_ask: ColourDistances, asked: Asked) -> DistancesFound:
    """Return how far apart colours that touch are."""
    return DistancesFound.model_construct(**dict(report_colour_distances(asked.live.board)))


class ColourSuggestions(Frozen):
    """The railroads that keep their colours, and how far a colour may go (CIEDE2000; 100 for anywhere)."""

    keep: tuple[str, ...] = ()
    near: float = Field(default=25.0, ge=0, le=100)


class Look(Frozen):
    """A colour and a pattern."""

    colour: Colour
    pattern: Pattern


class ColoursSuggested(QueryResult):
    """The look of each railroad that should change, and a command that does it; none if nothing should."""

    styles: dict[str, Look]
    command: SentCommand | None


@question("colour-suggestions", ColourSuggestions, ColoursSuggested)
def suggestions(ask: ColourSuggestions, asked: Asked) -> ColoursSuggested:
    """Return better colours."""
    board = asked.live.board
    solved = solve_colours(board, keep=ask.keep, near=ask.near)
    own = {r.id: r.style for r in board.railroads}
    styles = {
        railroad: Look(colour=style.colour, pattern=style.pattern)
        for railroad, style in sorted(solved.styles.items())
        if style != own[railroad]
    }
    commands = [{"kind": "edit-railroad", "id": railroad, **dict(style)} for railroad, style in styles.items()]
    batch = {"kind": "batch", "label": f"Take {len(styles)} suggested colours", "commands": commands}
    return ColoursSuggested(styles=styles, command=read_command(batch) if commands else None)
