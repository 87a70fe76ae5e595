"""The pages on logs: their examples are legal, their grammars fit what is played, their tables have every step."""

import re
from collections.abc import Collection
from pathlib import Path
from typing import get_args

import pytest
from cardgames import terms
from conftest import REPOSITORY
from hypothesis import given, settings
from hypothesis import strategies as st
from matches import board_with, log_of, quick
from sampling import examples
from walking import check_output, shown_in

import mapkit
from mapkit.kinds.cards.playing.log import FIELDS, log_lines
from mapkit.kinds.rail.model.match import Does

PAGE = (REPOSITORY / "docs" / "how-to" / "match-log.md").read_text(encoding="utf-8")
GAMES = ("barons", "caminhos")
CARDS = (REPOSITORY / "docs" / "how-to" / "cards.md").read_text(encoding="utf-8")


def fenced(language: str, page: str = PAGE) -> str:
    return page.partition(f"```{language}\n")[2].partition("```")[0]


def grammar(page: str = PAGE, first: str = "match", steps: Collection[str] = get_args(Does)) -> re.Pattern[str]:
    """Return the grammar as a pattern of names of steps, each with a space after it."""
    rules = dict(line.split("=", 1) for line in fenced("ebnf", page).splitlines())
    bodies = {name.strip(): body.split() for name, body in rules.items()}
    signs = {"[": "(?:", "]": ")?", "{": "(?:", "}": ")*", "(": "(?:", ")": ")", "|": "|"}

    def pattern(name: str) -> str:
        if name in signs:
            return signs[name]
        if name not in bodies:
            assert name in steps, name
            return f"(?:{name} )"
        return f"(?:{''.join(map(pattern, bodies[name]))})"

    return re.compile(pattern(first))


@pytest.mark.parametrize("preset", ["ah", "ici", "ah-faq"])
@settings(max_examples=examples(40))
@given(seed=st.integers(0, 10**6), players=st.integers(2, 4), policy=st.sampled_from(["balanced", "random"]))
def test_the_grammar_fits_what_is_played(preset: str, seed: int, players: int, policy: str) -> None:
    rules = quick(preset=preset, options={"opening_auctions": bool(seed % 2)}, fees={"opponent": 9_000})
    _, events = log_of(board_with(rules), players=players, policies=(policy,), seed=seed)
    assert grammar().fullmatch("".join(f"{event.does} " for event in events))


def test_the_table_has_every_step() -> None:
    table = PAGE.partition("## Fields of the steps")[2].partition("## A turn")[0]
    heads = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert {name for head in heads for name in re.findall(r"`([a-z-]+)`", head)} | {"fees-rise", "fees-fall"} == set(
        get_args(Does)
    )


def test_the_example_is_legal(tmp_path: Path) -> None:
    for name, block in zip(("match", "people"), PAGE.split("```jsonl\n")[1:], strict=True):
        (tmp_path / f"{name}.jsonl").write_text(block.partition("```")[0], encoding="utf-8")
    for command, out in shown_in("how-to/match-log.md"):
        check_output(command, out, tmp_path)


@settings(max_examples=examples(8))
@given(seed=st.integers(0, 10**6), policy=st.sampled_from(["greedy", "random"]), name=st.sampled_from(GAMES))
def test_the_grammar_of_cards_fits_what_is_played(seed: int, policy: str, name: str) -> None:
    lines = list(log_lines(terms(name), (policy, "random"), seed, 0))
    moves = "".join(f"{line['move']} " for line in lines[1:-1])
    assert grammar(CARDS, "game", FIELDS).fullmatch(moves)
    assert set(lines[-1]) == {"end", "worth"}


def test_the_table_of_cards_has_every_move_and_its_fields() -> None:
    section = CARDS.partition("## Logs")[2].partition("## Referee")[0]
    rows = [line.split("|")[1:3] for line in section.splitlines() if line.startswith("| `")]
    code = [[re.findall(r"`([a-z-]+)`", cell) for cell in row] for row in rows]
    assert {move: fields for moves, fields in code for move in moves} == {
        move: [name for name, _ in fields] for move, fields in FIELDS.items()
    }


def test_the_example_of_cards_is_legal(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    log.write_text(fenced("jsonl", CARDS), encoding="utf-8")
    found = mapkit.referee(log, workspace=REPOSITORY)
    assert (found.steps, found.over, found.broken) == (3, False, None)
