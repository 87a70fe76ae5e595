"""Logs of people and other programs: what may be left out, and the first contradiction."""

import json
from pathlib import Path

import pytest
from conftest import Run
from matches import board_with, log_of, quick

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead
from mapkit.kinds.rail.refereeing.judging import judge
from mapkit.kinds.rail.refereeing.lenient import DERIVED, write_ids
from mapkit.kinds.rail.refereeing.log import Judgement, parse_log

MONEY = {"buys", "engine", "arrives", "pays-bank", "pays-fee"}
LEFT_OUT = {"picked", "alternate", "bonus", "total", "amount", "segment", "cash", "railroad"}
"""Fields that follow from others, but for purchases and sales."""


def thinned(events: list[MatchEvent]) -> list[dict[str, object]]:
    """Return the steps of a legal log without what follows from others, and with routes in place of segments."""
    rows: list[dict[str, object]] = []
    for event in events:
        row = event.model_dump(exclude_none=True)
        if event.does in DERIVED - {"region", "auctioned", "passes"}:
            continue
        if event.does == "rides":
            stop = [event.railroad, event.milepost]
            last = rows[-1]
            if last["does"] == "rides" and last["player"] == event.player:
                last["route"] = [*last["route"], *stop]  # type: ignore[misc] # a list
            else:
                rows.append({"does": "rides", "player": event.player, "route": stop})
            continue
        if event.does not in ("buys", "sells-back", "bids", "passes", "auctioned", "given", "no-bid"):
            row = {key: value for key, value in row.items() if key not in LEFT_OUT}
        rows.append(row)
    return rows


def judged(board: Board, head: MatchHead, rows: list[dict[str, object]]) -> Judgement:
    text = "\n".join([head.model_dump_json(), *(json.dumps(row) for row in rows)])
    head, events = parse_log(write_ids(text, board, file="x.jsonl"), file="x.jsonl")
    return judge(board, head, events, file="x.jsonl", lenient=True)


@pytest.mark.parametrize("seed", range(12))
def test_what_follows_from_the_rest_may_be_left_out(seed: int) -> None:
    board = board_with(quick(options={"opening_auctions": bool(seed % 2)}, setup={"same_home": "reroll"}))
    head, events = log_of(board, players=2 + seed % 3, policies=("balanced",), seed=seed)
    strict = judge(board, head, events, file="x.jsonl")
    found = judged(board, head, thinned(events))
    assert strict.broken is None
    assert (found.broken, found.winner, found.turns) == (None, strict.winner, strict.turns)
    assert found.events < len(events)


TINY_HEAD: dict[str, object] = {"board": "tiny", "rules": {"preset": "ici"}, "players": ["Ann", "Ben"]}
TURN: list[dict[str, object]] = [
    {"does": "home", "player": "Ann", "city": "Boston", "dice": [1, 2], "coloured": [1]},
    {"does": "home", "player": "Ben", "city": "New Haven"},
    {"does": "destination", "player": "Ann", "city": "Springfield", "note": "long trip"},
    {"does": "rolls", "player": "Ann", "dice": [6, 6]},
    {"does": "rides", "player": "Ann", "route": ["Cross", "Springfield"]},
    {"does": "buys", "player": "Ann", "railroad": "cross", "cash": 18_000},
    {"does": "destination", "player": "Ann", "city": "Boston"},
    {"does": "bonus", "player": "Ann", "total": 1},
    {"does": "rides", "player": "Ann", "city": "Boston"},
    {"does": "destination", "player": "Ben", "city": "New Haven", "cash": 20_000},
    {"does": "rolls", "player": "Ann", "dice": [1, 2], "cash": 17_000},
]  # fmt: skip


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    """Return a workspace with the board of `mapkit new tiny`."""
    monkeypatch.chdir(tmp_path)
    assert run("new", "tiny").code == 0
    return tmp_path


def written(folder: Path, *changes: tuple[int, dict[str, object] | None]) -> str:
    """Write a log of a turn with lines exchanged, or left out, and return its name."""
    lines: dict[int, dict[str, object] | None] = {**dict(enumerate((TINY_HEAD, *TURN), start=1)), **dict(changes)}
    text = "\n".join(json.dumps(row) for row in lines.values() if row is not None)
    (folder / "people.jsonl").write_text(text, encoding="utf-8")
    return "people.jsonl"


def test_a_log_of_people_is_judged(tiny: Path, run: Run) -> None:
    found = run("referee", written(tiny), "--lenient")
    assert found.code == 0, found.err
    assert "all legal" in found.out
    assert run("referee", written(tiny)).code == 1


@pytest.mark.parametrize(
    ("line", "row", "says", "rule"),
    [
        (6, {"does": "rides", "player": "Ann", "route": ["Shore", "Springfield"]}, "no way", "RB-M05"),
        (7, {"does": "buys", "player": "Ann", "railroad": "cross", "amount": 5_000}, "cross costs 6,000", "RB-C12"),
        (7, {"does": "buys", "player": "Ann", "railroad": "cross", "cash": 19_000}, "18,000 then, not 19", "RB-P01"),
        (10, None, "1 mileposts of the roll are left", "RB-M11"),
        (12, {"does": "rolls", "player": "Ann", "dice": [1, 2], "cash": 18_000}, "pays-bank", "RB-F02"),
        (12, {"does": "rolls", "player": "Ben", "dice": [1, 2]}, "'turn' of player 1", "RB-S05"),
        (3, {"does": "home", "player": "Ben", "city": "Albany", "dice": [1, 1], "coloured": [1]}, "dice", "RB-D01"),
        (5, {"does": "rolls", "player": "Ann", "dice": [6, 6], "bonus": False}, "earns a bonus", "RB-B01"),
    ],
)  # fmt: skip
def test_the_first_contradiction_is_named(
    tiny: Path, run: Run, line: int, row: dict[str, object] | None, says: str, rule: str
) -> None:
    found = run("--verbose", "referee", written(tiny, (line, row)), "--lenient")
    assert found.code == 1
    assert f"people.jsonl:{line}:" in found.out + found.err
    assert says in found.out + found.err
    assert f"({rule})" in found.out + found.err


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"does": "home", "player": "Bob", "city": "Boston"}, "no player is called 'Bob'; the head names Ann, Ben"),
        (
            {"does": "home", "player": "Ann", "city": "Bosten"},
            "the board has no city 'Bosten' (did you mean 'boston'?)",
        ),
    ],
)
def test_unknown_names_are_refused(tiny: Path, run: Run, row: dict[str, object], says: str) -> None:
    found = run("referee", written(tiny, (2, row)), "--lenient")
    assert found.code == 1
    assert f"people.jsonl:2: {says}" in found.out + found.err


@pytest.mark.parametrize("players", [5, None, "Ann", {}])
def test_a_head_without_a_list_of_players_is_refused(tiny: Path, run: Run, players: object) -> None:
    found = run("referee", written(tiny, (1, {**TINY_HEAD, "players": players})), "--lenient")
    assert found.code == 1
    assert "people.jsonl:" in found.out + found.err


def test_cards_have_no_lenient_mode(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "x.jsonl"
    log.write_text('{"format":"mapkit/card-match"}\n', encoding="utf-8")
    found = run("referee", str(log), "--lenient", "--board", "barons")
    assert found.code == 2
    assert "--lenient is for games on railroad boards" in found.out + found.err
