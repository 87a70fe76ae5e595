"""Lazy imports: names that are imported when they are first used.

A module with such names has a stub beside it (`.pyi`) that imports them, each as itself. Type checkers read the stub,
and this module reads it at run time. `mapkit` provides its public names in this way, `mapkit.core.heavy` the libraries
that load slowly.
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path


def late_names(module: str, file: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a module with the names of its stub.

    Args:
        module: The module's `__name__`.
        file: Its `__file__`. Its stub has the same path, with the ending `.pyi`.
    """
    stub = Path(file).with_suffix(".pyi")
    import_by_name: dict[str, tuple[str, str]] = {}
    for node in ast.parse(stub.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            import_by_name |= {alias.asname or alias.name: (str(node.module), alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            import_by_name |= {alias.asname or alias.name: (alias.name, "") for alias in node.names}
    names = sorted(import_by_name)

    def load(name: str) -> object:
        if name not in import_by_name:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        value = _import_name(*import_by_name[name])
        setattr(sys.modules[module], name, value)  # from now on it is a plain attribute
        return value

    return load, lambda: list(names), names


def _import_name(module: str, attribute: str) -> object:
    imported = import_module(module)
    if not attribute:
        return imported
    return getattr(imported, attribute) if hasattr(imported, attribute) else import_module(f"{module}.{attribute}")
