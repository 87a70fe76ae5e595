"""Delivery of cubes along links (RW-D), rotors (RW-R), and the search for deliveries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mapkit.kinds.hex.playing.state import HexState, has_city, name_colour, refuse_move, take_cube, taken_colours
from mapkit.kinds.hex.playing.terms import NOBODY, HexTerms, Move, TrackLink
from mapkit.kinds.hex.rules.colours import GOODS


def deliver_cube(terms: HexTerms, state: HexState, player: int, move: Move) -> int:
    """Carry out a delivery, and return the city or place that gets the cube (RW-D01 to RW-D07)."""
    if not has_city(terms, move.city) or not 0 <= move.colour < len(GOODS) or not state.cubes[move.city][move.colour]:
        refuse_move("RW-D01", "the city has no such cube")
    nodes = delivery_nodes(terms, state, player, move)
    take_cube(state, move.city, move.colour)
    for number in move.way:
        owner = state.links[number].owner
        if owner != NOBODY:
            state.points[owner] += terms.board.rules.delivery.points_per_link
    arrive(terms, state, player, nodes[-1])
    state.cubes_delivered[player] += 1
    state.longest_delivery[player] = max(state.longest_delivery[player], len(move.way))
    state.last_delivery_turn = state.turn
    return nodes[-1]


def delivery_nodes(terms: HexTerms, state: HexState, player: int, move: Move) -> list[int]:
    """Return the nodes of a delivery's way; refuse it if it breaks a rule (RW-D01 to RW-D07)."""
    rules, bit = terms.board.rules.delivery, 1 << move.colour
    if not move.way:
        refuse_move("RW-D03", "the cube does not move")
    if len(move.way) > state.engine[player]:
        refuse_move("RW-D02", f"{len(move.way)} links; the engine is of level {state.engine[player]}")
    nodes = [move.city]
    for place, number in enumerate(move.way):
        link = state.links[number]
        if nodes[-1] not in (link.a, link.b):
            refuse_move("RW-D01", f"link {place + 1} does not begin at {terms.node_ids[nodes[-1]]}")
        if place == 0 and rules.first_link_own and link.owner != player:
            refuse_move("RW-D05", "the first link belongs to another player")
        if place and not rules.links_of_others and link.owner != player:
            refuse_move("RW-D07", "only own links may be used")
        is_passing = place and not rules.pass_own_colour
        if is_passing and taken_colours(terms, state, nodes[-1]) & bit:
            refuse_move("RW-D04", f"{terms.node_ids[nodes[-1]]} takes {name_colour(move.colour)}; the cube ends there")
        nodes.append(other_end(link, nodes[-1]))
    if len(set(nodes)) != len(nodes):
        refuse_move("RW-D03", "the cube comes to a city twice")
    if not taken_colours(terms, state, nodes[-1]) & bit:
        refuse_move("RW-D03", f"{terms.node_ids[nodes[-1]]} does not take {name_colour(move.colour)}")
    return nodes


def other_end(link: TrackLink, node: int) -> int:
    """Return the node at the other end of a link."""
    return link.b if link.a == node else link.a


def arrive(terms: HexTerms, state: HexState, player: int, node: int) -> None:
    """Carry out what an arriving cube does: inn, first delivery, rotor."""
    if node in state.inns:
        owner, points = state.inns[node]
        state.points[owner] += points
    if node >= terms.city_count:
        return
    if not state.served[node]:
        state.served[node] = True
        award_first_delivery(terms, state, player, node)
    turn_rotor(terms, state, node)


def award_first_delivery(terms: HexTerms, state: HexState, player: int, city: int) -> None:
    """Give an open card for the first delivery to a city to the player who makes it (RW-K01)."""
    for number, card in enumerate(terms.cards):
        is_wanted = card.effect == "first-delivery" and state.card_lies[number]
        if is_wanted and (not card.cities or terms.node_ids[city] in card.cities):
            state.card_lies[number] = False
            state.points[player] += card.amount or 0
            return


def turn_rotor(terms: HexTerms, state: HexState, city: int) -> None:
    """Turn the rotor of a city to its next colour (RW-R03, RW-R04)."""
    if state.rotor[city] >= 0:
        state.rotor[city] = (state.rotor[city] + 1) % len(terms.wheels[city])


@dataclass(frozen=True, slots=True)
class FoundDelivery:
    """Possible delivery, with points for the player and for the others."""

    own: int
    others: int
    move: Move


def find_deliveries(terms: HexTerms, state: HexState, player: int, level: int) -> Iterator[FoundDelivery]:
    """Yield every delivery that an engine of a level can make: depth-first search over links."""
    for city in range(terms.city_count):
        colours = 0
        if state.links_at[city]:
            for colour, count in enumerate(state.cubes[city]):
                if count:
                    colours |= 1 << colour
        if colours:
            yield from _search_from(terms, state, player, level, (city, colours))


def _search_from(
    terms: HexTerms, state: HexState, player: int, level: int, start: tuple[int, int]
) -> Iterator[FoundDelivery]:
    city, colours = start
    rules, links, links_at = terms.board.rules.delivery, state.links, state.links_at
    stack: list[tuple[int, int, tuple[int, ...], Sequence[int], int, int]] = [(city, colours, (), (city,), 0, 0)]
    while stack:
        node, carried, way, visited, own, others = stack.pop()
        for number in links_at[node]:
            link = links[number]
            is_own = link.owner == player
            if not is_own and ((not way and rules.first_link_own) or (way and not rules.links_of_others)):
                continue
            end = link.b if link.a == node else link.a
            if end in visited:
                continue
            next_own = own + rules.points_per_link if is_own else own
            next_others = others if is_own or link.owner == NOBODY else others + rules.points_per_link
            taken = taken_colours(terms, state, end) & carried
            next_way = (*way, number)
            for colour in range(len(GOODS) if taken else 0):
                if taken >> colour & 1:
                    move = Move("deliver", city=city, colour=colour, way=next_way)
                    yield FoundDelivery(next_own, next_others, move)
            remaining = carried if rules.pass_own_colour else carried & ~taken
            if remaining and len(next_way) < level:
                stack.append((end, remaining, next_way, (*visited, end), next_own, next_others))
