"""Play-testing a board: many matches by computer players, and what they say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from mapkit.core.errors import BoardError, ChoiceError, did_you_mean
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import read_text
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.checks import run_checks
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.study import Study
from mapkit.kinds.rail.playing.batch import Table, play_batch
from mapkit.kinds.rail.playing.policies import WEIGHTS, Policy, parse_policy, shipped_policy
from mapkit.kinds.rail.playing.study import study_of, widest
from mapkit.kinds.rail.playing.terms import terms_of
from mapkit.kinds.rail.playing.track import track_of
from mapkit.kinds.rail.rules.changes import apply_rule_changes
from mapkit.kinds.rail.rules.rules import PRESETS, Rules
from mapkit.kinds.rail.rules.rules import preset as rules_preset
from mapkit.playing.checkpoints import run_id
from mapkit.playing.compiling import report_compilation
from mapkit.playing.running import Run, carry_out
from mapkit.version import __version__

MOST_MATCHES: Final = 1_000_000_000
_MATCHES: Final = 1_000
_SHOWN: Final = 5


@dataclass(frozen=True)
class PlayTest:
    """How a board is to be play-tested.

    Attributes:
        matches: How many matches, 1,000 by default; where `until` is given, the most, by default as many as it takes.
        players: 2 to 6, as the rules allow.
        policies: A policy for each player, or one for all: names of shipped ones, or files (.toml).
        rules: A preset in place of the board's rules; None keeps them.
        options: Options of the rules to switch on.
        settings: Dotted path -> value, on top.
        seed: 0 to 2**64 - 1.
        until: Half the width of the widest interval of a player's or seat's win rate at which to stop, of 1; None plays
            all.
        workers: Matches played at a time; None takes all processors.
        dask: Address of a Dask scheduler whose workers play in place of this machine.
        checkpoint: A file that keeps the sums, so that the run can go on another time.
        resume: Whether to go on from it.
        anyway: Play on a board with errors too.
    """

    matches: int | None = None
    players: int = 4
    policies: Sequence[str] = ("balanced",)
    rules: str | None = None
    options: Sequence[str] = ()
    settings: Mapping[str, object] | None = None
    seed: int = 1
    until: float | None = None
    workers: int | None = None
    dask: str | None = None
    checkpoint: str | Path | None = None
    resume: bool = False
    anyway: bool = False


@dataclass(frozen=True)
class PlayTested:
    """A board, and what its play-test says.

    Attributes:
        board: The board, with the rules that were played.
        study: What the matches say.
        stopped: Whether Ctrl-C ended it before all matches were played.
        unsaved: Why the checkpoint could not be written at the end; empty if it was.
    """

    board: Board
    study: Study
    stopped: bool = False
    unsaved: str = ""


def playtest(
    name: str | Path,
    how: PlayTest | None = None,
    *,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> PlayTested:
    """Play many matches on a board, and say who wins, how long they take, what is earned and used.

    The same arguments give the same study on every machine, with any number of workers.

    Args:
        name: As for `load`.
        how: Matches, players, rules, seed; 1,000 matches of four balanced players by default.
        variants: As for `load`.
        workspace: As for `load`.
        progress: Called with what is being done, and how far it is.

    Raises:
        BoardError: The board has errors, or nobody can play on it.
        RulesError: So many cannot play by these rules, or an option or setting is wrong; or GapError.
        MapkitError: As for `load`; a policy or checkpoint cannot be read; a match cannot end.
    """
    how = how or PlayTest()
    refuse_numbers(how)
    board, policies = set_up(name, how, variants, workspace, progress)
    table = table_of(board, policies, how.players, how.seed)
    run = run_id(__version__, board.model_dump_json(), *(p.model_dump_json() for p in policies), str(how.seed))
    if how.dask is None:
        with report_compilation(progress):
            play_batch(table, 0, 1)
    ran = carry_out(partial(play_batch, table), run_of(how, run), progress)
    return PlayTested(board, study_of(board, ran.totals, each_policy(how), seed=how.seed), ran.stopped, ran.unsaved)


def read_policy(name: str, *, workspace: str | Path | None = None) -> Policy:
    """Return a policy by name, or from a file (.toml).

    Raises:
        ChoiceError: No policy has that name.
        MapkitError: The file cannot be read, or is not a policy.
    """
    if not name.endswith(".toml"):
        return shipped_policy(name)
    path = open_workspace(workspace).root / name
    return parse_policy(name.removesuffix(".toml"), read_text(path, name=name))


def table_of(board: Board, policies: Sequence[Policy], players: int, seed: int) -> Table:
    """Return what matches are played on.

    Raises:
        BoardError: Nobody can play on the board.
        RulesError: So many cannot play by its rules.
    """
    minds = np.array([policy.weights() for policy in policies]).reshape(players, len(WEIGHTS))
    return Table(track_of(board), terms_of(board, board.rules, players), minds, seed)


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
    policies = [read_policy(policy, workspace=workspace) for policy in each_policy(how)]
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
        until=None if until is None else lambda totals: widest(totals) / until,
        workers=how.workers,
        cluster=how.dask,
        checkpoint=None if how.checkpoint is None else Path(how.checkpoint),
        resume=how.resume,
    )


def each_policy(how: PlayTest) -> tuple[str, ...]:
    """Return the name of each player's policy."""
    names = tuple(how.policies)
    return names * how.players if len(names) == 1 else names


def _rules(board: Board, how: PlayTest) -> Rules:
    if how.rules is not None and how.rules not in PRESETS:
        raise ChoiceError(
            f"no preset of the rules is named {how.rules!r}{did_you_mean(how.rules, PRESETS)}; "
            f"there are {', '.join(PRESETS)}"
        )
    base = rules_preset(how.rules) if how.rules else board.rules
    changed = bool(how.options or how.settings)
    return apply_rule_changes(base, how.settings, options_on=how.options) if changed else base


def refuse_numbers(how: PlayTest) -> None:
    """Refuse what nobody can play, before anything is loaded."""
    if how.matches is not None and not 1 <= how.matches <= MOST_MATCHES:
        raise ChoiceError(f"{how.matches} matches; ask for 1 to {MOST_MATCHES:,}")
    if not 0 <= how.seed < 1 << 64:
        raise ChoiceError(f"the seed is {how.seed}; choose a number from 0 to 2**64 - 1")
    if len(how.policies) not in (1, how.players):
        raise ChoiceError(f"{len(how.policies)} policies for {how.players} players; give one for all, or one for each")
    if how.until is not None and not 0 < how.until < 1:
        raise ChoiceError(f"a precision of {how.until:.2%} cannot be reached; choose one above 0 % and below 100 %")


def _refuse_errors(board: Board) -> None:
    """Refuse a board on which a match would not be the author's game.

    Raises:
        BoardError: A check finds an error.
    """
    errors = run_checks(board).errors
    if errors:
        lines = [f"{f.place.text or board.id}: {f.code} {f.message}" for f in errors[:_SHOWN]]
        says = f"{board.id}: errors found: {len(errors)}; correct them, or play all the same with --anyway"
        raise BoardError("\n".join([says, *lines]))
