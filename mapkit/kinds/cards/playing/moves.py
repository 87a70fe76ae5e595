"""Legal moves and their effects, one step at a time."""

from collections.abc import Iterator
from typing import Final

from mapkit.kinds.cards.playing import market, railroads
from mapkit.kinds.cards.playing.state import AT_HOLDING, BANK, OUT, POOL, GameState, Phase
from mapkit.kinds.cards.playing.terms import CardTerms, Gain, Move, Trades
from mapkit.kinds.cards.rules.settings import PICKS

_FREE_BIDS: Final = (0, 50, 75, 100, 125, 150, 200)
"""Values of an offered investor that players of ours choose from, per cent of its face value; others are legal too."""
LONGEST: Final = 60
"""Sequences after which a game that nobody ends is stopped."""


def begin_game(terms: CardTerms) -> GameState:
    """Return a game at its beginning."""
    state = GameState(terms)
    _continue_draft(terms, state)
    return state


def _undrafted_investors(state: GameState) -> list[int]:
    return [investor for investor, at in enumerate(state.backer) if at == POOL]


def legal_moves(terms: CardTerms, state: GameState) -> list[Move]:
    """Return the legal moves of the player on turn; free amounts have a few values only."""
    return list(_MOVES[state.phase](terms, state))


# What may be done


