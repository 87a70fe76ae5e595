"""What computer players decide, by their weights; they see the table, and never the dice to come."""

from typing import NamedTuple

from mapkit.kinds.rail.playing import policies as by
from mapkit.kinds.rail.playing.compiled import compiled
from mapkit.kinds.rail.playing.finding import Errand, find_way, mean_turn, new_bans, search, shared_twice
from mapkit.kinds.rail.playing.state import BANK, DECISIONS, NONE, Scratch, State
from mapkit.kinds.rail.playing.terms import EXPRESS, FREIGHT, SUPERCHIEF, UNLIMITED, Terms
from mapkit.kinds.rail.playing.track import Floats, TrackArrays
from mapkit.playing.streams import share

_THOUSAND = 1_000.0
_NEVER = 1e18

# what is bought: a railroad by its number, a group as GROUPS + its number, or an engine
NOTHING, BUYS_EXPRESS, BUYS_SUPERCHIEF = -1, -2, -3
GROUPS = 1_000_000


@compiled
def _noise(state: State, player: int, most: float) -> float:
    return most * share(state.streams, DECISIONS + player) if most > 0 else 0.0


@compiled
def pick_region(track: TrackArrays, state: State, terms: Terms, player: int, weights: Floats) -> int:
    """Return the region that a player picks who may (RB-D04): that of the best payoff by turn."""
    best, chosen = -1e18, 0
    here = state.city[player]
    mean = mean_turn(terms, state.engine[player])
    for region in range(len(track.city_cell)):
        value = _noise(state, player, weights[by.REGION_NOISE])
        for parity in range(2):
            for row in range(11):
                city = track.city_cell[region, parity, row]
                chance = (6 - abs(row - 5)) / 72.0
                turns = track.steps[city, track.city_place[here]] / mean + 1.0
                value += chance * weights[by.REGION_PAYOFF] * track.payoff[here, city] / turns
                if weights[by.REGION_ACCESS] != 0 and _owns_service(track, state, player, city):
                    value += chance * weights[by.REGION_ACCESS]
        if value > best:
            best, chosen = value, region
    return chosen


@compiled
def _owns_service(track: TrackArrays, state: State, player: int, city: int) -> bool:
    owns = False
    for railroad in range(len(track.price)):
        owns |= state.owner[railroad] == player and track.served[railroad, city] != 0
    return owns


@compiled
def swaps_home(track: TrackArrays, state: State, player: int, weights: Floats) -> bool:
    """Return whether a player exchanges home and first destination (RB-S11): for one nearer to all cities."""
    gain = track.centre[state.home[player]] - track.centre[state.goal[player]]
    return bool(gain * weights[by.HOME_CENTRE] > 0)


@compiled
def _railroad_score(
    track: TrackArrays, state: State, terms: Terms, player: int, railroad: int, weights: Floats
) -> float:
    """Return what a railroad is worth to a player without its price, thousands of currency units."""
    access, monopoly = _service_gained(track, state, player, railroad)
    joined, owns, needed = 0, 0, 0
    for other in range(len(track.price)):
        if state.owner[other] == player:
            owns += 1
            joined |= track.touches[railroad, other]
    for p in range(terms.players):
        if p != player and state.playing[p] and state.goal[p] != NONE:
            needed += track.served[railroad, state.goal[p]]
    score = weights[by.BUY_ACCESS] * 100 * access + weights[by.BUY_MONOPOLY] * 100 * monopoly
    score += weights[by.BUY_TRAFFIC] * track.traffic[railroad] + weights[by.BUY_NEED] * needed
    score += weights[by.BUY_CONNECTION] if joined or owns == 0 else 0.0
    return float(score + _noise(state, player, weights[by.BUY_NOISE]))


