"""Cures of messages and findings work: what they name exists, and a fault goes when its cure is followed."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from code_measures import nodes
from conftest import REPOSITORY, Run
from edited import Json, small_board
from pydantic import BaseModel

import mapkit
from mapkit.cli.app import app
from mapkit.console.commands import NotChosen, NotLoaded
from mapkit.kinds.cards.rules.settings import CardRules
from mapkit.kinds.hex.rules.settings import HexRules
from mapkit.kinds.registry import get_kind, kind_names

WORD = r"(?:[a-z][a-z-]*|…|[A-Z]+|[\d.]+|--[a-z][a-z-]*)"
PROGRAM = re.compile(rf"\bmapkit ({WORD}(?: {WORD})*)")
OPTION = re.compile(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*(?![\w…:-])")
FOREIGN = {"--board-width"}
"""A property of CSS."""
COMMAND_OF_DO = re.compile(r"(?:\b(?:use|by|with)|;) ([a-z]+(?:-[a-z]+)+)\b(?: (?:with|by) `([a-z_]+)`)?")
SETTING = re.compile(r"\b(setup|fees|winning|information|two_players|group_purchase|movement|auction)\.([a-z_]+)")


@cache
def texts() -> list[tuple[str, str]]:
    """Return where each text of the program is, and the text, with … for what is filled in."""
    return list(_texts())


def _texts() -> Iterator[tuple[str, str]]:
    for path, module in nodes().items():
        docstrings = {id(node.value) for node in module if isinstance(node, ast.Expr)}
        parts = {id(part) for node in module if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in module:
            if id(node) in docstrings | parts or not isinstance(node, ast.Constant | ast.JoinedStr):
                continue
            text = whole(node)
            if " " in text:
                yield f"{path.relative_to(REPOSITORY).as_posix()}:{node.lineno}", text
    for path in sorted((REPOSITORY / "mapkit" / "kinds").rglob("checks.toml")):
        for text in re.findall(r'"""(.+?)"""', path.read_text(encoding="utf-8"), re.DOTALL):
            yield path.relative_to(REPOSITORY).as_posix(), text


def whole(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)


@cache
def options() -> dict[tuple[str, ...], set[str]]:
    """Return the options of each command of the program, by its words; a group has those of its commands too."""
    found: dict[tuple[str, ...], set[str]] = {}

    def walk(command: Any, words: tuple[str, ...]) -> set[str]:
        stubs = command.kinds.values() if isinstance(command, NotChosen) else [command]
        loaded = [stub.load([]) if isinstance(stub, NotLoaded) else stub for stub in stubs]
        own = {name for each in loaded for one in each.params for name in (*one.opts, *one.secondary_opts)} | {"--help"}
        for name, inner in getattr(command, "commands", {}).items():
            own |= walk(inner, (*words, name))
        found[words] = own
        return own

    walk(typer.main.get_command(app), ())
    return found


def named_command(words: list[str]) -> tuple[str, ...]:
    """Return the command that words begin with."""
    for length in (3, 2, 1):
        if tuple(words[:length]) in options():
            return tuple(words[:length])
    return ()


def test_commands_that_texts_name_have_their_options() -> None:
    wrong = []
    commands = 0
    for where, text in texts():
        for phrase in PROGRAM.findall(text):
            words = phrase.split()
            if not (command := named_command(words)):
                continue  # a sentence about the program, not a command line
            commands += 1
            wrong += [f"{where}: mapkit {phrase}: {word}" for word in words if unknown(word, command)]
    assert wrong == []
    assert commands > 40


def unknown(word: str, command: tuple[str, ...]) -> bool:
    return word.startswith("--") and word not in options()[command]


def test_options_that_texts_name_exist() -> None:
    known = set().union(*options().values())
    named = {(option, where) for where, text in texts() if "var(--" not in text for option in OPTION.findall(text)}
    assert len(named) > 100
    assert sorted(f"{where}: {option}" for option, where in named if option not in known | FOREIGN) == []


def test_commands_of_boards_that_texts_name_exist() -> None:
    known = {name: model for kind in kind_names() for name, model in get_kind(kind).commands.items()}
    wrong = []
    for where, text in texts():
        for name, key in COMMAND_OF_DO.findall(text):
            if name.split("-")[0] in {known_name.split("-")[0] for known_name in known}:
                if name not in known:
                    wrong.append(f"{where}: {name}")
                elif key and key not in known[name].model_fields:
                    wrong.append(f"{where}: {name} with {key}")
    assert wrong == []


def test_settings_that_texts_name_exist() -> None:
    known = {f"{group}.{name}" for rules in (mapkit.Rules, HexRules, CardRules) for group, name in fields(rules)}
    named = {(f"{group}.{name}", where) for where, text in texts() for group, name in SETTING.findall(text)}
    assert len(named) > 10
    assert sorted(f"{where}: {setting}" for setting, where in named if setting not in known) == []


def fields(rules: type[BaseModel]) -> Iterator[tuple[str, str]]:
    """Yield each group of settings with the names in it."""
    for group, field in rules.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from ((group, name) for name in field.annotation.model_fields)


# Faults made on the example of `mapkit new`, and their cures carried out as the finding says

CELL = {"kind": "set-destination", "parity": "odd", "total": 2}
EMPTY = dict.fromkeys(map(str, range(2, 13)))
CONCORD = {"kind": "add-city", "name": "Concord", "region": "coast", "lon": -71.5, "lat": 43.2}
NEW = {"kind": "add-railroad", "id": "aa", "name": "Aa", "short": "AA"}


def rule(path: str, value: object) -> Json:
    return {"kind": "set-rule", "path": path, "value": value}


def settings(**values: object) -> Json:
    return {"kind": "set-settings", "values": {key.replace("__", "."): value for key, value in values.items()}}


def line(*places: str, railroad: str = "shore") -> Json:
    return {"kind": "add-line", "railroad": railroad, "stops": [{"place": one, "kind": "milepost"} for one in places]}


def public(*railroads: str, value: bool = True) -> list[Json]:
    return [{"kind": "edit-railroad", "id": one, "public": value} for one in railroads]


CURES: list[tuple[str, list[Json], list[Json] | None]] = [
    ("D01", [{**CELL, "chart": "regions", "item": None}], [{**CELL, "chart": "regions", "item": "coast"}]),
    ("D01", [{"kind": "set-chart", "chart": "coast", "odd": EMPTY, "even": EMPTY}], None),
    ("D03", [CONCORD], [{**CELL, "chart": "coast", "item": "concord"}]),
    ("G10", [settings(projection__lon_0=40)], [settings(projection__lon_0=-72)]),
    ("N03", [CONCORD], [line("Concord", "Boston")]),
    ("N03", [CONCORD], [{"kind": "delete-city", "id": "concord"}]),
    ("N04", [line("Boston", "Lowell MA")], [line("Lowell MA", "Springfield")]),
    ("N05", [], [line("Rutland VT", "Burlington", railroad="cross")]),
    ("N13", [NEW], [line("Boston", "Albany", railroad="aa")]),
    ("N13", [NEW], [{"kind": "delete-railroad", "id": "aa"}]),
    ("P02", [{"kind": "set-payoff", "a": "albany", "b": "boston", "thousands": None}], None),
    ("P02", [CONCORD, line("Concord", "Boston")], None),
    ("P07", [{"kind": "set-payoff", "a": "albany", "b": "boston", "thousands": 0}],
     [{"kind": "set-payoff", "a": "albany", "b": "boston", "thousands": 7.5}]),
    ("P13", [settings(payoffs=None), {"kind": "clear-payoffs"}], None),
    ("V02", [rule("group_purchase.enabled", value=True)], [rule("group_purchase.enabled", value=False)]),
    ("V03", [rule("setup.min_players", 6), {"kind": "delete-city", "id": "albany"}], [rule("setup.min_players", 2)]),
    ("V04", [rule("fees.opponent_after_sell_out", 1000)],
     [rule("fees.opponent", 1000), rule("fees.opponent_after_sell_out", 5000)]),
    ("V04", [rule("setup.starting_cash", 300000)], [rule("setup.starting_cash", 20000)]),
    ("V04", [rule("information.announce_cash", 300000)], [rule("information.announce_cash", 150000)]),
    ("V05", public("shore", "valley"), public("shore", "valley", value=False)),
    ("V06", [{"kind": "delete-region", "id": "inland", "move_to": "coast"}],
     [rule("destinations.choose_region_when_in_it", value=False)]),
    ("V08", [rule("winning.cash", 1000000)], None),
    ("V08", [rule("winning.cash", 50000), rule("setup.starting_cash", 1000)], None),
    ("V09", [{"kind": "edit-railroad", "id": "cross", "price": 100000}],
     [{"kind": "edit-railroad", "id": "cross", "price": 6000}]),
]  # fmt: skip
"""Code, commands that make the fault, and commands of its cure; None where the finding names one of the program."""


@pytest.mark.parametrize(("code", "fault", "cure"), CURES, ids=[f"{n}-{code}" for n, (code, _, _) in enumerate(CURES)])
def test_a_fault_goes_when_its_cure_is_followed(
    code: str,
    fault: list[Json],
    cure: list[Json] | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run: Run,
) -> None:
    small_board(tmp_path)
    monkeypatch.chdir(tmp_path)
    if fault:
        made = run("do", "mymap", *map(json.dumps, fault))
        assert made.code == 0, made.err
    messages = [message for found, message in findings(tmp_path) if found == code]
    assert messages
    if cure is None:
        phrases = [phrase.split() for phrase in re.findall(r"mapkit ([^:;,()]+)", messages[0])]
        done = run(*next(words for words in phrases if named_command(words)))
    else:
        done = run("do", "mymap", *map(json.dumps, cure))
    assert done.code == 0, done.err
    assert [message for found, message in findings(tmp_path) if found == code and message in messages] == []


def findings(workspace: Path) -> list[tuple[str, str]]:
    """Return code and message of each finding on the board, without its drawing."""
    checked = mapkit.check_board("mymap", workspace=workspace, drawing=False)
    assert isinstance(checked, mapkit.CheckedBoard)
    return [(one.code, one.message) for one in checked.found.report.findings]
