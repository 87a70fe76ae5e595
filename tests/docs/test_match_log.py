"""The page on logs of matches: its example is legal, its grammar fits what is played, its table has every step."""

import re
from pathlib import Path
from typing import get_args

import pytest
from conftest import REPOSITORY
from hypothesis import given, settings
from hypothesis import strategies as st
from matches import board_with, log_of, quick
from sampling import examples
from walking import check_output, shown_in

from mapkit.kinds.rail.model.match import Does

PAGE = (REPOSITORY / "docs" / "match-log.md").read_text(encoding="utf-8")


def fenced(language: str) -> str:
    return PAGE.partition(f"```{language}\n")[2].partition("```")[0]


def grammar() -> re.Pattern[str]:
    """Return the grammar as a pattern of names of steps, each with a space after it."""
    rules = dict(line.split("=", 1) for line in fenced("ebnf").splitlines())
    bodies = {name.strip(): body.split() for name, body in rules.items()}
    signs = {"[": "(?:", "]": ")?", "{": "(?:", "}": ")*", "(": "(?:", ")": ")", "|": "|"}

    def pattern(name: str) -> str:
        if name in signs:
            return signs[name]
        if name not in bodies:
            assert name in get_args(Does), name
            return f"(?:{name} )"
        return f"(?:{''.join(map(pattern, bodies[name]))})"

    return re.compile(pattern("match"))


@pytest.mark.parametrize("preset", ["ah", "ici", "ah-faq"])
@settings(max_examples=examples(40))
@given(seed=st.integers(0, 10**6), players=st.integers(2, 4), policy=st.sampled_from(["balanced", "random"]))
def test_the_grammar_fits_what_is_played(preset: str, seed: int, players: int, policy: str) -> None:
    rules = quick(preset=preset, options={"opening_auctions": bool(seed % 2)}, fees={"opponent": 9_000})
    _, events = log_of(board_with(rules), players=players, policies=(policy,), seed=seed)
    assert grammar().fullmatch("".join(f"{event.does} " for event in events))


def test_the_table_has_every_step() -> None:
    table = PAGE.partition("## Fields of the steps")[2].partition("## Example")[0]
    heads = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert {name for head in heads for name in re.findall(r"`([a-z-]+)`", head)} | {"fees-rise", "fees-fall"} == set(
        get_args(Does)
    )


def test_the_example_is_legal(tmp_path: Path) -> None:
    (tmp_path / "match.jsonl").write_text(fenced("jsonl"), encoding="utf-8")
    for command, out in shown_in("match-log.md"):
        check_output(command, out, tmp_path)
