"""Boards as printers made them: few inks, many patterns, halftone tints, black frames, names across lines, folds.

A drawing of mapkit gives places and courses; everything else (inks, widths, patterns, symbols, letters, screens, wear)
is drawn here, from a seed.
"""

import io
import random
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from PIL import Image, ImageFilter

from boardscans.truth import NUMBER, Spots
from boardscans.wear import Moved
from mapkit.core.arrays import Floats
from mapkit.formats.pixels import Pixels
from mapkit.press.raster import svg_to_png

SVG = "{http://www.w3.org/2000/svg}"
INKS = (
    *("#c8242b", "#1d7a3c", "#1f4fa3", "#e8821e", "#6a3a8f", "#1d1d1b", "#8c5a2e", "#d24f93", "#1796a6", "#8fae1b"),
    "#f0b400",
)
TINTS = ("#f6e7b4", "#d9e8c5", "#f3d3c2", "#d5dff0", "#e6d7ea", "#f9f0d2", "#cfe4e0")
FONTS = ("DejaVu Serif", "DejaVu Sans", "Liberation Sans Narrow", "Liberation Serif")
BLACK = "#1d1d1b"
BLACK_WIDTHS = 0.75
"""Black lines are thinner, so that black dots are seen on them."""
INKS_SHARE = 0.36
"""Inks to a railroad: ten for 28, as on printed boards."""
SOLID = 3
"""Of four inks, so many are used for a solid line too."""
OVER = 3
"""Pixels of the printing plate to a pixel of the picture."""


@dataclass(frozen=True)
class Print:
    """How a board is printed: everything in millimetres that has a size."""

    width: float
    dot: float
    square: float
    inks: dict[str, str]
    patterns: dict[str, str]
    beat: float
    screen: float
    font: str
    letters: float
    symbols: str


