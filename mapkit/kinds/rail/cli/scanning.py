"""`mapkit scan trace`, `mapkit scan dots` and `mapkit scan place`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt, WorkspaceOpt, YesOpt, written_option
from mapkit.console.printing import print_message, print_result, stages, table
from mapkit.core.plurals import counted
from mapkit.kinds.rail.cli import late
from mapkit.kinds.rail.cli.georeferencing import report_text as placed_text

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.board_scan import BoardScan, LinkFound

_SHOWN: Final = 60
_STRAY: Final = 12
_FORMS: Final = ("text", "json", "sarif")
PictureArg = Annotated[Path, typer.Argument(metavar="PICTURE", help="A scan of a board: PNG, JPEG, WebP or TIFF.")]
SymbolsOpt = Annotated[
    str | None,
    typer.Option("--symbols", metavar="#RRGGBB", help="What dots and squares are filled with; found by default."),
]


def trace_scan(
    picture: PictureArg,
    board: Annotated[
        str,
        typer.Option("--board", "-b", metavar="BOARD", help="The board that its lines go into, with its railroads."),
    ],
    colours: Annotated[
        Path | None,
        typer.Option(
            "--colours",
            metavar="FILE.csv",
            help="Colours in the picture: railroad, then colour (#rrggbb), or x and y of a pixel on its line; "
            "those of railroads.csv by default.",
        ),
    ] = None,
    legend: Annotated[
        bool,
        typer.Option(
            "--legend",
            help="Learn the colours from the picture's legend; needs the scan reader (mapkit doctor).",
        ),
    ] = False,
    symbols: SymbolsOpt = None,
    least: Annotated[
        float, typer.Option("--least", metavar="0-1", help="Links less sure than this are listed, not drawn.")
    ] = 0.5,
    crops: Annotated[
        Path | None,
        written_option(
            "--crops",
            metavar="FOLDER",
            help="Write a picture of each doubtful link into this folder, and index.html, which shows them.",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what the picture shows.")] = False,
    overwrite: Annotated[bool, typer.Option("--replace", help="Write over the drawing of an earlier scan.")] = False,
    yes: YesOpt = False,
    workspace: WorkspaceOpt = None,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="text|json|sarif", help="How to print what was found.")
    ] = "text",
    as_json: JsonOpt = False,
) -> None:
    """Read dots, squares and lines of railroads from a scan of a board, as a first draft.

    Finds dots and squares by their shape and size, follows the ink of each railroad between them, and says how sure it
    is of each link. The result is a drawing in pixels, drawings/NAME.svg, imported like any other: control_points.csv
    places it, and gives mileposts names of cities and of the gazetteer. Without control points the drawing waits.
    Each doubtful link is a finding (T01); those accepted in board.toml under [accepted] are counted only.
    """
    if form not in _FORMS:
        raise typer.BadParameter(f"{form!r} is not one of {', '.join(_FORMS)}", param_hint="--format")
    with stages(f"trace-scan {picture.name}", as_json=as_json) as progress:
        report = mapkit.trace_scan(
            picture,
            board=board,
            options=mapkit.ScanOptions(colours=colours, legend=legend, symbols=symbols, least=least, crops=crops),
            dry_run=dry_run,
            overwrite=overwrite,
            many=yes,
            workspace=workspace,
            progress=progress,
        )
    if as_json or form == "json":
        print_result(texts.json_text(report))
    elif form == "sarif":
        print_result(texts.json_text(texts.file_sarif(late.link_report(report.findings), titles=late.LINK_TITLES)))
    else:
        print_result(report_text(report))
    for warning in report.warnings:
        print_message(f"warning: {warning}")
    if report.imported is None:
        print_message("nothing written; leave out --dry-run to import the lines")
        return
    for note in report.imported.notes[:_SHOWN]:
        print_message(note)
    for path in report.imported.written:
        print_message(f"written: {path}")


def find_dots(
    picture: PictureArg,
    symbols: SymbolsOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Find the dots and squares of a scan of a board.

    Lists each with its kind, its middle and its width in pixels, and how sure it is, from top to bottom. The editor
    proposes them for mileposts and cities: Find dots and squares, in the panel Background.
    """
    with stages(f"find-dots {picture.name}") as progress:
        report = mapkit.find_dots(picture, symbols=symbols, progress=progress)
    for warning in report.warnings:
        print_message(f"warning: {warning}")
    if as_json:
        print_result(texts.json_text(report))
        return
    rows = [(s.kind, f"{s.x:.1f}", f"{s.y:.1f}", f"{s.width:.1f}", f"{s.confidence:.2f}") for s in report.symbols]
    print_result(table(("kind", "x", "y", "width", "sure"), rows, right=(1, 2, 3, 4)))
    kinds = [symbol.kind for symbol in report.symbols]
    print_message(
        f"{report.picture}: {counted(kinds.count('dot'), 'dot')}, {counted(kinds.count('square'), 'square')} of colour "
        f"{report.colour}"
    )


