"""Wealth of a player: net worth, tests for winning and for staying declared, and announcements (RB-W01, RB-I01)."""

from mapkit.kinds.rail.playing import events
from mapkit.kinds.rail.playing.compiled import compiled
from mapkit.kinds.rail.playing.state import State, record_event
from mapkit.kinds.rail.playing.terms import EXPRESS, SUPERCHIEF, Terms
from mapkit.kinds.rail.playing.track import TrackArrays


@compiled
def net_worth_of(track: TrackArrays, state: State, terms: Terms, player: int) -> int:
    """Return the net worth of a player: cash, plus railroads at list price, plus the price of the engine (RB-V09)."""
    total_value = state.cash[player]
    for railroad in range(len(track.price)):
        if state.owner[railroad] == player:
            total_value += track.price[railroad]
    if state.engine[player] == EXPRESS:
        total_value += terms.express_price
    elif state.engine[player] == SUPERCHIEF:
        total_value += terms.superchief_price
    return int(total_value)


@compiled
def can_win(track: TrackArrays, state: State, terms: Terms, player: int, debts: int) -> bool:
    """Return whether a player has enough to win after paying debts (RB-W01, RB-V09)."""
    if terms.net_worth > 0:
        return net_worth_of(track, state, terms, player) - debts >= terms.net_worth
    return bool(state.cash[player] - debts >= terms.win_cash)


@compiled
def stays_declared(track: TrackArrays, state: State, terms: Terms, player: int) -> bool:
    """Return whether a declared player still has the cash or net worth required by the rules (RB-W24, D34)."""
    if terms.undeclared_by_cash:
        return bool(state.cash[player] >= terms.win_cash)
    return can_win(track, state, terms, player, 0)


@compiled
def announce_cash(track: TrackArrays, state: State, terms: Terms, player: int) -> None:
    """Announce a player's cash if the rules require it at this level (RB-I01, RB-I02).

    In games won by net worth, announce the net worth instead, whenever cash exceeds `announce_worth` (RB-V10).
    """
    cash = state.cash[player]
    if terms.net_worth > 0:
        if cash > terms.announce_worth:
            record_event(state, events.ANNOUNCES, player, net_worth_of(track, state, terms, player), 0, 0)
        return
    is_beyond_level = cash > terms.announce if terms.announce_above else cash >= terms.announce
    if is_beyond_level and not (terms.announce_once and state.announced[player]):
        state.announced[player] = 1
        record_event(state, events.ANNOUNCES, player, cash, 0, 0)
