"""The commands of card games: where each is, and what it does."""

from typing import Final

from mapkit.console.commands import Entry, Group, Table, hide_entries

_HERE: Final = "mapkit.kinds.cards.cli"
_LIST: Final = {
    "formats": Entry(
        f"{_HERE}.exchanging:formats",
        "List the formats of mapkit export for card games: what each carries, and which are read back.",
    ),
}
COMMANDS: Final[Table] = {
    **hide_entries(_LIST),
    "list": Group("List themes, formats of export, and commands.", _LIST),
    "draw": Entry(f"{_HERE}.press:draw", "Draw the cards of a game in a theme, as SVG, PNG or PDF."),
    "export": Entry(
        f"{_HERE}.exchanging:export",
        "Write a card game in formats of other programs: virtual tables, card makers, game servers.",
    ),
    "import": Entry(f"{_HERE}.exchanging:import_", "Read a card game from a board file."),
    "print": Entry(
        f"{_HERE}.press:print_", "Write a card game to print and play as one PDF: rules, track, tokens, cards."
    ),
    "referee": Entry(
        f"{_HERE}.refereeing:referee",
        "Follow the log of a card game and say which step is the first to break a rule.",
    ),
    "report": Entry(
        f"{_HERE}.reports:report",
        "Report on a card game: returns of railroads, earnings of holdings, the length of a game, investors.",
    ),
    "playtest": Group(
        "Play many matches on a board by computer players.",
        {
            "run": Entry(
                f"{_HERE}.playtesting:run",
                "Play many games: who wins, how long it takes, what holdings and investors are worth.",
            ),
            "replay": Entry(f"{_HERE}.playtesting:replay", "Tell one game step by step, or write its log."),
            "compare": Entry(
                f"{_HERE}.playtesting:compare",
                "Play two card games with the same random numbers and say what differs, with intervals.",
            ),
            "policies": Entry(
                f"{_HERE}.playtesting:policies", "List the computer players of card games, and what they do."
            ),
        },
        otherwise="run",
    ),
}
