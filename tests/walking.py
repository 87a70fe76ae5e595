"""Commands that documents show, run as they are there."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
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
