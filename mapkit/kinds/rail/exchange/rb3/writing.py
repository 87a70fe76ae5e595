"""Writing RB3: an `RB3File` to bytes, in the order and with the habits of the program's own editor."""

from collections.abc import Iterator

from mapkit.core.errors import ExportError
from mapkit.kinds.rail.exchange.format import RB3Encoding
from mapkit.kinds.rail.exchange.rb3.model import MAX_DOTS, MAX_REGIONS, ORDER, RB3File, RB3Region
from mapkit.kinds.rail.exchange.rb3.routes import route_text
from mapkit.kinds.rail.exchange.rb3.text import decode, is_head, name_field, number_text, section_name

_COUNTS = ("regions", "cities", "rrs")


def write_rb3(rb3: RB3File, encoding: RB3Encoding = "windows-1252") -> bytes:
    """Return the file as bytes, lines ended by CRLF.

    Args:
        rb3: The file.
        encoding: Of names: the program itself takes Windows-1252 alone.

    Raises:
        ExportError: A name cannot stand in RB3, or a region has more than 999 dots.
    """
    text = "\r\n".join(_lines(rb3)) + "\r\n"
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError as error:
        line = text[text.rfind("\n", 0, error.start) + 1 :].splitlines()[0]
        raise ExportError(
            f"RB3 is Windows-1252 and has no {text[error.start]!r}, as in {line[:60]!r}; spell the name without it, or "
            "give --encoding utf-8 for a program that reads that"
        ) from error
    if decode(data, file="RB3") != text.replace("\r\n", "\n"):
        raise ExportError(
            "RB3: the accented letters of the names look like UTF-8; spell one of the names without accents, or "
            "give --encoding utf-8"
        )
    return data


def _lines(rb3: RB3File) -> Iterator[str]:
    _check_limits(rb3)
    yield "'[header]"
    counts = {"regions": len(rb3.regions), "rrs": len(rb3.railroads), "cities": len(rb3.cities)}
    given = dict(rb3.header)
    for key, value in rb3.header:
        yield f"{key}={counts.get(key, _value(key, value))}"
    for key in _COUNTS:
        if key not in given:
            yield f"{key}={counts[key]}"
    yield from ("", "'[regn]", str(len(rb3.regions)))
    for region in rb3.regions:
        yield ",".join((name_field(region.name), name_field(region.code), number_text(region.percent)))
    yield from rb3.region_keys
    yield from ("", "'[city]", str(len(rb3.cities)))
    yield from _cities(rb3)
    yield from ("", "'[rr]", str(len(rb3.railroads)))
    for r in rb3.railroads:
        names = (name_field(r.name), name_field(r.medium, empty=True), name_field(r.short))
        again = (r.again,) if r.again else ()
        yield ",".join((*names, *map(str, (r.colour16, r.pen, r.price, r.blue, r.green, r.red)), *again))
    for n, dots in enumerate(rb3.dots, 1):
        yield from ("", f"'[re{n}]", f"{dots.version}/#{len(dots.dots)}/{dots.editor}/{dots.kind}")
        for dot in dots.dots:
            yield f"{chr(39) if dot.disabled else ''}s,{number_text(dot.x)},{number_text(dot.y)},{dot.colour}"
    yield from ("", "'[rout]")
    yield from _routes(rb3)
    yield from ("", "'[pay]")
    for row in rb3.payoffs:
        yield ",".join(map(number_text, row))
    for raw in rb3.other:
        yield from ("", f"'[{raw.name}]", *raw.lines)


def _cities(rb3: RB3File) -> Iterator[str]:
    """Yield the cities, with a comment before each run of a region."""
    region_of: dict[str, RB3Region] = {region.code: region for region in rb3.regions}
    before = ""
    for city in rb3.cities:
        if city.region != before:
            size = sum(other.region == city.region for other in rb3.cities)
            yield f"'{region_of[city.region].name}={size}"
        before = city.region
        hint = f",'{city.hint}" if city.hint else ""
        cells = (
            name_field(city.name),
            name_field(city.region),
            number_text(city.percent),
            str(city.row),
            str(city.dot),
        )
        yield ",".join(cells) + hint


def _routes(rb3: RB3File) -> Iterator[str]:
    for railroad, route in zip(rb3.railroads, rb3.routes, strict=True):
        heading = f"' {railroad.short}"
        if is_head(heading):
            raise ExportError(
                f"RB3: the reporting mark {railroad.short!r} looks like the start of a section; change it"
            )
        yield heading
        for n, points in enumerate(route.lines, 1):
            yield route_text(points, len(rb3.regions), last=n == len(route.lines))


def _check_limits(rb3: RB3File) -> None:
    if len(rb3.regions) > MAX_REGIONS:
        raise ExportError(f"RB3: {len(rb3.regions)} regions; at most {MAX_REGIONS} can be written")
    for region, dots in zip(rb3.regions, rb3.dots, strict=True):
        if len(dots.dots) > MAX_DOTS:
            raise ExportError(
                f"RB3: region {region.name!r} has {len(dots.dots)} mileposts and junctions; RB3 holds {MAX_DOTS} a "
                "region. Divide the region, or use fewer mileposts"
            )
    for raw in rb3.other:
        bad = [line for line in raw.lines if "\n" in line or "\r" in line or is_head(line)]
        if bad or section_name(raw.name) in ORDER[:6] or not is_head(f"[{raw.name}]"):
            raise ExportError(f"RB3: section [{raw.name}] cannot be written as it is")


def _value(key: str, value: str) -> str:
    if not all(ch.isprintable() or ch == "\t" for ch in value) or value != value.strip():
        raise ExportError(f"RB3: {key} is {value!r}; write it on one line, without spaces around it")
    return value
