"""XLSX workbook of a board: charts, cities, railroads, findings, and the network, one sheet each."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from warnings import catch_warnings, simplefilter

from mapkit.core import heavy
from mapkit.core.errors import SourceError, WorkspaceError, did_you_mean
from mapkit.core.findings import CheckReport
from mapkit.core.names import slug
from mapkit.exchange.plan import ExportedBoard
from mapkit.formats.cells.formulas import parse_constant
from mapkit.formats.cells.table import MAX_CELLS
from mapkit.formats.cells.xlsx import refuse_bad_archive
from mapkit.formats.json_reading import parse_json
from mapkit.kinds.rail.checks import run_checks
from mapkit.kinds.rail.exchange.board_parts import BoardParts, Row, board_to_parts, convert_row_types
from mapkit.kinds.rail.exchange.format import ExportOptions, refuse_invented_land
from mapkit.kinds.rail.exchange.table_reading import board_from_tables
from mapkit.kinds.rail.exchange.workbook.sheets import MOST_TEXT, Cell, workbook_bytes
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board, City, Region

# Reader of a board's workbook, edited in a spreadsheet or not.

_TABLES: Final = ("cities", "railroads", "regions", "mileposts", "segments", "junctions", "pieces")
_SHEETS: Final = ("payoffs", "destinations", "board", *_TABLES)
_NUMBER_COLUMNS: Final = frozenset({"lon", "lat", "x", "y", "drawn_x", "drawn_y", "miles", "price"})

Grid = list[list[Any]]


def read_workbook(path: Path, base: Board | None = None) -> Board:
    """Return the board of a workbook that mapkit wrote, with the current tables and charts.

    Args:
        path: The file.
        base: The board that it was exported from, to make a variant of it.

    Raises:
        SourceError: It is damaged or too large, a sheet is missing, a cell holds a formula, an error or a date, cells
            are merged, or a row is no part of a board; sheet and cell are named.
        WorkspaceError: It is missing or may not be read.
    """
    file = path.name
    if not path.is_file():
        raise WorkspaceError(f"{file}: no such file: {path}")
    refuse_bad_archive(path, file=file)
    grid_by_sheet = _read_grids(path, file)
    rows_by_table = {table_name: _read_table(grid_by_sheet[table_name], table_name, file) for table_name in _TABLES}
    for piece_row in rows_by_table["pieces"]:
        piece_row["line"] = _read_line(piece_row, file)
    grid = grid_by_sheet["board"]
    parts_by_key: dict[str, list[tuple[int, str]]] = {}
    for row_number, row_values in enumerate(grid[1:], 2):
        key, part_number, part_text = [*row_values, None, None, None][:3]
        if key is not None:
            if not isinstance(part_number, int):
                raise SourceError(f"{file}: board row {row_number}: part is not a number; export the board again")
            parts_by_key.setdefault(str(key), []).append((part_number, "" if part_text is None else str(part_text)))
    rest = {
        key: parse_json("".join(part_text for _, part_text in sorted(text_parts)), file=f"{file}: board: {key}")
        for key, text_parts in parts_by_key.items()
    }
    region_ids = _index_names(rows_by_table["regions"], () if base is None else base.regions)
    city_ids = _index_names(rows_by_table["cities"], () if base is None else base.cities)
    chart_names = [row[0] for row in grid_by_sheet["destinations"][1:] if row]
    _add_former_names((name for name in chart_names if name != REGIONS), region_ids)
    _add_former_names((label for row in grid_by_sheet["payoffs"][:1] for label in row[1:]), city_ids)
    rest["payoffs"] = _read_payoffs(grid_by_sheet["payoffs"], city_ids, file)
    rest["destinations"] = _read_destinations(grid_by_sheet["destinations"], city_ids, region_ids, file)
    return board_from_tables(rows_by_table, rest, file=file, base=base)


def _read_grids(path: Path, file: str) -> dict[str, Grid]:
    # From a stream: openpyxl does not close a file that it opened itself when it fails.
    with catch_warnings(), path.open("rb") as stream:
        simplefilter("ignore")  # openpyxl warns of styles and extensions that it drops
        try:
            workbook = heavy.openpyxl.load_workbook(stream, keep_links=False)
        except Exception as error:  # openpyxl raises any exception for a damaged file
            raise SourceError(f"{file}: the workbook is damaged; save it again") from error
        with closing(workbook):
            missing_sheets = [sheet_name for sheet_name in _SHEETS if sheet_name not in workbook.sheetnames]
            if missing_sheets:
                raise SourceError(
                    f"{file}: no sheet {missing_sheets[0]!r}; give a workbook that mapkit export --to xlsx wrote"
                )
            return {sheet_name: _read_grid(workbook[sheet_name], file) for sheet_name in _SHEETS}


def _read_grid(sheet: Any, file: str) -> Grid:  # noqa: ANN401 - openpyxl's types do not tell kinds of sheets apart
    where = f"{file}: {sheet.title}"
    if not hasattr(sheet, "iter_rows"):
        raise SourceError(f"{where}: a chart, not a table; export the board again")
    if sheet.max_row * sheet.max_column > MAX_CELLS:
        raise SourceError(
            f"{where} reaches to row {sheet.max_row}, column {sheet.max_column}; the limit is {MAX_CELLS:,}"
        )
    if sheet.merged_cells.ranges:
        merged_area = min(str(cell_range) for cell_range in sheet.merged_cells.ranges)
        raise SourceError(f"{where}: the cells {merged_area} are merged; split them")
    grid_rows = []
    for sheet_row in sheet.iter_rows():
        row_values = []
        for cell in sheet_row:
            constant_value = parse_constant(cell.value) if cell.data_type == "f" else None
            if cell.data_type in ("f", "e", "d") and constant_value is None:
                cell_content = {
                    "f": "a formula; replace it by its value",
                    "e": "the error of a formula",
                    "d": "a date",
                }[cell.data_type]
                raise SourceError(f"{where}!{cell.coordinate} holds {cell_content}: {str(cell.value)[:60]}; correct it")
            row_values.append(cell.value if constant_value is None else constant_value)
        grid_rows.append(row_values)
    while grid_rows and all(value is None for value in grid_rows[-1]):
        grid_rows.pop()
    return grid_rows


def _read_table(grid: Grid, name: str, file: str) -> list[Row]:
    column_names = [str(cell) for cell in grid[0]] if grid else []
    if "id" not in column_names:
        raise SourceError(f"{file}: {name}: the first row has no column id; export the board again")
    table_rows = []
    for row_number, row_values in enumerate(grid[1:], 2):
        if any(value is not None for value in row_values):
            table_row = {
                column_name: _cell_value(column_name, value)
                for column_name, value in zip(column_names, row_values, strict=False)
            }
            table_rows.append(convert_row_types(table_row, file=file, where=f"{name} row {row_number}"))
    return table_rows


def _cell_value(key: str, value: Any) -> Any:  # noqa: ANN401 - any value of a cell
    if key in _NUMBER_COLUMNS or isinstance(value, bool):
        return value
    return "" if value is None else str(value)


def _read_line(row: Row, file: str) -> tuple[tuple[float, float], ...]:
    line_columns = sorted(
        (column_name for column_name in row if column_name.startswith("line ")), key=lambda key: (len(key), key)
    )
    try:
        coordinate_pairs = [
            pair_text.split(",") for column_name in line_columns for pair_text in str(row[column_name]).split()
        ]
        return tuple((float(lon), float(lat)) for lon, lat in coordinate_pairs)
    except ValueError as error:
        raise SourceError(f"{file}: pieces: {row['id']!r}: its line is malformed ({error}); correct it") from error


def _index_names(rows: Sequence[Row], base_elements: Sequence[City | Region]) -> dict[str, str]:
    """Return the ids of elements by all names that charts may use: ids, and unambiguous names.

    An element that was renamed in its sheet keeps the name that it has on the base, as charts hold it.
    """
    ids_by_name: dict[str, list[str]] = {}
    for row in rows:
        ids_by_name.setdefault(str(row.get("name")), []).append(str(row["id"]))
    row_ids = {str(row["id"]) for row in rows}
    for element in base_elements:
        if element.id in row_ids and element.name not in ids_by_name:
            ids_by_name[element.name] = [element.id]
    return {name: element_ids[0] for name, element_ids in ids_by_name.items() if len(element_ids) == 1} | {
        row_id: row_id for row_id in row_ids
    }


def _add_former_names(labels: Iterable[Any], id_by_label: dict[str, str]) -> None:
    """Add the names that charts hold of renamed elements: of which the id is made, or the only one left over."""
    label_texts = dict.fromkeys(str(label) for label in labels if label is not None)
    unknown_labels = [label for label in label_texts if label not in id_by_label]
    absent_ids = set(id_by_label.values()) - {id_by_label[label] for label in label_texts if label in id_by_label}
    former_names = {label: slug(label) for label in unknown_labels if slug(label) in absent_ids}
    if not former_names and len(unknown_labels) == len(absent_ids) == 1:
        former_names = {unknown_labels[0]: absent_ids.pop()}
    id_by_label.update(former_names)


def _look_up(value: Any, id_by_label: Mapping[str, str], where: str) -> str:  # noqa: ANN401 - any value of a cell
    element_id = id_by_label.get(str(value))
    if element_id is None:
        raise SourceError(
            f"{where}: {str(value)[:80]!r} is unknown{did_you_mean(str(value), id_by_label) or '; correct it'}"
        )
    return element_id


def _read_payoffs(grid: Grid, cities: Mapping[str, str], file: str) -> dict[str, Any]:
    if not grid:
        raise SourceError(f"{file}: payoffs: the sheet is empty; export the board again")
    column_cities = [
        _look_up(city_name, cities, f"{file}: payoffs row 1") for city_name in grid[0][1:] if city_name is not None
    ]
    by_city: dict[str, list[float | None]] = {}
    for row_number, row_values in enumerate(grid[1:], 2):
        where = f"{file}: payoffs row {row_number}"
        if all(value is None for value in row_values):
            continue
        row_city = _look_up(row_values[0], cities, where)
        if row_city in by_city:
            raise SourceError(f"{where}: a second row of {row_values[0]!r}; remove one")
        row_amounts = [*row_values[1 : len(column_cities) + 1], *[None] * (len(column_cities) + 1 - len(row_values))]
        if not all(
            amount is None or (isinstance(amount, int | float) and not isinstance(amount, bool))
            for amount in row_amounts
        ):
            bad_amount = next(
                amount
                for amount in row_amounts
                if amount is not None and (isinstance(amount, bool) or not isinstance(amount, int | float))
            )
            raise SourceError(f"{where}: {str(bad_amount)[:60]!r} is not an amount; correct it")
        by_city[row_city] = row_amounts
    if sorted(by_city) != sorted(column_cities):
        unpaired_cities = sorted(set(by_city) ^ set(column_cities)) or column_cities
        raise SourceError(
            f"{file}: payoffs: {unpaired_cities[0]!r} does not have exactly one row and one column; add or remove it"
        )
    return {"cities": column_cities, "thousands": [by_city[city] for city in column_cities]}


def _read_destinations(grid: Grid, cities: Mapping[str, str], regions: Mapping[str, str], file: str) -> dict[str, Any]:
    charts: dict[str, dict[str, dict[str, str | None]]] = {}
    for row_number, row_values in enumerate(grid[1:], 2):
        if all(value is None for value in row_values):
            continue
        where = f"{file}: destinations row {row_number}"
        chart_name, dice_sum, *cells = [*row_values, None, None, None][:4]
        chart_id = REGIONS if chart_name == REGIONS else _look_up(chart_name, regions, where)
        if str(dice_sum) not in SUMS:
            raise SourceError(f"{where}: sum {str(dice_sum)[:20]!r} is not a sum from 2 to 12; correct it")
        target_ids = regions if chart_id == REGIONS else cities
        chart_cells = charts.setdefault(chart_id, {side: dict.fromkeys(SUMS) for side in ("odd", "even")})
        for side, cell in zip(("odd", "even"), cells, strict=True):
            chart_cells[side][str(dice_sum)] = None if cell is None else _look_up(cell, target_ids, where)
    return charts


COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "cities": ("id", "name", "region", "milepost", "drawn_x", "drawn_y"),
    "railroads": ("id", "name", "short", "price", "public", "colour", "pattern"),
    "regions": ("id", "name", "short", "colour"),
    "mileposts": ("id", "name", "kind", "lon", "lat", "x", "y", "drawn_x", "drawn_y"),
    "segments": ("id", "railroad", "a", "b", "miles", "pieces"),
    "junctions": ("id", "railroad", "lon", "lat", "x", "y", "drawn_x", "drawn_y"),
    "pieces": ("id", "railroad", "a", "b", "miles"),
}

_PRINTED_COLUMNS: Final = {"pieces": len(COLUMNS["pieces"]), "board": 2}
"""Sheets with texts for programs, of which only the first columns are printed."""


class WorkbookFormat:
    """The board for a spreadsheet."""

    name = "xlsx"
    title = "XLSX workbook"
    suffixes = (".xlsx",)
    carries = "everything, and the findings of the checks; charts and tables are read back as edited"
    loses = "nothing"

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:
        """Return one file."""
        refuse_invented_land(board, self.title)
        checks = options.checks or run_checks(board)
        return ExportedBoard({f"{options.file_stem(board)}.xlsx": board_to_workbook(board, checks)})

    def read(self, path: Path) -> Board:
        """Return the board, with edits to charts and tables."""
        return read_workbook(path)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board, with edits to charts and tables; lines follow mileposts."""
        return read_workbook(path, base)


