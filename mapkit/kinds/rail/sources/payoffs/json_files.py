"""Payoff charts in JSON: a matrix with its cities, objects in objects, rows, or pairs."""

from collections.abc import Sequence

from mapkit.core.errors import SourceError
from mapkit.core.names import fold
from mapkit.formats.cells.json_files import Digits, Plain
from mapkit.formats.cells.table import MAX_CELLS, Cell, Table, guarded
from mapkit.formats.marks import looks_like_amount
from mapkit.kinds.rail.sources.payoffs.grid import PAIR, AmountBlock

_NAME_KEYS = ("name", "city", "id", "label")
_PAY_KEYS = ("payoff", "pay", "amount", "value", "thousands", "dollars")
_ENDS = (
    ("from", "to"),
    ("a", "b"),
    ("start", "end"),
    ("city1", "city2"),
    ("source", "target"),
    ("origin", "destination"),
)
_SPLITS = (" - ", " – ", "|", " to ", " / ", ":")  # noqa: RUF001
_DEEPEST = 4
_BOARD_FORMAT, _BOARD_KEY = "mapkit/board", "payoffs"


def chart_of_json(data: Plain, *, file: str) -> Table | AmountBlock:
    """Find the payoff chart in JSON data.

    Shapes: `{"cities": [...], "thousands": [[...], ...]}` (any keys; rows may be a triangle; pandas' `split`),
    `{"Albany": {"Atlanta": 10, ...}, ...}`, `[["", "Albany", ...], ["Albany", 0, ...], ...]`,
    `[{"city": "Albany", "Atlanta": 10, ...}, ...]`, `[["Albany", "Atlanta", 10], ...]`,
    `[{"from": "Albany", "to": "Atlanta", "payoff": 10}, ...]`, `{"Albany - Atlanta": 10, ...}`; each also as the
    value of a key, such as `payoffs` of a board file.

    Raises:
        SourceError: It has none of these shapes, or too much in it.
    """
    found = _find(data, "$", file, 0)
    if found is None:
        raise SourceError(
            f"{file}: no payoff chart in this JSON; it needs a list of cities with a matrix, objects of cities in "
            "an object of cities, or a list of pairs (docs/charts.md shows each)"
        )
    return found


def _find(data: Plain, path: str, file: str, depth: int) -> Table | AmountBlock | None:
    found: Table | AmountBlock | None = None
    if isinstance(data, list):
        found = _of_list(data, path, file)
    elif isinstance(data, dict):
        found = _matrix(data, path, file) or _nested(data, path, file) or _flat(data, path, file)
        if found is None and depth < _DEEPEST:
            keys = [_BOARD_KEY] if data.get("format") == _BOARD_FORMAT and _BOARD_KEY in data else list(data)
            inside = {k: one for k in keys if (one := _find(data[k], f"{path}.{k}", file, depth + 1)) is not None}
            named = {key: one for key, one in inside.items() if "payoff" in key.casefold()} or inside
            if len(named) > 1:
                raise SourceError(f"{file}: charts below {path} in {', '.join(named)}; keep one")
            found = next(iter(named.values()), None)
    return found


def _cell(value: Plain, path: str, file: str) -> Cell:
    where = f"{file}:{path}"
    if value is None:
        return Cell("", where)
    if isinstance(value, Digits):
        try:
            return Cell(str(value), where, number=float(value))
        except (ValueError, OverflowError):
            return Cell(str(value), where, problem="not a number")
    if isinstance(value, str):
        return Cell(value.strip(), where)
    return Cell(str(value)[:80], where, problem="no amount, but an object, a list or a truth value")


def _name(value: Plain) -> str | None:
    """Return the name that a text, or an object with a name, stands for."""
    if isinstance(value, dict):
        return next((name for key in _NAME_KEYS if isinstance(name := value.get(key), str)), None)
    return str(value) if isinstance(value, str) and not isinstance(value, Digits) else None


