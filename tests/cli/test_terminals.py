"""Commands on a terminal: names are never markup of rich, and never control what the terminal does."""

import io
import re
from pathlib import Path

import pytest
from conftest import REPOSITORY
from optional import ON_UNIX
from terminals import run_on_terminal

from mapkit.console.printing import stages, table
from mapkit.console.terminal import EscapingStream, display_width, escaped_output
from mapkit.core.characters import escape_characters
from mapkit.core.progress import ProgressBar

pytestmark = pytest.mark.slow

NAMES = (
    "[play]",
    "a[/b]",
    "[bold red]x",
    "[link=http://x]y[/link]",
    "a\x1b[31mred",
    "a\x1b]0;title\x07",
    "日本[/]鉄道",
)
STAGES = """
import sys
from mapkit.cli.app import escaped_output
from mapkit.console.printing import print_message, print_result, stages
name = sys.argv[1]
with escaped_output():
    with stages(f"check {name}") as progress:
        progress(f"reading {name}")
        print_message(f"said {name}")
    print_message(f"talk {name}")
    print_result(f"result {name}")
"""
LINE_FORMS = ("check {}: reading {} ...", "said {}", "talk {}", "result {}")
OWN_SEQUENCE = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")
"""Sequences by which rich draws its moving line: colours, clearing, the cursor."""


def seen(text: str) -> str:
    """Return what a terminal printed without the sequences of rich; a user's sequence was escaped before."""
    return OWN_SEQUENCE.sub("", text)


@ON_UNIX
@pytest.mark.parametrize("name", NAMES)
def test_stages_talk_and_results_print_names_as_they_are(name: str, tmp_path: Path) -> None:
    ran = run_on_terminal(["-c", STAGES, name], tmp_path)
    shown, text = escape_characters(name), seen(ran.text)
    assert ran.code == 0, text
    for form in LINE_FORMS:
        assert form.replace("{}", shown) in text
    assert "\x1b[31m" not in ran.text
    assert "\x07" not in ran.text


@ON_UNIX
@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("check", "a[/b]"),
        ("build", "a[/b]"),
        ("playtest", "a[/b]"),
        ("playtest", "[play]"),
    ],
)
def test_a_board_of_any_name_is_refused_in_a_sentence(command: str, name: str, tmp_path: Path) -> None:
    ran = run_on_terminal(["-m", "mapkit", command, f"{name}/board"], tmp_path)
    shown, text = escape_characters(name), seen(ran.text)
    assert ran.code == 1, text
    assert f"mapkit: {shown}/board: no board.toml there; give the folder of a source package" in text
    assert "Traceback" not in text
    assert "\x1b[31m" not in ran.text
    assert "\x07" not in ran.text


@ON_UNIX
@pytest.mark.parametrize("command", [("check", "--no-drawing"), ("build",)])
def test_a_board_in_a_folder_with_brackets_is_used(command: tuple[str, ...], example: Path) -> None:
    name = "[bold]a[/b] 日本"
    folder = example.parent.parent / name
    folder.parent.mkdir()
    example.rename(folder)
    ran = run_on_terminal(["-m", "mapkit", command[0], name, *command[1:]], folder.parent.parent)
    assert ran.code == 0, ran.text
    assert f"{command[0]} {name}" in seen(ran.text)
    assert "My board: " in ran.text


@ON_UNIX
def test_a_usage_error_does_not_control_the_terminal(tmp_path: Path) -> None:
    ran = run_on_terminal(["-m", "mapkit", "check", "--\x1b[31m"], tmp_path)
    assert ran.code == 2
    assert "argument 2 is '--\\x1b[31m', which holds the control character U+001B; delete it" in " ".join(
        ran.text.split()
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("Übersee 日本", "Übersee 日本"),
        ("two\nlines\tof text", "two\nlines\tof text"),
        ("\x1b[31m", r"\u001b[31m"),
        ("a\rb\x7f\x9b", r"a\u000db\u007f\u009b"),
        ("abc\u202edef", r"abc\u202edef"),
    ],
)
def test_control_characters_are_escaped(text: str, shown: str) -> None:
    assert escape_characters(text) == shown


def test_streams_are_put_back_and_pipes_get_results_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    import sys  # noqa: PLC0415 - its streams are replaced here

    before = sys.stdout, sys.stderr
    with escaped_output():
        sys.stdout.write("\x1b\n")
        sys.stderr.write("\x1b\n")
    assert (sys.stdout, sys.stderr) == before
    assert capsys.readouterr() == ("\x1b\n", "\\u001b\n")
    below = io.StringIO()
    assert EscapingStream(below).write("a\x1bb") == 3
    assert below.getvalue() == r"a\u001bb"


def test_with_json_stages_are_said_but_no_bar_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    for as_json in (False, True):
        with stages("check x", as_json=as_json) as progress:
            progress("reading")
            assert isinstance(progress, ProgressBar) == (not as_json)
    assert capsys.readouterr() == ("", 2 * "check x: reading ...\n")


def test_columns_stand_in_line_beside_wide_characters() -> None:
    lines = table(("name", "n"), [("日本", 1), ("e\u0301te\u0301", 22), ("a\x1b", 3)], right=(1,)).split("\n")
    assert [display_width(line) for line in lines] == [11, 11, 11, 11]
    assert lines[3] == r"a\u001b   3"


def test_the_terminal_has_no_second_way_to_markup() -> None:
    """Rich takes part in the moving line and the table of findings alone, and those get texts."""
    users = [
        path.relative_to(REPOSITORY).as_posix()
        for path in sorted((REPOSITORY / "mapkit").rglob("*.py"))
        if re.search(r"heavy\.(console|Text)\b|\bfrom rich\b|\bimport rich\b", path.read_text(encoding="utf-8"))
    ]
    assert users == ["mapkit/console/finding_table.py", "mapkit/console/moving_line.py"]
