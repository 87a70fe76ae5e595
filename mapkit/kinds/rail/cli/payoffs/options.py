"""Options that say how the file of a payoff chart is read."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.core.errors import MapkitError
from mapkit.formats.files import read_text
from mapkit.kinds.rail.cli import late

if TYPE_CHECKING:
    from mapkit.formats.page_files import Say

BoardOpt = Annotated[
    str | None,
    typer.Option(
        "--board", "-b", metavar="BOARD", help="The board whose cities the chart is for, as for mapkit build."
    ),
]
UnitOpt = Annotated[
    str | None,
    typer.Option(
        "--unit",
        "-u",
        metavar="dollars|thousands|N",
        help="What 1 in the file is worth; inferred from the numbers if not given.",
    ),
]
DecimalOpt = Annotated[
    str | None,
    typer.Option("--decimal", metavar=".|,", help="The decimal sign; inferred from the numbers if not given."),
]
StepOpt = Annotated[
    float, typer.Option("--step", metavar="THOUSANDS", min=0.01, max=10, help="The grid of the amounts, thousands.")
]
GridOpt = Annotated[
    float | None,
    typer.Option(
        "--step",
        metavar="THOUSANDS",
        min=0.01,
        max=10,
        help="The grid of the amounts, thousands; inferred if not given.",
    ),
]
AcceptOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--accept",
        "-a",
        metavar="TYPED=CITY",
        help="This spelling is that city (id or name); - leaves it out. CITY:CITY=AMOUNT says what a cell of a picture "
        "shows, - that it is empty. @FILE has one a line. Repeatable.",
    ),
]

AcceptOcrOpt = Annotated[
    bool,
    typer.Option("--accept-ocr", help="Take letters among digits for the digits they look like: 1O.5 is 10.5."),
]

PagesOpt = Annotated[
    str | None,
    typer.Option("--pages", metavar="3-4,7", help="The pages of a PDF that hold the chart; all by default."),
]
NamesOpt = Annotated[
    Path | None,
    typer.Option("--names", metavar="FILE", help="Names of the cities, if the chart has ids: CSV or JSON of id, name."),
]
BoxOpt = Annotated[
    str | None,
    typer.Option(
        "--box",
        metavar="LEFT,TOP,RIGHT,BOTTOM",
        help="Where the chart is on its page: points of a PDF, pixels of a picture, from the top left.",
    ),
]
RowsOpt = Annotated[
    str | None,
    typer.Option(
        "--rows", metavar="NAMES", help="Names beside the rows, in their order, between commas; @FILE has one a line."
    ),
]
ColumnsOpt = Annotated[
    str | None, typer.Option("--columns", metavar="NAMES", help="The same above the columns, as for --rows.")
]
_PAGES = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?")
_MOST_PAGES = 200


def pages_of(text: str | None) -> tuple[int, ...]:
    """Return the numbers of pages that an option gives.

    Raises:
        typer.BadParameter: It is not a list of pages.
    """
    out: list[int] = []
    for part in (text or "").split(",") if text is not None else ():
        found = _PAGES.fullmatch(part.strip())
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if not 0 < first <= last or last - first >= _MOST_PAGES:
            raise typer.BadParameter(
                f"{part.strip()!r} is neither a page nor a range of up to {_MOST_PAGES} pages, such as 3-4",
                param_hint="--pages",
            )
        out += range(first, last + 1)
    return tuple(dict.fromkeys(out))


def parse_decimal(text: str) -> str:
    """Return a decimal sign.

    Raises:
        typer.BadParameter: It is neither a point nor a comma.
    """
    if text not in (".", ","):
        raise typer.BadParameter(f"{text!r} is neither . nor ,", param_hint="--decimal")
    return text


def parse_unit(text: str) -> int:
    """Return how much money 1 in the file is worth.

    Raises:
        typer.BadParameter: It is not a unit.
    """
    worth = late.UNITS.get(text.casefold()) or (int(text) if text.isascii() and text.isdigit() else 0)
    if not 0 < worth <= late.THOUSAND**2:
        raise typer.BadParameter(
            f"{text!r} is neither dollars, thousands nor a whole number up to 1000000", param_hint="--unit"
        )
    return worth


def split_accepted(items: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield what is typed and what it means, of names that are accepted, with the lines of files.

    Raises:
        typer.BadParameter: An item has another form, or a file cannot be read.
    """
    for item in _with_files(items):
        typed, sign, meaning = item.rpartition("=")
        if not sign or not typed.strip() or not meaning.strip():
            raise typer.BadParameter(f"{item!r} is not TYPED=CITY, such as Pitsburg=pittsburgh", param_hint="--accept")
        yield typed.strip(), meaning.strip()


