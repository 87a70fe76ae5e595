"""Payoff charts in nested data such as JSON: a matrix with its cities, a table, or labelled amounts."""

from collections.abc import Callable, Mapping, Sequence

from mapkit.core.errors import SourceError
from mapkit.core.plurals import count_noun, join_some
from mapkit.formats.cells.json_files import Digits, Plain
from mapkit.formats.cells.json_values import path_to
from mapkit.formats.cells.table import MAX_CELLS, Cell, Table, checked_rows
from mapkit.kinds.rail.sources.payoffs.nested_data import nested_cell, nested_chart
from mapkit.kinds.rail.sources.payoffs.table_layouts import PAIR, AmountBlock

_NAME_KEYS = ("name", "city", "id", "label")
_END_KEYS = frozenset({"from", "to", "a", "b", "origin", "destination", "city1", "city2", "source", "target"})
"""Keys of the two cities of a trip."""
_PAIR_SEPARATORS = (" - ", " – ", "|", " to ", " / ", ":")  # noqa: RUF001
_MAX_DEPTH = 4
_BOARD_FORMAT, _BOARD_KEY = "mapkit/board", "payoffs"


def find_json_chart(
    data: Plain, *, file: str, known: Callable[[str], bool] | None, names: Mapping[str, str] | None = None
) -> tuple[Table | AmountBlock, list[str]]:
    """Find the payoff chart in nested data, such as JSON.

    Shapes: a list of cities with a matrix, `{"cities": [...], "thousands": [[...], ...]}` (any keys; rows may be a
    triangle; pandas' `split`); a table, `[["", "Albany", ...], ["Albany", 0, ...], ...]`; `{"Albany - Atlanta": 10}`;
    each also as the value of a key. In any other structure, labels of the amounts identify the cities
    (`mapkit.kinds.rail.sources.payoffs.nested_data`).

    Args:
        data: The data, numbers as `Digits`.
        file: Name of the file in messages.
        known: Tells whether a text is the name of a city; None without a board.
        names: Ids in the data -> names of their cities, if the user gives them.

    Returns:
        The chart, and notes on omissions.

    Raises:
        SourceError: It has no payoff chart, several, or too much data.
    """
    data = _rename_cities(data, names) if names else _replace_ids(data)
    simple_chart = _find_chart(data, "$", file, 0)
    if simple_chart is not None:
        return simple_chart, []
    return nested_chart(data, file=file, known=known)


def _replace_ids(data: Plain) -> Plain:
    """Return nested data with ids replaced by names, if it has a list of objects with an id and a name each."""
    if not isinstance(data, dict):
        return data
    for key, list_items in data.items():
        if not isinstance(list_items, list) or len(list_items) < 2:  # noqa: PLR2004 - one city has no payoffs
            continue
        name_by_id = {
            str(item["id"]): city_name
            for item in list_items
            if isinstance(item, dict)
            and isinstance(item.get("id"), str)
            and isinstance(city_name := item.get("name"), str)
        }
        if len(name_by_id) == len(list_items) and all(
            city_id != city_name for city_id, city_name in name_by_id.items()
        ):
            other_data = {other_key: value for other_key, value in data.items() if other_key != key}
            if _uses_ids(other_data, name_by_id):
                return _rename_cities(other_data, name_by_id)
    return data


def _uses_ids(data: Plain, named: Mapping[str, str]) -> bool:
    """Return whether nested data names cities by their ids: as keys, or as texts beside an amount."""
    if isinstance(data, dict):
        used_names = {*data, *(value for key, value in data.items() if key in _END_KEYS and isinstance(value, str))}
        return bool(used_names & named.keys()) or any(_uses_ids(value, named) for value in data.values())
    return isinstance(data, list) and any(_uses_ids(item, named) for item in data)


