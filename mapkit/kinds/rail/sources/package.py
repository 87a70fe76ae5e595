"""Railroads of a source package, and inputs of its chart solver."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import get_args

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.document.plain_tables import TableReader
from mapkit.formats.files import read_text
from mapkit.formats.tables import Row, parse_whole
from mapkit.geography.gazetteer import load_gazetteer
from mapkit.kinds.rail.model.board import Pattern
from mapkit.kinds.rail.model.source import BoardConfig, WantedRow
from mapkit.kinds.rail.sources.cities import load_cities
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.config import parse_config
from mapkit.kinds.rail.sources.odds_targets import complete_wanted, read_wish_rows, read_wishes
from mapkit.kinds.rail.sources.table_files import FORMS, WANTED
from mapkit.kinds.rail.tables import City, Railroad

_TRUE, _FALSE = {"true", "yes", "1"}, {"false", "no", "0", ""}


def load_wanted(
    folder: Path, *, wanted: Path | None = None, weights: str | None = None, damping: float | None = None
) -> tuple[BoardConfig, dict[str, City], tuple[WantedRow, ...]]:
    """Read only the inputs of the chart solver: `board.toml`, `cities.csv` and `charts/wanted.csv`.

    Args:
        folder: The source package; lines and charts may be missing yet.
        wanted: Alternative table of wishes.
        weights: `cities` or `population`, instead of the setting in `board.toml`.
        damping: Damping of weights from population, 0 to 1, instead of the setting in `board.toml`.

    Raises:
        SourceError: These files have a mistake, or a city has no weight.
        WorkspaceError: One of them is missing.
    """
    config = parse_config(read_text(folder / CONFIG_FILE, name=CONFIG_FILE))
    given_settings = {"weights": weights, "damping": damping}
    destination_settings = config.destinations.model_copy(
        update={
            setting_name: setting_value
            for setting_name, setting_value in given_settings.items()
            if setting_value is not None
        }
    )
    if damping is not None and destination_settings.weights != "population":
        raise SourceError(
            "damping is for weights from population, but these weights come from cities.csv; give --weights population"
        )
    config = config.model_copy(update={"destinations": destination_settings})
    cities, row_by_city = load_cities(folder, config)
    wanted_path = wanted or folder / WANTED
    wanted_file = str(wanted or WANTED)
    wish_rows = (
        read_wish_rows(read_text(wanted_path, name=wanted_file), file=wanted_file)
        if wanted or wanted_path.exists()
        else ()
    )
    return config, cities, wanted_charts(config, cities, wish_rows, row_by_city)


def wanted_charts(
    config: BoardConfig, cities: Mapping[str, City], rows: Iterable[Row], numbers: Mapping[str, int] | None = None
) -> tuple[WantedRow, ...]:
    """Return the target of every region and city, from weights, populations and the table of wishes.

    Args:
        config: The board's regions.
        cities: Its cities, in order.
        rows: The table of wishes.
        numbers: The rows of cities in their file; without it, those of a file without blank lines.

    Raises:
        SourceError: A wish is wrong, or a city has no weight; the error lists every problem.
    """
    gazetteer = None
    if config.destinations.weights == "population":
        gazetteer = load_gazetteer(config.gazetteer.countries)
    wish_rows = read_wishes(rows, cities=cities, config=config)
    numbers = {key: number for number, key in enumerate(cities, start=2)} | dict(numbers or {})
    return complete_wanted(config, cities, numbers, wish_rows, gazetteer)


def read_railroads(reader: TableReader) -> dict[str, Railroad]:
    """Read `railroads.csv`.

    Args:
        reader: Reader of the file, which collects its problems.
    """
    return reader.rows("railroads", Railroad, FORMS["railroads"], _railroad_values)


def _railroad_values(row: Row) -> Mapping[str, object]:
    cells = row.cells
    public_text = cells["public"].casefold()
    if public_text not in _TRUE | _FALSE:
        raise SourceError(row.at(f"public is {cells['public']!r}; write true or false"))
    price = parse_whole(row, "price", like="24000")
    if price < 0:
        raise SourceError(row.at(f"price is {price}; write an amount of 0 or more"))
    if cells["pattern"] not in get_args(Pattern):
        hint = did_you_mean(cells["pattern"], get_args(Pattern)) or f"; use one of {', '.join(get_args(Pattern))}"
        raise SourceError(row.at(f"pattern {cells['pattern']!r} is unknown{hint}"))
    return cells | {"price": price, "public": public_text in _TRUE, "colour": cells["colour"].lower()}
