"""Reading a source package (`sources/<board>/`) into one frozen Source."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, get_args

from pydantic import ValidationError

from mapkit.errors import PlaceError, SourceError, WorkspaceError, did_you_mean
from mapkit.model.base import Frozen
from mapkit.model.board import Pattern, SourceFile
from mapkit.model.source import BoardConfig, CityRow, ControlPoint, PayoffRow, RailroadRow, Source, StationRow
from mapkit.sources.chart_tables import read_destinations, read_payoffs
from mapkit.sources.config import FILE as CONFIG_FILE
from mapkit.sources.config import parse_config
from mapkit.sources.control_points import FILE as CONTROL_POINTS
from mapkit.sources.control_points import read_control_points
from mapkit.sources.files import read_text, sha256
from mapkit.sources.names import fold, slug
from mapkit.sources.places import PlaceFinder, looks_swapped, read_places, swapped_message
from mapkit.sources.tables import Problems, Row, coordinates, number, read_table

if TYPE_CHECKING:
    from mapkit.sources.traced_files import TracedFiles

RAILROADS = "railroads.csv"
CITIES = "cities.csv"
MAPPING = "lines/mapping.csv"
PLACES = "places.csv"
DESTINATIONS = "charts/destinations.csv"
PAYOFFS = "charts/payoffs.csv"
_TRUE, _FALSE = {"true", "yes", "1"}, {"false", "no", "0", ""}
Model = TypeVar("Model", bound=Frozen)


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
    optional = [name for name in (PLACES, MAPPING, CONTROL_POINTS, PAYOFFS) if (folder / name).exists()]
    names = [CONFIG_FILE, RAILROADS, CITIES, *optional, DESTINATIONS, *lines]
    texts = {name: read_text(folder / name, name=name) for name in names}

    config = parse_config(texts[CONFIG_FILE])
    if PAYOFFS not in texts and config.payoffs is None:
        raise WorkspaceError(
            f"{folder / PAYOFFS}: cannot be read: no such file; write it, or have it computed: [payoffs] in "
            f"{CONFIG_FILE} (mapkit payoffs compute prints one)"
        )
    railroads = _read_railroads(texts[RAILROADS])
    cities = read_cities(texts[CITIES], config)
    finder = PlaceFinder(
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
    drawn = _drawn(folder, others, railroads, config, texts.get(MAPPING)) if others else None
    payoff_cities: tuple[str, ...] = tuple(city.id for city in cities)
    payoffs: tuple[PayoffRow, ...] = ()
    if PAYOFFS in texts:
        payoff_cities, payoffs = read_payoffs(texts[PAYOFFS], file=PAYOFFS, cities=cities)
    hashes = [SourceFile(path=name, sha256=sha256(texts[name])) for name in names]
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
        destinations=tuple(
            read_destinations(texts[DESTINATIONS], file=DESTINATIONS, cities=cities, regions=config.regions)
        ),
        payoff_cities=payoff_cities,
        payoffs=payoffs,
        files=tuple(sorted((*hashes, *(drawn.files if drawn else ())), key=lambda file: file.path)),
    )


def _drawn(
    folder: Path, names: list[str], railroads: list[RailroadRow], config: BoardConfig, mapping: str | None
) -> "TracedFiles":
    from mapkit.sources.traced_files import read_traced  # noqa: PLC0415 - station lists need no reader of geodata

    return read_traced(folder, names, railroads=railroads, crs=config.tracing.crs, mapping=mapping)


def _read_railroads(text: str) -> list[RailroadRow]:
    columns = ("id", "name", "short", "price", "public", "colour", "pattern")
    out: list[RailroadRow] = []
    problems = Problems()
    for row in read_table(text, file=RAILROADS, required=columns):
        try:
            out.append(_railroad(row))
        except SourceError as error:
            problems.extend(error)
    for column in ("id", "short"):
        _refuse_doubles(problems, RAILROADS, column, [(r.row, str(getattr(r, column))) for r in out])
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
    return _checked(
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


def read_cities(text: str, config: BoardConfig) -> list[CityRow]:
    """Read `cities.csv`.

    Raises:
        SourceError: A region is unknown, an id or name stands twice, or coordinates are wrong.
    """
    regions = {fold(key): region.id for region in config.regions for key in (region.id, region.name)}
    known = [region.name for region in config.regions]
    out: list[CityRow] = []
    problems = Problems()
    columns = ("id", "name", "region", "lon", "lat")
    for row in read_table(text, file=CITIES, required=columns, optional=("milepost", "weight")):
        region = regions.get(fold(row.cells["region"]))
        if region is None:
            name = row.cells["region"]
            hint = did_you_mean(name, known) or f"; the regions are {', '.join(known)}"
            problems.add(row.at(f"region {name!r} of {row.cells['name']!r} is not in board.toml{hint}"))
            continue
        try:
            lon, lat = coordinates(row)
            out.append(
                _checked(
                    CityRow,
                    row,
                    id=row.cells["id"],
                    name=row.cells["name"],
                    region=region,
                    lon=lon,
                    lat=lat,
                    milepost=row.cells.get("milepost") or row.cells["name"],
                    weight=number(row, "weight") if row.cells.get("weight") else None,
                )
            )
        except SourceError as error:
            problems.extend(error)
    for column in ("id", "name"):
        _refuse_doubles(problems, CITIES, column, [(c.row, str(getattr(c, column))) for c in out])
    _refuse_far(problems, out)
    problems.raise_if_any()
    return out


def _refuse_far(problems: Problems, cities: list[CityRow]) -> None:
    """Find coordinates that would lie among the other cities if lon and lat were exchanged."""
    for city in cities:
        if looks_swapped((city.lon, city.lat), cities):
            problems.add(f"{CITIES}:{city.row}: {swapped_message(city.name, city.lon, city.lat)}")


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
                _checked(
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


def _refuse_doubles(problems: Problems, file: str, column: str, values: list[tuple[int, str]]) -> None:
    first: dict[str, int] = {}
    for row, value in values:
        key = fold(value) if column != "id" else value
        if key in first:
            problems.add(f"{file}:{row}: {column} {value!r} stands in row {first[key]} already; rename one")
        first.setdefault(key, row)


def _checked(model: type[Model], row: Row, **values: object) -> Model:
    try:
        return model.model_validate({"row": row.number, **values})
    except ValidationError as error:
        raise SourceError(
            [
                row.at(
                    f"{'.'.join(map(str, item['loc']))} is {item['input']!r}: "
                    f"{item['msg'][:1].lower()}{item['msg'][1:]}"
                )
                for item in error.errors()
            ]
        ) from error
