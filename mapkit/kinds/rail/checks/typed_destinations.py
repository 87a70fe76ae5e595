"""The checks of destination charts on charts that were read from anywhere, with a board or without."""

from collections.abc import Mapping
from fractions import Fraction

from mapkit.core.findings import CheckReport, Finding, Severity
from mapkit.kinds.rail.charts.destinations.declared import mismatch_data, mismatch_text, mismatches
from mapkit.kinds.rail.checks.destinations import CHECKS
from mapkit.kinds.rail.checks.registry import run_checks
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.sources.destinations.files import ChartsRead


def check_charts(read: ChartsRead, odds: Mapping[str, Mapping[str, Fraction]], base: Board | None) -> CheckReport:
    """Run the checks of destination charts on what was read, put on its board; without one, what can be checked.

    Args:
        read: The charts.
        odds: Declared odds, chart -> item -> share.
        base: Their board.
    """
    if base is not None:
        said = {
            chart: {item: f"{v.numerator}/{v.denominator}" for item, v in sorted(of.items())}
            for chart, of in sorted(odds.items())
        }
        charts = {**base.destinations, **read.charts}
        kept = {chart: of for chart, of in base.declared.items() if chart not in said}
        board = base.model_copy(update={"destinations": charts, "declared": kept | said})
        return run_checks(_without_rows(board), checks=CHECKS)
    findings = [*_empty_cells(read), *_declared(read, odds)]
    return CheckReport(
        findings=tuple(findings),
        checks={code: "found" if any(f.code == code for f in findings) else "passed" for code in ("D01", "D06")},
    )


def _empty_cells(read: ChartsRead) -> list[Finding]:
    return [
        Finding(
            code="D01",
            severity=Severity.ERROR,
            elements=(chart, f"{parity}-{total}"),
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
            severity=Severity.WARNING,
            elements=(chart, wrong.item),
            message=f"{read.names.get(chart, chart)}: {mismatch_text(wrong, read.names)}",
            data=mismatch_data(wrong),
        )
        for chart, cells in read.charts.items()
        for wrong in mismatches(cells, odds.get(chart, {}))
    ]


def _without_rows(board: Board) -> Board:
    """Drop the rows of the board's own chart file: the cells come from another file."""
    elements = {
        kind: rows for kind, rows in board.provenance.elements.items() if kind not in ("destinations", "declared")
    }
    return board.model_copy(update={"provenance": board.provenance.model_copy(update={"elements": elements})})
