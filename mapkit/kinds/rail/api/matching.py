"""Matching a board's names to places, and adding lines from station lists."""

import csv
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, JsonValue

from mapkit.core.base import Frozen
from mapkit.core.csvtext import csv_text
from mapkit.core.errors import ChoiceError, SourceError, did_you_mean
from mapkit.core.names import fold, slug
from mapkit.core.output import write_files
from mapkit.core.plurals import count_noun, join_some
from mapkit.core.problems import problem_lines
from mapkit.core.progress import Progress, quiet
from mapkit.document.boards import prepare_board
from mapkit.document.document import sort_rows
from mapkit.document.plain_tables import TableReader
from mapkit.document.session import Session
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import MAX_BYTES, decode_text, read_text
from mapkit.formats.tables import Problems, column_separator, parse_coordinates, parse_decimal, raw_rows, read_table
from mapkit.kinds.rail.editing.place_matching import (
    MatchCandidate,
    MatchedName,
    MatchResult,
    list_uses,
    match_cities,
    match_names,
)
from mapkit.kinds.rail.editing.place_names import finder_of
from mapkit.kinds.rail.package import PACKAGE, write_package
from mapkit.kinds.rail.reading.files import Folder, read_folder
from mapkit.kinds.rail.reading.package import Reading, read_package
from mapkit.kinds.rail.sources.table_files import CITIES, PLACES, degrees_text
from mapkit.kinds.rail.tables import Kind, RailDocument
from mapkit.operations.options import Argument, BoardName, Flag, Hidden, Workspace

_PLACES_HEADER: Final = ["place", "lon", "lat", "note"]
_TABLE_COLUMNS: Final = ("take", "name", "lon", "lat", "source", "off_line_mi", "population", "reason", "used_in")
_CHART_TABLES: Final = frozenset({"destinations", "declared", "wanted", "payoffs", "payoff_cities", "control_points"})
_CHART_WORDS: Final = frozenset({"", "chart", "sum", "odd", "even", "regions", "city"})
_COORDINATES: Final = re.compile(r"(@[-+\d.]+)\s*,\s*(?=[-+\d.])")
_SEPARATOR: Final = re.compile(r"[,;\n\t→]|\s[-–—>]+\s")  # noqa: RUF001 - the en dash is meant
_EMPTY_NAME: Final = re.compile(r"[^,;]*[,;][^\S\n]*[,;][^,;]*")
_LEADING_NUMBER: Final = re.compile(r"\d+[.)]\s+")
_VIA: Final = re.compile(r"\((.+)\)")
BY_HAND: Final = "by hand"
"""Source of a position that the author gave."""


class ChosenPlace(Frozen):
    """Position chosen for a name, degrees (EPSG:4326), and its source."""

    lon: float = Field(ge=-180, le=180)
    lat: float = Field(ge=-90, le=90)
    source: str = BY_HAND


class AcceptedPlace(ChosenPlace):
    """Place that was added to `places.csv`."""

    name: str


class MatchedPlaces(Frozen):
    """Result of `mapkit match --json`."""

    board: str
    names: int = Field(description="Names of cities without a position, stations and control points")
    matched: int = Field(description="Those that mean a certain place")
    accepted: tuple[AcceptedPlace, ...] = Field(description="Places that were added to places.csv")
    corrected: Mapping[str, str] = Field(default={}, description="Names in charts, and the cities written instead")
    remaining: tuple[MatchedName, ...]
    chart_problems: tuple[str, ...] = Field(
        description="Names in charts and control points that the board does not have"
    )
    undoable: bool = Field(default=False, description="Whether `mapkit undo` takes back what was written")
    table: str | None = Field(default=None, description="The table that was written")

    @property
    def exit_code(self) -> int:
        """Return 1 if names remain."""
        return int(bool(self.remaining or self.chart_problems))


