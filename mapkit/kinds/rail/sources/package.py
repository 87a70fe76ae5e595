"""The railroads of a source package, and what its charts are solved from."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import get_args

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.document.plain import TableReader
from mapkit.formats.files import read_text
from mapkit.formats.tables import Row, whole
from mapkit.geography.gazetteer import load_gazetteer
from mapkit.kinds.rail.model.board import Pattern
from mapkit.kinds.rail.model.source import BoardConfig, WantedRow
from mapkit.kinds.rail.sources.cities import load_cities
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.config import parse_config
from mapkit.kinds.rail.sources.table_files import FORMS, WANTED
from mapkit.kinds.rail.sources.wanted import complete_wanted, read_wishes, wanted_rows
from mapkit.kinds.rail.tables import City, Railroad

_TRUE, _FALSE = {"true", "yes", "1"}, {"false", "no", "0", ""}


def load_wanted(
    folder: Path, *, wanted: Path | None = None, weights: str | None = None, damping: float | None = None
) -> tuple[BoardConfig, dict[str, City], tuple[WantedRow, ...]]:
    """Read only what charts are solved from: `board.toml`, `cities.csv` and `charts/wanted.csv`.

    Args:
        folder: The source package; lines and charts may be missing yet.
        wanted: Another table of wishes.
        weights: `cities` or `population`, in place of what `board.toml` says.
        damping: How much weights from population are damped, 0 to 1, in place of what `board.toml` says.

    Raises:
        SourceError: Something in these files is wrong, or a city has no weight.
        WorkspaceError: One of them is missing.
    """
    config = parse_config(read_text(folder / CONFIG_FILE, name=CONFIG_FILE))
    said = {"weights": weights, "damping": damping}
    chosen = config.destinations.model_copy(update={key: value for key, value in said.items() if value is not None})
    if damping is not None and chosen.weights != "population":
        raise SourceError(
            "damping is for weights from population, but these weights come from cities.csv; give --weights population"
        )
    config = config.model_copy(update={"destinations": chosen})
    cities, numbers = load_cities(folder, config)
    path = wanted or folder / WANTED
    file = str(wanted or WANTED)
    rows = wanted_rows(read_text(path, name=file), file=file) if wanted or path.exists() else ()
    return config, cities, wanted_charts(config, cities, rows, numbers)


def wanted_charts(
    config: BoardConfig, cities: Mapping[str, City], rows: Iterable[Row], numbers: Mapping[str, int] | None = None
) -> tuple[WantedRow, ...]:
    """Return what every region and city should get, from weights, populations and the table of wishes.

    Args:
        config: The board's regions.
        cities: Its cities, in order.
        rows: The table of wishes.
        numbers: The rows of cities in their file; without it, those of a file without blank lines.

    Raises:
        SourceError: A wish is wrong, or a city has no weight; every problem is listed.
    """
    gazetteer = None
    if config.destinations.weights == "population":
        gazetteer = load_gazetteer(config.gazetteer.countries)
    wishes = read_wishes(rows, cities=cities, config=config)
    numbers = {key: number for number, key in enumerate(cities, start=2)} | dict(numbers or {})
    return complete_wanted(config, cities, numbers, wishes, gazetteer)


def read_railroads(reader: TableReader) -> dict[str, Railroad]:
    """Read `railroads.csv`.

    Args:
        reader: Reads the file, and takes what is wrong.
    """
    return reader.rows("railroads", Railroad, FORMS["railroads"], _railroad)


def _railroad(row: Row) -> Mapping[str, object]:
    cells = row.cells
    public = cells["public"].casefold()
    if public not in _TRUE | _FALSE:
        raise SourceError(row.at(f"public is {cells['public']!r}; write true or false"))
    price = whole(row, "price", like="24000")
    if price < 0:
        raise SourceError(row.at(f"price is {price}; write an amount of 0 or more"))
    if cells["pattern"] not in get_args(Pattern):
        hint = did_you_mean(cells["pattern"], get_args(Pattern)) or f"; use one of {', '.join(get_args(Pattern))}"
        raise SourceError(row.at(f"pattern {cells['pattern']!r} is unknown{hint}"))
    return cells | {"price": price, "public": public in _TRUE, "colour": cells["colour"].lower()}
