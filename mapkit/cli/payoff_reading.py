"""What `mapkit payoffs read` does."""

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import typer

from mapkit import api_payoffs
from mapkit.cli.printing import result, table, talk
from mapkit.errors import SourceError
from mapkit.jsontext import json_text
from mapkit.model.payoff_chart import PayoffsRead
from mapkit.output import write_files
from mapkit.sources.amounts import THOUSAND, UNITS
from mapkit.sources.board_cities import board_cities
from mapkit.sources.payoff_files import KINDS, ReadOptions, payoffs_csv
from mapkit.sources.workspace import open_workspace

MOST_LISTED = 40
_PLAIN_HOW = ("exact", "own")


def options(
    *, unit: str | None, decimal: str | None, accept: Iterable[str], sheet: str | None = None, kind: str | None = None
) -> ReadOptions:
    """Return what the options of a command say about a file.

    Raises:
        typer.BadParameter: A value is none that the option may have.
    """
    if decimal not in (None, ".", ","):
        raise typer.BadParameter(f"{decimal!r} is neither . nor ,", param_hint="--decimal")
    if kind is not None and kind not in KINDS:
        raise typer.BadParameter(f"{kind!r} is none of {', '.join(KINDS)}", param_hint="--kind")
    worth = None
    if unit is not None:
        worth = UNITS.get(unit.casefold()) or (int(unit) if unit.isascii() and unit.isdigit() else 0)
        if not 0 < worth <= THOUSAND**2:
            raise typer.BadParameter(
                f"{unit!r} is neither dollars, thousands nor a whole number up to 1000000", param_hint="--unit"
            )
    accepted: dict[str, str] = {}
    for item in accept:
        typed, sign, city = item.rpartition("=")
        if not sign or not typed.strip() or not city.strip():
            raise typer.BadParameter(f"{item!r} is no TYPED=CITY, such as Pitsburg=pittsburgh", param_hint="--accept")
        accepted[typed.strip()] = "" if city.strip() == "-" else city.strip()
    return ReadOptions(unit=worth, decimal=decimal, accept=accepted, sheet=sheet, kind=kind)


def read(
    file: Path,
    *,
    board: str | None,
    out: Path | None,
    gaps: bool,
    told: ReadOptions,
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Run `mapkit payoffs read`.

    Raises:
        SourceError: The file is no payoff chart, or cells could not be read and the chart was to be written.
    """
    found = api_payoffs.read_payoffs(file, board=board, workspace=workspace, options=told)
    result(json_text(found) if as_json else read_text(found))
    if out is not None:
        if found.not_read and not gaps:
            raise SourceError(
                f"{out} was not written: {len(found.not_read)} cells could not be read; correct them, or write the "
                "chart without them: --gaps"
            )
        names = [(match.city, match.typed) for match in found.names]
        if board is not None:
            names = [(city.id, city.name) for city in board_cities(open_workspace(workspace), board).cities]
        write_files(out.parent, {out.name: payoffs_csv(found.chart, names)})
        talk(f"The chart is {out}")
    if found.not_read and not gaps:
        sys.exit(1)


def read_text(found: PayoffsRead) -> str:
    """Lay out what was understood of a file."""
    chart = found.chart
    unit = {1: "whole money", THOUSAND: "thousands"}.get(found.unit, f"units of {found.unit}")
    how = Counter(match.how for match in found.names)
    matched = ", ".join(f"{count} {name}" for name, count in sorted(how.items(), key=lambda item: (-item[1], item[0])))
    values = [r for r in chart.readings if r.value is not None]
    lines = [
        f"{chart.file}: {found.kind}, {found.layout}, {'with' if found.diagonal else 'without'} the diagonal",
        f"cities: {len(chart.cities)}, spelled in {len(found.names)} ways: {matched}",
        f"amounts: {len(values)}, in {unit} ({found.unit_why}), decimal sign {found.decimal}",
        *(f"note: {note}" for note in found.notes),
    ]
    sections: list[tuple[str, tuple[str, ...], list[tuple[str, ...]]]] = [
        ("names read otherwise than typed", ("typed", "city", "how", "where"),
         [(m.typed, m.city or "(left out)", m.how, m.where) for m in found.names if m.how not in _PLAIN_HOW]),
        ("cells not read", ("where", "cities", "text", "why"),
         [(c.where, f"{c.a} - {c.b}", c.text, c.why) for c in found.not_read]),
        ("cells of another size than the rest, read as they stand", ("where", "cities", "text", "thousands"),
         [(c.where, f"{c.a} - {c.b}", c.text, f"{c.value:g}") for c in found.doubted]),
        ("two readings", ("cities", "first", "where", "second", "where"),
         [(f"{c.a} - {c.b}", f"{c.value:g}", c.where, f"{c.mirrored:g}", c.where_mirrored) for c in found.asymmetric]),
        ("pairs without an amount", ("city", "city"), list(found.missing)),
        ("cities of the board that the file has not", ("city",), [(city,) for city in found.lacking]),
    ]  # fmt: skip
    for title, head, rows in sections:
        if rows:
            shown = table(head, rows[:MOST_LISTED])
            more = len(rows) - MOST_LISTED
            tail = f"\n... and {more} more, see --json" if more > 0 else ""
            lines.append(f"\n{title}: {len(rows)}\n{shown}{tail}")
    return "\n".join(lines)
