"""`mapkit draw` and `mapkit print` on card games."""

from pathlib import Path
from typing import Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, LanguageOpt, ThemeOpt, VariantOpt, WorkspaceOpt, written_option
from mapkit.console.printing import print_message, print_result, split_commas, stages
from mapkit.press.options import (
    BookletOpt,
    CmykOpt,
    DuplexOpt,
    LowInkOpt,
    MarginOpt,
    PdfOpt,
    PngDpiOpt,
    default_pdf,
    show_printout,
)

CardSizeOpt = Annotated[
    str, typer.Option("--card-size", metavar="poker|bridge|mini|tarot|WxH", help="Of cards; your own in mm: 60x110.")
]


def draw(
    board: BoardArg,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    theme: ThemeOpt = "classic",
    language: LanguageOpt = "en",
    card_size: CardSizeOpt = "poker",
    each: Annotated[
        str | None,
        typer.Option("--each", metavar="svg|png|pdf", help="Draw a file for each face and back, into a folder."),
    ] = None,
    brightness: Annotated[
        int, typer.Option("--brightness", metavar="STEP", min=-1, max=1, help="-1 darker, 1 brighter than the theme.")
    ] = 0,
    contrast: Annotated[
        int, typer.Option("--contrast", metavar="STEP", min=0, max=1, help="1 for higher contrast.")
    ] = 0,
    out: Annotated[
        Path | None,
        written_option(
            "--out", "-o", metavar="PATH", help="A .svg, .png or .pdf, or with --each a folder; named for the game."
        ),
    ] = None,
    dpi: Annotated[float, typer.Option("--dpi", metavar="DPI", help="Dots per inch of a PNG.")] = 150.0,
    fonts: Annotated[
        str, typer.Option("--fonts", metavar="name|embed|paths", help="How an SVG carries its fonts.")
    ] = "name",
    as_json: JsonOpt = False,
) -> None:
    """Draw the cards of a game in a theme, as SVG, PNG or PDF.

    All different cards and the track stand in one picture; --each draws each in a file of its own. In an SVG each card
    is a group with an id and its figures as data- attributes. Themes are classic, atlas, dark and print, or your own.
    """
    look = mapkit.CardLook(theme, language, card_size, brightness, contrast, dpi=dpi, fonts=fonts)
    with stages(f"draw {board}") as progress:
        progress("drawing")
        files, notes = mapkit.draw_cards(
            board, out=out, each=each, look=look, variants=variants or (), workspace=workspace
        )
    for line in notes:
        print_message(line)
    paths = [str(path) for path in files]
    print_result(texts.json_text({"board": board, "theme": theme, "pictures": paths}) if as_json else "\n".join(paths))


def print_(
    board: BoardArg,
    paper: Annotated[str, typer.Option("--paper", "-p", metavar="a4|letter|a3|tabloid", help="Of all pages.")] = "a4",
    out: PdfOpt = None,
    only: Annotated[
        str | None,
        typer.Option(
            "--only",
            metavar="rules,track,tokens,cards",
            help="Print these only; sorts of cards (certificate, railroad) and ids of sheets work too.",
        ),
    ] = None,
    card_size: CardSizeOpt = "poker",
    margin: MarginOpt = 5.0,
    bleed: Annotated[
        float, typer.Option("--bleed", metavar="MM", help="How far to print over the edge of cards; print shops ask 3.")
    ] = 0.0,
    duplex: DuplexOpt = False,
    booklet: BookletOpt = False,
    cmyk: CmykOpt = None,
    theme: ThemeOpt = "classic",
    language: LanguageOpt = "en",
    low_ink: LowInkOpt = False,
    dpi: PngDpiOpt = None,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Write a card game to print and play as one PDF: rules, track of share values, tokens, cards.

    With --duplex each page of cards is followed by its backs, mirrored: a railroad of two faces has the other on its
    back. With --bleed each card has its own crop marks. Money is not printed. All files are written or none.
    """
    job = mapkit.PrintJob(paper, margin=margin, bleed=bleed, duplex=duplex, booklet=booklet, cmyk=cmyk)
    with stages(f"print {board}") as progress:
        done = mapkit.print_cards(
            board,
            job,
            out=out or default_pdf(board, variants or (), paper, booklet=booklet),
            parts=mapkit.PrintedParts(tuple(split_commas(only or "")), theme, language, low_ink=low_ink, dpi=dpi),
            size=card_size,
            variants=variants or (),
            workspace=workspace,
            progress=progress,
        )
    head = {"board": done.game.id, "variants": list(variants or ())}
    show_printout(head, done.printout, done.files, job, as_json=as_json)
