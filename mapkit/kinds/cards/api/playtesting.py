"""Card games: what they add to play-tests, comparisons, ladders and replays."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from mapkit.core.errors import ChoiceError
from mapkit.core.progress import Progress
from mapkit.formats.game_logs import GivenLog
from mapkit.formats.rulings import refuse_broken
from mapkit.kinds.cards.api.refereeing import read_game
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.operations import load_cards
from mapkit.kinds.cards.playing.comparison import card_pair, card_pair_batch, compared_cards
from mapkit.kinds.cards.playing.log import log_lines
from mapkit.kinds.cards.playing.match import known_players
from mapkit.kinds.cards.playing.narration import narrate_game, narrate_log
from mapkit.kinds.cards.playing.players import ABOUT, PLAYERS
from mapkit.kinds.cards.playing.study import CardTable, card_batch, make_study
from mapkit.kinds.cards.playing.study_tables import describe_study
from mapkit.kinds.cards.playing.terms import PLAYERS as SEATS
from mapkit.kinds.cards.playing.terms import compile_terms
from mapkit.kinds.cards.refereeing.judging import judge
from mapkit.operations.options import Flag
from mapkit.playing.game import GameRun, PlayTested, SeatedGame, TableFacts
from mapkit.playing.tables import StudyText

_POLICY: Final = "planner"


@dataclass(frozen=True)
class CardPlayTest(GameRun):
    """How a card game is to be play-tested.

    Attributes:
        matches: How many games, 1,000 by default, of each pair of a ladder 200; with --until the most.
        players: How many play; two.
        policies: The computer player of both seats: planner, greedy, random, FILE.py:NAME; twice for each.
        styles: A style of the panel, repeated: in each game all players decide by one of them.
        settings: Change a rule, as setup.bids=face. Repeatable.
    """

    policies: Annotated[Sequence[str], Flag("--policy", "NAME|FILE.py:NAME")] = ()
    styles: Annotated[Sequence[str], Flag("--style", "NAME|FILE.py:NAME")] = ()


class CardPlay(SeatedGame[CardPlayTest, CardTable]):
    """Card games as computer players play them."""

    how = CardPlayTest
    matches = compared_matches = 1_000
    paired_matches = 200
    entrants = tuple(PLAYERS)
    about = ABOUT
    play_batch = staticmethod(card_batch)
    make_study = staticmethod(make_study)
    pair_tables = staticmethod(card_pair)
    play_pair_batch = staticmethod(card_pair_batch)
    compare_pair = staticmethod(compared_cards)
    log_game = staticmethod(log_lines)
    narrate_game = staticmethod(narrate_game)

    def check_policy(self, name: str, workspace: str | Path | None) -> None:
        """Refuse an unknown player."""
        del workspace
        known_players((name,))

    def refuse(self, how: CardPlayTest) -> None:
        """Refuse unplayable numbers, and unknown players, before anything is loaded."""
        super().refuse(how)
        if how.players not in (None, SEATS):
            raise ChoiceError(f"{how.players} players; a card game is for {SEATS}")
        known_players(how.policies or (_POLICY,))
        for style in how.styles:
            known_players((style,))

    def set_table(
        self,
        board: str | Path,
        how: CardPlayTest,
        variants: Sequence[str],
        workspace: str | Path | None,
        progress: Progress,
    ) -> CardTable:
        """Return the table of a game."""
        del progress
        game = load_cards(board, variants=variants, settings=how.settings, workspace=workspace).board
        names = known_players(how.policies or (_POLICY,))
        return CardTable(compile_terms(game), names, how.seed, tuple(how.styles))

    def facts(self, table: CardTable) -> TableFacts:
        """Return the game of a table, the number of players, and the texts that play follows from."""
        game = table.terms.game
        return TableFacts(game, SEATS, (game.model_dump_json(), *table.names, "", *table.styles))

    def narrate_log(self, log: GivenLog) -> tuple[CardGame, tuple[str, ...]]:
        """Return the game of a legal log, and its game in words."""
        game, head, lines = read_game(log)
        terms = compile_terms(game)
        refuse_broken(judge(terms, lines, file=log.file).broken, log.file)
        return game, tuple(narrate_log(terms, f"{game.title}, {log.file}", head.players, lines))

    def describe(self, tested: PlayTested) -> StudyText:
        """Return a study as sentences and tables."""
        return describe_study(tested.board, tested.study)


CARD_GAME: Final = CardPlay()