def _rename_cities(data: Plain, named: Mapping[str, str]) -> Plain:
    if isinstance(data, list):
        if data and all(isinstance(item, list) and len(item) == PAIR and _are_ids(item[:2], named) for item in data):
            return [[*_rename_list(item[:2], named), item[2]] for item in data if isinstance(item, list)]
        return [_rename_cities(item, named) for item in data]
    if not isinstance(data, dict):
        return data
    renamed_data: dict[str, Plain] = {}
    for key, value in data.items():
        if isinstance(value, str):
            renamed_value: Plain = named.get(value, value) if key in _END_KEYS else value
        else:
            is_list_of_ids = isinstance(value, list) and len(value) > 1 and _are_ids(value, named)
            renamed_value = _rename_list(value, named) if is_list_of_ids else _rename_cities(value, named)
        renamed_data[named.get(key, key)] = renamed_value
    return renamed_data


def _are_ids(items: Plain, named: Mapping[str, str]) -> bool:
    """Return whether a list has ids alone, each once."""
    return (
        isinstance(items, list)
        and all(isinstance(item, str) and item in named for item in items)
        and len(set(map(str, items))) == len(items)
    )


def _rename_list(items: Plain, named: Mapping[str, str]) -> list[Plain]:
    return [named[item] for item in items if isinstance(item, str)] if isinstance(items, list) else []


def _find_chart(data: Plain, path: str, file: str, depth: int) -> Table | AmountBlock | None:
    chart: Table | AmountBlock | None = None
    if isinstance(data, list):
        chart = _read_list(data, path, file)
    elif isinstance(data, dict):
        chart = _read_matrix(data, path, file) or _read_flat(data, path, file)
        if chart is None and depth < _MAX_DEPTH:
            chart_keys = [_BOARD_KEY] if data.get("format") == _BOARD_FORMAT and _BOARD_KEY in data else list(data)
            key_paths = ((key, path_to(path, key)) for key in chart_keys)
            chart_by_key = {
                k: inner_chart
                for k, inner_path in key_paths
                if (inner_chart := _find_chart(data[k], inner_path, file, depth + 1)) is not None
            }
            payoff_charts = {
                key: inner_chart for key, inner_chart in chart_by_key.items() if "payoff" in key.casefold()
            } or chart_by_key
            if len(payoff_charts) > 1:
                raise SourceError(f"{file}: charts below {path} in {join_some(payoff_charts)}; keep one")
            chart = next(iter(payoff_charts.values()), None)
    return chart


def _make_cell(value: Plain, path: str, file: str) -> Cell:
    return nested_cell(value, f"{file}:{path}")


def _name_of(value: Plain) -> str | None:
    """Return a text, or the name of an object with a name; None for anything else."""
    if isinstance(value, dict):
        return next((name for key in _NAME_KEYS if isinstance(name := value.get(key), str)), None)
    return str(value) if isinstance(value, str) and not isinstance(value, Digits) else None


def _names_of(value: Plain) -> list[str] | None:
    if not isinstance(value, list) or len(value) < 2:  # noqa: PLR2004 - one city has no payoffs
        return None
    item_names = [_name_of(item) for item in value]
    return [name for name in item_names if name is not None] if None not in item_names else None


def _is_scalar(value: Plain) -> bool:
    return value is None or isinstance(value, str)


