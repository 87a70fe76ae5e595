"""Destination charts of files, for people: read, checked, compared."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mapkit.console import texts
from mapkit.console.printing import print_message, print_result, table
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.cli.payoffs.name_questions import unknown_names_text

if TYPE_CHECKING:
    from mapkit.kinds.rail.api.destinations import CheckedDestinations, DestinationsRead
    from mapkit.kinds.rail.charts.destinations.diff import DestinationDiff


def show_checked(found: "CheckedDestinations", out: Path | None, *, as_json: bool) -> None:
    """Print the findings on charts, and how much of them is filled."""
    if not as_json:
        for note in found.notes:
            print_message(f"note: {note}")
        print_result("\n".join(texts.finding_lines(found.checks.findings, every=True)) or "nothing found")
        filled = sum(
            value is not None for one in found.charts.values() for value in (*one.odd.values(), *one.even.values())
        )
        count = len(found.charts)
        print_message(f"{count_noun(count, 'chart')}, {filled} of {22 * count} cells filled")
    _show_file(out)


def show_read(found: "DestinationsRead", out: Path | None, *, leave_out: bool, as_json: bool) -> None:
    """Print charts as they were understood, and ask for the names that were left out."""
    if not as_json:
        print_result(read_text(found))
    _show_file(out)
    if found.left_out and not leave_out:
        print_message(unknown_names_text(found.left_out))
        sys.exit(1)


def _show_file(out: Path | None) -> None:
    if out is not None:
        print_message(f"The charts are {out}")


def read_text(found: "DestinationsRead") -> str:
    """Lay out charts, one row per cell, with notes."""
    rows = [
        (found.names.get(ident, ident), column, total, "" if item is None else found.names.get(item, item))
        for ident, chart in found.charts.items()
        for column, cells in (("odd", chart.odd), ("even", chart.even))
        for total, item in cells.items()
    ]
    parts = [*(f"note: {note}" for note in found.notes), table(("chart", "column", "sum", "name"), rows, right=(2,))]
    if found.left_out:
        names = table(
            ("typed", "near", "where"), ((one.typed, ", ".join(one.near), one.where) for one in found.left_out)
        )
        parts.append(f"\nnames left out, which the board has not: {len(found.left_out)}\n{names}")
    return "\n".join(parts)


def show_difference(found: "DestinationDiff") -> None:
    """Print the difference."""
    print_result(diff_text(found, found.names))


def diff_text(found: "DestinationDiff", names: Mapping[str, str]) -> str:
    """Lay out a difference: cells, then odds."""
    if not (found.cells or found.odds or found.missing):
        return "no difference"

    def name(item: str | None) -> str:
        return "(empty)" if item is None else names.get(item, item)

    cells = table(
        ("chart", "cell", "A", "B"),
        ((name(c.chart), f"{c.column} {c.sum}", name(c.a), name(c.b)) for c in found.cells),
    )
    odds = table(
        ("chart", "name", "A", "B", "change %"),
        ((name(o.chart), name(o.item), o.a, o.b, f"{o.percent:+.3f}") for o in found.odds),
        right=(2, 3, 4),
    )
    missing = [f"in one only: {', '.join(name(m) for m in found.missing)}"] if found.missing else []
    return "\n\n".join([*([cells] if found.cells else []), *([odds] if found.odds else []), *missing])
