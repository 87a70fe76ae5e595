"""`mapkit variant diff`, `from` and `rebase`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt, WorkspaceOpt, written_option
from mapkit.console.printing import result, table, talk
from mapkit.console.variants import NameArg
from mapkit.core.plurals import counted
from mapkit.kinds.rail.cli import late
from mapkit.kinds.rail.cli.variants.options import EITHER

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.difference import BoardDiff
    from mapkit.variants.rebase import Rebased


def diff(
    a: Annotated[str, typer.Argument(metavar="A", help=EITHER)],
    b: Annotated[str, typer.Argument(metavar="B", help="Likewise.")],
    svg: Annotated[
        Path | None, written_option("--svg", metavar="FILE.svg", help="Draw what differs over the board.")
    ] = None,
    as_variant: Annotated[
        Path | None,
        written_option("--as-variant", metavar="FILE.toml", help="Write a variant that turns A into B."),
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Compare two boards or variants by meaning: how to get from A to B.

    Mileposts, segments, railroads, cities, regions, charts and rules. A variant that only changes rules is applied to
    the other board. Exits 1 if --as-variant could not express everything; the rest is listed.
    """
    found = mapkit.compare(a, b, svg=svg, as_variant=as_variant, workspace=workspace)
    if as_variant is not None:
        talk(f"{found.operations} operations in {as_variant}")
        for line in found.left:
            talk(f"no operation says this: {line}")
    if svg is not None:
        talk(f"The drawing is {svg}")
    result(texts.json_text(found.difference) if as_json else diff_text(found.difference))
    sys.exit(1 if found.left else 0)


def edited(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="What mapkit export wrote, edited: GPKG, GeoJSON, KML, XLSX, ...")
    ],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The variant's name: letters, digits, hyphens.")],
    of: Annotated[
        str | None,
        typer.Option(
            "--of",
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
        result(texts.json_text({"variant": made.variant, "file": path, "left": list(made.left)}))
    elif made.path is not None:
        result("\n".join(f"{number}. {op.kind}: {op.reason}" for number, op in enumerate(made.variant.operations, 1)))
    for line in made.left:
        talk(f"no operation says this: {line}")
    if made.path is None:
        talk(f"{file.name} holds {made.base.title} as it was; nothing written")
    else:
        talk(f"written: {made.path}; look: mapkit variant check {name}")
    sys.exit(1 if made.left else 0)


def rebase(
    name: NameArg,
    old: Annotated[str, typer.Option("--from", metavar="A", help=f"What it was made for. {EITHER}")],
    new: Annotated[
        str | None, typer.Option("--onto", metavar="B", help="What it should fit; its own board by default.")
    ] = None,
    out: Annotated[
        Path | None, written_option("--out", "-o", metavar="FILE.toml", help="Write the moved variant there.")
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Move a variant to a changed base, and say what no longer fits.

    Ids that changed are followed; operations that the new base already contains are dropped. Without --out nothing is
    written. Exits 1 if an operation no longer fits; it is left out. The bases of the variant are part of A and of B.
    """
    found = mapkit.rebase_variant(name, old, new, out=out, workspace=workspace)
    if out is not None:
        talk(f"{counted(len(found.variant.operations), 'operation')} in {out}")
    result(texts.json_text(found) if as_json else rebase_text(found))
    sys.exit(0 if found.ok else 1)


def diff_text(found: "BoardDiff") -> str:
    """Lay out a difference: the steps, and what they come to."""
    if found.same:
        return "no difference"
    totals = (f"{how}: {late.counts(found, how)}" for how in ("added", "removed", "changed"))
    return "\n".join((late.names(found), *(f"- {step.text}" for step in found.story), "; ".join(totals)))


def rebase_text(found: "Rebased") -> str:
    """Lay out the fate of each operation."""
    return table(("no.", "operation", "fate", ""), found.rows(), right=(0,))
