"""Differences of payoff charts, for people."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from mapkit.console import texts
from mapkit.console.printing import print_result, table
from mapkit.core.csvtext import csv_text
from mapkit.core.plurals import count_noun
from mapkit.operations.options import Flag

if TYPE_CHECKING:
    from mapkit.kinds.rail.charts.payoffs.chart_comparison import PayoffDiff, Vote
    from mapkit.kinds.rail.charts.payoffs.chart_families import Descent


def show_difference(
    found: "PayoffDiff",
    form: Annotated[
        Literal["text", "json", "csv"], Flag("--format -f", "text|json|csv", "How to print what was found.")
    ] = "text",
) -> None:
    """Print where charts disagree."""
    forms = {"text": diff_text, "json": texts.json_text, "csv": diff_csv}
    print_result(forms[form](found))


def diff_csv(found: "PayoffDiff") -> str:
    """Return one row for each differing cell; amounts in thousands."""
    names = [chart.name for chart in found.charts]
    rows = [("a", "b", *names, "majority", "by_family", "expected", "sd", "supported", "odds", "own", "stands")]
    for cell in found.cells:
        given = [_reading(cell.readings, name) for name in names]
        rest = (cell.majority, cell.by_family, cell.expected, cell.sd, cell.supported, cell.odds, cell.own, cell.stands)
        rows.append((cell.a, cell.b, *given, *("" if value is None else f"{value:g}" for value in rest)))
    return csv_text(rows)


def _reading(votes: "Sequence[Vote]", name: str) -> str:
    return "/".join(f"{vote.value:g}" for vote in votes if name in vote.charts)


def diff_text(found: "PayoffDiff") -> str:
    """Lay out a comparison: the cells, the charts, and their common sources."""
    names = [chart.name for chart in found.charts]
    head = ["cities", *names, "majority", "one a family"]
    if found.geometry:
        head += ["expected", "geometry", "odds"]
    head.append("stands")
    rows = []
    for cell in found.cells:
        row = [
            f"{cell.a} - {cell.b}",
            *(_reading(cell.readings, name) or "-" for name in names),
            _amount(cell.majority, "tie"),
            _amount(cell.by_family, "tie"),
        ]
        if found.geometry:
            sd = "" if cell.sd is None else f" +- {cell.sd:g}"
            row += [_amount(cell.expected, "-") + sd, _amount(cell.supported, "noise"), _amount(cell.odds, "-")]
        row.append(_amount(cell.stands, "?"))
        rows.append(row)
    summary = (
        f"{count_noun(len(found.charts), 'chart')}, {count_noun(len(found.cities), 'city', 'cities')}, "
        f"{count_noun(found.compared, 'pair')} of cities compared, "
        f"{len(found.cells)} on which not all agree"
    )
    parts = [summary]
    if rows:
        parts.append(table(head, rows, right=range(1, len(head))))
    if found.contested:
        parts.append(
            f"In {found.contested} cells the geometry supports another reading than the one on which most families "
            "agree. Their reading stands: it is the print's, which may have misprints."
        )
    counts = ((c.name, c.cells, c.errors, c.alone, c.corrected, c.two_readings) for c in found.charts)
    head = ["chart", "cells", "errors", "alone with it", "corrects the print", "two readings"]
    parts.append(table(head, counts, right=range(1, 6)))
    joined = [link for link in found.links if link.joined]
    if joined:
        shared = (
            (
                f"{link.one}, {link.other}",
                link.shared,
                f"{link.errors_one}, {link.errors_other}",
                f"{link.expected:.2f}",
                f"{link.chance:.1g}",
                f"{link.contains} has all errors of the other" if link.contains else "",
            )
            for link in joined
        )
        parts.append(
            "Common source, by shared errors (cells in which both have the same reading, other than the one that "
            "stands)\n" + table(("charts", "shared", "errors", "by chance", "probability", ""), shared, right=(1, 3, 4))
        )
        parts.append("Families: " + "; ".join(", ".join(group) for group in found.families))
        related = {name for group in found.families if len(group) > 1 for name in group}
        parts.append("Family tree\n" + "\n".join(_descent_text(d) for d in found.descents if d.chart in related))
    elif len(names) > 2:  # noqa: PLR2004 - two charts have no majority
        parts.append("No two charts share more errors than chance gives.")
    else:
        parts.append("Two charts have no majority: a third copy, or the geometry, would tell which is wrong.")
    parts += [
        f"{', '.join(split.one)} stand against {', '.join(split.other)} in {split.cells} cells: one of the two groups "
        "has a common source; the geometry or another copy would tell which."
        for split in found.splits
    ]
    return "\n\n".join(parts)


def _descent_text(descent: "Descent") -> str:
    if descent.parent is None:
        return f"{descent.chart} descends from none of these charts"
    corrected = f", and corrects {descent.corrected}" if descent.corrected else ""
    return (
        f"{descent.chart} descends from {descent.parent}: it has {count_noun(descent.inherited, 'error')} of it, "
        f"{descent.added} more of its own{corrected}"
    )


def _amount(value: float | None, none: str) -> str:
    return none if value is None else f"{value:g}"
