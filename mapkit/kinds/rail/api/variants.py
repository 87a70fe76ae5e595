"""Applying, checking, comparing and moving variants of railroad boards."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mapkit.core.errors import UnknownNameError, VariantError, did_you_mean
from mapkit.core.findings import CheckReport
from mapkit.core.jsontext import json_text
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.api.boards import check
from mapkit.kinds.rail.api.loading import apply, load
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.difference import BoardDiff
from mapkit.kinds.rail.render.diff.drawing import render_diff
from mapkit.kinds.rail.render.diff.legend import names as kinds_of_changes
from mapkit.kinds.rail.variants.as_variant import variant_of
from mapkit.kinds.rail.variants.board_diff import diff_boards
from mapkit.kinds.rail.variants.causes import with_causes
from mapkit.kinds.rail.variants.imports import with_charts
from mapkit.kinds.rail.variants.rebase import rebase
from mapkit.kinds.rail.variants.variant import rail_shelf
from mapkit.variants.rebase import Rebased
from mapkit.variants.writing import variant_text

DEFAULT = "usa"
"""The board of variants that are for no board of their own."""


@dataclass(frozen=True)
class CheckedVariants:
    """A board with variants, and what its checks say.

    Attributes:
        board: The board.
        checks: All that they say.
        new: The findings that the base has not.
        gone: How many findings of the base are gone.
    """

    board: Board
    checks: CheckReport
    new: CheckReport
    gone: int


@dataclass(frozen=True)
class ComparedBoards:
    """How two boards differ.

    Attributes:
        difference: What was done to the one to get the other.
        operations: How many operations the variant has; None if none was written.
        left: What of the difference no operation says.
    """

    difference: BoardDiff
    operations: int | None
    left: tuple[str, ...]


def apply_to_file(
    names: Sequence[str],
    *,
    board: str | None = None,
    out: str | Path | None = None,
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> Board:
    """Return a board with variants applied, and write its board file if one is named.

    Args:
        names: The variants, in order; their bases come with them.
        board: The board; by default the one that they are for, else the classic one.
        out: Where to write the board file; nowhere by default.
        workspace: As for `load`.
        progress: Called with the name of each stage as it begins.

    Raises:
        VariantError: A variant is wrong, does not fit, contradicts another, or is for another board.
        MapkitError: As for `load`.
    """
    base = board or board_for(names, workspace)
    made = load(base, variants=names, workspace=workspace, progress=progress)
    if out is not None:
        _write(out, json_text(made))
    return made


def check_variants(
    names: Sequence[str],
    *,
    board: str | None = None,
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> CheckedVariants:
    """Check that variants fit their board and each other, and check the board that they give.

    Args:
        names: As for `apply_to_file`.
        board: As for `apply_to_file`.
        workspace: As for `load`.
        progress: Called with the name of each stage as it begins.

    Raises:
        VariantError: As for `apply_to_file`; likewise MapkitError.
    """
    plain = load(board or board_for(names, workspace), workspace=workspace, progress=progress)
    progress("applying variants")
    made = apply(plain, names, workspace=workspace)
    progress("checking")
    known = {f.id for f in check(plain, drawing=False).findings}
    after = with_causes(check(made, drawing=False), known, rail_shelf(open_workspace(workspace)).order(names))
    fresh = after.model_copy(update={"findings": tuple(f for f in after.findings if f.id not in known)})
    return CheckedVariants(made, after, fresh, len(known - {f.id for f in after.findings}))


def compare(
    a: str,
    b: str,
    *,
    svg: str | Path | None = None,
    as_variant: str | Path | None = None,
    workspace: str | Path | None = None,
) -> ComparedBoards:
    """Compare two boards or variants by meaning: what was done to A to get B.

    Args:
        a: A board, a board with variants (`usa+first-printing`), a variant, or a file (`board.json`, `.toml`). A
            variant that only changes rules is applied to the other board.
        b: Likewise.
        svg: Where to draw what differs over the board; nowhere by default.
        as_variant: Where to write a variant that turns A into B; nowhere by default.
        workspace: As for `load`.

    Raises:
        UnknownNameError: There is no board or variant of that name.
        VariantError: A variant does not fit.
        OutputError: A file cannot be written.
    """
    one, other = two_boards(a, b, workspace)
    found = diff_boards(one, other)
    operations: int | None = None
    left: tuple[str, ...] = ()
    if as_variant is not None:
        made = variant_of(one, other, name=Path(as_variant).stem, title=kinds_of_changes(found))
        _write(as_variant, variant_text(made.variant))
        operations, left = len(made.variant.operations), tuple(made.left)
    if svg is not None:
        _write(svg, render_diff(one, other, found))
    return ComparedBoards(found, operations, left)


def rebase_variant(
    name: str,
    old: str,
    new: str | None = None,
    *,
    out: str | Path | None = None,
    workspace: str | Path | None = None,
) -> Rebased:
    """Move a variant to a changed base.

    Args:
        name: A variant of the workspace or a shipped one, or a file (`.toml`).
        old: What it was made for, as for `compare`.
        new: What it should fit; its own board by default.
        out: Where to write the moved variant; nowhere by default.
        workspace: As for `load`.

    Returns:
        The moved variant, and the fate of each operation.

    Raises:
        UnknownNameError: There is no board or variant of that name.
        VariantError: The variant does not fit what it was made for.
        OutputError: The file cannot be written.
    """
    placed = rail_shelf(open_workspace(workspace)).read(name)
    onto = new or placed.variant.board
    if onto is None:
        raise UnknownNameError(f"{name!r} is for no board of its own; say --onto BOARD")
    one, other = board_of(old, workspace), board_of(onto, workspace)
    if one is None or other is None:
        raise UnknownNameError(f"{old if one is None else onto!r} changes rules alone; name a board: BOARD+VARIANT")
    found = rebase(with_charts(placed, one).variant, one, other)
    if out is not None:
        moved = found.variant.model_copy(update={"name": Path(out).stem})
        _write(out, variant_text(moved))
    return found


def board_for(names: Sequence[str], workspace: str | Path | None) -> str:
    """Return the board that variants are for, else the classic one.

    Raises:
        VariantError: Variants are for different boards; likewise what reading them raises.
    """
    asked = rail_shelf(open_workspace(workspace)).order(names)
    found = {p.variant.board: p for p in asked if p.variant.board is not None}
    if len(found) > 1:
        each = ", ".join(f"{p.name} for {b}" for b, p in sorted(found.items(), key=lambda item: item[0] or ""))
        raise VariantError(f"the variants are for different boards: {each}; use those of one")
    return next(iter(found), None) or DEFAULT


def two_boards(a: str, b: str, workspace: str | Path | None) -> tuple[Board, Board]:
    """Return two boards; a variant of rules alone is applied to the board of the other.

    Raises:
        UnknownNameError: There is no board or variant of that name.
        VariantError: The variants do not fit.
    """
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


def board_of(given: str, workspace: str | Path | None) -> Board | None:
    """Return a board, a board with variants (`usa+first-printing`), or a variant on its own board.

    None stands for a variant of rules alone, which has no board.

    Raises:
        UnknownNameError: There is no board or variant of that name.
        VariantError: The variants do not fit.
    """
    shelf = rail_shelf(open_workspace(workspace))
    if given.casefold().endswith(".json"):
        return load(given, workspace=workspace)
    name, *variants = given.split("+")
    if name.endswith(".toml") or (name in shelf.paths() and not variants):
        board = next((p.variant.board for p in shelf.order([name]) if p.variant.board is not None), None)
        if board is None:
            return None
        name, variants = board, [name]
    try:
        return load(name, variants=variants, workspace=workspace)
    except UnknownNameError as error:
        hint = did_you_mean(name, shelf.paths())
        raise UnknownNameError(f"{error}{f'; or a variant{hint}' if hint and not variants else ''}") from error


def _write(path: str | Path, text: str) -> None:
    whole = Path(path)
    write_files(whole.parent, {whole.name: text})
