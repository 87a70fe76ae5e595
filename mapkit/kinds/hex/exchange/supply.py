"""What lies beside the board on a virtual table: cards in piles, the bag of goods, and pieces of every sort."""

from dataclasses import dataclass
from functools import cached_property

from mapkit.drawing.canvas import Canvas
from mapkit.drawing.sheet import Sheet
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.render.pieces.cards import baron_cards, bond_cards, engine_cards, operations_cards
from mapkit.kinds.hex.render.pieces.cutting import all_pieces
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.render.pieces.piece import CutPiece


@dataclass(frozen=True)
class Cards:
    """Cards that lie on each other.

    Args:
        kind: `operations`, `baron`, `engine`, `bond`.
        title: What players see.
        sheets: From the top.
        hidden: Whether players draw them blindly.
    """

    kind: str
    title: str
    sheets: tuple[Sheet, ...]
    hidden: bool


@dataclass(frozen=True)
class Supply:
    """What lies beside a board.

    Args:
        job: The board and its look.
    """

    job: HexJob

    @staticmethod
    def of(board: HexBoard) -> "Supply":
        """Return what lies beside a board, in English and in the classic theme."""
        return Supply(HexJob(board))

    @cached_property
    def cards(self) -> tuple[Cards, ...]:
        """The piles of cards that are not empty."""
        words = self.job.words
        found = (
            ("operations", tuple(operations_cards(self.job)), True),
            ("baron", tuple(baron_cards(self.job)), True),
            ("engine", tuple(engine_cards(self.job)), False),
            ("bond", tuple(bond_cards(self.job)), False),
        )
        return tuple(Cards(kind, words(f"module.{kind}"), sheets, hidden) for kind, sheets, hidden in found if sheets)

    @cached_property
    def pieces(self) -> tuple[CutPiece, ...]:
        """Every sort of piece."""
        return tuple(all_pieces(self.job))

    @cached_property
    def bag(self) -> tuple[CutPiece, ...]:
        """The cubes, which are drawn from a bag (RW-C01)."""
        return tuple(piece for piece in self.pieces if piece.kind == "cube" and piece.count)

    def cube_back(self) -> str:
        """Return what a cube in the bag looks like, as SVG."""
        side, theme = 8.0, self.job.theme
        if self.bag:
            side = self.bag[0].size[0]
        canvas = Canvas((side, side), theme, title=self.job.words("module.bag"), description="", clear=True)
        canvas.box((0.1, 0.1, side - 0.1, side - 0.1), fill=theme.quiet_ink, edge=theme.ink, width=0.2)
        return canvas.to_text()
