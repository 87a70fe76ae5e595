"""Wealth of a player: whether it wins, keeps declared status, and must be announced (RB-W01, RB-V09, RB-I01)."""

from mapkit.kinds.rail.playing import events
from mapkit.kinds.rail.playing.compiled import compiled
from mapkit.kinds.rail.playing.state import State, tell
from mapkit.kinds.rail.playing.terms import EXPRESS, SUPERCHIEF, Terms
from mapkit.kinds.rail.playing.track import TrackArrays


@compiled
def worth(track: TrackArrays, state: State, terms: Terms, player: int) -> int:
    """Return a player's cash, railroads at list price and engine at its price (RB-V09)."""
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
        return worth(track, state, terms, player) - debts >= terms.net_worth
    return bool(state.cash[player] - debts >= terms.win_cash)


@compiled
def stays_declared(track: TrackArrays, state: State, terms: Terms, player: int) -> bool:
    """Return whether a declared player still has enough: the winning cash, or the net worth that wins (RB-W24, D34)."""
    if terms.undeclared_by_cash:
        return bool(state.cash[player] >= terms.win_cash)
    return can_win(track, state, terms, player, 0)


@compiled
def announce(track: TrackArrays, state: State, terms: Terms, player: int) -> None:
    """Announce cash beyond the level, when and as often as the rules say (RB-I01, RB-I02).

    Where net worth wins, players announce it in its place whenever cash is over its own level (RB-V10).
    """
    cash = state.cash[player]
    if terms.net_worth > 0:
        if cash > terms.announce_worth:
            tell(state, events.ANNOUNCES, player, worth(track, state, terms, player), 0, 0)
        return
    is_beyond_level = cash > terms.announce if terms.announce_above else cash >= terms.announce
    if is_beyond_level and not (terms.announce_once and state.announced[player]):
        state.announced[player] = 1
        tell(state, events.ANNOUNCES, player, cash, 0, 0)
