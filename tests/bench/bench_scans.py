"""What `mapkit trace-scan` finds of boards that mapkit draws: dots, links, how far off they are, by theme and pattern.

python tests/bench/bench_scans.py [BOARD [DPI [THEME...]]]

Each picture is read clean, and as scanners and photographers leave it: blur, noise, JPEG, a slight warp.
"""

import io
import re
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

import mapkit
from mapkit.drawing.theme.theme import THEMES
from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.scanning.colours import picked
from mapkit.kinds.rail.scanning.scan import ScannedBoard, scan_board
from mapkit.press.raster import svg_to_png

WORKSPACE = Path(__file__).resolve().parents[2]
MM_PER_INCH = 25.4
LEAST = 0.5
NUMBER = re.compile(r"[-\d.]+")
Spots = NDArray[np.float64]


@dataclass(frozen=True)
class Truth:
    """What a drawing holds, in pixels: mileposts by id, links, and a place on a line and the pattern of railroads."""

    spots: dict[str, tuple[str, float, float]]
    links: list[tuple[str, str, str]]
    alone: dict[str, tuple[float, float]]
    patterns: dict[str, str]


def truth_of(svg: str, dpi: float) -> Truth:
    """Read the ids and data of a drawing."""
    scale = dpi / MM_PER_INCH
    spots: dict[str, tuple[str, float, float]] = {}
    links: list[tuple[str, str, str]] = []
    courses: dict[str, list[Spots]] = defaultdict(list)
    patterns: dict[str, str] = {}
    for element in ET.fromstring(svg).iter():  # noqa: S314 - what mapkit drew
        kind, ident = element.get("class", ""), element.get("id", "")
        if kind == "milepost dot":
            x, y = (float(element.get(name, "nan")) for name in ("cx", "cy"))
            spots[ident[2:]] = ("dot", x * scale, y * scale)
        elif kind == "milepost square":
            x, y, w, h = (float(element.get(name, "nan")) for name in ("x", "y", "width", "height"))
            spots[ident[2:]] = ("square", (x + w / 2) * scale, (y + h / 2) * scale)
        elif kind == "railroad":
            patterns[ident[3:]] = element.get("data-pattern", "")
        elif kind == "segment":
            ends = sorted((element.get("data-a", ""), element.get("data-b", "")))
            railroad = element.get("data-railroad", "")
            links.append((railroad, ends[0], ends[1]))
            line = np.array([float(n) for n in NUMBER.findall(element.get("d", ""))]).reshape(-1, 2) * scale
            courses[railroad].append(line)
    whole = {railroad: np.concatenate(lines) for railroad, lines in courses.items()}
    dots = np.array([(x, y) for _, x, y in spots.values()])
    return Truth(spots, links, {railroad: _alone(railroad, whole, dots) for railroad in whole}, patterns)


def _alone(railroad: str, courses: dict[str, Spots], dots: Spots) -> tuple[float, float]:
    """Return the place on a railroad's lines that is farthest from other lines and from dots."""
    others = np.concatenate([dots, *(line for name, line in courses.items() if name != railroad)])
    mine = courses[railroad]
    off = [float(np.hypot(*(others - spot).T).min()) for spot in mine]
    x, y = mine[int(np.argmax(off))]
    return float(x), float(y)


def colours_in(pixels: Pixels, truth: Truth, moved: Callable[[Spots], Spots]) -> dict[str, str]:
    """Return the colour of each railroad as an author picks it: once, at a pixel on its line."""
    places = moved(np.array(list(truth.alone.values())))
    picks = zip(truth.alone, np.rint(places - 0.5).astype(int).tolist(), strict=True)
    return {railroad: picked(pixels, x, y) for railroad, (x, y) in picks}


def clean(pixels: Pixels) -> tuple[Pixels, Callable[[Spots], Spots]]:
    """Return the picture as it is, and where its spots come to lie."""
    return pixels, lambda spots: spots


