"""Places in the source of a referee that refuse a step, and those that a run has used.

A referee that can refuse something of which no test shows a log fails in the test of its refusals.
"""

import ast
import re
import traceback
from collections.abc import Collection, Iterator
from pathlib import Path
from types import ModuleType

Site = tuple[str, int, int]
"""File, first and last line of a call that can refuse."""
ROW = re.compile(r"(RB|BA)-[A-Z]\d\d")


def package_files(package: ModuleType) -> list[Path]:
    return sorted(Path(package.__path__[0]).glob("*.py"))


def refusing_calls(package: ModuleType, names: Collection[str]) -> set[Site]:
    """Return the calls of functions of these names."""
    return {
        (path.name, node.lineno, node.end_lineno or node.lineno)
        for path in package_files(package)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in names
    }


def rows_in(package: ModuleType) -> set[str]:
    """Return the rows that stand as texts of their own in the source."""
    return {
        node.value
        for path in package_files(package)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and ROW.fullmatch(node.value)
    }


def sites_of(error: BaseException, sites: Collection[Site]) -> Iterator[Site]:
    """Yield the calls through which an error was raised."""
    for frame in traceback.extract_tb(error.__traceback__):
        name, line = Path(frame.filename).name, frame.lineno or 0
        yield from (site for site in sites if site[0] == name and site[1] <= line <= site[2])
