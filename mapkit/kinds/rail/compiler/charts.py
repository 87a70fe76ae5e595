"""The charts of an open document, as a build puts them into the board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Self

from mapkit.core.errors import MapkitError, SourceError
from mapkit.core.names import fold
from mapkit.core.problems import Problem, problem_of
from mapkit.document.document import Row, ordered
from mapkit.formats.tables import Row as TextRow
from mapkit.kinds.rail.charts import late
from mapkit.kinds.rail.charts.destinations.wishes import WishError
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board, DestinationChart, Payoffs
from mapkit.kinds.rail.model.payoffs.model import CLASSIC, PayoffModel
from mapkit.kinds.rail.model.source import BoardConfig, WantedRow
from mapkit.kinds.rail.sources.chart_tables import odds_of
from mapkit.kinds.rail.sources.package import wanted_charts
from mapkit.kinds.rail.sources.table_files import DESTINATIONS, WANTED
from mapkit.kinds.rail.tables import Payoff, RailDocument, Wanted, payoff_key

PayoffRows = tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True)
class BoardCharts:
    """Destination charts, payoffs and declared odds, and what is wrong with what destination charts are made of."""

    destinations: dict[str, DestinationChart]
    payoffs: Payoffs
    declared: dict[str, dict[str, str]]
    problems: tuple[Problem, ...]
    tables: Mapping[str, Mapping[str, Row]] = field(repr=False)
    config: BoardConfig = field(repr=False)
    computed_from: tuple[object, ...] = field(repr=False)
    wanted: tuple[WantedRow, ...] = field(default=(), repr=False)
    """What the destination charts were solved from."""

    @classmethod
    def of_board(cls, board: Board, document: RailDocument, config: BoardConfig) -> Self:
        """Return the charts of a board that is there already, and of its document."""
        return cls(
            destinations=board.destinations,
            payoffs=board.payoffs,
            declared=board.declared,
            problems=(),
            tables={name: document.table(name) for name in _TABLES},
            config=config,
            computed_from=(),
        )


def read_charts(
    document: RailDocument, config: BoardConfig, board: Board, before: BoardCharts | None = None
) -> BoardCharts:
    """Return the charts of a document.

    Args:
        document: The document.
        config: Its `board.toml`.
        board: Its board without charts, for payoffs that are computed.
        before: The charts before the edit; those that it cannot have changed are taken from there.
    """

    def same(*names: str) -> bool:
        return before is not None and all(before.tables[name] is document.table(name) for name in names)

    if before is not None and _same_regions(before.config, config) and same("destinations", "wanted", "cities"):
        destinations, about_destinations, wanted = before.destinations, before.problems, before.wanted
    else:
        destinations, about_destinations, wanted = _destinations(document, config)
        if before is not None and destinations == before.destinations:
            destinations = before.destinations
    declared = before.declared if before is not None and same("declared") else _declared(document)
    payoffs, computed_from = _payoffs(document, config, board, before)
    return BoardCharts(
        destinations=destinations,
        payoffs=payoffs,
        declared=declared,
        problems=about_destinations,
        tables={name: document.table(name) for name in _TABLES},
        config=config,
        computed_from=computed_from,
        wanted=wanted,
    )


def _same_regions(one: BoardConfig, other: BoardConfig) -> bool:
    """Return whether destination charts are made of the same settings."""
    return one is other or (one.regions is other.regions and one.destinations == other.destinations)


_TABLES = ("destinations", "wanted", "cities", "declared", "payoffs", "payoff_cities")


def _destinations(
    document: RailDocument, config: BoardConfig
) -> tuple[dict[str, DestinationChart], tuple[Problem, ...], tuple[WantedRow, ...]]:
    regions = [region.id for region in config.regions]
    if document.destinations or not config.destinations.solve:
        none = not document.destinations and not document.is_of_board
        return _typed_destinations(document, regions), (_NO_DESTINATIONS,) if none else (), ()
    try:
        rows = _wanted(document, config)
        return _solved(rows, tuple(regions)), (), rows
    except WishError as error:
        return _no_charts(regions), (_of_chart(document, error),), ()
    except MapkitError as error:
        texts = error.problems if isinstance(error, SourceError) else (str(error),)
        return _no_charts(regions), tuple(problem_of(text, table="wanted") for text in texts), ()


def _no_charts(regions: Sequence[str]) -> dict[str, DestinationChart]:
    empty: dict[str, str | None] = dict.fromkeys(SUMS)
    return {chart: DestinationChart(odd=empty, even=empty) for chart in (REGIONS, *regions)}


def _of_chart(document: RailDocument, error: WishError) -> Problem:
    """Return the problem of a chart that cannot be had, at the first row that says something of it."""
    chart = error.chart
    cities = {key for key, city in document.cities.items() if city.region == chart}
    for key, wish in ordered(document.wanted):
        own = fold(wish.chart) == fold(chart) if wish.chart else any(fold(wish.name) == fold(c) for c in cities)
        if own:
            return Problem("wanted", key, str(error))
    first = next((key for key, _ in ordered(document.cities) if key in cities), None)
    return Problem("cities", first, str(error)) if first else Problem("regions", chart, str(error))


def _typed_destinations(document: RailDocument, regions: Sequence[str]) -> dict[str, DestinationChart]:
    """Return the charts as typed: of files all that there are to be, of a board those that it has."""
    cells: dict[str, dict[str, dict[str, str | None]]] = {}
    for key, cell in document.destinations.items():
        chart, parity, total = key.split("/")
        cells.setdefault(chart, {"odd": {}, "even": {}})[parity][total] = cell.item
    order = [REGIONS, *regions]
    if document.is_of_board:
        order = [*(chart for chart in order if chart in cells), *(chart for chart in cells if chart not in order)]
        sums = [*SUMS, *sorted({t for c in cells.values() for p in c.values() for t in p} - {*SUMS})]
    else:
        empty: dict[str, str | None] = dict.fromkeys(SUMS)
        cells = {c: {p: {**empty, **cells.get(c, {}).get(p, {})} for p in ("odd", "even")} for c in order}
        sums = [*SUMS]
    return {
        chart: DestinationChart.model_construct(
            odd=_column(cells[chart]["odd"], sums), even=_column(cells[chart]["even"], sums)
        )
        for chart in order
    }


def _column(cells: Mapping[str, str | None], sums: Sequence[str]) -> dict[str, str | None]:
    return {total: cells[total] for total in sums if total in cells}


_NO_DESTINATIONS: Final = Problem(
    "destinations",
    "",
    "cannot be read: no such file; type the charts, or write solve = true under [destinations] in board.toml to have "
    "them solved from weights",
    file=DESTINATIONS,
)


@lru_cache(maxsize=8)
def _solved(rows: tuple[WantedRow, ...], regions: tuple[str, ...]) -> dict[str, DestinationChart]:
    return late.solve_for_good(rows, regions)


def _wanted(document: RailDocument, config: BoardConfig) -> tuple[WantedRow, ...]:
    columns = [name for name in Wanted.model_fields if name != "rank"]
    rows = [
        TextRow(WANTED, number, {column: str(getattr(row, column)) for column in columns})
        for number, (_, row) in enumerate(ordered(document.wanted), start=2)
    ]
    return wanted_charts(config, dict(ordered(document.cities)), rows)


def _declared(document: RailDocument) -> dict[str, dict[str, str]]:
    out: dict[str, dict[str, str]] = {}
    for key, row in ordered(document.declared):
        try:
            odds = odds_of(row.odds, key)
        except SourceError:  # commands refuse such odds, and so does opening; a board may say what it likes
            odds = row.odds
        out.setdefault(row.chart, {})[row.item] = odds
    return {chart: dict(sorted(odds.items())) for chart, odds in sorted(out.items())}


def _payoffs(
    document: RailDocument, config: BoardConfig, board: Board, before: BoardCharts | None
) -> tuple[Payoffs, tuple[object, ...]]:
    """Return the payoff chart, and what it was computed from, if it was: where none is typed and there is track."""
    if document.payoff_cities:
        return _typed_payoffs(document, before), ()
    cities = tuple(key for key, _ in ordered(document.cities))
    if document.is_of_board or not cities or not board.segments:
        return Payoffs(cities=(), thousands=()), ()
    model = config.payoffs or CLASSIC
    made_of = (board.mileposts, board.segments, board.cities, cities, model)
    if before is not None and before.computed_from[:3] and _same(before.computed_from, made_of):
        return before.payoffs, made_of
    return Payoffs.model_construct(cities=cities, thousands=computed_payoffs(model, board, cities)), made_of


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return all(a is b for a, b in zip(one[:3], other[:3], strict=True)) and one[3:] == other[3:]


def computed_payoffs(model: PayoffModel, board: Board, cities: tuple[str, ...]) -> PayoffRows:
    """Return the chart that a model gives, in the order of the cities; None where it needs a way and there is none."""
    return late.rows_of(late.compute_payoffs(model, late.board_distances(board, cities)))


def _typed_payoffs(document: RailDocument, before: BoardCharts | None) -> Payoffs:
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
