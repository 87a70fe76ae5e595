"""Hexagon boards as a kind of board, as the frame uses it."""

from collections.abc import Sequence
from typing import Final, cast

from mapkit.core.acceptances import with_acceptances
from mapkit.core.base import Point
from mapkit.core.checks import AnyCheck, run_checks
from mapkit.core.findings import CheckReport, Finding
from mapkit.core.problems import Problem, with_problems
from mapkit.document.command import Commands
from mapkit.evaluate import Evaluator
from mapkit.kinds.hex import parts
from mapkit.kinds.hex.checks.check import CheckedHexes
from mapkit.kinds.hex.checks.registry import CHECKS
from mapkit.kinds.hex.commands import COMMANDS
from mapkit.kinds.hex.compiler import CompiledHexes, compile_hexes
from mapkit.kinds.hex.example import example_files
from mapkit.kinds.hex.network.ways import KnownWays, Ways, ways_of
from mapkit.kinds.hex.questions import QUESTIONS, page_view
from mapkit.kinds.hex.render.board import draw_board
from mapkit.kinds.hex.render.sheet import lay_out_sheet
from mapkit.kinds.hex.tables import HexDocument
from mapkit.kinds.kind import Kind, RegionAsked, Shown
from mapkit.kinds.protocol import EncodedResult, View
from mapkit.kinds.queries import BoardSnapshot, answer_query

WAYS: Final = "ways"
"""What a session has of the links that were searched last."""


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
        """Return the checks that there are."""
        return CHECKS

    def check(self, compiled: CompiledHexes, unread: Sequence[Problem] = ()) -> CheckReport:
        """Return all findings on a board, problems first."""
        return self._checked(compiled, unread, Ways(compiled.board))

    def findings(self, compiled: CompiledHexes) -> Shown:
        """Return the findings for a page after an edit; links are searched again only where the ground changed."""
        session = compiled.evaluator.inputs
        ways = ways_of(compiled.board, cast("KnownWays | None", session.get(WAYS)))
        session[WAYS] = KnownWays.of(compiled.board, ways)
        return Shown(self._checked(compiled, (), ways), lambda found: self.place_of(compiled, found))

    @staticmethod
    def _checked(compiled: CompiledHexes, unread: Sequence[Problem], ways: Ways) -> CheckReport:
        accepted = {key: str(getattr(row, "reason", "")) for key, row in compiled.document.table("accepted").items()}
        checked = CheckedHexes(compiled, ways)
        found: CheckReport = run_checks(CHECKS, lambda check: check.run(checked), accepted)
        problems = (*unread, *compiled.problems)
        return with_problems(found if problems else with_acceptances(found, accepted, checks=CHECKS), problems)

    def draw(self, compiled: CompiledHexes) -> str:
        """Return the drawing of a board as SVG."""
        return draw_board(compiled.board)

    def view(self, compiled: CompiledHexes) -> View:
        """Return the view of the page, which requests the drawing itself in its theme."""
        tables = self.document.schema.tables.items()
        fields = {name: [one for one in row.model_fields if one != "rank"] for name, row in tables if name != "files"}
        return {**page_view(compiled), "fields": fields}

    def view_delta(self, old: CompiledHexes, new: CompiledHexes) -> View:
        """Return the changes of the view; the drawing is requested again when the author pauses."""
        was, now = page_view(old), page_view(new)
        return {name: value for name, value in now.items() if was[name] != value}

    def answer(self, name: str, body: bytes, asked: BoardSnapshot[CompiledHexes]) -> EncodedResult:
        """Return the answer to a question of the page."""
        return answer_query(QUESTIONS, name, body, asked)

    def place_of(self, compiled: CompiledHexes, found: Finding) -> Point | None:
        """Return where on the page to look for a finding: its first city, edge or hexagon."""
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
        wanted = parts.Wanted(
            hex_km=asked.cell_km,
            columns=asked.columns,
            cities=asked.cities,
            mountains=asked.mountains,
            rivers=asked.rivers,
        )
        made = parts.region_board(title, asked.region, wanted, bounds=asked.bounds)
        return made.files, made.notes


HEX: Final = HexKind()
