"""What scanners and photographers do to a picture: warp, blur, noise and JPEG, and where its spots come to lie."""

import io
from collections.abc import Callable

import numpy as np
from PIL import Image, ImageFilter

from boardscans.truth import Spots
from mapkit.formats.pixels import Pixels

Moved = Callable[[Spots], Spots]


def clean(pixels: Pixels) -> tuple[Pixels, Moved]:
    """Return the picture as it is, and where its spots come to lie."""
    return pixels, lambda spots: spots


def worn(pixels: Pixels) -> tuple[Pixels, Moved]:
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
