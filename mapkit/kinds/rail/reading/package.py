"""Files of a source package become a document; all mistakes of all files are reported at once.

A wrong row is left out and reported, the rest is read. Tables without rows are fine here, so that a board can be
made from nothing; compiling says what is missing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.problems import Problem, problem_lines, problem_of
from mapkit.document.document import Accepted, Row, RowOrigin, Setting
from mapkit.document.package import Files, file_hash
from mapkit.formats.files import plain_text, sha256
from mapkit.formats.tables import Problems, read_table
from mapkit.formats.toml_rows import row_of
from mapkit.kinds.rail.importing import late
from mapkit.kinds.rail.importing.drawings import NOTES, is_old_drawing
from mapkit.kinds.rail.model.board import SourceFile
from mapkit.kinds.rail.model.source import BoardConfig, CityRow, RailroadRow
from mapkit.kinds.rail.reading import rows, track
from mapkit.kinds.rail.reading.files import Folder, read_folder, table_of
from mapkit.kinds.rail.reading.lines import read_lines
from mapkit.kinds.rail.sources.cities import FILE as CITIES
from mapkit.kinds.rail.sources.cities import city_finder, read_cities
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.config import ReadConfig, railroad_problems, read_config, unreadable
from mapkit.kinds.rail.sources.control_points import FILE as CONTROL_POINTS
from mapkit.kinds.rail.sources.package import (
    DECLARED,
    DESTINATIONS,
    JUNCTIONS,
    MILEPOSTS,
    PAYOFFS,
    RAILROADS,
    TRACK,
    read_railroads,
)
from mapkit.kinds.rail.sources.places import FILE as PLACES
from mapkit.kinds.rail.sources.places import PlaceFinder
from mapkit.kinds.rail.sources.wanted import FILE as WANTED
from mapkit.kinds.rail.tables import RailDocument, Railroad, Region, document_of_rows

T = TypeVar("T")


_FOLLOWERS: Final[Mapping[str, tuple[str, ...]]] = {
    "settings": ("settings", "lines", "destinations", "wanted", "declared", "payoffs", "control_points"),
    "mileposts": ("mileposts", "track", "lines"),
    "junctions": ("junctions", "track"),
    "cities": ("cities", "regions", "lines", "destinations", "wanted", "declared", "payoffs", "control_points"),
    "railroads": ("railroads", "lines", "track", "junctions"),
    "places": ("places", "lines", "control_points"),
    "files": ("lines",),
}
"""Tables of which nothing is known without another."""


@dataclass(frozen=True)
class Reading:
    """What the files of a source package hold.

    Args:
        document: The document.
        problems: What is wrong with them and left out, with file and row.
        doubts: What is wrong with rows that were read nevertheless: what they name is missing.
        files: The files that a board is made from, with their hashes.
        unread: Tables whose files cannot be read at all, so that rows which name theirs cannot be checked.
        lost: Names of cities and railroads whose rows are wrong; what names them is not wrong for that.
        older: Whether its drawings lie where an earlier mapkit kept them, and were placed while reading.
    """

    document: RailDocument
    problems: tuple[Problem, ...] = ()
    files: tuple[SourceFile, ...] = ()
    unread: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    older: bool = False
    doubts: tuple[Problem, ...] = ()

    def with_compiled(self, compiled: tuple[Problem, ...]) -> tuple[Problem, ...]:
        """Return all problems, without those of compiling that only follow from those of reading."""
        reported = {(p.table, p.key) for p in self.problems if p.table == "settings"}
        broken = {p.table for p in self.problems}
        lost = ("settings", "gazetteer") in reported  # then no place is found, whatever its name
        more = (
            problem
            for problem in compiled
            if (problem.table, problem.key) not in reported
            and not (problem.key == "" and problem.table in broken)
            and not (lost and problem.table == "lines" and problem.part is not None)
            and not follows(problem, self.lost, self.unread)
        )
        return (*self.problems, *self.doubts, *more)


def follows(problem: Problem, lost: frozenset[str], unread: frozenset[str]) -> bool:
    """Return whether a problem follows from a row or file that could not be read."""
    if any(table in unread and problem.table in tables for table, tables in _FOLLOWERS.items()):
        return True
    return problem.table not in ("cities", "railroads") and any(repr(name) in problem.message for name in lost)


def open_folder(folder: Path) -> RailDocument:
    """Read the source package in a folder.

    Raises:
        SourceError: Something in its files is wrong; all problems are reported.
        WorkspaceError: The folder or `board.toml` is missing.
    """
    return _whole(read_package(read_folder(folder)))


def document_of(files: Files) -> RailDocument:
    """Return the document of a source package's files.

    Raises:
        SourceError: Something in them is wrong; all problems are reported.
    """
    return _whole(read_package(Folder(files)))


def _whole(reading: Reading) -> RailDocument:
    if reading.problems:
        raise SourceError(problem_lines(reading.problems))
    return reading.document


def read_package(folder: Folder) -> Reading:
    """Read a source package; what is wrong is left out and reported. Drawings of an earlier mapkit are placed."""
    reading = read_plainly(folder)
    if not any(map(is_old_drawing, folder.files)):
        return reading
    try:
        return replace(reading, document=late.bring_over(reading.document), older=True)
    except SourceError as error:
        problems = {str(problem) for problem in reading.problems}
        placing = [problem_of(text, table="files") for text in error.problems if text not in problems]
        return replace(reading, problems=(*reading.problems, *placing), unread=reading.unread | {"files"}, older=True)


def read_plainly(folder: Folder) -> Reading:
    """Read a source package as it is: drawings of an earlier mapkit stay unplaced."""
    reader = _Reader(folder)
    tables = reader.tables()
    lost = frozenset(reader.lost)
    unread = frozenset(reader.unread)
    problems, doubts = (
        tuple(
            replace(problem, whole=problem.table in unread)
            for problem in found
            if not follows(problem, lost, frozenset())
        )
        for found in (reader.problems, reader.doubts)
    )
    return Reading(
        document_of_rows(tables, reader.origins),
        problems,
        _source_files(folder.files, tables),
        unread,
        lost,
        doubts=doubts,
    )


class _Reader:
    """Reads the tables of a package, and gathers origins and problems on the way."""

    def __init__(self, folder: Folder) -> None:
        self.files = folder.files
        self.texts = {name: data for name, data in folder.files.items() if isinstance(data, str)}
        self.problems = list(folder.problems)
        self.doubts: list[Problem] = []
        self.unread = {problem.table for problem in folder.problems}
        self.origins: dict[tuple[str, str], RowOrigin] = {}
        self.lost: set[str] = set()

    def tables(self) -> dict[str, Any]:
        """Return the rows of all tables, in order."""
        read = read_config(self.texts[CONFIG_FILE]) if CONFIG_FILE in self.texts else unreadable()
        self.problems += [_setting_problem(key, text) for key, text in read.problems]
        if CONFIG_FILE not in self.texts and "settings" not in self.unread:
            missing = "cannot be read: no such file; write one"
            self.problems.append(Problem("settings", CONFIG_FILE, missing, file=CONFIG_FILE))
        self.unread |= {"settings"} if read.regions is None else set()
        railroads = self._railroads(read.config)
        cities = self._cities(read)
        named = "cities" not in self.unread
        places: rows.Keyed = self._table(PLACES, lambda t, p: rows.places(t, self.origins, p)) or []
        finder = PlaceFinder.of(cities=cities, places=_points(places), countries=tuple(read.config.gazetteer.countries))
        out: dict[str, Any] = {
            "settings": [(key, Setting(value=value)) for key, value in rows.flat(_plain(read.data), ())],
            "regions": [(r.id, Region(name=r.name, short=r.short, colour=r.colour)) for r in read.regions or ()],
            "accepted": [(key, Accepted(reason=reason)) for key, reason in read.config.accepted.items()],
            "railroads": [(r.id, Railroad.model_validate(r.model_dump(exclude={"row", "id"}))) for r in railroads],
            "cities": rows.cities(self.texts.get(CITIES), cities),
            "places": places,
            "lines": self._lines(railroads),
            "mileposts": self._table(MILEPOSTS, lambda t, p: track.mileposts(t, self.origins, p)) or [],
            "junctions": self._table(JUNCTIONS, lambda t, p: track.junctions(t, self.origins, p)) or [],
            "track": self._table(TRACK, lambda t, p: track.track(t, self.origins, p)) or [],
            "control_points": self._table(CONTROL_POINTS, partial(self._points, finder)) or [],
            "files": [
                (name, rows.file_row(data)) for name, data in sorted(self.files.items()) if isinstance(data, bytes)
            ],
        }
        out |= self._charts(read.config, cities) if named and read.regions is not None else {}
        self._stamp_config(out)
        return out

    def _stamp_config(self, tables: Mapping[str, Any]) -> None:
        """Note the lines of `board.toml` on which its settings and regions stand."""
        text = self.texts.get(CONFIG_FILE, "")
        for key, _ in tables["settings"]:
            self.origins["settings", key] = RowOrigin(CONFIG_FILE, row_of(text, key.split(".")))
        for number, (ident, _) in enumerate(tables["regions"]):
            self.origins["regions", ident] = RowOrigin(CONFIG_FILE, row_of(text, ["regions", str(number), "id"]))

    def _table(self, name: str, read: Callable[[str, Problems], T]) -> T | None:
        """Return what a file holds, if there is one with rows."""
        text = self.texts.get(name)
        if text is None:
            return None
        found = Problems(kept=True)
        try:
            if not rows.has_rows(text, name):
                self.origins[table_of(name), ""] = RowOrigin(name, 1)
                if name == PAYOFFS:  # a chart of no city
                    return None
            return read(text, found)
        except SourceError as error:
            self.unread.add(table_of(name))
            found.extend(error)
            return None
        finally:
            self.problems += [problem_of(text, table=table_of(name)) for text in found.found]

    def _railroads(self, config: BoardConfig) -> list[RailroadRow]:
        out = self._table(RAILROADS, lambda text, problems: read_railroads(text, problems=problems)) or []
        self.origins |= {("railroads", railroad.id): RowOrigin(RAILROADS, railroad.row) for railroad in out}
        self._lose(RAILROADS, {railroad.row for railroad in out}, ("id", "name", "short"))
        if "railroads" not in self.unread and CONFIG_FILE in self.texts:
            wrong = railroad_problems(config, self.texts[CONFIG_FILE], [railroad.id for railroad in out])
            self.doubts += [_setting_problem("spacing", text) for text in wrong]
        return out

    def _cities(self, read: ReadConfig) -> list[CityRow]:
        known = read.regions is not None and "gazetteer" not in {key for key, _ in read.problems}
        finder = city_finder(self.texts.get(PLACES), read.config.gazetteer.countries) if known else None
        out = self._table(CITIES, lambda t, p: read_cities(t, read.regions, finder=finder, problems=p)) or []
        self.origins |= {("cities", city.id): RowOrigin(CITIES, city.row) for city in out}
        self._lose(CITIES, {city.row for city in out}, ("id", "name", "milepost"))
        return out

    def _lose(self, name: str, good: set[int], columns: tuple[str, ...]) -> None:
        """Note the names of rows that are wrong."""
        if name not in self.texts or table_of(name) in self.unread or not rows.has_rows(self.texts[name], name):
            return
        columns_of = rows.COLUMNS[name]
        for row in read_table(
            self.texts[name], file=name, required=columns_of[0], optional=columns_of[1], problems=Problems(kept=True)
        ):
            if row.number not in good:
                self.lost |= {row.cells[column] for column in columns if row.cells.get(column)}

    def _points(self, finder: PlaceFinder, text: str, problems: Problems) -> rows.Keyed:
        out, unknown = rows.control_points(text, finder, self.origins, problems)
        self.doubts += [problem_of(line, table="control_points") for line in unknown]
        return out

    def _nothing_in(self, name: str, found: Sequence[object], *tables: str) -> bool:
        """Return whether a file without rows leaves others without meaning, and say so."""
        used = any(rows.has_rows(text, file) for file, text in self.texts.items() if table_of(file) in tables)
        if found or not used:
            return False
        table = table_of(name)
        if table not in {problem.table for problem in self.problems}:
            self.problems.append(
                Problem(table, "", "no rows below the header; add some", file=name, row=1)
                if name in self.texts
                else Problem(table, "", "cannot be read: no such file; write one", file=name)
            )
        self.unread.add(table)
        return True

    def _lines(self, railroads: list[RailroadRow]) -> list[tuple[str, Row]]:
        if "railroads" in self.unread or self._nothing_in(RAILROADS, railroads, "lines"):
            return []
        taken: set[str] = set()
        out: list[tuple[str, Row]] = []
        for name in sorted(name for name in self.texts if name.startswith("lines/")):
            out += self._table(name, partial(self._list, name, railroads, taken)) or []
        return out

    def _list(
        self, name: str, railroads: list[RailroadRow], taken: set[str], text: str, problems: Problems
    ) -> rows.Keyed:
        if "\\" in name:  # which parts folders on other systems
            problems.add(f"{name}: the name of the file has a backslash; rename the file")
            return []
        return read_lines(text, name, railroads, taken, self.origins, problems)

    def _charts(self, config: BoardConfig, cities: list[CityRow]) -> dict[str, Any]:
        if self._nothing_in(CITIES, cities, *(table_of(name) for name in (DESTINATIONS, DECLARED, PAYOFFS, WANTED))):
            return {}
        at, regions = self.origins, config.regions
        payoffs = self._table(PAYOFFS, lambda t, p: rows.payoffs(t, cities, at, p)) or ([], [])
        return {
            "destinations": self._table(DESTINATIONS, lambda t, p: rows.destinations(t, regions, cities, at, p)) or [],
            "declared": self._table(DECLARED, lambda t, p: rows.declared(t, regions, cities, at, p)) or [],
            "wanted": self._table(WANTED, lambda t, p: rows.wanted(t, config, cities, at, p)) or [],
            "payoff_cities": payoffs[0],
            "payoffs": payoffs[1],
        }


def _setting_problem(key: str, text: str) -> Problem:
    return problem_of(text, table="settings", key=key or CONFIG_FILE)


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings alone."""
    return {key: value for key, value in data.items() if key not in ("regions", "accepted")}


def _points(places: list[tuple[str, Any]]) -> dict[str, Point]:
    return {name: (row.lon, row.lat) for name, row in places}


def _source_files(files: Files, tables: Mapping[str, Any]) -> tuple[SourceFile, ...]:
    """Return the files that a board is made from: wishes count where no charts are typed."""
    out: list[SourceFile] = []
    for name, data in files.items():
        if name == WANTED and tables.get("destinations"):
            continue
        if isinstance(data, str) or name == NOTES:
            text = data if isinstance(data, str) else plain_text(data.decode("utf-8-sig", errors="replace"))
            out.append(SourceFile(path=name, sha256=sha256(text)))
        elif is_old_drawing(name) or name.startswith("layers/"):
            out.append(SourceFile(path=name, sha256=file_hash(data)))
    return tuple(sorted(out, key=lambda file: file.path))
