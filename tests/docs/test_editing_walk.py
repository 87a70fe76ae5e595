"""The commands of docs/how-to/editing.md print what is shown there, one after another in one folder."""

import re
from pathlib import Path

from conftest import REPOSITORY
from walking import check_output, shown_in

from mapkit.kinds.rail.commands import COMMANDS


def test_the_walk_of_the_editing_document(tmp_path: Path) -> None:
    shown = shown_in("how-to/editing.md")
    assert [command.split()[1] for command, _ in shown] == ["new", "do", "undo", "redo", "journal"]
    for command, out in shown:
        check_output(command, out, tmp_path)


def test_the_table_names_commands_that_there_are() -> None:
    text = (REPOSITORY / "docs" / "how-to" / "editing.md").read_text(encoding="utf-8")
    table = text.partition("| command |")[2]
    named = {name for row in table.splitlines()[2:] if row.startswith("|") for name in re.findall(r"`([a-z-]+)`", row)}
    assert named - {"places"} <= set(COMMANDS)
    assert len(named) >= 7
