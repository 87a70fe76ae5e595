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
from mapkit.kinds.rail.render.colours.railroad_styles import assign_ink_patterns
from mapkit.kinds.rail.render.lines.line_patterns import PENS

PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "sources/*.md", "variants/*.md", "mapkit/**/*.md", "tests/**/*.md")
    for path in REPOSITORY.glob(pattern)
    if "node_modules" not in path.parts
)
CHANGES = REPOSITORY / "CHANGELOG.md"
ARCHITECTURE = REPOSITORY / "docs" / "architecture.md"
CARDS = REPOSITORY / "docs" / "how-to" / "cards.md"
HEX = REPOSITORY / "docs" / "how-to" / "hex.md"
SEEN = ("mapkit", "tests", "tools")
"""Folders with docstrings and comments that are read too."""
DOTTED = re.compile(r"(?<![\w./@-])mapkit(?:\.[A-Za-z_]\w*)+")
PATHS = re.compile(r"(?<![\w./-])(?:\./)?((?:mapkit|tests|tools|docs|\.ci|\.github)/[\w/.-]*\w)(?![\w*{]|/?[*{<])")
NAMING = re.compile(r"mapkit|tests/|tools/|docs/|test_")
MADE = {
    "mapkit/board",
    "mapkit/card-game-log",
    "mapkit/hex-game-log",
    "mapkit/editor/static",
    "tools/layers/python_modules",
}
"""A key of the board file, the name of a format, and what is built or fetched."""
FILE = re.compile(r"`(test_\w+\.py)`")
COMMAND = re.compile(r"`mapkit ([a-z]+(?:-[a-z]+)*)(?: ([a-z]+))?")


def docstrings() -> Iterator[tuple[str, str]]:
    """Return where each docstring stands, and its text; those of attributes as well."""
    for path in sorted(path for folder in SEEN for path in (REPOSITORY / folder).rglob("*.py")):
        if "node_modules" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                yield f"{path.relative_to(REPOSITORY).as_posix()}:{node.lineno}", node.value.value


def comments() -> Iterator[tuple[str, str]]:
    """Return the comments of each module that name something of the project."""
    for path in sorted(path for folder in SEEN for path in (REPOSITORY / folder).rglob("*.py")):
        if "node_modules" not in path.parts:
            lines = path.read_text(encoding="utf-8").splitlines()
            text = "\n".join(line.partition("# ")[2] for line in lines if "# " in line and NAMING.search(line))
            yield path.relative_to(REPOSITORY).as_posix(), text


def changes() -> str:
    """Return the changes of the version that is in the making; those of earlier versions name what was."""
    return CHANGES.read_text(encoding="utf-8").partition("\n## [")[2].partition("\n## [")[0]


def comments_of_tables() -> Iterator[tuple[str, str]]:
    """Return the comments of TOML files, which say what their keys mean."""
    for path in sorted(path for folder in ("mapkit", "tests") for path in (REPOSITORY / folder).rglob("*.toml")):
        lines = path.read_text(encoding="utf-8").splitlines()
        text = "\n".join(line.partition("#")[2] for line in lines if line.lstrip().startswith("#"))
        yield path.relative_to(REPOSITORY).as_posix(), text


@cache
def texts() -> list[tuple[str, str]]:
    pages = [(str(path.relative_to(REPOSITORY)), path.read_text(encoding="utf-8")) for path in PAGES if path != CHANGES]
    return [*pages, *docstrings(), *comments(), *comments_of_tables(), ("CHANGELOG.md", changes())]


@cache
def defined(file: Path) -> dict[str, ast.AST]:
    """Return what a module or a stub names at its top."""
    return named_in(ast.parse(file.read_text(encoding="utf-8")).body)


def named_in(body: list[ast.stmt]) -> dict[str, ast.AST]:
    """Return the names that statements define or import, also under a condition."""
    found: dict[str, ast.AST] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {name.id: node for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name: node for alias in node.names}
        elif isinstance(node, ast.If | ast.Try):
            found |= named_in([*node.body, *node.orelse])
    return found


def exists(dotted: str) -> bool:
    """Say whether a dotted name is a module, or a name (of a name) that a module has."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        path = REPOSITORY.joinpath(*parts[:length])
        files = [path.with_suffix(".py"), path / "__init__.pyi", path / "__init__.py", path.with_suffix(".pyi")]
        there = [file for file in files if file.is_file()]
        if there or path.is_dir():
            return any(has(file, parts[length:]) for file in there) or length == len(parts)
    return False


def has(file: Path, names: list[str]) -> bool:
    """Say whether a module has a name, and what that names has the next; what is imported is not followed."""
    if not names:
        return True
    found = defined(file).get(names[0])
    if isinstance(found, ast.ClassDef):
        inner = named_in(found.body)
        return all(name in inner or found.bases for name in names[1:2])
    return found is not None


def test_names_that_do_not_exist_are_told_from_those_that_do() -> None:
    assert exists("mapkit.core.output.write_files")
    assert exists("mapkit.kinds.kind.Kind.compile")
    assert exists("mapkit.load")
    assert not exists("mapkit.core.output.write_file")
    assert not exists("mapkit.core.inputs")
    assert DOTTED.findall("in mapkit.core.output, and `mapkit.load()`.") == ["mapkit.core.output", "mapkit.load"]
    assert PATHS.findall("./docs/gallery.md, `tests/kinds/` and build/docs/x.md") == ["docs/gallery.md", "tests/kinds"]


def test_modules_and_functions_that_texts_name_exist() -> None:
    named = {(dotted, where) for where, text in texts() for dotted in DOTTED.findall(walks_apart(where, text))}
    assert ("mapkit.core.output.write_files", "docs/architecture.md") in named
    here = {"mapkit.exchange"}  # the group of entry points
    known = {dotted: dotted in here or exists(dotted) for dotted, _ in named}
    assert sorted(f"{where}: {dotted}" for dotted, where in named if not known[dotted]) == []


def walks_apart(where: str, text: str) -> str:
    """Return a text without the walks, which make modules and which another test carries out."""
    if where != "CONTRIBUTING.md":
        return text
    head, _, rest = text.partition("\n## Walks\n")
    return head + rest.partition("\n## Add an option of the rules\n")[2]


def test_files_that_texts_name_exist() -> None:
    named = {(path, where) for where, text in texts() for path in PATHS.findall(walks_apart(where, text))}
    assert ("tests/kinds/points.py", "docs/architecture.md") in named
    missing = [(where, path) for path, where in named if path not in MADE and not (REPOSITORY / path).exists()]
    assert sorted(f"{where}: {path}" for where, path in missing if "/NAME" not in path) == []


def test_test_files_that_texts_name_exist() -> None:
    there = {path.name for path in (REPOSITORY / "tests").rglob("test_*.py")}
    assert [f"{where}: {name}" for where, text in texts() for name in FILE.findall(text) if name not in there] == []


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
    assert len(rows) == 12
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
    text = " ".join((REPOSITORY / "docs" / "how-to" / "themes.md").read_text(encoding="utf-8").split())
    patterns = assign_ink_patterns(usa)
    there: dict[str, set[str]] = defaultdict(set)
    for segment in usa.segments:
        for end in (segment.a, segment.b):
            there[end].add(segment.railroad)
    assert f"from the {len(PENS)} that there are" in text
    assert len(there["chicago"]) == 11
    assert all(len({patterns[one] for one in found}) == len(found) for found in there.values())
