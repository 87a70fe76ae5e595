"""Stages of tracing, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_message, print_result, table

if TYPE_CHECKING:
    from pathlib import Path

    from mapkit.kinds.rail.model.stage import StageCounts, TraceReport


def show_trace(report: "TraceReport", until: str, out: "Path | None", *, as_json: bool) -> None:
    """Print the result of each stage, and the file of the last."""
    if not as_json:
        print_result(report_text(report))
    if out is not None:
        print_message(f"The {until} stage is {out}")


def report_text(report: "TraceReport") -> str:
    """Lay out the result and the changes of each stage."""
    head = ("stage", "lines", "vertices", "miles", "mileposts", "changes")
    rows = [
        (s.stage, f"{s.lines:,}", f"{s.vertices:,}", _miles(s.miles), f"{s.mileposts:,}", _changes(s))
        for s in report.stages
    ]
    return table(head, rows, right=(1, 2, 3, 4))


def _miles(miles: float | None) -> str:
    return "-" if miles is None else f"{miles:,.1f}"


def _changes(counts: "StageCounts") -> str:
    said = (f"{number:,} {what}{_size(counts.sizes.get(what))}" for what, number in counts.changes.items())
    return ", ".join(said) or "none"


def _size(miles: float | None) -> str:
    return "" if not miles else f" ({miles:,.2f} miles)"
