"""What `mapkit destinations odds` does."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from mapkit import api
from mapkit.api_destinations import destination_odds
from mapkit.cli.printing import listed, result, stages, table, talk
from mapkit.csvtext import csv_text
from mapkit.jsontext import json_text
from mapkit.model.board import Board
from mapkit.network.chain import ChainOdds
from mapkit.network.chances import WHOLE
from mapkit.network.odds import OddsReport
from mapkit.output import write_files
from mapkit.render.odds import render_odds

_TITLES = {
    "chart": "Odds of destinations by the charts",
    "random": "Odds in the long run, regions chosen at random",
    "payoff": "Odds in the long run, regions chosen for payoff",
    "nearest": "Odds in the long run, nearest region chosen",
    "network": "Odds in the long run, regions chosen by own network",
}


def odds(
    board: str,
    *,
    railroads: str | None,
    svg: Path | None,
    policy: str,
    as_csv: bool,
    variants: Sequence[str],
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Run `mapkit destinations odds`.

    Raises:
        MapkitError: The charts have gaps, or the policy network was asked for without railroads.
    """
    with stages(f"odds {board}") as progress:
        loaded = api.load(board, variants=variants, workspace=workspace, progress=progress)
        progress("solving the chain")
        found = destination_odds(loaded, railroads=None if railroads is None else listed(railroads))
    if svg is not None:
        chances = found.cities if policy == "chart" else _of_policy(found, policy).cities
        percent = {city: float(Fraction(value) * 100) for city, value in chances.items()}
        write_files(svg.parent, {svg.name: render_odds(loaded, percent, title=_TITLES[policy])})
    if as_json:
        result(json_text(found))
    else:
        result(odds_csv(loaded, found) if as_csv else odds_text(loaded, found))
    if svg is not None:
        talk(f"The picture is {svg}")


def _of_policy(found: OddsReport, policy: str) -> ChainOdds:
    from mapkit.errors import MapkitError  # noqa: PLC0415 - only for this message

    for one in found.policies:
        if one.policy == policy:
            return one
    raise MapkitError("the policy network needs the player's railroads; give --railroads")


def odds_csv(board: Board, found: OddsReport) -> str:
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


def odds_text(board: Board, found: OddsReport) -> str:
    """Lay out the odds as tables."""
    policies = [p.policy for p in found.policies]
    numbers = tuple(range(1, 3 + len(policies)))
    regions = table(
        ("region", "exact", "chart %", *(f"{p} %" for p in policies)),
        (
            (
                r.name,
                _of_whole(found.regions[r.id], WHOLE),
                _percent(found.regions[r.id]),
                *(_percent(p.regions[r.id]) for p in found.policies),
            )
            for r in board.regions
        ),
        right=numbers,
    )
    order = sorted(board.cities, key=lambda c: (-Fraction(found.cities[c.id]), c.id))
    cities = table(
        ("city", "exact", "chart %", *(f"{p} %" for p in policies)),
        (
            (
                c.name,
                _of_whole(found.cities[c.id], WHOLE * WHOLE),
                _percent(found.cities[c.id]),
                *(_percent(p.cities[c.id]) for p in found.policies),
            )
            for c in order
        ),
        right=numbers,
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


_ENGINE_HEADS = ("freight turn/turns", "express turn/turns", "superchief turn/turns")


def _percent(exact: str) -> str:
    return f"{float(Fraction(exact) * 100):.3f}"


def _of_whole(exact: str, whole: int) -> str:
    share = Fraction(exact) * whole
    return f"{share}/{whole}" if share.denominator == 1 else exact
