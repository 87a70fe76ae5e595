"""Computer players, and the hook for players written in Python.

A player is a function of the terms, the position and random numbers of its own; it returns a move. It may read the
position, but neither change it nor look at the order of the bag.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from types import MappingProxyType
from typing import Final

import numpy as np

from mapkit.kinds.hex.playing.auction import BID_UNIT, least_bid
from mapkit.kinds.hex.playing.building import edge_key
from mapkit.kinds.hex.playing.delivering import FoundDelivery, find_deliveries
from mapkit.kinds.hex.playing.state import HexState, taken_colours
from mapkit.kinds.hex.playing.terms import NOBODY, HexTerms, Move
from mapkit.kinds.hex.playing.turns import open_cards
from mapkit.kinds.hex.rules.colours import GOODS
from mapkit.playing.python_players import find_player as find_python_player

# Cheapest ways between cities over free ground: Dijkstra with a limit of tiles.

_TILE_WEIGHT: Final = 1
"""Dollars that a tile counts besides its price, so that of equal ways the shorter one wins."""
CityWay = tuple[int, tuple[int, ...]]
"""Price of a way, and its hexagons from city to city."""


def search_ways(
    terms: HexTerms, state: HexState | None, city: int, most_tiles: int, goal: int = NOBODY
) -> dict[int, CityWay]:
    """Return the cheapest way to each city within reach of some tiles.

    Args:
        terms: The game.
        state: The position with its track; None for the empty board.
        city: Where the ways begin.
        most_tiles: How many tiles a way has at most.
        goal: The city at which the search ends; none for all.
    """
    city_at, tile_costs, steps = terms.city_at, terms.tile_costs, terms.steps
    start = terms.city_hexes[city]
    found_ways: dict[int, CityWay] = {}
    best_keys: dict[tuple[int, int], int] = {(start, 0): 0}
    queue: list[tuple[int, int, int, tuple[int, ...]]] = [(0, start, 0, (start,))]
    while queue:
        key, hexagon, tiles, way = heappop(queue)
        end = city_at[hexagon]
        if end not in (NOBODY, city):
            found_ways.setdefault(end, (key - tiles * _TILE_WEIGHT, way))
            if end == goal:
                break
            continue
        for neighbour, crossing in steps[hexagon].items():
            if neighbour in way or (state is not None and edge_key(hexagon, neighbour) in state.edges):
                continue
            is_city = city_at[neighbour] != NOBODY
            if is_city:
                if not tiles:
                    continue
                next_key, next_tiles = key + crossing, tiles
            else:
                cost = tile_costs[neighbour]
                if (
                    cost < 0
                    or tiles == most_tiles
                    or (state is not None and state.lines[neighbour] >= terms.lines_per_hex)
                ):
                    continue
                next_key, next_tiles = key + crossing + cost + _TILE_WEIGHT, tiles + 1
            if next_key < best_keys.get((neighbour, next_tiles), next_key + 1):
                best_keys[neighbour, next_tiles] = next_key
                heappush(queue, (next_key, neighbour, next_tiles, (*way, neighbour)))
    return found_ways


def empty_board_ways(terms: HexTerms, most_tiles: int) -> tuple[dict[int, CityWay], ...]:
    """Return for each city the cheapest ways on the empty board; they are cached with the terms."""
    cache: dict[int, tuple[dict[int, CityWay], ...]] = terms.__dict__.setdefault("_ways", {})
    if most_tiles not in cache:
        cache[most_tiles] = tuple(search_ways(terms, None, city, most_tiles) for city in range(terms.city_count))
    return cache[most_tiles]


def city_pairs(terms: HexTerms, most_tiles: int) -> tuple[tuple[int, int, int, int], ...]:
    """Return each pair of cities, the lower first, with price and tiles of its way; they are cached with the terms."""
    cache: dict[int, tuple[tuple[int, int, int, int], ...]] = terms.__dict__.setdefault("_pairs", {})
    if most_tiles not in cache:
        cache[most_tiles] = tuple(
            (city, end, cost, len(way) - 2)
            for city, ways in enumerate(empty_board_ways(terms, most_tiles))
            for end, (cost, way) in ways.items()
            if end > city
        )
    return cache[most_tiles]


def is_free(terms: HexTerms, state: HexState, way: tuple[int, ...]) -> bool:
    """Return whether a way from city to city can be built on now."""
    lines, edges, capacity = state.lines, state.edges, terms.lines_per_hex
    previous = way[0]
    for hexagon in way[1:-1]:
        if lines[hexagon] >= capacity or edge_key(previous, hexagon) in edges:
            return False
        previous = hexagon
    return edge_key(previous, way[-1]) not in edges


def free_way(
    terms: HexTerms, state: HexState, pair: tuple[int, int], most_tiles: int, most_detour: int
) -> CityWay | None:
    """Return a cheap free way between two cities: that of the empty board, or the cheapest one past the track.

    Args:
        terms: The game.
        state: The position.
        pair: The cities.
        most_tiles: Tiles of the way on the empty board.
        most_detour: Tiles of a way past the track.
    """
    found = empty_board_ways(terms, most_tiles)[pair[0]].get(pair[1])
    if found is None or is_free(terms, state, found[1]):
        return found
    return search_ways(terms, state, pair[0], most_detour, pair[1]).get(pair[1])


Draws = np.random.Generator
HexPlayer = Callable[[HexTerms, HexState, Draws], Move]
REST: Final = Move("rest")
PASS: Final = Move("pass")
_BID_CHANCE: Final = 0.4
_COLOURS_OF_MASK: Final = tuple(
    tuple(colour for colour in range(len(GOODS)) if mask >> colour & 1) for mask in range(1 << len(GOODS))
)
_CREDIT: Final = 6_000
"""Dividends above the income that a player risks."""
_RUIN: Final = 1e6
"""Points that a price costs which the income cannot bear."""
_RANDOM_BONDS: Final = 12
"""Bonds with which the random player only delivers and builds links, so that its debts do not grow without end."""


def play_randomly(terms: HexTerms, state: HexState, draws: Draws) -> Move:
    """Make any legal move."""
    if state.phase == "auction":
        bid = least_bid(terms, state)
        return Move("bid", bid) if bid <= state.cash[state.actor] and draws.random() < _BID_CHANCE else PASS
    makers: list[Callable[[HexTerms, HexState, Draws], Move | None]]
    makers = [_random_delivery, _random_link, _random_build, _random_card, _random_rest]
    if state.bonds[state.actor] >= _RANDOM_BONDS:
        makers = [_random_delivery, _random_link]
    for number in draws.permutation(len(makers)).tolist():
        move: Move | None = makers[number](terms, state, draws)
        if move is not None and _may_repeat(terms, state, move):
            return move
    return REST


def _may_repeat(terms: HexTerms, state: HexState, move: Move) -> bool:
    kind = "build" if move.kind == "link" else move.kind
    return terms.board.rules.turn.repeat_actions or kind not in state.actions[state.actor]


def _random_delivery(terms: HexTerms, state: HexState, draws: Draws) -> Move | None:
    player = state.actor
    found = list(find_deliveries(terms, state, player, state.engine[player]))
    return found[int(draws.integers(len(found)))].move if found else None


def _random_link(terms: HexTerms, state: HexState, draws: Draws) -> Move | None:
    """Build the cheapest link from a random city to another that no link joins yet."""
    most = terms.board.rules.track.most_tiles
    city = int(draws.integers(terms.city_count))
    ends = [end for end in sorted(empty_board_ways(terms, most)[city]) if not are_joined(state, city, end)]
    if not ends:
        return None
    found = free_way(terms, state, (city, ends[int(draws.integers(len(ends)))]), most, most)
    return None if found is None else Move("build", way=found[1])


def _random_build(terms: HexTerms, state: HexState, draws: Draws) -> Move | None:
    """Walk at random from open track or a city, up to the tiles of an action."""
    player, rules = state.actor, terms.board.rules.track
    starts = [track[-1] for track in state.open_tracks[player]] or [int(draws.choice(terms.city_hexes))]
    start = starts[int(draws.integers(len(starts)))]
    track = next((track for track in state.open_tracks[player] if track[-1] == start), (start,))
    way, tiles, most = [start], 0, int(draws.integers(rules.least_tiles, rules.most_tiles + 1))
    while True:
        places = [
            place
            for place in terms.steps[way[-1]]
            if place not in track
            and place not in way
            and edge_key(way[-1], place) not in state.edges
            and (tiles >= rules.least_tiles if terms.city_at[place] != NOBODY else tiles < most)
            and (terms.city_at[place] != NOBODY or _can_lay(terms, state, place))
        ]
        cities = [place for place in places if terms.city_at[place] != NOBODY]
        if cities or not places:
            way += cities[:1]
            break
        way.append(places[int(draws.integers(len(places)))])
        tiles += 1
    return Move("build", way=tuple(way)) if tiles >= rules.least_tiles else None


def _can_lay(terms: HexTerms, state: HexState, place: int) -> bool:
    return terms.tile_costs[place] >= 0 and state.lines[place] < terms.lines_per_hex


def _random_card(terms: HexTerms, state: HexState, draws: Draws) -> Move | None:
    moves = list(card_moves(terms, state))
    return moves[int(draws.integers(len(moves)))] if moves else None


def _random_rest(terms: HexTerms, state: HexState, draws: Draws) -> Move | None:
    player, rules = state.actor, terms.board.rules
    moves = [REST, *urban_moves(terms, state), *mine_moves(terms, state)]
    if state.engine[player] < rules.engine.levels[-1]:
        moves.append(Move("engine"))
    moves += [Move("link", way=(number,)) for number in state.printed_left]
    return moves[int(draws.integers(len(moves)))]


def urban_moves(terms: HexTerms, state: HexState, links: Sequence[int] | None = None) -> Iterator[Move]:
    """Yield the New City tiles that can be laid, at all gray cities or those with a number in `links`."""
    colours = [colour for colour in range(len(GOODS)) if state.new_tiles is None or state.new_tiles[colour] > 0]
    for city in range(terms.city_count):
        if not state.takes[city] and (links is None or links[city]):
            yield from (Move("urbanize", city=city, colour=colour) for colour in colours)


def mine_moves(terms: HexTerms, state: HexState) -> Iterator[Move]:
    """Yield the mines that the player can place."""
    rules = terms.board.rules.mines
    if rules.enabled and state.mines_left[state.actor] > 0:
        for city in range(terms.city_count):
            if not state.takes[city] and state.mined[city] < rules.per_city:
                yield Move("mine", city=city)


def card_moves(terms: HexTerms, state: HexState) -> Iterator[Move]:
    """Yield the cards that can be taken, each with one good choice."""
    own_links = _count_own_links(terms, state, state.actor)[: terms.city_count]
    busiest = own_links.index(max(own_links))
    for number in open_cards(terms, state):
        effect = terms.cards[number].effect
        if effect in ("money", "executive", "trading-depot"):
            yield Move("card", card=number)
        elif effect == "hotel":
            wanted = max(
                (city for city in range(terms.city_count) if city not in state.inns),
                key=lambda city: (len(state.links_at[city]) if state.takes[city] else -1, -city),
                default=NOBODY,
            )
            if wanted != NOBODY:
                yield Move("card", card=number, city=wanted)
        elif effect == "new-industry" and state.bag:
            yield Move("card", card=number, city=busiest)
        elif effect == "take-marker" and any(state.marked):
            yield Move("card", card=number, city=state.marked.index(True))
        elif effect == "land-grant":
            way = _plains_way(terms, state, terms.cards[number].amount or 0)
            if way:
                yield Move("card", card=number, way=way)


def _plains_way(terms: HexTerms, state: HexState, most: int) -> tuple[int, ...]:
    """Return the first free way over plains from city to city, with at most so many tiles."""
    limit = terms.board.rules.track.most_tiles
    for city, ways in enumerate(empty_board_ways(terms, limit)):
        for end, (_, way) in sorted(ways.items()):
            is_wanted = (
                0 < len(way) - 2 <= most
                and all(terms.is_plains[tile] for tile in way[1:-1])
                and not are_joined(state, city, end)
            )
            free = free_way(terms, state, (city, end), limit, limit) if is_wanted else None
            if free and free[1] == way:
                return way
    return ()


def are_joined(state: HexState, city: int, end: int) -> bool:
    """Return whether any link joins two cities."""
    return any(end in (state.links[number].a, state.links[number].b) for number in state.links_at[city])


def _count_own_links(terms: HexTerms, state: HexState, player: int) -> list[int]:
    """Return the own links at each node."""
    counts = [0] * len(terms.node_ids)
    for link in state.links:
        if link.owner == player:
            counts[link.a] += 1
            counts[link.b] += 1
    return counts


@dataclass(frozen=True)
class Weights:
    """Weights of the player that scores every action, in points.

    Attributes:
        others: What a point of another player takes away.
        cube: What a cube is worth that a new link can deliver.
        joined: What it is worth that a new link touches own links.
        reach: What a colour is worth that a new link makes reachable.
        dollar: Points for $1,000 of a price that is paid in cash.
        bond: Points for each bond that a price takes.
        engine: Of a point that the next engine adds to the best delivery.
        tiles: The most tiles of a link; more than one action builds begin it as open track.
        bid: Thousands bid for each point of the best delivery.
    """

    others: float = 0.5
    cube: float = 0.6
    joined: float = 0.2
    reach: float = 0.0
    dollar: float = 0.03
    bond: float = 0.8
    engine: float = 0.8
    tiles: int = 4
    bid: float = 0.6


def choose_move(terms: HexTerms, state: HexState, weights: Weights) -> Move:
    """Return the move with the highest score; of equal ones the first."""
    player = state.actor
    level = state.engine[player]
    best, best_next = _best_deliveries(terms, state, player, level, weights.others)
    if state.phase == "auction":
        bid = least_bid(terms, state)
        limit = min(state.cash[player], int((best.own if best else 0) * weights.bid * BID_UNIT))
        return Move("bid", bid) if bid <= limit else PASS
    unfinished = _finish_open_track(terms, state)
    if unfinished is not None and _may_repeat(terms, state, unfinished):
        return unfinished
    options: list[tuple[float, Move]] = [(0.0, REST)]
    if best is not None:
        options.append((best.own - weights.others * best.others + 0.01, best.move))
    step = level - terms.board.rules.engine.first_level
    prices = terms.board.rules.engine.prices
    if step < len(prices):
        gain = best_next - (best.own - weights.others * best.others if best else 0.0)
        options.append(
            (gain * weights.engine + 0.3 - _score_price(terms, state, weights, prices[step]), Move("engine"))
        )
    options += _score_builds(terms, state, weights)
    options += [(_CARD_SCORES[terms.cards[move.card].effect], move) for move in card_moves(terms, state)]
    options += _score_places(terms, state, weights)
    allowed = [(score, move) for score, move in options if _may_repeat(terms, state, move)]
    return max(allowed, key=lambda option: option[0], default=(0.0, REST))[1]


_CARD_SCORES: Final[Mapping[str, float]] = MappingProxyType(
    {
        "money": 0.9,
        "executive": -1.0,
        "trading-depot": -1.0,
        "hotel": 0.7,
        "new-industry": 0.6,
        "take-marker": -0.5,
        "land-grant": 0.8,
        "other": -1.0,
    }
)


def _best_deliveries(
    terms: HexTerms, state: HexState, player: int, level: int, others: float
) -> tuple[FoundDelivery | None, float]:
    """Return the best delivery, and the score of the best one with the next engine."""
    best: FoundDelivery | None = None
    best_score = next_score = 0.0
    for found in find_deliveries(terms, state, player, level + 1):
        score = found.own - others * found.others
        next_score = max(next_score, score)
        if len(found.move.way) <= level and (best is None or score > best_score):
            best, best_score = found, score
    return best, next_score


def _finish_open_track(terms: HexTerms, state: HexState) -> Move | None:
    """Return the build that continues open track to its city."""
    player, most = state.actor, terms.board.rules.track.most_tiles
    for track in state.open_tracks[player]:
        city = terms.city_at[track[0]]
        for _, way in empty_board_ways(terms, 2 * most)[city].values():
            rest = way[len(track) - 1 :]
            is_same = way[: len(track)] == track and 0 < len(rest) - 2 <= most
            if is_same and (
                all(_can_lay(terms, state, tile) for tile in rest[1:-1])
                and not any(edge_key(one, other) in state.edges for one, other in pairwise(rest))
            ):
                return Move("build", way=rest)
    return None


def _score_builds(terms: HexTerms, state: HexState, weights: Weights) -> Iterator[tuple[float, Move]]:
    """Yield a score for the cheapest link between each two cities that no own link joins."""
    most = terms.board.rules.track.most_tiles
    left_rounds = terms.board.rules.turn.action_rounds - state.round
    own_nodes = _count_own_links(terms, state, state.actor)[: terms.city_count]
    has_network = any(own_nodes)
    joined = {edge_key(link.a, link.b) for link in state.links}
    price_scores: dict[int, float] = {}
    masks = [taken_colours(terms, state, city) for city in range(terms.city_count)]
    network_mask = 0
    for city, links in enumerate(own_nodes):
        network_mask |= masks[city] if links else 0
    scored: list[tuple[float, int, int]] = []
    for city, end, cost, tiles in city_pairs(terms, weights.tiles):
        is_late = tiles > most and (left_rounds < 1 or tiles > 2 * most)
        if is_late or (city, end) in joined:
            continue
        is_joined = bool(own_nodes[city] or own_nodes[end])
        cubes = _link_cubes(state, (city, end), masks, network_mask if is_joined else 0)
        if cost not in price_scores:
            price_scores[cost] = _score_price(terms, state, weights, cost)
        score = weights.cube * min(cubes, 4) - price_scores[cost]
        score += weights.joined if is_joined or not has_network else 0.0
        score += weights.reach * ((masks[city] | masks[end]) & ~network_mask).bit_count()
        score *= 1.0 if tiles <= most else 0.5
        if score > 0:
            scored.append((score, city, end))
    scored.sort(key=lambda option: -option[0])
    for score, city, end in scored[:3]:
        found = free_way(terms, state, (city, end), weights.tiles, most)
        if found is None:
            continue
        way = found[1]
        if len(way) - 2 > most:
            way = way[: most + 1]
        yield score, Move("build", way=way)
    yield from _score_printed_links(terms, state, weights)


def _score_printed_links(terms: HexTerms, state: HexState, weights: Weights) -> Iterator[tuple[float, Move]]:
    for number in state.printed_left:
        link = terms.board.links[number]
        city = terms.node_ids.index(link.a)
        mask = sum(1 << colour for colour, name in enumerate(GOODS) if name in link.colours)
        score = weights.cube * _cubes_taken(state.cubes[city], mask) - _score_price(terms, state, weights, link.cost)
        yield score, Move("link", way=(number,))


def _score_price(terms: HexTerms, state: HexState, weights: Weights, price: int) -> float:
    """Return the points that a price costs; a player in debt pays no more than the cash."""
    player, rules = state.actor, terms.board.rules.income
    lack = price - state.cash[player]
    score = weights.dollar * price / BID_UNIT
    if lack <= 0:
        return score
    debts = rules.dividend * (state.bonds[player] + terms.bonds_for(lack))
    is_ruinous = debts > terms.income_at(state.points[player]) + _CREDIT
    return score + (_RUIN if is_ruinous else weights.bond * terms.bonds_for(lack))


def _link_cubes(state: HexState, pair: tuple[int, int], masks: Sequence[int], network_mask: int) -> float:
    """Return the cubes that a link can deliver; those that go on over the own network count half."""
    city, end = pair
    cubes = _cubes_taken(state.cubes[city], masks[end]) + _cubes_taken(state.cubes[end], masks[city])
    if network_mask:
        cubes += 0.5 * _cubes_taken(state.cubes[city], network_mask & ~masks[end])
        cubes += 0.5 * _cubes_taken(state.cubes[end], network_mask & ~masks[city])
    return cubes


def _cubes_taken(cubes: Sequence[int], mask: int) -> float:
    taken = 0
    for colour in _COLOURS_OF_MASK[mask]:
        taken += cubes[colour]
    return float(taken)


def _score_places(terms: HexTerms, state: HexState, weights: Weights) -> Iterator[tuple[float, Move]]:
    """Yield scores of New City tiles and mines at gray cities with own links."""
    rules, own_links = terms.board.rules, _count_own_links(terms, state, state.actor)
    urban_price = _score_price(terms, state, weights, rules.urbanize.price)
    near_by_city: dict[int, list[int]] = {}
    for move in urban_moves(terms, state, own_links):
        if move.city not in near_by_city:
            near_by_city[move.city] = [
                end
                for number in state.links_at[move.city]
                for end in (state.links[number].a, state.links[number].b)
                if end < terms.city_count and end != move.city
            ]
        cubes = sum(state.cubes[city][move.colour] for city in near_by_city[move.city]) + rules.urbanize.cubes * 0.5
        yield weights.cube * cubes - urban_price, move
    for move in mine_moves(terms, state):
        if own_links[move.city]:
            yield weights.cube * 2 - _score_price(terms, state, weights, rules.mines.price), move


GREEDY: Final = Weights()
BUILDER: Final = Weights(cube=0.7, joined=0.6, reach=0.5, bond=0.7, engine=1.2, tiles=8, bid=0.4)


def play_greedily(terms: HexTerms, state: HexState, draws: Draws) -> Move:
    """Make the move with the most points at once, by the weights of the greedy player."""
    del draws
    return choose_move(terms, state, GREEDY)


def build_network(terms: HexTerms, state: HexState, draws: Draws) -> Move:
    """Make the move with the best score, by weights that favour own networks, colours in reach and engines."""
    del draws
    return choose_move(terms, state, BUILDER)


PLAYERS: Final[Mapping[str, HexPlayer]] = MappingProxyType(
    {"greedy": play_greedily, "builder": build_network, "random": play_randomly}
)
ABOUT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "greedy": "delivers for the most points, and builds where most cubes can be delivered at once",
        "builder": "builds a network first: links that touch its own, new colours, long links in two actions, engines",
        "random": "makes any legal move",
        "FILE.py:NAME": "your own: a function of terms, state and random numbers that returns a Move",
    }
)


def find_player(name: str) -> HexPlayer:
    """Return a computer player by name, or a function of a Python file: `FILE.py:NAME`.

    Raises:
        ChoiceError: There is none.
    """
    return find_python_player(name, PLAYERS, Move)
