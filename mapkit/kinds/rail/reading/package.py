"""Files of a source package become a document; all mistakes of all files are reported at once.

A wrong row is left out and reported, the rest is read. Tables without rows are fine here, so that a board can be
made from nothing; compiling says what is missing.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from mapkit.core.errors import PlaceError, SourceError
from mapkit.core.problems import Problem, parse_problem, problem_lines
from mapkit.document.document import Accepted, Row, RowOrigin
from mapkit.document.package import Files, file_hash
from mapkit.document.toml_file import settings_of
from mapkit.formats.files import plain_text, sha256
from mapkit.formats.toml_rows import find_row
from mapkit.kinds.rail.importing import late
from mapkit.kinds.rail.importing.drawings import NOTES, file_row, is_old_drawing
from mapkit.kinds.rail.model.board import SourceFile
from mapkit.kinds.rail.model.source import BoardConfig
from mapkit.kinds.rail.reading.files import Folder, table_of
from mapkit.kinds.rail.reading.lines import read_lines
from mapkit.kinds.rail.reading.track import read_track
from mapkit.kinds.rail.sources.chart_tables import read_declared, read_destinations, read_payoffs
from mapkit.kinds.rail.sources.cities import read_cities
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.config import ReadConfig, default_config, railroad_problems, read_config
from mapkit.kinds.rail.sources.control_points import read_control_points
from mapkit.kinds.rail.sources.odds_targets import read_wanted
from mapkit.kinds.rail.sources.package import read_railroads
from mapkit.kinds.rail.sources.places import KnownPlaces, PlaceFinder, place_points, read_places
from mapkit.kinds.rail.sources.plane_tables import PlaneTableReader
from mapkit.kinds.rail.sources.table_files import CITIES, RAILROADS, WANTED
from mapkit.kinds.rail.tables import City, ControlPoint, Line, Place, RailDocument, Railroad, Region, document_of_rows

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
    """Document of a source package's files, with their problems.

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


def document_of(files: Files) -> RailDocument:
    """Return the document of a source package's files.

    Raises:
        SourceError: Something in them is wrong; all problems are reported.
    """
    reading = read_package(Folder(files))
    if reading.problems:
        raise SourceError(problem_lines(reading.problems))
    return reading.document


def read_package(folder: Folder) -> Reading:
    """Read a source package; mistakes are left out and reported. Drawings of an earlier mapkit are placed."""
    reading = read_plainly(folder)
    if not any(map(is_old_drawing, folder.files)):
        return reading
    try:
        return replace(reading, document=late.bring_over(reading.document), older=True)
    except SourceError as error:
        problems = {str(problem) for problem in reading.problems}
        placing = [parse_problem(text, table="files") for text in error.problems if text not in problems]
        return replace(reading, problems=(*reading.problems, *placing), unread=reading.unread | {"files"}, older=True)


def read_plainly(folder: Folder) -> Reading:
    """Read a source package as it is: drawings of an earlier mapkit stay unplaced."""
    reader = _PackageReader(folder)
    tables = reader.tables()
    lost = frozenset(reader.lost_names())
    problems, doubts = (
        tuple(
            replace(problem, whole=problem.table in reader.unread)
            for problem in reader.name_rows(found)
            if not follows(problem, lost, unread)
        )
        for found, unread in ((reader.problems, frozenset[str]()), (reader.doubts, frozenset(reader.unread)))
    )
    return Reading(
        document_of_rows(tables, reader.origins),
        problems,
        _source_files(folder.files, tables),
        unread=frozenset(reader.unread),
        lost=lost,
        doubts=doubts,
    )


