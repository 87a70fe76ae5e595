"""Command-line options of `mapkit print` shared by kinds of board, and output of its result."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mapkit.console import texts
from mapkit.console.options import written_option
from mapkit.console.printing import print_message, print_result, table
from mapkit.core.errors import PrintError
from mapkit.core.names import board_stem

if TYPE_CHECKING:
    from mapkit.press.job import PrintJob, Printout

PaperOpt = Annotated[
    str, typer.Option("--paper", "-p", metavar="a4|letter|a3|tabloid|poster", help="Poster: one page, full size.")
]
PdfOpt = Annotated[
    Path | None, written_option("--out", "-o", metavar="FILE.pdf", help="The PDF; BOARD-PAPER.pdf by default.")
]
ScaleOpt = Annotated[str, typer.Option("--scale", metavar="PERCENT", help="Of the board.")]
SizeOpt = Annotated[
    float | None, typer.Option("--size", metavar="MM", help="The width that the board gets, instead of --scale.")
]
OverlapOpt = Annotated[float, typer.Option("--overlap", metavar="MM", help="What neighbouring tiles share.")]
MarginOpt = Annotated[float, typer.Option("--margin", metavar="MM", help="What the printer leaves white at each edge.")]
BleedOpt = Annotated[
    float, typer.Option("--bleed", metavar="MM", help="How far to print over the edge of the board and of cards.")
]
DuplexOpt = Annotated[
    bool, typer.Option("--duplex", help="Print the backs of cards too, mirrored, on the page behind.")
]
BookletOpt = Annotated[
    bool, typer.Option("--booklet", help="Sheets as a booklet to fold, with the board across the middle.")
]
CmykOpt = Annotated[
    Path | None,
    typer.Option("--cmyk", metavar="FILE.icc", help="Write PDF/X-4 in the inks of this profile of a print shop."),
]
LowInkOpt = Annotated[bool, typer.Option("--low-ink", help="White ground, pale tints.")]
SheetPaperOpt = Annotated[
    str | None,
    typer.Option("--sheet-paper", metavar="PAPER", help="Paper of sheets and cards; the board's by default."),
]
PngDpiOpt = Annotated[
    float | None, typer.Option("--dpi", metavar="N", help="Write board, sheets and cards as PNG too.")
]


def default_pdf(board: str, variants: Sequence[str], paper: str, *, booklet: bool = False) -> Path:
    """Return the default name of the PDF."""
    stem = board_stem(Path(board).stem or "board", variants)
    return Path(f"{stem}-{'booklet' if booklet else paper.lower()}.pdf")


def scale_of(text: str, size: float | None) -> float:
    """Return a scale factor for a percentage such as `80` or `80%`.

    Raises:
        BadParameter: A size is given too.
        PrintError: It is not a number.
    """
    if size is not None and text != "100":
        raise typer.BadParameter("give --scale or --size, not both", param_hint="--size")
    try:
        return float(text.strip().removesuffix("%").strip()) / 100
    except ValueError:
        raise PrintError(f"scale {text!r}: give a percentage, such as 80") from None


def show_printout(
    head: Mapping[str, object], printout: "Printout", files: tuple[Path, ...], job: "PrintJob", *, as_json: bool
) -> None:
    """Print the files of a printout with pages and notes, or JSON with extra members in front."""
    plan = printout.plan
    if as_json:
        json_object = {
            **head,
            "files": [str(path) for path in files],
            "paper": job.paper.lower(),
            "sheet_paper": job.for_sheets[0],
            "pages": printout.pages,
            "sections": [
                {"title": section.title, "first": section.first, "pages": section.pages}
                for section in printout.sections
            ],
            "tiles": None if plan is None else {"columns": plan.columns, "rows": plan.rows, "overlap": plan.overlap},
            "notes": list(printout.notes),
        }
        print_result(texts.json_text(json_object))
        return
    print_result("\n".join(str(path) for path in files))
    rows = [(section.title, _page_range(section.first, section.pages)) for section in printout.sections]
    print_message(table(("what", "pages"), rows))
    if plan is not None:
        paper_text = f"{plan.paper[0]:g} x {plan.paper[1]:g} mm"
        print_message(
            f"The board takes {plan.columns} x {plan.rows} sheets of {paper_text}. "
            "Print at 100 % and measure the ruler."
        )
    for line in printout.notes:
        print_message(f"note: {line}")


def _page_range(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first} to {first + count - 1}"
