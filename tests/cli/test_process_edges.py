"""The edge of the process: closed streams, a deleted folder, long names and small limits give one line and exit 1."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run
from tiny import tiny_board

from mapkit.core.errors import SourceError
from mapkit.core.jsontext import json_text
from mapkit.kinds.hex.kind import HEX

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")
MAPKIT = f"'{sys.executable}' -m mapkit"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{} list themes >&-", "mapkit: standard output is closed; open it, or send it to a file"),
        ("{} list themes > /dev/full", "mapkit: the output: No space left on device; free some space"),
        ("{} do usa - <&-", "mapkit: standard input: no command in it; nothing was done"),
        (
            "mkdir gone && cd gone && rmdir ../gone && {} check usa",
            "mapkit: the current folder was deleted, or may not be read; change to another one",
        ),
    ],
)
def test_what_the_system_took_away_is_named(tmp_path: Path, line: str, said: str) -> None:
    if "/dev/full" in line and not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    done = subprocess.run(
        ["sh", "-c", line.format(MAPKIT)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
    )
    assert done.returncode == 1
    (only_line,) = done.stderr.splitlines()
    assert only_line.startswith(said)


@pytest.mark.parametrize(("form", "blocks"), [("geojson", 8), ("gpkg", 8), ("gpkg", 64)])
def test_a_limit_of_the_size_of_files_is_named(tmp_path: Path, form: str, blocks: int) -> None:
    """GDAL and SQLite find it in temporary files, the layer of writing in files to stay."""
    line = f"ulimit -f {blocks} && {MAPKIT} -q export '{tmp_path / 'tiny.json'}' --to {form} --out out"
    (tmp_path / "tiny.json").write_text(json_text(tiny_board()), encoding="utf-8", newline="\n")
    done = subprocess.run(
        ["sh", "-c", line],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        # Python itself would cut off the modules that it compiles
        env=os.environ | {"PYTHONPATH": str(REPOSITORY), "MAPKIT_CACHE": "off", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 1
    (only_line,) = done.stderr.splitlines()
    assert only_line.startswith("mapkit: ")
    assert "cannot be written" in only_line
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tiny.json"]


def test_compiled_modules_that_were_cut_off_are_named(tmp_path: Path) -> None:
    """A full disk or a limit cuts them off; Python says no file, and Typer nothing but "Aborted!"."""
    words = [sys.executable, "-m", "mapkit", "undo", "nowhere"]
    surroundings = os.environ | {"PYTHONPATH": str(REPOSITORY), "PYTHONPYCACHEPREFIX": str(tmp_path)}
    surroundings.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run(words, check=False, capture_output=True, env=surroundings)
    for module in ("cli/app", "console/commands", "api/steps"):
        (compiled,) = tmp_path.rglob(f"mapkit/{module}.*.pyc")
        whole = compiled.read_bytes()
        compiled.write_bytes(whole[:500])
        done = subprocess.run(words, check=False, capture_output=True, text=True, encoding="utf-8", env=surroundings)
        assert done.returncode == 1
        assert done.stderr.startswith(f"mapkit: {compiled}: this compiled module of Python was cut off")
        assert len(done.stderr.splitlines()) == 1
        compiled.write_bytes(whole)


@pytest.mark.parametrize("arguments", [["check", "usa", "-w", "{}"], ["verify", "{}"], ["check", "{}/x"]])
def test_names_that_are_too_long_are_refused(run: Run, arguments: list[str]) -> None:
    ended = run(*[word.format("a" * 300) for word in arguments])
    assert ended.code == 1
    assert ended.err.startswith("mapkit: ")


@pytest.mark.parametrize(
    ("number", "shown"), [("inf", "inf"), ("-nan", "nan"), ("1e400", "inf"), ("9" * 30, "too large")]
)
def test_numbers_of_toml_that_no_board_can_hold_are_named(number: str, shown: str) -> None:
    folder = REPOSITORY / "sources" / "mexico-hex"
    files = dict(HEX.read_files(folder))
    files["board.toml"] = str(files["board.toml"]).replace("columns = 51", f"columns = {number}")
    with pytest.raises(SourceError, match=rf"board\.toml:\d+: \w+\.columns is {shown}; give a number"):
        HEX.document_of(files)
