"""What `mapkit destinations solve` and `mapkit destinations regions` do."""

import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from types import FrameType

import typer

from mapkit.api_destinations import propose_regions, solve_destinations
from mapkit.charts.destination_solver import SolvedChart
from mapkit.charts.region_solver import ProposedRegions
from mapkit.charts.stopping import Stop
from mapkit.charts.wishes import cells_text
from mapkit.cli.printing import result, table, talk
from mapkit.jsontext import json_text
from mapkit.sources.wanted_told import Bounds

_INTERRUPTED = 130


@contextmanager
def interruptible() -> Iterator[Stop]:
    """Give a stop that Ctrl-C asks for; a second Ctrl-C ends the program as ever."""
    stop = Stop()
    before = signal.getsignal(signal.SIGINT)

    def ask(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        talk("stopping; the best so far follows")
        stop.set()

    signal.signal(signal.SIGINT, ask)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def bounds(
    at_least: Sequence[str] | None,
    at_most: Sequence[str] | None,
    exactly: Sequence[str] | None,
    not_2_12: Sequence[str] | None,
    fix: Sequence[str] | None,
) -> Bounds:
    """Return what the options of `mapkit destinations solve` ask for."""
    return Bounds(at_least or (), at_most or (), exactly or (), not_2_12 or (), fix or ())


def solve(
    target: str,
    *,
    told: Bounds,
    weights: str | None,
    wanted: Path | None,
    write: bool,
    out: Path | None,
    seconds: float,
    workspace: Path | None,
    as_json: bool,
) -> int:
    """Run `mapkit destinations solve`; return the exit code.

    Raises:
        WishError: What is wanted cannot be had.
        SourceError: The wishes or weights are wrong.
    """
    with interruptible() as stop:
        found = solve_destinations(
            target,
            weights=weights,
            wanted=wanted,
            bounds=told,
            seconds=seconds,
            stop=stop,
            write=write,
            out=out,
            workspace=workspace,
        )
    names = found.names
    result(json_text(found) if as_json else "\n\n".join(solved_text(c, s, names) for c, s in found.charts.items()))
    ended = "interrupted" if stop.asked else f"stopped after {seconds:g} s"
    for chart, solved in found.charts.items():
        for note in solved.notes:
            talk(f"{names[chart]}: {note}")
        if not solved.proven:
            talk(f"{names[chart]}: {_unproven(solved, ended)}")
    if found.not_begun:
        unwritten = "; nothing was written" if write or out is not None else ""
        talk(f"not begun: {', '.join(names[chart] for chart in found.not_begun)}{unwritten}")
    for path in found.files:
        talk(f"The charts are {path}")
    return _INTERRUPTED if stop.asked and not found.proven else 0


def _unproven(found: SolvedChart, ended: str) -> str:
    last = found.stages[-1]
    return (
        f"{ended}: {last.goal} {last.value:g}, not proven below {last.bound:g} (gap {last.gap:g}); "
        "give it more with --seconds"
    )


def solved_text(chart: str, found: SolvedChart, names: Mapping[str, str]) -> str:
    """Lay out a solved chart: each item with what it was to get and got, and how near that is."""
    rows = table(
        ("name", "wanted", "got", "off", "runs", "cells"),
        (
            (names.get(i.item, i.item), f"{i.wanted:.3f}", i.got, f"{i.deviation:.3f}", i.runs, cells_text(i.cells))
            for i in found.items
        ),
        right=(1, 2, 3, 4),
    )
    proof = "proven best" if found.proven else "best so far"
    return (
        f"{names.get(chart, chart)} (72nds)\n{rows}\n"
        f"largest deviation {found.largest:.3f}, sum {found.total:.3f}, {found.runs} runs: {proof}"
    )


def regions(
    board: str,
    *,
    count: int | None,
    shares: str | None,
    sizes: tuple[int, int],
    network: bool,
    weights: str | None,
    seconds: float,
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Run `mapkit destinations regions`.

    Raises:
        WishError: The cities cannot be divided so.
    """
    found = propose_regions(
        board,
        count=count,
        shares=_shares(shares),
        least=sizes[0],
        most=sizes[1],
        network=network,
        weights=weights,
        seconds=seconds,
        workspace=workspace,
    )
    result(json_text(found) if as_json else regions_text(found, found.names))
    if not found.proven:
        talk(
            f"the worst region is {found.largest:.2f}/72 off, {found.beyond:.2f} more than a chart's grain; no "
            f"division can be nearer than {found.bound:.2f} beyond it (gap {found.gap:.2f})"
        )
    if not found.finished:
        talk(f"stopped after {seconds:g} s: with more --seconds the regions may be more compact")


def _shares(text: str | None) -> tuple[Fraction, ...]:
    if text is None:
        return ()
    try:
        return tuple(Fraction(part.strip()) for part in text.split(","))
    except (ValueError, ZeroDivisionError) as error:
        raise typer.BadParameter(f"{text!r} is no list of numbers like 15,12,10", param_hint="--shares") from error


def regions_text(found: ProposedRegions, names: Mapping[str, str]) -> str:
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
