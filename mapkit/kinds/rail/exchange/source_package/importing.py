"""A whole board in any format that is read becomes a source package, or is only looked at."""

import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from mapkit.core.errors import SourceError, WorkspaceError
from mapkit.core.output import write_files
from mapkit.kinds.rail.compiler.package import built_folder
from mapkit.kinds.rail.exchange.format import ReadingFormat
from mapkit.kinds.rail.exchange.graphs.graph_json import GraphJsonFormat
from mapkit.kinds.rail.exchange.rb3.importing import refuse_folder
from mapkit.kinds.rail.exchange.registry import reader_for
from mapkit.kinds.rail.exchange.source_package.writing import board_to_source_files, has_null
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.import_report import BoardImportReport
from mapkit.kinds.rail.variants.board_diff import diff_boards

_PEEK = 64 * 2**20
_SIGNS: Final[Mapping[str, bytes]] = {
    "engine": b'"mapkit/board"',
    "graph": b'"mapkit/graph"',
    "geojson": b'"mapkit"',
    "kml": b'<Data name="projection">',
}
"""What a file of a board has and one of lines, in the same format, has not."""

_GRAPH: Final = GraphJsonFormat()

_STEPS = 20


def board_reader(path: Path) -> ReadingFormat | None:
    """Return the format of a file if it holds a whole board; None if it is of lines, or no format's."""
    form = reader_for(path.name)
    if form is None or form.name == "rb3":
        return None
    try:
        if form.name == "gpkg":
            return form if _has_table(path, "board") else None
        if form.name not in _SIGNS:
            return form
        with path.open("rb") as stream:
            start = stream.read(_PEEK)
        if form.name == "engine" and _SIGNS["graph"] in start:  # a graph under a name of its own
            form = _GRAPH
        return form if _SIGNS[form.name] in start else None
    except (OSError, sqlite3.Error, UnicodeDecodeError):  # damaged: what reads lines says so
        return None


def _has_table(path: Path, name: str) -> bool:
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as base:
        return (
            base.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)).fetchone()
            is not None
        )


def import_whole_board(
    path: Path, form: ReadingFormat, *, into: Path | None, replace: bool = False
) -> BoardImportReport:
    """Read a board; with a folder, write a source package into it that builds to the same board, all files or none.

    What the package cannot say is found by building it, and reported.

    Args:
        path: The file.
        form: Its format.
        into: The folder of the package, made if it is not there; None only looks.
        replace: Write over the files of an earlier import.

    Raises:
        SourceError: The file is wrong, no source package gives its board, or a package is there already.
        WorkspaceError: The file is missing, or the folder's name is not an id.
        OutputError: The folder cannot be written; it is as it was.
    """
    board = form.read(path)
    files = board_to_source_files(board, file=path.name)
    lost = losses(board, files, file=path.name)
    if into is not None:
        refuse_folder(into, files, replace=replace)
        write_files(into, files)
    return BoardImportReport(
        file=path.name,
        title=board.title,
        regions=len(board.regions),
        cities=len(board.cities),
        railroads=len(board.railroads),
        dots=sum(m.kind == "dot" for m in board.mileposts),
        steps=len(board.segments),
        countries=(),
        lost=lost,
        written=tuple((into / name).as_posix() for name in sorted(files)) if into is not None else (),
    )


def losses(board: Board, files: Mapping[str, str], *, file: str) -> tuple[str, ...]:
    """Return what of a board the build of its source package has not, a phrase each.

    Raises:
        SourceError: The package cannot be built; every problem is listed.
    """
    if not board.pieces:
        raise SourceError(f"{file}: no track in it; a source package has one line at least")
    with tempfile.TemporaryDirectory(prefix="mapkit-") as folder:
        package = Path(folder) / board.id
        write_files(package, files)
        try:
            again = built_folder(package)
        except (SourceError, WorkspaceError) as error:
            problems = error.problems if isinstance(error, SourceError) else [str(error)]
            raise SourceError([f"{file}: as a source package, {problem}" for problem in problems]) from error
    nulls = [name for name, value in board.extensions.items() if has_null(value)]
    board = board.model_copy(update={"extensions": {k: v for k, v in board.extensions.items() if k not in nulls}})
    steps = [step.text for step in diff_boards(board, again).story]
    shown = [*steps[:_STEPS], *([f"and {len(steps) - _STEPS} more changes"] if len(steps) > _STEPS else [])]
    out = ["where each element came from: it comes from this file now"]
    if board.variants:
        out.append(f"that these variants are in it: {', '.join(board.variants)}")
    if nulls:
        out.append(f"extensions with a null in them, which TOML does not know: {', '.join(nulls)}")
    if not steps and again.model_copy(update={"provenance": board.provenance, "variants": board.variants}) != board:
        out.append("places on the page: they are those of the projection, fitted to the page again")
    return (*out, *shown)
