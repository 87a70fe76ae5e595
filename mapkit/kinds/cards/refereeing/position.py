"""Position of a game for the referee, by the ids of the log."""

from dataclasses import dataclass, field
from typing import Final

from mapkit.kinds.cards.game import CardGame, Certificate, Face
from mapkit.kinds.cards.playing.terms import CardTerms

SEATS: Final = ("A", "B")
BANK: Final = "bank"
AWAY: Final = "out of the game"
OPEN: Final = "not drafted"


def other_seat(seat: str) -> str:
    """Return the other seat."""
    return SEATS[1 - SEATS.index(seat)]


@dataclass
class Position:
    """Position of a game; holdings, certificates, faces and investors by id, share values as lines of the track.

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
        """Return the position before the first step."""
        game = terms.game
        position = cls(game, terms.values, terms.starts, terms.end)
        position.cash = dict.fromkeys(SEATS, game.rules.setup.cash)
        position.till = {holding.id: 0 for holding in game.holdings}
        position.network = {holding.id: 0 for holding in game.holdings}
        position.trains = {holding.id: [] for holding in game.holdings}
        position.holder = {share.id: BANK for holding in game.holdings for share in holding.certificates}
        position.lies = {investor.id: OPEN for investor in game.investors}
        position.stack = [game.railroads[sort].id for sort in terms.stack]
        position.sold = {seat: set() for seat in SEATS}
        return position

    # What the tables say

    def certificate(self, ident: str) -> tuple[str, Certificate]:
        """Return a certificate with its holding."""
        return next(
            (holding.id, share) for holding in self.game.holdings for share in holding.certificates if share.id == ident
        )

    def chair(self, holding: str) -> Certificate:
        """Return the Director's certificate of a holding."""
        return next(share for share in self.certificates(holding) if share.director)

    def certificates(self, holding: str) -> tuple[Certificate, ...]:
        """Return all certificates of a holding."""
        return next(row.certificates for row in self.game.holdings if row.id == holding)

    def face(self, ident: str) -> Face:
        """Return a face of a railroad card."""
        return next(face for railroad in self.game.railroads for face in railroad.faces if face.id == ident)

    def faces_on_top(self) -> tuple[Face, ...]:
        """Return the faces of the card on top of the stack."""
        return next(
            (railroad.faces for railroad in self.game.railroads if self.stack and railroad.id == self.stack[0]), ()
        )

    def operators(self, holding: str) -> int:
        """Return the number of operators of a holding."""
        return next(row.operators for row in self.game.holdings if row.id == holding)

    # What follows from them

    def stock(self, seat: str, holding: str) -> int:
        """Return the per cent of a holding that a player or the bank has."""
        return sum(share.percent for share in self.certificates(holding) if self.holder[share.id] == seat)

    def held(self, seat: str) -> int:
        """Return the number of certificates of a player (BA-M06)."""
        return sum(holder == seat for holder in self.holder.values())

    def value(self, holding: str) -> int:
        """Return the share value of a started holding."""
        return self.values[self.line[holding]]

    def worth(self, seat: str) -> int:
        """Return cash and shares of a player (BA-R07)."""
        return self.cash[seat] + sum(self.stock(seat, holding) * self.value(holding) for holding in self.line) // 10

    def pays_for_chair(self, seat: str, holding: str) -> list[str]:
        """Return the fewest certificates of a player that equal the Director's, the first by the table."""
        chair_percent = self.chair(holding).percent
        own_certificates = [
            certificate
            for certificate in self.certificates(holding)
            if self.holder[certificate.id] == seat and not certificate.director
        ]
        subsets = (
            _find_subset(own_certificates, number, chair_percent) for number in range(1, len(own_certificates) + 1)
        )
        return next((subset for subset in subsets if subset), [])


def _find_subset(mine: list[Certificate], number: int, wanted: int) -> list[str]:
    """Return the first certificates of a number that add to a per cent."""
    if number == 0 or not mine:
        return []
    for index, certificate in enumerate(mine):
        if number == 1 and certificate.percent == wanted:
            return [certificate.id]
        other_certificates = _find_subset(mine[index + 1 :], number - 1, wanted - certificate.percent)
        if other_certificates:
            return [certificate.id, *other_certificates]
    return []
