"""Improving a computer player by play."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import numpy as np

from mapkit.core.errors import ChoiceError, OutputError
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.kinds.rail.api.players.python_policies import refuse_python_policies
from mapkit.kinds.rail.api.playtesting import RAIL_GAME, PlayTest, read_policy, set_up, table_of
from mapkit.kinds.rail.playing.batch import MatchSetup, play_batch
from mapkit.kinds.rail.playing.policies import Policy, parse_policy
from mapkit.kinds.rail.playing.policy_tuning import policy_text, step_sizes, weight_bounds
from mapkit.operations.options import BoardName, Fields, Flag, Output, Variants, Workspace
from mapkit.playing.batches import BATCH
from mapkit.playing.compiling import report_compilation
from mapkit.playing.figures import Share, share
from mapkit.playing.tuning import Generation, Race, Weights, improve_weights

MATCHES: Final = 250
"""That each challenger plays first, by default."""
_MOST_GENERATIONS: Final = 10_000
_FEWEST_CHALLENGERS: Final = 2
_PROOF: Final = 16
"""Times the matches of a challenger, for the last comparison."""


@dataclass(frozen=True)
class Tuned:
    """A policy that was improved.

    Attributes:
        policy: What came of it.
        generations: What each generation brought.
        against_start: How often it wins against players who decide as at the start, in matches that the search did not
            use; its fair share is one by the number of players.
        stopped: Whether Ctrl-C ended the search.
    """

    policy: Policy
    generations: tuple[Generation, ...]
    against_start: Share
    stopped: bool = False

    def as_json(self) -> dict[str, object]:
        """Return the result as `--json` prints it."""
        rows = [{"number": one.number, "won": one.won.share, "better": one.better} for one in self.generations]
        return {
            "policy": self.policy,
            "generations": rows,
            "against_start": self.against_start,
            "stopped": self.stopped,
        }


def tune(
    board: BoardName,
    how: Annotated[
        PlayTest | None, Fields("matches players rules options settings seed workers anyway", matches=MATCHES)
    ] = None,
    *,
    out: Annotated[str | Path, Output("-o", "FILE.toml")],
    policy: Annotated[str, Flag("", "NAME|FILE")] = "balanced",
    generations: Annotated[int, Flag("-g", "N")] = 20,
    challengers: Annotated[int, Flag("-c", "N")] = 8,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> Tuned:
    """Improve a computer player by play on a board, so that studies of the board rest on good players.

    In each generation challengers with different weights race against players with the weights before;
    the best takes over if it wins more than its share beyond doubt. At the end the policy plays against its start, with
    dice that the search did not use. Ctrl-C ends the search and writes what is found.

    Args:
        board: As for `load`.
        how: Players, rules, seed. The same arguments give the same policy.
        matches: How many each challenger plays first.
        out: Where the policy goes.
        policy: Where it starts: a shipped policy, or a file (.toml).
        generations: How long to search.
        challengers: How many race in a generation: few look nearby for long, many look widely.

    Raises:
        ChoiceError: Fewer generations than 1, or challengers than 2.
        OutputError: The file cannot be written.
        MapkitError: As for `playtest`.
    """
    how = how or PlayTest()
    if not 1 <= generations <= _MOST_GENERATIONS:
        raise ChoiceError(f"{generations} generations; ask for 1 to {_MOST_GENERATIONS:,}")
    if not _FEWEST_CHALLENGERS <= challengers <= _MOST_GENERATIONS:
        raise ChoiceError(f"{challengers} challengers; ask for {_FEWEST_CHALLENGERS} to {_MOST_GENERATIONS:,}")
    if Path(out).suffix != ".toml":
        raise OutputError(f"{out}: a policy is TOML; give a name that ends in .toml")
    one = replace(
        how,
        policies=(policy,),
        matches=how.matches or MATCHES,
        until=None,
    )
    RAIL_GAME.refuse(one)
    refuse_python_policies(one.policies, "be tuned")
    loaded, _ = set_up(board, one, variants, workspace, progress)
    start = read_policy(one.policies[0], workspace=workspace)
    table = table_of(loaded, [start] * how.players, how.players, how.seed)
    with report_compilation(progress):
        play_batch(table, 0, 1)
    race = Race(how.players, challengers, matches=one.matches or MATCHES)
    with ThreadPoolExecutor(how.workers) as pool:
        contest = partial(_contest, table, pool)
        search = improve_weights(
            contest, start.weights(), step_sizes(start), race, seed=how.seed, bounds=weight_bounds()
        )
        found: list[Generation] = []
        stopped = False
        try:
            for number, generation in enumerate(search, start=1):
                found.append(generation)
                progress(f"generation {number} of {generations}: {_said(generation)}")
                if number == generations:
                    break
        except KeyboardInterrupt:
            if not found:
                raise
            stopped = True
        weights = found[-1].weights
        matches = _PROOF * race.matches
        fresh = partial(_contest, table._replace(seed=(how.seed + 1) % (1 << 64)), pool)
        won = fresh(np.array(weights), np.array(start.weights()), 0, matches)
    text = policy_text(f"{one.policies[0]}, improved by play on {loaded.id}.", weights)
    write_files(Path(out).parent, {Path(out).name: text})
    return Tuned(parse_policy("tuned", text), tuple(found), share(won, matches), stopped)


def _said(generation: Generation) -> str:
    return f"the best challenger wins {generation.won.share:.1%}" + (", and takes over" if generation.better else "")


def _contest(
    table: MatchSetup, pool: ThreadPoolExecutor, challenger: Weights, incumbent: Weights, first: int, matches: int
) -> float:
    """Return how many matches a challenger wins against players who decide as the incumbent."""
    players = table.terms.players
    own = table._replace(minds=np.array([challenger, *[incumbent] * (players - 1)]))
    starts = range(first, first + matches, BATCH)
    parts = pool.map(lambda start: play_batch(own, start, min(BATCH, first + matches - start)), starts)
    return float(sum(part["wins by player"][0] for part in parts))
