"""The checks of destination charts on charts that were read from anywhere, with a board or without."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final

from mapkit.core.findings import SEVERITY_ORDER, CheckReport, CheckStatus, Finding, Place, Severity
from mapkit.core.plurals import counted
from mapkit.kinds.rail.charts.destinations.declared import mismatch_data, mismatch_text, mismatches
from mapkit.kinds.rail.charts.destinations.diff import CellDiff, diff_charts
from mapkit.kinds.rail.checks.chart_places import place_of
from mapkit.kinds.rail.checks.destinations import CHECKS
from mapkit.kinds.rail.checks.registry import run_checks
from mapkit.kinds.rail.checks.table import check_rows, compared_rows
from mapkit.kinds.rail.model.board import REGIONS, Board
from mapkit.kinds.rail.model.network import Origin
from mapkit.kinds.rail.sources.destinations.files import ChartsRead

DIFFERENT: Final = "D07"
_FEWEST_SHIFTED: Final = 3


def check_charts(read: ChartsRead, odds: Mapping[str, Mapping[str, Fraction]], base: Board | None) -> CheckReport:
    """Run the checks of destination charts on what was read, put on its board; without one, what can be checked.

    Args:
        read: The charts.
        odds: Declared odds, chart -> item -> share.
        base: Their board.
    """
    if base is not None:
        return _checked_with_board(read, odds, base)
    findings = [*_empty_cells(read), *_declared(read, odds)]
    return CheckReport(
        findings=tuple(findings),
        checks={code: "found" if any(f.code == code for f in findings) else "passed" for code in ("D01", "D06")},
    )


def _empty_cells(read: ChartsRead) -> list[Finding]:
    return [
        Finding(
            code="D01",
            name=check_rows()["D01"].name,
            severity=Severity.ERROR,
            elements=(chart, f"{parity}-{total}"),
            place=place_of(read.places.get((chart, parity, total), ""), file=""),
            message=f"{read.names.get(chart, chart)}: {parity} {total} is empty; fill it in",
        )
        for chart, cells in read.charts.items()
        for parity, column in (("odd", cells.odd), ("even", cells.even))
        for total, content in column.items()
        if content is None
    ]


def _declared(read: ChartsRead, odds: Mapping[str, Mapping[str, Fraction]]) -> list[Finding]:
    return [
        Finding(
            code="D06",
            name=check_rows()["D06"].name,
            severity=Severity.WARNING,
            elements=(chart, wrong.item),
            message=f"{read.names.get(chart, chart)}: {mismatch_text(wrong, read.names)}",
            data=mismatch_data(wrong),
        )
        for chart, cells in read.charts.items()
        for wrong in mismatches(cells, odds.get(chart, {}))
    ]


def _checked_with_board(read: ChartsRead, odds: Mapping[str, Mapping[str, Fraction]], base: Board) -> CheckReport:
    """Run the checks on the charts of a file in place of the board's, and compare the two.

    A file with a single chart is completed by the board's other charts. A chart that a longer file lacks is missing.
    """
    said = {
        chart: {item: f"{v.numerator}/{v.denominator}" for item, v in sorted(of.items())}
        for chart, of in sorted(odds.items())
    }
    charts = {**base.destinations, **read.charts} if len(read.charts) == 1 else dict(read.charts)
    kept = {chart: of for chart, of in base.declared.items() if chart not in said}
    places = {cell: place_of(where, file="") for cell, where in read.places.items()}
    elements = {kind: rows for kind, rows in base.provenance.elements.items() if kind != "declared"}
    elements["destinations"] = {
        f"{chart}:{total}": Origin(how="table", file=place.file or None, row=place.row)
        for (chart, _, total), place in reversed(places.items())
    }
    provenance = base.provenance.model_copy(update={"elements": elements})
    board = base.model_copy(update={"destinations": charts, "declared": kept | said, "provenance": provenance})
    report = run_checks(board, checks=CHECKS)
    differences = [] if board.destinations == base.destinations else list(_differences(read, base, places))
    findings = [_in_file(finding, base, places) for finding in report.findings] + differences
    findings.sort(key=lambda f: (f.accepted is not None, SEVERITY_ORDER[f.severity], f.code, f.elements))
    status: CheckStatus = "found" if differences else "passed"
    return CheckReport(findings=tuple(findings), checks={**report.checks, DIFFERENT: status})


def _in_file(finding: Finding, base: Board, places: Mapping[tuple[str, str, str], Place]) -> Finding:
    """Return a finding on a region or city that cannot be rolled at the chart of the file where it is missing."""
    if finding.code not in ("D02", "D03"):
        return finding
    regions = {city.id: city.region for city in base.cities}
    chart = REGIONS if finding.code == "D02" else regions.get(finding.elements[0], REGIONS)
    place = next((place for cell, place in places.items() if cell[0] == chart), Place())
    return finding.model_copy(update={"place": place})


def _differences(read: ChartsRead, base: Board, places: Mapping[tuple[str, str, str], Place]) -> Iterator[Finding]:
    """Yield a finding for each chart with other cells than the board's chart, with the likely cause."""
    names = {region.id: region.name for region in base.regions} | {city.id: city.name for city in base.cities}
    cells = diff_charts(read.charts, base.destinations).cells
    for chart, group in groupby(cells, key=lambda cell: cell.chart):
        own = list(group)
        if all(cell.b is None for cell in own):  # the board has no chart to compare with
            continue
        first = own[0]
        title = "the region chart" if chart == REGIONS else f"the chart of {names.get(chart, chart)}"
        file_name, board_name = ("empty" if item is None else names.get(item, item) for item in (first.a, first.b))
        yield Finding(
            code=DIFFERENT,
            name=compared_rows()[DIFFERENT].name,
            severity=Severity.WARNING,
            elements=(chart,),
            place=places.get((chart, first.column, str(first.sum)), Place()),
            message=f"{title} differs from the board's in {counted(len(own), 'cell')}{_cause(own, read, base)}; the "
            f"first is {first.column} {first.sum}: {file_name} in the file, {board_name} on the board; find out which "
            "is right",
            data={"cells": [cell.model_dump() for cell in own]},
        )


def _cause(cells: Sequence[CellDiff], read: ChartsRead, base: Board) -> str:
    """Return what explains the differences of a chart: another chart, exchanged columns, or a shifted column."""
    chart = cells[0].chart
    mine = read.charts[chart]
    for other, of_board in base.destinations.items():
        if other != chart and (mine.odd, mine.even) == (of_board.odd, of_board.even):
            return f": it is the board's chart of {other}"
    of_board = base.destinations[chart]
    if (mine.odd, mine.even) == (of_board.even, of_board.odd):
        return ": odd and even are exchanged"
    if len({cell.column for cell in cells}) == 1 and len(cells) >= _FEWEST_SHIFTED:
        column = cells[0].column
        typed, printed = getattr(mine, column), getattr(of_board, column)
        for step, way in ((-1, "low"), (1, "high")):
            moved = [cell for cell in cells if typed[str(cell.sum)] == printed.get(str(cell.sum + step))]
            if len(moved) >= len(cells) - 1:
                sums = [cell.sum for cell in moved]
                return f": its names of {column} {min(sums)} to {max(sums)} are one row too {way}"
    return ""
