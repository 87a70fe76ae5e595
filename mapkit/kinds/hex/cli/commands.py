"""Table of the commands of hexagon boards: module and summary of each."""

from typing import Final

from mapkit.console.commands import Group, Table, hide_entries
from mapkit.console.derived import Entry

_HERE: Final = "mapkit.kinds.hex"
_PLAY: Final = "mapkit.kinds.hex.api.playtesting"
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
    "playtest": Group(
        "Play many matches on a board by computer players.",
        {
            "run": Entry(
                f"{_PLAY}:playtest_hexes",
                "Play many games: who wins, how long it takes, incomes, bonds, use of cities and links.",
                show=f"{_HERE}.cli.playtesting:show_study",
            ),
            "replay": Entry(
                f"{_PLAY}:replay_hexes",
                "Tell one game step by step, or write its log.",
                show="mapkit.playing.tables:show_replay",
            ),
            "compare": Entry(
                f"{_PLAY}:playtest_compare_hexes",
                "Play two boards of hexagons with the same random numbers and say what differs, with intervals.",
                show=f"{_HERE}.cli.playtesting:show_comparison",
            ),
            "ladder": Entry(
                f"{_PLAY}:ladder_hexes",
                "Let computer players play each other in pairs, and say who is best.",
                show=f"{_HERE}.cli.playtesting:show_ladder",
            ),
            "policies": Entry(
                f"{_PLAY}:hex_players",
                "List the computer players of boards of hexagons, and what they do.",
                show="mapkit.playing.tables:show_players",
            ),
        },
        otherwise="run",
        addon="mapkit.kinds.hex.playing",
    ),
    "referee": Entry(
        f"{_HERE}.api.refereeing:referee_hexes",
        "Follow the log of a game on a board of hexagons and say which step is the first to break a rule.",
        show=f"{_HERE}.cli.playtesting:show_judgement",
        addon="mapkit.kinds.hex.refereeing",
    ),
    "report": Entry(
        f"{_HERE}.operations:hex_report",
        "Report on a board of hexagons: links, deliveries, engines, the length of a game.",
        show=f"{_HERE}.cli.reports:show_report",
    ),
    "route": Entry(
        f"{_HERE}.operations:cheapest_link",
        "Find the cheapest link between two cities of a board of hexagons.",
        show=f"{_HERE}.cli.reports:show_link",
    ),
}
