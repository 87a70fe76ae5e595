"""Source packages of an earlier mapkit, whose drawings lie in `lines/`; and what drawings are placed by."""

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

_CHARTS = frozenset({"destinations", "declared", "wanted", "payoff_cities", "payoffs", "accepted"})
"""Tables that no line depends on."""


def package_files(folder: Path) -> Files:
    """Return the files of a source package by path.

    Raises:
        SourceError: A file is too large or no text.
        WorkspaceError: The folder or `board.toml` is missing.
    """
    found = read_folder(folder)
    if found.problems:
        raise SourceError(problem_lines(found.problems))
    return found.files


def read_for_placing(files: Files) -> RailDocument:
    """Return the document of files, drawings of an earlier mapkit placed; charts may be wrong, or missing.

    Raises:
        SourceError: A table that lines depend on is wrong, or drawings cannot be placed.
    """
    return _usable(read_package(Folder(files)))


def _usable(reading: Reading) -> RailDocument:
    found = (*reading.problems, *reading.doubts)
    wrong = [problem for problem in found if problem.table not in _CHARTS]
    if wrong:
        raise SourceError(problem_lines(wrong))
    return reading.document


def brought_over(files: Files) -> Files:
    """Return the files of a source package as importing leaves them; those of today are returned as they are.

    Raises:
        SourceError: A table or a drawing is wrong, or the drawings cannot be placed.
    """
    if not any(is_old_drawing(name) for name in files):
        return files
    document = read_for_placing(files)
    plan = plan_files(document, document, files)
    return {name: data for name, data in {**files, **plan.write}.items() if name not in plan.remove}


def load_drawn(folder: Path) -> Source:
    """Read what the drawings of a source package are placed by: `mapkit trace` goes through it stage by stage.

    Raises:
        SourceError: A table or a drawing is wrong.
        WorkspaceError: The folder or a file that it needs is missing.
    """
    document = without_drawn(_usable(read_plainly(Folder(package_files(folder)))))
    return drawn_source(document, board_id=slug(folder.resolve().name))
