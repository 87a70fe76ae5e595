"""Table of the commands of hexagon boards: module and summary of each."""

from typing import Final

from mapkit.console.commands import Table
from mapkit.console.derived import Entry
from mapkit.console.output_commands import output_commands
from mapkit.console.play_commands import play_commands

_HERE: Final = "mapkit.kinds.hex"
COMMANDS: Final[Table] = {
    **output_commands(
        {
            "draw": "Draw a board of hexagons in a theme, as SVG, PNG or PDF.",
            "export": "Write a board of hexagons in formats of other programs: map editors, virtual tables, GIS.",
            "import": "Read a board of hexagons from a file of another program.",
            "print": "Write a board of hexagons to print and play as one PDF: tiles or a poster, plan, rules, pieces, "
            "cards.",
        },
        listed={
            "formats": "List the formats of mapkit export for boards of hexagons: what each carries, and which are "
            "read back."
        },
        options={"import": f"{_HERE}.operations:HexImporting", "print": f"{_HERE}.operations:HexPrinting"},
        without={"draw": ("dot_names",)},
    ),
    "report": Entry(
        f"{_HERE}.operations:hex_report",
        "Report on a board of hexagons: links, deliveries, engines, the length of a game.",
        show=f"{_HERE}.cli.reports:show_report",
    ),
    **play_commands(
        _HERE,
        f"{_HERE}.api.playtesting:HexPlayTest",
        f"{_HERE}.cli.playtesting",
        without=dict.fromkeys(("compare", "ladder", "replay"), ("cases",)),
    ),
    "route": Entry(
        f"{_HERE}.operations:cheapest_link",
        "Find the cheapest link between two cities of a board of hexagons.",
        show=f"{_HERE}.cli.reports:show_link",
    ),
}