class LineAdded(Frozen):
    """Result of `mapkit lines add --json`: the steps done, or the names to decide on first."""

    railroad: str
    names: int
    matched: int
    accepted: tuple[AcceptedPlace, ...] = Field(description="Places that were added to places.csv")
    corrected: Mapping[str, str] = Field(default={}, description="Names as typed, and those of the board taken instead")
    remaining: tuple[MatchedName, ...]
    done: str = Field(description="Label of the step; empty while names remain")
    saved: tuple[str, ...] | None = Field(default=None, description="Files written; None if the step is in the journal")

    @property
    def exit_code(self) -> int:
        """Return 1 if names remain."""
        return int(bool(self.remaining))


def match_places(
    board: BoardName,
    *,
    yes: Annotated[bool, Flag("--yes")] = False,
    place_unknown: bool = False,
    table: Annotated[Path | None, Flag("", "FILE.csv", written=True)] = None,
    take: Annotated[Path | None, Flag("", "FILE.csv")] = None,
    chosen: Annotated[Mapping[str, ChosenPlace] | None, Hidden] = None,
    workspace: Workspace = None,
) -> MatchedPlaces:
    """Match all names of a board to places.

    Covers names of cities without a position, stations, control points and charts. A name that means one place is
    taken, unless the place is far off its line. For any other name mapkit proposes a candidate near its line, or a
    place between its neighbours; on a terminal it asks. What you accept goes to places.csv with its source. Exits 1
    while names remain.

    Args:
        yes: Accept all proposals that are places of the gazetteer, and correct names of cities in charts.
        place_unknown: Place names that the gazetteer lacks between their neighbours on the line.
        table: Write names and candidates as a table, to edit; x in the column take marks what is accepted.
        take: Read that table, and accept the rows with an x.
        chosen: Positions by name, in place of the proposals.

    Raises:
        SourceError: board.toml, places.csv or the table has mistakes, or both tables are one file.
    """
    space = open_workspace(workspace)
    folder = space.board_folder(str(board))
    package, reading = _read(folder)
    matched = _match_document(package, reading)
    places = dict(chosen or {})
    if take is not None:
        if table is not None and table.resolve() == take.resolve():
            raise ChoiceError(f"--table {table}: would overwrite the table that --take reads; name another file")
        places |= _read_choices(take, matched)
    proposals = _proposals(matched.asked, yes=yes, place_unknown=place_unknown)
    places |= {name: choice for name, choice in proposals.items() if name not in places}
    asked_names = {fold(one.name): one.name for one in matched.asked}
    additions = {asked_names[fold(name)]: place for name, place in places.items() if fold(name) in asked_names}
    charted = tuple(_match_charts(package, reading.document))
    texts = _correct_charts(package, charted) if yes else {}
    is_undoable = False
    if additions:
        _refuse_problems(reading, {"places"})
        texts[PLACES] = _places_text(package, additions)
    if texts:
        folder = prepare_board(space, str(board)).folder
        label = f"Match {count_noun(len(additions) + (len(charted) if yes else 0), 'name')}"
        is_undoable = write_package(folder, texts, label=label).is_step
        package, reading = _read(folder)
        matched = _match_document(package, reading)
    if table is not None:
        write_files(table.parent, {table.name: csv_text(_table_rows(matched.asked))})
    return MatchedPlaces(
        board=folder.name,
        names=len(matched.taken) + len(matched.asked),
        matched=len(matched.taken),
        accepted=_accepted(additions),
        corrected={one.name: one.meant for one in charted} if yes else {},
        remaining=matched.asked if yes else (*matched.asked, *charted),
        chart_problems=tuple(
            str(problem) for problem in (*reading.problems, *reading.doubts) if problem.table in _CHART_TABLES
        )
        if not matched.asked and (yes or not charted)
        else (),
        undoable=is_undoable,
        table=None if table is None else str(table),
    )


