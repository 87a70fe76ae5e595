"""Merge of a file's data into an existing board: only the rows that change."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from mapkit.document.document import Row, document_of_rows, sort_rows
from mapkit.document.frame_commands import RowChange
from mapkit.kinds.hex.compiler import CompiledHexes, compile_hexes
from mapkit.kinds.hex.exchange.format import ReadHexes
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.model.terrain import PLAINS
from mapkit.kinds.hex.tables import HexDocument, HexRow

_HEAD_KEYS: Final = ("title", "description", "credits", "license", "example_track")
_KEY_FIELDS: Final = {"track": "points"}


def compiled_file(found: ReadHexes, board_id: str, base: CompiledHexes | None = None) -> CompiledHexes:
    """Compile the board of a file, with missing tables taken from the board before, if there is one."""
    rows_by_table: dict[str, list[tuple[str, Row]]] = {name: list(rows) for name, rows in found.tables.items()}
    if base is not None:
        for name in HexDocument.schema.tables:
            if name not in rows_by_table:
                rows_by_table[name] = sort_rows(base.document.table(name))
        if not any(key == "title" for key, _ in rows_by_table["settings"]):
            own_settings = [
                (key, row) for key, row in sort_rows(base.document.table("settings")) if not key.startswith("grid.")
            ]
            rows_by_table["settings"] = [
                *own_settings,
                *((key, row) for key, row in rows_by_table["settings"] if key.startswith("grid.")),
            ]
    return compile_hexes(document_of_rows(HexDocument, rows_by_table), board_id=board_id)


def row_changes(base: CompiledHexes, after: CompiledHexes) -> tuple[RowChange, ...]:
    """Return the row changes from the board before to the board after; other rows keep their spelling."""
    return (*_setting_changes(base, after), *_row_changes(base, after))


def _row_changes(base: CompiledHexes, after: CompiledHexes) -> Iterable[RowChange]:
    usual_terrain = base.config.terrain if base.board.grid == after.board.grid else PLAINS
    for table in HexDocument.schema.tables:
        if table in ("settings", "accepted"):
            continue
        old_elements, new_elements = _elements_by_key(base.board, table), _elements_by_key(after.board, table)
        removed_keys = (
            [key for key in base.document.table(table) if key not in new_elements] if table != "hexes" else []
        )
        yield from (RowChange(table=table, key=key) for key in sorted(removed_keys))
        old_rows = base.document.table(table)
        for key, element in new_elements.items():
            if old_elements.get(key) == element:
                continue
            row: Row | None = after.document.table(table).get(key)
            if table == "hexes":
                row = HexRow(terrain=element.terrain, art=element.art)
                if (element.terrain, element.art) == (usual_terrain, ""):
                    row = None
            if row is not None:
                row_values: dict[str, Any] = row.model_dump(mode="json", exclude={"rank"})
                yield RowChange(table=table, key=key, row=row_values)
            elif key in old_rows:
                yield RowChange(table=table, key=key)
        if table == "hexes":
            yield from (RowChange(table=table, key=key) for key in sorted(old_rows) if key not in new_elements)


def _elements_by_key(board: HexBoard, table: str) -> dict[str, Any]:
    return {str(getattr(element, _KEY_FIELDS.get(table, "id"))): element for element in getattr(board, table)}


def _setting_changes(base: CompiledHexes, after: CompiledHexes) -> Iterable[RowChange]:
    old_board, new_board = base.board, after.board
    is_changed_by_prefix: Mapping[str, bool] = {
        "grid.": old_board.grid != new_board.grid,
        "earth.": old_board.earth != new_board.earth,
        "rules.": (old_board.rules, old_board.options) != (new_board.rules, new_board.options),
        **{key: getattr(old_board, _board_field(key)) != getattr(new_board, _board_field(key)) for key in _HEAD_KEYS},
    }
    for prefix, differs in is_changed_by_prefix.items():
        if differs:
            old_keys = {key for key in base.document.table("settings") if key.startswith(prefix)}
            new_rows = {key: row for key, row in after.document.table("settings").items() if key.startswith(prefix)}
            yield from (RowChange(table="settings", key=key) for key in sorted(old_keys - new_rows.keys()))
            yield from (
                RowChange(table="settings", key=key, row=row.model_dump(mode="json", exclude={"rank"}))
                for key, row in new_rows.items()
            )


def _board_field(key: str) -> str:
    return "track_is_example" if key == "example_track" else key
