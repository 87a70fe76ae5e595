"""Where a game stands, and the money in it."""

from enum import IntEnum
from typing import Final

from mapkit.kinds.cards.playing.terms import PLAYERS, CardTerms, Position

BANK: Final = -1
OUT: Final = -2
POOL: Final = -3
AT_HOLDING: Final = 10
"""An investor lies with player 0 or 1, or from 10 on with a holding."""


class Phase(IntEnum):
    """What is to be decided next."""

    OFFER = 0
    CHOICE = 1
    PRIORITY = 2
    STOCK = 3
    OPERATORS = 4
    REVENUE = 5
    PURCHASES = 6
    ANSWER = 7
    DISCARD = 8
    OVER = 9


class GameState:
    """Where a game stands; holdings, investors, certificates and faces are numbers of its `CardTerms`.

    Money: `cash` of players, `till` of holdings, and what the bank has paid out, `bank`; their sum is always 0.
    """

    __slots__ = (
        "actor",
        "added",
        "backer",
        "bank",
        "boss",
        "cash",
        "deal",
        "final",
        "floated",
        "holding",
        "keep",
        "last",
        "line",
        "net",
        "offered",
        "opened",
        "owner",
        "passes",
        "phase",
        "picks",
        "plus",
        "priority",
        "queue",
        "rails",
        "reached",
        "round",
        "sequence",
        "share",
        "sold",
        "sold_at",
        "stack",
        "steps",
        "switched",
        "till",
    )

    def __init__(self, terms: CardTerms) -> None:
        holdings = terms.holdings
        self.cash = [terms.game.rules.setup.cash] * PLAYERS
        self.till = [0] * holdings
        self.bank = -sum(self.cash)
        self.line = [-1] * holdings
        self.opened = [-1] * holdings
        self.floated = [False] * holdings
        self.boss = [BANK] * holdings
        self.owner = [BANK] * len(terms.shares)
        self.share = [[0] * holdings for _ in range(PLAYERS)]
        self.rails: list[list[int]] = [[] for _ in range(holdings)]
        self.net = [0] * holdings
        self.backer = [POOL] * terms.investors
        self.switched = [False] * terms.investors
        self.stack = list(terms.stack)
        self.reached = 0
        self.phase = Phase.OFFER
        self.actor = 0
        self.priority = 0
        self.picks = 0
        self.offered = (-1, 0)
        self.passes = 0
        self.last = BANK
        self.sold = [0] * PLAYERS
        self.sold_at: dict[int, int] = {}
        self.queue: list[int] = []
        self.holding = -1
        self.plus = 0
        self.keep = 0
        self.added = 0
        self.deal: tuple[int, int, int] = (-1, -1, 0)
        self.round = 0
        self.sequence = 1
        self.final = False
        self.steps = 0

    def copy(self) -> "GameState":
        """Return a state of its own that is the same."""
        other = GameState.__new__(GameState)
        other.bank = self.bank
        other.reached = self.reached
        other.phase = self.phase
        other.actor = self.actor
        other.priority = self.priority
        other.picks = self.picks
        other.offered = self.offered
        other.passes = self.passes
        other.last = self.last
        other.holding = self.holding
        other.plus = self.plus
        other.keep = self.keep
        other.added = self.added
        other.deal = self.deal
        other.round = self.round
        other.sequence = self.sequence
        other.final = self.final
        other.steps = self.steps
        other.cash = self.cash[:]
        other.till = self.till[:]
        other.line = self.line[:]
        other.opened = self.opened[:]
        other.floated = self.floated[:]
        other.boss = self.boss[:]
        other.owner = self.owner[:]
        other.net = self.net[:]
        other.backer = self.backer[:]
        other.switched = self.switched[:]
        other.stack = self.stack[:]
        other.sold = self.sold[:]
        other.queue = self.queue[:]
        other.share = [self.share[0][:], self.share[1][:]]
        other.rails = [one[:] for one in self.rails]
        other.sold_at = self.sold_at.copy()
        return other

    def traded(self) -> Position:
        """Return what the trades of a stock round change: with `settled` it says all of a position in one."""
        return (
            self.actor,
            self.passes,
            self.last,
            *self.sold,
            *self.cash,
            *self.owner,
            *self.line,
            *self.opened,
            *self.till,
            *self.boss,
            *self.floated,
            *self.sold_at.items(),
        )

    def settled(self) -> Position:
        """Return what no trade of a stock round changes."""
        return (
            self.round,
            self.sequence,
            self.priority,
            self.reached,
            self.final,
            tuple(self.stack),
            tuple(map(tuple, self.rails)),
            *self.net,
            *self.backer,
            *self.switched,
        )


def money_in(state: GameState) -> int:
    """Return all money: it is 0 at any time, for the bank counts what it has paid."""
    return sum(state.cash) + sum(state.till) + state.bank


def worth(terms: CardTerms, state: GameState, player: int) -> int:
    """Return what decides the game: own cash, and the value of the shares (BA-R07)."""
    values, lines = terms.values, state.line
    shares = sum(
        part * values[line] for part, line in zip(state.share[player], lines, strict=True) if line >= 0 and part
    )
    return state.cash[player] + shares // 10


def certificates(state: GameState, player: int) -> int:
    """Return how many certificates a player has."""
    return state.owner.count(player)
