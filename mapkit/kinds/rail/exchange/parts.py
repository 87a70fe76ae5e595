"""A board taken apart into tables and the rest, and put together again: what all formats with tables share.

A table is a list of rows of plain values, one for each element; the rest is everything that is not a list of elements
(units, projection, page, charts, rules, provenance) as plain JSON data. Paths on the page follow from the lines by
the projection, so only those that do not (of drawn boards) are kept, in the rest under `drawn`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from mapkit.core.base import Point
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.invalid import invalid
from mapkit.core.jsontext import to_plain
from mapkit.geography.page_map import PageMap
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.versions import UNKNOWN_VERSION
from mapkit.kinds.rail.render.drawn import with_drawn
from mapkit.kinds.rail.sources.board_validation import validate_board

Row = dict[str, Any]
Line = tuple[Point, ...]

TABLES: Final = ("regions", "mileposts", "cities", "railroads", "junctions", "pieces", "segments")
OWN_PATHS: Final = "own_paths"
"""The key of the rest that holds paths which do not follow from lines; files of board version 1 call it `drawn`."""

_OLD_OWN_PATHS: Final = "drawn"

APART: Final = " "
"""Between the ids of pieces where a format has no lists."""

_MOST_PROBLEMS = 20
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
class Parts:
    """A board in parts; a piece's row holds `line` as points, a segment's `pieces` as one text."""

    tables: Mapping[str, list[Row]]
    rest: Mapping[str, Any]


_FLOATS: Final = frozenset({"lon", "lat", "x", "y", "drawn_x", "drawn_y", "miles"})
_INTEGERS: Final = frozenset({"price"})
_TRUTHS: Final = frozenset({"public", "used"})


def typed(row: Mapping[str, Any], *, file: str, where: str) -> Row:
    """Return a row of texts with its numbers and truth values as such; an empty number is None.

    Raises:
        SourceError: A number is not valid.
    """
    out: Row = {}
    for key, value in row.items():
        if key in _FLOATS | _INTEGERS and isinstance(value, str):
            try:
                number = float(value) if value.strip() else None
                out[key] = int(number) if number is not None and key in _INTEGERS and number.is_integer() else number
            except (ValueError, OverflowError) as error:
                raise SourceError(f"{file}: {where}: {key} {value[:80]!r} is not a number; correct it") from error
        elif key in _TRUTHS:
            out[key] = value.strip().lower() in ("true", "1", "yes") if isinstance(value, str) else bool(value)
        else:
            out[key] = value
    return out


def take_apart(board: Board, *, drawn: bool = False) -> Parts:
    """Return the tables of a board and its rest.

    Args:
        board: The board.
        drawn: Whether rows of mileposts, junctions and cities say where they are drawn too, for people to look at.
    """
    shown = with_drawn(board) if drawn else board
    tables: dict[str, list[Row]] = {}
    for name in TABLES:
        tables[name] = [e.model_dump(exclude={"path", "drawn_path", "style"}) for e in getattr(shown, name)]
    for row, railroad in zip(tables["railroads"], board.railroads, strict=True):
        row.update(railroad.style.model_dump())
    for row in tables["segments"]:
        row["pieces"] = APART.join(row["pieces"])
    rest = to_plain(board.model_dump(mode="json", exclude=set(TABLES)))
    if not isinstance(rest, dict):
        raise TypeError("a board is an object")
    own = _own_paths(board, tables)
    return Parts(tables, rest | ({OWN_PATHS: own} if own else {}))


def _own_paths(board: Board, tables: Mapping[str, list[Row]]) -> dict[str, dict[str, Any]]:
    """Return the paths that do not follow from the lines, by table and id."""
    pieces, segments = paths(board.projection, tables["pieces"], tables["segments"], {})
    odd = {"pieces": {p.id: p.path for p in board.pieces if p.path != pieces[p.id]}}
    if odd["pieces"]:
        _, segments = paths(board.projection, tables["pieces"], tables["segments"], odd)
    odd["segments"] = {s.id: s.path for s in board.segments if s.path != segments[s.id]}
    return {
        name: {ident: [list(point) for point in path] for ident, path in of.items()} for name, of in odd.items() if of
    }


def paths(
    projection: Projection, pieces: Sequence[Row], segments: Sequence[Row], own: Mapping[str, Mapping[str, Any]]
) -> tuple[dict[str, Line], dict[str, Line]]:
    """Return the paths of pieces and of segments on the page (mm), by id: own ones as they are, others projected.

    A segment joins the paths of its pieces from `a` on; one whose pieces are not connected, or are unknown, has
    none.
    """
    kept = own.get("pieces", {})
    loose = [row for row in pieces if row["id"] not in kept]
    flat = PageMap(projection).to_page([point for row in loose for point in row["line"]])
    at = 0
    out: dict[str, Line] = {ident: _points(path) for ident, path in kept.items()}
    for row in loose:
        out[row["id"]] = flat[at : at + len(row["line"])]
        at += len(row["line"])
    by_id = {row["id"]: row for row in pieces}
    joined = {ident: _points(path) for ident, path in own.get("segments", {}).items()}
    for row in segments:
        if row["id"] not in joined:
            joined[row["id"]] = join_lines(row["a"], row["pieces"].split(APART), by_id, out)
    return out, joined


def _points(path: Sequence[Sequence[float]]) -> Line:
    return tuple((float(x), float(y)) for x, y in path)


def join_lines(start: str, used: Sequence[str], pieces: Mapping[str, Row], lines: Mapping[str, Line]) -> Line:
    """Return the lines of pieces joined in order from the node `start`; empty if they are not connected."""
    out: list[Point] = []
    at = start
    for ident in used:
        piece = pieces.get(ident)
        if piece is None or at not in (piece.get("a"), piece.get("b")):
            return ()
        forward = piece.get("a") == at
        line = lines[ident] if forward else lines[ident][::-1]
        at = str(piece.get("b") if forward else piece.get("a"))
        out.extend(line if not out else line[1:])
    return tuple(out)


def strangers(board: Board) -> tuple[str, ...]:
    """Return what elements of a board name that is not there, and ids that appear twice; a text each, at most 20."""
    tables = {
        name: [element.model_dump(exclude={"path", "line", "style"}) for element in getattr(board, name)]
        for name in TABLES
    }
    pieces = {piece.id for piece in board.pieces}
    loose = [
        f"segments: {segment.id!r}: its piece {ident!r} is not there; correct it"
        for segment in board.segments
        for ident in segment.pieces
        if ident not in pieces
    ]
    return (*_doubled(tables), *_strangers(tables), *loose)[:_MOST_PROBLEMS]


def put_together(parts: Parts, *, file: str) -> Board:
    """Return the board of tables and rest; the lists are sorted as in a board file.

    Args:
        parts: The tables; rows may hold more than the board needs, which is left out.
        file: What to call the file in messages.

    Raises:
        SourceError: A row or the rest is no part of a board, ids are doubled, or a row names what is not there.
    """
    tables = {name: [dict(row) for row in parts.tables.get(name, [])] for name in TABLES}
    for row in tables["segments"]:
        row["pieces"] = str(row.get("pieces") or "")
    _raise(file, [*_doubled(tables), *_strangers(tables)])
    plain = {name: [_plain(name, row) for row in rows] for name, rows in tables.items()}
    for name in TABLES:
        if name != "regions":
            plain[name].sort(key=lambda row: str(row["id"]))
    rest = dict(parts.rest)
    own = _own_paths_of(pop_own_paths(rest), file)
    try:
        projection = Projection.model_validate(rest.get("projection"))
        pieces, segments = paths(projection, tables["pieces"], tables["segments"], own)
    except ValidationError as error:
        raise SourceError(f"{file}: projection: {_first(error)}") from error
    except (RuntimeError, ValueError, TypeError) as error:  # what pyproj raises, and bad points
        raise SourceError(f"{file}: the lines cannot be projected: {error}; export the board again") from error
    for row in plain["pieces"]:
        row["path"] = pieces[row["id"]]
    broken = []
    for row in plain["segments"]:
        row["path"] = segments[row["id"]]
        if not row["path"]:
            broken.append(f"segments: {row['id']!r}: its pieces do not start at {row['a']!r}; correct pieces")
    _raise(file, broken)
    try:
        board = Board.model_validate({**rest, **plain})
    except ValidationError as error:
        raise SourceError(f"{file}: {_where(error, plain)}") from error
    validate_board(board, file)
    return board


def pop_own_paths(rest: dict[str, Any]) -> Any:  # noqa: ANN401 - foreign JSON
    """Take the paths that do not follow from lines out of a rest, and return them."""
    old = rest.pop(_OLD_OWN_PATHS, {})
    return rest.pop(OWN_PATHS, old)


def _own_paths_of(value: Any, file: str) -> dict[str, dict[str, Any]]:  # noqa: ANN401 - foreign JSON
    """Return the paths of a foreign file that do not follow from lines."""
    good = isinstance(value, dict) and all(
        isinstance(paths_of, dict) and all(_is_path(path) for path in paths_of.values()) for paths_of in value.values()
    )
    if not good:
        raise SourceError(f"{file}: {OWN_PATHS!r} holds no paths; export the board again")
    out: dict[str, dict[str, Any]] = value
    return out


def _is_path(path: object) -> bool:
    return isinstance(path, list) and all(
        isinstance(point, list | tuple) and len(point) == 2 and all(isinstance(v, int | float) for v in point)  # noqa: PLR2004
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


def _plain(name: str, row: Row) -> Row:
    out: Row = {field: row.get(field) for field in _FIELDS[name]}
    if name == "railroads":
        out["style"] = {"colour": row.get("colour"), "pattern": row.get("pattern")}
    if name == "segments":
        out["pieces"] = row["pieces"].split(APART)
    return out


def _doubled(tables: Mapping[str, list[Row]]) -> list[str]:
    out = []
    for name, rows in tables.items():
        seen: set[object] = set()
        for number, row in enumerate(rows, start=1):
            ident = row.get("id")
            if not isinstance(ident, str) or not ident:
                out.append(f"{name} row {number}: no id; give it one")
            elif ident in seen:
                out.append(f"{name} row {number}: a second {ident!r}; give it another id or delete the row")
            seen.add(str(ident))
    return out


def _strangers(tables: Mapping[str, list[Row]]) -> list[str]:
    """Return what rows name that is not there."""
    ids = {name: {str(row.get("id")) for row in rows} for name, rows in tables.items()}
    out = []
    for table, field, others in _REFERENCES:
        known = set().union(*(ids[other] for other in others))
        for row in tables[table]:
            value = row.get(field)
            if value not in known:
                hint = did_you_mean(str(value), known) or "; correct it"
                out.append(f"{table}: {str(row.get('id'))[:80]!r}: {field} {str(value)[:80]!r} is unknown{hint}")
    return out


def _raise(file: str, problems: Sequence[str]) -> None:
    if problems:
        more = len(problems) - _MOST_PROBLEMS
        shown = [f"{file}: {problem}" for problem in problems[:_MOST_PROBLEMS]]
        raise SourceError([*shown, f"{file}: and {more} more"] if more > 0 else shown)


def _first(error: ValidationError) -> str:
    item = error.errors()[0]
    return invalid(item, where="" if item["loc"] else "it", otherwise="export the board again")


def _where(error: ValidationError, plain: Mapping[str, list[Row]]) -> str:
    item = error.errors()[0]
    if item["type"] == UNKNOWN_VERSION:
        return item["msg"]
    loc, cure = item["loc"], "export the board again"
    if len(loc) > 1 and loc[0] in plain and isinstance(loc[1], int):
        ident = plain[str(loc[0])][loc[1]].get("id")
        return f"{loc[0]}: {str(ident)[:80]!r}: {invalid(item, where='.'.join(map(str, loc[2:])), otherwise=cure)}"
    return invalid(item, where=".".join(map(str, loc))[:200], otherwise=cure)
