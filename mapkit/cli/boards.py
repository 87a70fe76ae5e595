"""What the commands do with a board."""

from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from pydantic import BaseModel

import mapkit
from mapkit import api
from mapkit.checks.sarif import sarif
from mapkit.cli.printing import listed, result, stages, table, talk
from mapkit.jsontext import json_text
from mapkit.model.board import Board
from mapkit.model.findings import CheckReport
from mapkit.network.report import Report
from mapkit.network.routes import Route
from mapkit.sources.start import start_board
from mapkit.sources.workspace import open_workspace

SCHEMAS = {
    "board": "mapkit.model.board:Board",
    "board-diff": "mapkit.model.board_diff:BoardDiff",
    "destination-diff": "mapkit.charts.destination_diff:DestinationDiff",
    "destination-odds": "mapkit.network.odds:OddsReport",
    "destination-regions": "mapkit.charts.region_solver:ProposedRegions",
    "destinations": "mapkit.api_destinations:SolvedDestinations",
    "findings": "mapkit.model.findings:CheckReport",
    "georeference": "mapkit.model.georeference:GeoreferenceReport",
    "holding": "mapkit.network.travel:Holding",
    "payoffs-check": "mapkit.model.payoff_diagnosis:PayoffDiagnosis",
    "payoffs-compute": "mapkit.model.payoff_model:ComputedPayoffs",
    "payoffs-diff": "mapkit.charts.payoff_diff:PayoffDiff",
    "payoffs-read": "mapkit.model.payoff_chart:PayoffsRead",
    "payoffs-repair": "mapkit.model.payoff_diagnosis:PayoffRepairs",
    "report": "mapkit.network.report:Report",
    "route": "mapkit.network.routes:Route",
    "rules": "mapkit.model.rules:Rules",
    "variant": "mapkit.model.variant:Variant",
}
"""What `mapkit schema` knows, and where its model is; a solver is imported only for its own."""


def build(
    board: str, *, variants: Sequence[str], workspace: Path | None, out: Path | None, allow_errors: bool, as_json: bool
) -> None:
    """Run `mapkit build`."""
    with stages(f"build {board}") as progress:
        built = api.build(
            board, variants=variants, workspace=workspace, out=out, allow_errors=allow_errors, progress=progress
        )
    if as_json:
        result(json_text(built_summary(built)))
        return
    b = built.board
    talk(
        f"{b.title}: {len(b.mileposts)} mileposts, {len(b.segments)} segments, {len(b.junctions)} junctions, "
        f"{len(b.railroads)} railroads, {len(b.cities)} cities; {counted(built.checks)}"
    )
    result("\n".join(str(path) for path in built.files))
    talk(f"The picture is {built.picture}")


def built_summary(built: api.Built) -> dict[str, object]:
    """Return what `mapkit build --json` prints."""
    b = built.board
    return {
        "board": b.id,
        "variants": list(b.variants),
        "folder": str(built.folder),
        "picture": str(built.picture),
        "files": [str(path) for path in built.files],
        "mileposts": len(b.mileposts),
        "segments": len(b.segments),
        "junctions": len(b.junctions),
        "railroads": len(b.railroads),
        "cities": len(b.cities),
        "findings": dict(sorted(Counter(f.severity.value for f in built.checks.findings).items())),
    }


def check(board: str, *, variants: Sequence[str], workspace: Path | None, form: str, drawing: bool) -> int:
    """Run `mapkit check`; return the exit code."""
    with stages(f"check {board}") as progress:
        loaded = api.load(board, variants=variants, workspace=workspace, progress=progress)
        progress("checking")
        found = api.check(loaded, drawing=drawing)
    if form == "json":
        result(json_text(found))
    elif form == "sarif":
        result(json_text(sarif(found, folder=f"sources/{loaded.id}")))
    else:
        if found.findings:
            result("\n".join(api.finding_line(f) for f in found.findings))
        talk(f"{loaded.title}: {counted(found)}")
    return 0 if found.ok else 1


def counted(found: CheckReport) -> str:
    """Return how many findings of each kind there are, and what did not run."""
    counts = Counter("accepted" if f.accepted is not None else f.severity.value for f in found.findings)
    kinds = [
        f"{counts[kind]} {kind if counts[kind] == 1 or kind == 'accepted' else kind + 's'}"
        for kind in ("error", "warning", "note", "accepted")
        if counts[kind]
    ]
    ended = Counter(found.checks.values())
    kinds += [f"{ended[how]} checks {how}" for how in ("skipped", "crashed") if ended[how]]
    return f"{len(found.checks)} checks, " + (", ".join(kinds) or "nothing found")


def report(board: str, *, variants: Sequence[str], workspace: Path | None, as_json: bool) -> None:
    """Run `mapkit report`."""
    with stages(f"report {board}") as progress:
        loaded = api.load(board, variants=variants, workspace=workspace, progress=progress)
        progress("reporting")
        found = api.report(loaded)
    result(json_text(found) if as_json else report_text(loaded, found))


