"""A log for each refusal of the referee: a step of a simulated match is changed, and refused with the row it breaks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from matches import board_with, log_of, quick
from refusals import refusing_calls, rows_in, sites_of
from tiny import tiny_board

from mapkit.kinds.rail import refereeing
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead
from mapkit.kinds.rail.playing.moments import MatchMoment, PlayerStanding
from mapkit.kinds.rail.refereeing import judging
from mapkit.kinds.rail.refereeing.judging import judge
from mapkit.kinds.rail.refereeing.log import IllegalError
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.rules import Rules

SEEDS = 30
MOST_TRIED = 40
"""Places of a log that a search tries for each case and seed."""

AH: Mapping[str, Any] = MappingProxyType({"setup": {"same_home": "reroll"}})
ICI: Mapping[str, Any] = MappingProxyType({"preset": "ici"})
DEAR_FEES = {"fees": {"opponent": 12_000, "opponent_after_sell_out": 20_000}}
RULES: dict[str, Mapping[str, Any]] = {
    "ah": AH,
    "ici": ICI,
    "ici superchief": {**ICI, "setup": {"starting_engine": "superchief"}},
    "ici auctions": {**ICI, "options": {"opening_auctions": True}},
    "public": {"setup": {"same_home": "allowed"}},
    "public auctions": {"options": {"opening_auctions": True}},
    "express": {"setup": {"starting_engine": "express"}},
    "superchief": {"setup": {"starting_engine": "superchief"}},
    "cheap": {"purchase": {"superchief_price": 9_000}},
    "by players": {
        "purchase": {"superchief_price": 9_000},
        "options": {"superchief_by_players": True, "superchief_prices": dict.fromkeys(("two", "three", "four"), 8_000)},
    },
    "upgrade": {"options": {"free_upgrade": True}},
    "auctions": {"options": {"opening_auctions": True}},
    "groups": {
        "group_purchase": {
            "enabled": True,
            "groups": [{"name": "Coast", "members": ("blue", "green"), "price": 13_000}],
        }
    },
    "worth": {
        "net_worth": {
            "enabled": True,
            "target": dict.fromkeys(("two", "three", "four"), 60_000),
            "announce_cash": 20_000,
        }
    },
    "pair": {"two_players": {"third_owner": True, "first_gift_after": 2, "gift_every": 1}},
    "announcing": {"information": {"announce_cash": 25_000, "announce_times": "once"}},
    "dear": DEAR_FEES,
    "unasked": {"fees": {**DEAR_FEES["fees"], "compulsory": False}},
    "dear bank fee": {**DEAR_FEES, "auction": {"seller_ride": "bank-fee", "bid_rule": "at-least-step"}},
    "engines": {**DEAR_FEES, "auction": {"engines_for_sale": True}, "purchase": {"superchief_price": 9_000}},
    "bonus": {"bonus": {"freight": "always"}, "setup": {"starting_cash": 50_000}},
}


# matches of three players by hand, for what simulated ones seldom have

DICE = {"west": (1, 1), "east": (1, 2), "ash": (1, 1), "elm": (1, 2), "dale": (1, 1), "fir": (1, 2), "gum": (1, 3)}
"""Region or city -> white dice that give it, with an odd coloured one."""


def step(does: str, player: int | None, **fields: Any) -> list[MatchEvent]:
    return [MatchEvent.model_validate({"does": does, "player": player, **fields})]


def looked_up(does: str, player: int, city: str, **fields: Any) -> list[MatchEvent]:
    region = "west" if city in ("ash", "elm") else "east"
    return [
        *step("region", player, dice=DICE[region], coloured=(1,), region=region, picked=False),
        *step(does, player, dice=DICE[city], coloured=(1,), city=city, **fields),
    ]


def homes(*cities: str) -> list[MatchEvent]:
    found = [*step("rolls-first", 1, dice=(6, 6), total=12)]
    for player in range(2, len(cities) + 1):
        found += step("rolls-first", player, dice=(1, 2), total=3)
    found += step("first", 1)
    return found + [event for n, city in enumerate(cities, 1) for event in looked_up("home", n, city)]


def goes(player: int, city: str, *, alternate: bool = False) -> list[MatchEvent]:
    return looked_up("destination", player, city, alternate=alternate)


def moves(
    player: int, *way: str, fee: int = 0, dice: tuple[int, ...] = (1, 2), bonus: bool | None = False
) -> list[MatchEvent]:
    """Roll, and ride from the first place on; `bonus` None is a roll of the bonus itself."""
    if bonus is None:
        found = step("bonus", player, coloured=dice, total=sum(dice))
    else:
        found = step("rolls", player, dice=dice, total=sum(dice), bonus=bonus)
    here = way[0]
    for ridden in way[1:]:
        railroad, to = ridden.split()
        segment = next(
            one.id for one in tiny_board().segments if one.railroad == railroad and {one.a, one.b} == {here, to}
        )
        found += step("rides", player, segment=segment, milepost=to, railroad=railroad, amount=fee)
        here = to
    return found


def turn(player: int, *parts: Sequence[MatchEvent]) -> list[MatchEvent]:
    return [*step("turn", player), *(event for part in parts for event in part)]


def stays(player: int, city: str) -> list[MatchEvent]:
    return turn(player, goes(player, city), step("loses-turn", player))


FREE: Mapping[str, Any] = MappingProxyType(
    {
        "destinations": {"choose_region_when_in_it": False},
        "fees": {"bank": 0, "own": 0},
        "winning": {"cash": 21_000, "rover_payment": 8_000},
    }
)
TO_ELM = (goes(1, "elm"), moves(1, "ash", "green elm"), step("arrives", 1, city="elm", amount=1_500))
CAUGHT_ON_THE_WAY = [
    *homes("ash", "dale", "elm"),
    *turn(1, *TO_ELM),
    *turn(2, goes(2, "fir"), moves(2, "dale", "green fir-gum"), step("arrives", 2, city="fir", amount=1_500)),
    *stays(3, "elm"),
    *turn(1, step("declares", 1), goes(1, "dale", alternate=True),
          moves(1, "elm", "green hill", "green birch", dice=(1, 1))),
    *turn(2, goes(2, "ash"), moves(2, "fir-gum", "green hill", "green birch", dice=(1, 1)),
          step("catches", 2, other=1, amount=8_000), step("undeclared", 1)),
    *stays(3, "elm"),
    *turn(1, moves(1, "birch", "red cedar", "red dale", dice=(1, 1)), step("arrives", 1, city="dale", amount=5_500)),
    *step("turn", 2),
]  # fmt: skip
CAUGHT_AT_THE_ALTERNATE = [
    *homes("ash", "elm", "ash"),
    *turn(1, *TO_ELM),
    *stays(2, "elm"),
    *stays(3, "ash"),
    *turn(1, step("declares", 1), goes(1, "elm", alternate=True), step("loses-turn", 1)),
    *turn(2, goes(2, "ash"), moves(2, "elm", "green ash"), step("arrives", 2, city="ash", amount=1_500)),
    *turn(3, goes(3, "elm"), moves(3, "ash", "green elm"), step("catches", 3, other=1, amount=8_000),
          step("undeclared", 1), step("arrives", 3, city="elm", amount=1_500)),
    *turn(1, step("arrives", 1, city="elm", amount=0), goes(1, "ash"), moves(1, "elm", "green ash")),
]  # fmt: skip
BOUNCES = [
    *homes("ash", "gum"),
    *turn(1, goes(1, "elm"), moves(1, "ash", "green elm", fee=1_000, bonus=True),
          step("arrives", 1, city="elm", amount=1_500), step("declares", 1), goes(1, "dale", alternate=True),
          moves(1, "elm", "green hill", "green birch", fee=1_000, dice=(2,), bonus=None),
          step("pays-bank", 1, amount=1_000)),
]  # fmt: skip
TOO_POOR_AT_HOME = [
    *BOUNCES,
    *stays(2, "gum"),
    *turn(1, moves(1, "birch", "red ash", fee=1_000, bonus=True), step("undeclared", 1),
          moves(1, "ash", "green elm", fee=1_000, dice=(1,), bonus=None), step("pays-bank", 1, amount=1_000)),
    *step("turn", 2),
]  # fmt: skip
LOST_BY_FEES = [*BOUNCES, *step("undeclared", 1), *step("turn", 2)]
SALE = [
    *homes("ash", "elm", "elm"),
    *turn(1, goes(1, "dale"), moves(1, "ash", "red birch", "red cedar", "red dale", fee=19_000),
          step("arrives", 1, city="dale", amount=4_500)),
]  # fmt: skip
BLUE = {"railroad": "blue", "amount": 3_000}
BUYS_BLUE = step("buys", 1, railroad="blue", amount=6_000)
AUCTION = [
    *SALE, *BUYS_BLUE, *step("bids", 2, **BLUE), *step("bids", 3, railroad="blue", amount=3_500),
    *step("passes", 2, railroad="blue"), *step("auctioned", 1, railroad="blue", amount=3_500, other=3),
    *step("established", 1, railroad="blue", amount=1_000), *step("pays-bank", 1, amount=19_000), *step("turn", 2),
]  # fmt: skip
TO_THE_BANK = [
    *step("sells-back", 1, **BLUE), *step("established", 1, railroad="blue", amount=1_000),
    *step("pays-bank", 1, amount=19_000), *step("turn", 2),
]  # fmt: skip
NO_BIDS = [
    *SALE, *BUYS_BLUE, *step("passes", 2, railroad="blue"), *step("passes", 3, railroad="blue"),
    *step("no-bid", 1, railroad="blue"), *TO_THE_BANK,
]  # fmt: skip
ENGINE_SALE = [
    *SALE, *step("engine", 1, engine="express", amount=4_000),
    *step("sells-engine", 1, engine="express", amount=2_000), *step("pays-bank", 1, amount=21_000), *step("turn", 2),
]  # fmt: skip
FEES_ON_SALE = {"bank": 19_000, "own": 1_000}
UNSOLD = [*step("passes", 1, railroad="red"), *step("passes", 2, railroad="red"), *step("no-bid", None, railroad="red")]
SCRIPTS: Mapping[str, tuple[Mapping[str, Any], Sequence[MatchEvent]]] = {
    "caught on the way": (FREE, CAUGHT_ON_THE_WAY),
    "caught heading home": ({**FREE, "preset": "ah"}, CAUGHT_ON_THE_WAY),
    "caught at the alternate": (FREE, CAUGHT_AT_THE_ALTERNATE),
    "too poor at home": (
        {**FREE, "setup": {"starting_engine": "superchief"}, "fees": {}, "winning": {"cash": 20_500}},
        TOO_POOR_AT_HOME,
    ),
    "lost by fees": (
        {**FREE, "setup": {"starting_engine": "superchief"}, "fees": {}, "winning": {"cash": 21_000}},
        LOST_BY_FEES,
    ),
    "auction": ({**FREE, "fees": FEES_ON_SALE}, AUCTION),
    "auction by steps": ({**FREE, "fees": FEES_ON_SALE, "auction": {"bid_rule": "at-least-step"}}, AUCTION),
    "no bids": ({**FREE, "fees": FEES_ON_SALE, "purchase": {"per_payoff": 2}}, NO_BIDS),
    "to the bank": (
        {**FREE, "fees": FEES_ON_SALE, "purchase": {"per_payoff": 2}}, [*SALE, *BUYS_BLUE, *TO_THE_BANK]
    ),
    "engine sale": (
        {**FREE, "fees": {"bank": 21_000}, "auction": {"engines_for_sale": True}},
        [event.model_copy(update={"amount": 21_000}) if event.does == "rides" else event for event in ENGINE_SALE],
    ),
    "unsold": ({"options": {"opening_auctions": True}}, [
        *homes("ash", "elm"), *UNSOLD, *(event.model_copy(update={"railroad": "blue"}) for event in UNSOLD)]),
    "poor": (
        {**FREE, "setup": {"starting_cash": 3_000}}, [*homes("ash", "elm", "elm"), *turn(1, *TO_ELM), *step("turn", 2)]
    ),
    "no purchase": (
        {**FREE, "fees": {}},
        [*homes("ash", "elm", "elm"), *turn(1, goes(1, "elm"), moves(1, "ash", "green elm", fee=1_000),
         step("arrives", 1, city="elm", amount=1_500), step("pays-bank", 1, amount=1_000)), *step("turn", 2)],
    ),
    "trap": (
        FREE,
        [*homes("ash", "elm", "elm"),
         *turn(1, goes(1, "dale"), moves(1, "ash", "green elm", "green hill", "green birch", "red cedar", dice=(1, 3))),
        ],
    ),
}  # fmt: skip
"""Name -> rules, and the events of a legal match."""


def scripted(name: str) -> tuple[MatchHead, tuple[MatchEvent, ...]]:
    events = tuple(SCRIPTS[name][1])
    players = sum(event.does == "rolls-first" for event in events)
    on = board(name)
    return MatchHead(board=on.id, board_hash="", rules=on.rules, players=("hand",) * players), events


class Here(NamedTuple):
    """A place in a log.

    Attributes:
        moment: The match before the step.
    """

    board: Board
    events: Sequence[MatchEvent]
    at: int
    turn: Sequence[MatchEvent]
    moment: MatchMoment

    @property
    def event(self) -> MatchEvent:
        return self.events[self.at]

    @property
    def does(self) -> str:
        return self.event.does

    @property
    def before(self) -> str:
        return self.events[self.at - 1].does

    @property
    def done(self) -> list[str]:
        return [event.does for event in self.turn]

    @property
    def rolled(self) -> list[str]:
        """What was done since the roll."""
        return self.done[self.done.index("rolls") :] if "rolls" in self.done else []

    @property
    def has_bonus(self) -> bool:
        return any(event.bonus for event in self.turn if event.does == "rolls")

    @property
    def player(self) -> int:
        return self.turn[0].player or 0 if self.turn else self.event.player or 0

    @property
    def me(self) -> PlayerStanding:
        return self.moment.standings[self.player - 1]

    @property
    def others(self) -> list[int]:
        return [n for n in range(1, len(self.moment.standings) + 1) if n != self.player]

    @property
    def at_home(self) -> bool:
        return bool(self.me.home) and self.me.at == self.place(self.me.home)

    def place(self, city: str) -> str:
        return next(one.milepost for one in self.board.cities if one.id == city)

    def owner(self, railroad: str | None) -> int:
        return self.moment.owner.get(railroad or "", 0)

    def for_sale(self, most: int = 10**9, least: int = 0) -> list[str]:
        return [
            one.id for one in self.board.railroads if not self.owner(one.id) and not one.public
            and least <= one.price <= most
        ]  # fmt: skip

    def owned(self) -> list[str]:
        return sorted(self.moment.owner)

    def price(self, railroad: str) -> int:
        return next(one.price for one in self.board.railroads if one.id == railroad)


When = Callable[[Here], bool]
Put = Callable[[Here], list[MatchEvent]]


class Case(NamedTuple):
    """A change of a step, and the row that is broken.

    Attributes:
        search: Whether a place must be searched where the change breaks this row, and not another one.
        anywhere: Whether a later step shows the fault.
    """

    row: str
    rules: str
    when: When
    put: Put
    search: bool = False
    anywhere: bool = False


def change(**fields: Any) -> Put:
    """Give the step other fields; a function is asked for its value."""
    return lambda h: [MatchEvent.model_validate({**h.event.model_dump(), **_values(h, fields)})]


def more(field: str, by: int = 1) -> Put:
    return lambda h: change(**{field: getattr(h.event, field) + by})(h)


def put(does: str, **fields: Any) -> Put:
    """Put a step of the player on turn before the step."""
    return lambda h: [MatchEvent.model_validate({"does": does, "player": h.player, **_values(h, fields)})]


def _values(h: Here, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value(h) if callable(value) else value for name, value in fields.items()}


def buys(railroad: Callable[[Here], str]) -> Put:
    return lambda h: put("buys", railroad=railroad(h), amount=h.price(railroad(h)))(h)


def is_(does: str, *conditions: When) -> When:
    return lambda h: h.does == does and all(condition(h) for condition in conditions)


def in_turn(h: Here) -> bool:
    return bool(h.turn)


def setting_up(h: Here) -> bool:
    return not h.turn


def after(does: str) -> When:
    return lambda h: h.before == does


def had(does: str) -> When:
    return lambda h: does in h.done


def had_not(*does: str) -> When:
    return lambda h: not set(does) & set(h.done)


def declared(h: Here) -> bool:
    return h.me.declared


def undeclared(h: Here) -> bool:
    return not h.me.declared


def at_home(h: Here) -> bool:
    return h.at_home


def bonus(h: Here) -> bool:
    return h.has_bonus


def no_bonus(h: Here) -> bool:
    return not h.has_bonus


def arrived(times: int) -> When:
    return lambda h: h.rolled.count("arrives") == times


def ridden_by(owner: Callable[[Here, int], bool], amount: Callable[[int], bool] = bool) -> When:
    return is_("rides", lambda h: owner(h, h.owner(h.event.railroad)), lambda h: amount(h.event.amount or 0))


def ends_turn(h: Here) -> bool:
    return h.does in ("pays-bank", "pays-fee", "turn") and in_turn(h)


def of_another(h: Here, owner: int) -> bool:
    return owner not in (0, h.player)


def raised(h: Here) -> bool:
    return any(event.does == "fees-rise" for event in h.events[: h.at])


def not_raised(h: Here) -> bool:
    return not raised(h)


def any_ride(h: Here) -> dict[str, Any]:
    segment = next(one for one in h.board.segments if h.me.at in (one.a, one.b))
    return {"segment": segment.id, "milepost": segment.b if segment.a == h.me.at else segment.a, "amount": 1_000}


def ride(h: Here) -> list[MatchEvent]:
    return put("rides", **any_ride(h))(h)


def rides_by(railroad: str, to: str) -> Put:
    """Ride to a place from here, without a fee."""
    return lambda h: moves(h.player, h.me.at, f"{railroad} {to}", dice=(1,))[1:]


def was_undeclared(h: Here) -> bool:
    return any(event.does == "undeclared" and event.player == h.player for event in h.events[: h.at])


LOOKUP = {"dice": (1, 1), "coloured": (1,)}
REGION = put("region", **LOOKUP, region="west", picked=False)
DESTINATION = put("destination", **LOOKUP, city="ash", alternate=False)
ROLLS = put("rolls", dice=(1, 2), total=3, bonus=False)
BONUS = put("bonus", coloured=(1,), total=1)
NEXT_TURN = put("turn", player=lambda h: h.others[0])
PAYS_BANK = put("pays-bank", amount=1_000)
PAYS_FEE = put("pays-fee", amount=5_000, other=lambda h: h.others[0])
WINS = put("wins", amount=lambda h: h.me.cash)
ARRIVES = put("arrives", city="ash", amount=1_000)
ANNOUNCES = put("announces", amount=lambda h: h.me.cash)
ESTABLISHED = put("established", railroad="red", amount=1_000)
SELLS_BACK = put("sells-back", railroad="red", amount=5_000)
BIDS = put("bids", railroad="red", amount=5_000)
BUYS = buys(lambda h: h.for_sale(h.me.cash)[0])
AFFORDABLE: When = lambda h: bool(h.for_sale(h.me.cash))  # noqa: E731 - a condition like the others
ENOUGH: When = lambda h: h.me.cash >= 60_000  # noqa: E731

SETUP_CASES = (
    Case("RB-S04", "ah", is_("rolls-first"), change(dice=(1, 1, 1))),
    Case("RB-S04", "ah", is_("rolls-first"), more("total")),
    Case("RB-S04", "ah", is_("rolls-first"), change(player=lambda h: h.event.player % 2 + 1)),
    Case("RB-S04", "ah", is_("first"), change(player=lambda h: h.event.player % 2 + 1)),
    Case("RB-S04", "ah", is_("turn", in_turn), put("rolls-first", dice=(1, 1), total=2)),
    Case("RB-S06", "ah", is_("region", setting_up), change(player=lambda h: h.event.player % 2 + 1)),
    Case("RB-S06", "ah", is_("home"), change(player=lambda h: h.event.player % 2 + 1)),
    Case("RB-S06", "ah", is_("turn", in_turn), put("home", **LOOKUP, city="ash")),
    Case("RB-S10", "ah", is_("home"), DESTINATION),
    Case("RB-S13", "ah", is_("region", setting_up), change(picked=True)),
    Case("RB-S07", "ah", is_("home-taken"), change(does="home")),
    Case("RB-S07", "ah", is_("home"), change(does="home-taken")),
    Case("RB-D01", "ah", is_("home"), change(city=lambda h: "elm" if h.event.city == "ash" else "ash")),
    Case("RB-D01", "ah", is_("region", setting_up), change(region="nowhere")),
    Case("RB-D01", "ah", is_("region", setting_up),
         change(region=lambda h: "east" if h.event.region == "west" else "west")),
    Case("RB-D01", "ah", is_("region"), change(coloured=(7,))),
    Case("RB-D01", "ah", is_("region"), change(dice=(7, 1))),
    Case("RB-V13", "auctions", is_("passes", setting_up), NEXT_TURN),
    Case("RB-V13", "unsold", is_("passes", after("no-bid")), lambda _h: UNSOLD, anywhere=True),
    Case("RB-V13", "public auctions", lambda h: h.does in ("passes", "bids") and setting_up(h) and h.before == "home",
         change(railroad="blue")),
    Case("RB-A07", "auctions", is_("passes", setting_up), put("bids", player=lambda h: h.event.player % 2 + 1,
         railroad=lambda h: h.event.railroad, amount=9_000), search=True),
)  # fmt: skip
TRIP_CASES = (
    Case("RB-S05", "ah", is_("turn", in_turn), change(player=lambda h: h.player)),
    Case("RB-S05", "ah", is_("rolls"), change(player=lambda h: h.others[0])),
    Case("RB-A15", "dear", is_("turn", lambda h: any(one.out for one in h.moment.standings)),
         change(player=lambda h: next(n for n, one in enumerate(h.moment.standings, 1) if one.out))),
    Case("RB-D07", "ah", is_("region", in_turn, after("turn")), ROLLS),
    Case("RB-D07", "ah", is_("destination"), ROLLS),
    Case("RB-D07", "ah", is_("rolls"), REGION),
    Case("RB-D07", "ah", is_("turn", had("arrives"), no_bonus), REGION),
    Case("RB-D01", "ah", is_("region", in_turn), DESTINATION),
    Case("RB-D04", "ah", is_("region", in_turn), change(picked=lambda h: not h.event.picked)),
    Case("RB-D05", "ah", is_("destination", lambda h: bool(h.events[h.at - 1].picked)),
         change(city=lambda h: "ash" if h.events[h.at - 1].region == "east" else "dale")),
    Case("RB-D06", "ah", is_("loses-turn", undeclared), ROLLS),
    Case("RB-D06", "ah", is_("rolls", undeclared), put("loses-turn")),
    Case("RB-D06", "ah", is_("turn", had("loses-turn"), undeclared), REGION),
    Case("RB-D06", "ah", is_("turn", had("loses-turn"), undeclared), ride),
    Case("RB-W06", "caught at the alternate", is_("loses-turn", declared), ROLLS),
    Case("RB-W06", "ah", is_("rolls", declared), put("loses-turn")),
    Case("RB-W05", "ah", is_("region", after("declares")), ROLLS),
    Case("RB-W05", "ah", is_("destination"), change(alternate=lambda h: not h.event.alternate)),
    Case("RB-W02", "ah", is_("region", after("turn"), lambda h: h.me.cash < 60_000), put("declares")),
    Case("RB-W02", "ah", is_("rolls"), put("declares")),
    Case("RB-W03", "ah", is_("wins", after("declares")), REGION),
    Case("RB-S11", "ici", is_("swaps-home"), change(city=lambda h: h.me.home)),
    Case("RB-S11", "ici", is_("rides"), put("swaps-home", city=lambda h: h.me.goal)),
    Case("RB-M01", "ah", is_("rolls", after("destination")), put("swaps-home", city=lambda h: h.me.goal)),
    Case("RB-S12", "ici auctions", is_("established", after("swaps-home")), NEXT_TURN),
    Case("RB-S12", "ici auctions", is_("established", after("swaps-home")), more("amount")),
    Case("RB-S12", "ici auctions", is_("established", after("swaps-home")), change(railroad="none")),
    Case("RB-S12", "ici", is_("rolls", after("swaps-home")), ESTABLISHED),
)  # fmt: skip
MOVE_CASES = (
    Case("RB-M01", "ah", is_("rolls"), ride),
    Case("RB-M01", "ah", is_("rolls"), change(dice=(1, 1, 1))),
    Case("RB-M01", "ah", is_("rolls"), more("total")),
    Case("RB-M01", "ah", is_("pays-bank", arrived(0), undeclared, had_not("arrives")), ride),
    Case("RB-M12", "ah", is_("pays-bank", arrived(1)), ride),
    Case("RB-P13", "ah", is_("pays-bank"), ROLLS),
    Case("RB-B01", "ah", is_("rolls", lambda h: not h.event.bonus), change(bonus=True), search=True),
    Case("RB-B01", "ah", is_("pays-bank", no_bonus, lambda h: h.me.engine == "freight"), BONUS),
    Case("RB-B02", "express", is_("rolls", lambda h: h.me.engine == "express"),
         change(bonus=lambda h: not h.event.bonus)),
    Case("RB-B02", "express", is_("pays-bank", no_bonus, lambda h: h.me.engine == "express", had_not("engine")), BONUS),
    Case("RB-B03", "superchief", is_("rolls"), change(bonus=False)),
    Case("RB-B04", "superchief", is_("bonus"), change(coloured=(7,))),
    Case("RB-B04", "superchief", is_("bonus"), more("total")),
    Case("RB-B05", "ici superchief", is_("bonus"), ride),
    Case("RB-B05", "superchief", is_("rides", after("rolls")), BONUS),
    Case("RB-B06", "express", is_("rides", after("rolls"), bonus, lambda h: h.me.engine == "express"), BONUS),
    Case("RB-B07", "too poor at home", is_("pays-bank", arrived(0)), BONUS),
    Case("RB-B08", "superchief", is_("bonus"), NEXT_TURN),
    Case("RB-B09", "cheap", is_("pays-bank", no_bonus, lambda h: "engine" in h.rolled), BONUS),
    Case("RB-B10", "superchief", is_("region", bonus, arrived(1)), NEXT_TURN),
    Case("RB-B10", "superchief", is_("destination", bonus, arrived(1)), NEXT_TURN),
    Case("RB-B10", "superchief", is_("region", bonus, arrived(1)), BONUS),
    Case("RB-B11", "ici superchief", is_("turn", bonus, arrived(1), had_not("loses-turn"), undeclared), REGION),
    Case("RB-B12", "ici superchief", is_("turn", bonus, arrived(2), had_not("loses-turn"), undeclared), REGION),
    Case("RB-B12", "superchief", is_("turn", bonus, arrived(2), had_not("loses-turn"), undeclared), BONUS),
    Case("RB-B13", "superchief", lambda h: h.does in ("pays-bank", "pays-fee") and h.me.declared and h.at_home
         and "bonus" not in h.done and ENOUGH(h), BONUS),
    Case("RB-M11", "ah", is_("rides", after("rides")), NEXT_TURN),
    Case("RB-M04", "ah", is_("rides"), change(segment="none")),
    Case("RB-M04", "ah", is_("rides"), change(milepost="none")),
    Case("RB-M04", "ah", is_("rides"), change(railroad="none")),
    Case("RB-M07", "ah", is_("rides", after("rides"), lambda h: h.events[h.at - 2].does == "rides"), lambda h: [
         h.events[h.at - 1].model_copy(update={"milepost": h.events[h.at - 2].milepost})], search=True),
    Case("RB-M10", "trap", is_("rides", after("rides"), lambda h: h.me.at == "birch"), rides_by("red", "ash")),
    Case("RB-W21", "caught on the way", is_("rides", after("rolls"), was_undeclared), rides_by("green", "hill")),
    Case("RB-W21", "caught heading home", is_("rides", after("rides"), was_undeclared), rides_by("red", "birch")),
    Case("RB-M12", "ah", is_("arrives"), NEXT_TURN),
    Case("RB-M12", "ah", is_("arrives"), change(city=lambda h: "dale" if h.event.city != "dale" else "ash")),
    Case("RB-M12", "ah", is_("rides", undeclared), ARRIVES),
    Case("RB-P01", "ah", is_("arrives"), more("amount", 500)),
    Case("RB-P01", "ah", is_("pays-bank", arrived(1), no_bonus, undeclared), ARRIVES),
    Case("RB-W07", "ah", is_("rides", declared, lambda h: not h.at_home), ARRIVES),
    Case("RB-W08", "ah", is_("pays-bank", declared, at_home), ARRIVES),
    Case("RB-W08", "ah", is_("arrives", declared), NEXT_TURN),
    Case("RB-W23", "caught at the alternate", is_("arrives", after("turn")), ROLLS),
    Case("", "ah", is_("arrives"), change(cash=1)),
)  # fmt: skip
MONEY_CASES = (
    Case("RB-V10", "worth", is_("announces"), NEXT_TURN),
    Case("RB-V10", "worth", is_("announces"), more("amount")),
    Case("RB-V10", "worth", is_("rolls"), ANNOUNCES),
    Case("RB-I01", "announcing", is_("announces"), NEXT_TURN),
    Case("RB-I01", "announcing", is_("rolls", lambda h: h.me.cash < 25_000), ANNOUNCES),
    Case("RB-I02", "announcing", is_("rolls", lambda h: h.me.cash > 25_000), ANNOUNCES),
    Case("RB-I03", "announcing", is_("announces"), more("amount")),
    Case("RB-P07", "ah", is_("engine"), change(engine="freight")),
    Case("RB-P04", "ah", is_("engine", lambda h: h.event.engine == "express"), more("amount")),
    Case("RB-P05", "cheap", is_("engine", lambda h: h.event.engine == "superchief" and h.me.engine == "freight"),
         more("amount")),
    Case("RB-P06", "cheap", is_("engine", lambda h: h.event.engine == "superchief" and h.me.engine == "express"),
         more("amount", -4_000)),
    Case("RB-V08", "by players", is_("engine", lambda h: h.event.engine == "superchief"), change(amount=9_000)),
    Case("RB-V11", "upgrade", is_("engine", lambda h: h.event.engine == "superchief" and h.me.engine == "express"),
         change(amount=36_000)),
    Case("RB-C12", "ah", is_("buys"), more("amount")),
    Case("RB-P08", "poor", is_("turn", after("arrives")), put("buys", railroad="red", amount=10_000)),
    Case("RB-P08", "to the bank", is_("pays-bank"), put("buys", railroad="green", amount=8_000)),
    Case("RB-P03", "ah", is_("buys"), change(railroad="none")),
    Case("RB-P03", "ah", is_("buys", lambda h: bool(h.owned())), change(railroad=lambda h: h.owned()[0])),
    Case("RB-P03", "ah", is_("rolls", AFFORDABLE, had_not("arrives")), BUYS),
    Case("RB-P03", "ah", is_("pays-bank", lambda h: "buys" in h.done, AFFORDABLE), BUYS),
    Case("RB-P09", "no purchase", is_("turn", after("pays-bank")), put("buys", railroad="blue", amount=6_000)),
    Case("RB-P10", "public", is_("pays-bank", after("arrives")), put("buys", railroad="blue", amount=6_000)),
    Case("RB-V01", "groups", is_("buys", lambda h: h.event.group is not None), change(group="none")),
    Case("RB-V01", "groups", is_("buys", lambda h: bool(h.event.group and h.event.amount)), more("amount")),
    Case("RB-V01", "groups", is_("buys", lambda h: bool(h.event.group and h.event.amount)), change(railroad="red")),
    Case("RB-V01", "groups", is_("buys", lambda h: bool(h.event.group and h.event.amount == 0)), NEXT_TURN),
    Case("RB-V01", "groups", lambda h: h.before == "arrives" and not {"blue", "green"} & set(h.for_sale()),
         put("buys", railroad="blue", group="Coast", amount=13_000), search=True),
    Case("RB-T03", "pair", is_("given"), NEXT_TURN),
    Case("RB-T04", "pair", is_("given", lambda h: bool(h.owned())), change(railroad=lambda h: h.owned()[0])),
    Case("RB-T04", "pair", is_("given"), change(railroad="none")),
    Case("RB-T01", "ah", is_("turn", in_turn), put("given", player=3, railroad="red")),
    Case("RB-T02", "pair", is_("rolls", lambda h: not h.owned()), put("given", player=3, railroad="red")),
    Case("RB-T03", "pair", is_("turn", in_turn, lambda h: len(h.owned()) > 2), put("given", player=3, railroad="red")),
    Case("RB-T06", "pair", is_("gets-share"), NEXT_TURN),
    Case("RB-T06", "pair", is_("gets-share"), more("amount")),
    Case("RB-T06", "pair", is_("turn", in_turn), put("gets-share", player=lambda h: h.others[0], amount=2_500)),
)  # fmt: skip
FEE_CASES = (
    Case("RB-F01", "ah", is_("rides", after("rolls"), had_not("arrives")), PAYS_BANK),
    Case("RB-F01", "ah", is_("rides", after("rolls"), had_not("arrives")), PAYS_FEE),
    Case("RB-F02", "ah", ridden_by(lambda _h, owner: owner == 0), more("amount")),
    Case("RB-F02", "ah", ridden_by(of_another, lambda fee: fee > 1_000), change(amount=1_000)),
    Case("RB-F02", "ah", is_("pays-bank"), NEXT_TURN),
    Case("RB-F02", "ah", is_("pays-bank"), more("amount")),
    Case("RB-F02", "ah", is_("turn", after("pays-bank")), PAYS_BANK),
    Case("RB-F03", "ici", ridden_by(lambda h, owner: owner == h.player, lambda fee: fee == 0), change(amount=1_000)),
    Case("RB-F03", "ici", is_("turn", had("rides"), had_not("pays-bank", "pays-fee", "loses-turn")), PAYS_BANK),
    Case("RB-F04", "ah", ridden_by(of_another, lambda fee: fee == 5_000), change(amount=5_001), search=True),
    Case("RB-F05", "ah", ridden_by(of_another, lambda fee: fee == 10_000), change(amount=5_000)),
    Case("RB-F11", "ah", ridden_by(of_another, lambda fee: fee == 1_000), change(amount=5_000)),
    Case("RB-F04", "ah", is_("pays-fee", not_raised, lambda h: h.event.amount == 5_000), NEXT_TURN),
    Case("RB-F04", "ah", is_("pays-fee", not_raised, lambda h: h.event.amount == 5_000), more("amount")),
    Case("RB-F05", "ah", is_("pays-fee", lambda h: h.event.amount == 10_000), change(amount=5_000)),
    Case("RB-F04", "ah", is_("turn", after("pays-fee")), PAYS_FEE),
    Case("RB-F09", "ah", is_("pays-fee"), change(other=lambda h: h.player)),
    Case("RB-F06", "ah", is_("fees-rise"), NEXT_TURN),
    Case("RB-F06", "ah", is_("turn", in_turn), put("fees-rise", player=None)),
    Case("RB-F07", "ah", is_("turn", in_turn), put("fees-fall", player=None)),
    Case("RB-F11", "ah", is_("established", after("buys")), NEXT_TURN),
    Case("RB-F11", "ah", is_("established", after("buys")), more("amount")),
    Case("RB-F11", "ah", is_("established", after("buys")), change(railroad="none")),
    Case("RB-F11", "ah", is_("turn", after("pays-bank")), ESTABLISHED),
)  # fmt: skip
FIRST_BID: When = lambda h: h.does in ("bids", "passes") and in_turn(h) and h.before not in ("bids", "passes")  # noqa: E731
NEXT_BID: When = lambda h: h.does in ("bids", "passes") and in_turn(h) and h.before in ("bids", "passes")  # noqa: E731


def owes(here: Here) -> int:
    """Return an owner whose railroad was ridden in this turn."""
    owners = [here.moment.owner.get(event.railroad or "", 0) for event in here.turn if event.does == "rides"]
    return max((owner for owner in owners if owner != here.player), default=0)


SALE_CASES = (
    Case("RB-A01", "unasked", is_("pays-bank", had("auctioned")), NEXT_TURN, anywhere=True),
    Case("RB-A01", "unasked", is_("bankrupt"), put("pays-fee", other=owes, amount=12_000), search=True),
    Case("RB-A01", "to the bank", is_("sells-back"), NEXT_TURN),
    Case("RB-A01", "ah", is_("pays-bank"), SELLS_BACK),
    Case("RB-A01", "ah", is_("pays-bank"), BIDS),
    Case("RB-A01", "engines", is_("pays-bank"), put("sells-engine", engine="express", amount=2_000)),
    Case("RB-A02", "ah", is_("pays-bank"), put("sells-engine", engine="express", amount=2_000)),
    Case("RB-A02", "to the bank", is_("sells-back"), change(railroad="none")),
    Case("RB-A02", "dear", is_("bankrupt"), SELLS_BACK),
    Case("RB-A02", "dear", is_("bankrupt"), BIDS),
    Case("RB-A02", "dear", FIRST_BID, change(railroad="none")),
    Case("RB-A02", "engine sale", is_("sells-engine"), NEXT_TURN),
    Case("RB-A02", "engine sale", is_("sells-engine"), change(engine="freight")),
    Case("RB-A03", "engine sale", is_("sells-engine"), more("amount")),
    Case("RB-A03", "to the bank", is_("sells-back"), more("amount")),
    Case("RB-A05", "dear", lambda h: FIRST_BID(h) and h.does == "bids", change(amount=1)),
    Case("RB-A06", "dear", lambda h: FIRST_BID(h) and h.does == "bids", more("amount")),
    Case("RB-A06", "auction by steps", lambda h: NEXT_BID(h) and h.does == "bids" and h.before == "bids",
         lambda h: change(amount=(h.events[h.at - 1].amount or 0) + 1)(h)),
    Case("RB-A07", "dear", FIRST_BID, change(player=lambda h: h.player)),
    Case("RB-A07", "auction", is_("passes"), NEXT_TURN),
    Case("RB-A08", "dear", is_("passes", in_turn), put("auctioned", railroad="red", amount=5_000, other=1)),
    Case("RB-A08", "dear", is_("auctioned"), NEXT_TURN),
    Case("RB-A08", "dear", is_("auctioned"), change(other=lambda h: h.player)),
    Case("RB-A08", "dear", is_("auctioned"), more("amount")),
    Case("RB-A08", "dear", is_("auctioned"), BIDS),
    Case("RB-A09", "dear", lambda h: FIRST_BID(h) and h.does == "bids", change(amount=1_000_000)),
    Case("RB-A10", "dear", NEXT_BID, change(railroad="none")),
    Case("RB-A10", "dear", is_("auctioned"), change(railroad="none")),
    Case("RB-A10", "dear", is_("auctioned"), put("no-bid", railroad=lambda h: h.event.railroad)),
    Case("RB-A10", "auction", is_("passes"), SELLS_BACK),
    Case("RB-A10", "no bids", is_("sells-back", after("no-bid")), change(railroad="none")),
    Case("RB-A11", "no bids", is_("no-bid"), NEXT_TURN),
    Case("RB-A11", "no bids", is_("no-bid"), put("auctioned", railroad="red", amount=5_000, other=1)),
    Case("RB-A11", "no bids", is_("sells-back", after("no-bid")), NEXT_TURN),
    Case("RB-A11", "no bids", is_("sells-back", after("no-bid")), BIDS),
    Case("RB-A13", "dear", is_("turn", had("auctioned")),
         put("established", player=lambda h: h.others[0], railroad="red", amount=1_000)),
    Case("RB-A13", "dear bank fee", is_("established", had("auctioned"), lambda h: h.event.player != h.player,
         after("auctioned")), more("amount")),
    Case("RB-A14", "dear bank fee", is_("established", after("auctioned"), lambda h: h.event.player == h.player),
         NEXT_TURN),
    Case("RB-A14", "dear", is_("turn", had("auctioned")), ESTABLISHED),
    Case("RB-A15", "dear", is_("bankrupt"), NEXT_TURN),
    Case("RB-A15", "dear", is_("pays-bank"), put("bankrupt", amount=lambda h: h.me.cash)),
    Case("RB-A16", "dear", is_("bankrupt"), more("amount")),
    Case("RB-A16", "dear", is_("bankrupt"), change(cash=lambda h: (h.event.amount or 0) + 1)),
    Case("RB-A17", "dear", is_("wins", after("bankrupt")), NEXT_TURN),
)  # fmt: skip


def catch(when: Callable[[Here, int], bool]) -> Put:
    return lambda h: put("catches", other=next(n for n in h.others if when(h, n)), amount=10_000)(h)


def is_declared(h: Here, player: int) -> bool:
    return h.moment.standings[player - 1].declared


def same_place(h: Here, player: int) -> bool:
    return is_declared(h, player) and h.moment.standings[player - 1].at == h.me.at


def was_caught(h: Here, player: int) -> bool:
    own = [event.does for event in h.events[: h.at] if event.player == player]
    last = max((k for k, does in enumerate(own) if does in ("undeclared", "destination", "arrives")), default=0)
    return bool(own) and own[last] == "undeclared"


def some(when: Callable[[Here, int], bool]) -> When:
    return lambda h: any(when(h, n) for n in h.others)


WIN_CASES = (
    Case("RB-W13", "caught on the way", is_("catches"), NEXT_TURN),
    Case("RB-W13", "caught on the way", is_("catches"), change(other=lambda h: h.player)),
    Case("RB-W13", "ah", is_("pays-bank", undeclared, lambda h: not any(is_declared(h, n) or was_caught(h, n)
         for n in h.others)), catch(lambda _h, _n: True)),
    Case("RB-W14", "caught on the way", is_("catches"), more("amount")),
    Case("RB-W15", "caught on the way", is_("turn", undeclared, some(was_caught)), catch(was_caught)),
    Case("RB-W16", "ah", is_("rides", declared), catch(lambda _h, _n: True)),
    Case("RB-W17", "caught at the alternate", is_("rolls", undeclared, some(same_place)), catch(same_place)),
    Case("RB-W20", "caught on the way", is_("undeclared", lambda h: h.event.player != h.player), NEXT_TURN),
    Case("RB-W24", "lost by fees", is_("undeclared"), NEXT_TURN),
    Case("RB-W24", "ah", is_("turn", undeclared, in_turn), put("undeclared")),
    Case("RB-W10", "too poor at home", is_("undeclared"), NEXT_TURN),
    Case("RB-W10", "too poor at home", is_("undeclared"), WINS),
    Case("RB-W04", "ah", is_("turn", undeclared, at_home, ENOUGH), WINS),
    Case("RB-W01", "ah", is_("turn", in_turn, lambda h: not h.at_home), WINS),
    Case("RB-W01", "ah", is_("wins"), more("amount")),
    Case("RB-W01", "ah", is_("wins"), lambda h: [h.event, h.event], anywhere=True),
    Case("RB-W01", "ah", is_("wins", declared), NEXT_TURN),
)  # fmt: skip
CASES = (*SETUP_CASES, *TRIP_CASES, *MOVE_CASES, *MONEY_CASES, *FEE_CASES, *SALE_CASES, *WIN_CASES)
OTHER_RULES: tuple[tuple[str, str, Mapping[str, Any]], ...] = (
    ("RB-C20", "ah", {"setup": {"min_players": 6}}),
    ("RB-C15", "ah", {"setup": {"engine_titles": 1}}),
    ("RB-V01", "ah", {"group_purchase": {**RULES["groups"]["group_purchase"], "single_purchases": False}}),
)
"""A row, rules by which a match is played, and what is changed in them when it is judged."""


@cache
def board(rules: str) -> Board:
    found = board_with(quick(**(SCRIPTS[rules][0] if rules in SCRIPTS else RULES[rules])))
    if not rules.startswith("public"):
        return found
    railroads = [one.model_copy(update={"public": one.id == "blue"}) for one in found.railroads]
    return found.model_copy(update={"railroads": tuple(railroads)})


@cache
def match(rules: str, seed: int) -> tuple[MatchHead, tuple[MatchEvent, ...]]:
    if rules in SCRIPTS:
        return scripted(rules)
    players = 2 if rules == "pair" else 2 + seed % 3
    head, events = log_of(board(rules), players=players, seed=seed)
    return head, tuple(events)


def places(rules: str, seed: int) -> Iterator[Here]:
    head, events = match(rules, seed)
    moment, begun = MatchMoment(board(rules), head), 0
    for at, event in enumerate(events):
        yield Here(board(rules), events, at, events[begun:at] if moment.on_turn else (), moment)
        begun = at if event.does == "turn" else begun
        moment.take(event)


def candidates(case: Case) -> Iterator[tuple[MatchHead, list[MatchEvent], int]]:
    """Yield changed logs, of each match as many as a search takes, with the index of the step that was changed."""
    for seed in range(1 if case.rules in SCRIPTS else SEEDS):
        tried = 0
        for here in places(case.rules, seed):
            if case.when(here):
                rest = here.events[here.at + 1 :] if case.anywhere else []
                yield match(case.rules, seed)[0], [*here.events[: here.at], *case.put(here), *rest], here.at
                tried += 1
                if tried == (MOST_TRIED if case.search else 1):
                    break


@cache
def found_log(number: int) -> tuple[MatchHead, list[MatchEvent], int] | None:
    """Return the first log of a case; one with its row, where that must be searched."""
    case = CASES[number]
    for head, events, at in candidates(case):
        broken = judge(board(case.rules), head, events, file="x").broken if case.search else None
        if not case.search or (broken is not None and broken.rule == case.row):
            return head, events, at
    return None


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(CASES)), ids=[f"{n}-{case.row}" for n, case in enumerate(CASES)])
def test_a_changed_step_is_refused_with_the_row_that_it_breaks(number: int) -> None:
    case, found = CASES[number], found_log(number)
    assert found is not None, "no match has such a step"
    head, events, at = found
    broken = judge(board(case.rules), head, events, file="x").broken
    assert broken is not None, events[at - 3 :]
    assert broken.rule == case.row, (broken, events[at - 3 :])
    assert case.anywhere or broken.line == at + 2, (broken, events[at - 3 :])


@cache
def other_rules(number: int) -> tuple[Board, MatchHead, Sequence[MatchEvent]]:
    """Return the first match that is refused by other rules."""
    _, rules, other = OTHER_RULES[number]
    for seed in range(SEEDS):
        head, events = match(rules, seed)
        given = {group: {**getattr(head.rules, group).model_dump(), **fields} for group, fields in other.items()}
        head = head.model_copy(update={"rules": Rules.model_validate(head.rules.model_dump() | given)})
        if judge(board(rules), head, events, file="x").broken is not None:
            break
    return board(rules), head, events


@pytest.mark.parametrize("number", range(len(OTHER_RULES)))
def test_a_match_by_other_rules_is_refused(number: int) -> None:
    on, head, events = other_rules(number)
    broken = judge(on, head, events, file="x").broken
    assert broken is not None
    assert broken.rule == OTHER_RULES[number][0]


class NeverError(Exception):
    """What no referee raises."""


HOMES: list[dict[str, object]] = [
    {"does": "home", "player": 1, "city": "ash"},
    {"does": "home", "player": 2, "city": "dale"},
]
TRIP: list[dict[str, object]] = [{"does": "destination", "player": 1, "city": "fir"}]
ROLL: dict[str, object] = {"does": "rolls", "player": 1, "dice": [1, 2]}
LENIENT: list[tuple[str, list[dict[str, object]]]] = [
    ("RB-D07", [*HOMES, ROLL]),
    ("RB-P01", [*HOMES, {**TRIP[0], "cash": 1}]),
    ("RB-M11", [*HOMES, *TRIP, ROLL, {"does": "turn", "player": 2}]),
    ("RB-M05", [*HOMES, *TRIP, ROLL, {"does": "rides", "player": 1, "route": ["blue", "dale"]}]),
    ("RB-D01", [{"does": "region", "player": 1}, ROLL]),
    ("RB-D01", [{"does": "region", "player": 1, "region": "west"}, {"does": "home", "player": 1, "city": "fir"}]),
    ("RB-A07", [*HOMES, {"does": "auctioned", "railroad": "red", "amount": 3_000}]),
]
"""Logs of people: the row that each breaks, and its steps."""


def lenient_log(rule: str, rows: list[dict[str, object]]) -> tuple[Board, MatchHead, list[MatchEvent]]:
    rules = quick(options={"opening_auctions": rule == "RB-A07"})
    head = MatchHead(board="tiny", board_hash="", rules=rules, players=("a", "b"))
    return board_with(rules), head, [MatchEvent.model_validate(row) for row in rows]


@pytest.mark.parametrize(("rule", "rows"), LENIENT)
def test_a_lenient_referee_names_the_row(rule: str, rows: list[dict[str, object]]) -> None:
    broken = judge(*lenient_log(rule, rows), file="x", lenient=True).broken
    assert broken is not None
    assert broken.rule == rule
    assert broken.line == (2 if rows[0]["does"] == "region" and rows[1] == ROLL else len(rows) + 1)


def test_each_refusal_has_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    logs: list[tuple[Board, MatchHead, Sequence[MatchEvent]]] = [
        (board(case.rules), *found[:2]) for n, case in enumerate(CASES) if (found := found_log(n))
    ]
    logs += [other_rules(number) for number in range(len(OTHER_RULES))]
    monkeypatch.setattr(judging, "IllegalError", NeverError)  # so that refusals come here, with their calls
    sites = refusing_calls(refereeing, {"refuse", "check_amount", "take"})
    used = set()
    for on, head, events in logs:
        with pytest.raises(IllegalError) as refused:
            judge(on, head, events, file="x")
        used |= set(sites_of(refused.value, sites))
    for rule, rows in LENIENT:
        with pytest.raises(IllegalError) as refused:
            judge(*lenient_log(rule, rows), file="x", lenient=True)
        used |= set(sites_of(refused.value, sites))
    assert sorted(sites - used) == []
    shown_rows = {case.row for case in CASES} | {row for row, *_ in (*OTHER_RULES, *LENIENT)}
    assert rows_in(refereeing) - shown_rows == set()


def test_rows_are_rows_of_the_rules() -> None:
    assert {case.row for case in CASES} - {""} <= {row.id for row in book.rows()}


@pytest.mark.parametrize("name", SCRIPTS)
def test_matches_by_hand_are_legal(name: str) -> None:
    head, events = scripted(name)
    assert judge(board(name), head, events, file="x").broken is None


def test_fees_that_nobody_asks_for_lapse_where_rules_say_so() -> None:
    """RB-F10: the steps of fees may be left out, with all that they cost."""
    asked = unasked = 0
    for seed in range(SEEDS):
        head, events = match("unasked", seed)
        assert judge(board("unasked"), head, events, file="x").broken is None
        at = next(k for k, event in enumerate(events) if event.does in ("pays-bank", "pays-fee"))
        sooner = [*events[:at], *events[at + 1 : at + 2]]
        fees = head.rules.fees.model_copy(update={"compulsory": True})
        due = head.model_copy(update={"rules": head.rules.model_copy(update={"fees": fees})})
        asked += judge(board("unasked"), due, sooner, file="x").broken is not None
        unasked += judge(board("unasked"), head, sooner, file="x").broken is not None
    assert asked > SEEDS / 2
    assert unasked == 0


def test_what_nobody_bid_for_may_be_withdrawn_where_rules_allow_it() -> None:
    """RB-A10: the railroad is kept, and offered to the bank after all."""
    head, events = scripted("no bids")
    at = next(k for k, event in enumerate(events) if event.does == "no-bid")
    again = [*events[: at + 1], *events[at - 2 :]]
    assert judge(board("no bids"), head, again, file="x").broken is not None
    auction = head.rules.auction.model_copy(update={"withdrawal": True})
    may = head.model_copy(update={"rules": head.rules.model_copy(update={"auction": auction})})
    assert judge(board("no bids"), may, again, file="x").broken is None
