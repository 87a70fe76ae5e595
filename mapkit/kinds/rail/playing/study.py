"""Study from the sums of many matches."""

from collections.abc import Sequence

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.study import (
    HoldingFigures,
    PlayerFigures,
    RailroadFigures,
    StartFigures,
    Study,
    UseFigures,
    WealthFigures,
)
from mapkit.kinds.rail.playing.batch import CLASSES, MOMENTS, STARTS
from mapkit.kinds.rail.playing.figure_table import figure_rows
from mapkit.kinds.rail.playing.state import (
    BANKRUPT,
    BOUGHT,
    CAUGHT,
    FEES_EARNED,
    FEES_PAID,
    PAYOFFS,
    ROVERS,
    STEPS_RIDDEN,
    TRIPS,
    WORTH_EVERY,
)
from mapkit.kinds.rail.rules.active_options import options_on
from mapkit.playing.figures import Mean, Totals, mean, share
from mapkit.playing.panels import combine_studies, pool_styles, split_styles


def make_study(board: Board, totals: Totals, policies: Sequence[str], *, seed: int) -> Study:
    """Return the study of a play-test from its sums.

    Args:
        board: Where it was played.
        totals: Sums of batches, see `mapkit.kinds.rail.playing.batch`.
        policies: The name of each player's policy.
        seed: Of the random numbers.
    """
    match_count = float(totals["matches"][0])
    class_width = 100 // CLASSES
    return Study(
        board=board.id,
        variants=board.variants,
        preset=board.rules.preset,
        options=options_on(board.rules),
        seed=seed,
        matches=int(match_count),
        players=tuple(_player_figures(totals, number, policy) for number, policy in enumerate(policies)),
        seats=tuple(share(wins, match_count) for wins in totals["wins by seat"]),
        rounds=mean(totals["rounds"][0], totals["rounds"][1], match_count),
        sold_out=share(totals["sold out"][0], match_count),
        lead_changes=mean(totals["course"][0][0], totals["course"][0][1], match_count),
        last_doubt=mean(totals["course"][1][0], totals["course"][1][1], match_count),
        hopeless=mean(totals["course"][2][0], totals["course"][2][1], match_count),
        wealth=_wealth_figures(totals),
        starts=_start_figures(board, totals),
        railroads=_railroad_figures(board, totals),
        holdings=tuple(
            HoldingFigures(
                low=k * class_width,
                high=(k + 1) * class_width,
                access=share(totals["access"][1][k], totals["access"][0][k]),
                monopoly=share(totals["monopoly"][1][k], totals["monopoly"][0][k]),
            )
            for k in range(CLASSES)
        ),
        segments=tuple(
            UseFigures(id=s.id, times=times / match_count)
            for s, times in zip(board.segments, totals["ridden"], strict=True)
        ),
        cities=tuple(
            UseFigures(id=c.id, times=times / match_count)
            for c, times in zip(board.cities, totals["visits"], strict=True)
        ),
    )


def make_panel_study(board: Board, totals: Totals, styles: Sequence[str], players: int, *, seed: int) -> Study:
    """Return the study of a panel: figures of all matches, and of each style.

    Args:
        board: Where it was played.
        totals: Sums by style.
        styles: The name of each style's policy.
        players: Of a match.
        seed: Of the random numbers.
    """
    pooled_study = make_study(board, pool_styles(totals), ["panel"] * players, seed=seed)
    style_studies = [
        make_study(board, style_totals, [style] * players, seed=seed)
        for style, style_totals in zip(styles, split_styles(totals), strict=True)
    ]
    panel = combine_studies(list(map(figure_rows, style_studies)), players)
    return pooled_study.model_copy(update={"styles": tuple(styles), "panel": panel})


def _player_figures(totals: Totals, number: int, policy: str) -> PlayerFigures:
    match_count = float(totals["matches"][0])
    sums, squares = totals["figures"]

    def of(figure: int) -> Mean:
        return mean(sums[number, figure], squares[number, figure], match_count)

    return PlayerFigures(
        policy=policy,
        wins=share(totals["wins by player"][number], match_count),
        trips=of(TRIPS),
        payoffs=of(PAYOFFS),
        fees_paid=of(FEES_PAID),
        fees_earned=of(FEES_EARNED),
        purchases=of(BOUGHT),
        mileposts=of(STEPS_RIDDEN),
        rovers=of(ROVERS),
        caught=of(CAUGHT),
        bankrupt=of(BANKRUPT),
    )


def _start_figures(board: Board, totals: Totals) -> tuple[StartFigures, ...]:
    cities, railroads = [c.id for c in board.cities], [r.id for r in board.railroads]
    names = (cities, cities, [*railroads, "", "express", "superchief"])
    return tuple(
        StartFigures(start=start, id=ident, wins=share(won, counted))
        for start, idents in zip(STARTS, names, strict=True)
        for ident, counted, won in zip(idents, *totals[start], strict=True)
        if counted
    )


def _wealth_figures(totals: Totals) -> tuple[WealthFigures, ...]:
    """Return the mean wealth of winners and others at each time that at least one match reached."""
    rows = []
    for moment, ((cash, worth, count), (others_cash, others_worth, others)) in enumerate(
        zip(*totals["wealth"], strict=True), start=1
    ):
        if count and others:
            rows.append(
                WealthFigures(
                    round=moment * WORTH_EVERY,
                    matches=int(count),
                    cash=cash / count,
                    net_worth=worth / count,
                    others_cash=others_cash / others,
                    others_net_worth=others_worth / others,
                )
            )
    return tuple(rows)


def _railroad_figures(board: Board, totals: Totals) -> tuple[RailroadFigures, ...]:
    match_count = float(totals["matches"][0])
    steps_by_railroad = dict.fromkeys((r.id for r in board.railroads), 0.0)
    for segment, times in zip(board.segments, totals["ridden"], strict=True):
        steps_by_railroad[segment.railroad] += times / match_count
    figure_rows = []
    for number, railroad in enumerate(board.railroads):
        first, sell_out, end = (
            share(totals[f"won by the owner, {moment}"][number], totals[f"owned, {moment}"][number])
            for moment in MOMENTS
        )
        figure_rows.append(
            RailroadFigures(
                railroad=railroad.id,
                short=railroad.short,
                price=railroad.price,
                first=first,
                sell_out=sell_out,
                end=end,
                income=mean(totals["income"][0, number], totals["income"][1, number], match_count),
                steps=steps_by_railroad[railroad.id],
            )
        )
    return tuple(sorted(figure_rows, key=lambda row: (-row.end.share, row.railroad)))