def report_page(board: str, *, out: Path, variants: Sequence[str], workspace: Path | None, as_json: bool) -> None:
    """Run `mapkit report --html`."""
    with stages(f"report {board}") as progress:
        written = api.report_page(board, out=out, variants=variants, workspace=workspace, progress=progress)
    size = written.path.stat().st_size
    if as_json:
        counts = Counter(f.severity.value for f in written.checks.findings)
        told = {"board": written.board.id, "variants": list(written.board.variants), "file": str(written.path)}
        result(json_text(told | {"bytes": size, "findings": dict(sorted(counts.items()))}))
        return
    result(str(written.path))
    talk(f"{written.board.title}: {size / 1e6:.1f} MB; open it in any browser, it needs no network")


def route(
    start: str,
    end: str,
    *,
    board: str,
    railroads: str | None,
    variants: Sequence[str],
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Run `mapkit route`."""
    with stages(f"route {start} - {end}") as progress:
        loaded = api.load(board, variants=variants, workspace=workspace, progress=progress)
    allowed = None if railroads is None else listed(railroads)
    found = api.route(loaded, start, end, railroads=allowed)
    result(json_text(found) if as_json else route_text(loaded, found))


def new(name: str, *, source: str | None, workspace: Path | None, as_json: bool) -> None:
    """Run `mapkit new`."""
    folder = start_board(open_workspace(workspace), name, source=source)
    written = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    if as_json:
        result(json_text({"board": name, "folder": str(folder), "files": written}))
        return
    result(str(folder))
    talk(f"{len(written)} files; build it with: mapkit build {name}")


def schema(name: str) -> None:
    """Run `mapkit schema`."""
    result(json_text(json_schema(name)))


def json_schema(name: str) -> dict[str, object]:
    """Return the JSON Schema (draft 2020-12) of what the board file or a command's JSON holds."""
    module, _, model = SCHEMAS[name].partition(":")
    found: type[BaseModel] = getattr(import_module(module), model)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **found.model_json_schema(mode="serialization"),
        "x-mapkit-version": mapkit.__version__,
    }


def report_text(board: Board, found: Report) -> str:
    """Lay out the report as tables."""
    short = {r.id: r.short for r in board.railroads}
    symbol = board.units.symbol
    railroads = table(
        ("railroad", "price", "cities", "service %", "monopoly %", "% per thousand", "connects with"),
        (
            (
                r.short,
                f"{symbol}{r.price:,}",
                len(r.cities),
                f"{r.service:.2f}",
                f"{r.monopoly:.2f}",
                "" if r.service_per_thousand is None else f"{r.service_per_thousand:.3f}",
                " ".join(short[other] for other in r.connects),
            )
            for r in found.railroads
        ),
        right=(1, 2, 3, 4, 5),
    )
    combinations = [
        title
        + "\n"
        + table(
            ("railroads", "price", "access %", "monopoly %"),
            (
                (
                    " + ".join(short[r] for r in row.railroads),
                    f"{symbol}{row.price:,}",
                    f"{row.access:.2f}",
                    f"{row.monopoly:.2f}",
                )
                for row in rows
            ),
            right=(1, 2, 3),
        )
        for title, rows in (("Best pairs", found.pairs), ("Best triples", found.triples))
        if rows
    ]
    regions = {region.id: region.name for region in board.regions}
    cities = table(
        ("city", "region", "chance %", "served by"),
        (
            (
                c.name,
                regions[c.region],
                f"{c.chance:.3f}",
                " ".join(short[r] for r in c.railroads) or "nobody",
            )
            for c in found.cities
        ),
        right=(2,),
    )
    return "\n\n".join((f"Railroads\n{railroads}", *combinations, f"Cities\n{cities}"))


def route_text(board: Board, found: Route) -> str:
    """Lay out a route: its steps joined by railroad, then its figures."""
    names = {m.id: m.name for m in board.mileposts}
    short = {r.id: r.short for r in board.railroads}
    lines: list[list[str]] = []
    for before, step in zip((None, *found.steps), found.steps, strict=False):
        if before is None or before.railroad != step.railroad:
            lines.append([short[step.railroad], names[step.start]])
        lines[-1].append(names[step.end])
    rides = [f"{line[0]}: {' - '.join(line[1:])}" for line in lines] or [f"{names[found.start]}: no move"]
    amount = "none" if found.payoff is None else f"{board.units.symbol}{found.payoff * board.units.payoff:,.0f}"
    used = ", ".join(short[r] for r in found.railroads) or "none"
    figures = f"{found.mileposts} mileposts, {found.miles:,.0f} miles, payoff {amount}, railroads {used}"
    return "\n".join((*rides, figures))
