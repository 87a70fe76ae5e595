"""`mapkit print` and `mapkit picture`."""

from pathlib import Path
from typing import Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, LanguageOpt, ThemeOpt, VariantOpt, WorkspaceOpt, written_option
from mapkit.console.printing import listed, result, stages, table, talk
from mapkit.core.errors import PrintError


def print_(
    board: BoardArg,
    paper: Annotated[
        str, typer.Option("--paper", "-p", metavar="a4|letter|a3|tabloid|poster", help="Poster: one page, full size.")
    ] = "a4",
    out: Annotated[
        Path | None, written_option("--out", "-o", metavar="FILE.pdf", help="The PDF; BOARD-PAPER.pdf by default.")
    ] = None,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="board,sheets,cards,money", help="Print these only; ids of sheets work too."),
    ] = None,
    scale: Annotated[str, typer.Option("--scale", metavar="PERCENT", help="Of the board.")] = "100",
    size: Annotated[
        float | None, typer.Option("--size", metavar="MM", help="The width that the board gets, instead of --scale.")
    ] = None,
    overlap: Annotated[float, typer.Option("--overlap", metavar="MM", help="What neighbouring tiles share.")] = 10.0,
    margin: Annotated[
        float, typer.Option("--margin", metavar="MM", help="What the printer leaves white at each edge.")
    ] = 5.0,
    bleed: Annotated[
        float, typer.Option("--bleed", metavar="MM", help="How far to print over the edge of the board and of cards.")
    ] = 0.0,
    duplex: Annotated[
        bool, typer.Option("--duplex", help="Print the backs of cards too, mirrored, on the page behind.")
    ] = False,
    booklet: Annotated[
        bool, typer.Option("--booklet", help="Sheets as a booklet to fold, with the board across the middle.")
    ] = False,
    cmyk: Annotated[
        Path | None,
        typer.Option("--cmyk", metavar="FILE.icc", help="Write PDF/X-4 in the inks of this profile of a print shop."),
    ] = None,
    theme: ThemeOpt = "board",
    language: LanguageOpt = "board",
    low_ink: Annotated[bool, typer.Option("--low-ink", help="White ground, pale tints.")] = False,
    sheet_paper: Annotated[
        str | None,
        typer.Option("--sheet-paper", metavar="PAPER", help="Paper of sheets and cards; the board's by default."),
    ] = None,
    dpi: Annotated[
        float | None, typer.Option("--dpi", metavar="N", help="Write board, sheets and cards as PNG too.")
    ] = None,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Write a board to print and play as one PDF: tiles or a poster, plan, ruler, sheets, cards.

    Tiles overlap and have crop marks and crosses to lay over each other; an assembly plan shows where they go. Fonts
    are embedded, text can be selected, and the same board gives the same bytes. All files are written or none.
    """
    if size is not None and scale != "100":
        raise typer.BadParameter("give --scale or --size, not both", param_hint="--size")
    name = f"{Path(board).stem or 'board'}-{'booklet' if booklet else paper.lower()}.pdf"
    job = mapkit.PrintJob(paper, sheet_paper, margin, overlap, bleed, scale_of(scale), size, duplex, booklet, cmyk)
    with stages(f"print {board}") as progress:
        done = mapkit.print_board(
            board,
            job,
            out=out or Path(name),
            parts=mapkit.PrintedParts(tuple(listed(only or "")), theme, language, low_ink=low_ink, dpi=dpi),
            variants=variants or (),
            workspace=workspace,
            progress=progress,
        )
    if as_json:
        result(texts.json_text(printed_summary(done, job)))
        return
    result("\n".join(str(path) for path in done.files))
    rows = [(section.title, _pages(section.first, section.pages)) for section in done.printout.sections]
    talk(table(("what", "pages"), rows))
    plan = done.printout.plan
    if plan is not None:
        sheet = f"{plan.paper[0]:g} x {plan.paper[1]:g} mm"
        talk(f"The board takes {plan.columns} x {plan.rows} sheets of {sheet}. Print at 100 % and measure the ruler.")
    for line in done.printout.notes:
        talk(f"note: {line}")


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
    """Turn an SVG drawing into PDF or PNG, or into an SVG that carries its fonts.

    Only the fonts that mapkit ships are used, whatever the machine has. A PDF has exactly the size of the drawing.
    """
    with stages(f"picture {file.name}") as progress:
        progress(f"drawing {to}")
        written, notes = mapkit.convert_picture(file, to=to, out=out, dpi=dpi, fonts=fonts)
    if as_json:
        result(texts.json_text({"file": str(written), "notes": list(notes)}))
        return
    result(str(written))
    for line in notes:
        talk(f"note: {line}")


def printed_summary(done: "mapkit.Printed", job: "mapkit.PrintJob") -> dict[str, object]:
    """Return what `mapkit print --json` prints."""
    plan = done.printout.plan
    return {
        "board": done.board.id,
        "variants": list(done.board.variants),
        "files": [str(path) for path in done.files],
        "paper": job.paper.lower(),
        "sheet_paper": job.for_sheets[0],
        "pages": done.printout.pages,
        "sections": [
            {"title": section.title, "first": section.first, "pages": section.pages}
            for section in done.printout.sections
        ],
        "tiles": None if plan is None else {"columns": plan.columns, "rows": plan.rows, "overlap": plan.overlap},
        "notes": list(done.printout.notes),
    }


def scale_of(text: str) -> float:
    """Return a scale as a factor, from a percentage such as `80` or `80%`.

    Raises:
        PrintError: It is not a number.
    """
    try:
        return float(text.strip().removesuffix("%").strip()) / 100
    except ValueError:
        raise PrintError(f"scale {text!r}: give a percentage, such as 80") from None


def _pages(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first} to {first + count - 1}"
