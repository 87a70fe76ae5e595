"""The drawn board as a picture: SVG, PNG, PDF."""

from dataclasses import dataclass

from mapkit.exchange.form import Exported, ExportOptions
from mapkit.model.board import Board
from mapkit.render.board import render_board
from mapkit.render.press.write import picture_bytes

DPI = 150.0
"""Of PNG files; `mapkit picture --dpi` makes others."""


@dataclass(frozen=True)
class PictureFormat:
    """The board as its drawing."""

    name: str
    title: str
    carries: str
    loses: str

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Return the one ending."""
        return (f".{self.name}",)

    def export(self, board: Board, options: ExportOptions) -> Exported:  # noqa: ARG002 - all exports take options
        """Return `BOARD.svg`, `.png` or `.pdf`."""
        data, told = picture_bytes(render_board(board), self.name, dpi=DPI, fonts="embed", name=board.id)
        return Exported({f"{board.id}.{self.name}": data}, (self.loses, *told))


SVG_FORMAT = PictureFormat(
    "svg",
    "Picture with the graph in it (SVG)",
    "the drawn board with ids and data of mileposts, segments, cities, railroads, regions; its fonts",
    "charts, rules and provenance",
)
PNG_FORMAT = PictureFormat("png", "Picture (PNG)", f"the drawn board at {DPI:.0f} dpi", "everything but the looks")
PDF_FORMAT = PictureFormat(
    "pdf", "Picture (PDF)", "the drawn board at its size, with fonts and text", "everything but the looks"
)
