"""Referee of hexagon boards against the simulator, and against logs in which one step was made illegal."""

import copy
import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from hexplay import board
from sampling import is_long

from mapkit.core.errors import SourceError
from mapkit.formats.game_logs import read_log
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.playing.log import log_lines
from mapkit.kinds.hex.playing.terms import compile_terms
from mapkit.kinds.hex.refereeing.judging import HexJudgement, judge
from mapkit.kinds.hex.refereeing.reading import HexLogHead, refuse_strangers

WHEEL = ["red", "blue", "black", "yellow", "purple"]
STYLES = ("traditional", "first-to-pass", "worst-is-first")
Lines = list[dict[str, Any]]
Mutation = tuple[Lines, int, set[str]]
"""Changed log, the line that is illegal now, and the rows that it may break."""


@cache
def played_board(style: str) -> HexBoard:
    return board({"auction.style": style, "mines.enabled": True, "rotors.enabled": True, "rotors.wheel": WHEEL})


@cache
def log_text(style: str, policy: str, match: int) -> str:
    game = compile_terms(played_board(style), 3)
    return "\n".join(json.dumps(line) for line in log_lines(game, (policy,) * 3, 5, match))


def judged(lines: Lines, style: str) -> HexJudgement:
    head, rest = read_log("\n".join(json.dumps(line) for line in lines), HexLogHead, file="log")
    refuse_strangers(played_board(style), head, rest, file="log")
    return judge(played_board(style), head, rest, file="log")


@pytest.mark.parametrize("policy", ["greedy", "builder", "random"])
@pytest.mark.parametrize("style", STYLES)
def test_simulator_and_referee_agree(style: str, policy: str) -> None:
    for match in range(2):
        lines = [json.loads(line) for line in log_text(style, policy, match).splitlines()]
        found = judged(lines, style)
        assert found.broken is None
        assert found.steps == len(lines) - 2
        assert found.over == lines[-1]["end"]
        assert found.points == lines[-1]["points"]


def replace_move(lines: Lines, at: int, **fields: Any) -> None:
    """Put another move of the same player in a line."""
    lines[at] = {"step": lines[at]["step"], "player": lines[at]["player"], **fields}


# Mutations: each makes the chosen line illegal, or returns None where it cannot


