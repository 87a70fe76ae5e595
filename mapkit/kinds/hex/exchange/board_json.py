"""Board file, `board.json`, as `mapkit build` writes it."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mapkit.core.errors import SourceError
from mapkit.core.invalid import invalid_value_message
from mapkit.core.jsontext import json_text
from mapkit.exchange.plan import ExportedBoard
from mapkit.exchange.typescript import type_files
from mapkit.formats.json_reading import read_json
from mapkit.kinds.hex.exchange.board_rows import rows_of_board
from mapkit.kinds.hex.exchange.format import HexExport, HexFormat, ReadHexes
from mapkit.kinds.hex.model.board import HexBoard

_MOST_SHOWN = 5


def parse_board(data: Any, *, file: str, where: str = "") -> HexBoard:  # noqa: ANN401 - data of any JSON
    """Return the board of a board file's data.

    Args:
        data: What the file holds.
        file: What to call it.
        where: The path of the data in it.

    Raises:
        SourceError: It is not a board; the first wrong values are named.
    """
    try:
        return HexBoard.model_validate(data)
    except ValidationError as error:
        error_lines = [
            f"{file}: {where}{'.'.join(str(part) for part in error_item['loc'])}: {invalid_value_message(error_item)}"
            for error_item in error.errors()[:_MOST_SHOWN]
        ]
        errors_left = error.error_count() - _MOST_SHOWN
        raise SourceError(
            "\n".join([*error_lines, *([f"{file}: and {errors_left} more"] if errors_left > 0 else [])])
        ) from error


def _write_board(board: HexBoard, asked: HexExport) -> ExportedBoard:
    stem = asked.stem(board)
    return ExportedBoard({f"{stem}.json": json_text(board), **type_files(HexBoard, "board-hex", stem)})


def _read_board(path: Path) -> ReadHexes:
    return ReadHexes(rows_of_board(parse_board(read_json(path), file=path.name), path.name))


FORMAT = HexFormat(
    "json",
    "Board file (JSON)",
    (".json",),
    "everything, with a JSON Schema and TypeScript declarations",
    "nothing",
    _write_board,
    _read_board,
)
