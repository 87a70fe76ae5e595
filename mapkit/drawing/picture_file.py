"""Pictures of authors, measured with limits before anything draws them."""

import warnings
from io import BytesIO
from typing import Final

from PIL import Image, UnidentifiedImageError

from mapkit.core.errors import SourceError
from mapkit.drawing.svg_file import read_picture

MAX_BYTES: Final = 8 * 2**20
"""Of a picture: the board file carries it."""
MAX_PIXELS: Final = 60_000_000
_MEDIA: Final = {"svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg"}
_FORMATS: Final = {"png": "PNG", "jpg": "JPEG", "jpeg": "JPEG"}


def media_type(file: str) -> str:
    """Return the media type of a picture by the ending of its name."""
    return _MEDIA[file.rpartition(".")[2]]


def measure_picture(data: bytes, file: str) -> tuple[float, float]:
    """Return width and height of a picture: pixels, of SVG millimetres.

    Args:
        data: The content of its file.
        file: Its name, for its kind and for messages.

    Raises:
        SourceError: It is too large, damaged, or not what its name says.
        PrintError: It is not an SVG of its own.
    """
    if len(data) > MAX_BYTES:
        raise SourceError(f"{file}: {len(data)} bytes, the limit of a picture is {MAX_BYTES}; save a smaller copy")
    suffix = file.rpartition(".")[2]
    if suffix == "svg":
        picture = read_picture(data.decode("utf-8", errors="replace"), file)
        return picture.width, picture.height
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of size, which is refused here
            with Image.open(BytesIO(data), formats=[_FORMATS[suffix]]) as image:
                width, height = image.size
                if width * height > MAX_PIXELS:
                    raise SourceError(
                        f"{file}: {width} by {height} pixels; at most {MAX_PIXELS:,} in all, so save a smaller copy"
                    )
                image.load()
    except Image.DecompressionBombError as error:
        raise SourceError(f"{file}: far more than {MAX_PIXELS:,} pixels; save a smaller copy") from error
    except (UnidentifiedImageError, ValueError, SyntaxError, EOFError, OSError) as error:
        raise SourceError(
            f"{file}: not a {_FORMATS[suffix]} picture that can be read; save it again as {_FORMATS[suffix]}"
        ) from error
    return width, height
