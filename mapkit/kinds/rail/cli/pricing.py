"""Prices found by play, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_message, print_result, table

if TYPE_CHECKING:
    from mapkit.kinds.rail.api.pricing import Priced
    from mapkit.kinds.rail.model.board import Board
    from mapkit.kinds.rail.model.pricing import Estimate, Pricing

_PERCENT = 100


def show_prices(found: "Priced", board: str, *, as_json: bool) -> None:
    """Print prices, and the variant that was written."""
    if not as_json:
        print_result(pricing_text(found.board, found.pricing))
    if found.variant is not None:
        print_message(f"{board}: {found.variant} written")


def pricing_text(board: "Board", found: "Pricing") -> str:
    """Lay out prices as tables."""
    symbol = board.units.symbol
    players = ", ".join(dict.fromkeys(found.policies))
    head = (
        f"{found.steps} times {found.matches:,} matches of {len(found.policies)} players ({players}), "
        f"seed {found.seed}, rules {found.preset}" + (f" with {', '.join(found.options)}" if found.options else "")
    )
    money = f"{symbol}1,000 at a purchase add {_points(found.money)} points to the chance to win"
    worth = "worth" if found.goal == "worth" else "even price"
    railroads = table(
        ("railroad", "price", "buying adds, points", "bought in % of matches", worth, "rounded"),
        (
            (
                r.short,
                f"{symbol}{r.printed:,}",
                _points(r.gain) if r.gain else "-",
                f"{_PERCENT * r.bought:.1f}",
                f"{symbol}{r.worth.value:,.0f} ±{(r.worth.high - r.worth.low) / 2:,.0f}" if r.worth else "-",
                f"{symbol}{r.price:,}" if r.worth else "-",
            )
            for r in found.railroads
        ),
        right=(1, 2, 3, 4, 5),
    )
    parts = [head, money, "", railroads]
    if found.judged:
        judged = table(
            ("prices", "players", "matches", "spread, points", "of rights", "farthest off, points", "hardly bought"),
            (
                (
                    j.prices,
                    ", ".join(dict.fromkeys(j.policies)),
                    f"{j.matches:,}",
                    _range(j.spread),
                    _range(j.rights),
                    f"{j.most_of} {_points(j.most)}",
                    ", ".join(j.rare) or "-",
                )
                for j in found.judged
            ),
            right=(2, 3),
        )
        judging = "How far what buying adds is from the same for all, on matches that the search did not use"
        parts += ["", judging, judged]
    return "\n".join(parts)


def _range(found: "Estimate") -> str:
    low, high = _PERCENT * found.low, _PERCENT * found.high
    return f"{_PERCENT * found.value:.1f} ({low:.1f} to {high:.1f})"


def _points(found: "Estimate") -> str:
    return f"{_PERCENT * found.value:.1f} ±{_PERCENT * (found.high - found.low) / 2:.1f}"
