"""Output of `mapkit report --railroads` for railroads owned together."""

from typing import TYPE_CHECKING

from mapkit.console.printing import table

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.board import Board
    from mapkit.kinds.rail.network.travel import EngineFees, Holding


def holding_text(board: "Board", found: "Holding") -> str:
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
