"""What play-tests of two boards say of their difference."""

from pydantic import Field

from mapkit.core.base import Frozen


class PlayedOn(Frozen):
    """One of two boards."""

    board: str
    variants: tuple[str, ...]
    preset: str
    options: tuple[str, ...]
    seed: int


class FigureDifference(Frozen):
    """A figure on both boards, with the 95 % interval of its difference."""

    part: str = Field(description="What it is of: match, player, seat, railroad")
    id: str = Field(description="Which one: a number from 1, or an id")
    figure: str
    a: float
    b: float
    difference: float = Field(description="B less A")
    low: float
    high: float
    saving: float | None = Field(
        description="How many times larger the variance of the difference would be with independent runs; none if the "
        "difference is the same in all matches"
    )


class Comparison(Frozen):
    """The result of playing on two boards with common random numbers."""

    a: PlayedOn
    b: PlayedOn
    policies: tuple[str, ...]
    matches: int
    chance: float = Field(description="How often two play-tests of one board differ by as much, of 1")
    different: bool = Field(description="Whether that is below 0.05")
    figures: tuple[FigureDifference, ...]
