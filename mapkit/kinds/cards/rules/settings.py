"""Rules of a card game as settings, `[rules.GROUP]` in `board.toml`; amounts are whole dollars."""

from typing import Final, Literal

from pydantic import Field

from mapkit.core.base import Frozen

PICKS: Final = (0, 1, 1, 0)
"""Who picks investors, in turn: A, B, B, A (BA-S03)."""


class Setup(Frozen):
    """Settings of the setup before the first round."""

    players: int = Field(default=2, ge=2, le=8, description="BA-C01")
    cash: int = Field(default=200, ge=0, le=1_000_000, description="BA-M01, for each player")
    bids: Literal["free", "face"] = Field(default="free", description="BA-S02: how an offered investor is valued")
    drafted: int = Field(default=4, ge=0, le=100, description="BA-S03: investors that come into play")


class Limits(Frozen):
    """Limits on certificates and stock."""

    player_stock: int = Field(default=100, ge=10, le=100, description="BA-M04: per cent of a holding for a player")
    bank_stock: int = Field(default=60, ge=0, le=100, description="BA-M05: per cent of an operating holding")
    certificates: int = Field(default=9, ge=1, le=1000, description="BA-M06: of a player; investors do not count")


class Market(Frozen):
    """Settings of shares."""

    sold_to_operate: int = Field(default=50, ge=0, le=100, description="BA-B13: per cent sold before it operates")
    capital: int = Field(default=10, ge=0, le=100, description="BA-B12: capital in share values")
    seller_down: int = Field(default=1, ge=0, le=100, description="BA-L06: lines down where its Director sells")
    dividend_up: int = Field(default=1, ge=0, le=100, description="BA-O08: lines up where it pays out")


class Rounds(Frozen):
    """Settings of rounds and the end."""

    stock: int = Field(default=1, ge=1, le=10, description="BA-R01: stock rounds in a sequence")
    operating: int = Field(default=2, ge=1, le=10, description="BA-R01: operating rounds after them")
    removes_top: bool = Field(default=True, description="BA-R01: whether the top railroad then goes")


class Operating(Frozen):
    """Settings of operating rounds."""

    network_a_round: int = Field(default=1, ge=0, le=100, description="BA-O05: operators moved to the network, at most")
    network_income: int = Field(default=10, ge=0, le=100_000, description="BA-O05: income of each of them")
    price_between: int = Field(default=1, ge=0, le=100_000, description="BA-O12: lowest price between holdings")


class Disputes(Frozen):
    """Choices for contradictions of the printed rules."""

    last_step: Literal[3, 4] = Field(default=4, description="D41: number of the last operating step, the discard")
    income: Literal["one", "by-face"] = Field(default="one", description="D42: incomes of a card of two levels")
    stack: Literal["category", "cost"] = Field(default="category", description="D43: order of the stack")
    last_levels: Literal["same", "two"] = Field(
        default="same",
        description="D44: whether 8a and 8b are one level; the first of either makes level 4 obsolete both ways",
    )
    removed: Literal["lower", "higher"] = Field(
        default="lower", description="D45: level of a removed card of two levels"
    )
    fifth_investor: Literal["both", "drafted"] = Field(
        default="both", description="D46: who gets the face value of the investor that is left"
    )
    capital: Literal["current", "initial"] = Field(default="current", description="D47: share value of the capital")
    help_needs_operator: bool = Field(
        default=True, description="D48: whether the Director helps only with a (+) operator"
    )
    abilities: Literal["open", "listed"] = Field(
        default="open", description="D49: whether abilities of investors without a known value come into play"
    )
    end: Literal["running", "pair"] = Field(
        default="running", description="D50: whether the running round is the last, or the last of its pair"
    )


class CardRules(Frozen):
    """All rules of a card game."""

    setup: Setup = Setup()
    limits: Limits = Limits()
    market: Market = Market()
    rounds: Rounds = Rounds()
    operating: Operating = Operating()
    disputes: Disputes = Disputes()
