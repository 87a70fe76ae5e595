"""Pieces beside the board on a virtual table: piles of cards, the bag of goods, and other pieces."""

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
class CardPile:
    """Pile of cards.

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
    """Pieces beside a board.

    Args:
        job: The board and its look.
    """

    job: HexJob

    @staticmethod
    def of(board: HexBoard) -> "Supply":
        """Return the supply of a board, in English and in the classic theme."""
        return Supply(HexJob(board))

    @cached_property
    def cards(self) -> tuple[CardPile, ...]:
        """Return the piles of cards that are not empty."""
        words = self.job.words
        card_piles = (
            ("operations", tuple(operations_cards(self.job)), True),
            ("baron", tuple(baron_cards(self.job)), True),
            ("engine", tuple(engine_cards(self.job)), False),
            ("bond", tuple(bond_cards(self.job)), False),
        )
        return tuple(
            CardPile(kind, words(f"module.{kind}"), sheets, hidden) for kind, sheets, hidden in card_piles if sheets
        )

    @cached_property
    def pieces(self) -> tuple[CutPiece, ...]:
        """Return every sort of piece."""
        return tuple(all_pieces(self.job))

    @cached_property
    def bag(self) -> tuple[CutPiece, ...]:
        """Return the cubes that players draw from a bag (RW-C01)."""
        return tuple(piece for piece in self.pieces if piece.kind == "cube" and piece.count)

    def cube_back(self) -> str:
        """Return the hidden side of a cube in the bag, as SVG."""
        side_mm, theme = 8.0, self.job.theme
        if self.bag:
            side_mm = self.bag[0].size[0]
        canvas = Canvas((side_mm, side_mm), theme, title=self.job.words("module.bag"), description="", clear=True)
        canvas.box((0.1, 0.1, side_mm - 0.1, side_mm - 0.1), fill=theme.quiet_ink, edge=theme.ink, width=0.2)
        return canvas.to_text()
