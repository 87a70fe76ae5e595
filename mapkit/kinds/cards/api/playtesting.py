"""Play-testing a card game: many games by computer players, and what they say."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from mapkit.core.base import Frozen
from mapkit.core.errors import ChoiceError, UnknownNameError
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.kinds.cards.api.games import load_cards
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.kind import CARDS
from mapkit.kinds.cards.playing.comparison import card_pair, card_pair_batch, compared_cards
from mapkit.kinds.cards.playing.log import log_lines
from mapkit.kinds.cards.playing.match import known_players
from mapkit.kinds.cards.playing.players import ABOUT
from mapkit.kinds.cards.playing.study import CardStudy, CardTable, card_batch, study_of, widest
from mapkit.kinds.cards.playing.telling import game_in_words
from mapkit.kinds.cards.playing.terms import terms_of
from mapkit.playing.checkpoints import run_id
from mapkit.playing.comparing import DIFFERENT, FigureDifference, chance_of_none
from mapkit.playing.running import Run, carry_out
from mapkit.variants.shelf import VariantShelf
from mapkit.version import __version__

MATCHES: Final = 1_000
MOST_MATCHES: Final = 1_000_000_000
_BATCH: Final = 20


@dataclass(frozen=True)
class CardPlayTest:
    """How a card game is to be play-tested.

    Attributes:
        matches: How many games, 1,000 by default; where `until` is given, the most, by default as many as it takes.
        policies: A computer player for each seat, or one for both: `random`, `greedy`, `planner`. They change seats
            after each game.
        settings: Rules to change: path -> value, `setup.bids` -> `face`.
        seed: 0 to 2**64 - 1.
        until: Half the width of the widest interval of a player's or seat's win rate at which to stop, of 1; None plays
            all.
        workers: Processes that play at a time, 1 by default; None takes all processors. With more than one, call from
            a script that is guarded by `if __name__ == "__main__":`, for each process begins by reading the script.
        checkpoint: A file that keeps the sums, so that the run can go on another time.
        resume: Whether to go on from it.
    """

    matches: int | None = None
    policies: Sequence[str] = ("planner",)
    settings: Mapping[str, object] | None = None
    seed: int = 1
    until: float | None = None
    workers: int | None = 1
    checkpoint: str | Path | None = None
    resume: bool = False


@dataclass(frozen=True)
class CardPlayTested:
    """A card game, and what its play-test says.

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


class CardComparison(Frozen):
    """The result of playing two card games with common random numbers."""

    a: str
    b: str
    policies: tuple[str, ...]
    matches: int
    chance: float
    different: bool
    figures: tuple[FigureDifference, ...]


@dataclass(frozen=True)
class CardsCompared:
    """Two card games, and how play of them differs; `stopped` and `unsaved` as for `CardPlayTested`."""

    comparison: CardComparison
    stopped: bool = False
    unsaved: str = ""


