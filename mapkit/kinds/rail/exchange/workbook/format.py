"""XLSX workbook of a board: charts, cities, railroads, findings, and the network, one sheet each."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from mapkit.core.findings import CheckReport
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.rail.checks import run_checks
from mapkit.kinds.rail.exchange.board_parts import BoardParts, board_to_parts
from mapkit.kinds.rail.exchange.format import ExportOptions, refuse_invented_land
from mapkit.kinds.rail.exchange.workbook.reading import read_workbook
from mapkit.kinds.rail.exchange.workbook.sheets import MOST_TEXT, Cell, workbook_bytes
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board

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
