"""Source packages as files: everything that a session needs to open and save boards of a kind."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Generic, Protocol

from mapkit.core.errors import MapkitError, SourceError, WorkspaceError
from mapkit.core.outputs.filenames import is_there
from mapkit.core.problems import Problem, problem_lines
from mapkit.document.changes import Patch, difference
from mapkit.document.command import Commands
from mapkit.document.document import D, rank_rows
from mapkit.document.plain_tables import plain_files, read_plain
from mapkit.document.toml_file import CONFIG_FILE
from mapkit.formats.files import read_text

Files = Mapping[str, str | bytes]
"""Files of a source package by path: texts as read, everything else as bytes."""


@dataclass(frozen=True)
class FilePlan:
    """Files to write and to remove."""

    write: dict[str, str | bytes]
    remove: tuple[str, ...]


@dataclass(frozen=True)
class Reading(Generic[D]):
    """Result of reading files: a document, and the problems of unreadable parts."""

    document: D
    problems: tuple[Problem, ...] = ()


class Package(Generic[D]):
    """File format of the documents of a kind of board, with the commands that change them.

    The files are `board.toml` and a CSV file a table, with a column a field of its row; a kind with other files
    overrides the methods.
    """

    document: type[D]
    commands: Commands
    patterns: ClassVar[tuple[str, ...]] = (CONFIG_FILE, "*.csv")
    """Where the files of a source package may be."""

    def read_files(self, folder: Path) -> dict[str, str | bytes]:
        """Return the files of a source package by path.

        Raises:
            SourceError: A file is too large or no text.
            WorkspaceError: The folder or `board.toml` is missing, or a file may not be read, or is called otherwise.
        """
        if not is_there(folder / CONFIG_FILE):
            raise WorkspaceError(f"{folder}: no {CONFIG_FILE} there; give the folder of a source package")
        file_names = [CONFIG_FILE, *(f"{table}.csv" for table in self.document.schema.tables)]
        return {
            name: read_text(folder / name, name=name) for name in file_names if is_there(folder / name, within=folder)
        }

    def read(self, files: Files) -> Reading[D]:
        """Return the document of files, with all problems in them.

        Raises:
            SourceError: `board.toml` is not a TOML.
        """
        return Reading(*read_plain(self.document, files))

    def document_of(self, files: Files) -> D:
        """Return the document of files without problems.

        Raises:
            SourceError: Something in them is wrong; every problem is listed.
        """
        reading = self.read(files)
        if reading.problems:
            raise SourceError(problem_lines(reading.problems))
        return reading.document

    def replayed(self, document: D, patch: Patch) -> Patch:  # noqa: ARG002 - of a kind that has no older journals
        """Return a step of a journal, converted from any older version of mapkit.

        Args:
            document: What it is done to.
            patch: What the journal says.
        """
        return patch

    def plan_files(self, document: D, saved: D, present: Files) -> FilePlan:
        """Return the writes and removals that make the files hold a document.

        Args:
            document: What they should hold.
            saved: What they hold.
            present: The files as they are; what stays keeps its spelling.

        Raises:
            MapkitError: The document cannot be written so that it is read again as it is.
        """

        def plan(*, keep: bool) -> FilePlan:
            return FilePlan(*plain_files(document, saved, present, keep=keep))

        return check_plan(plan, self.read, rank_rows(document), present)


class _FilePlanner(Protocol):
    def __call__(self, *, keep: bool) -> FilePlan: ...


def check_plan(plan: _FilePlanner, read: Callable[[Files], Reading[D]], wanted: D, present: Files) -> FilePlan:
    """Return the files to write, after reading them again yields the same document.

    Args:
        plan: Gives the files to write; `keep` says whether rows that stay keep their spelling.
        read: Reads files.
        wanted: The document that files should give.
        present: The files as they are.

    Raises:
        MapkitError: Files would not give it.
    """
    file_plan = plan(keep=True)
    lost_row = _first_lost_row(file_plan, read, wanted, present)
    if lost_row is not None and not read(present).problems:  # rows that cannot be read must not get lost
        file_plan = plan(keep=False)
        lost_row = _first_lost_row(file_plan, read, wanted, present)
    if lost_row is not None:
        raise MapkitError(
            f"{lost_row} cannot be written so that it reads the same, so nothing was written; "
            "undo the step that made it"
        )
    return file_plan


def _first_lost_row(plan: FilePlan, read: Callable[[Files], Reading[D]], wanted: D, present: Files) -> str | None:
    """Return the first row that would be read differently, such as `payoffs 'albany|boston'`; None if there is none."""
    reading = read({name: data for name, data in (dict(present) | plan.write).items() if name not in plan.remove})
    if reading.problems and not read(present).problems:
        raise SourceError(problem_lines(reading.problems))
    if reading.document == wanted:
        return None
    first_change = next(iter(difference(reading.document, wanted)), None)
    return "the board" if first_change is None else f"{first_change.table} {first_change.key!r}"


def file_hash(content: str | bytes) -> str:
    """Return the hash that detects changes of a file."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()
