"""Play-tests, comparisons, ladders, replays and judgements are the same operations for every kind of board."""

import pytest
from conftest import REPOSITORY

import mapkit
from mapkit.console.commands import Group
from mapkit.console.derived import Entry
from mapkit.core.errors import ChoiceError
from mapkit.kinds.registry import command_tables
from mapkit.operations.signatures import read_operation

BOARDS = {"rail": "portugal", "hex": "portugal-hex", "cards": "caminhos"}
EVERY = {"board", "players", "policies", "settings", "seed", "variants", "workspace"}
RUN = {"matches", "workers", "checkpoint", "resume"}
COMMON = {
    "run": EVERY | RUN | {"until"},
    "compare": (EVERY | RUN | {"a", "b", "other_settings", "other_seed"}) - {"board", "variants"},
    "ladder": EVERY | RUN,
    "replay": EVERY | {"match", "log"},
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


@pytest.mark.parametrize("kind", BOARDS)
def test_options_of_one_kind_are_those_of_all(kind: str) -> None:
    how = mapkit.GameRun(policies=tuple(mapkit.list_policies(BOARDS[kind]))[:1], seed=3)
    lines = mapkit.replay(BOARDS[kind], how, match=2, workspace=REPOSITORY).in_words()
    assert len(lines) > 20
    assert lines == mapkit.replay(BOARDS[kind], how, match=2, workspace=REPOSITORY).in_words()


def test_an_option_of_another_kind_is_refused() -> None:
    with pytest.raises(ChoiceError, match="option 'styles' is unknown for boards of this kind"):
        mapkit.playtest("portugal-hex", mapkit.PlayTest(styles=("bold",)))
    with pytest.raises(ChoiceError, match="option 'html' is unknown for boards of this kind"):
        mapkit.playtest("caminhos", html="page.html")
    with pytest.raises(ChoiceError, match="3 players; a card game is for 2"):
        mapkit.playtest("caminhos", mapkit.GameRun(players=3))


def test_card_players_climb_a_ladder() -> None:
    how = mapkit.GameRun(matches=1, policies=("random", "greedy"), workers=1)
    found = mapkit.ladder("caminhos", how, workspace=REPOSITORY).ladder
    assert [rung.policy for rung in found.rungs] == ["greedy", "random"]
    assert found.matches == 200
    assert found.rungs[0].against["random"].low > 0.5


def test_former_names_are_those_of_today() -> None:
    assert mapkit.playtest_cards is mapkit.playtest_hexes is mapkit.playtest
    assert mapkit.playtest_compare_cards is mapkit.playtest_compare
    assert mapkit.referee_cards is mapkit.referee_hexes is mapkit.referee
    lines = mapkit.replay_cards("caminhos", mapkit.CardPlayTest(policies=("random",)), workspace=REPOSITORY)
    assert lines == mapkit.replay("caminhos", mapkit.GameRun(policies=("random",)), workspace=REPOSITORY).lines
    assert list(mapkit.hex_players()) == list(mapkit.list_policies("portugal-hex"))
