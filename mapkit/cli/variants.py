"""`mapkit variant`, for boards of any kind."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.finding_table import show_report
from mapkit.console.options import JsonOpt, WorkspaceOpt, written_option
from mapkit.console.printing import print_message, print_result, stages, table
from mapkit.console.variants import EITHER, NameArg, NamesArg
from mapkit.core.plurals import counted

if TYPE_CHECKING:
    from mapkit.api.variants import VariedBoard
    from mapkit.document.command import Command
    from mapkit.variants.applying import PlacedVariant

BoardOpt = Annotated[
    str | None,
    typer.Option("--board", "-b", metavar="BOARD", help="The board; else the one that the variants are for, or usa."),
]

_HIDDEN = {"kind", "reason"}


def list_variants(
    board: Annotated[
        str | None, typer.Option("--board", "-b", metavar="BOARD", help="Only those that fit this board.")
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """List the variants of the workspace and the shipped ones.

    One row per variant: its name, its board (any if it only changes rules), its title. A faulty file is listed with
    its fault; then the exit code is 1.
    """
    found = mapkit.list_variants(board=board, workspace=workspace)
    if as_json:
        shown = {"name", "title", "board", "rules", "variants", "after"}
        rows = [p.variant.model_dump(include=shown) for p in found.variants]
        print_result(texts.json_text({"variants": rows, "problems": list(found.problems)}))
    else:
        rows_of_text = ((p.name, p.variant.board or "any", p.variant.title) for p in found.variants)
        print_result(table(("variant", "board", "title"), rows_of_text))
        for problem in found.problems:
            print_message(problem)
    sys.exit(1 if found.problems else 0)


def show(name: NameArg, workspace: WorkspaceOpt = None, as_json: JsonOpt = False) -> None:
    """Show a variant: what it is based on, and its operations with their reasons."""
    placed = mapkit.read_variant(name, workspace=workspace)
    print_result(texts.json_text(placed.variant) if as_json else variant_text(placed))


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
    path = mapkit.new_variant(name, board=board, title=title, source=source, workspace=workspace)
    if as_json:
        print_result(texts.json_text({"variant": name, "file": str(path)}))
        return
    print_result(str(path))
    print_message(f"change its operations, then look: mapkit variant check {name}")


def variant_text(placed: "PlacedVariant") -> str:
    """Return a variant in words: head, then each operation with its line and reason."""
    v = placed.variant
    lines = [f"{v.name}: {v.title}" if v.title else v.name]
    if v.description:
        lines += ["", v.description.strip(), ""]
    based = [f"board {v.board}"] if v.board else []
    rules = getattr(v, "rules", None)
    based += [f"rules {rules}"] if rules else []
    based += [f"variants {', '.join(v.variants)}"] if v.variants else []
    lines.append(f"based on: {'; '.join(based) or 'any board'}")
    if v.after:
        lines.append(f"comes after: {', '.join(v.after)}")
    for number, operation in enumerate(v.operations):
        lines += ["", f"{placed.where(number)}: {operation.kind} {_arguments(operation)}", f"  {operation.reason}"]
    return "\n".join(lines)


def _arguments(operation: "Command") -> str:
    given = operation.model_dump(exclude_unset=True, mode="json")
    shown = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in given.items() if key not in _HIDDEN]
    return ", ".join(shown)


def apply(
    names: NamesArg,
    board: BoardOpt = None,
    out: Annotated[
        Path | None, written_option("--out", "-o", metavar="FILE.json", help="Write the changed board there.")
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Apply variants to a board and report the result; --out writes the board file.

    Without --out nothing is written. For the whole bundle use mapkit build BOARD --variant NAME.
    """
    with stages(f"apply {' '.join(names)}") as progress:
        made = mapkit.vary_board(names, board=board, out=out, workspace=workspace, progress=progress)
    file = None if out is None else str(out)
    head = {"board": made.id, "variants": list(made.variants), "file": file}
    summary = {**head, "rows": made.elements, **made.elements}
    print_result(texts.json_text(summary) if as_json else _sentence(made))
    if out is not None:
        print_message(f"written: {out}")


def check(names: NamesArg, board: BoardOpt = None, workspace: WorkspaceOpt = None, as_json: JsonOpt = False) -> None:
    """Check that variants fit their board and each other, and check the board that they give.

    Tries every operation first. Prints the findings that the base does not have. Exits 0 if there is
    no error, 1 if there is one.
    """
    with stages(f"check {' '.join(names)}") as progress:
        found = mapkit.check_varied_board(names, board=board, workspace=workspace, progress=progress)
    if as_json:
        print_result(texts.json_text(found.new))
    else:
        show_report(found.new, f"{_sentence(found.made)}; new", every=True)
        print_message(f"findings of the base that are gone: {found.gone}")
        if not found.checks.ok and found.new.ok:
            print_message(
                f"the board has errors that its base has too; mapkit check BOARD lists them: "
                f"{texts.counted(found.checks)}"
            )
    sys.exit(0 if found.checks.ok else 1)


def diff(
    a: Annotated[str, typer.Argument(metavar="A", help=EITHER)],
    b: Annotated[str, typer.Argument(metavar="B", help="Likewise.")],
    svg: Annotated[
        Path | None,
        written_option("--svg", metavar="FILE.svg", help="Draw what differs over the board (railroad boards)."),
    ] = None,
    as_variant: Annotated[
        Path | None,
        written_option("--as-variant", metavar="FILE.toml", help="Write a variant that turns A into B."),
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Compare two boards or variants of one kind: how to get from A to B.

    Railroad boards are compared by meaning: mileposts, segments, railroads, cities, regions, charts and rules; others
    row by row. A variant that only changes rules is applied to the other board. Exits 1 if --as-variant could not
    express everything; the rest is listed.
    """
    found = mapkit.compare(a, b, svg=svg, as_variant=as_variant, workspace=workspace)
    if as_variant is not None:
        print_message(f"{counted(found.operations or 0, 'operation')} in {as_variant}")
    for line in found.left:
        print_message(f"no operation says this: {line}")
    if svg is not None:
        print_message(f"The drawing is {svg}")
    difference = found.difference
    print_result(texts.json_text(difference) if as_json else "no difference" if difference.same else difference.text())
    sys.exit(1 if found.left else 0)


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
        print_message(f"{counted(len(found.variant.operations), 'operation')} in {out}")
    print_result(
        texts.json_text(found) if as_json else table(("no.", "operation", "fate", ""), found.rows(), right=(0,))
    )
    sys.exit(0 if found.ok else 1)


def _sentence(made: "VariedBoard") -> str:
    counts = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in made.elements.items())
    return f"{made.title} with {', '.join(made.variants)}: {counts}"
