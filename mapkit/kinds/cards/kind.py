"""Card games as a kind of board, as the frame uses it."""

from typing import Final

from mapkit.document.command import Commands
from mapkit.document.workspace import shipped_folder
from mapkit.evaluate import Evaluator
from mapkit.kinds.cards.checks import CHECKS
from mapkit.kinds.cards.commands import COMMANDS
from mapkit.kinds.cards.compiler import CompiledCards, compile_cards
from mapkit.kinds.cards.queries import QUESTIONS, page_view
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.sheet import draw_cards
from mapkit.kinds.cards.tables import CardDocument
from mapkit.kinds.kind import Kind
from mapkit.kinds.protocol import View

_EXAMPLE: Final = "caminhos"


class CardKind(Kind[CardDocument, CompiledCards]):
    """Games of holdings, certificates, railroads and investors as cards, without a map."""

    name = "cards"
    about = "card games of holdings and railroads, without a map"
    document = CardDocument
    shelf = "cards"
    operations_page = "docs/how-to/cards.md#editing-and-variants"
    page = "static/cards"
    commands: Commands = COMMANDS
    checks = CHECKS
    questions = QUESTIONS

    def compile(self, document: CardDocument, *, board_id: str, evaluator: Evaluator | None = None) -> CompiledCards:
        """Return the game of a document."""
        return compile_cards(document, board_id=board_id, evaluator=evaluator)

    def draw(self, compiled: CompiledCards) -> str:
        """Return the cards as SVG."""
        return draw_cards(CardJob(compiled.board))

    def view(self, compiled: CompiledCards) -> View:
        """Return the view of the page, which requests pictures itself in its theme."""
        return page_view(compiled)

    def view_delta(self, old: CompiledCards, new: CompiledCards) -> View:
        """Return an empty delta: beside the tables, the view never changes."""
        del old, new
        return {}

    def new_files(self, *, example: bool) -> dict[str, bytes]:
        """Return the files of a new game; the example is the shipped game that is invented."""
        if not example:
            return super().new_files(example=False)
        files = self.read_files(shipped_folder() / "sources" / _EXAMPLE)
        return {name: text.encode() if isinstance(text, str) else text for name, text in files.items()}


CARDS: Final = CardKind()
"""Card games, of the family of Railroad Barons."""