def place_scan(
    picture: PictureArg,
    board: Annotated[
        str,
        typer.Option("--board", "-b", metavar="BOARD", help="The board that control_points.csv goes into."),
    ],
    symbols: SymbolsOpt = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be written.")] = False,
    overwrite: Annotated[bool, typer.Option("--replace", help="Write over control_points.csv.")] = False,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Propose control points for a scan of a board from the names in it.

    Reads the names beside dots and squares, looks them up in cities.csv and the gazetteer, and keeps those that agree
    on where the picture lies. Writes up to 24 of them, spread over the picture, as control_points.csv, and says what
    each is off. Needs the scan reader (mapkit doctor).
    """
    with stages(f"place-scan {picture.name}") as progress:
        report = mapkit.place_scan(
            picture,
            board=board,
            symbols=symbols,
            dry_run=dry_run,
            overwrite=overwrite,
            workspace=workspace,
            progress=progress,
        )
    head = (
        f"{report.picture}: {counted(report.symbols, 'dot or square', 'dots and squares')}, "
        f"{counted(report.names, 'name')} read beside them, {report.known} known"
    )
    print_result(texts.json_text(report) if as_json else f"{placed_text(report.placed)}\n\n{head}")
    for warning in report.placed.warnings:
        print_message(f"warning ({warning.code}): {warning.message}")
    print_message(
        f"written: {report.written}" if report.written else "nothing written; leave out --dry-run to write the points"
    )


def report_text(report: "BoardScan") -> str:
    """Lay out what was found: railroads, then the doubtful links."""
    kinds = [milepost.kind for milepost in report.mileposts]
    rows = [(r.railroad, r.colour, r.links, r.doubtful) for r in report.railroads]
    head = table(("railroad", "colour", "links", "doubtful"), rows, right=(2, 3))
    sums = (
        f"{report.picture}: {counted(kinds.count('dot'), 'dot')}, {counted(kinds.count('square'), 'square')}, "
        f"{counted(len(report.links), 'link')}; a dot is {report.dot_width:g} pixels wide"
    )
    stray = (
        f"\n{counted(len(report.stray), 'dot or square', 'dots and squares')} that no railroad serves: "
        + "; ".join(f"{s.kind} at {s.x:g}, {s.y:g}" for s in report.stray[:_STRAY])
        + (f"; and {len(report.stray) - _STRAY} more, which --json lists" if len(report.stray) > _STRAY else "")
        if report.stray
        else ""
    )
    kept = {finding.id for finding in report.findings if finding.accepted is not None}
    doubtful = [link for link in report.links if link.why and link.finding not in kept]
    listed = f"\n\n{_doubts(doubtful)}" if doubtful else ""
    accepted = f"\n{counted(len(kept), 'doubtful link')} accepted in board.toml" if kept else ""
    return f"{head}\n\n{sums}{stray}{listed}{accepted}"


def _doubts(links: "list[LinkFound]") -> str:
    rows = [
        (link.railroad, link.a, link.b, f"{link.confidence:.2f}", "" if link.drawn else "no", link.why, link.crop)
        for link in links[:_SHOWN]
    ]
    text = table(("railroad", "from", "to", "sure", "drawn", "why", "crop"), rows, right=(3,))
    more = len(links) - _SHOWN
    return text + (f"\n... and {counted(more, 'more doubtful link')}; --json lists all" if more > 0 else "")
