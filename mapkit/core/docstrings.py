"""Docstrings that are data, read from the source where Python leaves them out (`-OO`)."""

import ast
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any


def docstring_of(thing: type | Callable[..., Any]) -> str | None:
    """Return the docstring of a class or function of a module, as Python keeps it; None if it has none."""
    if thing.__doc__ is None and sys.flags.optimize > 1:
        return _module_docstrings(thing.__module__).get(thing.__qualname__)
    return thing.__doc__


@cache
def _module_docstrings(module: str) -> dict[str, str | None]:
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None or not Path(file).is_file():
        return {}
    nodes = ast.parse(Path(file).read_text(encoding="utf-8")).body
    return {
        node.name: ast.get_docstring(node, clean=False)
        for node in nodes
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }
