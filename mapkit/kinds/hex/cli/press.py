"""`mapkit draw` and `mapkit print` on boards of hexagons."""

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


def draw(
    board: BoardArg,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    theme: ThemeOpt = "classic",
    language: LanguageOpt = "en",
    brightness: Annotated[
        int, typer.Option("--brightness", metavar="STEP", min=-1, max=1, help="-1 darker, 1 brighter than the theme.")
    ] = 0,
    contrast: Annotated[
        int, typer.Option("--contrast", metavar="STEP", min=0, max=1, help="1 for higher contrast.")
    ] = 0,
    out: Annotated[
        Path | None,
        written_option("--out", "-o", metavar="FILE", help="A .svg, .png or .pdf; BOARD-THEME.svg by default."),
    ] = None,
    dpi: Annotated[float, typer.Option("--dpi", metavar="DPI", help="Dots per inch of a PNG.")] = 150.0,
    fonts: Annotated[
        str, typer.Option("--fonts", metavar="name|embed|paths", help="How an SVG carries its fonts.")
    ] = "name",
    as_json: JsonOpt = False,
) -> None:
    """Draw a board of hexagons in a theme, as SVG, PNG or PDF.

    Themes are classic, atlas, dark and print (mapkit list themes), or a file of your own. The layout of the page
    is the same in every theme.
    """
    look = mapkit.HexLook(theme, language, brightness, contrast, dpi=dpi, fonts=fonts)
    with stages(f"draw {board}") as progress:
        progress("drawing")
        path, notes = mapkit.draw_hexes(board, out=out, look=look, variants=variants or (), workspace=workspace)
    for line in notes:
        print_message(line)
    print_result(texts.json_text({"board": board, "theme": theme, "picture": str(path)}) if as_json else str(path))


def print_(
    board: BoardArg,
    paper: PaperOpt = "a4",
    out: PdfOpt = None,
    only: Annotated[
        str | None,
        typer.Option(
            "--only",
            metavar="board,rules,pieces,cards",
            help="Print these only; ids of sheets work too, and what they begin with: tiles, cubes, bond.",
        ),
    ] = None,
    scale: ScaleOpt = "100",
    size: SizeOpt = None,
    overlap: OverlapOpt = 10.0,
    margin: MarginOpt = 5.0,
    bleed: BleedOpt = 0.0,
    duplex: DuplexOpt = False,
    booklet: BookletOpt = False,
    cmyk: CmykOpt = None,
    theme: ThemeOpt = "classic",
    language: LanguageOpt = "en",
    low_ink: LowInkOpt = False,
    sheet_paper: SheetPaperOpt = None,
    dpi: PngDpiOpt = None,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Write a board of hexagons to print and play as one PDF: tiles or a poster, plan, rules, pieces, cards.

    Track tiles, New City tiles, cubes, markers and tokens are sheets to cut out, as large as the hexagons of the board.
    Cards, engines and bonds have backs (--duplex). Money is not printed. All files are written or none.
    """
    factor = scale_of(scale, size)
    job = mapkit.PrintJob(paper, sheet_paper, margin, overlap, bleed, factor, size, duplex, booklet, cmyk)
    with stages(f"print {board}") as progress:
        done = mapkit.print_hexes(
            board,
            job,
            out=out or default_pdf(board, variants or (), paper, booklet=booklet),
            parts=mapkit.PrintedParts(tuple(split_commas(only or "")), theme, language, low_ink=low_ink, dpi=dpi),
            variants=variants or (),
            workspace=workspace,
            progress=progress,
        )
    head = {"board": done.board.id, "variants": list(variants or ())}
    show_printout(head, done.printout, done.files, job, as_json=as_json)
