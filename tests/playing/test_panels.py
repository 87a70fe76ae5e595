"""Panels of styles: shared matches, both intervals, and signs that depend on the style."""

import json
from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from matches import board_with

from mapkit.playing.batches import Play
from mapkit.playing.figures import add_totals
from mapkit.playing.panels import STYLE_STRIDE, StyleValue, combine_styles, play_styles, pool_styles, split_styles

KEY = ("railroad", "pa", "wins")


def counted(played: list[int]) -> Play:
    """Return play that notes the numbers of its matches."""

    def play(first: int, matches: int) -> dict[str, np.ndarray]:
        played.extend(range(first, first + matches))
        return {"matches": np.array([float(matches)])}

    return play


def test_styles_take_matches_in_turn_in_any_batches() -> None:
    played: tuple[list[int], ...] = ([], [], [])
    plays = [counted(numbers) for numbers in played]
    totals = add_totals(play_styles(plays, 0, 4), play_styles(plays, 4, 7))
    assert played == (
        [0, 1, 2, 3],
        [STYLE_STRIDE + number for number in range(4)],
        [2 * STYLE_STRIDE + number for number in range(3)],
    )
    assert [float(one["matches"][0]) for one in split_styles(totals)] == [4, 4, 3]
    assert float(pool_styles(totals)["matches"][0]) == 11


def test_a_figure_of_a_panel_has_an_interval_for_dice_and_one_for_styles() -> None:
    figure = combine_styles(KEY, [StyleValue(1.0, 0.3), StyleValue(2.0, 0.4), StyleValue(6.0, 1.2)], 0.0)
    assert (figure.estimate, figure.low, figure.high, figure.sign, figure.depends) == (3.0, 1.0, 6.0, 3, False)
    assert figure.dice == pytest.approx((0.09 + 0.16 + 1.44) ** 0.5 / 3)
    assert figure.players == pytest.approx(4.3027 * 7**0.5 / 3**0.5, rel=1e-3)


def test_a_sign_depends_on_the_style_only_if_both_sides_are_clear() -> None:
    values = [StyleValue(3.0, 1.0), StyleValue(4.0, 1.0), StyleValue(-1.0, 2.0)]
    assert (combine_styles(KEY, values, 0.0).sign, combine_styles(KEY, values, 0.0).depends) == (2, False)
    assert combine_styles(KEY, [*values[:2], StyleValue(-1.0, 0.5)], 0.0).depends
    assert combine_styles(KEY, values, None).sign is None


@pytest.mark.slow
def test_a_play_test_plays_the_panel_and_a_comparison_keeps_signs(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "tiny.json"
    file.write_text(board_with().model_dump_json(), encoding="utf-8")
    given = ("-n", "20", "-p", "3", "--anyway", "--workers", "1", "--json")
    study = json.loads(run("playtest", file, *given).out)
    assert study["styles"] == ["access", "builder", "monopolist", "balanced", "tuned"]
    assert study["matches"] == 20
    rounds = next(one for one in study["panel"] if one["figure"] == "rounds")
    assert rounds["estimate"] == pytest.approx(study["rounds"]["mean"])
    assert sum(start["wins"]["of"] for start in study["starts"] if start["start"] == "home") == 60
    two = ("--style", "naive", "--style", "balanced")
    same = json.loads(run("playtest", "compare", file, file, *two, *given).out)
    assert {tuple(one["values"]) for one in same["panel"]} == {(0.0, 0.0)}
    assert not same["different"]
    assert run("playtest", file, *two, "--policy", "naive").code == 2
