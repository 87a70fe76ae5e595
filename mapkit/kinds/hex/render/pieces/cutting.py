"""Sheets to cut out: pieces in rows, as many as there are of each."""

from collections.abc import Sequence
from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.page import body_area, page, page_of, titled
from mapkit.drawing.sheet import Sheet
from mapkit.kinds.hex.render.pieces.goods import goods_pieces
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.render.pieces.piece import CutPiece
from mapkit.kinds.hex.render.pieces.tiles import tile_pieces
from mapkit.kinds.hex.render.pieces.tokens import token_pieces

_GAP: Final = 1.2
"""Between pieces, in millimetres."""
_SHEETS: Final = {
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
    """Return the sheets to cut out; pieces whose number is not known are there once."""
    pieces = all_pieces(job)
    out: list[Sheet] = []
    for name, kinds in _SHEETS.items():
        some = [piece for kind in kinds for piece in pieces if piece.kind == kind]
        out += _sheets(job, name, some)
    return out


def _sheets(job: HexJob, name: str, pieces: Sequence[CutPiece]) -> list[Sheet]:
    pages = laid_out(job, pieces)
    out = []
    for number, spots in enumerate(pages, 1):
        title = job.words(f"piece.{name}")
        where = page_of(job, number, len(pages))
        canvas = page(job, title, note=job.words("piece.cut"), foot=where)
        groups = {}
        for piece, at in spots:
            if piece.id not in groups:
                groups[piece.id] = canvas.group({"class": piece.kind, "data-piece": piece.id})
            piece.draw(canvas, canvas.group({"class": "piece"}, groups[piece.id]), at)
        svg = canvas.to_text()
        out.append(Sheet(f"{name}-{number}", titled(job, title, where), svg, canvas.width, canvas.height, "page", None))
    return out


def laid_out(job: HexJob, pieces: Sequence[CutPiece]) -> list[list[tuple[CutPiece, Point]]]:
    """Return the pieces of each page with the middle of each: in rows of one size, from the top left."""
    left, top, right, bottom = body_area(job)
    pages: list[list[tuple[CutPiece, Point]]] = []
    x, y, high = left, top, 0.0
    size: tuple[float, float] | None = None
    for piece in pieces:
        wide, tall = piece.size
        for _ in range(1 if piece.count is None else piece.count):
            if size != piece.size or x + wide > right:
                x, y, high, size = left, y + high, 0.0, piece.size
            if not pages or y + tall > bottom:
                pages.append([])
                x, y = left, top
            pages[-1].append((piece, (x + wide / 2, y + tall / 2)))
            x, high = x + wide + _GAP, tall + _GAP
    return pages
