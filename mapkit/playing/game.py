"""Games that computer players play: what a kind of board adds to play-tests, comparisons, ladders and replays."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Generic, NamedTuple, Protocol, TypeVar

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.core.errors import ChoiceError
from mapkit.core.output import write_files
from mapkit.core.progress import Progress
from mapkit.formats.files import read_text
from mapkit.formats.game_logs import GivenLog, write_log
from mapkit.formats.parquet import write_parquet
from mapkit.operations.options import Checkpoint, Flag, NoOptions, Output, Resume, Seed, Settings, Until, Workers
from mapkit.playing.batches import Play
from mapkit.playing.checkpoints import run_id
from mapkit.playing.figure_table import FigureRow, figure_columns, study_rows
from mapkit.playing.figures import Totals, widest_interval
from mapkit.playing.ladders import Contest, Ladder
from mapkit.playing.paired_differences import FigureDifference
from mapkit.playing.panels import PairComparison, combine_studies, play_styles, pool_styles, split_styles
from mapkit.playing.running import EndedRun, Run, run_matches
from mapkit.playing.study_page import StudySection, render_study_page
from mapkit.playing.study_page.plots import draw_win_plot
from mapkit.playing.tables import StudyTable, StudyText
from mapkit.version import __version__

MOST_MATCHES: Final = 1_000_000_000
_GAMES_A_BATCH: Final = 20


@dataclass(frozen=True)
class GameRun:
    """Games of a run, their players and rules.

    Attributes:
        matches: How many games; with --until the most.
        players: How many play.
        policies: Computer players, one for all or one each. Repeatable.
        styles: A style of the panel, repeated: in each game all players decide by one of them.
        settings: Change a rule. Repeatable.
        seed: The same seed gives the same games.
        until: Half the width of the widest interval of a player's or seat's win rate at which to stop, of 1.
        workers: Games played at a time; None takes all processors. Where they are processes, call from a script that
            is guarded by `if __name__ == "__main__":`, for each process begins by reading the script.
        checkpoint: A file that keeps the sums, so that the run can go on another time.
        resume: Whether to go on from it.
    """

    matches: Annotated[int | None, Flag("-n", "N")] = None
    players: Annotated[int | None, Flag("-p", "N")] = None
    policies: Annotated[Sequence[str], Flag("--policy", "NAME")] = ()
    styles: Annotated[Sequence[str], Flag("--style", "NAME")] = ()
    settings: Settings = None
    seed: Seed = 1
    until: Until = None
    workers: Workers = 1
    checkpoint: Checkpoint = None
    resume: Resume = False


@dataclass(frozen=True)
class StudyFiles:
    """Files of a play-test.

    Attributes:
        html: Write a shareable page too: tables, plots, maps of use.
        parquet: Write all figures as a table too, a row a figure.
    """

    html: Annotated[str | Path | None, Output("--html", "FILE.html")] = None
    parquet: Annotated[str | Path | None, Output("--parquet", "FILE.parquet")] = None


@dataclass(frozen=True)
class ReplayFiles:
    """Files that `replay` writes of a game.

    Attributes:
        log: Write the log, a JSON line a step.
        html: Write a page of the game.
    """

    log: Annotated[str | Path | None, Output("--out -o", "FILE.jsonl")] = None
    html: Annotated[str | Path | None, Output("--html", "FILE.html")] = None


@dataclass(frozen=True)
class ReplayedLog:
    """Log to replay.

    Attributes:
        log: Show this log instead of playing a game.
    """

    log: Annotated[str | Path | None, Flag("", "FILE.jsonl")] = None


@dataclass(frozen=True)
class ReplayedGame:
    """A game in words, a line a step."""

    lines: tuple[str, ...]

    def as_json(self) -> tuple[str, ...]:
        """Return the lines."""
        return self.lines

    def in_words(self) -> list[str]:
        """Return the lines."""
        return [*self.lines]


class PolicyAbout(Frozen):
    """Description of a computer player, with its weights by name if it has any."""

    about: str
    weights: dict[str, float] = Field(default_factory=dict)


class TableFacts(NamedTuple):
    """Facts of a table that every run needs.

    Attributes:
        board: The board, with the rules that are played.
        players: How many play.
        texts: Texts of all that the games follow from beside the seed.
    """

    board: Any
    players: int
    texts: Sequence[str]


@dataclass(frozen=True)
class PlayTested(EndedRun):
    """Board, and the figures of its play-test.

    Attributes:
        board: The board, with the rules that were played.
        study: What the games say.
        stopped: Whether Ctrl-C ended it before all games were played.
        unsaved: Why the checkpoint or a file could not be written at the end; empty if it was.
        notes: What became of players written in Python.
        files: Files of the study.
        text: The study as sentences and tables, if its kind describes it so.
    """

    board: Any
    study: Any
    stopped: bool = False
    unsaved: str = ""
    notes: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    text: StudyText | None = None

    def as_json(self) -> Any:  # noqa: ANN401 - a study of the kind
        """Return the result as `--json` prints it."""
        return self.study


@dataclass(frozen=True)
class PlayCompared(EndedRun):
    """Two boards, and how play on them differs.

    Attributes:
        one: The first, with the rules that were played.
        other: The second.
        comparison: What the games say.
        stopped: Whether Ctrl-C ended it before all games were played.
        unsaved: Why the checkpoint could not be written at the end; empty if it was.
        notes: As of `PlayTested`.
    """

    one: Any
    other: Any
    comparison: Any
    stopped: bool = False
    unsaved: str = ""
    notes: tuple[str, ...] = ()

    def as_json(self) -> Any:  # noqa: ANN401 - a comparison of the kind
        """Return the result as `--json` prints it."""
        return self.comparison


@dataclass(frozen=True)
class Laddered(EndedRun):
    """A ladder; `stopped` if Ctrl-C ended it before all games were played."""

    board: Any
    ladder: Ladder
    stopped: bool = False
    unsaved: str = ""
    notes: tuple[str, ...] = ()

    def as_json(self) -> Ladder:
        """Return the result as `--json` prints it."""
        return self.ladder


H = TypeVar("H", bound=GameRun)
T = TypeVar("T")
"""Table of a kind: the board with its rules, the players, the seed. It can be pickled."""


class BoardGame(ABC, Generic[H, T]):
    """The game of a kind of board.

    Attributes:
        how: Its options of games, a subclass of `GameRun`.
        run_options: Further options of play-tests, a subclass of `StudyFiles`.
        compare_options: Further options of comparisons.
        replay_options: Further options of replays.
        files: Files of replays, a subclass of `ReplayFiles`.
        matches: How many games are played by default.
        compared_matches: How many games are played by default to compare two boards.
        paired_matches: How many games each pair of a ladder plays by default.
        entrants: Computer players of a ladder, if none are named.
    """

    how: type[H]
    run_options: ClassVar[type] = StudyFiles
    compare_options: ClassVar[type] = NoOptions
    replay_options: ClassVar[type] = ReplayedLog
    files: ClassVar[type[ReplayFiles]] = ReplayFiles
    matches: ClassVar[int]
    compared_matches: ClassVar[int]
    paired_matches: ClassVar[int]
    entrants: ClassVar[Sequence[str]]

    def refuse(self, how: H) -> None:
        """Refuse what cannot be played before anything is loaded.

        Raises:
            ChoiceError: A number is out of range, or options contradict each other.
        """
        if how.matches is not None and not 1 <= how.matches <= MOST_MATCHES:
            raise ChoiceError(f"{how.matches} games; ask for 1 to {MOST_MATCHES:,}")
        if not 0 <= how.seed < 1 << 64:
            raise ChoiceError(f"the seed is {how.seed}; choose a number from 0 to 2**64 - 1")
        if how.until is not None and not 0 < how.until < 1:
            raise ChoiceError(f"a precision of {how.until:.2%} cannot be reached; choose one above 0 % and below 100 %")
        if how.resume and how.checkpoint is None:
            raise ChoiceError("--resume: say from which file: --checkpoint FILE")
        if how.policies and how.styles:
            raise ChoiceError("--policy and --style: policies are of players, styles are of games; give one of the two")
        if len(set(how.styles)) != len(how.styles):
            raise ChoiceError(f"--style: {', '.join(how.styles)} names a style twice; leave one out")
        if how.matches is not None and how.matches < len(how.styles):
            raise ChoiceError(f"{how.matches} games for {len(how.styles)} styles; ask for {len(how.styles)} at least")

    def refuse_files(self, options: StudyFiles) -> None:
        """Refuse names of other formats before anything is played.

        Raises:
            ChoiceError: The name of a file ends otherwise than its format's do.
        """
        if options.html is not None and Path(options.html).suffix.lower() not in (".html", ".htm"):
            raise ChoiceError(f"{options.html}: the page is HTML; give a name that ends in .html")
        if options.parquet is not None and Path(options.parquet).suffix.lower() != ".parquet":
            raise ChoiceError(f"{options.parquet}: the table is Parquet; give a name that ends in .parquet")

    def plan_run(self, how: H, matches: int, texts: Sequence[str]) -> Run:
        """Return the run of these options.

        Args:
            how: The options.
            matches: How many games are played by default.
            texts: Texts of all that the games follow from beside the seed.
        """
        until = how.until
        return Run(
            name=run_id(__version__, *texts, str(how.seed)),
            matches=how.matches or (matches if until is None else MOST_MATCHES),
            until=None if until is None else lambda totals: widest_interval(pool_styles(totals)) / until,
            workers=how.workers,
            checkpoint=None if how.checkpoint is None else Path(how.checkpoint),
            resume=how.resume,
            batch=_GAMES_A_BATCH,
            processes=True,
        )

    def warm_up(self, play: Play, how: H, progress: Progress) -> None:
        """Prepare play; nothing by default."""

    @abstractmethod
    def set_table(
        self, board: str | Path, how: H, variants: Sequence[str], workspace: str | Path | None, progress: Progress
    ) -> T:
        """Return the table of games on a board.

        Raises:
            BoardError: The board has errors, or cannot be played.
            RulesError: A setting is wrong.
            ChoiceError: There is no such player.
        """

    @abstractmethod
    def facts(self, table: T) -> TableFacts:
        """Return the board of a table, the number of players, and the texts that games follow from."""

    @abstractmethod
    def play(self, table: T) -> Play:
        """Return the function that plays a batch of games."""

    def run_study(self, table: T, how: H, variants: Sequence[str], progress: Progress) -> PlayTested:
        """Play games, and return their figures."""
        play, facts = self.play(table), self.facts(table)
        self.warm_up(play, how, progress)
        ran = run_matches(play, self.plan_run(how, self.matches, facts.texts), progress)
        study = self.study(table, how, ran.totals, variants)
        return PlayTested(facts.board, study, ran.stopped, ran.unsaved, self.notes(table))

    def notes(self, table: T) -> tuple[str, ...]:
        """Return what became of players written in Python; nothing by default."""
        del table
        return ()

    @abstractmethod
    def study(self, table: T, how: H, totals: Totals, variants: Sequence[str]) -> Any:  # noqa: ANN401 - of the kind
        """Return the figures of a play-test."""

    def write(self, tested: PlayTested, options: StudyFiles) -> tuple[Path, ...]:
        """Write the files of a play-test that options name, and return their paths.

        Raises:
            OutputError: A file cannot be written; what was there is unchanged.
        """
        contents: dict[Path, str | bytes] = {}
        if options.html is not None:
            contents[Path(options.html)] = self.page(tested)
        if options.parquet is not None:
            contents[Path(options.parquet)] = write_parquet(figure_columns(self.figures(tested.study)))
        for path, content in contents.items():
            write_files(path.parent, {path.name: content})
        return tuple(contents)

    def describe(self, tested: PlayTested) -> StudyText | None:
        """Return a study as sentences and tables; none where the kind has a form of its own."""
        del tested
        return None

    @abstractmethod
    def page(self, tested: PlayTested) -> str:
        """Return the page of a play-test as HTML."""

    def figures(self, study: Any) -> Iterable[FigureRow]:  # noqa: ANN401 - of the kind
        """Return the figures of a study as rows."""
        return study_rows(study)

    def each_side(self, how: H, options: Any) -> tuple[H, H]:  # noqa: ANN401 - of the kind
        """Return the options of both boards of a comparison."""
        del options
        return how, how

    @abstractmethod
    def pair(self, one: T, other: T) -> Any:  # noqa: ANN401 - of the kind
        """Return a pair of tables that play games of the same numbers."""

    @abstractmethod
    def play_pair(self, pair: Any) -> Play:  # noqa: ANN401 - as above
        """Return the function that plays a batch of games on both tables."""

    @abstractmethod
    def comparison(self, names: tuple[str, str], tables: tuple[T, T], pair: Any, totals: Totals) -> Any:  # noqa: ANN401 - as above
        """Return how play on two tables differs."""

    @abstractmethod
    def check_policy(self, name: str, workspace: str | Path | None) -> None:
        """Raise ChoiceError if there is no such player."""

    @abstractmethod
    def contest(self, table: T, names: Sequence[str], workspace: str | Path | None) -> Contest:
        """Return the function that plays games of a ladder of these players."""

    def ladder_rules(self, table: T, how: H) -> Mapping[str, Any]:
        """Return what a ladder says of the rules: `preset` and `options`."""
        del table, how
        return {}

    @abstractmethod
    def replay(
        self,
        board: str | Path,
        how: H,
        match: int,
        files: Any,  # noqa: ANN401 - of the kind
        options: Any,  # noqa: ANN401 - of the kind
        *,
        variants: Sequence[str],
        workspace: str | Path | None,
        progress: Progress,
    ) -> Any:  # noqa: ANN401 - of the kind
        """Return a game in words, and write its files."""

    @abstractmethod
    def policies(self) -> Mapping[str, PolicyAbout]:
        """Return the computer players by name."""


class SeatedTable(Protocol):
    """Table of a game whose players are functions with names."""

    @property
    def terms(self) -> Any:  # noqa: ANN401 - of the kind
        """Return the board with its rules, compiled for play."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the players."""

    @property
    def seed(self) -> int:
        """Return the seed."""

    @property
    def styles(self) -> tuple[str, ...]:
        """Return the styles of a panel; none if the players are named."""