def _read_matrix(data: dict[str, Plain], path: str, file: str) -> Table | None:
    name_lists = [
        (key, list_of_names) for key, value in data.items() if (list_of_names := _names_of(value)) is not None
    ]
    number_grids = [
        (key, value) for key, value in data.items()
        if isinstance(value, list) and len(value) > 1 and all(isinstance(row, list) for row in value)
        and all(_is_scalar(item) for row in value if isinstance(row, list) for item in row)
    ]  # fmt: skip
    if not name_lists or len(number_grids) != 1:
        return None
    by_key = dict(name_lists)
    grid_key, grid = number_grids[0]
    columns_key, column_names = ("columns", by_key["columns"]) if "columns" in by_key else name_lists[0]
    rows_key, row_names = next(
        ((key, by_key[key]) for key in ("index", "rows") if key in by_key),
        (columns_key, column_names),
    )
    if len(name_lists) > 1 and not {"columns", "index", "rows"} & set(by_key):
        raise SourceError(
            f"{file}: {path} has {len(name_lists)} lists of names; keep one, or call them rows and columns"
        )
    assert isinstance(grid, list)  # noqa: S101 - for the type checker; tested above
    if len(grid) != len(row_names):
        raise SourceError(
            f"{file}:{path}.{grid_key}: {count_noun(len(grid), 'row')} for "
            f"{count_noun(len(row_names), 'city', 'cities')}; give one each, or []"
        )
    header_row = (Cell("", f"{file}:{path}.{columns_key}"), *_header_cells(column_names, f"{path}.{columns_key}", file))
    table_rows = [header_row]
    for row_index, (name, row) in enumerate(zip(row_names, grid, strict=True)):
        row_values = row if isinstance(row, list) else []
        row_cells = (
            _make_cell(value, f"{path}.{grid_key}[{row_index}][{column_index}]", file)
            for column_index, value in enumerate(row_values)
        )
        table_rows.append((Cell(name.strip(), f"{file}:{path}.{rows_key}[{row_index}]"), *row_cells))
    return _make_table(table_rows, file)


def _header_cells(names: Sequence[str], path: str, file: str) -> list[Cell]:
    return [Cell(name.strip(), f"{file}:{path}[{k}]") for k, name in enumerate(names)]


def _make_table(rows: Sequence[tuple[Cell, ...]], file: str) -> Table:
    return Table("json", checked_rows(rows, file=file))


def _read_flat(data: dict[str, Plain], path: str, file: str) -> AmountBlock | None:
    """Read `{"Albany - Atlanta": 10}`."""
    if len(data) < 1 or not all(_is_scalar(value) for value in data.values()):
        return None
    for separator in _PAIR_SEPARATORS:
        city_pairs = [key.split(separator) for key in data]
        if all(len(city_pair) == 2 and city_pair[0].strip() and city_pair[1].strip() for city_pair in city_pairs):  # noqa: PLR2004
            pair_places = [f"{path}[{key!r}]" for key in data]
            pair_values = list(data.values())
            return _make_pair_block(
                [
                    (a, b, value, pair_place)
                    for (a, b), value, pair_place in zip(city_pairs, pair_values, pair_places, strict=True)
                ],
                file,
            )
    return None


def _read_list(data: list[Plain], path: str, file: str) -> Table | AmountBlock | None:
    if not data:
        return None
    if not all(isinstance(row, list) and all(map(_is_scalar, row)) for row in data):
        return None
    list_rows = [row for row in data if isinstance(row, list)]
    if not any(_name_of(item) is not None for row in list_rows for item in row):
        return None
    if all(len(row) == PAIR and _name_of(row[0]) and _name_of(row[1]) for row in list_rows):
        return None
    return _make_table(
        [tuple(_make_cell(v, f"{path}[{k}][{t}]", file) for t, v in enumerate(row)) for k, row in enumerate(list_rows)],
        file,
    )


def _make_pair_block(pairs: Sequence[tuple[str, str, Plain, str]], file: str) -> AmountBlock:
    if len(pairs) > MAX_CELLS:
        raise SourceError(f"{file}: more than {MAX_CELLS:,} amounts; a chart of 1000 cities has that many")
    return AmountBlock(
        tuple(Cell(a.strip(), f"{file}:{cell_path}") for a, _, _, cell_path in pairs),
        tuple(Cell(b.strip(), f"{file}:{cell_path}") for _, b, _, cell_path in pairs),
        tuple((k, k, _make_cell(value, cell_path, file)) for k, (_, _, value, cell_path) in enumerate(pairs)),
        "pairs",
        axes=False,
    )
