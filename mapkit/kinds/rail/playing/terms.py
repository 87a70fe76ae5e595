"""Rules of a match as numbers."""

from typing import NamedTuple

import numpy as np

from mapkit.core.arrays import Ints
from mapkit.core.errors import BoardError, RulesError
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances
from mapkit.kinds.rail.playing.track import Flags
from mapkit.kinds.rail.rules.gaps import figure, net_worth_to_win
from mapkit.kinds.rail.rules.play import Trigger
from mapkit.kinds.rail.rules.rules import Rules
from mapkit.playing.compiling import packing

FREIGHT, EXPRESS, SUPERCHIEF = range(3)
DOUBLE_SIX, ANY_DOUBLE, ALWAYS = range(3)
WITH_ROLL, AFTER_MOVE, EITHER = range(3)
FREE, OWN_FEE, BANK_FEE = range(3)
"""The seller's ride on a railroad that he auctions (RB-A14)."""
UNLIMITED = 1 << 40

_ENGINE_NUMBERS = {"freight": FREIGHT, "express": EXPRESS, "superchief": SUPERCHIEF}
_TRIGGER_NUMBERS: dict[Trigger, int] = {"double-six": DOUBLE_SIX, "any-double": ANY_DOUBLE, "always": ALWAYS}
_TIMING_NUMBERS = {"with-normal-roll": WITH_ROLL, "after-normal-move": AFTER_MOVE, "either": EITHER}
_RIDE_NUMBERS = {"free": FREE, "own-fee": OWN_FEE, "bank-fee": BANK_FEE}


class Terms(NamedTuple):
    """Rules that a match reads; amounts in currency units, flags as 0 and 1."""

    players: int
    cash: int
    """RB-S01, RB-V12."""
    engine: int
    first_dice: int
    """RB-S04: dice for the first player."""
    reroll_ties: int
    homes_differ: int
    """RB-S07."""
    twins_are_one: int
    """RB-S08."""
    home_swap: int
    choose_region: int
    """RB-D04."""
    dice: int
    sides: int
    once: int
    """RB-M07: track is used once a trip."""
    trigger: Ints
    """RB-B01 to RB-B03, by engine."""
    bonus_dice: int
    timing: int
    bonuses: int
    """RB-B07."""
    purchases: int
    """RB-P03."""
    express_price: int
    superchief_price: int
    trade_in: int
    free_upgrade: int
    second_superchief: int
    titles: int
    """RB-C15: of each engine."""
    for_sale: Flags
    """Each railroad, by RB-P10."""
    bank_fee: int
    own_fee: int
    fee: int
    raised_fee: int
    all_bought_once: int
    """RB-F06."""
    raised_stays: int
    line_in_use: int
    """RB-F12: established on the line in use only."""
    engines_sold: int
    sell_back_percent: int
    opening_percent: int
    bid_step: int
    multiples: int
    may_return: int
    former_fee: int
    """RB-A13."""
    seller_ride: int
    cash_kept: int
    """RB-A16."""
    announce: int
    announce_above: int
    announce_once: int
    announce_worth: int
    """RB-V10."""
    win_cash: int
    rover: int
    alternate_loses_turn: int
    fees_first: int
    """RB-W10."""
    reuse_of_trip: int
    """RB-W21: any segment of the trip, not only those used while heading home."""
    net_worth: int
    """RB-V09: net worth that wins, or 0 if cash does."""
    undeclared_by_cash: int
    opening_auctions: int
    singles: int
    """RB-V01: members of groups are sold alone too."""
    group_price: Ints
    group_has: Flags
    """Groups x railroads."""
    third_owner: int
    first_gift: int
    gift_every: int
    gift_to_bank: int
    """RB-T06: the bank's share, percent."""
    rebate: int
    """Not a rule: above 0, a trial is played, in which one player gets this rebate for each railroad, and another never
    buys it."""


pack_terms = packing(Terms)


