"""Referee's position of a game on a board of hexagons, by ids."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from mapkit.kinds.hex.model.board import HexBoard, OperationsCard

BANK: Final = 0
"""Owner of links that belong to no player; players are numbered from 1."""


@dataclass(frozen=True)
class BuiltLink:
    """Link on the table: its two ends, and its owner."""

    ends: frozenset[str]
    owner: int


@dataclass
class TablePosition:
    """Table as the referee keeps it.

    Args:
        board: The board, with the rules that hold.
        players: All players, from 1 on.
        bag: Cubes in the bag, by colour.
        takes: City or place off the board -> its colours, without the rotor.
        wheel: City -> the colours of its rotor, the current one first.
        open_cards: Ids of open cards, one for each copy.
        kept_cards: Player -> ids of kept cards.
        open_track: Owner and hexagons of each stretch of open track.
        bids: Bidder -> the last bid, in this auction.
        due: What comes next: auction, actions, or over.
    """

    board: HexBoard
    players: list[int]
    bag: Counter[str]
    cubes: dict[str, Counter[str]]
    barons: list[str]
    open_cards: Counter[str]
    cash: Counter[int] = field(default_factory=Counter)
    points: Counter[int] = field(default_factory=Counter)
    bonds: Counter[int] = field(default_factory=Counter)
    engine: dict[int, int] = field(default_factory=dict)
    mines: Counter[int] = field(default_factory=Counter)
    mined: Counter[str] = field(default_factory=Counter)
    takes: dict[str, set[str]] = field(default_factory=dict)
    wheel: dict[str, list[str]] = field(default_factory=dict)
    tiles: Counter[str] | None = None
    kept_cards: dict[int, Counter[str]] = field(default_factory=dict)
    inns: dict[str, tuple[int, int]] = field(default_factory=dict)
    executives: list[int] = field(default_factory=list)
    links: list[BuiltLink] = field(default_factory=list)
    printed: set[str] = field(default_factory=set)
    crossed: set[frozenset[str]] = field(default_factory=set)
    track: Counter[str] = field(default_factory=Counter)
    open_track: list[tuple[int, list[str]]] = field(default_factory=list)
    marked: set[str] = field(default_factory=set)
    markers: int = 0
    last_turn: int | None = None
    done_lines: set[str] = field(default_factory=set)
    served: set[str] = field(default_factory=set)
    carried: Counter[int] = field(default_factory=Counter)
    longest: Counter[int] = field(default_factory=Counter)
    due: str = "auction"
    turn: int = 1
    order: list[int] = field(default_factory=list)
    acted: list[tuple[int, str]] = field(default_factory=list)
    bidding: list[int] = field(default_factory=list)
    bids: dict[int, int] = field(default_factory=dict)
    passed: list[int] = field(default_factory=list)

    @property
    def player(self) -> int:
        """Return the player whose turn it is."""
        if self.due == "auction":
            return self.bidding[0]
        return self.order[len(self.acted) % len(self.order)]

    def pay(self, player: int, amount: int) -> None:
        """Take money from a player, who takes as few bonds as cover it (RW-I03)."""
        self.cash[player] -= amount
        whole_bonds, part = divmod(max(0, -self.cash[player]), self.board.rules.income.bond_value)
        taken = whole_bonds + (part > 0)
        self.bonds[player] += taken
        self.cash[player] += taken * self.board.rules.income.bond_value

    def wanted(self, node: str) -> set[str]:
        """Return the colours that a city or place takes now (RW-R01)."""
        return self.takes[node] | set(self.wheel.get(node, [])[:1])

    def card(self, ident: str) -> OperationsCard:
        """Return an operations card by its id."""
        return next(card for card in self.board.operations if card.id == ident)

    def leave_marker(self, city: str) -> None:
        """Place a marker where the last cube has left; the last marker triggers the end (RW-Z01, RW-Z02)."""
        if not self.cubes[city].total() and city not in self.marked and self.markers:
            self.marked.add(city)
            self.markers -= 1
            if self.markers == 0 and self.last_turn is None:
                self.last_turn = self.turn + self.board.rules.end.turns_after

    def return_marker(self, city: str) -> None:
        """Take the marker of a city back (RW-Z04, RW-Z05)."""
        if city in self.marked:
            self.marked.remove(city)
            self.markers += 1
            if self.board.rules.end.trigger_undone:
                self.last_turn = None

    def is_joined(self, player: int, cities: tuple[str, ...]) -> bool:
        """Return whether the own links of a player join cities."""
        if not cities:
            return False
        group = {cities[0]}
        own = [link.ends for link in self.links if link.owner == player]
        while any(len(ends & group) == 1 for ends in own):
            group |= {node for ends in own if ends & group for node in ends}
        return set(cities) <= group

    def income(self, player: int) -> int:
        """Return the income of a player by the highest space that the points reach (RW-I01, RW-C07)."""
        reached = [space for space in self.board.track if space.points <= max(0, self.points[player])]
        return max(reached, key=lambda space: space.points).income if reached else 0
