"""Options on reading charts and price lists, from the text that a user types."""

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Final

from mapkit.core.errors import MapkitError
from mapkit.formats.files import read_text
from mapkit.kinds.rail.sources.amounts import THOUSAND, UNITS
from mapkit.operations.options import Flag

BoxOption = Annotated[
    tuple[float, float, float, float] | None,
    Flag("", "LEFT,TOP,RIGHT,BOTTOM", parse="mapkit.kinds.rail.sources.payoffs.typed_options:parse_box"),
]
"""Where a chart is on its page; anywhere if not given."""

_PAGES: Final = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?")
_MOST_PAGES: Final = 200


def parse_pages(text: str) -> tuple[int, ...]:
    """Return the numbers of pages that a text lists.

    Raises:
        ValueError: It is not a list of pages.
    """
    out: list[int] = []
    for part in text.split(","):
        found = _PAGES.fullmatch(part.strip())
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if not 0 < first <= last or last - first >= _MOST_PAGES:
            raise ValueError(
                f"{part.strip()!r} is neither a page nor a range of up to {_MOST_PAGES} pages, such as 3-4"
            )
        out += range(first, last + 1)
    return tuple(dict.fromkeys(out))


def parse_decimal(text: str) -> str:
    """Return a decimal sign.

    Raises:
        ValueError: It is neither a point nor a comma.
    """
    if text not in (".", ","):
        raise ValueError(f"{text!r} is neither . nor ,")
    return text


def parse_unit(text: str) -> int:
    """Return how much money 1 in a file is worth.

    Raises:
        ValueError: It is not a unit.
    """
    worth = UNITS.get(text.casefold()) or (int(text) if text.isascii() and text.isdigit() else 0)
    if not 0 < worth <= THOUSAND**2:
        raise ValueError(f"{text!r} is neither dollars, thousands nor a whole number up to 1000000")
    return worth


def parse_accepted_names(items: Iterable[str]) -> dict[str, str]:
    """Return the meaning of each accepted spelling; an empty one for `-`, which leaves it out.

    Raises:
        ValueError: An item is not `TYPED=NAME`.
    """
    return _accepted(items, "NAME")


def parse_accepted_cities(items: Iterable[str]) -> dict[str, str]:
    """Return accepted spellings of cities likewise; the lines of a file stand for `@FILE`."""
    return _accepted(expand_files(items), "CITY")


def _accepted(items: Iterable[str], what: str) -> dict[str, str]:
    accepted: dict[str, str] = {}
    for item in items:
        typed, sign, meaning = item.rpartition("=")
        if not sign or not typed.strip() or not meaning.strip():
            raise ValueError(f"{item!r} is not TYPED={what}, such as Pitsburg=pittsburgh")
        accepted[typed.strip()] = "" if meaning.strip() == "-" else meaning.strip()
    return accepted


def part_cells(accepted: Mapping[str, str]) -> tuple[dict[str, str], dict[tuple[str, str], str]]:
    """Return the accepted names alone, and the accepted cells: `CITY:CITY` with the amount, `-` for an empty cell."""
    names: dict[str, str] = {}
    cells: dict[tuple[str, str], str] = {}
    for typed, meaning in accepted.items():
        row, _, column = (part.strip() for part in typed.partition(":"))
        if row and column:
            cells[row, column] = meaning or "-"
        else:
            names[typed] = meaning
    return names, cells


def parse_names(text: str) -> tuple[str, ...]:
    """Return names between commas, or one a line of the file that `@FILE` names; an empty name stays.

    Raises:
        ValueError: The file cannot be read.
    """
    items = expand_files([text]) if text.startswith("@") else text.split(",")
    return tuple(item.strip() for item in items)


def parse_box(text: str) -> tuple[float, float, float, float]:
    """Return the sides of a box.

    Raises:
        ValueError: It is not four numbers, or has no inside.
    """
    try:
        left, top, right, bottom = map(float, text.split(","))
    except ValueError:
        left, top, right, bottom = 0.0, 0.0, 0.0, 0.0
    if not (left < right and top < bottom):
        raise ValueError(f"{text!r} is not LEFT,TOP,RIGHT,BOTTOM, such as 40,60,550,800")
    return left, top, right, bottom


def parse_shares(text: str) -> tuple[Fraction, ...]:
    """Return wanted odds, in any unit.

    Raises:
        ValueError: They are not numbers.
    """
    try:
        return tuple(Fraction(part.strip()) for part in text.split(","))
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"{text!r} is not a list of numbers like 15,12,10") from error


def expand_files(items: Iterable[str]) -> Iterator[str]:
    """Yield items, and the lines of files in place of `@FILE`.

    Raises:
        ValueError: A file cannot be read.
    """
    for item in items:
        if not item.startswith("@"):
            yield item
            continue
        try:
            lines = read_text(Path(item[1:]), name=item[1:]).splitlines()
        except MapkitError as error:
            raise ValueError(str(error)) from error
        yield from (line.strip() for line in lines if line.strip() and not line.startswith("#"))
