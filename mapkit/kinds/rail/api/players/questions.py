"""Questions to players written in Python: what they see, what they may answer, and what comes of an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, Protocol

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.playing import state as at
from mapkit.kinds.rail.playing.buying import BUYS_SUPERCHIEF, GROUPS
from mapkit.kinds.rail.playing.state import State
from mapkit.kinds.rail.playing.terms import UNLIMITED

Decision = Literal["purchase", "region", "declare", "bid", "sale", "swap"]
DECISIONS: Final[tuple[Decision, ...]] = ("purchase", "region", "declare", "bid", "sale", "swap")
"""In the order of the numbers in `mapkit.kinds.rail.playing.state`."""
ENGINES: Final = ("freight", "express", "superchief")
_YES_NO: Final = MappingProxyType({"no": 0, "yes": 1})


class Seat(NamedTuple):
    """Public state of a player; `destination` and `city` are ids, None before they are rolled."""

    cash: int
    engine: str
    home: str | None
    city: str | None
    destination: str | None
    milepost: str | None
    playing: bool
    declared: bool


class Outcome(NamedTuple):
    """End of a match that was tried out: whether the player won, and the lead in cash over the richest other."""

    won: bool
    lead: int


class TryOut(Protocol):
    """Function that plays the match on after an answer."""

    def __call__(self, option: str, matches: int, first: int = 0) -> Sequence[Outcome]:
        """Return the ends of matches with the dice from number `first` on."""
        ...


@dataclass(frozen=True)
class Question:
    """A decision that is due.

    Attributes:
        decision: Its kind.
        player: Number of the player who decides, from 0 on.
        options: What may be answered: ids of railroads, engines or regions, names of groups, "nothing", "yes", "no".
        choice: What the player that this one is based on would do.
        about: The railroad that is bid for.
        prices: Of the items that may be bought.
        seats: The players.
        owners: Railroad -> its owner's number; the bank's are left out.
        board: The board, with the rules that hold.
        try_out: Plays the match on after an answer with other dice and with `tuned` players, and returns the ends:
            `try_out("nothing", 20)` 20 times, from the first dice on, `try_out("nothing", 20, 40)` from the 41st on.
            All answers have the same dice.
    """

    decision: Decision
    player: int
    options: tuple[str, ...]
    choice: str
    about: str | None
    prices: Mapping[str, int]
    seats: tuple[Seat, ...]
    owners: Mapping[str, int]
    board: Board
    try_out: TryOut


class Player(Protocol):
    """A player written in Python; each match has one of its own, made without arguments.

    A class may name the player who takes what is not asked, such as routes: `based_on = "tuned"`; else `balanced` does.
    """

    def decide(self, question: Question) -> str:
        """Return one of the options."""
        ...


class QuestionReader:
    """Reader of recorded questions, with ids for numbers."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._railroads = [r.id for r in board.railroads]
        self._cities = [c.id for c in board.cities]
        self._regions = [r.id for r in board.regions]
        self._mileposts = [m.id for m in board.mileposts]
        groups = [f"group {group.name}" for group in board.rules.group_purchase.groups]
        self._items = ["superchief", "express", "nothing", *self._railroads, *groups]

    def codes(self, state: State) -> dict[str, int]:
        """Return the options of the first question without an answer, with their numbers."""
        decision = DECISIONS[int(state.question[at.KIND])]
        if decision == "purchase":
            cash = int(state.seen[int(state.question[at.WHO])])
            return {
                item: self._item_code(place)
                for place, item in enumerate(self._items[: len(state.offers)])
                if item == "nothing" or (state.offers[place] < UNLIMITED and state.offers[place] <= cash)
            }
        if decision == "region":
            return {region: number for number, region in enumerate(self._regions)}
        if decision == "sale":
            who = state.question[at.WHO]
            return {r: number for number, r in enumerate(self._railroads) if self._owners(state)[number] == who}
        return dict(_YES_NO)

    def read(self, state: State, codes: Mapping[str, int], try_out: TryOut) -> Question:
        """Return the first question without an answer."""
        decision, who = DECISIONS[int(state.question[at.KIND])], int(state.question[at.WHO])
        subject = int(state.question[at.SUBJECT])
        prices = {i: int(state.offers[k]) for k, i in enumerate(self._items) if i in codes and i != "nothing"}
        return Question(
            decision=decision,
            player=who,
            options=tuple(codes),
            choice=next(option for option, code in codes.items() if code == state.question[at.CHOICE]),
            about=self._railroads[subject] if decision == "bid" else None,
            prices=MappingProxyType(prices if decision == "purchase" else {}),
            seats=tuple(self._seat(state, player) for player in range(len(state.asks))),
            owners=MappingProxyType(
                {r: int(o) for r, o in zip(self._railroads, self._owners(state), strict=True) if o != at.BANK}
            ),
            board=self._board,
            try_out=try_out,
        )

    def _item_code(self, place: int) -> int:
        railroads = len(self._railroads)
        number = BUYS_SUPERCHIEF + place
        return number if number < railroads else GROUPS + number - railroads

    @staticmethod
    def _owners(state: State) -> Sequence[int]:
        return [int(owner) for owner in state.seen[7 * len(state.asks) + 1 :]]

    def _seat(self, state: State, player: int) -> Seat:
        players = len(state.asks)
        row = players + 1 + 6 * player
        engine, home, city, goal, place, standing = (int(value) for value in state.seen[row : row + 6])
        return Seat(
            cash=int(state.seen[player]),
            engine=ENGINES[engine],
            home=None if home == at.NONE else self._cities[home],
            city=None if city == at.NONE else self._cities[city],
            destination=None if goal == at.NONE else self._cities[goal],
            milepost=None if place == at.NONE else self._mileposts[place],
            playing=standing > 0,
            declared=standing > 1,
        )
