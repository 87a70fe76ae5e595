"""Pixels of pictures that are read, not only shown: limits come before decoding."""

import warnings
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from mapkit.core.errors import SourceError, WorkspaceError
from mapkit.formats.files import start_of
from mapkit.formats.pdf.guard import is_pdf

Pixels = NDArray[np.uint8]
"""Red, green and blue of a picture, of shape (height, width, 3)."""

MAX_BYTES: Final = 200 * 2**20
MAX_PIXELS: Final = 60_000_000
MIN_SIDE: Final = 32
LONGEST: Final = 30
"""How many times as long as wide a picture may be."""
_FORMATS: Final = ("PNG", "JPEG", "WEBP", "TIFF")
_LEAST_DOTS: Final = 100
"""Scanners make more; cameras and programs write 72 or 96, whatever it is."""
_MOST_DOTS: Final = 2400
_OPAQUE: Final = 255
_DEEPEST: Final = 65_535
_DEEP: Final = ("I", "F", "I;16", "I;16B", "I;16L", "I;16N")


def read_pixels(path: Path, *, colours: bool = True) -> Pixels:
    """Read a picture as its viewer would show it; EXIF may turn it.

    Args:
        path: The file.
        colours: Whether colours must be exact. Otherwise CMYK and 16 bits a channel are read too, and what is
            transparent is laid on white.

    Raises:
        SourceError: It is not a PNG, JPEG, WebP or TIFF, is damaged, too large or too small; or its colours must be
            exact, and it is transparent, in CMYK or of 16 bits a channel.
        WorkspaceError: It is missing or may not be read.
    """
    name = path.name
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise SourceError(f"{name}: {size:,} bytes; at most {MAX_BYTES:,}, so save a smaller copy")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of size, and of damage that matters or is refused below
            with Image.open(path, formats=_FORMATS) as image:
                _refuse(image, name, exact=colours)
                return _decoded(image, name) if colours else _on_white(image)
    except Image.DecompressionBombError as error:
        raise SourceError(
            f"{name}: far more than the {MAX_PIXELS:,} pixels that are read; save a smaller copy"
        ) from error
    except (UnidentifiedImageError, ValueError, SyntaxError, EOFError) as error:
        if is_pdf(start_of(path, name)):
            raise SourceError(f"{name}: a PDF, not a picture; save its page as PNG") from error
        raise SourceError(f"{name}: not a picture that can be read; save it as PNG or JPEG") from error
    except OSError as error:
        if error.errno is not None:
            raise WorkspaceError(f"{name}: cannot be read from {path}: {error.strerror or error}") from error
        raise SourceError(f"{name}: the picture is damaged ({error}); scan or save it again") from error


def dots_an_inch(path: Path) -> int:
    """Return the pixels an inch that the file of a picture says; 0 if it says none, or what programs write unasked."""
    with Image.open(path, formats=_FORMATS) as image:
        dots = image.info.get("dpi", (0, 0))[0]
    return round(float(dots)) if _LEAST_DOTS <= dots <= _MOST_DOTS else 0


def _refuse(image: Image.Image, name: str, *, exact: bool) -> None:
    """Refuse what the header tells.

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
    if not exact:
        return
    if image.mode == "CMYK":
        raise SourceError(f"{name}: the picture is in CMYK, the inks of a press; save it as RGB")
    if image.mode in _DEEP:
        raise SourceError(f"{name}: the picture has more than 8 bits a channel; save it with 8")


def _on_white(image: Image.Image) -> Pixels:
    """Return the pixels with what is transparent on white, deep ones made shallow."""
    turned = ImageOps.exif_transpose(image)
    if turned.mode in _DEEP:
        deep = np.asarray(turned, dtype=np.float64)
        most = _DEEPEST if turned.mode.startswith("I") and deep.max(initial=0) > _OPAQUE else max(1.0, deep.max())
        shallow = np.clip(deep * (_OPAQUE / most), 0, _OPAQUE).astype(np.uint8)
        return np.repeat(shallow[:, :, None], 3, axis=2)
    if turned.has_transparency_data:
        whole = turned.convert("RGBA")
        paper = Image.new("RGBA", whole.size, "white")
        return np.asarray(Image.alpha_composite(paper, whole).convert("RGB"), dtype=np.uint8)
    return np.asarray(turned.convert("RGB"), dtype=np.uint8)


def _decoded(image: Image.Image, name: str) -> Pixels:
    """Return the pixels.

    Raises:
        SourceError: Parts of the picture are transparent.
    """
    if image.has_transparency_data:
        whole = image.convert("RGBA")
        # programs that draw pages leave the last row and column half covered
        if int(np.asarray(whole.getchannel("A"))[1:-1, 1:-1].min()) < _OPAQUE:
            raise SourceError(f"{name}: parts of the picture are transparent; save it on white")
    return _on_white(image)
