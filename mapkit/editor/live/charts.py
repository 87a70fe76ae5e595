"""The charts of an open document, as a build puts them into the board."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from mapkit.csvtext import csv_text
from mapkit.editor.document import Document, Payoff, Row, Wanted, cell_key, ordered, payoff_key
from mapkit.editor.live.railroads import Problem
from mapkit.editor.place_names import city_rows
from mapkit.errors import MapkitError, SourceError
from mapkit.model.board import REGIONS, SUMS, Board, DestinationChart, Payoffs
from mapkit.model.payoff_model import PayoffModel
from mapkit.model.source import BoardConfig, WantedRow
from mapkit.sources.chart_tables import odds_of
from mapkit.sources.package import wanted_charts

PayoffRows = tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True)
class Charts:
    """Destination charts, payoffs and declared odds, and what is wrong with what they are made of."""

    destinations: dict[str, DestinationChart]
    payoffs: Payoffs
    declared: dict[str, dict[str, str]]
    problems: tuple[Problem, ...]
    tables: Mapping[str, Mapping[str, Row]] = field(repr=False)
    config: BoardConfig = field(repr=False)
    computed_from: tuple[object, ...] = field(repr=False)
    payoff_problems: tuple[Problem, ...] = field(repr=False)
    destination_problems: tuple[Problem, ...] = field(repr=False)


def read_charts(document: Document, config: BoardConfig, board: Board, before: Charts | None = None) -> Charts:
    """Return the charts of a document.

    Args:
        document: The document.
        config: Its `board.toml`.
        board: Its board without charts, for payoffs that are computed.
        before: The charts before the edit; those that it cannot have changed are taken from there.
    """

    def same(*names: str) -> bool:
        return before is not None and all(before.tables[name] is document.table(name) for name in names)

    problems: list[Problem] = []
    if before is not None and before.config is config and same("destinations", "wanted", "cities"):
        destinations, about_destinations = before.destinations, before.destination_problems
    else:
        destinations, about_destinations = _destinations(document, config)
        if before is not None and destinations == before.destinations:
            destinations = before.destinations
    declared = before.declared if before is not None and same("declared") else _declared(document)
    payoffs, about_payoffs, computed_from = _payoffs(document, config, board, before)
    problems += [*about_destinations, *about_payoffs]
    return Charts(
        destinations=destinations,
        payoffs=payoffs,
        declared=declared,
        problems=tuple(problems),
        tables={name: document.table(name) for name in _TABLES},
        config=config,
        computed_from=computed_from,
        payoff_problems=about_payoffs,
        destination_problems=about_destinations,
    )


_TABLES = ("destinations", "wanted", "cities", "declared", "payoffs", "payoff_cities")


def _destinations(document: Document, config: BoardConfig) -> tuple[dict[str, DestinationChart], tuple[Problem, ...]]:
    regions = [region.id for region in config.regions]
    if document.destinations or not config.destinations.solve:
        cells = {key: cell.item for key, cell in document.destinations.items()}
        charts = {
            chart: DestinationChart.model_construct(
                odd={total: cells.get(cell_key(chart, "odd", int(total))) for total in SUMS},
                even={total: cells.get(cell_key(chart, "even", int(total))) for total in SUMS},
            )
            for chart in (REGIONS, *regions)
        }
        return charts, ()
    try:
        rows = wanted_charts(config, city_rows(document.cities), wanted_text(document))
        return _solved(rows, tuple(regions)), ()
    except MapkitError as error:
        empty: dict[str, str | None] = dict.fromkeys(SUMS)
        charts = {chart: DestinationChart(odd=empty, even=empty) for chart in (REGIONS, *regions)}
        return charts, (Problem("wanted", "", str(error)),)


@lru_cache(maxsize=8)
def _solved(rows: tuple[WantedRow, ...], regions: tuple[str, ...]) -> dict[str, DestinationChart]:
    from mapkit.charts.solved import solve_for_good  # noqa: PLC0415 - typed charts need no solver

    return solve_for_good(rows, regions)


def wanted_text(document: Document) -> str | None:
    """Return `charts/wanted.csv` of a document, or None if it has no wishes."""
    if not document.wanted:
        return None
    columns = [name for name in Wanted.model_fields if name != "rank"]
    return csv_text([columns, *([str(getattr(row, c)) for c in columns] for _, row in ordered(document.wanted))])


def _declared(document: Document) -> dict[str, dict[str, str]]:
    out: dict[str, dict[str, str]] = {}
    for key, row in ordered(document.declared):
        try:
            out.setdefault(row.chart, {})[row.item] = odds_of(row.odds, key)
        except SourceError:  # commands refuse such odds, and so does opening
            continue
    return {chart: dict(sorted(odds.items())) for chart, odds in sorted(out.items())}


def _payoffs(
    document: Document, config: BoardConfig, board: Board, before: Charts | None
) -> tuple[Payoffs, tuple[Problem, ...], tuple[object, ...]]:
    if document.payoff_cities:
        return _typed_payoffs(document, before), (), ()
    cities = tuple(key for key, _ in ordered(document.cities))
    if config.payoffs is None:
        return Payoffs(cities=(), thousands=()), (), ()
    made_of = (board.mileposts, board.segments, board.cities, cities, config.payoffs)
    if before is not None and before.computed_from[:3] and _same(before.computed_from, made_of):
        return before.payoffs, before.payoff_problems, made_of
    try:
        thousands = computed_payoffs(config.payoffs, board, cities)
    except MapkitError as error:
        return Payoffs(cities=(), thousands=()), (Problem("settings", "payoffs", str(error)),), made_of
    return Payoffs.model_construct(cities=cities, thousands=thousands), (), made_of


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return all(a is b for a, b in zip(one[:3], other[:3], strict=True)) and one[3:] == other[3:]


def computed_payoffs(model: PayoffModel, board: Board, cities: tuple[str, ...]) -> PayoffRows:
    """Return the chart that a model gives, in the order of the cities.

    Raises:
        MapkitError: The model asks for distances that the board has not.
    """
    from mapkit.charts.payoff_compute import compute_payoffs  # noqa: PLC0415 - few boards need it
    from mapkit.charts.payoff_distances import board_distances  # noqa: PLC0415

    chart = compute_payoffs(model, board_distances(board, cities))
    return tuple(tuple(map(float, row)) for row in chart)


def _typed_payoffs(document: Document, before: Charts | None) -> Payoffs:
    table = document.payoffs
    if before is not None and before.tables["payoff_cities"] is document.payoff_cities:
        old = before.tables["payoffs"]
        if old is table:
            return before.payoffs
        changed = {key for key, row in table.items() if old.get(key) is not row} | (old.keys() - table.keys())
        touched = {city for key in changed for city in key.split("|")}
        cities = before.payoffs.cities
        rows = tuple(
            _row(table, city, cities) if city in touched else row
            for city, row in zip(cities, before.payoffs.thousands, strict=True)
        )
        return Payoffs.model_construct(cities=cities, thousands=rows)
    cities = tuple(key for key, _ in ordered(document.payoff_cities))
    return Payoffs.model_construct(cities=cities, thousands=tuple(_row(table, city, cities) for city in cities))


def _row(table: Mapping[str, Payoff], city: str, cities: tuple[str, ...]) -> tuple[float | None, ...]:
    return tuple(amount(table, city, other) for other in cities)


def amount(table: Mapping[str, Payoff], city: str, other: str) -> float | None:
    """Return the cell in the row of one city and the column of another, thousands."""
    cell = table.get(payoff_key(city, other))
    if cell is None:
        return 0.0 if city == other else None
    return cell.below if city > other and cell.below != "same" else cell.thousands
