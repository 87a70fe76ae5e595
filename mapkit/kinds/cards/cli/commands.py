"""The commands of card games: where each is, and what it does."""

from typing import Final

from mapkit.console.commands import Entry, Table

_HERE: Final = "mapkit.kinds.cards.cli"
COMMANDS: Final[Table] = {
    "draw": Entry(f"{_HERE}.press:draw", "Draw the cards of a game in a theme, as SVG, PNG or PDF."),
    "print": Entry(
        f"{_HERE}.press:print_", "Write a card game to print and play as one PDF: rules, track, tokens, cards."
    ),
}
