"""How often play-tests of one board with other dice are called different, and what common dice save.

    python tests/bench/bench_comparing.py [TRIALS] [MATCHES]

A trial plays 400 matches on a small board with each of two seeds. Then one price of the United States board is a
tenth higher: how many times larger the variance of differences would be with other dice, for how long a match takes,
what is paid, and who wins from which seat.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "playing"))

import numpy as np
from matches import board_with

import mapkit
from mapkit.kinds.rail.api.playtesting import read_policy, table_of
from mapkit.kinds.rail.playing.comparison import compare_figures, make_pair, play_pair_batch
from mapkit.playing.figures import add_totals
from mapkit.playing.paired_differences import DIFFERENT, difference_p_value

OF_A_TRIAL = 400
BATCH = 100
PLAYERS = 4


def called_different(trials: int) -> float:
    """Return the share of trials, in percent."""
    board = board_with()
    ids = [r.id for r in board.railroads]
    table = table_of(board, [read_policy("balanced")] * 3, 3, 1)
    pair = make_pair(table, table._replace(seed=2), ids, ids)
    play_pair_batch(pair, 0, 1)
    with ThreadPoolExecutor(2) as pool:
        found = list(
            pool.map(lambda k: difference_p_value(play_pair_batch(pair, k * OF_A_TRIAL, OF_A_TRIAL)), range(trials))
        )
    return 100 * sum(chance < DIFFERENT for chance in found) / trials


def savings(matches: int, ident: str) -> dict[str, float]:
    """Return how many times smaller variances are with common dice, one price a tenth higher."""
    board = mapkit.load("usa")
    ids = [r.id for r in board.railroads]
    table = table_of(board, [read_policy("balanced")] * PLAYERS, PLAYERS, 1)
    price = np.where(np.array(ids) == ident, table.track.price * 11 // 10, table.track.price)
    pair = make_pair(table, table._replace(track=table.track._replace(price=price)), ids, ids)
    play_pair_batch(pair, 0, 1)
    with ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(lambda k: play_pair_batch(pair, k, BATCH), range(0, matches, BATCH)))
    return {
        f"{f.part} {f.id} {f.figure}".replace("  ", " "): f.saving or 0.0
        for f in compare_figures(pair, reduce(add_totals, parts))
    }


if __name__ == "__main__":
    trials, matches = [*map(int, sys.argv[1:]), 2_000, 2_000][:2] if len(sys.argv) < 3 else map(int, sys.argv[1:3])
    called = called_different(trials)
    print(f"called different: {called:.2f} % of {trials:,} trials, {abs(called - 5):.2f} from 5")
    for ident in ("tp",):
        found = savings(matches, ident)
        for name in (
            "match rounds",
            "match payoffs",
            "match fees",
            "seat 1 wins",
            f"railroad {ident} wins of the first buyer",
        ):
            print(f"{ident} a tenth dearer, {name}: {found[name]:.2f} times")
