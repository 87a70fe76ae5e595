"""`mapkit variant list`, `show` and `new`."""

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt, WorkspaceOpt
from mapkit.console.printing import result, table, talk
from mapkit.kinds.rail.cli import late
from mapkit.kinds.rail.cli.variants.options import NameArg

if TYPE_CHECKING:
    from mapkit.document.command import Command
    from mapkit.variants.applying import PlacedVariant

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
        result(texts.json_text({"variants": rows, "problems": list(found.problems)}))
    else:
        rows_of_text = ((p.name, p.variant.board or "any", p.variant.title) for p in found.variants)
        result(table(("variant", "board", "title"), rows_of_text))
        for problem in found.problems:
            talk(problem)
    sys.exit(1 if found.problems else 0)


def show(name: NameArg, workspace: WorkspaceOpt = None, as_json: JsonOpt = False) -> None:
    """Show a variant: what it is based on, and its operations with their reasons."""
    placed = mapkit.read_variant(name, workspace=workspace)
    result(texts.json_text(placed.variant) if as_json else variant_text(placed))


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
        result(texts.json_text({"variant": name, "file": str(path)}))
        return
    result(str(path))
    talk(f"change its operations, then look: mapkit variant check {name}")


def variant_text(placed: "PlacedVariant") -> str:
    """Return a variant in words: head, then each operation with its line and reason."""
    v = placed.variant
    lines = [f"{v.name}: {v.title}" if v.title else v.name]
    if v.description:
        lines += ["", v.description.strip(), ""]
    based = [f"board {v.board}"] if v.board else []
    based += [f"rules {v.rules}"] if isinstance(v, late.Variant) and v.rules else []
    based += [f"variants {', '.join(v.variants)}"] if v.variants else []
    lines.append(f"based on: {'; '.join(based) or 'any board'}")
    if v.after:
        lines.append(f"comes after: {', '.join(v.after)}")
    for number, operation in enumerate(v.operations):
        lines += ["", f"{placed.where(number)}: {operation.op} {_arguments(operation)}", f"  {operation.reason}"]
    return "\n".join(lines)


def _arguments(operation: "Command") -> str:
    given = operation.model_dump(exclude_unset=True, mode="json")
    shown = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in given.items() if key not in _HIDDEN]
    return ", ".join(shown)
