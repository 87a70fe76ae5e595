"""Code says what systems differ in: encodings, line ends, and what only Unix has."""

import ast
import re
from collections.abc import Iterator

from conftest import REPOSITORY

FILES = {
    path.relative_to(REPOSITORY).as_posix(): path.read_text(encoding="utf-8")
    for folder in ("mapkit", "tests", "tools")
    for path in sorted((REPOSITORY / folder).rglob("*.py"))
    if "node_modules" not in path.parts
}
STARTING = {"run", "Popen", "check_output", "check_call"}
MAYBE = re.compile(r"(?:(?:read|write)_text\(|\bopen\(|text=True|universal_newlines)(?![^()]*encoding)")
"""Anything that `is_text` finds, and more; parsing every file would take seconds."""
ONLY_UNIX = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}


def calls(pattern: re.Pattern[str], folders: tuple[str, ...] = ("",)) -> Iterator[tuple[str, str, ast.Call]]:
    """Yield the calls in files that a pattern fits: where each is, what is called, and the call."""
    for file, text in FILES.items():
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
    assert [file for file, text in FILES.items() if found.search(text)] == []
