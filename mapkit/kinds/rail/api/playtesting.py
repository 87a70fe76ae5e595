"""Play-tests of boards: many matches by computer players, and their figures."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import numpy as np

from mapkit.core.errors import BoardError, ChoiceError
from mapkit.core.progress import Progress
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import read_text
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.api.players.driving import Driver, PlayerNotes
from mapkit.kinds.rail.api.players.python_policies import (
    PYTHON_PLAYERS,
    driver_of,
    is_python_policy,
    read_python_policy,
    refuse_python_policies,
)
from mapkit.kinds.rail.api.replaying import MatchLog, Shown, refuse_files, write_shown
from mapkit.kinds.rail.api.rules import find_preset
from mapkit.kinds.rail.checks import run_checks
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.comparison import Comparison
from mapkit.kinds.rail.model.study import Study
from mapkit.kinds.rail.network.playability import hash_match_board
from mapkit.kinds.rail.playing.batch import MatchSetup, play_batch
from mapkit.kinds.rail.playing.comparison import TablePair, make_comparison, make_pair, play_pair_batch
from mapkit.kinds.rail.playing.figure_table import figure_rows
from mapkit.kinds.rail.playing.log import play_logged_match
from mapkit.kinds.rail.playing.policies import PANEL, SHIPPED, WEIGHTS, Policy, parse_policy, shipped_policy
from mapkit.kinds.rail.playing.study import make_panel_study, make_study
from mapkit.kinds.rail.playing.terms import make_terms
from mapkit.kinds.rail.playing.track import make_track_arrays
from mapkit.kinds.rail.refereeing.log import parse_log, refuse_other_board
from mapkit.kinds.rail.render.study_page import render_study_page
from mapkit.kinds.rail.render.words import in_language
from mapkit.kinds.rail.rules.changes import apply_rule_changes
from mapkit.kinds.rail.rules.rules import Rules
from mapkit.operations.options import Flag, Workers
from mapkit.playing.batches import BATCH, Play
from mapkit.playing.compiling import report_compilation
from mapkit.playing.figure_table import FigureRow
from mapkit.playing.figures import Totals
from mapkit.playing.game import BoardGame, GameRun, PlayTested, PolicyAbout, ReplayedLog, StudyFiles, TableFacts
from mapkit.playing.ladders import Contest
from mapkit.playing.panels import play_styles, pool_styles
from mapkit.playing.running import Run

MATCHES: Final = 1_000
_SHOWN: Final = 5


@dataclass(frozen=True)
class PlayTest(GameRun):
    """Matches of a play-test, and how they are played.

    Attributes:
        matches: How many matches: 1,000 by default, of each pair of a ladder 1,000, to compare 10,000; with --until the
            most.
        players: Players of a match, 2 to 6.
        policies: How all players decide (mapkit playtest policies), or repeated for each; a file (.toml) of your own,
            or a class in one (.py:CLASS). By default run and compare play the panel, the others balanced.
        styles: A style of the panel, repeated: in each match all players decide by one of them.
        rules: ah, ici or ah-faq in place of the board's rules.
        options: Switch this option on. Repeatable.
        settings: Set a single setting, as fees.own=0. Repeatable.
        workers: Matches played at a time; None takes all processors.
        dask: Of a Dask scheduler (tcp://HOST:8786), whose workers play.
        anyway: Play on a board with errors too.
    """

    players: Annotated[int, Flag("-p", "N")] = 4
    policies: Annotated[Sequence[str], Flag("--policy", "NAME|FILE")] = ()
    styles: Annotated[Sequence[str], Flag("--style", "NAME|FILE")] = ()
    rules: Annotated[str | None, Flag("", "PRESET")] = None
    options: Annotated[Sequence[str], Flag("--option -O", "NAME[=AMOUNT]")] = ()
    workers: Workers = None
    dask: Annotated[str | None, Flag("", "ADDRESS")] = None
    anyway: bool = False


@dataclass(frozen=True)
class ComparedRules:
    """Rules of a comparison.

    Attributes:
        rules: ah, ici or ah-faq on both; repeated: on A, then on B.
    """

    rules: Annotated[Sequence[str], Flag("", "PRESET")] = ()


class RailTable(NamedTuple):
    """A board, with the rules that hold, and the players of each style of a panel: their names, policies, set-up."""

    board: Board
    line_ups: Sequence[Sequence[str]]
    policies: Sequence[Sequence[Policy]]
    setups: Sequence[MatchSetup]
    notes: PlayerNotes


class RailGame(BoardGame[PlayTest, RailTable]):
    """Matches on railroad boards."""

    how = PlayTest
    compare_options = ComparedRules
    files = Shown
    matches = paired_matches = MATCHES
    compared_matches = 10_000
    entrants = SHIPPED

    def refuse(self, how: PlayTest) -> None:
        """Refuse unplayable numbers before anything is loaded."""
        super().refuse(how)
        refuse_policies(how)

    def plan_run(self, how: PlayTest, matches: int, texts: Sequence[str]) -> Run:
        """Return the run of these options, in threads or on a cluster."""
        return replace(
            super().plan_run(how, matches, texts),
            cluster=how.dask,
            batch=1 if any(map(is_python_policy, (*how.policies, *how.styles))) else BATCH,
            processes=False,
        )

    def warm_up(self, play: Play, how: PlayTest, progress: Progress) -> None:
        """Compile play, where it is played here."""
        if how.dask is None:
            with report_compilation(progress):
                play(0, 1)

    def set_table(
        self,
        board: str | Path,
        how: PlayTest,
        variants: Sequence[str],
        workspace: str | Path | None,
        progress: Progress,
    ) -> RailTable:
        """Return the table of matches on a board."""
        line_ups = line_ups_of(how)
        loaded, policies = set_up(board, replace(how, policies=line_ups[0]), variants, workspace, progress)
        minds = [policies, *(read_policies(line_up, workspace) for line_up in line_ups[1:])]
        notes = PlayerNotes()
        setups = [table_of(loaded, one, how.players, how.seed, notes) for one in minds]
        return RailTable(loaded, line_ups, minds, setups, notes)

    def notes(self, table: RailTable) -> tuple[str, ...]:
        """Return what became of players written in Python."""
        return table.notes.lines()

    def facts(self, table: RailTable) -> TableFacts:
        """Return the board of a table, the number of players, and the texts that matches follow from."""
        texts = [policy.model_dump_json() for policies in table.policies for policy in policies]
        return TableFacts(table.board, len(table.line_ups[0]), (table.board.model_dump_json(), *texts))

    def play(self, table: RailTable) -> Play:
        """Return the function that plays a batch of matches by each style."""
        return partial(play_styles, [partial(play_batch, setup) for setup in table.setups])

    def study(self, table: RailTable, how: PlayTest, totals: Totals, variants: Sequence[str]) -> Study:
        """Return the figures of a play-test."""
        del variants
        if len(table.line_ups) == 1:
            return make_study(table.board, pool_styles(totals), tuple(table.line_ups[0]), seed=how.seed)
        return make_panel_study(table.board, totals, [one[0] for one in table.line_ups], how.players, seed=how.seed)

    def page(self, tested: PlayTested) -> str:
        """Return the page of a play-test as HTML."""
        return render_study_page(tested.board, tested.study)

    def figures(self, study: Study) -> Iterable[FigureRow]:
        """Return the figures of a study as rows."""
        return figure_rows(study)

    def each_side(self, how: PlayTest, options: ComparedRules) -> tuple[PlayTest, PlayTest]:
        """Return the options of both boards of a comparison, with the rules of each."""
        rules = options.rules
        if len(rules) > 2:  # noqa: PLR2004 - two boards
            raise ChoiceError(f"{len(rules)} rules for two boards; give one for both, or one for each")
        one, other = [*rules, *rules][:2] if rules else (how.rules, how.rules)
        return replace(how, rules=one), replace(how, rules=other)

    def pair(self, one: RailTable, other: RailTable) -> list[TablePair]:
        """Return a pair of set-ups for each style."""
        ids = [[railroad.id for railroad in table.board.railroads] for table in (one, other)]
        return [make_pair(a, b, *ids) for a, b in zip(one.setups, other.setups, strict=True)]

    def play_pair(self, pair: list[TablePair]) -> Play:
        """Return the function that plays a batch of matches on both boards by each style."""
        return partial(play_styles, [partial(play_pair_batch, one) for one in pair])

    def comparison(
        self, names: tuple[str, str], tables: tuple[RailTable, RailTable], pair: list[TablePair], totals: Totals
    ) -> Comparison:
        """Return how play on two boards differs."""
        del names
        one, other = tables
        return make_comparison((one.board, other.board), pair, one.line_ups, totals)

    def check_policy(self, name: str, workspace: str | Path | None) -> None:
        """Refuse an unknown policy, or a file that is not one."""
        read_policy(name, workspace=workspace)

    def contest(self, table: RailTable, names: Sequence[str], workspace: str | Path | None) -> Contest:
        """Return the function that plays matches of a ladder of these policies."""
        policies = [read_policy(name, workspace=workspace) for name in names]
        weights = np.array([policy.weights() for policy in policies])
        drive = None
        if any(map(is_python_policy, names)):
            drive = partial(_line_up_driver, table.board, policies, table.notes)
        return partial(_contest, table.setups[0], weights, drive)

    def ladder_rules(self, table: RailTable, how: PlayTest) -> dict[str, object]:
        """Return preset and options of the rules."""
        return {"preset": table.board.rules.preset, "options": tuple(how.options)}

    def replay(
        self,
        board: str | Path,
        how: PlayTest,
        match: int,
        files: Shown,
        options: ReplayedLog,
        *,
        variants: Sequence[str],
        workspace: str | Path | None,
        progress: Progress,
    ) -> MatchLog:
        """Return a match that is played, or that a log holds, and write its files."""
        refuse_files(files)
        log = options.log
        if log is None:
            loaded, policies = set_up(board, how, variants, workspace, progress)
            table = table_of(loaded, policies, how.players, how.seed)
            with report_compilation(progress, "playing"):
                head, events = play_logged_match(loaded, table, each_policy(how), match)
        else:
            loaded = load(board, variants=variants, workspace=workspace, progress=progress)
            head, events = parse_log(read_text(Path(log), name=str(log)), file=str(log))
            refuse_other_board(head, hash_match_board(loaded), file=str(log), board=loaded.id)
        if files.at is not None and files.at > len(events) + 1:
            raise ChoiceError(f"line {files.at:,}: the log has {len(events) + 1:,} lines")
        found = MatchLog(in_language(loaded, files.language), head, tuple(events))
        write_shown(found, files, progress)
        return found

    def policies(self) -> dict[str, PolicyAbout]:
        """Return the computer players by name."""
        known = {name: read_policy(name) for name in (*SHIPPED, *PYTHON_PLAYERS)}
        return {
            name: PolicyAbout(about=one.about, weights=dict(zip(WEIGHTS, map(float, one.weights()), strict=True)))
            for name, one in known.items()
        }


RAIL_GAME: Final = RailGame()


def _contest(
    setup: MatchSetup,
    weights: np.ndarray,
    drive: Callable[[Sequence[int]], Driver | None] | None,
    line_up: Sequence[int],
    first: int,
    matches: int,
) -> Totals:
    driver = None if drive is None else drive(line_up)
    return play_batch(setup._replace(minds=weights[list(line_up)], drive=driver), first, matches)


def _line_up_driver(
    board: Board, policies: Sequence[Policy], notes: PlayerNotes, line_up: Sequence[int]
) -> Driver | None:
    return driver_of(board, [policies[entrant] for entrant in line_up], notes)


def write_study(
    tested: PlayTested, *, html: str | Path | None = None, parquet: str | Path | None = None
) -> tuple[Path, ...]:
    """Write the figures of a play-test to files, and return their paths.

    Args:
        tested: What `playtest` returned.
        html: A page with tables, plots, and the board drawn by use and by income; it needs no network.
        parquet: All figures as a table, a row a figure: `part`, `id`, `figure`, `value`, `low`, `high`, `trials`.

    Raises:
        OutputError: A file cannot be written; what was there is unchanged.
    """
    files = StudyFiles(html, parquet)
    RAIL_GAME.refuse_files(files)
    return RAIL_GAME.write(tested, files)


def read_policy(name: str, *, workspace: str | Path | None = None) -> Policy:
    """Return a policy by name, from a file (.toml), or a class in a file (FILE.py:CLASS).

    Raises:
        ChoiceError: No policy has that name.
        MapkitError: The file cannot be read, or is not a policy.
    """
    if is_python_policy(name):
        return read_python_policy(name, workspace)
    if not name.endswith(".toml"):
        return shipped_policy(name)
    path = open_workspace(workspace).path(name)
    return parse_policy(name.removesuffix(".toml"), read_text(path, name=name))


def table_of(
    board: Board, policies: Sequence[Policy], players: int, seed: int, notes: PlayerNotes | None = None
) -> MatchSetup:
    """Return the table of matches on a board; `notes` take what becomes of players written in Python.

    Raises:
        BoardError: Nobody can play on the board.
        RulesError: So many cannot play by its rules.
    """
    minds = np.array([policy.weights() for policy in policies]).reshape(players, len(WEIGHTS))
    drive = driver_of(board, policies, notes or PlayerNotes())
    return MatchSetup(make_track_arrays(board), make_terms(board, board.rules, players), minds, seed, drive)


def set_up(
    name: str | Path, how: PlayTest, variants: Sequence[str], workspace: str | Path | None, progress: Progress
) -> tuple[Board, list[Policy]]:
    """Return the board with the rules that hold, checked, and the policy of each player."""
    board = load(name, variants=variants, workspace=workspace, progress=progress)
    return prepared(board, how, workspace, progress)


def prepared(
    board: Board, how: PlayTest, workspace: str | Path | None, progress: Progress
) -> tuple[Board, list[Policy]]:
    """Return a board with the rules that hold, checked, and the policy of each player."""
    board = board.model_copy(update={"rules": _rules(board, how)})
    policies = read_policies(each_policy(how), workspace)
    if not how.anyway:
        progress("checking")
        _refuse_errors(board)
    return board, policies


def each_policy(how: PlayTest) -> tuple[str, ...]:
    """Return the name of each player's policy."""
    names = tuple(how.policies) or ("balanced",)
    return names * how.players if len(names) == 1 else names


def line_ups_of(how: PlayTest) -> list[tuple[str, ...]]:
    """Return the name of each player's policy, for each style of the panel; a single one if policies are chosen.

    Raises:
        ChoiceError: Some styles would have no match.
    """
    if how.policies:
        return [each_policy(how)]
    styles = tuple(how.styles) or PANEL
    if how.matches is not None and how.matches < len(styles):
        raise ChoiceError(
            f"{how.matches} matches for a panel of {len(styles)} styles; ask for {len(styles)} at least, "
            "or name one player: --policy balanced"
        )
    return [(name,) * how.players for name in styles]


def read_policies(names: Sequence[str], workspace: str | Path | None) -> list[Policy]:
    """Return the policies of all players."""
    return [read_policy(name, workspace=workspace) for name in names]


def _rules(board: Board, how: PlayTest) -> Rules:
    base = board.rules if how.rules is None else find_preset(how.rules)
    changed = bool(how.options or how.settings)
    return apply_rule_changes(base, how.settings, options_on=how.options) if changed else base


def refuse_policies(how: PlayTest) -> None:
    """Refuse policies that contradict the number of players, and Python players on a cluster."""
    if how.dask is not None:
        refuse_python_policies((*how.policies, *how.styles), "play on a cluster")
    if len(how.policies) not in (0, 1, how.players):
        raise ChoiceError(f"{len(how.policies)} policies for {how.players} players; give one for all, or one for each")


def _refuse_errors(board: Board) -> None:
    """Refuse a board with errors that would make another game of it.

    Raises:
        BoardError: A check finds an error.
    """
    errors = run_checks(board).errors
    if errors:
        lines = [f"{f.place.text or board.id}: {f.code} {f.message}" for f in errors[:_SHOWN]]
        says = f"{board.id}: errors found: {len(errors)}; correct them, or play all the same with --anyway"
        raise BoardError("\n".join([says, *lines]))
