"""What `mapkit scan trace` finds of boards that mapkit draws: dots, links, followed lines, by theme, pattern and case.

    python tests/bench/bench_scans.py [BOARD [DPI [THEME...]]]

Each picture is read clean, and as scanners and photographers leave it: blur, noise, JPEG, a slight warp. Links are
compared as a multigraph: two lines of one railroad between the same mileposts are two links.
"""

import io
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from boardscans.scores import score, texts
from boardscans.truth import MM_PER_INCH, Truth, names_in, truth_of, without_names
from boardscans.wear import Moved, clean, worn
from PIL import Image

import mapkit
from mapkit.drawing.theme.theme import THEMES
from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.colours import picked
from mapkit.kinds.rail.scanning.inks import colour_lab, colour_table, keys_of
from mapkit.kinds.rail.scanning.scan import scan_board
from mapkit.press.raster import svg_to_png

WORKSPACE = Path(__file__).resolve().parents[2]
LOOKED_AT_MM = 3.5
"""How far around a place on a line an author looks for the pixel that shows its ink best."""


def inks_of(svg: str, railroads: Sequence[str]) -> dict[str, str]:
    """Return the colour in which each railroad is drawn."""
    group = r'id="rr-{}".*?class="track"[^>]*stroke="(#\w+)"'
    found = {ident: re.search(group.format(ident), svg, re.DOTALL) for ident in railroads}
    return {ident: match.group(1) for ident, match in found.items() if match}


def colours_in(pixels: Pixels, truth: Truth, inks: dict[str, str], moved: Moved, dpi: float) -> dict[str, str]:
    """Return the colour of each railroad as an author picks it: once, where its line lies alone and shows it best."""
    reach = round(LOOKED_AT_MM * dpi / MM_PER_INCH)
    places = moved(np.array(list(truth.alone.values()))).astype(int)
    out: dict[str, str] = {}
    for ident, (x, y) in zip(truth.alone, places.tolist(), strict=True):
        top, left = max(0, y - reach), max(0, x - reach)
        part = pixels[top : y + reach + 1, left : x + reach + 1]
        off = np.linalg.norm(colour_table()[keys_of(part)] - colour_lab(inks[ident]), axis=2)
        wide = np.pad(off, 1, mode="edge")
        around = sum(wide[i : i + off.shape[0], j : j + off.shape[1]] for i in range(3) for j in range(3)) / 9
        v, u = np.unravel_index(int((around + off / 2).argmin()), off.shape)
        out[ident] = picked(pixels, left + int(u), top + int(v))
    return out


def printed(name: str, theme: str, dpi: float) -> tuple[Pixels, Truth, dict[str, str]]:
    """Return the picture of a board, what it holds, and the colour in which each railroad is drawn."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "board.svg"
        mapkit.draw(name, out=file, look=mapkit.Look(theme=theme), workspace=WORKSPACE)
        drawing = file.read_text(encoding="utf-8")
    whole, bare = (
        Image.open(io.BytesIO(svg_to_png(svg, dpi))).convert("RGB") for svg in (drawing, without_names(drawing))
    )
    truth = truth_of(drawing, dpi, names_in(whole, bare))
    return np.asarray(whole, np.uint8), truth, inks_of(drawing, list(truth.alone))


def report(name: str, theme: str, dpi: float) -> None:
    """Print one picture's figures, clean and worn."""
    whole, truth, inks = printed(name, theme, dpi)
    for how in (clean, worn):
        pixels, moved = how(whole)
        start = time.perf_counter()
        found = scan_board(pixels, colours_in(pixels, truth, inks, moved, dpi), (THEMES[theme].ink,))
        seconds = time.perf_counter() - start
        head, *rest = texts(score(found, truth, moved))
        print(f"{name} {theme} {dpi:g} {how.__name__}: {head}; {seconds:.0f} s")
        print("\n".join(rest), flush=True)


def main(arguments: Sequence[str]) -> None:
    """Print the figures of a board in some themes."""
    name = arguments[0] if arguments else "usa"
    dpi = float(arguments[1]) if len(arguments) > 1 else 100.0
    for theme in arguments[2:] or ("classic", "atlas", "dark"):
        report(name, theme, dpi)


if __name__ == "__main__":
    main(sys.argv[1:])
