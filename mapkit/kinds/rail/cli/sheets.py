"""`mapkit sheets`."""

from pathlib import Path
from typing import Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, LanguageOpt, ThemeOpt, VariantOpt, WorkspaceOpt, written_option
from mapkit.console.printing import print_message, print_result, stages, table
from mapkit.core.plurals import counted
from mapkit.kinds.rail.cli import late


def sheets(
    board: BoardArg,
    variants: VariantOpt = None,
    only: Annotated[
        str | None,
        typer.Option(
            "--only",
            metavar="GROUP[,GROUP...]",
            help="Of reference, rules, destinations, payoffs, deeds, engines, chips, pads (all by default), and money.",
        ),
    ] = None,
    paper: Annotated[str, typer.Option("--paper", metavar="a4|letter", help="The size of pages.")] = "a4",
    theme: ThemeOpt = "board",
    language: LanguageOpt = "board",
    out: Annotated[
        Path | None,
        written_option("--out", "-o", metavar="FOLDER", help="Write the files there, not to sheets/BOARD/."),
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Draw charts, deeds, cards and pads for players.

    Pages are of the paper's size, cards 63 x 88 mm; sheets.json lists them with their backs. A chart that the board
    lacks has no sheet. All files are written or none.
    """
    with stages(f"sheets of {board}") as progress:
        done = mapkit.write_sheets(
            board,
            variants=variants or (),
            only=[name.strip() for name in only.split(",")] if only is not None else (),
            paper=paper,
            theme=theme,
            language=language,
            out=out,
            workspace=workspace,
            progress=progress,
        )
    if as_json:
        files = [str(path) for path in done.files]
        print_result(texts.json_text({"board": done.board.id, "folder": str(done.folder), "files": files}))
        return
    rows = ((done.folder / f"{s.id}.svg", s.kind, f"{s.width_mm:g} x {s.height_mm:g}", s.title) for s in done.sheets)
    print_result(table(("file", "kind", "mm", "what it is"), rows))
    cards = sum(sheet.kind == "card" for sheet in done.sheets)
    print_message(
        f"{done.board.title}: {counted(len(done.sheets) - cards, 'page')}, {counted(cards, 'card')}; "
        f"{late.LIST} lists them with their backs"
    )
