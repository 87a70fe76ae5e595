"""Files of railroad boards, and the commands that change them."""

from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from mapkit.core.errors import SourceError
from mapkit.core.problems import problem_lines
from mapkit.document.changes import Patch
from mapkit.document.importing import FileWriter, write_files_as_step
from mapkit.document.package import FilePlan, Files, Package, Reading
from mapkit.kinds.rail.commands import COMMANDS
from mapkit.kinds.rail.editing import saving
from mapkit.kinds.rail.importing.earlier_journals import update_patch
from mapkit.kinds.rail.reading.files import Folder, read_folder
from mapkit.kinds.rail.reading.package import read_package
from mapkit.kinds.rail.sources.table_files import PATTERNS
from mapkit.kinds.rail.tables import RailDocument


class RailPackage(Package[RailDocument]):
    """The source packages of railroad boards."""

    document = RailDocument
    commands = COMMANDS
    patterns: ClassVar[tuple[str, ...]] = PATTERNS

    def read_files(self, folder: Path) -> dict[str, str | bytes]:
        """Return the files of a source package by path."""
        found = read_folder(folder)
        if found.problems:
            raise SourceError(problem_lines(read_package(found).problems))
        return dict(found.files)

    def read(self, files: Files) -> Reading[RailDocument]:
        """Return the document of files."""
        found = read_package(Folder(files))
        return Reading(found.document, found.problems)

    def replayed(self, document: RailDocument, patch: Patch) -> Patch:
        """Return a step of a journal as it is meant now: drawings are rows, and lie in `drawings/`."""
        return update_patch(document, patch)

    def plan_files(self, document: RailDocument, saved: RailDocument, present: Files) -> FilePlan:
        """Return the writes and removals that make the files hold a document."""
        return saving.plan_files(document, saved, present)


PACKAGE: Final = RailPackage()
write_package: Final[FileWriter] = partial(write_files_as_step, package=PACKAGE)
"""Writes files of a source package as a step, if possible."""
