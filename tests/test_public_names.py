"""What `import mapkit` gives: each name is listed once, in the stub, and is there."""

import ast
import json
import subprocess
import sys
from collections import Counter
from importlib import import_module
from inspect import getdoc
from pathlib import Path

import pytest
from conftest import REPOSITORY
from pydantic import ValidationError

import mapkit
from mapkit.schema import Board, CardGame, HexBoard

STUB = Path(mapkit.__file__).with_suffix(".pyi")
IMPORTS = [node for node in ast.parse(STUB.read_text(encoding="utf-8")).body if isinstance(node, ast.ImportFrom)]
NAMES = [alias.name for node in IMPORTS for alias in node.names]
BUNDLES = sorted((REPOSITORY / "build").glob("*/board.json"))
SHOWN = {
    path.name: path.read_text(encoding="utf-8")
    for path in (REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md")))
}


def test_the_stub_lists_each_name_once_and_nothing_else() -> None:
    assert len(IMPORTS) == len(ast.parse(STUB.read_text(encoding="utf-8")).body)
    assert [name for name, count in Counter(NAMES).items() if count > 1] == []
    assert all(alias.asname == alias.name for node in IMPORTS for alias in node.names)
    assert dir(mapkit) == sorted(vars(mapkit)["__all__"]) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_there_and_says_what_it_is(name: str) -> None:
    found = getattr(mapkit, name)
    assert name == "__version__" or getdoc(found)


def test_a_public_name_is_not_hidden_by_a_package() -> None:
    """But for the module of models, which is called as the function of its name."""
    hidden = [name for name in NAMES if (STUB.parent / name).exists() or (STUB.parent / f"{name}.py").exists()]
    assert hidden == ["schema"]
    written = mapkit.schema("board-hex")
    module = import_module("mapkit.schema")
    assert vars(mapkit)["schema"] is module
    assert mapkit.schema("board-hex") == written
    with pytest.raises(mapkit.MapkitError, match="did you mean 'board-hex'"):
        mapkit.schema("board-hx")


@pytest.mark.parametrize("bundle", BUNDLES, ids=lambda path: path.parent.name)
def test_models_read_the_written_boards_of_each_kind(bundle: Path) -> None:
    """Read and written again, a file is the same data."""
    text = bundle.read_text(encoding="utf-8")
    data = json.loads(text)
    models: dict[str, type[Board | HexBoard | CardGame]] = {"rail": Board, "hex": HexBoard, "cards": CardGame}
    model = models[data["kind"]]
    board = model.model_validate_json(text)
    assert (board.id, board.kind) == (bundle.parent.name, data["kind"])
    assert json.loads(board.model_dump_json(by_alias=True)).items() >= data.items()
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        model.model_validate({**data, "unknown": 1})


def test_models_are_typed_for_strict_programs(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import mapkit\nfrom mapkit.schema import Board, CardGame, City, HexBoard\n\n"
        "def first(text: str) -> City:\n    return Board.model_validate_json(text).cities[0]\n\n"
        "reveal_type(first('').drawn_x)\nreveal_type(mapkit.schema('board'))\n"
        "reveal_type(HexBoard.model_validate_json('').grid.columns)\n"
        "reveal_type(CardGame.model_validate_json('').title)\nBoard.model_validate_json('').citties\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", program],
        capture_output=True, text=True, check=False, encoding="utf-8",
    )  # fmt: skip
    lines = [line.partition(" ")[2] for line in done.stdout.replace("builtins.", "").splitlines()]
    assert lines == [
        'note: Revealed type is "float"',
        'note: Revealed type is "dict[str, object]"',
        'note: Revealed type is "int"',
        'note: Revealed type is "str"',
        'error: "BoardFile" has no attribute "citties"; maybe "cities"?  [attr-defined]',
        "1 error in 1 file (checked 1 source file)",
    ]


def test_another_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="module 'mapkit' has no attribute 'lode'"):
        mapkit.lode  # type: ignore[attr-defined] # noqa: B018
