"""The commands of docs/editing.md print what is shown there, one after another in one folder."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from conftest import REPOSITORY

from mapkit.editor.commands import COMMANDS


def test_the_walk_of_the_editing_document(tmp_path: Path) -> None:
    text = (REPOSITORY / "docs" / "editing.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```console\n\$ (.+)\n((?:.*\n)*?)```", text, re.MULTILINE)
    assert [command.split()[1] for command, _ in shown] == ["new", "do", "undo", "redo", "journal"]
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


def test_the_table_names_commands_that_there_are() -> None:
    text = (REPOSITORY / "docs" / "editing.md").read_text(encoding="utf-8")
    table = text.partition("| command |")[2]
    named = {name for row in table.splitlines()[2:] if row.startswith("|") for name in re.findall(r"`([a-z-]+)`", row)}
    assert named - {"keep_shape", "places"} <= set(COMMANDS)
    assert len(named) >= 7
