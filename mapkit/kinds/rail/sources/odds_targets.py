"""Targets of the odds: weights of cities, `charts/wanted.csv`, and populations of the gazetteer."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final, Protocol

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.names import fold, slug
from mapkit.document.plain_tables import TableReader
from mapkit.formats.tables import Problems, Row, read_table
from mapkit.geography.gazetteer import Gazetteer
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.model.source import BoardConfig, WantedRow
from mapkit.kinds.rail.sources.city_positions import (
    NEAR_MILES,
    city_spellings,
    find_elsewhere,
    is_near,
    select_same_name,
)
from mapkit.kinds.rail.sources.table_files import FORMS, WANTED
from mapkit.kinds.rail.tables import City, Wanted

WHOLE: Final = 72
ALONE: Final = "chart"
"""Name of the only chart of a file without a board."""

_OPTIONAL_COLUMNS: Final = ("chart", "weight", "least", "most", "exactly", "avoid", "cells")
_CELL_TEXT = re.compile(r"(?:(odd|even)[ -]?)?(\d{1,2})")
_NO_CITIES: Final[Mapping[str, City]] = {}
_MAX_NAMED: Final = 3
_GIVE_WEIGHT: Final = (
    'give one, or use populations: --weights population, or weights = "population" under [destinations] in board.toml'
)
_MAX_TEXT: Final = 40


class _NoWeightError(SourceError):
    """Error for a city without any weight."""


class MessagePlace(Protocol):
    """Place of a text, for messages."""

    def at(self, message: str) -> str:
        """Return the message with the place before it."""
        ...


def read_wish_rows(text: str, *, file: str) -> list[Row]:
    """Return the rows of a table of wishes: `name`, and any of `chart, weight, least, most, exactly, avoid, cells`.

    Raises:
        SourceError: It is no such table.
    """
    return read_table(text, file=file, required=("name",), optional=_OPTIONAL_COLUMNS)


def read_wishes(
    rows: Iterable[Row], *, cities: Mapping[str, City] = _NO_CITIES, config: BoardConfig | None = None
) -> tuple[WantedRow, ...]:
    """Read the rows of a table of wishes.

    A weight is any number, a share such as `15/72`, or `20%`, all of a chart in one kind. Bounds are 72nds: `15`,
    `15/72` or `20%`. `avoid` and `cells` list cells: `odd-7 even-2`, or `2 12` for both columns.

    Args:
        rows: The rows.
        cities: The board's cities.
        config: The board's regions; without it, names become ids, and `chart` is optional.

    Raises:
        SourceError: A name is unknown or appears twice, a number or cell is wrong; the error lists every problem.
    """
    problems = Problems()
    wish_reader = WishReader(cities, config)
    wish_list: list[WantedRow] = []
    for row in rows:
        try:
            wish_list.append(wish_reader.read(row))
        except SourceError as error:
            problems.extend(error)
    problems.raise_if_any()
    return tuple(wish_list)


def read_wanted(reader: TableReader, cities: Mapping[str, City], config: BoardConfig) -> dict[str, Wanted]:
    """Read `charts/wanted.csv`.

    Args:
        reader: Reader of the file, which collects its problems.
        cities: The board's cities.
        config: The board's regions.
    """
    wish_reader = WishReader(cities, config)

    def values(row: Row) -> Mapping[str, object]:
        wish_reader.read(row)
        return row.cells

    return reader.rows("wanted", Wanted, FORMS["wanted"], values)


class WishReader:
    """Reader of rows of wishes, with lookup of charts, regions and cities by typed names.

    Args:
        cities: The board's cities.
        config: The board's regions; without it, names become ids.
    """

    def __init__(self, cities: Mapping[str, City], config: BoardConfig | None) -> None:
        self.free = config is None
        self.regions = {fold(key): r.id for r in (config.regions if config else ()) for key in (r.name, r.id)}
        self.cities = {fold(key): (ident, c) for ident, c in cities.items() for key in (c.name, ident)}
        self.own = {r.id: r.name for r in (config.regions if config else ())}
        self.own |= {ident: city.name for ident, city in cities.items()}
        self.seen: dict[tuple[str, str], int] = {}

    def read(self, row: Row) -> WantedRow:
        """Return a row as a wish.

        Raises:
            SourceError: A name is unknown, or has a row already; a number or cell is wrong.
        """
        chart_id, item_id = self.find(row)
        optional_cells = {column: row.cells.get(column, "") for column in _OPTIONAL_COLUMNS}
        least_72nds = parse_bound(row, "least", optional_cells["least"], math.ceil)
        most_72nds = parse_bound(row, "most", optional_cells["most"], math.floor)
        if optional_cells["exactly"]:
            if optional_cells["least"] or optional_cells["most"]:
                raise SourceError(row.at("exactly cannot go with least or most; give one or the other"))
            least_72nds = most_72nds = parse_bound(row, "exactly", optional_cells["exactly"], None)
        weight_and_kind = _parse_share(row, "weight", optional_cells["weight"]) if optional_cells["weight"] else None
        wish = WantedRow(
            row=row.number,
            chart=chart_id,
            item=item_id,
            name=self.name(item_id, row.cells["name"]),
            chart_name=self.name(chart_id, row.cells.get("chart", "")),
            weight=str(weight_and_kind[0]) if weight_and_kind else None,
            unit=weight_and_kind[1] if weight_and_kind else None,
            least=least_72nds,
            most=most_72nds,
            avoid=parse_cells(row, "avoid", optional_cells["avoid"]),
            cells=parse_cells(row, "cells", optional_cells["cells"]),
        )
        wish_key = (wish.chart, wish.item)
        if wish_key in self.seen:
            raise SourceError(row.at(f"{row.cells['name']!r} is already in row {self.seen[wish_key]}; keep one"))
        self.seen[wish_key] = row.number
        return wish

    def name(self, ident: str, typed: str) -> str:
        """Return the name of an id: as on the board, else as typed."""
        return self.own.get(ident, typed)

    def find(self, row: Row) -> tuple[str, str]:
        """Return `(chart, item)` of a row."""
        chart_name, item_name = row.cells.get("chart", ""), row.cells["name"]
        if self.free:
            item_id = slug(item_name)
            if not item_id:
                raise SourceError(row.at(f"name {item_name!r} cannot become an id; use letters or digits"))
            return slug(chart_name) or ALONE, item_id
        is_region = fold(chart_name) == fold(REGIONS) or (not chart_name and fold(item_name) in self.regions)
        if is_region:
            if fold(item_name) not in self.regions:
                raise SourceError(
                    row.at(f"{item_name!r} is not a region{did_you_mean(item_name, self.regions.values())}; correct it")
                )
            return REGIONS, self.regions[fold(item_name)]
        city_id, city = self.cities.get(fold(item_name), ("", None))
        if city is None:
            hint = did_you_mean(item_name, [c.name for _, c in self.cities.values()])
            raise SourceError(row.at(f"{item_name!r} is not a city of this board{hint}; correct it"))
        if chart_name and self.regions.get(fold(chart_name)) != city.region:
            raise SourceError(
                row.at(f"{item_name} lies in {city.region}, not in {chart_name!r}; correct the chart or the city")
            )
        return city.region, city_id


def _parse_share(row: MessagePlace, column: str, text: str) -> tuple[Fraction, str]:
    """Return a number and its kind: `number`, or `share` for percentages and fractions."""
    compact_text = text.replace(" ", "")
    is_percent = compact_text.endswith("%")
    try:
        if len(compact_text) > _MAX_TEXT or "e" in compact_text.casefold() or "_" in compact_text:
            raise ValueError  # noqa: TRY301 - handled like errors of Fraction
        share_value = Fraction(compact_text.removesuffix("%"))
    except (ValueError, ZeroDivisionError):
        raise SourceError(row.at(f"{column} is {text[:80]!r}; write a number, 15/72 or 20%")) from None
    if share_value < 0:
        raise SourceError(row.at(f"{column} is {text}; give 0 or more"))
    if is_percent:
        return share_value / 100, "share"
    return share_value, "share" if "/" in compact_text else "number"


def parse_bound(row: MessagePlace, column: str, text: str, rounding: object) -> int | None:
    """Return a bound in 72nds: `15`, `15/72` or `20%`; None for an empty text.

    Args:
        row: Its place, for messages.
        column: Its column.
        text: The typed text.
        rounding: Function that rounds parts of a 72nd; None to refuse them.

    Raises:
        SourceError: It is not a number, or more than the whole chart.
    """
    if not text:
        return None
    bound_value, kind = _parse_share(row, column, text)
    count_72nds = bound_value * WHOLE if kind == "share" else bound_value
    if count_72nds > WHOLE:
        raise SourceError(row.at(f"{column} is {text}, more than the whole chart; bounds are 72nds, 15/72 or 20%"))
    if callable(rounding):
        return int(rounding(count_72nds))
    if count_72nds.denominator != 1:
        raise SourceError(
            row.at(
                f"{column} is {text}, which is {float(count_72nds):.2f}/72; a chart has whole 72nds, so write "
                f"{math.floor(count_72nds)}/72 or {math.ceil(count_72nds)}/72"
            )
        )
    return int(count_72nds)


def parse_cells(row: MessagePlace, column: str, text: str) -> tuple[tuple[str, int], ...]:
    """Return the cells of a text like `odd-7 even-2`, or `2` for both columns.

    Raises:
        SourceError: A word is not a cell.
    """
    cell_list: list[tuple[str, int]] = []
    for cell_word in text.replace(",", " ").replace(";", " ").split():
        cell_match = _CELL_TEXT.fullmatch(cell_word.casefold())
        if not cell_match or not 2 <= int(cell_match[2]) <= 12:  # noqa: PLR2004 - two dice
            raise SourceError(
                row.at(f"{column}: {cell_word[:40]!r} is not a cell; write odd-7, even-2, or 2 for both columns")
            )
        cell_list += [
            (parity, int(cell_match[2])) for parity in ([cell_match[1]] if cell_match[1] else ["odd", "even"])
        ]
    return tuple(dict.fromkeys(cell_list))


def complete_wanted(
    config: BoardConfig,
    cities: Mapping[str, City],
    numbers: Mapping[str, int],
    rows: Sequence[WantedRow],
    gazetteer: Gazetteer | None = None,
) -> tuple[WantedRow, ...]:
    """Return a wish for each region and city, with weights of the rows, `cities.csv` or the population.

    A region without a weight gets the sum of its cities' weights. The result is in the order of regions, then of
    cities.

    Args:
        config: The board's regions.
        cities: Its cities.
        numbers: Their rows in `cities.csv`.
        rows: The rows of `charts/wanted.csv`.
        gazetteer: Gazetteer of populations; None to use only typed weights.

    Raises:
        SourceError: A city has no weight, or weights of one chart are of two kinds; the error lists every problem.
    """
    row_by_item = {(wish_row.chart, wish_row.item): wish_row for wish_row in rows}
    problems = Problems()
    city_rows: list[WantedRow] = []
    weight_by_city: dict[str, Fraction] = {}
    cities_without_weight: list[tuple[City, _NoWeightError]] = []
    region_names = {region.id: region.name for region in config.regions}
    for city_id, city in cities.items():
        wish_row = row_by_item.get((city.region, city_id)) or WantedRow(
            row=numbers[city_id], chart=city.region, item=city_id
        )
        try:
            weight_by_city[city_id] = _city_weight(
                city, numbers[city_id], wish_row, gazetteer, config.destinations.damping
            )
        except _NoWeightError as error:
            cities_without_weight.append((city, error))
            continue
        except SourceError as error:
            problems.extend(error)
            continue
        if wish_row.weight is None:
            wish_row = wish_row.model_copy(update={"weight": str(weight_by_city[city_id]), "unit": "number"})
        city_rows.append(
            wish_row.model_copy(update={"name": city.name, "chart_name": region_names.get(city.region, "")})
        )
    if len(cities_without_weight) > _MAX_NAMED:
        city_names = ", ".join(city.name for city, _ in cities_without_weight[:_MAX_NAMED])
        problems.add(
            f"cities.csv: {len(cities_without_weight)} cities have no weight ({city_names}, ...); {_GIVE_WEIGHT}"
        )
    else:
        for _, weight_error in cities_without_weight:
            problems.extend(weight_error)
    problems.raise_if_any()
    region_rows: list[WantedRow] = []
    for region in config.regions:
        wish_row = row_by_item.get((REGIONS, region.id)) or WantedRow(row=1, chart=REGIONS, item=region.id)
        if wish_row.weight is None:
            total_weight = sum(
                (weight_by_city[city_key] for city_key, c in cities.items() if c.region == region.id), Fraction(0)
            )
            wish_row = wish_row.model_copy(update={"weight": str(total_weight), "unit": "number"})
        region_rows.append(wish_row.model_copy(update={"name": region.name, "chart_name": REGIONS}))
    all_rows = (*region_rows, *city_rows)
    check_units(all_rows, problems)
    problems.raise_if_any()
    return all_rows


def check_units(rows: Sequence[WantedRow], problems: Problems) -> None:
    """Report charts with weights that mix numbers and shares, or with shares that do not add up to one."""
    for chart_id in dict.fromkeys(row.chart for row in rows):
        chart_rows = [row for row in rows if row.chart == chart_id]
        chart_title = chart_rows[0].chart_name or chart_id
        if len({row.unit for row in chart_rows}) > 1:
            other_row = next(row for row in chart_rows if row.unit != chart_rows[0].unit)
            problems.add(
                f"{WANTED}:{other_row.row}: the weights of chart {chart_title!r} mix plain numbers and shares "
                "such as 20% or 15/72 "
                f"({chart_rows[0].name or chart_rows[0].item} and {other_row.name or other_row.item}); "
                "write all of them in one way"
            )
        elif chart_rows[0].unit == "share":
            share_total = sum((Fraction(row.weight or 0) for row in chart_rows), Fraction(0))
            if abs(share_total - 1) > Fraction(1, 100):
                problem_text = (
                    f"the shares of chart {chart_title!r} add to {float(share_total):.1%}; they should add to 100 %"
                )
                problems.add(f"{WANTED}:{chart_rows[0].row}: {problem_text}")


def _city_weight(city: City, number: int, row: WantedRow, gazetteer: Gazetteer | None, damping: float) -> Fraction:
    """Return the weight of a city among all: its own, else its population, else its weight in the chart.

    Populations are damped: `people ** (1 - damping)`, to a thousandth.
    """
    if city.weight is not None:
        return Fraction(str(city.weight))
    if gazetteer is not None:
        people = population(city, number, gazetteer)
        return Fraction(people) if not damping else Fraction(round(people ** (1 - damping) * 1000), 1000)
    if row.weight is not None:
        return Fraction(row.weight)
    raise _NoWeightError(f"cities.csv:{number}: {city.name} has no weight; {_GIVE_WEIGHT}")


def population(city: City, number: int, gazetteer: Gazetteer) -> int:
    """Return the population of a city: the largest place of its name within 30 miles.

    `Portland ME` is searched as `Portland`, `St. Paul` also as `Saint Paul`; a longer name (`New York City`) counts if
    no place has exactly the name.

    Args:
        city: The city.
        number: Its row in `cities.csv`.
        gazetteer: The gazetteer.

    Raises:
        SourceError: There is no such place nearby.
    """
    name_folds = {fold(name) for name in city_spellings(city.name)}
    city_point = (city.lon, city.lat)
    nearby_places = [place for place, _ in gazetteer.about(city_point, NEAR_MILES) if is_near(place, city_point)]
    longer_names = [place for place in nearby_places if any(fold(place.name).startswith(name) for name in name_folds)]
    inhabited_places = [
        place for place in (select_same_name(city.name, nearby_places) or longer_names) if place.population > 0
    ]
    if inhabited_places:
        return max(place.population for place in inhabited_places)
    other_place = find_elsewhere(city_point, select_same_name(city.name, gazetteer.places()))
    cure = f"{other_place}; correct its position, or give its weight" if other_place is not None else "give its weight"
    raise SourceError(
        f"cities.csv:{number}: the gazetteer has no place named {city.name!r} with people within {NEAR_MILES:g} "
        f"miles of its position; {cure}"
    )
