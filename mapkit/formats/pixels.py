"""Pixels of pictures as input data, with limits checked before decoding."""

import warnings
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from mapkit.core.errors import SourceError, read_failure
from mapkit.formats.files import check_file, read_start
from mapkit.formats.pdf.guard import is_pdf

Pixels = NDArray[np.uint8]
"""Red, green and blue of a picture, of shape (height, width, 3)."""

MAX_BYTES: Final = 200 * 2**20
MAX_PIXELS: Final = 60_000_000
MIN_SIDE: Final = 32
LONGEST: Final = 30
"""How many times as long as wide a picture may be."""
_PICTURE_FORMATS: Final = ("PNG", "JPEG", "WEBP", "TIFF")
_LEAST_DOTS: Final = 100
"""Scanners produce more; cameras and programs write 72 or 96 regardless of the real resolution."""
_MOST_DOTS: Final = 2400
_OPAQUE_ALPHA: Final = 255
_MAX_16_BIT: Final = 65_535
_DEEP_MODES: Final = ("I", "F", "I;16", "I;16B", "I;16L", "I;16N")


def read_pixels(path: Path, *, colours: bool = True) -> Pixels:
    """Read a picture as a viewer would show it, turned as EXIF says.

    Args:
        path: The file.
        colours: Whether colours must be exact. Otherwise CMYK and 16 bits a channel are read too, and what is
            transparent is laid on white.

    Raises:
        SourceError: It is not a PNG, JPEG, WebP or TIFF, is damaged, too large or too small; or its colours must be
            exact, and it is transparent, in CMYK or of 16 bits a channel.
        WorkspaceError: It is missing or not readable.
    """
    name = path.name
    try:
        check_file(path, name=name, limit=MAX_BYTES, cure="save a smaller copy")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of size, and of damage that matters or is refused below
            with Image.open(path, formats=_PICTURE_FORMATS) as image:
                _refuse_unsuitable(image, name, exact_colours=colours)
                return _decode_opaque(image, name) if colours else _flatten_on_white(image)
    except Image.DecompressionBombError as error:
        raise SourceError(
            f"{name}: far more than the {MAX_PIXELS:,} pixels that are read; save a smaller copy"
        ) from error
    except (UnidentifiedImageError, ValueError, SyntaxError, EOFError) as error:
        if is_pdf(read_start(path, name)):
            raise SourceError(f"{name}: a PDF, not a picture; save its page as PNG") from error
        raise SourceError(f"{name}: not a picture that can be read; save it as PNG or JPEG") from error
    except OSError as error:
        if error.errno is not None:
            raise read_failure(name, path, error) from error
        raise SourceError(f"{name}: the picture is damaged ({error}); scan or save it again") from error


def read_dots_per_inch(path: Path) -> int:
    """Return the resolution in a picture's file, in pixels an inch; 0 if there is none or only a default."""
    with Image.open(path, formats=_PICTURE_FORMATS) as image:
        dots = image.info.get("dpi", (0, 0))[0]
    return round(float(dots)) if _LEAST_DOTS <= dots <= _MOST_DOTS else 0


def _refuse_unsuitable(image: Image.Image, name: str, *, exact_colours: bool) -> None:
    """Raise an error for a picture with unsuitable size or channels in its header.

    Raises:
        SourceError: It is too large or small, or has channels that are not read.
    """
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise SourceError(f"{name}: {width} by {height} pixels; at most {MAX_PIXELS:,} in all, so save a smaller copy")
    if min(width, height) < MIN_SIDE:
        raise SourceError(f"{name}: {width} by {height} pixels; nothing can be seen in it, scan it larger")
    if max(width, height) > LONGEST * min(width, height):
        raise SourceError(f"{name}: {width} by {height} pixels; no page is so long, cut out what is to be read")
    if not exact_colours:
        return
    if image.mode == "CMYK":
        raise SourceError(f"{name}: the picture is in CMYK, the inks of a press; save it as RGB")
    if image.mode in _DEEP_MODES:
        raise SourceError(f"{name}: the picture has more than 8 bits a channel; save it with 8")


def _flatten_on_white(image: Image.Image) -> Pixels:
    """Return the pixels on a white ground, with deep channels reduced to 8 bits."""
    upright_image = ImageOps.exif_transpose(image)
    if upright_image.mode in _DEEP_MODES:
        deep_pixels = np.asarray(upright_image, dtype=np.float64)
        max_value = (
            _MAX_16_BIT
            if upright_image.mode.startswith("I") and deep_pixels.max(initial=0) > _OPAQUE_ALPHA
            else max(1.0, deep_pixels.max())
        )
        shallow_pixels = np.clip(deep_pixels * (_OPAQUE_ALPHA / max_value), 0, _OPAQUE_ALPHA).astype(np.uint8)
        return np.repeat(shallow_pixels[:, :, None], 3, axis=2)
    if upright_image.has_transparency_data:
        rgba_image = upright_image.convert("RGBA")
        paper = Image.new("RGBA", rgba_image.size, "white")
        return np.asarray(Image.alpha_composite(paper, rgba_image).convert("RGB"), dtype=np.uint8)
    return np.asarray(upright_image.convert("RGB"), dtype=np.uint8)


def _decode_opaque(image: Image.Image, name: str) -> Pixels:
    """Return the pixels of a picture without transparent parts.

    Raises:
        SourceError: Parts of the picture are transparent.
    """
    if image.has_transparency_data:
        rgba_image = image.convert("RGBA")
        # programs that draw pages leave the last row and column half covered
        if int(np.asarray(rgba_image.getchannel("A"))[1:-1, 1:-1].min()) < _OPAQUE_ALPHA:
            raise SourceError(f"{name}: parts of the picture are transparent; save it on white")
    return _flatten_on_white(image)
