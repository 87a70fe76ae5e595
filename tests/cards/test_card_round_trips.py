"""Card games as JSON, as rows and as a graph of effects, and back: shipped ones, and random ones."""

import json
from pathlib import Path

import networkx as nx
import pytest
from cardgames import card_games, changed, game
from conftest import Run
from hypothesis import given, settings

import mapkit
from mapkit.core.errors import SourceError
from mapkit.core.jsontext import json_text
from mapkit.kinds.cards.analysis.effects import effect_graph, effects_of_graph
from mapkit.kinds.cards.checks import CHECKS
from mapkit.kinds.cards.exchange.game_rows import document_of_game
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.kind import CARDS

pytestmark = pytest.mark.slow


@settings(max_examples=60, deadline=None)
@given(card_games())
def test_a_game_is_the_same_after_json_and_after_its_source_package(made: CardGame) -> None:
    text = json_text(made)
    again = CardGame.model_validate(json.loads(text))
    assert (again, json_text(again)) == (made, text)
    document = document_of_game(again)
    files = CARDS.plan_files(document, CARDS.document(), {}).write
    compiled = CARDS.compile(CARDS.document_of(files), board_id="random")
    assert compiled.problems == ()
    assert compiled.board.model_dump() == made.model_dump()


@settings(max_examples=60, deadline=None)
@given(card_games())
def test_effects_are_the_same_after_their_graph(made: CardGame) -> None:
    data = json.loads(json.dumps(nx.node_link_data(effect_graph(made), edges="edges")))
    for node in data["nodes"]:
        node["id"] = tuple(node["id"])
    for edge in data["edges"]:
        edge["source"], edge["target"] = tuple(edge["source"]), tuple(edge["target"])
    found = effects_of_graph(nx.DiGraph(nx.node_link_graph(data, edges="edges")))
    assert found == {"": made.unassigned, **{one.id: one.effects for one in made.investors}}


def test_the_graph_of_the_published_game() -> None:
    """BA-C28 to BA-C30: the $450 investor leads to MS&C twice, and to level 2."""
    graph = effect_graph(game())
    about = nx.descendants(graph, ("investor", "i450"))
    assert {node for node in about if node[0] != "effect"} == {("holding", "marley"), ("level", "2")}
    assert graph.nodes["effect", "chair"] == {"kind": "director", "amount": 100, "rank": 1}
    assert sum(graph.in_degree(node) == 0 for node in graph if node[0] == "effect") == 3


@pytest.mark.parametrize("name", ["barons", "caminhos"])
def test_a_board_file_becomes_a_source_package_and_a_step(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("export", name, "--to", "json", "-o", "out").code == 0
    assert "nothing written; give --into BOARD" in run("import", f"out/{name}.json").err
    assert run("import", f"out/{name}.json", "--into", "mine").code == 0
    mine = mapkit.load_cards("mine").board
    assert mine.model_dump() == game(name).model_dump() | {"id": "mine"}
    data = json.loads((tmp_path / "out" / f"{name}.json").read_text(encoding="utf-8"))
    data["investors"][0]["value"] = 35
    (tmp_path / "edited.json").write_text(json.dumps(data), encoding="utf-8")
    assert "1 rows would change" in run("import", "edited.json", "--into", "mine", "--dry-run").err
    assert "1 rows changed" in run("import", "edited.json", "--into", "mine").err
    assert mapkit.load_cards("mine").board.investors[0].value == 35
    assert run("undo", "mine").code == 0
    assert mapkit.load_cards("mine").board.investors[0].value == game(name).investors[0].value
    data["holdings"][0]["operators"] = -1
    data["track"][0]["start"] = "yes, please"
    (tmp_path / "edited.json").write_text(json.dumps(data), encoding="utf-8")
    found = run("import", "edited.json", "--into", "other")
    assert found.code == 1
    assert "edited.json" in found.err
    assert not (tmp_path / "sources" / "other").exists()


def test_an_id_that_stands_twice_is_refused() -> None:
    twice = game().model_copy(update={"investors": (*game().investors, game().investors[0])})
    with pytest.raises(SourceError, match=r"b\.json: investors: the id 'i30' appears twice"):
        document_of_game(twice, "b.json")


def k20(game: CardGame) -> list[str]:
    return [found.message for check in CHECKS if check.code == "K20" for found in check.find(game)]


def test_money_that_nobody_can_have_is_found() -> None:
    """K20: with face values there is 200 each, the investors, and the capital of five holdings."""
    fair = changed("setup", bids="face").game
    assert k20(fair) == []
    first = fair.railroads[0]
    dear = first.model_copy(update={"faces": (first.faces[0].model_copy(update={"cost": 7000}),)})
    assert k20(fair.model_copy(update={"railroads": (dear, *fair.railroads[1:])})) == [
        "a-2 costs $7,000, and there are $6,660 at most when it can be bought; make it cheaper, or move its row down"
    ]
    idle = tuple(one.model_copy(update={"operators": 0}) for one in fair.holdings)
    assert k20(fair.model_copy(update={"holdings": idle})) == [
        "no holding can buy a railroad without an operator; give holdings some"
    ]
    broke = changed("setup", bids="face", cash=0).game.model_copy(update={"investors": ()})
    assert k20(broke) == ["players have $0 at most, and no holding operates for less than $350"]
