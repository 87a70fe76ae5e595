"""Play-tests of boards: many matches by computer players, and their figures."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import numpy as np

from mapkit.core.base import Frozen
from mapkit.core.errors import BoardError, ChoiceError, MapkitError
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import read_text
from mapkit.formats.parquet import write_parquet as parquet_file
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.api.rules import find_preset
from mapkit.kinds.rail.checks import run_checks
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.study import Study
from mapkit.kinds.rail.playing.batch import MatchSetup, play_batch
from mapkit.kinds.rail.playing.figure_table import figure_columns
from mapkit.kinds.rail.playing.policies import PANEL, SHIPPED, WEIGHTS, Policy, parse_policy, shipped_policy
from mapkit.kinds.rail.playing.study import make_panel_study, make_study, widest_half_interval
from mapkit.kinds.rail.playing.terms import make_terms
from mapkit.kinds.rail.playing.track import make_track_arrays
from mapkit.kinds.rail.render.study_page import render_study_page
from mapkit.kinds.rail.rules.changes import apply_rule_changes
from mapkit.kinds.rail.rules.rules import Rules
from mapkit.operations.options import (
    BoardName,
    Checkpoint,
    Flag,
    Output,
    Resume,
    Seed,
    Settings,
    Until,
    Variants,
    Workers,
    Workspace,
)
from mapkit.playing.checkpoints import run_id
from mapkit.playing.compiling import report_compilation
from mapkit.playing.panels import play_styles, pool_styles
from mapkit.playing.running import EndedRun, Run, run_matches
from mapkit.version import __version__

MOST_MATCHES: Final = 1_000_000_000
_MATCHES: Final = 1_000
_SHOWN: Final = 5


@dataclass(frozen=True)
class PlayTest:
    """Matches of a play-test, and how they are played.

    Attributes:
        matches: How many matches, 1,000 by default; with --until the most.
        players: Players of a match, 2 to 6.
        policies: How all players decide (mapkit playtest policies), or repeated for each; a file (.toml) of your own.
            By default run and compare play the panel, the others balanced.
        styles: A style of the panel, repeated: in each match all players decide by one of them.
        rules: ah, ici or ah-faq in place of the board's rules.
        options: Switch this option on. Repeatable.
        settings: Set a single setting, as fees.own=0. Repeatable.
        seed: The same seed gives the same matches.
        until: Half the width of the widest interval of a player's or seat's win rate at which to stop, of 1.
        workers: Matches played at a time; None takes all processors.
        dask: Of a Dask scheduler (tcp://HOST:8786), whose workers play.
        checkpoint: A file that keeps the sums, so that the run can go on another time.
        resume: Whether to go on from it.
        anyway: Play on a board with errors too.
    """

    matches: Annotated[int | None, Flag("-n", "N")] = None
    players: Annotated[int, Flag("-p", "N")] = 4
    policies: Annotated[Sequence[str], Flag("--policy", "NAME|FILE")] = ()
    styles: Annotated[Sequence[str], Flag("--style", "NAME|FILE")] = ()
    rules: Annotated[str | None, Flag("", "PRESET")] = None
    options: Annotated[Sequence[str], Flag("--option -O", "NAME[=AMOUNT]")] = ()
    settings: Settings = None
    seed: Seed = 1
    until: Until = None
    workers: Workers = None
    dask: Annotated[str | None, Flag("", "ADDRESS")] = None
    checkpoint: Checkpoint = None
    resume: Resume = False
    anyway: bool = False


@dataclass(frozen=True)
class PlayTested(EndedRun):
    """Board, and the figures of its play-test.

    Attributes:
        board: The board, with the rules that were played.
        study: What the matches say.
        stopped: Whether Ctrl-C ended it before all matches were played.
        unsaved: Why the checkpoint or a file could not be written at the end; empty if it was.
        files: Files of the study.
    """

    board: Board
    study: Study
    stopped: bool = False
    unsaved: str = ""
    files: tuple[Path, ...] = ()

    def as_json(self) -> Study:
        """Return the result as `--json` prints it."""
        return self.study


def playtest(
    board: BoardName,
    how: PlayTest | None = None,
    *,
    html: Annotated[str | Path | None, Output("--html", "FILE.html")] = None,
    parquet: Annotated[str | Path | None, Output("--parquet", "FILE.parquet")] = None,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> PlayTested:
    """Play many matches: who wins, by which railroads, how long it takes, what is earned and used.

    Shares and means come with half the width of their 95 % intervals. Ctrl-C ends the run and shows what is done; with
    --checkpoint, --resume goes on from there. --json prints all figures, also those of segments and cities. The first
    run compiles for half a minute.

    Args:
        board: As for `load`.
        how: Matches, players, rules, seed. The same give the same study on every machine, with any number of workers.
        html: Write a shareable page too: tables, plots, maps of use.
        parquet: Write all figures as a table too, a row a figure.

    Raises:
        BoardError: The board has errors, or nobody can play on it.
        RulesError: So many cannot play by these rules, or an option or setting is wrong; or GapError.
        OutputError: A file cannot be written, or its name ends otherwise than its format's do.
        MapkitError: As for `load`; a policy or checkpoint cannot be read; a match cannot end.
    """
    how = how or PlayTest()
    refuse_numbers(how)
    refuse_names(html, parquet)
    line_ups = line_ups_of(how)
    loaded, policies = set_up(board, replace(how, policies=line_ups[0]), variants, workspace, progress)
    minds = [policies, *(read_policies(line_up, workspace) for line_up in line_ups[1:])]
    plays = [partial(play_batch, table_of(loaded, line_up, how.players, how.seed)) for line_up in minds]
    texts = [policy.model_dump_json() for line_up in minds for policy in line_up]
    run = run_id(__version__, loaded.model_dump_json(), *texts, str(how.seed))
    if how.dask is None:
        with report_compilation(progress):
            plays[0](0, 1)
    ran = run_matches(partial(play_styles, plays), run_of(how, run), progress)
    if len(line_ups) == 1:
        study = make_study(loaded, pool_styles(ran.totals), line_ups[0], seed=how.seed)
    else:
        study = make_panel_study(loaded, ran.totals, [one[0] for one in line_ups], how.players, seed=how.seed)
    tested = PlayTested(loaded, study, ran.stopped, ran.unsaved)
    try:
        files = write_study(tested, html=html, parquet=parquet)
    except MapkitError as error:  # what was played must not be lost
        return replace(tested, unsaved="\n".join(filter(None, (tested.unsaved, str(error)))))
    return replace(tested, files=files)


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
    refuse_names(html, parquet)
    out = []
    if html is not None:
        page = render_study_page(tested.board, tested.study)
        write_files(Path(html).parent, {Path(html).name: page})
        out.append(Path(html))
    if parquet is not None:
        write_files(Path(parquet).parent, {Path(parquet).name: parquet_file(figure_columns(tested.study))})
        out.append(Path(parquet))
    return tuple(out)


def refuse_names(html: str | Path | None, parquet: str | Path | None) -> None:
    """Refuse names of other formats.

    Raises:
        ChoiceError: The name of a file ends otherwise than its format's do.
    """
    if html is not None and Path(html).suffix.lower() not in (".html", ".htm"):
        raise ChoiceError(f"{html}: the page is HTML; give a name that ends in .html")
    if parquet is not None and Path(parquet).suffix.lower() != ".parquet":
        raise ChoiceError(f"{parquet}: the table is Parquet; give a name that ends in .parquet")


class PolicyAbout(Frozen):
    """Description of a computer player, with its weights by name."""

    about: str
    weights: dict[str, float]


def list_policies() -> dict[str, PolicyAbout]:
    """List the computer players, and what each weighs.

    A policy of your own is a TOML file: `based_on = "balanced"`, then any of the weights, as `access = 3` under
    `[purchase]`.
    """
    known = {name: shipped_policy(name) for name in SHIPPED}
    return {
        name: PolicyAbout(about=one.about, weights=dict(zip(WEIGHTS, map(float, one.weights()), strict=True)))
        for name, one in known.items()
    }


def read_policy(name: str, *, workspace: str | Path | None = None) -> Policy:
    """Return a policy by name, or from a file (.toml).

    Raises:
        ChoiceError: No policy has that name.
        MapkitError: The file cannot be read, or is not a policy.
    """
    if not name.endswith(".toml"):
        return shipped_policy(name)
    path = open_workspace(workspace).path(name)
    return parse_policy(name.removesuffix(".toml"), read_text(path, name=name))


def table_of(board: Board, policies: Sequence[Policy], players: int, seed: int) -> MatchSetup:
    """Return the table of matches on a board.

    Raises:
        BoardError: Nobody can play on the board.
        RulesError: So many cannot play by its rules.
    """
    minds = np.array([policy.weights() for policy in policies]).reshape(players, len(WEIGHTS))
    return MatchSetup(make_track_arrays(board), make_terms(board, board.rules, players), minds, seed)


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


def run_of(how: PlayTest, name: str) -> Run:
    """Return how long to play."""
    until = how.until
    matches = how.matches or (_MATCHES if until is None else MOST_MATCHES)
    return Run(
        name=name,
        matches=matches,
        until=None if until is None else lambda totals: widest_half_interval(pool_styles(totals)) / until,
        workers=how.workers,
        cluster=how.dask,
        checkpoint=None if how.checkpoint is None else Path(how.checkpoint),
        resume=how.resume,
    )


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


def refuse_numbers(how: PlayTest) -> None:
    """Refuse unplayable numbers before anything is loaded."""
    if how.matches is not None and not 1 <= how.matches <= MOST_MATCHES:
        raise ChoiceError(f"{how.matches} matches; ask for 1 to {MOST_MATCHES:,}")
    if not 0 <= how.seed < 1 << 64:
        raise ChoiceError(f"the seed is {how.seed}; choose a number from 0 to 2**64 - 1")
    if how.resume and how.checkpoint is None:
        raise ChoiceError("--resume: say from which file: --checkpoint FILE")
    if how.policies and how.styles:
        raise ChoiceError("--policy and --style: policies are of players, styles are of matches; give one of the two")
    if len(set(how.styles)) != len(how.styles):
        raise ChoiceError(f"--style: {', '.join(how.styles)} names a style twice; leave one out")
    if len(how.policies) not in (0, 1, how.players):
        raise ChoiceError(f"{len(how.policies)} policies for {how.players} players; give one for all, or one for each")
    if how.until is not None and not 0 < how.until < 1:
        raise ChoiceError(f"a precision of {how.until:.2%} cannot be reached; choose one above 0 % and below 100 %")


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
