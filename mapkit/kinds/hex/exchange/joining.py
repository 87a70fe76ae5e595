"""What a file holds, joined with a board that is there: the rows that change, and no others."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from mapkit.document.document import Row, document_of_rows, ordered
from mapkit.document.frame_commands import RowChange
from mapkit.kinds.hex.compiler import CompiledHexes, compile_hexes
from mapkit.kinds.hex.exchange.format import ReadHexes
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.model.terrain import PLAINS
from mapkit.kinds.hex.tables import HexDocument, HexRow

_HEAD: Final = ("title", "description", "credits", "license", "example_track")
_KEY_OF: Final = {"track": "points"}


def compiled_file(found: ReadHexes, board_id: str, before: CompiledHexes | None = None) -> CompiledHexes:
    """Return the board of a file; tables that it does not hold are those of the board before, if there is one."""
    tables: dict[str, list[tuple[str, Row]]] = {name: list(rows) for name, rows in found.tables.items()}
    if before is not None:
        for name in HexDocument.schema.tables:
            if name not in tables:
                tables[name] = ordered(before.document.table(name))
        if not any(key == "title" for key, _ in tables["settings"]):
            own = [(key, row) for key, row in ordered(before.document.table("settings")) if not key.startswith("grid.")]
            tables["settings"] = [*own, *((key, row) for key, row in tables["settings"] if key.startswith("grid."))]
    return compile_hexes(document_of_rows(HexDocument, tables), board_id=board_id)


def changes(before: CompiledHexes, after: CompiledHexes) -> tuple[RowChange, ...]:
    """Return the rows to set so that the board before becomes the board after; others keep their spelling."""
    return (*_settings(before, after), *_rows(before, after))


def _rows(before: CompiledHexes, after: CompiledHexes) -> Iterable[RowChange]:
    usual = before.config.terrain if before.board.grid == after.board.grid else PLAINS
    for table in HexDocument.schema.tables:
        if table in ("settings", "accepted"):
            continue
        old, new = _elements(before.board, table), _elements(after.board, table)
        gone = [key for key in before.document.table(table) if key not in new] if table != "hexes" else []
        yield from (RowChange(table=table, key=key) for key in sorted(gone))
        there = before.document.table(table)
        for key, element in new.items():
            if old.get(key) == element:
                continue
            row: Row | None = after.document.table(table).get(key)
            if table == "hexes":
                row = HexRow(terrain=element.terrain, art=element.art)
                if (element.terrain, element.art) == (usual, ""):
                    row = None
            if row is not None:
                values: dict[str, Any] = row.model_dump(mode="json", exclude={"rank"})
                yield RowChange(table=table, key=key, row=values)
            elif key in there:
                yield RowChange(table=table, key=key)
        if table == "hexes":
            yield from (RowChange(table=table, key=key) for key in sorted(there) if key not in new)


def _elements(board: HexBoard, table: str) -> dict[str, Any]:
    return {str(getattr(one, _KEY_OF.get(table, "id"))): one for one in getattr(board, table)}


def _settings(before: CompiledHexes, after: CompiledHexes) -> Iterable[RowChange]:
    one, other = before.board, after.board
    groups: Mapping[str, bool] = {
        "grid.": one.grid != other.grid,
        "earth.": one.earth != other.earth,
        "rules.": (one.rules, one.options) != (other.rules, other.options),
        **{key: getattr(one, _field(key)) != getattr(other, _field(key)) for key in _HEAD},
    }
    for start, differs in groups.items():
        if differs:
            old = {key for key in before.document.table("settings") if key.startswith(start)}
            new = {key: row for key, row in after.document.table("settings").items() if key.startswith(start)}
            yield from (RowChange(table="settings", key=key) for key in sorted(old - new.keys()))
            yield from (
                RowChange(table="settings", key=key, row=row.model_dump(mode="json", exclude={"rank"}))
                for key, row in new.items()
            )


def _field(key: str) -> str:
    return "track_is_example" if key == "example_track" else key
