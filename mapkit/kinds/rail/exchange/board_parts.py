"""Split of a board into tables and the rest, and back, common to all formats with tables.

A table is a list of rows of plain values, one for each element; the rest is all other data (units, projection, page,
charts, rules, provenance) as plain JSON. Paths on the page follow from the lines by the projection; paths of drawn
boards that do not are stored in the rest under `own_paths`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from mapkit.core.base import Point
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.invalid import invalid_value_message
from mapkit.core.jsontext import to_plain
from mapkit.geography.page_map import PageMap
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.versions import UNKNOWN_VERSION
from mapkit.kinds.rail.render.drawn_elements import with_drawn
from mapkit.kinds.rail.sources.board_validation import validate_board

Row = dict[str, Any]
Line = tuple[Point, ...]

TABLES: Final = ("regions", "mileposts", "cities", "railroads", "junctions", "pieces", "segments")
OWN_PATHS: Final = "own_paths"
"""Key of the rest with paths that do not follow from lines; `drawn` in files of board version 1."""

_VERSION_1_OWN_PATHS: Final = "drawn"

PIECE_SEPARATOR: Final = " "
"""Separator of the ids of pieces in formats without lists."""

_MAX_PROBLEMS = 20
_REFERENCES: Final = (
    ("cities", "region", ("regions",)),
    ("cities", "milepost", ("mileposts",)),
    ("junctions", "railroad", ("railroads",)),
    ("pieces", "railroad", ("railroads",)),
    ("pieces", "a", ("mileposts", "junctions")),
    ("pieces", "b", ("mileposts", "junctions")),
    ("segments", "railroad", ("railroads",)),
    ("segments", "a", ("mileposts",)),
    ("segments", "b", ("mileposts",)),
)


@dataclass(frozen=True)
class BoardParts:
    """Tables and rest of a board; a piece's row has `line` as points, a segment's row `pieces` as one text."""

    tables: Mapping[str, list[Row]]
    rest: Mapping[str, Any]


_FLOATS: Final = frozenset({"lon", "lat", "x", "y", "drawn_x", "drawn_y", "miles"})
_INTEGERS: Final = frozenset({"price"})
_BOOLEANS: Final = frozenset({"public", "used"})


def convert_row_types(row: Mapping[str, Any], *, file: str, where: str) -> Row:
    """Return a row of texts with numbers and booleans converted; an empty number is None.

    Raises:
        SourceError: A number is not valid.
    """
    typed_row: Row = {}
    for key, value in row.items():
        if key in _FLOATS | _INTEGERS and isinstance(value, str):
            try:
                number = float(value) if value.strip() else None
                typed_row[key] = (
                    int(number) if number is not None and key in _INTEGERS and number.is_integer() else number
                )
            except (ValueError, OverflowError) as error:
                raise SourceError(f"{file}: {where}: {key} {value[:80]!r} is not a number; correct it") from error
        elif key in _BOOLEANS:
            typed_row[key] = value.strip().lower() in ("true", "1", "yes") if isinstance(value, str) else bool(value)
        else:
            typed_row[key] = value
    return typed_row


def board_to_parts(board: Board, *, drawn: bool = False) -> BoardParts:
    """Return the tables of a board and its rest.

    Args:
        board: The board.
        drawn: Whether rows of mileposts, junctions and cities include their drawn positions, for information.
    """
    shown_board = with_drawn(board) if drawn else board
    tables: dict[str, list[Row]] = {}
    for table_name in TABLES:
        tables[table_name] = [
            board_element.model_dump(exclude={"path", "drawn_path", "style"})
            for board_element in getattr(shown_board, table_name)
        ]
    for row, railroad in zip(tables["railroads"], board.railroads, strict=True):
        row.update(railroad.style.model_dump())
    for row in tables["segments"]:
        row["pieces"] = PIECE_SEPARATOR.join(row["pieces"])
    rest = to_plain(board.model_dump(mode="json", exclude=set(TABLES)))
    if not isinstance(rest, dict):
        raise TypeError("a board is an object")
    own_paths = _list_own_paths(board, tables)
    return BoardParts(tables, rest | ({OWN_PATHS: own_paths} if own_paths else {}))


def _list_own_paths(board: Board, tables: Mapping[str, list[Row]]) -> dict[str, dict[str, Any]]:
    """Return the paths that do not follow from the lines, by table and id."""
    projected_pieces, projected_segments = piece_and_segment_paths(
        board.projection, tables["pieces"], tables["segments"], {}
    )
    own_paths = {"pieces": {p.id: p.path for p in board.pieces if p.path != projected_pieces[p.id]}}
    if own_paths["pieces"]:
        _, projected_segments = piece_and_segment_paths(
            board.projection, tables["pieces"], tables["segments"], own_paths
        )
    own_paths["segments"] = {s.id: s.path for s in board.segments if s.path != projected_segments[s.id]}
    return {
        table_name: {element_id: [list(point) for point in path] for element_id, path in path_by_id.items()}
        for table_name, path_by_id in own_paths.items()
        if path_by_id
    }


def piece_and_segment_paths(
    projection: Projection, pieces: Sequence[Row], segments: Sequence[Row], own: Mapping[str, Mapping[str, Any]]
) -> tuple[dict[str, Line], dict[str, Line]]:
    """Return the paths of pieces and segments on the page (mm), by id: stored ones unchanged, others projected.

    A segment joins the paths of its pieces from `a` on; its path is empty if pieces are unknown or not connected.
    """
    own_pieces = own.get("pieces", {})
    projected_rows = [row for row in pieces if row["id"] not in own_pieces]
    page_points = PageMap(projection).to_page([point for row in projected_rows for point in row["line"]])
    point_offset = 0
    path_by_piece: dict[str, Line] = {element_id: _to_points(path) for element_id, path in own_pieces.items()}
    for row in projected_rows:
        path_by_piece[row["id"]] = page_points[point_offset : point_offset + len(row["line"])]
        point_offset += len(row["line"])
    piece_by_id = {row["id"]: row for row in pieces}
    path_by_segment = {element_id: _to_points(path) for element_id, path in own.get("segments", {}).items()}
    for row in segments:
        if row["id"] not in path_by_segment:
            path_by_segment[row["id"]] = join_lines(
                row["a"], row["pieces"].split(PIECE_SEPARATOR), piece_by_id, path_by_piece
            )
    return path_by_piece, path_by_segment


def _to_points(path: Sequence[Sequence[float]]) -> Line:
    return tuple((float(x), float(y)) for x, y in path)


def join_lines(start: str, used: Sequence[str], pieces: Mapping[str, Row], lines: Mapping[str, Line]) -> Line:
    """Return the lines of pieces joined in order from the node `start`; empty if they are not connected."""
    joined_points: list[Point] = []
    current_node = start
    for piece_id in used:
        piece = pieces.get(piece_id)
        if piece is None or current_node not in (piece.get("a"), piece.get("b")):
            return ()
        is_forward = piece.get("a") == current_node
        piece_line = lines[piece_id] if is_forward else lines[piece_id][::-1]
        current_node = str(piece.get("b") if is_forward else piece.get("a"))
        joined_points.extend(piece_line if not joined_points else piece_line[1:])
    return tuple(joined_points)


def list_reference_problems(board: Board) -> tuple[str, ...]:
    """List references to missing elements and duplicate ids of a board, at most 20."""
    tables = {
        table_name: [element.model_dump(exclude={"path", "line", "style"}) for element in getattr(board, table_name)]
        for table_name in TABLES
    }
    piece_ids = {piece.id for piece in board.pieces}
    missing_pieces = [
        f"segments: {segment.id!r}: its piece {piece_id!r} is not there; correct it"
        for segment in board.segments
        for piece_id in segment.pieces
        if piece_id not in piece_ids
    ]
    return (*_list_duplicate_ids(tables), *_list_dangling_references(tables), *missing_pieces)[:_MAX_PROBLEMS]


def board_from_parts(parts: BoardParts, *, file: str) -> Board:
    """Return the board of tables and rest; its lists are sorted as in a board file.

    Args:
        parts: The tables; unknown fields of rows are ignored.
        file: Name of the file in messages.

    Raises:
        SourceError: A row or the rest is no part of a board, ids are doubled, or a row refers to a missing element.
    """
    tables = {table_name: [dict(row) for row in parts.tables.get(table_name, [])] for table_name in TABLES}
    for row in tables["segments"]:
        row["pieces"] = str(row.get("pieces") or "")
    _raise_problems(file, [*_list_duplicate_ids(tables), *_list_dangling_references(tables)])
    plain_tables = {table_name: [_row_to_plain(table_name, row) for row in rows] for table_name, rows in tables.items()}
    for table_name in TABLES:
        if table_name != "regions":
            plain_tables[table_name].sort(key=lambda row: str(row["id"]))
    rest = dict(parts.rest)
    own_paths = _check_own_paths(pop_own_paths(rest), file)
    try:
        projection = Projection.model_validate(rest.get("projection"))
        piece_paths, segment_paths = piece_and_segment_paths(
            projection, tables["pieces"], tables["segments"], own_paths
        )
    except ValidationError as error:
        raise SourceError(f"{file}: projection: {_describe_first_error(error)}") from error
    except (RuntimeError, ValueError, TypeError) as error:  # of pyproj, or of bad points
        raise SourceError(f"{file}: the lines cannot be projected: {error}; export the board again") from error
    for row in plain_tables["pieces"]:
        row["path"] = piece_paths[row["id"]]
    broken_segments = []
    for row in plain_tables["segments"]:
        row["path"] = segment_paths[row["id"]]
        if not row["path"]:
            broken_segments.append(f"segments: {row['id']!r}: its pieces do not start at {row['a']!r}; correct pieces")
    _raise_problems(file, broken_segments)
    try:
        board = Board.model_validate({**rest, **plain_tables})
    except ValidationError as error:
        raise SourceError(f"{file}: {_locate_error(error, plain_tables)}") from error
    validate_board(board, file)
    return board


def pop_own_paths(rest: dict[str, Any]) -> Any:  # noqa: ANN401 - foreign JSON
    """Remove the paths that do not follow from lines from a rest, and return them."""
    old_paths = rest.pop(_VERSION_1_OWN_PATHS, {})
    return rest.pop(OWN_PATHS, old_paths)


def _check_own_paths(value: Any, file: str) -> dict[str, dict[str, Any]]:  # noqa: ANN401 - foreign JSON
    """Return the paths of a foreign file that do not follow from lines."""
    is_valid = isinstance(value, dict) and all(
        isinstance(paths_of, dict) and all(_is_path(path) for path in paths_of.values()) for paths_of in value.values()
    )
    if not is_valid:
        raise SourceError(f"{file}: {OWN_PATHS!r} holds no paths; export the board again")
    checked_paths: dict[str, dict[str, Any]] = value
    return checked_paths


def _is_path(path: object) -> bool:
    return isinstance(path, list) and all(
        isinstance(point, list | tuple)
        and len(point) == 2  # noqa: PLR2004
        and all(isinstance(coordinate, int | float) for coordinate in point)
        for point in path
    )


_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "regions": ("id", "name", "short", "colour"),
    "mileposts": ("id", "name", "kind", "lon", "lat", "x", "y"),
    "cities": ("id", "name", "region", "milepost"),
    "railroads": ("id", "name", "short", "price", "public"),
    "junctions": ("id", "railroad", "lon", "lat", "x", "y"),
    "pieces": ("id", "railroad", "a", "b", "miles", "line"),
    "segments": ("id", "railroad", "a", "b", "miles"),
}


def _row_to_plain(name: str, row: Row) -> Row:
    plain_row: Row = {field_name: row.get(field_name) for field_name in _FIELDS[name]}
    if name == "railroads":
        plain_row["style"] = {"colour": row.get("colour"), "pattern": row.get("pattern")}
    if name == "segments":
        plain_row["pieces"] = row["pieces"].split(PIECE_SEPARATOR)
    return plain_row


def _list_duplicate_ids(tables: Mapping[str, list[Row]]) -> list[str]:
    problem_texts = []
    for table_name, rows in tables.items():
        seen_ids: set[object] = set()
        for row_number, row in enumerate(rows, start=1):
            row_id = row.get("id")
            if not isinstance(row_id, str) or not row_id:
                problem_texts.append(f"{table_name} row {row_number}: no id; give it one")
            elif row_id in seen_ids:
                problem_texts.append(
                    f"{table_name} row {row_number}: a second {row_id!r}; give it another id or delete the row"
                )
            seen_ids.add(str(row_id))
    return problem_texts


def _list_dangling_references(tables: Mapping[str, list[Row]]) -> list[str]:
    """List references of rows to missing elements."""
    ids_by_table = {table_name: {str(row.get("id")) for row in rows} for table_name, rows in tables.items()}
    problem_texts = []
    for table, field_name, target_tables in _REFERENCES:
        known_ids = set().union(*(ids_by_table[target_table] for target_table in target_tables))
        for row in tables[table]:
            reference = row.get(field_name)
            if reference not in known_ids:
                hint = did_you_mean(str(reference), known_ids) or "; correct it"
                problem_texts.append(
                    f"{table}: {str(row.get('id'))[:80]!r}: {field_name} {str(reference)[:80]!r} is unknown{hint}"
                )
    return problem_texts


def _raise_problems(file: str, problems: Sequence[str]) -> None:
    if problems:
        hidden_count = len(problems) - _MAX_PROBLEMS
        shown_problems = [f"{file}: {problem}" for problem in problems[:_MAX_PROBLEMS]]
        raise SourceError([*shown_problems, f"{file}: and {hidden_count} more"] if hidden_count > 0 else shown_problems)


def _describe_first_error(error: ValidationError) -> str:
    first_error = error.errors()[0]
    return invalid_value_message(
        first_error, where="" if first_error["loc"] else "it", otherwise="export the board again"
    )


def _locate_error(error: ValidationError, plain: Mapping[str, list[Row]]) -> str:
    first_error = error.errors()[0]
    if first_error["type"] == UNKNOWN_VERSION:
        return first_error["msg"]
    loc, cure = first_error["loc"], "export the board again"
    if len(loc) > 1 and loc[0] in plain and isinstance(loc[1], int):
        element_id = plain[str(loc[0])][loc[1]].get("id")
        return (
            f"{loc[0]}: {str(element_id)[:80]!r}: "
            f"{invalid_value_message(first_error, where='.'.join(map(str, loc[2:])), otherwise=cure)}"
        )
    return invalid_value_message(first_error, where=".".join(map(str, loc))[:200], otherwise=cure)
