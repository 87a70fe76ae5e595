"""Arguments and options that commands on variants share."""

from typing import Annotated, Final

import typer

BoardOpt = Annotated[
    str | None,
    typer.Option(
        "--board",
        "-b",
        metavar="BOARD",
        help="The board; else the one that the variants are for, the only one, or usa.",
    ),
]
EITHER: Final = "A board, a board with variants (usa+first-printing), a variant, or a file (board.json, .toml)."
