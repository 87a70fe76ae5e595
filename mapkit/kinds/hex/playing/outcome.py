"""Figures of one game by computer players."""

from dataclasses import dataclass, field

from mapkit.kinds.hex.playing.match import play_steps, players_by_seat
from mapkit.kinds.hex.playing.state import HexState
from mapkit.kinds.hex.playing.terms import NOBODY, HexTerms
from mapkit.kinds.hex.playing.turns import FREE_MOVES
from mapkit.kinds.hex.rules.colours import GOODS


@dataclass
class HexOutcome:
    """Figures of a game, by seat, city, colour, hexagon, or pair of cities.

    Args:
        seats: The player at each seat.
        points: At the end, of each seat.
        bonds: At the end, of each seat.
        winner: The seat with the most points; -1 in a tie.
        stalled: Whether the game was broken off.
        turns: How many there were.
        bids: What the first place cost all players together.
        used: City -> whether a cube came from it, was delivered to it, or passed it.
        left: Colour -> cubes on cities at the end.
        hexes: Hexagon -> lines of track there at the end.
        links: Pair of nodes -> deliveries over their links.
        incomes: Turn -> mean income of a player.
        debts: Turn -> mean bonds of a player.
        rotor_deliveries: Deliveries of the second colour of a rotor.
        mine_cubes: Cubes that mines brought.
        tile_deliveries: Deliveries to New City tiles.
    """

    seats: tuple[int, ...]
    points: list[int]
    bonds: list[int]
    winner: int
    stalled: bool
    turns: int
    deliveries: int
    bids: int
    used: list[bool]
    left: list[int]
    hexes: list[int]
    links: dict[tuple[int, int], int] = field(default_factory=dict)
    incomes: list[float] = field(default_factory=list)
    debts: list[float] = field(default_factory=list)
    rotor_deliveries: int = 0
    mine_cubes: int = 0
    tile_deliveries: int = 0


def play_outcome(terms: HexTerms, names: tuple[str, ...], seed: int, match: int) -> HexOutcome:
    """Play a game, and return its figures; it is the game of `play_steps` with the same arguments."""
    used, uses_by_pair = [False] * terms.city_count, dict[tuple[int, int], int]()
    incomes, debts = list[float](), list[float]()
    rotors = mine_cubes = tiles = bids = 0
    state: HexState | None = None
    turn, takes, bag_size, was_auction = 1, list[int](), 0, True
    for step, state_now in play_steps(terms, names, seed, match):
        move, state = step.move, state_now
        if move.kind == "deliver":
            node = move.city
            for number in move.way:
                link = state.links[number]
                pair = (min(link.a, link.b), max(link.a, link.b))
                uses_by_pair[pair] = uses_by_pair.get(pair, 0) + 1
                used[node] = True
                node = link.b if link.a == node else link.a
                if node < terms.city_count:
                    used[node] = True
            if node < terms.city_count:
                rotors += not takes[node] >> move.colour & 1
                tiles += state.urbanized[node]
        elif move.kind == "mine":
            mine_cubes += bag_size - len(state.bag)
        elif move.kind in ("bid", "pass") and was_auction and state.phase == "actions":
            bids += max(state.bids)
        if state.turn != turn or state.over:
            incomes.append(sum(terms.income_at(points) for points in state.points) / terms.players)
            debts.append(sum(state.bonds) / terms.players)
            turn = state.turn
        was_auction, bag_size = state.phase == "auction", len(state.bag)
        if move.kind not in FREE_MOVES:
            takes = list(state.takes)
    assert state is not None  # noqa: S101 - a game has moves
    best = max(state.points)
    return HexOutcome(
        seats=players_by_seat(names, match),
        points=state.points,
        bonds=state.bonds,
        winner=state.points.index(best) if state.points.count(best) == 1 else NOBODY,
        stalled=state.stalled,
        turns=state.turn,
        deliveries=sum(state.cubes_delivered),
        bids=bids,
        used=used,
        left=[sum(counts[colour] for counts in state.cubes) for colour in range(len(GOODS))],
        hexes=state.lines,
        links=uses_by_pair,
        incomes=incomes,
        debts=debts,
        rotor_deliveries=rotors,
        mine_cubes=mine_cubes,
        tile_deliveries=tiles,
    )
