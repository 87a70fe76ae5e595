"""Source packages of an earlier mapkit, with drawings in `lines/`, and inputs for placing drawings."""

from pathlib import Path

from mapkit.core.errors import SourceError
from mapkit.core.names import slug
from mapkit.core.problems import problem_lines
from mapkit.document.package import Files
from mapkit.kinds.rail.editing.saving import plan_files
from mapkit.kinds.rail.importing.drawings import is_old_drawing
from mapkit.kinds.rail.importing.placing import drawn_source, without_drawn
from mapkit.kinds.rail.reading.files import Folder, read_folder
from mapkit.kinds.rail.reading.package import Reading, read_package, read_plainly
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.rail.trace.source import Source

_CHART_TABLES = frozenset({"destinations", "declared", "wanted", "payoff_cities", "payoffs", "accepted"})
"""Tables on which no line depends."""


def package_files(folder: Path) -> Files:
    """Return the files of a source package by path.

    Raises:
        SourceError: A file is too large or no text.
        WorkspaceError: The folder or `board.toml` is missing.
    """
    folder_contents = read_folder(folder)
    if folder_contents.problems:
        raise SourceError(problem_lines(folder_contents.problems))
    return folder_contents.files


def read_for_placing(files: Files) -> RailDocument:
    """Return the document of files, with drawings of an earlier mapkit placed, tolerating errors in charts.

    Raises:
        SourceError: A table that lines depend on is wrong, or drawings cannot be placed.
    """
    return _usable_document(read_package(Folder(files)))


def _usable_document(reading: Reading) -> RailDocument:
    all_problems = (*reading.problems, *reading.doubts)
    line_problems = [problem for problem in all_problems if problem.table not in _CHART_TABLES]
    if line_problems:
        raise SourceError(problem_lines(line_problems))
    return reading.document


def bring_files_over(files: Files) -> Files:
    """Return the files of a source package as after an import; packages of today are returned unchanged.

    Raises:
        SourceError: A table or a drawing is wrong, or the drawings cannot be placed.
    """
    if not any(is_old_drawing(file_name) for file_name in files):
        return files
    document = read_for_placing(files)
    file_plan = plan_files(document, document, files)
    return {
        file_name: data for file_name, data in {**files, **file_plan.write}.items() if file_name not in file_plan.remove
    }


def load_drawn(folder: Path) -> Source:
    """Read the inputs for placing the drawings of a source package, for the stages of `mapkit trace`.

    Raises:
        SourceError: A table or a drawing is wrong.
        WorkspaceError: The folder or a file that it needs is missing.
    """
    document = without_drawn(_usable_document(read_plainly(Folder(package_files(folder)))))
    return drawn_source(document, board_id=slug(folder.resolve().name))
