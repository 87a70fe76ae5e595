"""Comparing boards, variants and rules by play."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Final

from mapkit.core.errors import ChoiceError
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.api.playtesting import PlayTest, line_ups_of, prepared, read_policies, refuse_numbers, table_of
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.comparison import Comparison, PlayedOn
from mapkit.kinds.rail.playing.comparison import compare_figures, make_pair, play_pair_batch
from mapkit.kinds.rail.rules.active_options import options_on
from mapkit.kinds.rail.variants.variant import rail_shelf
from mapkit.operations.options import EITHER, Argument, Fields, Flag, Workspace
from mapkit.playing.checkpoints import run_id
from mapkit.playing.compiling import report_compilation
from mapkit.playing.paired_differences import DIFFERENT, difference_p_value
from mapkit.playing.panels import StyleValue, combine_figures, play_styles, pool_styles, split_styles
from mapkit.playing.running import EndedRun, Run, run_matches
from mapkit.variants.shelf import named_boards
from mapkit.version import __version__

MATCHES: Final = 10_000


@dataclass(frozen=True)
class PlayCompared(EndedRun):
    """Two boards, and how play on them differs.

    Attributes:
        one: The first, with the rules that were played.
        other: The second.
        comparison: What the matches say.
        stopped: Whether Ctrl-C ended it before all matches were played.
        unsaved: Why the checkpoint could not be written at the end; empty if it was.
    """

    one: Board
    other: Board
    comparison: Comparison
    stopped: bool = False
    unsaved: str = ""

    def as_json(self) -> Comparison:
        """Return the result as `--json` prints it."""
        return self.comparison


def playtest_compare(
    a: Annotated[str, Argument("", "A", EITHER)],
    b: Annotated[str, Argument("", "B", "Likewise.")],
    how: Annotated[
        PlayTest | None,
        Fields(
            "matches players policies styles options settings seed workers checkpoint resume anyway", matches=MATCHES
        ),
    ] = None,
    *,
    rules: Annotated[Sequence[str], Flag("", "PRESET")] = (),
    other_seed: Annotated[int | None, Flag("", "N")] = None,
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> PlayCompared:
    """Play the same matches on two boards and say what differs, with intervals.

    Both have the same dice, so intervals are narrower than from two runs apart. Says first whether the two differ at
    all; of the many figures below, one in twenty misses 0 by chance. --json prints all of them.

    Args:
        how: As for `playtest`; 10,000 matches by default. A player's n-th destination rolls the same cells of the
            charts on both boards, and his n-th turn the same pips.
        matches: How many matches.
        rules: ah, ici or ah-faq on both; repeated: on A, then on B.
        other_seed: The seed of B, to play with other dice there.

    Raises:
        ChoiceError: A number is out of range, or there are too many rules.
        MapkitError: As for `compare` and `playtest`.
    """
    how = how or PlayTest()
    refuse_numbers(how)
    if how.until is not None:
        raise ChoiceError("a comparison ends after all matches; leave out until, and ask for more matches")
    if len(rules) > 2:  # noqa: PLR2004 - two boards
        raise ChoiceError(f"{len(rules)} rules for two boards; give one for both, or one for each")
    chosen = [*rules, *rules][:2] if rules else [how.rules, how.rules]
    seeds = (how.seed, how.seed if other_seed is None else other_seed)
    hows = [replace(how, rules=preset, seed=seed) for preset, seed in zip(chosen, seeds, strict=True)]
    refuse_numbers(hows[1])
    progress("reading the boards")
    line_ups = line_ups_of(how)
    boards = []
    named = named_boards(rail_shelf(open_workspace(workspace)), a, b)
    for (name, variants), one in zip(named, hows, strict=True):
        board = load(name, variants=variants, workspace=workspace)
        ready, _ = prepared(board, replace(one, policies=line_ups[0], styles=()), workspace, progress)
        boards.append(ready)
    minds = [read_policies(line_up, workspace) for line_up in line_ups]
    ids = [[r.id for r in board.railroads] for board in boards]
    pairs = []
    for policies in minds:
        tables = [table_of(board, policies, how.players, seed) for board, seed in zip(boards, seeds, strict=True)]
        pairs.append(make_pair(tables[0], tables[1], ids[0], ids[1]))
    texts = [x.model_dump_json() for x in (*boards, *(policy for policies in minds for policy in policies))]
    run = Run(
        name=run_id(__version__, *texts, *map(str, seeds)),
        matches=how.matches or MATCHES,
        workers=how.workers,
        cluster=how.dask,
        checkpoint=None if how.checkpoint is None else Path(how.checkpoint),
        resume=how.resume,
    )
    if how.dask is None:
        with report_compilation(progress):
            play_pair_batch(pairs[0], 0, 1)
    ran = run_matches(partial(play_styles, [partial(play_pair_batch, pair) for pair in pairs]), run, progress)
    pooled_totals = pool_styles(ran.totals)
    chance = difference_p_value(pooled_totals)
    style_figures = [compare_figures(pairs[0], totals) for totals in split_styles(ran.totals)]
    found = Comparison(
        a=_played_on(boards[0], seeds[0]),
        b=_played_on(boards[1], seeds[1]),
        policies=line_ups[0] if len(line_ups) == 1 else tuple(line_up[0] for line_up in line_ups),
        players=how.players,
        matches=int(pooled_totals["matches"][0]),
        chance=chance,
        different=chance < DIFFERENT,
        figures=compare_figures(pairs[0], pooled_totals),
        panel=()
        if len(line_ups) == 1
        else combine_figures(
            [
                [((f.part, f.id, f.figure), StyleValue(f.difference, (f.high - f.low) / 2), 0.0) for f in figures]
                for figures in style_figures
            ]
        ),
    )
    return PlayCompared(boards[0], boards[1], found, ran.stopped, ran.unsaved)


def _played_on(board: Board, seed: int) -> PlayedOn:
    return PlayedOn(
        board=board.id,
        variants=board.variants,
        preset=board.rules.preset,
        options=options_on(board.rules),
        seed=seed,
    )
