"""`mapkit destinations odds`."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, VariantOpt, WorkspaceOpt, written_option
from mapkit.console.printing import print_message, print_result, split_commas, stages, table
from mapkit.core.csvtext import csv_text
from mapkit.kinds.rail.cli import late

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.board import Board
    from mapkit.kinds.rail.network.odds import OddsReport

_ENGINE_HEADS = ("freight turn/turns", "express turn/turns", "superchief turn/turns")
CsvOpt = Annotated[bool, typer.Option("--csv", help="Print CSV.")]


def odds(
    board: BoardArg,
    railroads: Annotated[
        str | None,
        typer.Option("--railroads", "-r", metavar="PA,NYC,...", help="A player's railroads, for the policy network."),
    ] = None,
    svg: Annotated[
        Path | None, written_option("--svg", metavar="FILE", help="Draw the odds as circles on the board.")
    ] = None,
    policy: Annotated[
        str,
        typer.Option(
            "--policy", "-p", metavar="chart|random|payoff|nearest|network", help="The policy whose odds --svg draws."
        ),
    ] = "chart",
    as_csv: CsvOpt = False,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Print how likely each region and city is, by the charts and in the long run.

    A player whose roll names his own region chooses one. The long-run odds depend on the policy: at random, the best
    payoff, the nearest region, or the player's own network. They are solved exactly, not simulated. Prints trips and
    payoffs for each policy.
    """
    if policy not in late.POLICIES:
        raise typer.BadParameter(f"{policy!r} is not a policy", param_hint="--policy")
    with stages(f"odds {board}") as progress:
        found = mapkit.board_odds(
            board,
            railroads=None if railroads is None else split_commas(railroads),
            svg=svg,
            policy=policy,
            variants=variants or (),
            workspace=workspace,
            progress=progress,
        )
    if as_json:
        print_result(texts.json_text(found.odds))
    else:
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
