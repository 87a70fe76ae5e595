"""Options and data that a kind of board adds to the operations of all kinds."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.core.names import board_stem
from mapkit.core.plurals import join_some
from mapkit.core.progress import Progress
from mapkit.document.document import D
from mapkit.drawing.look import Look
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.theme.files import find_theme
from mapkit.drawing.theme.steps import adjust_theme
from mapkit.drawing.theme.theme import CLASSIC, Theme
from mapkit.drawing.words.language import Words, find_language
from mapkit.drawing.words.languages import LANGUAGES
from mapkit.exchange.plan import ExportedBoard
from mapkit.operations.options import NoOptions

if TYPE_CHECKING:
    from mapkit.press.job import PrintJob
    from mapkit.press.parts import PrintedParts

B = TypeVar("B")
"""Board of a kind."""


@dataclass(frozen=True)
class ExportRequest:
    """Request of an export, beside the format.

    Attributes:
        variants: Variants that were applied.
        base_url: Address of the folder on the web where its user puts pictures.
        stem: Beginning of the names of files.
        options: Options that the kind adds.
    """

    variants: Sequence[str]
    base_url: str | None
    stem: str
    options: Any


@dataclass(frozen=True)
class ThemedDrawing:
    """Drawing of a board as SVG, or pictures of its parts by file name."""

    board: Any
    theme: Theme
    svg: str
    parts: Mapping[str, bytes]


@dataclass(frozen=True)
class PrintedPages:
    """Pages of a printout: the board's drawing, if it is wanted, sheets, title and words."""

    picture: str | None
    sheets: Sequence[Sheet]
    title: str
    words: Words


@dataclass(frozen=True)
class ReadDocument(Generic[D]):
    """Document that a file of another program holds.

    Attributes:
        format: Name of the format.
        title: Title of the board.
        document: The document.
        changes: Rows to set in the board that is there.
        counts: How many elements of each sort it has.
        summary: The same in words.
        notes: What was left out or made up.
    """

    format: str
    title: str
    document: D
    changes: Sequence[Any]
    counts: Mapping[str, int]
    summary: str
    notes: tuple[str, ...] = ()


