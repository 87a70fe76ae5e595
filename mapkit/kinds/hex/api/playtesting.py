"""Games on boards of hexagons: what they add to play-tests, comparisons, ladders and replays."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final, get_args

from mapkit.core.errors import BoardError, ChoiceError, RulesError
from mapkit.core.problems import problem_lines
from mapkit.core.progress import Progress
from mapkit.document.changes import apply
from mapkit.document.draft import CommandError
from mapkit.document.workspace import open_workspace
from mapkit.formats.game_logs import GivenLog
from mapkit.formats.rulings import refuse_broken
from mapkit.kinds.hex.api.refereeing import read_game
from mapkit.kinds.hex.kind import HEX
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.operations import load_hexes
from mapkit.kinds.hex.playing.comparison import compared_hexes, hex_pair, hex_pair_batch
from mapkit.kinds.hex.playing.log import log_lines
from mapkit.kinds.hex.playing.match import name_players
from mapkit.kinds.hex.playing.narration import narrate_game, narrate_log
from mapkit.kinds.hex.playing.outcome import play_outcome
from mapkit.kinds.hex.playing.players import ABOUT, PLAYERS, find_player
from mapkit.kinds.hex.playing.study import HexCase, HexTable, hex_batch, make_case, make_study
from mapkit.kinds.hex.playing.study_tables import describe_study
from mapkit.kinds.hex.playing.terms import compile_terms
from mapkit.kinds.hex.refereeing.judging import judge
from mapkit.kinds.hex.render.board import draw_use_map
from mapkit.kinds.hex.rules.settings import BiddingStyle, HexRules
from mapkit.operations.options import Flag
from mapkit.playing.game import GameRun, PlayTested, SeatedGame, TableFacts
from mapkit.playing.study_page import StudySection
from mapkit.playing.tables import StudyText

_PLAYERS: Final = 4
_ON: Final = ("off", "on")
_POLICY: Final = "greedy"


@dataclass(frozen=True)
class HexPlayTest(GameRun):
    """How a board of hexagons is to be play-tested.

    Attributes:
        matches: How many games, 200 by default, also of each pair of a ladder; with --until the most.
        players: How many play; 4 by default, or as many as the board is for.
        policies: Computer players, one for all or one each: greedy, builder, random, FILE.py:NAME; greedy by default.
        styles: A style of the panel, repeated: in each game all players decide by one of them.
        options: Options of the rules to switch on, as first-to-pass or mines. Repeatable.
        cases: Play each bidding style, number of players and option too, as many games each.
        settings: Change a rule, as end.markers.four=12. Repeatable.
    """

    policies: Annotated[Sequence[str], Flag("--policy", "NAME|FILE.py:NAME")] = ()
    styles: Annotated[Sequence[str], Flag("--style", "NAME|FILE.py:NAME")] = ()
    options: Annotated[Sequence[str], Flag("--option -O", "NAME")] = ()
    cases: bool = False


class HexGame(SeatedGame[HexPlayTest, HexTable]):
    """Games on boards of hexagons."""

    how = HexPlayTest
    matches = compared_matches = paired_matches = 200
    entrants = tuple(PLAYERS)
    about = ABOUT
    play_batch = staticmethod(hex_batch)
    make_study = staticmethod(make_study)
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
        names = name_players(how.policies or (_POLICY,), players)
        for style in how.styles:
            find_player(style)
        return HexTable(compile_terms(loaded, players), names, how.seed, tuple(how.styles))

    def facts(self, table: HexTable) -> TableFacts:
        """Return the board of a table, the number of players, and the texts that games follow from."""
        board = table.terms.board
        return TableFacts(board, table.terms.players, (board.model_dump_json(), *table.names, "", *table.styles))

    def changed_settings(self, how: HexPlayTest) -> dict[str, object]:
        """Return the options and rules that were changed for a play-test."""
        return {**{f"option {name}": True for name in how.options}, **(how.settings or {})}

    def run_study(self, table: HexTable, how: HexPlayTest, variants: Sequence[str], progress: Progress) -> PlayTested:
        """Play games, and with `cases` those of other rules, and return their figures."""
        tested = super().run_study(table, how, variants, progress)
        if not how.cases or tested.stopped:
            return tested
        board, cases, unplayed = table.terms.board, list[HexCase](), list[str]()
        for name, rules, players in _list_cases(board, table.terms.players):
            progress(f"playing the case {name}")
            try:
                terms = compile_terms(board.model_copy(update={"rules": rules}), players)
            except BoardError as error:
                unplayed.append(f"{name}: {str(error).splitlines()[-1].strip()}")
                continue
            one = replace(table, terms=terms, names=table.names[:1] * players)
            ran = super().run_study(one, replace(how, checkpoint=None, resume=False), (), progress)
            cases.append(make_case(name, ran.study))
            if ran.stopped:
                tested = replace(tested, stopped=True)
                break
        study = tested.study.model_copy(update={"cases": tuple(cases), "unplayed": tuple(unplayed)})
        return replace(tested, study=study)

    def refuse(self, how: HexPlayTest) -> None:
        """Refuse unplayable numbers, and several players in cases of other numbers of players."""
        super().refuse(how)
        if how.cases and len(set(how.policies)) > 1:
            raise ChoiceError("--cases: cases have other numbers of players; name one policy for all")

    def describe(self, tested: PlayTested) -> StudyText:
        """Return a study as sentences and tables."""
        return describe_study(tested.study)

    def pictures(self, tested: PlayTested) -> Iterator[StudySection]:
        """Yield the board by use in all games."""
        study = tested.study
        lines_by_hex = {one.hexagon: one.lines.mean for one in study.hexes}
        yield _use_section(tested.board, lines_by_hex, {(one.a, one.b): one.deliveries.mean for one in study.links})

    def narrate_log(self, log: GivenLog) -> tuple[HexBoard, tuple[str, ...]]:
        """Return the board of a legal log, and its game in words."""
        played, head, lines = read_game(log)
        refuse_broken(judge(played, head, lines, file=log.file).broken, log.file)
        return played, tuple(narrate_log(f"{played.title}, {log.file}", head.players, lines))

    def game_pictures(self, table: HexTable, match: int) -> Iterator[StudySection]:
        """Yield the board by use in a game."""
        terms = table.terms
        outcome = play_outcome(terms, table.names, table.seed, match)
        links = {(terms.node_ids[a], terms.node_ids[b]): float(uses) for (a, b), uses in outcome.links.items()}
        yield _use_section(terms.board, dict(zip(terms.hex_ids, map(float, outcome.hexes), strict=True)), links)

    def ladder_rules(self, table: HexTable, how: HexPlayTest) -> dict[str, object]:
        """Return the options of the rules."""
        del how
        return {"options": table.terms.board.options}


HEX_GAME: Final = HexGame()


def _use_section(
    board: HexBoard, lines_by_hex: Mapping[str, float], deliveries_by_link: Mapping[tuple[str, str], float]
) -> StudySection:
    most_lines, most_deliveries = (
        max(values, default=0.0) for values in (lines_by_hex.values(), deliveries_by_link.values())
    )
    caption = (
        f"The darkest hexagon has {most_lines:.2f} lines of track in a game; the widest link has {most_deliveries:.2f} "
        "deliveries."
    )
    return StudySection("The board by use", (), draw_use_map(board, lines_by_hex, deliveries_by_link), caption)


def _list_cases(board: HexBoard, players: int) -> Iterator[tuple[str, HexRules, int]]:
    """Yield each bidding style, number of players and option: its name, rules and players."""
    rules = board.rules
    for style in get_args(BiddingStyle):
        yield f"bidding {style}", _with_rules(rules, "auction", style=style), players
    for number in range(rules.players.least, rules.players.most + 1):
        yield f"{number} players", rules, number
    yield f"mines {_ON[not rules.mines.enabled]}", _with_rules(rules, "mines", enabled=not rules.mines.enabled), players
    rotors = _with_rules(rules, "rotors", enabled=not rules.rotors.enabled)
    yield f"rotors {_ON[not rules.rotors.enabled]}", rotors, players
    yield "fewer markers", _with_rules(rules, "end", fewer_markers=True), players


def _with_rules(rules: HexRules, group: str, **values: object) -> HexRules:
    return rules.model_copy(update={group: getattr(rules, group).model_copy(update=values)})


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
