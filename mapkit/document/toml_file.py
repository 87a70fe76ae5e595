"""Settings of `board.toml` as rows, and its text with changed settings but unchanged comments and spelling."""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

from mapkit.core import heavy
from mapkit.document.document import Document, Setting, sort_rows

if TYPE_CHECKING:
    from tomlkit.items import AoT, Table

CONFIG_FILE: Final = "board.toml"


OPAQUE: Final = ("extensions",)
"""The table of what others add: one setting, of no shape that we know; names in it may have dots."""


def settings_of(data: Mapping[str, Any], *, leave: Sequence[str] = ("accepted",)) -> list[tuple[str, Setting]]:
    """Return the settings of `board.toml` as rows by dotted key, without tables that have their own rows."""
    return [(key, Setting(value=value)) for key, value in _flatten(data, ()) if key.split(".")[0] not in leave]


def _flatten(data: Mapping[str, Any], prefix: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        path = (*prefix, key)
        if isinstance(value, dict) and value and path != OPAQUE:
            yield from _flatten(value, path)
        else:
            yield ".".join(path), value


def settings_data(document: Document) -> dict[str, Any]:
    """Return the settings of a document as plain data."""
    settings: dict[str, Any] = {}
    for key, row in sort_rows(document.table("settings")):
        *tables, last_part = key.split(".")
        parent_table = settings
        for table in tables:
            parent_table = parent_table.setdefault(table, {})
        value = row.value if isinstance(row, Setting) else None
        if value == {} and isinstance(parent_table.get(last_part), dict):
            continue
        parent_table[last_part] = deepcopy(value)
    return settings


def accepted_data(document: Document) -> dict[str, Any]:
    """Return the accepted findings of a document in the form of `[accepted]`; empty if there are none."""
    accepted = {key: getattr(row, "reason", "") for key, row in sort_rows(document.table("accepted"))}
    return {"accepted": accepted} if accepted else {}


def toml_text(data: Mapping[str, Any], text: str, *, lists: Sequence[str] = ()) -> str:
    """Return the text of `board.toml`.

    Args:
        data: What it should say.
        text: What it says now; empty to begin afresh.
        lists: Keys whose values are lists of tables, such as `[[regions]]`.
    """
    toml_document = heavy.tomlkit.parse(text)
    plain_data = {key: value for key, value in data.items() if key not in lists}
    _fit_table(toml_document, plain_data, keep=tuple(lists))
    for key in lists:
        _fit_list(toml_document, key, data[key])
    file_text = heavy.tomlkit.dumps(toml_document)
    return file_text if file_text.endswith("\n") else f"{file_text}\n"


def _fit_table(table: MutableMapping[str, Any], data: Mapping[str, Any], *, keep: tuple[str, ...] = ()) -> None:
    """Change a table to hold exactly `data`, touching only differences; an empty table says nothing and stays."""
    for key in [key for key in table if key not in data and key not in keep and _unwrap(table[key]) != {}]:
        del table[key]
    for key, value in data.items():
        present_value = table.get(key)
        if isinstance(value, dict) and isinstance(present_value, MutableMapping):
            _fit_table(present_value, value)
        elif (
            present_value is None or _unwrap(present_value) != value or type(_unwrap(present_value)) is not type(value)
        ):
            table[key] = _new_table(value) if isinstance(value, dict) else value


def _new_table(value: dict[str, Any]) -> "Table":
    table = heavy.tomlkit.table()
    for key, nested_value in value.items():
        table[key] = _new_table(nested_value) if isinstance(nested_value, dict) else nested_value
    return table


def _unwrap(value: Any) -> Any:  # noqa: ANN401 - any TOML value
    return value.unwrap() if hasattr(value, "unwrap") else value


def _fit_list(file: MutableMapping[str, Any], key: str, tables: list[dict[str, Any]]) -> None:
    present_list = file.get(key)
    if present_list is None:
        file[key] = _table_array(tables)
        return
    if _unwrap(present_list) == tables:
        return
    if isinstance(present_list, heavy.tomlkit.items.AoT) and [one["id"] for one in _unwrap(present_list)] == [
        one["id"] for one in tables
    ]:
        for table, one in zip(present_list, tables, strict=True):
            _fit_table(table, one)
        return
    file[key] = _table_array(tables)


def _table_array(tables: list[dict[str, Any]]) -> "AoT":
    tables_array = heavy.tomlkit.aot()
    for table in tables:
        tables_array.append(_new_table(table))
    return tables_array
