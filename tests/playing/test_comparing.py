"""Comparing boards and rules by play: the statistics on made-up figures, and the command."""

import json
from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from matches import board_with, quick

from mapkit.api.playtesting import playtest_compare
from mapkit.core.arrays import Floats
from mapkit.core.errors import ChoiceError
from mapkit.kinds.rail.api.playtesting import PlayTest, read_policy, table_of
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.playing.comparison import compare_figures, make_pair, play_pair_batch
from mapkit.playing.figures import add_totals
from mapkit.playing.paired_differences import (
    DIFFERENT,
    difference_p_value,
    differences,
    f_tail_probability,
    paired_sums,
)

pytestmark = pytest.mark.slow


def made_up(dice: np.random.Generator, matches: int, shift: float = 0.0) -> tuple[Floats, Floats]:
    """Return a mean and a ratio of two runs with common luck, and the differences that are tested together."""
    luck = dice.normal(0, 1, matches)
    runs = []
    for add in (0.0, shift):
        length = 60 + 5 * luck + dice.normal(0, 2, matches) + add
        owned = (dice.random(matches) < 0.7).astype(np.float64)
        won = owned * (dice.random(matches) < 0.4)
        runs.append(np.stack([np.stack([length, np.ones(matches)], 1), np.stack([won, owned], 1)], 1))
    return runs[0], runs[1]


@pytest.mark.parametrize(
    ("ratio", "above", "below", "chance"),
    [
        # from tables of F: 5 % and 1 % points
        (4.10, 2, 10, 0.05),
        (7.56, 2, 10, 0.01),
        (2.21, 6, 200, 0.0436),
        (161.4, 1, 1, 0.05),
        (0.0, 3, 50, 1.0),
    ],
)
def test_the_chance_of_f_is_that_of_tables(ratio: float, above: float, below: float, chance: float) -> None:
    assert f_tail_probability(ratio, above, below) == pytest.approx(chance, rel=0.01)


def test_a_difference_has_the_interval_of_its_pairs() -> None:
    dice = np.random.default_rng(3)
    one, other = made_up(dice, 4_000, shift=0.5)
    apart = other[:, 0, :1] - one[:, 0, :1]
    halves = [paired_sums(one[k], other[k], apart[k]) for k in (slice(0, 1_500), slice(1_500, 4_000))]
    length, rate = differences(add_totals(*halves))
    assert length.difference == pytest.approx(float(apart.mean()))
    assert length.half == pytest.approx(1.959964 * float(apart.std()) / 4_000**0.5, rel=1e-3)
    assert length.saving == pytest.approx((25 + 4) * 2 / (2 * 4), rel=0.1)
    shares = [run[:, 1, 0].sum() / run[:, 1, 1].sum() for run in (one, other)]
    assert rate.difference == pytest.approx(shares[1] - shares[0])
    alone = sum(1.959964**2 * s * (1 - s) / run[:, 1, 1].sum() for s, run in zip(shares, (one, other), strict=True))
    assert rate.half == pytest.approx(alone**0.5, rel=0.05)
    assert rate.saving == pytest.approx(1, abs=0.1)


def test_what_is_the_same_is_called_different_as_often_as_is_said() -> None:
    dice = np.random.default_rng(11)
    called = 0
    for _ in range(2_000):
        apart = dice.normal(0, 1, (60, 4)) @ np.array([[1, 0, 0, 0.0], [3, 1, 0, 0], [0, 0, 2, 0], [1, 1, 1, 0]])
        nothing = np.zeros((60, 1, 2))
        called += difference_p_value(paired_sums(nothing, nothing, apart)) < DIFFERENT
    assert 80 <= called <= 120


def test_what_differs_is_called_different() -> None:
    dice = np.random.default_rng(4)
    one, other = made_up(dice, 2_000, shift=0.5)
    apart = other[:, 0, :1] - one[:, 0, :1]
    assert difference_p_value(paired_sums(one, other, apart)) < 1e-6
    assert difference_p_value(paired_sums(one, one, np.zeros((2_000, 3)))) == 1


@pytest.fixture(scope="module")
def board() -> Board:
    return board_with()


def test_a_board_differs_from_itself_by_nothing(board: Board) -> None:
    table = table_of(board, [read_policy("balanced")] * 3, 3, 1)
    ids = [r.id for r in board.railroads]
    pair = make_pair(table, table, ids, ids)
    totals = play_pair_batch(pair, 0, 20)
    assert difference_p_value(totals) == 1
    figures = compare_figures(pair, totals)
    assert {(f.difference, f.low, f.high) for f in figures} == {(0.0, 0.0, 0.0)}
    assert len({(f.part, f.id, f.figure) for f in figures}) == len(figures)


def test_railroads_that_both_boards_have_are_compared(board: Board) -> None:
    table = table_of(board, [read_policy("balanced")] * 2, 2, 1)
    pair = make_pair(table, table, ["blue", "green", "red"], ["red", "new", "blue"])
    assert pair.railroads == ("blue", "red")
    assert (pair.at_one, pair.at_other) == ((0, 2), (2, 0))


def test_the_command_compares_boards_and_rules(run: Run, tmp_path: Path, board: Board) -> None:
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    one.write_text(board.model_dump_json(), encoding="utf-8")
    free = board_with(quick(fees={"own": 0}))
    other.write_text(free.model_dump_json(), encoding="utf-8")
    given = ("playtest", "compare", one, other, "-n", "12", "-p", "3", "--anyway", "--workers", "1")
    ran = run(*given)
    assert ran.code == 0, ran.err
    assert ran.out.startswith("A: tiny, rules ah with same-home-allowed, seed 1\nB: tiny, rules ah with ")
    assert "12 matches of 3 players (in 5 styles: access, builder, monopolist, balanced, tuned) on each" in ran.out
    found = json.loads(run(*given, "--json").out)
    same = json.loads(run("playtest", "compare", one, one, *given[4:], "--json").out)
    assert found["matches"] == same["matches"] == 12
    assert not same["different"]
    assert {f["difference"] for f in same["figures"]} == {0}
    dice = json.loads(run("playtest", "compare", one, one, *given[4:], "--json", "--other-seed", "2").out)
    assert (dice["a"]["seed"], dice["b"]["seed"]) == (1, 2)
    assert {f["difference"] for f in dice["figures"]} != {0}


def test_what_cannot_be_compared_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ChoiceError, match="3 rules for two boards"):
        playtest_compare("usa", "usa", rules=("ah", "ici", "ah"))
    with pytest.raises(ChoiceError, match="leave out until"):
        playtest_compare("usa", "usa", PlayTest(until=0.01))
    assert not list(tmp_path.iterdir())
