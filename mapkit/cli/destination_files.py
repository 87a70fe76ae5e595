"""What `mapkit destinations check` and `mapkit destinations diff` do."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from mapkit import api
from mapkit.charts.declared import mismatch_data, mismatch_text, mismatches
from mapkit.charts.destination_diff import DestinationDiff, diff_charts
from mapkit.charts.printed import destination_table
from mapkit.checks.destinations import CHECKS
from mapkit.checks.registry import run_checks
from mapkit.cli.printing import result, table, talk
from mapkit.errors import SourceError
from mapkit.jsontext import json_text
from mapkit.model.board import Board, DestinationChart
from mapkit.model.findings import CheckReport, Finding, Severity
from mapkit.output import write_files
from mapkit.sources.destination_files import ChartsRead, Known, read_destination_file
from mapkit.sources.workspace import open_workspace

_ENDINGS = (".csv", ".tsv", ".txt", ".md", ".xlsx", ".json")


def check(
    file: Path,
    *,
    board: str | None,
    declared: Path | None,
    chart: str | None,
    sheet: str | None,
    out: Path | None,
    workspace: Path | None,
    as_json: bool,
) -> int:
    """Run `mapkit destinations check`; return the exit code.

    Raises:
        SourceError: The file holds no charts, or names are wrong.
    """
    root = open_workspace(workspace).root
    base = api.load(board, workspace=workspace) if board is not None else None
    known = _known(base)
    read = read_destination_file(root / file, known=known, chart=chart, sheet=sheet)
    odds = {name: dict(of) for name, of in read.declared.items()}
    if declared is not None:
        more = read_destination_file(root / declared, known=known, chart=chart)
        for name, of in more.declared.items():
            odds.setdefault(name, {}).update(of)
    if not read.charts:
        raise SourceError(f"{file}: odds, but no chart; give the chart and --declared {file}")
    found = check_charts(read, odds, base)
    names = read.names | (_names(base) if base else {})
    if as_json:
        result(json_text(found))
    else:
        result("\n".join(api.finding_line(f) for f in found.findings) or "nothing found")
        cells = sum(
            value is not None for one in read.charts.values() for value in (*one.odd.values(), *one.even.values())
        )
        talk(f"{len(read.charts)} charts, {cells} of {22 * len(read.charts)} cells filled")
    if out is not None:
        write_files(out.parent, {out.name: destination_table(read.charts, names)})
        talk(f"The charts are {out}")
    return 0 if found.ok else 1


def check_charts(read: ChartsRead, odds: Mapping[str, Mapping[str, Fraction]], base: Board | None) -> CheckReport:
    """Run the checks of destination charts on what was read, put on its board; without one, what can be told."""
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
            message=f"{chart}: {parity} {total} is empty; fill it in",
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
            message=f"{chart}: {mismatch_text(wrong, read.names)}",
            data=mismatch_data(wrong),
        )
        for chart, cells in read.charts.items()
        for wrong in mismatches(cells, odds.get(chart, {}))
    ]


def _without_rows(board: Board) -> Board:
    """Drop the rows of the board's own chart file: the cells come from elsewhere."""
    elements = {
        kind: rows for kind, rows in board.provenance.elements.items() if kind not in ("destinations", "declared")
    }
    return board.model_copy(update={"provenance": board.provenance.model_copy(update={"elements": elements})})


def diff(a: str, b: str, *, board: str | None, workspace: Path | None, as_json: bool) -> None:
    """Run `mapkit destinations diff`.

    Raises:
        MapkitError: One of the two cannot be read.
    """
    known = _known(api.load(board, workspace=workspace)) if board is not None else None
    names: dict[str, str] = {}
    one, other = (_charts(given, known, names, workspace) for given in (a, b))
    found = diff_charts(one, other)
    result(json_text(found) if as_json else diff_text(found, names))


def _charts(
    given: str, known: Known | None, names: dict[str, str], workspace: Path | None
) -> dict[str, DestinationChart]:
    path = open_workspace(workspace).root / given
    if given.casefold().endswith(_ENDINGS):
        read = read_destination_file(path, known=known)
        names.update(read.names)
        return read.charts
    board = api.load(given, workspace=workspace)
    names.update(_names(board))
    return board.destinations


def diff_text(found: DestinationDiff, names: Mapping[str, str]) -> str:
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


def _known(board: Board | None) -> Known | None:
    if board is None:
        return None
    return Known([(r.id, r.name) for r in board.regions], [(c.id, c.name) for c in board.cities])


def _names(board: Board) -> dict[str, str]:
    return {r.id: r.name for r in board.regions} | {c.id: c.name for c in board.cities}
