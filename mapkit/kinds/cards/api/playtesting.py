"""Play-tests of card games: many games by computer players, and their figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Final

from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.formats.game_logs import write_log
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.kind import CARDS
from mapkit.kinds.cards.operations import load_cards
from mapkit.kinds.cards.playing.comparison import card_pair, card_pair_batch, compared_cards
from mapkit.kinds.cards.playing.log import log_lines
from mapkit.kinds.cards.playing.match import known_players
from mapkit.kinds.cards.playing.narration import narrate_game
from mapkit.kinds.cards.playing.players import ABOUT
from mapkit.kinds.cards.playing.study import CardStudy, CardTable, card_batch, make_study
from mapkit.kinds.cards.playing.terms import compile_terms
from mapkit.operations.options import (
    Argument,
    BoardName,
    Fields,
    Flag,
    Output,
    Variants,
    Workspace,
)
from mapkit.playing.paired_differences import PairComparison
from mapkit.playing.running import EndedRun, GameRun, Run, refuse_match, refuse_run, refuse_until, run_matches
from mapkit.variants.shelf import split_variants

MATCHES: Final = 1_000


@dataclass(frozen=True)
class CardPlayTest(GameRun):
    """How a card game is to be play-tested.

    Attributes:
        matches: How many games, 1,000 by default; with --until the most.
        policies: The computer player of both seats: planner, greedy or random; twice for each.
        settings: Change a rule, as setup.bids=face. Repeatable.
    """

    policies: Annotated[Sequence[str], Flag("--policy", "NAME", reading="name")] = ("planner",)


@dataclass(frozen=True)
class CardPlayTested(EndedRun):
    """Card game, and the figures of its play-test.

    Attributes:
        game: The game, with the rules that were played.
        study: What the games say.
        stopped: Whether Ctrl-C ended it before all games were played.
        unsaved: Why the checkpoint could not be written at the end; empty if it was.
    """

    game: CardGame
    study: CardStudy
    stopped: bool = False
    unsaved: str = ""

    def as_json(self) -> CardStudy:
        """Return the result as `--json` prints it."""
        return self.study


class CardComparison(PairComparison):
    """The result of playing two card games with common random numbers."""


@dataclass(frozen=True)
class CardsCompared(EndedRun):
    """Two card games, and how play of them differs; `stopped` and `unsaved` as for `CardPlayTested`."""

    comparison: CardComparison
    stopped: bool = False
    unsaved: str = ""

    def as_json(self) -> CardComparison:
        """Return the result as `--json` prints it."""
        return self.comparison


def playtest_cards(
    board: BoardName,
    how: Annotated[
        CardPlayTest | None, Fields("matches policies settings seed until workers checkpoint resume", workers=None)
    ] = None,
    *,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> CardPlayTested:
    """Play many games: who wins, how long it takes, what holdings and investors are worth.

    Players change seats after each game. Shares and means come with half the width of their 95 % intervals. Ctrl-C ends
    the run and shows what is done; with --checkpoint, --resume goes on from there. --json prints all figures.

    Args:
        board: As for `load_cards`.
        how: Games, players, rules, seed. The same give the same study on every machine, with any number of workers.

    Raises:
        BoardError: The game has errors, or cannot be played.
        RulesError: A setting is wrong.
        MapkitError: As for `load_cards`; there is no such player, or the checkpoint cannot be read.
    """
    how = how or CardPlayTest()
    refuse_numbers(how)
    table = _table(board, how, variants, workspace)
    ran = run_matches(partial(card_batch, table), _run(how, table), progress)
    study = make_study(table, ran.totals, variants=tuple(variants), settings=dict(how.settings or {}))
    return CardPlayTested(table.terms.game, study, ran.stopped, ran.unsaved)


_EITHER: Final = "A game, a game with variants (barons+only-8a), or a variant of a game."


def playtest_compare_cards(
    a: Annotated[str, Argument("", "A", _EITHER)],
    b: Annotated[str, Argument("", "B", "Likewise.")],
    how: Annotated[
        CardPlayTest | None,
        Fields("matches policies settings seed workers checkpoint resume", matches=1_000, workers=None),
    ] = None,
    *,
    other_settings: Annotated[
        Mapping[str, object] | None, Flag("--other-set", "PATH=VALUE", reading="settings")
    ] = None,
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> CardsCompared:
    """Play two card games with the same random numbers and say what differs, with intervals.

    Says first whether the two differ at all; of the many figures below, one in twenty misses 0 by chance. --json prints
    all of them.

    Args:
        how: As for `playtest_cards`; it has no `until`.
        matches: How many games.
        other_settings: Change a rule of B alone. Repeatable.

    Raises:
        MapkitError: As for `playtest_cards`.
    """
    how = how or CardPlayTest()
    refuse_numbers(how)
    refuse_until(how)
    tables = []
    for given, more in ((a, {}), (b, other_settings or {})):
        name, *variants = split_variants(given, open_workspace(workspace), CARDS.variant_model)
        settings = {**(how.settings or {}), **more}
        tables.append(_table(name, how, variants, workspace, settings))
    pair = card_pair(*tables)
    ran = run_matches(partial(card_pair_batch, pair), _run(how, *tables), progress)
    found = CardComparison.of_totals(a, b, tables[0].names, ran.totals, compared_cards(pair, ran.totals))
    return CardsCompared(found, ran.stopped, ran.unsaved)


def replay_cards(
    board: BoardName,
    how: Annotated[CardPlayTest | None, Fields("policies settings seed")] = None,
    *,
    match: Annotated[int, Flag("-m", "N")] = 0,
    log: Annotated[str | Path | None, Output("--out -o", "FILE.jsonl")] = None,
    variants: Variants = (),
    workspace: Workspace = None,
) -> tuple[str, ...]:
    """Tell one game step by step, or write its log.

    The game is the one that `mapkit playtest` plays with the same players, rules and seed under this number. Each step
    says what it changes: money, and share values.

    Args:
        board: As for `load_cards`.
        how: As for `playtest_cards`.
        match: Which game of the seed, from 0 on.
        log: Write the log, a JSON line a step.

    Raises:
        OutputError: The log cannot be written; what was there is unchanged.
        MapkitError: As for `playtest_cards`.
    """
    how = how or CardPlayTest()
    refuse_numbers(how)
    refuse_match(match)
    table = _table(board, how, variants, workspace)
    if log is not None:
        lines = log_lines(table.terms, table.names, table.seed, match, variants=variants)
        write_log(log, lines)
    return tuple(narrate_game(table.terms, table.names, table.seed, match))


def card_players(board: Annotated[str | None, Argument("", "[BOARD]", "A card game.")] = None) -> Mapping[str, str]:
    """List the computer players of card games, and what they do.

    They are the same for every game.
    """
    del board
    return dict(ABOUT)


def refuse_numbers(how: CardPlayTest) -> None:
    """Refuse unplayable numbers before anything is loaded.

    Raises:
        ChoiceError: A number is out of range, or there is no such player.
    """
    refuse_run(how)
    known_players(how.policies)


def _table(
    name: str | Path,
    how: CardPlayTest,
    variants: Sequence[str],
    workspace: str | Path | None,
    settings: Mapping[str, object] | None = None,
) -> CardTable:
    wanted = how.settings if settings is None else settings
    game = load_cards(name, variants=variants, settings=wanted, workspace=workspace).board
    return CardTable(compile_terms(game), known_players(how.policies), how.seed)


def _run(how: CardPlayTest, *tables: CardTable) -> Run:
    parts = (table.terms.game.model_dump_json() for table in tables)
    return how.plan_run(MATCHES, (*parts, *tables[0].names))
