"""`mapkit schema`."""

from typing import Annotated

import typer

from mapkit.console.options import JsonOpt
from mapkit.console.printing import result
from mapkit.core.jsontext import json_text
from mapkit.kinds.rail.api import schemas as api


def schema(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help=f"Which JSON Schema: {', '.join(api.SCHEMAS)}.")
    ] = "board",
    _as_json: JsonOpt = False,
) -> None:
    """Print the JSON Schema of the board file, or of what other commands print as JSON.

    It is JSON with --json or without.
    """
    if name not in api.SCHEMAS:
        raise typer.BadParameter(f"{name!r} is not one of {', '.join(api.SCHEMAS)}", param_hint="NAME")
    result(json_text(api.schema(name)))
