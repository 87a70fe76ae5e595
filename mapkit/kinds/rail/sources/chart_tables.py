"""Reading `charts/destinations.csv` and `charts/payoffs.csv`."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.names import fold
from mapkit.core.plurals import counted
from mapkit.formats.tables import Problems, Row, number, raw_rows, read_table
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.model.source import ChartRow, CityRow, DeclaredRow, PayoffRow, RegionConfig

_SUMS = range(2, 13)
_LONGEST_ODDS = 40


def read_destinations(
    text: str,
    *,
    file: str,
    cities: Iterable[CityRow],
    regions: Sequence[RegionConfig],
    problems: Problems | None = None,
) -> list[ChartRow]:
    """Read the printed destination charts: `chart, sum, odd, even` (RB-C14).

    `chart` is `regions` or a region; a cell names a region or a city by id or name, or is empty.

    Raises:
        SourceError: A chart, sum or cell is unknown, or a sum appears twice.
    """
    region_ids = _index((r.id, r.name) for r in regions)
    city_ids = _index((c.id, c.name) for c in cities)
    charts = {fold(REGIONS): (REGIONS, region_ids, "region")} | {
        key: (rid, city_ids, "city") for key, (rid, _) in region_ids.items()
    }
    out: list[ChartRow] = []
    seen: dict[tuple[str, int], int] = {}
    problems = problems or Problems()
    for row in read_table(text, file=file, required=("chart", "sum", "odd", "even"), problems=problems):
        name = row.cells["chart"]
        if fold(name) not in charts:
            known = [REGIONS, *(r.name for r in regions)]
            hint = did_you_mean(name, known) or f"; the charts are {', '.join(known)}"
            problems.add(row.at(f"chart {name!r} is neither {REGIONS!r} nor a region{hint}"))
            continue
        chart, known_ids, what = charts[fold(name)]
        try:
            total = _sum(row)
            if (chart, total) in seen:
                problems.add(
                    row.at(f"sum {total} of chart {chart!r} is already in row {seen[chart, total]}; remove one")
                )
                continue
            seen[chart, total] = row.number
            odd, even = (_cell(row, column, known_ids, what) for column in ("odd", "even"))
            out.append(ChartRow(row=row.number, chart=chart, total=total, odd=odd, even=even))
        except SourceError as error:
            problems.extend(error)
    problems.raise_if_any()
    return out


def read_declared(
    text: str,
    *,
    file: str,
    cities: Iterable[CityRow],
    regions: Sequence[RegionConfig],
    problems: Problems | None = None,
) -> tuple[DeclaredRow, ...]:
    """Read the odds that charts are said to give: `chart, name, odds`; odds are `15/72`, `20.83%` or `0.2083`.

    Raises:
        SourceError: A chart or name is unknown or appears twice, or odds are missing.
    """
    region_ids = _index((r.id, r.name) for r in regions)
    city_ids = _index((c.id, c.name) for c in cities)
    home = {c.id: c.region for c in cities}
    out: list[DeclaredRow] = []
    seen: dict[tuple[str, str], int] = {}
    problems = problems or Problems()
    for row in read_table(text, file=file, required=("chart", "name", "odds"), problems=problems):
        chart, name = row.cells["chart"], row.cells["name"]
        of_regions = fold(chart) == fold(REGIONS)
        if not of_regions and fold(chart) not in region_ids:
            hint = did_you_mean(chart, [REGIONS, *(r.name for r in regions)])
            problems.add(row.at(f"chart {chart!r} is neither {REGIONS!r} nor a region{hint}"))
            continue
        try:
            of_chart = REGIONS if of_regions else region_ids[fold(chart)][0]
            item = _declared_item(row, of_chart, region_ids if of_regions else city_ids, home)
            if (of_chart, item) in seen:
                problems.add(row.at(f"{name!r} is already in row {seen[of_chart, item]}; keep one"))
                continue
            seen[of_chart, item] = row.number
            odds = odds_of(row.cells["odds"], row.at("odds"))
            out.append(DeclaredRow(row=row.number, chart=of_chart, item=item, odds=odds))
        except SourceError as error:
            problems.extend(error)
    problems.raise_if_any()
    return tuple(out)


def _declared_item(row: Row, chart: str, known: dict[str, tuple[str, str]], home: dict[str, str]) -> str:
    item = _cell(row, "name", known, "region" if chart == REGIONS else "city")
    if item is None:
        raise SourceError(row.at("name is empty; write the region or city whose odds these are"))
    if chart != REGIONS and home[item] != chart:
        raise SourceError(row.at(f"{row.cells['name']} is not in {row.cells['chart']}; correct one of them"))
    return item


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


def read_payoffs(
    text: str, *, file: str, cities: Iterable[CityRow], problems: Problems | None = None
) -> tuple[tuple[str, ...], tuple[PayoffRow, ...]]:
    """Read the printed payoff chart: a square of thousands with city names above and on the left (RB-C13).

    An empty cell is kept as a gap for the checks to report.

    Raises:
        SourceError: The square is ragged, a name is unknown or appears twice, or a cell is not an amount.
    """
    known = _index((c.id, c.name) for c in cities)
    rows = list(raw_rows(text, file=file))
    header_row, header = rows[0]
    if len(header) == 1 or len(rows) == 1:
        raise SourceError(
            f"{file}:{header_row}: no amounts; write city names above and on the left of a square of amounts"
        )
    problems = problems or Problems()
    columns = [_city(name, known, f"{file}:{header_row}", problems) for name in header[1:]]
    out: list[PayoffRow] = []
    for line, cells in rows[1:]:
        where = f"{file}:{line}"
        if len(cells) != len(header):
            problems.add(
                f"{where}: row {cells[0]!r} has {counted(len(cells) - 1, 'amount')}, but the header names "
                f"{counted(len(header) - 1, 'city', 'cities')}; the chart must be square"
            )
            continue
        city = _city(cells[0], known, where, problems)
        amounts = [
            _amount(cell, f"{where}: payoff {cells[0]} - {other}", problems)
            for cell, other in zip(cells[1:], header[1:], strict=True)
        ]
        if city:
            out.append(PayoffRow(row=line, city=city, thousands=tuple(amounts)))
    problems.raise_if_any()
    if problems.kept and problems.found:
        return _square(columns, out)
    order = [row.city for row in out]
    if sorted(order) != sorted(columns) or len(set(columns)) != len(columns):
        odd_ones = sorted(set(order) ^ set(columns)) or sorted(c for c in columns if columns.count(c) > 1)
        raise SourceError(
            f"{file}:{header_row}: rows and columns must name the same cities, each once; "
            f"check {', '.join(odd_ones) or 'doubled rows'}"
        )
    return tuple(columns), tuple(out)


def _square(columns: Sequence[str], rows: Sequence[PayoffRow]) -> tuple[tuple[str, ...], tuple[PayoffRow, ...]]:
    """Return what can be used of a chart with mistakes: cities that name a column and a row, the first of each."""
    own = {row.city: row for row in reversed(rows)}
    at = {city: number for number, city in reversed(list(enumerate(columns))) if city in own}
    cities = tuple(city for city in dict.fromkeys(columns) if city in at)
    amounts = {city: tuple(own[city].thousands[at[other]] for other in cities) for city in cities}
    return cities, tuple(own[city].model_copy(update={"thousands": amounts[city]}) for city in cities)


def _index(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, str]]:
    return {fold(key): (ident, name) for ident, name in pairs for key in (ident, name)}


def _sum(row: Row) -> int:
    value = number(row, "sum", like="7")
    if value not in _SUMS:
        raise SourceError(row.at(f"sum is {row.cells['sum']!r}; two dice make 2 to 12"))
    return int(value)


def _cell(row: Row, column: str, known: dict[str, tuple[str, str]], what: str) -> str | None:
    name = row.cells[column]
    if not name:
        return None
    if fold(name) not in known:
        hint = did_you_mean(name, [n for _, n in known.values()])
        raise SourceError(row.at(f"{column} cell {name!r} is not a {what} of this board{hint}; correct it"))
    return known[fold(name)][0]


def _city(name: str, known: dict[str, tuple[str, str]], where: str, problems: Problems) -> str:
    if fold(name) not in known:
        hint = did_you_mean(name, [n for _, n in known.values()])
        problems.add(f"{where}: {name!r} is not a city of this board{hint}; correct it or add it to cities.csv")
        return ""
    return known[fold(name)][0]


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
