"""Table of the commands of hexagon boards: module and summary of each."""

from typing import Final

from mapkit.console.commands import Group, Table, hide_entries
from mapkit.console.derived import Entry
from mapkit.console.play_commands import play_commands

_HERE: Final = "mapkit.kinds.hex"
_SHOW: Final = "mapkit.cli.outputs"
_LIST: Final = {
    "formats": Entry(
        "mapkit.api.outputs:list_board_formats",
        "List the formats of mapkit export for boards of hexagons: what each carries, and which are read back.",
        show=f"{_SHOW}:show_formats",
    ),
}
COMMANDS: Final[Table] = {
    **hide_entries(_LIST),
    "list": Group("List themes, formats of export, and commands.", _LIST),
    "draw": Entry(
        "mapkit.api.outputs:draw",
        "Draw a board of hexagons in a theme, as SVG, PNG or PDF.",
        show=f"{_SHOW}:show_drawn",
        without=("dot_names",),
    ),
    "export": Entry(
        "mapkit.api.outputs:export",
        "Write a board of hexagons in formats of other programs: map editors, virtual tables, GIS.",
        show=f"{_SHOW}:show_exported",
    ),
    "import": Entry(
        "mapkit.api.importing:import_tables",
        "Read a board of hexagons from a file of another program.",
        show=f"{_SHOW}:show_imported",
        options=f"{_HERE}.operations:HexImporting",
    ),
    "print": Entry(
        "mapkit.api.printing:print_board",
        "Write a board of hexagons to print and play as one PDF: tiles or a poster, plan, rules, pieces, cards.",
        show=f"{_SHOW}:show_printed",
        options=f"{_HERE}.operations:HexPrinting",
        addon="mapkit.press",
    ),
    "report": Entry(
        f"{_HERE}.operations:hex_report",
        "Report on a board of hexagons: links, deliveries, engines, the length of a game.",
        show=f"{_HERE}.cli.reports:show_report",
    ),
    **play_commands(_HERE, f"{_HERE}.api.playtesting:HexPlayTest", f"{_HERE}.cli.playtesting"),
    "route": Entry(
        f"{_HERE}.operations:cheapest_link",
        "Find the cheapest link between two cities of a board of hexagons.",
        show=f"{_HERE}.cli.reports:show_link",
    ),
}
