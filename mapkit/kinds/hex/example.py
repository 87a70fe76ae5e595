"""Starting files of a new board of hexagons.

`template/common` has what every new board has: components, cards, and an example track. `template/board` has the map
of the small example.
"""

from importlib.resources import as_file, files

from mapkit.document.boards import folder_files
from mapkit.document.package import Package

_PACKAGE_NAME = "mapkit.kinds.hex"


def common_files() -> dict[str, bytes]:
    """Return the tables of components, cards and track of a new board."""
    return _template_files("common")


def example_files() -> dict[str, bytes]:
    """Return the files of the small example."""
    return {**_template_files("common"), **_template_files("board")}


def _template_files(name: str) -> dict[str, bytes]:
    with as_file(files(_PACKAGE_NAME).joinpath("template", name)) as template_folder:
        return folder_files(template_folder, Package.patterns)
