"""Files of a source package and their contents."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mapkit.core.errors import SourceError, WorkspaceError
from mapkit.core.outputs.filenames import find_existing, is_there
from mapkit.core.problems import Problem, parse_problem
from mapkit.document.package import Files
from mapkit.formats.files import LINE_SUFFIXES, read_bytes, read_text
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.table_files import MAPPING, TABLE_FILES

_FOLDERS: Final[Mapping[str, str]] = {
    "lines": "lines",
    "charts": "destinations",
    "drawings": "files",
    "layers": "files",
    "pictures": "files",
}
"""Folders of a source package, and a table that they hold, for problems."""
_FILE_SUFFIXES: Final = (".csv", *LINE_SUFFIXES)


def table_of(name: str) -> str:
    """Return the table of the document that a file holds."""
    if name == CONFIG_FILE:
        return "settings"
    return TABLE_FILES.get(name, "lines" if name.startswith("lines/") and name.endswith(".csv") else "files")


@dataclass(frozen=True)
class Folder:
    """Files of a source package, and the problems of unusable ones."""

    files: Files
    problems: tuple[Problem, ...] = ()


def read_folder(folder: Path) -> Folder:
    """Return the files of a source package that the editor edits or carries.

    Raises:
        WorkspaceError: The folder or `board.toml` is missing, or may not be read.
    """
    if not is_there(folder / CONFIG_FILE):
        raise WorkspaceError(f"{folder}: no {CONFIG_FILE} there; give the folder of a source package")
    out: dict[str, str | bytes] = {}
    problems: list[Problem] = list(_misnamed_folders(folder))
    lines = list(filter(_is_carried, sorted(folder.glob("lines/*"))))
    drawings = list(
        filter(
            _is_carried,
            sorted(path for name in ("drawings", "layers", "pictures") for path in folder.glob(f"{name}/*")),
        )
    )
    tables = [folder / name for name in TABLE_FILES if find_existing(folder / name)]
    for path in (folder / CONFIG_FILE, *tables, *lines, *drawings):
        name = path.relative_to(folder).as_posix()
        try:
            is_there(path, within=folder)
            out[name] = _content(path, name)
        except (SourceError, WorkspaceError) as error:
            problems.append(parse_problem(str(error), table=table_of(name)))
    return Folder(out, tuple(problems))


def _is_carried(path: Path) -> bool:
    """Return whether a path in a folder is a file to read, or stands in place of one, such as a pipe."""
    return not path.name.startswith(".") and (not path.is_dir() or path.suffix.lower() in _FILE_SUFFIXES)


def _content(path: Path, name: str) -> str | bytes:
    if path.suffix != ".csv" == path.suffix.lower():
        raise SourceError(f"{name}: the ending of a table is .csv, in small letters; rename it")
    text = table_of(name) != "files" and name != MAPPING
    return read_text(path, name=name) if text else read_bytes(path, name=name)


def _misnamed_folders(folder: Path) -> Iterator[Problem]:
    """Yield a problem for each folder in a source package that only some systems would find."""
    for name, table in _FOLDERS.items():
        try:
            is_there(folder / name, within=folder)
        except WorkspaceError as error:
            yield parse_problem(str(error), table=table)
