"""The tables of commands: they say what the commands say, and a command's module is loaded when it is called."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from conftest import Run

from mapkit.cli.app import app
from mapkit.console.commands import LoadingGroup, NotLoaded

GROUP: Any = typer.main.get_command(app)


def commands(group: LoadingGroup, path: tuple[str, ...] = ()) -> Iterator[tuple[str, NotLoaded]]:
    for name, command in group.commands.items():
        if isinstance(command, LoadingGroup):
            yield from commands(command, (*path, name))
        else:
            assert isinstance(command, NotLoaded), f"{name} is not in a table"
            yield " ".join((*path, name)), command


ALL = dict(commands(GROUP))


@pytest.mark.parametrize("name", ALL)
def test_a_table_says_what_the_command_says(name: str) -> None:
    stub = ALL[name]
    command = stub.load()
    assert command.name == name.rsplit(maxsplit=1)[-1]
    assert stub.help == command.help.split("\n\n")[0].split(". ")[0].replace("\n", " ").rstrip(".") + "."
    assert stub.get_short_help_str(300) == command.get_short_help_str(300)


def loaded_by(*arguments: str, **environment: str) -> tuple[str, set[str]]:
    """Return what `mapkit` prints, and the modules of mapkit that it loads."""
    code = (
        "import sys\nsys.argv[0] = 'mapkit'\nfrom mapkit.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print('LOADED', *sys.modules, file=sys.stderr)"
    )
    env = os.environ | {"COLUMNS": "100"} | environment
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env, encoding="utf-8")
    names = done.stderr.rpartition("LOADED")[2].split()
    return done.stdout, {name for name in names if name.startswith("mapkit.")}


def test_help_loads_no_command() -> None:
    for arguments in (["--help"], ["payoffs", "--help"]):
        out, loaded = loaded_by(*arguments)
        assert "Usage" in out
        assert not loaded & {stub.entry.where.partition(":")[0] for stub in ALL.values()}


def test_the_help_of_an_operation_loads_no_operation() -> None:
    out, loaded = loaded_by("undo", "--help")
    assert "Undo steps of a board" in out
    assert not loaded & {stub.entry.where.partition(":")[0] for stub in ALL.values()}  # it is read from its source


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("mapkit exp", ["export"]),
        ("mapkit payoffs re", ["read", "repair"]),
        ("mapkit undo --st", ["--steps"]),
    ],
)
def test_a_shell_completes_names_and_options(typed: str, completed: list[str]) -> None:
    environment = {"_MAPKIT_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1)}
    out, loaded = loaded_by(**environment)
    assert out.split() == completed
    if not typed.rpartition(" ")[2].startswith("-"):
        assert not loaded & {stub.entry.where.partition(":")[0] for stub in ALL.values()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("mapkit check portugal-", ["portugal-hex"]),
        ("mapkit draw usa --theme at", ["atlas"]),
        ("mapkit check usa --variant western", ["western-us"]),
        ("mapkit route --board portugal Lisb", ["Lisboa"]),
        ("mapkit route Lisboa Porto --board portugal --railroads NL,OE,BA", ["NL,OE,BA"]),
    ],
)
def test_a_shell_completes_boards_and_what_is_on_them(typed: str, completed: list[str]) -> None:
    environment = {"_MAPKIT_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1)}
    assert loaded_by(**environment)[0].split() == completed


def test_a_wrong_name_gets_a_hint(run: Run) -> None:
    ran = run("exprot")
    assert ran.code == 2
    assert "No such command 'exprot'. Did you mean 'export'" in ran.err


def test_steps_done_before_a_failure_are_printed(example: Any, run: Run) -> None:
    workspace = example.parent.parent
    good = json.dumps({"kind": "set-setting", "key": "title", "value": "New"})
    bad = json.dumps({"kind": "edit-city", "id": "nowhere", "lon": 1, "lat": 1})
    ran = run("do", "example", good, bad, "-w", workspace)
    assert ran.code == 1
    assert len(ran.out.splitlines()) == 1
    assert "command 2 of 2: edit-city: " in ran.err
    assert 'title = "New"' in (example / "board.toml").read_text(encoding="utf-8")
    ran = run("undo", "example", "-n", "2", "-w", workspace)
    assert (ran.code, len(ran.out.splitlines())) == (1, 1)
    assert 'title = "New"' not in (example / "board.toml").read_text(encoding="utf-8")