class _PackageReader(PlaneTableReader):
    """Reads the tables of a package, and gathers doubts on the way."""

    def __init__(self, folder: Folder) -> None:
        super().__init__(folder.files)
        self.files = folder.files
        self.texts = {name: data for name, data in folder.files.items() if isinstance(data, str)}
        self.problems += folder.problems
        self.doubts: list[Problem] = []
        self.unread |= {problem.table for problem in folder.problems}

    def tables(self) -> dict[str, Iterable[tuple[str, Row]]]:
        """Return the rows of all tables, in order."""
        config = self._config()
        self.plane = config.config.projection.land_plane
        railroads = read_railroads(self)
        if "railroads" not in self.unread and CONFIG_FILE in self.texts:
            wrong = railroad_problems(config.config, self.texts[CONFIG_FILE], list(railroads))
            self.doubts += [_setting_problem("spacing", text) for text in wrong]
        places, about_places = self._places()
        known = config.regions is not None and "gazetteer" not in {key for key, _ in config.problems}
        countries = tuple(config.config.gazetteer.countries)
        known_places, is_invented = KnownPlaces.of((), place_points(places)), self.plane is not None
        finder = PlaceFinder(known_places, countries, is_invented=is_invented) if known else None
        cities = read_cities(self, config.regions, finder=finder)
        self.problems += about_places
        out: dict[str, Mapping[str, Row]] = {
            "settings": dict(settings_of(config.data, leave=("regions", "accepted"))),
            "regions": {r.id: Region(name=r.name, short=r.short, colour=r.colour) for r in config.regions or ()},
            "accepted": {key: Accepted(reason=reason) for key, reason in config.config.accepted.items()},
            "railroads": railroads,
            "cities": cities,
            "places": places,
            "lines": self._lines(railroads),
            **read_track(self),
            "control_points": self._control_points(
                PlaceFinder.of(cities=cities.values(), places=place_points(places), countries=countries)
            ),
            "files": {name: file_row(data) for name, data in sorted(self.files.items()) if isinstance(data, bytes)},
        }
        if "cities" not in self.unread and config.regions is not None:
            out |= self._charts(config.config, cities)
        self._stamp_config(out)
        return {name: table.items() for name, table in out.items()}

    def name_rows(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """Return problems with the names in their rows; those of railroads and cities with all names of their lines."""
        named = super().name_rows(problems)
        lines: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for file in (name for name in self.texts if named and table_of(name) == "lines"):
            for _, cells in self.parsed("lines", file)[1:]:
                lines[(file, *cells[:2])].update(cells)
        if self.plane is not None:
            named = tuple(replace(each, message=self.plane.describe(each.message)) for each in named)
        return tuple(
            replace(each, names=(*each.names, *chain.from_iterable(_lines_of(each.names, lines.values()))))
            if each.table in ("railroads", "cities")
            else each
            for each in named
        )

    def lost_names(self) -> set[str]:
        """Return the names of cities and railroads with invalid rows."""
        columns = {"railroads": ("id", "name", "short"), "cities": ("id", "name", "milepost")}
        return {
            row.cells[column] for table, row in self.lost for column in columns.get(table, ()) if row.cells.get(column)
        }

    def _config(self) -> ReadConfig:
        read = read_config(self.texts[CONFIG_FILE]) if CONFIG_FILE in self.texts else default_config()
        self.problems += [_setting_problem(key, text) for key, text in read.problems]
        if CONFIG_FILE not in self.texts and "settings" not in self.unread:
            missing = "cannot be read: no such file; write one"
            self.problems.append(Problem("settings", CONFIG_FILE, missing, file=CONFIG_FILE))
        self.unread |= {"settings"} if read.regions is None else set()
        return read

    def _stamp_config(self, tables: Mapping[str, Mapping[str, Row]]) -> None:
        """Record the lines of settings and regions in `board.toml`."""
        text = self.texts.get(CONFIG_FILE, "")
        for key in tables["settings"]:
            self.origins["settings", key] = RowOrigin(CONFIG_FILE, find_row(text, key.split(".")))
        for number, ident in enumerate(tables["regions"]):
            self.origins["regions", ident] = RowOrigin(CONFIG_FILE, find_row(text, ["regions", str(number), "id"]))

    def _places(self) -> tuple[dict[str, Place], list[Problem]]:
        """Return the places, needed by cities, and their problems, to be listed after cities."""
        count = len(self.problems)
        places = read_places(self)
        about, self.problems[count:] = self.problems[count:], []
        return places, about

    def _control_points(self, finder: PlaceFinder) -> dict[str, ControlPoint]:
        points = read_control_points(self)
        for key, point in points.items():
            origin = self.origins["control_points", key]
            try:
                finder.find(point.city or "@0,0")
            except PlaceError as error:
                self.doubts.append(parse_problem(f"{origin.file}:{origin.row}: {error}", table="control_points"))
        return points

    def _nothing_in(self, file: str, found: Mapping[str, Row], *needed_by: str) -> bool:
        """Return whether a file without rows leaves others without meaning, and say so."""
        if found or not any(
            len(self.parsed(table_of(other), other)) > 1 for other in self.texts if table_of(other) in needed_by
        ):
            return False
        table = table_of(file)
        if table not in {problem.table for problem in self.problems}:
            self.problems.append(
                Problem(table, "", "no rows below the header; add some", file=file, row=1)
                if file in self.texts
                else Problem(table, "", "cannot be read: no such file; write one", file=file)
            )
        self.unread.add(table)
        return True

    def _lines(self, railroads: Mapping[str, Railroad]) -> dict[str, Line]:
        if "railroads" in self.unread or self._nothing_in(RAILROADS, railroads, "lines"):
            return {}
        taken: set[str] = set()
        out: dict[str, Line] = {}
        for name in sorted(name for name in self.texts if name.startswith("lines/")):
            if "\\" in name:  # which parts folders on other systems
                wrong = f"{name}: the name of the file has a backslash; rename the file"
                self.note(table_of(name), SourceError(wrong))
                continue
            out |= read_lines(self, name, railroads, taken)
        return out

    def _charts(self, config: BoardConfig, cities: Mapping[str, City]) -> dict[str, Mapping[str, Row]]:
        if self._nothing_in(CITIES, cities, "destinations", "declared", "payoffs", "wanted"):
            return {}
        payoff_cities, payoffs = read_payoffs(self, cities)
        return {
            "destinations": read_destinations(self, cities, config.regions),
            "declared": read_declared(self, cities, config.regions),
            "wanted": read_wanted(self, cities, config),
            "payoff_cities": payoff_cities,
            "payoffs": payoffs,
        }


def _lines_of(names: Iterable[str], lines: Iterable[set[str]]) -> Iterator[set[str]]:
    """Yield the cells of lines that name a railroad or a city."""
    texts = {name for name in names if name and not name.isdecimal()}
    return (line for line in lines if not line.isdisjoint(texts))


def _setting_problem(key: str, text: str) -> Problem:
    return parse_problem(text, table="settings", key=key or CONFIG_FILE)


def _source_files(files: Files, tables: Mapping[str, Iterable[tuple[str, Row]]]) -> tuple[SourceFile, ...]:
    """Return the files that a board is made from: wishes count where no charts are typed."""
    out: list[SourceFile] = []
    for name, data in files.items():
        if name == WANTED and [*tables.get("destinations", ())]:
            continue
        if isinstance(data, str) or name == NOTES:
            text = data if isinstance(data, str) else plain_text(data.decode("utf-8-sig", errors="replace"))
            out.append(SourceFile(path=name, sha256=sha256(text)))
        elif is_old_drawing(name) or name.startswith(("layers/", "pictures/")):
            out.append(SourceFile(path=name, sha256=file_hash(data)))
    return tuple(sorted(out, key=lambda file: file.path))
