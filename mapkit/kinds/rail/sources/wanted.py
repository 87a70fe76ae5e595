"""What the odds should be: weights of cities, `charts/wanted.csv`, and the gazetteer's populations."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final, Protocol

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.names import fold, slug
from mapkit.document.plain import TableReader
from mapkit.formats.tables import Problems, Row, read_table
from mapkit.geography.gazetteer import Gazetteer
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.model.source import BoardConfig, WantedRow
from mapkit.kinds.rail.sources.city_positions import NEAR_MILES, elsewhere, is_near, same_name, spellings
from mapkit.kinds.rail.sources.table_files import FORMS, WANTED
from mapkit.kinds.rail.tables import City, Wanted

WHOLE: Final = 72
ALONE: Final = "chart"
"""The name of the one chart of a file that belongs to no board."""

_COLUMNS: Final = ("chart", "weight", "least", "most", "exactly", "avoid", "cells")
_CELL = re.compile(r"(?:(odd|even)[ -]?)?(\d{1,2})")
_NO_CITIES: Final[Mapping[str, City]] = {}
_FEW: Final = 3
_GIVE_ONE: Final = (
    'give one, or use populations: --weights population, or weights = "population" under [destinations] in board.toml'
)
_TEXT_LIMIT: Final = 40


class _NoWeightError(SourceError):
    """A city has no weight at all."""


class Where(Protocol):
    """Something that says where a text stands."""

    def at(self, message: str) -> str:
        """Return the message with the place before it."""
        ...


def wanted_rows(text: str, *, file: str) -> list[Row]:
    """Return the rows of a table of wishes: `name`, and any of `chart, weight, least, most, exactly, avoid, cells`.

    Raises:
        SourceError: It is no such table.
    """
    return read_table(text, file=file, required=("name",), optional=_COLUMNS)


def read_wishes(
    rows: Iterable[Row], *, cities: Mapping[str, City] = _NO_CITIES, config: BoardConfig | None = None
) -> tuple[WantedRow, ...]:
    """Read the rows of a table of wishes.

    A weight is any number, a share such as `15/72`, or `20%`, all of a chart in one kind. Bounds are 72nds: `15`,
    `15/72` or `20%`. `avoid` and `cells` list cells: `odd-7 even-2`, or `2 12` for both columns.

    Args:
        rows: The rows.
        cities: The board's cities.
        config: The board's regions; without it names are ids of their own, and `chart` may be left out.

    Raises:
        SourceError: A name is unknown or appears twice, a number or cell is wrong; every problem is listed.
    """
    problems = Problems()
    reader = WishReader(cities, config)
    out: list[WantedRow] = []
    for row in rows:
        try:
            out.append(reader.read(row))
        except SourceError as error:
            problems.extend(error)
    problems.raise_if_any()
    return tuple(out)


def read_wanted(reader: TableReader, cities: Mapping[str, City], config: BoardConfig) -> dict[str, Wanted]:
    """Read `charts/wanted.csv`.

    Args:
        reader: Reads the file, and takes what is wrong.
        cities: The board's cities.
        config: The board's regions.
    """
    wishes = WishReader(cities, config)

    def values(row: Row) -> Mapping[str, object]:
        wishes.read(row)
        return row.cells

    return reader.rows("wanted", Wanted, FORMS["wanted"], values)


class WishReader:
    """Reads rows of wishes: finds charts, regions and cities by what people type.

    Args:
        cities: The board's cities.
        config: The board's regions; without it names are ids of their own.
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
        wanted = _wanted(row, self)
        key = (wanted.chart, wanted.item)
        if key in self.seen:
            raise SourceError(row.at(f"{row.cells['name']!r} is already in row {self.seen[key]}; keep one"))
        self.seen[key] = row.number
        return wanted

    def name(self, ident: str, typed: str) -> str:
        """Return what people call it: as on the board, else as typed."""
        return self.own.get(ident, typed)

    def find(self, row: Row) -> tuple[str, str]:
        """Return `(chart, item)` of a row."""
        chart, name = row.cells.get("chart", ""), row.cells["name"]
        if self.free:
            item = slug(name)
            if not item:
                raise SourceError(row.at(f"name {name!r} cannot become an id; use letters or digits"))
            return slug(chart) or ALONE, item
        is_region = fold(chart) == fold(REGIONS) or (not chart and fold(name) in self.regions)
        if is_region:
            if fold(name) not in self.regions:
                raise SourceError(
                    row.at(f"{name!r} is not a region{did_you_mean(name, self.regions.values())}; correct it")
                )
            return REGIONS, self.regions[fold(name)]
        ident, city = self.cities.get(fold(name), ("", None))
        if city is None:
            hint = did_you_mean(name, [c.name for _, c in self.cities.values()])
            raise SourceError(row.at(f"{name!r} is not a city of this board{hint}; correct it"))
        if chart and self.regions.get(fold(chart)) != city.region:
            raise SourceError(row.at(f"{name} lies in {city.region}, not in {chart!r}; correct the chart or the city"))
        return city.region, ident


