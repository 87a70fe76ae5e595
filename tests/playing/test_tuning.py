"""Improving weights by play: the search finds what wins, and the file of a policy is what was played."""

from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from matches import board_with

from mapkit.kinds.rail.playing.policies import SHIPPED, WEIGHTS, parse_policy, shipped_policy
from mapkit.kinds.rail.playing.policy_tuning import policy_text, step_sizes, weight_bounds
from mapkit.playing.tuning import Generation, Race, Weights, improve_weights

BEST = np.array([3.0, -2.0])


def nearer_wins(challenger: Weights, incumbent: Weights, first: int, matches: int) -> float:
    """Of two players the one nearer to BEST wins more often; the third weight counts for nothing."""
    gap = np.abs(incumbent[:2] - BEST).sum() - np.abs(challenger[:2] - BEST).sum()
    return float(np.random.default_rng(first).binomial(matches, 1 / (1 + np.exp(-2 * gap))))


def searched(generations: int, *, seed: int = 1, least: float = -1e6) -> list[Generation]:
    limits = ([least] * 3, [1e6] * 3)
    search = improve_weights(nearer_wins, [0.0, 0.0, 1.0], [1.0, 1.0, 0.0], Race(2), seed=seed, bounds=limits)
    return list(islice(search, generations))


def test_the_search_finds_what_wins_and_keeps_what_is_fixed() -> None:
    found = searched(40)
    last = found[-1].weights
    assert np.abs(np.array(last[:2]) - BEST).max() < 0.3
    assert last[2] == 1.0
    for before, after in pairwise(found):
        assert (before.weights != after.weights) == after.better == (after.won.low > 0.5)


def test_the_same_seed_finds_the_same() -> None:
    assert searched(5) == searched(5)
    assert searched(5) != searched(5, seed=2)


def test_no_weight_leaves_its_bounds() -> None:
    found = searched(30, least=-1.0)
    assert min(min(generation.weights) for generation in found) == found[-1].weights[1] == -1.0


@pytest.mark.parametrize("name", SHIPPED)
def test_a_policy_is_read_from_its_file_as_it_is(name: str) -> None:
    weights = shipped_policy(name).weights()
    again = parse_policy("x", policy_text('so "called"', weights))
    assert again.weights() == pytest.approx(weights, rel=1e-5)
    assert again.about == 'so "called"'


def test_steps_and_bounds_are_for_all_weights() -> None:
    steps, (least, most) = step_sizes(shipped_policy("balanced")), weight_bounds()
    assert len(steps) == len(least) == len(most) == len(WEIGHTS)
    assert steps[WEIGHTS.index("winning.declare")] == 0
    assert max(steps) > 0
    for name in SHIPPED:
        assert all(a <= w <= b for a, w, b in zip(least, shipped_policy(name).weights(), most, strict=True))


@pytest.mark.slow
def test_the_command_writes_a_policy_that_plays(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("board.json").write_text(board_with().model_dump_json(), encoding="utf-8")
    command = ("playtest", "tune", "board.json", "--players", 2, "-n", 2)
    done = run(*command, "-g", 1, "-o", "mine.toml")
    assert done.code == 0
    assert "Against 1 as at the start it wins " in done.out
    first = Path("mine.toml").read_bytes()
    assert run(*command, "-g", 1, "-o", "mine.toml").out == done.out
    assert Path("mine.toml").read_bytes() == first
    assert run("playtest", "board.json", "--players", 2, "-n", 2, "--policy", "mine.toml").code == 0
    assert "a policy is TOML" in run(*command, "-o", "mine.txt").err
    assert "0 generations; ask for 1 to 10,000" in run(*command, "-g", 0, "-o", "x.toml").err
    assert not Path("x.toml").exists()
