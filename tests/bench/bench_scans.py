"""What `mapkit scan trace` finds of boards that mapkit draws: dots, links, followed lines, by theme, pattern and case.

    python tests/bench/bench_scans.py [BOARD [DPI [THEME...]]] [--inks SEED | --printed SEED]

With `--inks`, all railroads share nine inks, as on printed boards; those of one ink differ in pattern where there are
patterns enough, and a pixel of each railroad is given, as an author clicks on it. With `--printed`, the whole board is
drawn anew as printers did: inks, patterns, widths, halftone, letters and frame by the seed, then scanned with folds.

Each picture is read clean, and as scanners and photographers leave it: blur, noise, JPEG, a slight warp. Links are
compared as a multigraph: two lines of one railroad between the same mileposts are two links.
"""

import argparse
import io
import random
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from boardscans.printing import choose_print, print_board, scanned
from boardscans.scores import score, texts
from boardscans.truth import MM_PER_INCH, Truth, names_in, truth_of, without_names
from boardscans.wear import Moved, clean, worn
from PIL import Image

import mapkit
from mapkit.drawing.theme.theme import THEMES
from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.colours import guess_symbol_colours, pick_colour
from mapkit.kinds.rail.scanning.inks import colour_lab, colour_table, pixels_to_keys
from mapkit.kinds.rail.scanning.scan import scan_board
from mapkit.press.raster import svg_to_png

WORKSPACE = Path(__file__).resolve().parents[2]
INKS = ("#b3262e", "#1f6f43", "#1c5fa8", "#e08a1e", "#6b3fa0", "#222222", "#8a5a2b", "#d0559a", "#1a9aa0")
RAILROAD = re.compile(r'(?=<g [^>]*id="rr-)')
LINE_MM = 1.3
"""Usual width of a line."""
CLICK_PIXELS = 4
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
        off = np.linalg.norm(colour_table()[pixels_to_keys(part)] - colour_lab(inks[ident]), axis=2)
        wide = np.pad(off, 1, mode="edge")
        around = sum(wide[i : i + off.shape[0], j : j + off.shape[1]] for i in range(3) for j in range(3)) / 9
        v, u = np.unravel_index(int((around + off / 2).argmin()), off.shape)
        out[ident] = pick_colour(pixels, left + int(u), top + int(v))
    return out


def share_inks(svg: str, seed: int) -> str:
    """Return a drawing in which railroads share few inks, those of one ink with different patterns where they can."""
    head, *groups = RAILROAD.split(svg)
    patterns = {ident: name for name, ident in re.findall(r'data-pattern="([\w-]+)"[^>]*id="(rr-[\w-]+)"', svg)}
    idents = sorted(patterns)
    random.Random(seed).shuffle(idents)  # noqa: S311 - not for secrets
    used: list[set[str]] = [set() for _ in INKS]
    ink_of: dict[str, str] = {}
    for ident in idents:
        free = [k for k in range(len(INKS)) if patterns[ident] not in used[k]]
        chosen = min(free, key=lambda k: (len(used[k]), k), default=0)
        used[chosen].add(patterns[ident])
        ink_of[ident] = INKS[chosen]
    return head + "".join(recolour(group, ink_of) for group in groups)


def recolour(group: str, ink_of: dict[str, str]) -> str:
    """Return a group of a railroad in another ink; what follows its layer stays as it is."""
    body, mark, rest = group.partition('<g class="layer"')
    own = re.search(r'class="track"[^>]*stroke="(#\w+)"', body)
    ident = re.search(r'id="(rr-[\w-]+)"', body)
    return (body.replace(own[1], ink_of[ident[1]]) if own and ident else body) + mark + rest


