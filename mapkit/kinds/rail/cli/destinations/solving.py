"""Solved destination charts and proposed regions, for people."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mapkit.console.printing import print_message, print_result, table
from mapkit.kinds.rail.cli import late

if TYPE_CHECKING:
    from mapkit.kinds.rail.api.destinations import SolvedDestinations
    from mapkit.kinds.rail.charts.destinations.regions import ProposedRegions
    from mapkit.kinds.rail.charts.destinations.solver import SolvedChart


def show_solved(found: "SolvedDestinations", seconds: float, out: Path | None, *, write: bool, as_json: bool) -> None:
    """Print solved charts, and what is not proven of them."""
    names = found.names
    if not as_json:
        print_result("\n\n".join(solved_text(chart, solved, names) for chart, solved in found.charts.items()))
    ended = "interrupted" if found.stopped else f"stopped after {seconds:g} s"
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
