"""Sheets of players, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_message, print_result, table
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.cli import late

if TYPE_CHECKING:
    from mapkit.kinds.rail.api.sheets import WrittenSheets


def show_sheets(done: "WrittenSheets") -> None:
    """Print the sheets that were written."""
    rows = ((done.folder / f"{s.id}.svg", s.kind, f"{s.width_mm:g} x {s.height_mm:g}", s.title) for s in done.sheets)
    print_result(table(("file", "kind", "mm", "what it is"), rows))
    cards = sum(sheet.kind == "card" for sheet in done.sheets)
    pages = count_noun(len(done.sheets) - cards, "page")
    print_message(f"{done.board.title}: {pages}, {count_noun(cards, 'card')}; {late.LIST} lists them with their backs")
