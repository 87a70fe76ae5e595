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
        apply,
        build,
        check,
        export,
        georeference,
        import_board,
        import_lines,
        load,
        report,
        report_page,
        route,
        trace,
    )
    from mapkit.api_destinations import (
        SolvedDestinations,
        check_destinations,
        destination_odds,
        diff_destinations,
        holding,
        propose_regions,
        solve_destinations,
    )
    from mapkit.api_exchange import EditedVariant, variant_from
    from mapkit.api_payoffs import (
        check_payoffs,
        compute_payoffs,
        diff_payoffs,
        read_payoffs,
        repair_payoffs,
    )
    from mapkit.api_print import Printed, convert_picture, print_board
    from mapkit.api_rules import check_rules, compare_rules, rules, rules_sheet
    from mapkit.api_sheets import write_sheets
    from mapkit.errors import MapkitError
    from mapkit.exchange.networkx_bridge import from_networkx, to_networkx
    from mapkit.model.board import Board
    from mapkit.model.findings import CheckReport, Finding
    from mapkit.model.georeference import GeoreferenceReport
    from mapkit.model.rules import Rules
    from mapkit.render.board import render_board
    from mapkit.render.diff import render_diff
    from mapkit.render.press.job import PrintJob
    from mapkit.variants.as_variant import variant_of
    from mapkit.variants.board_diff import diff_boards
    from mapkit.variants.rebase import rebase

_WHERE = {
    "Board": "mapkit.model.board",
    "Built": "mapkit.api",
    "CheckReport": "mapkit.model.findings",
    "EditedVariant": "mapkit.api_exchange",
    "ExportedFiles": "mapkit.api",
    "Finding": "mapkit.model.findings",
    "GeoreferenceReport": "mapkit.model.georeference",
    "MapkitError": "mapkit.errors",
    "PrintJob": "mapkit.render.press.job",
    "Printed": "mapkit.api_print",
    "Rules": "mapkit.model.rules",
    "SolvedDestinations": "mapkit.api_destinations",
    "apply": "mapkit.api",
    "build": "mapkit.api",
    "check": "mapkit.api",
    "check_destinations": "mapkit.api_destinations",
    "check_payoffs": "mapkit.api_payoffs",
    "check_rules": "mapkit.api_rules",
    "compare_rules": "mapkit.api_rules",
    "compute_payoffs": "mapkit.api_payoffs",
    "convert_picture": "mapkit.api_print",
    "destination_odds": "mapkit.api_destinations",
    "diff_boards": "mapkit.variants.board_diff",
    "diff_destinations": "mapkit.api_destinations",
    "diff_payoffs": "mapkit.api_payoffs",
    "export": "mapkit.api",
    "from_networkx": "mapkit.exchange.networkx_bridge",
    "georeference": "mapkit.api",
    "holding": "mapkit.api_destinations",
    "import_board": "mapkit.api",
    "import_lines": "mapkit.api",
    "load": "mapkit.api",
    "print_board": "mapkit.api_print",
    "propose_regions": "mapkit.api_destinations",
    "read_payoffs": "mapkit.api_payoffs",
    "rebase": "mapkit.variants.rebase",
    "render_board": "mapkit.render.board",
    "render_diff": "mapkit.render.diff",
    "repair_payoffs": "mapkit.api_payoffs",
    "report": "mapkit.api",
    "report_page": "mapkit.api",
    "route": "mapkit.api",
    "rules": "mapkit.api_rules",
    "rules_sheet": "mapkit.api_rules",
    "solve_destinations": "mapkit.api_destinations",
    "to_networkx": "mapkit.exchange.networkx_bridge",
    "trace": "mapkit.api",
    "variant_from": "mapkit.api_exchange",
    "variant_of": "mapkit.variants.as_variant",
    "write_sheets": "mapkit.api_sheets",
}

__all__ = [
    "Board",
    "Built",
    "CheckReport",
    "EditedVariant",
    "ExportedFiles",
    "Finding",
    "GeoreferenceReport",
    "MapkitError",
    "PrintJob",
    "Printed",
    "Rules",
    "SolvedDestinations",
    "__version__",
    "apply",
    "build",
    "check",
    "check_destinations",
    "check_payoffs",
    "check_rules",
    "compare_rules",
    "compute_payoffs",
    "convert_picture",
    "destination_odds",
    "diff_boards",
    "diff_destinations",
    "diff_payoffs",
    "export",
    "from_networkx",
    "georeference",
    "holding",
    "import_board",
    "import_lines",
    "load",
    "print_board",
    "propose_regions",
    "read_payoffs",
    "rebase",
    "render_board",
    "render_diff",
    "repair_payoffs",
    "report",
    "report_page",
    "route",
    "rules",
    "rules_sheet",
    "solve_destinations",
    "to_networkx",
    "trace",
    "variant_from",
    "variant_of",
    "write_sheets",
]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'mapkit' has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