def other_player(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    lines[at]["player"] = lines[at]["player"] % 3 + 1
    del draws
    return lines, at + 1, {"RW-A02", "RW-T05"}


def low_bid(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    if lines[at]["move"] != "bid":
        return None
    lines[at]["amount"] = draws.choice([0, 500, 999, lines[at]["amount"] - 1])
    return lines, at + 1, {"RW-A01"}


def wrong_phase(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    is_bid = lines[at]["move"] in ("bid", "pass")
    replace_move(lines, at, move=draws.choice(["engine", "rest"]) if is_bid else "pass")
    return lines, at + 1, {"RW-T01"}


def wrong_result(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    key = draws.choice(["cash", "points", "bonds", "engine"])
    stated = lines[at]["then"].get(key)
    if not stated:
        return None
    ident = draws.choice(sorted(stated))
    stated[ident] += draws.choice([-1, 1])
    rows = {
        "cash": {"RW-I01", "RW-A03", "RW-A05", "RW-B03", "RW-E01", "RW-E02", "RW-M02", "RW-K01"},
        "points": {"RW-D06", "RW-Z06"},
        "bonds": {"RW-I03"},
        "engine": {"RW-E02"},
    }
    return lines, at + 1, rows[key]


def wrong_marker(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    stated = lines[at]["then"].get("marked")
    if not stated:
        return None
    ident = draws.choice(sorted(stated))
    stated[ident] = not stated[ident]
    return lines, at + 1, {"RW-Z01", "RW-Z04"}


def wrong_colours(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    stated = lines[at]["then"].get("takes")
    if not stated or lines[at]["move"] != "deliver":
        return None
    del draws
    stated[min(stated)] = []
    return lines, at + 1, {"RW-R03"}


def wrong_order(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    stated = lines[at]["then"].get("order")
    if not stated:
        return None
    place = draws.choice(sorted(stated))
    stated[place] = stated[place] % 3 + 1
    return lines, at + 1, {"RW-T05", "RW-A06", "RW-A08"}


def long_track(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    if lines[at]["move"] != "build":
        return None
    lines[at]["way"] = draws.choice(
        [["2-2", "3-2", "4-2", "5-3", "6-3", "7-4"], lines[at]["way"][:1], ["2-2", "3-2", "4-2", "5-3", "6-3", "7-3"]]
    )
    return lines, at + 1, {"RW-B01"}


def broken_track(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    if lines[at]["move"] != "build":
        return None
    lines[at]["way"] = draws.choice([["2-2", "9-5"], ["8-6", "9-6"], ["4-4", "2-2"]])
    if len(lines[at]["way"]) == 2 and lines[at]["way"][1] == "2-2":
        return lines, at + 1, {"RW-B01"}
    return lines, at + 1, {"RW-B02"}


def wrong_cube(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    if lines[at]["move"] != "deliver":
        return None
    del draws
    lines[at]["city"] = "birch" if lines[at]["way"][0] == "alder" else "alder"
    return lines, at + 1, {"RW-D01"}


def wrong_owner(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    if lines[at]["move"] != "deliver":
        return None
    place = draws.randrange(len(lines[at]["owners"]))
    lines[at]["owners"][place] = 0
    return lines, at + 1, {"RW-D06", "RW-D05"}


def no_arrival(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    if lines[at]["move"] != "deliver":
        return None
    del draws
    lines[at]["way"] = lines[at]["way"][:1]
    lines[at]["owners"] = []
    return lines, at + 1, {"RW-D03"}


def long_delivery(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    if lines[at]["move"] != "deliver":
        return None
    del draws
    lines[at]["way"] *= 9
    return lines, at + 1, {"RW-D02"}


def wrong_city(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    rows = {"urbanize": "RW-E01", "mine": "RW-M03"}
    if lines[at]["move"] not in rows:
        return None
    lines[at]["city"] = draws.choice(["alder", "birch", "elm"])
    return lines, at + 1, {rows[lines[at]["move"]]}


def wrong_draws(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    if lines[at]["move"] not in ("urbanize", "mine", "card") or not lines[at].get("drawn"):
        return None
    lines[at]["drawn"] = draws.choice([[], lines[at]["drawn"] * 4])
    return lines, at + 1, {"RW-E01", "RW-M04", "RW-K01", "RW-K02"}


def awarded_card(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    if lines[at]["move"] in ("bid", "pass"):
        return None
    del draws
    replace_move(lines, at, move="card", card="welcome-band")
    return lines, at + 1, {"RW-K01"}


def unkept_card(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    if lines[at]["move"] in ("bid", "pass"):
        return None
    del draws
    replace_move(lines, at, move="use", card="share-issue")
    return lines, at + 1, {"RW-K01"}


def paid_bond(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    if lines[at]["move"] in ("bid", "pass"):
        return None
    del draws
    replace_move(lines, at, move="repay")
    return lines, at + 1, {"RW-I03"}


def step_twice(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    del draws
    if lines[at + 1].get("player") == lines[at]["player"]:
        return None
    lines.insert(at, copy.deepcopy(lines[at]))
    for number, line in enumerate(lines[1:-1], start=1):
        line["step"] = number
    return lines, at + 2, {"RW-A02", "RW-T05", "RW-T01", "RW-Z03"}


def step_after_end(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    del at, draws
    if not lines[-1]["end"]:
        return None
    lines.insert(len(lines) - 1, {"player": 1, "move": "rest"})
    return lines, len(lines) - 1, {"RW-Z03"}


def early_end(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    del draws
    return [*lines[:at], {"end": True}], at + 1, {"RW-Z03"}


def wrong_end(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    del at
    lines[-1]["points"][draws.choice("123")] += 1
    return lines, len(lines), {"RW-Z06"}


def wrong_setup(lines: Lines, at: int, draws: random.Random) -> Mutation | None:
    del at
    setup = lines[0]["setup"]
    match draws.randrange(3):
        case 0:
            setup["cubes"]["elm"].append("red")
            return lines, 1, {"RW-C06"}
        case 1:
            setup["cards"].pop()
            return lines, 1, {"RW-K01"}
        case _:
            setup["barons"][0] = setup["barons"][1]
            return lines, 1, {"RW-K03"}


MUTATIONS: tuple[Callable[[Lines, int, random.Random], Mutation | None], ...] = (
    other_player, low_bid, wrong_phase, wrong_result, wrong_marker, wrong_colours, wrong_order, long_track,
    broken_track, wrong_cube, wrong_owner, no_arrival, long_delivery, wrong_city, wrong_draws, awarded_card,
    unkept_card, paid_bond, step_twice, step_after_end, early_end, wrong_end, wrong_setup,
)  # fmt: skip


def mutated(draws: random.Random) -> tuple[str, str, Mutation]:
    """Return the style of a log, the name of its mutation, and the mutated log."""
    while True:
        style, policy = draws.choice(STYLES), draws.choice(["greedy", "random"])
        lines = [json.loads(line) for line in log_text(style, policy, draws.randrange(2)).splitlines()]
        mutate = draws.choice(MUTATIONS)
        found = mutate(lines, draws.randrange(1, len(lines) - 1), draws)
        if found is not None:
            return style, mutate.__name__, found


def refuse_mutations(seed: int, count: int) -> set[str]:
    """Check that the referee refuses mutated logs at their first illegal line; return the mutations that came."""
    draws, names = random.Random(seed), set[str]()  # noqa: S311 - mutations
    for number in range(count):
        style, name, (lines, line, rows) = mutated(draws)
        broken = judged(lines, style).broken
        assert broken is not None, (number, style, name, line)
        assert (broken.line, broken.rule in rows) == (line, True), (number, style, name, line, rows, broken)
        names.add(name)
    return names


def test_mutated_logs_are_refused_at_the_first_illegal_step() -> None:
    """60 logs, or 1,000 with --long."""
    assert len(refuse_mutations(1, 1000 if is_long() else 60)) > 15


# The reader


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty"),
        ("[1]", "log:1: the line holds"),
        ('{"format": "mapkit/hex-game-log", "board": "x", "players": ["a"], "setup": {"cubes": {}}}\n{', "log:2"),
        ('{"format": "mapkit/match"}', "log:1: format"),
    ],
)
def test_what_is_no_log_is_refused(text: str, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        read_log(text, HexLogHead, file="log")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"move": "fly"}, "move is 'fly'; write one of bid, pass"),
        ({"player": "A"}, "player is 'A'"),
        ({"move": "build", "way": ["0-0"]}, "way is"),
        ({"move": "build", "way": "2-2"}, "way is '2-2'"),
        ({"move": "bid"}, "amount is missing"),
        ({"move": "urbanize", "city": "rome", "colour": "red"}, "city is 'rome'"),
        ({"move": "urbanize", "city": "cedar", "colour": "pink"}, "colour is 'pink'"),
        ({"drawn": [["red"]]}, "drawn is"),
        ({"then": []}, "then is"),
        ({"then": {"gold": {}}}, "then is"),
        ({"then": {"cash": {"9": 1}}}, "cash is '9'"),
    ],
)
def test_strangers_in_a_log_are_refused(change: dict[str, Any], said: str) -> None:
    lines = [json.loads(line) for line in log_text("traditional", "greedy", 0).splitlines()]
    lines[1] |= change
    with pytest.raises(SourceError, match="log:2: ") as error:
        judged(lines, "traditional")
    assert said in str(error.value)


def test_a_log_goes_from_replay_to_referee(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("playtest", "replay", "portugal-hex", "--players", "2", "--out", "game.jsonl").code == 0
    legal = run("referee", "game.jsonl")
    assert (legal.code, "all legal" in legal.out) == (0, True)
    lines = Path("game.jsonl").read_text(encoding="utf-8").splitlines()
    lines[3] = lines[3].replace('"player": ', '"player": 1')
    Path("game.jsonl").write_text("\n".join(lines), encoding="utf-8")
    illegal = run("referee", "game.jsonl")
    assert (illegal.code, illegal.out.startswith("game.jsonl:4: ")) == (1, True)
