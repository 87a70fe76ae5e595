"""Results of play-testing a board."""

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.playing.figures import Mean, Share
from mapkit.playing.panels import PanelFigure


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


class StartFigures(Frozen):
    """Players with the same start: home, first destination or first purchase."""

    start: str = Field(description="home, first destination or first purchase")
    id: str = Field(description="A city; a railroad or an engine")
    wins: Share = Field(description="Wins of those players")


class WealthFigures(Frozen):
    """Mean wealth at a round, of matches that last so long, in currency units."""

    round: int
    matches: int
    cash: float = Field(description="Of those who win in the end")
    net_worth: float
    others_cash: float = Field(description="Of the others")
    others_net_worth: float


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
    lead_changes: Mean = Field(description="How often another player takes the lead by net worth")
    last_doubt: Mean = Field(description="When the winner was last not in the lead, of the length of the match")
    hopeless: Mean = Field(description="Time of the others after their last lead, of the length of the match")
    wealth: tuple[WealthFigures, ...]
    starts: tuple[StartFigures, ...] = Field(description="Wins by home, first destination and first purchase")
    railroads: tuple[RailroadFigures, ...] = Field(description="By wins of the owner at the end, downward")
    holdings: tuple[HoldingFigures, ...]
    segments: tuple[UseFigures, ...]
    cities: tuple[UseFigures, ...]
    styles: tuple[str, ...] = Field(default=(), description="Policies of a panel; each match is played by one")
    panel: tuple[PanelFigure, ...] = Field(default=(), description="Figures by style; the others are of all matches")
