"""Draw the pictures of docs/how-to/scans.md: a part of a board as a scanner leaves it, and what is read from it.

PYTHONPATH=tests/bench python tools/scan_pictures.py
"""

import io
import tempfile
from pathlib import Path
from typing import Final

import numpy as np
from bench_scans import colours_in, inks_of
from boardscans.truth import names_in, truth_of, without_names
from boardscans.wear import worn
from PIL import Image, ImageDraw

import mapkit
from mapkit.drawing.theme.theme import THEMES
from mapkit.kinds.rail.scanning.links import SURE
from mapkit.kinds.rail.scanning.scan import scan_board
from mapkit.press.raster import svg_to_png

ROOT: Final = Path(__file__).resolve().parents[1]
PICTURES: Final = ROOT / "docs" / "pictures"
DPI: Final = 100.0
LEAST: Final = 0.5
PART: Final = (2380, 880, 3180, 1480)
LINE: Final = (255, 0, 255)
DOUBT: Final = (255, 200, 0)
MARK: Final = (0, 120, 255)


def main() -> None:
    """Write both pictures."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "board.svg"
        mapkit.draw("usa", out=file, look=mapkit.Look(theme="classic"), workspace=ROOT)
        drawing = file.read_text(encoding="utf-8")
    whole, bare = (
        Image.open(io.BytesIO(svg_to_png(svg, DPI))).convert("RGB") for svg in (drawing, without_names(drawing))
    )
    truth = truth_of(drawing, DPI, names_in(whole, bare))
    pixels, moved = worn(np.asarray(whole, np.uint8))
    colours = colours_in(pixels, truth, inks_of(drawing, list(truth.alone)), moved, DPI)
    part = np.ascontiguousarray(pixels[PART[1] : PART[3], PART[0] : PART[2]])
    here = {link.railroad for link in truth.links if (link.line > PART[:2]).all() and (link.line < PART[2:]).all()}
    board = scan_board(part, {name: colours[name] for name in sorted(here)}, (THEMES["classic"].ink,))
    image = Image.fromarray(part)
    image.quantize(128).save(PICTURES / "scan-worn.png", optimize=True)
    image = Image.blend(image, Image.new("RGB", image.size, (255, 255, 255)), 0.5)
    draw = ImageDraw.Draw(image)
    for line in (one for one in board.lines if one.confidence >= LEAST):
        colour = LINE if line.confidence >= SURE else DOUBT
        draw.line([(float(x), float(y)) for x, y in line.line], fill=colour, width=2)
    for symbol in board.symbols:
        reach = symbol.half + 2
        box = (symbol.x - reach, symbol.y - reach, symbol.x + reach, symbol.y + reach)
        (draw.ellipse if symbol.kind == "dot" else draw.rectangle)(box, outline=MARK, width=2)
    image.quantize(128).save(PICTURES / "scan-read.png", optimize=True)


if __name__ == "__main__":
    main()
