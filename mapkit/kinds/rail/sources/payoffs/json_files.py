"""Payoff charts in nested data, such as JSON: a matrix with its cities, a table, or amounts named in any way."""

from collections.abc import Callable, Mapping, Sequence

from mapkit.core.errors import SourceError
from mapkit.core.plurals import counted
from mapkit.formats.cells.json_files import Digits, Plain
from mapkit.formats.cells.json_values import path_to
from mapkit.formats.cells.table import MAX_CELLS, Cell, Table, guarded
from mapkit.kinds.rail.sources.payoffs.grid import PAIR, AmountBlock
from mapkit.kinds.rail.sources.payoffs.nested import nested_cell, nested_chart

_NAME_KEYS = ("name", "city", "id", "label")
_ENDS = frozenset({"from", "to", "a", "b", "origin", "destination", "city1", "city2", "source", "target"})
"""Keys of the two cities of a trip."""
_SPLITS = (" - ", " – ", "|", " to ", " / ", ":")  # noqa: RUF001
_DEEPEST = 4
_BOARD_FORMAT, _BOARD_KEY = "mapkit/board", "payoffs"


def chart_of_json(
    data: Plain, *, file: str, known: Callable[[str], bool] | None
) -> tuple[Table | AmountBlock, list[str]]:
    """Find the payoff chart in nested data, such as JSON.

    Shapes: a list of cities with a matrix, `{"cities": [...], "thousands": [[...], ...]}` (any keys; rows may be a
    triangle; pandas' `split`); a table, `[["", "Albany", ...], ["Albany", 0, ...], ...]`; `{"Albany - Atlanta": 10}`;
    each also as the value of a key. Anything else by what names the amounts, however it is nested
    (`mapkit.kinds.rail.sources.payoffs.nested`).

    Args:
        data: The data, numbers as `Digits`.
        file: What to call it in messages.
        known: Says whether a text is the name of a city; None without a board.

    Returns:
        The chart, and notes on what was left out.

    Raises:
        SourceError: No payoff chart is in it, several are, or too much is.
    """
    data = _with_names(data)
    found = _find(data, "$", file, 0)
    if found is not None:
        return found, []
    return nested_chart(data, file=file, known=known)


def _with_names(data: Plain) -> Plain:
    """Return nested data with names in place of ids, if it has a list of objects with an id and a name each."""
    if not isinstance(data, dict):
        return data
    for key, items in data.items():
        if not isinstance(items, list) or len(items) < 2:  # noqa: PLR2004 - one city has no payoffs
            continue
        named = {
            str(item["id"]): name
            for item in items
            if isinstance(item, dict) and isinstance(item.get("id"), str) and isinstance(name := item.get("name"), str)
        }
        if len(named) == len(items) and all(ident != name for ident, name in named.items()):
            rest = {other: value for other, value in data.items() if other != key}
            if _uses_ids(rest, named):
                return _renamed(rest, named)
    return data


def _uses_ids(data: Plain, named: Mapping[str, str]) -> bool:
    """Return whether nested data names cities by their ids: as keys, or as texts beside an amount."""
    if isinstance(data, dict):
        used = {*data, *(value for key, value in data.items() if key in _ENDS and isinstance(value, str))}
        return bool(used & named.keys()) or any(_uses_ids(value, named) for value in data.values())
    return isinstance(data, list) and any(_uses_ids(item, named) for item in data)


def _renamed(data: Plain, named: Mapping[str, str]) -> Plain:
    if isinstance(data, list):
        return [_renamed(item, named) for item in data]
    if not isinstance(data, dict):
        return data
    return {
        named.get(key, key): named.get(value, value)
        if key in _ENDS and isinstance(value, str)
        else _renamed(value, named)
        for key, value in data.items()
    }


def _find(data: Plain, path: str, file: str, depth: int) -> Table | AmountBlock | None:
    found: Table | AmountBlock | None = None
    if isinstance(data, list):
        found = _of_list(data, path, file)
    elif isinstance(data, dict):
        found = _matrix(data, path, file) or _flat(data, path, file)
        if found is None and depth < _DEEPEST:
            keys = [_BOARD_KEY] if data.get("format") == _BOARD_FORMAT and _BOARD_KEY in data else list(data)
            paths = ((key, path_to(path, key)) for key in keys)
            inside = {k: one for k, below in paths if (one := _find(data[k], below, file, depth + 1)) is not None}
            named = {key: one for key, one in inside.items() if "payoff" in key.casefold()} or inside
            if len(named) > 1:
                raise SourceError(f"{file}: charts below {path} in {', '.join(named)}; keep one")
            found = next(iter(named.values()), None)
    return found


def _cell(value: Plain, path: str, file: str) -> Cell:
    return nested_cell(value, f"{file}:{path}")


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
        raise SourceError(
            f"{file}:{path}.{grid_key}: {counted(len(grid), 'row')} for "
            f"{counted(len(rows), 'city', 'cities')}; give one each, or []"
        )
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
    if not all(isinstance(row, list) and all(map(_is_scalar, row)) for row in data):
        return None
    rows = [row for row in data if isinstance(row, list)]
    if not any(_name(item) is not None for row in rows for item in row):
        return None
    if all(len(row) == PAIR and _name(row[0]) and _name(row[1]) for row in rows):
        return None
    return _table(
        [tuple(_cell(v, f"{path}[{k}][{t}]", file) for t, v in enumerate(row)) for k, row in enumerate(rows)], file
    )


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
        raise SourceError(f"{file}: more than {MAX_CELLS:,} amounts; a chart of 1000 cities has that many")
