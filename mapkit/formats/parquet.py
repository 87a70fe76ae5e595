"""Writer of Apache Parquet files: texts, whole numbers and decimals in one row group, plain and uncompressed.

The format is at https://parquet.apache.org/docs/file-format; its metadata are in Thrift's compact protocol. Libraries
that write it are larger than all of mapkit.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

_MAGIC_BYTES: Final = b"PAR1"
_INT64, _DOUBLE, _BYTES = 2, 5, 6
"""Types of columns."""
_PLAIN, _RLE = 0, 3
_REPETITION_REQUIRED: Final = 0
_CONVERTED_UTF8: Final = 0

_SEVEN_BITS: Final = 0x7F
_LONG_LIST: Final = 15
"""Items whose number is not in the first byte."""

# types of fields in the compact protocol
_I32, _I64, _BINARY, _LIST, _STRUCT = 5, 6, 8, 9, 12

Column = Sequence[str] | Sequence[int] | Sequence[float]


def write_parquet(columns: Mapping[str, Column]) -> bytes:
    """Return a table as the bytes of a Parquet file; the same table gives the same bytes.

    Args:
        columns: Name -> values, all of one length, and in one column all texts, all whole numbers or all decimals.
            A column without values is one of texts. NaN stands for a decimal that is missing.
    """
    row_count = len(next(iter(columns.values()), ()))
    file_bytes, column_chunks, schema_elements = (
        bytearray(_MAGIC_BYTES),
        [],
        [_encode_struct({4: _binary_field("table"), 5: _int32_field(len(columns))})],
    )
    for name, values in columns.items():
        physical_type, data = _encode_values(values)
        schema_elements.append(
            _encode_struct(
                {1: _int32_field(physical_type), 3: _int32_field(_REPETITION_REQUIRED), 4: _binary_field(name)}
                | ({6: _int32_field(_CONVERTED_UTF8)} if physical_type == _BYTES else {})
            )
        )
        page_header = _encode_struct(
            {1: _int32_field(row_count), 2: _int32_field(_PLAIN), 3: _int32_field(_RLE), 4: _int32_field(_RLE)}
        )
        header_bytes = _encode_struct(
            {1: _int32_field(0), 2: _int32_field(len(data)), 3: _int32_field(len(data)), 5: (_STRUCT, page_header)}
        )
        chunk_offset, chunk_bytes = len(file_bytes), len(header_bytes) + len(data)
        file_bytes += header_bytes + data
        metadata = _encode_struct(
            {
                1: _int32_field(physical_type),
                2: _list_field(_I32, [_zigzag(_PLAIN)]),
                3: _list_field(_BINARY, [_binary_field(name)[1]]),
                4: _int32_field(0),
                5: _int64_field(row_count),
                6: _int64_field(chunk_bytes),
                7: _int64_field(chunk_bytes),
                9: _int64_field(chunk_offset),
            }
        )
        column_chunks.append((chunk_bytes, _encode_struct({2: _int64_field(chunk_offset), 3: (_STRUCT, metadata)})))
    row_group = _encode_struct(
        {
            1: _list_field(_STRUCT, [c for _, c in column_chunks]),
            2: _int64_field(sum(s for s, _ in column_chunks)),
            3: _int64_field(row_count),
        }
    )
    metadata = _encode_struct(
        {
            1: _int32_field(1),
            2: _list_field(_STRUCT, schema_elements),
            3: _int64_field(row_count),
            4: _list_field(_STRUCT, [row_group]),
            6: _binary_field("mapkit"),
        }
    )
    return bytes(file_bytes + metadata + len(metadata).to_bytes(4, "little") + _MAGIC_BYTES)


def _encode_values(values: Column) -> tuple[int, bytes]:
    """Return the physical type of a column, and its values in plain encoding."""
    if all(isinstance(value, str) for value in values):
        texts = [str(value).encode() for value in values]
        return _BYTES, b"".join(len(text).to_bytes(4, "little") + text for text in texts)
    if all(isinstance(value, int) for value in values):
        return _INT64, np.array(values, "<i8").tobytes()
    return _DOUBLE, np.array(values, "<f8").tobytes()


_Field = tuple[int, bytes]


def _varint(value: int) -> bytes:
    encoded_bytes = bytearray()
    while value > _SEVEN_BITS:
        encoded_bytes.append(value & _SEVEN_BITS | 0x80)
        value >>= 7
    return bytes([*encoded_bytes, value])


def _zigzag(value: int) -> bytes:
    return _varint(value << 1 if value >= 0 else (-value << 1) - 1)


def _int32_field(value: int) -> _Field:
    return _I32, _zigzag(value)


def _int64_field(value: int) -> _Field:
    return _I64, _zigzag(value)


def _binary_field(value: str) -> _Field:
    data = value.encode()
    return _BINARY, _varint(len(data)) + data


def _list_field(kind: int, items: Sequence[bytes]) -> _Field:
    is_short = len(items) < _LONG_LIST
    head = bytes([len(items) << 4 | kind]) if is_short else bytes([0xF0 | kind]) + _varint(len(items))
    return _LIST, head + b"".join(items)


def _encode_struct(fields: Mapping[int, _Field]) -> bytes:
    """Return a structure: each field after the difference between its number and the previous one, then a zero."""
    encoded_fields, last_number = bytearray(), 0
    for number, (kind, data) in sorted(fields.items()):
        encoded_fields += bytes([(number - last_number) << 4 | kind]) + data
        last_number = number
    return bytes(encoded_fields + b"\0")
