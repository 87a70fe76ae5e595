"""The commands of docs/how-to/print.md print what is shown there, one after another in one folder."""

from pathlib import Path

from walking import check_output, shown_in


def test_the_walk_of_the_printing_document(tmp_path: Path) -> None:
    shown = shown_in("how-to/print.md")
    assert [command.split()[1] for command, _ in shown] == ["print", "export", "picture"]
    for command, out in shown:
        check_output(command, out, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["portugal-a3.pdf", "portugal.pdf", "portugal.svg"]
