"""Games on boards of hexagons: what they add to play-tests, comparisons, ladders and replays."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from mapkit.core.errors import RulesError
from mapkit.core.problems import problem_lines
from mapkit.core.progress import Progress
from mapkit.document.changes import apply
from mapkit.document.draft import CommandError
from mapkit.document.workspace import open_workspace
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
from mapkit.operations.options import Flag
from mapkit.playing.figures import Totals
from mapkit.playing.game import GameRun, SeatedGame, TableFacts

_PLAYERS: Final = 4
_POLICY: Final = "greedy"


@dataclass(frozen=True)
class HexPlayTest(GameRun):
    """How a board of hexagons is to be play-tested.

    Attributes:
        matches: How many games, 200 by default, also of each pair of a ladder; with --until the most.
        players: How many play; 4 by default, or as many as the board is for.
        policies: Computer players, one for all or one each: greedy, builder, random, FILE.py:NAME; greedy by default.
        options: Options of the rules to switch on, as first-to-pass or mines. Repeatable.
        settings: Change a rule, as end.markers.four=12. Repeatable.
    """

    policies: Annotated[Sequence[str], Flag("--policy", "NAME|FILE.py:NAME")] = ()
    options: Annotated[Sequence[str], Flag("--option -O", "NAME")] = ()


class HexGame(SeatedGame[HexPlayTest, HexTable]):
    """Games on boards of hexagons."""

    how = HexPlayTest
    matches = compared_matches = paired_matches = 200
    entrants = tuple(PLAYERS)
    about = ABOUT
    play_batch = staticmethod(hex_batch)
    pair_tables = staticmethod(hex_pair)
    play_pair_batch = staticmethod(hex_pair_batch)
    compare_pair = staticmethod(compared_hexes)
    log_game = staticmethod(log_lines)
    narrate_game = staticmethod(narrate_game)

    def check_policy(self, name: str, workspace: str | Path | None) -> None:
        """Refuse an unknown player."""
        del workspace
        find_player(name)

    def set_table(
        self,
        board: str | Path,
        how: HexPlayTest,
        variants: Sequence[str],
        workspace: str | Path | None,
        progress: Progress,
    ) -> HexTable:
        """Return the table of games on a board."""
        del progress
        loaded = board_with_rules(board, how, variants, workspace)
        limits = loaded.rules.players
        players = max(limits.least, min(_PLAYERS, limits.most)) if how.players is None else how.players
        return HexTable(compile_terms(loaded, players), name_players(how.policies or (_POLICY,), players), how.seed)

    def facts(self, table: HexTable) -> TableFacts:
        """Return the board of a table, the number of players, and the texts that games follow from."""
        board = table.terms.board
        return TableFacts(board, table.terms.players, (board.model_dump_json(), *table.names))

    def study(self, table: HexTable, how: HexPlayTest, totals: Totals, variants: Sequence[str]) -> HexStudy:
        """Return the figures of a play-test."""
        settings = {**{f"option {name}": True for name in how.options}, **(how.settings or {})}
        return make_study(table, totals, variants=tuple(variants), settings=settings)

    def ladder_rules(self, table: HexTable, how: HexPlayTest) -> dict[str, object]:
        """Return the options of the rules."""
        del how
        return {"options": table.terms.board.options}


HEX_GAME: Final = HexGame()


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
