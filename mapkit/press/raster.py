"""Rasterizing of SVG to PNG by resvg, with only the shipped fonts."""

import zlib
from typing import Final

import resvg_py

from mapkit.core.errors import PrintError
from mapkit.drawing.shipped_fonts import font_paths, use_shipped_fonts
from mapkit.drawing.svg_file import read_picture
from mapkit.drawing.text_width import SANS

MM_PER_INCH: Final = 25.4
MAX_PIXELS: Final = 150_000_000
"""A picture of so many takes about 1.5 GB while it is drawn."""
DPI: Final = range(10, 2401)

_HEADER_BYTES: Final = 33
"""Bytes of a PNG's signature and its chunk IHDR."""


def svg_to_png(svg: str, dpi: float = 300.0, *, width: int | None = None, name: str = "the picture") -> bytes:
    """Return a picture as PNG; the same text gives the same bytes, independent of installed fonts.

    Args:
        svg: The text of an SVG file.
        dpi: Dots per inch of its size in millimetres; the PNG states them.
        width: Pixels across, instead of `dpi`.
        name: For messages.

    Raises:
        PrintError: As for `read_picture`; or the PNG would be too large, or resvg cannot draw it.
    """
    picture = read_picture(svg, name)
    if width is not None:
        dpi = width * MM_PER_INCH / picture.width
    if dpi >= DPI.stop or (width is None and dpi < DPI.start):
        raise PrintError(f"{name}: {dpi:.0f} dots per inch; choose from {DPI.start} to {DPI.stop - 1}")
    pixel_count = picture.width * picture.height * (dpi / MM_PER_INCH) ** 2
    if pixel_count > MAX_PIXELS:
        max_dpi = int(dpi * (MAX_PIXELS / pixel_count) ** 0.5)
        raise PrintError(
            f"{name}: {pixel_count / 1e6:.0f} million pixels at {dpi:.0f} dpi; {MAX_PIXELS / 1e6:.0f} million fit, "
            f"which is {max_dpi} dpi"
        )
    families = use_shipped_fonts(picture.root, SANS)
    try:
        png_bytes = resvg_py.svg_to_bytes(
            svg_string=picture.text(),
            skip_system_fonts=True,
            font_files=[str(path) for path in font_paths(families)],
            font_family=SANS,
            dpi=dpi if width is None else MM_PER_INCH * 4,
            width=width,
        )
    except ValueError as error:
        raise PrintError(f"{name}: cannot be drawn: {error}") from error
    png = bytes(png_bytes)
    per_metre = round(dpi / MM_PER_INCH * 1000)
    chunk_body = b"pHYs" + per_metre.to_bytes(4, "big") * 2 + b"\x01"
    phys_chunk = (len(chunk_body) - 4).to_bytes(4, "big") + chunk_body + zlib.crc32(chunk_body).to_bytes(4, "big")
    return png[:_HEADER_BYTES] + phys_chunk + png[_HEADER_BYTES:]
