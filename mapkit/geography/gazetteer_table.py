"""Table of the gazetteer: one file, mapped into memory, with names found by binary search.

The file begins with `MAGIC` and the length of a header in JSON (`_Header`). The sections follow in the order of
`_SECTIONS`, each an array of little-endian numbers or text in UTF-8, padded to four bytes. A place is a row. Rows of
one country are consecutive, in the order of GeoNames. Names are found by the CRC-32 of their folded form: `name_hash`
is sorted, and `name_row` has the row of each name. `tools/gazetteer/make_table.py` writes the file.
"""

import mmap
import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Final
from zlib import crc32

import msgspec

from mapkit.core.names import fold

FILE: Final = Path(__file__).with_name("geonames") / "gazetteer.bin"
MAGIC: Final = b"mapkit gazetteer 1\n"
PER_DEGREE: Final = 100_000
"""GeoNames gives degrees to five decimals."""
_NAME_SEPARATOR: Final = "\n"
"""Stands between the alternative names of a place."""
_SECTIONS: Final = {
    "lon": "i",
    "lat": "i",
    "population": "I",
    "division": "H",
    "name_end": "I",
    "names": "",
    "called_end": "I",
    "called": "",
    "name_hash": "I",
    "name_row": "I",
    "called_hash": "I",
    "called_row": "I",
}
"""Sections by name, with the type of their numbers; empty for text."""


@dataclass(frozen=True, order=True)
class GazetteerPlace:
    """A place of the gazetteer; `lon`, `lat` in degrees (EPSG:4326)."""

    name: str
    division: str
    country: str
    lon: float
    lat: float
    population: int

    @property
    def full_name(self) -> str:
        """Name with its division, as a station list writes it."""
        return f"{self.name} {self.division}" if self.division else self.name

    @property
    def printed_name(self) -> str:
        """Name with its division where that is customary: `Altoona PA`, but neither `Abbeville 32` nor `Cork M`."""
        return self.full_name if self.division.isalpha() and len(self.division) > 1 else self.name

    def __str__(self) -> str:
        """Describe the place for a list of candidates."""
        return f"{self.full_name} ({self.country}, lon {self.lon:.4f}, lat {self.lat:.4f})"


class Country(msgspec.Struct, frozen=True):
    """A country: name, ISO 3166 alpha-3 code, and rows, from `first` to before `end`."""

    name: str
    iso3: str
    first: int = 0
    end: int = 0


class _Header(msgspec.Struct, frozen=True):
    countries: dict[str, Country]
    divisions: list[tuple[str, str]]
    """Country and code of each first-level division; places count them from 0."""
    bytes: dict[str, int]


class GazetteerTable:
    """Places by row, and rows by name.

    Args:
        data: What `pack` made.
    """

    def __init__(self, data: bytes | mmap.mmap) -> None:
        view = memoryview(data)
        header_start = len(MAGIC) + 4
        header_size = int.from_bytes(view[len(MAGIC) : header_start], "little")
        header = msgspec.json.decode(view[header_start : header_start + header_size], type=_Header)
        self.countries: Mapping[str, Country] = header.countries
        self._divisions = header.divisions
        sections: dict[str, memoryview] = {}
        section_start = _pad_size(header_start + header_size)
        for name in _SECTIONS:
            sections[name] = view[section_start : section_start + header.bytes[name]]
            section_start += _pad_size(header.bytes[name])
        self._lon, self._lat, self._population, self._division = (
            _unpack_numbers(sections[name], _SECTIONS[name]) for name in ("lon", "lat", "population", "division")
        )
        self._names = (_unpack_numbers(sections["name_end"], "I"), sections["names"])
        self._called_texts = (_unpack_numbers(sections["called_end"], "I"), sections["called"])
        self._rows_by_name = (_unpack_numbers(sections["name_hash"], "I"), _unpack_numbers(sections["name_row"], "I"))
        self._rows_by_called = (
            _unpack_numbers(sections["called_hash"], "I"),
            _unpack_numbers(sections["called_row"], "I"),
        )

    def rows(self, country: str) -> range:
        """Return the rows of a country (ISO 3166 alpha-2); none if there is no such country."""
        known_country = self.countries.get(country)
        return range(known_country.first, known_country.end) if known_country else range(0)

    def place(self, row: int) -> GazetteerPlace:
        """Return the place of a row."""
        country, division = self._divisions[self._division[row]]
        lon, lat = self._lon[row] / PER_DEGREE, self._lat[row] / PER_DEGREE
        return GazetteerPlace(self.name(row), division, country, lon, lat, self._population[row])

    def name(self, row: int) -> str:
        """Return the name of a row's place."""
        return _read_text(*self._names, row)

    def called(self, row: int) -> tuple[str, ...]:
        """Return the alternative names of a row's place, in Latin letters."""
        joined_names = _read_text(*self._called_texts, row)
        return tuple(joined_names.split(_NAME_SEPARATOR)) if joined_names else ()

    def country(self, row: int) -> str:
        """Return the country of a row's place (ISO 3166 alpha-2)."""
        return self._divisions[self._division[row]][0]

    def division(self, row: int) -> str:
        """Return the code of a row's division; empty if it has none."""
        return self._divisions[self._division[row]][1]

    def divisions(self, country: str) -> frozenset[str]:
        """Return the codes of the divisions of a country."""
        return frozenset(code for key, code in self._divisions if key == country and code)

    def named(self, folded: str, divisions: Container[int] | None = None) -> Iterator[int]:
        """Return the rows of places with a name of this folded form, in order; perhaps only those of some divisions."""
        return (
            row
            for row in _rows_of_hash(*self._rows_by_name, folded)
            if (divisions is None or self._division[row] in divisions) and fold(self.name(row)) == folded
        )

    def number_divisions(self) -> Iterator[tuple[int, str, str]]:
        """Yield the number, country and code of each division; the code of none is empty."""
        return ((number, country, code) for number, (country, code) in enumerate(self._divisions))

    def also_called(self, folded: str) -> Iterator[tuple[int, str]]:
        """Yield the rows of places with an alternative name of this folded form, in order, with that name."""
        for row in _rows_of_hash(*self._rows_by_called, folded):
            matching_name = next(
                (matching_name for matching_name in self.called(row) if fold(matching_name) == folded), None
            )
            if matching_name is not None:
                yield row, matching_name

    def columns(self) -> tuple[memoryview, memoryview, memoryview]:
        """Return longitude and latitude (in 1/100,000 degree) and population of all rows."""
        return self._lon, self._lat, self._population

    def between(self, country: str, south: float, north: float) -> list[int]:
        """Return the rows of a country between two latitudes, degrees."""
        low, high = int(south * PER_DEGREE) - 1, int(north * PER_DEGREE) + 1
        rows = self.rows(country)
        row_latitudes = self._lat[rows.start : rows.stop]
        return [row for row, lat in zip(rows, row_latitudes, strict=True) if low <= lat <= high]


