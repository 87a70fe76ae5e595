"""Files of a source package become a document.

Tables without rows are fine here, so that a board can be made from nothing; `mapkit build` asks for the rows later.
"""

import base64
import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mapkit.editor.document import (
    Accepted,
    Cell,
    City,
    ControlPoint,
    Declared,
    Document,
    File,
    Kind,
    Line,
    Payoff,
    PayoffCity,
    Place,
    Railroad,
    Region,
    Row,
    Setting,
    Stop,
    Wanted,
    cell_key,
    control_point_key,
    document_of_rows,
    line_key,
    payoff_key,
)
from mapkit.errors import SourceError, WorkspaceError, did_you_mean
from mapkit.model.board import SUMS
from mapkit.model.source import BoardConfig, ChartRow, CityRow
from mapkit.sources.chart_tables import read_declared as read_declared_rows
from mapkit.sources.chart_tables import read_destinations, read_payoffs
from mapkit.sources.cities import FILE as CITIES
from mapkit.sources.cities import read_cities
from mapkit.sources.config import FILE as CONFIG_FILE
from mapkit.sources.config import parse_config
from mapkit.sources.control_points import FILE as CONTROL_POINTS
from mapkit.sources.files import MAX_BYTES, read_text
from mapkit.sources.names import fold
from mapkit.sources.package import DECLARED, DESTINATIONS, MAPPING, PAYOFFS, RAILROADS, read_railroads
from mapkit.sources.places import FILE as PLACES
from mapkit.sources.places import read_places
from mapkit.sources.tables import Problems, coordinates, number, raw_rows, read_table
from mapkit.sources.wanted import FILE as WANTED
from mapkit.sources.wanted import read_wanted

Files = Mapping[str, str | bytes]
"""Files of a source package by path: texts as read, everything else as bytes."""

TABLE_FILES: Final = (RAILROADS, CITIES, PLACES, CONTROL_POINTS, DESTINATIONS, WANTED, DECLARED, PAYOFFS)


def open_folder(folder: Path) -> Document:
    """Read the source package in a folder.

    Raises:
        SourceError: Something in its files is wrong; every problem of a file is listed.
        WorkspaceError: The folder or a file that it needs is missing or may not be read.
    """
    return document_of(read_files(folder))