def add_line(
    board: BoardName,
    places: Annotated[Sequence[str], Argument("", "PLACES...", reading="name")],
    *,
    railroad: Annotated[str, Flag("", "RAILROAD")],
    name: Annotated[str | None, Flag("", "TEXT", reading="name")] = None,
    yes: Annotated[bool, Flag("--yes")] = False,
    place_unknown: bool = False,
    chosen: Annotated[Mapping[str, ChosenPlace] | None, Hidden] = None,
    workspace: Workspace = None,
    tell: Progress = quiet,
) -> LineAdded:
    """Add a line to a railroad from a list of stations.

    Finds each place as mapkit match does; on a terminal it asks about those in doubt. Nothing is added while names
    remain, and mapkit exits 1. The line is one step, which mapkit undo takes back.

    Args:
        places: Stations in order, with commas, semicolons, line ends or dashes between them, such as "Cape Town,
            Bellville, Paarl"; - for standard input. A place in parentheses only bends the line.
        railroad: Id, mark or name of the railroad.
        name: Name of the line; by default that of its ends.
        yes: Accept all proposals that are places of the gazetteer, and names of the board that are spelled alike.
        place_unknown: Place names that the gazetteer lacks between their neighbours on the line.
        chosen: Positions by name, in place of the proposals.

    Raises:
        ChoiceError: There is no such railroad.
        SourceError: The list has less than two places, an empty name, a single parenthesis or a place twice in a row,
            or the board's files have mistakes.
        CommandError: The line does not fit the board.
    """
    space = open_workspace(workspace)
    document = Session.open(space.board_folder(str(board)), PACKAGE).document
    owner = _need_railroad(document, railroad)
    text = "\n".join(_read_input() if part == "-" else part for part in places)
    plan = plan_line(document, owner, text, name=name, yes=yes, place_unknown=place_unknown, chosen=chosen or {})
    done = ""
    saved: tuple[str, ...] | None = None
    if plan.command is not None:
        edited = prepare_board(space, str(board))
        if edited.copied:
            tell(f"{board} is shipped with mapkit; its copy {edited.folder} is changed")
        session = Session.open(edited.folder, PACKAGE)
        was_saved = not session.unsaved
        done = session.do(PACKAGE.commands.read(plan.command), client="command line").label
        saved = session.save() if was_saved else None
    return LineAdded(
        railroad=owner,
        names=plan.names,
        matched=plan.matched,
        accepted=plan.accepted if done else (),
        corrected=plan.corrected if done else {},
        remaining=plan.remaining,
        done=done,
        saved=saved,
    )


@dataclass(frozen=True)
class LinePlan:
    """Command that adds a line from a station list, or the names to decide on first."""

    names: int
    matched: int
    accepted: tuple[AcceptedPlace, ...]
    corrected: dict[str, str]
    remaining: tuple[MatchedName, ...]
    command: dict[str, JsonValue] | None


def plan_line(
    document: RailDocument,
    owner: str,
    text: str,
    *,
    name: str | None = None,
    yes: bool = False,
    place_unknown: bool = False,
    chosen: Mapping[str, ChosenPlace],
) -> LinePlan:
    """Plan a line of a railroad from a pasted station list; arguments and errors as for `add_line`."""
    stops = list(parse_station_list(text))
    if len(stops) < 2:  # noqa: PLR2004 - a line has two ends
        raise SourceError(
            f"{text.strip()[:80]!r} names {count_noun(len(stops), 'place')}; a line runs through two or more"
        )
    _refuse_wrong_stops(text, [stop for stop, _ in stops])
    matched = _match_stops(document, stops)
    corrected = {one.name: one.meant for one in matched.asked if yes and one.meant and one.name not in chosen}
    if corrected:
        stops = [(corrected.get(stop, stop), kind) for stop, kind in stops]
        _refuse_wrong_stops(text, [stop for stop, _ in stops])
        matched = _match_stops(document, stops)
    choices = {**_proposals(matched.asked, yes=yes, place_unknown=place_unknown), **chosen}
    positions = {one.name: choices[one.name] for one in matched.asked if one.name in choices}
    remaining = tuple(one for one in matched.asked if one.name not in positions)
    return LinePlan(
        len(matched.taken) + len(matched.asked),
        len(matched.taken),
        _accepted(positions),
        corrected,
        remaining,
        None if remaining else _line_command(document, owner, name, stops, positions),
    )


