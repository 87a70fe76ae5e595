"""What `mapkit variant diff` and `mapkit variant rebase` do."""

from pathlib import Path

from mapkit import api
from mapkit.cli.printing import result, table, talk
from mapkit.errors import UnknownNameError, did_you_mean
from mapkit.jsontext import json_text
from mapkit.model.board import Board
from mapkit.model.board_diff import BoardDiff
from mapkit.model.rebase import Rebased
from mapkit.output import write_files
from mapkit.render.diff import render_diff
from mapkit.render.diff_legend import counts, names
from mapkit.sources.workspace import open_workspace
from mapkit.variants.as_variant import variant_of
from mapkit.variants.board_diff import diff_boards
from mapkit.variants.imports import with_charts
from mapkit.variants.rebase import rebase
from mapkit.variants.shelf import Shelf
from mapkit.variants.write import variant_text


def diff(
    a: str,
    b: str,
    *,
    svg: Path | None,
    as_variant: Path | None,
    workspace: Path | None,
    as_json: bool,
) -> int:
    """Run `mapkit variant diff`; return the exit code.

    Raises:
        UnknownNameError: There is no board or variant of that name.
        VariantError: A variant does not fit.
    """
    one, other = _two(a, b, workspace)
    found = diff_boards(one, other)
    code = 0
    if as_variant is not None:
        made = variant_of(one, other, name=as_variant.stem, title=names(found))
        _write(as_variant, variant_text(made.variant), workspace)
        talk(f"{len(made.variant.operations)} operations in {as_variant}")
        for line in made.left:
            talk(f"no operation says this: {line}")
        code = 1 if made.left else 0
    if svg is not None:
        _write(svg, render_diff(one, other, found), workspace)
        talk(f"The drawing is {svg}")
    result(json_text(found) if as_json else diff_text(found))
    return code


def _write(path: Path, text: str, workspace: Path | None) -> None:
    whole = open_workspace(workspace).root / path
    write_files(whole.parent, {whole.name: text})


def diff_text(found: BoardDiff) -> str:
    """Lay out a difference: the steps, and what they come to."""
    if found.same:
        return "no difference"
    totals = (f"{how}: {counts(found, how)}" for how in ("added", "removed", "changed"))
    return "\n".join((names(found), *(f"- {step.text}" for step in found.story), "; ".join(totals)))


def _two(a: str, b: str, workspace: Path | None) -> tuple[Board, Board]:
    """Return two boards; a variant of rules alone is applied to the board of the other."""
    one, other = board_of(a, workspace), board_of(b, workspace)
    if one is None and other is None:
        raise UnknownNameError(f"{a!r} and {b!r} change rules alone, of any board; name one with them: BOARD+{a}")
    if one is None and other is not None:
        one = board_of(f"{other.id}+{a}", workspace)
    if other is None and one is not None:
        other = board_of(f"{one.id}+{b}", workspace)
    if one is None or other is None:  # BOARD+VARIANT always names a board
        raise UnknownNameError(f"no board for {a!r} and {b!r}")
    return one, other


def board_of(given: str, workspace: Path | None) -> Board | None:
    """Return a board, a board with variants (`usa+first-printing`), or a variant on its own board.

    None stands for a variant of rules alone, which has no board.

    Raises:
        UnknownNameError: There is no board or variant of that name.
        VariantError: The variants do not fit.
    """
    shelf = Shelf(open_workspace(workspace))
    if given.casefold().endswith(".json"):
        return api.load(given, workspace=workspace)
    name, *variants = given.split("+")
    if name.endswith(".toml") or (name in shelf.paths() and not variants):
        board = next((p.variant.board for p in shelf.order([name]) if p.variant.board is not None), None)
        if board is None:
            return None
        name, variants = board, [name]
    try:
        return api.load(name, variants=variants, workspace=workspace)
    except UnknownNameError as error:
        hint = did_you_mean(name, shelf.paths())
        raise UnknownNameError(f"{error}{f'; or a variant{hint}' if hint and not variants else ''}") from error


def rebase_onto(
    name: str, old: str, new: str | None, *, out: Path | None, workspace: Path | None, as_json: bool
) -> int:
    """Run `mapkit variant rebase`; return the exit code.

    Raises:
        UnknownNameError: There is no board or variant of that name.
        VariantError: The variant does not fit what it was made for.
    """
    placed = Shelf(open_workspace(workspace)).read(name)
    onto = new or placed.variant.board
    if onto is None:
        raise UnknownNameError(f"{name!r} is for no board of its own; say --onto BOARD")
    one, other = board_of(old, workspace), board_of(onto, workspace)
    if one is None or other is None:
        raise UnknownNameError(f"{old if one is None else onto!r} changes rules alone; name a board: BOARD+VARIANT")
    found = rebase(with_charts(placed, one).variant, one, other)
    if out is not None:
        moved = found.variant.model_copy(update={"name": out.stem})
        _write(out, variant_text(moved), workspace)
        talk(f"{len(moved.operations)} operations in {out}")
    result(json_text(found) if as_json else rebase_text(found))
    return 0 if found.ok else 1


def rebase_text(found: Rebased) -> str:
    """Lay out the fate of each operation."""
    rows = ((o.number, o.op, o.fate, o.text) for o in found.operations)
    return table(("no.", "operation", "fate", ""), rows, right=(0,))
