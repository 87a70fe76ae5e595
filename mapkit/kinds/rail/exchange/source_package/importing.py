"""Import of a whole board in any readable format as a source package."""

import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from mapkit.core.errors import SourceError, WorkspaceError
from mapkit.core.output import write_files
from mapkit.document.importing import FileWriter, WrittenFiles, write_without_step
from mapkit.formats.files import peek_bytes
from mapkit.kinds.rail.compiler.package import built_folder
from mapkit.kinds.rail.exchange.format import ReadingFormat
from mapkit.kinds.rail.exchange.graphs.graph_json import GraphJsonFormat
from mapkit.kinds.rail.exchange.rb3.importing import refuse_folder
from mapkit.kinds.rail.exchange.registry import find_reader
from mapkit.kinds.rail.exchange.source_package.writing import board_to_source_files, has_null
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.import_report import BoardImportReport
from mapkit.kinds.rail.variants.board_diff import diff_boards

_PEEK_BYTES = 64 * 2**20
_BOARD_MARKS: Final[Mapping[str, bytes]] = {
    "engine": b'"mapkit/board"',
    "graph": b'"mapkit/graph"',
    "geojson": b'"mapkit"',
    "topojson": b'"mapkit"',
    "kml": b'<Data name="projection">',
}
"""Text that distinguishes a file of a board from a file of lines in the same format."""

_GRAPH_FORMAT: Final = GraphJsonFormat()

_MAX_STEPS = 20


def find_board_reader(path: Path) -> ReadingFormat | None:
    """Return the format of a file with a whole board; None for a file of lines or of no format."""
    file_format = find_reader(path.name)
    if file_format is None or file_format.name == "rb3":
        return None
    try:
        if file_format.name == "gpkg":
            return file_format if _has_table(path, "board") else None
        if file_format.name not in _BOARD_MARKS:
            return file_format
        first_bytes = peek_bytes(path, _PEEK_BYTES)
        if file_format.name == "engine" and _BOARD_MARKS["graph"] in first_bytes:  # a graph with a different file name
            file_format = _GRAPH_FORMAT
        return file_format if _BOARD_MARKS[file_format.name] in first_bytes else None
    except (OSError, sqlite3.Error, UnicodeDecodeError):  # damaged: the reader of lines reports it
        return None


def _has_table(path: Path, name: str) -> bool:
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
        return (
            database.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)).fetchone()
            is not None
        )


def import_whole_board(
    path: Path, form: ReadingFormat, *, into: Path | None, replace: bool = False, write: FileWriter = write_without_step
) -> BoardImportReport:
    """Read a board and, given a folder, write a source package for it there, all files or none.

    A trial build of the package finds and reports the losses.

    Args:
        path: The file.
        form: Its format.
        into: Folder of the package, created if missing; with None, nothing is written.
        replace: Write over the files of an earlier import.
        write: Writes the files of the source package.

    Raises:
        SourceError: The file is wrong, no source package can represent its board, or a package exists already.
        WorkspaceError: The file is missing, or the folder's name is not an id.
        OutputError: The folder cannot be written; it is unchanged.
    """
    board = form.read(path)
    files = board_to_source_files(board, file=path.name)
    lost_parts = list_rebuild_losses(board, files, file=path.name)
    outcome = WrittenFiles(is_step=False)
    if into is not None:
        refuse_folder(into, files, replace=replace)
        outcome = write(into, files, label=f"Import {path.name}")
    return BoardImportReport(
        file=path.name,
        title=board.title,
        regions=len(board.regions),
        cities=len(board.cities),
        railroads=len(board.railroads),
        dots=sum(m.kind == "dot" for m in board.mileposts),
        steps=len(board.segments),
        countries=(),
        lost=lost_parts,
        is_step=outcome.is_step,
        undo_obstacle=outcome.obstacle,
        written=tuple((into / file_name).as_posix() for file_name in sorted(files)) if into is not None else (),
    )


def list_rebuild_losses(board: Board, files: Mapping[str, str | bytes], *, file: str) -> tuple[str, ...]:
    """Return a phrase for each part of a board that the build of its source package lacks.

    Raises:
        SourceError: The package cannot be built; every problem is listed.
    """
    if not board.pieces:
        raise SourceError(f"{file}: no track in it; a source package has one line at least")
    with tempfile.TemporaryDirectory(prefix="mapkit-") as folder:
        package_folder = Path(folder) / board.id
        write_files(package_folder, files)
        try:
            rebuilt_board = built_folder(package_folder)
        except (SourceError, WorkspaceError) as error:
            problems = error.problems if isinstance(error, SourceError) else [str(error)]
            raise SourceError([f"{file}: as a source package, {problem}" for problem in problems]) from error
    null_extensions = [extension_name for extension_name, value in board.extensions.items() if has_null(value)]
    board = board.model_copy(
        update={
            "extensions": {
                extension_name_kept: extension_value
                for extension_name_kept, extension_value in board.extensions.items()
                if extension_name_kept not in null_extensions
            }
        }
    )
    change_texts = [change.text for change in diff_boards(board, rebuilt_board).story]
    shown_changes = [
        *change_texts[:_MAX_STEPS],
        *([f"and {len(change_texts) - _MAX_STEPS} more changes"] if len(change_texts) > _MAX_STEPS else []),
    ]
    lost_parts = ["where each element came from: it comes from this file now"]
    if board.variants:
        lost_parts.append(f"that these variants are in it: {', '.join(board.variants)}")
    if null_extensions:
        lost_parts.append(f"extensions with a null in them, which TOML does not know: {', '.join(null_extensions)}")
    if (
        not change_texts
        and rebuilt_board.model_copy(update={"provenance": board.provenance, "variants": board.variants}) != board
    ):
        lost_parts.append("places on the page: they are those of the projection, fitted to the page again")
    return (*lost_parts, *shown_changes)
