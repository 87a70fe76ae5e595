"""`mapkit playtest price`: prices of railroads, found by play."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import BoardArg, JsonOpt, VariantOpt, WorkspaceOpt
from mapkit.console.printing import print_message, print_result, stages, table
from mapkit.console.settings import parsed
from mapkit.kinds.rail.cli.playtesting import (
    AnywayOpt,
    MatchesOpt,
    PlayersOpt,
    PolicyOpt,
    RulesOpt,
    SeedOpt,
    WorkersOpt,
)
from mapkit.kinds.rail.cli.rules.options import OptionOpt, SetOpt

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.board import Board
    from mapkit.kinds.rail.model.pricing import Estimate, Pricing

_PERCENT = 100
_GOALS = ("worth", "even")


def price(
    board: BoardArg,
    railroads: Annotated[
        list[str] | None,
        typer.Option("--railroad", "-r", metavar="PA", help="Look for the price of this one; may be repeated."),
    ] = None,
    goal: Annotated[
        str, typer.Option("--goal", metavar="worth|even", help="What a railroad is worth, or prices that are even.")
    ] = "worth",
    matches: MatchesOpt = 10_000,
    keep_sum: Annotated[
        bool,
        typer.Option("--keep-sum/--any-sum", help="Whether even prices have the same sum as the printed ones."),
    ] = True,
    steps: Annotated[
        int | None,
        typer.Option("--steps", metavar="N", help="Times to play so many matches; 2 for worth, 12 for even."),
    ] = None,
    players: PlayersOpt = 4,
    policies: PolicyOpt = None,
    judges: Annotated[
        list[str] | None,
        typer.Option("--judge", metavar="NAME|FILE", help="Players who judge what even found; may be repeated."),
    ] = None,
    rules: RulesOpt = None,
    options: OptionOpt = None,
    settings: SetOpt = None,
    seed: SeedOpt = 1,
    workers: WorkersOpt = None,
    as_variant: Annotated[
        str | None,
        typer.Option("--as-variant", metavar="NAME", help="Write the prices as a variant, variants/NAME.toml."),
    ] = None,
    anyway: AnywayOpt = False,
    variants: VariantOpt = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Find what railroads are worth to who buys them, alone or with all prices together.

    In each match the lot names for each railroad a player who never buys it, and one who gets part of its price back.
    So the figures say what buying it adds to the chance to win, and what that is in money. --goal even moves all
    prices together and judges what it finds on other matches, by the same players and by others.
    """
    if goal not in _GOALS:
        raise typer.BadParameter(f"{goal!r} is not one of {', '.join(_GOALS)}", param_hint="--goal")
    how = mapkit.PlayTest(
        matches=matches,
        players=players,
        policies=policies or ("balanced",),
        rules=rules,
        options=options or (),
        settings=parsed(settings or ()),
        seed=seed,
        workers=workers,
        anyway=anyway,
    )
    search = mapkit.PriceSearch(
        goal="even" if goal == "even" else "worth", keep_sum=keep_sum, railroads=railroads or (), steps=steps
    )
    if judges:
        search = replace(search, judges=judges)
    with stages(f"price {board}", as_json=as_json) as progress:
        found = mapkit.playtest_prices(
            board,
            how,
            search,
            as_variant=as_variant,
            variants=variants or (),
            workspace=workspace,
            progress=progress,
        )
    print_result(texts.json_text(found.pricing) if as_json else pricing_text(found.board, found.pricing))
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
