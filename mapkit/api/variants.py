"""Variants of boards of any kind: listing, starting, applying, checking, comparing and moving them.

Railroad boards compare by meaning and follow ids that changed; they have functions of their own for that.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from mapkit.core.errors import ChoiceError, MapkitError, OutputError, UnknownNameError, VariantError, did_you_mean
from mapkit.core.filenames import taken, why_no_id
from mapkit.core.findings import CheckReport
from mapkit.core.jsontext import json_text
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.document.document import Document
from mapkit.document.workspace import Workspace, open_workspace
from mapkit.formats.files import read_text
from mapkit.kinds.kind import Kind
from mapkit.kinds.registry import DEFAULT, get_kind, kind_names, kind_of, variant_kind
from mapkit.variants.applying import PlacedVariant
from mapkit.variants.documents import DocumentDifference, compare_documents, rebase_on, variant_between
from mapkit.variants.reading import parse_variant
from mapkit.variants.rebase import Rebased
from mapkit.variants.shelf import FOLDER, VariantShelf
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
        rows: Table -> how many rows it has.
        board: What was compiled.
    """

    id: str
    title: str
    variants: tuple[str, ...]
    rows: dict[str, int]
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
class ComparedTables:
    """How two boards differ.

    Attributes:
        difference: The rows that differ.
        operations: How many operations the variant has; None if none was written.
        left: What of the difference no operation says.
    """

    difference: DocumentDifference
    operations: int | None
    left: tuple[str, ...]


@dataclass(frozen=True)
class _Given:
    """A board with variants that a line names, `portugal-hex+mines-hex`."""

    kind: AnyKind
    board: str
    variants: tuple[str, ...]
    document: Document


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
    if why := why_no_id(name, "a variant"):
        raise VariantError(why)
    path = space.root / FOLDER / f"{name}.toml"
    if there := taken(path):
        raise OutputError(f"{there} already exists; choose another name")
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
        board: The board; by default the one that they are for.
        out: Where to write the board file; nowhere by default.
        workspace: As for `list_variants`.
        progress: Called with the name of each stage as it begins.

    Raises:
        VariantError: A variant is wrong, does not fit, contradicts another, or is for another board.
        MapkitError: There is no such board or variant.
    """
    space = open_workspace(workspace)
    kind, base = _base(space, names, board)
    compiled, _ = kind.load(space, base, names, progress)
    if out is not None:
        _write(out, json_text(compiled.board))
    return _varied(space, kind, base, names, compiled)


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
    plain, plain_unread = kind.load(space, base, (), progress)
    made, unread = kind.load(space, base, names, progress)
    progress("checking")
    known = {found.id for found in kind.check(plain, plain_unread).findings}
    after = kind.check(made, unread)
    fresh = after.model_copy(update={"findings": tuple(one for one in after.findings if one.id not in known)})
    gone = len(known - {one.id for one in after.findings})
    return CheckedVariedBoard(_varied(space, kind, base, names, made), after, fresh, gone)


def compare_tables(
    a: str, b: str, *, as_variant: str | Path | None = None, workspace: str | Path | None = None
) -> ComparedTables:
    """Compare two boards of one kind, row by row: what was done to A to get B.

    Args:
        a: A board, a board with variants (`portugal-hex+mines-hex`), or a variant of a board.
        b: Likewise.
        as_variant: Where to write a variant that turns A into B; nowhere by default.
        workspace: As for `list_variants`.

    Raises:
        ChoiceError: They are boards of different kinds.
        MapkitError: There is no such board or variant, or the file cannot be written.
    """
    space = open_workspace(workspace)
    one = _given(space, a, None)
    other = _given(space, b, one)
    if one.kind.name != other.kind.name:
        raise ChoiceError(f"{a} is a board of kind {one.kind.name}, {b} of kind {other.kind.name}; compare two of one")
    found = compare_documents(one.document, other.document, a=a, b=b)
    if as_variant is None:
        return ComparedTables(found, None, ())
    made, left = variant_between(
        one.kind.variant_model,
        one.document,
        other.document,
        name=Path(as_variant).stem,
        title=found.summary()[:200],
        board=one.board,
    )
    _write(as_variant, variant_text(made))
    return ComparedTables(found, len(made.operations), left)


def move_variant(
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
        old: What it was made for, as for `compare_tables`.
        new: What it should fit; its own board by default.
        out: Where to write the moved variant; nowhere by default.
        workspace: As for `list_variants`.

    Raises:
        ChoiceError: The variant is for no board of its own, and none is named.
        VariantError: The variant does not fit what it was made for.
        MapkitError: There is no such board or variant, or the file cannot be written.
    """
    space = open_workspace(workspace)
    placed = read_variant(name, workspace=workspace)
    onto = new or placed.variant.board
    if onto is None:
        raise ChoiceError(f"{name!r} is for no board of its own; say --onto BOARD")
    one = _given(space, old, None)
    other = _given(space, onto, one)
    found = rebase_on(placed.variant, one.document, other.document)
    if out is not None:
        moved = found.variant.model_copy(update={"name": Path(out).stem, "board": other.board})
        _write(out, variant_text(moved))
    return found


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
        placed = _shelf_of(space, names[0]).order(names)
        found = {one.variant.board: one for one in placed if one.variant.board is not None}
        if len(found) > 1:
            each = ", ".join(f"{one.name} for {of}" for of, one in sorted(found.items(), key=lambda item: str(item[0])))
            raise VariantError(f"the variants are for different boards: {each}; use those of one")
        board = next(iter(found), None) or space.only_board()
    if board is None:
        raise ChoiceError(f"{names[0]!r} is for no board of its own; say --board BOARD")
    return kind_of(space.board_folder(board)), board


def _varied(space: Workspace, kind: AnyKind, base: str, names: Sequence[str], compiled: Any) -> VariedBoard:  # noqa: ANN401 - of its kind
    title = compiled.document.get("settings", "title")
    tables = compiled.document.schema.tables
    counts = {table: len(compiled.document.table(table)) for table in tables}
    order = VariantShelf(space, kind.variant_model).order(names)
    return VariedBoard(
        base,
        str(getattr(title, "value", base)),
        tuple(placed.name for placed in order),
        {table: count for table, count in counts.items() if count and table not in ("settings", "accepted", "files")},
        compiled.board,
    )


def _given(space: Workspace, given: str, beside: _Given | None) -> _Given:
    """Return what a line names; a variant of no board of its own is applied to the board beside it."""
    name, *variants = given.split("+")
    known = variant_kind(space, name)
    try:
        folder = space.board_folder(name)
    except UnknownNameError as error:
        if known is None:
            hint = did_you_mean(name, VariantShelf(space, get_kind(DEFAULT).variant_model).paths())
            raise UnknownNameError(f"{error}{f'; or a variant{hint}' if hint else ''}") from error
        variants = [name, *variants]
        placed = VariantShelf(space, get_kind(known).variant_model).order(variants)
        own = next((one.variant.board for one in placed if one.variant.board is not None), None)
        name = own or (beside.board if beside is not None else "")
        if not name:
            raise ChoiceError(f"{given!r} is for no board of its own; name one with it: BOARD+{given}") from error
        folder = space.board_folder(name)
    kind = kind_of(folder)
    found = kind.read(kind.read_files(folder))
    return _Given(kind, name, tuple(variants), kind.vary(space, found.document, folder.resolve().name, variants))


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
