"""The group `mapkit variant`: its commands with their options; what they do stands in modules of their own."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from mapkit.cli.options import JsonOpt, WorkspaceOpt

variant_app = typer.Typer(
    name="variant",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Variants: named sets of changes to a board or its rules.",
)

NameArg = Annotated[
    str, typer.Argument(metavar="VARIANT", help="A variant of the workspace or a shipped one, or a file (.toml).")
]
NamesArg = Annotated[list[str], typer.Argument(metavar="VARIANT...", help="Variants, in order; bases come with them.")]
BoardOpt = Annotated[
    str | None,
    typer.Option("--board", "-b", metavar="BOARD", help="The board; else the one that the variants are for, or usa."),
]

_EITHER = "A board, a board with variants (usa+first-printing), a variant, or a file (board.json, .toml)."


@variant_app.command("list")
def list_variants(
    board: Annotated[
        str | None, typer.Option("--board", "-b", metavar="BOARD", help="Only those that fit this board.")
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """List the variants of the workspace and the shipped ones.

    A row a variant: its name, the board that it is for (any: it changes rules), its title. A file that is wrong is
    listed with what is wrong; then the exit code is 1.
    """
    from mapkit.cli import variant_shelf  # noqa: PLC0415

    sys.exit(variant_shelf.list_variants(board=board, workspace=workspace, as_json=as_json))


@variant_app.command("show")
def show(name: NameArg, workspace: WorkspaceOpt = None, as_json: JsonOpt = False) -> None:
    """Show a variant: what it is based on, and its operations with their reasons."""
    from mapkit.cli import variant_shelf  # noqa: PLC0415

    variant_shelf.show(name, workspace=workspace, as_json=as_json)


@variant_app.command("new")
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name: letters, digits, hyphens.")],
    board: Annotated[
        str | None, typer.Option("--board", "-b", metavar="BOARD", help="The board that it is for.")
    ] = None,
    title: Annotated[str, typer.Option("--title", "-t", metavar="TEXT", help="Its title.")] = "",
    source: Annotated[
        str | None, typer.Option("--from", metavar="VARIANT", help="Copy this variant under the new name.")
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Start a variant: variants/NAME.toml, with one operation to change."""
    from mapkit.cli import variant_shelf  # noqa: PLC0415

    variant_shelf.new(name, board=board, title=title, source=source, workspace=workspace, as_json=as_json)


@variant_app.command("apply")
def apply(
    names: NamesArg,
    board: BoardOpt = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE.json", help="Write the changed board there.")
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Apply variants to a board and say what came of it; --out writes the board file.

    Without --out nothing is written. For the whole bundle use mapkit build BOARD --variant NAME.
    """
    from mapkit.cli import variant_applying  # noqa: PLC0415

    variant_applying.apply(names, board=board, out=out, workspace=workspace, as_json=as_json)


@variant_app.command("check")
def check(
    names: NamesArg,
    board: BoardOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Check that variants fit their board and each other, and check the board that they give.

    Every operation is tried before anything is said. Prints the findings that the base has not. Exits 0 if there is
    no error, 1 if there is one.
    """
    from mapkit.cli import variant_applying  # noqa: PLC0415

    sys.exit(variant_applying.check(names, board=board, workspace=workspace, as_json=as_json))


@variant_app.command("diff")
def diff(
    a: Annotated[str, typer.Argument(metavar="A", help=_EITHER)],
    b: Annotated[str, typer.Argument(metavar="B", help="Likewise.")],
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE.svg", help="Draw what differs over the board.")
    ] = None,
    as_variant: Annotated[
        Path | None,
        typer.Option("--as-variant", metavar="FILE.toml", help="Write a variant that makes B of A when applied."),
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Compare two boards or variants by meaning: what was done to A to get B.

    Mileposts, segments, railroads, cities, regions, charts and rules. A variant that changes rules alone is applied
    to the other board. Exits 1 if --as-variant could not say everything; what it could not say is told.
    """
    from mapkit.cli import variant_diff  # noqa: PLC0415

    sys.exit(variant_diff.diff(a, b, svg=svg, as_variant=as_variant, workspace=workspace, as_json=as_json))


@variant_app.command("from")
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
    """Make a variant of what was edited in an exported file: variants/NAME.toml.

    Points that were moved, lines that were drawn, cells that were changed become operations, and nothing else does.
    What the other program dropped is as in the board. Without a change nothing is written. Exits 1 if no operation can
    say something; that is told.
    """
    from mapkit.cli import variant_editing  # noqa: PLC0415

    sys.exit(
        variant_editing.edited(
            file, name, of=of, title=title, overwrite=overwrite, workspace=workspace, as_json=as_json
        )
    )


@variant_app.command("rebase")
def rebase(
    name: NameArg,
    old: Annotated[str, typer.Option("--from", metavar="A", help=f"What it was made for. {_EITHER}")],
    new: Annotated[
        str | None, typer.Option("--onto", metavar="B", help="What it is to fit; its own board by default.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE.toml", help="Write the moved variant there.")
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Move a variant to a changed base, and say what no longer fits.

    Ids that changed are followed; operations that the new base has done already are dropped. Without --out nothing is
    written. Exits 1 if an operation no longer fits; it is left out. The bases of the variant are part of A and of B.
    """
    from mapkit.cli import variant_diff  # noqa: PLC0415

    sys.exit(variant_diff.rebase_onto(name, old, new, out=out, workspace=workspace, as_json=as_json))
