"""A document becomes the files of a source package: only those that change, and in them only the rows that do."""

import base64
import re
from collections.abc import Mapping

from mapkit.core.errors import MapkitError
from mapkit.document.document import sort_rows
from mapkit.document.package import FilePlan, Files, Reading, check_plan
from mapkit.document.plain_tables import SavedRow, SavedTable, changed_files, changed_tables, saved_table
from mapkit.document.toml_file import CONFIG_FILE, toml_text
from mapkit.kinds.rail.editing.config import config_data, land_plane_of
from mapkit.kinds.rail.importing.drawings import is_old_drawing
from mapkit.kinds.rail.model.board import REGIONS, SUMS
from mapkit.kinds.rail.reading.files import Folder
from mapkit.kinds.rail.reading.lines import COLUMNS
from mapkit.kinds.rail.reading.package import read_plainly
from mapkit.kinds.rail.sources.plane_tables import table_to_plane
from mapkit.kinds.rail.sources.table_files import (
    CITIES,
    DESTINATIONS,
    FORMS,
    PAYOFFS,
    RAILROADS,
    names_to_type,
    number_text,
    region_name,
)
from mapkit.kinds.rail.tables import Payoff, RailDocument, cell_key, payoff_key, ranked

_OWN = re.compile(r"(?:lines|drawings|layers|pictures)/(?!\.)[^/\\\x00-\x1f\x7f]{1,200}")
"""Files beside the tables: none may lead to another folder, whatever a journal or command says."""


def plan_files(document: RailDocument, saved: RailDocument, present: Files) -> FilePlan:
    """Return the writes and removals that make the files hold a document, including moved drawings in `lines/`.

    Args:
        document: What they should hold.
        saved: What they hold.
        present: The files as they are; rows that stay keep their spelling.

    Raises:
        MapkitError: The document cannot be written so that it is read again as it is, or has files of other folders.
    """
    if any(is_old_drawing(name) for name in present):
        saved = _read(present).document
    for name in (*document.files, *(line.file for line in document.lines.values())):
        if not _OWN.fullmatch(name):
            raise MapkitError(
                f"{name!r} is not a file that a board may have in lines/, drawings/, layers/ or pictures/; nothing was "
                "written"
            )

    def plan(*, keep: bool) -> FilePlan:
        return _plan(document, saved, present, keep=keep)

    return check_plan(plan, _read, ranked(document), present)


def _read(files: Files) -> Reading[RailDocument]:
    found = read_plainly(Folder(files))
    return Reading(found.document, found.problems)


def all_files(document: RailDocument) -> dict[str, str | bytes]:
    """Return all files of a document, spelled afresh."""
    return _plan(document, RailDocument(), {}, keep=False).write


def _plan(document: RailDocument, saved: RailDocument, present: Files, *, keep: bool) -> FilePlan:
    write: dict[str, str | bytes] = {}
    if not (keep and CONFIG_FILE in present and _config_rows(document) == _config_rows(saved)):
        old = present.get(CONFIG_FILE, "")
        write[CONFIG_FILE] = toml_text(config_data(document), old if isinstance(old, str) else "", lists=("regions",))
    texts, gone = changed_tables(saved_tables(document), saved_tables(saved), present, keep=keep)
    for name, file in document.files.items():
        earlier = saved.files.get(name)
        if earlier is None or file.sha256 != earlier.sha256:
            write[name] = base64.b64decode(file.content)
    gone += [name for name in saved.files if name not in document.files]
    return FilePlan(*changed_files(write | texts, gone, present))


def _config_rows(document: RailDocument) -> tuple[object, ...]:
    regions = [(key, row.name, row.short, row.colour) for key, row in sort_rows(document.regions)]
    settings = {key: row.value for key, row in document.settings.items()}
    return settings, regions, {key: row.reason for key, row in document.accepted.items()}


def saved_tables(document: RailDocument) -> dict[str, SavedTable]:
    """Return the tables of a document as they stand in files; those of optional files only where they have rows."""
    plain = {form.file: saved_table(document, name, form) for name, form in FORMS.items()}
    found = plain | {DESTINATIONS: _destinations(document), PAYOFFS: _payoffs(document)}
    needed = {name: table for name, table in found.items() if table.rows or name in (RAILROADS, CITIES)}
    rows: dict[str, list[SavedRow]] = {}
    for _, line in sort_rows(document.lines):
        railroad = document.railroads.get(line.railroad)
        typed = railroad.short if railroad else line.railroad
        context = (line.railroad, railroad.name if railroad else "")
        rows.setdefault(line.file, []).extend(
            SavedRow((typed, line.name, str(number), place, kind, line.feature if number == 1 else ""), context)
            for number, (place, kind) in enumerate(line.stops, start=1)
        )
    tables = needed | {
        file: SavedTable((*COLUMNS, "feature"), of_file, frozenset(COLUMNS)) for file, of_file in rows.items()
    }
    plane = land_plane_of(document)
    return tables if plane is None else {file: table_to_plane(plane, table) for file, table in tables.items()}


def _destinations(document: RailDocument) -> SavedTable:
    there = {key.split("/", 1)[0] for key in document.destinations}
    rows: list[SavedRow] = []
    regions = {key: r.name for key, r in document.regions.items()}
    cities = names_to_type({key: c.name for key, c in document.cities.items()})
    for chart in [REGIONS, *(key for key, _ in sort_rows(document.regions))]:
        if chart not in there:
            continue
        spelled = names_to_type(regions) if chart == REGIONS else cities
        for total in map(int, SUMS):
            items = [document.destinations.get(cell_key(chart, parity, total)) for parity in ("odd", "even")]
            ids = [cell.item if cell and cell.item else "" for cell in items]
            cells = [spelled.get(one, one) for one in ids]
            rows.append(SavedRow((chart, str(total), *cells), (region_name(document, chart), *ids)))
    return SavedTable(("chart", "sum", "odd", "even"), rows)


def _payoffs(document: RailDocument) -> SavedTable:
    order = [key for key, _ in sort_rows(document.payoff_cities)]
    spelled = names_to_type({key: c.name for key, c in document.cities.items()})
    rows = [
        SavedRow((spelled.get(one, one), *(amount(document.payoffs, one, other) for other in order)), (one,))
        for one in order
    ]
    return SavedTable(("city", *(spelled.get(one, one) for one in order)), rows)


def amount(payoffs: Mapping[str, Payoff], one: str, other: str) -> str:
    """Return the text of the cell in the row of one city and the column of another."""
    cell = payoffs.get(payoff_key(one, other))
    if cell is None:
        return "0" if one == other else ""
    value = cell.below if one > other and cell.below != "same" else cell.thousands
    return number_text(value)
