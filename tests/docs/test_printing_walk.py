"""The commands of docs/print.md print what is shown there, one after another in one folder."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from conftest import REPOSITORY


def test_the_walk_of_the_printing_document(tmp_path: Path) -> None:
    text = (REPOSITORY / "docs" / "print.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```console\n\$ (.+)\n((?:.*\n)*?)```", text, re.MULTILINE)
    assert [command.split()[1] for command, _ in shown] == ["print", "export", "picture"]
    for command, out in shown:
        done = subprocess.run(
            [sys.executable, "-u", "-m", *shlex.split(command)],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(REPOSITORY), "PYTHONUTF8": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        assert doctest.OutputChecker().check_output(out, done.stdout, doctest.ELLIPSIS), done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["portugal-a3.pdf", "portugal.pdf", "portugal.svg"]
