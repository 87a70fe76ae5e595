"""Findings on games: what makes them odd on a board, though they can be played."""

from mapkit.kinds.hex.playing.terms import COLOUR_BITS, NOBODY, HexTerms
from mapkit.kinds.hex.rules.colours import GOODS


def play_findings(terms: HexTerms) -> tuple[str, ...]:
    """Return what makes games on a board odd, though they can be played."""
    findings = [*_find_unlinked_cities(terms), *_find_undeliverable_colours(terms)]
    filled = sum(city.cubes_for(terms.players) > 0 for city in terms.board.cities)
    if filled < terms.markers:
        findings.append(f"{filled} cities have cubes, and {terms.markers} markers end the game: it may not end")
    if terms.markers < terms.players:
        findings.append(f"{terms.markers} markers for {terms.players} players: the game may end before all deliver")
    return tuple(findings)


def linkable_groups(terms: HexTerms) -> list[set[int]]:
    """Return the nodes that track or printed links can join, group by group, the largest first."""
    printed_ends: dict[int, set[int]] = {node: set() for node in range(len(terms.node_ids))}
    twins: dict[str, list[int]] = {}
    for number, city in enumerate(terms.board.cities):
        if city.twins:
            twins.setdefault(city.twins, []).append(number)
    links = [(terms.node_ids.index(link.a), terms.node_ids.index(link.b or link.id)) for link in terms.board.links]
    for one, other in (*links, *((group[0], city) for group in twins.values() for city in group[1:])):
        printed_ends[one].add(other)
        printed_ends[other].add(one)
    groups, waiting_nodes = list[set[int]](), set(printed_ends)
    while waiting_nodes:
        group, queue = set[int](), [min(waiting_nodes)]
        while queue:
            node = queue.pop()
            if node not in group:
                group.add(node)
                queue += printed_ends[node]
                queue += _cities_by_track(terms, node) if node < terms.city_count else ()
        waiting_nodes -= group
        groups.append(group)
    return sorted(groups, key=len, reverse=True)


def _cities_by_track(terms: HexTerms, city: int) -> set[int]:
    """Return the cities that track from a city reaches over open ground: breadth-first search."""
    start = terms.city_hexes[city]
    reached, queue, cities = {start}, [start], set[int]()
    while queue:
        hexagon = queue.pop()
        for neighbour in terms.steps[hexagon]:
            end = terms.city_at[neighbour]
            if end != NOBODY:
                if hexagon != start:  # a link has a tile
                    cities.add(end)
            elif neighbour not in reached and terms.tile_costs[neighbour] >= 0:
                reached.add(neighbour)
                queue.append(neighbour)
    return cities


def _find_unlinked_cities(terms: HexTerms) -> list[str]:
    groups = linkable_groups(terms)
    if not groups or len(groups[0]) == 1:
        return ["no two cities can be linked: nothing can be delivered"]
    unlinked = ", ".join(terms.node_ids[node] for node in sorted(node for group in groups[1:] for node in group))
    return [f"the land is not connected: no link joins {unlinked} to the {len(groups[0])} others"] if unlinked else []


def _find_undeliverable_colours(terms: HexTerms) -> list[str]:
    homes = 0
    for city in terms.board.cities:
        for colour in city.wants:
            homes |= COLOUR_BITS[colour]
    for link in terms.board.links:
        for colour in link.colours:
            homes |= COLOUR_BITS.get(colour, 0)
    homeless = [colour for colour in GOODS if not homes & COLOUR_BITS[colour]]
    if not homeless:
        return []
    return [f"no city takes {', '.join(homeless)}: cubes of that colour stay until a New City tile is laid"]
