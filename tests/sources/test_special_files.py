"""Pipes, devices and links in place of a package's files: refused at once, and nothing outside the package is read."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders")


@pytest.mark.parametrize("name", ["board.toml", "cities.csv"])
@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("pipe", "this is a pipe or a device, not a file; put a file there"),
        ("link", "a link that leads out of example; put the file itself there"),
    ],
)
def test_what_is_no_file_of_the_package_is_refused(name: str, kind: str, said: str, example: Path, run: Run) -> None:
    path = example / name
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/etc/hosts")
    ran = run("check", "example", "--workspace", example.parent.parent)
    assert ran.code == 1
    assert f"{name}: S01 error: {said}" in ran.out
    assert "localhost" not in ran.out + ran.err


@pytest.mark.parametrize(
    "arguments", [["import", "{}"], ["import", "{}.gpkg"], ["import", "{}.json"], ["draw", "usa", "--theme", "{}.toml"]]
)
def test_a_pipe_in_place_of_a_file_is_refused(arguments: list[str], tmp_path: Path) -> None:
    words = [word.format(tmp_path / "pipe") for word in arguments]
    os.mkfifo(words[-1])
    done = subprocess.run(
        [sys.executable, "-m", "mapkit", "-q", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=60,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
    )
    assert done.returncode == 1
    assert done.stderr.startswith("mapkit: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_link_within_the_package_is_followed(example: Path, run: Run) -> None:
    cities = example / "cities.csv"
    cities.rename(example / "places-of-cities.txt")
    cities.symlink_to(example / "places-of-cities.txt")
    assert run("check", "example", "--workspace", example.parent.parent).code == 0
