"""Arguments and options that commands on variants share."""

from typing import Annotated, Final

import typer

NameArg = Annotated[
    str, typer.Argument(metavar="VARIANT", help="A variant of the workspace or a shipped one, or a file (.toml).")
]
NamesArg = Annotated[list[str], typer.Argument(metavar="VARIANT...", help="Variants, in order; bases come with them.")]
BoardOpt = Annotated[
    str | None,
    typer.Option("--board", "-b", metavar="BOARD", help="The board; else the one that the variants are for, or usa."),
]
EITHER: Final = "A board, a board with variants (usa+first-printing), a variant, or a file (board.json, .toml)."
