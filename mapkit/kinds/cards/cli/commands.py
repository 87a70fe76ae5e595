"""Table of the commands of card games: module and summary of each."""

from typing import Final

from mapkit.console.commands import Table
from mapkit.console.derived import Entry
from mapkit.console.output_commands import output_commands
from mapkit.console.play_commands import play_commands

_OWN: Final = "mapkit.kinds.cards.operations"
_HERE: Final = "mapkit.kinds.cards"
COMMANDS: Final[Table] = {
    **output_commands(
        {
            "draw": "Draw the cards of a game in a theme, as SVG, PNG or PDF.",
            "export": "Write a card game in formats of other programs: virtual tables, card makers, game servers.",
            "import": "Read a card game from a board file.",
            "print": "Write a card game to print and play as one PDF: rules, track, tokens, cards.",
        },
        listed={
            "formats": "List the formats of mapkit export for card games: what each carries, and which are read back."
        },
        options={
            "draw": f"{_OWN}:CardDrawing",
            "export": f"{_OWN}:CardExporting",
            "import": f"{_OWN}:CardImporting",
            "print": f"{_OWN}:CardPrinting",
        },
        without={"draw": ("dot_names",), "print": ("overlap", "scale", "size", "sheet_paper")},
    ),
    "report": Entry(
        f"{_OWN}:card_report",
        "Report on a card game: returns of railroads, earnings of holdings, the length of a game, investors.",
        show=f"{_HERE}.cli.reports:show_report",
    ),
    **play_commands(_HERE, f"{_HERE}.api.playtesting:CardPlayTest", f"{_HERE}.cli.playtesting"),
}
