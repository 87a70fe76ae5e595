"""mapkit: maps, charts and variants for railroad board games of the Rail Baron family.

```python
import mapkit

board = mapkit.load("usa")
print(mapkit.check(board).ok)
```

Names are imported when they are first used, so that `mapkit --help` starts at once. `__init__.pyi` lists them, for type
checkers and for this module alike.
"""

import ast
from importlib import import_module
from pathlib import Path


def _modules_of_names() -> dict[str, str]:
    tree = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = (node for node in tree.body if isinstance(node, ast.ImportFrom))
    return {alias.name: str(node.module) for node in imports for alias in node.names}


_WHERE = _modules_of_names()
__all__ = sorted(_WHERE)  # noqa: PLE0605 - from the stub


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'mapkit' has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
