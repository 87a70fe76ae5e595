"""Variants of boards of any kind: listing, starting, applying, checking, comparing and moving them."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from mapkit.core.errors import (
    ChoiceError,
    MapkitError,
    SourceError,
    UnknownNameError,
    VariantError,
    WorkspaceError,
)
from mapkit.core.findings import CheckReport
from mapkit.core.jsontext import json_text
from mapkit.core.output import write_files
from mapkit.core.problems import problem_lines
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import Workspace, open_workspace
from mapkit.formats.files import read_text
from mapkit.kinds.kind import Kind
from mapkit.kinds.registry import DEFAULT, get_kind, kind_names, kind_of, variant_kind
from mapkit.variants.applying import PlacedVariant
from mapkit.variants.reading import parse_variant
from mapkit.variants.rebase import Rebased
from mapkit.variants.shelf import FOLDER, VariantShelf, named_boards, new_variant_path
from mapkit.variants.writing import variant_text

AnyKind = Kind[Any, Any]


@dataclass(frozen=True)
class VariantList:
    """The variants that there are, and what is wrong with files that cannot be read."""

    variants: tuple[PlacedVariant, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class VariedBoard:
    """A board with variants applied.

    Attributes:
        id: Of the board.
        title: Its title.
        variants: The variants, in the order in which they were applied.
        elements: How many elements of each sort it has; of boards without a finer answer the rows of each table.
        board: What was compiled.
    """

    id: str
    title: str
    variants: tuple[str, ...]
    elements: dict[str, int]
    board: BaseModel


@dataclass(frozen=True)
class CheckedVariedBoard:
    """A board with variants, and what its checks say.

    Attributes:
        made: The board.
        checks: All that they say.
        new: The findings that the base has not.
        gone: How many findings of the base are gone.
    """

    made: VariedBoard
    checks: CheckReport
    new: CheckReport
    gone: int


@dataclass(frozen=True)
class ComparedBoards:
    """How two boards differ.

    Attributes:
        difference: What was done to the one to get the other: a `BoardDiff` of railroad boards, else the rows.
        operations: How many operations the variant has; None if none was written.
        left: What of the difference no operation says.
    """

    difference: Any
    operations: int | None
    left: tuple[str, ...]


def list_variants(*, board: str | None = None, workspace: str | Path | None = None) -> VariantList:
    """Return the variants of the workspace and the shipped ones, of boards of all kinds.

    Args:
        board: Only those that fit this board.
        workspace: The folder that holds `sources/`; the current folder by default.
    """
    space = open_workspace(workspace)
    kinds = kind_names() if board is None else (_kind_of_board(space, board),)
    variants: list[PlacedVariant] = []
    problems: list[str] = []
    for name in kinds:
        shelf = VariantShelf(space, get_kind(name).variant_model)
        for variant, placed in shelf.all():
            if variant_kind(space, variant, shelf.path(variant)) != name:
                continue
            if isinstance(placed, MapkitError):
                problems.append(str(placed))
            elif board is None or placed.variant.board in (None, board):
                variants.append(placed)
    return VariantList(tuple(sorted(variants, key=lambda placed: placed.name)), tuple(problems))


def read_variant(name: str, *, workspace: str | Path | None = None) -> PlacedVariant:
    """Return a variant with where it stands.

    Args:
        name: A variant of the workspace or a shipped one, or a file (`.toml`).
        workspace: As for `list_variants`.

    Raises:
        UnknownNameError: There is no such variant.
        VariantError: It is wrong.
    """
    space = open_workspace(workspace)
    return _shelf_of(space, name).read(name)


def new_variant(
    name: str,
    *,
    board: str | None = None,
    title: str = "",
    source: str | None = None,
    workspace: str | Path | None = None,
) -> Path:
    """Start a variant: `variants/NAME.toml`, with one operation to change; return the file.

    Args:
        name: Its name: letters, digits, hyphens.
        board: The board that it is for; none for rules alone.
        title: Its title; the name by default.
        source: A variant to copy.
        workspace: As for `list_variants`.

    Raises:
        VariantError: The name cannot become an id.
        OutputError: There is such a variant already, or the folder may not be written to.
        UnknownNameError: There is no such board, or no variant to copy.
    """
    space = open_workspace(workspace)
    path = new_variant_path(space, name)
    kind = get_kind(DEFAULT if board is None else kind_of(space.board_folder(board)).name)
    text = _started(kind, name, board, title) if source is None else _copied(_shelf_of(space, source), source, name)
    write_files(path.parent, {path.name: text})
    return path


def vary_board(
    names: Sequence[str],
    *,
    board: str | None = None,
    out: str | Path | None = None,
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> VariedBoard:
    """Return a board of any kind with variants applied, and write its board file if one is named.

    Args:
        names: The variants, in order; their bases come with them.
        board: The board; by default the one that they are for, else the usual one of its kind.
        out: Where to write the board file; nowhere by default.
        workspace: As for `list_variants`.
        progress: Called with the name of each stage as it begins.

    Raises:
        VariantError: A variant is wrong, does not fit, contradicts another, or is for another board.
        MapkitError: There is no such board or variant, or its files are wrong.
    """
    space = open_workspace(workspace)
    kind, base = _base(space, names, board)
    made = _varied(space, kind, base, names, progress)
    if out is not None:
        _write(out, json_text(made.board))
    return made


def check_varied_board(
    names: Sequence[str],
    *,
    board: str | None = None,
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> CheckedVariedBoard:
    """Check that variants fit their board and each other, and check the board that they give.

    Args:
        names: As for `vary_board`.
        board: As for `vary_board`.
        workspace: As for `list_variants`.
        progress: Called with the name of each stage as it begins.

    Raises:
        VariantError: As for `vary_board`; likewise MapkitError.
    """
    space = open_workspace(workspace)
    kind, base = _base(space, names, board)
    made = _varied(space, kind, base, names, progress)
    plain = kind.judge(space, base, variants=(), drawing=False, progress=progress).report
    after = kind.judge(space, base, variants=names, drawing=False, progress=progress).report
    known = {found.id for found in plain.findings}
    fresh = after.model_copy(update={"findings": tuple(one for one in after.findings if one.id not in known)})
    return CheckedVariedBoard(made, after, fresh, len(known - {one.id for one in after.findings}))


def compare(
    a: str,
    b: str,
    *,
    svg: str | Path | None = None,
    as_variant: str | Path | None = None,
    workspace: str | Path | None = None,
) -> ComparedBoards:
    """Compare two boards or variants of one kind: what was done to A to get B.

    Args:
        a: A board, a board with variants (`usa+first-printing`), a variant, or a file (`board.json`, `.toml`). A
            variant that only changes rules is applied to the other board.
        b: Likewise.
        svg: Where to draw what differs over the board, for railroad boards; nowhere by default.
        as_variant: Where to write a variant that turns A into B; nowhere by default.
        workspace: As for `list_variants`.

    Raises:
        ChoiceError: They are boards of different kinds, or differences of this kind are not drawn.
        UnknownNameError: There is no board or variant of that name.
        MapkitError: A variant does not fit, or a file is wrong or cannot be written.
    """
    kind, one, other = _two_boards(open_workspace(workspace), a, b)
    found = kind.compare(one, other, names=(a, b))
    picture = None if svg is None else kind.draw_difference(one, other, found)
    operations: int | None = None
    left: tuple[str, ...] = ()
    if as_variant is not None:
        made, left = kind.variant_between(one, other, name=Path(as_variant).stem, title=found.title())
        _write(as_variant, variant_text(made))
        operations = len(made.operations)
    if svg is not None and picture is not None:
        _write(svg, picture)
    return ComparedBoards(found, operations, left)


def rebase_variant(
    name: str,
    old: str,
    new: str | None = None,
    *,
    out: str | Path | None = None,
    workspace: str | Path | None = None,
) -> Rebased:
    """Move a variant of a board of any kind to a changed base.

    Args:
        name: The variant, as for `read_variant`.
        old: What it was made for, as for `compare`.
        new: What it should fit; its own board by default.
        out: Where to write the moved variant; nowhere by default.
        workspace: As for `list_variants`.

    Returns:
        The moved variant, and the fate of each operation.

    Raises:
        UnknownNameError: There is no board or variant of that name, or the variant is for no board and none is named.
        VariantError: The variant does not fit what it was made for.
        MapkitError: A file is wrong or cannot be written.
    """
    placed = read_variant(name, workspace=workspace)
    onto = new or placed.variant.board
    if onto is None:
        raise UnknownNameError(f"{name!r} is for no board of its own; say --onto BOARD")
    kind, one, other = _two_boards(open_workspace(workspace), old, onto)
    found = kind.rebase(placed, one, other)
    if out is not None:
        _write(out, variant_text(found.variant.model_copy(update={"name": Path(out).stem})))
    return found


def apply_to_file(names: Sequence[str], **options: Any) -> BaseModel:  # noqa: ANN401 - those of `vary_board`
    """Return the board of `vary_board`, which this was for railroad boards; deprecated."""
    return vary_board(names, **options).board


compare_tables, move_variant, check_variants = compare, rebase_variant, check_varied_board
"""Former names, one for each kind of boards; deprecated."""


def _kind_of_board(space: Workspace, board: str) -> str:
    """Return the kind of a board; of one that there is not, the default, so that variants of rules are listed."""
    try:
        return kind_of(space.board_folder(board)).name
    except UnknownNameError:
        return DEFAULT


def _shelf_of(space: Workspace, name: str) -> VariantShelf:
    return VariantShelf(space, get_kind(variant_kind(space, name) or DEFAULT).variant_model)


def _base(space: Workspace, names: Sequence[str], board: str | None) -> tuple[AnyKind, str]:
    """Return the board that variants are applied to, and its kind."""
    if board is None:
        shelf = _shelf_of(space, names[0])
        placed = shelf.order(names)
        found = {one.variant.board: one for one in placed if one.variant.board is not None}
        if len(found) > 1:
            each = ", ".join(f"{one.name} for {of}" for of, one in sorted(found.items(), key=lambda item: str(item[0])))
            raise VariantError(f"the variants are for different boards: {each}; use those of one")
        kind, only = get_kind(variant_kind(space, names[0]) or DEFAULT), space.only_board()
        own = only if only is not None and kind_of(space.board_folder(only)).name == kind.name else None
        board = next(iter(found), None) or own or kind.usual_board or only
    if board is None:
        raise ChoiceError(f"{names[0]!r} is for no board of its own; say --board BOARD")
    return _kind(space, board) or get_kind(DEFAULT), board


def _kind(space: Workspace, given: str) -> AnyKind | None:
    """Return the kind of a board or variant that a line names; None if there is no such one, or it is a file."""
    name = given.split("+", maxsplit=1)[0]
    with suppress(UnknownNameError, WorkspaceError):
        return kind_of(space.board_folder(name))
    known = variant_kind(space, name)
    return None if known is None else get_kind(known)


def _two_boards(space: Workspace, a: str, b: str) -> tuple[AnyKind, Any, Any]:
    """Return two boards of one kind."""
    kinds = [_kind(space, given) for given in (a, b)]
    kind, other = (kinds[0] or kinds[1] or get_kind(DEFAULT)), (kinds[1] or kinds[0] or get_kind(DEFAULT))
    if kind.name != other.name:
        raise ChoiceError(f"{a} is a board of kind {kind.name}, {b} of kind {other.name}; compare two of one")
    named = named_boards(VariantShelf(space, kind.variant_model), a, b)
    return kind, *(_loaded(kind, space, name, variants) for name, variants in named)


def _loaded(kind: AnyKind, space: Workspace, name: str, variants: Sequence[str], progress: Progress = quiet) -> Any:  # noqa: ANN401 - of its kind
    compiled, unread = kind.load(space, name, variants, progress)
    if unread:
        raise SourceError(problem_lines(unread))
    return compiled


def _varied(space: Workspace, kind: AnyKind, base: str, names: Sequence[str], progress: Progress) -> VariedBoard:
    compiled = _loaded(kind, space, base, names, progress)
    title = getattr(compiled.document.get("settings", "title"), "value", base)
    order = tuple(placed.name for placed in VariantShelf(space, kind.variant_model).order(names))
    applied = getattr(compiled.board, "variants", order)
    board_id = str(getattr(compiled.board, "id", base))
    return VariedBoard(board_id, str(title), applied, kind.count_elements(compiled), compiled.board)


def _started(kind: AnyKind, name: str, board: str | None, title: str) -> str:
    """Return a variant with one operation that works."""
    return "\n".join(
        [
            f"name = {json.dumps(name)}",
            f"title = {json.dumps(title or name, ensure_ascii=False)}",
            *([f"board = {json.dumps(board)}"] if board else []),
            "",
            f"# All operations: {kind.operations_page}",
            "[[operations]]",
            *kind.first_operation,
            'reason = "Say why."',
            "",
        ]
    )


def _copied(shelf: VariantShelf, source: str, name: str) -> str:
    placed = shelf.read(source)
    text = read_text(shelf.path(source), name=placed.file)
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if line.split("=")[0].strip() == "name":
            lines[number] = f"name = {json.dumps(name)}"
            break
    copied = "\n".join(lines)
    made = parse_variant(copied, file=f"{FOLDER}/{name}.toml", model=shelf.model).variant
    if made != placed.variant.model_copy(update={"name": name}):
        raise VariantError(f"{placed.file}: its name stands where it cannot be changed; copy the file by hand")
    return copied


def _write(path: str | Path, text: str) -> None:
    whole = Path(path)
    write_files(whole.parent, {whole.name: text})