def _match_stops(document: RailDocument, stops: Sequence[tuple[str, Kind]]) -> MatchResult:
    uses = list_uses((stop, "the new line") for stop, _ in stops)
    return match_names(uses, [[stop for stop, _ in stops]], finder_of(document))


def _read_input() -> str:
    """Return the text on standard input, read as UTF-8 on every system."""
    return decode_text(sys.stdin.buffer.read(MAX_BYTES + 1), name="standard input")


def parse_station_list(text: str) -> Iterator[tuple[str, Kind]]:
    """Yield the places of a pasted station list: mileposts, or vias where they are in parentheses."""
    for item in _SEPARATOR.split(_COORDINATES.sub(r"\1\0", text)):  # the comma of coordinates separates no places
        place = _LEADING_NUMBER.sub("", item.strip(), count=1).strip().strip('"').replace("\0", ",")
        via = _VIA.fullmatch(place)
        if via is not None:
            yield via[1].strip(), "via"
        elif place:
            yield place, "milepost"


def _refuse_wrong_stops(text: str, stops: Sequence[str]) -> None:
    if (empty_name := _EMPTY_NAME.search(text)) is not None:
        raise SourceError(
            f"{empty_name[0].strip()!r}: a name is missing between the commas; write it, or leave one out"
        )
    for stop in stops:
        if not stop.strip("() "):
            raise SourceError(f"{text.strip()[:80]!r}: parentheses are empty; write a name in them, or leave them out")
        if stop.count("(") != stop.count(")"):
            raise SourceError(
                f"{stop!r} has a single parenthesis; put both around each place that only bends the line, as in (Brits)"
            )
    for stop, next_stop in pairwise(stops):
        if fold(stop) == fold(next_stop):
            raise SourceError(f"{next_stop!r} comes twice in a row; leave one out")


def _read(folder: Path) -> tuple[Folder, Reading]:
    package = read_folder(folder)
    reading = read_package(package)
    _refuse_problems(reading, {"settings", "railroads"})
    return package, reading


def _refuse_problems(reading: Reading, tables: Iterable[str]) -> None:
    wrong = [problem for problem in reading.problems if problem.table in set(tables)]
    if wrong:
        raise SourceError(problem_lines(wrong))


def _match_document(package: Folder, reading: Reading) -> MatchResult:
    """Match the names of a document, and of cities that it lacks because they have no position yet."""
    document = reading.document
    city_names = dict(_cities_to_find(package))
    aliases = {fold(milepost): name for name, milepost in city_names.items() if milepost}
    lines = [line for _, line in sorted(document.lines.items(), key=lambda item: (item[1].file, item[1].rank, item[0]))]
    lists = [[aliases.get(fold(place), place) for place, _ in line.stops] for line in lines]
    uses = [(name, CITIES) for name in city_names]
    uses += [
        (place, line.name)
        for line, places in zip(lines, lists, strict=True)
        for place in places
        if not place.startswith("@")
    ]
    points = (point.city for _, point in sort_rows(document.control_points))
    uses += [(city, "control_points.csv") for city in points if city]
    return match_names(list_uses(uses), lists, finder_of(document))