def parse_accepted(items: Iterable[str]) -> dict[str, str]:
    """Return accepted names by what is typed; an empty name for `-`, which leaves it out."""
    return {typed: "" if meaning == "-" else meaning for typed, meaning in split_accepted(items)}


def options(
    *,
    unit: str | None,
    decimal: str | None,
    accept: Iterable[str],
    sheet: str | None = None,
    kind: str | None = None,
    accept_ocr: bool = False,
    pages: str | None = None,
    more: Sequence[Path] = (),
    leave_out: bool = False,
    names: Path | None = None,
    rows: str | None = None,
    columns: str | None = None,
    box: str | None = None,
    say: "Say | None" = None,
) -> "mapkit.ReadOptions":
    """Return the options of a command on reading a file.

    Raises:
        typer.BadParameter: The option does not allow a value.
    """
    if kind is not None and kind not in late.KINDS:
        raise typer.BadParameter(f"{kind!r} is not one of {', '.join(late.KINDS)}", param_hint="--kind")
    accepted: dict[str, str] = {}
    settled: dict[tuple[str, str], str] = {}
    for typed, city in split_accepted(accept):
        one, colon, other = typed.partition(":")
        if colon and one.strip() and other.strip():
            settled[one.strip(), other.strip()] = city
            continue
        accepted[typed] = "" if city == "-" else city
    return mapkit.ReadOptions(
        unit=None if unit is None else parse_unit(unit),
        decimal=None if decimal is None else parse_decimal(decimal),
        accept=accepted,
        sheet=sheet,
        kind=kind,
        accept_ocr=accept_ocr,
        pages=pages_of(pages),
        settled=settled,
        more=tuple(more),
        leave_out=leave_out,
        names={} if names is None else late.read_id_names(names),
        rows=_listed_names(rows, "--rows"),
        columns=_listed_names(columns, "--columns"),
        box=_parse_box(box),
        say=say,
    )


def _listed_names(text: str | None, option: str) -> tuple[str, ...]:
    """Return the names of an option, or of the file that it gives."""
    if text is None:
        return ()
    items = _with_files([text], option) if text.startswith("@") else text.split(",")
    return tuple(item.strip() for item in items)


def _parse_box(text: str | None) -> tuple[float, float, float, float] | None:
    """Return the sides of a box.

    Raises:
        typer.BadParameter: It is not four numbers, or has no inside.
    """
    if text is None:
        return None
    try:
        left, top, right, bottom = map(float, text.split(","))
    except ValueError:
        left, top, right, bottom = 0.0, 0.0, 0.0, 0.0
    if not (left < right and top < bottom):
        raise typer.BadParameter(f"{text!r} is not LEFT,TOP,RIGHT,BOTTOM, such as 40,60,550,800", param_hint="--box")
    return left, top, right, bottom


def _with_files(items: Iterable[str], option: str = "--accept") -> Iterator[str]:
    """Yield the accepted names, including the lines of files.

    Raises:
        typer.BadParameter: A file cannot be read.
    """
    for item in items:
        if not item.startswith("@"):
            yield item
            continue
        try:
            lines = read_text(Path(item[1:]), name=item[1:]).splitlines()
        except MapkitError as error:
            raise typer.BadParameter(str(error), param_hint=option) from error
        yield from (line.strip() for line in lines if line.strip() and not line.startswith("#"))
