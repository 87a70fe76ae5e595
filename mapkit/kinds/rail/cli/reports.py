"""Reports and routes, for people."""

from typing import TYPE_CHECKING, cast

from mapkit.console.printing import print_message, print_result, table
from mapkit.core.plurals import join_some
from mapkit.kinds.rail.cli.holdings import holding_text

if TYPE_CHECKING:
    from mapkit.kinds.rail.api.odds import BoardHolding
    from mapkit.kinds.rail.api.report_pages import ReportPage
    from mapkit.kinds.rail.api.reports import BoardReport, BoardRoute
    from mapkit.kinds.rail.model.board import Board
    from mapkit.kinds.rail.network.report import Report
    from mapkit.kinds.rail.network.routes import Route


def show_report(found: "BoardReport | BoardHolding | ReportPage") -> None:
    """Print a report, a set of railroads, or the page that was written."""
    if path := getattr(found, "path", None):
        print_result(str(path))
        size = path.stat().st_size / 1e6
        print_message(f"{found.board.title}: {size:.1f} MB; open it in any browser, it needs no network")
    elif holding := getattr(found, "holding", None):
        print_result(holding_text(found.board, holding))
    else:
        print_result(report_text(found.board, cast("BoardReport", found).report))


def show_route(found: "BoardRoute") -> None:
    """Print a route."""
    print_result(route_text(found.board, found.route))


def report_text(board: "Board", found: "Report") -> str:
    """Lay out the report as tables."""
    short = {r.id: r.short for r in board.railroads}
    symbol = board.units.symbol
    railroads = table(
        ("railroad", "price", "cities", "service %", "monopoly %", "% per thousand", "meets"),
        (
            (
                r.short,
                f"{symbol}{r.price:,}",
                len(r.cities),
                f"{r.service:.2f}",
                f"{r.monopoly:.2f}",
                "" if r.service_per_thousand is None else f"{r.service_per_thousand:.3f}",
                len(r.connects),
            )
            for r in found.railroads
        ),
        right=(1, 2, 3, 4, 5, 6),
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
                join_some((short[r] for r in c.railroads), " ") or "nobody",
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
    rides = [f"{line[0]}: {' > '.join(line[1:])}" for line in lines] or [f"{names[found.start]}: no move"]
    amount = "none" if found.payoff is None else f"{board.units.symbol}{found.payoff * board.units.payoff:,.0f}"
    used = ", ".join(short[r] for r in found.railroads) or "none"
    figures = f"{found.mileposts} mileposts, {found.miles:,.0f} miles, payoff {amount}, railroads {used}"
    return "\n".join((*rides, figures))
