"""One match of a play-test, or of any engine: its log, told and drawn."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from mapkit.core.errors import ChoiceError, OutputError
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.drawing.words.language import OWN
from mapkit.formats.files import read_text
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.api.playtesting import PlayTest, each_policy, refuse_numbers, set_up, table_of
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead
from mapkit.kinds.rail.network.playability import hash_match_board
from mapkit.kinds.rail.playing.log import log_text, play_logged_match
from mapkit.kinds.rail.refereeing.log import parse_log, refuse_other_board
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.match_page import narrate_match, render_match_page, render_moment
from mapkit.kinds.rail.render.words import in_language, words_of
from mapkit.operations.options import BoardName, Fields, Flag, Language, Output, Variants, Workspace
from mapkit.playing.compiling import report_compilation


@dataclass(frozen=True)
class Shown:
    """Files that `replay` writes of a match.

    Attributes:
        log: Write the log, a JSON line an event.
        html: Write a page that plays it on the board.
        svg: Draw the board with the trains, at the end.
        at: For --svg: after this line of the log instead.
        language: Of page and picture, as in `Look`.
    """

    log: Annotated[str | Path | None, Output("--out -o", "FILE.jsonl")] = None
    html: Annotated[str | Path | None, Output("--html", "FILE.html")] = None
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


def replay(
    board: BoardName,
    how: Annotated[PlayTest | None, Fields("players policies rules options settings seed anyway")] = None,
    *,
    match: Annotated[int, Flag("-m", "N")] = 0,
    show: Annotated[Shown | None, Fields("log html svg at language")] = None,
    log: Annotated[str | Path | None, Flag("", "FILE.jsonl")] = None,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> MatchLog:
    """Tell one match step by step, play it on a page, draw a moment of it, or write its log.

    Engines and referees read the log. The match is the one that mapkit playtest plays with the same board, players,
    rules and seed under this number.

    Args:
        board: As for `load`.
        how: As for `playtest`; how many matches, and when to stop, do not matter.
        match: Which match of the seed, from 0 on.
        show: The files to write.
        log: Show this log instead of playing a match.

    Raises:
        MapkitError: As for `playtest`; the match is too long for a log; or the log is of another board.
        SourceError: The file is not a log, with its line.
        OutputError: A file cannot be written.
    """
    how, show = how or PlayTest(), show or Shown()
    refuse_numbers(how)
    _refuse_choices(match, show)
    if log is None:
        loaded, policies = set_up(board, how, variants, workspace, progress)
        table = table_of(loaded, policies, how.players, how.seed)
        with report_compilation(progress, "playing"):
            head, events = play_logged_match(loaded, table, each_policy(how), match)
    else:
        loaded = load(board, variants=variants, workspace=workspace, progress=progress)
        head, events = parse_log(read_text(Path(log), name=str(log)), file=str(log))
        refuse_other_board(head, hash_match_board(loaded), file=str(log), board=loaded.id)
    if show.at is not None and show.at > len(events) + 1:
        raise ChoiceError(f"line {show.at:,}: the log has {len(events) + 1:,} lines")
    found = MatchLog(in_language(loaded, show.language), head, tuple(events))
    _write_shown(found, show, progress)
    return found


def _refuse_choices(match: int, show: Shown) -> None:
    if match < 0:
        raise ChoiceError(f"match {match}; matches are numbered from 0 on")
    if show.at is not None and show.svg is None:
        raise ChoiceError("a line of the log is for the picture; name its file too")
    if show.at is not None and show.at < 1:
        raise ChoiceError(f"line {show.at}; lines of a log are numbered from 1 on")
    for path, ends in ((show.html, (".html", ".htm")), (show.svg, (".svg",))):
        if path and Path(path).suffix.lower() not in ends:
            raise OutputError(f"{path}: give a name that ends in {ends[0]}")


def _write_shown(log: MatchLog, show: Shown, progress: Progress) -> None:
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
