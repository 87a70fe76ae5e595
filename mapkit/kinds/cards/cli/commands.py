"""Table of the commands of card games: module and summary of each."""

from typing import Final

from mapkit.console.commands import Group, Table, hide_entries
from mapkit.console.derived import Entry
from mapkit.console.play_commands import play_commands

_OWN: Final = "mapkit.kinds.cards.operations"
_HERE: Final = "mapkit.kinds.cards"
_FILES: Final = "mapkit.cli.outputs"
_FORMATS: Final = Entry(
    "mapkit.api.outputs:list_board_formats",
    "List the formats of mapkit export for card games: what each carries, and which are read back.",
    show=f"{_FILES}:show_formats",
)
COMMANDS: Final[Table] = {
    **hide_entries({"formats": _FORMATS}),
    "list": Group("List themes, formats of export, and commands.", {"formats": _FORMATS}),
    "draw": Entry(
        "mapkit.api.outputs:draw",
        "Draw the cards of a game in a theme, as SVG, PNG or PDF.",
        show=f"{_FILES}:show_drawn",
        options=f"{_OWN}:CardDrawing",
        without=("dot_names",),
    ),
    "export": Entry(
        "mapkit.api.outputs:export",
        "Write a card game in formats of other programs: virtual tables, card makers, game servers.",
        show=f"{_FILES}:show_exported",
        options=f"{_OWN}:CardExporting",
    ),
    "import": Entry(
        "mapkit.api.importing:import_tables",
        "Read a card game from a board file.",
        show=f"{_FILES}:show_imported",
        options=f"{_OWN}:CardImporting",
    ),
    "print": Entry(
        "mapkit.api.printing:print_board",
        "Write a card game to print and play as one PDF: rules, track, tokens, cards.",
        show=f"{_FILES}:show_printed",
        options=f"{_OWN}:CardPrinting",
        without=("overlap", "scale", "size", "sheet_paper"),
        addon="mapkit.press",
    ),
    "report": Entry(
        f"{_OWN}:card_report",
        "Report on a card game: returns of railroads, earnings of holdings, the length of a game, investors.",
        show=f"{_HERE}.cli.reports:show_report",
    ),
    **play_commands(_HERE, f"{_HERE}.api.playtesting:CardPlayTest", f"{_HERE}.cli.playtesting"),
}
