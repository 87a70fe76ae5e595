"""Play-tests, comparisons, ladders, replays and judgements are the same operations for every kind of board."""

from html import unescape
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.console.commands import Group
from mapkit.console.derived import Entry
from mapkit.core.errors import ChoiceError
from mapkit.kinds.registry import command_tables
from mapkit.operations.signatures import read_operation
from mapkit.playing.figure_table import study_rows

BOARDS = {"rail": "portugal", "hex": "portugal-hex", "cards": "caminhos"}
EVERY = {"board", "players", "policies", "settings", "seed", "variants", "workspace"}
RUN = {"matches", "workers", "checkpoint", "resume"}
COMMON = {
    "run": EVERY | RUN | {"until", "styles", "html", "parquet"},
    "compare": (EVERY | RUN | {"a", "b", "other_settings", "other_seed", "styles"}) - {"board", "variants"},
    "ladder": EVERY | RUN,
    "replay": EVERY | {"match", "log", "html"},
    "policies": {"board", "workspace"},
}


def entries(kind: str) -> dict[str, Entry]:
    group = dict(command_tables())[kind]["playtest"]
    assert isinstance(group, Group)
    return dict(group.commands)


@pytest.mark.parametrize("kind", BOARDS)
def test_commands_of_every_kind_run_the_same_functions_with_the_same_options(kind: str) -> None:
    for name, options in COMMON.items():
        entry = entries(kind)[name]
        assert entry.where == entries("rail")[name].where
        found = read_operation(entry.where, entry.options, entry.classes, entry.without).parameters
        assert options <= {one.name for one in found}, name
        assert [one.name for one in found if not one.help] == [], name


@pytest.mark.parametrize("kind", BOARDS)
def test_options_of_one_kind_are_those_of_all(kind: str) -> None:
    how = mapkit.GameRun(policies=tuple(mapkit.list_policies(BOARDS[kind]))[:1], seed=3)
    lines = mapkit.replay(BOARDS[kind], how, match=2, workspace=REPOSITORY).in_words()
    assert len(lines) > 20
    assert lines == mapkit.replay(BOARDS[kind], how, match=2, workspace=REPOSITORY).in_words()


def test_an_option_of_another_kind_is_refused() -> None:
    with pytest.raises(ChoiceError, match="option 'dask' is unknown for boards of this kind"):
        mapkit.playtest("portugal-hex", mapkit.PlayTest(dask="tcp://host:8786"))
    with pytest.raises(ChoiceError, match="option 'rules' is unknown for boards of this kind"):
        mapkit.playtest_compare("caminhos", "barons", rules=("ah",))
    with pytest.raises(ChoiceError, match="3 players; a card game is for 2"):
        mapkit.playtest("caminhos", mapkit.GameRun(players=3))


def test_card_players_climb_a_ladder() -> None:
    how = mapkit.GameRun(matches=200, policies=("random", "greedy"), workers=1)
    found = mapkit.ladder("caminhos", how, workspace=REPOSITORY).ladder
    assert [rung.policy for rung in found.rungs] == ["greedy", "random"]
    assert found.matches == 200
    assert found.rungs[0].against["random"].low > 0.5


def test_boards_of_two_kinds_are_not_compared() -> None:
    with pytest.raises(
        ChoiceError, match="usa is a board of kind rail, portugal-hex of kind hex; compare two of one kind"
    ):
        mapkit.playtest_compare("usa", "portugal-hex", workspace=REPOSITORY)


def test_games_without_a_common_holding_are_compared_by_their_match(run: Run) -> None:
    ran = run("playtest", "compare", "caminhos", "barons", "-n", 2, "--policy", "random", "-w", REPOSITORY)
    assert ran.code == 0
    assert "Holdings and investors: what differs most clearly\nA and B have none in common\n" in ran.out


def test_a_board_does_not_differ_from_itself(run: Run) -> None:
    ran = run("playtest", "compare", "caminhos", "caminhos", "-n", 2, "--policy", "random", "-w", REPOSITORY)
    assert "not told apart: two play-tests of one board differ by as much in 100 % of cases\n" in ran.out


@pytest.mark.parametrize(
    ("played", "kind", "judged", "other"), [("caminhos", "cards", "usa", "rail"), ("tiny", "rail", "caminhos", "cards")]
)
def test_a_log_is_not_judged_on_a_board_of_another_kind(
    run: Run, tmp_path: Path, played: str, kind: str, judged: str, other: str
) -> None:
    log = tmp_path / "game.jsonl"
    if kind == "rail":
        log.write_text('{"format": "mapkit/match", "version": 1, "board": "tiny"}\n', encoding="utf-8")
    else:
        run("playtest", "replay", played, "--policy", "random", "--out", log, "-w", REPOSITORY)
    ran = run("referee", log, "--board", judged, "-w", REPOSITORY)
    assert ran.code == 1
    says = (
        f"the game was played on a board of kind {kind!r}, but {judged} is of kind {other!r}; give its board (--board)"
    )
    assert ran.err == f"mapkit: {log}:1: {says}\n"


def test_former_names_are_those_of_today() -> None:
    assert mapkit.playtest_cards is mapkit.playtest_hexes is mapkit.playtest
    assert mapkit.playtest_compare_cards is mapkit.playtest_compare
    assert mapkit.referee_cards is mapkit.referee_hexes is mapkit.referee
    lines = mapkit.replay_cards("caminhos", mapkit.CardPlayTest(policies=("random",)), workspace=REPOSITORY)
    assert lines == mapkit.replay("caminhos", mapkit.GameRun(policies=("random",)), workspace=REPOSITORY).lines
    assert list(mapkit.hex_players()) == list(mapkit.list_policies("portugal-hex"))


