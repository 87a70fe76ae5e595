"""Payoff charts of files, for people."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from mapkit.console.printing import print_message, print_result, table
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.cli import late
from mapkit.kinds.rail.cli.payoffs.name_questions import unknown_names_text
from mapkit.operations.options import Flag

if TYPE_CHECKING:
    from pathlib import Path

    from mapkit.kinds.rail.model.payoffs.chart import PayoffsRead

MOST_LISTED = 40
_PLAIN_HOW = ("exact", "own")


def show_read(
    found: "PayoffsRead",
    out: "Path | None",
    page: "Path | None",
    *,
    gaps: Annotated[
        bool, Flag(help="Exit 0 even if cells could not be read or are in doubt; they stay empty.")
    ] = False,
    leave_out: Annotated[
        bool, Flag(help="Exit 0 even if names fit no city of the board; they are left out and listed.")
    ] = False,
    as_json: bool,
) -> None:
    """Print a chart as it was understood, and ask for the names and cells that are open."""
    if page is not None:
        print_message(f"The cells in doubt are {page}")
    if not as_json:
        print_result(read_text(found))
    if out is not None:
        print_message(f"The chart is {out}")
    names_open = () if leave_out else found.left_out
    cells_open = 0 if gaps else len(found.not_read) + len(found.in_doubt)
    if names_open:
        print_message(unknown_names_text(names_open))
    if cells_open and out is not None:
        print_message(f"{count_noun(cells_open, 'cell')} of it stayed empty; settle them: --accept CITY:CITY=AMOUNT")
    raise typer.Exit(int(bool(names_open or cells_open)))


def read_text(found: "PayoffsRead") -> str:
    """Lay out the reading of a file."""
    chart = found.chart
    unit = {1: "whole money", late.THOUSAND: "thousands"}.get(found.unit, f"units of {found.unit}")
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
        ("names left out, which fit no city of the board", ("typed", "near", "where"),
         [(name.typed, ", ".join(name.near), name.where) for name in found.left_out]),
        ("cells not read", ("where", "cities", "text", "why"),
         [(c.where, f"{c.a} - {c.b}", c.text, c.why) for c in found.not_read]),
        ("cells in doubt, to be settled with --accept or --html", ("where", "cities", "read", "or", "why"),
         [(c.where, f"{c.a}:{c.b}", c.text, ", ".join(c.candidates[1:]), c.why) for c in found.in_doubt]),
        ("cells of another size than the rest, read as they stand", ("where", "cities", "text", "thousands"),
         [(c.where, f"{c.a} - {c.b}", c.text, f"{c.value:g}") for c in found.doubted]),
        ("letters taken for digits", ("where", "cities", "text", "thousands"),
         [(c.where, f"{c.a} - {c.b}", c.text, f"{c.value:g}") for c in found.corrected]),
        ("two readings", ("cities", "first", "where", "second", "where"),
         [(f"{c.a} - {c.b}", f"{c.value:g}", c.where, f"{c.mirrored:g}", c.where_mirrored) for c in found.asymmetric]),
        ("pairs without an amount", ("city", "city"), list(found.missing)),
        ("empty cells of which the other half has an amount", ("row", "column"), list(found.blanks)),
        ("cities of the board that the file has not", ("city",), [(city,) for city in found.lacking]),
    ]  # fmt: skip
    for title, head, rows in sections:
        if rows:
            shown = table(head, rows[:MOST_LISTED])
            more = len(rows) - MOST_LISTED
            tail = f"\n... and {more} more, see --json" if more > 0 else ""
            lines.append(f"\n{title}: {len(rows)}\n{shown}{tail}")
    return "\n".join(lines)