def make_terms(board: Board, rules: Rules, players: int) -> Terms:
    """Return the rules of a match for a number of players.

    Raises:
        RulesError: So many cannot play by these rules.
        BoardError: It has too few cities for so many homes.
        GapError: A figure that the match needs is not given.
    """
    setup, move, bonus, buy, fees = rules.setup, rules.movement, rules.bonus, rules.purchase, rules.fees
    sale, info, win, options, pair = rules.auction, rules.information, rules.winning, rules.options, rules.two_players
    if not setup.min_players <= players <= setup.max_players:
        raise RulesError(
            f"{players} players: these rules are for {setup.min_players} to {setup.max_players}; "
            "set setup.min_players and setup.max_players, or choose another number"
        )
    _refuse_few_homes(board, rules, players)
    title_count = UNLIMITED
    if setup.engine_titles is not None or buy.second_superchief:
        title_count = int(str(figure(rules, "setup.engine_titles")))
    sold_groups = [g for g in rules.group_purchase.groups if rules.group_purchase.enabled]
    railroad_ids = [r.id for r in board.railroads]
    group_has = np.array([[ident in g.members for ident in railroad_ids] for g in sold_groups], np.uint8).reshape(
        -1, len(railroad_ids)
    )
    return Terms(
        players=players,
        cash=setup.starting_cash + options.extra_starting_cash,
        engine=_ENGINE_NUMBERS[setup.starting_engine],
        first_dice=3 if setup.first_player == "three-dice" else move.dice,
        reroll_ties=int(setup.reroll_ties),
        homes_differ=int(setup.same_home == "reroll"),
        twins_are_one=int(setup.twins_are_one_home),
        home_swap=int(setup.home_swap),
        choose_region=int(rules.destinations.choose_region_when_in_it),
        dice=move.dice,
        sides=move.die_sides,
        once=int(move.segment_reuse == "once-per-trip"),
        trigger=np.array([_TRIGGER_NUMBERS[t] for t in (bonus.freight, bonus.express, bonus.superchief)], np.int64),
        bonus_dice=bonus.dice,
        timing=_TIMING_NUMBERS[bonus.superchief_timing],
        bonuses=bonus.rolls_per_turn,
        purchases=buy.per_payoff,
        express_price=buy.express_price,
        superchief_price=rules.superchief_price(players),
        trade_in=buy.express_trade_in,
        free_upgrade=int(options.free_upgrade),
        second_superchief=int(buy.second_superchief),
        titles=title_count,
        for_sale=np.array([buy.public_for_sale or not r.public for r in board.railroads], np.uint8),
        bank_fee=fees.bank,
        own_fee=fees.own,
        fee=fees.opponent,
        raised_fee=fees.opponent_after_sell_out,
        all_bought_once=int(fees.sell_out == "all-bought-once"),
        raised_stays=int(fees.raised_fee_stays),
        line_in_use=int(fees.established_on == "line-in-use"),
        engines_sold=int(sale.engines_for_sale),
        sell_back_percent=sale.sell_back_percent,
        opening_percent=sale.opening_percent,
        bid_step=sale.bid_step,
        multiples=int(sale.bid_rule == "multiple-of-step"),
        may_return=int(sale.passing == "may-return"),
        former_fee=int(sale.others_on_it == "former-fee"),
        seller_ride=_RIDE_NUMBERS[sale.seller_ride],
        cash_kept=int(sale.bankrupt_cash == "kept"),
        announce=info.announce_cash,
        announce_above=int(info.announce_when == "exceeded"),
        announce_once=int(info.announce_times == "once"),
        announce_worth=rules.net_worth.announce_cash,
        win_cash=win.cash,
        rover=win.rover_payment,
        alternate_loses_turn=int(win.same_alternate_loses_turn),
        fees_first=int(win.bonus_pending_at_home == "fees-first"),
        reuse_of_trip=int(win.reuse_to_alternate == "segments-of-trip"),
        net_worth=net_worth_to_win(rules, players) if rules.net_worth.enabled else 0,
        undeclared_by_cash=int(rules.net_worth.enabled and rules.net_worth.undeclared_by == "cash"),
        opening_auctions=int(options.opening_auctions),
        singles=int(rules.group_purchase.single_purchases),
        group_price=np.array([g.price for g in sold_groups], np.int64),
        group_has=group_has,
        third_owner=int(pair.third_owner and players == 2),  # noqa: PLR2004 - the option for two
        first_gift=pair.first_gift_after,
        gift_every=pair.gift_every,
        gift_to_bank=pair.fee_to_bank_percent,
        rebate=0,
    )


def _refuse_few_homes(board: Board, rules: Rules, players: int) -> None:
    """Refuse a board with too few homes, so that rolling for one would never end (RB-S07, RB-S08)."""
    setup = rules.setup
    chance_by_city = calculate_city_chances(board)
    home_places = {c.milepost if setup.twins_are_one_home else c.id for c in board.cities if chance_by_city[c.id]}
    if setup.same_home == "reroll" and len(home_places) < players:
        raise BoardError(
            f"{board.id}: {players} players need as many home cities, and the dice lead to {len(home_places)}; add "
            "cities, ask for fewer players, or set setup.same_home"
        )