@compiled
def _service_gained(track: TrackArrays, state: State, player: int, railroad: int) -> tuple[float, float]:
    """Return the access and the monopoly that a player gains by a railroad, as chances."""
    access, monopoly = 0.0, 0.0
    for city in range(len(track.chance)):
        if track.served[railroad, city] == 0:
            continue
        mine, others = 0, 0
        for other in range(len(track.price)):
            serves = other != railroad and track.served[other, city] != 0
            owns = state.owner[other] == player
            mine += serves and owns
            others += serves and not owns
        access += track.chance[city] if mine == 0 else 0.0
        monopoly += track.chance[city] if others == 0 else 0.0
    return access, monopoly


@compiled
def engine_price(state: State, terms: Terms, player: int, engine: int) -> int:
    """Return what an engine costs a player (RB-P04 to RB-P07, RB-V08, RB-V11); UNLIMITED if he cannot buy it."""
    now = state.engine[player]
    if engine == FREIGHT or state.titles[engine] == 0 or engine < now:
        return UNLIMITED
    if engine == now and not (engine == SUPERCHIEF and terms.second_superchief):
        return UNLIMITED
    if engine == EXPRESS:
        return int(terms.express_price)
    if now == EXPRESS:
        return 0 if terms.free_upgrade else int(terms.superchief_price - terms.trade_in)
    return int(terms.superchief_price)


@compiled
def group_open(state: State, terms: Terms, group: int) -> bool:
    """Return whether the bank holds a railroad of a group (RB-V01)."""
    held = False
    for railroad in range(len(state.owner)):
        held |= in_open_group(state, terms, group, railroad)
    return held


@compiled
def in_open_group(state: State, terms: Terms, group: int, railroad: int) -> bool:
    """Return whether a group purchase would bring a railroad."""
    held = state.owner[railroad] == BANK and terms.for_sale[railroad] != 0
    return bool(held and terms.group_has[group, railroad] != 0)


@compiled
def sold_alone(state: State, terms: Terms, railroad: int) -> bool:
    """Return whether the bank sells a railroad by itself (RB-P10, RB-V01)."""
    if state.owner[railroad] != BANK or terms.for_sale[railroad] == 0:
        return False
    return bool(terms.singles or not terms.group_has[:, railroad].any())


@compiled
def choose_purchase(track: TrackArrays, state: State, terms: Terms, player: int, weights: Floats) -> int:
    """Return what a player buys (RB-P03), as a number of this module's; NOTHING if nothing is worth its price."""
    cash = state.cash[player] - int(weights[by.BUY_RESERVE] * _THOUSAND)
    best, chosen = _best_engine(state, terms, player, cash, weights)
    for railroad in range(len(track.price)):
        declined = state.decliner[railroad] == player
        if track.price[railroad] <= cash and not declined and sold_alone(state, terms, railroad):
            score = _railroad_score(track, state, terms, player, railroad, weights)
            score += weights[by.BUY_PRICE] * track.price[railroad] / _THOUSAND
            if score > best:
                best, chosen = score, railroad
    for group in range(len(terms.group_price)):
        if terms.group_price[group] <= cash and group_open(state, terms, group):
            score = weights[by.BUY_PRICE] * terms.group_price[group] / _THOUSAND
            for railroad in range(len(track.price)):
                if in_open_group(state, terms, group, railroad):
                    score -= _NEVER if state.decliner[railroad] == player else 0.0
                    score += _railroad_score(track, state, terms, player, railroad, weights)
            if score > best:
                best, chosen = score, GROUPS + group
    return chosen


@compiled
def _best_engine(state: State, terms: Terms, player: int, cash: int, weights: Floats) -> tuple[float, int]:
    """Return the score of the engine that a player would buy, and which it is; 0 and NOTHING for none."""
    best, chosen = 0.0, NOTHING
    price = engine_price(state, terms, player, EXPRESS)
    if price <= cash:
        score = weights[by.BUY_EXPRESS] + weights[by.BUY_PRICE] * price / _THOUSAND
        if score > best:
            best, chosen = score, BUYS_EXPRESS
    price = engine_price(state, terms, player, SUPERCHIEF)
    if price <= cash and state.engine[player] != SUPERCHIEF:
        score = weights[by.BUY_SUPERCHIEF] + weights[by.BUY_PRICE] * price / _THOUSAND
        if score > best:
            best, chosen = score, BUYS_SUPERCHIEF
    return best, chosen


