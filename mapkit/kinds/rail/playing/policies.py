"""Policies of computer players: weights by name, in groups, one group per decision.

A policy is a TOML file of such groups; weights that it leaves out come from the policy that it is based on.
"""

from functools import cache
from importlib.resources import files
from typing import Annotated, Final

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.core.errors import ChoiceError, TableError, did_you_mean
from mapkit.core.package_data import parse_table
from mapkit.core.plurals import join_some

Weight = Annotated[float, Field(ge=-1e6, le=1e6)]
Cost = Annotated[float, Field(ge=0, le=1e6)]
"""Weight of a way's cost, never negative, so that longer ways gain nothing."""


class RouteWeights(Frozen):
    """Weights of the way to a city."""

    turn: Cost = Field(default=0.7, description="What a turn is worth, times what a trip earns by turn on the board")
    fees: Cost = Field(default=1, description="Times the fees that a way costs")
    later: Cost = Field(default=1, description="Times the fees of later turns, whose dice are not rolled yet")
    leader: Cost = Field(default=0, description="Share by which fees to the richest opponent count more")
    short: Cost = Field(default=0, description="Share by which fees that the cash does not cover count more")


class RegionWeights(Frozen):
    """Weights of a free choice of the region (RB-D04); amounts in currency units a turn."""

    payoff: Weight = Field(default=1, description="Times the payoff by turn that its cities give")
    access: Weight = Field(default=0, description="Times the fee by turn, for cities on own railroads")
    noise: Weight = Field(default=0, description="Up to this much at random")


class PurchaseWeights(Frozen):
    """Weights of purchases: the item with the highest score above 0 is bought; in currency units.

    Gains are counted by trips and by the fee after sell-out, and count less the nearer the richest player is to the
    winning cash.
    """

    buys: Weight = Field(default=1, description="0: buys nothing")
    access: Weight = Field(default=0, description="Own trips that save a fee to each destination newly reached")
    monopoly: Weight = Field(default=0, description="Trips of each opponent that pay a fee at one that only he reaches")
    traffic: Weight = Field(default=0, description="Trips of each opponent that pay a fee on shortest ways over it")
    connection: Weight = Field(default=0, description="Fees saved by touching own railroads")
    deny: Weight = Field(default=0, description="Trips, for destinations that the opponent with most use would reach")
    need: Weight = Field(
        default=0, description="Fees of now for each opponent who is on the way to a city that it serves"
    )
    price: Weight = Field(default=0, description="Times the price; below 0 the cheap are better")
    express: Weight = Field(default=30, description="Turns for which the speed of Express earns; below 0: never bought")
    superchief: Weight = Field(default=30, description="The same of SuperChief")
    patience: Weight = Field(default=0, description="Share of what one payoff more could buy for which a player waits")
    reserve: Weight = Field(default=0, description="Cash kept, times the fees expected of a trip; 0: spends all")
    noise: Weight = Field(default=0, description="Up to this much at random")


class SaleWeights(Frozen):
    """Weights of bids, and of sales to raise cash."""

    bid: Weight = Field(default=0.75, description="The highest bid, times the list price")
    use: Weight = Field(default=0, description="More for its gains, as in a purchase, times them; also to keep it")
    to_bank: Weight = Field(default=0, description="Above 0: sells to the bank, not by auction")
    cheap_first: Weight = Field(default=1, description="Above 0: the cheapest goes first; below 0 the dearest")


class WinningWeights(Frozen):
    """Weights of declaring, and of catching declared players."""

    declare: Weight = Field(default=1, description="0: never declares")
    margin: Weight = Field(default=1, description="Cash beyond the winning cash before declaring, times the fee of now")
    a_turn: Weight = Field(default=0.5, description="The same, more for each turn that the way home takes")
    rover: Weight = Field(default=1, description="Times the rover payment, against the turns that a detour takes")


class HomeWeights(Frozen):
    """Weights of exchanging home and first destination (RB-S11)."""

    centre: Weight = Field(default=1, description="Above 0: the home that is nearer to all cities; 0: never exchanges")


