"""Names that documents and docstrings mention exist: modules, functions, commands, files. Tables of rooms are true."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import test_imports
import typer
from conftest import REPOSITORY

from mapkit.cli.app import app
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.colours.ink_patterns import ink_patterns
from mapkit.kinds.rail.render.lines.pens import PENS

PAGES = sorted(
    path
    for pattern in ("*.md", "docs/*.md", "sources/*.md", "variants/*.md", "mapkit/editor/web/*.md")
    for path in REPOSITORY.glob(pattern)
)
CHANGES = REPOSITORY / "CHANGELOG.md"  # names what was, too
ARCHITECTURE = REPOSITORY / "docs" / "architecture.md"
CARDS = REPOSITORY / "docs" / "cards.md"
HEX = REPOSITORY / "docs" / "hex.md"
DOTTED = re.compile(r"`(mapkit(?:\.\w+)+)(?:\(\))?`")
PATHS = re.compile(r"`((?:mapkit|tests|tools|docs)/[\w/.-]*\w)/?`")
COMMAND = re.compile(r"`mapkit ([a-z]+(?:-[a-z]+)*)(?: ([a-z]+))?")


def docstrings() -> Iterator[tuple[str, str]]:
    """Return where each docstring stands, and its text; those of attributes as well."""
    for path in sorted((REPOSITORY / "mapkit").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                yield f"{path.relative_to(REPOSITORY)}:{node.lineno}", node.value.value


@cache
def texts() -> list[tuple[str, str]]:
    pages = [(str(path.relative_to(REPOSITORY)), path.read_text(encoding="utf-8")) for path in PAGES if path != CHANGES]
    return [*pages, *docstrings()]


def exists(dotted: str) -> bool:
    """Say whether a dotted name is a module, or a name (of a name) that a module has."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        path = REPOSITORY.joinpath(*parts[:length])
        for file in (path.with_suffix(".py"), path / "__init__.pyi", path / "__init__.py"):
            if file.is_file():
                text = file.read_text(encoding="utf-8")
                return all(re.search(rf"\b{name}\b", text) for name in parts[length:])
    return False


def test_modules_and_functions_that_texts_name_exist() -> None:
    named = {(dotted, where) for where, text in texts() for dotted in DOTTED.findall(text)}
    assert ("mapkit.core.output.write_files", "docs/architecture.md") in named
    here = {"mapkit.exchange"}  # the group of entry points
    known = {dotted: dotted in here or exists(dotted) for dotted, _ in named}
    assert sorted(f"{where}: {dotted}" for dotted, where in named if not known[dotted]) == []


def test_files_that_texts_name_exist() -> None:
    named = {(path, where) for where, text in texts() for path in PATHS.findall(text.partition("\n## Walks\n")[0])}
    assert ("tests/kinds/points.py", "docs/architecture.md") in named
    made = ("mapkit/kinds/NAME", "mapkit/editor/static")
    wrong = sorted(
        f"{where}: {path}" for path, where in named if not path.startswith(made) and not (REPOSITORY / path).exists()
    )
    assert wrong == []


def takes_a_board(group: Any, name: str) -> bool:
    """Return whether a group has a command for a board without a command's name: `mapkit playtest usa`."""
    return bool(getattr(group.commands[name], "otherwise", ""))


def test_commands_that_texts_name_exist() -> None:
    group = typer.main.get_command(app)
    commands = {name: set(getattr(command, "commands", ())) for name, command in group.commands.items()}  # type: ignore[attr-defined]
    assert "diff" in commands["variant"]
    wrong = [
        f"{where}: mapkit {name} {sub}".rstrip()
        for where, text in texts()
        for name, sub in COMMAND.findall(text)
        if name not in commands
        or (commands[name] and sub and sub not in commands[name] and not takes_a_board(group, name))
    ]
    assert wrong == []


def rooms(head: str, document: Path = ARCHITECTURE) -> list[set[str]]:
    """Return the rooms of each row of a table of a document."""
    table = document.read_text(encoding="utf-8").partition(f"| {head} |")[2].partition("\n\n")[0]
    return [set(re.findall(r"`([\w.]+)`", row.split("|")[1])) for row in table.splitlines()[2:]]


@pytest.mark.parametrize(
    ("head", "order"), [("room | holds", test_imports.ROOMS), ("room of `kinds/rail/` | holds", test_imports.RAIL)]
)
def test_tables_of_rooms_are_in_the_order_of_imports(head: str, order: tuple[set[str], ...]) -> None:
    assert rooms(head) == list(order)


def test_the_table_of_rooms_of_hexagon_boards_is_too() -> None:
    assert rooms("room of `kinds/hex/` | holds", HEX) == list(test_imports.HEX)


def test_the_table_of_rooms_of_card_games_is_too() -> None:
    assert rooms("room of `kinds/cards/` | holds", CARDS) == list(test_imports.CARDS)


def test_functions_of_the_data_flow_are_in_their_modules() -> None:
    text = ARCHITECTURE.read_text(encoding="utf-8").partition("| box | function | module |")[2].partition("\n\n")[0]
    rows = [[re.findall(r"`([^`]+)`", cell) for cell in row.split("|")[2:4]] for row in text.splitlines()[2:]]
    assert len(rows) == 11
    for [function, *_], [module] in rows:
        assert exists(f"{module}.{function}"), f"{module}.{function}"


def test_the_architecture_is_read_in_ten_minutes() -> None:
    """At 350 words a minute, tables included; a decision has three sentences and no more."""
    text = ARCHITECTURE.read_text(encoding="utf-8")
    assert len(text.split()) < 3600
    decisions = text.partition("\n## Decisions\n")[2].partition("\n## ")[0]
    long = []
    for paragraph in re.findall(r"^\*\*.+?(?=\n\n|\Z)", decisions, re.MULTILINE | re.DOTALL):
        title, _, body = paragraph.partition(".**")
        plain = re.sub(r"`[^`]*`|\([^)]*\)", "x", body.replace("\n", " "))
        if len(re.findall(r"[.:](?= [A-Z`]|$)", plain)) > 4:
            long.append(title.strip("*"))
    assert long == []


def test_patterns_of_the_print_theme_are_as_documented(usa: Board) -> None:
    text = " ".join((REPOSITORY / "docs" / "themes.md").read_text(encoding="utf-8").split())
    patterns = ink_patterns(usa)
    there: dict[str, set[str]] = defaultdict(set)
    for segment in usa.segments:
        for end in (segment.a, segment.b):
            there[end].add(segment.railroad)
    assert f"from the {len(PENS)} that there are" in text
    assert len(there["chicago"]) == 11
    assert all(len({patterns[one] for one in found}) == len(found) for found in there.values())