def _match_charts(package: Folder, document: RailDocument) -> Iterator[MatchedName]:
    """Return the names in charts that mean a city of the board, and are not spelled as it is."""
    known = {fold(text) for key, city in document.cities.items() for text in (key, city.name, city.milepost)}
    known |= {fold(text) for key, region in document.regions.items() for text in (key, region.name, region.short)}
    uses = [
        (cell, file)
        for file, text in package.files.items()
        if file.startswith("charts/") and isinstance(text, str)
        for _, cells in raw_rows(text, file=file)
        for cell in cells
        if fold(cell) not in known | _CHART_WORDS and parse_decimal(cell) is None
    ]
    cities = {city.name: (city.lon, city.lat) for city in document.cities.values()}
    return match_cities(list_uses(uses), cities, finder_of(document))


def _correct_charts(package: Folder, charted: Sequence[MatchedName]) -> dict[str, str]:
    """Return the charts in which names are corrected."""
    meant = {fold(one.name): one.meant for one in charted}
    return {
        file: csv_text([[meant.get(fold(cell), cell) for cell in cells] for _, cells in raw_rows(text, file=file)])
        for file, text in package.files.items()
        if file in {use for one in charted for use in one.uses} and isinstance(text, str)
    }


def _cities_to_find(package: Folder) -> Iterator[tuple[str, str]]:
    """Yield name and milepost of the cities without a position."""
    texts = {name: text for name, text in package.files.items() if isinstance(text, str)}
    rows = TableReader(texts).parsed("cities", CITIES)
    for _, cells in rows[1:]:
        row = dict(zip(rows[0][1], cells, strict=False))
        if row.get("name") and not (row.get("lon") or row.get("lat")):
            yield row["name"], row.get("milepost", "")


def _proposals(asked: Iterable[MatchedName], *, yes: bool, place_unknown: bool) -> dict[str, ChosenPlace]:
    return {
        one.name: ChosenPlace(lon=one.proposal.lon, lat=one.proposal.lat, source=one.proposal.source)
        for one in asked
        if one.proposal is not None and (place_unknown if one.proposal.fits == "between" else yes)
    }


def _accepted(places: Mapping[str, ChosenPlace]) -> tuple[AcceptedPlace, ...]:
    return tuple(
        AcceptedPlace(name=name, lon=place.lon, lat=place.lat, source=place.source) for name, place in places.items()
    )


def _places_text(package: Folder, additions: Mapping[str, ChosenPlace]) -> str:
    """Return `places.csv` with rows added; those that it has stay as they are."""
    text = package.files.get(PLACES, "")
    text = text if isinstance(text, str) and text.strip() else csv_text([_PLACES_HEADER])
    if column_separator(text) != ",":
        text = csv_text([cells for _, cells in raw_rows(text, file=PLACES)])
    header = next(csv.reader(text.splitlines()))
    values = (
        {"place": name, "lon": degrees_text(place.lon), "lat": degrees_text(place.lat), "note": place.source}
        for name, place in additions.items()
    )
    rows = [[row.get(column.strip(), "") for column in header] for row in values]
    return (text if text.endswith("\n") else text + "\n") + csv_text(rows)


def _table_rows(asked: Sequence[MatchedName]) -> Iterator[Sequence[object]]:
    """Yield a row for each candidate; names without one get a row to fill in."""
    yield _TABLE_COLUMNS
    for one in asked:
        uses = ", ".join(one.uses)
        for candidate in one.candidates:
            mark = "x" if candidate == one.proposal else ""
            position = degrees_text(candidate.lon), degrees_text(candidate.lat)
            off_line, people = candidate.off_line_mi, candidate.population
            yield mark, one.name, *position, _source_cell(candidate), off_line, people, one.reason, uses
        if not one.candidates:
            yield "", one.name, "", "", BY_HAND, "", "", one.reason, uses


def _source_cell(candidate: MatchCandidate) -> str:
    return candidate.source + (f", also called {candidate.called}" if candidate.called else "")


