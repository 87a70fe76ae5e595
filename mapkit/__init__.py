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
        ExportedFiles,
        build,
        check,
        diff_payoffs,
        export,
        georeference,
        import_lines,
        load,
        read_payoffs,
        report,
        route,
        trace,
    )
    from mapkit.errors import MapkitError
    from mapkit.exchange.networkx_bridge import from_networkx, to_networkx
    from mapkit.model.board import Board
    from mapkit.model.findings import CheckReport, Finding
    from mapkit.model.georeference import GeoreferenceReport
    from mapkit.render.board import render_board

_WHERE = {
    "Board": "mapkit.model.board",
    "Built": "mapkit.api",
    "CheckReport": "mapkit.model.findings",
    "ExportedFiles": "mapkit.api",
    "Finding": "mapkit.model.findings",
    "GeoreferenceReport": "mapkit.model.georeference",
    "MapkitError": "mapkit.errors",
    "build": "mapkit.api",
    "check": "mapkit.api",
    "export": "mapkit.api",
    "import_lines": "mapkit.api",
    "from_networkx": "mapkit.exchange.networkx_bridge",
    "georeference": "mapkit.api",
    "diff_payoffs": "mapkit.api",
    "load": "mapkit.api",
    "read_payoffs": "mapkit.api",
    "render_board": "mapkit.render.board",
    "report": "mapkit.api",
    "route": "mapkit.api",
    "to_networkx": "mapkit.exchange.networkx_bridge",
    "trace": "mapkit.api",
}

__all__ = [
    "Board",
    "Built",
    "CheckReport",
    "ExportedFiles",
    "Finding",
    "GeoreferenceReport",
    "MapkitError",
    "__version__",
    "build",
    "check",
    "diff_payoffs",
    "export",
    "from_networkx",
    "georeference",
    "import_lines",
    "load",
    "read_payoffs",
    "render_board",
    "report",
    "route",
    "to_networkx",
    "trace",
]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'mapkit' has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