def _offer_moves(terms: CardTerms, state: GameState) -> Iterator[Move]:
    for investor in _undrafted_investors(state):
        face_value = terms.game.investors[investor].value
        bid_percents = _FREE_BIDS if terms.game.rules.setup.bids == "free" else (100,)
        for bid in bid_percents:
            yield Move("offer", investor, face_value * bid // 100)


def _choice_moves(_terms: CardTerms, _state: GameState) -> Iterator[Move]:
    yield Move("money")
    yield Move("investor")


def _switch_moves(terms: CardTerms, state: GameState) -> Iterator[Move]:
    yield Move("go-on")
    for investor, at in enumerate(state.backer):
        if at == state.actor and terms.switches[investor] and not state.switched[investor]:
            yield Move("switch", investor)


def _trade_moves(terms: CardTerms, state: GameState) -> Iterator[Move]:
    player, values, cash = state.actor, terms.values, state.cash[state.actor]
    sale_moves: list[Move] = []
    gain_moves: list[Move] = []
    for holding, line in enumerate(state.line):
        if line >= 0:
            holding_sales, holding_gains = _holding_trades(terms, state, player, holding)
            sale_moves += holding_sales
            for move, percent_gained, percent_given in holding_gains:
                if cash >= values[line] * percent_gained // 10 - values[line] * percent_given // 10:
                    gain_moves.append(move)
    yield from sale_moves
    yield from gain_moves
    yield from _start_moves(terms, state)
    if not (sale_moves and state.owner.count(player) > terms.game.rules.limits.certificates):
        yield Move("done" if state.sold_at else "pass")


def _holding_trades(terms: CardTerms, state: GameState, player: int, holding: int) -> Trades:
    """Return sales of a started holding; exchanges and purchases with the per cent gained and given.

    They depend on where its certificates lie and little else, which comes again and again, so they are kept.
    """
    own_certificates, owner = terms.of_holding[holding], state.owner
    is_full = owner.count(player) >= terms.game.rules.limits.certificates
    key = (
        holding,
        player,
        is_full,
        state.floated[holding],
        state.sold[player] >> holding & 1,
        *owner[own_certificates[0] : own_certificates[-1] + 1],
    )
    cached_trades = terms.trades.get(key)
    if cached_trades is None:
        bank_certificates, shares = (
            [certificate for certificate in own_certificates if owner[certificate] == BANK],
            terms.shares,
        )
        sales = [
            Move("sell", certificate)
            for certificate in own_certificates
            if market.may_sell(terms, state, player, certificate)
        ]
        gains: list[Gain] = []
        for own_certificate in own_certificates:
            for bank_certificate in bank_certificates if owner[own_certificate] == player else ():
                if market.may_swap_down(terms, state, player, own_certificate, bank_certificate):
                    gains.append(Gain(Move("swap-down", own_certificate, bank_certificate), 0, 0))
                if market.may_swap_up(terms, state, player, own_certificate, bank_certificate):
                    gains.append(
                        Gain(
                            Move("swap-up", own_certificate, bank_certificate),
                            shares[bank_certificate].percent,
                            shares[own_certificate].percent,
                        )
                    )
        gains += [
            Gain(Move("buy", certificate), shares[certificate].percent, 0)
            for certificate in bank_certificates
            if market.may_buy(terms, state, player, certificate)
        ]
        cached_trades = terms.trades[key] = (tuple(sales), tuple(gains))
    return cached_trades


def _start_moves(terms: CardTerms, state: GameState) -> Iterator[Move]:
    for holding, line in enumerate(state.line):
        if line < 0:
            for place in market.starting_lines(terms, state, state.actor, holding):
                yield Move("start", holding, place)


def _operator_moves(terms: CardTerms, state: GameState) -> Iterator[Move]:
    """Yield placements of operators: `a` for good in the network, `b` on (+), the others on ( ) (BA-O02 to O05)."""
    free_operators = terms.operators[state.holding] - state.net[state.holding]
    for network in range(min(terms.game.rules.operating.network_a_round, free_operators) + 1):
        for plus in range(free_operators - network + 1):
            yield Move("place", network, plus)


def _revenue_moves(_terms: CardTerms, _state: GameState) -> Iterator[Move]:
    yield Move("pay")
    yield Move("withhold")


def _purchase_moves(terms: CardTerms, state: GameState) -> Iterator[Move]:
    yield Move("end")
    if state.added >= state.plus:
        return
    for side in railroads.top_faces(terms, state):
        if railroads.director_contribution(terms, state, state.holding, side) >= 0:
            yield Move("railroad", side)
    yield from _deal_moves(terms, state)
    director = state.boss[state.holding]
    for investor, at in enumerate(state.backer):
        is_elsewhere = at >= AT_HOLDING and at != AT_HOLDING + state.holding
        if at == director or (is_elsewhere and state.boss[at - AT_HOLDING] == director):
            yield Move("assign", investor)


def _deal_moves(terms: CardTerms, state: GameState) -> Iterator[Move]:
    """Yield purchases from other holdings: at the lowest price and at cost from one's own, else at cost."""
    lowest_price, till = terms.game.rules.operating.price_between, state.till[state.holding]
    for seller, seller_railroads in enumerate(state.rails):
        if seller == state.holding:
            continue
        has_same_director = state.boss[seller] == state.boss[state.holding]
        for side in dict.fromkeys(seller_railroads):
            prices = (lowest_price, terms.sides[side].cost) if has_same_director else (terms.sides[side].cost,)
            yield from (
                Move("deal", seller, side, price) for price in dict.fromkeys(prices) if lowest_price <= price <= till
            )


def _answer_moves(_terms: CardTerms, _state: GameState) -> Iterator[Move]:
    yield Move("accept")
    yield Move("refuse")


def _discard_moves(_terms: CardTerms, state: GameState) -> Iterator[Move]:
    for side in dict.fromkeys(state.rails[state.holding]):
        yield Move("discard", side)


def _no_moves(_terms: CardTerms, _state: GameState) -> Iterator[Move]:
    return iter(())


_MOVES_BY_PHASE: Final = {
    Phase.OFFER: _offer_moves,
    Phase.CHOICE: _choice_moves,
    Phase.PRIORITY: _switch_moves,
    Phase.STOCK: _trade_moves,
    Phase.OPERATORS: _operator_moves,
    Phase.REVENUE: _revenue_moves,
    Phase.PURCHASES: _purchase_moves,
    Phase.ANSWER: _answer_moves,
    Phase.DISCARD: _discard_moves,
    Phase.OVER: _no_moves,
}
_MOVES: Final = tuple(_MOVES_BY_PHASE[phase] for phase in Phase)
"""By phase, for a tuple is looked up faster."""


# What it does


def carry_out(terms: CardTerms, state: GameState, move: Move) -> None:
    """Make a legal move, and go on to the next decision; changes the state."""
    state.steps += 1
    _EFFECTS_BY_MOVE[move.kind](terms, state, move)


def _make_offer(_terms: CardTerms, state: GameState, move: Move) -> None:
    state.offered = (move.a, move.b)
    state.actor = 1 - state.actor
    state.phase = Phase.CHOICE


def _choose(terms: CardTerms, state: GameState, move: Move) -> None:
    """Give one player the investor and the other its value (BA-S01)."""
    investor, value = state.offered
    choosing_player = state.actor
    winner = choosing_player if move.kind == "investor" else 1 - choosing_player
    _receive_cash(state, 1 - winner, value)
    state.backer[investor] = winner
    holding, line = terms.chairs[investor]
    if holding >= 0:
        market.appoint(terms, state, winner, holding, line)
    gift_holding, level = terms.gifts[investor]
    if gift_holding >= 0:
        railroads.give_railroad(terms, state, gift_holding, level)
    state.picks += 1
    _continue_draft(terms, state)


def _receive_cash(state: GameState, player: int, amount: int) -> None:
    state.cash[player] += amount
    state.bank -= amount


def _continue_draft(terms: CardTerms, state: GameState) -> None:
    """Go on with the draft; at its end, undrafted investors go for their face value to both players (BA-S04, D46)."""
    undrafted = _undrafted_investors(state)
    setup = terms.game.rules.setup
    draft_count = setup.drafted if terms.game.rules.disputes.fifth_investor == "both" else terms.investors
    if undrafted and state.picks < draft_count:
        state.phase = Phase.OFFER
        state.actor = PICKS[state.picks % len(PICKS)]
        return
    for investor in undrafted:
        state.backer[investor] = OUT
        for player in (0, 1):
            _receive_cash(state, player, terms.game.investors[investor].value)
    _open_stock_round(terms, state)


def _open_stock_round(terms: CardTerms, state: GameState) -> None:
    """Begin a stock round, with decisions on the Priority Deal first (BA-C28)."""
    state.sold = [0, 0]
    state.passes = 0
    state.last = BANK
    state.sold_at = {}
    for investor, at in enumerate(state.backer):
        if at in (0, 1) and terms.switches[investor] and not state.switched[investor]:
            state.phase, state.actor = Phase.PRIORITY, at
            return
    _begin_trading(state)


def _begin_trading(state: GameState) -> None:
    state.phase, state.actor = Phase.STOCK, state.priority


def _switch_priority(_terms: CardTerms, state: GameState, move: Move) -> None:
    if move.kind == "switch":
        state.switched[move.a] = True
        state.priority = 1 - state.priority
    _begin_trading(state)


def _sell_certificate(terms: CardTerms, state: GameState, move: Move) -> None:
    if move.kind == "sell":
        market.sell(terms, state, state.actor, move.a)
    else:
        market.swap_down(terms, state, state.actor, move.a, move.b)
    state.passes = 0


def _buy_certificate(terms: CardTerms, state: GameState, move: Move) -> None:
    if move.kind == "buy":
        market.buy(terms, state, state.actor, move.a)
    elif move.kind == "start":
        market.start(terms, state, state.actor, move.a, move.b)
    else:
        market.swap_up(terms, state, state.actor, move.a, move.b)
    state.passes = 0
    _change_trader(state)


def _end_turn(_terms: CardTerms, state: GameState, _move: Move) -> None:
    _change_trader(state)


def _pass_turn(terms: CardTerms, state: GameState, _move: Move) -> None:
    """Pass; after two passes in a row end the round and set the next Priority Deal (BA-R04, BA-R05)."""
    state.passes += 1
    if state.passes < 2:  # noqa: PLR2004 - both players
        _change_trader(state)
        return
    if state.last != BANK:
        state.priority = 1 - state.last
    state.round += 1
    if state.round < terms.game.rules.rounds.stock:
        _open_stock_round(terms, state)
        return
    state.round = 0
    _begin_operating_round(terms, state)


def _change_trader(state: GameState) -> None:
    state.actor = 1 - state.actor
    state.sold_at = {}


def _begin_operating_round(terms: CardTerms, state: GameState) -> None:
    """Begin an operating round of the holdings that may operate (BA-C13, BA-B13)."""
    state.queue = [holding for holding, floated in enumerate(state.floated) if floated]
    _operate_next_holding(terms, state)


def _operate_next_holding(terms: CardTerms, state: GameState) -> None:
    if not state.queue:
        _end_operating_round(terms, state)
        return
    state.holding = state.queue.pop(0)
    state.actor = state.boss[state.holding]
    state.phase = Phase.OPERATORS


def _end_operating_round(terms: CardTerms, state: GameState) -> None:
    """End an operating round: the game, if a holding has reached the end (BA-R06, D50), else the sequence (BA-R01)."""
    rounds = terms.game.rules.rounds
    state.holding = -1
    state.round += 1
    is_last = state.round >= rounds.operating
    if state.final and (is_last or terms.game.rules.disputes.end == "running"):
        state.phase = Phase.OVER
        return
    if not is_last:
        _begin_operating_round(terms, state)
        return
    if rounds.removes_top:
        railroads.remove_top(terms, state)
    state.round = 0
    state.sequence += 1
    if state.sequence > LONGEST:
        state.phase = Phase.OVER
        return
    _open_stock_round(terms, state)


def _place_operators(terms: CardTerms, state: GameState, move: Move) -> None:
    holding = state.holding
    state.net[holding] += move.a
    state.plus = move.b
    state.keep = terms.operators[holding] - state.net[holding] - move.b
    state.added = 0
    if railroads.holding_revenue(terms, state, holding):
        state.phase = Phase.REVENUE
    else:
        state.phase = Phase.PURCHASES


def _pay_dividend(terms: CardTerms, state: GameState, _move: Move) -> None:
    """Pay out by shares, and move a line up (BA-O08); the end of the track ends the game."""
    holding = state.holding
    income = railroads.holding_revenue(terms, state, holding)
    for player in (0, 1):
        _receive_cash(state, player, income * state.share[player][holding] // 100)
    state.line[holding] = min(terms.end, state.line[holding] + terms.game.rules.market.dividend_up)
    state.final = state.final or state.line[holding] >= terms.end
    state.phase = Phase.PURCHASES


def _withhold_income(terms: CardTerms, state: GameState, _move: Move) -> None:
    amount = railroads.holding_revenue(terms, state, state.holding)
    state.till[state.holding] += amount
    state.bank -= amount
    state.phase = Phase.PURCHASES


def _buy_railroad(terms: CardTerms, state: GameState, move: Move) -> None:
    railroads.buy_railroad(terms, state, state.holding, move.a)
    state.added += 1


def _offer_deal(terms: CardTerms, state: GameState, move: Move) -> None:
    """Offer to buy a railroad from another holding; a common Director is not asked (BA-O12)."""
    state.deal = (move.a, move.b, move.c)
    seller = state.boss[move.a]
    if seller == state.actor:
        _settle_deal(terms, state)
    else:
        state.actor, state.phase = seller, Phase.ANSWER


def _answer_deal(terms: CardTerms, state: GameState, move: Move) -> None:
    state.actor, state.phase = state.boss[state.holding], Phase.PURCHASES
    if move.kind == "accept":
        _settle_deal(terms, state)
    else:
        state.added += 1  # an offer that was refused takes its place, so that offers come to an end


def _settle_deal(_terms: CardTerms, state: GameState) -> None:
    seller, side, price = state.deal
    state.till[state.holding] -= price
    state.till[seller] += price
    state.rails[seller].remove(side)
    state.rails[state.holding].append(side)
    state.added += 1


def _assign_investor(_terms: CardTerms, state: GameState, move: Move) -> None:
    state.backer[move.a] = AT_HOLDING + state.holding
    state.added += 1


def _finish_purchases(terms: CardTerms, state: GameState, _move: Move) -> None:
    _continue_discards(terms, state)


def _discard_railroad(terms: CardTerms, state: GameState, move: Move) -> None:
    state.rails[state.holding].remove(move.a)
    _continue_discards(terms, state)


def _continue_discards(terms: CardTerms, state: GameState) -> None:
    """Go on to the next holding once the railroads fit the ( ) places (BA-O04, BA-O18)."""
    if len(state.rails[state.holding]) > state.keep:
        state.phase = Phase.DISCARD
    else:
        _operate_next_holding(terms, state)


_EFFECTS_BY_MOVE: Final = {
    "offer": _make_offer,
    "money": _choose,
    "investor": _choose,
    "switch": _switch_priority,
    "go-on": _switch_priority,
    "sell": _sell_certificate,
    "swap-down": _sell_certificate,
    "buy": _buy_certificate,
    "start": _buy_certificate,
    "swap-up": _buy_certificate,
    "done": _end_turn,
    "pass": _pass_turn,
    "place": _place_operators,
    "pay": _pay_dividend,
    "withhold": _withhold_income,
    "railroad": _buy_railroad,
    "deal": _offer_deal,
    "accept": _answer_deal,
    "refuse": _answer_deal,
    "assign": _assign_investor,
    "end": _finish_purchases,
    "discard": _discard_railroad,
}
