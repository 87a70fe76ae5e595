"""Table of the commands of card games: module and summary of each."""

from typing import Final

from mapkit.console.commands import Group, Table, hide_entries
from mapkit.console.derived import Entry

_OWN: Final = "mapkit.kinds.cards.operations"
_PLAY: Final = "mapkit.kinds.cards.api.playtesting"
_TEXTS: Final = "mapkit.kinds.cards.cli"
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
    "referee": Entry(
        f"{_OWN}:referee_cards",
        "Follow the log of a card game and say which step is the first to break a rule.",
        show=f"{_TEXTS}.reports:show_judgement",
        addon="mapkit.kinds.cards.refereeing",
    ),
    "report": Entry(
        f"{_OWN}:card_report",
        "Report on a card game: returns of railroads, earnings of holdings, the length of a game, investors.",
        show=f"{_TEXTS}.reports:show_report",
    ),
    "playtest": Group(
        "Play many matches on a board by computer players.",
        {
            "run": Entry(
                f"{_PLAY}:playtest_cards",
                "Play many games: who wins, how long it takes, what holdings and investors are worth.",
                show=f"{_TEXTS}.playtesting:show_study",
            ),
            "replay": Entry(
                f"{_PLAY}:replay_cards",
                "Tell one game step by step, or write its log.",
                show="mapkit.playing.tables:show_replay",
            ),
            "compare": Entry(
                f"{_PLAY}:playtest_compare_cards",
                "Play two card games with the same random numbers and say what differs, with intervals.",
                show=f"{_TEXTS}.playtesting:show_comparison",
            ),
            "policies": Entry(
                f"{_PLAY}:card_players",
                "List the computer players of card games, and what they do.",
                show="mapkit.playing.tables:show_players",
            ),
        },
        otherwise="run",
        addon="mapkit.kinds.cards.playing",
    ),
}
