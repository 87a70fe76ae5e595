"""Odds of destinations, for people."""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from mapkit.console.printing import print_message, print_result, table
from mapkit.core.csvtext import csv_text
from mapkit.kinds.rail.cli import late
from mapkit.operations.options import Flag

if TYPE_CHECKING:
    from pathlib import Path

    from mapkit.kinds.rail.api.odds import BoardOdds
    from mapkit.kinds.rail.model.board import Board
    from mapkit.kinds.rail.network.odds import OddsReport

_ENGINE_HEADS = ("freight turn/turns", "express turn/turns", "superchief turn/turns")


def show_odds(
    found: "BoardOdds",
    svg: "Path | None",
    *,
    as_csv: Annotated[bool, Flag("--csv", help="Print CSV.")] = False,
    as_json: bool,
) -> None:
    """Print odds as tables or CSV."""
    if not as_json:
        print_result(odds_csv(found.board, found.odds) if as_csv else odds_text(found.board, found.odds))
    if svg is not None:
        print_message(f"The picture is {svg}")


def odds_csv(board: "Board", found: "OddsReport") -> str:
    """Return a row for each region and city: exact odds by the charts, and percentages by policy."""
    rows = [["kind", "id", "name", "exact", "chart %", *(f"{p.policy} %" for p in found.policies)]]
    for region in board.regions:
        shares = [_percent(p.regions[region.id]) for p in found.policies]
        exact = found.regions[region.id]
        rows.append(["region", region.id, region.name, exact, _percent(exact), *shares])
    for city in board.cities:
        shares = [_percent(p.cities[city.id]) for p in found.policies]
        exact = found.cities[city.id]
        rows.append(["city", city.id, city.name, exact, _percent(exact), *shares])
    return csv_text(rows)


def odds_text(board: "Board", found: "OddsReport") -> str:
    """Lay out the odds as tables."""
    policies = [p.policy for p in found.policies]
    numbers = tuple(range(1, 3 + len(policies)))
    regions = table(
        ("region", "exact", "chart %", *(f"{p} %" for p in policies)),
        (
            (
                r.name,
                _of_whole(found.regions[r.id], late.WHOLE),
                _percent(found.regions[r.id]),
                *(_percent(p.regions[r.id]) for p in found.policies),
            )
            for r in board.regions
        ),
        right=numbers,
        bars=2,
    )
    order = sorted(board.cities, key=lambda c: (-Fraction(found.cities[c.id]), c.id))
    cities = table(
        ("city", "exact", "chart %", *(f"{p} %" for p in policies)),
        (
            (
                c.name,
                _of_whole(found.cities[c.id], late.WHOLE * late.WHOLE),
                _percent(found.cities[c.id]),
                *(_percent(p.cities[c.id]) for p in found.policies),
            )
            for c in order
        ),
        right=numbers,
        bars=2,
    )
    trips = table(
        ("policy", "chosen %", "same city %", "mileposts", "miles", "payoff", "per milepost", *_ENGINE_HEADS),
        (
            (
                p.policy,
                _percent(p.chosen),
                f"{p.same_city * 100:.2f}",
                f"{p.mileposts:.2f}",
                f"{p.miles:,.0f}",
                f"{p.payoff:.2f}",
                f"{p.payoff_per_milepost:.3f}",
                *(f"{t.payoff_per_turn:.2f} / {t.turns_per_trip:.2f}" for t in p.turns),
            )
            for p in found.policies
        ),
        right=tuple(range(1, 10)),
    )
    unit = f"{board.units.payoff:,} {board.units.currency}"
    return f"Regions\n{regions}\n\nCities\n{cities}\n\nTrips (payoffs in {unit})\n{trips}"


def _percent(exact: str) -> str:
    return f"{float(Fraction(exact) * 100):.3f}"


def _of_whole(exact: str, whole: int) -> str:
    share = Fraction(exact) * whole
    return f"{share}/{whole}" if share.denominator == 1 else exact
