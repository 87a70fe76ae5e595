"""`mapkit do`, `undo`, `redo`, `journal`."""

import json
import re
from pathlib import Path

import pytest
from board_helpers import open_folder
from edited import ROOT, small_board
from typer.testing import CliRunner

from mapkit.cli.app import app
from mapkit.core.errors import MapkitError

RUN = CliRunner()
MOVE = json.dumps({"kind": "edit-city", "id": "boston", "lon": -71.1, "lat": 42.4})
PRICE = {"kind": "edit-railroad", "id": "shore", "price": 5000}


def run(folder: Path, *arguments: str, text: str | None = None) -> tuple[str, str]:
    done = RUN.invoke(app, [*arguments, "--workspace", str(folder)], input=text, catch_exceptions=True)
    if done.exception is not None:
        raise done.exception
    return done.stdout, done.stderr


def test_commands_are_done_saved_undone_and_listed(tmp_path: Path) -> None:
    folder = small_board(tmp_path)
    out, err = run(tmp_path, "do", "mymap", MOVE, json.dumps(PRICE))
    assert out == "Move Boston\nSet price of SHORE to 5000\n"
    assert err == "saved: cities.csv, railroads.csv\n"
    assert open_folder(folder).cities["boston"].lon == -71.1
    out, err = run(tmp_path, "undo", "mymap", "-n", "2")
    assert (out, err) == ("Undo: Set price of SHORE to 5000\nUndo: Move Boston\n", "saved: cities.csv, railroads.csv\n")
    assert run(tmp_path, "redo", "mymap", "--no-save")[1] == "in the journal, not in the files; --save writes them\n"
    out, err = run(tmp_path, "journal", "mymap", "--checkpoint", "moved")
    assert [line.split() for line in out.splitlines()[1:]] == [
        ["0", "Opened", "saved"],
        ["1", "Move", "Boston", "command", "line", "here", "[moved]"],
        ["2", "Set", "price", "of", "SHORE", "to", "5000", "command", "line", "undone"],
    ]
    assert err == "1 row is not saved; save with: mapkit journal mymap --save\n"
    run(tmp_path, "journal", "mymap", "--save")
    assert open_folder(folder).cities["boston"].lon == -71.1
    listed = json.loads(run(tmp_path, "journal", "mymap", "--json")[0])
    assert (listed["position"], listed["unsaved"], [step["done"] for step in listed["steps"]]) == (
        1,
        False,
        [True, True, False],
    )


def test_files_of_commands_and_one_step_of_many(tmp_path: Path) -> None:
    small_board(tmp_path)
    file = tmp_path / "steps.jsonl"
    file.write_text(f"{MOVE}\n\n{json.dumps(PRICE)}\n", encoding="utf-8")
    out = json.loads(run(tmp_path, "do", "mymap", str(file), "--label", "Both", "--json")[0])
    assert out["steps"] == [{"position": 1, "label": "Both", "rows": 2}]
    assert out["saved"] == ["cities.csv", "railroads.csv"]
    assert run(tmp_path, "do", "mymap", "-", text=json.dumps([PRICE | {"price": 1}]))[0] == "Set price of SHORE to 1\n"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("nowhere.json", "nowhere.json: cannot be read"),
        ('{"kind": "x"}', "the command: no command 'x'"),
        ("{nonsense", "the command:1: not valid JSON: "),
        ("{kind: undo}", "the shell took the quotes away, as those of Windows do"),
        ("'{kind:", "the shell took the quotes away, as those of Windows do"),
        ('{"kind": "edit-city", "id": "q", "lon": 1, "lat": 1}', "edit-city: there is no city 'q'"),
    ],
)
def test_mistakes_are_reported_and_leave_no_trace(tmp_path: Path, given: str, message: str) -> None:
    folder = small_board(tmp_path)
    before = {path: path.read_bytes() for path in folder.rglob("*.*")}
    with pytest.raises(MapkitError, match=message):
        run(tmp_path, "do", "mymap", given)
    assert {path: path.read_bytes() for path in folder.rglob("*.*")} == before


GONE = '{"kind": "edit-city", "id": "q", "lon": 1, "lat": 1}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"[\n {MOVE},\n\n {GONE}\n]", r"^{}:4, command 2 of 2: edit-city: there is no city 'q'"),
        (f"{MOVE}\n\n{GONE}\n", r"^{}:3, command 2 of 2: edit-city: there is no city 'q'"),
        (f"\n{GONE}", r"^{}:1: edit-city: there is no city 'q'"),
        (f'{MOVE}\n{{"kind": "move"}}\n', r"^{}:2, command 2 of 2: no command 'move'"),
        (f"{MOVE}\n{MOVE[:-1]}\n", r"^{}:2: not valid JSON: expecting ',' delimiter at column \d+; correct it$"),
        (f"[\n{MOVE}\n{MOVE}\n]", r"^{}:3: not valid JSON: expecting ',' delimiter at column 1; correct it$"),
        ("[" * 100_000, r"^{}:1: nested too deep; correct it$"),
        ("1" * 5000, r"^{}:1: a number in it has thousands of digits; correct it$"),
    ],
)
@pytest.mark.parametrize("label", [(), ("--label", "All")])
def test_a_mistake_in_a_file_of_commands_is_named_with_its_row(
    tmp_path: Path, text: str, message: str, label: tuple[str, ...]
) -> None:
    small_board(tmp_path)
    file = tmp_path / "steps.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(MapkitError, match=message.format(re.escape(str(file)))):
        run(tmp_path, "do", "mymap", str(file), *label)


def test_a_shipped_board_is_copied_first(tmp_path: Path) -> None:
    _, err = run(tmp_path, "do", "portugal", '{"kind": "set-setting", "key": "title", "value": "Lusitania"}')
    assert err.startswith("portugal is shipped with mapkit; its copy ")
    folder = tmp_path / "sources" / "portugal"
    assert open_folder(folder).settings["title"].value == "Lusitania"
    changed = [
        path.name
        for path in sorted((ROOT / "sources" / "portugal").rglob("*.*"))
        if path.read_bytes() != (folder / path.relative_to(ROOT / "sources" / "portugal")).read_bytes()
    ]
    assert changed == ["board.toml"]
