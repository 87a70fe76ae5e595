"""Comparison of two boards by play-tests."""

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.playing.paired_differences import FigureDifference
from mapkit.playing.panels import PanelFigure


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
    policies: tuple[str, ...] = Field(description="Of each player; of a panel, of each style")
    players: int
    matches: int
    chance: float = Field(description="How often two play-tests of one board differ by as much, of 1")
    different: bool = Field(description="Whether that is below 0.05")
    figures: tuple[FigureDifference, ...]
    panel: tuple[PanelFigure, ...] = Field(default=(), description="Differences by style, in the order of policies")
