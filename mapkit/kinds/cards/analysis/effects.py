"""Effects of investors as a graph: from an investor over its effect to the holding or level concerned."""

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
    graph.add_nodes_from(("investor", investor_row.id) for investor_row in game.investors)
    owned_effects = [(investor_row.id, effect) for investor_row in game.investors for effect in investor_row.effects]
    owned_effects += [("", effect) for effect in game.unassigned]
    for rank, (investor, effect) in enumerate(owned_effects):
        node = ("effect", effect.id)
        graph.add_node(node, kind=effect.kind, amount=effect.amount, rank=rank)
        if investor:
            graph.add_edge(("investor", investor), node)
        for target_kind, ident in (("holding", effect.holding), ("level", effect.level)):
            if ident:
                graph.add_edge(node, (target_kind, ident))
    return graph


def effects_of_graph(graph: "networkx.DiGraph[tuple[str, str]]") -> dict[str, tuple[Effect, ...]]:
    """Return the effects of each investor; those without a known investor are under the empty id."""
    effects_by_investor: dict[str, list[Effect]] = {ident: [] for node_kind, ident in graph if node_kind == "investor"}
    effects_by_investor[""] = []
    effect_nodes: list[tuple[tuple[str, str], dict[str, Any]]] = [
        (node, data) for node, data in graph.nodes(data=True) if node[0] == "effect"
    ]
    for node, data in sorted(effect_nodes, key=lambda one: one[1]["rank"]):
        target_by_kind = dict(graph.successors(node))
        owner_id = next((ident for _, ident in graph.predecessors(node)), "")
        effect = Effect(
            id=node[1],
            kind=data["kind"],
            amount=data["amount"],
            holding=target_by_kind.get("holding", ""),
            level=target_by_kind.get("level", ""),
        )
        effects_by_investor[owner_id].append(effect)
    return {ident: tuple(investor_effects) for ident, investor_effects in effects_by_investor.items()}
