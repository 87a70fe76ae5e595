"""What a new board of hexagons begins with.

`template/common` has what every new board has: components, cards, and an example track. `template/board` has the map
of the small example.
"""

from importlib.resources import as_file, files

from mapkit.document.boards import folder_files
from mapkit.document.package import Package

_FOLDER = "mapkit.kinds.hex"


def common_files() -> dict[str, bytes]:
    """Return the tables of components, cards and track that a new board begins with."""
    return _files("common")


def example_files() -> dict[str, bytes]:
    """Return the files of the small example."""
    return {**_files("common"), **_files("board")}


def _files(name: str) -> dict[str, bytes]:
    with as_file(files(_FOLDER).joinpath("template", name)) as found:
        return folder_files(found, Package.patterns)
