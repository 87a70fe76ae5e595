"""Board files that a person edited into nonsense: one gate, for every command and format, with a cure."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from tiny import tiny_board

EDITS: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "crs": (lambda b: b["projection"].update(crs="nonsense"), "projection.crs is 'nonsense', which PROJ does not know"),
    "scale": (
        lambda b: b["projection"].update(scale_mm_per_m=0),
        "scale_mm_per_m is 0; write a number above 0",
    ),
    "price": (lambda b: b["railroads"][0].update(price=-5), "price is -5; write an amount from 0 to 10000000"),
    "large price": (lambda b: b["railroads"][0].update(price=10**13), "price is 10000000000000; write an amount"),
    "amount": (lambda b: b["payoffs"]["thousands"][1].__setitem__(0, -4), "is -4; write an amount of 0 or more"),
    "short row": (lambda b: b["payoffs"]["thousands"][1].pop(), "write null for one that is missing"),
    "row gone": (lambda b: b["payoffs"]["thousands"].pop(), "write one row for each city"),
    "name": (lambda b: b["cities"][0].update(name=" "), "name is empty; write a name"),
    "title": (lambda b: b.update(title=""), "title is empty; write a name"),
}
COMMANDS = (
    ("draw", "{}", "--out", "o.svg"),
    ("export", "{}", "--to", "lookup,bga,vassal", "--out", "out"),
    ("variant", "from", "{}", "mine", "--of", "{}"),
    ("import", "{}", "--into", "sources/x"),
)


@pytest.mark.parametrize("edit", EDITS)
def test_every_command_refuses_it_in_the_same_words(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edit: str
) -> None:
    monkeypatch.chdir(tmp_path)
    board = json.loads(tiny_board().model_dump_json())
    change, says = EDITS[edit]
    change(board)
    (tmp_path / "odd.json").write_text(json.dumps(board), encoding="utf-8")
    for command in COMMANDS:
        done = run(*(part.format("odd.json") for part in command))
        assert done.code == 1, command
        assert says in done.err, command
        assert "odd.json: " in done.err
        assert sorted(path.name for path in tmp_path.iterdir()) == ["odd.json"], command
