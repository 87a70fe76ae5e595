"""Scans of boards, for people."""

from typing import TYPE_CHECKING, Annotated, Final, Literal

from mapkit.console import texts
from mapkit.console.printing import print_message, print_result, table
from mapkit.core.plurals import count_noun, join_some
from mapkit.kinds.rail.cli import late
from mapkit.kinds.rail.cli.georeferencing import report_text as placed_text
from mapkit.operations.options import Flag

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.board_scan import BoardScan, LinkFound, SymbolsFound
    from mapkit.kinds.rail.model.scan_placing import ScanPlacing

_SHOWN: Final = 60
_STRAY: Final = 12


def show_scan(
    report: "BoardScan",
    *,
    form: Annotated[
        Literal["text", "json", "sarif"], Flag("--format -f", "text|json|sarif", "How to print what was found.")
    ] = "text",
    as_json: bool,
) -> None:
    """Print the contents of a scan, and the imported track."""
    if form == "json" and not as_json:
        print_result(texts.json_text(report))
    elif form == "sarif" and not as_json:
        print_result(texts.json_text(texts.file_sarif(late.make_link_report(report.findings), titles=late.LINK_TITLES)))
    elif not as_json:
        print_result(report_text(report))
    for warning in report.warnings:
        print_message(f"warning: {warning}")
    if lost := [found.elements[0] for found in report.findings if found.code == "T02" and found.accepted is None]:
        print_message(
            f"warning: no link is drawn of {join_some(lost)} (T02); give a pixel on the line of each: --colours "
            "FILE.csv with the columns railroad,x,y"
        )
    if report.imported is None:
        print_message("nothing written; leave out --dry-run to import the lines")
        return
    for note in report.imported.notes[:_SHOWN]:
        print_message(note)
    for path in report.imported.written:
        print_message(f"written: {path}")


def show_dots(report: "SymbolsFound", *, as_json: bool) -> None:
    """Print dots and squares."""
    for warning in report.warnings:
        print_message(f"warning: {warning}")
    if as_json:
        return
    rows = [(s.kind, f"{s.x:.1f}", f"{s.y:.1f}", f"{s.width:.1f}", f"{s.confidence:.2f}") for s in report.symbols]
    print_result(table(("kind", "x", "y", "width", "sure"), rows, right=(1, 2, 3, 4)))
    kinds = [symbol.kind for symbol in report.symbols]
    dots, squares = count_noun(kinds.count("dot"), "dot"), count_noun(kinds.count("square"), "square")
    print_message(f"{report.picture}: {dots}, {squares} of colour {report.colour}")


def show_placed(report: "ScanPlacing", *, as_json: bool) -> None:
    """Print proposed control points."""
    if not as_json:
        symbols = count_noun(report.symbols, "dot or square", "dots and squares")
        head = f"{report.picture}: {symbols}, {count_noun(report.names, 'name')} read beside them, {report.known} known"
        print_result(f"{placed_text(report.placed)}\n\n{head}")
    for warning in report.placed.warnings:
        print_message(f"warning ({warning.code}): {warning.message}")
    print_message(
        f"written: {report.written}" if report.written else "nothing written; leave out --dry-run to write the points"
    )


def report_text(report: "BoardScan") -> str:
    """Lay out the contents of a scan: railroads, then the doubtful links."""
    kinds = [milepost.kind for milepost in report.mileposts]
    rows = [(r.railroad, r.colour, r.links, r.doubtful) for r in report.railroads]
    head = table(("railroad", "colour", "links", "doubtful"), rows, right=(2, 3))
    sums = (
        f"{report.picture}: {count_noun(kinds.count('dot'), 'dot')}, {count_noun(kinds.count('square'), 'square')}, "
        f"{count_noun(len(report.links), 'link')}; a dot is {report.dot_width:g} pixels wide"
    )
    stray = (
        f"\n{count_noun(len(report.stray), 'dot or square', 'dots and squares')} that no railroad serves: "
        + "; ".join(f"{s.kind} at {s.x:g}, {s.y:g}" for s in report.stray[:_STRAY])
        + (f"; and {len(report.stray) - _STRAY} more, which --json lists" if len(report.stray) > _STRAY else "")
        if report.stray
        else ""
    )
    kept = {finding.id for finding in report.findings if finding.accepted is not None}
    doubtful = [link for link in report.links if link.why and link.finding not in kept]
    listed = f"\n\n{_doubts(doubtful)}" if doubtful else ""
    accepted = f"\n{count_noun(len(kept), 'finding')} accepted in board.toml" if kept else ""
    return f"{head}\n\n{sums}{stray}{listed}{accepted}"


def _doubts(links: "list[LinkFound]") -> str:
    rows = [
        (link.railroad, link.a, link.b, f"{link.confidence:.2f}", "" if link.drawn else "no", link.why, link.crop)
        for link in links[:_SHOWN]
    ]
    text = table(("railroad", "from", "to", "sure", "drawn", "why", "crop"), rows, right=(3,))
    more = len(links) - _SHOWN
    return text + (f"\n... and {count_noun(more, 'more doubtful link')}; --json lists all" if more > 0 else "")
