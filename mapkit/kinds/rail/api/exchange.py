"""Making variants of files that other programs edited."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from mapkit.core.errors import ChoiceError, MapkitError, OutputError, SourceError, did_you_mean
from mapkit.core.output import write_files
from mapkit.core.plurals import join_some
from mapkit.document.workspace import Workspace as OpenWorkspace
from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.exchange.format import EditedFormat
from mapkit.kinds.rail.exchange.registry import format_names, get_format
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.variants.as_variant import variant_of
from mapkit.kinds.rail.variants.variant import Variant
from mapkit.operations.options import Argument, Flag, Workspace
from mapkit.variants.shelf import new_variant_path
from mapkit.variants.writing import variant_text


@dataclass(frozen=True)
class EditedVariant:
    """Edits of a file, as a variant.

    Attributes:
        base: The board that the file was exported from.
        edited: The board that it holds now.
        variant: What leads from one to the other; without operations if nothing was edited.
        left: What was edited that no operation can say.
        path: Where the variant was written; None if it was not, as nothing was edited.
    """

    base: Board
    edited: Board
    variant: Variant
    left: tuple[str, ...]
    path: Path | None

    def as_json(self) -> dict[str, object]:
        """Return the summary that `--json` prints."""
        file = None if self.path is None else str(self.path)
        return {"variant": self.variant, "file": file, "left": list(self.left)}

    @property
    def exit_code(self) -> int:
        """Return 1 if a change could not be expressed."""
        return int(bool(self.left))


def variant_from(
    file: Annotated[
        str | Path, Argument("", "FILE", "What mapkit export wrote, edited: GPKG, GeoJSON, KML, XLSX, ...")
    ],
    name: Annotated[str, Argument("", "NAME", "The variant's name: letters, digits, hyphens.")],
    *,
    of: Annotated[str | Path | None, Flag("--of --board -b", "BOARD", reading="name")] = None,
    title: Annotated[str, Flag("-t", "TEXT", "Its title.")] = "",
    overwrite: Annotated[bool, Flag("--replace", help="Write over a variant of that name.")] = False,
    workspace: Workspace = None,
) -> EditedVariant:
    """Turn edits in an exported file into a variant, variants/NAME.toml.

    Moved points, new lines and changed cells become operations, and nothing else does. What the other program dropped
    is taken from the board. Without a change, nothing is written. Exits 1 if no operation can express a change, and
    lists it.

    Args:
        of: The board that it was exported from, with its variants (usa+first-printing); else the file says.

    Raises:
        SourceError: The file is damaged, of no such format, or does not say of which board it is.
        VariantError: The name is not valid.
        OutputError: There is a variant of that name, or the folder cannot be written; nothing was changed there.
        UnknownNameError: There is no such board or variant; likewise WorkspaceError.
    """
    space = open_workspace(workspace)
    try:
        target = new_variant_path(space, name, replace=overwrite)
    except OutputError as error:
        raise OutputError(f"{error}, or give --replace to overwrite it") from error
    path = Path(file)
    form = _format_of(path)
    board, variants = _named(str(of), space) if of is not None else _said(path, form)
    base = load(board, variants=variants, workspace=workspace)
    edited = form.read_edited(path, base)
    made = variant_of(base, edited, name=name, title=title or name)
    variant = made.variant.model_copy(update={"variants": variants, "description": ""})
    written = None
    if variant.operations:
        write_files(target.parent, {target.name: variant_text(variant)})
        written = target
    return EditedVariant(base, edited, variant, made.left, written)


def _format_of(path: Path) -> EditedFormat:
    """Return the format of a file by its name; the longest suffix wins."""
    found: dict[str, EditedFormat] = {}
    for name in format_names():
        try:
            form = get_format(name)
        except MapkitError:
            continue  # a broken package may not keep others from reading
        if isinstance(form, EditedFormat):
            found |= {suffix: form for suffix in form.suffixes if suffix not in found}
    fits = [suffix for suffix in found if path.name.lower().endswith(suffix)]
    if not fits:
        hint = did_you_mean(path.suffix, found) or f"; files are {join_some(sorted(found))}"
        raise SourceError(f"{path.name}: not a file of a board that other programs edit{hint}")
    return found[max(fits, key=len)]


def _named(of: str, space: OpenWorkspace) -> tuple[str, tuple[str, ...]]:
    """Return a board and its variants from `usa+first-printing`; a file or folder is always one name."""
    if space.path(of).exists():
        return of, ()
    board, *variants = of.split("+")
    return board, tuple(variants)


def _said(path: Path, form: EditedFormat) -> tuple[str, Sequence[str]]:
    """Return the board and variants that a file says it is of."""
    read = getattr(form, "read", None)
    if read is None:
        raise ChoiceError(f"{path.name}: {form.title} does not say of which board it is; give --of BOARD")
    try:
        board: Board = read(path)
    except SourceError as error:
        hint = f"{path.name}: is it edited, and does it lack something? Then say of which board it is: --of BOARD"
        raise SourceError([*error.problems, hint]) from error
    return board.id, board.variants
