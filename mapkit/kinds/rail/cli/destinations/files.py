"""`mapkit destinations check` and `mapkit destinations diff`."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt, WorkspaceOpt
from mapkit.console.printing import print_message, print_result, stages, table
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.cli.destinations.options import OutOpt
from mapkit.kinds.rail.cli.payoffs.name_questions import unknown_names_text
from mapkit.kinds.rail.cli.payoffs.options import PagesOpt, pages_of

if TYPE_CHECKING:
    from mapkit.kinds.rail.api.destinations import DestinationsRead
    from mapkit.kinds.rail.charts.destinations.diff import DestinationDiff

AcceptOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--accept",
        "-a",
        metavar="TYPED=NAME",
        help="This spelling is that region or city (id or name); - leaves the cell empty. Repeatable.",
    ),
]


FileArg = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="PDF, picture, CSV, TSV, Markdown, XLSX, JSON, source code or copied text with charts; - is "
        "standard input.",
    ),
]
BoardOpt = Annotated[
    str | None, typer.Option("--board", "-b", metavar="BOARD", help="The board that the charts are for.")
]
ChartOpt = Annotated[
    str | None, typer.Option("--chart", metavar="NAME", help="The chart, if the file does not name it.")
]
SheetOpt = Annotated[str | None, typer.Option("--sheet", metavar="NAME", help="The sheet, if a workbook has several.")]


def check(
    file: FileArg,
    board: BoardOpt = None,
    declared: Annotated[
        Path | None,
        typer.Option("--declared", metavar="FILE", help="Declared odds: chart, name, odds; FILE may hold them too."),
    ] = None,
    chart: ChartOpt = None,
    sheet: SheetOpt = None,
    accept: AcceptOpt = None,
    pages: PagesOpt = None,
    out: OutOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Read destination charts from any file and check them; against declared odds, too.

    Layouts: chart, sum, odd, even; a long list with chart, column, sum, name; a column a chart; text copied from a PDF
    or a page; pages of a PDF, with charts side by side or one above the other. For misspelt names it suggests others,
    which it takes only with --accept. Pictures (PNG, JPEG, TIFF, WebP) and scanned PDFs need the scan reader (mapkit
    doctor); a name that is a letter or two off there is taken for the one of the board that it is nearest to, with a
    note. With --board, charts that are missing or differ from the board's are findings. FILE may also be a board, and a
    board's own charts are checked with their board. Exits 1 if there are errors.
    """
    with stages(f"Reading {file.name}") as say:
        found = mapkit.check_destinations(
            file,
            board=board,
            declared=declared,
            options=mapkit.ChartOptions(chart, sheet, _accepted(accept or ()), pages_of(pages), say=say),
            out=out,
            workspace=workspace,
        )
    if as_json:
        print_result(texts.json_text(found.checks))
    else:
        for note in found.notes:
            print_message(f"note: {note}")
        print_result("\n".join(texts.finding_lines(found.checks.findings, every=True)) or "nothing found")
        filled = sum(
            value is not None for one in found.charts.values() for value in (*one.odd.values(), *one.even.values())
        )
        count = len(found.charts)
        print_message(f"{count_noun(count, 'chart')}, {filled} of {22 * count} cells filled")
    if out is not None:
        print_message(f"The charts are {out}")
    sys.exit(0 if found.checks.ok else 1)


def read(
    file: FileArg,
    board: BoardOpt = None,
    chart: ChartOpt = None,
    sheet: SheetOpt = None,
    accept: AcceptOpt = None,
    leave_out: Annotated[
        bool,
        typer.Option("--leave-out", help="Exit 0 even if the board lacks names; their cells stay empty."),
    ] = False,
    pages: PagesOpt = None,
    out: OutOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Read destination charts from any file and say what was understood.

    Layouts and names are as for mapkit destinations check, which also judges the charts. Cells whose names the board
    lacks stay empty, and those names are listed; then it exits 1.
    """
    with stages(f"Reading {file.name}") as say:
        found = mapkit.read_destinations(
            file,
            board=board,
            options=mapkit.ChartOptions(
                chart, sheet, _accepted(accept or ()), pages_of(pages), leave_out=True, say=say
            ),
            out=out,
            workspace=workspace,
        )
    print_result(texts.json_text(found) if as_json else read_text(found))
    if out is not None:
        print_message(f"The charts are {out}")
    if found.left_out and not leave_out:
        print_message(unknown_names_text(found.left_out))
        sys.exit(1)


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


def _accepted(given: Iterable[str]) -> dict[str, str]:
    out: dict[str, str] = {}
    for item in given:
        typed, sign, name = item.rpartition("=")
        if not sign or not typed.strip() or not name.strip():
            raise typer.BadParameter(f"{item!r} is not TYPED=NAME, such as Pitsburg=pittsburgh", param_hint="--accept")
        out[typed.strip()] = "" if name.strip() == "-" else name.strip()
    return out


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
