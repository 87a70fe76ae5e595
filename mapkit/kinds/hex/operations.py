"""Operations of boards of hexagons: loaded, exported, read from files, drawn, printed; and their figures and links."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from mapkit.core.errors import BoardError, ChoiceError, UnknownNameError, did_you_mean
from mapkit.core.names import fold
from mapkit.core.problems import problem_lines
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.drawing.look import Look
from mapkit.drawing.theme.theme import Theme
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.hex.compiler import CompiledHexes
from mapkit.kinds.hex.exchange.format import HexExport, HexFormat
from mapkit.kinds.hex.exchange.joining import compiled_file, row_changes
from mapkit.kinds.hex.exchange.registry import FORMATS, reader_for
from mapkit.kinds.hex.grid.grid import HexGrid
from mapkit.kinds.hex.kind import HEX
from mapkit.kinds.hex.model.board import HexBoard, HexCity
from mapkit.kinds.hex.network.report import HexReport, report_on
from mapkit.kinds.hex.network.ways import Way, Ways
from mapkit.kinds.hex.render.board import draw_board
from mapkit.kinds.hex.render.pieces.cards import card_sheets
from mapkit.kinds.hex.render.pieces.cutting import cutting_sheets
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.hex.render.pieces.rules_pages import rule_pages
from mapkit.kinds.hex.render.sheet import lay_out_sheet
from mapkit.kinds.operations import (
    BoardOperations,
    ExportRequest,
    PrintedPages,
    ReadDocument,
    choose_sheets,
    language_of,
)
from mapkit.operations.options import Argument, BoardName, Flag, Variants, Workspace

if TYPE_CHECKING:
    from mapkit.press.job import PrintJob
    from mapkit.press.parts import PrintedParts

PARTS: Final = ("board", "rules", "pieces", "cards")
"""Parts of a printout, beside ids of sheets and what they begin with."""


@dataclass(frozen=True)
class HexImporting:
    """Options of imports of boards of hexagons."""

    file: Annotated[
        str | Path, Argument("", "FILE", "HexJSON, a map of Tiled, a game of 18xx-maker, or a board file.")
    ] = ""
    into: Annotated[
        str | None, Flag("--into --board -b", "BOARD", "The board, made if it is not there; without it, only look.")
    ] = None


@dataclass(frozen=True)
class HexPrinting:
    """Write a board of hexagons to print and play as one PDF: tiles or a poster, plan, rules, pieces, cards.

    Track tiles, New City tiles, cubes, markers and tokens are sheets to cut out, as large as the hexagons of the board.
    Cards, engines and bonds have backs (--duplex). Money is not printed. All files are written or none.
    """

    only: Annotated[
        Sequence[str],
        Flag(
            "",
            "board,rules,pieces,cards",
            "Print these only; ids of sheets work too, and what they begin with: tiles, cubes, bond.",
            reading="commas",
        ),
    ] = ()


def load_hexes(
    name: str | Path, *, variants: Sequence[str] = (), workspace: str | Path | None = None, progress: Progress = quiet
) -> CompiledHexes:
    """Return a board of hexagons.

    Args:
        name: A board of the workspace, a shipped one, or the folder of a source package.
        variants: Variants to apply, in order.
        workspace: The folder that holds `sources/`; the current folder by default.
        progress: Called with the name of each stage as it begins.

    Raises:
        BoardError: Its files hold mistakes, which are listed.
        MapkitError: There is no such board or variant.
    """
    compiled, unread = HEX.load(open_workspace(workspace), str(name), variants, progress)
    problems = (*unread, *compiled.problems)
    if problems:
        raise BoardError("\n".join([f"{name} cannot be used as it is:", *problem_lines(problems)]))
    return compiled


def hex_report(
    board: BoardName,
    *,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> HexReport:
    """Report on a board of hexagons: links, deliveries, engines, the length of a game.

    A row per city: its colours, its cheapest link, and how many links it is to the nearest city of each colour. Then
    the best first links, what each engine can deliver, and how many turns a game lasts by number of players.

    Raises:
        MapkitError: As for `load_hexes`.
    """
    return report_on(load_hexes(board, variants=variants, workspace=workspace, progress=progress).board)


def cheapest_link(
    a: Annotated[str, Argument("", "FROM")],
    b: Annotated[str, Argument("", "TO")],
    board: Annotated[str | None, Flag("-b", "BOARD")] = None,
    *,
    variants: Variants = (),
    workspace: Workspace = None,
) -> Way:
    """Find the cheapest link between two cities of a board of hexagons.

    Terrain, ridges and other edges count; a link passes no other city. Of links at one cost, the one of fewest tiles.

    Args:
        a: A city, by name or id.
        b: Another city.
        board: The board, as for mapkit report; the only one of the workspace.

    Raises:
        ChoiceError: No board is named, and the workspace has none of its own or several.
        UnknownNameError: There is no such city.
        BoardError: No track can link them.
        MapkitError: As for `load_hexes`.
    """
    chosen = board or open_workspace(workspace).only_board()
    if chosen is None:
        raise ChoiceError("say which board is meant, such as --board portugal-hex")
    loaded = load_hexes(chosen, variants=variants, workspace=workspace).board
    one, other = city_named(loaded, a), city_named(loaded, b)
    if one.id == other.id:
        raise UnknownNameError(f"{one.name} is named twice; name two cities")
    way = Ways(loaded).way(one.id, other.id)
    if way is None:
        raise BoardError(f"no track can link {one.name} and {other.name}: sea, blocked ground or cities lie between")
    return way


def city_named(board: HexBoard, name: str) -> HexCity:
    """Return a city by its id or name; capitals and accents do not matter.

    Raises:
        UnknownNameError: There is none; the nearest is offered.
    """
    for city in board.cities:
        if name == city.id or fold(name) == fold(city.name):
            return city
    names = [city.name for city in board.cities]
    raise UnknownNameError(f"{name!r} is not a city of {board.title}{did_you_mean(name, names)}")


class HexOperations(BoardOperations[HexBoard]):
    """Operations of boards of hexagons."""

    board_type = HexBoard
    formats = FORMATS
    print_options = HexPrinting
    game = "mapkit.kinds.hex.api.playtesting:HEX_GAME"
    referee = "mapkit.kinds.hex.api.refereeing:judge_log"
    load_named = staticmethod(load_hexes)

    def write(self, form: HexFormat, board: HexBoard, request: ExportRequest) -> ExportedBoard:
        """Return the files of a board in a format."""
        return form.write(board, HexExport(request.base_url, request.variants))

    def read(self, path: Path, board_id: str | None, session: Any) -> ReadDocument[Any]:  # noqa: ANN401 - of boards of hexagons
        """Return the contents of another program's file."""
        form = reader_for(path)
        assert form.read is not None  # noqa: S101 - `reader_for` returns formats that are read
        found = form.read(path)
        before = None if session is None else HEX.compile(session.document, board_id=session.board)
        after = compiled_file(found, board_id or path.name.split(".")[0].lower() or "board", before)
        if after.problems:
            head = f"{path.name} holds mistakes; nothing was written:"
            raise BoardError("\n".join([head, *problem_lines(after.problems)]))
        board = after.board
        counts = {"hexes": len(board.hexes), "edges": len(board.edges), "cities": len(board.cities)}
        said = f"{counts['hexes']:,} hexagons, {counts['cities']} cities, {counts['edges']} edges ({form.name})"
        rows = () if before is None else row_changes(before, after)
        return ReadDocument(form.name, board.title, after.document, rows, counts, said, found.notes)

    def draw(self, board: HexBoard, theme: Theme, look: Look, options: object) -> str:
        """Return the drawing of a board as SVG."""
        del options
        return draw_board(board, theme, language_of(look.language))

    def pages(
        self, board: HexBoard, theme: Theme, job: "PrintJob", parts: "PrintedParts", options: object
    ) -> PrintedPages:
        """Return the board, its rules, pieces and cards."""
        del options
        language = language_of(parts.language)
        scaled = _scaled(board, job.factor(lay_out_sheet(board).width))
        made = HexJob(scaled, theme, job.drawn_paper, language)
        groups = {"rules": rule_pages(made), "pieces": cutting_sheets(made), "cards": card_sheets(made)}
        named = [
            ({group, sheet.id, sheet.id.partition("-")[0]}, sheet) for group, some in groups.items() for sheet in some
        ]
        sheets = choose_sheets(named, parts.only, PARTS)
        if job.booklet and not parts.only:
            sheets = [sheet for sheet in sheets if sheet.id.startswith("rules")]  # the others are cut out
        picture = draw_board(board, theme, language) if not parts.only or "board" in parts.only else None
        return PrintedPages(picture, sheets, board.title, made.words)


def _scaled(board: HexBoard, factor: float) -> HexBoard:
    """Return a board with hexagons of the printed size, so that tiles fit them."""
    if factor == 1.0:
        return board
    grid = HexGrid.model_validate({**board.grid.model_dump(), "size_mm": board.grid.size_mm * factor})
    return board.model_copy(update={"grid": grid})


HEX_OPERATIONS: Final = HexOperations()
