"""Arguments of commands on variants, for boards of any kind."""

from typing import Annotated

import typer

NameArg = Annotated[
    str, typer.Argument(metavar="VARIANT", help="A variant of the workspace or a shipped one, or a file (.toml).")
]
NamesArg = Annotated[list[str], typer.Argument(metavar="VARIANT...", help="Variants, in order; bases come with them.")]
