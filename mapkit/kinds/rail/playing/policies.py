"""What computer players weigh: numbers by name, in groups, one group a decision.

A policy is a TOML file of such groups; what it leaves out is as in the policy that it is based on.
"""

from functools import cache
from importlib.resources import files
from typing import Annotated, Final

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.core.errors import ChoiceError, TableError, did_you_mean
from mapkit.core.shipped import parse_table

Weight = Annotated[float, Field(ge=-1e6, le=1e6)]


class RouteWeights(Frozen):
    """How a player goes to a city; all amounts are in currency units."""

    turn: Weight = Field(default=3_000, description="What a turn is worth")
    fees: Weight = Field(default=1, description="Times the fees that a way costs")
    entry: Weight = Field(default=0.5, description="Times the fee, for coming onto an opponent's track")
    leader: Weight = Field(default=0, description="Share by which fees to the richest opponent count more")


class RegionWeights(Frozen):
    """Which region a player picks who may pick one (RB-D04)."""

    payoff: Weight = Field(default=1, description="Times the payoff by turn that its cities give")
    access: Weight = Field(default=0, description="For a chance of 1 of a city on own railroads, currency units a turn")
    noise: Weight = Field(default=0, description="Up to this much at random, currency units a turn")


class PurchaseWeights(Frozen):
    """What a player buys: what scores most, if it is above 0; thousands of currency units."""

    access: Weight = Field(default=0, description="For each percent of destinations newly reached on own railroads")
    monopoly: Weight = Field(default=0, description="For each percent of destinations that nobody else serves then")
    connection: Weight = Field(default=0, description="For touching own railroads")
    traffic: Weight = Field(default=0, description="For each percent of trips whose shortest way leads over it")
    need: Weight = Field(default=0, description="For each opponent whose trip leads to a city that it serves")
    price: Weight = Field(default=0, description="Times the price; below 0 the cheap are better")
    express: Weight = Field(default=10, description="For Express")
    superchief: Weight = Field(default=45, description="For SuperChief")
    reserve: Weight = Field(default=0, description="Cash that is left, thousands of currency units")
    noise: Weight = Field(default=0, description="Up to this much at random")


class SaleWeights(Frozen):
    """Bids, and sales to raise cash."""

    bid: Weight = Field(default=0.75, description="The highest bid, times the list price")
    to_bank: Weight = Field(default=0, description="Above 0: sells to the bank, not by auction")
    cheap_first: Weight = Field(default=1, description="Above 0: the cheapest goes first; below 0 the dearest")


class WinningWeights(Frozen):
    """Declaring, and catching who has declared."""

    declare: Weight = Field(default=1, description="0: never declares")
    margin: Weight = Field(default=10_000, description="Cash beyond the winning cash before declaring, currency units")
    a_turn: Weight = Field(default=5_000, description="The same, more for each turn that the way home takes")
    rover: Weight = Field(default=1, description="Times the rover payment, against the turns that a detour takes")


class HomeWeights(Frozen):
    """Exchanging home and first destination (RB-S11)."""

    centre: Weight = Field(default=1, description="Above 0: the home that is nearer to all cities; 0: never exchanges")


class Policy(Frozen):
    """How a computer player decides."""

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


SHIPPED: Final = ("balanced", "bold", "builder", "cautious", "connector", "monopolist", "naive", "random")
"""The policies that come with mapkit."""


def parse_policy(name: str, text: str) -> Policy:
    """Return the policy in the text of a TOML file.

    Raises:
        TableError: It is not valid TOML, a weight is unknown or no number, or no policy is named as in `based_on`.
    """
    given = parse_table(name, text, Policy)
    if not given.based_on:
        return given
    if given.based_on not in SHIPPED:
        raise TableError(
            f"{name}.toml: based_on: no policy {given.based_on!r}{did_you_mean(given.based_on, SHIPPED)}; "
            f"there are {', '.join(SHIPPED)}"
        )
    base = shipped_policy(given.based_on).model_dump()
    own = given.model_dump(exclude_unset=True)
    return Policy.model_validate(
        base | {key: base[key] | value if isinstance(value, dict) else value for key, value in own.items()}
    )


@cache
def shipped_policy(name: str) -> Policy:
    """Return a policy that comes with mapkit.

    Raises:
        ChoiceError: There is none of that name.
    """
    if name not in SHIPPED:
        raise ChoiceError(
            f"no policy is named {name!r}{did_you_mean(name, SHIPPED)}; there are {', '.join(SHIPPED)}, "
            "and your own file (.toml)"
        )
    return parse_policy(name, files(f"{__package__}.players").joinpath(f"{name}.toml").read_text(encoding="utf-8"))


_GROUPS: Final = ("route", "region", "purchase", "sale", "winning", "home")
WEIGHTS: Final = tuple(
    f"{group}.{name}" for group in _GROUPS for name in type(Policy.model_fields[group].default).model_fields
)
"""The names of all weights, `group.name`."""


# their places, for compiled functions; a test compares them with WEIGHTS
ROUTE_TURN, ROUTE_FEES, ROUTE_ENTRY, ROUTE_LEADER = range(4)
REGION_PAYOFF, REGION_ACCESS, REGION_NOISE = range(4, 7)
(
    BUY_ACCESS,
    BUY_MONOPOLY,
    BUY_CONNECTION,
    BUY_TRAFFIC,
    BUY_NEED,
    BUY_PRICE,
    BUY_EXPRESS,
    BUY_SUPERCHIEF,
    BUY_RESERVE,
    BUY_NOISE,
) = range(7, 17)
SALE_BID, SALE_TO_BANK, SALE_CHEAP_FIRST = range(17, 20)
WIN_DECLARE, WIN_MARGIN, WIN_A_TURN, WIN_ROVER = range(20, 24)
HOME_CENTRE = 24
