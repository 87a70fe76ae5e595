"""What each setting of the rules is about, and its values in plain words."""

from collections.abc import Mapping
from types import MappingProxyType

from mapkit.model.base import Frozen
from mapkit.model.rules_money import Group, PlayersTable

Words = Mapping[object, str]


class Wording(Frozen):
    """A setting in words: its matter, how its value is said, and the row where the rule sets disagree on it."""

    matter: str
    unit: str = ""
    disagreement: str = ""


def _say(matter: str, disagreement: str = "", *, unit: str = "") -> Wording:
    return Wording(matter=matter, unit=unit, disagreement=disagreement)


MONEY = "money"
PERCENT = "percent"

WORDING: Mapping[str, Wording] = MappingProxyType(
    {
        "preset": _say("rule set"),
        "setup.min_players": _say("fewest players"),
        "setup.max_players": _say("most players"),
        "setup.starting_cash": _say("starting cash", unit=MONEY),
        "setup.starting_engine": _say("starting engine"),
        "setup.freight_card": _say("card for the starting engine", "D21"),
        "setup.engine_titles": _say("titles of each engine", "D21"),
        "setup.first_player": _say("first player", "D19"),
        "setup.reroll_ties": _say("ties for first player", "G02"),
        "setup.same_home": _say("same home city twice", "D02"),
        "setup.twins_are_one_home": _say("twin cities as homes", "D02"),
        "setup.markers": _say("chips at the start", "D20"),
        "setup.home_swap": _say("home swap", "D03"),
        "destinations.choose_region_when_in_it": _say("rolled region is the train's own"),
        "movement.dice": _say("white dice"),
        "movement.die_sides": _say("sides of a die"),
        "movement.thinking": _say("thinking after the roll", "D05"),
        "movement.take_back": _say("taking a move back", "D06"),
        "movement.segment_reuse": _say("using a segment again"),
        "bonus.freight": _say("bonus of Freight"),
        "bonus.express": _say("bonus of Express"),
        "bonus.superchief": _say("bonus of SuperChief"),
        "bonus.dice": _say("bonus dice"),
        "bonus.superchief_timing": _say("SuperChief's bonus die", "D04"),
        "bonus.rolls_per_turn": _say("bonus rolls a turn"),
        "purchase.per_payoff": _say("purchases at a payoff"),
        "purchase.express_price": _say("price of Express", unit=MONEY),
        "purchase.superchief_price": _say("price of SuperChief", unit=MONEY),
        "purchase.express_trade_in": _say("Express towards SuperChief", "D18", unit=MONEY),
        "purchase.second_superchief": _say("a second SuperChief"),
        "purchase.public_for_sale": _say("public railroads", "D22"),
        "fees.bank": _say("fee for bank-held and public railroads", unit=MONEY),
        "fees.own": _say("fee for own railroads", "D01", unit=MONEY),
        "fees.opponent": _say("fee to each opponent", unit=MONEY),
        "fees.opponent_after_sell_out": _say("fee to each opponent after sell-out", unit=MONEY),
        "fees.sell_out": _say("trigger of the raised fee", "D12"),
        "fees.raised_fee_stays": _say("raised fee after sell-backs"),
        "fees.compulsory": _say("fees that nobody asks for"),
        "fees.per": _say("what a fee is counted by"),
        "fees.established_on": _say("established on several railroads", "D23"),
        "auction.engines_for_sale": _say("selling engines"),
        "auction.sell_back_percent": _say("sell-back price", unit=PERCENT),
        "auction.opening_percent": _say("opening bid", unit=PERCENT),
        "auction.bid_step": _say("bid step", unit=MONEY),
        "auction.bid_rule": _say("raising a bid", "D07"),
        "auction.passing": _say("bidding after a pass", "D08"),
        "auction.withdrawal": _say("withdrawing an offered railroad"),
        "auction.others_on_it": _say("others on an auctioned railroad", "D09"),
        "auction.seller_ride": _say("seller's own ride on it", "D10"),
        "auction.bankrupt_cash": _say("cash of a bankrupt", "D11"),
        "information.announce_cash": _say("cash to be announced", unit=MONEY),
        "information.announce_when": _say("announcing: from when", "D13"),
        "information.announce_times": _say("announcing: how often", "D13"),
        "winning.cash": _say("winning cash", unit=MONEY),
        "winning.rover_payment": _say("rover payment", unit=MONEY),
        "winning.same_alternate_loses_turn": _say("alternate equals current city", "D15"),
        "winning.bonus_pending_at_home": _say("arriving home with a bonus pending", "D16"),
        "winning.reuse_to_alternate": _say("reuse towards the alternate", "D14"),
        "options.software_lookup": _say("lookup by software"),
        "options.superchief_by_players": _say("SuperChief's price by players"),
        "options.superchief_prices": _say("table of SuperChief's price", "D17", unit=MONEY),
        "options.free_upgrade": _say("free upgrade from Express", "D18"),
        "options.extra_starting_cash": _say("extra starting cash", unit=MONEY),
        "options.opening_auctions": _say("opening auctions"),
        "group_purchase.enabled": _say("buying merged groups"),
        "group_purchase.single_purchases": _say("buying a member of a group alone", "G02"),
        "group_purchase.groups": _say("merged groups", "D33"),
        "net_worth.enabled": _say("winning by net worth"),
        "net_worth.target": _say("net worth that wins", unit=MONEY),
        "net_worth.announce_cash": _say("cash above which net worth is told", unit=MONEY),
        "net_worth.undeclared_by": _say("what ends declared status", "D34"),
        "two_players.third_owner": _say("imaginary third owner"),
        "two_players.first_gift_after": _say("purchases before the first gift"),
        "two_players.gift_every": _say("purchases between gifts"),
        "two_players.fee_to_bank_percent": _say("bank's share of the third owner's fee"),
    }
)
"""Every setting in words."""