def read_files(folder: Path) -> dict[str, str | bytes]:
    """Return the files of a source package that the editor edits or carries, by path.

    Raises:
        SourceError: A file is too large or no text.
        WorkspaceError: The folder or `board.toml` is missing, or a file may not be read.
    """
    if not (folder / CONFIG_FILE).is_file():
        raise WorkspaceError(f"{folder}: no {CONFIG_FILE} there; give the folder of a source package")
    names = [CONFIG_FILE, *(name for name in TABLE_FILES if (folder / name).is_file())]
    out: dict[str, str | bytes] = {name: read_text(folder / name, name=name) for name in names}
    for path in sorted(folder.glob("lines/*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_file() or path.name.startswith("."):
            continue
        out[name] = read_text(path, name=name) if path.suffix == ".csv" and name != MAPPING else _bytes(path, name)
    return out


def _bytes(path: Path, name: str) -> bytes:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise SourceError(f"{name}: more than the limit of {MAX_BYTES} bytes; split the file")
        return path.read_bytes()
    except OSError as error:
        raise WorkspaceError(f"{name}: cannot be read from {path}: {error.strerror or error}") from error


def file_hash(content: str | bytes) -> str:
    """Return the hash by which a file is known to have changed."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def document_of(files: Files) -> Document:
    """Return the document of a source package's files.

    Raises:
        SourceError: Something in them is wrong.
    """
    texts = {name: text for name, text in files.items() if isinstance(text, str)}
    data, config = _config(texts[CONFIG_FILE])
    railroads = read_railroads(texts[RAILROADS]) if has_rows(texts.get(RAILROADS), RAILROADS) else []
    cities = read_cities(texts[CITIES], config) if has_rows(texts.get(CITIES), CITIES) else []
    tables: dict[str, Any] = {
        "settings": [(key, Setting(value=value)) for key, value in _flat(data, ())],
        "regions": [(r.id, Region(name=r.name, short=r.short, colour=r.colour)) for r in config.regions],
        "accepted": [(key, Accepted(reason=reason)) for key, reason in config.accepted.items()],
        "railroads": [(r.id, Railroad.model_validate(r.model_dump(exclude={"row", "id"}))) for r in railroads],
        "cities": list(_cities(texts, cities)),
        "places": list(_places(texts.get(PLACES), cities)),
        "lines": list(_lines(texts, {fold(k): r.id for r in railroads for k in (r.name, r.short, r.id)})),
        "destinations": list(_destinations(texts.get(DESTINATIONS), config, cities)),
        "declared": list(_declared(texts.get(DECLARED), config, cities)),
        "wanted": list(_wanted(texts.get(WANTED), config, cities)),
        "control_points": list(_control_points(texts.get(CONTROL_POINTS))),
        "files": [(name, file_row(data)) for name, data in sorted(files.items()) if isinstance(data, bytes)],
    }
    tables["payoff_cities"], tables["payoffs"] = _payoffs(texts.get(PAYOFFS), cities)
    return document_of_rows(tables)


def file_row(data: bytes) -> File:
    """Return a file that the editor carries."""
    return File(sha256=hashlib.sha256(data).hexdigest(), content=base64.b64encode(data).decode("ascii"))


def has_rows(text: str | None, file: str) -> bool:
    """Return whether a table has rows below its header."""
    return text is not None and sum(1 for _ in raw_rows(text, file=file)) > 1


def _config(text: str) -> tuple[dict[str, Any], BoardConfig]:
    config = parse_config(text)
    data = tomllib.loads(text)
    for key in ("regions", "accepted"):
        data.pop(key, None)
    return data, config


def _flat(data: Mapping[str, Any], before: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        path = (*before, key)
        if isinstance(value, dict) and value:
            yield from _flat(value, path)
        else:
            yield ".".join(path), value


def _cities(texts: Mapping[str, str], cities: list[CityRow]) -> Iterator[tuple[str, City]]:
    """Return cities; whether `milepost` was typed or follows from the name is kept."""
    if not cities:
        return
    columns = ("id", "name", "region", "lon", "lat")
    rows = read_table(texts[CITIES], file=CITIES, required=columns, optional=("milepost", "weight"))
    for city, row in zip(cities, rows, strict=True):
        values = city.model_dump(exclude={"row", "id", "milepost"})
        yield city.id, City(**values, milepost=row.cells.get("milepost", ""))


def _places(text: str | None, cities: list[CityRow]) -> Iterator[tuple[str, Place]]:
    if text is None or not has_rows(text, PLACES):
        return
    read_places(text, file=PLACES, cities=cities)
    for row in read_table(text, file=PLACES, required=("place", "lon", "lat"), optional=("note",)):
        lon, lat = coordinates(row)
        yield row.cells["place"], Place(lon=lon, lat=lat, note=row.cells.get("note", ""))


def _lines(texts: Mapping[str, str], railroads: Mapping[str, str]) -> Iterator[tuple[str, Line]]:
    taken: set[str] = set()
    problems = Problems()
    for file in sorted(name for name in texts if name.startswith("lines/")):
        if not has_rows(texts[file], file):
            continue
        found: dict[tuple[str, str], list[Stop]] = {}
        for row in read_table(texts[file], file=file, required=("railroad", "line", "seq", "place", "kind")):
            cells = row.cells
            railroad = railroads.get(fold(cells["railroad"]))
            if railroad is None:
                hint = did_you_mean(cells["railroad"], railroads) or "; add it there"
                problems.add(row.at(f"railroad {cells['railroad']!r} is not in {RAILROADS}{hint}"))
            elif cells["kind"] not in ("milepost", "via"):
                problems.add(row.at(f"kind is {cells['kind']!r}; write milepost or via"))
            elif not cells["line"] or not cells["place"]:
                problems.add(row.at("line or place is empty; name both"))
            else:
                kind: Kind = "via" if cells["kind"] == "via" else "milepost"
                found.setdefault((railroad, cells["line"]), []).append((cells["place"], kind))
        for (railroad, name), stops in found.items():
            yield line_key(railroad, name, taken), Line(railroad=railroad, name=name, file=file, stops=tuple(stops))
    problems.raise_if_any()


def _destinations(text: str | None, config: BoardConfig, cities: list[CityRow]) -> Iterator[tuple[str, Cell]]:
    if text is None or not has_rows(text, DESTINATIONS):
        return
    rows = read_destinations(text, file=DESTINATIONS, cities=cities, regions=config.regions)
    typed: dict[tuple[str, int], ChartRow] = {(row.chart, row.total): row for row in rows}
    for chart in dict.fromkeys(row.chart for row in rows):
        for total in map(int, SUMS):
            found = typed.get((chart, total))
            yield cell_key(chart, "odd", total), Cell(item=found.odd if found else None)
            yield cell_key(chart, "even", total), Cell(item=found.even if found else None)


def _declared(text: str | None, config: BoardConfig, cities: list[CityRow]) -> Iterator[tuple[str, Declared]]:
    if text is None or not has_rows(text, DECLARED):
        return
    rows = read_declared_rows(text, file=DECLARED, cities=cities, regions=config.regions)
    typed = read_table(text, file=DECLARED, required=("chart", "name", "odds"))
    for row, cells in zip(rows, typed, strict=True):
        yield f"{row.chart}/{row.item}", Declared(chart=row.chart, item=row.item, odds=cells.cells["odds"])


def _wanted(text: str | None, config: BoardConfig, cities: list[CityRow]) -> Iterator[tuple[str, Wanted]]:
    if text is None or not has_rows(text, WANTED):
        return
    read_wanted(text, file=WANTED, cities=cities, config=config)
    optional = ("chart", "weight", "least", "most", "exactly", "avoid", "cells")
    for row in read_table(text, file=WANTED, required=("name",), optional=optional):
        yield wanted_key(row.cells.get("chart", ""), row.cells["name"]), Wanted.model_validate(row.cells)


def wanted_key(chart: str, name: str) -> str:
    """Return the key of a wish."""
    return f"{fold(chart)}/{fold(name)}"


def _control_points(text: str | None) -> Iterator[tuple[str, ControlPoint]]:
    if text is None or not has_rows(text, CONTROL_POINTS):
        return
    taken: dict[str, int] = {}
    optional = ("lon", "lat", "city", "note")
    for row in read_table(text, file=CONTROL_POINTS, required=("x", "y"), optional=optional):
        lon, lat = coordinates(row) if row.cells.get("lon") or row.cells.get("lat") else (None, None)
        city, note = row.cells.get("city", ""), row.cells.get("note", "")
        point = ControlPoint(x=number(row, "x"), y=number(row, "y"), lon=lon, lat=lat, city=city, note=note)
        key = control_point_key(point.x, point.y)
        taken[key] = taken.get(key, 0) + 1
        yield key if taken[key] == 1 else f"{key}#{taken[key]}", point


def _payoffs(text: str | None, cities: list[CityRow]) -> tuple[list[tuple[str, Row]], list[tuple[str, Row]]]:
    if text is None or not has_rows(text, PAYOFFS):
        return [], []
    columns, rows = read_payoffs(text, file=PAYOFFS, cities=cities)
    amounts = {(row.city, other): cell for row in rows for other, cell in zip(columns, row.thousands, strict=True)}
    out: list[tuple[str, Row]] = []
    for one in columns:
        for other in columns:
            here, back = amounts[one, other], amounts[other, one]
            usual = here == 0 if one == other else here is None and back is None
            if one > other or usual:
                continue
            below = "same" if here == back else back
            out.append((payoff_key(one, other), Payoff(thousands=here, below=below)))
    return [(city, PayoffCity()) for city in columns], out
