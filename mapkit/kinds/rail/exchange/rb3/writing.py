"""Writer of RB3: an `RB3File` to bytes, in the order and style of the program's own editor."""

from collections.abc import Iterator

from mapkit.core.errors import ExportError
from mapkit.kinds.rail.exchange.format import RB3Encoding
from mapkit.kinds.rail.exchange.rb3.model import MAX_DOTS, MAX_REGIONS, ORDER, RB3File, RB3Region
from mapkit.kinds.rail.exchange.rb3.routes import route_text
from mapkit.kinds.rail.exchange.rb3.text import decode, is_head, name_field, number_text, section_name

_COUNT_KEYS = ("regions", "cities", "rrs")


def write_rb3(rb3: RB3File, encoding: RB3Encoding = "utf-8") -> bytes:
    """Return the file as bytes with CRLF line ends.

    Args:
        rb3: The file.
        encoding: Encoding of names; Rail Baron Player reads Windows-1252 only.

    Raises:
        ExportError: RB3 cannot hold a name, or a region has more than 999 dots.
    """
    file_text = "\r\n".join(_file_lines(rb3)) + "\r\n"
    try:
        file_bytes = file_text.encode(encoding)
    except UnicodeEncodeError as error:
        bad_line = file_text[file_text.rfind("\n", 0, error.start) + 1 :].splitlines()[0]
        raise ExportError(
            f"Windows-1252 has no {file_text[error.start]!r}, as in {bad_line[:60]!r}; "
            "spell the name without it, or leave out --encoding"
        ) from error
    if decode(file_bytes, file="RB3") != file_text.replace("\r\n", "\n"):
        raise ExportError(
            "RB3: the accented letters of the names look like UTF-8; spell one of the names without accents, or "
            "leave out --encoding"
        )
    return file_bytes


def _file_lines(rb3: RB3File) -> Iterator[str]:
    _check_limits(rb3)
    yield "'[header]"
    count_by_key = {"regions": len(rb3.regions), "rrs": len(rb3.railroads), "cities": len(rb3.cities)}
    header_values = dict(rb3.header)
    for header_key, header_value in rb3.header:
        yield f"{header_key}={count_by_key.get(header_key, _check_value(header_key, header_value))}"
    for header_key in _COUNT_KEYS:
        if header_key not in header_values:
            yield f"{header_key}={count_by_key[header_key]}"
    yield from ("", "'[regn]", str(len(rb3.regions)))
    for region in rb3.regions:
        yield ",".join((name_field(region.name), name_field(region.code), number_text(region.percent)))
    yield from rb3.region_keys
    yield from ("", "'[city]", str(len(rb3.cities)))
    yield from _city_lines(rb3)
    yield from ("", "'[rr]", str(len(rb3.railroads)))
    for railroad in rb3.railroads:
        name_fields = (name_field(railroad.name), name_field(railroad.medium, empty=True), name_field(railroad.short))
        last_field = (railroad.again,) if railroad.again else ()
        yield ",".join(
            (
                *name_fields,
                *map(
                    str, (railroad.colour16, railroad.pen, railroad.price, railroad.blue, railroad.green, railroad.red)
                ),
                *last_field,
            )
        )
    for region_number, region_dots in enumerate(rb3.dots, 1):
        yield from (
            "",
            f"'[re{region_number}]",
            f"{region_dots.version}/#{len(region_dots.dots)}/{region_dots.editor}/{region_dots.kind}",
        )
        for dot in region_dots.dots:
            yield f"{chr(39) if dot.disabled else ''}s,{number_text(dot.x)},{number_text(dot.y)},{dot.colour}"
    yield from ("", "'[rout]")
    yield from _route_lines(rb3)
    yield from ("", "'[pay]")
    for payoff_row in rb3.payoffs:
        yield ",".join(map(number_text, payoff_row))
    for raw_section in rb3.other:
        yield from ("", f"'[{raw_section.name}]", *raw_section.lines)


def _city_lines(rb3: RB3File) -> Iterator[str]:
    """Yield the cities, with a comment before each run of a region."""
    region_by_code: dict[str, RB3Region] = {region.code: region for region in rb3.regions}
    previous_region = ""
    for city in rb3.cities:
        if city.region != previous_region:
            city_count = sum(other_city.region == city.region for other_city in rb3.cities)
            yield f"'{region_by_code[city.region].name}={city_count}"
        previous_region = city.region
        hint_comment = f",'{city.hint}" if city.hint else ""
        city_fields = (
            name_field(city.name),
            name_field(city.region),
            number_text(city.percent),
            str(city.row),
            str(city.dot),
        )
        yield ",".join(city_fields) + hint_comment


def _route_lines(rb3: RB3File) -> Iterator[str]:
    for railroad, route in zip(rb3.railroads, rb3.routes, strict=True):
        heading = f"' {railroad.short}"
        if is_head(heading):
            raise ExportError(
                f"RB3: the reporting mark {railroad.short!r} looks like the start of a section; change it"
            )
        yield heading
        for line_number, points in enumerate(route.lines, 1):
            yield route_text(points, len(rb3.regions), last=line_number == len(route.lines))


def _check_limits(rb3: RB3File) -> None:
    if len(rb3.regions) > MAX_REGIONS:
        raise ExportError(f"RB3: {len(rb3.regions)} regions; at most {MAX_REGIONS} can be written")
    for region, region_dots in zip(rb3.regions, rb3.dots, strict=True):
        if len(region_dots.dots) > MAX_DOTS:
            raise ExportError(
                f"RB3: region {region.name!r} has {len(region_dots.dots)} mileposts and junctions; "
                f"RB3 holds {MAX_DOTS} a "
                "region. Divide the region, or use fewer mileposts"
            )
    for raw_section in rb3.other:
        bad_lines = [line for line in raw_section.lines if "\n" in line or "\r" in line or is_head(line)]
        if bad_lines or section_name(raw_section.name) in ORDER[:6] or not is_head(f"[{raw_section.name}]"):
            raise ExportError(f"RB3: section [{raw_section.name}] cannot be written as it is")


def _check_value(key: str, value: str) -> str:
    if not all(character.isprintable() or character == "\t" for character in value) or value != value.strip():
        raise ExportError(f"RB3: {key} is {value!r}; write it on one line, without spaces around it")
    return value