def _wanted(row: Row, names: WishReader) -> WantedRow:
    chart, item = names.find(row)
    cells = {column: row.cells.get(column, "") for column in _COLUMNS}
    least = bound(row, "least", cells["least"], math.ceil)
    most = bound(row, "most", cells["most"], math.floor)
    if cells["exactly"]:
        if cells["least"] or cells["most"]:
            raise SourceError(row.at("exactly cannot go with least or most; give one or the other"))
        least = most = bound(row, "exactly", cells["exactly"], None)
    weight = _share(row, "weight", cells["weight"]) if cells["weight"] else None
    return WantedRow(
        row=row.number,
        chart=chart,
        item=item,
        name=names.name(item, row.cells["name"]),
        chart_name=names.name(chart, row.cells.get("chart", "")),
        weight=str(weight[0]) if weight else None,
        unit=weight[1] if weight else None,
        least=least,
        most=most,
        avoid=cells_of(row, "avoid", cells["avoid"]),
        cells=cells_of(row, "cells", cells["cells"]),
    )


def _share(row: Where, column: str, text: str) -> tuple[Fraction, str]:
    """Return a number and its kind: `number`, or `share` for percentages and fractions."""
    plain = text.replace(" ", "")
    percent = plain.endswith("%")
    try:
        if len(plain) > _TEXT_LIMIT or "e" in plain.casefold() or "_" in plain:
            raise ValueError  # noqa: TRY301 - joined with what Fraction refuses
        value = Fraction(plain.removesuffix("%"))
    except (ValueError, ZeroDivisionError):
        raise SourceError(row.at(f"{column} is {text[:80]!r}; write a number, 15/72 or 20%")) from None
    if value < 0:
        raise SourceError(row.at(f"{column} is {text}; give 0 or more"))
    if percent:
        return value / 100, "share"
    return value, "share" if "/" in plain else "number"


def bound(row: Where, column: str, text: str, rounding: object) -> int | None:
    """Return a bound in 72nds: `15`, `15/72` or `20%`; None for an empty text.

    Args:
        row: Where it stands, for messages.
        column: What it is.
        text: What was typed.
        rounding: How parts of a 72nd are rounded; None to refuse them.

    Raises:
        SourceError: It is not a number, or more than the whole chart.
    """
    if not text:
        return None
    value, kind = _share(row, column, text)
    count = value * WHOLE if kind == "share" else value
    if count > WHOLE:
        raise SourceError(row.at(f"{column} is {text}, more than the whole chart; bounds are 72nds, 15/72 or 20%"))
    if callable(rounding):
        return int(rounding(count))
    if count.denominator != 1:
        raise SourceError(
            row.at(
                f"{column} is {text}, which is {float(count):.2f}/72; a chart has whole 72nds, so write "
                f"{math.floor(count)}/72 or {math.ceil(count)}/72"
            )
        )
    return int(count)


def cells_of(row: Where, column: str, text: str) -> tuple[tuple[str, int], ...]:
    """Return the cells of a text like `odd-7 even-2`, or `2` for both columns.

    Raises:
        SourceError: A word is not a cell.
    """
    out: list[tuple[str, int]] = []
    for word in text.replace(",", " ").replace(";", " ").split():
        found = _CELL.fullmatch(word.casefold())
        if not found or not 2 <= int(found[2]) <= 12:  # noqa: PLR2004 - two dice
            raise SourceError(
                row.at(f"{column}: {word[:40]!r} is not a cell; write odd-7, even-2, or 2 for both columns")
            )
        out += [(parity, int(found[2])) for parity in ([found[1]] if found[1] else ["odd", "even"])]
    return tuple(dict.fromkeys(out))


