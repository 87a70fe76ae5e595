"""A document becomes the files of a source package: only those that change, and in them only the rows that do."""

import base64
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from mapkit.core.base import Point
from mapkit.core.csvtext import csv_text
from mapkit.core.errors import MapkitError, SourceError
from mapkit.core.names import fold
from mapkit.core.problems import problem_lines
from mapkit.document.changes import difference
from mapkit.document.document import ordered
from mapkit.document.package import FilePlan, Files
from mapkit.document.toml_file import toml_text
from mapkit.formats.tables import raw_rows
from mapkit.kinds.rail.editing.config import config_data
from mapkit.kinds.rail.importing.drawings import is_old_drawing
from mapkit.kinds.rail.model.board import REGIONS, SUMS
from mapkit.kinds.rail.reading.files import Folder
from mapkit.kinds.rail.reading.package import read_plainly
from mapkit.kinds.rail.reading.track import COLUMNS
from mapkit.kinds.rail.sources.cities import FILE as CITIES
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.control_points import FILE as CONTROL_POINTS
from mapkit.kinds.rail.sources.package import (
    DECLARED,
    DESTINATIONS,
    JUNCTIONS,
    MILEPOSTS,
    PAYOFFS,
    RAILROADS,
    TRACK,
)
from mapkit.kinds.rail.sources.places import FILE as PLACES
from mapkit.kinds.rail.sources.wanted import FILE as WANTED
from mapkit.kinds.rail.tables import Payoff, RailDocument, Wanted, cell_key, payoff_key, ranked

_OWN = re.compile(r"(?:lines|drawings|layers)/(?!\.)[^/\\\x00-\x1f\x7f]{1,200}")
"""Files beside the tables: none may lead to another folder, whatever a journal or command says."""


@dataclass(frozen=True)
class Record:
    """A row of a file: its cells, and what else its meaning depends on (names that cells may be typed by)."""

    cells: tuple[str, ...]
    context: tuple[str, ...] = ()


SavedTable = tuple[tuple[str, ...], list[Record]]
"""A header and its rows."""


def plan_files(document: RailDocument, before: RailDocument, present: Files) -> FilePlan:
    """Return what to write so that the files hold a document; drawings in `lines/` are moved by it.

    Args:
        document: What they should hold.
        before: What they hold.
        present: The files as they are; rows that stay keep their spelling.

    Raises:
        MapkitError: The document cannot be written so that it is read again as it is, or has files of other folders.
    """
    if any(is_old_drawing(name) for name in present):
        before = read_plainly(Folder(present)).document
    for name in (*document.files, *(line.file for line in document.lines.values())):
        if not _OWN.fullmatch(name):
            raise MapkitError(
                f"{name!r} is not a file that a board may have in lines/, drawings/ or layers/; nothing was written"
            )
    plan = _plan(document, before, present, keep=True)
    lost = _lost(document, plan, present)
    if lost is not None:
        afresh = not read_plainly(Folder(present)).problems  # rows that cannot be read must not get lost
        plan = _plan(document, before, present, keep=False)
        lost = _lost(document, plan, present) if afresh else lost
        if lost is not None:
            raise MapkitError(
                f"{lost} cannot be written so that it reads the same, so nothing was written; undo the step "
                "that made it"
            )
    return plan


def _lost(document: RailDocument, plan: FilePlan, present: Files) -> str | None:
    """Return the first row that would not be read as it is, such as `payoffs 'albany|boston'`; None if all would."""
    files = {name: data for name, data in (dict(present) | plan.write).items() if name not in plan.remove}
    reading = read_plainly(Folder(files))
    if reading.problems and not read_plainly(Folder(present)).problems:
        raise SourceError(problem_lines(reading.problems))
    wanted = ranked(document)
    if reading.document == wanted:
        return None
    first = next(iter(difference(reading.document, wanted)), None)
    return "the board" if first is None else f"{first.table} {first.key!r}"


def all_files(document: RailDocument) -> dict[str, str | bytes]:
    """Return all files of a document, spelled afresh."""
    plan = _plan(document, RailDocument(), {}, keep=False)
    return plan.write


def _plan(document: RailDocument, before: RailDocument, present: Files, *, keep: bool) -> FilePlan:
    write: dict[str, str | bytes] = {}
    if not (keep and CONFIG_FILE in present and _config_rows(document) == _config_rows(before)):
        old = present.get(CONFIG_FILE, "")
        write[CONFIG_FILE] = toml_text(config_data(document), old if isinstance(old, str) else "", lists=("regions",))
    texts, gone = _tables(document, before, present, keep=keep)
    for name, file in document.files.items():
        earlier = before.files.get(name)
        if earlier is None or file.sha256 != earlier.sha256:
            write[name] = base64.b64decode(file.content)
    gone += [name for name in before.files if name not in document.files]
    changed = {name: data for name, data in (write | texts).items() if data != present.get(name)}
    return FilePlan(changed, tuple(sorted(name for name in gone if name in present)))