def playtest_cards(
    name: str,
    how: CardPlayTest | None = None,
    *,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> CardPlayTested:
    """Play many games, and say who wins, how long they take, what holdings and investors are worth.

    The same arguments give the same study on every machine, with any number of workers.

    Args:
        name: As for `load_cards`.
        how: Games, players, rules, seed.
        variants: As for `load_cards`.
        workspace: As for `load_cards`.
        progress: Called with what is being done, and how far it is.

    Raises:
        BoardError: The game has errors, or cannot be played.
        RulesError: A setting is wrong.
        MapkitError: As for `load_cards`; there is no such player, or the checkpoint cannot be read.
    """
    how = how or CardPlayTest()
    refuse_numbers(how)
    table = _table(name, how, variants, workspace)
    ran = carry_out(partial(card_batch, table), _run(how, table), progress)
    study = study_of(table, ran.totals, variants=tuple(variants), settings=dict(how.settings or {}))
    return CardPlayTested(table.terms.game, study, ran.stopped, ran.unsaved)


def playtest_compare_cards(
    a: str,
    b: str,
    how: CardPlayTest | None = None,
    *,
    other_settings: Mapping[str, object] | None = None,
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> CardsCompared:
    """Play two card games with the same random numbers, and say which figures differ, and by how much.

    Args:
        a: A game, a game with variants (`barons+only-8a`), or a variant.
        b: Likewise.
        how: As for `playtest_cards`; it has no `until`.
        other_settings: Rules to change in the second game alone, on top of those of `how`.
        workspace: As for `load_cards`.
        progress: Called with what is being done, and how far it is.

    Raises:
        MapkitError: As for `playtest_cards`.
    """
    how = how or CardPlayTest()
    refuse_numbers(how)
    if how.until is not None:
        raise ChoiceError("a comparison ends after all games; leave out until, and ask for more games")
    tables = []
    for given, more in ((a, {}), (b, other_settings or {})):
        name, *variants = _parts(given, workspace)
        settings = {**(how.settings or {}), **more}
        tables.append(_table(name, how, variants, workspace, settings))
    pair = card_pair(*tables)
    ran = carry_out(partial(card_pair_batch, pair), _run(how, *tables), progress)
    chance = chance_of_none(ran.totals)
    found = CardComparison(
        a=a,
        b=b,
        policies=tables[0].names,
        matches=int(ran.totals["matches"][0]),
        chance=chance,
        different=chance < DIFFERENT,
        figures=compared_cards(pair, ran.totals),
    )
    return CardsCompared(found, ran.stopped, ran.unsaved)


def replay_cards(
    name: str,
    how: CardPlayTest | None = None,
    *,
    match: int = 0,
    log: str | Path | None = None,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
) -> Iterator[str]:
    """Play one game of a play-test again, and return its steps in words, a line each.

    Args:
        name: As for `load_cards`.
        how: As for `playtest_cards`.
        match: Which game of the seed, from 0 on.
        log: A file to write the log to, a JSON object a line.
        variants: As for `load_cards`.
        workspace: As for `load_cards`.

    Raises:
        OutputError: The log cannot be written; what was there is unchanged.
        MapkitError: As for `playtest_cards`.
    """
    how = how or CardPlayTest()
    refuse_numbers(how)
    if not 0 <= match < MOST_MATCHES:
        raise ChoiceError(f"game {match}; choose one from 0 to {MOST_MATCHES - 1:,}")
    table = _table(name, how, variants, workspace)
    if log is not None:
        lines = log_lines(table.terms, table.names, table.seed, match, variants=variants)
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        write_files(Path(log).parent, {Path(log).name: text})
    return game_in_words(table.terms, table.names, table.seed, match)


def card_players() -> Mapping[str, str]:
    """Return the computer players of card games, each with what it does."""
    return ABOUT


def refuse_numbers(how: CardPlayTest) -> None:
    """Refuse what nobody can play, before anything is loaded.

    Raises:
        ChoiceError: A number is out of range, or there is no such player.
    """
    if how.matches is not None and not 1 <= how.matches <= MOST_MATCHES:
        raise ChoiceError(f"{how.matches} games; ask for 1 to {MOST_MATCHES:,}")
    if not 0 <= how.seed < 1 << 64:
        raise ChoiceError(f"the seed is {how.seed}; choose a number from 0 to 2**64 - 1")
    if how.until is not None and not 0 < how.until < 1:
        raise ChoiceError(f"a precision of {how.until:.2%} cannot be reached; choose one above 0 % and below 100 %")
    known_players(how.policies)


def _table(
    name: str,
    how: CardPlayTest,
    variants: Sequence[str],
    workspace: str | Path | None,
    settings: Mapping[str, object] | None = None,
) -> CardTable:
    wanted = how.settings if settings is None else settings
    game = load_cards(name, variants=variants, settings=wanted, workspace=workspace).board
    return CardTable(terms_of(game), known_players(how.policies), how.seed)


def _run(how: CardPlayTest, *tables: CardTable) -> Run:
    until = how.until
    parts = (table.terms.game.model_dump_json() for table in tables)
    return Run(
        name=run_id(__version__, *parts, *tables[0].names, str(how.seed)),
        matches=how.matches or (MATCHES if until is None else MOST_MATCHES),
        until=None if until is None else lambda totals: widest(totals) / until,
        workers=how.workers,
        checkpoint=None if how.checkpoint is None else Path(how.checkpoint),
        resume=how.resume,
        batch=_BATCH,
        processes=True,
    )


def _parts(given: str, workspace: str | Path | None) -> list[str]:
    """Return a game and its variants: `barons+only-8a`, or a variant, which has its own game."""
    name, *variants = given.split("+")
    space = open_workspace(workspace)
    try:
        space.board_folder(name)
    except UnknownNameError:
        shelf = VariantShelf(space, CARDS.variant_model)
        if name not in shelf.paths():
            raise
        own = next((one.variant.board for one in shelf.order([name]) if one.variant.board is not None), None)
        if own is None:
            raise ChoiceError(f"{name} is for no game of its own; name one with it: GAME+{name}") from None
        return [own, name, *variants]
    return [name, *variants]
