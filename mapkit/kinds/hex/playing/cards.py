"""Operations cards and baron cards (RW-K), by their effects."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from mapkit.kinds.hex.playing.building import check_way, crossing_cost, lay_way, way_tiles
from mapkit.kinds.hex.playing.state import (
    HexState,
    draw_cubes,
    has_city,
    pay_bank,
    put_cubes,
    refuse_move,
    remove_marker,
    take_cube,
)
from mapkit.kinds.hex.playing.terms import NOBODY, HexTerms, Move

AWARDED: Final = ("first-delivery", "major-line")
"""Effects of cards that lie open until somebody does what they say; nobody takes them."""
_ON_TAKING: Final = ("hotel", "executive")
"""Effects of kept cards that begin when the card is taken."""


def take_card(terms: HexTerms, state: HexState, player: int, move: Move) -> None:
    """Take an open card as an action: its effect comes at once, or it is kept (RW-K01)."""
    if not 0 <= move.card < len(terms.cards) or not state.card_lies[move.card]:
        refuse_move("RW-K01", "no such card lies open")
    card = terms.cards[move.card]
    if card.effect in AWARDED:
        refuse_move("RW-K01", f"{card.title} goes to the player who does what it says; it is not taken")
    if card.when == "at-once" or card.effect in _ON_TAKING:
        carry_out_effect(terms, state, player, move)
    if card.when == "kept":
        state.card_holder[move.card] = player
    state.card_lies[move.card] = False


def use_card(terms: HexTerms, state: HexState, player: int, move: Move) -> None:
    """Use a kept card before an action; it is gone then (RW-K01)."""
    is_held = 0 <= move.card < len(terms.cards) and state.card_holder[move.card] == player
    if not is_held or terms.cards[move.card].effect in _ON_TAKING:
        refuse_move("RW-K01", "the player keeps no such card to use")
    carry_out_effect(terms, state, player, move)
    state.card_holder[move.card] = NOBODY


def carry_out_effect(terms: HexTerms, state: HexState, player: int, move: Move) -> None:
    """Carry out the effect of a card."""
    effect = _EFFECTS.get(terms.cards[move.card].effect)
    if effect is not None:
        effect(terms, state, player, move)


def _open_inn(terms: HexTerms, state: HexState, player: int, move: Move) -> None:
    if not has_city(terms, move.city) or move.city in state.inns:
        refuse_move("RW-K01", "the inn goes to a city without one")
    state.inns[move.city] = (player, terms.cards[move.card].amount or 0)


def _build_free(terms: HexTerms, state: HexState, player: int, move: Move) -> None:
    tiles = way_tiles(terms, move.way)
    if not 1 <= len(tiles) <= (terms.cards[move.card].amount or 0):
        refuse_move("RW-K01", f"the card gives 1 to {terms.cards[move.card].amount or 0} tiles")
    check_way(terms, state, player, move.way)
    if not all(terms.is_plains[tile] for tile in tiles):
        refuse_move("RW-K01", "the card gives tiles on plains")
    pay_bank(terms, state, player, crossing_cost(terms, move.way))
    lay_way(terms, state, player, move.way)


def _open_industry(terms: HexTerms, state: HexState, _player: int, move: Move) -> None:
    if not has_city(terms, move.city):
        refuse_move("RW-K01", "the cubes go on a city")
    drawn = draw_cubes(state, terms.cards[move.card].amount or 0)
    if drawn:
        remove_marker(terms, state, move.city)
    put_cubes(state, move.city, drawn)


def _take_marker(terms: HexTerms, state: HexState, _player: int, move: Move) -> None:
    if not has_city(terms, move.city) or not state.marked[move.city]:
        refuse_move("RW-K02", "the city has no empty city marker")
    remove_marker(terms, state, move.city)
    put_cubes(state, move.city, draw_cubes(state, terms.cards[move.card].amount or 0))


def _move_cube(terms: HexTerms, state: HexState, player: int, move: Move) -> None:
    cities = (move.city, move.target)
    if not all(has_city(terms, city) for city in cities) or not state.cubes[move.city][move.colour]:
        refuse_move("RW-K01", "a cube moves from a city that has it to another city")
    if not any(
        link.owner == player and {link.a, link.b} == {move.city, move.target} and move.city != move.target
        for link in state.links
    ):
        refuse_move("RW-K01", "no link of the player joins the two cities")
    take_cube(state, move.city, move.colour)
    put_cubes(state, move.target, [move.colour])
    remove_marker(terms, state, move.target)


def _take_money(terms: HexTerms, state: HexState, player: int, move: Move) -> None:
    state.cash[player] += max(0, terms.cards[move.card].amount or 0)


def _be_first(_terms: HexTerms, state: HexState, player: int, _move: Move) -> None:
    state.executives.append(player)


_EFFECTS: Final[Mapping[str, Callable[[HexTerms, HexState, int, Move], None]]] = MappingProxyType(
    {
        "hotel": _open_inn,
        "land-grant": _build_free,
        "new-industry": _open_industry,
        "take-marker": _take_marker,
        "trading-depot": _move_cube,
        "money": _take_money,
        "executive": _be_first,
    }
)
"""Effect -> its procedure. `other` has none: the table decides."""


def award_lines(terms: HexTerms, state: HexState, player: int) -> None:
    """Give the points of major lines that a player's own links complete, once each."""
    for number, line in enumerate(terms.board.lines):
        if state.lines_done[number] == NOBODY and joins_cities(terms, state, player, line.cities):
            state.lines_done[number] = player
            state.points[player] += line.points
    for number, card in enumerate(terms.cards):
        is_wanted = card.effect == "major-line" and state.card_lies[number] and card.cities
        if is_wanted and joins_cities(terms, state, player, card.cities):
            state.card_lies[number] = False
            state.points[player] += card.amount or 0


def joins_cities(terms: HexTerms, state: HexState, player: int, city_ids: tuple[str, ...]) -> bool:
    """Return whether the own links of a player join all these cities."""
    if not city_ids or any(city not in terms.node_ids for city in city_ids):
        return False
    wanted = {terms.node_ids.index(city) for city in city_ids}
    reached, waiting = set[int](), [min(wanted)]
    while waiting:
        node = waiting.pop()
        reached.add(node)
        for number in state.links_at[node]:
            link = state.links[number]
            end = link.b if link.a == node else link.a
            if link.owner == player and end not in reached:
                waiting.append(end)
    return wanted <= reached


def baron_points(terms: HexTerms, state: HexState, player: int) -> int:
    """Return the points of a player's baron card if its goal is reached (RW-K03, RW-Z06)."""
    if not state.barons:
        return 0
    card = terms.board.barons[state.barons[player]]
    if card.effect == "connect":
        return card.points if joins_cities(terms, state, player, card.cities) else 0
    counts = _goal_counts(terms, state, card.effect)
    is_reached = bool(counts) and counts[player] == max(counts) and (card.effect == "fewest-bonds" or max(counts) > 0)
    return card.points if is_reached else 0


def _goal_counts(terms: HexTerms, state: HexState, effect: str) -> list[int]:
    """Return by player the count that a goal compares; ties reach it together."""
    players = range(terms.players)
    own_links = [[link for link in state.links if link.owner == player] for player in players]
    counts = {
        "most-cubes": state.cubes_delivered,
        "most-links": [len(links) for links in own_links],
        "longest-way": state.longest_delivery,
        "fewest-bonds": [-bonds for bonds in state.bonds],
        "best-engine": state.engine,
        "most-cities": [len({node for link in links for node in (link.a, link.b)}) for links in own_links],
    }
    return counts.get(effect, [])
