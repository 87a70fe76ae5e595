"""Operations of railroad boards that boards of all kinds have: loaded, exported, drawn, printed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, get_args

from pydantic import ValidationError

from mapkit.core.base import Frozen
from mapkit.core.errors import ChoiceError, ExportError
from mapkit.core.invalid import invalid_value_message
from mapkit.core.kept import recalled
from mapkit.core.progress import Progress
from mapkit.document.workspace import open_workspace
from mapkit.drawing.look import Look
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.theme.files import find_theme
from mapkit.drawing.theme.steps import adjust_theme
from mapkit.drawing.theme.theme import Theme
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.operations import BoardOperations, ExportRequest, PrintedPages, ThemedDrawing, choose_sheets
from mapkit.kinds.rail.api.loading import load_given, stem_of
from mapkit.kinds.rail.exchange.format import ExportOptions, Format, RB3Encoding
from mapkit.kinds.rail.exchange.registry import FORMATS
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.drawing import NOT_ON_PLANE, DrawingSettings
from mapkit.kinds.rail.model.versions import BOARD_VERSION, BoardVersion
from mapkit.kinds.rail.render.board import draw_board, render_board
from mapkit.kinds.rail.render.board_theme import apply_board_sizes
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.sheets import GROUPS, group_sheets
from mapkit.kinds.rail.render.words import in_language, words_of
from mapkit.kinds.rail.variants.basis import basis_of
from mapkit.operations.options import Flag

if TYPE_CHECKING:
    from mapkit.press.job import PrintJob
    from mapkit.press.parts import PrintedParts

PARTS: Final = ("board", "sheets", "cards", "money")
"""Parts of a printout, beside ids of sheets; the first three are printed if nothing is named."""
_LOOSE: Final = ("chips", "pad-")
"""Sheets to cut out or to write on; a booklet leaves them out unless their ids are named."""


@dataclass(frozen=True)
class RailExporting:
    """Options of exports of railroad boards.

    Attributes:
        board_version: For engine: the version of the board file.
        encoding: For rb3: of names. Boxcars reads utf-8 alone, Rail Baron Player windows-1252 alone.
    """

    board_version: Annotated[int, Flag("", "1|2", "", 1, 2)] = BOARD_VERSION
    encoding: Annotated[str, Flag("", "utf-8|windows-1252")] = "utf-8"


@dataclass(frozen=True)
class RailDrawing:
    """Options of drawings of railroad boards; the board's own settings by default.

    Attributes:
        relief: Shading of mountains: none, plain, or hypsometric for tints by height too.
        relief_strength: How strong the relief is, 0 to 1.
        graticule: Degrees between meridians, and between parallels, 0.5 to 45.
        compass: Draw a compass.
        water_names: Name seas, lakes and rivers.
    """

    relief: Annotated[str | None, Flag("", "none|plain|hypsometric")] = None
    relief_strength: Annotated[float | None, Flag("", "SHARE", "", 0, 1)] = None
    graticule: Annotated[float | None, Flag("", "DEGREES", "", 0.5, 45)] = None
    compass: Annotated[bool, Flag("--compass")] = False
    water_names: Annotated[bool, Flag("--water-names")] = False

    def apply_to(self, board: Board) -> Board:
        """Return a board that is drawn with these settings.

        Raises:
            ChoiceError: A value is not allowed, or an invented land cannot be drawn so.
        """
        chosen = {one.name: getattr(self, one.name) for one in fields(self) if getattr(self, one.name) != one.default}
        if not chosen:
            return board
        try:
            drawing = DrawingSettings.model_validate(board.drawing.model_dump() | chosen)
        except ValidationError as error:
            raise ChoiceError(invalid_value_message(error.errors()[0])) from error
        if board.projection.plane is not None and drawing.earth_settings:
            raise ChoiceError(f"{', '.join(drawing.earth_settings)}: {NOT_ON_PLANE}; draw it without")
        return board.model_copy(update={"drawing": drawing})


class _Picture(Frozen):
    """A drawing as it is kept."""

    svg: str


class RailOperations(BoardOperations[Board]):
    """Operations of railroad boards."""

    board_type = Board
    formats: ClassVar[Any] = FORMATS
    export_options = RailExporting
    draw_options = RailDrawing
    game = "mapkit.kinds.rail.api.playtesting:RAIL_GAME"
    referee = "mapkit.kinds.rail.api.refereeing:judge_log"

    def load(
        self, board: Board | str | Path, *, variants: Sequence[str], workspace: str | Path | None, progress: Progress
    ) -> Board:
        """Return a board without mistakes, with variants applied."""
        return load_given(board, variants, workspace, progress)

    def check_export(self, formats: Sequence[Format], options: RailExporting) -> None:
        """Refuse a version or an encoding that there is not, or that no format takes."""
        _board_version(options.board_version, formats)
        _encoding(options.encoding, formats)

    def write(self, form: Format, board: Board, request: ExportRequest) -> ExportedBoard:
        """Return the files of a board in a format."""
        return form.export(
            board,
            ExportOptions(
                base_url=request.base_url,
                board_version=_board_version(request.options.board_version),
                rb3_encoding=_encoding(request.options.encoding),
                stem=request.stem,
            ),
        )

    def draw(self, board: Board, theme: Theme, look: Look, options: RailDrawing) -> str:
        """Return the drawing of a board as SVG."""
        layout = lay_out(options.apply_to(board), theme.sizes)
        return draw_board(
            layout if look.dot_names else replace(layout, names=tuple(spot for spot in layout.names if spot.name.bold)),
            theme=theme,
        ).to_text()

    def drawing(
        self,
        board: Board | str | Path,
        look: Look,
        options: RailDrawing,
        *,
        variants: Sequence[str],
        workspace: str | Path | None,
        progress: Progress,
    ) -> ThemedDrawing:
        """Return a board's drawing, from the cache if it was drawn before."""
        chosen = find_theme(look.theme, folder=Path(workspace or "."))
        basis = None if isinstance(board, Board) else basis_of(open_workspace(workspace), board, variants)
        seen = basis.digest() if basis is not None else None
        loaded = self.load(board, variants=variants, workspace=workspace, progress=progress)
        loaded = options.apply_to(in_language(loaded, look.language))
        theme = adjust_theme(apply_board_sizes(chosen, loaded), look.brightness, look.contrast)

        def draw() -> _Picture:
            progress("drawing")
            return _Picture(svg=self.draw(loaded, theme, look, options))

        key = f"{theme.model_dump_json()} {look.dot_names} {loaded.drawing.model_dump_json()}"
        found = recalled("drawing", basis, _Picture, draw, options=key, seen=seen, progress=progress)
        return ThemedDrawing(loaded, theme, found.svg, {})

    def pages(
        self, board: Board, theme: Theme, job: "PrintJob", parts: "PrintedParts", options: object
    ) -> PrintedPages:
        """Return the board, its sheets and cards."""
        del options
        made = group_sheets(board, theme, job.drawn_paper)
        named = [({group, sheet.id, _part(sheet)}, sheet) for group, some in made.items() for sheet in some]
        asked = {*parts.only}
        if job.booklet and not any(asked & (names - {*PARTS}) for names, _ in named):
            named = [(names, sheet) for names, sheet in named if not sheet.id.startswith(_LOOSE)]
        chosen = choose_sheets(named, parts.only, tuple(dict.fromkeys((*PARTS, *GROUPS))))
        chosen = chosen if parts.only else [sheet for sheet in chosen if _part(sheet) != "money"]
        picture = render_board(board, theme=theme) if not parts.only or "board" in parts.only else None
        return PrintedPages(picture, chosen, board.title, words_of(board))

    def dress(self, theme: Theme | None, board: Board) -> Theme:
        """Return a theme as a board changes it."""
        return apply_board_sizes(theme, board)

    def in_language(self, board: Board, language: str) -> Board:
        """Return a board with words in a language."""
        return in_language(board, language)

    def stem(self, board: Board, named: Any, variants: Sequence[str]) -> str:  # noqa: ANN401 - a board, or its name
        """Return the beginning of the names of a board's files."""
        return stem_of(board, named, variants)


