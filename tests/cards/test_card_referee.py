"""The referee of card games: it accepts what players do, and names what was changed in a log."""

import json
import random
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cardgames import changed, terms
from conftest import Run
from hypothesis import given, settings
from hypothesis import strategies as st

import mapkit
from mapkit.core.errors import MapkitError, SourceError
from mapkit.kinds.cards.playing.log import log_lines
from mapkit.kinds.cards.playing.terms import CardTerms
from mapkit.kinds.cards.refereeing.judging import CardJudgement, judge
from mapkit.kinds.cards.rules.book import card_rows

pytestmark = pytest.mark.slow

Line = dict[str, Any]
RULES: dict[str, Callable[[], CardTerms]] = {
    "as published": terms,
    "caminhos": lambda: terms("caminhos"),
    "only 8b": lambda: terms("barons", "only-8b"),
    "abilities": lambda: changed("disputes", abilities="listed"),
    "pair": lambda: changed("disputes", end="pair"),
    "all drafted": lambda: changed("disputes", fifth_investor="drafted"),
    "higher level": lambda: changed("disputes", removed="higher"),
    "initial value": lambda: changed("disputes", capital="initial"),
    "help": lambda: changed("disputes", help_needs_operator=False),
    "face values": lambda: changed("setup", bids="face"),
    "no draft": lambda: changed("setup", drafted=0),
    "three certificates": lambda: changed("limits", certificates=3),
    "bank of forty": lambda: changed("limits", bank_stock=40),
    "half a holding": lambda: changed("limits", player_stock=50),
    "long rounds": lambda: changed("rounds", stock=2, operating=3),
    "nothing removed": lambda: changed("rounds", removes_top=False),
    "dear start": lambda: changed("market", sold_to_operate=70, seller_down=2, dividend_up=2),
}


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(RULES)),
    st.sampled_from([("random", "random"), ("random", "greedy"), ("greedy", "greedy")]),
    st.integers(0, 10**6),
)
def test_what_players_do_is_legal(rules: str, players: tuple[str, str], seed: int) -> None:
    lines = list(log_lines(RULES[rules](), players, seed, 0))
    found = judge(RULES[rules](), lines[1:], file="log")
    assert found.broken is None
    assert found.steps == len(lines) - 2
    assert found.over == lines[-1]["end"]
    assert found.worth == lines[-1]["worth"]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(RULES)), st.data(), st.integers(0, 10**6))
def test_a_change_is_refused_with_a_row_and_not_before_it(rules: str, data: st.DataObject, seed: int) -> None:
    lines = list(log_lines(RULES[rules](), ("random", "random"), seed, 0))[1:-1]
    told = [{key: value for key, value in line.items() if key not in ("step", "then")} for line in lines]
    end = data.draw(st.integers(0, len(lines)))
    assert judge(RULES[rules](), told[:end], file="log").broken is None
    at = data.draw(st.integers(0, len(lines) - 1))
    other = told[data.draw(st.integers(0, len(lines) - 1))] | {"player": data.draw(st.sampled_from("AB"))}
    put = data.draw(st.lists(st.sampled_from((told[at], other)), max_size=2))
    changed_log = [*told[:at], *put, *told[at + data.draw(st.integers(0, 2)) :]]
    broken = judge(RULES[rules](), changed_log, file="log").broken
    if broken is not None:
        assert broken.line >= at + 2
        assert broken.rule in {row.id for row in card_rows().rows}


@cache
def game(name: str, seed: int) -> tuple[Line, ...]:
    players = ("greedy", "greedy") if seed % 2 else ("random", "random")
    return tuple(log_lines(terms(name), players, seed, seed))[1:]


def any_of(lines: list[Line], move: str, draws: random.Random, fits: Callable[[Line], bool] = bool) -> int:
    """Return a step of this kind, or -1."""
    found = [row for row, line in enumerate(lines) if line.get("move") == move and fits(line)]
    return draws.choice(found) if found else -1


def with_result(lines: list[Line], key: str, draws: random.Random) -> int:
    """Return a step that says a result of this kind, or -1."""
    found = [row for row, line in enumerate(lines) if key in line.get("then", {})]
    return draws.choice(found) if found else -1


def renumbered(lines: list[Line]) -> None:
    for number, line in enumerate((one for one in lines if "move" in one), start=1):
        line["step"] = number
        line.pop("then", None)


def out_of_turn(lines: list[Line], draws: random.Random) -> int:
    row = draws.randrange(len(lines) - 1)
    lines[row]["player"] = "B" if lines[row]["player"] == "A" else "A"
    return row


def left_out(lines: list[Line], draws: random.Random) -> int:
    row = any_of(lines, "place", draws)
    del lines[row]
    renumbered(lines)
    return row


def not_numbered(lines: list[Line], draws: random.Random) -> int:
    row = draws.randrange(1, len(lines) - 1)
    lines[row]["step"] += 1
    return row