@cache
def shipped_table() -> GazetteerTable:
    """Return the table that comes with mapkit."""
    with FILE.open("rb") as file:
        return GazetteerTable(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def strip_source_code(name: str) -> str:
    """Return a name without the code of a division that only data sources use: `Heidelberg` for `Heidelberg 06`.

    Other numbers at the end of a name stay, as in `Kilometre 45`.
    """
    bare_name, _, code = name.rpartition(" ")
    if not (bare_name and code[-1].isdigit()):
        return name
    table = shipped_table()
    return bare_name if any(table.division(row) == code for row in table.named(fold(bare_name))) else name


def pack_table(
    places: Iterable[GazetteerPlace],
    called: Mapping[GazetteerPlace, tuple[str, ...]],
    countries: Mapping[str, Country],
) -> bytes:
    """Return the table of some places.

    Args:
        places: The places; those of one country keep their order. Degrees are rounded to five decimals.
        called: Their alternative names.
        countries: Countries by ISO 3166 alpha-2 code, also those without a place; rows are filled in here.
    """
    rows = sorted(places, key=lambda place: place.country)
    divisions = sorted({(place.country, place.division) for place in rows})
    number_by_division = {division: division_index for division_index, division in enumerate(divisions)}
    name_bytes = [place.name.encode() for place in rows]
    joined_names = [_NAME_SEPARATOR.join(called.get(place, ())).encode() for place in rows]
    by_name = sorted((_hash_name(fold(place.name)), row) for row, place in enumerate(rows))
    by_called = sorted(
        {(_hash_name(fold(name)), row) for row, place in enumerate(rows) for name in called.get(place, ())},
    )
    sections = {
        "lon": _pack_numbers("i", (round(place.lon * PER_DEGREE) for place in rows)),
        "lat": _pack_numbers("i", (round(place.lat * PER_DEGREE) for place in rows)),
        "population": _pack_numbers("I", (place.population for place in rows)),
        "division": _pack_numbers("H", (number_by_division[place.country, place.division] for place in rows)),
        "name_end": _pack_numbers("I", accumulate(map(len, name_bytes), initial=0)),
        "names": b"".join(name_bytes),
        "called_end": _pack_numbers("I", accumulate(map(len, joined_names), initial=0)),
        "called": b"".join(joined_names),
        "name_hash": _pack_numbers("I", (key for key, _ in by_name)),
        "name_row": _pack_numbers("I", (row for _, row in by_name)),
        "called_hash": _pack_numbers("I", (key for key, _ in by_called)),
        "called_row": _pack_numbers("I", (row for _, row in by_called)),
    }
    row_countries = [place.country for place in rows]
    known_countries = {
        code: Country(
            countries[code].name if code in countries else "",
            countries[code].iso3 if code in countries else "",
            bisect_left(row_countries, code),
            bisect_right(row_countries, code),
        )
        for code in sorted({*countries, *row_countries})
    }
    header = msgspec.json.encode(
        _Header(known_countries, divisions, {name: len(data) for name, data in sections.items()})
    )
    file_head = MAGIC + len(header).to_bytes(4, "little") + header
    return b"".join(file_part.ljust(_pad_size(len(file_part)), b"\0") for file_part in (file_head, *sections.values()))


def _rows_of_hash(hashes: memoryview, rows: memoryview, folded: str) -> memoryview:
    name_hash = _hash_name(folded)
    first_index = bisect_left(hashes, name_hash)
    return rows[first_index : bisect_right(hashes, name_hash, lo=first_index)]


def _hash_name(folded: str) -> int:
    return crc32(folded.encode())


def _read_text(ends: memoryview, text: memoryview, row: int) -> str:
    return str(text[ends[row] : ends[row + 1]], "utf-8")


def _pad_size(size: int) -> int:
    return (size + 3) // 4 * 4


def _pack_numbers(code: str, values: Iterable[int]) -> bytes:
    numbers = array(code, values)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _unpack_numbers(section: memoryview, code: str) -> memoryview:
    """Return the numbers of a section, without a copy on little-endian machines."""
    if sys.byteorder == "little":
        return section.cast("B").cast(code)  # type: ignore[call-overload, no-any-return]
    numbers = array(code, section.tobytes())
    numbers.byteswap()
    return memoryview(numbers)
