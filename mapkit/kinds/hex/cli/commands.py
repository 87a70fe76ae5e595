"""The commands of boards of hexagons: where each is, and what it does."""

from typing import Final

from mapkit.console.commands import Entry, Group, Table, hide_entries

_HERE: Final = "mapkit.kinds.hex.cli"
_LIST: Final = {
    "formats": Entry(
        f"{_HERE}.exchanging:formats",
        "List the formats of mapkit export for boards of hexagons: what each carries, and which are read back.",
    ),
}
COMMANDS: Final[Table] = {
    **hide_entries(_LIST),
    "list": Group("List themes, formats of export, and commands.", _LIST),
    "draw": Entry(f"{_HERE}.press:draw", "Draw a board of hexagons in a theme, as SVG, PNG or PDF."),
    "export": Entry(
        f"{_HERE}.exchanging:export",
        "Write a board of hexagons in formats of other programs: map editors, virtual tables, GIS.",
    ),
    "import": Entry(f"{_HERE}.exchanging:import_", "Read a board of hexagons from a file of another program."),
    "print": Entry(
        f"{_HERE}.press:print_",
        "Write a board of hexagons to print and play as one PDF: tiles or a poster, plan, rules, pieces, cards.",
    ),
    "report": Entry(
        f"{_HERE}.reports:report", "Report on a board of hexagons: links, deliveries, engines, the length of a game."
    ),
    "route": Entry(f"{_HERE}.reports:route", "Find the cheapest link between two cities of a board of hexagons."),
}