def wrong(key: str) -> Callable[[list[Line], random.Random], int]:
    def change(lines: list[Line], draws: random.Random) -> int:
        row = with_result(lines, key, draws)
        if row >= 0:
            results = lines[row]["then"][key]
            ident = draws.choice(sorted(results))
            results[ident] = results[ident] + 10 if isinstance(results[ident], int) else _another(results[ident])
        return row

    return change


def _another(value: Any) -> Any:
    if isinstance(value, list):
        return [*value, "a-2", "minho-2"]
    return {"A": "B", "B": "A", "bank": "A"}[value]


def at_no_start(lines: list[Line], draws: random.Random) -> int:
    row = any_of(lines, "start", draws)
    lines[row]["at"] = 350 if lines[row]["at"] != 350 else 75
    return row


def twice_drafted(lines: list[Line], draws: random.Random) -> int:
    rows = [row for row, line in enumerate(lines) if line.get("move") == "offer"]
    lines[rows[-1]]["investor"] = lines[rows[0]]["investor"]
    return rows[-1] if len(rows) > 1 and draws else -1


def bought_from_a_player(lines: list[Line], draws: random.Random) -> int:
    row = any_of(lines, "buy", draws)
    if row >= 0:
        lines.insert(row + 1, deepcopy(lines[row]) | {"player": "B" if lines[row]["player"] == "A" else "A"})
        renumbered(lines)
    return row + 1 if row >= 0 else -1


def below_the_top(lines: list[Line], draws: random.Random) -> int:
    row = any_of(lines, "railroad", draws, lambda line: line["face"] not in ("h-6", "norte-6"))
    if row >= 0:
        lines[row]["face"] = "h-6" if lines[row]["face"] in {side.id for side in terms().sides} else "norte-6"
    return row


def too_many_operators(lines: list[Line], draws: random.Random) -> int:
    row = any_of(lines, "place", draws)
    lines[row]["plus"] = 7
    return row


def too_fast_to_the_network(lines: list[Line], draws: random.Random) -> int:
    row = any_of(lines, "place", draws)
    lines[row]["network"] = 2
    return row


def passed_after_a_sale(lines: list[Line], draws: random.Random) -> int:
    row = any_of(lines, "done", draws)
    if row >= 0:
        lines[row]["move"] = "pass"
    return row


def ended_without_a_sale(lines: list[Line], draws: random.Random) -> int:
    row = any_of(lines, "pass", draws)
    lines[row]["move"] = "done"
    return row


def sold_what_somebody_else_has(lines: list[Line], draws: random.Random) -> int:
    row = any_of(lines, "sell", draws)
    if row >= 0:
        lines.insert(row + 1, deepcopy(lines[row]))
        renumbered(lines)
    return row + 1 if row >= 0 else -1


def other_dividend(lines: list[Line], draws: random.Random) -> int:
    row = any_of(lines, "pay", draws, lambda line: "cash" in line["then"])
    if row >= 0:
        lines[row]["move"] = "withhold"
    return row


