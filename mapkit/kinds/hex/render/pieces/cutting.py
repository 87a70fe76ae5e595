"""Sheets to cut out: pieces in rows, as many copies as the board has."""

from collections.abc import Sequence
from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.page import begin_page, body_area, page_number_text, page_sheet, title_with_page
from mapkit.drawing.sheet import Sheet
from mapkit.kinds.hex.render.pieces.goods import goods_pieces
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.render.pieces.piece import CutPiece
from mapkit.kinds.hex.render.pieces.tiles import tile_pieces
from mapkit.kinds.hex.render.pieces.tokens import token_pieces

_GAP_MM: Final = 1.2
"""Between pieces, in millimetres."""
_SHEET_KINDS: Final = {
    "tiles": ("tile",),
    "cubes": ("cube",),
    "markers": ("new-city", "rotor", "marker", "mine", "first-player"),
    "tokens": ("token",),
}
"""Sheet -> the kinds of pieces on it, in order."""


def all_pieces(job: HexJob) -> list[CutPiece]:
    """Return every sort of piece of a board's components."""
    return [*tile_pieces(job), *goods_pieces(job), *token_pieces(job)]


def cutting_sheets(job: HexJob) -> list[Sheet]:
    """Return the sheets to cut out; pieces with an unknown number are on them once."""
    pieces = all_pieces(job)
    sheets: list[Sheet] = []
    for name, kinds in _SHEET_KINDS.items():
        sheet_pieces = [piece for kind in kinds for piece in pieces if piece.kind == kind]
        sheets += _make_sheets(job, name, sheet_pieces)
    return sheets


def _make_sheets(job: HexJob, name: str, pieces: Sequence[CutPiece]) -> list[Sheet]:
    piece_pages = lay_out_pieces(job, pieces)
    sheets = []
    for number, placed_pieces in enumerate(piece_pages, 1):
        title = job.words(f"piece.{name}")
        page_text = page_number_text(job, number, len(piece_pages))
        canvas = begin_page(job, title, note=job.words("piece.cut"), foot=page_text)
        group_by_piece = {}
        for piece, at in placed_pieces:
            if piece.id not in group_by_piece:
                group_by_piece[piece.id] = canvas.group({"class": piece.kind, "data-piece": piece.id})
            piece.draw(canvas, canvas.group({"class": "piece"}, group_by_piece[piece.id]), at)
        sheets.append(page_sheet(f"{name}-{number}", title_with_page(job, title, page_text), canvas))
    return sheets


def lay_out_pieces(job: HexJob, pieces: Sequence[CutPiece]) -> list[list[tuple[CutPiece, Point]]]:
    """Return the pieces of each page with the middle of each: in rows of equal size, from the top left."""
    left, top, right, bottom = body_area(job)
    piece_pages: list[list[tuple[CutPiece, Point]]] = []
    x, y, row_height = left, top, 0.0
    row_size: tuple[float, float] | None = None
    for piece in pieces:
        width, height = piece.size
        for _ in range(1 if piece.count is None else piece.count):
            if row_size != piece.size or x + width > right:
                x, y, row_height, row_size = left, y + row_height, 0.0, piece.size
            if not piece_pages or y + height > bottom:
                piece_pages.append([])
                x, y = left, top
            piece_pages[-1].append((piece, (x + width / 2, y + height / 2)))
            x, row_height = x + width + _GAP_MM, height + _GAP_MM
    return piece_pages
