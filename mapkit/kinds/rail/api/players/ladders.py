"""Computer players against each other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Final

import numpy as np

from mapkit.core.progress import Progress, quiet
from mapkit.kinds.rail.api.playtesting import PlayTest, read_policy, refuse_numbers, run_of, set_up, table_of
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.ladder import Ladder
from mapkit.kinds.rail.playing.batch import MatchSetup, play_batch
from mapkit.kinds.rail.playing.policies import SHIPPED
from mapkit.operations.options import BoardName, Fields, Variants, Workspace
from mapkit.playing.checkpoints import run_id
from mapkit.playing.compiling import report_compilation
from mapkit.playing.figures import Totals, share
from mapkit.playing.ladders import Schedule, play_ladder, rank_entrants, refuse_entrants
from mapkit.playing.running import EndedRun, run_matches
from mapkit.version import __version__

MATCHES: Final = 1_000
"""Of a pair, by default."""


@dataclass(frozen=True)
class Laddered(EndedRun):
    """A ladder; `stopped` if Ctrl-C ended it before all matches were played."""

    board: Board
    ladder: Ladder
    stopped: bool = False
    unsaved: str = ""

    def as_json(self) -> Ladder:
        """Return the result as `--json` prints it."""
        return self.ladder


def ladder(
    board: BoardName,
    how: Annotated[
        PlayTest | None,
        Fields(
            "matches players policies rules options settings seed workers dask checkpoint resume anyway",
            matches=MATCHES,
            policies=(),
        ),
    ] = None,
    *,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> Laddered:
    """Let computer players play each other in pairs, and say who is best.

    Each match is played twice with the same dice, places exchanged. The table shows the share of the wins of each
    against each, in percent, and a rating on the scale of Elo. Ctrl-C ends the run and shows what is done, all pairs
    alike.

    Args:
        board: As for `load`.
        how: Players, rules, seed. In a match of a pair each of the two has every other place; with an odd number of
            players one of a pair has a place more, by turns.
        matches: How many matches of each pair.
        policies: One that climbs, repeated; all shipped ones by default.

    Raises:
        ChoiceError: Fewer than two policies, more than 40, or one twice.
        MapkitError: As for `playtest`.
    """
    how = how or PlayTest(policies=())
    how = replace(how, policies=tuple(how.policies) or SHIPPED)
    names = tuple(how.policies)
    refuse_entrants(names)
    one = replace(how, policies=names[:1], until=None, matches=how.matches or MATCHES)
    refuse_numbers(one)
    loaded, _ = set_up(board, one, variants, workspace, progress)
    policies = [read_policy(policy, workspace=workspace) for policy in names]
    table = table_of(loaded, policies[:1] * how.players, how.players, how.seed)
    minds = np.array([policy.weights() for policy in policies])
    schedule = Schedule(len(names), how.players, one.matches or MATCHES)
    play = partial(play_ladder, schedule, partial(_contest, table, minds))
    if how.dask is None:
        with report_compilation(progress):
            play(0, 1)
    run = run_id(
        __version__, loaded.model_dump_json(), *(p.model_dump_json() for p in policies), str(how.seed), repr(schedule)
    )
    ran = run_matches(play, replace(run_of(one, run), matches=schedule.all_matches), progress)
    rungs, matches = rank_entrants(names, schedule, ran.totals)
    found = Ladder(
        board=loaded.id,
        preset=loaded.rules.preset,
        options=tuple(how.options),
        players=how.players,
        seed=how.seed,
        matches=matches,
        rungs=rungs,
        seats=tuple(share(won, matches) for won in ran.totals["seats"]),
    )
    return Laddered(loaded, found, ran.stopped, ran.unsaved)


def _contest(table: MatchSetup, minds: np.ndarray, line_up: Sequence[int], first: int, matches: int) -> Totals:
    return play_batch(table._replace(minds=minds[list(line_up)]), first, matches)
