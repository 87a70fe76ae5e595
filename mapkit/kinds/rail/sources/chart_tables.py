"""Readers of `charts/destinations.csv` and `charts/payoffs.csv`."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.names import fold
from mapkit.core.plurals import count_noun
from mapkit.document.document import RowOrigin
from mapkit.document.plain_tables import TableReader
from mapkit.formats.tables import Problems, RawRows, Row, parse_decimal, parse_number
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.model.source import RegionConfig
from mapkit.kinds.rail.sources.table_files import DESTINATIONS, FORMS, PAYOFFS
from mapkit.kinds.rail.tables import Cell as DestinationCell
from mapkit.kinds.rail.tables import City, Declared, Payoff, PayoffCity, cell_key, payoff_key

PARITIES: Final = ("odd", "even")
_SUMS = range(2, 13)
_MAX_ODDS_LETTERS = 40


def read_destinations(
    reader: TableReader, cities: Mapping[str, City], regions: Sequence[RegionConfig]
) -> dict[str, DestinationCell]:
    """Read the printed destination charts: `chart, sum, odd, even` (RB-C14).

    `chart` is `regions` or a region; a cell names a region or a city by id or name, or is empty. The result has all
    cells of each chart with at least one row.

    Args:
        reader: Reader of the file, which collects its problems.
        cities: The board's cities.
        regions: Its regions.
    """
    name_index = _NameIndex(cities, regions)
    cells_by_chart: dict[str, dict[str, DestinationCell]] = {}
    first_rows: dict[tuple[str, int], int] = {}
    for row in reader.text_rows("destinations", DESTINATIONS, ("chart", "sum", "odd", "even")):
        try:
            chart_id = name_index.chart(
                row, other="; the charts are " + ", ".join((REGIONS, *(r.name for r in regions)))
            )
            dice_sum = _read_sum(row)
            if (first_row := first_rows.setdefault((chart_id, dice_sum), row.number)) != row.number:
                problem_text = f"sum {dice_sum} of chart {chart_id!r} is already in row {first_row}; remove one"
                reader.note("destinations", SourceError(row.at(problem_text)))
                continue
            item_by_parity = {parity: name_index.item(row, parity, chart_id) for parity in PARITIES}
        except SourceError as error:
            reader.note("destinations", error)
            continue
        chart_cells = cells_by_chart.setdefault(
            chart_id,
            {
                cell_key(chart_id, parity, any_sum): DestinationCell(item=None)
                for any_sum in _SUMS
                for parity in PARITIES
            },
        )
        for parity, item_id in item_by_parity.items():
            destination_key = cell_key(chart_id, parity, dice_sum)
            chart_cells[destination_key] = DestinationCell(item=item_id)
            reader.origins["destinations", destination_key] = RowOrigin(DESTINATIONS, row.number)
    return {
        destination_key: cell
        for chart_cells in cells_by_chart.values()
        for destination_key, cell in chart_cells.items()
    }


def read_declared(
    reader: TableReader, cities: Mapping[str, City], regions: Sequence[RegionConfig]
) -> dict[str, Declared]:
    """Read the declared odds of charts: `chart, name, odds`; odds are `15/72`, `20.83%` or `0.2083`.

    Args:
        reader: Reader of the file, which collects its problems.
        cities: The board's cities.
        regions: Its regions.
    """
    name_index = _NameIndex(cities, regions)

    def values(row: Row) -> Mapping[str, object]:
        chart_id = name_index.chart(row)
        item_id = name_index.item(row, "name", chart_id)
        if item_id is None:
            raise SourceError(row.at("name is empty; write the region or city whose odds these are"))
        if chart_id != REGIONS and cities[item_id].region != chart_id:
            raise SourceError(row.at(f"{row.cells['name']} is not in {row.cells['chart']}; correct one of them"))
        parse_odds(row.cells["odds"], row.at("odds"))
        return {"chart": chart_id, "item": item_id, "odds": row.cells["odds"]}

    return reader.rows("declared", Declared, FORMS["declared"], values)


def parse_odds(text: str, where: str) -> str:
    """Return odds as an exact fraction: `15/72`, `20.83%` or `0.2083`.

    Raises:
        SourceError: The text is not one of these, or not between 0 and 1.
    """
    compact_text = text.replace(" ", "")
    try:
        if len(compact_text) > _MAX_ODDS_LETTERS or "e" in compact_text.casefold():
            raise ValueError  # noqa: TRY301 - handled like errors of Fraction
        odds_value = Fraction(compact_text.removesuffix("%")) / (100 if compact_text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        odds_value = Fraction(-1)
    if not 0 <= odds_value <= 1:
        raise SourceError(f"{where} is {text[:80]!r}; write 15/72, 20.83% or 0.2083")
    return f"{odds_value.numerator}/{odds_value.denominator}"


def read_payoffs(reader: TableReader, cities: Mapping[str, City]) -> tuple[dict[str, PayoffCity], dict[str, Payoff]]:
    """Read the printed payoff chart: a square of thousands with city names above and on the left (RB-C13).

    Args:
        reader: Reader of the file, which collects its problems; an empty cell is a gap for the checks to report.
        cities: The board's cities.

    Returns:
        The cities of the chart, and its cells that differ from the defaults: 0 to itself, empty to others.
    """
    raw_rows = reader.parsed("payoffs", PAYOFFS)
    if len(raw_rows) == 1:
        reader.origins["payoffs", ""] = RowOrigin(PAYOFFS, 1)
    if len(raw_rows) < 2:  # noqa: PLR2004 - a chart of no city
        return {}, {}
    try:
        amounts_by_city = _read_square(reader, raw_rows, cities)
    except SourceError as error:
        reader.refuse("payoffs", error)
        return {}, {}
    payoff_by_key: dict[str, Payoff] = {}
    for row_city, row_amounts in amounts_by_city.items():
        for column_city, amount in row_amounts.items():
            mirrored_amount = amounts_by_city[column_city][row_city]
            is_default = amount == 0 if row_city == column_city else amount is None and mirrored_amount is None
            if row_city <= column_city and not is_default:
                payoff_by_key[payoff_key(row_city, column_city)] = Payoff(
                    thousands=amount, below="same" if amount == mirrored_amount else mirrored_amount
                )
    return {city: PayoffCity() for city in amounts_by_city}, payoff_by_key


def _read_square(reader: TableReader, raw: RawRows, cities: Mapping[str, City]) -> dict[str, dict[str, float | None]]:
    """Return the amounts of a chart by city; with mistakes, of the cities that have both a column and a row.

    Raises:
        SourceError: Rows and columns name other cities, or one twice.
    """
    city_ids, city_names = _index_cities(cities), [city.name for city in cities.values()]
    (header_row, header), *data_rows = raw
    where = f"{PAYOFFS}:{header_row}"
    if len(header) == 1:
        raise SourceError(f"{where}: no amounts; write city names above and on the left of a square of amounts")
    problems = Problems(kept=True)
    column_cities = [_look_up_city(name, city_ids, city_names, where, problems) for name in header[1:]]
    numbered_amounts: dict[str, tuple[int, list[float | None]]] = {}
    row_order: list[str] = []
    for row_number, cells in data_rows:
        row_place = f"{PAYOFFS}:{row_number}"
        if len(cells) != len(header):
            problems.add(
                f"{row_place}: row {cells[0]!r} has {count_noun(len(cells) - 1, 'amount')}, but the header names "
                f"{count_noun(len(header) - 1, 'city', 'cities')}; the chart must be square"
            )
            continue
        row_city = _look_up_city(cells[0], city_ids, city_names, row_place, problems)
        named_cells = zip(cells[1:], header[1:], strict=True)
        row_amounts = [
            _read_amount(cell, f"{row_place}: payoff {cells[0]} - {column_name}", problems)
            for cell, column_name in named_cells
        ]
        if row_city:
            row_order.append(row_city)
            numbered_amounts.setdefault(row_city, (row_number, row_amounts))
    reader.note("payoffs", SourceError(problems.found))
    if not problems.found and (
        sorted(row_order) != sorted(column_cities) or len(set(column_cities)) != len(column_cities)
    ):
        odd_ones = sorted(set(row_order) ^ set(column_cities)) or sorted(
            c for c in column_cities if column_cities.count(c) > 1
        )
        raise SourceError(
            f"{where}: rows and columns must name the same cities, each once; "
            f"check {', '.join(odd_ones) or 'doubled rows'}"
        )
    column_by_city = {
        city: number for number, city in reversed(list(enumerate(column_cities))) if city in numbered_amounts
    }
    square_cities = [city for city in dict.fromkeys(column_cities) if city in column_by_city]
    reader.origins.update(
        {("payoff_cities", city): RowOrigin(PAYOFFS, numbered_amounts[city][0]) for city in square_cities}
    )
    return {
        row_id: {column_city: numbered_amounts[row_id][1][column_by_city[column_city]] for column_city in square_cities}
        for row_id in square_cities
    }


class _NameIndex:
    """Index of charts, regions and cities by id and name."""

    def __init__(self, cities: Mapping[str, City], regions: Sequence[RegionConfig]) -> None:
        self.regions = {fold(key): r.id for r in regions for key in (r.id, r.name)}
        self.cities = _index_cities(cities)
        self.titles = ([r.name for r in regions], [c.name for c in cities.values()])

    def chart(self, row: Row, other: str = "") -> str:
        """Return the id of the chart of a row; `other` is the hint if no name is similar."""
        chart_name = row.cells["chart"]
        if fold(chart_name) == fold(REGIONS):
            return REGIONS
        if fold(chart_name) not in self.regions:
            hint = did_you_mean(chart_name, [REGIONS, *self.titles[0]]) or other
            raise SourceError(row.at(f"chart {chart_name!r} is neither {REGIONS!r} nor a region{hint}"))
        return self.regions[fold(chart_name)]

    def item(self, row: Row, column: str, chart: str) -> str | None:
        """Return the id of the region or city that a cell names, or None for an empty one."""
        item_name, is_region = row.cells[column], chart == REGIONS
        if not item_name:
            return None
        item_id = (self.regions if is_region else self.cities).get(fold(item_name))
        if item_id is None:
            hint = did_you_mean(item_name, self.titles[0 if is_region else 1])
            item_kind = "region" if is_region else "city"
            raise SourceError(
                row.at(f"{column} cell {item_name!r} is not a {item_kind} of this board{hint}; correct it")
            )
        return item_id


def _index_cities(cities: Mapping[str, City]) -> dict[str, str]:
    return {fold(key): ident for ident, city in cities.items() for key in (ident, city.name)}


def _read_sum(row: Row) -> int:
    dice_sum = parse_number(row, "sum", like="7")
    if dice_sum not in _SUMS:
        raise SourceError(row.at(f"sum is {row.cells['sum']!r}; two dice make 2 to 12"))
    return int(dice_sum)


def _look_up_city(
    name: str, city_by_fold: Mapping[str, str], names: Sequence[str], where: str, problems: Problems
) -> str:
    if fold(name) not in city_by_fold:
        hint = did_you_mean(name, names)
        problems.add(f"{where}: {name!r} is not a city of this board{hint}; correct it or add it to cities.csv")
        return ""
    return city_by_fold[fold(name)]


def _read_amount(cell: str, where: str, problems: Problems) -> float | None:
    if not cell:
        return None
    amount = parse_decimal(cell)
    if amount is None:
        problems.add(f"{where} is {cell!r}, which is not an amount; write thousands like 25.5")
        return None
    if amount < 0:
        problems.add(f"{where} is {cell}; give 0 or more")
        return None
    return amount
