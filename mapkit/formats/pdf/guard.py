"""What is refused of a PDF before anything in it is decoded."""

import re
import zlib
from typing import Final

from mapkit.core.errors import SourceError

MAX_OBJECTS: Final = 200_000
MAX_UNPACKED: Final = 256 * 2**20
_MAX_DEPTH: Final = 500
START: Final = 1024
"""Bytes at the beginning of a file that say whether it is a PDF."""
_STREAM: Final = re.compile(rb"(?<!end)stream\r?\n")
_NESTING: Final = re.compile(rb"<<|>>|\[|\]")
_PIECE: Final = 2**20
_DEEPEST: Final = 3


def is_pdf(start: bytes) -> bool:
    """Say whether a file begins as a PDF does; some programs write a few bytes before."""
    return b"%PDF-" in start[:START]


def refuse_hostile(data: bytes, *, file: str) -> None:
    """Refuse a PDF that is cut off, has too many objects, nests too deep or unpacks to too much.

    Raises:
        SourceError: It is such.
    """
    if b"%%EOF" not in data and b"startxref" not in data:
        raise SourceError(f"{file}: the PDF is cut off, its end is missing; fetch or save it again")
    count = data.count(b" obj")
    if count > MAX_OBJECTS:
        raise SourceError(
            f"{file}: {count:,} objects; the limit is {MAX_OBJECTS:,}. Print the pages of the chart to a PDF of "
            "their own"
        )
    unpacked = 0
    for found in _STREAM.finditer(data):
        unpacked += _unpacked(data, found.end(), MAX_UNPACKED - unpacked, _DEEPEST)
        if unpacked > MAX_UNPACKED:
            raise SourceError(
                f"{file}: unpacks to more than {MAX_UNPACKED:,} bytes; print the pages of the chart to a PDF of their "
                "own"
            )
    _refuse_depth(data, file)


def _unpacked(data: bytes, start: int, most: int, deepest: int) -> int:
    """Return how many bytes a stream unpacks to, but little more than `most`; what it holds may be packed again."""
    unpacker = zlib.decompressobj()
    total, packed, first = 0, data[start : start + _PIECE], b""
    at = start + len(packed)
    while packed and total <= most and not unpacker.eof:
        try:
            piece = unpacker.decompress(packed, _PIECE)
        except zlib.error:
            break
        first = first or piece
        total += len(piece)
        packed = unpacker.unconsumed_tail
        if not packed:
            packed = data[at : at + _PIECE]
            at += len(packed)
    if deepest and total <= most and first[:1] == b"\x78":
        total += _unpacked(_whole(data, start), 0, most - total, deepest - 1)
    return total


def _whole(data: bytes, start: int) -> bytes:
    """Return what a stream unpacks to, which is known to be of bounded size."""
    try:
        return zlib.decompressobj().decompress(data[start:])
    except zlib.error:
        return b""


def _refuse_depth(data: bytes, file: str) -> None:
    start = depth = 0
    for stream in [*_STREAM.finditer(data), None]:
        end = len(data) if stream is None else stream.start()
        for found in _NESTING.finditer(data, start, max(start, end)):
            depth = max(0, depth + (1 if found[0] in (b"<<", b"[") else -1))
            if depth > _MAX_DEPTH:
                raise SourceError(f"{file}: nested more than {_MAX_DEPTH} deep at byte {found.start()}; save it again")
        depth = 0
        if stream is not None:  # what is packed may hold any bytes
            close = data.find(b"endstream", stream.end())
            start = max(start, len(data) if close < 0 else close)
