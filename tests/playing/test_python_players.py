"""Players written in Python: what they are asked, what becomes of those that fail, and the planner."""

import random
from pathlib import Path

import numpy as np
import pytest
from conftest import REPOSITORY, Run
from matches import board_with, quick

from mapkit.kinds.rail.api.players import asking, driving
from mapkit.kinds.rail.api.players.driving import PlayerNotes
from mapkit.kinds.rail.api.players.planner import Planner
from mapkit.kinds.rail.api.players.python_policies import PythonPolicy, read_python_policy
from mapkit.kinds.rail.api.players.questions import Outcome, Question
from mapkit.kinds.rail.api.playtesting import read_policy, table_of
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.playing.batch import MatchSetup, PlayedMatches, play_matches
from mapkit.kinds.rail.playing.log import play_logged_match
from mapkit.kinds.rail.playing.policies import Policy, shipped_policy
from mapkit.kinds.rail.refereeing.judging import judge
from mapkit.playing.ladders import distance_to_verdict

FILE = '''
class Own:
    """Does what it is based on would do."""

    based_on = "tuned"

    def decide(self, question):
        return question.choice

class Crash:
    def decide(self, question):
        return {}["no such key"]

class Cheat:
    def decide(self, question):
        return "the bank"

class Odd:
    def decide(self, question):
        import numpy
        return numpy.array(["yes", "no"])

class Hang:
    def decide(self, question):
        while True:
            pass

class Mute:
    pass
'''


class Obedient:
    """Does what `tuned` would, after it has tried its options out."""

    based_on = "tuned"

    def decide(self, question: Question) -> str:
        if question.decision == "purchase":
            option = question.options[-1]
            assert question.try_out(option, 3) == question.try_out(option, 3)
            assert question.try_out(option, 3, 1)[:2] == question.try_out(option, 3)[1:]
        return question.choice


class Fickle:
    """Answers at random."""

    def __init__(self) -> None:
        self._random = random.Random(1)  # noqa: S311 - no secret

    def decide(self, question: Question) -> str:
        assert question.choice in question.options
        return self._random.choice(question.options)


def board() -> Board:
    return board_with(quick(options={"opening_auctions": True}, setup={"same_home": "reroll", "home_swap": True}))


def python_policy(player: type) -> PythonPolicy:
    base = dict(shipped_policy(str(getattr(player, "based_on", "balanced"))))
    return PythonPolicy(**base, name=player.__name__, source="", make=player)


def table(*policies: Policy, notes: PlayerNotes | None = None) -> MatchSetup:
    return table_of(board(), policies, len(policies), 1, notes)


def same(one: PlayedMatches, other: PlayedMatches) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_asking_changes_nothing_and_trying_out_sees_no_dice_to_come() -> None:
    tuned = read_policy("tuned")
    expected = play_matches(table(tuned, tuned, tuned), 0, 4)
    assert same(play_matches(table(tuned, python_policy(Obedient), tuned), 0, 4), expected)


@pytest.mark.parametrize("seed", range(6))
def test_every_option_is_legal(seed: int) -> None:
    fickle = python_policy(Fickle)
    setup = table_of(board(), [fickle] * 3, 3, seed)
    head, events = play_logged_match(board(), setup, ["Fickle"] * 3, 0)
    assert judge(board(), head, events, file="x.jsonl").broken is None
    assert {"buys", "bids", "passes", "region"} <= {event.does for event in events}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Crash", "crashes in 2 matches, first in match 0: KeyError: 'no such key' (line 12 of decide)"),
        ("Cheat", "cheats in 2 matches, first in match 0: bid: 'the bank' is not one of no, yes"),
        ("Odd", "cheats in 2 matches, first in match 0: bid: array("),
        ("Hang", "hangs in 2 matches, first in match 0: no answer in 0.2 seconds"),
    ],
)
def test_who_fails_is_named_and_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, says: str
) -> None:
    monkeypatch.setattr(asking, "LIMIT_S", 0.2)
    (tmp_path / "mine.py").write_text(FILE, encoding="utf-8")
    monkeypatch.setattr(driving, "_MOST_HANGS", 2)
    notes, balanced = PlayerNotes(), read_policy("balanced")
    failing = read_python_policy(f"{tmp_path / 'mine.py'}:{name}", None)
    played = play_matches(table(failing, balanced, notes=notes), 0, 2 if name != "Hang" else 4)
    assert same(played, play_matches(table(balanced, balanced), 0, len(played.winner)))
    assert f"mine.py:{name} {says}" in notes.lines()[0]
    assert notes.lines()[0].endswith("; the player that it is based on played on")
    assert " s a decision, " in notes.lines()[1]


