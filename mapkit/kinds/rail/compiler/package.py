"""A source package as a board: read, then compiled, with the problems of both."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from mapkit.core.errors import SourceError, WorkspaceError
from mapkit.core.names import slug
from mapkit.core.problems import problem_lines
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.model.payoffs.model import CLASSIC, PayoffModel
from mapkit.kinds.rail.reading.files import read_folder
from mapkit.kinds.rail.reading.package import Reading as PackageReading
from mapkit.kinds.rail.reading.package import read_package


def compile_folder(folder: Path, *, stored: bool = False) -> Compiled:
    """Return the source package in `folder` as a board that can be edited, and all that keeps it from being built.

    The folder's name is the board's id.

    Args:
        folder: The folder.
        stored: Whether mileposts and track may be taken from the cache on disk.

    Raises:
        SourceError: The folder's name cannot become an id.
        WorkspaceError: The folder or `board.toml` is missing.
    """
    board_id, reading = _read(folder)
    compiled = compile_document(reading.document, board_id=board_id, files=reading.files, stored=stored)
    problems = reading.with_compiled(compiled.problems)
    return replace(compiled, problems=problems, board=_noted(compiled.board, reading))


def _read(folder: Path) -> tuple[str, PackageReading]:
    """Return the id of the board of a folder, and its files as read."""
    if not folder.is_dir():
        raise WorkspaceError(f"{folder}: no such folder; a source package is a folder with a board.toml")
    board_id = slug(folder.resolve().name)
    if not board_id:
        raise SourceError(f"{folder}: the folder's name cannot become an id; use letters or digits")
    return board_id, read_package(read_folder(folder))


def _noted(board: Board, reading: PackageReading) -> Board:
    """Return a board with a note where its package is of an earlier mapkit."""
    if not reading.older:
        return board
    source = board.provenance
    return board.model_copy(update={"provenance": source.model_copy(update={"notes": (*source.notes, OLDER)})})


def own_model(made: Compiled) -> PayoffModel | None:
    """Return the model that amounts of a board are computed by; None for a chart that is typed, without one."""
    typed = bool(made.document.payoff_cities)
    return made.settings.config.payoffs or (None if typed else CLASSIC)


OLDER: Final = TraceNote(
    kind="older package",
    message="the drawings are in lines/, where an earlier mapkit kept them, and mapkit places them again whenever it "
    "reads the board; make them rows with mapkit import --again --into BOARD",
    feature="lines",
)


def built_folder(folder: Path) -> Board:
    """Return the board of a source package.

    Raises:
        SourceError: Something keeps it from being built; every problem is listed with file and row.
        WorkspaceError: As for `compile_folder`.
    """
    return built(compile_folder(folder, stored=True))


def built(made: Compiled) -> Board:
    """Return a board that has no problems.

    Raises:
        SourceError: It has; every problem is listed with file and row.
    """
    if made.problems:
        raise SourceError(problem_lines(made.problems))
    return made.board
