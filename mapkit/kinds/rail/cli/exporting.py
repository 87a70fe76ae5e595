"""`mapkit variant from`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt, WorkspaceOpt
from mapkit.console.printing import print_message, print_result


def edited(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="What mapkit export wrote, edited: GPKG, GeoJSON, KML, XLSX, ...")
    ],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The variant's name: letters, digits, hyphens.")],
    of: Annotated[
        str | None,
        typer.Option(
            "--of",
            "--board",
            "-b",
            metavar="BOARD",
            help="The board that it was exported from, with its variants (usa+first-printing); else the file says.",
        ),
    ] = None,
    title: Annotated[str, typer.Option("--title", "-t", metavar="TEXT", help="Its title.")] = "",
    overwrite: Annotated[bool, typer.Option("--replace", help="Write over a variant of that name.")] = False,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Turn edits in an exported file into a variant, variants/NAME.toml.

    Moved points, new lines and changed cells become operations, and nothing else does. What the other program dropped
    is taken from the board. Without a change, nothing is written. Exits 1 if no operation can express a change, and
    lists it.
    """
    made = mapkit.variant_from(file, name, of=of, title=title, overwrite=overwrite, workspace=workspace)
    if as_json:
        path = None if made.path is None else str(made.path)
        print_result(texts.json_text({"variant": made.variant, "file": path, "left": list(made.left)}))
    elif made.path is not None:
        print_result(
            "\n".join(f"{number}. {op.kind}: {op.reason}" for number, op in enumerate(made.variant.operations, 1))
        )
    for line in made.left:
        print_message(f"no operation says this: {line}")
    if made.path is None:
        print_message(f"{file.name} holds {made.base.title} as it was; nothing written")
    else:
        print_message(f"written: {made.path}; look: mapkit variant check {name}")
    sys.exit(1 if made.left else 0)
