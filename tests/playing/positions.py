"""Positions of a match that are set by hand, and played on with given dice."""

import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast, get_args

import numpy as np
import pytest
from tiny import tiny_board

from mapkit.kinds.rail import playing
from mapkit.kinds.rail.model.match import Does
from mapkit.kinds.rail.playing import match, money, state, trips
from mapkit.kinds.rail.playing.match import take_turn
from mapkit.kinds.rail.playing.policies import Policy
from mapkit.kinds.rail.playing.state import (
    BANK,
    EVENTS,
    NONE,
    OF_BANK,
    SETTING_UP,
    State,
    new_scratch,
    new_state,
    reset_state,
)
from mapkit.kinds.rail.playing.terms import make_terms
from mapkit.kinds.rail.playing.track import make_track_arrays
from mapkit.kinds.rail.rules.rules import Rules

ENGINES = ("freight", "express", "superchief")


class Will(NamedTuple):
    """What a player decides in a position: he buys nothing and never bids, and declares when he may."""

    buys: str = "nothing"
    """Or the dearest railroad that he can pay, the first group, express or superchief."""
    bids: int = 0
    """The most, if he has it."""
    region: int = 0
    declares: bool = True
    swaps: bool = False
    rover: int = 0
    """How keen he is on catching declared trains: a weight of his policy."""


SPENDS = Will(buys="dearest")

# three dice of a lookup on the tiny board: coloured, white, white
WEST, EAST = (1, 1, 1), (1, 1, 2)
ASH, ELM = (*WEST, 1, 1, 1), (*WEST, 1, 1, 2)
DALE, FIR, GUM = (*EAST, 1, 1, 1), (*EAST, 1, 1, 2), (*EAST, 2, 1, 3)


class Noted(NamedTuple):
    """An event: what happened, to whom, and three numbers."""

    does: str
    player: int
    one: int
    two: int
    three: int


def _known(name: str) -> object:
    """Return a function or a number of the simulator, in whichever of its modules it is."""
    prefix = f"{playing.__name__}."
    found = {vars(module)[name] for at, module in sys.modules.items() if at.startswith(prefix) and name in vars(module)}
    (known,) = found
    return known


def _number(name: str) -> int:
    return cast("int", _known(name))


def _rule(name: str) -> Callable[..., int]:
    return cast("Callable[..., int]", _known(name))


