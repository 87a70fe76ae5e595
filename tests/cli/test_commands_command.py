"""`mapkit list commands`: every command of a kind of board, once, with its schema."""

import json

import pytest
from conftest import Run

from mapkit.kinds.rail.commands import COMMANDS
from mapkit.kinds.rail.commands.former_names import FORMER


def test_it_lists_every_command_with_its_schema(run: Run) -> None:
    ran = run("commands", "--json")
    assert ran.code == 0, ran.err
    found = {one["kind"]: one for one in json.loads(ran.out)}
    assert found.keys() == COMMANDS.keys()
    assert not found.keys() & {name for name, former in FORMER.items() if not former.having}
    city = found["add-milepost"]["schema"]
    assert {*city["required"]} == {"id", "name"}
    assert city["properties"]["kind"]["const"] == "add-milepost"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("edit-cty",), 1, "there is no command 'edit-cty' (did you mean 'edit-city'?)"),
        (("--kind", "square"), 2, "there is no kind of board 'square'; the kinds are cards, hex, rail"),
    ],
)
def test_what_there_is_not_is_refused(run: Run, arguments: tuple[str, ...], code: int, said: str) -> None:
    ran = run("commands", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err


@pytest.mark.parametrize(
    ("former", "today"),
    [
        (
            {"kind": "move-city", "city": "a", "region": "b", "was": "c"},
            {"kind": "edit-city", "id": "a", "region": "b", "was": {"region": "c"}, "charts": "cities"},
        ),
        ({"kind": "move-city", "id": "a", "lon": 1, "lat": 2}, {"kind": "edit-city", "id": "a", "lon": 1, "lat": 2}),
        ({"kind": "remove-milepost", "id": "a"}, {"kind": "delete-place", "place": "a", "track": "join"}),
        ({"kind": "delete-place", "place": "A"}, {"kind": "delete-place", "place": "A"}),
        (
            {"kind": "set-payoff", "a": "a", "b": "b", "value": 1},
            {"kind": "set-payoff", "a": "a", "b": "b", "thousands": 1},
        ),
        (
            {"kind": "fill-payoffs", "pairs": [["a", "b"], ["a", "a"]], "thousands": None},
            {"kind": "set-payoffs", "cells": [["a", "b", None]]},
        ),
        (
            {"kind": "batch", "label": "x", "commands": [{"kind": "make-public", "id": "a"}]},
            {
                "kind": "batch",
                "label": "x",
                "commands": [{"kind": "edit-railroad", "id": "a", "public": True, "was": {"public": False}}],
            },
        ),
        ({"kind": "set-setting", "key": "title", "value": "T"}, {"kind": "set-settings", "values": {"title": "T"}}),
        (
            {"kind": "move-stop", "line": "a", "index": 2, "stop": {"place": "B"}},
            {"kind": "reshape-line", "line": "a", "start": 2, "end": 2, "stops": [{"place": "B"}]},
        ),
        (
            {
                "kind": "batch",
                "label": "x",
                "commands": [{"kind": "set-region-of-cities", "cities": ["a"], "region": "b"}],
            },
            {"kind": "batch", "label": "x", "commands": [{"kind": "edit-city", "id": "a", "region": "b"}]},
        ),
    ],
)
def test_former_commands_are_those_of_today(former: dict[str, object], today: dict[str, object]) -> None:
    assert COMMANDS.current(former) == today
