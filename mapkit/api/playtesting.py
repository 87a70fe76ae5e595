"""Play-tests of boards of every kind: many games by computer players, comparisons, ladders, replays."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

from mapkit.core.errors import ChoiceError, MapkitError
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.kinds.operations import convert_options, read_options
from mapkit.kinds.registry import DEFAULT, get_game, get_kind, kind_named, kind_of
from mapkit.operations.options import EITHER, Argument, BoardName, Fields, Flag, Variants, Workspace
from mapkit.playing.checkpoints import run_id
from mapkit.playing.figures import share
from mapkit.playing.game import (
    BoardGame,
    GameRun,
    Laddered,
    PlayCompared,
    PlayTested,
    PolicyAbout,
    ReplayFiles,
    refuse_match,
)
from mapkit.playing.ladders import Ladder, Schedule, distance_to_verdict, play_ladder, rank_entrants, refuse_entrants
from mapkit.playing.running import run_matches
from mapkit.variants.shelf import VariantShelf, named_boards

_MANY: Final = 500_000
"""Games of a ladder before which a person is asked."""
_LOOK: Final = 10
"""Most matches of a line-up between two looks of a sequential test."""


def playtest(
    board: BoardName,
    how: Annotated[GameRun | None, Fields(workers=None)] = None,
    *,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
    **options: object,
) -> PlayTested:
    """Play many games: who wins, how long it takes, what is earned and used.

    Shares and means come with half the width of their 95 % intervals. Ctrl-C ends the run and shows what is done; with
    --checkpoint, --resume goes on from there. --json prints all figures. The first run on a railroad board compiles for
    half a minute.

    Args:
        board: As for `load`.
        how: Games, players, rules, seed. The same give the same study on every machine, with any number of workers.
        options: Options of the board's kind: `html` and `parquet` of railroad boards, files with the figures.

    Raises:
        BoardError: The board has errors, or cannot be played.
        RulesError: So many cannot play by these rules, or an option or setting is wrong; or GapError.
        OutputError: A file cannot be written, or its name ends otherwise than its format's do.
        MapkitError: As for `load`; there is no such player, or the checkpoint cannot be read; a game cannot end.
    """
    game = _game_of(board, workspace)
    how, chosen = convert_options(game.how, how), read_options(game.run_options, options)
    game.refuse(how)
    game.refuse_files(chosen)
    table = game.set_table(board, how, variants, workspace, progress)
    tested = game.run_study(table, how, variants, progress)
    tested = replace(tested, text=game.describe(tested))
    try:
        return replace(tested, files=game.write(tested, chosen))
    except MapkitError as error:  # what was played must not be lost
        return replace(tested, unsaved="\n".join(filter(None, (tested.unsaved, str(error)))))


def playtest_compare(
    a: Annotated[str, Argument("", "A", EITHER)],
    b: Annotated[str, Argument("", "B", "Likewise.")],
    how: Annotated[GameRun | None, Fields(without="until", workers=None)] = None,
    *,
    other_settings: Annotated[
        Mapping[str, object] | None, Flag("--other-set", "PATH=VALUE", reading="settings")
    ] = None,
    other_seed: Annotated[int | None, Flag("", "N")] = None,
    workspace: Workspace = None,
    progress: Progress = quiet,
    **options: object,
) -> PlayCompared:
    """Play the same games on two boards and say what differs, with intervals.

    Both have the same random numbers, so intervals are narrower than from two runs apart. Says first whether the two
    differ at all; of the many figures below, one in twenty misses 0 by chance. --json prints all of them.

    Args:
        how: As for `playtest`; it has no `until`.
        other_settings: Change a rule of B alone. Repeatable.
        other_seed: The seed of B, to play with other dice there.
        options: Options of the boards' kind: `rules` of railroad boards.

    Raises:
        ChoiceError: The boards are of different kinds, a number is out of range, or an option is unknown.
        MapkitError: As for `compare` and `playtest`.
    """
    space = open_workspace(workspace)
    kinds = [kind_named({"name": name, "workspace": space.root}) for name in (a, b)]
    if None not in kinds and kinds[0] != kinds[1]:
        raise ChoiceError(f"{a} is a board of kind {kinds[0]}, {b} of kind {kinds[1]}; compare two of one kind")
    kind = kinds[0] or kinds[1] or DEFAULT
    game: BoardGame[Any, Any] = get_game(kind)
    how, chosen = convert_options(game.how, how), read_options(game.compare_options, options)
    if how.until is not None:
        raise ChoiceError("a comparison ends after all games; leave out until, and ask for more games")
    one, other = game.each_side(how, chosen)
    settings = {**(other.settings or {}), **(other_settings or {})}
    other = replace(other, settings=settings, seed=how.seed if other_seed is None else other_seed)
    game.refuse(one)
    game.refuse(other)
    progress("reading the boards")
    named = named_boards(VariantShelf(space, get_kind(kind).variant_model), a, b)
    first, second = (
        game.set_table(name, side, variants, workspace, progress)
        for (name, variants), side in zip(named, (one, other), strict=True)
    )
    facts = [game.facts(table) for table in (first, second)]
    pair = game.pair(first, second)
    play = game.play_pair(pair)
    game.warm_up(play, how, progress)
    texts = [*facts[0].texts, *facts[1].texts, str(other.seed)]
    ran = run_matches(play, game.plan_run(how, game.compared_matches, texts), progress)
    found = game.comparison((a, b), (first, second), pair, ran.totals)
    notes = (*game.notes(first), *game.notes(second))
    return PlayCompared(facts[0].board, facts[1].board, found, ran.stopped, ran.unsaved, notes)


def ladder(
    board: BoardName,
    how: Annotated[GameRun | None, Fields(workers=None)] = None,
    *,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
    ask: Callable[[str], str] | None = None,
) -> Laddered:
    """Let computer players play each other in pairs, and say who is best.

    Each game is played twice with the same dice, places exchanged. The table shows the share of the wins of each
    against each, in percent, and a rating on the scale of Elo. Ctrl-C ends the run and shows what is done, all pairs
    alike.

    Args:
        board: As for `load`.
        how: Players, rules, seed. In a game of a pair each of the two has every other place; with an odd number of
            players one of a pair has a place more, by turns.
        matches: How many games of each pair, rounded up so that both line-ups play equally many; with --until the most.
        until: Stop when Wald's sequential test tells each pair apart, if one wins this much more or less than half.
        policies: One that climbs, repeated; all shipped ones by default.
        ask: Asks a question, before more than half a million games; None plays them without.

    Raises:
        ChoiceError: Fewer than two policies, more than 40, or one twice; or the answer was not yes.
        MapkitError: As for `playtest`.
    """
    game = _game_of(board, workspace)
    how = convert_options(game.how, how)
    names = tuple(how.policies) or tuple(game.entrants)
    for name in names:
        game.check_policy(name, workspace)
    refuse_entrants(names)
    matches_a_pair = how.matches or game.paired_matches
    one = replace(how, policies=names[:1], matches=matches_a_pair)
    game.refuse(one)
    table = game.set_table(board, one, variants, workspace, progress)
    facts = game.facts(table)
    run = game.plan_run(one, game.paired_matches, facts.texts)
    schedule = Schedule(len(names), facts.players, matches_a_pair)
    if ask is not None and how.until is None and schedule.all_matches > _MANY:
        _ask_before_many(schedule, ask)
    if how.until is not None:  # looks at the sums only when all have played alike
        schedule = replace(schedule, most=min(_LOOK, run.batch))
        until = partial(distance_to_verdict, difference=min(how.until, 0.49))
        run = replace(run, until=until, least=0, batch=2 * schedule.batch_size * len(schedule.pairs))
    play = partial(play_ladder, schedule, game.contest(table, names, workspace))
    game.warm_up(play, one, progress)
    run = replace(run, name=run_id(repr(schedule), *names, run.name), matches=schedule.all_matches)
    ran = run_matches(play, run, progress)
    rungs, matches = rank_entrants(names, schedule, ran.totals)
    found = Ladder(
        board=facts.board.id,
        **game.ladder_rules(table, how),
        players=facts.players,
        seed=how.seed,
        matches=matches,
        rungs=rungs,
        seats=tuple(share(won, matches) for won in ran.totals["seats"]),
    )
    return Laddered(facts.board, found, ran.stopped, ran.unsaved, game.notes(table))


def _ask_before_many(schedule: Schedule, ask: Callable[[str], str]) -> None:
    pairs = "1 pair plays" if len(schedule.pairs) == 1 else f"{len(schedule.pairs)} pairs play"
    answer = ask(f"{pairs} {schedule.all_matches:,} games. Go on? [y/N] ")
    if answer.strip().casefold() not in ("y", "yes"):
        raise ChoiceError(
            "nothing was played; name fewer players (--policy) or games (--matches), or stop each pair when it is "
            "told apart (--until 5%)"
        )


def replay(
    board: BoardName,
    how: Annotated[GameRun | None, Fields(without="matches until workers checkpoint resume")] = None,
    *,
    match: Annotated[int, Flag("-m", "N")] = 0,
    show: ReplayFiles | None = None,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
    **options: object,
) -> Any:  # noqa: ANN401 - `ReplayedGame`, or `MatchLog` of railroad boards
    """Tell one game step by step, or write its log.

    Engines and referees read the log. The game is the one that mapkit playtest plays with the same board, players,
    rules and seed under this number.

    Args:
        board: As for `load`.
        how: As for `playtest`; how many games, and when to stop, do not matter.
        match: Which game of the seed, from 0 on.
        show: The files to write.
        options: Options of the board's kind: `log` of railroad boards, a log to show instead of playing a game.

    Raises:
        MapkitError: As for `playtest`; the game is too long for a log; or the log is of another board.
        SourceError: The file is not a log, with its line.
        OutputError: A file cannot be written; what was there is unchanged.
    """
    game = _game_of(board, workspace)
    how, chosen = convert_options(game.how, how), read_options(game.replay_options, options)
    game.refuse(how)
    refuse_match(match)
    files = convert_options(game.files, show)
    return game.replay(board, how, match, files, chosen, variants=variants, workspace=workspace, progress=progress)


def list_policies(
    board: Annotated[
        str | Path | None, Argument("", "[BOARD]", "Boards of other kinds have players of their own.", reading="name")
    ] = None,
    *,
    workspace: Workspace = None,
) -> Mapping[str, PolicyAbout]:
    """List the computer players of boards of a kind, what they do, and what each weighs.

    They are the same for every board of the kind. A policy of your own for railroad boards is a TOML file: `based_on =
    "balanced"`, then any of the weights, as `access = 3` under `[purchase]`.

    Args:
        board: A board of the kind; a railroad board by default.
    """
    game: BoardGame[Any, Any] = get_game(DEFAULT) if board is None else _game_of(board, workspace)
    return game.policies()


def _game_of(board: str | Path, workspace: str | Path | None) -> BoardGame[Any, Any]:
    """Return the game of a board's kind."""
    space = open_workspace(workspace)
    name = str(board)
    return get_game(DEFAULT if space.is_board_file(name) else kind_of(space.board_folder(name)).name)
