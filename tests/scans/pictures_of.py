"""Pictures of printed pages as scanners and cameras make them: turned, shaded, with noise, blur, JPEG."""

from dataclasses import dataclass
from io import BytesIO
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter, ImageOps

from mapkit.core import heavy

Grey = NDArray[np.uint8]
POINTS: Final = 72


@dataclass(frozen=True)
class Look:
    """How a picture of a page comes out.

    Args:
        dpi: Pixels an inch of the paper.
        turn: Degrees counter-clockwise.
        tilt: Parts of the page's width by which its corners are moved, as by a camera that is held aslant.
        shade: How much darker the darkest corner is, from 0 to 1, with a sharp band across.
        noise: Standard deviation of each pixel, of 255.
        blur: Pixels.
        jpeg: Quality from 0 to 100; 0 is none.
        ink: How dark the ink is, of 255; 0 is black.
        curl: Pixels by which lines of text leave the straight on paper that does not lie flat.
        table: How light the table around the sheet is, of 255; 255 shows none.
    """

    dpi: int = 200
    turn: float = 0
    tilt: float = 0
    shade: float = 0
    noise: float = 0
    blur: float = 0
    jpeg: int = 0
    ink: int = 0
    curl: float = 0
    table: int = 255


LOOKS: Final = {
    "scan-100": Look(dpi=100, turn=0.3, noise=3, blur=0.3, jpeg=85),
    "scan-150": Look(dpi=150, turn=-0.7, noise=4, blur=0.4, jpeg=85),
    "scan-200": Look(dpi=200, turn=1.2, noise=5, blur=0.5, jpeg=80),
    "scan-300": Look(dpi=300, turn=-2.5, noise=6, blur=0.8, jpeg=75),
    "turned-300": Look(dpi=300, turn=5, noise=4, blur=0.6, jpeg=80, shade=0.2),
    "clean-200": Look(dpi=200),
    "photo-150": Look(dpi=150, turn=2, tilt=0.04, shade=0.4, noise=5, blur=0.5, jpeg=75, ink=40),
    "photo-250": Look(dpi=250, turn=2, tilt=0.04, shade=0.45, noise=7, blur=0.9, jpeg=70, ink=40),
    "photo-300": Look(dpi=300, turn=-3, tilt=0.06, shade=0.5, noise=8, blur=1.1, jpeg=65, ink=50),
}  # fmt: skip
"""The looks of the corpus."""


def page_pictures(data: bytes, dpi: int) -> list[Grey]:
    """Return the pages of a PDF as clean pictures."""
    document = heavy.pypdfium2.PdfDocument(data)
    try:
        return [np.asarray(page.render(scale=dpi / POINTS).to_pil().convert("L"), dtype=np.uint8) for page in document]
    finally:
        document.close()


def taken(page: Grey, look: Look, seed: int = 1) -> Grey:
    """Return a picture of a page as a scanner or a camera makes it."""
    random = np.random.default_rng(seed)
    picture = Image.fromarray(np.maximum(page, look.ink))
    if look.table < 255:
        picture = ImageOps.expand(picture, round(0.04 * picture.width), look.table)
    if look.turn or look.tilt:
        picture = picture.rotate(look.turn, Image.Resampling.BICUBIC, expand=True, fillcolor=look.table)
    wide, high = picture.size
    if look.tilt:
        moved = random.uniform(-1, 1, (4, 2)) * look.tilt * wide
        picture = _in_perspective(picture, moved, look.table)
    if look.curl:
        picture = _curled(picture, look.curl, random)
    pixels = np.asarray(picture, dtype=np.float64)
    if look.shade:
        x, y = np.meshgrid(np.linspace(0, 1, wide), np.linspace(0, 1, high))
        pixels = pixels * (1 - look.shade * (0.6 * x * x + 0.25 * y + 0.15 * (x + 0.3 * y > 0.7)))
    if look.blur:
        soft = Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(look.blur))
        pixels = np.asarray(soft, dtype=np.float64)
    if look.noise:
        pixels = pixels + random.normal(0, look.noise, pixels.shape)
    out = Image.fromarray(pixels.clip(0, 255).round().astype(np.uint8))
    if look.jpeg:
        file = BytesIO()
        out.save(file, "JPEG", quality=look.jpeg)
        out = Image.open(BytesIO(file.getvalue()))
    return np.asarray(out, dtype=np.uint8)


def photograph(page: Grey, dots_per_mm: float, seed: int) -> Grey:
    """Return a photograph of a page by hand: up to 4 % of perspective, 2 mm of curl, a shadow, JPEG 60."""
    random = np.random.default_rng((seed, 49))
    look = Look(
        turn=random.uniform(-3, 3),
        tilt=random.uniform(0.01, 0.04),
        curl=random.uniform(0.5, 2) * dots_per_mm * random.choice((-1, 1)),
        shade=random.uniform(0.2, 0.5),
        noise=random.uniform(3, 7),
        blur=random.uniform(0.5, 1.0),
        jpeg=60,
        ink=int(random.integers(20, 50)),
        table=int(random.integers(60, 200)),
    )
    return taken(page, look, seed)


def _curled(picture: Image.Image, most: float, random: np.random.Generator) -> Image.Image:
    """Return a picture of a sheet that is bent in waves across, more so at one of its edges."""
    wide, high = picture.size
    x, y = np.meshgrid(np.linspace(0, 1, wide), np.linspace(0, 1, high))
    wave = np.sin(2 * np.pi * (random.uniform(0.5, 1.2) * x + random.uniform(0, 1))) * (1 - random.uniform(0, 0.6) * y)
    rows = (y * (high - 1) + most * wave).astype(np.float32)
    columns = (x * (wide - 1)).astype(np.float32)
    bent = heavy.cv2.remap(np.asarray(picture), columns, rows, heavy.cv2.INTER_CUBIC, None, heavy.cv2.BORDER_REPLICATE)
    return Image.fromarray(bent)


def _in_perspective(picture: Image.Image, moved: NDArray[np.float64], table: int) -> Image.Image:
    """Return a picture whose corners are moved inwards or outwards, on a table."""
    wide, high = picture.size
    corners = np.array(((0, 0), (wide, 0), (wide, high), (0, high)), dtype=float)
    to = corners + moved
    rows = []
    for (x, y), (u, v) in zip(to, corners, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    solved = np.linalg.solve(np.array(rows), corners.reshape(-1))
    return picture.transform((wide, high), Image.Transform.PERSPECTIVE, tuple(solved), Image.Resampling.BICUBIC,
                             fillcolor=table)  # fmt: skip
