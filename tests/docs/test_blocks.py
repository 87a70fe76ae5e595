"""Blocks of code in the documents are valid: Python compiles, tables parse, commands have their options.

Walks run most of them (`test_tutorials.py` and others); this holds the rest, which need files or hours.
"""

import ast
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import typer
from conftest import REPOSITORY

from mapkit.cli.app import app

PAGES = [
    REPOSITORY / "README.md",
    REPOSITORY / "CONTRIBUTING.md",
    *sorted(path for path in (REPOSITORY / "docs").rglob("*.md") if path.parent.name != "reference"),
]
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, *languages: str) -> list[str]:
    """Return the blocks of a page in some languages, without their indentation."""
    text = page.read_text(encoding="utf-8")
    return [dedent(body) for _, language, body in BLOCK.findall(text) if language in languages]


def commands(page: Path) -> Iterator[list[str]]:
    """Yield the words of each line of a page that runs mapkit, up to a comment or a pipe."""
    for body in blocks(page, "sh", "console", "text"):
        for line in body.splitlines():
            if found := re.match(r"(?:\$ )?mapkit (?!\.\.\.)(.*)", line):
                yield shlex.split(re.split(r" +# ", found[1])[0])


@cache
def options(stub: Any) -> frozenset[str]:
    """Return the options of a command; the stub of one loads it."""
    command = stub.load() if hasattr(stub, "load") else stub
    return frozenset(option for param in command.params for option in (*param.opts, *param.secondary_opts))


def unknown_options(words: list[str]) -> list[str]:
    """Return the options of a command that it does not have, or the command if it does not exist."""
    command: Any = typer.main.get_command(app)
    names = [word for word in words if not word.startswith("-")]
    while names and hasattr(command, "commands"):
        inner = command.commands.get(names[0])
        if inner is None:
            if not getattr(command, "otherwise", ""):
                return [names[0]]
            inner = command.commands[command.otherwise]
            names.insert(0, "")
        command, names = inner, names[1:]
    known = {
        "--help",
        *(option for stub in getattr(command, "kinds", {"": command}).values() for option in options(stub)),
    }
    return [word for word in words if re.match(r"--?[a-zA-Z]", word) and word.partition("=")[0] not in known]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(REPOSITORY).as_posix())
def test_blocks_are_valid(page: Path) -> None:
    for body in blocks(page, "python"):
        ast.parse(body)
    for body in blocks(page, "toml"):
        tomllib.loads(body)
    for body in blocks(page, "jsonl"):
        assert all(json.loads(line) for line in body.splitlines())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(REPOSITORY).as_posix())
def test_commands_have_their_options(page: Path) -> None:
    wrong = [(" ".join(words), found) for words in commands(page) if (found := unknown_options(words))]
    assert wrong == []