def end_too_soon(lines: list[Line], draws: random.Random) -> int:
    row = draws.randrange(10, len(lines) // 2)
    lines[row:] = [{"end": True, "worth": {}}]
    return row


def going_on_after_the_end(lines: list[Line], draws: random.Random) -> int:
    last = len(lines) - 1
    lines.insert(last, {"step": len(lines), "player": draws.choice("AB"), "move": "pass"})
    return last if lines[-1]["end"] else -1


def wrong_worth(lines: list[Line], draws: random.Random) -> int:
    lines[-1]["worth"][draws.choice("AB")] += 5
    return len(lines) - 1


CHANGES: dict[Callable[[list[Line], random.Random], int], set[str]] = {
    out_of_turn: {"BA-S03", "BA-S01", "BA-C28", "BA-R03", "BA-O01", "BA-O07", "BA-O12", "BA-O18"},
    left_out: {"BA-O01", "BA-O07"},
    not_numbered: {""},
    at_no_start: {"BA-B09"},
    twice_drafted: {"BA-S01"},
    bought_from_a_player: {"BA-B01"},
    below_the_top: {"BA-O11"},
    too_many_operators: {"BA-O02"},
    too_fast_to_the_network: {"BA-O05"},
    passed_after_a_sale: {"BA-R03"},
    ended_without_a_sale: {"BA-R03"},
    sold_what_somebody_else_has: {"BA-L01", "BA-R03"},
    other_dividend: {"BA-M02"},
    end_too_soon: {"BA-R06"},
    going_on_after_the_end: {"BA-R06"},
    wrong_worth: {"BA-R07"},
    wrong("cash"): {"BA-M02"},
    wrong("till"): {"BA-M02"},
    wrong("value"): {"BA-L06", "BA-B09", "BA-O08"},
    wrong("director"): {"BA-D01"},
    wrong("holder"): {"BA-D04"},
    wrong("railroads"): {"BA-X01", "BA-M09"},
}


@pytest.mark.parametrize("number", range(len(CHANGES)), ids=[f"{n}-{one.__name__}" for n, one in enumerate(CHANGES)])
def test_a_changed_log_is_caught_where_it_was_changed(number: int) -> None:
    change, rows = list(CHANGES.items())[number]
    caught = 0
    for name in ("barons", "caminhos"):
        for seed in range(6):
            lines = deepcopy(list(game(name, seed)))
            row = change(lines, random.Random(seed))  # noqa: S311 - seeded
            if row < 0:
                continue
            found = judge(terms(name), lines, file="log").broken
            assert found is not None, (name, seed, row, lines[row])
            assert (found.line, found.rule in rows) == (row + 2, True), (found, lines[row])
            caught += 1
    assert caught >= 2


def test_the_limit_of_certificates_is_kept() -> None:
    """BA-B08, BA-D06, BA-M04, BA-M05: what is legal by the published rules is not where limits are narrower."""
    found = {
        judge(narrow, list(game("barons", seed)), file="log").broken.rule  # type: ignore[union-attr]
        for narrow in (changed("limits", certificates=2), changed("limits", player_stock=40))
        for seed in range(6)
    }
    assert {"BA-B08", "BA-M04"} <= found


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(path: Path, lines: list[Line]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_the_command_judges_a_log(here: Path, run: Run) -> None:
    how = ("--policy", "greedy", "--set", "setup.bids=face", "--variant", "only-8a", "-o", "game.jsonl")
    assert run("playtest", "replay", "barons", *how).code == 0
    found = run("referee", "game.jsonl")
    assert found.code == 0, found.err
    assert ": all legal; A has $" in found.out
    lines = [json.loads(line) for line in (here / "game.jsonl").read_text(encoding="utf-8").splitlines()]
    lines[5]["player"] = "B" if lines[5]["player"] == "A" else "A"
    written(here / "game.jsonl", lines)
    found = run("referee", "game.jsonl", "--board", "barons", "--variant", "only-8a")
    assert found.code == 1
    assert found.out.startswith("game.jsonl:6: ")
    data = CardJudgement.model_validate_json(run("referee", "game.jsonl", "--json").out)
    assert data == mapkit.referee("game.jsonl")
    assert data.steps == 4


@pytest.mark.parametrize(
    ("row", "change", "says"),
    [
        (0, {"format": "chess"}, r"log.jsonl:1: format is 'chess'"),
        (
            0,
            {"rules": {"setup": {"cash": -1}}},
            r"log.jsonl:1: rules.setup.cash is -1; write 0 or more|rules.setup.cash",
        ),
        (3, {"player": "C"}, r"log.jsonl:4: player is 'C'; write A or B"),
        (3, {"move": "jump"}, r"log.jsonl:4: move is 'jump'; write one of offer"),
        (3, {"move": "buy"}, r"log.jsonl:4: certificate is missing; write the id of a certificate"),
        (3, {"move": "buy", "certificate": ["x"]}, r"log.jsonl:4: certificate is \['x'\]; write the id"),
        (3, {"step": 1.5}, r"log.jsonl:4: step is 1.5; write a whole number"),
        (3, {"move": "place", "network": True, "plus": 1}, r"log.jsonl:4: network is True; write a whole number"),
        (3, {"then": {"cash": {"A": -1}}}, r"log.jsonl:4: cash.A is -1; write what it is after the step"),
        (3, {"then": {"holder": {"nobody": "A"}}}, r"log.jsonl:4: holder is 'nobody'; write the id of a certificate"),
        (3, {"then": []}, r"log.jsonl:4: then is \[\]; write an object"),
        (3, {"end": 1}, r"log.jsonl:4: end is 1; write true or false"),
    ],
)
def test_a_damaged_log_says_where(row: int, change: Line, says: str, here: Path) -> None:
    lines = deepcopy(list(log_lines(terms(), ("random", "random"), 1, 1)))
    lines[row] |= change
    written(here / "log.jsonl", lines)
    with pytest.raises(SourceError, match=says):
        mapkit.referee("log.jsonl", board="barons")


def test_what_is_no_log_is_refused(here: Path) -> None:
    for text, says in (
        ("", "log.jsonl:1: the file is empty"),
        ("{}\n", "log.jsonl:1"),
        ("[1]\n", r"the line holds \[1\]; write an object"),
        ("{" * 500 + "\n", "log.jsonl:1"),
        ('{"a": "' + "x" * 200_000 + '"}\n', "the line has 200,009 characters"),
    ):
        (here / "log.jsonl").write_text(text, encoding="utf-8")
        with pytest.raises(SourceError, match=says):
            mapkit.referee("log.jsonl", board="barons")
    written(here / "log.jsonl", list(log_lines(terms(), ("random", "random"), 1, 1)))
    with pytest.raises(MapkitError, match="it is of the game 'barons', and this is 'caminhos'"):
        mapkit.referee("log.jsonl", board="caminhos")
