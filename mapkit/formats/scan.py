"""Scans for tracing: pictures embedded unchanged, with their size."""

import base64
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image, UnidentifiedImageError

from mapkit.core.errors import SourceError, read_failure
from mapkit.formats.files import read_bytes

MAX_BYTES: Final = 50 * 2**20
MAX_PIXELS: Final = 160_000_000
_MEDIA_TYPES: Final = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}


@dataclass(frozen=True)
class Scan:
    """A picture: its size in pixels, and its file as a `data:` URL."""

    width: int
    height: int
    address: str


def read_scan(path: Path) -> Scan:
    """Read a picture; only the header of its pixels is decoded.

    Raises:
        SourceError: It is not a PNG, JPEG or WebP, or too large.
        WorkspaceError: It is missing or not readable.
    """
    name = path.name
    try:
        data = read_bytes(path, name=name, limit=MAX_BYTES, cure="save a smaller copy")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(path, formats=tuple(_MEDIA_TYPES)) as image:
                (width, height), kind = image.size, str(image.format)
    except (UnidentifiedImageError, Image.DecompressionBombError, ValueError, SyntaxError) as error:
        raise SourceError(f"{name}: not a picture that pages can show; save it as PNG or JPEG") from error
    except OSError as error:
        raise read_failure(name, path, error) from error
    if width * height > MAX_PIXELS:
        raise SourceError(f"{name}: {width} by {height} pixels; at most {MAX_PIXELS:,} in all, so save a smaller copy")
    return Scan(width, height, f"data:{_MEDIA_TYPES[kind]};base64,{base64.b64encode(data).decode('ascii')}")
