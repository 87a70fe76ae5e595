"""The report on a board: railroads, their best combinations, cities."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from mapkit.core.base import Frozen
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.chances import WHOLE, city_chances, fraction_text
from mapkit.kinds.rail.network.service import cities_by_railroad, connections, railroads_by_city

BEST = 10


class RailroadReport(Frozen):
    """A railroad; percentages of all destinations, `price` in currency units."""

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
    """Railroads owned together: the access they give, the monopoly they hold, what they cost."""

    railroads: tuple[str, ...]
    price: int
    access: float
    access_exact: str
    monopoly: float
    monopoly_exact: str


class CityReport(Frozen):
    """A city: its chance as a destination in percent, and the railroads that serve it."""

    city: str
    name: str
    region: str
    chance: float
    chance_exact: str
    railroads: tuple[str, ...]


class Report(Frozen):
    """What a player or author wants to know of a board; `unassigned` is what empty cells take."""

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
    chances = city_chances(board)
    by_railroad, by_city, joined = cities_by_railroad(board), railroads_by_city(board), connections(board)
    rows: list[RailroadReport] = []
    for railroad in board.railroads:
        cities = by_railroad[railroad.id]
        service = sum((chances[c] for c in cities), Fraction(0))
        alone = sum((chances[c] for c in cities if by_city[c] == {railroad.id}), Fraction(0))
        rows.append(
            RailroadReport(
                railroad=railroad.id,
                short=railroad.short,
                name=railroad.name,
                price=railroad.price,
                public=railroad.public,
                cities=tuple(sorted(cities)),
                service=_percent(service),
                service_exact=fraction_text(service),
                monopoly=_percent(alone),
                monopoly_exact=fraction_text(alone),
                connects=joined[railroad.id],
                service_per_thousand=(
                    round(float(service * 100 * board.units.payoff / railroad.price), 4) if railroad.price else None
                ),
            )
        )
    owners = [r.id for r in board.railroads if not r.public]
    return Report(
        railroads=tuple(sorted(rows, key=lambda r: (-r.service, r.railroad))),
        pairs=_best(board, owners, 2),
        triples=_best(board, owners, 3),
        cities=tuple(
            CityReport(
                city=city.id,
                name=city.name,
                region=city.region,
                chance=_percent(chances[city.id]),
                chance_exact=fraction_text(chances[city.id]),
                railroads=tuple(sorted(by_city[city.id])),
            )
            for city in sorted(board.cities, key=lambda c: (-chances[c.id], c.id))
        ),
        unassigned=_percent(1 - sum(chances.values(), Fraction(0))),
    )


def _sums(weights: Sequence[int]) -> list[int]:
    """Return the sum of weights for each set of them, a set as the bits of a number."""
    out = [0]
    for weight in weights:
        out += [weight + rest for rest in out]
    return out


def _best(board: Board, railroads: Sequence[str], size: int) -> tuple[CombinationRow, ...]:
    """Rank all combinations; cities are bits of a number, so that a union is one operation."""
    weights = {city: int(chance * WHOLE * WHOLE) for city, chance in city_chances(board).items()}
    order = sorted(weights)
    bit = {city: 1 << i for i, city in enumerate(order)}
    served = {r: sum(bit[c] for c in cities) for r, cities in cities_by_railroad(board).items()}
    price = {r.id: r.price for r in board.railroads}
    parts = [_sums([weights[city] for city in order[at : at + 8]]) for at in range(0, len(order), 8)]

    def value(mask: int) -> int:
        return sum(part[byte] for part, byte in zip(parts, mask.to_bytes(len(parts), "little"), strict=True))

    def key(group: tuple[str, ...]) -> tuple[int, int, tuple[str, ...]]:
        mask = 0
        for railroad in group:
            mask |= served[railroad]
        return -value(mask), sum(price[r] for r in group), group

    best = sorted(key(group) for group in combinations(sorted(railroads), size))[:BEST]
    by_city = railroads_by_city(board)
    out: list[CombinationRow] = []
    for reach, cost, group in best:
        alone = sum(weights[c] for c, owners in by_city.items() if owners and owners <= set(group))
        access, monopoly = Fraction(-reach, WHOLE * WHOLE), Fraction(alone, WHOLE * WHOLE)
        out.append(
            CombinationRow(
                railroads=group,
                price=cost,
                access=_percent(access),
                access_exact=fraction_text(access),
                monopoly=_percent(monopoly),
                monopoly_exact=fraction_text(monopoly),
            )
        )
    return tuple(out)


def _percent(chance: Fraction) -> float:
    return round(float(chance * 100), 4)
