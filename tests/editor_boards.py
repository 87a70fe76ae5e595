"""Source packages of boards made for tests, for editors that are really served."""

import sys
from pathlib import Path

from mapkit.kinds.rail.editing.saving import all_files

sys.path.insert(0, str(Path(__file__).parent / "editor"))

from generated import grid_document


def grid_folder(workspace: Path, rows: int, columns: int, *, cities: int) -> Path:
    """Write a board of `rows` x `columns` mileposts as a source package; returns its folder."""
    folder = workspace / "sources" / "grid"
    for name, content in all_files(grid_document(rows, columns, cities=cities)).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder
