"""`board.toml`: its settings as rows, and its text with settings changed, comments and all other spelling kept."""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

from mapkit.core import heavy
from mapkit.document.document import Document, Setting, ordered

if TYPE_CHECKING:
    from tomlkit.items import AoT, Table

CONFIG_FILE: Final = "board.toml"


OPAQUE: Final = ("extensions",)
"""The table of what others add: one setting, of no shape that we know; names in it may have dots."""


def settings_of(data: Mapping[str, Any], *, leave: Sequence[str] = ("accepted",)) -> list[tuple[str, Setting]]:
    """Return the settings of `board.toml` as rows by dotted key; tables that have rows of their own are left out."""
    return [(key, Setting(value=value)) for key, value in _flat(data, ()) if key.split(".")[0] not in leave]


def _flat(data: Mapping[str, Any], before: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        path = (*before, key)
        if isinstance(value, dict) and value and path != OPAQUE:
            yield from _flat(value, path)
        else:
            yield ".".join(path), value


def settings_data(document: Document) -> dict[str, Any]:
    """Return the settings of a document as plain data."""
    out: dict[str, Any] = {}
    for key, row in ordered(document.table("settings")):
        *tables, last = key.split(".")
        at = out
        for table in tables:
            at = at.setdefault(table, {})
        value = row.value if isinstance(row, Setting) else None
        if value == {} and isinstance(at.get(last), dict):
            continue
        at[last] = deepcopy(value)
    return out


def accepted_data(document: Document) -> dict[str, Any]:
    """Return the accepted findings of a document as `[accepted]` has them; nothing where there are none."""
    accepted = {key: getattr(row, "reason", "") for key, row in ordered(document.table("accepted"))}
    return {"accepted": accepted} if accepted else {}


def toml_text(data: Mapping[str, Any], text: str, *, lists: Sequence[str] = ()) -> str:
    """Return the text of `board.toml`.

    Args:
        data: What it should say.
        text: What it says now; empty to begin afresh.
        lists: Keys whose values are lists of tables, such as `[[regions]]`.
    """
    file = heavy.tomlkit.parse(text)
    plain = {key: value for key, value in data.items() if key not in lists}
    _fit(file, plain, keep=tuple(lists))
    for key in lists:
        _fit_list(file, key, data[key])
    out = heavy.tomlkit.dumps(file)
    return out if out.endswith("\n") else f"{out}\n"


def _fit(table: MutableMapping[str, Any], data: Mapping[str, Any], *, keep: tuple[str, ...] = ()) -> None:
    """Change a table to hold exactly `data`, touching only what differs."""
    for key in [key for key in table if key not in data and key not in keep]:
        del table[key]
    for key, value in data.items():
        now = table.get(key)
        if isinstance(value, dict) and isinstance(now, MutableMapping):
            _fit(now, value)
        elif now is None or _plain(now) != value or type(_plain(now)) is not type(value):
            table[key] = _new_table(value) if isinstance(value, dict) else value


def _new_table(value: dict[str, Any]) -> "Table":
    table = heavy.tomlkit.table()
    for key, one in value.items():
        table[key] = _new_table(one) if isinstance(one, dict) else one
    return table


def _plain(value: Any) -> Any:  # noqa: ANN401 - any TOML value
    return value.unwrap() if hasattr(value, "unwrap") else value


def _fit_list(file: MutableMapping[str, Any], key: str, tables: list[dict[str, Any]]) -> None:
    now = file.get(key)
    if now is None:
        file[key] = _array(tables)
        return
    if _plain(now) == tables:
        return
    if isinstance(now, heavy.tomlkit.items.AoT) and [one["id"] for one in _plain(now)] == [one["id"] for one in tables]:
        for table, one in zip(now, tables, strict=True):
            _fit(table, one)
        return
    file[key] = _array(tables)


def _array(tables: list[dict[str, Any]]) -> "AoT":
    out = heavy.tomlkit.aot()
    for table in tables:
        out.append(_new_table(table))
    return out
