"""`mapkit rules sheet`."""

from pathlib import Path
from typing import Annotated

import mapkit
from mapkit.console.options import LanguageOpt, WorkspaceOpt, written_option
from mapkit.console.printing import print_result
from mapkit.console.settings import parsed
from mapkit.kinds.rail.cli.rules.options import OptionOpt, SetOpt, TargetArg


def sheet(
    target: TargetArg = "usa",
    options: OptionOpt = None,
    settings: SetOpt = None,
    out: Annotated[
        Path | None,
        written_option("--out", "-o", metavar="FILE.md|FILE.html", help="Write it there; HTML is for printing."),
    ] = None,
    language: LanguageOpt = "board",
    workspace: WorkspaceOpt = None,
) -> None:
    """Write a rule sheet for the players at the table, in plain words, for exactly the options chosen.

    Markdown, or with --out FILE.html a page or two to print on A4 or Letter.
    """
    text = mapkit.rules_sheet(
        target,
        options=options or (),
        settings=parsed(settings or ()),
        language=language,
        out=out,
        workspace=workspace,
    )
    print_result(text if out is None else str(out))