_TRIGGERS: Words = {
    "double-six": "on a double six",
    "any-double": "on any double",
    "always": "on every turn",
}
_ENGINES: Words = {"freight": "Freight", "express": "Express", "superchief": "SuperChief"}

VALUES: Mapping[str, Words] = MappingProxyType(
    {
        "setup.starting_engine": _ENGINES,
        "setup.freight_card": {True: "Freight card", False: "none"},
        "setup.first_player": {"three-dice": "highest of three dice", "high-roll": "high roll, dice not named"},
        "setup.reroll_ties": {True: "roll again", False: "stand"},
        "setup.same_home": {"allowed": "allowed", "reroll": "later player rolls again"},
        "setup.twins_are_one_home": {True: "count as one", False: "count as two"},
        "setup.markers": {
            "both-chips-at-home": "both at home",
            "chip-at-home-and-destination": "one at home, one at the destination",
        },
        "setup.home_swap": {True: "allowed", False: "not there"},
        "destinations.choose_region_when_in_it": {True: "player picks any region", False: "stands as rolled"},
        "movement.thinking": {"allowed": "allowed", "forbidden": "forbidden", "not-enforced": "not enforced"},
        "movement.take_back": {
            "never": "never once the pawn moved",
            "until-fees": "until fees begin to be paid",
            "until-pawn-lifted": "until the pawn is lifted",
        },
        "movement.segment_reuse": {"once-per-trip": "once a trip", "unlimited": "without limit"},
        "bonus.freight": _TRIGGERS,
        "bonus.express": _TRIGGERS,
        "bonus.superchief": _TRIGGERS,
        "bonus.superchief_timing": {
            "with-normal-roll": "with the white dice",
            "after-normal-move": "after the normal move",
            "either": "with the white dice or after the move",
        },
        "purchase.second_superchief": {True: "for sale", False: "not for sale"},
        "purchase.public_for_sale": {True: "for sale", False: "never for sale"},
        "fees.sell_out": {
            "bank-sold-out": "bank holds no private railroad; sold back counts as never bought",
            "all-bought-once": "all have been bought at some time",
        },
        "fees.raised_fee_stays": {True: "stays", False: "falls again"},
        "fees.compulsory": {True: "are due", False: "lapse"},
        "fees.per": {"turn": "the turn"},
        "fees.established_on": {"all-serving": "all serving the milepost", "line-in-use": "the line in use"},
        "auction.engines_for_sale": {True: "allowed", False: "never"},
        "auction.bid_rule": {"at-least-step": "higher by the step or more", "multiple-of-step": "multiple of the step"},
        "auction.passing": {"may-return": "allowed", "out": "not allowed"},
        "auction.withdrawal": {True: "allowed", False: "not allowed"},
        "auction.others_on_it": {
            "former-fee": "established at the former fee",
            "full-fee": "full fee",
        },
        "auction.seller_ride": {
            "free": "free this turn and while established",
            "bank-fee": "bank fee: to the bank now, to the new owner while established",
        },
        "auction.bankrupt_cash": {"to-bank": "to the bank", "kept": "kept"},
        "information.announce_when": {"reached": "on reaching the level", "exceeded": "above the level"},
        "information.announce_times": {"once": "at the first crossing", "whenever": "whenever it is so"},
        "winning.same_alternate_loses_turn": {True: "declared, turn lost", False: "declared, turn goes on"},
        "winning.bonus_pending_at_home": {
            "fees-first": "fees first; a win that stands drops the bonus",
            "bonus-first": "bonus moved before any fee",
        },
        "winning.reuse_to_alternate": {
            "segments-of-trip": "any segments of the trip, as few as possible",
            "segments-heading-home": "segments used while heading home, as few as possible",
        },
        "net_worth.undeclared_by": {"net-worth": "net worth too low", "cash": "cash too low"},
    }
)
"""What the values of choices and flags mean; others say on and off."""

PLAYERS = ("two", "three", "four", "five", "six")


def amount(value: int, symbol: str = "") -> str:
    """Return an amount of money in whole currency units: `20,000`, `$20,000`."""
    return f"{symbol}{value:,}"


def value_words(path: str, value: object, *, symbol: str = "") -> str:
    """Return the value of a setting in plain words; `path` is without the cells of tables by players."""
    if value is None:
        return "not given"
    if isinstance(value, PlayersTable):
        return _table(value, symbol)
    if path == "group_purchase.groups" and isinstance(value, tuple):
        return "; ".join(f"{g.name} {amount(g.price, symbol)}" for g in value if isinstance(g, Group)) or "none"
    if isinstance(value, int) and not isinstance(value, bool):
        return _number(path, value, symbol)
    return VALUES.get(path, {True: "on", False: "off"}).get(value, str(value))


def _number(path: str, value: int, symbol: str) -> str:
    unit = WORDING[path].unit
    if unit == PERCENT:
        return "half of the list price" if value == 50 else f"{value} % of the list price"  # noqa: PLR2004 - a half
    if path.endswith("_percent"):
        return f"{value} %"
    if unit != MONEY:
        return f"{value:,}"
    return "none" if value == 0 else amount(value, symbol)


def _table(table: PlayersTable, symbol: str) -> str:
    """Return the cells of a table by players, and from how many players it goes."""
    cells = [(n, table.at(n)) for n in range(2, 2 + len(PLAYERS))]
    return ", ".join(f"{n}: {'not given' if v is None else amount(v, symbol)}" for n, v in cells)
