"""Results of a ladder of computer players."""

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.playing.figures import Share
from mapkit.playing.ladders import Rung


class Ladder(Frozen):
    """Policies that played each other in pairs, the best first."""

    board: str
    preset: str
    options: tuple[str, ...]
    players: int
    seed: int
    matches: int = Field(description="In all")
    rungs: tuple[Rung, ...]
    seats: tuple[Share, ...] = Field(description="Win rate by order of play, whoever sits there")
