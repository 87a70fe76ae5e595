"""Track: building, open track, links, New City tiles, engines and mines (RW-B, RW-E, RW-M)."""

from collections.abc import Sequence
from itertools import pairwise

from mapkit.kinds.hex.playing.state import (
    HexState,
    draw_cubes,
    has_city,
    name_colour,
    pay_bank,
    put_cubes,
    refuse_move,
    remove_marker,
)
from mapkit.kinds.hex.playing.terms import NOBODY, HexTerms, Move, TrackLink


def edge_key(one: int, other: int) -> tuple[int, int]:
    """Return the edge between two hexagons."""
    return (one, other) if one < other else (other, one)


def build_track(terms: HexTerms, state: HexState, player: int, way: Sequence[int]) -> None:
    """Build a stretch of 1 to 4 tiles (RW-B01 to RW-B08)."""
    rules = terms.board.rules.track
    new_tiles = way_tiles(terms, way)
    if not rules.least_tiles <= len(new_tiles) <= rules.most_tiles:
        refuse_move("RW-B01", f"{len(new_tiles)} tiles; lay {rules.least_tiles} to {rules.most_tiles} in an action")
    check_way(terms, state, player, way)
    pay_bank(terms, state, player, way_cost(terms, way))
    lay_way(terms, state, player, way)


def way_tiles(terms: HexTerms, way: Sequence[int]) -> Sequence[int]:
    """Return the hexagons of a stretch that get a new tile: all after the start but a city at the end."""
    ends_in_city = len(way) > 1 and terms.city_at[way[-1]] != NOBODY
    return way[1:-1] if ends_in_city else way[1:]


def way_cost(terms: HexTerms, way: Sequence[int]) -> int:
    """Return the price of a stretch: its tiles, and the edges that it crosses (RW-B03 to RW-B06)."""
    return sum(terms.tile_costs[tile] for tile in way_tiles(terms, way)) + crossing_cost(terms, way)


def crossing_cost(terms: HexTerms, way: Sequence[int]) -> int:
    """Return the price of the edges that a stretch crosses (RW-B06)."""
    return sum(terms.steps[one][other] for one, other in pairwise(way))


def check_way(terms: HexTerms, state: HexState, player: int, way: Sequence[int]) -> None:
    """Refuse a stretch that cannot be laid (RW-B02, RW-B07).

    A second line in a hexagon replaces its tile by one of two lines, if the board has such tiles; it pays the terrain
    again. No two lines cross one edge.
    """
    if len(way) < 2:  # noqa: PLR2004 - a start and a tile
        refuse_move("RW-B01", "no tile is laid")
    if terms.city_at[way[0]] == NOBODY and find_open_track(state, player, way[0]) is None:
        refuse_move("RW-B02", f"track begins at {terms.hex_ids[way[0]]}; begin at a city or the end of own open track")
    for one, other in pairwise(way):
        if other not in terms.steps[one]:
            refuse_move("RW-B02", f"no track leads from {terms.hex_ids[one]} to {terms.hex_ids[other]}")
        if edge_key(one, other) in state.edges:
            refuse_move("RW-B02", f"track crosses from {terms.hex_ids[one]} to {terms.hex_ids[other]} already")
    track = find_open_track(state, player, way[0]) or (way[0],)
    whole = (*track[:-1], *way)
    if len(set(whole)) != len(whole):
        refuse_move("RW-B07", "a link leads from one city to another and enters no hexagon twice")
    _check_tiles(terms, state, way)


def _check_tiles(terms: HexTerms, state: HexState, way: Sequence[int]) -> None:
    for tile in way_tiles(terms, way):
        if terms.city_at[tile] != NOBODY:
            refuse_move("RW-B07", f"track passes the city in {terms.hex_ids[tile]}; a link ends at a city")
        if terms.tile_costs[tile] < 0:
            refuse_move("RW-B03", f"no tile may be laid on {terms.hex_ids[tile]}")
        if state.lines[tile] >= terms.lines_per_hex:
            refuse_move("RW-B02", f"{terms.hex_ids[tile]} holds no more track")


def find_open_track(state: HexState, player: int, end: int) -> tuple[int, ...] | None:
    """Return the own open track that ends in a hexagon (RW-B02, D64)."""
    return next((track for track in state.open_tracks[player] if track[-1] == end and len(track) > 1), None)


