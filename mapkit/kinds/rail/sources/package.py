"""Where the tables of a source package lie; its railroads, and what charts are solved from."""

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.formats.files import read_text
from mapkit.formats.tables import Problems, Row, checked, read_table, refuse_doubles, whole
from mapkit.geography.gazetteer import load_gazetteer
from mapkit.kinds.rail.model.board import Pattern
from mapkit.kinds.rail.model.source import (
    BoardConfig,
    CityRow,
    RailroadRow,
    WantedRow,
)
from mapkit.kinds.rail.sources.cities import load_cities
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.config import parse_config
from mapkit.kinds.rail.sources.wanted import FILE as WANTED
from mapkit.kinds.rail.sources.wanted import complete_wanted, read_wanted

RAILROADS = "railroads.csv"
MAPPING = "lines/mapping.csv"
DESTINATIONS = "charts/destinations.csv"
DECLARED = "charts/declared.csv"
PAYOFFS = "charts/payoffs.csv"
MILEPOSTS = "mileposts.csv"
JUNCTIONS = "junctions.csv"
TRACK = "track.csv"
CHARTS = (DECLARED, DESTINATIONS, PAYOFFS)
_TRUE, _FALSE = {"true", "yes", "1"}, {"false", "no", "0", ""}


def load_wanted(
    folder: Path, *, wanted: Path | None = None, weights: str | None = None, damping: float | None = None
) -> tuple[BoardConfig, tuple[CityRow, ...], tuple[WantedRow, ...]]:
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
    cities = load_cities(folder, config)
    path = wanted or folder / WANTED
    text = read_text(path, name=str(wanted or WANTED)) if wanted or path.exists() else None
    return config, tuple(cities), wanted_charts(config, cities, text, file=str(wanted or WANTED))


def wanted_charts(
    config: BoardConfig, cities: Sequence[CityRow], text: str | None, *, file: str = WANTED
) -> tuple[WantedRow, ...]:
    """Return what every region and city should get, from weights, populations and the table of wishes."""
    rows = read_wanted(text, file=file, cities=cities, config=config) if text is not None else ()
    gazetteer = None
    if config.destinations.weights == "population":
        gazetteer = load_gazetteer(config.gazetteer.countries)
    return complete_wanted(config, cities, rows, gazetteer)


def read_railroads(text: str, *, problems: Problems | None = None, empty: bool = False) -> list[RailroadRow]:
    """Read `railroads.csv`.

    Args:
        text: The file's text.
        problems: Takes what is wrong, and the rest is read; without it all is refused.
        empty: Whether a header alone will do.

    Raises:
        SourceError: A row is wrong, or an id or reporting mark appears twice.
    """
    columns = ("id", "name", "short", "price", "public", "colour", "pattern")
    out: list[RailroadRow] = []
    problems = problems or Problems()
    for row in read_table(text, file=RAILROADS, required=columns, problems=problems, empty=empty):
        try:
            out.append(_railroad(row))
        except SourceError as error:
            problems.extend(error)
    double = {
        row
        for column in ("id", "short")
        for row in refuse_doubles(problems, RAILROADS, column, [(r.row, str(getattr(r, column))) for r in out])
    }
    problems.raise_if_any()
    return [railroad for railroad in out if railroad.row not in double]


def _railroad(row: Row) -> RailroadRow:
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
    return checked(
        RailroadRow,
        row,
        id=cells["id"],
        name=cells["name"],
        short=cells["short"],
        price=price,
        public=public in _TRUE,
        colour=cells["colour"].lower(),
        pattern=cells["pattern"],
    )
