"""Play-tests of boards of hexagons: many games by computer players, comparisons, ladders, replays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Final

from mapkit.core.base import Frozen
from mapkit.core.errors import RulesError
from mapkit.core.problems import problem_lines
from mapkit.core.progress import Progress, quiet
from mapkit.document.changes import apply
from mapkit.document.draft import CommandError
from mapkit.document.workspace import open_workspace
from mapkit.formats.game_logs import write_log
from mapkit.kinds.hex.kind import HEX
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.operations import load_hexes
from mapkit.kinds.hex.playing.comparison import compared_hexes, hex_pair, hex_pair_batch
from mapkit.kinds.hex.playing.log import log_lines
from mapkit.kinds.hex.playing.match import name_players
from mapkit.kinds.hex.playing.narration import narrate_game
from mapkit.kinds.hex.playing.players import ABOUT, PLAYERS, find_player
from mapkit.kinds.hex.playing.study import HexStudy, HexTable, hex_batch, make_study
from mapkit.kinds.hex.playing.terms import compile_terms
from mapkit.operations.options import (
    Argument,
    BoardName,
    Fields,
    Flag,
    Output,
    Variants,
    Workspace,
)
from mapkit.playing.checkpoints import run_id
from mapkit.playing.figures import Share, Totals, share
from mapkit.playing.ladders import Rung, Schedule, play_ladder, rank_entrants, refuse_entrants
from mapkit.playing.paired_differences import PairComparison
from mapkit.playing.running import EndedRun, GameRun, Run, refuse_match, refuse_run, refuse_until, run_matches
from mapkit.variants.shelf import split_variants

MATCHES: Final = 200
_PLAYERS: Final = 4
_POLICY: Final = "greedy"


@dataclass(frozen=True)
class HexPlayTest(GameRun):
    """How a board of hexagons is to be play-tested.

    Attributes:
        matches: How many games, 200 by default; with --until the most.
        players: How many play; 4 by default, or as many as the board is for.
        policies: Computer players, one for all or one each: greedy, builder, random, FILE.py:NAME; greedy by default.
        options: Options of the rules to switch on, as first-to-pass or mines. Repeatable.
        settings: Change a rule, as end.markers.four=12. Repeatable.
    """

    players: Annotated[int | None, Flag("-p", "N")] = None
    policies: Annotated[Sequence[str], Flag("--policy", "NAME|FILE.py:NAME")] = ()
    options: Annotated[Sequence[str], Flag("--option -O", "NAME")] = ()


@dataclass(frozen=True)
class HexPlayTested(EndedRun):
    """Board of hexagons, and the figures of its play-test.

    Attributes:
        board: The board, with the rules that were played.
        study: What the games say.
        stopped: Whether Ctrl-C ended it before all games were played.
        unsaved: Why the checkpoint could not be written at the end; empty if it was.
    """

    board: HexBoard
    study: HexStudy
    stopped: bool = False
    unsaved: str = ""

    def as_json(self) -> HexStudy:
        """Return the result as `--json` prints it."""
        return self.study


class HexComparison(PairComparison):
    """The result of playing two boards of hexagons with common random numbers."""


@dataclass(frozen=True)
class HexesCompared(EndedRun):
    """Two boards of hexagons, and how play of them differs; `stopped` and `unsaved` as for `HexPlayTested`."""

    comparison: HexComparison
    stopped: bool = False
    unsaved: str = ""

    def as_json(self) -> HexComparison:
        """Return the result as `--json` prints it."""
        return self.comparison


class HexLadder(Frozen):
    """Ladder of computer players on a board of hexagons."""

    board: str
    players: int
    seed: int
    matches: int
    rungs: tuple[Rung, ...]
    seats: tuple[Share, ...]


@dataclass(frozen=True)
class HexesLaddered(EndedRun):
    """A ladder; `stopped` and `unsaved` as for `HexPlayTested`."""

    ladder: HexLadder
    stopped: bool = False
    unsaved: str = ""

    def as_json(self) -> HexLadder:
        """Return the result as `--json` prints it."""
        return self.ladder


def playtest_hexes(
    board: BoardName,
    how: Annotated[
        HexPlayTest | None,
        Fields("matches players policies options settings seed until workers checkpoint resume", workers=None),
    ] = None,
    *,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> HexPlayTested:
    """Play many games: who wins, how long it takes, incomes and bonds, which cities, hexagons and links are used.

    Players change seats after each game. Shares and means come with half the width of their 95 % intervals. Ctrl-C ends
    the run and shows what is done; with --checkpoint, --resume goes on from there. --json prints all figures, with the
    use of each hexagon and link for a heat map.

    Args:
        board: As for `load_hexes`.
        how: Games, players, rules, seed. The same give the same study on every machine, with any number of workers.

    Raises:
        BoardError: The board has mistakes, or leaves open what play needs.
        RulesError: A setting or option is wrong.
        MapkitError: As for `load_hexes`; there is no such player, or the checkpoint cannot be read.
    """
    how = how or HexPlayTest()
    table = _table(board, how, variants, workspace)
    ran = run_matches(partial(hex_batch, table), _run(how, table), progress)
    settings = {**{f"option {name}": True for name in how.options}, **(how.settings or {})}
    study = make_study(table, ran.totals, variants=tuple(variants), settings=settings)
    return HexPlayTested(table.terms.board, study, ran.stopped, ran.unsaved)


_EITHER: Final = "A board, a board with variants (portugal-hex+mine), or a variant of a board."


def playtest_compare_hexes(
    a: Annotated[str, Argument("", "A", _EITHER)],
    b: Annotated[str, Argument("", "B", "Likewise.")],
    how: Annotated[
        HexPlayTest | None,
        Fields(
            "matches players policies options settings seed workers checkpoint resume", matches=MATCHES, workers=None
        ),
    ] = None,
    *,
    other_settings: Annotated[
        Mapping[str, object] | None, Flag("--other-set", "PATH=VALUE", reading="settings")
    ] = None,
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> HexesCompared:
    """Play two boards of hexagons with the same random numbers and say what differs, with intervals.

    Says first whether the two differ at all; of the many figures below, one in twenty misses 0 by chance. --json prints
    all of them. A variant of one hexagon or one colour says what that change does.

    Args:
        how: As for `playtest_hexes`; it has no `until`.
        matches: How many games.
        other_settings: Change a rule of B alone. Repeatable.

    Raises:
        MapkitError: As for `playtest_hexes`.
    """
    how = how or HexPlayTest()
    refuse_until(how)
    tables = []
    for given, more in ((a, {}), (b, other_settings or {})):
        name, *variants = split_variants(given, open_workspace(workspace), HEX.variant_model)
        tables.append(_table(name, replace(how, settings={**(how.settings or {}), **more}), variants, workspace))
    pair = hex_pair(*tables)
    ran = run_matches(partial(hex_pair_batch, pair), _run(how, *tables), progress)
    found = HexComparison.of_totals(a, b, tables[0].names, ran.totals, compared_hexes(pair, ran.totals))
    return HexesCompared(found, ran.stopped, ran.unsaved)


def ladder_hexes(
    board: BoardName,
    how: Annotated[
        HexPlayTest | None,
        Fields(
            "matches players policies options settings seed workers checkpoint resume",
            matches=MATCHES,
            policies=(),
            workers=None,
        ),
    ] = None,
    *,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> HexesLaddered:
    """Let computer players play each other in pairs, and say who is best.

    Each match is played twice with the same dice, places exchanged. The table shows the share of the wins of each
    against each, in percent, and a rating on the scale of Elo.

    Args:
        board: As for `load_hexes`.
        how: Players, rules, seed. In a match of a pair each of the two has every other place.
        matches: How many matches of each pair.
        policies: One that climbs, repeated; all shipped ones by default.

    Raises:
        ChoiceError: Fewer than two policies, more than 40, or one twice.
        MapkitError: As for `playtest_hexes`.
    """
    how = how or HexPlayTest(policies=())
    names = tuple(how.policies) or tuple(PLAYERS)
    refuse_entrants(names)
    for name in names:
        find_player(name)
    one = replace(how, policies=names[:1], matches=how.matches or MATCHES, until=None)
    table = _table(board, one, variants, workspace)
    schedule = Schedule(len(names), table.terms.players, one.matches or MATCHES)
    contest = partial(_play_contest, table, names)
    run = replace(_run(one, table), name=run_id(repr(schedule), *names, _run(one, table).name))
    ran = run_matches(partial(play_ladder, schedule, contest), replace(run, matches=schedule.all_matches), progress)
    rungs, matches = rank_entrants(names, schedule, ran.totals)
    found = HexLadder(
        board=table.terms.board.id,
        players=table.terms.players,
        seed=table.seed,
        matches=matches,
        rungs=rungs,
        seats=tuple(share(won, matches) for won in ran.totals["seats"]),
    )
    return HexesLaddered(found, ran.stopped, ran.unsaved)


def _play_contest(table: HexTable, names: Sequence[str], line_up: Sequence[int], first: int, matches: int) -> Totals:
    return hex_batch(replace(table, names=tuple(names[entrant] for entrant in line_up)), first, matches)


def replay_hexes(
    board: BoardName,
    how: Annotated[HexPlayTest | None, Fields("players policies options settings seed")] = None,
    *,
    match: Annotated[int, Flag("-m", "N")] = 0,
    log: Annotated[str | Path | None, Output("--out -o", "FILE.jsonl")] = None,
    variants: Variants = (),
    workspace: Workspace = None,
) -> tuple[str, ...]:
    """Tell one game step by step, or write its log.

    The game is the one that `mapkit playtest` plays with the same players, rules and seed under this number. Each step
    says what it changes: money, points, bonds, empty cities.

    Args:
        board: As for `load_hexes`.
        how: As for `playtest_hexes`.
        match: Which game of the seed, from 0 on.
        log: Write the log, a JSON line a step.

    Raises:
        OutputError: The log cannot be written; what was there is unchanged.
        MapkitError: As for `playtest_hexes`.
    """
    how = how or HexPlayTest()
    refuse_match(match)
    table = _table(board, how, variants, workspace)
    if log is not None:
        lines = log_lines(table.terms, table.names, table.seed, match, variants=variants)
        write_log(log, lines)
    return tuple(narrate_game(table.terms, table.names, table.seed, match))


def hex_players(
    board: Annotated[str | None, Argument("", "[BOARD]", "A board of hexagons.")] = None,
) -> Mapping[str, str]:
    """List the computer players of boards of hexagons, and what they do.

    They are the same for every board.
    """
    del board
    return dict(ABOUT)


def board_with_rules(
    name: str | Path, how: HexPlayTest, variants: Sequence[str], workspace: str | Path | None
) -> HexBoard:
    """Return a board with the options and settings of a play-test.

    Raises:
        BoardError: It has mistakes.
        RulesError: There is no such option or setting, it cannot have that value, or two options contradict.
    """
    board = load_hexes(name, variants=variants, workspace=workspace).board
    if not how.options and not how.settings:
        return board
    space = open_workspace(workspace)
    document = HEX.vary(space, HEX.read(HEX.read_files(space.board_folder(str(name)))).document, str(name), variants)
    values: dict[str, object] = {}
    if how.options:
        values["rules.options"] = list(dict.fromkeys((*board.options, *how.options)))
    values |= {f"rules.{path.removeprefix('rules.')}": value for path, value in (how.settings or {}).items()}
    try:
        command = HEX.commands.read({"kind": "set-settings", "values": values})
        document = apply(document, command.plan(document).patch)
    except CommandError as error:
        raise RulesError(f"--set: {error}") from error
    compiled = HEX.compile(document, board_id=board.id)
    if compiled.problems:
        raise RulesError("\n".join(problem_lines(compiled.problems)))
    return compiled.board


def _table(name: str | Path, how: HexPlayTest, variants: Sequence[str], workspace: str | Path | None) -> HexTable:
    refuse_run(how)
    board = board_with_rules(name, how, variants, workspace)
    limits = board.rules.players
    players = max(limits.least, min(_PLAYERS, limits.most)) if how.players is None else how.players
    return HexTable(compile_terms(board, players), name_players(how.policies or (_POLICY,), players), how.seed)


def _run(how: HexPlayTest, *tables: HexTable) -> Run:
    parts = (table.terms.board.model_dump_json() for table in tables)
    return how.plan_run(MATCHES, (*parts, *tables[0].names))
