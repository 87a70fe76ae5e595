"""`mapkit print` and `mapkit picture`."""

from pathlib import Path
from typing import Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, LanguageOpt, ThemeOpt, VariantOpt, WorkspaceOpt, written_option
from mapkit.console.printing import print_message, print_result, split_commas, stages
from mapkit.press.options import (
    BleedOpt,
    BookletOpt,
    CmykOpt,
    DuplexOpt,
    LowInkOpt,
    MarginOpt,
    OverlapOpt,
    PaperOpt,
    PdfOpt,
    PngDpiOpt,
    ScaleOpt,
    SheetPaperOpt,
    SizeOpt,
    default_pdf,
    scale_of,
    show_printout,
)


def print_(
    board: BoardArg,
    paper: PaperOpt = "a4",
    out: PdfOpt = None,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="board,sheets,cards,money", help="Print these only; ids of sheets work too."),
    ] = None,
    scale: ScaleOpt = "100",
    size: SizeOpt = None,
    overlap: OverlapOpt = 10.0,
    margin: MarginOpt = 5.0,
    bleed: BleedOpt = 0.0,
    duplex: DuplexOpt = False,
    booklet: BookletOpt = False,
    cmyk: CmykOpt = None,
    theme: ThemeOpt = "board",
    language: LanguageOpt = "board",
    low_ink: LowInkOpt = False,
    sheet_paper: SheetPaperOpt = None,
    dpi: PngDpiOpt = None,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Write a board to print and play, as one PDF.

    Tiles overlap and have crop marks and crosses to lay over each other; an assembly plan shows where they go. Fonts
    are embedded, text can be selected, and the same board gives the same bytes. All files are written or none.
    """
    factor = scale_of(scale, size)
    job = mapkit.PrintJob(paper, sheet_paper, margin, overlap, bleed, factor, size, duplex, booklet, cmyk)
    with stages(f"print {board}") as progress:
        done = mapkit.print_board(
            board,
            job,
            out=out or default_pdf(board, variants or (), paper, booklet=booklet),
            parts=mapkit.PrintedParts(tuple(split_commas(only or "")), theme, language, low_ink=low_ink, dpi=dpi),
            variants=variants or (),
            workspace=workspace,
            progress=progress,
        )
    head = {"board": done.board.id, "variants": list(done.board.variants)}
    show_printout(head, done.printout, done.files, job, as_json=as_json)


def picture(
    file: Annotated[Path, typer.Argument(metavar="FILE.svg", help="A drawing, such as build/usa/board.svg.")],
    to: Annotated[str, typer.Option("--to", "-t", metavar="pdf|png|svg", help="What to make of it.")] = "pdf",
    out: Annotated[
        Path | None, written_option("--out", "-o", metavar="FILE", help="Where to; beside the drawing by default.")
    ] = None,
    dpi: Annotated[float, typer.Option("--dpi", metavar="N", help="Dots per inch of a PNG.")] = 300.0,
    fonts: Annotated[
        str,
        typer.Option("--fonts", metavar="name|embed|paths", help="Fonts of an SVG: named, embedded, or as outlines."),
    ] = "name",
    as_json: JsonOpt = False,
) -> None:
    """Turn an SVG drawing into PDF, PNG or portable SVG.

    Only the fonts that mapkit ships are used, whatever the machine has. A PDF has exactly the size of the drawing.
    """
    with stages(f"picture {file.name}") as progress:
        progress(f"drawing {to}")
        written, notes = mapkit.convert_picture(file, to=to, out=out, dpi=dpi, fonts=fonts)
    if as_json:
        print_result(texts.json_text({"file": str(written), "notes": list(notes)}))
        return
    print_result(str(written))
    for line in notes:
        print_message(f"note: {line}")