def _read_choices(path: Path, matched: MatchResult) -> dict[str, ChosenPlace]:
    """Return the marked rows of an edited table.

    Raises:
        SourceError: A row names no name of the board, a name is marked twice, or a position is wrong.
    """
    text = read_text(path, name=path.name)
    known = {fold(one.name): one.name for one in matched.asked}
    done = {fold(name) for name in matched.taken}
    chosen: dict[str, ChosenPlace] = {}
    problems = Problems()
    for row in read_table(
        text, file=path.name, required=("take", "name", "lon", "lat"), optional=_TABLE_COLUMNS[4:], empty=True
    ):
        if not row.cells["take"]:
            continue
        name = known.get(fold(row.cells["name"]))
        if name is None:
            if fold(row.cells["name"]) not in done:
                hint = did_you_mean(row.cells["name"], known.values())
                problems.add(row.at(f"the board has no name {row.cells['name']!r}{hint}; clear take, or correct it"))
            continue
        if name in chosen:
            problems.add(row.at(f"{name!r} is marked twice; leave one x in the column take"))
            continue
        try:
            lon, lat = parse_coordinates(row)
        except SourceError as error:
            for problem_text in error.problems:
                problems.add(problem_text)
            continue
        chosen[name] = ChosenPlace(
            lon=lon, lat=lat, source=_chosen_source(matched, name, lon, lat, row.cells.get("source", ""))
        )
    problems.raise_if_any()
    return chosen


def _chosen_source(matched: MatchResult, name: str, lon: float, lat: float, typed: str) -> str:
    """Return the source that the author typed, or that of the candidate at a position; others were given by hand."""
    candidates = next(one.candidates for one in matched.asked if one.name == name)
    if typed and typed not in map(_source_cell, candidates):
        return typed
    position = degrees_text(lon), degrees_text(lat)
    return next(
        (
            candidate.source
            for candidate in candidates
            if (degrees_text(candidate.lon), degrees_text(candidate.lat)) == position
        ),
        BY_HAND,
    )


def _need_railroad(document: RailDocument, text: str) -> str:
    wanted = fold(text)
    for key, row in document.railroads.items():
        if wanted in {fold(key), fold(row.name), fold(row.short)}:
            return key
    hint = did_you_mean(text, [name for row in document.railroads.values() for name in (row.short, row.name)])
    marks = sorted(row.short for row in document.railroads.values())
    known = hint or f"; the railroads are {join_some(marks) or 'none'}"
    values = {"id": slug(text), "name": text, "short": text, "price": 20000, "colour": "#1d3f8f"}
    adding = json.dumps({"kind": "add-railroad", **values})
    raise ChoiceError(
        f"--railroad {text!r} is not a railroad of the board{known}. To add it: mapkit do BOARD '{adding}'"
    )


def _line_command(
    document: RailDocument,
    owner: str,
    name: str | None,
    stops: Sequence[tuple[str, Kind]],
    positions: Mapping[str, ChosenPlace],
) -> dict[str, JsonValue]:
    """Return the command that adds a line, and notes the sources of its new places."""
    placed: set[str] = set()
    values: list[JsonValue] = []
    position_by_fold = {fold(place): chosen for place, chosen in positions.items()}
    for place, kind in stops:
        value: dict[str, JsonValue] = {"place": place, "kind": kind}
        chosen = position_by_fold.get(fold(place))
        if chosen is not None and fold(place) not in placed:
            value |= {"lon": chosen.lon, "lat": chosen.lat}
        placed.add(fold(place))
        values.append(value)
    adding: dict[str, JsonValue] = {"kind": "add-line", "railroad": owner, "stops": values}
    if name:
        adding["name"] = name
    notes: list[JsonValue] = []
    if not document.mileposts:  # tables of track have no notes on places
        notes = [{"kind": "edit-place", "place": place, "note": one.source} for place, one in positions.items()]
    label = f"Add line {name or f'{stops[0][0]} - {stops[-1][0]}'} of {document.railroads[owner].name}"
    return {"kind": "batch", "label": label[:200], "commands": [adding, *notes]}