def test_a_player_in_a_file_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "tiny").code == 0
    (tmp_path / "mine.py").write_text(FILE, encoding="utf-8")
    both = ("--players", "2", "--matches", "4")
    found = run("playtest", "tiny", *both, "--policy", "mine.py:Own", "--policy", "tuned")
    assert found.code == 0, found.err
    assert "mine.py:Own" in found.out
    assert " s a decision, " in found.err
    found = run("playtest", "ladder", "tiny", *both, "--until", "20%", "--policy", "mine.py:Own", "--policy", "naive")
    assert found.code == 0, found.err
    for policy, says in (
        ("mine.py:Mine", "mine.py has no class 'Mine'"),
        ("mine.py:Mute", "mine.py:Mute has no method decide(question)"),
        ("none.py:Own", "none.py"),
    ):
        refused = run("playtest", "tiny", "--policy", policy)
        assert refused.code in (1, 2)
        assert says in refused.err
    (tmp_path / "mine.py").write_text("class Own\n", encoding="utf-8")
    assert "mine.py:1: the file cannot be run: SyntaxError" in run("playtest", "tiny", "--policy", "mine.py:Own").err
    (tmp_path / "mine.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
    ended = run("playtest", "tiny", "--policy", "mine.py:Own")
    assert (ended.code, "mine.py: the file cannot be run: SystemExit: 0" in ended.err) == (1, True)
    for command in (("tune", "--out", "x.toml"), ("price",)):
        refused = run("playtest", command[0], "tiny", *command[1:], "--policy", "planner")
        assert refused.code == 2
        assert "planner is written in Python and cannot" in refused.err


def test_the_player_of_the_document_plays(tmp_path: Path) -> None:
    page = (REPOSITORY / "docs" / "how-to" / "playtesting.md").read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(page.partition("```python\n")[2].partition("```")[0], encoding="utf-8")
    thrifty, notes = read_python_policy(f"{tmp_path / 'mine.py'}:Thrifty", None), PlayerNotes()
    played = play_matches(table(thrifty, read_policy("tuned"), notes=notes), 0, 4)
    assert not same(played, play_matches(table(read_policy("tuned"), read_policy("tuned")), 0, 4))
    assert len(notes.lines()) == 1


def asked(values: dict[str, int], choice: str) -> Question:
    """Return a question of a purchase, with the lead that each option leads to."""

    def try_out(option: str, matches: int, first: int = 0) -> list[Outcome]:
        return [Outcome(won=False, lead=values[option] + 100 * ((first + k) % 3)) for k in range(matches)]

    return Question(
        decision="purchase",
        player=0,
        options=tuple(values),
        choice=choice,
        about=None,
        prices={option: 1_000 for option in values if option != "nothing"},
        seats=(),
        owners={},
        board=board(),
        try_out=try_out,
    )


@pytest.mark.parametrize("choice", ["nothing", "red", "blue", "green"])
def test_the_planner_takes_what_turns_out_best(choice: str) -> None:
    values = {"nothing": 0, "red": 4_000, "blue": 9_000, "green": 5_000}
    assert Planner().decide(asked(values, choice)) == "blue"
    assert Planner().decide(asked(dict.fromkeys(values, 0), choice)) == choice


def test_a_sequential_test_ends_when_all_pairs_are_told_apart() -> None:
    """By hand: log 19 / log (0.6 / 0.4) is 7.26, so that a lead of 8 decides at 10 points, one of 7 does not."""
    for lead, is_decided in ((7, False), (8, True)):
        totals = {"wins": np.array([[100.0, 20.0], [20.0, 20.0 + lead]])}
        assert (distance_to_verdict(totals, 0.1) <= 1) == is_decided
    assert distance_to_verdict({"wins": np.zeros((1, 2))}, 0.1) == 1_000