def worn(pixels: Pixels) -> tuple[Pixels, Callable[[Spots], Spots]]:
    """Return the picture as a scanner leaves it: warped by some pixels, blurred, noisy, saved as JPEG."""
    height, width = pixels.shape[:2]
    size, wave = 3.0, 2 * np.pi / (0.6 * width)

    def moved(spots: Spots) -> Spots:
        x, y = spots[:, 0], spots[:, 1]
        return np.stack((x - size * np.sin(wave * y), y - size * np.cos(wave * x)), axis=1)

    y, x = np.mgrid[0:height, 0:width]
    back = pixels[
        np.clip(np.rint(y + size * np.cos(wave * x)).astype(int), 0, height - 1),
        np.clip(np.rint(x + size * np.sin(wave * y)).astype(int), 0, width - 1),
    ]
    soft = np.asarray(Image.fromarray(back).filter(ImageFilter.GaussianBlur(0.7)), np.float32)
    noise = np.random.default_rng(26).normal(0, 6, soft.shape).astype(np.float32)
    out = io.BytesIO()
    Image.fromarray(np.clip(soft + noise, 0, 255).astype(np.uint8)).save(out, "JPEG", quality=75)
    return np.asarray(Image.open(out).convert("RGB"), np.uint8), moved


@dataclass(frozen=True)
class Score:
    """How many dots and links there are, were found, and are false; by pattern, the links found."""

    dots: int
    found: int
    false: int
    off: float
    links: int
    links_found: int
    links_false: int
    missed: dict[str, tuple[int, int]]


def score(board: ScannedBoard, truth: Truth, moved: Callable[[Spots], Spots]) -> Score:
    """Compare what was read with what was drawn."""
    names = list(truth.spots)
    places = moved(np.array([truth.spots[name][1:] for name in names]))
    width = 2 * board.sizes.dot
    at: dict[int, str] = {}
    off = [0.0]
    for number, symbol in enumerate(board.symbols):
        far = np.hypot(*(places - (symbol.x + 0.5, symbol.y + 0.5)).T)
        best = int(far.argmin())
        right = truth.spots[names[best]][0] == symbol.kind and names[best] not in at.values()
        if right and far[best] < width:
            at[number] = names[best]
            off.append(float(far[best]) / width)
    left = Counter(truth.links)
    false = 0
    for link in board.links:
        if link.confidence >= LEAST:
            ends = sorted((at.get(link.a, ""), at.get(link.b, "")))
            key = (link.railroad, ends[0], ends[1])
            false += left[key] <= 0
            left[key] -= 1
    missed: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for key, wanted in Counter(truth.links).items():
        pattern = missed[truth.patterns[key[0]]]
        pattern[0] += max(left[key], 0)
        pattern[1] += wanted
    lost = sum(one for one, _ in missed.values())
    return Score(
        len(names),
        len(at),
        len(board.symbols) - len(at),
        float(np.max(off)),
        len(truth.links),
        len(truth.links) - lost,
        false,
        {name: (one, all_) for name, (one, all_) in sorted(missed.items())},
    )


def report(name: str, theme: str, dpi: float) -> None:
    """Print one picture's figures, clean and worn."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "board.svg"
        mapkit.draw(name, out=file, look=mapkit.Look(theme=theme), workspace=WORKSPACE)
        drawing = file.read_text(encoding="utf-8")
    truth = truth_of(drawing, dpi)
    picture = np.asarray(Image.open(io.BytesIO(svg_to_png(drawing, dpi))).convert("RGB"), np.uint8)
    for how in (clean, worn):
        pixels, moved = how(picture)
        start = time.perf_counter()
        found = scan_board(pixels, colours_in(pixels, truth, moved), (THEMES[theme].ink,))
        seconds = time.perf_counter() - start
        s = score(found, truth, moved)
        print(
            f"{name} {theme} {dpi:g} {how.__name__}: dots {100 * s.found / s.dots:.2f} % false "
            f"{100 * s.false / max(s.found + s.false, 1):.2f} % off {s.off:.2f} widths; links "
            f"{100 * s.links_found / s.links:.2f} % false "
            f"{100 * s.links_false / max(s.links_found + s.links_false, 1):.2f} %; {seconds:.0f} s"
        )
        print("  missed: " + ", ".join(f"{k} {one} of {all_}" for k, (one, all_) in s.missed.items()), flush=True)


def main(arguments: Sequence[str]) -> None:
    """Print the figures of a board in some themes."""
    name = arguments[0] if arguments else "usa"
    dpi = float(arguments[1]) if len(arguments) > 1 else 100.0
    for theme in arguments[2:] or ("classic", "atlas", "dark"):
        report(name, theme, dpi)


if __name__ == "__main__":
    main(sys.argv[1:])
