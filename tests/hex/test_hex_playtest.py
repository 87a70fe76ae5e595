"""Play-tests of hexagon boards: figures, comparisons, ladders, players in Python, and the commands."""

import json
from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from hexplay import terms

import mapkit
from mapkit.core.errors import ChoiceError, MapkitError, RulesError
from mapkit.kinds.hex.playing.comparison import compared_hexes, hex_pair, hex_pair_batch
from mapkit.kinds.hex.playing.match import play_steps
from mapkit.kinds.hex.playing.outcome import play_outcome
from mapkit.kinds.hex.playing.study import HexTable, hex_batch, make_study
from mapkit.kinds.hex.playing.terms import STALLED_TURNS, HexTerms
from mapkit.playing.figures import add_totals
from mapkit.playing.paired_differences import difference_p_value

GREEDY = ("greedy", "greedy", "greedy")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def table(game: HexTerms, seed: int = 4) -> HexTable:
    return HexTable(game, ("greedy",) * game.players, seed)


def test_figures_are_those_of_the_game() -> None:
    game = terms({"mines.enabled": True})
    for match in range(3):
        found = play_outcome(game, GREEDY, 7, match)
        steps = [(step.move, state) for step, state in play_steps(game, GREEDY, 7, match)]
        end = steps[-1][1]
        assert (found.points, found.bonds, found.turns) == (end.points, end.bonds, end.turn)
        deliveries = [move for move, _ in steps if move.kind == "deliver"]
        assert found.deliveries == len(deliveries)
        assert sum(found.links.values()) == sum(len(move.way) for move in deliveries)
        assert len(found.incomes) == found.turns
        assert found.seats == tuple((seat + match) % 3 for seat in range(3))


def test_the_same_seed_gives_the_same_game_and_sums_add_up() -> None:
    game = terms()
    whole = hex_batch(table(game), 0, 6)
    parts = add_totals(hex_batch(table(game), 0, 2), hex_batch(table(game), 2, 4))
    assert all(np.allclose(whole[name], parts[name]) for name in whole)
    study = make_study(table(game), whole)
    assert study.matches == 6
    assert round(sum(seat.wins.share for seat in study.seats) + study.ties.share, 9) == 1
    assert [turn.turn for turn in study.by_turn] == list(range(1, len(study.by_turn) + 1))


def test_a_game_that_cannot_end_is_broken_off() -> None:
    found = play_outcome(terms({"end.markers.three": 50}), GREEDY, 1, 0)
    assert found.stalled
    assert found.turns <= 100 + STALLED_TURNS


def test_a_board_differs_from_a_dearer_one_and_not_from_itself() -> None:
    one, dearer = terms(), terms({"track.plains": 9000, "track.mountain": 9000})
    same = hex_pair(table(one), table(one))
    totals = hex_pair_batch(same, 0, 10)
    assert difference_p_value(totals) == 1
    assert all(figure.difference == 0 for figure in compared_hexes(same, totals))
    totals = hex_pair_batch(hex_pair(table(one), table(dearer)), 0, 40)
    assert difference_p_value(totals) < 0.05


def test_players_in_python_play_and_their_faults_are_named(here: Path) -> None:
    text = (
        "from mapkit.kinds.hex.playing.terms import Move\n"
        "def idle(terms, state, draws):\n    return Move('pass' if state.phase == 'auction' else 'rest')\n"
        "def cheat(terms, state, draws):\n    return Move('bid', 1)\n"
    )
    Path("own.py").write_text(text, encoding="utf-8")
    steps = list(play_steps(terms(), ("own.py:idle",) * 3, 1, 0))
    assert {step.move.kind for step, _ in steps} == {"pass", "rest"}
    with pytest.raises(MapkitError, match=r"own\.py:cheat makes an illegal move: a bid of \$1"):
        list(play_steps(terms(), ("own.py:cheat",) * 3, 1, 0))
    with pytest.raises(ChoiceError, match="no function 'nobody'"):
        list(play_steps(terms(), ("own.py:nobody",) * 3, 1, 0))
    with pytest.raises(ChoiceError, match="no such file"):
        list(play_steps(terms(), ("none.py:idle",) * 3, 1, 0))
    del here


def test_commands(here: Path, run: Run) -> None:
    study = json.loads(run("playtest", "portugal-hex", "-n", "2", "--players", "2", "--json").out)
    assert (study["board"], study["matches"], study["style"]) == ("portugal-hex", 2, "traditional")
    out = run("playtest", "portugal-hex", "-n", "2", "-p", "2", "--option", "first-to-pass", "--option", "mines").out
    assert out.startswith("2 games, seed 1, bidding first-to-pass, 6 markers")
    told = run("playtest", "replay", "portugal-hex", "-p", "2").out
    assert told.startswith("Portugal, game 0 of seed 1: players 1 (greedy), 2 (greedy)")
    assert "random makes any legal move" in " ".join(run("playtest", "policies", "portugal-hex").out.split())
    del here


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--players", "6"), "6 players; Portugal has 2 to 4"),
        (("--policy", "gredy"), "did you mean 'greedy'?"),
        (("--option", "rotors"), "set rotors.wheel"),
        (("--option", "fewer-markers"), "set end.markers_less"),
        (("--option", "mine"), "there is no option 'mine'"),
        (("--option", "first-to-pass", "--option", "worst-is-first"), "first-to-pass and worst-is-first contradict"),
        (("--set", "end.marker=3"), "this key is unknown"),
        (("-n", "0"), "0 games"),
    ],
)
def test_what_cannot_be_played_is_refused(here: Path, run: Run, arguments: tuple[str, ...], said: str) -> None:
    result = run("playtest", "portugal-hex", *arguments)
    assert result.code in (1, 2)
    assert said in " ".join(result.err.split())
    del here


def test_a_ladder_needs_two_players(here: Path) -> None:
    with pytest.raises(ChoiceError, match="1 policy in a ladder"):
        mapkit.ladder("portugal-hex", mapkit.HexPlayTest(policies=("greedy",)))
    with pytest.raises(RulesError):
        mapkit.playtest("portugal-hex", mapkit.HexPlayTest(settings={"track.most_tiles": -1}))
    del here


def test_cases_are_bidding_styles_numbers_of_players_and_options(here: Path, run: Run) -> None:
    out = run("playtest", "portugal-hex", "-n", "4", "--cases", "--html", "page.html", "--json", "--workers", "1").out
    study = json.loads(out)
    names = [case["case"] for case in study["cases"]]
    assert names == [
        "bidding traditional",
        "bidding first-to-pass",
        "bidding worst-is-first",
        "2 players",
        "3 players",
        "4 players",
        "mines on",
    ]
    assert [(case["markers"], len(case["points"])) for case in study["cases"][3:6]] == [(6, 2), (8, 3), (9, 4)]
    assert study["cases"][0]["turns"] == study["turns"]
    assert study["cases"][0]["points"] == [seat["points"] for seat in study["seats"]]
    assert [text.partition(":")[0] for text in study["unplayed"]] == ["rotors on", "fewer markers"]
    page = Path("page.html").read_text(encoding="utf-8")
    used = max(study["hexes"], key=lambda one: one["lines"]["mean"])
    assert f"{used['hexagon']}: {used['lines']['mean']:.2f} lines of track a game" in page
    refused = run("playtest", "portugal-hex", "--cases", "--policy", "greedy", "--policy", "random")
    assert "name one policy for all" in refused.err
    del here
