"""Shading and elevations of the land, shipped grids of the whole earth in tiles for drawings with relief.

A file is a ZIP archive of grey pictures (WebP), one for each 30 degrees by 30, named by row and column from longitude
-180, latitude 90; tiles that are all sea are left out. The shading is 128 where the land is level, more on slopes
that face the light (north-west), less on those in shade. Elevations are codes that grow with the root of the height, as
`elevation_code` makes them. `relief_map/PROVENANCE.md` names the sources.
"""

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mapkit.core.errors import SourceError

FLAT: Final = 128
"""Shading of level land."""
TILE_DEG: Final = 30
_FOLDER: Final = Path(__file__).with_name("relief_map")
_CODES_PER_ROOT_M: Final = 2.7
_CROP: Final = 30
"""Cells kept around the places that are asked for; a multiple of all shares that are taken together."""
_MOST_DOUBLINGS: Final = 3

Floats = NDArray[np.float32]
Grid = NDArray[np.uint8]


@dataclass(frozen=True)
class TileSet:
    """Grid of the whole earth, in tiles.

    Attributes:
        file: Name of its file.
        per_degree: Cells to a degree.
        empty: Value of cells in tiles that are left out.
    """

    file: str
    per_degree: int
    empty: int

    @staticmethod
    def tile_name(row: int, column: int) -> str:
        """Return the name of a tile in the file."""
        return f"{row}-{column}.webp"

    def sample(self, lon: Floats, lat: Floats, step_deg: float) -> Floats:
        """Return values at places, interpolated between the four nearest cells.

        Args:
            lon: Longitudes in degrees, continuous across 180; at most a turn apart.
            lat: Latitudes in degrees.
            step_deg: Distance between neighbouring places; where it spans several cells, their mean is taken.

        Raises:
            SourceError: The file is damaged.
        """
        west = int(np.floor(lon.min() / TILE_DEG - 0.05))
        east = max(int(np.floor(lon.max() / TILE_DEG + 0.05)), west)
        north = max(int(np.floor((90 - lat.max()) / TILE_DEG - 0.05)), 0)
        south = min(int(np.floor((90 - lat.min()) / TILE_DEG + 0.05)), 180 // TILE_DEG - 1)
        tiles_across = 360 // TILE_DEG
        grid = np.vstack(
            [
                np.hstack(
                    [
                        self._read_tile(row, (column + tiles_across // 2) % tiles_across)
                        for column in range(west, east + 1)
                    ]
                )
                for row in range(north, south + 1)
            ]
        )
        x = (lon - west * TILE_DEG) * np.float32(self.per_degree)
        y = (90 - north * TILE_DEG - lat) * np.float32(self.per_degree)
        left, top = (max(int(low.min()) // _CROP * _CROP - _CROP, 0) for low in (x, y))
        window = grid[top : int(y.max()) + _CROP, left : int(x.max()) + _CROP].astype(np.float32)
        x, y = x - np.float32(left), y - np.float32(top)
        share = max(share for share in (1, 2, 3, 5, 6) if share == 1 or share <= step_deg * self.per_degree)
        if share > 1:
            rows, columns = window.shape[0] // share, window.shape[1] // share
            window = window[: rows * share, : columns * share].reshape(rows, share, columns, share).mean((1, 3))
            x, y = x / share, y / share
        for _ in range(_MOST_DOUBLINGS):
            if x.size < 2 * window.size:  # pixels are about as large as cells
                break
            window = _double(_double(window).T).T
            x, y = 2 * x, 2 * y
        return _interpolate(window, (x - 0.5).astype(np.float32), (y - 0.5).astype(np.float32))

    def _read_tile(self, row: int, column: int) -> Grid:
        side = self.per_degree * TILE_DEG
        try:
            with zipfile.ZipFile(_FOLDER / self.file) as archive:
                if self.tile_name(row, column) not in archive.namelist():
                    return np.full((side, side), self.empty, np.uint8)
                with Image.open(io.BytesIO(archive.read(self.tile_name(row, column)))) as image:
                    return np.asarray(image.convert("L"))
        except (OSError, zipfile.BadZipFile) as error:
            raise SourceError(f"{self.file}: the relief is damaged ({error}); install mapkit again") from error


SHADING: Final = TileSet("shading.zip", 30, FLAT)
ELEVATION: Final = TileSet("elevation.zip", 12, 0)


def elevation_code(metres: NDArray[np.floating]) -> Grid:
    """Return elevations as codes; 0 at sea level and below."""
    codes: Grid = np.clip(np.rint(_CODES_PER_ROOT_M * np.sqrt(np.maximum(metres, 0))), 0, 255).astype(np.uint8)
    return codes


def _double(grid: Floats) -> Floats:
    """Return a grid with twice as many rows, on the surface of a quadratic B-spline (Chaikin 1974)."""
    out = np.repeat(np.float32(0.75) * grid, 2, axis=0)
    out[0::2] += np.float32(0.25) * np.vstack((grid[:1], grid[:-1]))
    out[1::2] += np.float32(0.25) * np.vstack((grid[1:], grid[-1:]))
    return out


def _interpolate(grid: Floats, x: Floats, y: Floats) -> Floats:
    """Return values of a grid between the middles of its cells (bilinear)."""
    rows, columns = grid.shape
    column = np.clip(np.floor(x).astype(np.int32), 0, columns - 2)
    row = np.clip(np.floor(y).astype(np.int32), 0, rows - 2)
    right, below = np.clip(x - column, 0, 1), np.clip(y - row, 0, 1)
    flat, first = grid.ravel(), row * columns + column
    upper = flat[first] * (1 - right) + flat[first + 1] * right
    lower = flat[first + columns] * (1 - right) + flat[first + columns + 1] * right
    values: Floats = upper * (1 - below) + lower * below
    return values
