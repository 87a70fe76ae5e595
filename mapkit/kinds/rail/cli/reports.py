"""`mapkit report` and `mapkit route`."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, LanguageOpt, VariantOpt, WorkspaceOpt, completer, written_option
from mapkit.console.printing import print_message, print_result, split_commas, stages, table
from mapkit.kinds.rail.cli.boards import board_or_only
from mapkit.kinds.rail.cli.holdings import holding_text

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.board import Board
    from mapkit.kinds.rail.network.report import Report
    from mapkit.kinds.rail.network.routes import Route

_PLACES = completer("mapkit.cli.completion:complete_place")
_RAILROADS = completer("mapkit.cli.completion:complete_railroad")


def report(
    board: BoardArg,
    railroads: Annotated[
        str | None,
        typer.Option("--railroads", "-r", metavar="PA,NYC,...", help="Report on owning these railroads together."),
    ] = None,
    html: Annotated[
        Path | None,
        written_option("--html", metavar="FILE.html", help="Write it as a shareable page: map, tables, pictures."),
    ] = None,
    language: LanguageOpt = "board",
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Report on railroads, cities and sets of railroads.

    One row per railroad: price, cities served, service %, monopoly %, railroads it connects with, service per thousand.
    One row per city: its chance as a destination and the railroads that serve it. With --railroads: access, monopoly,
    foreign travel, fees collected, average haul, and the city pairs that they shorten. With --html: one file with the
    board to pan and search, routes and payoffs of any two cities, odds, and the findings of mapkit check.
    """
    if html is not None and railroads is not None:
        raise typer.BadParameter("the page is of the whole board; leave --railroads away", param_hint="--html")
    if html is None and language != "board":
        raise typer.BadParameter("this is for the page; give --html too", param_hint="--language")
    with stages(f"report {board}") as progress:
        if html is not None:
            page = mapkit.report_page(
                board, out=html, variants=variants or (), language=language, workspace=workspace, progress=progress
            )
            _print_page(page, as_json=as_json)
        elif railroads is not None:
            owned = mapkit.board_holding(
                board, split_commas(railroads), variants=variants or (), workspace=workspace, progress=progress
            )
            print_result(texts.json_text(owned.holding) if as_json else holding_text(owned.board, owned.holding))
        else:
            found = mapkit.board_report(board, variants=variants or (), workspace=workspace, progress=progress)
            print_result(texts.json_text(found.report) if as_json else report_text(found.board, found.report))


def route(
    start: Annotated[
        str, typer.Argument(metavar="FROM", autocompletion=_PLACES, help="A city or milepost, by name or id.")
    ],
    end: Annotated[
        str, typer.Argument(metavar="TO", autocompletion=_PLACES, help="A city or milepost, by name or id.")
    ],
    board: Annotated[
        str | None,
        typer.Option(
            "--board", "-b", metavar="BOARD", help="The board, as for mapkit build; the only one of the workspace."
        ),
    ] = None,
    railroads: Annotated[
        str | None,
        typer.Option(
            "--railroads", "-r", metavar="PA,NYC,...", autocompletion=_RAILROADS, help="Ride these railroads only."
        ),
    ] = None,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Find the route of fewest mileposts between places.

    Among routes of equally many mileposts it takes the one with the fewest changes of railroad, then the shortest in
    miles. Prints every step, and mileposts, miles, payoff and railroads used.
    """
    name = board_or_only(board, workspace)
    with stages(f"route {start} - {end}") as progress:
        found = mapkit.board_route(
            name,
            start,
            end,
            railroads=None if railroads is None else split_commas(railroads),
            variants=variants or (),
            workspace=workspace,
            progress=progress,
        )
    print_result(texts.json_text(found.route) if as_json else route_text(found.board, found.route))


def _print_page(page: "mapkit.ReportPage", *, as_json: bool) -> None:
    size = page.path.stat().st_size
    if as_json:
        counts = Counter(f.severity.value for f in page.checks.findings)
        summary = {"board": page.board.id, "variants": list(page.board.variants), "file": str(page.path)}
        print_result(texts.json_text(summary | {"bytes": size, "findings": dict(sorted(counts.items()))}))
        return
    print_result(str(page.path))
    print_message(f"{page.board.title}: {size / 1e6:.1f} MB; open it in any browser, it needs no network")


def report_text(board: "Board", found: "Report") -> str:
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
        bars=3,
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
            bars=2,
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
        bars=2,
    )
    return "\n\n".join((f"Railroads\n{railroads}", *combinations, f"Cities\n{cities}"))


def route_text(board: "Board", found: "Route") -> str:
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