def _names(value: Plain) -> list[str] | None:
    if not isinstance(value, list) or len(value) < 2:  # noqa: PLR2004 - one city has no payoffs
        return None
    names = [_name(item) for item in value]
    return [name for name in names if name is not None] if None not in names else None


def _is_scalar(value: Plain) -> bool:
    return value is None or isinstance(value, str)


def _mostly_amounts(values: Sequence[Plain]) -> bool:
    typed = [value for value in values if value is not None]
    like = sum(isinstance(v, Digits) or (isinstance(v, str) and looks_like_amount(v)) for v in typed)
    return like > 0 and 2 * like >= len(typed)


def _matrix(data: dict[str, Plain], path: str, file: str) -> Table | None:
    names = [(key, found) for key, value in data.items() if (found := _names(value)) is not None]
    grids = [
        (key, value) for key, value in data.items()
        if isinstance(value, list) and len(value) > 1 and all(isinstance(row, list) for row in value)
        and all(_is_scalar(item) for row in value if isinstance(row, list) for item in row)
    ]  # fmt: skip
    if not names or len(grids) != 1:
        return None
    by_key = dict(names)
    grid_key, grid = grids[0]
    columns_key, columns = ("columns", by_key["columns"]) if "columns" in by_key else names[0]
    rows_key, rows = next(((k, by_key[k]) for k in ("index", "rows") if k in by_key), (columns_key, columns))
    if len(names) > 1 and not {"columns", "index", "rows"} & set(by_key):
        raise SourceError(f"{file}: {path} has {len(names)} lists of names; keep one, or call them rows and columns")
    assert isinstance(grid, list)  # noqa: S101 - for the type checker, it was tested above
    if len(grid) != len(rows):
        raise SourceError(f"{file}:{path}.{grid_key}: {len(grid)} rows for {len(rows)} cities; give one each, or []")
    head = (Cell("", f"{file}:{path}.{columns_key}"), *_head(columns, f"{path}.{columns_key}", file))
    out = [head]
    for k, (name, row) in enumerate(zip(rows, grid, strict=True)):
        inner = row if isinstance(row, list) else []
        cells = (_cell(value, f"{path}.{grid_key}[{k}][{t}]", file) for t, value in enumerate(inner))
        out.append((Cell(name.strip(), f"{file}:{path}.{rows_key}[{k}]"), *cells))
    return _table(out, file)


def _head(names: Sequence[str], path: str, file: str) -> list[Cell]:
    return [Cell(name.strip(), f"{file}:{path}[{k}]") for k, name in enumerate(names)]


def _table(rows: Sequence[tuple[Cell, ...]], file: str) -> Table:
    return Table("json", guarded(rows, file=file))


def _nested(data: dict[str, Plain], path: str, file: str) -> AmountBlock | None:
    inner = [(name, value) for name, value in data.items() if isinstance(value, dict)]
    if len(inner) < len(data) or not inner or not any(value for _, value in inner):
        return None
    if not all(_is_scalar(item) for _, value in inner for item in value.values()):
        return None
    names = {fold(name) for name in data} | {fold(name) for _, value in inner for name in value}
    amounts = [item for _, value in inner for item in value.values()]
    if len(names) < 2 or not _mostly_amounts(amounts):  # noqa: PLR2004 - one city has no payoffs
        return None
    columns: dict[str, int] = {}
    cells = []
    for k, (name, value) in enumerate(inner):
        for other, amount in value.items():
            at = columns.setdefault(other, len(columns))
            cells.append((k, at, _cell(amount, f"{path}[{name!r}][{other!r}]", file)))
    _limit(len(cells), file)
    return AmountBlock(
        tuple(Cell(name.strip(), f"{file}:{path}[{name!r}]") for name, _ in inner),
        tuple(Cell(name.strip(), f"{file}:{path}[...][{name!r}]") for name in columns),
        tuple(cells),
        "objects",
    )


