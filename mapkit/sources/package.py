"""Reading a source package (`sources/<board>/`) into one frozen Source."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from mapkit.errors import PlaceError, SourceError, WorkspaceError, did_you_mean
from mapkit.model.board import Pattern, SourceFile
from mapkit.model.source import (
    BoardConfig,
    CityRow,
    ControlPoint,
    PayoffRow,
    RailroadRow,
    Source,
    StationRow,
    WantedRow,
)
from mapkit.sources.chart_tables import read_declared, read_destinations, read_payoffs
from mapkit.sources.cities import FILE as CITIES
from mapkit.sources.cities import read_cities
from mapkit.sources.config import FILE as CONFIG_FILE
from mapkit.sources.config import check_railroads, parse_config
from mapkit.sources.control_points import FILE as CONTROL_POINTS
from mapkit.sources.control_points import read_control_points
from mapkit.sources.files import read_text, sha256
from mapkit.sources.gazetteer import load_gazetteer
from mapkit.sources.names import fold, slug
from mapkit.sources.places import FILE as PLACES
from mapkit.sources.places import PlaceFinder, read_places
from mapkit.sources.tables import Problems, Row, checked, number, read_table, refuse_doubles
from mapkit.sources.wanted import FILE as WANTED
from mapkit.sources.wanted import complete_wanted, read_wanted

if TYPE_CHECKING:
    from mapkit.sources.traced_files import TracedFiles

RAILROADS = "railroads.csv"
MAPPING = "lines/mapping.csv"
DESTINATIONS = "charts/destinations.csv"
DECLARED = "charts/declared.csv"
PAYOFFS = "charts/payoffs.csv"
CHARTS = (DECLARED, DESTINATIONS, PAYOFFS)
_TRUE, _FALSE = {"true", "yes", "1"}, {"false", "no", "0", ""}


def load_source(folder: Path) -> Source:
    """Read the source package in `folder`; the folder's name is the board's id.

    Raises:
        SourceError: Something in its files is wrong; every problem found is listed with file and row.
        WorkspaceError: The folder or a file that it needs is missing or may not be read.
    """
    if not folder.is_dir():
        raise WorkspaceError(f"{folder}: no such folder; a source package is a folder with a board.toml")
    board_id = slug(folder.resolve().name)
    if not board_id:
        raise SourceError(f"{folder}: the folder's name gives no id; use letters or digits")
    lines = sorted(name for p in folder.glob("lines/*.csv") if (name := p.relative_to(folder).as_posix()) != MAPPING)
    others = sorted(p.relative_to(folder).as_posix() for p in folder.glob("lines/*") if p.suffix.lower() != ".csv")
    if not lines and not others:
        raise WorkspaceError(
            f"{folder / 'lines'}: no station lists (*.csv) and no traced lines; a board needs at least one line"
        )
    config = parse_config(read_text(folder / CONFIG_FILE, name=CONFIG_FILE))
    optional = [name for name in (PLACES, MAPPING, CONTROL_POINTS) if (folder / name).exists()]
    names = [CONFIG_FILE, RAILROADS, CITIES, *optional, *_chart_files(folder, config), *lines]
    texts = {name: read_text(folder / name, name=name) for name in names}

    def read_drawn(railroads: list[RailroadRow]) -> "TracedFiles | None":
        return _drawn(folder, others, railroads, config, texts.get(MAPPING)) if others else None

    return source_of(board_id, texts, config=config, read_drawn=read_drawn)


def source_of(
    board_id: str,
    texts: Mapping[str, str],
    *,
    config: BoardConfig,
    read_drawn: "Callable[[list[RailroadRow]], TracedFiles | None]",
) -> Source:
    """Return a source package whose files have been read.

    Args:
        board_id: The board's id.
        texts: Its tables by path, and `board.toml`.
        config: `board.toml`, parsed.
        read_drawn: Reads its traced lines, given its railroads.

    Raises:
        SourceError: Something in its files is wrong; every problem found is listed with file and row.
    """
    lines = sorted(name for name in texts if name.startswith("lines/") and name != MAPPING)
    railroads = read_railroads(texts[RAILROADS])
    check_railroads(config, texts[CONFIG_FILE], [railroad.id for railroad in railroads])
    cities = read_cities(texts[CITIES], config)
    finder = PlaceFinder.of(
        cities=cities,
        places=read_places(texts[PLACES], file=PLACES, cities=cities) if PLACES in texts else {},
        countries=config.gazetteer.countries,
    )
    problems = Problems()
    stations: list[StationRow] = []
    for name in lines:
        try:
            stations.extend(_read_stations(texts[name], file=name, railroads=railroads, finder=finder))
        except SourceError as error:
            problems.extend(error)
    problems.raise_if_any()
    control_points: tuple[ControlPoint, ...] = ()
    if CONTROL_POINTS in texts:
        control_points = read_control_points(texts[CONTROL_POINTS], file=CONTROL_POINTS, finder=finder)
    drawn = read_drawn(railroads)
    payoff_cities: tuple[str, ...] = tuple(city.id for city in cities)
    payoffs: tuple[PayoffRow, ...] = ()
    if PAYOFFS in texts:
        payoff_cities, payoffs = read_payoffs(texts[PAYOFFS], file=PAYOFFS, cities=cities)
    hashes = [SourceFile(path=name, sha256=sha256(text)) for name, text in texts.items()]
    return Source(
        id=board_id,
        config=config,
        railroads=tuple(railroads),
        cities=tuple(cities),
        stations=tuple(stations),
        traced=drawn.lines if drawn else (),
        pinned=drawn.points if drawn else (),
        control_points=control_points,
        import_notes=drawn.notes if drawn else (),
        destinations=()
        if DESTINATIONS not in texts
        else tuple(read_destinations(texts[DESTINATIONS], file=DESTINATIONS, cities=cities, regions=config.regions)),
        wanted=wanted_charts(config, cities, texts.get(WANTED)) if DESTINATIONS not in texts else (),
        declared=read_declared(texts[DECLARED], file=DECLARED, cities=cities, regions=config.regions)
        if DECLARED in texts
        else (),
        payoff_cities=payoff_cities,
        payoffs=payoffs,
        files=tuple(sorted((*hashes, *(drawn.files if drawn else ())), key=lambda file: file.path)),
    )


def load_wanted(
    folder: Path, *, wanted: Path | None = None, weights: str | None = None
) -> tuple[BoardConfig, tuple[CityRow, ...], tuple[WantedRow, ...]]:
    """Read only what charts are solved from: `board.toml`, `cities.csv` and `charts/wanted.csv`.

    Args:
        folder: The source package; lines and charts may be missing yet.
        wanted: Another table of wishes.
        weights: `cities` or `population`, in place of what `board.toml` says.

    Raises:
        SourceError: Something in these files is wrong, or a city has no weight.
        WorkspaceError: One of them is missing.
    """
    config = parse_config(read_text(folder / CONFIG_FILE, name=CONFIG_FILE))
    if weights is not None:
        chosen = config.destinations.model_copy(update={"weights": weights})
        config = config.model_copy(update={"destinations": chosen})
    cities = read_cities(read_text(folder / CITIES, name=CITIES), config)
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


def _chart_files(folder: Path, config: BoardConfig) -> list[str]:
    """Return the files in `charts/` that a board is made from.

    Raises:
        WorkspaceError: One is missing that nothing stands in for.
    """
    return chart_files([name for name in (*CHARTS, WANTED) if (folder / name).exists()], config, where=f"{folder}/")


def chart_files(present: Iterable[str], config: BoardConfig, *, where: str = "") -> list[str]:
    """Return the files in `charts/` that a board is made from, of those that are there.

    Raises:
        WorkspaceError: One is missing that nothing stands in for.
    """
    given = set(present)
    there = [name for name in CHARTS if name in given]
    if DESTINATIONS not in there:
        if not config.destinations.solve:
            raise WorkspaceError(
                f"{DESTINATIONS}: cannot be read from {where}{DESTINATIONS}: no such file; type the charts, or write "
                "solve = true under [destinations] in board.toml to have them solved from weights"
            )
        there += [WANTED] if WANTED in given else []
    if PAYOFFS not in there and config.payoffs is None:
        raise WorkspaceError(
            f"{PAYOFFS}: cannot be read from {where}{PAYOFFS}: no such file; type the chart, or have it computed: "
            f"[payoffs] in {CONFIG_FILE} (mapkit payoffs compute prints one)"
        )
    return there


def _drawn(
    folder: Path, names: list[str], railroads: list[RailroadRow], config: BoardConfig, mapping: str | None
) -> "TracedFiles":
    from mapkit.sources.traced_files import read_traced  # noqa: PLC0415 - station lists need no reader of geodata

    return read_traced(folder, names, railroads=railroads, crs=config.tracing.crs, mapping=mapping)


def read_railroads(text: str) -> list[RailroadRow]:
    """Read `railroads.csv`.

    Raises:
        SourceError: A row is wrong, or an id or reporting mark stands twice.
    """
    columns = ("id", "name", "short", "price", "public", "colour", "pattern")
    out: list[RailroadRow] = []
    problems = Problems()
    for row in read_table(text, file=RAILROADS, required=columns):
        try:
            out.append(_railroad(row))
        except SourceError as error:
            problems.extend(error)
    for column in ("id", "short"):
        refuse_doubles(problems, RAILROADS, column, [(r.row, str(getattr(r, column))) for r in out])
    problems.raise_if_any()
    return out


def _railroad(row: Row) -> RailroadRow:
    cells = row.cells
    public = cells["public"].casefold()
    if public not in _TRUE | _FALSE:
        raise SourceError(row.at(f"public is {cells['public']!r}; write true or false"))
    price = number(row, "price")
    if price != int(price) or price < 0:
        raise SourceError(row.at(f"price is {cells['price']!r}; write a whole amount, 0 or more"))
    if cells["pattern"] not in get_args(Pattern):
        hint = did_you_mean(cells["pattern"], get_args(Pattern)) or f"; use one of {', '.join(get_args(Pattern))}"
        raise SourceError(row.at(f"pattern {cells['pattern']!r} is unknown{hint}"))
    return checked(
        RailroadRow,
        row,
        id=cells["id"],
        name=cells["name"],
        short=cells["short"],
        price=int(price),
        public=public in _TRUE,
        colour=cells["colour"].lower(),
        pattern=cells["pattern"],
    )


def _read_stations(text: str, *, file: str, railroads: Iterable[RailroadRow], finder: PlaceFinder) -> list[StationRow]:
    known = {fold(key): r.id for r in railroads for key in (r.name, r.short, r.id)}
    spelled = [key for r in railroads for key in (r.id, r.short, r.name)]
    out: list[StationRow] = []
    problems = Problems()
    for row in read_table(text, file=file, required=("railroad", "line", "seq", "place", "kind")):
        cells = row.cells
        railroad = known.get(fold(cells["railroad"]))
        if railroad is None:
            hint = did_you_mean(cells["railroad"], spelled) or "; add it there"
            problems.add(row.at(f"railroad {cells['railroad']!r} is not in {RAILROADS}{hint}"))
            continue
        if cells["kind"] not in ("milepost", "via"):
            problems.add(row.at(f"kind is {cells['kind']!r}; write milepost or via"))
            continue
        try:
            place, lon, lat = finder.find(cells["place"])
            seq = number(row, "seq")
            out.append(
                checked(
                    StationRow,
                    row,
                    file=file,
                    railroad=railroad,
                    line=cells["line"],
                    seq=int(seq),
                    place=place,
                    kind=cells["kind"],
                    lon=lon,
                    lat=lat,
                )
            )
        except PlaceError as error:
            problems.add(row.at(str(error)))
        except SourceError as error:
            problems.extend(error)
    _refuse_bad_lines(problems, out)
    problems.raise_if_any()
    return out


def _refuse_bad_lines(problems: Problems, rows: list[StationRow]) -> None:
    lines: dict[tuple[str, str], list[StationRow]] = {}
    for row in rows:
        lines.setdefault((row.railroad, row.line), []).append(row)
    for (railroad, line), stops in lines.items():
        first = stops[0]
        if len(stops) == 1:
            problems.add(
                f"{first.file}:{first.row}: line {line!r} of {railroad!r} has one place only; "
                "a line runs through at least two"
            )
        for before, after in pairwise(stops):
            if after.seq <= before.seq:
                problems.add(
                    f"{after.file}:{after.row}: seq {after.seq} follows {before.seq} on line {line!r}; "
                    "number the places upward in the order they are passed"
                )
            if after.place == before.place:
                problems.add(f"{after.file}:{after.row}: {after.place!r} twice in a row; remove one")
