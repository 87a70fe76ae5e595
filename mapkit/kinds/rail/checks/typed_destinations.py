"""Checks of destination charts from any file, with a board or without."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final

from mapkit.core.findings import SEVERITY_ORDER, CheckReport, CheckStatus, Finding, Place, Severity
from mapkit.core.plurals import count_noun, join_some
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
_NEARLY_ALL: Final = 0.9
"""Least share of the cities of another region in a chart that is misplaced."""


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
    sources = _find_misplaced_charts(read, base)
    differences = [] if board.destinations == base.destinations else list(_find_differences(read, base, cell_places))
    region_of = {city.id: city.region for city in base.cities}
    all_findings = [
        _move_to_file(finding, region_of, cell_places)
        for finding in (*check_report.findings, *differences)
        if not (finding.code in ("D04", "D06", DIFFERENT) and finding.elements[0] in sources)
        and not (finding.code == "D03" and region_of[finding.elements[0]] in sources)
    ]
    if sources:
        all_findings.append(_describe_misplaced_charts(sources, base, cell_places))
    all_findings.sort(key=lambda f: (f.accepted is not None, SEVERITY_ORDER[f.severity], f.code, f.elements))
    difference_status: CheckStatus = "found" if differences else "passed"
    return CheckReport(findings=tuple(all_findings), checks={**check_report.checks, DIFFERENT: difference_status})


def _find_misplaced_charts(read: ChartsRead, base: Board) -> dict[str, str]:
    """Return the charts of regions in which nearly all cities are of one other region, with that region."""
    region_of = {city.id: city.region for city in base.cities}
    sources = {}
    for chart_id, chart in read.charts.items():
        regions = Counter(region_of.get(item or "") for item in (*chart.odd.values(), *chart.even.values()))
        region, count = regions.most_common(1)[0]
        if chart_id != REGIONS and region not in (None, chart_id) and count >= _NEARLY_ALL * regions.total():
            sources[chart_id] = str(region)
    return sources


def _describe_misplaced_charts(
    sources: Mapping[str, str], base: Board, places: Mapping[tuple[str, str, str], Place]
) -> Finding:
    names = {region.id: region.name for region in base.regions}
    return Finding(
        code="D04",
        name=load_check_rows()["D04"].name,
        severity=Severity.ERROR,
        elements=tuple(sources),
        place=_find_chart_place(next(iter(sources)), places),
        message=", ".join(
            f"the chart of {names[chart]} has the cities of {names[region]}" for chart, region in sources.items()
        )
        + "; put each chart under its own name",
    )


def _find_chart_place(chart_id: str, places: Mapping[tuple[str, str, str], Place]) -> Place:
    """Return the place of a chart's first cell; for a chart that the file lacks, the file."""
    place = next((place for cell, place in places.items() if cell[0] == chart_id), None)
    return place or Place(file=next((place.file for place in places.values()), None))


def _move_to_file(
    finding: Finding, region_of: Mapping[str, str], places: Mapping[tuple[str, str, str], Place]
) -> Finding:
    """Return a finding on a chart, or on what it lacks, with the place of the chart in the file."""
    element = finding.elements[0]
    if finding.code in ("D02", "D03"):
        chart_id = REGIONS if finding.code == "D02" else region_of.get(element, REGIONS)
    elif finding.code in ("D00", "D01") and len(finding.elements) == 1:
        chart_id = element
    else:
        return finding
    return finding.model_copy(update={"place": _find_chart_place(chart_id, places)})


def _find_differences(read: ChartsRead, base: Board, places: Mapping[tuple[str, str, str], Place]) -> Iterator[Finding]:
    """Yield a finding for the charts with other cells than the board's for the same cause; for no known cause, each."""
    item_names = {region.id: region.name for region in base.regions} | {city.id: city.name for city in base.cities}
    titles = {
        chart: "the region chart" if chart == REGIONS else f"the chart of {item_names[chart]}"
        for chart in read.charts
        if chart in base.destinations
    }
    cells_by_cause: dict[str, list[CellDiff]] = {}
    for chart_id, group in groupby(diff_charts(read.charts, base.destinations).cells, key=lambda cell: cell.chart):
        chart_cells = list(group)
        if chart_id in titles and not all(cell.b is None for cell in chart_cells):
            cause = _explain_differences(chart_cells, read, base) or f" {chart_id}"
            cells_by_cause.setdefault(cause, []).extend(chart_cells)
    for cause, cells in cells_by_cause.items():
        first, charts = cells[0], tuple(dict.fromkeys(cell.chart for cell in cells))
        file_name, board_name = ("empty" if item is None else item_names.get(item, item) for item in (first.a, first.b))
        yield Finding(
            code=DIFFERENT,
            name=load_chart_check_rows()[DIFFERENT].name,
            severity=Severity.WARNING,
            elements=charts,
            place=places.get((first.chart, first.column, str(first.sum)), Place()),
            message=f"{join_some(titles[chart] for chart in charts)} {'differ' if charts[1:] else 'differs'} from the "
            f"board's in {count_noun(len(cells), 'cell')}{cause if cause.startswith(':') else ''}; the first is "
            f"{first.column} {first.sum}: {file_name} in the file, {board_name} on the board; find out which is right",
            data={"cells": [cell.model_dump() for cell in cells]},
        )


def _explain_differences(cells: Sequence[CellDiff], read: ChartsRead, base: Board) -> str:
    """Return the likely cause of the differences of a chart: exchanged columns, or names one row too low or high."""
    file_chart, board_chart = read.charts[cells[0].chart], base.destinations[cells[0].chart]
    if (file_chart.odd, file_chart.even) == (board_chart.even, board_chart.odd):
        return ": odd and even are exchanged"
    columns = {cell.column for cell in cells}
    for row_step, shift_direction in ((-1, "low"), (1, "high")):
        shifted_count = sum(
            getattr(file_chart, cell.column)[str(cell.sum)]
            == getattr(board_chart, cell.column).get(str(cell.sum + row_step))
            for cell in cells
        )
        if shifted_count >= max(_FEWEST_SHIFTED_CELLS, len(cells) - len(columns)):
            return f": names of {' and '.join(sorted(columns, reverse=True))} are one row too {shift_direction}"
    return ""
