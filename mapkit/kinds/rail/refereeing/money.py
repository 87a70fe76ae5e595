"""Payoffs, purchases, sales, auctions and fees in a referee's checks (RB-P, RB-F, RB-A, RB-T)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from mapkit.kinds.rail.model.match import Does, MatchEvent
from mapkit.kinds.rail.refereeing.log import Script
from mapkit.kinds.rail.refereeing.position import BANK, Position
from mapkit.kinds.rail.rules.play import Engine

_FEE_SALE_STEPS: Final = ("bids", "passes", "auctioned", "no-bid", "sells-back", "sells-engine", "bankrupt")


class Cashier:
    """Checker of the money of a match."""

    def __init__(self, position: Position, script: Script) -> None:
        self._at = position
        self._script = script

    def check_cash(self, event: MatchEvent, player: int) -> None:
        """Raise if an event states the wrong cash."""
        self._script.check_cash(player, self._at.seats[player].cash, event.cash)

    def check_amount(self, event: MatchEvent, amount: int, rule: str, what: str) -> None:
        """Raise if an event has another amount."""
        if self._script.differs(event.amount, amount):
            self._script.refuse(rule, f"{what} {amount:,}, not {self._said(event.amount)}")

    @staticmethod
    def _said(amount: int | None) -> str:
        return "nothing" if amount is None else f"{amount:,}"

    def arrive(self, player: int, city: str, row: str) -> None:
        """Read an arrival: payoff, then announcements (RB-P01, RB-W22, RB-I01)."""
        event = self._script.take("arrives", player, row, "the train is there")
        if self._script.differs(event.city, city):
            self._script.refuse("RB-M12", f"the destination is {city}, not {event.city}")
        seat = self._at.seats[player]
        amount = self._at.payoff(seat.city, city)
        self.check_amount(event, amount, "RB-P01", f"{seat.city} - {city} pays")
        seat.cash += amount
        self.check_cash(event, player)
        seat.city, seat.goal, seat.undeclared = city, None, False
        self.announce(player)

    def announce(self, player: int) -> None:
        """Read a required announcement: of cash (RB-I01, RB-I02), or of net worth if that wins (RB-V10)."""
        seat, information_rules, net_worth_rules = (
            self._at.seats[player],
            self._at.rules.information,
            self._at.rules.net_worth,
        )
        if net_worth_rules.enabled:
            if seat.cash > net_worth_rules.announce_cash:
                event = self._script.take("announces", player, "RB-V10", f"the player has {seat.cash:,}")
                self.check_amount(event, self._at.worth(player), "RB-V10", "the player's net worth is")
            return
        has_reached_limit = seat.cash >= information_rules.announce_cash
        is_above_limit = has_reached_limit and (
            information_rules.announce_when == "reached" or seat.cash > information_rules.announce_cash
        )
        if is_above_limit and not (seat.announced and information_rules.announce_times == "once"):
            event = self._script.take("announces", player, "RB-I01", f"the player has {seat.cash:,}")
            self.check_amount(event, seat.cash, "RB-I03", "the player has")
            seat.announced = True

    def purchases(self, player: int) -> None:
        """Read the purchases of a player on arrival (RB-P03)."""
        for _ in range(self._at.rules.purchase.per_payoff):
            if self._script.player() != player:
                return
            if self._script.does() == "engine":
                self._engine(player)
            elif self._script.does() == "buys":
                self._railroads(player)
            else:
                return

    def _engine(self, player: int) -> None:
        event = self._script.accept()
        seat = self._at.seats[player]
        new_engine: Engine | None = event.engine
        price = self._engine_price(seat.engine, new_engine)
        if new_engine is None or price is None:
            self._script.refuse("RB-P07", f"{new_engine} is not for sale to who has {seat.engine}")
        titles_left = self._at.titles[new_engine]
        if titles_left is not None and titles_left <= 0:
            self._script.refuse("RB-C15", f"the bank has no title of {new_engine} left")
        self.check_amount(
            event, price, self._price_row(seat.engine, new_engine, event.amount or 0), f"{new_engine} costs"
        )
        self._pay(player, price, f"{new_engine} costs")
        self._count_title(new_engine, -1)
        if self._gives_up_express(seat.engine, new_engine):
            self._count_title("express", 1)
        seat.engine = new_engine
        self.check_cash(event, player)

    def _gives_up_express(self, now: Engine, wanted: Engine) -> bool:
        rules = self._at.rules
        has_trade_in = rules.options.free_upgrade or rules.purchase.express_trade_in > 0
        return now == "express" and wanted == "superchief" and has_trade_in

    def _count_title(self, engine: Engine, change: int) -> None:
        title_count = self._at.titles[engine]
        if title_count is not None:
            self._at.titles[engine] = title_count + change

    def _engine_price(self, now: Engine, wanted: Engine | None) -> int | None:
        """Return the price of an engine for an owner of another (RB-P04 to RB-P07, RB-V11); None if not for sale."""
        rules = self._at.rules
        full_price = rules.superchief_price(self._at.players)
        prices: dict[tuple[str, str | None], int] = {
            ("freight", "express"): rules.purchase.express_price,
            ("freight", "superchief"): full_price,
            ("express", "superchief"): 0
            if rules.options.free_upgrade
            else full_price - rules.purchase.express_trade_in,
        }
        if rules.purchase.second_superchief:
            prices["superchief", "superchief"] = full_price
        return prices.get((now, wanted))

    def _price_row(self, now: Engine, wanted: Engine, stated: int) -> str:
        """Return the row of the price of an engine."""
        options, trade_in = self._at.rules.options, now == "express" and wanted == "superchief"
        if wanted == "express":
            return "RB-P04"
        if trade_in and options.free_upgrade:
            return "RB-V11"
        if options.superchief_by_players:
            return "RB-V08"
        return "RB-P06" if trade_in and stated < self._at.rules.purchase.superchief_price else "RB-P05"

    def _pay(self, player: int, amount: int, what: str) -> None:
        seat = self._at.seats[player]
        if amount > seat.cash:
            self._script.refuse("RB-P08", f"{what} {amount:,}, and player {player} has {seat.cash:,}")
        seat.cash -= amount

    def _railroads(self, player: int) -> None:
        """Read the purchase of a railroad, or of a group's railroads that the bank holds (RB-V01)."""
        first_event = self._script.accept()
        if first_event.group is None:
            railroad = self._for_sale(first_event, "RB-P03")
            group_rules = self._at.rules.group_purchase
            if (
                group_rules.enabled
                and not group_rules.single_purchases
                and any(railroad in g.members for g in group_rules.groups)
            ):
                self._script.refuse("RB-V01", f"{railroad} is sold with its group only")
            self._bought(first_event, player, railroad, self._at.railroads[railroad].price, "RB-C12")
        else:
            self._group(first_event, player)
        self.count_purchase(1)

    def _group(self, first: MatchEvent, player: int) -> None:
        group_rules = self._at.rules.group_purchase
        group = next((g for g in group_rules.groups if group_rules.enabled and g.name == first.group), None)
        if group is None:
            self._script.refuse("RB-V01", f"no group {first.group!r} is sold by these rules")
        railroads_for_sale = [r for r in self._at.railroads if r in group.members and self._at.for_sale(r)]
        if not railroads_for_sale:
            self._script.refuse("RB-V01", f"the bank holds no railroad of {group.name}")
        price, event = group.price, first
        for number, railroad in enumerate(railroads_for_sale):
            if number > 0:
                event = self._script.take("buys", player, "RB-V01", f"{group.name} has {railroad} too")
            if self._script.differs(event.railroad, railroad) or event.group != group.name:
                self._script.refuse("RB-V01", f"{group.name} brings {railroad} here, not {event.railroad}")
            self._bought(event, player, railroad, price, "RB-V01")
            price = 0

    def _for_sale(self, event: MatchEvent, row: str) -> str:
        railroad = event.railroad
        if railroad not in self._at.railroads:
            self._script.refuse(row, f"the board has no railroad {railroad!r}")
        if not self._at.is_private(railroad):
            self._script.refuse("RB-P10", f"{railroad} is public and never for sale")
        if self._at.owner[railroad] != BANK:
            self._script.refuse(row, f"{railroad} is not the bank's: player {self._at.owner[railroad]} owns it")
        return railroad

    def _bought(self, event: MatchEvent, player: int, railroad: str, price: int, rule: str) -> None:
        self.check_amount(event, price, rule, f"{railroad} costs")
        self._pay(player, price, f"{railroad} costs")
        self.check_cash(event, player)
        self._at.bought.add(railroad)
        self.established(railroad, self._at.hand_over(railroad, player))
        self.raised()

    def established(self, railroad: str, kept: dict[int, int], rows: Mapping[int, str] = MappingProxyType({})) -> None:
        """Read the fees that players keep on a railroad.

        Args:
            railroad: It changed hands, or its fee rises.
            kept: Player -> the fee that stays.
            rows: Player -> the row that says so, if it is not that of established trains (RB-F11).
        """
        for player, fee in sorted(kept.items()):
            row = rows.get(player, "RB-F11")
            event = self._script.take("established", player, row, f"the train stands on {railroad}")
            if self._script.differs(event.railroad, railroad):
                self._script.refuse(row, f"the fee stays on {railroad} here, not on {event.railroad}")
            self.check_amount(event, fee, row, f"the fee on {railroad} stays")

    def raised(self) -> None:
        """Read the rise or fall of fees, if it is due (RB-F05 to RB-F07)."""
        changed, kept = self._at.set_raised()
        for player, railroad, fee in kept:
            self.established(railroad, {player: fee})
        if changed:
            does: Does = "fees-rise" if self._at.raised else "fees-fall"
            self._script.take(does, None, "RB-F06", "that was the last railroad" if self._at.raised else "")

    def count_purchase(self, change: int) -> None:
        """Count purchases, and read gifts to the third owner (RB-T02 to RB-T05)."""
        position, third_owner_rules = self._at, self._at.rules.two_players
        position.purchases += change
        if not third_owner_rules.third_owner or position.players != len(position.seats) or position.players > 2:  # noqa: PLR2004 - for two
            return
        later_purchases = position.purchases - third_owner_rules.first_gift_after
        due_gifts = 0 if later_purchases < 0 else 1 + later_purchases // third_owner_rules.gift_every
        while position.gifts < due_gifts:
            position.gifts += 1
            if not any(position.for_sale(r) for r in position.railroads):
                return
            event = self._script.take("given", position.third, "RB-T03", f"{position.purchases} purchases are made")
            railroad = self._for_sale(event, "RB-T04")
            position.bought.add(railroad)
            self.established(railroad, position.hand_over(railroad, position.third))
            self.raised()

    def settle(self, player: int) -> bool:
        """Read sales for fees, and fees; return whether the player goes on (RB-F01, RB-A01 to RB-A15)."""
        position, seat = self._at, self._at.seats[player]
        cash_before, owed_before, has_sold = seat.cash, position.owed(), False
        while seat.cash < position.owed() and (
            position.rules.fees.compulsory or self._script.does() in _FEE_SALE_STEPS
        ):
            has_sold, owned_railroads = True, [r for r, owner in position.owner.items() if owner == player]
            if owned_railroads:
                self._sell(player)
            elif position.rules.auction.engines_for_sale and seat.engine != position.rules.setup.starting_engine:
                self._sell_engine(player)
            else:
                self._bankrupt(player)
                return False
        may_lapse = has_sold and position.owed() == owed_before and not position.rules.fees.compulsory
        paid_fees = self.pay(player)
        if may_lapse and paid_fees <= cash_before and not self._script.ended():
            self._script.refuse(
                "RB-A01", f"player {player} sold, had {cash_before:,} and was asked for fees of {paid_fees:,} only"
            )
        return True

    def _sell(self, player: int) -> None:
        """Read the sale of a railroad, to the bank or by auction."""
        if self._script.does() in ("bids", "passes", "auctioned", "no-bid"):
            railroad = self.auction(player, player % self._at.players + 1)
            is_withdrawn = self._at.rules.auction.withdrawal and self._script.does() != "sells-back"
            if railroad is None or is_withdrawn:
                return
            event = self._script.take("sells-back", player, "RB-A11", "nobody bid, so the bank buys")
            if event.railroad != railroad:
                self._script.refuse("RB-A10", f"{railroad} was offered, not {event.railroad}")
        else:
            event = self._script.take("sells-back", player, "RB-A01", self._short(player))
        railroad = event.railroad
        if railroad is None or self._at.owner.get(railroad) != player:
            self._script.refuse("RB-A02", f"player {player} does not own {railroad}")
        amount = self._at.railroads[railroad].price * self._at.rules.auction.sell_back_percent // 100
        self.check_amount(event, amount, "RB-A03", f"the bank pays for {railroad}")
        self._at.seats[player].cash += amount
        self.check_cash(event, player)
        self.established(railroad, self._at.hand_over(railroad, BANK))
        self.raised()
        self.count_purchase(-1)

    def _short(self, player: int) -> str:
        return f"fees of {self._at.owed():,} are due, and the player has {self._at.seats[player].cash:,}"

    def auction(self, seller: int | None, first: int) -> str | None:
        """Read the bids for a railroad; return the railroad if there is no bid, else None (RB-A05 to RB-A11, RB-V13).

        Args:
            seller: Who sells; None is the bank, before the first turn.
            first: Who may bid first.
        """
        position, script, auction_rules = self._at, self._script, self._at.rules.auction
        railroad: str | None = None
        highest_bid, buyer, pass_count, player = 0, 0, 0, first
        players_out: set[int] = set()
        if script.lenient and script.does() == "auctioned":
            self._auction_by_result(seller)
            return None
        while pass_count < position.players:
            may_bid = player not in (seller, buyer) and not position.seats[player].out and player not in players_out
            if may_bid and script.player() == player and script.does() == "bids":
                event = script.accept()
                railroad = self._offered(event, railroad, seller)
                self._check_bid(event, railroad, highest_bid)
                highest_bid, buyer, pass_count = event.amount or 0, player, 0
            else:
                if may_bid:
                    event = script.take(
                        "passes", player, "RB-A07" if seller else "RB-V13", "it is the player's turn to bid"
                    )
                    railroad = self._offered(event, railroad, seller)
                    if auction_rules.passing == "out":
                        players_out.add(player)
                pass_count += 1
            player = player % position.players + 1
        if buyer == 0:
            event = script.take("no-bid", seller, "RB-A11", "nobody bid")
            return self._offered(event, railroad, seller)
        self._sold(
            self._script.take("auctioned", seller, "RB-A08", "all others passed"), railroad, seller, buyer, highest_bid
        )
        return None

    def _auction_by_result(self, seller: int | None) -> None:
        """Read an auction of which the log states only buyer and price."""
        event = self._script.accept()
        railroad = self._offered(event, None, seller)
        if event.other not in self._at.seats or event.other == seller:
            self._script.refuse("RB-A07", f"player {event.other} cannot bid")
        self._check_bid(event.model_copy(update={"player": event.other}), railroad, 0)
        self._sold(event, railroad, seller, event.other, event.amount or 0)

    def _offered(self, event: MatchEvent, railroad: str | None, seller: int | None) -> str:
        railroad_id = event.railroad
        if railroad is not None and railroad_id != railroad:
            self._script.refuse("RB-A10", f"{railroad} is offered, not {railroad_id}")
        if railroad_id not in self._at.owner or self._at.owner[railroad_id] != (seller or BANK):
            self._script.refuse("RB-A02", f"{railroad_id} is not the seller's")
        if seller is None and not self._at.is_private(railroad_id):
            self._script.refuse("RB-V13", f"{railroad_id} is public and never for sale")
        return railroad_id

    def _check_bid(self, event: MatchEvent, railroad: str, high: int) -> None:
        auction_rules, amount, player = self._at.rules.auction, event.amount or 0, event.player or 0
        opening_bid = max(1, self._at.railroads[railroad].price * auction_rules.opening_percent // 100)
        if high == 0 and amount < opening_bid:
            self._script.refuse("RB-A05", f"the first bid for {railroad} is {opening_bid:,} at least, not {amount:,}")
        if high and auction_rules.bid_rule == "at-least-step" and amount < high + auction_rules.bid_step:
            self._script.refuse(
                "RB-A06", f"a bid after {high:,} is {high + auction_rules.bid_step:,} at least, not {amount:,}"
            )
        if auction_rules.bid_rule == "multiple-of-step" and (amount <= high or amount % auction_rules.bid_step):
            self._script.refuse(
                "RB-A06", f"a bid after {high:,} is higher and a multiple of {auction_rules.bid_step:,}, not {amount:,}"
            )
        if amount > self._at.seats[player].cash:
            player_cash = self._at.seats[player].cash
            self._script.refuse("RB-A09", f"player {player} has {player_cash:,} and cannot bid {amount:,}")

    def _sold(self, event: MatchEvent, railroad: str | None, seller: int | None, buyer: int, amount: int) -> None:
        position = self._at
        if self._script.differs(event.railroad, railroad) or railroad is None:
            self._script.refuse("RB-A10", f"{railroad} is offered, not {event.railroad}")
        if self._script.differs(event.other, buyer):
            self._script.refuse("RB-A08", f"player {buyer} bid most, not player {event.other}")
        self.check_amount(event, amount, "RB-A08", "the highest bid is")
        position.seats[buyer].cash -= amount
        if seller is None:
            position.bought.add(railroad)
            self.established(railroad, position.hand_over(railroad, buyer))
        else:
            position.seats[seller].cash += amount
            self.check_cash(event, seller)
            row_by_player = dict.fromkeys(position.seats, "RB-A13") | {seller: "RB-A14"}
            self.established(railroad, position.hand_over_auctioned(railroad, seller, buyer), row_by_player)
        self.raised()

    def _sell_engine(self, player: int) -> None:
        event = self._script.take("sells-engine", player, "RB-A02", self._short(player))
        seat, rules = self._at.seats[player], self._at.rules
        full_price = rules.superchief_price(self._at.players)
        engine_price = {"freight": 0, "express": rules.purchase.express_price, "superchief": full_price}[seat.engine]
        if event.engine != seat.engine:
            self._script.refuse("RB-A02", f"the player has {seat.engine}, not {event.engine}")
        amount = engine_price * rules.auction.sell_back_percent // 100
        self.check_amount(event, amount, "RB-A03", f"{seat.engine} brings")
        seat.cash += amount
        self._count_title(seat.engine, 1)
        seat.engine = rules.setup.starting_engine
        self.check_cash(event, player)

    def _bankrupt(self, player: int) -> None:
        event = self._script.take("bankrupt", player, "RB-A15", self._short(player))
        seat = self._at.seats[player]
        self.check_amount(event, seat.cash, "RB-A16", "the player has")
        if self._at.rules.auction.bankrupt_cash == "to-bank":
            seat.cash = 0
        if event.cash is not None and event.cash != seat.cash:
            self._script.refuse("RB-A16", f"player {player} has {seat.cash:,} then, not {event.cash:,}")
        seat.out, seat.declared, seat.goal = True, False, None

    def pay(self, player: int) -> int:
        """Read the fees of a turn and return their sum (RB-F02 to RB-F05, RB-F10, RB-T06)."""
        position = self._at
        to_bank = position.debts.to_bank(position.rules.fees.own)
        paid_fees = 0
        if to_bank and self._is_asked("pays-bank"):
            event = self._script.take("pays-bank", player, "RB-F02", f"the turn's rides cost {to_bank:,}")
            self.check_amount(event, to_bank, "RB-F02", "the fee to the bank is")
            paid_fees += self._paid(event, player, to_bank)
        for owner, fee in sorted(position.debts.owners.items()):
            if fee == 0 or not self._is_asked("pays-fee", owner):
                continue
            row = position.debts.rows[owner]
            event = self._script.take("pays-fee", player, row, f"player {owner} is owed {fee:,}")
            if self._script.differs(event.other, owner):
                self._script.refuse("RB-F09", f"player {owner} is owed, not player {event.other}")
            self.check_amount(event, fee, row, "the fee is")
            paid_fees += self._paid(event, player, fee)
            if owner in position.seats:
                position.seats[owner].cash += fee
                self.announce(owner)
            else:
                self._share(3 - player, fee)
        return paid_fees

    def _is_asked(self, does: Does, owner: int | None = None) -> bool:
        """Return whether a fee is due, or the next step pays it: if fees are not compulsory, others lapse."""
        return self._at.rules.fees.compulsory or (self._script.does(), self._script.other()) == (does, owner)

    def _paid(self, event: MatchEvent, player: int, fee: int) -> int:
        seat = self._at.seats[player]
        if fee > seat.cash:
            self._script.refuse("RB-A01", f"player {player} has {seat.cash:,} for a fee of {fee:,}, and sells first")
        seat.cash -= fee
        self.check_cash(event, player)
        return fee

    def _share(self, other: int, fee: int) -> None:
        share_due = fee - fee * self._at.rules.two_players.fee_to_bank_percent // 100
        event = self._script.take("gets-share", other, "RB-T06", f"of the third owner's fee {share_due:,} are due")
        self.check_amount(event, share_due, "RB-T06", "the share is")
        self._at.seats[other].cash += share_due
        self.check_cash(event, other)
        self.announce(other)
