"""Ladders: who plays whom, ratings, and that better players climb."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from hypothesis import given
from hypothesis import strategies as st
from matches import board_with

from mapkit.api.playtesting import ladder
from mapkit.core.errors import ChoiceError
from mapkit.kinds.rail.api.playtesting import PlayTest
from mapkit.playing.batches import BATCH
from mapkit.playing.figures import Totals, add_totals
from mapkit.playing.ladders import Schedule, play_ladder, ratings

pytestmark = pytest.mark.slow


@given(st.integers(2, 6), st.integers(2, 6), st.integers(1, 900))
def test_every_pair_plays_each_match_at_both_line_ups(entrants: int, places: int, matches: int) -> None:
    schedule = Schedule(entrants, places, matches)
    batches = [schedule.line_up(batch) for batch in range(schedule.all_matches // schedule.batch_size)]
    by_pair = {pair: [b for b in batches if b[0] == pair] for pair in range(len(schedule.pairs))}
    for pair, played in by_pair.items():
        assert matches <= len(played) * schedule.batch_size < matches + len(played)
        assert schedule.batch_size <= BATCH
        assert len(played) % 2 == 0
        seats: Counter[int] = Counter()
        for (_, one, first), (_, other, again) in zip(played[::2], played[1::2], strict=True):
            assert first == again
            assert set(one) == set(other) == set(schedule.pairs[pair])
            assert all(a != b for a, b in zip(one, other, strict=True))
            seats.update(one)
            seats.update(other)
        assert len(set(seats.values())) == 1


def even(line_up: Sequence[int], first: int, matches: int) -> Totals:
    """The lower number wins four of five."""
    places = len(line_up)
    wins = np.zeros(places)
    for match in range(first, first + matches):
        best = min(line_up) if match % 5 else max(line_up)
        wins[line_up.index(best)] += 1
    return {"wins by player": wins, "wins by seat": np.full(places, matches / places), "matches": np.array([matches])}


def test_parts_of_a_ladder_are_added_up_the_same_way() -> None:
    schedule = Schedule(3, 2, 400)
    whole = play_ladder(schedule, even, 0, schedule.all_matches)
    parts = play_ladder(schedule, even, 0, 130)
    for start, end in ((130, 700), (700, schedule.all_matches)):
        parts = add_totals(parts, play_ladder(schedule, even, start, end - start))
    assert {k: v.tolist() for k, v in whole.items()} == {k: v.tolist() for k, v in parts.items()}
    assert whole["wins"].tolist() == [[320, 80]] * 3
    assert whole["matches"].tolist() == [400] * 3


def test_ratings_give_the_odds_that_they_are_made_from() -> None:
    strength = np.array([4.0, 2.0, 1.0, 0.25])
    rate = strength[:, None] / (strength[:, None] + strength[None, :])
    wins = 100_000 * rate * (1 - np.eye(4))
    found, margins = ratings(wins)
    assert found.mean() == pytest.approx(0, abs=1e-9)
    assert found[0] - found[1] == pytest.approx(400 * np.log10(2), abs=0.1)
    assert found[0] - found[3] == pytest.approx(400 * np.log10(16), abs=0.1)
    assert (margins < 2).all()
    alone, wide = ratings(np.array([[0.0, 10.0], [0.0, 0.0]]))
    assert alone[0] - alone[1] == pytest.approx(400 * np.log10(21), abs=0.1)
    assert wide[0] > 100


def test_balanced_beats_naive(tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    path.write_text(board_with().model_dump_json(), encoding="utf-8")
    found = ladder(path, PlayTest(policies=("naive", "balanced"), players=3, matches=200)).ladder
    best = found.rungs[0]
    assert best.policy == "balanced"
    assert min(share.low for share in best.against.values()) > 0.5
    assert found.matches == 200
    assert sum(seat.share for seat in found.seats) == pytest.approx(1)
    for rung in found.rungs:
        for name, share in rung.against.items():
            other = next(r for r in found.rungs if r.policy == name)
            assert share.share + other.against[rung.policy].share == pytest.approx(1)


def test_the_command_shows_the_table(run: Run, tmp_path: Path) -> None:
    (tmp_path / "board.json").write_text(board_with().model_dump_json(), encoding="utf-8")
    command = ("playtest", "ladder", "board.json", "--workspace", tmp_path, "-n", 4, "--players", 2)
    done = run(*command, "--policy", "naive", "--policy", "random")
    assert done.code == 0
    assert done.out.startswith("4 matches of 2 players, seed 1, rules ah\nwins % by order of play: 1. ")
    shown = json.loads(run(*command, "--policy", "naive", "--policy", "random", "--json").out)
    assert {rung["policy"] for rung in shown["rungs"]} == {"naive", "random"}


def test_wrong_entrants_are_refused(tmp_path: Path) -> None:
    for policies, says in (
        (("naive",), r"1 policy in a ladder \(naive\); name 2 to 40"),
        (("naive", "random", "naive"), "policy 'naive' is named 2 times; name each policy once"),
        (("naif",), r"no policy is named 'naif' \(did you mean 'naive'\?\)"),
    ):
        with pytest.raises(ChoiceError, match=says):
            ladder("portugal", PlayTest(policies=policies))
    assert not list(tmp_path.iterdir())


def test_a_person_is_asked_before_half_a_million_games(tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    path.write_text(board_with().model_dump_json(), encoding="utf-8")
    asked: list[str] = []

    def refuse(text: str) -> str:
        asked.append(text)
        return "\n"

    with pytest.raises(ChoiceError, match="nothing was played"):
        ladder(path, PlayTest(matches=500_001, policies=("naive", "random")), ask=refuse)
    assert asked == ["1 pair plays 500,200 games. Go on? [y/N] "]
