"""Implementation of `Kind` for boards of hexagons."""

from typing import Final

from mapkit.core.base import Point
from mapkit.core.findings import Finding
from mapkit.document.command import Commands
from mapkit.evaluate import Evaluator
from mapkit.kinds.hex import parts
from mapkit.kinds.hex.checks.check import CheckedHexes
from mapkit.kinds.hex.checks.registry import CHECKS
from mapkit.kinds.hex.commands import COMMANDS
from mapkit.kinds.hex.compiler import CompiledHexes, compile_hexes
from mapkit.kinds.hex.example import example_files
from mapkit.kinds.hex.queries import QUESTIONS, page_view
from mapkit.kinds.hex.render.board import draw_board
from mapkit.kinds.hex.render.sheet import lay_out_sheet
from mapkit.kinds.hex.tables import HexDocument
from mapkit.kinds.kind import Kind, RegionAsked
from mapkit.kinds.protocol import View


class HexKind(Kind[HexDocument, CompiledHexes]):
    """Boards of hexagons with terrain, ridges and cities that want goods."""

    name = "hex"
    about = "hexagons with terrain, and cities that want goods"
    document = HexDocument
    shelf = "hex"
    operations_page = "docs/how-to/hex.md#commands"
    page = "static/hex"
    commands: Commands = COMMANDS
    checks = CHECKS
    questions = QUESTIONS

    def compile(self, document: HexDocument, *, board_id: str, evaluator: Evaluator | None = None) -> CompiledHexes:
        """Return the board of a document."""
        return compile_hexes(document, board_id=board_id, evaluator=evaluator)

    def judged(self, compiled: CompiledHexes) -> CheckedHexes:
        """Return the board as its checks get it."""
        return CheckedHexes(compiled)

    def draw(self, compiled: CompiledHexes) -> str:
        """Return the drawing of a board as SVG."""
        return draw_board(compiled.board)

    def view(self, compiled: CompiledHexes) -> View:
        """Return the view of the page without the drawing; the page requests that in its own theme."""
        return {**page_view(compiled), "fields": self.typed_fields()}

    def view_delta(self, old: CompiledHexes, new: CompiledHexes) -> View:
        """Return the changes of the view; the drawing is requested again when the author pauses."""
        was, now = page_view(old), page_view(new)
        return {name: value for name, value in now.items() if was[name] != value}

    def place_of(self, compiled: CompiledHexes, found: Finding) -> Point | None:
        """Return the position of a finding on the page: its first city, edge or hexagon; None without one."""
        grid, sheet = compiled.board.grid, lay_out_sheet(compiled.board)
        hexes = {city.id: city.hex for city in compiled.board.cities}
        for one in found.elements:
            hexagon, edge = grid.hex_of(hexes.get(one, one)), grid.edge_named(one)
            if hexagon is not None:
                return sheet.centre(hexagon)
            if edge is not None:
                return sheet.at(grid.middle(edge))
        return None

    def new_files(self, *, example: bool) -> dict[str, bytes]:
        """Return the files of a new board."""
        return example_files() if example else super().new_files(example=False)

    def region_files(self, title: str, asked: RegionAsked) -> tuple[dict[str, bytes], tuple[str, ...]]:
        """Return the files of a new board of a region, and notes for its author."""
        wanted = parts.SamplingOptions(
            hex_km=asked.cell_km,
            columns=asked.columns,
            cities=asked.cities,
            mountains=asked.mountains,
            rivers=asked.rivers,
        )
        made = parts.region_board(title, asked.region, wanted, bounds=asked.bounds)
        return made.files, made.notes


HEX: Final = HexKind()
