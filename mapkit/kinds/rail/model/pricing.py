"""Results of balancing prices by play-tests."""

from typing import Literal

from pydantic import Field

from mapkit.core.base import Frozen

Goal = Literal["worth", "even"]


class Estimate(Frozen):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float


class RailroadPrice(Frozen):
    """Railroad with its price on the board and its balanced price."""

    railroad: str
    short: str
    printed: int = Field(description="Its price on the board, currency units")
    gain: Estimate | None = Field(description="What buying it at that price adds to the buyer's chance to win, of 1")
    bought: float = Field(description="The share of matches in which somebody buys it at that price")
    worth: Estimate | None = Field(description="The price that was looked for, currency units")
    price: int = Field(description="The same, rounded to what players can pay")


class JudgedPrices(Frozen):
    """Evenness of prices, on matches that the search did not use."""

    prices: Literal["printed", "by access", "found"]
    policies: tuple[str, ...]
    matches: int
    spread: Estimate = Field(
        description="How far what buying a railroad adds to the chance to win is from the same for all: the root of "
        "the mean square, of 1, less what chance alone makes of so many matches"
    )
    rights: Estimate = Field(
        description="The same of what the right to buy a railroad adds, bought or not; all railroads count"
    )
    most: Estimate = Field(description="The largest of these differences")
    most_of: str = Field(description="Of which railroad")
    rare: tuple[str, ...] = Field(description="Railroads that fewer than a tenth of the matches buy; they do not count")


class Pricing(Frozen):
    """The result of a search for prices."""

    board: str
    variants: tuple[str, ...]
    preset: str
    options: tuple[str, ...]
    goal: Goal
    policies: tuple[str, ...]
    seed: int
    matches: int = Field(description="Of each step")
    steps: int
    rebate: int = Field(description="What players got back in trials, currency units")
    money: Estimate = Field(description="What a thousand currency units add to the chance to win at a purchase, of 1")
    railroads: tuple[RailroadPrice, ...] = Field(description="By what buying adds at the printed price, downward")
    judged: tuple[JudgedPrices, ...] = ()
