"""A source package as files: what a session needs to know of a kind of board to open and to save one."""

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
from mapkit.document.document import D, ranked
from mapkit.document.plain import plain_files, read_plain
from mapkit.document.toml_file import CONFIG_FILE
from mapkit.formats.files import MAX_BYTES, read_text

Files = Mapping[str, str | bytes]
"""Files of a source package by path: texts as read, everything else as bytes."""


@dataclass(frozen=True)
class FilePlan:
    """Files to write and to remove."""

    write: dict[str, str | bytes]
    remove: tuple[str, ...]


@dataclass(frozen=True)
class Reading(Generic[D]):
    """What files say: a document, and what of them could not be read into it."""

    document: D
    problems: tuple[Problem, ...] = ()


class Package(Generic[D]):
    """How the documents of a kind of board lie in files, and which commands change them.

    The files are `board.toml` and a CSV file a table, with a column a field of its row; a kind that keeps its tables
    otherwise says how.
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
        names = [CONFIG_FILE, *(f"{table}.csv" for table in self.document.schema.tables)]
        return {name: read_text(folder / name, name=name) for name in names if is_there(folder / name)}

    def read(self, files: Files) -> Reading[D]:
        """Return what files say, with all that is wrong in them.

        Raises:
            SourceError: `board.toml` is not a TOML.
        """
        return Reading(*read_plain(self.document, files))

    def document_of(self, files: Files) -> D:
        """Return the document of files that hold no mistake.

        Raises:
            SourceError: Something in them is wrong; every problem is listed.
        """
        found = self.read(files)
        if found.problems:
            raise SourceError(problem_lines(found.problems))
        return found.document

    def replayed(self, document: D, patch: Patch) -> Patch:  # noqa: ARG002 - of a kind that has no older journals
        """Return a step of a journal as it is meant now, whatever mapkit wrote it.

        Args:
            document: What it is done to.
            patch: What the journal says.
        """
        return patch

    def plan_files(self, document: D, saved: D, present: Files) -> FilePlan:
        """Return what to write so that the files hold a document.

        Args:
            document: What they should hold.
            saved: What they hold.
            present: The files as they are; what stays keeps its spelling.

        Raises:
            MapkitError: The document cannot be written so that it is read again as it is.
        """

        def plan(*, keep: bool) -> FilePlan:
            return FilePlan(*plain_files(document, saved, present, keep=keep))

        return checked_plan(plan, self.read, ranked(document), present)


class _Plan(Protocol):
    def __call__(self, *, keep: bool) -> FilePlan: ...


def checked_plan(plan: _Plan, read: Callable[[Files], Reading[D]], wanted: D, present: Files) -> FilePlan:
    """Return what to write, once it was read again and gave the same document.

    Args:
        plan: Gives the files to write; `keep` says whether rows that stay keep their spelling.
        read: Reads files.
        wanted: The document that files should give.
        present: The files as they are.

    Raises:
        MapkitError: Files would not give it.
    """
    found = plan(keep=True)
    lost = _lost(found, read, wanted, present)
    if lost is not None and not read(present).problems:  # rows that cannot be read must not get lost
        found = plan(keep=False)
        lost = _lost(found, read, wanted, present)
    if lost is not None:
        raise MapkitError(
            f"{lost} cannot be written so that it reads the same, so nothing was written; undo the step that made it"
        )
    return found


def _lost(plan: FilePlan, read: Callable[[Files], Reading[D]], wanted: D, present: Files) -> str | None:
    """Return the first row that would not be read as it is, such as `payoffs 'albany|boston'`; None if all would."""
    reading = read({name: data for name, data in (dict(present) | plan.write).items() if name not in plan.remove})
    if reading.problems and not read(present).problems:
        raise SourceError(problem_lines(reading.problems))
    if reading.document == wanted:
        return None
    first = next(iter(difference(reading.document, wanted)), None)
    return "the board" if first is None else f"{first.table} {first.key!r}"


def read_bytes(path: Path, name: str) -> bytes:
    """Return a file that is not a text.

    Raises:
        SourceError: It is too large.
        WorkspaceError: It may not be read.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise SourceError(f"{name}: more than the limit of {MAX_BYTES} bytes; split the file")
        return path.read_bytes()
    except OSError as error:
        raise WorkspaceError(f"{name}: cannot be read from {path}: {error.strerror or error}") from error


def file_hash(content: str | bytes) -> str:
    """Return the hash by which a file is known to have changed."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()
