"""Service of cities by railroads: service, access, monopoly, connections."""

from collections import defaultdict
from collections.abc import Collection
from fractions import Fraction

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances


def mileposts_by_railroad(board: Board) -> dict[str, frozenset[str]]:
    """Return the mileposts (ids) that each railroad touches."""
    milepost_sets: dict[str, set[str]] = {railroad.id: set() for railroad in board.railroads}
    for segment in board.segments:
        milepost_sets[segment.railroad] |= {segment.a, segment.b}
    return {railroad: frozenset(mileposts) for railroad, mileposts in milepost_sets.items()}


def cities_by_railroad(board: Board) -> dict[str, frozenset[str]]:
    """Return the cities (ids) served by each railroad: those at mileposts that it touches."""
    return {
        railroad: frozenset(city.id for city in board.cities if city.milepost in mileposts)
        for railroad, mileposts in mileposts_by_railroad(board).items()
    }


def railroads_by_city(board: Board) -> dict[str, frozenset[str]]:
    """Return the railroads (ids) that serve each city."""
    served_cities = cities_by_railroad(board)
    return {
        city.id: frozenset(railroad for railroad, cities in served_cities.items() if city.id in cities)
        for city in board.cities
    }


def calculate_access(board: Board, railroads: Collection[str]) -> Fraction:
    """Return the chance that the next destination is a city served by any of the railroads (ids)."""
    served_cities, city_chance = cities_by_railroad(board), calculate_city_chances(board)
    all_cities = frozenset().union(*(served_cities[railroad] for railroad in railroads))
    return sum((city_chance[city] for city in all_cities), Fraction(0))


def calculate_monopoly(board: Board, railroads: Collection[str]) -> Fraction:
    """Return the chance that the next destination is a city that only these railroads (ids) serve."""
    allowed_railroads, city_chance = frozenset(railroads), calculate_city_chances(board)
    return sum(
        (
            city_chance[city]
            for city, city_railroads in railroads_by_city(board).items()
            if city_railroads and city_railroads <= allowed_railroads
        ),
        Fraction(0),
    )


def find_connections(board: Board) -> dict[str, tuple[str, ...]]:
    """Return for each railroad the railroads (ids, sorted) with a milepost in common."""
    railroads_at: dict[str, set[str]] = defaultdict(set)
    touched_mileposts = mileposts_by_railroad(board)
    for railroad, mileposts in touched_mileposts.items():
        for milepost in mileposts:
            railroads_at[milepost].add(railroad)
    return {
        railroad: tuple(sorted(set().union(*(railroads_at[m] for m in mileposts)) - {railroad}))
        for railroad, mileposts in touched_mileposts.items()
    }
