"""Checks of destination charts from any file, with a board or without."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final

from mapkit.core.findings import SEVERITY_ORDER, CheckReport, CheckStatus, Finding, Place, Severity
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.charts.destinations.declared_odds import find_mismatches, mismatch_data, mismatch_text
from mapkit.kinds.rail.charts.destinations.diff import CellDiff, diff_charts
from mapkit.kinds.rail.checks.chart_places import parse_cell_place
from mapkit.kinds.rail.checks.destinations import CHECKS
from mapkit.kinds.rail.checks.registry import run_checks
from mapkit.kinds.rail.checks.table import load_chart_check_rows, load_check_rows
from mapkit.kinds.rail.model.board import REGIONS, Board
from mapkit.kinds.rail.model.network import Origin
from mapkit.kinds.rail.sources.destinations.files import ChartsRead

DIFFERENT: Final = "D07"
_FEWEST_SHIFTED_CELLS: Final = 3


def check_charts(read: ChartsRead, odds: Mapping[str, Mapping[str, Fraction]], base: Board | None) -> CheckReport:
    """Run the checks of destination charts on charts from a file, put on its board; without a board, those possible.

    Args:
        read: The charts.
        odds: Declared odds, chart -> item -> share.
        base: Their board.
    """
    if base is not None:
        return _check_with_board(read, odds, base)
    findings = [*_find_empty_cells(read), *_find_wrong_declared_odds(read, odds)]
    return CheckReport(
        findings=tuple(findings),
        checks={code: "found" if any(f.code == code for f in findings) else "passed" for code in ("D01", "D06")},
    )


def _find_empty_cells(read: ChartsRead) -> list[Finding]:
    return [
        Finding(
            code="D01",
            name=load_check_rows()["D01"].name,
            severity=Severity.ERROR,
            elements=(chart_id, f"{parity}-{dice_sum}"),
            place=parse_cell_place(read.places.get((chart_id, parity, dice_sum), ""), file=""),
            message=f"{read.names.get(chart_id, chart_id)}: {parity} {dice_sum} is empty; fill it in",
        )
        for chart_id, cells in read.charts.items()
        for parity, column in (("odd", cells.odd), ("even", cells.even))
        for dice_sum, cell_id in column.items()
        if cell_id is None
    ]


def _find_wrong_declared_odds(read: ChartsRead, odds: Mapping[str, Mapping[str, Fraction]]) -> list[Finding]:
    return [
        Finding(
            code="D06",
            name=load_check_rows()["D06"].name,
            severity=Severity.WARNING,
            elements=(chart_id, mismatch.item),
            message=f"{read.names.get(chart_id, chart_id)}: {mismatch_text(mismatch, read.names)}",
            data=mismatch_data(mismatch),
        )
        for chart_id, cells in read.charts.items()
        for mismatch in find_mismatches(cells, odds.get(chart_id, {}))
    ]


def _check_with_board(read: ChartsRead, odds: Mapping[str, Mapping[str, Fraction]], base: Board) -> CheckReport:
    """Run the checks on the charts of a file in place of the board's, and compare the two.

    A file with a single chart is completed by the board's other charts. A chart that a longer file lacks is missing.
    """
    declared_odds = {
        chart_id: {item_id: f"{v.numerator}/{v.denominator}" for item_id, v in sorted(item_odds.items())}
        for chart_id, item_odds in sorted(odds.items())
    }
    merged_charts = {**base.destinations, **read.charts} if len(read.charts) == 1 else dict(read.charts)
    board_odds = {chart_id: item_odds for chart_id, item_odds in base.declared.items() if chart_id not in declared_odds}
    cell_places = {cell: parse_cell_place(cell_where, file="") for cell, cell_where in read.places.items()}
    element_origins = {kind: rows for kind, rows in base.provenance.elements.items() if kind != "declared"}
    element_origins["destinations"] = {
        f"{chart_id}:{dice_sum}": Origin(how="table", file=place.file or None, row=place.row)
        for (chart_id, _, dice_sum), place in reversed(cell_places.items())
    }
    provenance = base.provenance.model_copy(update={"elements": element_origins})
    board = base.model_copy(
        update={"destinations": merged_charts, "declared": board_odds | declared_odds, "provenance": provenance}
    )
    check_report = run_checks(board, checks=CHECKS)
    differences = [] if board.destinations == base.destinations else list(_find_differences(read, base, cell_places))
    all_findings = [_move_to_file(finding, base, cell_places) for finding in check_report.findings] + differences
    all_findings.sort(key=lambda f: (f.accepted is not None, SEVERITY_ORDER[f.severity], f.code, f.elements))
    difference_status: CheckStatus = "found" if differences else "passed"
    return CheckReport(findings=tuple(all_findings), checks={**check_report.checks, DIFFERENT: difference_status})


def _move_to_file(finding: Finding, base: Board, places: Mapping[tuple[str, str, str], Place]) -> Finding:
    """Return a finding on an unreachable region or city with the place of the chart in the file that lacks it."""
    if finding.code not in ("D02", "D03"):
        return finding
    region_of = {city.id: city.region for city in base.cities}
    chart_id = REGIONS if finding.code == "D02" else region_of.get(finding.elements[0], REGIONS)
    chart_place = next((chart_place for cell, chart_place in places.items() if cell[0] == chart_id), Place())
    return finding.model_copy(update={"place": chart_place})


def _find_differences(read: ChartsRead, base: Board, places: Mapping[tuple[str, str, str], Place]) -> Iterator[Finding]:
    """Yield a finding for each chart with other cells than the board's chart, with the likely cause."""
    item_names = {region.id: region.name for region in base.regions} | {city.id: city.name for city in base.cities}
    differing_cells = diff_charts(read.charts, base.destinations).cells
    for chart_id, group in groupby(differing_cells, key=lambda cell: cell.chart):
        chart_cells = list(group)
        if all(cell.b is None for cell in chart_cells):  # the board has no chart to compare with
            continue
        first = chart_cells[0]
        title = "the region chart" if chart_id == REGIONS else f"the chart of {item_names.get(chart_id, chart_id)}"
        file_name, board_name = ("empty" if item is None else item_names.get(item, item) for item in (first.a, first.b))
        yield Finding(
            code=DIFFERENT,
            name=load_chart_check_rows()[DIFFERENT].name,
            severity=Severity.WARNING,
            elements=(chart_id,),
            place=places.get((chart_id, first.column, str(first.sum)), Place()),
            message=f"{title} differs from the board's in "
            f"{count_noun(len(chart_cells), 'cell')}{_explain_differences(chart_cells, read, base)}; the first is "
            f"{first.column} {first.sum}: {file_name} in the file, {board_name} on the board; find out which "
            "is right",
            data={"cells": [cell.model_dump() for cell in chart_cells]},
        )


