"""What a player may do, and what that does: one step at a time."""

from collections.abc import Iterator
from typing import Final

from mapkit.kinds.cards.playing import market, trains
from mapkit.kinds.cards.playing.state import AT_HOLDING, BANK, OUT, POOL, GameState, Phase
from mapkit.kinds.cards.playing.terms import CardTerms, Gain, Move, Trades
from mapkit.kinds.cards.rules.settings import PICKS

_FREE_BIDS: Final = (0, 50, 75, 100, 125, 150, 200)
"""Values of an offered investor that players of ours choose from, per cent of its face value; others are legal too."""
MOST_BID: Final = 1_000_000
LONGEST: Final = 60
"""Sequences after which a game that nobody ends is stopped."""


def begin(terms: CardTerms) -> GameState:
    """Return a game at its beginning."""
    state = GameState(terms)
    _draft_on(terms, state)
    return state


def _left(state: GameState) -> list[int]:
    return [investor for investor, at in enumerate(state.backer) if at == POOL]


def legal_moves(terms: CardTerms, state: GameState) -> list[Move]:
    """Return what the player whose turn it is may do; amounts that are free to choose have a few values only."""
    return list(_MOVES[state.phase](terms, state))


def is_legal(terms: CardTerms, state: GameState, move: Move) -> bool:
    """Return whether a move may be made, whatever its amount."""
    if move.kind == "offer":
        free = terms.game.rules.setup.bids == "free"
        fits = 0 <= move.b <= MOST_BID if free else move.b == terms.game.investors[move.a].value
        return state.phase == Phase.OFFER and 0 <= move.a < terms.investors and state.backer[move.a] == POOL and fits
    if move.kind == "deal":
        return (
            state.phase == Phase.PURCHASES
            and state.added < state.plus
            and 0 <= move.a < terms.holdings
            and move.a != state.holding
            and move.b in state.rails[move.a]
            and terms.game.rules.operating.price_between <= move.c <= state.till[state.holding]
        )
    return move in legal_moves(terms, state)


# What may be done


