"""mapkit: maps, charts and variants for railroad board games of the Rail Baron family.

```python
import mapkit

board = mapkit.load("usa")
print(mapkit.check(board).ok)
```

Names are imported when they are first used, so that `mapkit --help` starts at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from mapkit.version import __version__

if TYPE_CHECKING:
    from mapkit.api import (
        Built,
        apply,
        build,
        check,
        diff_payoffs,
        georeference,
        import_lines,
        load,
        read_payoffs,
        report,
        route,
        trace,
    )
    from mapkit.errors import MapkitError
    from mapkit.model.board import Board
    from mapkit.model.findings import CheckReport, Finding
    from mapkit.model.georeference import GeoreferenceReport
    from mapkit.render.board import render_board
    from mapkit.render.diff import render_diff
    from mapkit.variants.as_variant import variant_of
    from mapkit.variants.board_diff import diff_boards
    from mapkit.variants.rebase import rebase

_WHERE = {
    "Board": "mapkit.model.board",
    "Built": "mapkit.api",
    "CheckReport": "mapkit.model.findings",
    "Finding": "mapkit.model.findings",
    "GeoreferenceReport": "mapkit.model.georeference",
    "MapkitError": "mapkit.errors",
    "apply": "mapkit.api",
    "build": "mapkit.api",
    "check": "mapkit.api",
    "import_lines": "mapkit.api",
    "diff_boards": "mapkit.variants.board_diff",
    "georeference": "mapkit.api",
    "diff_payoffs": "mapkit.api",
    "load": "mapkit.api",
    "read_payoffs": "mapkit.api",
    "render_board": "mapkit.render.board",
    "rebase": "mapkit.variants.rebase",
    "render_diff": "mapkit.render.diff",
    "report": "mapkit.api",
    "route": "mapkit.api",
    "trace": "mapkit.api",
    "variant_of": "mapkit.variants.as_variant",
}

__all__ = [
    "Board",
    "Built",
    "CheckReport",
    "Finding",
    "GeoreferenceReport",
    "MapkitError",
    "__version__",
    "apply",
    "build",
    "check",
    "diff_boards",
    "diff_payoffs",
    "georeference",
    "import_lines",
    "load",
    "read_payoffs",
    "rebase",
    "render_board",
    "render_diff",
    "report",
    "route",
    "trace",
    "variant_of",
]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'mapkit' has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
