"""Variants of boards of any kind: listing, starting, applying, checking, comparing and moving them."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any

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
from mapkit.operations.options import EITHER, Argument, Flag, Output
from mapkit.operations.options import Workspace as WorkspaceFolder
from mapkit.variants.applying import PlacedVariant
from mapkit.variants.reading import parse_variant
from mapkit.variants.rebase import Rebased
from mapkit.variants.shelf import FOLDER, VariantShelf, named_boards, new_variant_path
from mapkit.variants.writing import variant_text

AnyKind = Kind[Any, Any]


@dataclass(frozen=True)
class VariantList:
    """Variants of a workspace, and the errors of unreadable files."""

    variants: tuple[PlacedVariant, ...]
    problems: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """Return a row for each variant."""
        shown = {"name", "title", "board", "rules", "variants", "after"}
        rows = [placed.variant.model_dump(include=shown) for placed in self.variants]
        return {"variants": rows, "problems": list(self.problems)}

    @property
    def exit_code(self) -> int:
        """Return 1 if a file is faulty."""
        return int(bool(self.problems))


@dataclass(frozen=True)
class VariedBoard:
    """A board with variants applied.

    Attributes:
        id: Of the board.
        title: Its title.
        variants: The variants, in the order in which they were applied.
        elements: How many elements of each sort it has; of boards without a finer answer the rows of each table.
        board: What was compiled.
        file: The board file that was written.
    """

    id: str
    title: str
    variants: tuple[str, ...]
    elements: dict[str, int]
    board: BaseModel
    file: str | None = None

    def as_json(self) -> dict[str, object]:
        """Return the summary that `--json` prints."""
        head = {"board": self.id, "variants": list(self.variants), "file": self.file}
        return {**head, "rows": self.elements, **self.elements}


@dataclass(frozen=True)
class CheckedVariedBoard:
    """Board with variants, and the report of its checks.

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

    def as_json(self) -> CheckReport:
        """Return the result as `--json` prints it."""
        return self.new

    @property
    def exit_code(self) -> int:
        """Return 1 if the board has errors."""
        return int(not self.checks.ok)


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

    def as_json(self) -> Any:  # noqa: ANN401 - of its kind
        """Return the result as `--json` prints it."""
        return self.difference

    @property
    def exit_code(self) -> int:
        """Return 1 if a difference could not be expressed."""
        return int(bool(self.left))


@dataclass(frozen=True)
class StartedVariant:
    """A variant that was started, and its file."""

    variant: str
    file: Path

    def as_json(self) -> dict[str, object]:
        """Return the summary that `--json` prints."""
        return {"variant": self.variant, "file": str(self.file)}


def list_variants(
    *,
    board: Annotated[str | None, Flag("-b", "BOARD", "Only those that fit this board.")] = None,
    workspace: WorkspaceFolder = None,
) -> VariantList:
    """List the variants of the workspace and the shipped ones.

    One row per variant: its name, its board (any if it only changes rules), its title. A faulty file is listed with
    its fault; then the exit code is 1.
    """
    space = open_workspace(workspace)
    kinds = kind_names() if board is None else (_kind_of_board(space, board),)
    variants: list[PlacedVariant] = []
    problems: list[str] = []

    @cache
    def find_kind(path: Path) -> str | None:
        return variant_kind(space, path.stem, path)

    for name in kinds:
        shelf = VariantShelf(space, get_kind(name).variant_model)
        for path, placed in shelf.all():
            if find_kind(path) != name:
                continue
            if isinstance(placed, MapkitError):
                problems.append(str(placed))
            elif board is None or placed.variant.board in (None, board):
                variants.append(placed)
    return VariantList(tuple(sorted(variants, key=lambda placed: placed.name)), tuple(problems))


def read_variant(
    name: Annotated[str, Argument("", "VARIANT", "A variant of the workspace or a shipped one, or a file (.toml).")],
    *,
    workspace: WorkspaceFolder = None,
) -> PlacedVariant:
    """Show a variant: what it is based on, and its operations with their reasons.

    Raises:
        UnknownNameError: There is no such variant.
        VariantError: It is wrong.
    """
    space = open_workspace(workspace)
    return _shelf_of(space, name).read(name)


