"""Arguments of commands on variants, for boards of any kind."""

from typing import Annotated, Final

import typer

NameArg = Annotated[
    str, typer.Argument(metavar="VARIANT", help="A variant of the workspace or a shipped one, or a file (.toml).")
]
NamesArg = Annotated[list[str], typer.Argument(metavar="VARIANT...", help="Variants, in order; bases come with them.")]
EITHER: Final = "A board, a board with variants (usa+first-printing), a variant, or a file (board.json, .toml)."
