"""Fixtures that many tests share."""

import shutil
import sys
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

from tiny import tiny_board

import mapkit
from mapkit.cli.app import main

settings.register_profile("mapkit", deadline=None)  # no test measures time
settings.load_profile("mapkit")

pytest_plugins = ("browsing", "editing")

REPOSITORY = Path(__file__).resolve().parent.parent


class Ran(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture(scope="session")
def usa() -> mapkit.Board:
    """The classic United States, compiled from its sources."""
    return mapkit.load("usa", workspace=REPOSITORY)


@pytest.fixture
def tiny() -> mapkit.Board:
    """A board of eight mileposts made by hand."""
    return tiny_board()


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A workspace that holds the small example as board `example`; returns its source package."""
    folder = tmp_path / "sources" / "example"
    with as_file(files("mapkit.sources").joinpath("template")) as template:
        shutil.copytree(template, folder)
    return folder


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `mapkit ARGUMENTS...` in this process."""

    def call(*arguments: str | Path) -> Ran:
        monkeypatch.setattr(sys, "argv", ["mapkit", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return call
