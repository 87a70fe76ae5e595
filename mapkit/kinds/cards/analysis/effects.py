"""What investors do, as a graph: from an investor over its effect to what the effect is about."""

from typing import Any

from mapkit.core.heavy import networkx
from mapkit.kinds.cards.game import CardGame, Effect


def effect_graph(game: CardGame) -> "networkx.DiGraph[tuple[str, str]]":
    """Return the effects of a game as a graph.

    Nodes are pairs of what they are and their id: `("investor", "i450")`, `("effect", "chair")`, `("holding",
    "marley")`, `("level", "2")`. An effect has its `kind`, its `amount` and its `rank`, its place among all effects. It
    has edges to the holding and to the level that it is about, and one from its investor, if the source says whose it
    is.
    """
    graph: networkx.DiGraph[tuple[str, str]] = networkx.DiGraph()
    graph.add_nodes_from(("investor", one.id) for one in game.investors)
    every = [(one.id, effect) for one in game.investors for effect in one.effects]
    every += [("", effect) for effect in game.unassigned]
    for rank, (investor, effect) in enumerate(every):
        node = ("effect", effect.id)
        graph.add_node(node, kind=effect.kind, amount=effect.amount, rank=rank)
        if investor:
            graph.add_edge(("investor", investor), node)
        for about, ident in (("holding", effect.holding), ("level", effect.level)):
            if ident:
                graph.add_edge(node, (about, ident))
    return graph


def effects_of_graph(graph: "networkx.DiGraph[tuple[str, str]]") -> dict[str, tuple[Effect, ...]]:
    """Return the effects of each investor; those of no known investor are under the empty id."""
    out: dict[str, list[Effect]] = {ident: [] for what, ident in graph if what == "investor"}
    out[""] = []
    nodes: list[tuple[tuple[str, str], dict[str, Any]]] = [
        (node, data) for node, data in graph.nodes(data=True) if node[0] == "effect"
    ]
    for node, data in sorted(nodes, key=lambda one: one[1]["rank"]):
        about = dict(graph.successors(node))
        owner = next((ident for _, ident in graph.predecessors(node)), "")
        effect = Effect(
            id=node[1],
            kind=data["kind"],
            amount=data["amount"],
            holding=about.get("holding", ""),
            level=about.get("level", ""),
        )
        out[owner].append(effect)
    return {ident: tuple(found) for ident, found in out.items()}
