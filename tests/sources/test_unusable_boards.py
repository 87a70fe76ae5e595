"""Board files that a person edited into nonsense: one gate, for every command and format, with a cure."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from tiny import tiny_board

from mapkit.core.errors import SourceError
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.sources.board_validation import validate_board

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


@pytest.mark.slow
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


def broken(change: Callable[[dict[str, Any]], Any]) -> list[str]:
    data = json.loads(tiny_board().model_dump_json())
    change(data)
    with pytest.raises(SourceError) as refused:
        validate_board(Board.model_validate(data), "odd.json")
    return list(refused.value.problems)


MORE: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "degrees": (
        lambda b: b["projection"].update(crs="EPSG:4326"),
        "projection.crs is 'EPSG:4326', which gives no metres; write it as it was",
    ),
    "page": (lambda b: b["page"].update(width=1e13), "page.width is 1e+13; write 1 to 100000 millimetres"),
    "frame": (
        lambda b: b["page"].update(frame=[380, 220, 20, 20]),
        "page.frame is [380.0, 220.0, 20.0, 20.0]; write left, top, right and bottom on the page",
    ),
    "sign": (
        lambda b: b["cities"][0].update(name="A\x07sh"),
        "cities: ash: name is 'A\\x07sh', which holds",
    ),
    "long name": (lambda b: b["railroads"][0].update(short="x" * 300), "railroads: blue: short has 300 characters"),
    "place": (lambda b: b["mileposts"][0].update(lon=999), "mileposts: ash: lon 999, lat 42 is outside the world"),
    "far": (lambda b: b["mileposts"][0].update(x=1e13), "mileposts: ash: x and y are 1e+13, "),
    "path": (
        lambda b: b["pieces"][0].update(path=[]),
        "pieces: blue--cedar--dale: path has 0 points; write two or more",
    ),
    "miles": (lambda b: b["pieces"][0].update(miles=-5), "pieces: blue--cedar--dale: miles is -5; write 0 to 25000"),
    "piece gone": (
        lambda b: next(s for s in b["segments"] if len(s["pieces"]) > 1)["pieces"].pop(),
        "segments: blue--cedar--fir-gum: its pieces do not lead from cedar to fir-gum; correct pieces, or a and b",
    ),
    "piece of another": (
        lambda b: b["segments"][-1].update(pieces=["blue--cedar--dale"]),
        "segments: red--cedar--dale: its piece blue--cedar--dale is of blue; name pieces of red",
    ),
    "chart gone": (lambda b: b["destinations"].pop("regions"), "destinations: the chart regions is missing; add it"),
    "strange chart": (
        lambda b: b["destinations"].update(moon=b["destinations"]["east"]),
        "destinations: moon is not a region; leave the chart out",
    ),
    "cell gone": (lambda b: b["destinations"]["east"]["odd"].pop("7"), "destinations: east: odd has the sums 2, 3, 4,"),
    "strange cell": (
        lambda b: b["destinations"]["east"]["odd"].update({"7": "moon"}),
        "destinations: east: odd 7 is 'moon', which is not a city; correct it",
    ),
    "odds": (
        lambda b: b.update(declared={"east": {"dale": "1/0"}}),
        "declared: east: dale is '1/0'; write a fraction of 1, such as 5/72",
    ),
    "strange payoffs": (
        lambda b: b["payoffs"]["cities"].__setitem__(0, "moon"),
        "payoffs: cities: 'moon' is not a city of the board; correct it",
    ),
    "payoffs twice": (
        lambda b: b["payoffs"]["cities"].__setitem__(1, "ash"),
        "payoffs: cities: 'ash' is there twice; leave one out with its row",
    ),
}


@pytest.mark.parametrize("edit", MORE)
def test_what_nothing_can_be_made_of_is_named(edit: str) -> None:
    change, says = MORE[edit]
    assert any(problem.startswith(f"odd.json: {says}") for problem in broken(change)), broken(change)


def test_a_board_is_usable() -> None:
    validate_board(tiny_board(), "good.json")
