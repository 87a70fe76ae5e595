"""Results of play-testing a board."""

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.playing.figures import Mean, Share


class PlayerFigures(Frozen):
    """A player, by number; the means are of a match."""

    policy: str
    wins: Share
    trips: Mean
    payoffs: Mean = Field(description="Currency units")
    fees_paid: Mean = Field(description="To other players, currency units")
    fees_earned: Mean = Field(description="Currency units")
    purchases: Mean
    mileposts: Mean
    rovers: Mean = Field(description="Declared trains caught")
    caught: Mean
    bankrupt: Mean


class RailroadFigures(Frozen):
    """Railroad with ownership and win rates."""

    railroad: str
    short: str
    price: int
    first: Share = Field(description="Wins of who bought it first")
    sell_out: Share = Field(description="Wins of who owned it at sell-out")
    end: Share = Field(description="Wins of who owned it at the end")
    income: Mean = Field(description="Fees for its use in a match, currency units")
    steps: float = Field(description="Mileposts ridden on it in a match")


class HoldingFigures(Frozen):
    """Players grouped by the percentage of destinations that their railroads reached at the end."""

    low: int
    high: int
    access: Share = Field(description="Wins of those with such access")
    monopoly: Share = Field(description="Wins of those with such a monopoly")


class UseFigures(Frozen):
    """A segment or city, and how often it is used in a match."""

    id: str
    times: float


class Study(Frozen):
    """The result of a play-test; shares and means have 95 % intervals."""

    board: str
    variants: tuple[str, ...]
    preset: str
    options: tuple[str, ...]
    seed: int
    matches: int
    players: tuple[PlayerFigures, ...]
    seats: tuple[Share, ...] = Field(description="Wins by order of play: who moves first, second and so on")
    rounds: Mean
    sold_out: Share = Field(description="Matches in which the fee was raised")
    railroads: tuple[RailroadFigures, ...] = Field(description="By wins of the owner at the end, downward")
    holdings: tuple[HoldingFigures, ...]
    segments: tuple[UseFigures, ...]
    cities: tuple[UseFigures, ...]
