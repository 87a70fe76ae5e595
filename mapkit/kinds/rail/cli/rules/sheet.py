"""`mapkit rules sheet`."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.console.options import WorkspaceOpt
from mapkit.console.printing import result
from mapkit.core.errors import OutputError
from mapkit.core.output import write_files
from mapkit.kinds.rail.api import rule_sheets as api
from mapkit.kinds.rail.cli.rules.options import OptionOpt, SetOpt, TargetArg, parsed

_FORMS = {".md": "md", ".html": "html", ".htm": "html"}


def sheet(
    target: TargetArg = "usa",
    options: OptionOpt = None,
    settings: SetOpt = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.md|FILE.html", help="Write it there; HTML is one page to print."),
    ] = None,
    workspace: WorkspaceOpt = None,
) -> None:
    """Write a rule sheet for the players at the table, in plain words, for exactly the options chosen.

    Markdown, or with --out FILE.html one page to print on A4 or Letter.
    """
    form = "md" if out is None else _FORMS.get(out.suffix.lower())
    if form is None:
        raise OutputError(f"{out}: rule sheets are written as .md or .html; give such a name")
    text = api.rules_sheet(
        target,
        options=options or (),
        settings=parsed(settings or ()),
        form="html" if form == "html" else "md",
        workspace=workspace,
    )
    if out is None:
        result(text)
        return
    write_files(out.parent, {out.name: text})
    result(str(out))
