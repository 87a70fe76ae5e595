"""What a new railroad board begins with: a small example, or nothing."""

from importlib.resources import as_file, files
from typing import Final

from mapkit.document.boards import folder_files

PATTERNS: Final = ("board.toml", "*.csv", "charts/*.csv", "lines/*", "drawings/*", "layers/*")
"""Where the files of a source package are."""


def empty_files() -> dict[str, bytes]:
    """Return the files of a board without railroads and cities."""
    return _files("empty")


def example_files() -> dict[str, bytes]:
    """Return the files of the small example."""
    return _files("template")


def _files(folder: str) -> dict[str, bytes]:
    with as_file(files("mapkit.kinds.rail.sources").joinpath(folder)) as found:
        return folder_files(found, PATTERNS)
