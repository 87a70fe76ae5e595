"""One match of a play-test, or of any engine: its log, told and drawn."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from mapkit.core.errors import ChoiceError, OutputError
from mapkit.core.output import write_files
from mapkit.core.progress import Progress
from mapkit.drawing.words.language import OWN
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead
from mapkit.kinds.rail.playing.log import log_text
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.match_page import narrate_match, render_match_page, render_moment
from mapkit.kinds.rail.render.words import in_language, words_of
from mapkit.operations.options import Flag, Language, Output
from mapkit.playing.game import ReplayFiles


@dataclass(frozen=True)
class Shown(ReplayFiles):
    """Files that `replay` writes of a match.

    Attributes:
        html: Write a page that plays it on the board.
        svg: Draw the board with the trains, at the end.
        at: For --svg: after this line of the log instead.
        language: Of page and picture, as in `Look`.
    """

    svg: Annotated[str | Path | None, Output("--svg", "FILE.svg")] = None
    at: Annotated[int | None, Flag("", "LINE")] = None
    language: Language = OWN


@dataclass(frozen=True)
class MatchLog:
    """One match: its board, the head of its log, and its events."""

    board: Board
    head: MatchHead
    events: tuple[MatchEvent, ...]

    def as_json(self) -> list[object]:
        """Return the lines of the log."""
        return [self.head, *self.events]

    def to_text(self) -> str:
        """Return the log as JSON lines."""
        return log_text(self.head, self.events)

    def in_words(self, language: str = OWN) -> list[str]:
        """Return the match in sentences, an empty line before each turn.

        Args:
            language: As in `Look`.

        Raises:
            ChoiceError: mapkit does not print in that language.
        """
        return list(narrate_match(self.board, self.head, self.events, words_of(in_language(self.board, language))))


def refuse_files(show: Shown) -> None:
    """Refuse names of other formats, and a line that is not drawn.

    Raises:
        ChoiceError: There is no such line, or no picture for it.
        OutputError: The name of a file ends otherwise than its format's do.
    """
    if show.at is not None and show.svg is None:
        raise ChoiceError("a line of the log is for the picture; name its file too")
    if show.at is not None and show.at < 1:
        raise ChoiceError(f"line {show.at}; lines of a log are numbered from 1 on")
    for path, ends in ((show.html, (".html", ".htm")), (show.svg, (".svg",))):
        if path and Path(path).suffix.lower() not in ends:
            raise OutputError(f"{path}: give a name that ends in {ends[0]}")


def write_shown(log: MatchLog, show: Shown, progress: Progress) -> None:
    """Write the files that are asked for, each whole or not at all."""
    files: dict[str | Path, Callable[[], str]] = {}
    if show.log:
        files[show.log] = log.to_text
    if show.html:
        files[show.html] = lambda: render_match_page(log.board, log.head, log.events)
    if show.svg:
        events = log.events if show.at is None else log.events[: show.at - 1]
        files[show.svg] = lambda: render_moment(lay_out(log.board), log.head, events)
    for path, text in files.items():
        progress(f"making {path}")
        write_files(Path(path).parent, {Path(path).name: text()})