@compiled
def highest_bid(track: TrackArrays, state: State, player: int, railroad: int, weights: Floats) -> int:
    """Return the most that a player bids for a railroad; his cash is the limit (RB-A09)."""
    return int(min(float(state.cash[player]), weights[by.SALE_BID] * track.price[railroad]))


@compiled
def choose_sale(track: TrackArrays, state: State, player: int, weights: Floats) -> int:
    """Return the railroad that a player sells to raise cash; he owns one at least (RB-A01)."""
    best, chosen = -1e18, NONE
    for railroad in range(len(track.price)):
        if state.owner[railroad] == player:
            score = -weights[by.SALE_CHEAP_FIRST] * track.price[railroad]
            if score > best:
                best, chosen = score, railroad
    return chosen


@compiled
def declares(track: TrackArrays, state: State, terms: Terms, player: int, debts: int, weights: Floats) -> bool:
    """Return whether a player who may declare does (RB-W02): with cash for debts and the fees of the way home."""
    if weights[by.WIN_DECLARE] <= 0:
        return False
    steps = track.steps[state.home[player], state.at[player]]
    if steps == 0:
        return True
    turns = steps / mean_turn(terms, state.engine[player])
    wanted = weights[by.WIN_MARGIN] + weights[by.WIN_A_TURN] * turns
    beyond = state.cash[player] - debts - (0 if terms.net_worth else terms.win_cash)
    return bool(beyond >= wanted)


@compiled
def choose_way(
    track: TrackArrays,
    state: State,
    terms: Terms,
    scratch: Scratch,
    player: int,
    city: int,
    mileposts: int,
    weights: Floats,
) -> int:
    """Find the way that a player takes to a city with a roll, and return its length; NONE if there is none.

    He catches a declared train on the way if the rover payment is worth the turns that the detour takes (RB-W13).
    """
    new_bans(scratch)
    start = state.at[player]
    if state.fallback[player]:  # track is used again as seldom as it must be (RB-W21), so for no detour
        return find_way(track, state, terms, scratch, player, start, city, weights)
    for other in range(terms.players):
        if other != player and state.declared[other] and state.playing[other] and state.at[other] != start:
            detour = _way_over(track, state, terms, scratch, Detour(player, state.at[other], city, mileposts), weights)
            if detour > 0:
                return detour
    return find_way(track, state, terms, scratch, player, start, city, weights)


class Detour(NamedTuple):
    """A way over a milepost, the first part within a roll."""

    player: int
    over: int
    city: int
    mileposts: int


@compiled
def _way_over(track: TrackArrays, state: State, terms: Terms, scratch: Scratch, detour: Detour, weights: Floats) -> int:
    """Find a way over a milepost that is worth a rover payment (RB-W18), and return its length; 0 if there is none.

    Whoever stands there already must leave and come back (RB-W17); no player plans that.
    """
    player, over, city = detour.player, detour.over, detour.city
    start, goal = state.at[player], track.city_place[city]
    if over == goal:
        return 0
    usual = track.steps[city, start]
    first = search(track, state, terms, scratch, Errand(player, start, over, scratch.nowhere, goal), weights)
    if not 0 < first <= detour.mileposts:
        return 0
    scratch.spare[:first] = scratch.way[:first]
    for k in range(first):
        scratch.banned[track.arm_by[scratch.way[k]]] = scratch.ban[0]
    rest = find_way(track, state, terms, scratch, player, over, city, weights)
    new_bans(scratch)
    more = (first + rest - usual) / mean_turn(terms, state.engine[player])
    if rest <= 0 or weights[by.WIN_ROVER] * terms.rover <= more * weights[by.ROUTE_TURN]:
        return 0
    for k in range(rest - 1, -1, -1):
        scratch.way[first + k] = scratch.way[k]
    scratch.way[:first] = scratch.spare[:first]
    if terms.once and shared_twice(track, scratch.way, first + rest) != NONE:
        return 0
    return first + rest
