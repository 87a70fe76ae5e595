"""`mapkit schema`."""

from typing import Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt
from mapkit.console.printing import print_result
from mapkit.kinds.rail.api.schemas import SCHEMAS


def schema(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"Which JSON Schema: {', '.join(SCHEMAS)}.")] = "board",
    _as_json: JsonOpt = False,
) -> None:
    """Print the JSON Schema of files and results.

    The output is JSON with or without --json.
    """
    if name not in SCHEMAS:
        raise typer.BadParameter(f"{name!r} is not one of {', '.join(SCHEMAS)}", param_hint="NAME")
    print_result(texts.json_text(mapkit.schema(name)))
