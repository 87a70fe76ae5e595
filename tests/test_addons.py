"""Add-ons are deleted from a copy of mapkit, each in turn and all together; the rest works as before."""

import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree

import pytest
from conftest import REPOSITORY

import mapkit
from mapkit.core.addons import ADD_ONS, explain_missing, select_present

PACKAGE = Path(mapkit.__file__).parent
FORMATS = ("rb3", "gis", "graphs", "workbook", "engine", "tts", "bga", "vassal")
"""Folders of `mapkit/kinds/rail/exchange` with formats; each can be deleted."""
COMMANDS = {
    "scan reading": "scan",
    "drafting": "draft",
    "play-testing": "playtest",
    "refereeing": "referee",
    "printing": "print",
}
TRIED = """
import sys
from io import StringIO
from contextlib import redirect_stdout
from pathlib import Path
import mapkit
from mapkit.cli.app import app
from mapkit.core.errors import MapkitError
from mapkit.editor.server.app import make_app
from mapkit.editor.server.hub import Hub
from mapkit.editor.server.access import AccessKeys
from mapkit.kinds.rail.queries import QUESTIONS
from mapkit.kinds.registry import open_session
from starlette.testclient import TestClient

def printed(*words):
    out = StringIO()
    with redirect_stdout(out):
        app(words, standalone_mode=False)
    return out.getvalue()

assert Path(mapkit.__file__).is_relative_to(Path.cwd())
print(printed("--help"))
printed("list", "formats")
page = make_app(Hub(open_session(Path(sys.argv[1]))), AccessKeys(8125, "x" * 32), static=Path.cwd())
with TestClient(page, base_url="http://127.0.0.1:8125") as client:
    client.headers["authorization"] = "Bearer " + "x" * 32
    print("alive", client.get("/api/alive").status_code, len(QUESTIONS) > 20)
"""


def copy_without(folder: Path, *packages: str) -> None:
    copytree(PACKAGE, folder / "mapkit", ignore=ignore_patterns("__pycache__", "web", "node_modules", "static"))
    for package in packages:
        where = folder.joinpath(*package.split("."))
        assert where.is_dir(), f"{package} is no add-on any more"
        rmtree(where)


def run_python(folder: Path, *words: str | Path) -> str:
    home = {"PYTHONPATH": str(folder), "MAPKIT_CACHE": str(folder / "kept")}
    command = [sys.executable, *map(str, words)]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | home, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ADD_ONS)
def test_help_and_the_editor_work_without_it(name: str, tmp_path: Path, example: Path) -> None:
    copy_without(tmp_path, *ADD_ONS[name])
    out = run_python(tmp_path, "-c", TRIED, example)
    assert "  build " in out
    assert "alive 200 True" in out
    assert f"  {COMMANDS.get(name, 'no such command')} " not in out


def test_the_core_builds_the_same_bytes(tmp_path: Path) -> None:
    every = [package for packages in ADD_ONS.values() for package in packages]
    exports = [f"mapkit.kinds.rail.exchange.{name}" for name in FORMATS if name not in ("engine", "graphs")]
    copy_without(tmp_path, *_outermost([*every, *exports]))
    run_python(tmp_path, "-m", "mapkit", "build", "usa", "--workspace", REPOSITORY, "--out", tmp_path / "usa")
    built = {path.name: path.read_bytes() for path in (tmp_path / "usa").glob("[!.]*")}
    shipped = {path.name: path.read_bytes() for path in (REPOSITORY / "build" / "usa").iterdir()}
    assert built == shipped


def _outermost(packages: list[str]) -> list[str]:
    return [one for one in packages if not any(one.startswith(f"{other}.") for other in packages)]


def test_each_format_alone_is_left_out_of_lists(tmp_path: Path) -> None:
    copy_without(tmp_path, "mapkit.kinds.rail.exchange.rb3")
    listed = [row["name"] for row in json.loads(run_python(tmp_path, "-m", "mapkit", "list", "formats", "--json"))]
    assert "rb3" not in listed
    assert "gpkg" in listed


def test_a_missing_add_on_is_named() -> None:
    lost = ModuleNotFoundError("No module named 'mapkit.press.job'", name="mapkit.press.job")
    assert "printing is not part of this installation of mapkit" in str(explain_missing(lost))
    assert (
        explain_missing(ModuleNotFoundError("No module named 'mapkit.core.nothing'", name="mapkit.core.nothing"))
        is None
    )
    assert explain_missing(ModuleNotFoundError("No module named 'numpy'", name="numpy")) is None


def test_only_what_is_there_is_registered() -> None:
    places = {"a": "mapkit.press.job:PrintJob", "b": "mapkit.press.nothing:X", "c": "mapkit.nothing.job:X"}
    assert select_present(places) == {"a": "mapkit.press.job:PrintJob"}
    assert select_present({"rail": 1, "chess": 2}, "mapkit.kinds") == {"rail": 1}
