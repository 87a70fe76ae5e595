"""What `mapkit destinations solve` and `mapkit destinations regions` do."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import typer

from mapkit import api
from mapkit.charts.destination_solver import SolvedChart
from mapkit.charts.printed import destination_table
from mapkit.charts.region_solver import Place, ProposedRegions, propose_regions
from mapkit.charts.solved import solve_charts
from mapkit.charts.wishes import cells_text
from mapkit.cli.printing import result, table, talk
from mapkit.errors import MapkitError, SourceError
from mapkit.jsontext import json_text
from mapkit.model.board import REGIONS
from mapkit.model.source import CityRow, WantedRow
from mapkit.network.neighbours import city_neighbours
from mapkit.output import write_files
from mapkit.sources.files import read_text
from mapkit.sources.package import DESTINATIONS, load_wanted
from mapkit.sources.tables import Problems
from mapkit.sources.wanted import check_units, read_wanted
from mapkit.sources.workspace import open_workspace


def solve(
    target: str,
    *,
    weights: str | None,
    wanted: Path | None,
    write: bool,
    out: Path | None,
    seconds: float,
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Run `mapkit destinations solve`.

    Raises:
        WishError: What is wanted cannot be had.
        SourceError: The wishes or weights are wrong.
    """
    space = open_workspace(workspace)
    names: dict[str, str] = {}
    folder: Path | None = None
    if target.casefold().endswith(".csv"):
        if write or wanted is not None or weights is not None:
            raise MapkitError("--write, --wanted and --weights are for boards; write the chart of a file with --out")
        rows = _wishes_of_file(space.root / target)
        order = list(dict.fromkeys(row.chart for row in rows))
    else:
        folder = space.board_folder(target)
        config, cities, rows = load_wanted(folder, wanted=wanted, weights=weights)
        names = {r.id: r.name for r in config.regions} | {c.id: c.name for c in cities}
        order = [REGIONS, *(r.id for r in config.regions)]
    solved = solve_charts(rows, seconds=seconds)
    text = destination_table({chart: solved[chart].chart for chart in order if chart in solved}, names)
    if write and folder is not None:
        write_files(folder, {DESTINATIONS: text})
    if out is not None:
        write_files(out.parent, {out.name: text})
    result(json_text(dict(solved)) if as_json else "\n\n".join(solved_text(c, s, names) for c, s in solved.items()))
    for chart, found in solved.items():
        for note in found.notes:
            talk(f"{names.get(chart, chart)}: {note}")
        if not found.proven:
            talk(f"{names.get(chart, chart)}: {_unproven(found, seconds)}")
    for path in (folder / DESTINATIONS if write and folder else None, out):
        if path is not None:
            talk(f"The charts are {path}")


def _wishes_of_file(path: Path) -> tuple[WantedRow, ...]:
    rows = read_wanted(read_text(path, name=path.name), file=path.name)
    problems = Problems()
    for row in rows:
        if row.weight is None:
            problems.add(f"{path.name}:{row.row}: {row.item} has no weight; type one")
    problems.raise_if_any()
    check_units(rows, problems)
    problems.raise_if_any()
    return rows


def _unproven(found: SolvedChart, seconds: float) -> str:
    last = found.stages[-1]
    return (
        f"stopped after {seconds:g} s: {last.goal} {last.value:g}, not proven below {last.bound:g} (gap {last.gap:g}); "
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
    _, cities, rows = load_wanted(open_workspace(workspace).board_folder(board), weights=weights)
    found = propose_regions(
        _places(cities, rows),
        count=count,
        shares=_shares(shares),
        least=sizes[0],
        most=sizes[1],
        neighbours=city_neighbours(api.load(board, workspace=workspace)) if network else None,
        seconds=seconds,
    )
    result(json_text(found) if as_json else regions_text(found, {c.id: c.name for c in cities}))
    if not found.proven:
        talk(
            f"the worst region is {found.largest:.2f}/72 off, {found.beyond:.2f} more than a chart's grain; that no "
            "division is nearer is not proven"
        )


def _places(cities: tuple[CityRow, ...], rows: tuple[WantedRow, ...]) -> list[Place]:
    weight = {row.item: Fraction(row.weight or 0) for row in rows if row.chart != REGIONS}
    if any(row.unit == "share" for row in rows if row.chart != REGIONS):
        raise SourceError(
            "charts/wanted.csv: shares of single charts say nothing of regions; give cities weights in cities.csv"
        )
    return [Place(c.id, c.lon, c.lat, weight[c.id], c.milepost) for c in cities]


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