S = TypeVar("S", bound=SeatedTable)


class SeatedGame(BoardGame[H, S]):
    """The game of a kind of board whose players are functions with names; batches are played in processes.

    Attributes:
        about: What each computer player does.
        play_batch: Plays games: table, number of the first, and how many.
        make_study: Returns a study: table, sums, variants, settings.
        pair_tables: Returns the pair of two tables.
        play_pair_batch: Plays games on both tables of a pair.
        compare_pair: Returns the differences of a pair from its sums.
        log_game: Yields the lines of a log: terms, players, seed, number.
        narrate_game: Yields a game in words, likewise.
    """

    about: ClassVar[Mapping[str, str]]
    play_batch: Callable[[S, int, int], Totals]
    make_study: Callable[..., Any]
    pair_tables: Callable[[S, S], Any]
    play_pair_batch: Callable[[Any, int, int], Totals]
    compare_pair: Callable[[Any, Totals], tuple[FigureDifference, ...]]
    log_game: Callable[..., Iterable[object]]
    narrate_game: Callable[..., Iterable[str]]

    def play(self, table: S) -> Play:
        """Return the function that plays a batch of games by each style."""
        return partial(play_styles, [partial(self.play_batch, one) for one in _style_tables(table)])

    def study(self, table: S, how: H, totals: Totals, variants: Sequence[str]) -> Any:  # noqa: ANN401 - of the kind
        """Return the figures of a play-test; of a panel those of all games, and by style."""
        tables, players = _style_tables(table), len(table.names)
        pooled = _seat_names(table, "panel") if table.styles else table
        settings = self.changed_settings(how)
        study = self.make_study(pooled, pool_styles(totals), variants=tuple(variants), settings=settings)
        if not table.styles:
            return study
        by_style = [study_rows(self.make_study(*one)) for one in zip(tables, split_styles(totals), strict=True)]
        return study.model_copy(update={"styles": table.styles, "panel": combine_studies(by_style, players)})

    @abstractmethod
    def describe(self, tested: PlayTested) -> StudyText:
        """Return a study as sentences and tables; the first table is of seats."""

    def page(self, tested: PlayTested) -> str:
        """Return the page of a play-test as HTML: seats, pictures, then the other tables."""
        facts, (seats, *tables) = self.describe(tested)
        sections = [
            StudySection(seats.title, [seats], draw_win_plot(tested.study.seats), "Wins by seat, of all games."),
            *self.pictures(tested),
            *(StudySection(one.title, [one]) for one in tables if one.rows),
        ]
        return render_study_page(tested.board, facts, sections)

    def pictures(self, tested: PlayTested) -> Iterable[StudySection]:
        """Return pictures for the page; none by default."""
        del tested
        return ()

    @abstractmethod
    def narrate_log(self, log: GivenLog) -> tuple[Any, tuple[str, ...]]:
        """Return the board of a legal log, and its game in words.

        Raises:
            SourceError: The text is not a log, or a step breaks a rule; with its line.
            MapkitError: Another board was played.
        """

    def game_pictures(self, table: S, match: int) -> Iterable[StudySection]:
        """Return pictures for the page of a game; none by default."""
        del table, match
        return ()

    def changed_settings(self, how: H) -> dict[str, object]:
        """Return the rules that were changed for a play-test."""
        return dict(how.settings or {})

    def pair(self, one: S, other: S) -> Any:  # noqa: ANN401 - of the kind
        """Return for each style a pair of tables that play games of the same numbers."""
        return [self.pair_tables(*pair) for pair in zip(_style_tables(one), _style_tables(other), strict=True)]

    def play_pair(self, pair: Any) -> Play:  # noqa: ANN401 - of the kind
        """Return the function that plays a batch of games on both tables by each style."""
        return partial(play_styles, [partial(self.play_pair_batch, one) for one in pair])

    def comparison(self, names: tuple[str, str], tables: tuple[S, S], pair: Any, totals: Totals) -> PairComparison:  # noqa: ANN401 - of the kind
        """Return how play on two tables differs."""
        players = tables[0].styles or tables[0].names
        return PairComparison.of_totals(*names, players, totals, partial(self.compare_pair, pair[0]))

    def contest(self, table: S, names: Sequence[str], workspace: str | Path | None) -> Contest:
        """Return the function that plays games of a ladder of these players."""
        del workspace
        return partial(_play_contest, self.play_batch, table, names)

    def replay(
        self,
        board: str | Path,
        how: H,
        match: int,
        files: ReplayFiles,
        options: ReplayedLog,
        *,
        variants: Sequence[str],
        workspace: str | Path | None,
        progress: Progress,
    ) -> ReplayedGame:
        """Return a game in words, played or of a log, and write its log and its page."""
        self.refuse_files(StudyFiles(files.html))
        if options.log is not None:
            if files.log is not None:
                raise ChoiceError("--out writes the log of a game that is played; leave out --log or --out")
            text = read_text(Path(options.log), name=str(options.log))
            played, lines = self.narrate_log(
                GivenLog(text, str(options.log), board, variants or None, workspace, progress)
            )
            _write_game(files, played, lines, ())
            return ReplayedGame(lines)
        table = self.set_table(board, how, variants, workspace, progress)
        if files.log is not None:
            write_log(files.log, self.log_game(table.terms, table.names, table.seed, match, variants=variants))
        lines = tuple(self.narrate_game(table.terms, table.names, table.seed, match))
        pictures = () if files.html is None else self.game_pictures(table, match)
        _write_game(files, self.facts(table).board, lines, pictures)
        return ReplayedGame(lines)

    def policies(self) -> Mapping[str, PolicyAbout]:
        """Return the computer players by name."""
        return {name: PolicyAbout(about=about) for name, about in self.about.items()}


