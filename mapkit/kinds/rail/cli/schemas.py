"""`mapkit schema`."""

from typing import Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt
from mapkit.console.printing import print_result
from mapkit.core.plurals import join_some
from mapkit.kinds.rail.api.schemas import SCHEMAS, declare_types


def schema(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"Which JSON Schema: {', '.join(SCHEMAS)}.")] = "board",
    typescript: Annotated[bool, typer.Option("--typescript", help="Print TypeScript declarations.")] = False,
    _as_json: JsonOpt = False,
) -> None:
    """Print the JSON Schema of files and results.

    Schemas are of what mapkit writes; those called -accepted are of what it reads. The output is JSON with or without
    --json.
    """
    if name not in SCHEMAS:
        raise typer.BadParameter(f"{name!r} is not one of {join_some(SCHEMAS)}", param_hint="NAME")
    print_result(declare_types(name) if typescript else texts.json_text(mapkit.schema(name)))
