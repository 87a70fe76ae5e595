"""`board.toml` with settings changed, comments and spelling of everything else kept."""

from collections.abc import MutableMapping
from typing import Any

import tomlkit
from tomlkit.items import AoT, Table

from mapkit.editor.config import config_data
from mapkit.editor.document import Document


def toml_text(document: Document, text: str) -> str:
    """Return the text of `board.toml` with the settings of a document.

    Args:
        document: What it should say.
        text: What it says now; empty to begin afresh.
    """
    file = tomlkit.parse(text)
    data = config_data(document)
    regions = data.pop("regions")
    _fit(file, data, keep=("regions",))
    _fit_regions(file, regions)
    out = tomlkit.dumps(file)
    return out if out.endswith("\n") else f"{out}\n"


def _fit(table: MutableMapping[str, Any], data: dict[str, Any], *, keep: tuple[str, ...] = ()) -> None:
    """Change a table to hold exactly `data`, touching only what differs."""
    for key in [key for key in table if key not in data and key not in keep]:
        del table[key]
    for key, value in data.items():
        now = table.get(key)
        if isinstance(value, dict) and isinstance(now, MutableMapping):
            _fit(now, value)
        elif now is None or _plain(now) != value or type(_plain(now)) is not type(value):
            table[key] = _new_table(value) if isinstance(value, dict) else value


def _new_table(value: dict[str, Any]) -> Table:
    table = tomlkit.table()
    for key, one in value.items():
        table[key] = _new_table(one) if isinstance(one, dict) else one
    return table


def _plain(value: Any) -> Any:  # noqa: ANN401 - any TOML value
    return value.unwrap() if hasattr(value, "unwrap") else value


def _fit_regions(file: MutableMapping[str, Any], regions: list[dict[str, Any]]) -> None:
    now = file.get("regions")
    if now is None:
        file["regions"] = _array(regions)
        return
    if _plain(now) == regions:
        return
    if isinstance(now, AoT) and [one["id"] for one in _plain(now)] == [one["id"] for one in regions]:
        for table, region in zip(now, regions, strict=True):
            _fit(table, region)
        return
    file["regions"] = _array(regions)


def _array(regions: list[dict[str, Any]]) -> AoT:
    out = tomlkit.aot()
    for region in regions:
        out.append(_new_table(region))
    return out
