"""The commands of docs/how-to/playtesting.md print what is shown there, one after another in one folder."""

from pathlib import Path

from walking import check_output, shown_in

from mapkit.core.outputs.owners import RECORD


def test_the_walk_of_the_playtesting_document(tmp_path: Path) -> None:
    shown = shown_in("how-to/playtesting.md")
    assert [command.split()[1] for command, _ in shown] == ["playtest", "referee"]
    for command, out in shown:
        check_output(command, out, tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.name != RECORD] == ["match.jsonl"]