def drawn(name: str, theme: str) -> str:
    """Return the drawing of a board."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "board.svg"
        mapkit.draw(name, out=file, look=mapkit.Look(theme=theme), workspace=WORKSPACE)
        return file.read_text(encoding="utf-8")


def printed(name: str, theme: str, dpi: float, seed: int | None = None) -> tuple[Pixels, Truth, dict[str, str]]:
    """Return the picture of a board, what it holds, and the colour in which each railroad is drawn."""
    drawing = drawn(name, theme)
    if seed is not None:
        drawing = share_inks(drawing, seed)
    whole, bare = (
        Image.open(io.BytesIO(svg_to_png(svg, dpi))).convert("RGB") for svg in (drawing, without_names(drawing))
    )
    truth = truth_of(drawing, dpi, names_in(whole, bare))
    return np.asarray(whole, np.uint8), truth, inks_of(drawing, list(truth.alone))


def click(pixels: Pixels, spot: tuple[float, float], ink: str) -> tuple[str, tuple[float, float]]:
    """Return the colour and pixel that an author picks near a spot on a line: the pixel that shows the ink best."""
    x, y = round(spot[0]), round(spot[1])
    top, left = max(0, y - CLICK_PIXELS), max(0, x - CLICK_PIXELS)
    part = pixels[top : y + CLICK_PIXELS + 1, left : x + CLICK_PIXELS + 1]
    off = np.linalg.norm(colour_table()[pixels_to_keys(part)] - colour_lab(ink), axis=2)
    v, u = np.unravel_index(int(off.argmin()), off.shape)
    return pick_colour(pixels, left + int(u), top + int(v)), (left + int(u), top + int(v))


def click_railroads(
    pixels: Pixels, truth: Truth, inks: dict[str, str], moved: Moved
) -> tuple[dict[str, str], dict[str, tuple[float, float]]]:
    """Return the colour and pixel that an author picks for each railroad, where its line lies alone."""
    picked = {
        ident: click(pixels, tuple(moved(np.array([spot]))[0]), inks[ident]) for ident, spot in truth.alone.items()
    }
    return {ident: colour for ident, (colour, _) in picked.items()}, {ident: at for ident, (_, at) in picked.items()}


def report_print(name: str, dpi: float, seed: int) -> None:
    """Print the figures of a board as printers made it, as printed and as scanned."""
    svg = drawn(name, "classic")
    railroads = sorted(re.findall(r'id="rr-([\w-]+)"', svg))
    how = choose_print(railroads, LINE_MM, seed)
    sheet = print_board(svg, dpi, how, seed)
    truth = truth_of(svg, dpi, np.zeros(sheet.shape[:2], bool))
    truth = replace(truth, links=[replace(link, pattern=how.patterns[link.railroad]) for link in truth.links])
    for way in ("printed", "scanned"):
        pixels, moved = clean(sheet) if way == "printed" else scanned(sheet, seed)
        start = time.process_time()
        colours, clicks = click_railroads(pixels, truth, how.inks, moved)
        found = scan_board(pixels, colours, guess_symbol_colours(pixels), clicks=clicks)
        seconds = time.process_time() - start
        head, *rest = texts(score(found, truth, moved))
        print(f"{name} {way} seed {seed} {dpi:g}: {head}; {seconds:.0f} s of the processor")
        print("\n".join(rest), flush=True)


def report(name: str, theme: str, dpi: float, seed: int | None = None) -> None:
    """Print one picture's figures, clean and worn."""
    whole, truth, inks = printed(name, theme, dpi, seed)
    for how in (clean, worn):
        pixels, moved = how(whole)
        start = time.perf_counter()
        if seed is None:
            colours, clicks = colours_in(pixels, truth, inks, moved, dpi), dict[str, tuple[float, float]]()
        else:
            colours, clicks = click_railroads(pixels, truth, inks, moved)
        found = scan_board(pixels, colours, (THEMES[theme].ink,), clicks=clicks)
        seconds = time.perf_counter() - start
        head, *rest = texts(score(found, truth, moved))
        print(f"{name} {theme} {dpi:g} {how.__name__}: {head}; {seconds:.0f} s")
        print("\n".join(rest), flush=True)


def main(arguments: Sequence[str]) -> None:
    """Print the figures of a board in some themes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("board", nargs="?", default="usa")
    parser.add_argument("dpi", nargs="?", type=float, default=100.0)
    parser.add_argument("themes", nargs="*")
    parser.add_argument("--inks", type=int, metavar="SEED")
    parser.add_argument("--printed", type=int, metavar="SEED")
    given = parser.parse_args(arguments)
    if given.printed is not None:
        report_print(given.board, given.dpi, given.printed)
        return
    for theme in given.themes or (("classic", "atlas", "dark") if given.inks is None else ("classic",)):
        report(given.board, theme, given.dpi, given.inks)


if __name__ == "__main__":
    main(sys.argv[1:])
