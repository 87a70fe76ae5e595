"""Commands that documents show, run as they are there."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from conftest import REPOSITORY

from mapkit.cli.app import main


def shown_in(document: str) -> list[tuple[str, str]]:
    """Return the commands of a document of docs/, each with what it prints."""
    text = (REPOSITORY / "docs" / document).read_text(encoding="utf-8")
    return re.findall(r"^```console\n\$ (.+)\n((?:.*\n)*?)```", text, re.MULTILINE)


def check_output(command: str, shown: str, folder: Path) -> None:
    """Run a command of mapkit in a folder; it must print what is shown, `...` standing for anything."""
    compare(called(command, folder)[1], shown)


def called(command: str, folder: Path) -> tuple[int, str]:
    """Run a command of mapkit in a folder; return its exit code and what it printed.

    It runs in this process: to start Python and to load mapkit takes longer than most commands.
    """
    program, *arguments = shlex.split(command)
    assert program == "mapkit"
    said = StringIO()
    code = 0
    with (
        chdir(folder),
        redirect_stdout(said),
        redirect_stderr(said),
        patch("sys.argv", [program, *arguments]),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return code, said.getvalue()


def check_program(command: str, shown: str, folder: Path) -> None:
    """Do the same with a program of its own."""
    done = subprocess.run(
        [sys.executable, "-u", "-m", *shlex.split(command)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY), "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    compare(done.stdout, shown)


def compare(said: str, shown: str) -> None:
    """Compare what was said with what a document shows."""
    assert doctest.OutputChecker().check_output(shown, said, doctest.ELLIPSIS), said


# a file to write, named above its block; or commands with what they print
_STEP = re.compile(
    r"^(?:`(?P<path>[^`\n]+)`(?P<add> \(add at the end\))?:\n\n)?```(?P<kind>\w+)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_COMMAND = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """A file to write, or a command with what it prints."""

    path: str = ""
    text: str = ""
    add: bool = False
    command: str = ""


def steps(walk: str) -> Iterator[Step]:
    """Yield the steps of a walk: the text of a page, or of a part of it."""
    for found in _STEP.finditer(walk):
        if found["kind"] == "console":
            assert not found["path"]
            for command, shown in _COMMAND.findall(found["body"]):
                yield Step(command=command, text=shown)
        else:
            assert found["path"], f"no file is named for the block {found['body'][:60]!r}"
            yield Step(path=found["path"], text=found["body"], add=bool(found["add"]))


def walk_through(walk: str, folder: Path) -> None:
    """Do all steps of a walk in a folder; every command must print what the page shows."""
    for step in steps(walk):
        if step.path:
            _write(step, folder)
        else:
            compare(_call(step.command, folder), step.text)


def _call(command: str, folder: Path) -> str:
    """Run a command of a walk, and return what it printed."""
    program, *arguments = shlex.split(command)
    if program == "rm":
        for argument in arguments:
            paths = list(folder.glob(argument))
            assert paths
            for path in paths:
                path.unlink()
        return ""
    code, printed = called(command, folder)
    assert code == int(arguments[0] == "match" and "--table" in arguments), printed  # names remain
    return printed


def _write(step: Step, folder: Path) -> None:
    path = folder / step.path
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text(encoding="utf-8") if step.add else ""
    path.write_text(before + step.text, encoding="utf-8", newline="\n")