def _tables(
    document: RailDocument, before: RailDocument, present: Files, *, keep: bool
) -> tuple[dict[str, str | bytes], list[str]]:
    """Return the tables to write, and those to remove."""
    now, was = sheets(document), sheets(before)
    write: dict[str, str | bytes] = {}
    for name, (header, rows) in now.items():
        if keep and name in present and was.get(name, ((), []))[1] == rows:
            continue
        write[name] = _sheet_text(header, rows, was.get(name), present.get(name), keep=keep)
    return write, [name for name, (_, rows) in was.items() if rows and name not in now]


def _config_rows(document: RailDocument) -> tuple[object, ...]:
    regions = [(key, row.name, row.short, row.colour) for key, row in ordered(document.regions)]
    settings = {key: row.value for key, row in document.settings.items()}
    return settings, regions, {key: row.reason for key, row in document.accepted.items()}


def sheets(document: RailDocument) -> dict[str, SavedTable]:
    """Return the tables of a document as they stand in files; those of optional files only where they have rows."""
    out: dict[str, SavedTable] = {
        RAILROADS: (
            ("id", "name", "short", "price", "public", "colour", "pattern"),
            [
                Record((key, r.name, r.short, str(r.price), str(r.public).lower(), r.colour, r.pattern))
                for key, r in ordered(document.railroads)
            ],
        ),
        CITIES: (
            ("id", "name", "region", "lon", "lat", "milepost", "weight"),
            [
                Record(
                    (key, c.name, c.region, degrees(c.lon), degrees(c.lat), c.milepost, number_text(c.weight)),
                    (_region(document, c.region),),
                )
                for key, c in ordered(document.cities)
            ],
        ),
    }
    optional: tuple[tuple[str, Callable[[RailDocument], SavedTable]], ...] = (
        (PLACES, _places),
        (CONTROL_POINTS, _control_points),
        (DESTINATIONS, _destinations),
        (PAYOFFS, _payoffs),
        (DECLARED, _declared),
        (WANTED, _wanted),
        (MILEPOSTS, _mileposts),
        (JUNCTIONS, _junctions),
        (TRACK, _track),
    )
    for name, make in optional:
        sheet = make(document)
        if sheet[1]:
            out[name] = sheet
    return out | _lines(document)


def _region(document: RailDocument, ident: str) -> str:
    region = document.regions.get(ident)
    return "" if region is None else region.name


def _places(document: RailDocument) -> SavedTable:
    rows = [Record((key, degrees(p.lon), degrees(p.lat), p.note)) for key, p in ordered(document.places)]
    return ("place", "lon", "lat", "note"), rows


def _control_points(document: RailDocument) -> SavedTable:
    rows = [
        Record((number_text(p.x), number_text(p.y), degrees(p.lon), degrees(p.lat), p.city, p.note))
        for _, p in ordered(document.control_points)
    ]
    columns = ("x", "y", "lon", "lat", "city", "note")
    used = [n for n, column in enumerate(columns) if column in ("x", "y") or any(row.cells[n] for row in rows)]
    return tuple(columns[n] for n in used), [Record(tuple(row.cells[n] for n in used)) for row in rows]


def _destinations(document: RailDocument) -> SavedTable:
    there = {key.split("/", 1)[0] for key in document.destinations}
    rows: list[Record] = []
    names = {REGIONS: {key: r.name for key, r in document.regions.items()}}
    cities = {key: c.name for key, c in document.cities.items()}
    for chart in [REGIONS, *(key for key, _ in ordered(document.regions))]:
        if chart not in there:
            continue
        spelled = typed_names(names.get(chart, cities))
        for total in map(int, SUMS):
            items = [document.destinations.get(cell_key(chart, parity, total)) for parity in ("odd", "even")]
            ids = [cell.item if cell and cell.item else "" for cell in items]
            cells = [spelled.get(one, one) for one in ids]
            rows.append(Record((chart, str(total), *cells), (_region(document, chart), *ids)))
    return ("chart", "sum", "odd", "even"), rows


def typed_names(names: Mapping[str, str]) -> dict[str, str]:
    """Return what to type for each id: its name, or the id where the name would find something else."""
    found = {fold(key): ident for ident, name in names.items() for key in (ident, name)}
    return {ident: name if found[fold(name)] == ident else ident for ident, name in names.items()}


def _payoffs(document: RailDocument) -> SavedTable:
    order = [key for key, _ in ordered(document.payoff_cities)]
    spelled = typed_names({key: c.name for key, c in document.cities.items()})
    rows = [
        Record((spelled.get(one, one), *(amount(document.payoffs, one, other) for other in order)), (one,))
        for one in order
    ]
    return ("city", *(spelled.get(one, one) for one in order)), rows


def amount(payoffs: Mapping[str, Payoff], one: str, other: str) -> str:
    """Return the text of the cell in the row of one city and the column of another."""
    cell = payoffs.get(payoff_key(one, other))
    if cell is None:
        return "0" if one == other else ""
    value = cell.below if one > other and cell.below != "same" else cell.thousands
    return number_text(value)