class BoardOperations(ABC, Generic[B]):
    """Operations of a kind of board."""

    board_type: ClassVar[type]
    formats: ClassVar[Any]
    """Table of its formats, a `FormatTable`."""
    export_options: ClassVar[type] = NoOptions
    draw_options: ClassVar[type] = NoOptions
    print_options: ClassVar[type] = NoOptions
    game: ClassVar[str] = ""
    """Module and name of its `BoardGame`, if it is played."""
    referee: ClassVar[str] = ""
    """Module and name of the function that judges a log: text, file, board, variants, workspace, progress."""

    load_named: ClassVar[Callable[..., Any]]
    """Function that loads and compiles a board of that name, as `mapkit.load` does."""

    def load(
        self, board: B | str | Path, *, variants: Sequence[str], workspace: str | Path | None, progress: Progress
    ) -> B:
        """Return a board without mistakes, with variants applied."""
        if not isinstance(board, self.board_type):
            board = self.load_named(board, variants=variants, workspace=workspace, progress=progress).board
        return cast("B", board)

    @abstractmethod
    def write(self, form: Any, board: B, request: ExportRequest) -> ExportedBoard:  # noqa: ANN401 - a format of the kind
        """Return the files of a board in a format."""

    def check_export(self, formats: Sequence[Any], options: Any) -> None:  # noqa: ANN401 - of the kind
        """Refuse options that no format takes, before the board is loaded."""

    def read(self, path: Path, board_id: str | None, session: Any) -> ReadDocument[Any]:  # noqa: ANN401 - of its kind
        """Return the contents of another program's file, compared with the board of a session, if given."""
        del board_id, session
        raise ChoiceError(f"{path.name}: boards of this kind are not read from files of other programs")

    @abstractmethod
    def draw(self, board: B, theme: Theme, look: Look, options: Any) -> str:  # noqa: ANN401 - of the kind
        """Return the drawing of a board as SVG."""

    def draw_parts(self, board: B, theme: Theme, look: Look, options: Any) -> Mapping[str, bytes]:  # noqa: ANN401 - as above
        """Return pictures of the parts of a board by file name, if the options ask for them; else none."""
        del board, theme, look, options
        return {}

    def drawing(
        self,
        board: B | str | Path,
        look: Look,
        options: Any,  # noqa: ANN401 - as above
        *,
        variants: Sequence[str],
        workspace: str | Path | None,
        progress: Progress,
    ) -> ThemedDrawing:
        """Return a board's drawing, or those of its parts."""
        chosen = find_theme(look.theme, folder=Path(workspace or "."))
        loaded = self.load(board, variants=variants, workspace=workspace, progress=progress)
        theme = adjust_theme(self.dress(chosen, loaded), look.brightness, look.contrast)
        progress("drawing")
        parts = self.draw_parts(loaded, theme, look, options)
        return ThemedDrawing(loaded, theme, "" if parts else self.draw(loaded, theme, look, options), parts)

    @abstractmethod
    def pages(self, board: B, theme: Theme, job: "PrintJob", parts: "PrintedParts", options: Any) -> PrintedPages:  # noqa: ANN401 - as above
        """Return the printed parts of a board."""

    def dress(self, theme: Theme | None, board: B) -> Theme:
        """Return a theme as a board changes it; None is the board's own."""
        del board
        return theme or CLASSIC

    def in_language(self, board: B, language: str) -> B:
        """Return a board with words in a language.

        Raises:
            ChoiceError: There is no such language.
        """
        find_language(language)
        return board

    def stem(self, board: B, named: object, variants: Sequence[str]) -> str:
        """Return the beginning of the names of a board's files."""
        del named
        return board_stem(str(getattr(board, "id", "board")), variants)


def language_of(tag: str) -> str:
    """Return the language of a tag; English for `board` on boards that name none.

    Raises:
        ChoiceError: There is no such language.
    """
    return find_language(tag) or LANGUAGES[0]


def choose_sheets(named: Sequence[tuple[set[str], Sheet]], only: Sequence[str], parts: Sequence[str]) -> list[Sheet]:
    """Return the sheets that are wanted; all if nothing is named.

    Args:
        named: Each sheet with the names that choose it.
        only: Names that are wanted.
        parts: Names of groups, for the message.

    Raises:
        ChoiceError: A name is unknown; the nearest is offered.
    """
    known = list(dict.fromkeys([*parts, *(name for names, _ in named for name in sorted(names))]))
    for name in only:
        if name not in known:
            raise ChoiceError(
                f"part {name!r} is unknown{did_you_mean(name, known)}; parts are {join_some(parts)}, and ids of sheets"
            )
    asked = {*only}
    return [sheet for names, sheet in named if not asked or asked & names]


def convert_options(kind: type[B], given: object) -> B:
    """Return options as those of a kind, which has a class of its own; None for the defaults.

    Raises:
        ChoiceError: An option is given that boards of this kind do not have; the nearest is offered.
    """
    if isinstance(given, kind):
        return given
    if given is None:
        return kind()
    changed = {
        one.name: value
        for one in fields(given)  # type: ignore[arg-type]
        if (value := getattr(given, one.name)) != one.default
    }
    found: B = read_options(kind, changed)
    return found


def read_options(kind: type, given: Mapping[str, object]) -> Any:  # noqa: ANN401 - of that class
    """Return options that a kind adds to an operation.

    Raises:
        ChoiceError: There is no such option; the nearest is offered.
    """
    known = [one.name for one in fields(kind)]
    for name in given:
        if name not in known:
            hint = did_you_mean(name, known) or (f"; options are {join_some(known)}" if known else "")
            raise ChoiceError(f"option {name!r} is unknown for boards of this kind{hint}")
    return kind(**given)
