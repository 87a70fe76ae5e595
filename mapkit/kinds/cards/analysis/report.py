"""Figures of a report on a card game."""

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.playing.figures import Mean, Share


class RailroadReturn(Frozen):
    """Face of a railroad card: the rounds until it pays for itself, and its rounds in play."""

    railroad: str
    name: str
    face: str
    level: int
    cost: int = Field(description="Dollars")
    income: int = Field(description="Dollars in each operating round")
    pays_after: int | None = Field(description="Operating rounds until it has earned its cost; none: it earns nothing")
    gone_at: int | None = Field(description="The level that makes it obsolete; none: it stays")
    gains: tuple[int, ...] = Field(description="Earnings less cost after 1, 2, 3 ... operating rounds, dollars")
    life: Mean = Field(description="By play: operating rounds from when its level comes to when it goes, or the end")
    gain: int = Field(description="Earnings less cost over that mean, dollars")
    bought: Share = Field(description="Games in which somebody bought it with this face up")


class HoldingEarnings(Frozen):
    """Possible income of a holding in an operating round, for any order of the stack, without investors."""

    holding: str
    name: str
    operators: int
    capital: tuple[int, int] = Field(description="When it starts at the lowest and at the highest value, dollars")
    bought: tuple[int, int] = Field(description="The most that railroads for such a capital earn, dollars")
    best: tuple[int, ...] = Field(description="The most with 0, 1, 2 ... railroads, the other operators in the network")


class GameLength(Frozen):
    """Length of a game, in operating rounds."""

    quickest: int = Field(description="For a holding that pays whenever it can, from its quickest start")
    slowest_start: int = Field(description="Likewise from its slowest start")
    rounds: Mean = Field(description="By play")
    sequences: Mean = Field(description="Sequences of rounds by play")


class InvestorWorth(Frozen):
    """Worth of an investor."""

    investor: str
    name: str
    face: int = Field(description="Dollars")
    at_once: int = Field(description="Value of the certificate and cost of the railroad that it brings, dollars")
    each_round: int = Field(description="What it adds to the income of its holding, dollars")
    each_railroad: int = Field(description="What it adds for each railroad, dollars")
    discount: int = Field(description="What it takes off the price of new railroads, per cent")
    price: Mean = Field(description="What was named for it in the draft, dollars")
    ahead: Mean = Field(description="By how much who got it was ahead at the end, dollars")
    wins: Share = Field(description="Wins of who got it")


class CardReport(Frozen):
    """A report on a card game; means and shares have 95 % intervals."""

    game: str
    variants: tuple[str, ...]
    example_ladder: bool = Field(description="Whether share values come from the example ladder")
    games: int = Field(description="How many were played for the figures by play")
    policy: str
    seed: int
    length: GameLength
    railroads: tuple[RailroadReturn, ...]
    holdings: tuple[HoldingEarnings, ...]
    investors: tuple[InvestorWorth, ...]