def choose_print(railroads: Sequence[str], widths: float, seed: int) -> Print:
    """Return how a board is printed: railroads share few inks, and those of one ink differ in pattern."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    inks = chance.sample(INKS, min(len(INKS), max(4, round(INKS_SHARE * len(railroads)))))
    pairs = [
        (ink, pattern)
        for ink in inks
        for pattern in PATTERNS
        if pattern != "solid" and (ink, pattern) != (BLACK, "rims")
    ]
    chance.shuffle(pairs)
    solid = [(ink, "solid") for ink in inks[: SOLID * len(inks) // 4]]
    chosen = (solid + pairs)[: len(railroads)]
    chance.shuffle(chosen)
    width = widths * chance.uniform(0.75, 1.1)
    return Print(
        width,
        chance.uniform(0.85, 1.25),
        chance.uniform(1.5, 2.2),
        dict(zip(railroads, (ink for ink, _ in chosen), strict=True)),
        dict(zip(railroads, (pattern for _, pattern in chosen), strict=True)),
        chance.uniform(0.8, 1.25),
        chance.uniform(2.4, 3.4),
        chance.choice(FONTS),
        chance.uniform(3.2, 4.6),
        chance.choice(("#161616", "#161616", "#20242c")),
    )


def stroke(line: Spots, colour: str, width: float, dashes: Sequence[float] = (), cap: str = "butt") -> str:
    points = " ".join(f"{x:.3f},{y:.3f}" for x, y in line)
    array = f' stroke-dasharray="{" ".join(f"{dash:.3f}" for dash in dashes)}"' if dashes else ""
    return (
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width:.3f}"'
        f' stroke-linejoin="round" stroke-linecap="{cap}"{array}/>'
    )


def beside(line: Spots, off: float) -> Spots:
    moved = shapely.offset_curve(shapely.LineString(line), off)
    return shapely.get_coordinates(moved) if not moved.is_empty else line


def zigzag(line: Spots, width: float, period: float) -> Spots:
    course = shapely.LineString(line)
    steps = np.arange(0, course.length, period / 2)
    places = shapely.get_coordinates(shapely.line_interpolate_point(course, steps))
    along = np.gradient(places, axis=0) if len(places) > 1 else np.zeros_like(places)
    across = np.stack((-along[:, 1], along[:, 0]), axis=1) / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    return np.asarray(places + across * np.where(np.arange(len(places)) % 2, width / 2, -width / 2)[:, None])


Draw = Callable[[Spots, str, float, float], str]
PATTERNS: dict[str, Draw] = {
    "solid": lambda line, ink, w, _: stroke(line, ink, w),
    "dashed": lambda line, ink, w, beat: stroke(line, ink, w, (2.6 * w * beat, 1.3 * w * beat)),
    "dotted": lambda line, ink, w, beat: stroke(line, ink, 0.9 * w, (0.01, 1.7 * w * beat), "round"),
    "double": lambda line, ink, w, _: "".join(stroke(beside(line, s * 0.42 * w), ink, 0.4 * w) for s in (-1, 1)),
    "triple": lambda line, ink, w, _: "".join(stroke(beside(line, s * 0.6 * w), ink, 0.3 * w) for s in (-1, 0, 1)),
    "ties": lambda line, ink, w, beat: (
        stroke(line, ink, 0.4 * w) + stroke(line, ink, 1.4 * w, (0.35 * w, 1.7 * w * beat))
    ),
    "ladder": lambda line, ink, w, beat: (
        "".join(stroke(beside(line, s * 0.55 * w), ink, 0.3 * w) for s in (-1, 1))
        + stroke(line, ink, 1.2 * w, (0.35 * w, 1.8 * w * beat))
    ),
    "dash-dot": lambda line, ink, w, beat: stroke(
        line, ink, w, (2.8 * w * beat, 0.9 * w * beat, 0.7 * w, 0.9 * w * beat)
    ),
    "rims": lambda line, ink, w, _: stroke(line, "#1a1a1a", 1.25 * w) + stroke(line, ink, 0.75 * w),
    "teeth": lambda line, ink, w, beat: stroke(zigzag(line, 1.2 * w, 2.4 * w * beat), ink, 0.4 * w),
    "beaded": lambda line, ink, w, beat: (
        stroke(line, ink, 0.45 * w) + stroke(line, ink, 1.2 * w, (0.01, 3 * w * beat), "round")
    ),
    "inlaid": lambda line, ink, w, beat: (
        stroke(line, ink, 1.2 * w) + stroke(line, "#ffffff", 0.5 * w, (2.2 * w * beat, 1.2 * w * beat))
    ),
}


def elements(drawing: ET.Element, kind: str) -> list[ET.Element]:
    return [one for one in drawing.iter() if one.get("class") == kind]


def ground_svg(drawing: ET.Element, head: str, chance: random.Random) -> str:
    """Return sea, land and tints: what is printed with a screen."""
    out = [head, f'<rect width="100%" height="100%" fill="{chance.choice(("#cfe0ea", "#e9e2cf", "#bcd3df"))}"/>']
    out += [f'<path d="{one.get("d")}" fill-rule="evenodd" fill="#f4ecd8"/>' for one in elements(drawing, "land")]
    for one in elements(drawing, "region"):
        out.append(f'<path d="{one.get("d")}" fill-rule="evenodd" fill="{chance.choice(TINTS)}"/>')
    return "".join(out) + "</svg>"


def art_svg(drawing: ET.Element, head: str, how: Print, chance: random.Random) -> str:
    """Return frame, coasts, borders, lines, symbols and names: what is printed with full ink."""
    page = [float(number) for number in drawing.get("viewBox", "").split()]
    out = [head]
    coast = chance.choice(("#1a1a1a", "#2b4a6f"))
    out += [
        f'<path d="{one.get("d")}" fill="none" stroke="{coast}" stroke-width="{0.25 + chance.random() * 0.2}"/>'
        for one in elements(drawing, "land")
    ]
    out += [
        f'<path d="{one.get("d")}" fill="none" stroke="#4a4a48" stroke-width="0.3" stroke-dasharray="1.6 0.8"/>'
        for one in elements(drawing, "region")
    ]
    for group in elements(drawing, "railroad"):
        ident = group.get("id", "")[3:]
        draw, ink = PATTERNS[how.patterns[ident]], how.inks[ident]
        width = how.width * (BLACK_WIDTHS if ink == BLACK else 1.0)
        for segments in elements(group, "segments"):
            for segment in segments:
                line = np.array([float(n) for n in NUMBER.findall(segment.get("d", ""))]).reshape(-1, 2)
                out.append(draw(line, ink, width, how.beat))
    names = []
    out += [
        f'<circle cx="{one.get("cx")}" cy="{one.get("cy")}" r="{how.dot}" fill="{how.symbols}"/>'
        for one in elements(drawing, "milepost dot")
    ]
    for one in elements(drawing, "milepost square"):
        x, y, w, h = (float(one.get(name, "nan")) for name in ("x", "y", "width", "height"))
        x, y, half = x + w / 2, y + h / 2, how.square * chance.choice((0.8, 1.0))
        out.append(f'<rect x="{x - half}" y="{y - half}" width="{2 * half}" height="{2 * half}" fill="{how.symbols}"/>')
        dx, dy, anchor = chance.choice(((1, -1, "start"), (1, 1.6, "start"), (-1, -1, "end"), (-1, 1.6, "end")))
        names.append(
            f'<text x="{x + dx * half * 1.2:.2f}" y="{y + dy * half * 1.4:.2f}" text-anchor="{anchor}"'
            f' font-weight="bold" font-size="{how.letters:.2f}">{one.get("data-name", "").replace("&", "and")}</text>'
        )
    for one in elements(drawing, "region"):
        x, y = shapely.get_coordinates(
            shapely.Polygon(
                np.array([float(n) for n in NUMBER.findall(one.get("d", ""))][:400]).reshape(-1, 2)
            ).centroid
        )[0]
        names.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" letter-spacing="5" font-size="9">'
            f"{one.get('data-name', '').upper().replace('&', 'AND')}</text>"
        )
    out.append(f'<g fill="#1b1b1b" font-family="{how.font}">{"".join(names)}</g>')
    frame = 4 + 4 * chance.random()
    out.append(
        f'<rect x="{frame / 2}" y="{frame / 2}" width="{page[2] - frame}" height="{page[3] - frame}" fill="none"'
        f' stroke="#141414" stroke-width="{frame}"/>'
    )
    return "".join(out) + "</svg>"


def screened(ground: Floats, screen: float) -> Floats:
    """Return colours as dots of cyan, magenta and yellow, each in a screen of its own angle; `screen` in pixels."""
    height, width = ground.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    out = np.empty_like(ground)
    for channel, degrees in enumerate((15, 75, 0)):
        turn = np.radians(degrees)
        u, v = (np.cos(turn) * x + np.sin(turn) * y) / screen, (np.cos(turn) * y - np.sin(turn) * x) / screen
        threshold = (2 + np.cos(2 * np.pi * u) + np.cos(2 * np.pi * v)) / 4
        cover = 1 - ground[..., channel]
        out[..., channel] = np.where(cover * 1.0 > threshold, 0.35, 1.0)
    # dots of weak tints are few and faint: half screen, half flat, as dot gain leaves it
    return np.asarray(0.35 * out + 0.65 * ground)


def print_board(svg: str, dpi: float, how: Print, seed: int) -> Pixels:
    """Return the printed board, as its printer sees it."""
    chance = random.Random(seed + 1)  # noqa: S311
    drawing = ET.fromstring(svg)  # noqa: S314 - what mapkit drew
    size = " ".join(f'{name}="{drawing.get(name)}"' for name in ("width", "height", "viewBox"))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    plates = [
        Image.open(io.BytesIO(svg_to_png(text, dpi * OVER)))
        for text in (ground_svg(drawing, head, chance), art_svg(drawing, head, how, chance))
    ]
    ground = np.asarray(plates[0].convert("RGB"), np.float64) / 255
    art = np.asarray(plates[1].convert("RGBA"), np.float64) / 255
    cover = art[..., 3:]
    sheet = screened(ground, how.screen * OVER / 2) * (1 - cover) + art[..., :3] * cover
    whole = Image.fromarray((sheet * 255).astype(np.uint8))
    pixels = whole.resize((whole.width // OVER, whole.height // OVER), Image.Resampling.BOX)
    return np.asarray(pixels, np.uint8)


def scanned(pixels: Pixels, seed: int) -> tuple[Pixels, Moved]:
    """Return a print as a scanner sees it after years of play: folded, curled, turned, grainy, saved as JPEG."""
    chance = np.random.default_rng(seed)
    height, width = pixels.shape[:2]
    turn, curl, wave = np.radians(chance.uniform(-0.5, 0.5)), chance.uniform(1, 4), 2 * np.pi / (0.9 * width)

    def moved(spots: Spots) -> Spots:
        x, y = spots[:, 0] - width / 2, spots[:, 1] - height / 2
        x, y = np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y
        return np.stack((x + width / 2, y + height / 2 + curl * np.sin(wave * (x + width / 2))), axis=1)

    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    y = y - curl * np.sin(wave * x)
    dx, dy = x - width / 2, y - height / 2
    back_x = np.cos(turn) * dx + np.sin(turn) * dy + width / 2
    back_y = -np.sin(turn) * dx + np.cos(turn) * dy + height / 2
    left, top = np.clip(back_x.astype(int), 0, width - 2), np.clip(back_y.astype(int), 0, height - 2)
    u, v = np.clip(back_x - left, 0, 1)[..., None], np.clip(back_y - top, 0, 1)[..., None]
    source = pixels.astype(np.float32)
    flat = (source[top, left] * (1 - u) + source[top, left + 1] * u) * (1 - v) + (
        source[top + 1, left] * (1 - u) + source[top + 1, left + 1] * u
    ) * v
    for share in (0.25, 0.5, 0.75):
        away = np.abs(np.arange(width) - share * width + chance.uniform(-6, 6))
        crease = np.clip(1 - away / 1.6, 0, 1)[None, :, None] * chance.uniform(0.3, 0.9, (height, 1, 1))
        shade = 1 - 0.08 * np.exp(-((away / 18) ** 2))[None, :, None]
        flat = flat * shade * (1 - crease) + 236 * crease
    grain = chance.normal(0, 1, (height // 4 + 1, width // 4 + 1)).astype(np.float32)
    texture = np.asarray(Image.fromarray(grain).resize((width, height), Image.Resampling.BICUBIC))
    flat = flat * (1 + 0.012 * texture[..., None]) * np.array([1.0, 0.985, 0.94]) + chance.normal(0, 4, flat.shape)
    soft = Image.fromarray(np.clip(flat, 0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(0.6))
    out = io.BytesIO()
    soft.save(out, "JPEG", quality=60)
    return np.asarray(Image.open(out).convert("RGB"), np.uint8), moved
