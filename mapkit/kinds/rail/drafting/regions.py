"""Regions of a draft: connected groups of cities with about the same weight."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import numpy as np

from mapkit.kinds.rail.drafting.city_paths import merge_groups
from mapkit.kinds.rail.drafting.plane import Floats

_LEAST_CITIES: Final = 2
MOST_CITIES: Final = 18
"""A chart has 22 cells."""
_MOST_MOVES: Final = 200
_JOINED_COST: Final = 0.15
"""Worth of a whole division in one region, in the unit of `_region_cost`."""
_EDGE_TOLERANCE: Final = 1e-6
_DIRECTIONS: Final = {
    "North": (0, 1), "North East": (0.75, 0.75), "East": (1, 0), "South East": (0.75, -0.75), "South": (0, -1),
    "South West": (-0.75, -0.75), "West": (-1, 0), "North West": (-0.75, 0.75), "Centre": (0, 0),
}  # fmt: skip
SHORT: Final = {
    "North": "N", "North East": "NE", "East": "E", "South East": "SE", "South": "S", "South West": "SW",
    "West": "W", "North West": "NW", "Centre": "C", "Far North": "FN", "Far South": "FS", "Far East": "FE",
    "Far West": "FW",
}  # fmt: skip
_ROW_ASPECT_RATIO: Final = 0.52
"""Width through length up to which regions lie in a row."""
_MOST_IN_A_ROW: Final = 5
COLOURS: Final = (
    "#d7c9e8", "#f6d5b8", "#cfe3c8", "#f3e4a8", "#f2cdd0", "#cbdff0", "#e6dcc6", "#d3e6df", "#ead3e4", "#dfe3b9",
)  # fmt: skip
"""Of the shipped boards, and three more like them."""


def usual_region_count(cities: int) -> int:
    """Return the usual number of regions for a number of cities: 7 for 67, 48 or 36, and 10 for 100."""
    return min(max(round(3 + cities / 13), 2 if cities > _LEAST_CITIES else 1), 10, max(cities // 3, 1))


def group_cities(
    beside: Mapping[int, Sequence[int]],
    weights: Mapping[int, float],
    at: Floats,
    count: int,
    divisions: Mapping[int, str] = MappingProxyType({}),
) -> tuple[tuple[int, ...], ...]:
    """Group cities into regions, each in one piece on the network.

    Args:
        beside: The neighbours of each city.
        weights: How likely each city is.
        at: Where stops are.
        count: How many regions.
        divisions: First-level division of each city; regions keep its cities together where they can.
    """
    cities = sorted(weights)
    beside = find_map_neighbours(cities, beside, at)
    middle = at[list(cities)].mean(axis=0)
    seeds = [max(cities, key=lambda city: (round(float(np.hypot(*(at[city] - middle))), 6), city))]
    while len(seeds) < count:
        candidates = [city for city in cities if city not in seeds]
        seed_distance = {city: min(float(np.hypot(*(at[city] - at[seed]))) for seed in seeds) for city in candidates}
        seeds.append(max(candidates, key=lambda city: (round(seed_distance[city] * weights[city] ** 0.2, 6), city)))
    region_of_city = _grow_regions(cities, beside, weights, at, seeds)
    for _ in range(_MOST_MOVES):
        move = _best_move(region_of_city, beside, weights, at, divisions)
        if move is None:
            break
        region_of_city[move[0]] = move[1]
    return tuple(tuple(city for city in cities if region_of_city[city] == number) for number in range(count))


def find_map_neighbours(
    cities: Sequence[int], beside: Mapping[int, Sequence[int]], at: Floats
) -> dict[int, tuple[int, ...]]:
    """Return the network neighbours of each city that are neighbours on the map too (Gabriel graph).

    The ground around a city is nearer to it than to any other, so the ground of a region is in one piece then. Where
    this takes the network apart, the shortest ways between its parts count too.
    """
    city_points = at[list(cities)]
    map_neighbours: dict[int, set[int]] = {city: set() for city in cities}
    longer_links: list[tuple[float, int, int]] = []
    for first_city, second_city in sorted({(min(a, b), max(a, b)) for a in cities for b in beside[a]}):
        half_mi = float(np.hypot(*(at[first_city] - at[second_city]))) / 2
        nearest_mi = np.hypot(*(city_points - (at[first_city] + at[second_city]) / 2).T).min()
        if nearest_mi >= half_mi * (1 - _EDGE_TOLERANCE):
            map_neighbours[first_city].add(second_city)
            map_neighbours[second_city].add(first_city)
        else:
            longer_links.append((round(half_mi, 6), first_city, second_city))
    parts = merge_groups([{city, *map_neighbours[city]} for city in cities])
    for _, first_city, second_city in sorted(longer_links):
        separate_parts = [part for part in parts if first_city in part or second_city in part]
        if len(separate_parts) > 1:
            map_neighbours[first_city].add(second_city)
            map_neighbours[second_city].add(first_city)
            parts = merge_groups([*parts, {first_city, second_city}])
    return {city: tuple(sorted(neighbour_set)) for city, neighbour_set in map_neighbours.items()}


def _grow_regions(
    cities: Sequence[int],
    beside: Mapping[int, Sequence[int]],
    weights: Mapping[int, float],
    at: Floats,
    seeds: Sequence[int],
) -> dict[int, int]:
    """Grow regions from seeds: the lightest region takes its nearest neighbouring city, again and again."""
    region_of_city = {seed: number for number, seed in enumerate(seeds)}
    total_weights = [weights[seed] for seed in seeds]
    while len(region_of_city) < len(cities):
        for number in sorted(range(len(seeds)), key=lambda k: (round(total_weights[k], 6), k)):
            region_cities = [city for city in region_of_city if region_of_city[city] == number]
            border_cities = sorted(
                {neighbour for city in region_cities for neighbour in beside[city]} - region_of_city.keys()
            )
            if border_cities:
                middle = at[region_cities].mean(axis=0)
                city = min(border_cities, key=lambda c: (round(float(np.hypot(*(at[c] - middle))), 6), c))
                region_of_city[city] = number
                total_weights[number] += weights[city]
                break
        else:
            break
    for city in cities:  # what no region can reach joins the nearest
        if city not in region_of_city:
            region_of_city[city] = region_of_city[
                min(region_of_city, key=lambda other: (float(np.hypot(*(at[other] - at[city]))), other))
            ]
    return region_of_city


def _best_move(
    of: Mapping[int, int],
    beside: Mapping[int, Sequence[int]],
    weights: Mapping[int, float],
    at: Floats,
    divisions: Mapping[int, str],
) -> tuple[int, int] | None:
    """Return the city to move, and its new region, that make regions most even and round; None if no move helps."""
    region_count = max(of.values()) + 1
    cities_by_region = [[city for city in sorted(of) if of[city] == number] for number in range(region_count)]
    costs_now = [_region_cost(region_cities, weights, at, region_count) for region_cities in cities_by_region]
    best_gain, best_move = -1e-9, None
    for city in sorted(of):
        old_region = of[city]
        remaining_cities = [city_left for city_left in cities_by_region[old_region] if city_left != city]
        if len(remaining_cities) < _LEAST_CITIES or not _is_connected(remaining_cities, beside):
            continue
        for new_region in sorted({of[other] for other in beside[city]} - {old_region}):
            grown_region = [*cities_by_region[new_region], city]
            if len(grown_region) > MOST_CITIES:
                continue
            gain = (
                _region_cost(remaining_cities, weights, at, region_count)
                + _region_cost(grown_region, weights, at, region_count)
                - costs_now[old_region]
                - costs_now[new_region]
                + _JOINED_COST
                * (_count_kin(city, remaining_cities, divisions) - _count_kin(city, grown_region, divisions))
            )
            if gain < best_gain:
                best_gain, best_move = gain, (city, new_region)
    return best_move


def _count_kin(city: int, others: Sequence[int], divisions: Mapping[int, str]) -> float:
    """Return the share of a city's division that is among others."""
    if city not in divisions:
        return 0.0
    kin = [other for other, division in divisions.items() if division == divisions[city] and other != city]
    return sum(other in others for other in kin) / max(len(kin), 1)


