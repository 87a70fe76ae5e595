"""Results of a ladder of computer players."""

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.playing.figures import Share


class Rung(Frozen):
    """One policy of a ladder."""

    policy: str
    rating: float = Field(description="On the scale of Elo, mean 0: 400 more are odds of 10 to 1 against one opponent")
    margin: float = Field(description="Half the width of its 95 % interval")
    against: dict[str, Share] = Field(
        description="Its share of the wins against each other policy, half of the places being its own"
    )


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
