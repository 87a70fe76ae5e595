"""Implementation of `Kind` for boards of hexagons."""

from collections.abc import Sequence
from typing import Final

from mapkit.core.acceptances import add_acceptance_findings
from mapkit.core.base import Point
from mapkit.core.checks import AnyCheck, run_checks
from mapkit.core.findings import CheckReport, Finding
from mapkit.core.problems import Problem, prepend_problems, with_missing_tables
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
from mapkit.kinds.kind import Kind, RegionAsked, Shown
from mapkit.kinds.protocol import EncodedResult, View
from mapkit.kinds.queries import BoardSnapshot, answer_query


class HexKind(Kind[HexDocument, CompiledHexes]):
    """Boards of hexagons with terrain, ridges and cities that want goods."""

    name = "hex"
    about = "hexagons with terrain, and cities that want goods"
    document = HexDocument
    shelf = "hex"
    operations_page = "docs/how-to/hex.md#commands"
    page = "static/hex"
    commands: Commands = COMMANDS

    def compile(self, document: HexDocument, *, board_id: str, evaluator: Evaluator | None = None) -> CompiledHexes:
        """Return the board of a document."""
        return compile_hexes(document, board_id=board_id, evaluator=evaluator)

    def all_checks(self) -> Sequence[AnyCheck]:
        """Return all checks of boards of hexagons."""
        return CHECKS

    def check(self, compiled: CompiledHexes, unread: Sequence[Problem] = ()) -> CheckReport:
        """Return all findings on a board, problems first."""
        accepted = {key: str(getattr(row, "reason", "")) for key, row in compiled.document.table("accepted").items()}
        checked = CheckedHexes(compiled)
        found: CheckReport = run_checks(CHECKS, lambda check: check.run(checked), accepted)
        problems = with_missing_tables((*unread, *compiled.problems), compiled.document.tables)
        return prepend_problems(
            found if problems else add_acceptance_findings(found, accepted, checks=CHECKS), problems
        )

    def findings(self, compiled: CompiledHexes) -> Shown:
        """Return the findings to show on a page after an edit."""
        return Shown(self.check(compiled), lambda found: self.place_of(compiled, found))

    def draw(self, compiled: CompiledHexes) -> str:
        """Return the drawing of a board as SVG."""
        return draw_board(compiled.board)

    def view(self, compiled: CompiledHexes) -> View:
        """Return the view of the page without the drawing; the page requests that in its own theme."""
        tables = self.document.schema.tables.items()
        fields = {name: [one for one in row.model_fields if one != "rank"] for name, row in tables if name != "files"}
        return {**page_view(compiled), "fields": fields}

    def view_delta(self, old: CompiledHexes, new: CompiledHexes) -> View:
        """Return the changes of the view; the drawing is requested again when the author pauses."""
        was, now = page_view(old), page_view(new)
        return {name: value for name, value in now.items() if was[name] != value}

    def answer(self, name: str, body: bytes, asked: BoardSnapshot[CompiledHexes]) -> EncodedResult:
        """Return the result of a query from the page."""
        return answer_query(QUESTIONS, name, body, asked)

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
