"""What a newcomer adds, carried out in a copy of mapkit: how many files it takes, and that every form has it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from shutil import copytree

import pytest
from conftest import REPOSITORY

import mapkit

pytestmark = pytest.mark.slow

PACKAGE = Path(mapkit.__file__).parent
Changes = Mapping[str, str | tuple[tuple[str, str], ...]]
OPTION: Changes = {
    "kinds/hex/operations.py": (
        (
            "    variants: Variants = (),\n",
            """    city: Annotated[str, Flag("", "CITY", "Report on this city only.")] = "",
    variants: Variants = (),
""",
        ),
        ("    return report_on(", "    return _only(city, "),
        (
            "def cheapest_link(",
            """def _only(city: str, board: HexBoard) -> HexReport:
    found = report_on(board)
    return found.model_copy(update={"cities": tuple(one for one in found.cities if city in ("", one.name))})


def cheapest_link(""",
        ),
    ),
}
OPERATION: Changes = {
    "api/extra/count_boards.py": '''"""Counting boards."""

from typing import Annotated

from mapkit.document.workspace import open_workspace
from mapkit.operations.options import Flag, Workspace


def count_boards(*, least: Annotated[int, Flag("", "N", "", 0, 9)] = 0, workspace: Workspace = None) -> dict[str, int]:
    """Count the boards of the workspace and the shipped ones.

    Args:
        least: Count at least so many.
    """
    return {"boards": max(least, len(open_workspace(workspace).boards()))}
''',
}
FORMAT: Changes = {
    "exchange/every_board/title_text.py": '''"""The title of a board as text."""

from mapkit.exchange.formats import AnyFormat
from mapkit.exchange.plan import ExportedBoard

FORMAT = AnyFormat(
    "title-text", "Title (text)", (".txt",), "the title", "all else",
    lambda board, stem: ExportedBoard({f"{stem}.txt": f"{board.title}\\n"}, ("all but the title",)),
)
''',
}
CHECK: Changes = {
    "kinds/hex/checks/titles.py": '''"""A check of titles."""

from mapkit.core.checks import Found
from mapkit.core.findings import Severity
from mapkit.kinds.hex.checks.check import hex_check

CHECKS = (hex_check("H99", Severity.NOTE, "the title is short", lambda c: [Found(c.board.title, ())]),)
''',
    "kinds/hex/checks/registry.py": (
        ("import cards, geography, ground, paper, pieces", "import cards, geography, ground, paper, pieces, titles"),
        ("*cards.CHECKS)", "*cards.CHECKS, *titles.CHECKS)"),
    ),
}
THEME: Changes = {
    "drawing/theme/themes.toml": (
        (
            '[[themes]]\nname = "atlas"',
            """[[themes]]
name = "sepia"
about = "brown"
land = "#f1e7d0"

[[themes]]
name = "atlas\"""",
        ),
    ),
}
TERRAIN: Changes = {
    "kinds/hex/model/terrains.toml": (
        (
            '[[terrains]]\nid = "mountain"',
            """[[terrains]]
id = "moor"
names = { en = "Moor", es = "Páramo", pt = "Charneca" }
where = { en = "on moor", es = "en páramo", pt = "em charneca" }
colour = "#b7b08a"
cost = "track.plains"
ground = true
called = ["moor", "heath"]

[[terrains]]
id = "mountain\"""",
        ),
    ),
}


def run(tmp_path: Path, changes: Changes, *line: str) -> str:
    """Return what the program prints in a copy of mapkit with changed files."""
    copy = tmp_path / "copy" / "mapkit"
    if not copy.exists():
        copytree(PACKAGE, copy, copy_function=os.symlink, ignore=lambda *_: {"__pycache__"})
    for name, change in changes.items():
        file = copy / name
        text = change if isinstance(change, str) else file.read_text(encoding="utf-8")
        for old, new in () if isinstance(change, str) else change:
            if new not in text:
                assert old in text
                text = text.replace(old, new, 1)
        file.unlink(missing_ok=True)
        file.write_text(text, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-P", "-c", "from mapkit.cli import main; main()", *line],
        env={**os.environ, "PYTHONPATH": str(copy.parent)},
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize(
    ("changes", "files"), [(OPTION, 1), (OPERATION, 1), (FORMAT, 1), (CHECK, 2), (THEME, 1), (TERRAIN, 1)]
)
def test_how_many_files_an_addition_takes(changes: Changes, files: int) -> None:
    assert len(changes) == files


def test_an_option_is_added_in_one_file(tmp_path: Path) -> None:
    assert "--city CITY" in run(tmp_path, OPTION, "report", "portugal-hex", "--help")
    first = json.loads(run(tmp_path, OPTION, "report", "portugal-hex", "--json"))["cities"][0]
    found = json.loads(run(tmp_path, OPTION, "report", "portugal-hex", "--city", first["name"], "--json"))
    assert found["cities"] == [first]


def test_an_operation_is_added_in_one_file(tmp_path: Path) -> None:
    assert "count-boards" in (text := run(tmp_path, OPERATION, "--help"))
    assert "Count the boards of the workspace" in text
    assert "--least N" in run(tmp_path, OPERATION, "count-boards", "--help")
    assert json.loads(run(tmp_path, OPERATION, "count-boards", "--json"))["boards"] > 10


def test_a_format_for_all_kinds_is_added_in_one_file(tmp_path: Path) -> None:
    for board, title in (("portugal-hex", "Portugal"), ("caminhos", "Caminhos")):
        out = tmp_path / board
        run(tmp_path, FORMAT, "export", board, "--to", "title-text", "--out", str(out))
        assert title in (out / f"{board}.txt").read_text(encoding="utf-8")
        assert "title-text" in run(tmp_path, FORMAT, "list", "formats", board)
    assert "title-text" in run(tmp_path, FORMAT, "list", "formats")


def test_a_check_is_added_in_two_files(tmp_path: Path) -> None:
    found = json.loads(run(tmp_path, CHECK, "check", "portugal-hex", "--json"))
    assert "H99" in {finding["code"] for finding in found["findings"]}


def test_a_theme_is_added_in_one_file(tmp_path: Path) -> None:
    assert "sepia" in run(tmp_path, THEME, "list", "themes")
    out = tmp_path / "sepia.svg"
    run(tmp_path, THEME, "draw", "caminhos", "--theme", "sepia", "--out", str(out))
    assert out.exists()


def test_a_terrain_is_added_in_one_file(tmp_path: Path) -> None:
    code = "from mapkit.kinds.hex.model.terrain import known_terrains; print('moor' in known_terrains())"
    run(tmp_path, TERRAIN, "--help")
    ran = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "copy")},
        capture_output=True,
        encoding="utf-8",
        text=True,
        check=True,
    )
    assert ran.stdout == "True\n"
