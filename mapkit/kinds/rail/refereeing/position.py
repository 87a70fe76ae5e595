"""Position of a match for a referee: owners, cash and debts."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.service import mileposts_by_railroad
from mapkit.kinds.rail.rules.play import Engine
from mapkit.kinds.rail.rules.rules import Rules

BANK: Final = 0
"""The owner of what nobody bought; players are numbered from 1, and the third owner comes after them."""
ENGINES: Final[tuple[Engine, ...]] = ("freight", "express", "superchief")


@dataclass
class Seat:
    """One player."""

    cash: int
    engine: Engine
    home: str = ""
    city: str = ""
    """Where the trip began, or where the train stands."""
    at: str = ""
    """A milepost."""
    goal: str | None = None
    """The destination or, while declared, the alternate."""
    declared: bool = False
    out: bool = False
    due: bool = False
    """Stands at the alternate, and arrives at the start of the next turn (RB-W23)."""
    undeclared: bool = False
    """Lost declared status on this trip, so may use track again (RB-W21)."""
    announced: bool = False
    line: str | None = None
    used: set[str] = field(default_factory=set)
    """Pieces ridden on this trip."""
    homeward: set[str] = field(default_factory=set)
    """Of these, those ridden while declared."""
    way: list[str] = field(default_factory=list)
    """Segments of a way that is known to be free still."""
    way_to: str = ""
    """The milepost that it leads to."""
    kept: dict[str, int] = field(default_factory=dict)
    """Railroad -> the fee at which the train is established (RB-F11)."""


@dataclass
class Debts:
    """Debts for the rides of a turn."""

    bank: int = 0
    own: set[str] = field(default_factory=set)
    """Own railroads that were ridden."""
    owners: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    rows: dict[int, str] = field(default_factory=dict)
    """Owner -> the row of the fee."""

    def to_bank(self, own_fee: int) -> int:
        """Return the one sum for bank-held and own railroads (RB-F02, RB-F03)."""
        return max(self.bank, own_fee if self.own else 0)


class Position:
    """A match in progress.

    Attributes:
        seats: The players, by number from 1.
        owner: Railroad -> player, or BANK.
        raised: Whether the bank is sold out (RB-F05).
    """

    def __init__(self, board: Board, rules: Rules, players: int) -> None:
        self.board, self.rules, self.players = board, rules, players
        cash = rules.setup.starting_cash + rules.options.extra_starting_cash
        self.seats = {n: Seat(cash=cash, engine=rules.setup.starting_engine) for n in range(1, players + 1)}
        self.third = players + 1
        self.railroads = {r.id: r for r in board.railroads}
        self.owner = dict.fromkeys(self.railroads, BANK)
        self.bought: set[str] = set()
        self.raised = False
        self.purchases = 0
        self.gifts = 0
        self.debts = Debts()
        self.titles: dict[Engine, int | None] = dict.fromkeys(ENGINES, rules.setup.engine_titles)
        self.touches = mileposts_by_railroad(board)
        self.cities = {c.id: c for c in board.cities}
        self.segments = {s.id: s for s in board.segments}
        self.arms: dict[str, list[str]] = defaultdict(list)
        for segment in board.segments:
            for end in sorted({segment.a, segment.b}):
                self.arms[end].append(segment.id)
        index_by_city = {city: k for k, city in enumerate(board.payoffs.cities)}
        self._thousands = {
            (a, b): board.payoffs.thousands[index_by_city[a]][index_by_city[b]]
            for a in self.cities
            for b in self.cities
        }

    def milepost(self, city: str) -> str:
        """Return the milepost of a city."""
        return self.cities[city].milepost

    def payoff(self, start: str, end: str) -> int:
        """Return the payoff of a trip, currency units (RB-P01)."""
        return round((self._thousands[start, end] or 0) * self.board.units.payoff)

    def for_sale(self, railroad: str) -> bool:
        """Return whether the bank sells a railroad (RB-P10)."""
        return self.owner[railroad] == BANK and self.is_private(railroad)

    def is_private(self, railroad: str) -> bool:
        """Return whether a railroad can be sold."""
        return self.rules.purchase.public_for_sale or not self.railroads[railroad].public

    def full_fee(self, player: int, railroad: str) -> int:
        """Return the fee of a turn on a railroad for a player not established there (RB-F02 to RB-F05)."""
        fees, owner = self.rules.fees, self.owner[railroad]
        if owner in (BANK, player):
            return fees.bank if owner == BANK else fees.own
        return fees.opponent_after_sell_out if self.raised else fees.opponent

    def fee(self, player: int, railroad: str) -> int:
        """Return the fee of a turn on a railroad for a player (RB-F11)."""
        return min(self.full_fee(player, railroad), self.seats[player].kept.get(railroad, 1 << 60))

    def fee_row(self, player: int, railroad: str, stated: int | None = None) -> str:
        """Return the row that sets the fee of a ride, or that a log applies wrongly (RB-F02 to RB-F05)."""
        owner, fees = self.owner[railroad], self.rules.fees
        if owner in (BANK, player):
            return "RB-F03" if owner == player and not fees.own else "RB-F02"
        if self.fee(player, railroad) < self.full_fee(player, railroad):
            return "RB-F11"
        if stated == fees.bank:
            return "RB-F02"
        return "RB-F05" if self.raised else "RB-F04"

    def ride(self, player: int, railroad: str) -> int:
        """Add the fee for a step on a railroad to the debts, and return it (RB-F09, RB-F13 to RB-F16)."""
        seat = self.seats[player]
        fee, owner, row = self.fee(player, railroad), self.owner[railroad], self.fee_row(player, railroad)
        seat.kept = {railroad: seat.kept[railroad]} if railroad in seat.kept else {}
        seat.line = railroad
        if owner == player:
            self.debts.own.add(railroad)
        elif owner == BANK:
            self.debts.bank = max(self.debts.bank, fee)
        elif fee > self.debts.owners[owner]:
            self.debts.owners[owner], self.debts.rows[owner] = fee, row
        return fee

    def owed(self) -> int:
        """Return the sum of a turn's debts if all owners claim them."""
        return self.debts.to_bank(self.rules.fees.own) + sum(self.debts.owners.values())

    def due(self) -> int:
        """Return the sum of a turn's debts that are compulsory (RB-F10)."""
        return self.owed() if self.rules.fees.compulsory else 0

    def stands_on(self, player: int, railroad: str) -> bool:
        """Return whether a train can be established on a railroad (RB-F11, RB-F12)."""
        seat = self.seats[player]
        if seat.out or not seat.at:
            return False
        if self.rules.fees.established_on == "line-in-use":
            return seat.line == railroad
        return seat.at in self.touches[railroad]

    def hand_over(self, railroad: str, owner: int) -> dict[int, int]:
        """Give a railroad to an owner; return the fees that players keep on it (RB-F11, RB-F17)."""
        old_fees = {n: self.fee(n, railroad) for n in self.seats}
        self.owner[railroad] = owner
        return self._establish(railroad, {n: old_fees[n] for n in self.seats if n != owner})

    def hand_over_auctioned(self, railroad: str, seller: int, owner: int) -> dict[int, int]:
        """Give an auctioned railroad to its buyer; return the fees that players keep on it (RB-A13, RB-A14)."""
        rules = self.rules
        old_fees = {n: self.fee(n, railroad) for n in self.seats}
        self.owner[railroad] = owner
        seller_fee = {"free": 0, "own-fee": rules.fees.own, "bank-fee": rules.fees.bank}[rules.auction.seller_ride]
        fee_by_player = {seller: seller_fee}
        if rules.auction.others_on_it == "former-fee":
            fee_by_player |= {n: fee for n, fee in old_fees.items() if n not in (seller, owner)}
        kept_fees = self._establish(railroad, fee_by_player)
        if railroad in self.debts.own and rules.auction.seller_ride != "own-fee":
            self.debts.own.discard(railroad)
            if rules.auction.seller_ride == "bank-fee":
                self.debts.bank = max(self.debts.bank, rules.fees.bank)
        return kept_fees

    def _establish(self, railroad: str, fees: dict[int, int]) -> dict[int, int]:
        kept_fees = {}
        for player, seat in self.seats.items():
            seat.kept.pop(railroad, None)
            fee = fees.get(player)
            if fee is not None and self.stands_on(player, railroad) and fee < self.full_fee(player, railroad):
                seat.kept[railroad] = kept_fees[player] = fee
        return kept_fees

    def sold_out(self) -> bool:
        """Return whether the fee is raised, by the trigger of the rules (RB-F06)."""
        private_railroads = [r for r in self.railroads if self.is_private(r)]
        if self.rules.fees.sell_out == "all-bought-once":
            return self.bought.issuperset(private_railroads)
        return all(self.owner[r] != BANK for r in private_railroads)

    def set_raised(self) -> tuple[bool, list[tuple[int, str, int]]]:
        """Raise or lower the fee if due; return whether it changed, and the fees that players keep (RB-F07)."""
        is_sold_out = self.sold_out()
        if is_sold_out == self.raised or (not is_sold_out and self.rules.fees.raised_fee_stays):
            return False, []
        old_fees = {(n, r): self.fee(n, r) for n in self.seats for r in self.railroads}
        self.raised = is_sold_out
        kept_fees = []
        for (n, r), fee in old_fees.items():
            if self.owner[r] not in (BANK, n) and self.stands_on(n, r):
                self.seats[n].kept.pop(r, None)
                if fee < self.full_fee(n, r):
                    self.seats[n].kept[r] = fee
                    kept_fees.append((n, r, fee))
        return True, kept_fees

    def worth(self, player: int) -> int:
        """Return cash, railroads at list price and engine (RB-V09)."""
        seat, purchase_rules = self.seats[player], self.rules.purchase
        engine_price = {
            "freight": 0,
            "express": purchase_rules.express_price,
            "superchief": self.rules.superchief_price(self.players),
        }[seat.engine]
        return seat.cash + engine_price + sum(self.railroads[r].price for r, o in self.owner.items() if o == player)

    def can_win(self, player: int, debts: int = 0) -> bool:
        """Return whether a player has enough to win after debts (RB-W01, RB-V09)."""
        if self.rules.net_worth.enabled:
            target = self.rules.net_worth.target.at(self.players)
            return target is not None and self.worth(player) - debts >= target
        return self.seats[player].cash - debts >= self.rules.winning.cash

    def stays_declared(self, player: int) -> bool:
        """Return whether a declared player still has enough (RB-W24, D34)."""
        net_worth_rules = self.rules.net_worth
        if net_worth_rules.enabled and net_worth_rules.undeclared_by == "cash":
            return self.seats[player].cash >= self.rules.winning.cash
        return self.can_win(player)
