"""Report on a board: railroads, their best combinations, cities."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from mapkit.core.base import Frozen
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.destination_chances import WHOLE, calculate_city_chances, format_fraction
from mapkit.kinds.rail.network.service import cities_by_railroad, find_connections, railroads_by_city

BEST = 10


class RailroadReport(Frozen):
    """Figures of a railroad; percentages of all destinations, `price` in currency units."""

    railroad: str
    short: str
    name: str
    price: int
    public: bool
    cities: tuple[str, ...]
    service: float
    service_exact: str
    monopoly: float
    monopoly_exact: str
    connects: tuple[str, ...]
    service_per_thousand: float | None


class CombinationRow(Frozen):
    """Railroads owned together, with their access, monopoly and price."""

    railroads: tuple[str, ...]
    price: int
    access: float
    access_exact: str
    monopoly: float
    monopoly_exact: str


class CityReport(Frozen):
    """Figures of a city: its chance as a destination in percent, and the railroads that serve it."""

    city: str
    name: str
    region: str
    chance: float
    chance_exact: str
    railroads: tuple[str, ...]


class Report(Frozen):
    """Figures of a board for players and authors; `unassigned` is the chance that empty cells take."""

    railroads: tuple[RailroadReport, ...]
    pairs: tuple[CombinationRow, ...]
    triples: tuple[CombinationRow, ...]
    cities: tuple[CityReport, ...]
    unassigned: float


def report(board: Board) -> Report:
    """Return the report on a board.

    Railroads come in order of service, cities of chance, both downward; pairs and triples are the ten of
    greatest access, the cheaper first among equals.
    """
    city_chance = calculate_city_chances(board)
    by_railroad, railroads_of, connected_railroads = (
        cities_by_railroad(board),
        railroads_by_city(board),
        find_connections(board),
    )
    railroad_rows: list[RailroadReport] = []
    for railroad in board.railroads:
        cities = by_railroad[railroad.id]
        service_chance = sum((city_chance[c] for c in cities), Fraction(0))
        monopoly_chance = sum((city_chance[c] for c in cities if railroads_of[c] == {railroad.id}), Fraction(0))
        railroad_rows.append(
            RailroadReport(
                railroad=railroad.id,
                short=railroad.short,
                name=railroad.name,
                price=railroad.price,
                public=railroad.public,
                cities=tuple(sorted(cities)),
                service=_to_percent(service_chance),
                service_exact=format_fraction(service_chance),
                monopoly=_to_percent(monopoly_chance),
                monopoly_exact=format_fraction(monopoly_chance),
                connects=connected_railroads[railroad.id],
                service_per_thousand=(
                    round(float(service_chance * 100 * board.units.payoff / railroad.price), 4)
                    if railroad.price
                    else None
                ),
            )
        )
    private_railroads = [r.id for r in board.railroads if not r.public]
    return Report(
        railroads=tuple(sorted(railroad_rows, key=lambda r: (-r.service, r.railroad))),
        pairs=_rank_combinations(board, private_railroads, 2),
        triples=_rank_combinations(board, private_railroads, 3),
        cities=tuple(
            CityReport(
                city=city.id,
                name=city.name,
                region=city.region,
                chance=_to_percent(city_chance[city.id]),
                chance_exact=format_fraction(city_chance[city.id]),
                railroads=tuple(sorted(railroads_of[city.id])),
            )
            for city in sorted(board.cities, key=lambda c: (-city_chance[c.id], c.id))
        ),
        unassigned=_to_percent(1 - sum(city_chance.values(), Fraction(0))),
    )


def _subset_sums(weights: Sequence[int]) -> list[int]:
    """Return the sum of weights for each subset of them, a subset as the bits of a number."""
    subset_sums = [0]
    for weight in weights:
        subset_sums += [weight + subset_sum for subset_sum in subset_sums]
    return subset_sums


def _rank_combinations(board: Board, railroads: Sequence[str], size: int) -> tuple[CombinationRow, ...]:
    """Rank all combinations of railroads by access; cities are bits of a number, so that a union is one operation."""
    city_weights = {city: int(chance * WHOLE * WHOLE) for city, chance in calculate_city_chances(board).items()}
    city_ids = sorted(city_weights)
    city_bit = {city: 1 << i for i, city in enumerate(city_ids)}
    served_bits = {r: sum(city_bit[c] for c in cities) for r, cities in cities_by_railroad(board).items()}
    price_of = {r.id: r.price for r in board.railroads}
    byte_sums = [
        _subset_sums([city_weights[city] for city in city_ids[first_city : first_city + 8]])
        for first_city in range(0, len(city_ids), 8)
    ]

    def value(mask: int) -> int:
        return sum(part[byte] for part, byte in zip(byte_sums, mask.to_bytes(len(byte_sums), "little"), strict=True))

    def key(group: tuple[str, ...]) -> tuple[int, int, tuple[str, ...]]:
        city_mask = 0
        for railroad in group:
            city_mask |= served_bits[railroad]
        return -value(city_mask), sum(price_of[r] for r in group), group

    best_groups = sorted(key(group) for group in combinations(sorted(railroads), size))[:BEST]
    by_city = railroads_by_city(board)
    combination_rows: list[CombinationRow] = []
    for reach, cost, group in best_groups:
        monopoly_weight = sum(city_weights[c] for c, owners in by_city.items() if owners and owners <= set(group))
        access, monopoly = Fraction(-reach, WHOLE * WHOLE), Fraction(monopoly_weight, WHOLE * WHOLE)
        combination_rows.append(
            CombinationRow(
                railroads=group,
                price=cost,
                access=_to_percent(access),
                access_exact=format_fraction(access),
                monopoly=_to_percent(monopoly),
                monopoly_exact=format_fraction(monopoly),
            )
        )
    return tuple(combination_rows)


def _to_percent(chance: Fraction) -> float:
    return round(float(chance * 100), 4)