class Position:
    """A match on the tiny board; players are numbered from 0, all else has the ids of the board.

    Attributes:
        track: The board; its prices and payoffs may be changed.
        state: Where the match stands.
    """

    def __init__(
        self, patch: pytest.MonkeyPatch, rules: Mapping[str, object] | None = None, *, players: int = 3
    ) -> None:
        given: dict[str, object] = {
            "preset": "ah",
            "destinations": {"choose_region_when_in_it": False},
            **(rules or {}),
        }
        self.board = tiny_board().model_copy(update={"rules": Rules.model_validate(given)})
        self.track = make_track_arrays(self.board)
        self.terms = make_terms(self.board, self.board.rules, players)
        self.scratch = new_scratch(self.track)
        self.state: State = new_state(self.track, self.terms, 1, listening=True)
        self.minds = np.zeros((players, len(Policy().weights())))
        self._wills: dict[int, Will] = {}
        for player in range(players):
            self.plays(player, Will())
        self._dice: deque[int] = deque()
        self._draws: deque[int] = deque()
        reset_state(self.state, self.terms, 0)
        patch.setattr(state, "below", self._die)
        patch.setattr(money, "below", self._draw)
        patch.setattr(money, "choose_purchase", self._choose_purchase)
        patch.setattr(money, "highest_bid", self._highest_bid)
        patch.setattr(money, "choose_sale", self._choose_sale)
        patch.setattr(trips, "pick_region", lambda *asked: self._wills[asked[-2]].region)
        patch.setattr(trips, "declares", lambda *asked: self._wills[asked[3]].declares)
        patch.setattr(match, "swaps_home", lambda *asked: self._wills[asked[-2]].swaps)

    def _choose_purchase(self, *asked: int) -> int:
        player = asked[3]
        buys, cash = self._wills[player].buys, self.cash(player)
        if buys in ENGINES:
            number = ENGINES.index(buys)
            price = self.engine_price(player, number)
            chosen = f"BUYS_{buys.upper()}" if price <= cash and number != self.state.engine[player] else "NOTHING"
            return _number(chosen)
        if buys == "group":
            return _number("GROUPS")
        offered = [r for r in range(len(self.track.price)) if self.sold_alone(r) and self.track.price[r] <= cash]
        if buys == "nothing" or not offered:
            return _number("NOTHING")
        return max(offered, key=lambda r: int(self.track.price[r]))

    def _highest_bid(self, *asked: int) -> int:
        return min(self._wills[asked[-3]].bids, self.cash(asked[-3]))

    def _choose_sale(self, *asked: int) -> int:
        owned = [r for r, owner in enumerate(self.state.owner) if owner == asked[-2]]
        return min(owned, key=lambda r: int(self.track.price[r])) if owned else NONE

    def engine_price(self, player: int, engine: int) -> int:
        return int(_rule("engine_price")(self.state, self.terms, player, engine))

    def sold_alone(self, railroad: int) -> bool:
        return bool(_rule("is_sold_alone")(self.state, self.terms, railroad))

    def _die(self, _streams: object, _stream: int, sides: int) -> int:
        pips = self._dice.popleft()
        assert 1 <= pips <= sides
        return pips - 1

    def _draw(self, _streams: object, purpose: int, many: int) -> int:
        assert purpose in (OF_BANK, SETTING_UP)
        drawn = self._draws.popleft() if self._draws else 0
        assert drawn < many
        return drawn

    def city(self, ident: str) -> int:
        return [c.id for c in self.board.cities].index(ident)

    def place(self, ident: str) -> int:
        return [m.id for m in self.board.mileposts].index(ident)

    def railroad(self, ident: str) -> int:
        return [r.id for r in self.board.railroads].index(ident)

    def segment(self, *ids: str) -> int:
        """Return the segment of a railroad between two mileposts."""
        by, a, b = ids
        return next(n for n, s in enumerate(self.board.segments) if s.railroad == by and {s.a, s.b} == {a, b})

    def plays(self, player: int, will: Will) -> None:
        self._wills[player] = will
        self.minds[player] = Policy.model_validate({"winning": {"rover": will.rover}}).weights()

    def put(self, player: int, city: str, goal: str | None = None, *, at: str | None = None, home: str = "") -> None:
        """Put a train on a trip from a city, where it is unless it is `at` a milepost; home is the city unless said."""
        s = self.state
        s.city[player] = self.city(city)
        s.goal[player] = NONE if goal is None else self.city(goal)
        s.at[player] = self.place(at) if at else self.track.city_place[self.city(city)]
        s.home[player] = self.city(home or city)

    def owns(self, player: int, *railroads: str) -> None:
        for ident in railroads:
            number = self.railroad(ident)
            self.state.owner[number], self.state.bought[number] = player, 1

    def sell_out(self) -> None:
        """Give the third player, or the second of two, what the bank holds, and raise the fee."""
        for number, owner in enumerate(self.state.owner):
            if owner == BANK:
                self.state.owner[number] = self.terms.players - 1
        self.state.bought[:] = 1
        self.state.game[state.RAISED] = 1

    def will_roll(self, *pips: int) -> None:
        self._dice.extend(pips)

    def will_draw(self, *numbers: int) -> None:
        self._draws.extend(numbers)

    def dice_left(self) -> int:
        return len(self._dice)

    def turn(self, player: int, *pips: int) -> list[Noted]:
        """Play a turn with these dice, all of which must be rolled, and return what happened."""
        self.will_roll(*pips)
        before = int(self.state.game[EVENTS])
        take_turn(self.track, self.state, self.terms, self.scratch, player, self.minds)
        assert not self._dice, f"{len(self._dice)} dice were not rolled"
        return self.noted()[before:]

    def noted(self) -> list[Noted]:
        rows = self.state.events[: self.state.game[EVENTS]].tolist()
        return [Noted(get_args(Does)[code - 1] if code else "die", *rest) for code, *rest in rows]

    def cash(self, player: int) -> int:
        return int(self.state.cash[player])

    def kept(self, player: int, railroad: str) -> int:
        """Return the fee at which a train is established, or NONE."""
        return int(self.state.kept_fee[player, self.railroad(railroad)])

    def at(self, player: int) -> str:
        return self.board.mileposts[int(self.state.at[player])].id


def only(noted: Sequence[Noted], *does: str) -> list[Noted]:
    """Return the events of some kinds."""
    return [event for event in noted if event.does in does]


def kinds(noted: Sequence[Noted]) -> list[str]:
    """Return what happened, without dice and rides."""
    return [event.does for event in noted if event.does not in ("die", "rides")]
