"""Files of ids and names of cities, for charts that have ids alone."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from mapkit.core.errors import SourceError
from mapkit.core.names import fold
from mapkit.formats.cells.data import infer_data_kind, parse_data
from mapkit.formats.cells.json_files import Digits, Plain
from mapkit.formats.cells.table import Table
from mapkit.formats.cells.text import BLANKS, infer_text_kind, read_text_table
from mapkit.formats.files import local_path, read_text
from mapkit.formats.marks import looks_like_amount

_COLUMNS: Final = ("id", "name")


def read_id_names(path: str | Path) -> dict[str, str]:
    """Return the names of ids: a table with the columns id and name, or JSON such as `{"1": "Albany"}`.

    Raises:
        SourceError: The file has no ids with names, or one id has two.
        WorkspaceError: It is missing or may not be read.
    """
    file = str(path)
    text = read_text(local_path(path), name=file)
    data_kind, text_kind = infer_data_kind(text, Path(path)), infer_text_kind(text)
    if data_kind is not None:
        id_names = _names_of_data(parse_data(text, data_kind, file=file))
    elif text_kind == BLANKS:
        id_names = []
    else:
        id_names = _names_of_table(read_text_table(text, text_kind, file=file))
    if not id_names:
        raise SourceError(f"{file}: no ids with names; write a table with the columns id and name")
    doubled_id = next((ident for k, (ident, _) in enumerate(id_names) if ident in dict(id_names[:k])), None)
    if doubled_id is not None:
        raise SourceError(f"{file}: id {doubled_id!r} has two names; keep one")
    return dict(id_names)


def _names_of_data(data: Plain) -> list[tuple[str, str]]:
    if isinstance(data, list):
        pairs = [(item.get("id"), item.get("name")) for item in data if isinstance(item, dict)]
    else:
        pairs = list(data.items()) if isinstance(data, dict) else []
    id_names = [
        (ident, name)
        for ident, name in pairs
        if isinstance(ident, str) and isinstance(name, str) and not isinstance(name, Digits)
    ]
    if len(id_names) == len(pairs) > 0:
        return id_names
    parts = data.values() if isinstance(data, dict) else ()
    return next((inner_names for part in parts if (inner_names := _names_of_data(part))), [])


def _names_of_table(table: Table) -> list[tuple[str, str]]:
    titles = [fold(cell.text) for cell in table.rows[0]]
    has_head = all(title in titles for title in _COLUMNS)
    id_column, name_column = (titles.index(title) for title in _COLUMNS) if has_head else (0, 1)
    return [
        (row[id_column].text, row[name_column].text)
        for row in table.rows[has_head:]
        if len(row) > max(id_column, name_column)
    ]


def name_ids(table: Table, names: Mapping[str, str]) -> Table:
    """Return a table with the ids among its texts replaced by names; numbers stay, since they may be amounts."""
    if not names:
        return table
    rows = []
    for row in table.rows:
        texts = [cell.text if looks_like_amount(cell.text) else names.get(cell.text, cell.text) for cell in row]
        rows.append(tuple(cell._replace(text=text) for cell, text in zip(row, texts, strict=True)))
    return replace(table, rows=tuple(rows))
