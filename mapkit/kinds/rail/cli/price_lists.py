"""`mapkit railroads read`: prices of railroads from any file."""

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt, WorkspaceOpt
from mapkit.console.printing import print_message, print_result, stages, table
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.cli.payoffs.options import DecimalOpt, PagesOpt, UnitOpt, options

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.price_list import PriceList

_AMOUNT = re.compile(r"[$£€¥]?\d[\d.,' ]*")

AcceptOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--accept",
        "-a",
        metavar="TYPED=RAILROAD",
        help="This spelling is that railroad (id or name); - leaves it out. RAILROAD=AMOUNT says what its price is in "
        "a picture. Repeatable.",
    ),
]


def read(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="PDF, picture, CSV, TSV, XLSX, JSON, Markdown, or copied text; - is standard input."
        ),
    ],
    board: Annotated[str, typer.Option("--board", "-b", metavar="BOARD", help="The board whose railroads they are.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="CSV", help="Write the list there: id, name, price.")
    ] = None,
    unit: UnitOpt = None,
    decimal: DecimalOpt = None,
    accept: AcceptOpt = None,
    sheet: Annotated[
        str | None, typer.Option("--sheet", metavar="NAME", help="The sheet, if a workbook has several.")
    ] = None,
    pages: PagesOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Read a list of prices of railroads from any file, and compare it with the board.

    A name and the amount behind it are a price, wherever they stand; a row may hold several. Railroads match by id,
    short name or name, with or without words like Railroad; other spellings are suggested, and taken only with
    --accept. Pictures (PNG, JPEG, TIFF, WebP) and scanned PDFs need the scan reader (mapkit doctor); prices that
    the picture leaves in doubt are listed. Exits 1 if a price is in doubt.
    """
    settled, accepted = _parted(accept or ())
    with stages(f"Reading {file.name}") as say:
        given = options(unit=unit, decimal=decimal, accept=accepted, pages=pages)
        found = mapkit.read_prices(
            file,
            board=board,
            options=mapkit.PriceOptions(
                given.unit, given.decimal, given.accept, settled, sheet=sheet, pages=given.pages, say=say
            ),
            out=out,
            workspace=workspace,
        )
    print_result(texts.json_text(found) if as_json else list_text(found))
    if found.in_doubt:
        sys.exit(1)
    if out is not None:
        print_message(f"The list is {out}")


def _parted(items: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """Return prices that settle doubts, by railroad, and accepted spellings."""
    settled, accepted = {}, []
    for item in items:
        typed, _, amount = item.rpartition("=")
        if typed.strip() and _AMOUNT.fullmatch(amount.strip()):
            settled[typed.strip()] = amount.strip()
        else:
            accepted.append(item)
    return settled, accepted


def list_text(found: "PriceList") -> str:
    """Lay out a price list: notes, prices and differences."""
    lines = [
        f"{found.file}: {found.kind}, {count_noun(len(found.prices), 'price')}, 1 is {found.unit:,} ({found.unit_why})",
        *(f"note: {note}" for note in found.notes),
    ]
    sections: list[tuple[str, tuple[str, ...], list[tuple[str, ...]]]] = [
        ("prices in doubt, to be settled with --accept ID=AMOUNT", ("railroad", "read", "or", "why", "where"),
         [(p.railroad, p.text, ", ".join(p.candidates[1:]), p.doubt, p.where) for p in found.in_doubt]),
        ("prices that are not the board's", ("railroad", "file", "board", "where"),
         [(p.name, f"{p.price:,}", f"{p.board:,}", p.where) for p in found.differing]),
        ("railroads of the board that the file has not", ("railroad",), [(name,) for name in found.lacking]),
    ]  # fmt: skip
    for title, head, rows in sections:
        if rows:
            lines += ["", f"{title}:", table(head, rows)]
    if not (found.differing or found.lacking or found.in_doubt):
        lines.append("every railroad of the board has its price")
    return "\n".join(lines)
