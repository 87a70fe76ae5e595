"""Apache Parquet files: a table of texts, whole numbers and decimals, in one row group, plain and not compressed.

The format is at https://parquet.apache.org/docs/file-format; its metadata are in Thrift's compact protocol. Libraries
that write it are larger than all of mapkit.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

_MAGIC: Final = b"PAR1"
_INT64, _DOUBLE, _BYTES = 2, 5, 6
"""Types of columns."""
_PLAIN, _RLE = 0, 3
_REQUIRED: Final = 0
_UTF8: Final = 0

_SEVEN_BITS: Final = 0x7F
_LONG_LIST: Final = 15
"""Items whose number is not in the first byte."""

# types of fields in the compact protocol
_I32, _I64, _BINARY, _LIST, _STRUCT = 5, 6, 8, 9, 12

Column = Sequence[str] | Sequence[int] | Sequence[float]


def parquet(columns: Mapping[str, Column]) -> bytes:
    """Return the bytes of a file; the same table gives the same bytes.

    Args:
        columns: Name -> values, all of one length, and in one column all texts, all whole numbers or all decimals.
            A column without values is one of texts. NaN stands for a decimal that is missing.
    """
    rows = len(next(iter(columns.values()), ()))
    out, chunks, schema = bytearray(_MAGIC), [], [_struct({4: _text("table"), 5: _whole(len(columns))})]
    for name, values in columns.items():
        kind, data = _plain(values)
        schema.append(
            _struct(
                {1: _whole(kind), 3: _whole(_REQUIRED), 4: _text(name)} | ({6: _whole(_UTF8)} if kind == _BYTES else {})
            )
        )
        page = _struct({1: _whole(rows), 2: _whole(_PLAIN), 3: _whole(_RLE), 4: _whole(_RLE)})
        head = _struct({1: _whole(0), 2: _whole(len(data)), 3: _whole(len(data)), 5: (_STRUCT, page)})
        at, size = len(out), len(head) + len(data)
        out += head + data
        about = _struct(
            {
                1: _whole(kind),
                2: _list(_I32, [_zigzag(_PLAIN)]),
                3: _list(_BINARY, [_text(name)[1]]),
                4: _whole(0),
                5: _long(rows),
                6: _long(size),
                7: _long(size),
                9: _long(at),
            }
        )
        chunks.append((size, _struct({2: _long(at), 3: (_STRUCT, about)})))
    group = _struct({1: _list(_STRUCT, [c for _, c in chunks]), 2: _long(sum(s for s, _ in chunks)), 3: _long(rows)})
    about = _struct(
        {1: _whole(1), 2: _list(_STRUCT, schema), 3: _long(rows), 4: _list(_STRUCT, [group]), 6: _text("mapkit")}
    )
    return bytes(out + about + len(about).to_bytes(4, "little") + _MAGIC)


def _plain(values: Column) -> tuple[int, bytes]:
    """Return the type of a column, and its values one after another."""
    if all(isinstance(value, str) for value in values):
        texts = [str(value).encode() for value in values]
        return _BYTES, b"".join(len(text).to_bytes(4, "little") + text for text in texts)
    if all(isinstance(value, int) for value in values):
        return _INT64, np.array(values, "<i8").tobytes()
    return _DOUBLE, np.array(values, "<f8").tobytes()


_Field = tuple[int, bytes]


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > _SEVEN_BITS:
        out.append(value & _SEVEN_BITS | 0x80)
        value >>= 7
    return bytes([*out, value])


def _zigzag(value: int) -> bytes:
    return _varint(value << 1 if value >= 0 else (-value << 1) - 1)


def _whole(value: int) -> _Field:
    return _I32, _zigzag(value)


def _long(value: int) -> _Field:
    return _I64, _zigzag(value)


def _text(value: str) -> _Field:
    data = value.encode()
    return _BINARY, _varint(len(data)) + data


def _list(kind: int, items: Sequence[bytes]) -> _Field:
    short = len(items) < _LONG_LIST
    head = bytes([len(items) << 4 | kind]) if short else bytes([0xF0 | kind]) + _varint(len(items))
    return _LIST, head + b"".join(items)


def _struct(fields: Mapping[int, _Field]) -> bytes:
    """Return a structure: each field after the difference of its number from the last one's, then a zero."""
    out, last = bytearray(), 0
    for number, (kind, data) in sorted(fields.items()):
        out += bytes([(number - last) << 4 | kind]) + data
        last = number
    return bytes(out + b"\0")