def _declared(document: RailDocument) -> SavedTable:
    regions = {key: r.name for key, r in document.regions.items()}
    cities = {key: c.name for key, c in document.cities.items()}
    rows = []
    for _, d in ordered(document.declared):
        name = typed_names(regions if d.chart == REGIONS else cities).get(d.item, d.item)
        rows.append(Record((d.chart, name, d.odds), (_region(document, d.chart), d.item)))
    return ("chart", "name", "odds"), rows


def _wanted(document: RailDocument) -> SavedTable:
    columns = tuple(key for key in Wanted.model_fields if key != "rank")
    rows = [tuple(str(getattr(w, column)) for column in columns) for _, w in ordered(document.wanted)]
    used = [n for n, column in enumerate(columns) if column in ("name", "chart") or any(row[n] for row in rows)]
    return tuple(columns[n] for n in used), [Record(tuple(row[n] for n in used)) for row in rows]


def _mileposts(document: RailDocument) -> SavedTable:
    rows = sorted(document.mileposts.items())
    return COLUMNS[MILEPOSTS], [Record((key, m.name, degrees(m.lon), degrees(m.lat))) for key, m in rows]


def _junctions(document: RailDocument) -> SavedTable:
    rows = sorted(document.junctions.items())
    return COLUMNS[JUNCTIONS], [Record((key, j.railroad, degrees(j.lon), degrees(j.lat))) for key, j in rows]


def _track(document: RailDocument) -> SavedTable:
    rows = sorted(document.track.items())
    return COLUMNS[TRACK], [Record((key, t.railroad, t.a, t.b, _bends(t.bends))) for key, t in rows]


def _bends(points: Iterable[Point]) -> str:
    return "; ".join(f"{degrees(lon)} {degrees(lat)}" for lon, lat in points)


def _lines(document: RailDocument) -> dict[str, SavedTable]:
    out: dict[str, SavedTable] = {}
    for _, line in ordered(document.lines):
        railroad = document.railroads.get(line.railroad)
        typed = railroad.short if railroad else line.railroad
        context = (line.railroad, railroad.name if railroad else "")
        _, rows = out.setdefault(line.file, (("railroad", "line", "seq", "place", "kind", "feature"), []))
        rows += [
            Record((typed, line.name, str(number), place, kind, line.feature if number == 1 else ""), context)
            for number, (place, kind) in enumerate(line.stops, start=1)
        ]
    return {file: sheet if any(row.cells[-1] for row in sheet[1]) else _unmarked(sheet) for file, sheet in out.items()}


def _unmarked(sheet: SavedTable) -> SavedTable:
    """Return a station list that came from no drawing, without the column that would say from which."""
    header, rows = sheet
    return header[:-1], [Record(row.cells[:-1], row.context) for row in rows]


def degrees(value: float | None) -> str:
    """Return degrees with four decimals, or as many as there are."""
    if value is None:
        return ""
    short = f"{value:.4f}"
    return short if float(short) == value else number_text(value)


def number_text(value: float | None) -> str:
    """Return the shortest text of a number; nothing for None."""
    if value is None:
        return ""
    text = repr(float(value))
    return text.removesuffix(".0")


def _sheet_text(
    header: Sequence[str], rows: Sequence[Record], old: SavedTable | None, text: str | bytes | None, *, keep: bool
) -> str:
    """Return the text of a table; rows that were there stay as they were spelled."""
    fresh = csv_text([header, *(row.cells for row in rows)])
    if not keep or old is None or not isinstance(text, str):
        return fresh
    spelled = spelled_lines(text)
    if spelled is None or len(spelled) != len(old[1]) + 1 or not _same_header(spelled[0], header):
        return fresh
    if tuple(old[0]) != tuple(header):
        return fresh
    known: dict[Record, list[str]] = {}
    for record, line in zip(old[1], spelled[1:], strict=True):
        known.setdefault(record, []).append(line)
    out = [spelled[0]]
    for row, line in zip(rows, fresh_lines(rows), strict=True):
        same = known.get(row)
        out.append(same.pop(0) if same else line)
    return "".join(out)


def fresh_lines(rows: Iterable[Record]) -> list[str]:
    """Return each row as a line of CSV."""
    return [csv_text([row.cells]) for row in rows]


def _same_header(line: str, header: Sequence[str]) -> bool:
    return line.strip() == csv_text([header]).strip()


def spelled_lines(text: str) -> list[str] | None:
    """Return the lines of a table as typed, blank ones left out; None if a row has more than one line."""
    lines = text.splitlines(keepends=True)
    if '"' in text and any(line.count('"') % 2 for line in lines):
        return None
    kept = [line for line in lines if any(cell.strip() for cell in line.split(","))]
    if len(kept) != sum(1 for _ in raw_rows(text, file="table")):
        return None
    return [line if line.endswith("\n") else f"{line}\n" for line in kept]
