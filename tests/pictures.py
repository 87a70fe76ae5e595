"""Golden pictures: a drawing is compared with a committed PNG, and a difference is shown side by side.

`MAPKIT_GOLDEN=write pytest tests/render/test_golden.py` draws them again; look at each before it is committed.
"""

import os
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mapkit.press.raster import svg_to_png

GOLDEN = Path(__file__).parent / "golden"
FAILED = Path(__file__).parent.parent / "golden-failures"

NOTICEABLE = 40
"""Levels of 255, in the worst channel, by which a pixel must differ to count: more than another machine's rounding."""
MOST = 0.002
"""Share of pixels that may: a dot moved by its own size on a board is more."""
COLOURS = 128


class Difference(NamedTuple):
    """How far two pictures are from each other."""

    share: float
    mask: NDArray[np.bool_]

    def where(self) -> str:
        """Say in which part of the picture most differs."""
        thirds = [np.array_split(rows, 3, axis=1) for rows in np.array_split(self.mask, 3, axis=0)]
        worst = max(range(9), key=lambda at: int(thirds[at // 3][at % 3].sum()))
        down, across = ("at the top", "in the middle", "at the bottom"), ("left", "centre", "right")
        return f"{down[worst // 3]} {across[worst % 3]}"


def assert_picture(name: str, svg: str, *, width: int = 800) -> None:
    """Compare a drawing with `tests/golden/NAME.png`; on failure `golden-failures/NAME.png` shows both and where."""
    assert_same(name, Image.open(BytesIO(svg_to_png(svg, width=width))).convert("RGB"), colours=COLOURS)


def assert_same(name: str, drawn: Image.Image, *, colours: int) -> None:
    """Compare a picture with `tests/golden/NAME.png`, which is kept in so many colours."""
    path = GOLDEN / f"{name}.png"
    if os.environ.get("MAPKIT_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        drawn.quantize(colours, dither=Image.Dither.NONE).save(path, optimize=True)
        return
    assert path.is_file(), f"{path} is missing: draw it with MAPKIT_GOLDEN=write, and look at it"
    kept = Image.open(path)
    golden = kept.convert("RGB")
    # in the kept picture's colours, so that keeping few of them costs nothing
    drawn = drawn.quantize(palette=kept, dither=Image.Dither.NONE).convert("RGB")
    found = difference(golden, drawn)
    failed = FAILED / f"{name}.png"
    if found is None or found.share > MOST:
        failed.parent.mkdir(parents=True, exist_ok=True)
        side_by_side(golden, drawn, found).save(failed)
    assert found is not None, f"{name}: {drawn.size} pixels, the golden picture has {golden.size}; see {failed}"
    renew = "if it is meant, draw it again with MAPKIT_GOLDEN=write, and look at it"
    share = f"{found.share:.2%} of the pixels differ, {MOST:.2%} may"
    assert found.share <= MOST, f"{name}: {share}, most of them {found.where()}; see {failed}; {renew}"


def difference(golden: Image.Image, drawn: Image.Image) -> Difference | None:
    """Return where two pictures differ, or None if their sizes do."""
    if golden.size != drawn.size:
        return None
    apart = np.abs(np.asarray(golden, dtype=np.int16) - np.asarray(drawn, dtype=np.int16)).max(axis=2)
    mask = apart > NOTICEABLE
    return Difference(float(mask.mean()), mask)


def side_by_side(golden: Image.Image, drawn: Image.Image, found: Difference | None) -> Image.Image:
    """Return the golden picture, the drawn one, and the drawn one in grey with the differences in red."""
    grey = drawn.convert("L").convert("RGB")
    if found is not None:
        marked = np.asarray(grey).copy()
        marked[found.mask] = (255, 0, 0)
        grey = Image.fromarray(marked)
    panels = (golden, drawn, grey)
    sheet = Image.new("RGB", (sum(p.width for p in panels) + 20, max(p.height for p in panels)), "white")
    x = 0
    for panel in panels:
        sheet.paste(panel, (x, 0))
        x += panel.width + 10
    return sheet
