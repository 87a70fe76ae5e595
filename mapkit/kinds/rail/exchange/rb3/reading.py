"""Reader of RB3: bytes to an `RB3File`, with consistency checks across all sections."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar, cast

from mapkit.core.errors import did_you_mean
from mapkit.core.plurals import count_noun
from mapkit.formats.files import read_bytes
from mapkit.kinds.rail.exchange.rb3.model import (
    MAX_CITIES,
    MAX_DOTS,
    MAX_RAILROADS,
    MAX_REGIONS,
    ORDER,
    DotSection,
    RawSection,
    RB3City,
    RB3Dot,
    RB3File,
    RB3Railroad,
    RB3Region,
)
from mapkit.kinds.rail.exchange.rb3.routes import RouteReader, parse_count
from mapkit.kinds.rail.exchange.rb3.text import (
    MAX_BYTES,
    Line,
    RB3Problems,
    RB3Section,
    decode,
    parse_integer,
    parse_number,
    split_fields,
    split_sections,
)

TABLES: Final = ("header", "regn", "city", "rr", "rout", "pay")
COUNTS: Final = ("regions", "cities", "rrs")
_NUMBER = r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,6})?|\.[0-9]{1,6})"
_DOT_LINE = re.compile(rf"('?)\s*[sS]\s*,\s*({_NUMBER})\s*,\s*({_NUMBER})\s*,\s*([0-9]{{1,4}})\s*(?:,?\s*'.*)?")
_PLAIN_DOTS = re.compile(rf"^('?)s,({_NUMBER}),({_NUMBER}),([0-9]{{1,4}})$", re.MULTILINE)
_DOTS_HEADING = re.compile(r"\s*([0-9]{1,4})\s*/\s*#\s*([0-9]{1,9})\s*/([^/]*)/\s*([A-Za-z]?)\s*")
_make_dot = partial(tuple.__new__, RB3Dot)  # like Dot._make, but without a Python call for each dot
_REGION_SECTION = re.compile(r"re[0-9]+")
_TOLERANCE_PERCENT = 0.02
_MAX_PRICE = 10_000_000
_MAX_COLOUR16, _MAX_PEN, _MAX_BYTE, _MAX_COLOUR = 15, 4, 255, 1023
_Row = TypeVar("_Row", RB3City, RB3Railroad)
_CITY_FIELDS, _REGION_FIELDS, _RAILROAD_FIELDS = 5, 3, 9


def read_rb3(source: bytes | Path, *, file: str | None = None) -> RB3File:
    """Read an RB3 file.

    Args:
        source: Its path, or its bytes (UTF-8 or Windows-1252, any line ends).
        file: Name of the file in messages; by default the last part of its path.

    Raises:
        SourceError: It is not an RB3 file, cut off, or contradicts itself; every problem has its line.
        WorkspaceError: It is missing or may not be read.
    """
    file_name = file or (source.name if isinstance(source, Path) else "the file")
    if isinstance(source, Path):
        source = read_bytes(source, name=source.name, limit=MAX_BYTES, cure="no map is that large, give an RB3 file")
    return _Reader(file_name).read(split_sections(decode(source, file=file_name), file=file_name))


class _Reader:
    def __init__(self, file: str) -> None:
        self._problems = RB3Problems(file)
        self._notes: list[str] = []

    def read(self, found: list[RB3Section]) -> RB3File:
        problem_list = self._problems
        section_by_name = self._index_sections(found)
        header = self._read_header(section_by_name["header"])
        regions, region_keys = self._read_regions(section_by_name["regn"])
        cities = self._read_cities(section_by_name["city"], regions)
        railroads = self._read_railroads(section_by_name["rr"])
        dots = tuple(self._read_dots(section_by_name.get(f"re{n}"), n) for n in range(1, len(regions) + 1))
        for section_name in section_by_name:
            if _REGION_SECTION.fullmatch(section_name) and int(section_name[2:]) not in range(1, len(regions) + 1):
                problem_list.add(
                    section_by_name[section_name].row, f"[{section_name}]: there are {len(regions)} regions; remove it"
                )
        problem_list.raise_if_any()
        self._check_header(header, section_by_name["header"].row, (len(regions), len(cities), len(railroads)))
        self._check_cities(section_by_name["city"].row, regions, cities, dots)
        route_reader = RouteReader(dots, railroads, problem_list)
        routes = route_reader.read(section_by_name["rout"])
        payoffs = self._read_payoffs(section_by_name["pay"], len(cities))
        problem_list.raise_if_any()
        # Header with all counts in canonical form
        counts = (len(regions), len(cities), len(railroads))
        count_texts = {key: str(count) for key, count in zip(COUNTS, counts, strict=True)}
        # Sections that are kept as text, known ones first, in output order
        raw_sections = [s for s in found if s.name not in TABLES and not _REGION_SECTION.fullmatch(s.name)]
        rank_by_name = {name: n for n, name in enumerate(ORDER)}
        raw_sections.sort(key=lambda section: rank_by_name.get(section.name, len(ORDER)))
        return RB3File(
            header=tuple((dict(header) | count_texts).items()),
            regions=regions,
            region_keys=region_keys,
            cities=cities,
            railroads=railroads,
            dots=dots,
            routes=routes,
            payoffs=payoffs,
            other=tuple(RawSection(section.name, _trim_lines(section.lines)) for section in raw_sections),
            notes=(*self._notes, *route_reader.notes),
        )

    def _index_sections(self, raw_sections: Sequence[RB3Section]) -> dict[str, RB3Section]:
        """Return the tables by name; raise an error if one is missing."""
        section_by_name: dict[str, RB3Section] = {}
        for section in raw_sections:
            if section.name in TABLES or _REGION_SECTION.fullmatch(section.name):
                if section.name in section_by_name:
                    self._problems.add(section.row, f"a second [{section.name}]; remove one")
                section_by_name.setdefault(section.name, section)
        missing_names = [table_name for table_name in TABLES if table_name not in section_by_name]
        if missing_names:
            raise self._problems.stop(
                None,
                f"no [{missing_names[0]}] section; an RB3 file has {', '.join(TABLES)}, so this file is cut off or "
                "is not one",
            )
        return section_by_name

    def _read_header(self, section: RB3Section) -> tuple[tuple[str, str], ...]:
        header_values: dict[str, str] = {}
        for row, line in section.data():
            raw_key, equals_sign, header_value = line.partition("=")
            header_key = raw_key.strip().lower()
            if not equals_sign or not header_key:
                self._problems.add(row, f"{line[:40]!r} is not of the form key=value; correct it")
            elif header_key in header_values:
                self._problems.add(row, f"{header_key!r} is given twice; keep one")
            header_values[header_key] = header_value.strip()
        return tuple(header_values.items())

    def _check_header(self, header: Sequence[tuple[str, str]], row: int, counts: tuple[int, ...]) -> None:
        header_values = dict(header)
        for header_key, row_count in zip(COUNTS, counts, strict=True):
            if header_key in header_values and parse_integer(header_values[header_key]) != row_count:
                self._problems.add(
                    row,
                    f"the header says {header_key}={header_values[header_key][:20]}, but the section has {row_count}",
                )
        for header_key in ("scalel", "scalet", "scalew", "scaleh"):
            length = parse_number(header_values.get(header_key, "1"))
            if length is None or (header_key in ("scalew", "scaleh") and length <= 0):
                self._problems.add(
                    row, f"{header_key}={header_values[header_key][:20]} is not a length in map units; correct it"
                )

    def _read_count(self, section: RB3Section, most: int) -> tuple[int, Iterator[Line]]:
        """Return the count at the start of a section, and the lines after it."""
        section_lines = section.data()
        row, first_line = next(section_lines, (section.row, ""))
        row_count = parse_count(first_line)
        if row_count is None or not 1 <= row_count <= most:
            raise self._problems.stop(
                row, f"[{section.name}] begins with {first_line[:20]!r}; its first line is a count from 1 to {most}"
            )
        return row_count, section_lines

    def _read_table(self, section: RB3Section, most: int, parse: Callable[[str], _Row | str]) -> tuple[_Row, ...]:
        """Return the rows of a table that begins with their count; `parse` returns a row or a problem."""
        stated_count, section_lines = self._read_count(section, most)
        table_lines = list(islice(section_lines, most + 1))
        if len(table_lines) != stated_count:
            self._problems.add(
                section.row, f"[{section.name}] says {stated_count} but has {len(table_lines)}; correct the count"
            )
        parsed_rows: list[_Row] = []
        for row, line in table_lines:
            parsed_row = parse(line)
            if isinstance(parsed_row, str):
                self._problems.add(row, parsed_row)
            else:
                parsed_rows.append(parsed_row)
        return tuple(parsed_rows)

    def _read_regions(self, section: RB3Section) -> tuple[tuple[RB3Region, ...], tuple[str, ...]]:
        stated_count, section_lines = self._read_count(section, MAX_REGIONS)
        region_list: list[RB3Region] = []
        seen_codes: set[str] = set()
        for row, line in islice(section_lines, stated_count):
            cells, _, field_problem = split_fields(line)
            percent = parse_number(cells[2]) if len(cells) == _REGION_FIELDS else None
            if field_problem or percent is None or not cells[0] or not cells[1] or not 0 <= percent <= 100:  # noqa: PLR2004
                self._problems.add(row, field_problem or f"{line[:40]!r} is not a region; write name,code,percent")
                continue
            if cells[1] in seen_codes:
                self._problems.add(row, f"region code {cells[1]!r} appears twice; change one")
            seen_codes.add(cells[1])
            region_list.append(RB3Region(cells[0], cells[1], percent))
        if len(region_list) < stated_count and not self._problems.found:
            self._problems.add(section.row, f"[regn] says {stated_count} but has {len(region_list)}; correct the count")
        key_lines = []
        for row, line in section_lines:
            if "=" not in line:
                self._problems.add(row, f"{line[:40]!r}: a line after the {stated_count} regions; correct the count")
            key_lines.append(line)
        self._check_sum(section.row, "the regions", [region.percent for region in region_list])
        return tuple(region_list), tuple(key_lines)

    def _check_sum(self, row: int, whose: str, percents: Sequence[float]) -> None:
        percent_total = sum(percents)
        if abs(percent_total - 100) > _TOLERANCE_PERCENT:
            self._problems.add(row, f"chances of {whose} add up to {percent_total:.3f} percent; correct them to 100")

    def _read_cities(self, section: RB3Section, regions: Sequence[RB3Region]) -> tuple[RB3City, ...]:
        region_codes = {region.code for region in regions}

        def parse(line: str) -> RB3City | str:
            cells, label_hint, field_problem = split_fields(line)
            if field_problem or len(cells) != _CITY_FIELDS or not cells[0]:
                form_problem = f"{line[:40]!r} is not a city; write name,region,percent,payoff index,dot"
                return field_problem or form_problem
            percent, payoff_index, dot_number = parse_number(cells[2]), parse_integer(cells[3]), parse_integer(cells[4])
            if cells[1] not in region_codes:
                hint_text = (
                    did_you_mean(cells[1], region_codes) or f"; codes are {', '.join(sorted(region_codes)[:10])}"
                )
                return f"city {cells[0]!r}: no region has the code {cells[1]!r}{hint_text}"
            if percent is None or not 0 <= percent <= 100 or payoff_index is None or dot_number is None:  # noqa: PLR2004
                return f"city {cells[0]!r}: chance, payoff index or dot is not a number"
            return RB3City(cells[0], cells[1], percent, payoff_index, dot_number, label_hint or "")

        return self._read_table(section, MAX_CITIES, parse)

    def _check_cities(
        self, row: int, regions: Sequence[RB3Region], cities: Sequence[RB3City], dots: Sequence[DotSection]
    ) -> None:
        index_by_code = {region.code: n for n, region in enumerate(regions)}
        for region in regions:
            city_percents = [city.percent for city in cities if city.region == region.code]
            self._check_sum(row, f"the cities of {region.code}", city_percents)
        if sorted(city.row for city in cities) != list(range(1, len(cities) + 1)):
            index_counts = Counter(city.row for city in cities)
            bad_indexes = sorted(i for i, n in index_counts.items() if n > 1 or not 1 <= i <= len(cities))
            self._problems.add(row, f"payoff indexes are 1 to {len(cities)}, each once; check {bad_indexes[:5]}")
        city_by_dot: dict[tuple[str, int], str] = {}
        for city in cities:
            own_dots = dots[index_by_code[city.region]].dots
            if not 1 <= city.dot <= len(own_dots):
                self._problems.add(row, f"city {city.name!r}: {city.region} has no dot {city.dot}")
            elif own_dots[city.dot - 1].retired:
                self._problems.add(row, f"city {city.name!r}: dot {city.dot} of {city.region} is disabled; use another")
            first_city = city_by_dot.setdefault((city.region, city.dot), city.name)
            if first_city is not city.name:
                self._problems.add(
                    row, f"cities {first_city!r} and {city.name!r} have the same dot {city.dot}; merge them"
                )

    def _read_railroads(self, section: RB3Section) -> tuple[RB3Railroad, ...]:
        def parse(line: str) -> RB3Railroad | str:
            cells, _, field_problem = split_fields(line)
            if (
                field_problem
                or len(cells) not in (_RAILROAD_FIELDS, _RAILROAD_FIELDS + 1)
                or not cells[0]
                or not cells[2]
            ):
                form_problem = (
                    f"{line[:40]!r} is not a railroad; write long,medium,short,colour,style,price,blue,green,red"
                )
                return field_problem or form_problem
            numeric_fields = [parse_integer(cell) for cell in cells[3:_RAILROAD_FIELDS]]
            field_limits = (_MAX_COLOUR16, _MAX_PEN, _MAX_PRICE, _MAX_BYTE, _MAX_BYTE, _MAX_BYTE)
            valid_numbers = [
                v for v, limit in zip(numeric_fields, field_limits, strict=True) if v is not None and 0 <= v <= limit
            ]
            if len(valid_numbers) < len(field_limits):
                return f"railroad {cells[2]!r}: colour 0-15, style 0-4, price, and blue, green, red 0-255 are numbers"
            colour16, pen, price, blue, green, red = valid_numbers
            last_field = cells[_RAILROAD_FIELDS] if len(cells) > _RAILROAD_FIELDS else ""
            return RB3Railroad(cells[0], cells[1], cells[2], colour16, pen, price, blue, green, red, last_field)

        return self._read_table(section, MAX_RAILROADS, parse)

    def _read_dots(self, section: RB3Section | None, region: int) -> DotSection:
        if section is None:
            raise self._problems.stop(None, f"no [re{region}] section; there is one for each region")
        stripped_lines = list(map(str.strip, section.lines))
        first_data = next((n for n, text in enumerate(stripped_lines) if text and text[0] != "'"), len(stripped_lines))
        row, text = (
            (section.row + 1 + first_data, stripped_lines[first_data])
            if first_data < len(stripped_lines)
            else (section.row, "")
        )
        heading_match = _DOTS_HEADING.fullmatch(text)
        if heading_match is None:
            raise self._problems.stop(
                row, f"[re{region}] begins with {text[:30]!r}; its first line is like 9/#24/NAME/D"
            )
        # all at once, since most of a file is dots; one by one only to locate invalid lines
        dot_lines = [*stripped_lines[:first_data], *stripped_lines[first_data + 1 :]]
        dot_matches = _PLAIN_DOTS.findall("\n".join(dot_lines))
        off_marks, x_texts, y_texts, colour_texts = zip(*dot_matches, strict=True) if dot_matches else ((), (), (), ())
        dot_values = zip(
            map(float, x_texts), map(float, y_texts), map(int, colour_texts), map("'".__eq__, off_marks), strict=True
        )
        dot_list: list[RB3Dot] = list(map(_make_dot, dot_values))
        if len(dot_list) != len(dot_lines) - dot_lines.count(""):
            numbered_lines = enumerate(stripped_lines, section.row + 1)
            dot_list = self._read_dots_singly([(n, text) for n, text in numbered_lines if text and n != row])
        if int(heading_match[2]) != len(dot_list):
            self._problems.add(
                section.row,
                f"[re{region}] says {heading_match[2]} dots but has {len(dot_list)}, including disabled ones; "
                "correct the count",
            )
        if len(dot_list) > MAX_DOTS:
            self._problems.add(section.row, f"[re{region}] has {len(dot_list)} dots; a region has at most {MAX_DOTS}")
        if max((dot.colour for dot in dot_list), default=0) > _MAX_COLOUR:
            self._problems.add(section.row, f"[re{region}]: a dot's colour is more than {_MAX_COLOUR}; correct it")
        return DotSection(heading_match[1], heading_match[3].strip(), heading_match[4], tuple(dot_list))

    def _read_dots_singly(self, lines: Sequence[Line]) -> list[RB3Dot]:
        """Return the dots of lines that may be invalid, and report invalid ones."""
        dot_list: list[RB3Dot] = []
        for row, text in lines:
            dot_match = _DOT_LINE.fullmatch(text)
            if dot_match is not None:
                off_mark, x_text, y_text, colour_text = dot_match.groups()
                dot_list.append(RB3Dot(float(x_text), float(y_text), int(colour_text), off_mark == "'"))
            elif text[0] != "'":
                self._problems.add(row, f"{text[:30]!r} is not a dot; write s,x,y,colour")
        return dot_list

    def _read_payoffs(self, section: RB3Section, cities: int) -> tuple[tuple[float, ...], ...]:
        payoff_rows: list[tuple[float, ...]] = []
        amount_cache = _AmountCache()
        section_lines = section.data()
        for row, line in islice(section_lines, cities - 1):
            needed_count = cities - 1 - len(payoff_rows)
            cells = split_fields(line)[0] if "'" in line or '"' in line else line.split(",")
            row_amounts = list(map(amount_cache.__getitem__, cells))
            if len(row_amounts) != needed_count or None in row_amounts:
                amount_count = len(row_amounts) - row_amounts.count(None)
                raise self._problems.stop(
                    row,
                    f"row {len(payoff_rows) + 1} of [pay] has {count_noun(amount_count, 'amount')} in "
                    f"{count_noun(len(row_amounts), 'cell')}; "
                    f"with {cities} cities it needs {needed_count}",
                )
            payoff_rows.append(tuple(cast("list[float]", row_amounts)))
        if len(payoff_rows) != cities - 1:
            raise self._problems.stop(
                section.row,
                f"[pay] has {count_noun(len(payoff_rows), 'row')}, but {cities} cities need {cities - 1}; "
                "the file is cut off",
            )
        extra_rows = [row for row, _ in section_lines]
        if extra_rows:
            self._notes.append(
                f"{self._problems.file}:{extra_rows[0]}: {count_noun(len(extra_rows), 'line')} after the "
                f"{cities - 1} rows of [pay]; left out"
            )
        return tuple(payoff_rows)


class _AmountCache(dict[str, float | None]):
    """Cache of amounts by their text; a chart has few different ones."""

    def __missing__(self, text: str) -> float | None:
        self[text] = amount = parse_number(text.strip())
        return amount


def _trim_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """Return lines without trailing blanks, and without blank lines at the start and the end."""
    stripped_lines = [line.rstrip() for line in lines]
    while stripped_lines and not stripped_lines[-1]:
        stripped_lines.pop()
    first_filled = next((n for n, line in enumerate(stripped_lines) if line), 0)
    return tuple(stripped_lines[first_filled:])
