"""The text of `docs/reference/errors.md`: the messages of each kind of error, and their cures."""

import ast
import inspect
import sys
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from board_file_text import MARK, filled

from mapkit.core import errors
from mapkit.core.errors import ChoiceError, MapkitError

PACKAGE: Final = Path(errors.__file__).parent.parent
OTHERS: Final = {
    "CommandError": "A command does not fit the board; nothing was changed.",
    "QueryError": "A question of the editor's page has no answer.",
    "WishError": "Targets of a destination chart contradict each other.",
    "JobError": "A job of the editor or of a play-test cannot run.",
    "BadParameter": "An option has a value that it cannot have.",
    "JournalError": "The journal of a board cannot be read or written.",
    "BadSvgError": "An SVG file cannot be read back as a board.",
    "PictureError": "A picture cannot be read.",
    "LineFileError": "A file of lines under the board cannot be read.",
}
"""Errors of single parts of the program, with what they mean."""


def errors_text() -> str:
    """Return `docs/reference/errors.md`."""
    messages = _messages()
    parts: list[str] = []
    for name, about in [*_classes(), *OTHERS.items()]:
        if messages.get(name):
            parts += ["", f"## {name}", "", about, "", "| message | cure |", "| --- | --- |"]
            parts += [f"| {cell(what)} | {cell(cure)} |" for what, cure in sorted(messages[name])]
    return filled("errors", {"mark": MARK.format(page="errors"), "errors": "\n".join(parts).strip()})


def _classes() -> Iterator[tuple[str, str]]:
    for name, kind in vars(errors).items():
        if inspect.isclass(kind) and issubclass(kind, MapkitError) and not name.startswith("_"):
            about = " ".join((inspect.getdoc(kind) or "").split())
            yield name, f"{about} Exit code {2 if issubclass(kind, ChoiceError) else 1}."


def _messages() -> dict[str, set[tuple[str, str]]]:
    """Return the literal messages of each class that the package raises, cut into what happened and its cure."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            error = node.exc if isinstance(node, ast.Raise) else node.value if isinstance(node, ast.Return) else None
            if isinstance(error, ast.Call) and error.args:
                function = error.func
                name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
                text = literal(error.args[0])
                if len(text.replace("…", "").split()) > 1:
                    what, _, cure = text.rpartition("; ")
                    found[name].add((what, cure) if what else (cure, ""))
    return found


def messages_of(function: Callable[..., object]) -> list[str]:
    """Return what a check says, with its cure: the literal messages of the findings that its function makes."""
    texts = dict.fromkeys(_said(function, set()))
    shown = [text for text in texts if len(text.replace("…", "").split()) > 1]
    return ["", "It says:", "", *(f"- {cell(text)}" for text in shown)] if shown else []


def _said(function: Callable[..., object], seen: set[str]) -> Iterator[str]:
    """Yield the messages of a function, and of those of its module that it calls."""
    seen.add(function.__name__)
    nodes = list(ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))))
    named: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named[node.targets[0].id].append(literal(node.value))
    for node in nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        name = node.func.id
        if name == "Found" and node.args:
            first = node.args[0]
            yield from named[first.id] if isinstance(first, ast.Name) else [literal(first)]
        helper = vars(sys.modules[function.__module__]).get(name)
        if inspect.isfunction(helper) and helper.__module__ == function.__module__ and name not in seen:
            yield from _said(helper, seen)


def literal(node: ast.expr) -> str:
    """Return a text as it stands in the program, with `…` for what is filled in; otherwise nothing."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return f"{literal(node.left) or '…'}{literal(node.right) or '…'}"
    return ""


def cell(text: str) -> str:
    """Return a message as a cell of a table, in which no sign is markup."""
    plain = " ".join(text.split())
    for sign in "\\`*_[]<>|":
        plain = plain.replace(sign, f"\\{sign}")
    return plain
