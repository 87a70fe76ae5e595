"""Comparison of two boards by play-tests."""

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.playing.comparing import FigureDifference


class PlayedOn(Frozen):
    """One of the two compared boards."""

    board: str
    variants: tuple[str, ...]
    preset: str
    options: tuple[str, ...]
    seed: int


class Comparison(Frozen):
    """The result of playing on two boards with common random numbers."""

    a: PlayedOn
    b: PlayedOn
    policies: tuple[str, ...]
    matches: int
    chance: float = Field(description="How often two play-tests of one board differ by as much, of 1")
    different: bool = Field(description="Whether that is below 0.05")
    figures: tuple[FigureDifference, ...]
