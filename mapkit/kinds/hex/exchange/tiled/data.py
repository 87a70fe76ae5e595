"""Stored tile layers: numbers in text, or packed."""

import base64
import binascii
import re
import zlib
from typing import Final

import numpy as np

from mapkit.core.errors import SourceError

_BYTES_A_TILE: Final = 4
_WINDOW_BITS: Final = {"zlib": zlib.MAX_WBITS, "gzip": zlib.MAX_WBITS | 16}
_CSV_PATTERN: Final = re.compile(r"[\d\s,]*")


def tile_numbers(text: str, encoding: str, compression: str, count: int, where: str) -> tuple[int, ...]:
    """Return the tile numbers of a layer.

    Args:
        text: What is stored.
        encoding: `csv` or `base64`.
        compression: Of base64: none, `zlib` or `gzip`.
        count: How many there must be.
        where: The layer, for messages.

    Raises:
        SourceError: It is stored in another way, damaged, or of another length.
    """
    match encoding:
        case "csv":
            numbers = _parse_csv(text, count, where)
        case "base64":
            try:
                packed_bytes = base64.b64decode("".join(text.split()), validate=True)
            except (binascii.Error, ValueError) as error:
                raise SourceError(f"{where}: is not base64; save it in Tiled again") from error
            if compression:
                if compression not in _WINDOW_BITS:
                    raise SourceError(
                        f"{where}: compression is {compression!r}; choose CSV as Tile Layer Format in Tiled"
                    )
                reader = zlib.decompressobj(_WINDOW_BITS[compression])
                try:
                    packed_bytes = reader.decompress(packed_bytes, count * _BYTES_A_TILE + 1)
                except zlib.error as error:
                    raise SourceError(f"{where}: is damaged, it cannot be unpacked; save it in Tiled again") from error
            if len(packed_bytes) % _BYTES_A_TILE or len(packed_bytes) > count * _BYTES_A_TILE:
                raise SourceError(f"{where}: more or less than {count:,} tiles; save it in Tiled again")
            numbers = tuple(np.frombuffer(packed_bytes, "<u4").tolist())
        case _:
            raise SourceError(f"{where}: encoding is {encoding!r}; choose CSV as Tile Layer Format in Tiled")
    if len(numbers) != count:
        raise SourceError(f"{where}: {len(numbers):,} tiles, and the map has {count:,} places; save it in Tiled again")
    return numbers


def _parse_csv(text: str, count: int, where: str) -> tuple[int, ...]:
    if not _CSV_PATTERN.fullmatch(text):
        raise SourceError(f"{where}: holds more than numbers and commas; save it in Tiled again")
    cells = [cell for cell in (part.strip() for part in text.split(",")) if cell]
    if len(cells) != count:
        return tuple([0] * len(cells))
    most_digits = max((len(cell) for cell in cells), default=0)
    if most_digits > len(str(2**32)):
        raise SourceError(f"{where}: holds a number of {most_digits:,} digits; save it in Tiled again")
    try:
        return tuple(int(cell) for cell in cells)
    except ValueError as error:
        raise SourceError(f"{where}: holds numbers without a comma between; save it in Tiled again") from error