def _write_game(
    files: ReplayFiles,
    board: Any,  # noqa: ANN401 - of the kind
    lines: Sequence[str],
    pictures: Iterable[StudySection],
) -> None:
    """Write the page of a game, if one is wanted."""
    if files.html is None:
        return
    steps = StudyTable("The game", ("step",), [(line.strip(),) for line in lines[1:]])
    sections = [*pictures, StudySection(steps.title, [steps])]
    page = render_study_page(board, (lines[0], lines[-1].strip()), sections, what="a game")
    write_files(Path(files.html).parent, {Path(files.html).name: page})


def _seat_names(table: Any, name: str) -> Any:  # noqa: ANN401 - of the kind
    return replace(table, names=(name,) * len(table.names), styles=())


def _style_tables(table: Any) -> list[Any]:  # noqa: ANN401 - of the kind
    """Return a table for each style of a panel, or the table itself."""
    return [_seat_names(table, style) for style in table.styles] or [table]


def _play_contest(
    play: Callable[[Any, int, int], Totals],
    table: Any,  # noqa: ANN401 - of the kind
    names: Sequence[str],
    line_up: Sequence[int],
    first: int,
    matches: int,
) -> Totals:
    return play(replace(table, names=tuple(names[entrant] for entrant in line_up)), first, matches)


def refuse_match(match: int) -> None:
    """Refuse the number of a game outside the range.

    Raises:
        ChoiceError: It is out of range.
    """
    if not 0 <= match < MOST_MATCHES:
        raise ChoiceError(f"game {match}; choose one from 0 to {MOST_MATCHES - 1:,}")
