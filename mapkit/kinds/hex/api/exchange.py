"""Boards of hexagons written in formats of other programs, and read from them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mapkit.core.base import Frozen
from mapkit.core.errors import BoardError
from mapkit.core.output import write_files
from mapkit.core.problems import problem_lines
from mapkit.core.progress import Progress, quiet
from mapkit.document.importing import session_of, written_new, written_step
from mapkit.document.workspace import open_workspace
from mapkit.exchange.plan import Exported, Writes, plan_files
from mapkit.kinds.hex.api.boards import load_hexes
from mapkit.kinds.hex.exchange.format import HexExport, HexFormat
from mapkit.kinds.hex.exchange.joining import changes, compiled_file
from mapkit.kinds.hex.exchange.registry import format_names, get_format, named_formats, reader_for
from mapkit.kinds.hex.kind import HEX
from mapkit.kinds.hex.model.board import HexBoard


@dataclass(frozen=True)
class ExportedHexes:
    """What `export_hexes` wrote: the files, and for each format what of the board it does not hold."""

    board: HexBoard
    folder: Path
    files: tuple[Path, ...]
    losses: Mapping[str, tuple[str, ...]]


class HexImport(Frozen):
    """What a file holds, and what was written.

    Args:
        file: Its name.
        format: The format that it is of.
        title: Of the board.
        hexes: How many hexagons it has.
        edges: How many edges have something on them.
        cities: How many cities it has.
        changed: How many rows of the board that was there changed; None for a new board.
        written: The files that were written, by their path.
        notes: What was left out or made up.
    """

    file: str
    format: str
    title: str
    hexes: int
    edges: int
    cities: int
    changed: int | None = None
    written: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def export_hexes(
    board: str,
    *,
    to: str | Iterable[str],
    out: str | Path,
    variants: Sequence[str] = (),
    base_url: str | None = None,
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> ExportedHexes:
    """Write a board in formats of other programs; all files or none.

    Args:
        board: As for `load_hexes`.
        to: Names of formats (`hex_formats` lists them), in one text with commas or several; `"all"` for all.
        out: The folder for the files. Of several formats each gets a folder of its name in it, beside
            `manifest.json`.
        variants: Variants to apply first.
        base_url: The address on the web where you put pictures, for formats that name pictures by address.
        workspace: As for `load_hexes`; `out` is taken from the current folder.
        progress: Called with the name of each stage as it begins.

    Raises:
        ChoiceError: There is no such format.
        ExportError: A format cannot hold the board; nothing was written.
        OutputError: The folder could not be written; what was there is unchanged.
        MapkitError: As for `load_hexes`.
    """
    formats = named_formats(to if isinstance(to, str) else ",".join(to))
    progress("compiling")
    loaded = load_hexes(board, variants=variants, workspace=workspace).board
    progress("exporting")
    folder = Path(out)

    def writes(form: HexFormat) -> Writes:
        def write(where: Path | None) -> Exported:
            return form.write(loaded, HexExport(where, base_url, variants))

        return write

    plan = plan_files(loaded.id, variants, [(form.name, writes(form)) for form in formats], folder.absolute())
    progress("writing")
    write_files(folder, plan.files)
    return ExportedHexes(loaded, folder, tuple(folder / name for name in sorted(plan.files)), plan.losses)


def hex_formats() -> tuple[HexFormat, ...]:
    """Return the formats that `export_hexes` writes."""
    return tuple(get_format(name) for name in format_names())


def import_hexes(
    file: str | Path, *, into: str | None = None, dry_run: bool = False, workspace: str | Path | None = None
) -> HexImport:
    """Read a board of hexagons from a file of another program, into a new source package or one that is there.

    What changes a board that is there is one step of its journal, which `mapkit undo` takes back. What the file does
    not hold stays as it is there.

    Args:
        file: HexJSON, a map of Tiled, a game of 18xx-maker, or a board file.
        into: The board, made if there is none of that name; None only looks.
        dry_run: Only say what it would change.
        workspace: The folder that holds `sources/`; the current folder by default.

    Raises:
        SourceError: The file is wrong; its place, the value and the cure are named. Nothing was written.
        BoardError: What it holds does not fit together.
        WorkspaceError: The file is missing, or the name is not valid for a board; likewise OutputError.
    """
    space = open_workspace(workspace)
    path = Path(file)
    form = reader_for(path)
    assert form.read is not None  # noqa: S101 - `reader_for` returns formats that are read
    found = form.read(path)
    session = session_of(space, into, HEX)
    before = None if session is None else HEX.compile(session.document, board_id=session.board)
    after = compiled_file(found, into or path.name.split(".")[0].lower() or "board", before)
    if after.problems:
        raise BoardError(
            "\n".join([f"{path.name} holds mistakes; nothing was written:", *problem_lines(after.problems)])
        )
    rows = () if before is None else changes(before, after)
    written: tuple[str, ...] = ()
    if into is not None and not dry_run:
        written = (
            written_new(space, into, HEX, after.document)
            if session is None
            else written_step(session, HEX.commands, rows, f"Import {path.name}")
        )
    return HexImport(
        file=path.name,
        format=form.name,
        title=after.board.title,
        hexes=len(after.board.hexes),
        edges=len(after.board.edges),
        cities=len(after.board.cities),
        changed=None if before is None else len(rows),
        written=written,
        notes=found.notes,
    )