class Policy(Frozen):
    """Weights of all decisions of a computer player."""

    about: str = Field(default="", max_length=500, description="What it does, in a sentence")
    based_on: str = Field(default="", max_length=200, description="The policy whose weights it has where it names none")
    route: RouteWeights = RouteWeights()
    region: RegionWeights = RegionWeights()
    purchase: PurchaseWeights = PurchaseWeights()
    sale: SaleWeights = SaleWeights()
    winning: WinningWeights = WinningWeights()
    home: HomeWeights = HomeWeights()

    def weights(self) -> list[float]:
        """Return all weights in the order of `WEIGHTS`."""
        return [float(getattr(getattr(self, group), name)) for group, name in (w.split(".") for w in WEIGHTS)]


SHIPPED: Final = (
    "access",
    "balanced",
    "bold",
    "builder",
    "cautious",
    "connector",
    "monopolist",
    "naive",
    "never-buys",
    "never-declares",
    "random",
    "shortest-way",
    "tuned",
)
"""The policies that come with mapkit."""
PANEL: Final = ("access", "builder", "monopolist", "balanced", "tuned")
"""The styles of play-tests: strong players who buy for different reasons."""


def parse_policy(name: str, text: str) -> Policy:
    """Parse the policy in the text of a TOML file.

    Raises:
        TableError: It is not valid TOML, a weight is unknown or no number, or no policy is named as in `based_on`.
    """
    parsed_policy = parse_table(name, text, Policy)
    if not parsed_policy.based_on:
        return parsed_policy
    if parsed_policy.based_on not in SHIPPED:
        raise TableError(
            f"{name}.toml: based_on: no policy "
            f"{parsed_policy.based_on!r}{did_you_mean(parsed_policy.based_on, SHIPPED)}; there are {join_some(SHIPPED)}"
        )
    base_weights = shipped_policy(parsed_policy.based_on).model_dump()
    own_weights = parsed_policy.model_dump(exclude_unset=True)
    return Policy.model_validate(
        base_weights
        | {key: base_weights[key] | value if isinstance(value, dict) else value for key, value in own_weights.items()}
    )


@cache
def shipped_policy(name: str) -> Policy:
    """Return a policy that comes with mapkit.

    Raises:
        ChoiceError: There is none of that name.
    """
    if name not in SHIPPED:
        raise ChoiceError(
            f"no policy is named {name!r}{did_you_mean(name, SHIPPED)}; there are {join_some(SHIPPED)}, "
            "and your own file (.toml)"
        )
    return parse_policy(name, files(f"{__package__}.players").joinpath(f"{name}.toml").read_text(encoding="utf-8"))


_WEIGHT_GROUPS: Final = ("route", "region", "purchase", "sale", "winning", "home")
WEIGHTS: Final = tuple(
    f"{group}.{name}" for group in _WEIGHT_GROUPS for name in type(Policy.model_fields[group].default).model_fields
)
"""The names of all weights, `group.name`."""


# their places, for compiled functions; a test compares them with WEIGHTS
ROUTE_TURN, ROUTE_FEES, ROUTE_LATER, ROUTE_LEADER, ROUTE_SHORT = range(5)
REGION_PAYOFF, REGION_ACCESS, REGION_NOISE = range(5, 8)
(
    BUY_BUYS,
    BUY_ACCESS,
    BUY_MONOPOLY,
    BUY_TRAFFIC,
    BUY_CONNECTION,
    BUY_DENY,
    BUY_NEED,
    BUY_PRICE,
    BUY_EXPRESS,
    BUY_SUPERCHIEF,
    BUY_PATIENCE,
    BUY_RESERVE,
    BUY_NOISE,
) = range(8, 21)
SALE_BID, SALE_USE, SALE_TO_BANK, SALE_CHEAP_FIRST = range(21, 25)
WIN_DECLARE, WIN_MARGIN, WIN_A_TURN, WIN_ROVER = range(25, 29)
HOME_CENTRE = 29
