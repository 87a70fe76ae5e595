"""Safety checks on a PDF before anything in it is decoded."""

import re
import zlib
from typing import Final

from mapkit.core.errors import SourceError

MAX_OBJECTS: Final = 200_000
MAX_UNPACKED: Final = 256 * 2**20
_MAX_DEPTH: Final = 500
START: Final = 1024
"""Bytes at the beginning of a file that say whether it is a PDF."""
_STREAM_START: Final = re.compile(rb"(?<!end)stream\r?\n")
_NESTING_MARKS: Final = re.compile(rb"<<|>>|\[|\]")
_PIECE_BYTES: Final = 2**20
_MAX_LAYERS: Final = 3


def is_pdf(start: bytes) -> bool:
    """Return whether a file begins like a PDF; some programs write a few bytes before the header."""
    return b"%PDF-" in start[:START]


def refuse_hostile(data: bytes, *, file: str) -> None:
    """Refuse a PDF that is cut off, has too many objects, nests too deep or unpacks to too much.

    Raises:
        SourceError: The file is one of these.
    """
    if b"%%EOF" not in data and b"startxref" not in data:
        raise SourceError(f"{file}: the PDF is cut off, its end is missing; fetch or save it again")
    object_count = data.count(b" obj")
    if object_count > MAX_OBJECTS:
        raise SourceError(
            f"{file}: {object_count:,} objects; the limit is {MAX_OBJECTS:,}. Print the pages of the chart to a PDF of "
            "their own"
        )
    unpacked_bytes = 0
    for stream_start in _STREAM_START.finditer(data):
        unpacked_bytes += _measure_unpacked(data, stream_start.end(), MAX_UNPACKED - unpacked_bytes, _MAX_LAYERS)
        if unpacked_bytes > MAX_UNPACKED:
            raise SourceError(
                f"{file}: unpacks to more than {MAX_UNPACKED:,} bytes; print the pages of the chart to a PDF of their "
                "own"
            )
    start = depth = 0
    for stream in [*_STREAM_START.finditer(data), None]:
        header_end = len(data) if stream is None else stream.start()
        for nesting_mark in _NESTING_MARKS.finditer(data, start, max(start, header_end)):
            depth = max(0, depth + (1 if nesting_mark[0] in (b"<<", b"[") else -1))
            if depth > _MAX_DEPTH:
                raise SourceError(
                    f"{file}: nested more than {_MAX_DEPTH} deep at byte {nesting_mark.start()}; save it again"
                )
        depth = 0
        if stream is not None:  # packed content may hold any bytes
            stream_end = data.find(b"endstream", stream.end())
            start = max(start, len(data) if stream_end < 0 else stream_end)


def _measure_unpacked(data: bytes, start: int, max_bytes: int, layers_left: int) -> int:
    """Return the unpacked size of a stream, up to little more than `most`, including streams packed inside."""
    unpacker = zlib.decompressobj()
    total_bytes, packed_piece, first_piece = 0, data[start : start + _PIECE_BYTES], b""
    next_offset = start + len(packed_piece)
    while packed_piece and total_bytes <= max_bytes and not unpacker.eof:
        try:
            piece = unpacker.decompress(packed_piece, _PIECE_BYTES)
        except zlib.error:
            break
        first_piece = first_piece or piece
        total_bytes += len(piece)
        packed_piece = unpacker.unconsumed_tail
        if not packed_piece:
            packed_piece = data[next_offset : next_offset + _PIECE_BYTES]
            next_offset += len(packed_piece)
    if layers_left and total_bytes <= max_bytes and first_piece[:1] == b"\x78":
        total_bytes += _measure_unpacked(_unpack_stream(data, start), 0, max_bytes - total_bytes, layers_left - 1)
    return total_bytes


def _unpack_stream(data: bytes, start: int) -> bytes:
    """Return the unpacked content of a stream of known, bounded size."""
    try:
        return zlib.decompressobj().decompress(data[start:])
    except zlib.error:
        return b""
