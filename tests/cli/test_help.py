"""Help and output on terminals: panels, examples, boards that are left out, tables that fit."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from conftest import REPOSITORY, Run
from sampling import sample
from terminals import run_on_terminal

from mapkit.cli.app import PANELS, app
from mapkit.console.commands import LoadingGroup, NotChosen, NotLoaded
from mapkit.console.help import colour_help, read_examples
from mapkit.console.terminal import display_width

pytestmark = pytest.mark.slow

ESCAPES = re.compile(r"\x1b\[[\d;?]*[A-Za-z]|\x1b\]8;[^\x1b]*\x1b\\")
ROOT: Any = typer.main.get_command(app)
WIDTHS = (40, 80, 160)
SHOWN = (
    ("--help",),
    ("check", "--help"),
    ("payoffs", "--help"),
    ("check", "portugal", "--no-drawing"),
    ("check", "portugal", "--no-drawing", "--all"),
    ("report", "portugal"),
    ("route", "Lisboa", "Faro", "--board", "portugal"),
    ("destinations", "odds", "portugal"),
    ("payoffs", "check", "portugal"),
    ("list", "formats"),
    ("list", "themes"),
    ("list", "commands"),
    ("rules", "options"),
    ("variant", "list"),
    ("doctor",),
)


def stubs(group: LoadingGroup, path: tuple[str, ...] = ()) -> Iterator[tuple[str, NotLoaded]]:
    for name, command in group.commands.items():
        if isinstance(command, LoadingGroup):
            yield from stubs(command, (*path, name))
        elif isinstance(command, NotLoaded) and not command.hidden:
            yield " ".join((*path, name)), command


VISIBLE = dict(stubs(ROOT))


def on_terminal(columns: int, *arguments: str, environment: str = "") -> str:
    """Return what `mapkit` writes to a terminal of so many columns."""
    code = (
        f"import os, sys; sys.argv[0] = 'mapkit'; os.environ.update({{'COLUMNS': '{columns}'}}, **{{{environment}}}); "
    )
    run = run_on_terminal(["-c", code + "from mapkit.cli import main; main()", "--quiet", *arguments], REPOSITORY)
    return run.text.replace("\r\n", "\n")


def test_help_has_panels_with_whole_sentences_and_fits_a_screen(run: Run) -> None:
    lines = run("--help").out.splitlines()
    assert len(lines) <= 61
    assert max(map(len, lines)) <= 80
    assert [line[:-1] for line in lines if re.fullmatch(r"[A-Z][\w ]+:", line)] == [*PANELS, "Options"]
    assert not any(line.endswith("...") for line in lines[1:])
    named = {name for names in PANELS.values() for name in names}
    assert named == {name for name, command in ROOT.commands.items() if not command.hidden}


def test_the_help_of_the_program_fits_a_screen() -> None:
    assert len(on_terminal(80, "--help").splitlines()) <= 60


@pytest.mark.parametrize("name", VISIBLE)
def test_help_of_each_command_ends_with_examples_that_it_understands(name: str) -> None:
    examples = read_examples()[name]
    assert len(examples) == 2
    for line in examples:
        words = shlex.split(line)[1:]
        stub = VISIBLE[name]
        rest = words[len(name.split()) :] if words[: len(name.split())] == name.split() else words[1:]
        command = stub.load(rest)
        with command.make_context(name, list(rest)) as context:
            assert context.params.keys() == {param.name for param in command.params if param.expose_value}


def test_no_argument_or_option_is_named_by_a_type() -> None:
    for name, stub in VISIBLE.items():
        for kind in stub.kinds.values() if isinstance(stub, NotChosen) else [stub]:
            command = kind.load()
            with command.make_context(name, [], resilient_parsing=True) as context:
                text = command.get_help(context)
            assert not re.search(r"<[a-z]", text.partition("Options:")[2].partition("Examples:")[0]), name
            assert "{" not in text.splitlines()[0], name


def test_colours_are_for_terminals_only() -> None:
    assert "\x1b[1;32mCheck:" in on_terminal(80, "--help")
    assert "\x1b" not in on_terminal(80, "--help", environment="'NO_COLOR': '1'")
    text = "Options:\n  --out, -o FILE  Where.\n"
    assert ESCAPES.sub("", colour_help(text)) == text


@pytest.mark.usefixtures("keeping")
@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("arguments", sample(SHOWN, 4), ids=" ".join)
def test_no_line_is_longer_than_the_terminal(columns: int, arguments: tuple[str, ...]) -> None:
    lines = ESCAPES.sub("", on_terminal(columns, *arguments)).splitlines()
    assert lines
    long = [line for line in lines if display_width(line.rstrip()) > columns and " " in line.strip()]
    assert not long


def test_a_healthy_board_takes_ten_lines_at_most() -> None:
    lines = on_terminal(80, "check", "usa").splitlines()
    assert len(lines) <= 10
    assert "36 accepted" in ESCAPES.sub("", lines[-1])
    assert "--all lists them" in ESCAPES.sub("", " ".join(lines))


@pytest.mark.parametrize(
    "form", [("check", "my-map"), ("check", "--board", "my-map"), ("check", "-b", "my-map"), ("check",)]
)
def test_a_board_is_named_in_each_way(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, form: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "my-map").code == 0
    ran = run(*form, "--no-drawing")
    assert ran.code == 0
    assert ("board: my-map" in ran.err) == (form == ("check",))


def test_boards_that_contradict_or_cannot_be_chosen_are_refused(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("check")
    assert ran.code == 2
    assert "say which board is meant: this folder has none of its own; shipped is usa" in ran.err
    assert run("new", "first").code == run("new", "second").code == 0
    ran = run("check")
    assert ran.code == 2
    assert "this folder has first, second" in ran.err
    ran = run("check", "first", "--board", "second")
    assert ran.code == 2
    assert "the board is 'first' and 'second'; give one of them" in ran.err


@pytest.mark.parametrize(
    ("former", "now"),
    [
        ("themes", "list themes"),
        ("formats", "list formats"),
        ("commands", "list commands"),
    ],
)
def test_former_names_work(run: Run, former: str, now: str) -> None:
    assert run(former).out == run(*now.split()).out != ""