@pytest.mark.parametrize("kind", ["hex", "cards"])
def test_a_panel_has_both_intervals_and_its_study_is_a_page_and_a_table(kind: str, tmp_path: Path) -> None:
    how = mapkit.GameRun(matches=12, styles=("random", "greedy"), workers=1)
    html, parquet = tmp_path / "study.html", tmp_path / "study.parquet"
    tested = mapkit.playtest(BOARDS[kind], how, workspace=REPOSITORY, html=html, parquet=parquet)
    assert tested.files == (html, parquet)
    study = tested.study
    wins = {figure.id: figure for figure in study.panel if (figure.part, figure.figure) == ("seat", "wins")}
    assert {name: len(figure.values) for name, figure in wins.items()} == {seat.name: 2 for seat in study.seats}
    for seat in study.seats:  # six games by each style
        assert wins[seat.name].estimate == pytest.approx(seat.wins.share)
    page = html.read_text(encoding="utf-8")
    assert tested.board.title in page
    assert "<script" not in page
    assert "http:" not in page.replace("http://www.w3.org", "")
    assert parquet.read_bytes()[:4] == b"PAR1"
    rows = list(study_rows(study))
    assert {"match", "player", "seat"} <= {row.part for row in rows}
    assert ("match", "ties", study.ties.share, 12) in {(row.part, row.figure, row.value, row.trials) for row in rows}


@pytest.mark.parametrize("kind", ["hex", "cards"])
def test_comparisons_by_a_panel_name_the_sign_of_each_style(kind: str, run: Run) -> None:
    board = BOARDS[kind]
    arguments = ("-n", 8, "--style", "random", "--style", "greedy", "--other-seed", 2, "-w", REPOSITORY)
    out = run("playtest", "compare", board, board, *arguments).out
    assert "by styles" in out
    assert " of 2" in out
    assert run("playtest", board, "--style", "random", "--policy", "greedy").err.startswith(
        "mapkit: --policy and --style"
    )
    assert "a style twice" in run("playtest", board, "--style", "random", "--style", "random").err
    assert "1 games for 2 styles" in run("playtest", board, "-n", 1, *arguments[2:6]).err


@pytest.mark.parametrize("kind", ["hex", "cards"])
def test_a_game_is_told_on_a_page(kind: str, tmp_path: Path, run: Run) -> None:
    page, log = tmp_path / "game.html", tmp_path / "game.jsonl"
    arguments = ("playtest", "replay", BOARDS[kind], "--policy", "greedy", "-m", 2, "-w", REPOSITORY)
    lines = [line.strip() for line in run(*arguments).out.splitlines() if line.strip()]
    written = run(*arguments, "--html", page, "--out", log)
    assert written.out.splitlines() == [str(log), str(page)]
    text = unescape(page.read_text(encoding="utf-8"))
    assert [line for line in lines if line not in text] == []
    assert ('id="layer-use"' in text) == (kind == "hex")
    assert "ends in .html" in run(*arguments, "--html", tmp_path / "game.txt").err
    replayed = run("playtest", "replay", BOARDS[kind], "--log", log, "-w", REPOSITORY).out.splitlines()
    assert [line.strip() for line in replayed if line.strip()][1:] == lines[1:]  # the first names the file
    steps = log.read_text(encoding="utf-8").splitlines()
    log.write_text("\n".join([*steps[:5], *steps[6:]]), encoding="utf-8")
    broken = run("playtest", "replay", BOARDS[kind], "--log", log, "-w", REPOSITORY)
    assert broken.code == 1
    assert "game.jsonl:6: " in broken.err


MOVES = {"hex": "hex.playing.terms", "cards": "cards.playing.terms"}


@pytest.mark.parametrize("kind", MOVES)
def test_faults_of_players_in_python_are_named(kind: str, tmp_path: Path, run: Run) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "def fail(terms, state, draws):\n    return 1 // 0\n"
        "def forget(terms, state, draws):\n    return None\n"
        f"from mapkit.kinds.{MOVES[kind]} import Move\n"
        "def cheat(terms, state, draws):\n    return Move('fly')\n",
        encoding="utf-8",
    )
    for name, said in (
        ("fail", "fails: ZeroDivisionError"),
        ("forget", "returns None; return a Move"),
        ("cheat", "makes an illegal move"),
        ("nobody", "it has no function 'nobody'"),
    ):
        arguments = ("-n", 1, "--policy", f"{own}:{name}", "--workers", 1, "-w", REPOSITORY)
        found = run("playtest", BOARDS[kind], *arguments)
        assert found.code in (1, 2)
        assert said in " ".join(found.err.split())


def test_a_card_player_in_python_plays_and_is_judged(tmp_path: Path, run: Run) -> None:
    own, log = tmp_path / "own.py", tmp_path / "game.jsonl"
    own.write_text(
        "from mapkit.kinds.cards.playing.moves import legal_moves\n"
        "def last(terms, state, draws):\n    moves = legal_moves(terms, state)\n"
        "    return moves[int(draws.integers(len(moves)))]\n",
        encoding="utf-8",
    )
    arguments = ("--policy", f"{own}:last", "--policy", "greedy", "--out", log, "-w", REPOSITORY)
    assert run("playtest", "replay", "caminhos", *arguments).code == 0
    assert "all legal" in run("referee", log, "-w", REPOSITORY).out