def _part(sheet: Sheet) -> str:
    """Return the part of a printout that a sheet belongs to."""
    if sheet.id.startswith("money-"):
        return "money"
    return "sheets" if sheet.kind == "page" else "cards"


def _board_version(wanted: int, formats: Iterable[Format] | None = None) -> BoardVersion:
    """Return the version of the board file to write.

    Raises:
        ExportError: There is none, or no format writes it.
    """
    version: BoardVersion | None = next((known for known in get_args(BoardVersion) if known == wanted), None)
    if version is None:
        raise ExportError(f"no version {wanted!r} of the board file; there are 1 and {BOARD_VERSION}")
    if version != BOARD_VERSION and formats is not None and all(form.name != "engine" for form in formats):
        raise ExportError(f"version {version} of the board file is written by the format engine; add it to the formats")
    return version


def _encoding(wanted: str, formats: Iterable[Format] | None = None) -> RB3Encoding:
    """Return the encoding of names in RB3.

    Raises:
        ExportError: There is none, or no format takes it.
    """
    known = get_args(RB3Encoding)
    encoding: RB3Encoding | None = next((name for name in known if name == wanted.strip().lower()), None)
    if encoding is None:
        raise ExportError(f"no encoding {wanted!r} of RB3; write {' or '.join(known)}")
    if encoding != known[0] and formats is not None and all(form.name != "rb3" for form in formats):
        raise ExportError(f"encoding {encoding} is for the format rb3; add it to the formats")
    return encoding


RAIL_OPERATIONS: Final = RailOperations()
