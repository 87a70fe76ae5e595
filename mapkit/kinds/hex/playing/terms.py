"""Board of hexagons as numbers, for play, and the moves of a game.

Nodes are the cities, then the places off the board that printed links lead to. Colours are numbers of `GOODS`, and sets
of colours are bit masks. Amounts are whole dollars.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mapkit.core.errors import BoardError, ChoiceError
from mapkit.kinds.hex.grid.cubes import Cube
from mapkit.kinds.hex.model.board import HexBoard, OperationsCard
from mapkit.kinds.hex.rules.colours import GOODS

NOBODY: Final = -1
OPEN_CARDS_PER_PLAYER: Final = 2
"""Operations cards that lie open for each player, beside the marked ones; of public descriptions (G16)."""
COLOUR_BITS: Final[dict[str, int]] = {colour: 1 << number for number, colour in enumerate(GOODS)}
MOST_TURNS: Final = 300
"""Turns after which a game that cannot end is broken off."""
STALLED_TURNS: Final = 25
"""Turns in a row without a delivery after which a game is broken off."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move; numbers of cities, hexagons, links, cards and colours are those of the terms and the state.

    Args:
        kind: bid, pass, build, link, urbanize, engine, deliver, card, mine, use, repay, or rest.
        amount: Of a bid.
        city: The city of an action or a card.
        colour: Of a cube or a New City tile.
        way: Hexagons of a build, from its start; links of a delivery, in order; the row of a printed link.
        card: The operations card.
        target: The city to which a card moves a cube.
    """

    kind: str
    amount: int = 0
    city: int = NOBODY
    colour: int = NOBODY
    way: tuple[int, ...] = ()
    card: int = NOBODY
    target: int = NOBODY


@dataclass(frozen=True, slots=True)
class TrackLink:
    """A link between two nodes; printed ones have no hexagons."""

    a: int
    b: int
    owner: int
    hexes: tuple[int, ...] = ()


@dataclass(frozen=True)
class HexTerms:
    """What a game is played with: the board, and the number of players. It can be pickled."""

    board: HexBoard
    players: int

    @cached_property
    def markers(self) -> int:
        """Return the number of empty city markers (RW-Z02)."""
        return self.board.rules.end.markers_for(self.players) or 0

    @cached_property
    def node_ids(self) -> tuple[str, ...]:
        """Return the ids of all nodes: cities, then the links that lead off the board."""
        return (*(city.id for city in self.board.cities), *(link.id for link in self.board.links if link.b is None))

    @cached_property
    def hex_ids(self) -> tuple[str, ...]:
        """Return the ids of all hexagons."""
        return tuple(hexagon.id for hexagon in self.board.hexes)

    @cached_property
    def city_count(self) -> int:
        """Return the number of cities."""
        return len(self.board.cities)

    @cached_property
    def city_hexes(self) -> tuple[int, ...]:
        """Return the hexagon of each city."""
        number_by_hex = {hex_id: number for number, hex_id in enumerate(self.hex_ids)}
        return tuple(number_by_hex[city.hex] for city in self.board.cities)

    @cached_property
    def city_at(self) -> tuple[int, ...]:
        """Return the city in each hexagon, or -1."""
        cities = [NOBODY] * len(self.hex_ids)
        for city, hexagon in enumerate(self.city_hexes):
            cities[hexagon] = city
        return tuple(cities)

    @cached_property
    def tile_costs(self) -> tuple[int, ...]:
        """Return the price of a tile in each hexagon, or -1 where none may be laid (RW-B03 to RW-B05)."""
        cost_by_terrain = {terrain.id: terrain.cost for terrain in self.board.terrains}
        costs = (cost_by_terrain[hexagon.terrain] for hexagon in self.board.hexes)
        return tuple(-1 if cost is None else cost for cost in costs)

    @cached_property
    def steps(self) -> tuple[dict[int, int], ...]:
        """Return for each hexagon its neighbours, with the price of crossing the edge (RW-B06)."""
        grid = self.board.grid
        number_by_hex = {hex_id: number for number, hex_id in enumerate(self.hex_ids)}
        edge_by_id = {edge.id: edge for edge in self.board.edges}
        crossing: dict[frozenset[str], int] = {}
        for edge in edge_by_id.values():
            crossing[frozenset(edge.hexes)] = -1 if "impassable" in edge.kinds else edge.cost
        found_steps: list[dict[int, int]] = []
        for hex_id in self.hex_ids:
            cube = grid.hex_of(hex_id)
            neighbours: dict[int, int] = {}
            if cube is not None:
                for q, r in cube.neighbours():
                    neighbour = Cube(q, r)
                    if neighbour in grid:
                        neighbour_id = grid.hex_id(neighbour)
                        cost = crossing.get(frozenset((hex_id, neighbour_id)), 0)
                        if cost >= 0:
                            neighbours[number_by_hex[neighbour_id]] = cost
            found_steps.append(neighbours)
        return tuple(found_steps)

    @cached_property
    def is_plains(self) -> tuple[bool, ...]:
        """Return whether each hexagon is plains."""
        return tuple(hexagon.terrain == "plains" for hexagon in self.board.hexes)

    @cached_property
    def lines_per_hex(self) -> int:
        """Return how many lines of track a hexagon may hold: as many as the tile of most lines has (G17)."""
        counts = [one.lines for one in self.board.components if one.kind == "tile" and one.count != 0]
        return max(counts, default=1)

    @cached_property
    def wheels(self) -> tuple[tuple[int, ...], ...]:
        """Return the wheel of each city's rotor; empty where it has none (RW-R04)."""
        rotors = self.board.rules.rotors
        return tuple(
            tuple(GOODS.index(colour) for colour in (city.wheel or rotors.wheel or ()))
            if rotors.enabled and city.rotor
            else ()
            for city in self.board.cities
        )

    @cached_property
    def cards(self) -> tuple[OperationsCard, ...]:
        """Return each operations card in the game, copies too (RW-A10)."""
        is_worst_first = self.board.rules.auction.style == "worst-is-first"
        return tuple(
            card
            for card in self.board.operations
            for _ in range(card.count)
            if not (is_worst_first and card.effect == "executive")
        )

    @cached_property
    def income_by_points(self) -> tuple[int, ...]:
        """Return the income by points; a space that the track lacks has that of the space below (RW-I01, RW-C07)."""
        incomes = {space.points: space.income for space in self.board.track}
        found_incomes, last = [], 0
        for points in range(max(incomes, default=0) + 1):
            last = incomes.get(points, last)
            found_incomes.append(last)
        return tuple(found_incomes)

    def income_at(self, points: int) -> int:
        """Return the income of a player with these points."""
        return self.income_by_points[min(max(points, 0), len(self.income_by_points) - 1)]

    def bonds_for(self, lack: int) -> int:
        """Return the bonds that cover a lack of cash (RW-I03)."""
        return -(-lack // self.board.rules.income.bond_value)


def compile_terms(board: HexBoard, players: int) -> HexTerms:
    """Return the terms of a game.

    Raises:
        ChoiceError: So many players cannot play.
        BoardError: The board or its rules leave open what play needs; all of it is listed, with cures.
    """
    limits = board.rules.players
    if not limits.least <= players <= limits.most:
        raise ChoiceError(f"{players} players; {board.title or board.id} has {limits.least} to {limits.most}")
    reasons = list(_missing_parts(board, players))
    if reasons:
        head = f"{board.title or board.id} cannot be played as it is:"
        raise BoardError("\n".join([head, *(f"  {reason}" for reason in reasons)]))
    return HexTerms(board, players)


def _missing_parts(board: HexBoard, players: int) -> list[str]:
    rules, reasons = board.rules, []
    markers = rules.end.markers_for(players)
    number_word = ("two", "three", "four", "five", "six")[max(0, players - 2)]
    if rules.end.fewer_markers and rules.end.markers_less is None:
        reasons.append("fewer markers are played with, but not how many fewer; set end.markers_less (RW-O05)")
    elif markers is None:
        reasons.append(
            f"the number of empty city markers for {players} players is missing; set end.markers.{number_word} (RW-Z02)"
        )
    elif markers == 0:
        reasons.append(f"no empty city marker is left for {players} players; set end.markers.{number_word} (RW-Z02)")
    if rules.rotors.enabled and any(city.rotor and not (city.wheel or rules.rotors.wheel) for city in board.cities):
        reasons.append("rotors turn, but the order of colours is missing; set rotors.wheel (RW-R04)")
    if rules.rotors.enabled and any(city.rotor and city.start is None for city in board.cities):
        reasons.append("a rotor has no second colour at the start; give it in cities.csv, column start (RW-R01)")
    return [*reasons, *_missing_pieces(board, players)]


def _missing_pieces(board: HexBoard, players: int) -> list[str]:
    rules, reasons = board.rules, []
    if not rules.income.bonds_compulsory:
        reasons.append("bonds are compulsory for a lack of cash; set income.bonds_compulsory=true (RW-I03)")
    if rules.income.bond_value == 0:
        reasons.append("a bond is worth nothing and cannot cover a lack of cash; set income.bond_value (RW-I03)")
    if not board.track:
        reasons.append("no track of income; give one in track.csv (RW-I01)")
    if not any(city.cubes_for(players) for city in board.cities):
        reasons.append("no city has cubes at the start; give them in cities.csv, column cubes (RW-D01)")
    if not any(city.wants for city in board.cities):
        reasons.append("no city takes goods; give colours in cities.csv (RW-D01)")
    bag = sum(one.count or 0 for one in board.components if one.kind == "cube" and one.colour in COLOUR_BITS)
    wanted = sum(city.cubes_for(players) for city in board.cities)
    if bag < wanted:
        reasons.append(f"the bag has {bag} cubes, and cities begin with {wanted}; give more in components.csv (RW-C01)")
    barons = len(board.barons)
    if 0 < barons < players:
        reasons.append(f"{barons} baron cards for {players} players; give more in barons.csv, or none (RW-K03)")
    return reasons
