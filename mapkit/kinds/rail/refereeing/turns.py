"""Turns of a match, checked by a referee (RB-S, RB-D, RB-M, RB-B, RB-W, RB-P13)."""

from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.model.match import Does, MatchEvent
from mapkit.kinds.rail.refereeing.log import BONUS_ROWS, Script
from mapkit.kinds.rail.refereeing.money import Cashier
from mapkit.kinds.rail.refereeing.position import Position, Seat
from mapkit.kinds.rail.refereeing.track import count_reused_pieces, find_way, follows_way, other_end

_LOOKUP_SIDES = 6
"""Of lookup dice (RB-D01)."""
_LOOKUP_WHITE_DICE = 2
"""White dice of a lookup."""


class Referee:
    """Checker of a match from its first roll.

    Attributes:
        turns: How many turns have begun.
        winner: Who won, once that is so.
    """

    def __init__(self, position: Position, script: Script) -> None:
        self._at = position
        self._script = script
        self._money = Cashier(position, script)
        self._rules = position.rules
        self.turns = 0
        self.winner: int | None = None

    def follow(self) -> None:
        """Follow the match to its end.

        Raises:
            IllegalError: A step breaks a rule.
            EndedError: The log ends before the match.
        """
        setup = self._rules.setup
        if not setup.min_players <= self._at.players <= setup.max_players:
            limits_text = f"these rules are for {setup.min_players} to {setup.max_players} players"
            self._script.refuse("RB-C20", f"{limits_text}, not {self._at.players}")
        first_player = self._first_player()
        playing_order = [(first_player - 1 + k) % self._at.players + 1 for k in range(self._at.players)]
        for player in playing_order:
            self._home(player)
        if self._rules.options.opening_auctions:
            self._opening_auctions(first_player)
        while self.winner is None:
            for player in playing_order:
                if self.winner is None and not self._at.seats[player].out:
                    self._turn(player)
        seat = self._at.seats[self.winner]
        is_alone = all(other.out for other in self._at.seats.values() if other is not seat)
        row = "RB-A17" if is_alone else "RB-W01"
        event = self._script.take("wins", self.winner, row, "the player is at home with what wins, or alone")
        self._money.check_amount(event, seat.cash, "RB-W01", "the player has")
        if not self._script.ended():
            self._script.accept()
            self._script.refuse("RB-W01", "the match is over; nothing comes after its win")

    def _first_player(self) -> int:
        """Read the rolls for the first turn (RB-S04)."""
        setup = self._rules.setup
        if self._script.lenient and self._script.does() != "rolls-first":
            first_player = self._script.player() or 1
            if self._script.does() == "first":
                self._script.accept()
            return first_player
        dice_count = 3 if setup.first_player == "three-dice" else self._rules.movement.dice
        while True:
            total_by_player: dict[int, int] = {}
            for player in self._at.seats:
                event = self._script.take("rolls-first", player, "RB-S04", "each rolls for the first turn")
                total_by_player[player] = self._whites(event, dice_count, self._rules.movement.die_sides, "RB-S04")
            best_players = [
                player for player, total in total_by_player.items() if total == max(total_by_player.values())
            ]
            if len(best_players) == 1 or not setup.reroll_ties:
                self._script.take(
                    "first", best_players[0], "RB-S04", f"{max(total_by_player.values())} is the highest roll"
                )
                return best_players[0]

    def _whites(self, event: MatchEvent, many: int, sides: int, rule: str) -> int:
        """Return the sum of an event's white dice after checking their number and total."""
        if self._script.lenient and event.dice is None and event.total is not None:
            return event.total
        total = self._sum(event.dice, many, sides, rule, "white")
        if event.total is not None and event.total != total:
            self._script.refuse(rule, f"the dice make {total}, not {event.total}")
        return total

    def _sum(self, dice: tuple[int, ...] | None, many: int, sides: int, rule: str, colour: str) -> int:
        pips = dice or ()
        if len(pips) != many or any(not 1 <= p <= sides for p in pips):
            shown_pips = ", ".join(map(str, pips)) or "none"
            self._script.refuse(rule, f"{colour} dice are {many} of {sides} sides, not {shown_pips}")
        return sum(pips)

    def _looked_up(self, event: MatchEvent, chart: str) -> str | None:
        """Return the result of an event's lookup dice in a chart (RB-D01, RB-D02); None if they may be left out."""
        if self._script.lenient and event.dice is None and event.coloured is None:
            return None
        coloured = self._sum(event.coloured, 1, _LOOKUP_SIDES, "RB-D01", "coloured")
        total = self._sum(event.dice, _LOOKUP_WHITE_DICE, _LOOKUP_SIDES, "RB-D01", "white")
        destination_chart = self._at.board.destinations[chart]
        return (destination_chart.odd if coloured % 2 else destination_chart.even)[str(total)]

    def _home(self, player: int) -> None:
        """Read the roll of a home city, again while it is taken (RB-S06 to RB-S08)."""
        while True:
            region, _ = self._region(player, "RB-S06")
            does: Does = "home-taken" if self._script.does() == "home-taken" else "home"
            event = self._script.take(does, player, "RB-S06", "each rolls a home city in turn")
            city = self._check_city(event, region, picked=False)
            is_taken = any(self._same_home(city, seat) for seat in self._at.seats.values())
            is_rerolled = is_taken and self._rules.setup.same_home == "reroll"
            if is_rerolled != (does == "home-taken"):
                self._script.refuse(
                    "RB-S07", f"{city} is {'taken' if is_taken else 'free'}, so it {self._stands(is_rerolled)}"
                )
            if not is_rerolled:
                break
        seat = self._at.seats[player]
        seat.home = seat.city = city
        seat.at = self._at.milepost(city)

    @staticmethod
    def _stands(again: bool) -> str:  # noqa: FBT001 - one word or the other
        return "is rolled again" if again else "stands"

    def _same_home(self, city: str, seat: Seat) -> bool:
        if not seat.home:
            return False
        are_twins = self._rules.setup.twins_are_one_home and self._at.milepost(seat.home) == self._at.milepost(city)
        return seat.home == city or are_twins

    def _region(self, player: int, row: str) -> tuple[str, bool]:
        """Read a region, rolled or picked by a player who rolled his own; return it and whether it was picked."""
        before_city = self._script.does() in ("home", "home-taken", "destination") and not self._script.lenient
        row = "RB-D01" if before_city and self._script.player() == player else row
        event = self._script.take("region", player, row, "a region is rolled before the city")
        rolled = self._looked_up(event, REGIONS)
        if rolled is None:
            return event.region or self._region_of_next_city(), bool(event.picked)
        seat = self._at.seats[player]
        is_own_region = bool(seat.city) and rolled == self._at.cities[seat.city].region
        may_pick = is_own_region and self._rules.destinations.choose_region_when_in_it
        if self._script.differs(event.picked, may_pick) and bool(event.picked) != may_pick:
            forbidding_row = "RB-D04" if seat.city else "RB-S13"
            self._script.refuse(forbidding_row, f"the dice give {rolled}, which the player {self._picks(may_pick)}")
        region = event.region
        if self._script.lenient and region is None:
            region = self._region_of_next_city() if may_pick else rolled
        if region not in self._at.board.destinations or region == REGIONS:
            self._script.refuse("RB-D01", f"the board has no region {region!r}")
        if not may_pick and region != rolled:
            self._script.refuse("RB-D01", f"the dice give {rolled}, not {region}")
        return region or "", may_pick

    def _region_of_next_city(self) -> str:
        """Return the region of the city that a log states next, if it states no region."""
        city = self._at.cities.get(self._script.city() or "")
        if city is None:
            self._script.refuse("RB-D01", "the log states neither a region nor a city of the board after it")
        return city.region

    @staticmethod
    def _picks(picks: bool) -> str:  # noqa: FBT001 - one word or the other
        return "is in, so he picks a region" if picks else "must take"

    def _check_city(self, event: MatchEvent, region: str, *, picked: bool) -> str:
        """Return the city of a lookup; without dice it must be in the chart of its region."""
        rolled = self._looked_up(event, region)
        if rolled is None:
            chart = self._at.board.destinations[region]
            if event.city not in (*chart.odd.values(), *chart.even.values()):
                self._script.refuse("RB-D01", f"the chart of {region} has no city {event.city}")
            return event.city or ""
        if self._script.differs(event.city, rolled):
            city = self._at.cities.get(event.city or "")
            is_elsewhere = picked and city is not None and city.region != region
            self._script.refuse("RB-D05" if is_elsewhere else "RB-D01", f"the dice give {rolled}, not {event.city}")
        return rolled

    def _opening_auctions(self, first: int) -> None:
        """Read an auction for each player (RB-V13)."""
        offered_railroads: set[str] = set()
        auction_count = min(self._at.players, sum(self._at.is_private(r) for r in self._at.railroads))
        for _ in range(auction_count):
            owner_before = dict(self._at.owner)
            railroad = self._money.auction(None, first)
            sold_railroads = [r for r, owner in self._at.owner.items() if owner != owner_before[r]]
            offered_railroad = railroad or sold_railroads[0]
            if offered_railroad in offered_railroads:
                self._script.refuse("RB-V13", f"{offered_railroad} was offered before")
            offered_railroads.add(offered_railroad)

    def _turn(self, player: int) -> None:
        """Read a turn (RB-P13)."""
        self._script.take("turn", player, "RB-S05", "turns go round")
        self.turns += 1
        position, seat = self._at, self._at.seats[player]
        position.debts = type(position.debts)()
        is_first_trip = seat.line is None and seat.goal is None and not seat.declared
        if seat.due:
            seat.due = False
            self._money.arrive(player, seat.goal or "", "RB-W23")
            self._money.purchases(player)
        if seat.goal is None:
            if not self._begin_trip(player, "RB-D07"):
                return
            swaps_home = self._script.does() == "swaps-home" and self._script.player() == player
            if is_first_trip and self._rules.setup.home_swap and swaps_home:
                self._swap(player)
        self._move(player)
        if self.winner is None:
            self._end_turn(player)

    def _refuse_poor(self, player: int, fees: int) -> None:
        if not self._at.can_win(player, fees):
            self._script.refuse("RB-W02", f"the player has {self._at.seats[player].cash:,}, too little to declare")

    def _begin_trip(self, player: int, row: str) -> bool:
        """Read a declaration and the destination; return whether the turn goes on (RB-D06, RB-W02 to RB-W06)."""
        position, seat = self._at, self._at.seats[player]
        seat.used, seat.homeward, seat.undeclared = set(), set(), False
        has_declared = self._script.does() == "declares" and self._script.player() == player
        if has_declared:
            self._script.accept()
            at_home = seat.at == position.milepost(seat.home)
            self._refuse_poor(player, position.due() if at_home else 0)
            seat.declared = True
            if at_home:
                self._money.pay(player)
                self._refuse_poor(player, 0)
                self.winner = player
                return False
        region, was_picked = self._region(player, "RB-W05" if has_declared else row)
        event = self._script.take("destination", player, row, "the city is rolled after its region")
        city = self._check_city(event, region, picked=was_picked)
        if self._script.differs(event.alternate, has_declared) and bool(event.alternate) != has_declared:
            self._script.refuse("RB-W05", f"the city is {'an alternate' if has_declared else 'a destination'}")
        is_same_city = position.milepost(city) == seat.at
        if has_declared or not is_same_city:
            seat.goal = city
        if not is_same_city or (has_declared and not self._rules.winning.same_alternate_loses_turn):
            return True
        row = "RB-W06" if has_declared else "RB-D06"
        self._script.take("loses-turn", player, row, "the train is in that city already")
        return False

    def _swap(self, player: int) -> None:
        """Read the exchange of home and first destination (RB-S11, RB-S12)."""
        position, seat = self._at, self._at.seats[player]
        event = self._script.accept()
        if self._script.differs(event.city, seat.goal):
            self._script.refuse("RB-S11", f"the first destination is {seat.goal}, not {event.city}")
        old_home, old_goal = seat.home, seat.goal or ""
        seat.home = seat.city = old_goal
        seat.goal, seat.at = old_home, position.milepost(old_goal)
        for railroad in position.railroads:
            if seat.at in position.touches[railroad]:
                seat.kept.pop(railroad, None)
                if self._rules.fees.bank < position.full_fee(player, railroad):
                    seat.kept[railroad] = self._rules.fees.bank
                    self._money.established(railroad, {player: self._rules.fees.bank}, {player: "RB-S12"})

    def _move(self, player: int) -> None:
        """Read the roll, the rides, and bonus rolls with their rides (RB-M01, RB-B01 to RB-B13)."""
        bonus_rules, seat = self._rules.bonus, self._at.seats[player]
        trigger = getattr(bonus_rules, seat.engine)
        event = self._script.take("rolls", player, "RB-M01", "the turn begins with a roll")
        total = self._whites(event, self._rules.movement.dice, self._rules.movement.die_sides, "RB-M01")
        earns_bonus = bool(event.bonus) if event.dice is None else self._earns(trigger, event.dice)
        if self._script.differs(event.bonus, earns_bonus) and bool(event.bonus) != earns_bonus:
            earned = "earns a" if earns_bonus else "earns no"
            self._script.refuse(BONUS_ROWS[seat.engine], f"this roll of {seat.engine} {earned} bonus")
        early_bonus = None
        superchief_timing = bonus_rules.superchief_timing
        is_bonus_first = superchief_timing == "with-normal-roll" or (
            superchief_timing == "either" and self._script.does() == "bonus"
        )
        if earns_bonus and trigger == "always" and is_bonus_first:
            early_bonus = self._bonus(player, "RB-B05")
        has_ended = self._ride(player, total) and self._arrive(player, pending=earns_bonus)
        for _ in range(bonus_rules.rolls_per_turn if earns_bonus and not has_ended else 0):
            if seat.goal is None and not self._begin_trip(player, "RB-B10"):
                return
            bonus_total = early_bonus if early_bonus is not None else self._bonus(player, "RB-B08")
            early_bonus = None
            if self._ride(player, bonus_total):
                self._arrive(player, pending=False)
                return

    @staticmethod
    def _earns(trigger: str, dice: tuple[int, ...]) -> bool:
        if trigger == "always":
            return True
        return dice.count(_LOOKUP_SIDES) > 1 if trigger == "double-six" else len(set(dice)) < len(dice)

    def _bonus(self, player: int, row: str) -> int:
        event = self._script.take("bonus", player, row, "the bonus is rolled, and must be")
        if self._script.lenient and event.coloured is None and event.total is not None:
            return event.total
        total = self._sum(event.coloured, self._rules.bonus.dice, self._rules.movement.die_sides, "RB-B04", "coloured")
        if self._script.differs(event.total, total):
            self._script.refuse("RB-B04", f"the dice make {total}, not {event.total}")
        return total

    def _ride(self, player: int, mileposts: int) -> bool:
        """Read the rides of a roll; return whether the train is at its city, or at home (RB-M04 to RB-M12)."""
        seat = self._at.seats[player]
        goal_milepost = self._at.milepost((seat.home if seat.declared else seat.goal) or "")
        for mileposts_left in range(mileposts, 0, -1):
            if seat.at == goal_milepost:
                return True
            self._step(player, seat, goal_milepost, mileposts_left)
        return seat.at == goal_milepost

    def _step(self, player: int, seat: Seat, goal: str, left: int) -> None:
        position, script = self._at, self._script
        event = script.take("rides", player, "RB-M11", f"{left} mileposts of the roll are left")
        segment = position.segments.get(event.segment or "")
        if segment is None or seat.at not in (segment.a, segment.b):
            script.refuse("RB-M04", f"{event.segment} does not lead from {seat.at}")
        next_milepost = other_end(segment, seat.at)
        if event.milepost != next_milepost:
            script.refuse("RB-M04", f"{segment.id} leads from {seat.at} to {next_milepost}, not to {event.milepost}")
        if event.railroad not in (None, segment.railroad):
            script.refuse("RB-M04", f"{segment.id} is of {segment.railroad}, not of {event.railroad}")
        reused_count = count_reused_pieces(position, seat, segment.id)
        if reused_count is None:
            row = "RB-W21" if seat.undeclared else "RB-M07"
            script.refuse(row, f"track of {segment.id} was ridden before on this trip")
        shortest_way = find_way(position, seat, seat.at, goal) if seat.undeclared else None
        seat.used.update(segment.pieces)
        if seat.declared:
            seat.homeward.update(segment.pieces)
        row = position.fee_row(player, segment.railroad, event.amount)
        fee = position.ride(player, segment.railroad)
        self._money.check_amount(event, fee, row, f"a turn on {segment.railroad} costs")
        seat.at = next_milepost
        self._check_way(seat, segment.id, goal, reused_count, shortest_way[0] if shortest_way else None)
        self._catch(player)

    def _check_way(self, seat: Seat, ridden: str, goal: str, again: int, least: int | None) -> None:
        """Raise if the city is out of reach after a step, or within reach only by reusing more track than needed."""
        if not seat.undeclared and follows_way(self._at, seat, ridden, goal):
            return
        way_found = find_way(self._at, seat, seat.at, goal)
        if way_found is None:
            self._script.refuse("RB-M10", f"from {seat.at} no way leads on without using track twice")
        reused_later, seat.way = way_found
        seat.way_to = goal
        if least is not None and again + reused_later > least:
            self._script.refuse("RB-W21", f"there is a way that uses {least} pieces again, not {again + reused_later}")

    def _catch(self, player: int) -> None:
        """Read the catching of declared trains at the milepost (RB-W13 to RB-W20)."""
        position, seat = self._at, self._at.seats[player]
        for caught_player, caught_seat in position.seats.items():
            if caught_player == player or not caught_seat.declared or caught_seat.out or caught_seat.at != seat.at:
                continue
            event = self._script.take("catches", player, "RB-W13", f"the declared player {caught_player} is there")
            if self._script.differs(event.other, caught_player):
                self._script.refuse("RB-W13", f"player {caught_player} is caught, not player {event.other}")
            rover_payment = min(self._rules.winning.rover_payment, caught_seat.cash)
            self._money.check_amount(event, rover_payment, "RB-W14", "the rover payment is")
            caught_seat.cash -= rover_payment
            seat.cash += rover_payment
            self._money.check_cash(event, player)
            self._money.announce(player)
            self._undeclare(caught_player, "RB-W20")

    def _undeclare(self, player: int, row: str) -> None:
        """Read the loss of declared status (RB-W10, RB-W20, RB-W23, RB-W24)."""
        seat = self._at.seats[player]
        self._script.take("undeclared", player, row, "the player is declared no more")
        seat.declared = False
        if seat.goal is not None:
            seat.undeclared = True
            seat.due = seat.at == self._at.milepost(seat.goal)

    def _arrive(self, player: int, *, pending: bool) -> bool:
        """Read an arrival; return whether the turn's movement ends (RB-P01, RB-W08, RB-W10)."""
        position, seat = self._at, self._at.seats[player]
        if not seat.declared:
            self._money.arrive(player, seat.goal or "", "RB-M12")
            self._money.purchases(player)
            return False
        if seat.goal is not None and position.milepost(seat.goal) == seat.at:
            self._money.arrive(player, seat.goal, "RB-W08")
            self._money.purchases(player)
        if not pending:
            return True
        if self._rules.winning.bonus_pending_at_home == "fees-first" and position.can_win(player, position.due()):
            return True
        self._undeclare(player, "RB-W10")
        return False

    def _end_turn(self, player: int) -> None:
        """Read fees, sales, and a win or the loss of declared status (RB-F01, RB-W01, RB-W24, RB-A17)."""
        position, seat = self._at, self._at.seats[player]
        if not self._money.settle(player):
            players_left = [n for n, other in position.seats.items() if not other.out]
            if len(players_left) == 1:
                self.winner = players_left[0]
            return
        self._money.announce(player)
        if not seat.declared:
            return
        at_home = seat.at == position.milepost(seat.home)
        if at_home and position.can_win(player):
            self.winner = player
        elif at_home or not position.stays_declared(player):
            self._undeclare(player, "RB-W24")
        if seat.goal is None:
            seat.used, seat.homeward, seat.undeclared = set(), set(), False
