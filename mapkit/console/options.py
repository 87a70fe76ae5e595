"""Options and arguments that several commands share, named once."""

from pathlib import Path
from typing import Annotated

import typer

BoardArg = Annotated[
    str,
    typer.Argument(
        metavar="BOARD",
        help="A board of the workspace or a shipped one (usa), the folder of a source package, or a board.json.",
    ),
]
JsonOpt = Annotated[bool, typer.Option("--json", help="Print the library's own result as JSON.")]
WorkspaceOpt = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        "-w",
        metavar="FOLDER",
        help="The folder that holds sources/ and build/; the current one by default.",
    ),
]
YesOpt = Annotated[bool, typer.Option("--yes", help="Place more mileposts by rule than boards have (1,000).")]
VariantOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--variant", metavar="NAME", help="Apply this variant, or the file of one (.toml); may be repeated, in order."
    ),
]
LanguageOpt = Annotated[
    str,
    typer.Option("--language", metavar="TAG", help="Words in en, es, es-MX or pt; as board.toml says by default."),
]
ThemeOpt = Annotated[
    str, typer.Option("--theme", "-t", metavar="NAME|FILE", help="A theme (mapkit themes), or a file of one (.toml).")
]
