"""The charts of an open document, as a build puts them into the board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from mapkit.core.errors import MapkitError, SourceError
from mapkit.core.names import fold
from mapkit.core.problems import Problem, parse_problem
from mapkit.document.document import sort_rows
from mapkit.evaluate import Reader, tracked
from mapkit.formats.tables import Row as TextRow
from mapkit.kinds.rail.charts import late
from mapkit.kinds.rail.charts.destinations.chart_targets import WishError
from mapkit.kinds.rail.compiler.cities import board_cities
from mapkit.kinds.rail.compiler.settings import read_settings, setting
from mapkit.kinds.rail.compiler.track import track_part
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board, DestinationChart, Payoffs
from mapkit.kinds.rail.model.payoffs.model import CLASSIC, PayoffModel
from mapkit.kinds.rail.model.source import BoardConfig, WantedRow
from mapkit.kinds.rail.sources.chart_tables import parse_odds
from mapkit.kinds.rail.sources.package import wanted_charts
from mapkit.kinds.rail.sources.table_files import DESTINATIONS, WANTED
from mapkit.kinds.rail.tables import Payoff, RailDocument, Wanted, payoff_key

PayoffRows = tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True)
class BoardCharts:
    """Destination charts, payoffs and declared odds, with the problems of destination charts."""

    destinations: dict[str, DestinationChart]
    payoffs: Payoffs
    declared: dict[str, dict[str, str]]
    problems: tuple[Problem, ...]
    wanted: tuple[WantedRow, ...] = field(default=(), repr=False)
    """What the destination charts were solved from."""


@tracked
def read_charts(db: Reader) -> BoardCharts:
    """Return the charts of a document."""
    destinations, problems, wanted = _destinations(db)
    return BoardCharts(
        destinations=destinations,
        payoffs=_payoffs(db),
        declared=_declared(db),
        problems=problems,
        wanted=wanted,
    )


@tracked
def _destinations(db: Reader) -> tuple[dict[str, DestinationChart], tuple[Problem, ...], tuple[WantedRow, ...]]:
    document: RailDocument = db.document
    regions = [region.id for region in setting(db, "regions")]
    if document.destinations or not setting(db, "destinations").solve:
        none = not document.destinations and not document.is_of_board
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
        return (
            {
                chart: DestinationChart.model_construct(
                    odd=_column(cells[chart]["odd"], sums), even=_column(cells[chart]["even"], sums)
                )
                for chart in order
            },
            (_NO_DESTINATIONS,) if none else (),
            (),
        )
    try:
        rows = _wanted(document, read_settings(db).config)
        return _solve(rows, tuple(regions)), (), rows
    except WishError as error:
        return _no_charts(regions), (_of_chart(document, error),), ()
    except MapkitError as error:
        texts = error.problems if isinstance(error, SourceError) else (str(error),)
        return _no_charts(regions), tuple(parse_problem(text, table="wanted") for text in texts), ()


def _no_charts(regions: Sequence[str]) -> dict[str, DestinationChart]:
    empty: dict[str, str | None] = dict.fromkeys(SUMS)
    return {chart: DestinationChart(odd=empty, even=empty) for chart in (REGIONS, *regions)}


def _of_chart(document: RailDocument, error: WishError) -> Problem:
    """Return the problem of a chart that cannot be had, at the first row that says something of it."""
    chart = error.chart
    cities = {key for key, city in document.cities.items() if city.region == chart}
    for key, wish in sort_rows(document.wanted):
        own = fold(wish.chart) == fold(chart) if wish.chart else any(fold(wish.name) == fold(c) for c in cities)
        if own:
            return Problem("wanted", key, str(error))
    first = next((key for key, _ in sort_rows(document.cities) if key in cities), None)
    return Problem("cities", first, str(error)) if first else Problem("regions", chart, str(error))


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
def _solve(rows: tuple[WantedRow, ...], regions: tuple[str, ...]) -> dict[str, DestinationChart]:
    return late.solve_with_proof(rows, regions)


def _wanted(document: RailDocument, config: BoardConfig) -> tuple[WantedRow, ...]:
    columns = [name for name in Wanted.model_fields if name != "rank"]
    rows = [
        TextRow(WANTED, number, {column: str(getattr(row, column)) for column in columns})
        for number, (_, row) in enumerate(sort_rows(document.wanted), start=2)
    ]
    return wanted_charts(config, dict(sort_rows(document.cities)), rows)


@tracked
def _declared(db: Reader) -> dict[str, dict[str, str]]:
    out: dict[str, dict[str, str]] = {}
    for key, row in sort_rows(db.table("declared")):
        try:
            odds = parse_odds(row.odds, key)
        except SourceError:  # commands refuse such odds, and so does opening; a board may say what it likes
            odds = row.odds
        out.setdefault(row.chart, {})[row.item] = odds
    return {chart: dict(sorted(odds.items())) for chart, odds in sorted(out.items())}


@tracked
def _payoffs(db: Reader) -> Payoffs:
    """Return the payoff chart, typed, or computed where none is typed and there is track."""
    if db.table("payoff_cities"):
        cities = tuple(key for key, _ in sort_rows(db.table("payoff_cities")))
        rows = db.each(_row, dict.fromkeys(cities, cities), db.table("payoffs"))
        return Payoffs.model_construct(cities=cities, thousands=tuple(rows.values()))
    cities = tuple(key for key, _ in sort_rows(db.table("cities")))
    segments = track_part(db, "segments")
    if db.document.is_of_board or not cities or not segments:
        return Payoffs(cities=(), thousands=())
    model = setting(db, "payoffs") or CLASSIC
    ground: dict[str, Any] = {
        "mileposts": track_part(db, "mileposts"),
        "segments": segments,
        "cities": board_cities(db),
    }
    return Payoffs.model_construct(
        cities=cities, thousands=computed_payoffs(model, Board.model_construct(**ground), cities)
    )


def computed_payoffs(model: PayoffModel, board: Board, cities: tuple[str, ...]) -> PayoffRows:
    """Return the chart that a model gives, in the order of the cities; None where it needs a way and there is none."""
    return late.matrix_to_rows(late.compute_payoffs(model, late.board_distances(board, cities)))


def _row(city: str, cities: tuple[str, ...], table: Mapping[str, Payoff]) -> tuple[float | None, ...]:
    return tuple(amount(table, city, other) for other in cities)


def amount(table: Mapping[str, Payoff], city: str, other: str) -> float | None:
    """Return the cell in the row of one city and the column of another, thousands."""
    cell = table.get(payoff_key(city, other))
    if cell is None:
        return 0.0 if city == other else None
    return cell.below if city > other and cell.below != "same" else cell.thousands
