"""State of a game, and its money."""

from enum import IntEnum
from typing import Final

from mapkit.kinds.cards.playing.terms import PLAYERS, CardTerms, Position

BANK: Final = -1
OUT: Final = -2
POOL: Final = -3
AT_HOLDING: Final = 10
"""An investor lies with player 0 or 1, or from 10 on with a holding."""


class Phase(IntEnum):
    """Next decision of a game."""

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
    """State of a game; holdings, investors, certificates and faces are numbers of its `CardTerms`.

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
        """Return an independent copy."""
        new_state = GameState.__new__(GameState)
        new_state.bank = self.bank
        new_state.reached = self.reached
        new_state.phase = self.phase
        new_state.actor = self.actor
        new_state.priority = self.priority
        new_state.picks = self.picks
        new_state.offered = self.offered
        new_state.passes = self.passes
        new_state.last = self.last
        new_state.holding = self.holding
        new_state.plus = self.plus
        new_state.keep = self.keep
        new_state.added = self.added
        new_state.deal = self.deal
        new_state.round = self.round
        new_state.sequence = self.sequence
        new_state.final = self.final
        new_state.steps = self.steps
        new_state.cash = self.cash[:]
        new_state.till = self.till[:]
        new_state.line = self.line[:]
        new_state.opened = self.opened[:]
        new_state.floated = self.floated[:]
        new_state.boss = self.boss[:]
        new_state.owner = self.owner[:]
        new_state.net = self.net[:]
        new_state.backer = self.backer[:]
        new_state.switched = self.switched[:]
        new_state.stack = self.stack[:]
        new_state.sold = self.sold[:]
        new_state.queue = self.queue[:]
        new_state.share = [self.share[0][:], self.share[1][:]]
        new_state.rails = [railroads[:] for railroads in self.rails]
        new_state.sold_at = self.sold_at.copy()
        return new_state

    def traded(self) -> Position:
        """Return the part of a position that trades of a stock round change; `settled` is the other part."""
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
        """Return the part of a position that no trade of a stock round changes."""
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
    """Return the sum of all money: always 0, because the bank counts its payments."""
    return sum(state.cash) + sum(state.till) + state.bank


def player_worth(terms: CardTerms, state: GameState, player: int) -> int:
    """Return the worth that decides the game: own cash, and the value of the shares (BA-R07)."""
    values, lines = terms.values, state.line
    share_value = sum(
        percent * values[line]
        for percent, line in zip(state.share[player], lines, strict=True)
        if line >= 0 and percent
    )
    return state.cash[player] + share_value // 10


def certificates(state: GameState, player: int) -> int:
    """Return the number of certificates of a player."""
    return state.owner.count(player)