def lay_way(terms: HexTerms, state: HexState, player: int, way: Sequence[int]) -> None:
    """Put the tiles of a legal stretch on the board; one that reaches a city becomes a link (RW-B07)."""
    continued = find_open_track(state, player, way[0]) if terms.city_at[way[0]] == NOBODY else None
    if continued is not None:
        state.open_tracks[player].remove(continued)
    whole = (*(continued or way[:1]), *way[1:])
    for tile in way_tiles(terms, way):
        state.lines[tile] += 1
    for one, other in pairwise(way):
        state.edges.add(edge_key(one, other))
    end = terms.city_at[whole[-1]]
    if end == NOBODY:
        state.open_tracks[player].append(whole)
    else:
        add_link(state, TrackLink(terms.city_at[whole[0]], end, player, whole[1:-1]))


def add_link(state: HexState, link: TrackLink) -> None:
    """Add a link to the board."""
    for node in (link.a, link.b):
        state.links_at[node].append(len(state.links))
    state.links.append(link)


def remove_open_track(state: HexState) -> None:
    """Remove all open track at the end of the actions; nothing is paid back (RW-B08)."""
    for player, tracks in enumerate(state.open_tracks):
        for track in tracks:
            for tile in track[1:]:
                state.lines[tile] -= 1
            for one, other in pairwise(track):
                state.edges.discard(edge_key(one, other))
        state.open_tracks[player] = []


def build_printed_link(terms: HexTerms, state: HexState, player: int, way: Sequence[int]) -> None:
    """Build a printed link for its price; it belongs to its first builder."""
    if len(way) != 1 or way[0] not in state.printed_left:
        refuse_move("RW-B07", "this printed link has an owner, or cannot be built")
    number = way[0]
    state.printed_left.remove(number)
    pay_bank(terms, state, player, terms.board.links[number].cost)
    add_link(state, printed_link(terms, number, player))


def printed_link(terms: HexTerms, number: int, owner: int) -> TrackLink:
    """Return a printed link as a link between nodes."""
    row = terms.board.links[number]
    return TrackLink(terms.node_ids.index(row.a), terms.node_ids.index(row.id if row.b is None else row.b), owner)


def urbanize(terms: HexTerms, state: HexState, player: int, move: Move) -> None:
    """Lay a New City tile on a gray city, with cubes from the bag (RW-E01, RW-C05, RW-Z04)."""
    rules, city = terms.board.rules.urbanize, move.city
    if not has_city(terms, city) or state.takes[city]:
        refuse_move("RW-E01", "a New City tile goes on a gray city")
    if state.new_tiles is not None:
        if state.new_tiles[move.colour] <= 0:
            refuse_move("RW-E01", f"no New City tile of {name_colour(move.colour)} is left")
        state.new_tiles[move.colour] -= 1
    pay_bank(terms, state, player, rules.price)
    state.takes[city], state.urbanized[city] = 1 << move.colour, True
    remove_marker(terms, state, city)
    put_cubes(state, city, draw_cubes(state, rules.cubes))


def upgrade_engine(terms: HexTerms, state: HexState, player: int) -> None:
    """Upgrade an engine by one step, for the price of the next one (RW-E02)."""
    rules = terms.board.rules.engine
    step = state.engine[player] - rules.first_level
    if step >= len(rules.prices):
        refuse_move("RW-E02", f"the engine has the highest level, {state.engine[player]}")
    pay_bank(terms, state, player, rules.prices[step])
    state.engine[player] += 1


def place_mine(terms: HexTerms, state: HexState, player: int, city: int) -> list[int]:
    """Place a mine at a gray city; cubes are drawn until a colour repeats, which is discarded (RW-M01 to RW-M05)."""
    rules = terms.board.rules.mines
    if not rules.enabled:
        refuse_move("RW-T03", "mines are an option, and it is off")
    if state.mines_left[player] <= 0:
        refuse_move("RW-M01", f"all {rules.uses} mines of the player are placed")
    if not has_city(terms, city) or state.takes[city]:
        refuse_move("RW-M03", "a mine goes to a gray city")
    if state.mined[city] >= rules.per_city:
        refuse_move("RW-M03", f"{terms.node_ids[city]} has had its mine")
    pay_bank(terms, state, player, rules.price)
    state.mines_left[player] -= 1
    state.mined[city] += 1
    drawn: list[int] = []
    for _ in range(rules.most_draws):
        drawn += draw_cubes(state, 1)
        if len(set(drawn)) < len(drawn):
            break
    put_cubes(state, city, drawn[:-1] if len(set(drawn)) < len(drawn) else drawn)
    return drawn
