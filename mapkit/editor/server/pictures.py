"""Background pictures: taken in with limits, cut into tiles, kept beside the board in `sources/<board>.editor/`."""

import struct
import threading
import warnings
from collections.abc import Iterator
from mmap import ACCESS_READ, mmap
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from mapkit.core.base import Frozen
from mapkit.core.errors import MissingError
from mapkit.document.shelf import Shelf, ShelfEntry, digest_of, plain_name

MAX_BYTES = 200 * 2**20
"""The largest picture file, bytes."""
MAX_PIXELS = 160_000_000
"""The most pixels of a picture, read from its header before any is unpacked."""
MAX_SIDE = 50_000
MAX_PICTURES = 50
TILE = 512
_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP")
_PNG_END = b"IEND\xaeB`\x82"
_ONE_AT_A_TIME = threading.Lock()


class PictureError(MissingError):
    """A picture that cannot be taken in; nothing was kept of it."""


class PictureAbout(ShelfEntry):
    """A picture: its size in pixels, and its tiles; each level is half the size of the one before."""

    width: int
    height: int
    tile: int
    levels: int


class PictureList(Frozen):
    """The pictures of a board, by name."""

    pictures: tuple[PictureAbout, ...]


class Pictures:
    """The pictures of a board.

    Args:
        folder: Where they are kept; made when the first one comes.
    """

    def __init__(self, folder: Path) -> None:
        self._shelf = Shelf(folder, PictureAbout, called=("picture", "pictures"), most=MAX_PICTURES, error=PictureError)

    def listed(self) -> tuple[PictureAbout, ...]:
        """Return all pictures, by name."""
        return self._shelf.listed()

    def add(self, file: Path, name: str) -> PictureAbout:
        """Store a picture and return its entry; the same picture again is the stored one.

        Raises:
            PictureError: It is not a picture, too large, or broken.
            OutputError: It cannot be written.
        """
        ident = digest_of(file)
        there = self._shelf.about(ident)
        if there is not None:
            return there

        def fill(folder: Path) -> PictureAbout:
            _refuse_cut_off(file)
            with _ONE_AT_A_TIME, _opened(file) as image:
                width, height, levels = _cut(image, folder)
            shown = plain_name(name, "picture")
            return PictureAbout(id=ident, name=shown, width=width, height=height, tile=TILE, levels=levels)

        return self._shelf.put(ident, fill)

    def remove(self, ident: str) -> None:
        """Remove a picture.

        Raises:
            PictureError: There is none of this id.
        """
        self._shelf.remove(ident)

    def write(self, ident: str, file: Path) -> None:
        """Put the tiles of a picture together again, into a PNG file.

        Raises:
            PictureError: There is none of this id.
        """
        about = self._shelf.about(ident)
        if about is None:
            raise PictureError(f"there is no picture {ident!r}")
        first = self.tile(ident, 0, 0, 0)
        whole = Image.new("RGBA" if first.suffix == ".png" else "RGB", (about.width, about.height))
        for row in range(-(-about.height // about.tile)):
            for column in range(-(-about.width // about.tile)):
                with Image.open(self.tile(ident, 0, column, row)) as tile:
                    whole.paste(tile, (column * about.tile, row * about.tile))
        whole.save(file, "PNG", compress_level=1)

    def tile(self, ident: str, level: int, column: int, row: int) -> Path:
        """Return the file of a tile.

        Raises:
            PictureError: There is none.
        """
        folder = self._shelf.of(ident)
        for ending in ("jpg", "png"):
            file = folder / str(level) / f"{column}_{row}.{ending}"
            if file.is_file():
                return file
        raise PictureError(f"picture {ident} has no tile {level}/{column}_{row}")


def _opened(file: Path) -> Image.Image:
    """Open a picture; only its header is read so far.

    Raises:
        PictureError: It is not a picture, or has too many pixels.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(file, formats=_FORMATS)
    except UnidentifiedImageError as error:
        raise PictureError("this is not a picture that can be read; take a PNG, JPEG, TIFF or WebP") from error
    except Image.DecompressionBombError as error:
        raise PictureError(
            f"this picture has far more than the {MAX_PIXELS // 10**6} million pixels that are taken; make it smaller"
        ) from error
    except (OSError, ValueError, SyntaxError) as error:
        raise PictureError(f"this picture cannot be read: {error}") from error
    width, height = image.size
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE or min(width, height) < 1:
        image.close()
        raise PictureError(
            f"this picture has {width} x {height} pixels; at most {MAX_PIXELS // 10**6} million are taken, "
            f"{MAX_SIDE} a side. Make it smaller first"
        )
    return image


def _refuse_cut_off(file: Path) -> None:
    """Refuse a truncated PNG, whose pixels alone may all be there.

    Raises:
        PictureError: A chunk is damaged, or the last one is missing.
    """
    with _opened(file) as image:
        if image.format != "PNG":
            return
        try:
            image.verify()
        except (OSError, ValueError, SyntaxError, struct.error) as error:
            raise _broken(error) from error
    with file.open("rb") as opened, mmap(opened.fileno(), 0, access=ACCESS_READ) as data:
        if data.rfind(_PNG_END) < 0:  # Pillow does not look at the last checksum
            raise _broken("its last bytes are missing")


def _broken(error: Exception | str) -> PictureError:
    return PictureError(f"this picture is broken or cut off: {error}; save or copy it again")


def _cut(image: Image.Image, folder: Path) -> tuple[int, int, int]:
    """Write the tiles of a picture, each level half the size of the one before; return width, height and levels.

    Raises:
        PictureError: The picture is broken.
    """
    try:
        upright = ImageOps.exif_transpose(image)
        clear = upright.has_transparency_data
        whole = upright.convert("RGBA" if clear else "RGB")
    except (OSError, ValueError, SyntaxError, MemoryError, Image.DecompressionBombError) as error:
        raise _broken(error) from error
    width, height = whole.size
    level = 0
    while True:
        for column, row, tile in _tiles(whole):
            target = folder / str(level) / f"{column}_{row}.{'png' if clear else 'jpg'}"
            target.parent.mkdir(exist_ok=True)
            if clear:
                tile.save(target, "PNG", compress_level=3)
            else:
                tile.save(target, "JPEG", quality=88)
        level += 1
        if max(whole.size) <= TILE:
            break
        whole = whole.resize((max(1, (whole.width + 1) // 2), max(1, (whole.height + 1) // 2)), Image.Resampling.BOX)
    return width, height, level


def _tiles(image: Image.Image) -> Iterator[tuple[int, int, Image.Image]]:
    for row in range(-(-image.height // TILE)):
        for column in range(-(-image.width // TILE)):
            left, top = column * TILE, row * TILE
            yield column, row, image.crop((left, top, min(left + TILE, image.width), min(top + TILE, image.height)))
