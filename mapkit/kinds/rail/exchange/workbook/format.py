"""A board as one XLSX workbook: charts, cities, railroads, findings, and the network, a sheet each."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from mapkit.core.findings import CheckReport
from mapkit.exchange.plan import Exported
from mapkit.kinds.rail.checks import run_checks
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.parts import Parts, take_apart
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

_PRINTED: Final = {"pieces": len(COLUMNS["pieces"]), "board": 2}
"""Sheets with texts for programs, which are not printed; their first columns are."""


class WorkbookFormat:
    """The board for a spreadsheet."""

    name = "xlsx"
    title = "XLSX workbook"
    suffixes = (".xlsx",)
    carries = "everything, and the findings of the checks; charts and tables are read back as edited"
    loses = "nothing"

    def export(self, board: Board, options: ExportOptions) -> Exported:
        """Return one file."""
        checks = options.checks or run_checks(board)
        return Exported({f"{options.file_stem(board)}.xlsx": workbook_of(board, checks)})

    def read(self, path: Path) -> Board:
        """Return the board, with edits to charts and tables."""
        return read_workbook(path)

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board, with edits to charts and tables; lines follow mileposts."""
        return read_workbook(path, base)


def labels(rows: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return id -> what charts call it: the name, or the id where several have the name or an id is the same."""
    listed = list(rows)
    count = Counter(name for _, name in listed)
    ids = {ident for ident, _ in listed}
    taken = {REGIONS, *ids}
    return {ident: name if count[name] == 1 and name not in taken - {ident} else ident for ident, name in listed}


def workbook_of(board: Board, checks: CheckReport) -> bytes:
    """Return the workbook; the same board gives the same bytes."""
    parts = take_apart(board, drawn=True)
    cities = labels((city.id, city.name) for city in board.cities)
    regions = labels((region.id, region.name) for region in board.regions)
    sheets: dict[str, list[list[Cell]]] = {
        "payoffs": _payoffs(board, cities),
        "destinations": _destinations(board, cities, regions),
        "cities": _table(parts, "cities"),
        "railroads": _table(parts, "railroads"),
        "findings": _findings(checks),
        **{name: _table(parts, name) for name in ("regions", "mileposts", "segments", "junctions")},
        "pieces": _pieces(parts),
        "board": _rest(parts),
    }
    return workbook_bytes(sheets, frozen=("payoffs",), printed=_PRINTED)


def _payoffs(board: Board, cities: Mapping[str, str]) -> list[list[Cell]]:
    chart = board.payoffs
    names = [cities.get(city, city) for city in chart.cities]
    rows = zip(names, chart.thousands, strict=True)
    return [["city", *names], *([name, *values] for name, values in rows)]


def _destinations(board: Board, cities: Mapping[str, str], regions: Mapping[str, str]) -> list[list[Cell]]:
    rows: list[list[Cell]] = [["chart", "sum", "odd", "even"]]
    for ident, chart in board.destinations.items():
        names = regions if ident == REGIONS else cities
        title = regions.get(ident, ident) if ident != REGIONS else REGIONS
        for total in SUMS:
            cells = (chart.odd.get(total), chart.even.get(total))
            rows.append([title, int(total), *(None if c is None else names.get(c, c) for c in cells)])
    return rows


def _table(parts: Parts, name: str) -> list[list[Cell]]:
    columns = COLUMNS[name]
    return [list(columns), *([row[column] for column in columns] for row in parts.tables[name])]


def _pieces(parts: Parts) -> list[list[Cell]]:
    """Return the pieces; a line that is longer than a cell goes on in the next."""
    rows: list[list[Cell]] = []
    widest = 1
    for row in parts.tables["pieces"]:
        texts = [""]
        for lon, lat in row["line"]:
            point = f"{lon!r},{lat!r}"
            if len(texts[-1]) + len(point) >= MOST_TEXT:
                texts.append(point)
            else:
                texts[-1] += f" {point}" if texts[-1] else point
        widest = max(widest, len(texts))
        rows.append([*(row[column] for column in COLUMNS["pieces"]), *texts])
    head: list[Cell] = [*COLUMNS["pieces"], *(f"line {at}" for at in range(1, widest + 1))]
    return [head, *rows]


def _findings(checks: CheckReport) -> list[list[Cell]]:
    rows: list[list[Cell]] = [["code", "severity", "message", "elements", "file", "row", "accepted"]]
    rows += [
        [f.code, f.severity.value, f.message, " ".join(f.elements), f.place.file, f.place.row, f.accepted]
        for f in checks.findings
    ]
    return rows


def _rest(parts: Parts) -> list[list[Cell]]:
    """Return the rest as JSON, in as many rows a key as it takes."""
    rows: list[list[Cell]] = [["key", "part", "value"]]
    for key, value in parts.rest.items():
        if key not in ("destinations", "payoffs"):
            text = json.dumps(value, ensure_ascii=False)
            rows += [[key, at // MOST_TEXT + 1, text[at : at + MOST_TEXT]] for at in range(0, len(text), MOST_TEXT)]
    return rows


FORMAT = WorkbookFormat()