def _flat(data: dict[str, Plain], path: str, file: str) -> AmountBlock | None:
    """Read `{"Albany - Atlanta": 10}`."""
    if len(data) < 1 or not all(_is_scalar(value) for value in data.values()):
        return None
    for mark in _SPLITS:
        ends = [key.split(mark) for key in data]
        if all(len(pair) == 2 and pair[0].strip() and pair[1].strip() for pair in ends):  # noqa: PLR2004
            where = [f"{path}[{key!r}]" for key in data]
            values = list(data.values())
            return _pair_block([(a, b, value, at) for (a, b), value, at in zip(ends, values, where, strict=True)], file)
    return None


def _of_list(data: list[Plain], path: str, file: str) -> Table | AmountBlock | None:
    if not data:
        return None
    if all(isinstance(row, dict) for row in data):
        return _records([row for row in data if isinstance(row, dict)], path, file)
    if not all(isinstance(row, list) and all(map(_is_scalar, row)) for row in data):
        return None
    rows = [row for row in data if isinstance(row, list)]
    if not any(_name(item) is not None for row in rows for item in row):
        return None
    if all(len(row) == PAIR and _name(row[0]) and _name(row[1]) for row in rows):
        return _pair_block([(str(r[0]), str(r[1]), r[2], f"{path}[{k}]") for k, r in enumerate(rows)], file)
    return _table(
        [tuple(_cell(v, f"{path}[{k}][{t}]", file) for t, v in enumerate(row)) for k, row in enumerate(rows)], file
    )


def _records(rows: list[dict[str, Plain]], path: str, file: str) -> Table | AmountBlock | None:
    keys = {fold(key): key for row in rows for key in row}
    ends = next(((keys[a], keys[b]) for a, b in _ENDS if a in keys and b in keys), None)
    if ends is not None:
        pays = [keys[name] for name in _PAY_KEYS if name in keys]
        if len(pays) != 1:
            raise SourceError(f"{file}:{path}: pairs need one amount, called payoff; found {', '.join(pays) or 'none'}")
        out = []
        for k, row in enumerate(rows):
            a, b = (_name(row.get(end)) for end in ends)
            if not a or not b:
                raise SourceError(f"{file}:{path}[{k}]: a pair without two cities; name both")
            out.append((a, b, row.get(pays[0]), f"{path}[{k}]"))
        return _pair_block(out, file)
    label = next((keys[name] for name in _NAME_KEYS if name in keys), None)
    if label is None or not all(isinstance(row.get(label), str) for row in rows):
        return None
    columns = list(dict.fromkeys(key for row in rows for key in row if key != label))
    if not all(_is_scalar(value) for row in rows for value in row.values()) or not columns:
        return None
    if not _mostly_amounts([row.get(column) for row in rows for column in columns]):
        return None
    table = [(Cell("", f"{file}:{path}"), *_head(columns, path, file))]
    for k, row in enumerate(rows):
        cells = (_cell(row.get(column), f"{path}[{k}][{column!r}]", file) for column in columns)
        table.append((_cell(row[label], f"{path}[{k}].{label}", file), *cells))
    return _table(table, file)


def _pair_block(pairs: Sequence[tuple[str, str, Plain, str]], file: str) -> AmountBlock:
    _limit(len(pairs), file)
    return AmountBlock(
        tuple(Cell(a.strip(), f"{file}:{at}") for a, _, _, at in pairs),
        tuple(Cell(b.strip(), f"{file}:{at}") for _, b, _, at in pairs),
        tuple((k, k, _cell(value, at, file)) for k, (_, _, value, at) in enumerate(pairs)),
        "pairs",
        axes=False,
    )


def _limit(count: int, file: str) -> None:
    if count > MAX_CELLS:
        raise SourceError(f"{file}: more than {MAX_CELLS:,} amounts; a chart of 1000 cities has as many")
