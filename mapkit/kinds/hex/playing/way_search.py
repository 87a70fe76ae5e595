"""Cheapest ways between cities over free ground: Dijkstra with a limit of tiles."""

from heapq import heappop, heappush
from typing import Final

from mapkit.kinds.hex.playing.building import edge_key
from mapkit.kinds.hex.playing.state import HexState
from mapkit.kinds.hex.playing.terms import NOBODY, HexTerms

_TILE_WEIGHT: Final = 1
"""Dollars that a tile counts besides its price, so that of equal ways the shorter one wins."""
CityWay = tuple[int, tuple[int, ...]]
"""Price of a way, and its hexagons from city to city."""


def search_ways(terms: HexTerms, state: HexState | None, city: int, most_tiles: int) -> dict[int, CityWay]:
    """Return the cheapest way to each city within reach of some tiles.

    Args:
        terms: The game.
        state: The position with its track; None for the empty board.
        city: Where the ways begin.
        most_tiles: How many tiles a way has at most.
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
    return search_ways(terms, state, pair[0], most_detour).get(pair[1])
