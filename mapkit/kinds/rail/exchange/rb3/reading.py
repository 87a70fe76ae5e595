"""Reading RB3: bytes to an `RB3File`, everything in it checked against everything else."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar, cast

from mapkit.core.errors import did_you_mean
from mapkit.core.plurals import counted
from mapkit.kinds.rail.exchange.rb3.model import (
    MAX_CITIES,
    MAX_DOTS,
    MAX_RAILROADS,
    MAX_REGIONS,
    ORDER,
    Dot,
    Dots,
    Raw,
    RB3City,
    RB3File,
    RB3Railroad,
    RB3Region,
)
from mapkit.kinds.rail.exchange.rb3.routes import RouteReader, count_of
from mapkit.kinds.rail.exchange.rb3.text import (
    Line,
    RB3Problems,
    RB3Section,
    decode,
    fields,
    integer,
    number,
    read_bytes,
    sections,
)

TABLES: Final = ("header", "regn", "city", "rr", "rout", "pay")
COUNTS: Final = ("regions", "cities", "rrs")
_NUMBER = r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,6})?|\.[0-9]{1,6})"
_DOT = re.compile(rf"('?)\s*[sS]\s*,\s*({_NUMBER})\s*,\s*({_NUMBER})\s*,\s*([0-9]{{1,4}})\s*(?:,?\s*'.*)?")
_PLAIN_DOTS = re.compile(rf"^('?)s,({_NUMBER}),({_NUMBER}),([0-9]{{1,4}})$", re.MULTILINE)
_DOTS = re.compile(r"\s*([0-9]{1,4})\s*/\s*#\s*([0-9]{1,9})\s*/([^/]*)/\s*([A-Za-z]?)\s*")
_dot = partial(tuple.__new__, Dot)  # as Dot._make, without a call of Python for each
_REGION = re.compile(r"re[0-9]+")
_TOLERANCE = 0.02
_MAX_PRICE = 10_000_000
_COLOURS16, _PENS, _BYTE, _MAX_COLOUR = 15, 4, 255, 1023
_Row = TypeVar("_Row", RB3City, RB3Railroad)
_CITY_FIELDS, _REGION_FIELDS, _RAILROAD_FIELDS = 5, 3, 9


def read_rb3(source: bytes | Path, *, file: str | None = None) -> RB3File:
    """Read an RB3 file.

    Args:
        source: Its path, or its bytes (UTF-8 or Windows-1252, any line ends).
        file: What to call it in messages; by default the path's name.

    Raises:
        SourceError: It is not an RB3 file, cut off, or contradicts itself; every problem has its line.
        WorkspaceError: It is missing or may not be read.
    """
    name = file or (source.name if isinstance(source, Path) else "the file")
    data = read_bytes(source) if isinstance(source, Path) else source
    return _Reader(name).read(sections(decode(data, file=name), file=name))


class _Reader:
    def __init__(self, file: str) -> None:
        self._problems = RB3Problems(file)
        self._notes: list[str] = []

    def read(self, found: list[RB3Section]) -> RB3File:
        problems = self._problems
        by_name = self._by_name(found)
        header = self._header(by_name["header"])
        regions, keys = self._regions(by_name["regn"])
        cities = self._cities(by_name["city"], regions)
        railroads = self._railroads(by_name["rr"])
        dots = tuple(self._dots(by_name.get(f"re{n}"), n) for n in range(1, len(regions) + 1))
        for name in by_name:
            if _REGION.fullmatch(name) and int(name[2:]) not in range(1, len(regions) + 1):
                problems.add(by_name[name].row, f"[{name}]: there are {len(regions)} regions; remove it")
        problems.raise_if_any()
        self._check_header(header, by_name["header"].row, (len(regions), len(cities), len(railroads)))
        self._check_cities(by_name["city"].row, regions, cities, dots)
        reader = RouteReader(dots, railroads, problems)
        routes = reader.read(by_name["rout"])
        payoffs = self._payoffs(by_name["pay"], len(cities))
        problems.raise_if_any()
        return RB3File(
            header=_with_counts(header, (len(regions), len(cities), len(railroads))),
            regions=regions,
            region_keys=keys,
            cities=cities,
            railroads=railroads,
            dots=dots,
            routes=routes,
            payoffs=payoffs,
            other=_other(found),
            notes=(*self._notes, *reader.notes),
        )

    def _by_name(self, found: Sequence[RB3Section]) -> dict[str, RB3Section]:
        """Return the tables by name; of each there is one."""
        out: dict[str, RB3Section] = {}
        for section in found:
            if section.name in TABLES or _REGION.fullmatch(section.name):
                if section.name in out:
                    self._problems.add(section.row, f"a second [{section.name}]; remove one")
                out.setdefault(section.name, section)
        missing = [name for name in TABLES if name not in out]
        if missing:
            raise self._problems.stop(
                None,
                f"no [{missing[0]}] section; an RB3 file has {', '.join(TABLES)}, so this file is cut off or "
                "is not one",
            )
        return out

    def _header(self, section: RB3Section) -> tuple[tuple[str, str], ...]:
        out: dict[str, str] = {}
        for row, line in section.data():
            key, equals, value = line.partition("=")
            name = key.strip().lower()
            if not equals or not name:
                self._problems.add(row, f"{line[:40]!r} is not of the form key=value; correct it")
            elif name in out:
                self._problems.add(row, f"{name!r} is given twice; keep one")
            out[name] = value.strip()
        return tuple(out.items())

    def _check_header(self, header: Sequence[tuple[str, str]], row: int, counts: tuple[int, ...]) -> None:
        given = dict(header)
        for key, count in zip(COUNTS, counts, strict=True):
            if key in given and integer(given[key]) != count:
                self._problems.add(row, f"the header says {key}={given[key][:20]}, but the section has {count}")
        for key in ("scalel", "scalet", "scalew", "scaleh"):
            value = number(given.get(key, "1"))
            if value is None or (key in ("scalew", "scaleh") and value <= 0):
                self._problems.add(row, f"{key}={given[key][:20]} is not a length in map units; correct it")

    def _counted(self, section: RB3Section, most: int) -> tuple[int, Iterator[Line]]:
        """Return the count that a section begins with, and the lines after it."""
        lines = section.data()
        row, first = next(lines, (section.row, ""))
        count = count_of(first)
        if count is None or not 1 <= count <= most:
            raise self._problems.stop(
                row, f"[{section.name}] begins with {first[:20]!r}; its first line is a count from 1 to {most}"
            )
        return count, lines

    def _rows(self, section: RB3Section, most: int, parse: Callable[[str], _Row | str]) -> tuple[_Row, ...]:
        """Return the rows of a table that says how many it has; `parse` returns a row, or what is wrong."""
        count, lines = self._counted(section, most)
        rows = list(islice(lines, most + 1))
        if len(rows) != count:
            self._problems.add(section.row, f"[{section.name}] says {count} but has {len(rows)}; correct the count")
        out: list[_Row] = []
        for row, line in rows:
            item = parse(line)
            if isinstance(item, str):
                self._problems.add(row, item)
            else:
                out.append(item)
        return tuple(out)

    def _regions(self, section: RB3Section) -> tuple[tuple[RB3Region, ...], tuple[str, ...]]:
        count, lines = self._counted(section, MAX_REGIONS)
        out: list[RB3Region] = []
        codes: set[str] = set()
        for row, line in islice(lines, count):
            cells, _, wrong = fields(line)
            percent = number(cells[2]) if len(cells) == _REGION_FIELDS else None
            if wrong or percent is None or not cells[0] or not cells[1] or not 0 <= percent <= 100:  # noqa: PLR2004
                self._problems.add(row, wrong or f"{line[:40]!r} is not a region; write name,code,percent")
                continue
            if cells[1] in codes:
                self._problems.add(row, f"region code {cells[1]!r} appears twice; change one")
            codes.add(cells[1])
            out.append(RB3Region(cells[0], cells[1], percent))
        if len(out) < count and not self._problems.found:
            self._problems.add(section.row, f"[regn] says {count} but has {len(out)}; correct the count")
        keys = []
        for row, line in lines:
            if "=" not in line:
                self._problems.add(row, f"{line[:40]!r}: a line after the {count} regions; correct the count")
            keys.append(line)
        self._check_sum(section.row, "the regions", [region.percent for region in out])
        return tuple(out), tuple(keys)

    def _check_sum(self, row: int, whose: str, percents: Sequence[float]) -> None:
        total = sum(percents)
        if abs(total - 100) > _TOLERANCE:
            self._problems.add(row, f"chances of {whose} add up to {total:.3f} percent; correct them to 100")

    def _cities(self, section: RB3Section, regions: Sequence[RB3Region]) -> tuple[RB3City, ...]:
        codes = {region.code for region in regions}

        def parse(line: str) -> RB3City | str:
            cells, hint, wrong = fields(line)
            if wrong or len(cells) != _CITY_FIELDS or not cells[0]:
                text = f"{line[:40]!r} is not a city; write name,region,percent,payoff index,dot"
                return wrong or text
            percent, index, dot = number(cells[2]), integer(cells[3]), integer(cells[4])
            if cells[1] not in codes:
                hint_text = did_you_mean(cells[1], codes) or f"; codes are {', '.join(sorted(codes)[:10])}"
                return f"city {cells[0]!r}: no region has the code {cells[1]!r}{hint_text}"
            if percent is None or not 0 <= percent <= 100 or index is None or dot is None:  # noqa: PLR2004
                return f"city {cells[0]!r}: chance, payoff index or dot is not a number"
            return RB3City(cells[0], cells[1], percent, index, dot, hint or "")

        return self._rows(section, MAX_CITIES, parse)

    def _check_cities(
        self, row: int, regions: Sequence[RB3Region], cities: Sequence[RB3City], dots: Sequence[Dots]
    ) -> None:
        number_of = {region.code: n for n, region in enumerate(regions)}
        for region in regions:
            own = [city.percent for city in cities if city.region == region.code]
            self._check_sum(row, f"the cities of {region.code}", own)
        if sorted(city.row for city in cities) != list(range(1, len(cities) + 1)):
            counts = Counter(city.row for city in cities)
            bad = sorted(i for i, n in counts.items() if n > 1 or not 1 <= i <= len(cities))
            self._problems.add(row, f"payoff indexes are 1 to {len(cities)}, each once; check {bad[:5]}")
        seen: dict[tuple[str, int], str] = {}
        for city in cities:
            own_dots = dots[number_of[city.region]].dots
            if not 1 <= city.dot <= len(own_dots):
                self._problems.add(row, f"city {city.name!r}: {city.region} has no dot {city.dot}")
            elif own_dots[city.dot - 1].retired:
                self._problems.add(row, f"city {city.name!r}: dot {city.dot} of {city.region} is disabled; use another")
            other = seen.setdefault((city.region, city.dot), city.name)
            if other is not city.name:
                self._problems.add(row, f"cities {other!r} and {city.name!r} have the same dot {city.dot}; merge them")

    def _railroads(self, section: RB3Section) -> tuple[RB3Railroad, ...]:
        def parse(line: str) -> RB3Railroad | str:
            cells, _, wrong = fields(line)
            if wrong or len(cells) not in (_RAILROAD_FIELDS, _RAILROAD_FIELDS + 1) or not cells[0] or not cells[2]:
                text = f"{line[:40]!r} is not a railroad; write long,medium,short,colour,style,price,blue,green,red"
                return wrong or text
            values = [integer(cell) for cell in cells[3:_RAILROAD_FIELDS]]
            limits = (_COLOURS16, _PENS, _MAX_PRICE, _BYTE, _BYTE, _BYTE)
            whole = [v for v, limit in zip(values, limits, strict=True) if v is not None and 0 <= v <= limit]
            if len(whole) < len(limits):
                return f"railroad {cells[2]!r}: colour 0-15, style 0-4, price, and blue, green, red 0-255 are numbers"
            colour16, pen, price, blue, green, red = whole
            again = cells[_RAILROAD_FIELDS] if len(cells) > _RAILROAD_FIELDS else ""
            return RB3Railroad(cells[0], cells[1], cells[2], colour16, pen, price, blue, green, red, again)

        return self._rows(section, MAX_RAILROADS, parse)

    def _dots(self, section: RB3Section | None, region: int) -> Dots:
        if section is None:
            raise self._problems.stop(None, f"no [re{region}] section; there is one for each region")
        texts = list(map(str.strip, section.lines))
        first = next((n for n, text in enumerate(texts) if text and text[0] != "'"), len(texts))
        row, text = (section.row + 1 + first, texts[first]) if first < len(texts) else (section.row, "")
        head = _DOTS.fullmatch(text)
        if head is None:
            raise self._problems.stop(
                row, f"[re{region}] begins with {text[:30]!r}; its first line is like 9/#24/NAME/D"
            )
        # all at once, since most of a file is dots; one by one to find what is wrong
        rest = [*texts[:first], *texts[first + 1 :]]
        found = _PLAIN_DOTS.findall("\n".join(rest))
        off, x, y, colour = zip(*found, strict=True) if found else ((), (), (), ())
        values = zip(map(float, x), map(float, y), map(int, colour), map("'".__eq__, off), strict=True)
        out: list[Dot] = list(map(_dot, values))
        if len(out) != len(rest) - rest.count(""):
            numbered = enumerate(texts, section.row + 1)
            out = self._odd_dots([(n, text) for n, text in numbered if text and n != row])
        if int(head[2]) != len(out):
            self._problems.add(
                section.row,
                f"[re{region}] says {head[2]} dots but has {len(out)}, including disabled ones; correct the count",
            )
        if len(out) > MAX_DOTS:
            self._problems.add(section.row, f"[re{region}] has {len(out)} dots; a region has at most {MAX_DOTS}")
        if max((dot.colour for dot in out), default=0) > _MAX_COLOUR:
            self._problems.add(section.row, f"[re{region}]: a dot's colour is more than {_MAX_COLOUR}; correct it")
        return Dots(head[1], head[3].strip(), head[4], tuple(out))

    def _odd_dots(self, lines: Sequence[Line]) -> list[Dot]:
        """Return dots from lines among which are others."""
        out: list[Dot] = []
        for row, text in lines:
            dot = _DOT.fullmatch(text)
            if dot is not None:
                off, x, y, colour = dot.groups()
                out.append(Dot(float(x), float(y), int(colour), off == "'"))
            elif text[0] != "'":
                self._problems.add(row, f"{text[:30]!r} is not a dot; write s,x,y,colour")
        return out

    def _payoffs(self, section: RB3Section, cities: int) -> tuple[tuple[float, ...], ...]:
        out: list[tuple[float, ...]] = []
        known = _Amounts()
        lines = section.data()
        for row, line in islice(lines, cities - 1):
            want = cities - 1 - len(out)
            cells = fields(line)[0] if "'" in line or '"' in line else line.split(",")
            values = list(map(known.__getitem__, cells))
            if len(values) != want or None in values:
                amounts = len(values) - values.count(None)
                raise self._problems.stop(
                    row,
                    f"row {len(out) + 1} of [pay] has {counted(amounts, 'amount')} in {counted(len(values), 'cell')}; "
                    f"with {cities} cities it needs {want}",
                )
            out.append(tuple(cast("list[float]", values)))
        if len(out) != cities - 1:
            raise self._problems.stop(
                section.row,
                f"[pay] has {counted(len(out), 'row')}, but {cities} cities need {cities - 1}; the file is cut off",
            )
        rest = [row for row, _ in lines]
        if rest:
            self._notes.append(
                f"{self._problems.file}:{rest[0]}: {counted(len(rest), 'line')} after the "
                f"{cities - 1} rows of [pay]; left out"
            )
        return tuple(out)


class _Amounts(dict[str, float | None]):
    """Amounts by their text; a chart has few different ones."""

    def __missing__(self, text: str) -> float | None:
        self[text] = value = number(text.strip())
        return value


def _with_counts(header: Sequence[tuple[str, str]], counts: tuple[int, ...]) -> tuple[tuple[str, str], ...]:
    """Return the header with all counts, in the form in which they are written."""
    held = {key: str(count) for key, count in zip(COUNTS, counts, strict=True)}
    return tuple((dict(header) | held).items())


def _other(found: Sequence[RB3Section]) -> tuple[Raw, ...]:
    """Return sections that are kept as text, known ones first, in the order in which a writer puts them."""
    kept = [s for s in found if s.name not in TABLES and not _REGION.fullmatch(s.name)]
    rank = {name: n for n, name in enumerate(ORDER)}
    kept.sort(key=lambda section: rank.get(section.name, len(ORDER)))
    return tuple(Raw(section.name, _trimmed(section.lines)) for section in kept)


def _trimmed(lines: Sequence[str]) -> tuple[str, ...]:
    """Return lines without blanks at the end of each, and without blank ones around them."""
    out = [line.rstrip() for line in lines]
    while out and not out[-1]:
        out.pop()
    start = next((n for n, line in enumerate(out) if line), 0)
    return tuple(out[start:])
