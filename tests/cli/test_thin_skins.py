"""A command parses, calls one public function, and prints; so its help loads no library that is slow to load."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mapkit
from mapkit.cli.app import OF_ANY_KIND
from mapkit.console.commands import Group
from mapkit.kinds.registry import command_tables

PACKAGE = Path(mapkit.__file__).parent
FOLDERS = (PACKAGE / "cli", *(PACKAGE / "kinds" / kind / "cli" for kind in ("cards", "hex", "rail")))
NOT_COMMANDS = {
    *("cli/__init__.py", "cli/app.py", "kinds/cards/cli/commands.py", "kinds/hex/cli/commands.py"),
    *("kinds/rail/cli/commands.py", "kinds/rail/cli/late.py"),
}
LIGHT = (
    "mapkit.console.",
    "mapkit.core.csvtext",
    "mapkit.core.errors",
    "mapkit.core.plurals",
    "mapkit.core.outputs.filenames",
    "mapkit.document.boards",
    "mapkit.document.workspace",
    "mapkit.formats.files",
    "mapkit.kinds.rail.api.schemas",
    "mapkit.kinds.cards.cli.",
    "mapkit.kinds.rail.cli.",
    "mapkit.kinds.registry",
    "mapkit.api.extra",
    "mapkit.operations.options",
    "mapkit.playing.tables",
)
"""What a command's module may import besides `mapkit` itself: printing, errors and names, which load nothing slow."""
SLOW = {
    *("PIL", "fontTools", "geopandas", "jinja2", "msgspec", "networkx", "numpy", "openpyxl", "ortools", "pandas"),
    *("pikepdf", "pyogrio", "pyproj", "rapidfuzz", "resvg_py", "rich", "shapely", "starlette", "svgwrite"),
    *("tomlkit", "typst", "uharfbuzz", "uvicorn"),
}
"""All but pydantic, which Typer itself needs for a command's options."""


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(path for folder in FOLDERS for path in folder.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if name not in NOT_COMMANDS:
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def public_calls(function: ast.FunctionDef) -> set[str]:
    """Return the public functions that a function calls; those of classes, such as `mapkit.Look`, do not count."""
    called = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    names = {
        func.attr
        for func in called
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == "mapkit"
    }
    return {name for name in names if name.islower()}


def test_modules_of_commands_import_the_public_names_and_what_prints() -> None:
    wrong = [
        f"{name} imports {found}"
        for name, tree in modules()
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for found in ([a.name for a in node.names] if isinstance(node, ast.Import) else [f"{node.module}."])
        if found.startswith("mapkit") and found != "mapkit" and not f"{found}.".startswith(LIGHT)
    ]
    assert wrong == []


def test_a_command_calls_one_public_function() -> None:
    functions = {
        f"{name}:{node.name}": node
        for name, tree in modules()
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }
    several = {where for where, node in functions.items() if len(public_calls(node)) > 1}
    assert len(functions) > 50
    assert several == set()


@pytest.mark.slow
def test_help_of_every_command_loads_nothing_slow() -> None:
    tables = [OF_ANY_KIND, *(table for _, table in command_tables())]
    lines = [
        [name, *more]
        for table in tables
        for name, entry in table.items()
        for more in ([[one] for one in entry.commands] if isinstance(entry, Group) else [[]])
    ]
    code = f"""
import io, sys
from contextlib import redirect_stdout, suppress
from mapkit.cli import main
slow = {SLOW}
for line in {lines}:
    sys.argv = ["mapkit", *line, "--help"]
    printed = io.StringIO()
    with redirect_stdout(printed), suppress(SystemExit):
        main()
    assert "Usage: mapkit " + " ".join(line) in printed.getvalue(), line
    if found := slow & set(sys.modules):
        print(*line, "loads", *sorted(found))
        slow -= found
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8")
    assert len(lines) > 40
    assert done.stdout == ""
