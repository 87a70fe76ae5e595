"""Reports and routes, for people."""

from typing import TYPE_CHECKING, cast

from mapkit.console.printing import print_message, print_result, table
from mapkit.core.plurals import join_some

if TYPE_CHECKING:
    from mapkit.kinds.rail.api.odds import BoardHolding
    from mapkit.kinds.rail.api.report_pages import ReportPage
    from mapkit.kinds.rail.api.reports import BoardReport, BoardRoute
    from mapkit.kinds.rail.model.board import Board
    from mapkit.kinds.rail.network.report import Report
    from mapkit.kinds.rail.network.routes import Route
    from mapkit.kinds.rail.network.travel import EngineFees, Holding


def show_report(found: "BoardReport | BoardHolding | ReportPage") -> None:
    """Print a report, a set of railroads, or the page that was written."""
    if path := getattr(found, "path", None):
        print_result(str(path))
        size = path.stat().st_size / 1e6
        print_message(f"{found.board.title}: {size:.1f} MB; open it in any browser, it needs no network")
    elif holding := getattr(found, "holding", None):
        print_result(_holding_text(found.board, holding))
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


def _holding_text(board: "Board", found: "Holding") -> str:
    """Lay out the access of a set of railroads."""
    short = {r.id: r.short for r in board.railroads}
    names = {c.id: c.name for c in board.cities}
    symbol = board.units.symbol
    figures = [
        f"{' + '.join(short[r] for r in found.railroads)}, {symbol}{found.price:,}",
        f"access {found.access:.2f} %, monopoly {found.monopoly:.2f} %",
        f"own trips: {found.foreign_trips:.2f} % need other lines, {found.foreign_travel:.2f} % of all mileposts",
        f"all trips: {found.used_trips:.2f} % can use them on a shortest way, {found.average_haul:.2f} mileposts each",
    ]
    fees = table(
        ("opponent's engine", "mean turn", "mileposts a trip", "fees a trip", "after sell-out"),
        ((f.engine, *_fees(f, symbol)) for f in found.fees),
        right=(1, 2, 3, 4),
    )
    pairs = table(
        ("from", "to", "mileposts", "without", "trips %"),
        (
            (names[p.a], names[p.b], p.mileposts, "none" if p.without is None else p.without, f"{p.chance:.3f}")
            for p in found.shortens
        ),
        right=(2, 3, 4),
    )
    more = f"{found.shortened_pairs} pairs shortened" + (
        f", the first {len(found.shortens)}:" if found.shortened_pairs > len(found.shortens) else ":"
    )
    return "\n".join(figures) + f"\n\n{fees}\n\n{more}\n{pairs}"


def _fees(one: "EngineFees", symbol: str) -> tuple[str, ...]:
    money = (f"{symbol}{amount:,.0f}" for amount in (one.fees, one.fees_after_sell_out))
    return f"{one.mean_turn:.2f}", f"{one.mileposts:.3f}", *money


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
