"""Code says what systems differ in: encodings, line ends, and what only Unix has."""

import ast
import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from conftest import REPOSITORY
from optional import program

from mapkit.core.outputs.filenames import case_key, invalid_reason

pytestmark = pytest.mark.slow

STARTING = {"run", "Popen", "check_output", "check_call"}
MAYBE = re.compile(r"(?:(?:read|write)_text\(|\bopen\(|text=True|universal_newlines)(?![^()]*encoding)")
"""Anything that `is_text` finds, and more; parsing every file would take seconds."""
ONLY_UNIX = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}


@cache
def files() -> dict[str, str]:
    """Return every module of the repository by its path."""
    return {
        path.relative_to(REPOSITORY).as_posix(): path.read_text(encoding="utf-8")
        for folder in ("mapkit", "tests", "tools")
        for path in sorted((REPOSITORY / folder).rglob("*.py"))
        if "node_modules" not in path.parts
    }


def calls(pattern: re.Pattern[str], folders: tuple[str, ...] = ("",)) -> Iterator[tuple[str, str, ast.Call]]:
    """Yield the calls in files that a pattern fits: where each is, what is called, and the call."""
    for file, text in files().items():
        if file.startswith(folders) and pattern.search(text):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call):
                    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                    yield f"{file}:{node.lineno}", name, node


def keywords(call: ast.Call) -> set[str | None]:
    return {keyword.arg for keyword in call.keywords}


def is_text(name: str, call: ast.Call) -> bool:
    """Return whether a call reads or writes text, and does not say in which encoding."""
    if "encoding" in keywords(call):
        return False
    if name in ("read_text", "write_text"):
        return isinstance(call.func, ast.Attribute) and len(call.args) <= (name == "write_text")
    if name == "open":
        mode = call.args[0 if isinstance(call.func, ast.Attribute) else 1 :][:1]
        return bool(mode) and isinstance(mode[0], ast.Constant) and mode[0].value in ("r", "w", "a", "x")
    return name in STARTING and bool(keywords(call) & {"text", "universal_newlines"})


def test_texts_and_pipes_have_an_encoding() -> None:
    wrong = [where for where, name, call in calls(MAYBE) if is_text(name, call)]
    assert [where for where in wrong if not where.startswith("tests/editor/test_editor_cli.py")] == []


def test_files_that_are_kept_have_the_line_ends_of_unix() -> None:
    found = calls(re.compile("write_text"), ("mapkit/", "tools/"))
    assert [where for where, name, call in found if name == "write_text" and "newline" not in keywords(call)] == []


def test_what_only_unix_has_is_not_imported_at_the_top() -> None:
    found = re.compile(rf"^(?:import|from) ({'|'.join(ONLY_UNIX)})\b", re.MULTILINE)
    assert [file for file, text in files().items() if found.search(text)] == []


COMMANDS = """
new lake
build lake
check lake
do lake -
variant new mine --board lake
build lake --variant mine
draw lake --out Übersicht №2.svg
print lake --only money --out Drück mich.pdf
export lake --to gpkg,geojson,xlsx --out Äus fuhr
import Äus fuhr/gpkg/lake.gpkg --into gp
import Äus fuhr/xlsx/lake.xlsx --into xl
report lake
journal lake
"""
TYPED = '\ufeff{"kind": "edit-city", "id": "boston", "name": "Zwölf Łódź"}\r\n'
PROGRAM = """
import sys
from mapkit.cli.app import main

for line in sys.argv[1].strip().splitlines():
    words = line.split(" ")
    for option in ("--out", "import"):
        if option in words:
            at = words.index(option) + 1
            end = words.index("--into") if "--into" in words else len(words)
            words[at:end] = [" ".join(words[at:end])]
    sys.argv = ["mapkit", *words]
    try:
        main()
    except SystemExit as end:
        assert not end.code, line
"""


def test_commands_work_where_the_system_is_not_utf_8_and_folders_have_spaces_and_accents(tmp_path: Path) -> None:
    """Windows reads and writes code page 1252 where a program names no encoding; macOS writes accents apart."""
    workspace = tmp_path / unicodedata.normalize("NFD", "Mäp kit") / "Zürich №1"
    workspace.mkdir(parents=True)
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [sys.executable, "-X", "warn_default_encoding", "-W", "error::EncodingWarning", "-c", PROGRAM, COMMANDS],
        cwd=workspace,
        env=plain | {"PYTHONPATH": str(REPOSITORY), "PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"},
        input=TYPED,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Rename Boston to Zwölf Łódź" in done.stdout
    assert str(workspace) in done.stdout
    for text in ("sources/lake/cities.csv", "build/lake+mine/board.json", "Übersicht №2.svg", "sources/xl/cities.csv"):
        data = (workspace / text).read_bytes()
        assert "Zwölf Łódź".encode() in data, text
        assert b"\r" not in data
        assert not data.startswith(b"\xef\xbb\xbf")


def test_every_file_of_the_repository_can_be_checked_out_everywhere() -> None:
    git = program("git", "https://git-scm.com")
    listed = subprocess.run([git, "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("this is not a checkout")
    paths = listed.stdout.decode().rstrip("\0").split("\0")
    assert [path for path in paths for name in path.split("/") if invalid_reason(name)] == []
    assert len({case_key(path) for path in paths}) == len(paths) > 1000
    assert max(map(len, paths)) < 150  # Windows allows 259 with the folder before it