def _region_cost(own: Sequence[int], weights: Mapping[int, float], at: Floats, count: int) -> float:
    """Return the cost of a region: its deviation from an even weight, and its spread."""
    total = sum(weights.values())
    even_ratio: float = sum(weights[city] for city in own) * count / total
    points = at[list(own)]
    spread_mi = float(np.hypot(*(points - points.mean(axis=0)).T).sum())
    all_points = at[sorted(weights)]
    whole_spread = float(np.hypot(*(all_points - all_points.mean(axis=0)).T).sum())
    return float((even_ratio - 1) ** 2 * 2.0 + 3.0 * spread_mi * count**0.5 / whole_spread)


def _is_connected(cities: Sequence[int], beside: Mapping[int, Sequence[int]]) -> bool:
    unreached_cities, city_stack = set(cities[1:]), [cities[0]]
    while city_stack:
        reached_cities = unreached_cities & set(beside[city_stack.pop()])
        unreached_cities -= reached_cities
        city_stack += sorted(reached_cities)
    return not unreached_cities


def name_regions(groups: Sequence[Sequence[int]], at: Floats, largest: Sequence[str]) -> tuple[str, ...]:
    """Return a name for each region: its position on the map, or else its largest city.

    Args:
        groups: The cities of each.
        at: Where stops are.
        largest: The name of the largest city of each.
    """
    middles = np.array([at[list(region_cities)].mean(axis=0) for region_cities in groups])
    all_points = at[[city for region_cities in groups for city in region_cities]]
    extent_mi = all_points.max(axis=0) - all_points.min(axis=0)
    if 1 < len(groups) <= _MOST_IN_A_ROW and extent_mi.min() <= _ROW_ASPECT_RATIO * extent_mi.max():
        return _name_row(
            middles[:, extent_mi.argmax()], ("West", "East") if extent_mi.argmax() == 0 else ("South", "North")
        )
    low_corner, high_corner = middles.min(axis=0), middles.max(axis=0)
    half_extent = np.maximum((high_corner - low_corner) / 2, 1e-6)
    relative_positions = (middles - (low_corner + high_corner) / 2) / half_extent
    name_by_region: dict[int, str] = {}
    name_candidates = sorted(
        (round(float(np.hypot(*(relative_positions[k] - np.array(corner)))), 6), k, name)
        for k in range(len(groups))
        for name, corner in _DIRECTIONS.items()
    )
    for corner_distance, k, name in name_candidates:
        if k not in name_by_region and name not in name_by_region.values() and corner_distance <= 1.0:
            name_by_region[k] = name
    return tuple(name_by_region.get(k, f"{largest[k]} District") for k in range(len(groups)))


def _name_row(along: Floats, ends: tuple[str, str]) -> tuple[str, ...]:
    """Return the names of regions in a row, by position; `ends` are the names of the two halves."""
    low_name, high_name = ends
    half = len(along) // 2
    names = (
        [f"Far {low_name}", low_name][-half:] + ["Centre"] * (len(along) % 2) + [high_name, f"Far {high_name}"][:half]
    )
    name_by_region = dict(zip(np.argsort(along, kind="stable").tolist(), names, strict=True))
    return tuple(name_by_region[k] for k in range(len(along)))
