"""The bridge to networkx and the graph formats, as other programs read them."""

import re
from pathlib import Path

import networkx as nx
import pytest

import mapkit
from mapkit.core.errors import SourceError
from mapkit.kinds.rail.exchange.graphs.gexf import gexf_text
from mapkit.kinds.rail.exchange.graphs.graphml import graphml_text
from mapkit.kinds.rail.exchange.graphs.networkx_bridge import from_networkx, to_networkx


def test_the_graph_is_keyed_by_railroad(tiny: mapkit.Board) -> None:
    graph = to_networkx(tiny)
    assert graph.number_of_nodes() == 7
    assert graph.number_of_edges() == len(tiny.segments) == 12
    assert sorted(graph["cedar"]["dale"]) == ["blue", "red"]
    assert graph.nodes["fir-gum"]["cities"] == "Fir / Gum"
    assert nx.shortest_path_length(graph, "ash", "fir-gum") == mapkit.route(tiny, "Ash", "Fir").mileposts
    assert from_networkx(graph) == tiny


def test_what_an_analyst_changes_comes_back(tiny: mapkit.Board) -> None:
    graph = to_networkx(tiny)
    graph.remove_edge("ash", "birch", key="red")
    graph.add_node("inn", name="Inn", lon=-99.5, lat=41.6)
    graph.add_edge("inn", "ash", key="green")
    board = from_networkx(graph)
    assert {s.id for s in board.segments} ^ {s.id for s in tiny.segments} == {"red--ash--birch", "green--ash--inn"}
    inn = next(m for m in board.mileposts if m.id == "inn")
    assert (inn.name, inn.kind, inn.lon, inn.lat) == ("Inn", "dot", -99.5, 41.6)
    assert next(p for p in board.pieces if p.id == "green--ash--inn").line == ((-100.0, 42.0), (-99.5, 41.6))
    assert board.payoffs == tiny.payoffs


def test_a_graph_of_somebody_else_is_refused() -> None:
    with pytest.raises(SourceError, match="the graph attribute 'mapkit' is missing"):
        from_networkx(nx.path_graph(3))


def test_networkx_reads_both_xml_formats(tmp_path: Path, tiny: mapkit.Board) -> None:
    (tmp_path / "tiny.graphml").write_text(graphml_text(tiny), encoding="utf-8")
    (tmp_path / "tiny.gexf").write_text(gexf_text(tiny), encoding="utf-8")
    for graph in (nx.read_graphml(tmp_path / "tiny.graphml"), nx.read_gexf(tmp_path / "tiny.gexf")):
        assert set(graph.nodes) == {m.id for m in tiny.mileposts}
        found = sorted((values["railroad"], values["miles"]) for _, _, values in graph.edges(data=True))
        assert found == sorted((s.railroad, s.miles) for s in tiny.segments)
    text = (tmp_path / "tiny.graphml").read_text(encoding="utf-8")
    assert 'attr.name="id"' not in text  # it would hide the ids of edges, which are those of segments
    assert 'id="red--ash--birch"' in text
    assert '<data key="d13">red--ash--birch</data>' in text
    edges = re.findall(r'<edge source="([^"]*)" target="([^"]*)" [^>]*kind="([^"]*)" label="([^"]*)"',
                       (tmp_path / "tiny.gexf").read_text(encoding="utf-8"))  # fmt: skip
    assert len({edge[:3] for edge in edges}) == len(tiny.segments)  # Gephi merges edges of one kind
    assert all(kind == label for _, _, kind, label in edges)
    assert "mapkit" not in nx.read_gexf(tmp_path / "tiny.gexf").graph
