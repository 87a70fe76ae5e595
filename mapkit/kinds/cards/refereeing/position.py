"""Where a game stands, as the referee keeps it: by ids, as they stand in a log."""

from dataclasses import dataclass, field
from typing import Final, NoReturn

from mapkit.kinds.cards.game import CardGame, Certificate, Face
from mapkit.kinds.cards.playing.terms import CardTerms

SEATS: Final = ("A", "B")
BANK: Final = "bank"
AWAY: Final = "out of the game"
OPEN: Final = "not drafted"


class FoulError(Exception):
    """A step breaks a rule."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule, self.message = rule, message


def foul(rule: str, message: str) -> NoReturn:
    """Say that a step breaks a rule.

    Args:
        rule: Row of the rules; empty where the log itself is not in order.
        message: What is wrong, and what would be right.

    Raises:
        FoulError: Always.
    """
    raise FoulError(rule, message)


def other(seat: str) -> str:
    """Return the other seat."""
    return SEATS[1 - SEATS.index(seat)]


@dataclass
class Position:
    """A game at some moment; holdings, certificates, faces and investors by id, share values as lines of the track.

    Attributes:
        game: The game.
        values: Of the lines of the track, the lowest first; a gap is filled as `CardTerms` fills it.
        starts: Lines to start on.
        top: The line that ends the game.
        expects: What comes next: offer, choice, priority, trade, place, revenue, add, answer, discard, over.
        turn: Whose step is next.
    """

    game: CardGame
    values: tuple[int, ...]
    starts: tuple[int, ...]
    top: int
    expects: str = "offer"
    turn: str = SEATS[0]
    cash: dict[str, int] = field(default_factory=dict)
    till: dict[str, int] = field(default_factory=dict)
    line: dict[str, int] = field(default_factory=dict)
    first_line: dict[str, int] = field(default_factory=dict)
    operates: set[str] = field(default_factory=set)
    director: dict[str, str] = field(default_factory=dict)
    holder: dict[str, str] = field(default_factory=dict)
    trains: dict[str, list[str]] = field(default_factory=dict)
    network: dict[str, int] = field(default_factory=dict)
    lies: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    stack: list[str] = field(default_factory=list)
    highest: int = 0
    deal: str = SEATS[0]
    offer: tuple[str, int] = ("", 0)
    drafted: int = 0
    passed: int = 0
    last_dealer: str = ""
    sold: dict[str, set[str]] = field(default_factory=dict)
    sold_this_turn: dict[str, int] = field(default_factory=dict)
    stock_rounds: int = 0
    operating_rounds: int = 0
    waiting: list[str] = field(default_factory=list)
    holding: str = ""
    may_add: int = 0
    may_keep: int = 0
    bargain: tuple[str, str, int] = ("", "", 0)
    ends: bool = False

    @classmethod
    def at_start(cls, terms: CardTerms) -> "Position":
        """Return a game before its first step."""
        game = terms.game
        new = cls(game, terms.values, terms.starts, terms.end)
        new.cash = dict.fromkeys(SEATS, game.rules.setup.cash)
        new.till = {one.id: 0 for one in game.holdings}
        new.network = {one.id: 0 for one in game.holdings}
        new.trains = {one.id: [] for one in game.holdings}
        new.holder = {share.id: BANK for one in game.holdings for share in one.certificates}
        new.lies = {one.id: OPEN for one in game.investors}
        new.stack = [game.railroads[sort].id for sort in terms.stack]
        new.sold = {seat: set() for seat in SEATS}
        return new

    # What the tables say

    def certificate(self, ident: str) -> tuple[str, Certificate]:
        """Return a certificate with its holding."""
        return next((one.id, share) for one in self.game.holdings for share in one.certificates if share.id == ident)

    def chair(self, holding: str) -> Certificate:
        """Return the Director's certificate of a holding."""
        return next(share for share in self.certificates(holding) if share.director)

    def certificates(self, holding: str) -> tuple[Certificate, ...]:
        """Return all certificates of a holding."""
        return next(one.certificates for one in self.game.holdings if one.id == holding)

    def face(self, ident: str) -> Face:
        """Return a face of a railroad card."""
        return next(face for one in self.game.railroads for face in one.faces if face.id == ident)

    def faces_on_top(self) -> tuple[Face, ...]:
        """Return the faces of the card on top of the stack."""
        return next((one.faces for one in self.game.railroads if self.stack and one.id == self.stack[0]), ())

    def operators(self, holding: str) -> int:
        """Return how many operators a holding has."""
        return next(one.operators for one in self.game.holdings if one.id == holding)

    # What follows from them

    def stock(self, seat: str, holding: str) -> int:
        """Return how many per cent of a holding somebody has."""
        return sum(share.percent for share in self.certificates(holding) if self.holder[share.id] == seat)

    def held(self, seat: str) -> int:
        """Return how many certificates a player has (BA-M06)."""
        return sum(holder == seat for holder in self.holder.values())

    def value(self, holding: str) -> int:
        """Return the share value of a started holding."""
        return self.values[self.line[holding]]

    def worth(self, seat: str) -> int:
        """Return cash and shares of a player (BA-R07)."""
        return self.cash[seat] + sum(self.stock(seat, holding) * self.value(holding) for holding in self.line) // 10

    def pays_for_chair(self, seat: str, holding: str) -> list[str]:
        """Return the fewest certificates of a player that are together worth the Director's, the first by the table."""
        wanted = self.chair(holding).percent
        mine = [one for one in self.certificates(holding) if self.holder[one.id] == seat and not one.director]
        ways = (_choices(mine, number, wanted) for number in range(1, len(mine) + 1))
        return next((found for found in ways if found), [])


def _choices(mine: list[Certificate], number: int, wanted: int) -> list[str]:
    """Return the first so many certificates that add to a per cent."""
    if number == 0 or not mine:
        return []
    for at, one in enumerate(mine):
        if number == 1 and one.percent == wanted:
            return [one.id]
        rest = _choices(mine[at + 1 :], number - 1, wanted - one.percent)
        if rest:
            return [one.id, *rest]
    return []