def unique_labels(rows: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return unique names of elements by id: the name, or the id where the name is ambiguous."""
    row_list = list(rows)
    name_counts = Counter(name for _, name in row_list)
    row_ids = {row_id for row_id, _ in row_list}
    reserved_names = {REGIONS, *row_ids}
    return {
        row_id: name if name_counts[name] == 1 and name not in reserved_names - {row_id} else row_id
        for row_id, name in row_list
    }


def board_to_workbook(board: Board, checks: CheckReport) -> bytes:
    """Return the workbook; the same board gives the same bytes."""
    board_parts = board_to_parts(board, drawn=True)
    city_labels = unique_labels((city.id, city.name) for city in board.cities)
    region_labels = unique_labels((region.id, region.name) for region in board.regions)
    rows_by_sheet: dict[str, list[list[Cell]]] = {
        "payoffs": _payoff_rows(board, city_labels),
        "destinations": _destination_rows(board, city_labels, region_labels),
        "cities": _table_rows(board_parts, "cities"),
        "railroads": _table_rows(board_parts, "railroads"),
        "findings": _finding_rows(checks),
        **{
            table_name: _table_rows(board_parts, table_name)
            for table_name in ("regions", "mileposts", "segments", "junctions")
        },
        "pieces": _piece_rows(board_parts),
        "board": _rest_rows(board_parts),
    }
    return workbook_bytes(rows_by_sheet, frozen=("payoffs",), printed=_PRINTED_COLUMNS)


def _payoff_rows(board: Board, cities: Mapping[str, str]) -> list[list[Cell]]:
    chart = board.payoffs
    city_names = [cities.get(city, city) for city in chart.cities]
    named_rows = zip(city_names, chart.thousands, strict=True)
    return [["city", *city_names], *([name, *values] for name, values in named_rows)]


def _destination_rows(board: Board, cities: Mapping[str, str], regions: Mapping[str, str]) -> list[list[Cell]]:
    sheet_rows: list[list[Cell]] = [["chart", "sum", "odd", "even"]]
    for chart_id, chart in board.destinations.items():
        target_names = regions if chart_id == REGIONS else cities
        chart_title = regions.get(chart_id, chart_id) if chart_id != REGIONS else REGIONS
        for dice_sum in SUMS:
            target_ids = (chart.odd.get(dice_sum), chart.even.get(dice_sum))
            sheet_rows.append(
                [
                    chart_title,
                    int(dice_sum),
                    *(
                        None if target_id is None else target_names.get(target_id, target_id)
                        for target_id in target_ids
                    ),
                ]
            )
    return sheet_rows


def _table_rows(parts: BoardParts, name: str) -> list[list[Cell]]:
    columns = COLUMNS[name]
    return [list(columns), *([row[column] for column in columns] for row in parts.tables[name])]


def _piece_rows(parts: BoardParts) -> list[list[Cell]]:
    """Return the pieces; a line that is longer than a cell continues in the next one."""
    sheet_rows: list[list[Cell]] = []
    max_texts = 1
    for piece_row in parts.tables["pieces"]:
        line_texts = [""]
        for lon, lat in piece_row["line"]:
            point_text = f"{lon!r},{lat!r}"
            if len(line_texts[-1]) + len(point_text) >= MOST_TEXT:
                line_texts.append(point_text)
            else:
                line_texts[-1] += f" {point_text}" if line_texts[-1] else point_text
        max_texts = max(max_texts, len(line_texts))
        sheet_rows.append([*(piece_row[column] for column in COLUMNS["pieces"]), *line_texts])
    head_row: list[Cell] = [*COLUMNS["pieces"], *(f"line {text_number}" for text_number in range(1, max_texts + 1))]
    return [head_row, *sheet_rows]


def _finding_rows(checks: CheckReport) -> list[list[Cell]]:
    sheet_rows: list[list[Cell]] = [["code", "severity", "message", "elements", "file", "row", "accepted"]]
    sheet_rows += [
        [f.code, f.severity.value, f.message, " ".join(f.elements), f.place.file, f.place.row, f.accepted]
        for f in checks.findings
    ]
    return sheet_rows


def _rest_rows(parts: BoardParts) -> list[list[Cell]]:
    """Return the rest as JSON, with as many rows per key as necessary."""
    sheet_rows: list[list[Cell]] = [["key", "part", "value"]]
    for key, value in parts.rest.items():
        if key not in ("destinations", "payoffs"):
            json_value = json.dumps(value, ensure_ascii=False)
            sheet_rows += [
                [key, text_start // MOST_TEXT + 1, json_value[text_start : text_start + MOST_TEXT]]
                for text_start in range(0, len(json_value), MOST_TEXT)
            ]
    return sheet_rows


FORMAT = WorkbookFormat()
