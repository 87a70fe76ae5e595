"""Reading `charts/destinations.csv` and `charts/payoffs.csv`."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.names import fold
from mapkit.core.plurals import counted
from mapkit.document.document import RowOrigin
from mapkit.document.plain import TableReader
from mapkit.formats.tables import Problems, RawRows, Row, number
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.model.source import RegionConfig
from mapkit.kinds.rail.sources.table_files import DESTINATIONS, FORMS, PAYOFFS
from mapkit.kinds.rail.tables import Cell as DestinationCell
from mapkit.kinds.rail.tables import City, Declared, Payoff, PayoffCity, cell_key, payoff_key

PARITIES: Final = ("odd", "even")
_SUMS = range(2, 13)
_LONGEST_ODDS = 40


def read_destinations(
    reader: TableReader, cities: Mapping[str, City], regions: Sequence[RegionConfig]
) -> dict[str, DestinationCell]:
    """Read the printed destination charts: `chart, sum, odd, even` (RB-C14).

    `chart` is `regions` or a region; a cell names a region or a city by id or name, or is empty. A chart of which there
    is a row has all its cells.

    Args:
        reader: Reads the file, and takes what is wrong.
        cities: The board's cities.
        regions: Its regions.
    """
    names = _Names(cities, regions)
    charts: dict[str, dict[str, DestinationCell]] = {}
    seen: dict[tuple[str, int], int] = {}
    for row in reader.text_rows("destinations", DESTINATIONS, ("chart", "sum", "odd", "even")):
        try:
            chart = names.chart(row, other="; the charts are " + ", ".join((REGIONS, *(r.name for r in regions))))
            total = _sum(row)
            if (first := seen.setdefault((chart, total), row.number)) != row.number:
                said = f"sum {total} of chart {chart!r} is already in row {first}; remove one"
                reader.note("destinations", SourceError(row.at(said)))
                continue
            found = {parity: names.item(row, parity, chart) for parity in PARITIES}
        except SourceError as error:
            reader.note("destinations", error)
            continue
        cells = charts.setdefault(
            chart, {cell_key(chart, parity, each): DestinationCell(item=None) for each in _SUMS for parity in PARITIES}
        )
        for parity, item in found.items():
            key = cell_key(chart, parity, total)
            cells[key] = DestinationCell(item=item)
            reader.origins["destinations", key] = RowOrigin(DESTINATIONS, row.number)
    return {key: cell for cells in charts.values() for key, cell in cells.items()}


def read_declared(
    reader: TableReader, cities: Mapping[str, City], regions: Sequence[RegionConfig]
) -> dict[str, Declared]:
    """Read the odds that charts are said to give: `chart, name, odds`; odds are `15/72`, `20.83%` or `0.2083`.

    Args:
        reader: Reads the file, and takes what is wrong.
        cities: The board's cities.
        regions: Its regions.
    """
    names = _Names(cities, regions)

    def values(row: Row) -> Mapping[str, object]:
        chart = names.chart(row)
        item = names.item(row, "name", chart)
        if item is None:
            raise SourceError(row.at("name is empty; write the region or city whose odds these are"))
        if chart != REGIONS and cities[item].region != chart:
            raise SourceError(row.at(f"{row.cells['name']} is not in {row.cells['chart']}; correct one of them"))
        odds_of(row.cells["odds"], row.at("odds"))
        return {"chart": chart, "item": item, "odds": row.cells["odds"]}

    return reader.rows("declared", Declared, FORMS["declared"], values)


def odds_of(text: str, where: str) -> str:
    """Return odds as an exact fraction: `15/72`, `20.83%` or `0.2083`.

    Raises:
        SourceError: The text is not one of these, or not between 0 and 1.
    """
    plain = text.replace(" ", "")
    try:
        if len(plain) > _LONGEST_ODDS or "e" in plain.casefold():
            raise ValueError  # noqa: TRY301 - joined with what Fraction refuses
        value = Fraction(plain.removesuffix("%")) / (100 if plain.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if not 0 <= value <= 1:
        raise SourceError(f"{where} is {text[:80]!r}; write 15/72, 20.83% or 0.2083")
    return f"{value.numerator}/{value.denominator}"


def read_payoffs(reader: TableReader, cities: Mapping[str, City]) -> tuple[dict[str, PayoffCity], dict[str, Payoff]]:
    """Read the printed payoff chart: a square of thousands with city names above and on the left (RB-C13).

    Args:
        reader: Reads the file, and takes what is wrong; an empty cell is a gap for the checks to report.
        cities: The board's cities.

    Returns:
        The cities of the chart, and its cells that are not as usual: 0 to itself, empty to others.
    """
    raw = reader.parsed("payoffs", PAYOFFS)
    if len(raw) == 1:
        reader.origins["payoffs", ""] = RowOrigin(PAYOFFS, 1)
    if len(raw) < 2:  # noqa: PLR2004 - a chart of no city
        return {}, {}
    try:
        rows = _amounts(reader, raw, cities)
    except SourceError as error:
        reader.refuse("payoffs", error)
        return {}, {}
    out: dict[str, Payoff] = {}
    for one, amounts in rows.items():
        for other, here in amounts.items():
            back = rows[other][one]
            usual = here == 0 if one == other else here is None and back is None
            if one <= other and not usual:
                out[payoff_key(one, other)] = Payoff(thousands=here, below="same" if here == back else back)
    return {city: PayoffCity() for city in rows}, out


def _amounts(reader: TableReader, raw: RawRows, cities: Mapping[str, City]) -> dict[str, dict[str, float | None]]:
    """Return the amounts of a chart by city; with mistakes, of cities that name a column and a row, the first of each.

    Raises:
        SourceError: Rows and columns name other cities, or one twice.
    """
    known, names = _index(cities), [city.name for city in cities.values()]
    (header_row, header), *lines = raw
    where = f"{PAYOFFS}:{header_row}"
    if len(header) == 1:
        raise SourceError(f"{where}: no amounts; write city names above and on the left of a square of amounts")
    problems = Problems(kept=True)
    columns = [_city(name, known, names, where, problems) for name in header[1:]]
    rows: dict[str, tuple[int, list[float | None]]] = {}
    order: list[str] = []
    for line, cells in lines:
        at = f"{PAYOFFS}:{line}"
        if len(cells) != len(header):
            problems.add(
                f"{at}: row {cells[0]!r} has {counted(len(cells) - 1, 'amount')}, but the header names "
                f"{counted(len(header) - 1, 'city', 'cities')}; the chart must be square"
            )
            continue
        city = _city(cells[0], known, names, at, problems)
        pairs = zip(cells[1:], header[1:], strict=True)
        amounts = [_amount(cell, f"{at}: payoff {cells[0]} - {other}", problems) for cell, other in pairs]
        if city:
            order.append(city)
            rows.setdefault(city, (line, amounts))
    reader.note("payoffs", SourceError(problems.found))
    if not problems.found and (sorted(order) != sorted(columns) or len(set(columns)) != len(columns)):
        odd_ones = sorted(set(order) ^ set(columns)) or sorted(c for c in columns if columns.count(c) > 1)
        raise SourceError(
            f"{where}: rows and columns must name the same cities, each once; "
            f"check {', '.join(odd_ones) or 'doubled rows'}"
        )
    at_column = {city: number for number, city in reversed(list(enumerate(columns))) if city in rows}
    square = [city for city in dict.fromkeys(columns) if city in at_column]
    reader.origins.update({("payoff_cities", city): RowOrigin(PAYOFFS, rows[city][0]) for city in square})
    return {one: {other: rows[one][1][at_column[other]] for other in square} for one in square}


class _Names:
    """Ids of charts, regions and cities by what people type."""

    def __init__(self, cities: Mapping[str, City], regions: Sequence[RegionConfig]) -> None:
        self.regions = {fold(key): r.id for r in regions for key in (r.id, r.name)}
        self.cities = _index(cities)
        self.titles = ([r.name for r in regions], [c.name for c in cities.values()])

    def chart(self, row: Row, other: str = "") -> str:
        """Return the id of the chart of a row; `other` is what to say where no name is near."""
        name = row.cells["chart"]
        if fold(name) == fold(REGIONS):
            return REGIONS
        if fold(name) not in self.regions:
            hint = did_you_mean(name, [REGIONS, *self.titles[0]]) or other
            raise SourceError(row.at(f"chart {name!r} is neither {REGIONS!r} nor a region{hint}"))
        return self.regions[fold(name)]

    def item(self, row: Row, column: str, chart: str) -> str | None:
        """Return the id of the region or city that a cell names, or None for an empty one."""
        name, of_regions = row.cells[column], chart == REGIONS
        if not name:
            return None
        found = (self.regions if of_regions else self.cities).get(fold(name))
        if found is None:
            hint = did_you_mean(name, self.titles[0 if of_regions else 1])
            what = "region" if of_regions else "city"
            raise SourceError(row.at(f"{column} cell {name!r} is not a {what} of this board{hint}; correct it"))
        return found


def _index(cities: Mapping[str, City]) -> dict[str, str]:
    return {fold(key): ident for ident, city in cities.items() for key in (ident, city.name)}


def _sum(row: Row) -> int:
    value = number(row, "sum", like="7")
    if value not in _SUMS:
        raise SourceError(row.at(f"sum is {row.cells['sum']!r}; two dice make 2 to 12"))
    return int(value)


def _city(name: str, known: Mapping[str, str], names: Sequence[str], where: str, problems: Problems) -> str:
    if fold(name) not in known:
        hint = did_you_mean(name, names)
        problems.add(f"{where}: {name!r} is not a city of this board{hint}; correct it or add it to cities.csv")
        return ""
    return known[fold(name)]


def _amount(cell: str, where: str, problems: Problems) -> float | None:
    if not cell:
        return None
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        problems.add(f"{where} is {cell!r}, which is not an amount; write thousands like 25.5")
        return None
    if value < 0:
        problems.add(f"{where} is {cell}; give 0 or more")
        return None
    return value