def complete_wanted(
    config: BoardConfig,
    cities: Mapping[str, City],
    numbers: Mapping[str, int],
    rows: Sequence[WantedRow],
    gazetteer: Gazetteer | None = None,
) -> tuple[WantedRow, ...]:
    """Return a wish for each region and city: weights of the rows, else of `cities.csv`, else the population.

    A region without a weight of its own weighs what its cities do. Rows come in the order of regions, then of cities.

    Args:
        config: The board's regions.
        cities: Its cities.
        numbers: Their rows in `cities.csv`.
        rows: What `charts/wanted.csv` says.
        gazetteer: Where populations are looked up; None to use typed weights only.

    Raises:
        SourceError: A city has no weight, or weights of one chart are of two kinds; every problem is listed.
    """
    given = {(row.chart, row.item): row for row in rows}
    problems = Problems()
    out: list[WantedRow] = []
    own: dict[str, Fraction] = {}
    without: list[tuple[City, _NoWeightError]] = []
    titles = {region.id: region.name for region in config.regions}
    for ident, city in cities.items():
        row = given.get((city.region, ident)) or WantedRow(row=numbers[ident], chart=city.region, item=ident)
        try:
            own[ident] = _city_weight(city, numbers[ident], row, gazetteer, config.destinations.damping)
        except _NoWeightError as error:
            without.append((city, error))
            continue
        except SourceError as error:
            problems.extend(error)
            continue
        if row.weight is None:
            row = row.model_copy(update={"weight": str(own[ident]), "unit": "number"})
        out.append(row.model_copy(update={"name": city.name, "chart_name": titles.get(city.region, "")}))
    if len(without) > _FEW:
        names = ", ".join(city.name for city, _ in without[:_FEW])
        problems.add(f"cities.csv: {len(without)} cities have no weight ({names}, ...); {_GIVE_ONE}")
    else:
        for _, missing in without:
            problems.extend(missing)
    problems.raise_if_any()
    regions: list[WantedRow] = []
    for region in config.regions:
        row = given.get((REGIONS, region.id)) or WantedRow(row=1, chart=REGIONS, item=region.id)
        if row.weight is None:
            total = sum((own[key] for key, c in cities.items() if c.region == region.id), Fraction(0))
            row = row.model_copy(update={"weight": str(total), "unit": "number"})
        regions.append(row.model_copy(update={"name": region.name, "chart_name": REGIONS}))
    everything = (*regions, *out)
    check_units(everything, problems)
    problems.raise_if_any()
    return everything


def check_units(rows: Sequence[WantedRow], problems: Problems) -> None:
    """Find charts whose weights mix plain numbers with shares, or whose shares do not add to one."""
    for chart in dict.fromkeys(row.chart for row in rows):
        own = [row for row in rows if row.chart == chart]
        title = own[0].chart_name or chart
        if len({row.unit for row in own}) > 1:
            odd = next(row for row in own if row.unit != own[0].unit)
            problems.add(
                f"{WANTED}:{odd.row}: the weights of chart {title!r} mix plain numbers and shares such as 20% or 15/72 "
                f"({own[0].name or own[0].item} and {odd.name or odd.item}); write all of them in one way"
            )
        elif own[0].unit == "share":
            total = sum((Fraction(row.weight or 0) for row in own), Fraction(0))
            if abs(total - 1) > Fraction(1, 100):
                said = f"the shares of chart {title!r} add to {float(total):.1%}; they should add to 100 %"
                problems.add(f"{WANTED}:{own[0].row}: {said}")


def _city_weight(city: City, number: int, row: WantedRow, gazetteer: Gazetteer | None, damping: float) -> Fraction:
    """Return what a city weighs among all: its own weight, else its people, else its plain weight in the chart.

    People are damped: `people ** (1 - damping)`, to a thousandth.
    """
    if city.weight is not None:
        return Fraction(str(city.weight))
    if gazetteer is not None:
        people = population(city, number, gazetteer)
        return Fraction(people) if not damping else Fraction(round(people ** (1 - damping) * 1000), 1000)
    if row.weight is not None:
        return Fraction(row.weight)
    raise _NoWeightError(f"cities.csv:{number}: {city.name} has no weight; {_GIVE_ONE}")


def population(city: City, number: int, gazetteer: Gazetteer) -> int:
    """Return the people of a city: the largest place of its name within 30 miles.

    `Portland ME` is looked for as `Portland`, `St. Paul` also as `Saint Paul`; a longer name (`New York City`) counts
    where there is none of the very name.

    Args:
        city: The city.
        number: Its row in `cities.csv`.
        gazetteer: Where to look.

    Raises:
        SourceError: There is no such place near.
    """
    names = {fold(name) for name in spellings(city.name)}
    at = (city.lon, city.lat)
    near = [place for place, _ in gazetteer.about(at, NEAR_MILES) if is_near(place, at)]
    longer = [place for place in near if any(fold(place.name).startswith(name) for name in names)]
    found = [place for place in (same_name(city.name, near) or longer) if place.population > 0]
    if found:
        return max(place.population for place in found)
    other = elsewhere(at, same_name(city.name, gazetteer.places()))
    cure = f"{other}; correct its position, or give its weight" if other is not None else "give its weight"
    raise SourceError(
        f"cities.csv:{number}: the gazetteer has no place named {city.name!r} with people within {NEAR_MILES:g} "
        f"miles of its position; {cure}"
    )
