"""`mapkit destinations solve`, and proposed regions for people."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.interrupts import respond_to_first_interrupt
from mapkit.console.options import JsonOpt, WorkspaceOpt
from mapkit.console.printing import print_message, print_result, table
from mapkit.kinds.rail.cli import late
from mapkit.kinds.rail.cli.destinations.options import (
    DampingOpt,
    OutOpt,
    SecondsOpt,
    WeightsOpt,
    refuse_other_weights,
)

if TYPE_CHECKING:
    from mapkit.kinds.rail.charts.destinations.regions import ProposedRegions
    from mapkit.kinds.rail.charts.destinations.solver import SolvedChart

_INTERRUPTED = 130


@contextmanager
def interruptible() -> "Iterator[mapkit.StopRequest]":
    """Give a stop that the first Ctrl-C asks for."""
    stop = mapkit.StopRequest()

    def ask_to_stop() -> None:
        print_message("stopping; the best so far follows")
        stop.set()

    with respond_to_first_interrupt(ask_to_stop):
        yield stop


def solve(
    target: Annotated[
        str,
        typer.Argument(
            metavar="BOARD|FILE", help="A board's source package, or a table of wishes for one chart (.csv)."
        ),
    ],
    weights: WeightsOpt = None,
    damping: DampingOpt = None,
    wanted: Annotated[
        Path | None,
        typer.Option("--wanted", metavar="CSV", help="Wishes, in place of the board's charts/wanted.csv."),
    ] = None,
    at_least: Annotated[
        list[str] | None, typer.Option("--at-least", metavar="CITY=3/72", help="A floor; also CITY=4%. Repeatable.")
    ] = None,
    at_most: Annotated[
        list[str] | None, typer.Option("--at-most", metavar="CITY=9/72", help="A ceiling. Repeatable.")
    ] = None,
    exactly: Annotated[
        list[str] | None, typer.Option("--exactly", metavar="CITY=5/72", help="Neither more nor less. Repeatable.")
    ] = None,
    not_2_12: Annotated[
        list[str] | None, typer.Option("--not-2-12", metavar="CITY", help="No cell of 2 or 12. Repeatable.")
    ] = None,
    fix: Annotated[
        list[str] | None,
        typer.Option("--fix", metavar="'even 7=NAME'", help="The region or city of a cell. Repeatable."),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Write the board's charts/destinations.csv, replacing what is there.")
    ] = False,
    out: OutOpt = None,
    seconds: SecondsOpt = 5.0,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Find the charts whose odds are nearest to weights, with proof.

    Minimises the largest deviation, then their sum, then the number of runs of equal cells; of the best charts it
    takes the first in chart order, so the answer is the same everywhere. Says which wishes are impossible, and why.
    Ctrl-C prints the best so far, with its gap. NAME is a region or city, CHART:NAME where both have the name.
    """
    refuse_other_weights(weights)
    bounds = mapkit.Bounds(at_least or (), at_most or (), exactly or (), not_2_12 or (), fix or ())
    with interruptible() as stop:
        found = mapkit.solve_destinations(
            target,
            wishes=mapkit.Wishes(weights, damping, wanted, bounds),
            seconds=seconds,
            stop=stop,
            write=write,
            out=out,
            workspace=workspace,
        )
    names = found.names
    print_result(
        texts.json_text(found) if as_json else "\n\n".join(solved_text(c, s, names) for c, s in found.charts.items())
    )
    ended = "interrupted" if stop.asked else f"stopped after {seconds:g} s"
    for chart, solved in found.charts.items():
        for note in solved.notes:
            print_message(f"{names[chart]}: {note}")
        if not solved.proven:
            print_message(f"{names[chart]}: {_unproven(solved, ended)}")
    if found.not_begun:
        unwritten = "; nothing was written" if write or out is not None else ""
        print_message(f"not begun: {', '.join(names[chart] for chart in found.not_begun)}{unwritten}")
    for path in found.files:
        print_message(f"The charts are {path}")
    sys.exit(_INTERRUPTED if stop.asked and not found.proven else 0)


def show_regions(found: "ProposedRegions", seconds: float, *, as_json: bool) -> None:
    """Print proposed regions, and how near to the best they are."""
    if not as_json:
        print_result(regions_text(found, found.names))
    if not found.proven:
        print_message(
            f"the worst region is {found.largest:.2f}/72 off, {found.beyond:.2f} more than a chart's grain; no "
            f"division can be nearer than {found.bound:.2f} beyond it (gap {found.gap:.2f})"
        )
    if not found.finished:
        print_message(f"stopped after {seconds:g} s: with more --seconds the regions may be more compact")


def _unproven(found: "SolvedChart", ended: str) -> str:
    last = found.stages[-1]
    return (
        f"{ended}: {last.goal} {last.value:g}, not proven below {last.bound:g} (gap {last.gap:g}); "
        "give it more with --seconds"
    )


def solved_text(chart: str, found: "SolvedChart", names: Mapping[str, str]) -> str:
    """Lay out a solved chart: target, odds and deviation of each item."""
    rows = table(
        ("name", "wanted", "got", "off", "runs", "cells"),
        (
            (
                names.get(i.item, i.item),
                f"{i.wanted:.3f}",
                i.got,
                f"{i.deviation:.3f}",
                i.runs,
                late.cells_text(i.cells),
            )
            for i in found.items
        ),
        right=(1, 2, 3, 4),
    )
    proof = "proven best" if found.proven else "best so far"
    return (
        f"{names.get(chart, chart)} (72nds)\n{rows}\n"
        f"largest deviation {found.largest:.3f}, sum {found.total:.3f}, {found.runs} runs: {proof}"
    )


def parse_shares(text: str) -> tuple[Fraction, ...]:
    """Return wanted odds, in any unit.

    Raises:
        typer.BadParameter: They are not numbers.
    """
    try:
        return tuple(Fraction(part.strip()) for part in text.split(","))
    except (ValueError, ZeroDivisionError) as error:
        raise typer.BadParameter(f"{text!r} is not a list of numbers like 15,12,10", param_hint="--shares") from error


def regions_text(found: "ProposedRegions", names: Mapping[str, str]) -> str:
    """Lay out proposed regions."""
    rows = table(
        ("around", "wanted", "got", "cities", ""),
        (
            (
                names.get(r.name, r.name),
                f"{r.wanted:.2f}",
                f"{r.got:.2f}",
                len(r.cities),
                ", ".join(names.get(c, c) for c in r.cities),
            )
            for r in found.regions
        ),
        right=(1, 2, 3),
    )
    return (
        f"{rows}\nlargest deviation {found.largest:.2f}/72; {found.miles:.0f} miles from a region's centre on average"
    )