def _offers(terms: CardTerms, state: GameState) -> Iterator[Move]:
    for investor in _left(state):
        face = terms.game.investors[investor].value
        bids = _FREE_BIDS if terms.game.rules.setup.bids == "free" else (100,)
        for bid in bids:
            yield Move("offer", investor, face * bid // 100)


def _choices(_terms: CardTerms, _state: GameState) -> Iterator[Move]:
    yield Move("money")
    yield Move("investor")


def _switches(terms: CardTerms, state: GameState) -> Iterator[Move]:
    yield Move("go-on")
    for investor, at in enumerate(state.backer):
        if at == state.actor and terms.switches[investor] and not state.switched[investor]:
            yield Move("switch", investor)


def _trades(terms: CardTerms, state: GameState) -> Iterator[Move]:
    player, values, cash = state.actor, terms.values, state.cash[state.actor]
    sales: list[Move] = []
    others: list[Move] = []
    for holding, line in enumerate(state.line):
        if line >= 0:
            sell, gain = _trades_of(terms, state, player, holding)
            sales += sell
            for move, comes, goes in gain:
                if cash >= values[line] * comes // 10 - values[line] * goes // 10:
                    others.append(move)
    yield from sales
    yield from others
    yield from _starts(terms, state)
    if not (sales and state.owner.count(player) > terms.game.rules.limits.certificates):
        yield Move("done" if state.sold_at else "pass")


def _trades_of(terms: CardTerms, state: GameState, player: int, holding: int) -> Trades:
    """Return sales of a started holding; exchanges and purchases with the per cent that come and that go.

    They depend on where its certificates lie and little else, which comes again and again, so they are kept.
    """
    own, owner = terms.of_holding[holding], state.owner
    full = owner.count(player) >= terms.game.rules.limits.certificates
    key = (
        holding,
        player,
        full,
        state.floated[holding],
        state.sold[player] >> holding & 1,
        *owner[own[0] : own[-1] + 1],
    )
    found = terms.trades.get(key)
    if found is None:
        bank, shares = [at for at in own if owner[at] == BANK], terms.shares
        sales = [Move("sell", at) for at in own if market.may_sell(terms, state, player, at)]
        gain: list[Gain] = []
        for one in own:
            for other in bank if owner[one] == player else ():
                if market.may_swap_down(terms, state, player, one, other):
                    gain.append(Gain(Move("swap-down", one, other), 0, 0))
                if market.may_swap_up(terms, state, player, one, other):
                    gain.append(Gain(Move("swap-up", one, other), shares[other].percent, shares[one].percent))
        gain += [
            Gain(Move("buy", at), shares[at].percent, 0) for at in bank if market.may_buy(terms, state, player, at)
        ]
        found = terms.trades[key] = (tuple(sales), tuple(gain))
    return found


def _starts(terms: CardTerms, state: GameState) -> Iterator[Move]:
    for holding, line in enumerate(state.line):
        if line < 0:
            for place in market.starting_lines(terms, state, state.actor, holding):
                yield Move("start", holding, place)


def _operators(terms: CardTerms, state: GameState) -> Iterator[Move]:
    """Yield how operators can be placed: `a` for good in the network, `b` on (+), the others on ( ) (BA-O02 to O05)."""
    there = terms.operators[state.holding] - state.net[state.holding]
    for network in range(min(terms.game.rules.operating.network_a_round, there) + 1):
        for plus in range(there - network + 1):
            yield Move("place", network, plus)


def _revenues(_terms: CardTerms, _state: GameState) -> Iterator[Move]:
    yield Move("pay")
    yield Move("withhold")


def _purchases(terms: CardTerms, state: GameState) -> Iterator[Move]:
    yield Move("end")
    if state.added >= state.plus:
        return
    for side in trains.on_top(terms, state):
        if trains.helped(terms, state, state.holding, side) >= 0:
            yield Move("railroad", side)
    yield from _deals(terms, state)
    boss = state.boss[state.holding]
    for investor, at in enumerate(state.backer):
        elsewhere = at >= AT_HOLDING and at != AT_HOLDING + state.holding
        if at == boss or (elsewhere and state.boss[at - AT_HOLDING] == boss):
            yield Move("assign", investor)


def _deals(terms: CardTerms, state: GameState) -> Iterator[Move]:
    """Yield railroads that other holdings could sell: at the lowest price and at cost to one's own, else at cost."""
    low, till = terms.game.rules.operating.price_between, state.till[state.holding]
    for other, own in enumerate(state.rails):
        if other == state.holding:
            continue
        same = state.boss[other] == state.boss[state.holding]
        for side in dict.fromkeys(own):
            prices = (low, terms.sides[side].cost) if same else (terms.sides[side].cost,)
            yield from (Move("deal", other, side, price) for price in dict.fromkeys(prices) if low <= price <= till)


def _answers(_terms: CardTerms, _state: GameState) -> Iterator[Move]:
    yield Move("accept")
    yield Move("refuse")


def _discards(_terms: CardTerms, state: GameState) -> Iterator[Move]:
    for side in dict.fromkeys(state.rails[state.holding]):
        yield Move("discard", side)


def _nothing(_terms: CardTerms, _state: GameState) -> Iterator[Move]:
    return iter(())


_OF_PHASE: Final = {
    Phase.OFFER: _offers,
    Phase.CHOICE: _choices,
    Phase.PRIORITY: _switches,
    Phase.STOCK: _trades,
    Phase.OPERATORS: _operators,
    Phase.REVENUE: _revenues,
    Phase.PURCHASES: _purchases,
    Phase.ANSWER: _answers,
    Phase.DISCARD: _discards,
    Phase.OVER: _nothing,
}
_MOVES: Final = tuple(_OF_PHASE[phase] for phase in Phase)
"""By phase, for a tuple is looked up faster."""


# What it does


def carry_out(terms: CardTerms, state: GameState, move: Move) -> None:
    """Make a legal move, and go on to the next decision; the state is changed."""
    state.steps += 1
    _DO[move.kind](terms, state, move)


def _offer(_terms: CardTerms, state: GameState, move: Move) -> None:
    state.offered = (move.a, move.b)
    state.actor = 1 - state.actor
    state.phase = Phase.CHOICE


def _chosen(terms: CardTerms, state: GameState, move: Move) -> None:
    """Give one player the investor and the other its value (BA-S01)."""
    investor, value = state.offered
    chooser = state.actor
    winner = chooser if move.kind == "investor" else 1 - chooser
    _receive(state, 1 - winner, value)
    _take(terms, state, investor, winner)
    state.picks += 1
    _draft_on(terms, state)


def _receive(state: GameState, player: int, amount: int) -> None:
    state.cash[player] += amount
    state.bank -= amount


def _take(terms: CardTerms, state: GameState, investor: int, player: int) -> None:
    state.backer[investor] = player
    holding, line = terms.chairs[investor]
    if holding >= 0:
        market.appoint(terms, state, player, holding, line)
    to, level = terms.gifts[investor]
    if to >= 0:
        trains.gift(terms, state, to, level)


def _draft_on(terms: CardTerms, state: GameState) -> None:
    """Go on with the draft; what is left at its end goes for its face value to both players (BA-S04, D46)."""
    left = _left(state)
    setup = terms.game.rules.setup
    drafted = setup.drafted if terms.game.rules.disputes.fifth_investor == "both" else terms.investors
    if left and state.picks < drafted:
        state.phase = Phase.OFFER
        state.actor = PICKS[state.picks % len(PICKS)]
        return
    for investor in left:
        state.backer[investor] = OUT
        for player in (0, 1):
            _receive(state, player, terms.game.investors[investor].value)
    _open(terms, state)


def _open(terms: CardTerms, state: GameState) -> None:
    """Begin a stock round, if somebody can switch the Priority Deal with that decision (BA-C28)."""
    state.sold = [0, 0]
    state.passes = 0
    state.last = BANK
    state.sold_at = {}
    for investor, at in enumerate(state.backer):
        if at in (0, 1) and terms.switches[investor] and not state.switched[investor]:
            state.phase, state.actor = Phase.PRIORITY, at
            return
    _trading(state)


def _trading(state: GameState) -> None:
    state.phase, state.actor = Phase.STOCK, state.priority


def _switched(_terms: CardTerms, state: GameState, move: Move) -> None:
    if move.kind == "switch":
        state.switched[move.a] = True
        state.priority = 1 - state.priority
    _trading(state)


def _sold(terms: CardTerms, state: GameState, move: Move) -> None:
    if move.kind == "sell":
        market.sell(terms, state, state.actor, move.a)
    else:
        market.swap_down(terms, state, state.actor, move.a, move.b)
    state.passes = 0


def _bought(terms: CardTerms, state: GameState, move: Move) -> None:
    if move.kind == "buy":
        market.buy(terms, state, state.actor, move.a)
    elif move.kind == "start":
        market.start(terms, state, state.actor, move.a, move.b)
    else:
        market.swap_up(terms, state, state.actor, move.a, move.b)
    state.passes = 0
    _next_trader(state)


def _done(_terms: CardTerms, state: GameState, _move: Move) -> None:
    _next_trader(state)


def _passed(terms: CardTerms, state: GameState, _move: Move) -> None:
    """Pass; when both have passed in a row the round ends, and the next Priority Deal is known (BA-R04, BA-R05)."""
    state.passes += 1
    if state.passes < 2:  # noqa: PLR2004 - both players
        _next_trader(state)
        return
    if state.last != BANK:
        state.priority = 1 - state.last
    state.round += 1
    if state.round < terms.game.rules.rounds.stock:
        _open(terms, state)
        return
    state.round = 0
    _operate(terms, state)


def _next_trader(state: GameState) -> None:
    state.actor = 1 - state.actor
    state.sold_at = {}


def _operate(terms: CardTerms, state: GameState) -> None:
    """Begin an operating round of the holdings that may operate (BA-C13, BA-B13)."""
    state.queue = [holding for holding, floated in enumerate(state.floated) if floated]
    _next_holding(terms, state)


def _next_holding(terms: CardTerms, state: GameState) -> None:
    if not state.queue:
        _round_over(terms, state)
        return
    state.holding = state.queue.pop(0)
    state.actor = state.boss[state.holding]
    state.phase = Phase.OPERATORS


def _round_over(terms: CardTerms, state: GameState) -> None:
    """End an operating round: the game, if a holding has reached the end (BA-R06, D50), else the sequence (BA-R01)."""
    rounds = terms.game.rules.rounds
    state.holding = -1
    state.round += 1
    last = state.round >= rounds.operating
    if state.final and (last or terms.game.rules.disputes.end == "running"):
        state.phase = Phase.OVER
        return
    if not last:
        _operate(terms, state)
        return
    if rounds.removes_top:
        trains.remove_top(terms, state)
    state.round = 0
    state.sequence += 1
    if state.sequence > LONGEST:
        state.phase = Phase.OVER
        return
    _open(terms, state)


def _placed(terms: CardTerms, state: GameState, move: Move) -> None:
    holding = state.holding
    state.net[holding] += move.a
    state.plus = move.b
    state.keep = terms.operators[holding] - state.net[holding] - move.b
    state.added = 0
    if trains.revenue(terms, state, holding):
        state.phase = Phase.REVENUE
    else:
        state.phase = Phase.PURCHASES


def _paid(terms: CardTerms, state: GameState, _move: Move) -> None:
    """Pay out by shares, and go a line up (BA-O08); the end of the track ends the game."""
    holding = state.holding
    amount = trains.revenue(terms, state, holding)
    for player in (0, 1):
        _receive(state, player, amount * state.share[player][holding] // 100)
    state.line[holding] = min(terms.end, state.line[holding] + terms.game.rules.market.dividend_up)
    state.final = state.final or state.line[holding] >= terms.end
    state.phase = Phase.PURCHASES


def _withheld(terms: CardTerms, state: GameState, _move: Move) -> None:
    amount = trains.revenue(terms, state, state.holding)
    state.till[state.holding] += amount
    state.bank -= amount
    state.phase = Phase.PURCHASES


def _railroad(terms: CardTerms, state: GameState, move: Move) -> None:
    trains.acquire(terms, state, state.holding, move.a)
    state.added += 1


def _deal(terms: CardTerms, state: GameState, move: Move) -> None:
    """Offer to buy a railroad from another holding; its own Director need not be asked (BA-O12)."""
    state.deal = (move.a, move.b, move.c)
    seller = state.boss[move.a]
    if seller == state.actor:
        _settle(terms, state)
    else:
        state.actor, state.phase = seller, Phase.ANSWER


def _answered(terms: CardTerms, state: GameState, move: Move) -> None:
    state.actor, state.phase = state.boss[state.holding], Phase.PURCHASES
    if move.kind == "accept":
        _settle(terms, state)
    else:
        state.added += 1  # an offer that was refused takes its place, so that offers come to an end


def _settle(_terms: CardTerms, state: GameState) -> None:
    other, side, price = state.deal
    state.till[state.holding] -= price
    state.till[other] += price
    state.rails[other].remove(side)
    state.rails[state.holding].append(side)
    state.added += 1


def _assigned(_terms: CardTerms, state: GameState, move: Move) -> None:
    state.backer[move.a] = AT_HOLDING + state.holding
    state.added += 1


def _finished(terms: CardTerms, state: GameState, _move: Move) -> None:
    _discard_on(terms, state)


def _discarded(terms: CardTerms, state: GameState, move: Move) -> None:
    state.rails[state.holding].remove(move.a)
    _discard_on(terms, state)


def _discard_on(terms: CardTerms, state: GameState) -> None:
    """Go on to the next holding once no more railroads are there than ( ) places (BA-O04, BA-O18)."""
    if len(state.rails[state.holding]) > state.keep:
        state.phase = Phase.DISCARD
    else:
        _next_holding(terms, state)


_DO: Final = {
    "offer": _offer,
    "money": _chosen,
    "investor": _chosen,
    "switch": _switched,
    "go-on": _switched,
    "sell": _sold,
    "swap-down": _sold,
    "buy": _bought,
    "start": _bought,
    "swap-up": _bought,
    "done": _done,
    "pass": _passed,
    "place": _placed,
    "pay": _paid,
    "withhold": _withheld,
    "railroad": _railroad,
    "deal": _deal,
    "accept": _answered,
    "refuse": _answered,
    "assign": _assigned,
    "end": _finished,
    "discard": _discarded,
}
