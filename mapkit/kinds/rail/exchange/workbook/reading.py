"""Reading a board's workbook, edited in a spreadsheet or not."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from warnings import catch_warnings, simplefilter

from mapkit.core import heavy
from mapkit.core.errors import SourceError, WorkspaceError, did_you_mean
from mapkit.formats.cells.formulas import constant_of
from mapkit.formats.cells.table import MAX_CELLS
from mapkit.formats.cells.xlsx import refuse_bad_archive
from mapkit.formats.json_reading import parse_json
from mapkit.kinds.rail.exchange.parts import Row, typed
from mapkit.kinds.rail.exchange.table_reading import board_of_tables
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board

_TABLES: Final = ("cities", "railroads", "regions", "mileposts", "segments", "junctions", "pieces")
_SHEETS: Final = ("payoffs", "destinations", "board", *_TABLES)
_NUMBERS: Final = frozenset({"lon", "lat", "x", "y", "drawn_x", "drawn_y", "miles", "price"})

Grid = list[list[Any]]


def read_workbook(path: Path, base: Board | None = None) -> Board:
    """Return the board of a workbook that mapkit wrote, with its tables and charts as they are now.

    Args:
        path: The file.
        base: What it was exported from, if a variant of that is wanted.

    Raises:
        SourceError: It is damaged or too large, a sheet is missing, a cell holds a formula, an error or a date, cells
            are merged, or a row is no part of a board; sheet and cell are named.
        WorkspaceError: It is missing or may not be read.
    """
    file = path.name
    if not path.is_file():
        raise WorkspaceError(f"{file}: no such file: {path}")
    refuse_bad_archive(path, file=file)
    grids = _grids(path, file)
    tables = {name: _table(grids[name], name, file) for name in _TABLES}
    for row in tables["pieces"]:
        row["line"] = _line(row, file)
    rest = _rest(grids["board"], file)
    regions = _known(tables["regions"])
    cities = _known(tables["cities"])
    rest["payoffs"] = _payoffs(grids["payoffs"], cities, file)
    rest["destinations"] = _destinations(grids["destinations"], cities, regions, file)
    return board_of_tables(tables, rest, file=file, base=base)


def _grids(path: Path, file: str) -> dict[str, Grid]:
    # From a stream of ours: openpyxl leaves a file that it opened itself open when it fails.
    with catch_warnings(), path.open("rb") as stream:
        simplefilter("ignore")  # openpyxl warns of styles and extensions that it drops
        try:
            book = heavy.openpyxl.load_workbook(stream, keep_links=False)
        except Exception as error:  # openpyxl raises whatever its parsers meet in a damaged file
            raise SourceError(f"{file}: the workbook is damaged; save it again") from error
        with closing(book):
            missing = [name for name in _SHEETS if name not in book.sheetnames]
            if missing:
                raise SourceError(
                    f"{file}: no sheet {missing[0]!r}; give a workbook that mapkit export --to xlsx wrote"
                )
            return {name: _grid(book[name], file) for name in _SHEETS}


def _grid(sheet: Any, file: str) -> Grid:  # noqa: ANN401 - openpyxl's types do not tell kinds of sheets apart
    where = f"{file}: {sheet.title}"
    if not hasattr(sheet, "iter_rows"):
        raise SourceError(f"{where}: a chart, not a table; export the board again")
    if sheet.max_row * sheet.max_column > MAX_CELLS:
        raise SourceError(
            f"{where} reaches to row {sheet.max_row}, column {sheet.max_column}; the limit is {MAX_CELLS:,}"
        )
    if sheet.merged_cells.ranges:
        merged = min(str(area) for area in sheet.merged_cells.ranges)
        raise SourceError(f"{where}: the cells {merged} are merged; split them")
    out = []
    for row in sheet.iter_rows():
        values = []
        for cell in row:
            constant = constant_of(cell.value) if cell.data_type == "f" else None
            if cell.data_type in ("f", "e", "d") and constant is None:
                what = {"f": "a formula; replace it by its value", "e": "the error of a formula", "d": "a date"}[
                    cell.data_type
                ]
                raise SourceError(f"{where}!{cell.coordinate} holds {what}: {str(cell.value)[:60]}; correct it")
            values.append(cell.value if constant is None else constant)
        out.append(values)
    while out and all(value is None for value in out[-1]):
        out.pop()
    return out


def _table(grid: Grid, name: str, file: str) -> list[Row]:
    head = [str(cell) for cell in grid[0]] if grid else []
    if "id" not in head:
        raise SourceError(f"{file}: {name}: the first row has no column id; export the board again")
    rows = []
    for number, values in enumerate(grid[1:], 2):
        if any(value is not None for value in values):
            row = {key: _value(key, value) for key, value in zip(head, values, strict=False)}
            rows.append(typed(row, file=file, where=f"{name} row {number}"))
    return rows


def _value(key: str, value: Any) -> Any:  # noqa: ANN401 - what a cell holds
    if key in _NUMBERS or isinstance(value, bool):
        return value
    return "" if value is None else str(value)


def _line(row: Row, file: str) -> tuple[tuple[float, float], ...]:
    columns = sorted((key for key in row if key.startswith("line ")), key=lambda key: (len(key), key))
    try:
        pairs = [pair.split(",") for key in columns for pair in str(row[key]).split()]
        return tuple((float(lon), float(lat)) for lon, lat in pairs)
    except ValueError as error:
        raise SourceError(f"{file}: pieces: {row['id']!r}: its line is malformed ({error}); correct it") from error


def _known(rows: Sequence[Row]) -> dict[str, str]:
    """Return what a chart may call an element -> its id: ids, and names that only one has."""
    names: dict[str, list[str]] = {}
    for row in rows:
        names.setdefault(str(row.get("name")), []).append(str(row["id"]))
    return {name: ids[0] for name, ids in names.items() if len(ids) == 1} | {
        str(row["id"]): str(row["id"]) for row in rows
    }


def _lookup(value: Any, known: Mapping[str, str], where: str) -> str:  # noqa: ANN401 - what a cell holds
    found = known.get(str(value))
    if found is None:
        raise SourceError(f"{where}: {str(value)[:80]!r} is unknown{did_you_mean(str(value), known) or '; correct it'}")
    return found


def _payoffs(grid: Grid, cities: Mapping[str, str], file: str) -> dict[str, Any]:
    if not grid:
        raise SourceError(f"{file}: payoffs: the sheet is empty; export the board again")
    columns = [_lookup(name, cities, f"{file}: payoffs row 1") for name in grid[0][1:] if name is not None]
    by_city: dict[str, list[float | None]] = {}
    for number, values in enumerate(grid[1:], 2):
        where = f"{file}: payoffs row {number}"
        if all(value is None for value in values):
            continue
        city = _lookup(values[0], cities, where)
        if city in by_city:
            raise SourceError(f"{where}: a second row of {values[0]!r}; remove one")
        amounts = [*values[1 : len(columns) + 1], *[None] * (len(columns) + 1 - len(values))]
        if not all(v is None or (isinstance(v, int | float) and not isinstance(v, bool)) for v in amounts):
            bad = next(v for v in amounts if v is not None and (isinstance(v, bool) or not isinstance(v, int | float)))
            raise SourceError(f"{where}: {str(bad)[:60]!r} is not an amount; correct it")
        by_city[city] = amounts
    if sorted(by_city) != sorted(columns):
        odd = sorted(set(by_city) ^ set(columns)) or columns
        raise SourceError(f"{file}: payoffs: {odd[0]!r} does not have exactly one row and one column; add or remove it")
    return {"cities": columns, "thousands": [by_city[city] for city in columns]}


def _destinations(grid: Grid, cities: Mapping[str, str], regions: Mapping[str, str], file: str) -> dict[str, Any]:
    charts: dict[str, dict[str, dict[str, str | None]]] = {}
    for number, values in enumerate(grid[1:], 2):
        if all(value is None for value in values):
            continue
        where = f"{file}: destinations row {number}"
        chart, total, *cells = [*values, None, None, None][:4]
        ident = REGIONS if chart == REGIONS else _lookup(chart, regions, where)
        if str(total) not in SUMS:
            raise SourceError(f"{where}: sum {str(total)[:20]!r} is not a sum from 2 to 12; correct it")
        known = regions if ident == REGIONS else cities
        made = charts.setdefault(ident, {side: dict.fromkeys(SUMS) for side in ("odd", "even")})
        for side, cell in zip(("odd", "even"), cells, strict=True):
            made[side][str(total)] = None if cell is None else _lookup(cell, known, where)
    return charts


def _rest(grid: Grid, file: str) -> dict[str, Any]:
    texts: dict[str, list[tuple[int, str]]] = {}
    for number, values in enumerate(grid[1:], 2):
        key, part, text = [*values, None, None, None][:3]
        if key is not None:
            if not isinstance(part, int):
                raise SourceError(f"{file}: board row {number}: part is not a number; export the board again")
            texts.setdefault(str(key), []).append((part, "" if text is None else str(text)))
    return {
        key: parse_json("".join(text for _, text in sorted(parts)), file=f"{file}: board: {key}")
        for key, parts in texts.items()
    }