def start_variant(
    name: Annotated[str, Argument("", "NAME", "Its name: letters, digits, hyphens.")],
    *,
    board: Annotated[str | None, Flag("-b", "BOARD", "The board that it is for.")] = None,
    title: Annotated[str, Flag("-t", "TEXT", "Its title.")] = "",
    source: Annotated[str | None, Flag("--from", "VARIANT", "Copy this variant under the new name.")] = None,
    workspace: WorkspaceFolder = None,
) -> StartedVariant:
    """Start a variant: variants/NAME.toml, with one operation to change.

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
    return StartedVariant(name, path)


def vary_board(
    names: Annotated[
        Sequence[str], Argument("", "VARIANT...", "Variants, in order; bases come with them.", reading="name")
    ],
    *,
    board: Annotated[
        str | None, Flag("-b", "BOARD", "The board; else the one that the variants are for, or usa.")
    ] = None,
    out: Annotated[str | Path | None, Output("-o", "FILE.json", "Write the changed board there.")] = None,
    workspace: WorkspaceFolder = None,
    progress: Progress = quiet,
) -> VariedBoard:
    """Apply variants to a board and report the result; --out writes the board file.

    Without --out nothing is written. For the whole bundle use mapkit build BOARD --variant NAME.

    Raises:
        VariantError: A variant is wrong, does not fit, contradicts another, or is for another board.
        MapkitError: There is no such board or variant, or its files are wrong.
    """
    space = open_workspace(workspace)
    kind, base = _base(space, names, board)
    made = _varied(space, kind, base, names, progress)
    if out is not None:
        _write(out, json_text(made.board))
        return replace(made, file=str(out))
    return made


def check_varied_board(
    names: Annotated[
        Sequence[str], Argument("", "VARIANT...", "Variants, in order; bases come with them.", reading="name")
    ],
    *,
    board: Annotated[
        str | None, Flag("-b", "BOARD", "The board; else the one that the variants are for, or usa.")
    ] = None,
    workspace: WorkspaceFolder = None,
    progress: Progress = quiet,
) -> CheckedVariedBoard:
    """Check that variants fit their board and each other, and check the board that they give.

    Tries every operation first. Prints the findings that the base does not have. Exits 0 if there is
    no error, 1 if there is one.

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
    a: Annotated[str, Argument("", "A", EITHER)],
    b: Annotated[str, Argument("", "B", "Likewise.")],
    *,
    svg: Annotated[
        str | Path | None, Output("--svg", "FILE.svg", "Draw what differs over the board (railroad boards).")
    ] = None,
    as_variant: Annotated[
        str | Path | None, Output("--as-variant", "FILE.toml", "Write a variant that turns A into B.")
    ] = None,
    workspace: WorkspaceFolder = None,
) -> ComparedBoards:
    """Compare two boards or variants of one kind: how to get from A to B.

    Railroad boards are compared by meaning: mileposts, segments, railroads, cities, regions, charts and rules; others
    row by row. A variant that only changes rules is applied to the other board. Exits 1 if --as-variant could not
    express everything; the rest is listed.

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
    name: Annotated[str, Argument("", "VARIANT", "A variant of the workspace or a shipped one, or a file (.toml).")],
    old: Annotated[str, Flag("--from", "A", f"What it was made for. {EITHER}")],
    new: Annotated[str | None, Flag("--onto", "B", "What it should fit; its own board by default.")] = None,
    *,
    out: Annotated[str | Path | None, Output("-o", "FILE.toml", "Write the moved variant there.")] = None,
    workspace: WorkspaceFolder = None,
) -> Rebased:
    """Move a variant to a changed base, and say what no longer fits.

    Ids that changed are followed; operations that the new base already contains are dropped. Without --out nothing is
    written. Exits 1 if an operation no longer fits; it is left out. The bases of the variant are part of A and of B.

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
        raise ChoiceError(f"{name!r} is a variant for any board; name one with --onto BOARD")
    kind, one, other = _two_boards(open_workspace(workspace), old, onto)
    found = kind.rebase(placed, one, other)
    if out is not None:
        _write(out, variant_text(found.variant.model_copy(update={"name": Path(out).stem})))
    return found


def apply_to_file(names: Sequence[str], **options: Any) -> BaseModel:  # noqa: ANN401 - those of `vary_board`
    """Return the board of `vary_board`; deprecated."""
    return vary_board(names, **options).board


def new_variant(name: str, **options: Any) -> Path:  # noqa: ANN401 - those of `start_variant`
    """Start a variant and return its file; deprecated."""
    return start_variant(name, **options).file


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
        raise ChoiceError(f"{names[0]!r} is a variant for any board; name one with --board BOARD")
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
        raise VariantError(
            f"{placed.file}: the line with its name cannot be rewritten; copy the file by hand and change the name"
        )
    return copied


def _write(path: str | Path, text: str) -> None:
    whole = Path(path)
    write_files(whole.parent, {whole.name: text})