def _explain_differences(cells: Sequence[CellDiff], read: ChartsRead, base: Board) -> str:
    """Return the likely cause of the differences of a chart: another chart, exchanged columns, or a shifted column."""
    chart_id = cells[0].chart
    file_chart = read.charts[chart_id]
    for other_id, board_chart in base.destinations.items():
        if other_id != chart_id and (file_chart.odd, file_chart.even) == (board_chart.odd, board_chart.even):
            return f": it is the board's chart of {other_id}"
    board_chart = base.destinations[chart_id]
    if (file_chart.odd, file_chart.even) == (board_chart.even, board_chart.odd):
        return ": odd and even are exchanged"
    if len({cell.column for cell in cells}) == 1 and len(cells) >= _FEWEST_SHIFTED_CELLS:
        column_name = cells[0].column
        typed_cells, printed_cells = getattr(file_chart, column_name), getattr(board_chart, column_name)
        for row_step, shift_direction in ((-1, "low"), (1, "high")):
            shifted_cells = [
                cell for cell in cells if typed_cells[str(cell.sum)] == printed_cells.get(str(cell.sum + row_step))
            ]
            if len(shifted_cells) >= len(cells) - 1:
                sums = [cell.sum for cell in shifted_cells]
                return f": its names of {column_name} {min(sums)} to {max(sums)} are one row too {shift_direction}"
    return ""
