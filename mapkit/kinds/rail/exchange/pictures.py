"""Picture formats of the drawn board: SVG, PNG, PDF."""

from dataclasses import dataclass

from mapkit.drawing.picture_files import missing_letter_notes, picture_bytes
from mapkit.exchange.card_grid import LONGEST
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.rail.exchange.board_picture import board_picture, board_svg
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.model.board import Board
from mapkit.press.raster import MM_PER_INCH

DPI = 150.0
"""Resolution of PNG files with sides of at most `LONGEST` pixels; `mapkit picture --dpi` makes others."""


@dataclass(frozen=True)
class PictureFormat:
    """Format of the drawn board as a picture."""

    name: str
    title: str
    carries: str
    loses: str

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Return the only suffix."""
        return (f".{self.name}",)

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:
        """Return `BOARD.svg`, `.png` or `.pdf`."""
        svg = board_svg(board)
        if self.name == "png" and max(board.page.width, board.page.height) * DPI > LONGEST * MM_PER_INCH:
            picture_data, letter_notes = board_picture(board, LONGEST).png, missing_letter_notes(svg, board.id)
        else:
            picture_data, letter_notes = picture_bytes(svg, self.name, dpi=DPI, fonts="embed", name=board.id)
        return ExportedBoard({f"{options.file_stem(board)}.{self.name}": picture_data}, (self.loses, *letter_notes))


SVG_FORMAT = PictureFormat(
    "svg",
    "Picture with the graph in it (SVG)",
    "the drawn board with ids and data of mileposts, segments, cities, railroads, regions; its fonts",
    "charts, rules, extensions and provenance",
)
PNG_FORMAT = PictureFormat(
    "png",
    "Picture (PNG)",
    f"the drawn board at {DPI:.0f} dpi, or {LONGEST} pixels long if that is less",
    "everything but the looks",
)
PDF_FORMAT = PictureFormat(
    "pdf", "Picture (PDF)", "the drawn board at its size, with fonts and text", "everything but the looks"
)
