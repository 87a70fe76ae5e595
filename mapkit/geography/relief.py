"""Ruggedness of the land by tenths of a degree, a shipped grid for boards that tell plains from mountains.

`relief_map/relief.bin` is the grid, rows from north to south, cells from west to east, a byte a cell, deflated (zlib).
Its steps have the same scale everywhere, but no unit: 0 is a plain, 5 hills, 10 and more mountains.
`relief_map/PROVENANCE.md` names its source; `tools/relief/make_relief.py` writes it.
"""

import zlib
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mapkit.core.errors import SourceError

FILE: Final = Path(__file__).with_name("relief_map") / "relief.bin"
CELLS_PER_DEGREE: Final = 10
STEPS: Final = 16
"""How many steps the grid tells apart: 0 to 15."""
_ROW_COUNT: Final = 180 * CELLS_PER_DEGREE
_COLUMN_COUNT: Final = 360 * CELLS_PER_DEGREE

Steps = NDArray[np.uint8]


def pack_grid(grid: Steps) -> bytes:
    """Return the file content of a grid.

    Raises:
        ValueError: It is not of the whole earth, or a step is too high.
    """
    if grid.shape != (_ROW_COUNT, _COLUMN_COUNT) or int(grid.max()) >= STEPS:
        raise ValueError(f"a grid of {grid.shape} with steps up to {grid.max()}")
    return zlib.compress(grid.astype(np.uint8).tobytes(), 9)


def unpack_grid(data: bytes) -> Steps:
    """Return the grid of a file's content, shape (1800, 3600).

    Raises:
        SourceError: It is damaged.
    """
    cell_count = _ROW_COUNT * _COLUMN_COUNT
    reader = zlib.decompressobj()
    try:
        grid_bytes = reader.decompress(data, cell_count + 1)
    except zlib.error as error:
        raise SourceError(f"{FILE.name}: the relief is damaged ({error}); install mapkit again") from error
    if len(grid_bytes) != cell_count:
        raise SourceError(f"{FILE.name}: the relief is damaged; install mapkit again")
    return np.frombuffer(grid_bytes, np.uint8).reshape(_ROW_COUNT, _COLUMN_COUNT)


def ruggedness(lon: ArrayLike, lat: ArrayLike) -> Steps:
    """Return the ruggedness of the land at places, 0 to 15; at sea 0, or as the land a few kilometres away.

    Args:
        lon: Longitudes in degrees (EPSG:4326), of any turn.
        lat: Latitudes in degrees, -90 to 90.
    """
    column = (
        np.floor(np.asarray(lon, np.float64) * CELLS_PER_DEGREE + _COLUMN_COUNT / 2).astype(np.int64) % _COLUMN_COUNT
    )
    row = np.floor((90.0 - np.asarray(lat, np.float64)) * CELLS_PER_DEGREE).astype(np.int64)
    steps: Steps = _shipped_grid()[np.clip(row, 0, _ROW_COUNT - 1), column]
    return steps


@cache
def _shipped_grid() -> Steps:
    return unpack_grid(FILE.read_bytes())
