"""One match of a play-test, or of any engine: its log, told and drawn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mapkit.core.errors import ChoiceError, OutputError
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.drawing.words.language import OWN
from mapkit.formats.files import read_text
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.api.playtesting import PlayTest, each_policy, refuse_numbers, set_up, table_of
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead
from mapkit.kinds.rail.network.played_on import board_hash
from mapkit.kinds.rail.playing.log import log_text, played_match
from mapkit.kinds.rail.refereeing.log import parse_log, refuse_other_board
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.match_page import narrated, render_match_page, render_moment
from mapkit.kinds.rail.render.words import in_language, words_of
from mapkit.playing.compiling import report_compilation


@dataclass(frozen=True)
class Shown:
    """What `replay` writes of a match.

    Attributes:
        log: A file for the log, JSON lines.
        html: A page (.html) on which the match is played step by step.
        svg: A picture of the board with the trains, at the end or after line `at` of the log.
        at: A line of the log; the head is line 1.
        language: Of page and picture, as in `Look`.
    """

    log: str | Path | None = None
    html: str | Path | None = None
    svg: str | Path | None = None
    at: int | None = None
    language: str = OWN


@dataclass(frozen=True)
class MatchLog:
    """One match: the board that it was played on, the head of its log, and what happened."""

    board: Board
    head: MatchHead
    events: tuple[MatchEvent, ...]

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
        return list(narrated(self.board, self.head, self.events, words_of(in_language(self.board, language))))


def replay(
    name: str | Path,
    how: PlayTest | None = None,
    *,
    match: int = 0,
    log: str | Path | None = None,
    show: Shown | None = None,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> MatchLog:
    """Play one match of a play-test again, or read the log of one, and show it.

    Args:
        name: As for `load`.
        how: As for `playtest`; how many matches, and when to stop, do not matter.
        match: Which match of the seed, from 0 on.
        log: A log to read, in place of playing; `how` and `match` do not matter then.
        show: The files to write.
        variants: As for `load`.
        workspace: As for `load`.
        progress: Called with what is being done.

    Raises:
        MapkitError: As for `playtest`; the match is too long for a log; or the log is of another board.
        SourceError: The file is not a log, with its line.
        OutputError: A file cannot be written.
    """
    how, show = how or PlayTest(), show or Shown()
    refuse_numbers(how)
    _refuse_choices(match, show)
    if log is None:
        board, policies = set_up(name, how, variants, workspace, progress)
        table = table_of(board, policies, how.players, how.seed)
        with report_compilation(progress, "playing"):
            head, events = played_match(board, table, each_policy(how), match)
    else:
        board = load(name, variants=variants, workspace=workspace, progress=progress)
        head, events = parse_log(read_text(Path(log), name=str(log)), file=str(log))
        refuse_other_board(head, board_hash(board), file=str(log), board=board.id)
    if show.at is not None and show.at > len(events) + 1:
        raise ChoiceError(f"line {show.at:,}: the log has {len(events) + 1:,} lines")
    found = MatchLog(in_language(board, show.language), head, tuple(events))
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
