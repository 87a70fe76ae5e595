"""Commands that documents show, run as they stand there."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from conftest import REPOSITORY


def shown_in(document: str) -> list[tuple[str, str]]:
    """Return the commands of a document of docs/, each with what it prints."""
    text = (REPOSITORY / "docs" / document).read_text(encoding="utf-8")
    return re.findall(r"^```console\n\$ (.+)\n((?:.*\n)*?)```", text, re.MULTILINE)


def check_output(command: str, shown: str, folder: Path) -> None:
    """Run a command of mapkit in a folder; it must print what is shown, `...` standing for anything."""
    done = subprocess.run(
        [sys.executable, "-u", "-m", *shlex.split(command)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY), "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert doctest.OutputChecker().check_output(shown, done.stdout, doctest.ELLIPSIS), done.stdout
