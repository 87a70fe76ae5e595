"""Routes, odds and the balance of railroads."""

from fractions import Fraction

from pydantic import Field

from mapkit.core.base import Frozen, Point
from mapkit.kinds.protocol import QueryResult
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.network.destination_chances import (
    WHOLE,
    calculate_city_chances,
    count_chart_weights,
    format_fraction,
)
from mapkit.kinds.rail.network.report import CityReport, CombinationRow, RailroadReport, Report, report
from mapkit.kinds.rail.network.routes import Route, route
from mapkit.kinds.rail.network.service import cities_by_railroad
from mapkit.kinds.rail.network.travel import Holding, holding
from mapkit.kinds.rail.queries.moments import Moment, board_at
from mapkit.kinds.rail.queries.question import Asked, question

HUNDRED = 100


class RouteBetween(Frozen):
    """Two cities or mileposts, by id or name, and the railroads that may be ridden; all without any."""

    start: str = Field(max_length=200)
    end: str = Field(max_length=200)
    railroads: tuple[str, ...] | None = None


class RouteFound(Route, QueryResult):
    """A route with its path in page millimetres."""

    path: tuple[Point, ...]


@question("route", RouteBetween, RouteFound)
def route_between(ask: RouteBetween, asked: Asked) -> RouteFound:
    """Return the route of fewest mileposts."""
    board = asked.live.board
    found = route(board, ask.start, ask.end, railroads=ask.railroads)
    paths = {segment.id: segment for segment in board.segments}
    path: list[Point] = []
    for step in found.steps:
        segment = paths[step.segment]
        points = segment.path if segment.a == step.start else segment.path[::-1]
        path += points[1:] if path else points
    return RouteFound(**dict(found), path=tuple(path))


class Odds(Frozen):
    """Nothing more to say."""


class Chance(Frozen):
    """A chance, as a fraction and in percent."""

    exact: str
    percent: float


class CityChance(Chance):
    """The chance of a city, and how many of the 72 of its chart it has."""

    in_chart: int


class Columns(Frozen):
    """The columns of a destination chart: sum -> item, null for an empty cell."""

    odd: dict[str, str | None]
    even: dict[str, str | None]


class OddsFound(QueryResult):
    """Odds of regions and cities; `unassigned` is the share of empty cells.

    `charts` holds the cells, also of charts that are `solved` and not typed.
    """

    regions: dict[str, Chance]
    cities: dict[str, CityChance]
    unassigned: Chance
    charts: dict[str, Columns]
    solved: bool


@question("odds", Odds, OddsFound)
def odds(_ask: Odds, asked: Asked) -> OddsFound:
    """Return the odds of regions and cities."""
    board = asked.live.board
    weights = count_chart_weights(board.destinations[REGIONS])
    own = {r.id: count_chart_weights(board.destinations[r.id]) for r in board.regions if r.id in board.destinations}
    chances = calculate_city_chances(board)
    return OddsFound(
        regions={r.id: _chance(Fraction(weights.get(r.id, 0), WHOLE)) for r in board.regions},
        cities={
            city.id: CityChance(**dict(_chance(chances[city.id])), in_chart=own.get(city.region, {}).get(city.id, 0))
            for city in board.cities
        },
        unassigned=_chance(1 - sum(chances.values(), Fraction(0))),
        charts={key: Columns(odd=c.odd, even=c.even) for key, c in sorted(board.destinations.items())},
        solved=not asked.document.destinations and asked.live.settings.config.destinations.solve,
    )


def _chance(value: Fraction) -> Chance:
    return Chance(exact=format_fraction(value), percent=round(float(value * HUNDRED), 4))


class Balance(Frozen):
    """Moment to compare with, and the railroads of requested incomes, which take a second each."""

    against: Moment | None = "saved"
    income: tuple[str, ...] = Field(default=(), max_length=12)


class Partner(Frozen):
    """A railroad, and the access that it gives together with another."""

    railroad: str
    access: Chance


class BalanceChange(Frozen):
    """Changes of a railroad since the other moment: percent, and cities by id."""

    service: float
    monopoly: float
    gained: tuple[str, ...]
    lost: tuple[str, ...]


class BalanceRow(RailroadReport):
    """Railroad, its best partner, and its changes; null if it is new, or nothing is compared."""

    best_pair: Partner | None
    change: BalanceChange | None


class CityOdds(CityReport):
    """A city, and how its chance changed; null if it is new, or nothing is compared."""

    change: float | None


class BalanceFound(QueryResult):
    """Railroads and cities, and how they were at the other moment.

    `gone` are the railroads that were there then, with their names. `income` holds what owning each of the railroads
    asked for means for travel (`mapkit report --railroads`), `income_before` the same at the other moment. `pairs` are
    the ten of greatest access.
    """

    railroads: tuple[BalanceRow, ...]
    gone: tuple[str, ...]
    gone_names: tuple[str, ...]
    income: dict[str, Holding]
    income_before: dict[str, Holding]
    pairs: tuple[CombinationRow, ...]
    cities: tuple[CityOdds, ...]


@question("balance", Balance, BalanceFound)
def balance(ask: Balance, asked: Asked) -> BalanceFound:
    """Return how railroads and cities stand against each other."""
    board = asked.live.board
    now = report(board)
    earlier = board_at(asked, ask.against) if ask.against is not None else None
    then = now if earlier is board else report(earlier) if earlier is not None else None
    before = {row.railroad: row for row in then.railroads} if then is not None else {}
    served = cities_by_railroad(board)
    chances = calculate_city_chances(board)
    partners: dict[str, Partner | None] = {}
    owners = [r for r in board.railroads if not r.public]
    for railroad in board.railroads:
        others = [r for r in owners if r.id != railroad.id]
        reach = {r.id: sum((chances[city] for city in served[railroad.id] | served[r.id]), Fraction(0)) for r in others}
        best = min(others, key=lambda r: (-reach[r.id], r.price, r.id), default=None)
        partners[railroad.id] = None if best is None else Partner(railroad=best.id, access=_chance(reach[best.id]))
    rows = tuple(
        BalanceRow(**dict(row), best_pair=partners[row.railroad], change=_change(row, before.get(row.railroad)))
        for row in now.railroads
    )
    gone = sorted(before.keys() - {row.railroad for row in rows})
    return BalanceFound(
        railroads=rows,
        gone=tuple(gone),
        gone_names=tuple(before[each].name for each in gone),
        income={each: holding(board, [each]) for each in ask.income},
        income_before={
            each: holding(earlier, [each])
            for each in ask.income
            if earlier is not None and earlier is not board and each in before
        },
        pairs=now.pairs,
        cities=_city_odds(now, then),
    )


def _change(row: RailroadReport, old: RailroadReport | None) -> BalanceChange | None:
    if old is None:
        return None
    return BalanceChange(
        service=round(row.service - old.service, 4),
        monopoly=round(row.monopoly - old.monopoly, 4),
        gained=tuple(sorted(set(row.cities) - set(old.cities))),
        lost=tuple(sorted(set(old.cities) - set(row.cities))),
    )


def _city_odds(now: Report, old_report: Report | None) -> tuple[CityOdds, ...]:
    was = {row.city: row.chance for row in old_report.cities} if old_report is not None else {}
    return tuple(
        CityOdds(**dict(row), change=round(row.chance - was[row.city], 4) if row.city in was else None)
        for row in now.cities
    )
