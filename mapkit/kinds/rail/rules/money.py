"""Rules of money: buying, fees, auctions, and the options and variants of both.

Each field names its rows of the rules, such as `RB-F03`; its default is the Avalon Hill (AH) rule.
"""

from typing import Literal

from pydantic import Field

from mapkit.core.base import Frozen, Slug
from mapkit.kinds.rail.rules.play import Count, Money, Percent


class PlayersTable(Frozen):
    """Amounts by number of players, in currency units; None if the rules list none."""

    two: Money | None = Field(default=None, description="Two players")
    three: Money | None = Field(default=None, description="Three players")
    four: Money | None = Field(default=None, description="Four players")
    five: Money | None = Field(default=None, description="Five players")
    six: Money | None = Field(default=None, description="Six players")

    def at(self, players: int) -> int | None:
        """Return the amount for `players`, or None if the table lists none."""
        return {2: self.two, 3: self.three, 4: self.four, 5: self.five, 6: self.six}.get(players)


class Purchase(Frozen):
    """Buying on arrival (RB-P)."""

    per_payoff: Count = Field(default=1, description="RB-P03: railroads or engines bought at each payoff, at most")
    express_price: Money = Field(default=4_000, description="RB-P04: price of Express, currency units")
    superchief_price: Money = Field(
        default=40_000, description="RB-P05: price of SuperChief from either engine, currency units"
    )
    express_trade_in: Money = Field(
        default=0,
        description="RB-P06: taken off SuperChief for an Express given up, currency units; 0 is not a trade-in. "
        "`options.free_upgrade` overrides it",
    )
    second_superchief: bool = Field(default=False, description="RB-P07: an owner may buy another SuperChief")
    public_for_sale: bool = Field(
        default=False,
        description="RB-P10, RB-C11: railroads flagged public are sold too (D22: AH knows none)",
    )


class Fees(Frozen):
    """Fees for a turn's riding (RB-F)."""

    bank: Money = Field(
        default=1_000,
        description="RB-F02: fee a turn for riding bank-held and public railroads in all, currency units",
    )
    own: Money = Field(
        default=1_000,
        description="RB-F03, RB-V16: fee a turn to the bank for riding own railroads, one sum with `bank`: "
        "whoever rides both pays the larger once; 0 (ICI, or the house rule) is free, currency units",
    )
    opponent: Money = Field(
        default=5_000, description="RB-F04: fee a turn to each opponent used before sell-out, currency units"
    )
    opponent_after_sell_out: Money = Field(
        default=10_000, description="RB-F05: fee a turn to each opponent used after sell-out, currency units"
    )
    sell_out: Literal["bank-sold-out", "all-bought-once"] = Field(
        default="all-bought-once",
        description="RB-F06: the fee rises when the bank holds no private railroad (one sold back counts as "
        "never bought), or when each has been bought at some time",
    )
    raised_fee_stays: bool = Field(default=True, description="RB-F07: the raised fee stays for good, sell-backs or not")
    compulsory: bool = Field(default=True, description="RB-F10: fees are due whether asked for or not")
    per: Literal["turn"] = Field(
        default="turn", description="RB-F08: a fee is flat, whatever the distance or the number of railroads"
    )
    established_on: Literal["all-serving", "line-in-use"] = Field(
        default="all-serving",
        description="RB-F11, RB-F12: where a standing train keeps the old fee (D23: same effect)",
    )


class Auction(Frozen):
    """Raising cash for fees, and bankruptcy (RB-A)."""

    engines_for_sale: bool = Field(default=False, description="RB-A02: Express and SuperChief may be sold too")
    sell_back_percent: Percent = Field(
        default=50, description="RB-A03, RB-A11: what the bank pays, percent of the list price"
    )
    opening_percent: Percent = Field(default=50, description="RB-A05: lowest first bid, percent of the list price")
    bid_step: int = Field(default=500, gt=0, le=1_000_000_000, description="RB-A06: step of a bid, currency units")
    bid_rule: Literal["at-least-step", "multiple-of-step"] = Field(
        default="multiple-of-step",
        description="RB-A06: a bid is higher by `bid_step` or more, or higher and a multiple of `bid_step`",
    )
    passing: Literal["may-return", "out"] = Field(
        default="may-return",
        description="RB-A08: after a pass a player may bid again, until all pass in a row, or is out",
    )
    withdrawal: bool = Field(default=False, description="RB-A10: an offered railroad may be withdrawn")
    others_on_it: Literal["former-fee", "full-fee"] = Field(
        default="former-fee",
        description="RB-A13: trains of others on the railroad sold stay established at the fee due without "
        "the auction, or pay the full opponent's fee",
    )
    seller_ride: Literal["free", "own-fee", "bank-fee"] = Field(
        default="own-fee",
        description="RB-A14: the seller's ride on it: free this turn and while established; or `fees.own`, or "
        "`fees.bank`, to the bank this turn and to the new owner while established",
    )
    bankrupt_cash: Literal["to-bank", "kept"] = Field(
        default="kept", description="RB-A16: rest cash of a bankrupt; no creditor gets any either way"
    )


