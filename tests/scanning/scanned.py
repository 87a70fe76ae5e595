"""A small board drawn pixel by pixel, of which every dot and line is known; and what scanners do to pictures.

```
    A ----red---- B ----red---- C        squares: A, C, G; dots: the others
    |             |  \\          |        J is no symbol: blue lines from B, F and G meet there
  green(dashes)  green \\blue  black     D - E: two lines, red and green, side by side
    |             |    \\        |        H lies in the legend: nothing runs into it
    D ==red,green= E    J---blue-- F
                        |
                        G
```
"""

import io
from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from mapkit.formats.pixels import Pixels

SIZE = (520, 400)
FINE = 4
INK = "#1b1b1b"
COLOURS = {"black": "#161616", "blue": "#153890", "green": "#3e8e73", "red": "#d8232a"}
SPOTS = {
    "A": (60, 60),
    "B": (230, 60),
    "C": (440, 70),
    "D": (60, 240),
    "E": (230, 240),
    "F": (440, 250),
    "G": (340, 340),
    "H": (40, 370),
}
SQUARES = ("A", "C", "G")
JUNCTION = (340, 250)
DOT, SQUARE, LINE = 5.5, 9.0, 5.0
LINES = (
    ("red", (SPOTS["A"], SPOTS["B"]), ()),
    ("red", (SPOTS["B"], SPOTS["C"]), ()),
    ("green", (SPOTS["A"], SPOTS["D"]), (18, 7)),
    ("green", (SPOTS["B"], SPOTS["E"]), (18, 7)),
    ("black", (SPOTS["C"], SPOTS["F"]), ()),
    ("red", (SPOTS["D"], (75, 237), (215, 237), SPOTS["E"]), ()),
    ("green", (SPOTS["D"], (75, 244), (215, 244), SPOTS["E"]), ()),
    ("blue", (SPOTS["B"], JUNCTION), ()),
    ("blue", (JUNCTION, SPOTS["F"]), ()),
    ("blue", (JUNCTION, SPOTS["G"]), ()),
)
LINK_TOLERANCE = 1.5 * LINE
LINKS = {
    ("red", "A", "B"),
    ("red", "B", "C"),
    ("green", "A", "D"),
    ("green", "B", "E"),
    ("black", "C", "F"),
    ("red", "D", "E"),
    ("green", "D", "E"),
    ("blue", "B", "F"),
    ("blue", "B", "G"),
    ("blue", "F", "G"),
}


def _fine(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(x * FINE, y * FINE) for x, y in points]


def _dashed(points: Sequence[tuple[float, float]], dashes: Sequence[float]) -> list[list[tuple[float, float]]]:
    if not dashes:
        return [list(points)]
    (x0, y0), (x1, y1) = points[0], points[-1]
    length = float(np.hypot(x1 - x0, y1 - y0))
    on, off = dashes
    starts = np.arange(-on / 2, length, on + off)
    return [
        [(x0 + (x1 - x0) * t / length, y0 + (y1 - y0) * t / length) for t in (max(s, 0.0), min(s + on, length))]
        for s in starts
    ]


def drawn() -> Pixels:
    """Return the picture."""
    image = Image.new("RGB", (SIZE[0] * FINE, SIZE[1] * FINE), "#f5f1e6")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 200 * FINE, SIZE[1] * FINE), fill="#cfe3c8")
    for _, points, _ in LINES:
        draw.line(_fine(points), fill="#ffffff", width=round((LINE + 2) * FINE), joint="curve")
    for railroad, points, dashes in LINES:
        for stroke in _dashed(points, dashes):
            draw.line(_fine(stroke), fill=COLOURS[railroad], width=round(LINE * FINE), joint="curve")
    for name, (x, y) in SPOTS.items():
        shape = draw.rectangle if name in SQUARES else draw.ellipse
        half = SQUARE if name in SQUARES else DOT
        for grown, fill in ((1.0, "#ffffff"), (0.0, INK)):
            reach = half + grown
            shape([(v * FINE) for v in (x - reach, y - reach, x + reach, y + reach)], fill=fill)
        draw.text(((x + 12) * FINE, (y - 14) * FINE), f"{name}ville", fill=INK, font_size=10 * FINE)
    return np.asarray(image.resize(SIZE, Image.Resampling.BOX), dtype=np.uint8)


def scanned(pixels: Pixels, seed: int = 1) -> Pixels:
    """Return a picture as a scanner and a photographer leave it: blurred, noisy, saved as JPEG."""
    image = Image.fromarray(pixels).filter(ImageFilter.GaussianBlur(0.6))
    noise = np.random.default_rng(seed).normal(0, 5, (*SIZE[::-1], 3))
    noisy = Image.fromarray(np.clip(np.asarray(image) + noise, 0, 255).astype(np.uint8))
    out = io.BytesIO()
    noisy.save(out, "JPEG", quality=80, subsampling=0)
    return np.asarray(Image.open(out).convert("RGB"), dtype=np.uint8)
