"""Single edits of good files, through the commands that read them: a result, or a message that names the file.

The normal run tries two edits of each reader, the same in every run; `--long` tries a hundred.
"""

from pathlib import Path
from random import Random

import pytest
from sampling import is_long

from fuzz.edits import Edit
from fuzz.readers import READERS, files_of, try_edit

pytestmark = pytest.mark.slow

EDITS = 100 if is_long() else 2
COMMANDS = 2 if is_long() else 1
SEED = 18


@pytest.mark.parametrize("name", READERS)
def test_an_edit_is_read_or_refused(name: str, tmp_path: Path) -> None:
    reader = READERS[name]
    good, count = files_of(reader)[reader.file], len(reader.commands)
    wrong: list[str] = []
    for number in range(EDITS):
        edit = reader.make(good, Random(f"{name} {SEED} {number}"))  # noqa: S311 - no secret
        commands = {reader.commands[(number + at) % count]: None for at in range(COMMANDS)}
        ends = try_edit(reader, edit, tmp_path / "workspace", tuple(commands))
        wrong += [f"{number}: {edit.says}: {end.command}: {end.wrong}\n{end.text}" for end in ends if end.wrong]
    assert wrong == []


def test_a_defect_is_not_taken_for_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise IndexError("list index out of range")

    monkeypatch.setattr("mapkit.whole_board", broken)
    reader = READERS["geojson"]
    [ended] = try_edit(reader, Edit("none", files_of(reader)[reader.file]), tmp_path / "w", reader.commands[:1])
    assert ended.wrong == "IndexError: list index out of range"