class Options(Frozen):
    """Options that can be switched on; half-time play is a bundle of them (RB-V14)."""

    software_lookup: bool = Field(
        default=False, description="RB-D08, RB-V14: destinations and payoffs are looked up by software"
    )
    superchief_by_players: bool = Field(
        default=False,
        description="RB-V08, RB-V14: SuperChief costs `superchief_prices`; where None, the usual price",
    )
    superchief_prices: PlayersTable = Field(
        default=PlayersTable(three=40_000, four=36_000, five=32_000, six=28_000),
        description="RB-V08: price of SuperChief by players, currency units; AH lists none for two",
    )
    free_upgrade: bool = Field(
        default=False,
        description="RB-V11, RB-V14: an owner of Express may take SuperChief as a purchase at no price",
    )
    extra_starting_cash: Money = Field(
        default=0,
        description="RB-V12, RB-V14: added to the starting cash, as agreed, currency units; 0 is off. The "
        "rules fix no figure; their example is 20,000",
    )
    opening_auctions: bool = Field(
        default=False,
        description="RB-V13, RB-V14: a random deed is auctioned for each player after homes are set; "
        "one without a bid goes back to the bank after all",
    )


class Group(Frozen):
    """Railroads sold together at a fixed total (RB-V01)."""

    name: str = Field(min_length=1, description="Name of the merged railroad")
    members: tuple[Slug, ...] = Field(min_length=2, description="Ids of the railroads; idle where the board lacks one")
    price: Money = Field(description="Fixed total, currency units, even when the bank holds only some")


CLASSIC_GROUPS = (
    Group(name="Penn Central", members=("nyc", "nynhh", "pa"), price=62_000),  # RB-V02
    Group(name="Friendly", members=("acl", "ln", "sal"), price=44_000),  # RB-V03
    Group(name="C & O", members=("bo", "co"), price=44_000),  # RB-V04
    Group(name="Burlington Northern", members=("cbq", "gn", "np"), price=51_000),  # RB-V05
    Group(name="Illinois Central Gulf", members=("gmo", "ic"), price=26_000),  # RB-V06, D33
    Group(name="MP and T & P", members=("mp", "tp"), price=31_000),  # RB-V07
)
"""The groups of the classic United States board."""


class GroupPurchase(Frozen):
    """The option to buy a merged group as one purchase (RB-V01)."""

    enabled: bool = Field(default=False, description="RB-V01: groups may be bought as one purchase")
    single_purchases: bool = Field(
        default=True, description="RB-V01: a member may still be bought alone, as when cash covers no more (G02)"
    )
    groups: tuple[Group, ...] = Field(
        default=CLASSIC_GROUPS,
        description="RB-V02, RB-V03, RB-V04, RB-V05, RB-V06, RB-V07: the groups of the classic board "
        "(D33: the sixth is also named Illinois Gulf Central)",
    )


class NetWorth(Frozen):
    """The option to win by net worth: cash, railroads and special trains (RB-V09)."""

    enabled: bool = Field(default=False, description="RB-V09: net worth wins in place of `winning.cash`")
    target: PlayersTable = Field(
        default=PlayersTable(three=300_000, four=250_000, five=225_000, six=200_000),
        description="RB-V09: net worth to win by players, currency units; the rules list none for two",
    )
    announce_cash: Money = Field(
        default=50_000, description="RB-V10: net worth is told whenever cash is over this, currency units"
    )
    undeclared_by: Literal["net-worth", "cash"] = Field(
        default="net-worth",
        description="RB-V09: what loses declared status by falling too low; not given, so assumed (D34)",
    )


class TwoPlayers(Frozen):
    """The option for two: an imaginary third owner (RB-T)."""

    third_owner: bool = Field(
        default=False, description="RB-T01: an imaginary third owner is given random railroads of the bank"
    )
    first_gift_after: Count = Field(default=4, description="RB-T02: purchases in all before the first gift")
    gift_every: Count = Field(
        default=2,
        description="RB-T03: further purchases by the players between gifts; a sell-back takes one off",
    )
    fee_to_bank_percent: Percent = Field(
        default=50,
        description="RB-T06: bank's share of the third owner's fee, percent; the other player gets the rest",
    )
