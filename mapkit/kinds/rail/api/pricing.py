"""Prices of railroads, found by play."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Final, Literal

import numpy as np

from mapkit.core.arrays import Ints
from mapkit.core.errors import ChoiceError, UnknownNameError, did_you_mean
from mapkit.core.output import write_files
from mapkit.core.plurals import join_some
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.api.players.python_policies import refuse_python_policies
from mapkit.kinds.rail.api.playtesting import RAIL_GAME, PlayTest, each_policy, read_policy, set_up, table_of
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.pricing import Goal, JudgedPrices, Pricing, RailroadPrice
from mapkit.kinds.rail.playing import pricing
from mapkit.kinds.rail.playing.batch import MatchSetup
from mapkit.kinds.rail.playing.track import Flags
from mapkit.kinds.rail.playing.trials import Effects, estimate_effects, play_trial_batch, with_prices
from mapkit.kinds.rail.rules.active_options import options_on
from mapkit.kinds.rail.variants.variant import Variant
from mapkit.operations.options import BoardName, Fields, Flag, Variants, Workspace
from mapkit.playing.compiling import report_compilation
from mapkit.playing.running import Run, run_matches
from mapkit.variants.shelf import new_variant_path
from mapkit.variants.writing import variant_text

MATCHES: Final = 10_000
"""Of a step."""
OTHERS: Final = ("builder", "connector", "monopolist", "cautious", "bold", "naive")
"""Players who judge what was found by the play of others."""
_STEPS: Final[dict[Goal, int]] = {"worth": 2, "even": 12}
_MOST_STEPS: Final = 100
_APART: Final = 1 << 40
"""Between numbers of matches that the search plays and those that judge it."""
_REBATE: Final = 2
"""The rebate is the mean price, through this."""


@dataclass(frozen=True)
class PriceSearch:
    """Prices to look for, and how.

    Attributes:
        goal: What a railroad is worth, or prices that are even. At `worth`, buying a railroad adds nothing to the
            buyer's chance to win, with the others as they are; at `even`, buying any adds as much.
        keep_sum: Whether even prices have the same sum as the printed ones. Without that, buying is to add nothing, and
            prices get so high that matches last two or three times as long.
        railroads: Look for the price of this one; may be repeated.
        steps: Times to play so many matches; 2 for worth, 12 for even.
        judges: Players who judge what even found; may be repeated.
    """

    goal: Annotated[
        Literal["worth", "even"], Flag("", "worth|even", "What a railroad is worth, or prices that are even.")
    ] = "worth"
    keep_sum: Annotated[
        bool, Flag("--keep-sum/--any-sum", help="Whether even prices have the same sum as the printed ones.")
    ] = True
    railroads: Annotated[Sequence[str], Flag("--railroad -r", "PA")] = ()
    steps: Annotated[int | None, Flag("", "N")] = None
    judges: Annotated[Sequence[str], Flag("--judge", "NAME|FILE")] = OTHERS


@dataclass(frozen=True)
class Priced:
    """A board, the prices that were found for it, and the file of a variant with them, if one was written."""

    board: Board
    pricing: Pricing
    variant: Path | None = None

    def as_json(self) -> Pricing:
        """Return the result as `--json` prints it."""
        return self.pricing


def playtest_prices(
    board: BoardName,
    how: Annotated[
        PlayTest | None,
        Fields("matches players policies rules options settings seed workers anyway", matches=MATCHES),
    ] = None,
    looked_for: PriceSearch | None = None,
    *,
    as_variant: Annotated[str | None, Flag("", "NAME")] = None,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> Priced:
    """Find what railroads are worth to who buys them, alone or with all prices together.

    In each match the lot names for each railroad a player who never buys it, and one who gets part of its price back.
    So the figures say what buying it adds to the chance to win, and what that is in money. --goal even moves all
    prices together and judges what it finds on other matches, by the same players and by others.

    Args:
        board: As for `load`.
        how: As for `playtest`; `matches` is for each step. There are no checkpoints.
        matches: How many matches.
        looked_for: Which prices; what each railroad is worth by default.
        as_variant: Write the prices as a variant, variants/NAME.toml.

    Raises:
        UnknownNameError: The board has no such railroad.
        ChoiceError: A number is out of range.
        VariantError: The name of the variant cannot become an id.
        OutputError: There is such a variant already, or it cannot be written.
        MapkitError: As for `playtest`; or the matches are too few to say anything.
    """
    how, wanted = how or PlayTest(), looked_for or PriceSearch()
    RAIL_GAME.refuse(how)
    refuse_python_policies((*how.policies, *how.styles, *wanted.judges), "search for prices")
    steps = _steps(wanted)
    path = None if as_variant is None else new_variant_path(open_workspace(workspace), as_variant)
    loaded, policies = set_up(board, how, variants, workspace, progress)
    chosen = _chosen(loaded, wanted.railroads)
    unit = max(1, loaded.units.payoff // 2)
    table = table_of(loaded, policies, how.players, how.seed)
    trial = _Trial(table, how.matches or MATCHES, max(1, int(table.track.price.mean()) // _REBATE), how, progress)
    printed = table.track.price
    if how.dask is None:
        with report_compilation(progress):
            play_trial_batch(table, trial.rebate, 0, 0, 1)

    def step(prices: Ints, number: int) -> Effects:
        return trial.measure(prices, number * trial.matches, f"step {number + 1} of {steps}")

    found = pricing.search_prices(step, printed, chosen, wanted.goal, steps=steps, unit=unit, keep_sum=wanted.keep_sum)
    rows = pricing.make_price_rows(loaded, found, chosen)
    judged = _judged(trial, loaded, rows, chosen, unit, wanted, workspace) if wanted.goal == "even" else ()
    out = Pricing(
        board=loaded.id,
        variants=loaded.variants,
        preset=loaded.rules.preset,
        options=options_on(loaded.rules),
        goal=wanted.goal,
        policies=each_policy(how),
        seed=how.seed,
        matches=trial.matches,
        steps=steps,
        rebate=trial.rebate,
        money=pricing.money_estimate(found.first),
        railroads=rows,
        judged=judged,
    )
    if path is not None:
        write_files(path.parent, {path.name: variant_text(price_variant(loaded, out, path.stem))})
    return Priced(loaded, out, path)


@dataclass(frozen=True)
class _Trial:
    """Plays trials on a table, with any prices."""

    table: MatchSetup
    matches: int
    rebate: int
    how: PlayTest
    progress: Progress

    def measure(self, prices: Ints, offset: int, says: str) -> Effects:
        """Play trials from a number on."""
        track, terms = self.table.track, self.table.terms
        groups = pricing.group_prices(terms.group_has, track.price, prices, terms.group_price)
        play = partial(play_trial_batch, with_prices(self.table, prices, groups), self.rebate, offset)
        run = Run(name="", matches=self.matches, workers=self.how.workers, cluster=self.how.dask)
        self.progress(says)
        ran = run_matches(play, run, lambda stage: self.progress(f"{says}: {stage}"))
        if ran.stopped:
            raise KeyboardInterrupt
        return estimate_effects(ran.totals, terms.players, self.rebate)


def _judged(
    trial: _Trial,
    board: Board,
    rows: Sequence[RailroadPrice],
    chosen: Flags,
    unit: int,
    wanted: PriceSearch,
    workspace: str | Path | None,
) -> tuple[JudgedPrices, ...]:
    """Judge printed prices, those by access and those found on other matches, by the same players and by others."""
    price = {row.railroad: row.price for row in rows}
    track, players = trial.table.track, trial.table.terms.players
    sets: dict[str, Ints] = {
        "printed": track.price,
        "by access": pricing.price_by_access(track, unit),
        "found": np.array([price[r.id] for r in board.railroads], np.int64),
    }
    if not wanted.judges:
        raise ChoiceError("no policy is named to judge by; name one or more")
    others = tuple(wanted.judges[k % len(wanted.judges)] for k in range(players))
    minds = np.array([read_policy(policy, workspace=workspace).weights() for policy in others])
    out = []
    for policies, table in (
        (each_policy(trial.how), trial.table),
        (others, trial.table._replace(minds=minds)),
    ):
        for number, (called, prices) in enumerate(sets.items()):
            says = f"judging prices {called} by {', '.join(dict.fromkeys(policies))}"
            found = replace(trial, table=table).measure(prices, _APART + number * trial.matches, says)
            shorts = [r.short for r in board.railroads]
            out.append(pricing.judge_prices(found, shorts, chosen, prices=called, policies=policies))
    return tuple(out)


def price_variant(board: Board, found: Pricing, name: str) -> Variant:
    """Return a variant with the prices that were found, and the fixed prices of groups that follow from them."""
    price, symbol = {row.railroad: row.price for row in found.railroads}, board.units.symbol
    goal = (
        "buying it adds nothing beyond" if found.goal == "worth" else "with all these prices it adds as much as others"
    )
    operations: list[dict[str, object]] = [
        {
            "op": "edit-railroad",
            "id": row.railroad,
            "price": row.price,
            "was": {"price": row.printed},
            "reason": f"Found by play: {goal}; {symbol}{max(0, row.worth.low):,.0f} to {symbol}{row.worth.high:,.0f}.",
        }
        for row in sorted(found.railroads, key=lambda row: row.railroad)
        if row.worth is not None and row.price != row.printed
    ]
    printed = {r.id: r.price for r in board.railroads}
    groups = [
        group.model_copy(update={"price": group.price + sum(price[m] - printed[m] for m in group.members)})
        if set(group.members) <= printed.keys()
        else group
        for group in board.rules.group_purchase.groups
    ]
    if tuple(groups) != board.rules.group_purchase.groups:
        operations.append(
            {
                "op": "set-rule",
                "path": "group_purchase.groups",
                "value": [group.model_dump(mode="json") for group in groups],
                "reason": "A group costs the sum of its members' list prices.",
            }
        )
    players = ", ".join(dict.fromkeys(found.policies))
    return Variant.model_validate(
        {
            "name": name,
            "title": "Prices by what railroads are worth" if found.goal == "worth" else "Even prices",
            "description": f"Found by mapkit playtest price: {found.steps} times {found.matches:,} matches of "
            f"{len(found.policies)} players ({players}), rules {found.preset}, seed {found.seed}.",
            "board": board.id,
            "variants": board.variants,
            "operations": operations,
        }
    )


def _chosen(board: Board, named: Sequence[str]) -> Flags:
    """Return for each railroad whether its price is looked for: those that are named, or all that are for sale."""
    known = {key.casefold(): k for k, r in enumerate(board.railroads) for key in (r.short, r.id)}
    out = np.array([not r.public or board.rules.purchase.public_for_sale for r in board.railroads], np.uint8)
    if not named:
        return out
    for name in named:
        if name.casefold() not in known:
            marks = [r.short for r in board.railroads]
            raise UnknownNameError(f"no railroad {name!r}{did_you_mean(name, marks)}; there are {join_some(marks)}")
        if not out[known[name.casefold()]]:
            raise ChoiceError(f"{name} is not for sale, so it has no price by play")
    found = np.zeros_like(out)
    found[[known[name.casefold()] for name in named]] = 1
    return found


def _steps(wanted: PriceSearch) -> int:
    """Return how many times to play.

    Raises:
        ChoiceError: That is no number of steps, or the goal needs more railroads.
    """
    if wanted.goal == "even" and len(wanted.railroads) == 1:
        raise ChoiceError("a single railroad has no others to be even with; name several, or leave out --railroad")
    steps = _STEPS[wanted.goal] if wanted.steps is None else wanted.steps
    if not 1 <= steps <= _MOST_STEPS:
        raise ChoiceError(f"{steps} steps; choose 1 to {_MOST_STEPS}")
    return steps
