"""Position of a game, and small procedures that several actions share."""

from dataclasses import dataclass, field
from typing import NoReturn

from mapkit.core.errors import MapkitError
from mapkit.kinds.hex.playing.terms import NOBODY, HexTerms, TrackLink
from mapkit.kinds.hex.rules.colours import GOODS


class IllegalMoveError(MapkitError):
    """A move that breaks a rule.

    Args:
        rule: The row of the rules.
        message: What is wrong.
    """

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{message} ({rule})")
        self.rule = rule


def refuse_move(rule: str, message: str) -> NoReturn:
    """Raise the error of an illegal move."""
    raise IllegalMoveError(rule, message)


@dataclass
class HexState:
    """Position of a game.

    Everything random is in the order of the bag and the deck, which are mixed before the game: moves are deterministic.

    Args:
        bag: Cubes in the order in which they are drawn, the last one first.
        cubes: City -> colour -> cubes there.
        takes: Node -> mask of the colours that it takes, without its rotor.
        rotor: City -> place of the second colour on its wheel, or -1.
        new_tiles: Colour -> New City tiles left; None if their number is not limited.
        edges: Edges that track crosses.
        lines: Hexagon -> lines of track there.
        open_tracks: Player -> stretches of open track: the city, then hexagons.
        actions: Player -> kinds of actions in this turn.
        card_holder: Card -> its holder while it is kept, or -1.
        card_lies: Card -> whether it lies open.
        inns: City -> player and points of its hotel.
        executives: Players who will be first, one a turn, in order.
    """

    bag: list[int]
    cash: list[int]
    points: list[int]
    bonds: list[int]
    engine: list[int]
    mines_left: list[int]
    cubes: list[list[int]]
    takes: list[int]
    rotor: list[int]
    new_tiles: list[int] | None
    barons: list[int]
    card_lies: list[bool]
    card_holder: list[int]
    lines: list[int]
    markers_left: int
    marked: list[bool]
    mined: list[int]
    urbanized: list[bool]
    served: list[bool]
    actions: list[list[str]]
    open_tracks: list[list[tuple[int, ...]]]
    links: list[TrackLink] = field(default_factory=list)
    links_at: list[list[int]] = field(default_factory=list)
    printed_left: list[int] = field(default_factory=list)
    edges: set[tuple[int, int]] = field(default_factory=set)
    lines_done: list[int] = field(default_factory=list)
    inns: dict[int, tuple[int, int]] = field(default_factory=dict)
    executives: list[int] = field(default_factory=list)
    cubes_delivered: list[int] = field(default_factory=list)
    longest_delivery: list[int] = field(default_factory=list)
    phase: str = "auction"
    turn: int = 1
    round: int = 1
    first: int = 0
    order: list[int] = field(default_factory=list)
    at: int = 0
    bidders: list[int] = field(default_factory=list)
    bids: list[int] = field(default_factory=list)
    passed: list[int] = field(default_factory=list)
    triggered_in: int = 0
    last_delivery_turn: int = 0
    stalled: bool = False
    steps: int = 0

    @property
    def actor(self) -> int:
        """Return the player who makes the next move."""
        return self.bidders[0] if self.phase == "auction" else self.order[self.at]

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.phase == "over"


def pay_bank(terms: HexTerms, state: HexState, player: int, amount: int) -> None:
    """Let a player pay; bonds cover what is lacking (RW-I03)."""
    state.cash[player] -= amount
    if state.cash[player] < 0:
        bonds = terms.bonds_for(-state.cash[player])
        state.bonds[player] += bonds
        state.cash[player] += bonds * terms.board.rules.income.bond_value


def taken_colours(terms: HexTerms, state: HexState, node: int) -> int:
    """Return the mask of the colours that a node takes now, its rotor included (RW-R01, RW-R02)."""
    if node < terms.city_count and state.rotor[node] >= 0:
        return state.takes[node] | 1 << terms.wheels[node][state.rotor[node]]
    return state.takes[node]


def draw_cubes(state: HexState, count: int) -> list[int]:
    """Take cubes out of the bag; fewer if it runs empty."""
    return [state.bag.pop() for _ in range(min(count, len(state.bag)))]


def put_cubes(state: HexState, city: int, colours: list[int]) -> None:
    """Put cubes on a city."""
    for colour in colours:
        state.cubes[city][colour] += 1


def take_cube(state: HexState, city: int, colour: int) -> None:
    """Take a cube from a city; the last one leaves an empty city marker (RW-Z01, RW-Z02)."""
    state.cubes[city][colour] -= 1
    if any(state.cubes[city]) or state.marked[city] or not state.markers_left:
        return
    state.marked[city] = True
    state.markers_left -= 1
    if not state.markers_left and not state.triggered_in:
        state.triggered_in = state.turn


def remove_marker(terms: HexTerms, state: HexState, city: int) -> None:
    """Take an empty city marker back; the end stays triggered unless the rules undo it (RW-Z04, RW-Z05)."""
    if state.marked[city]:
        state.marked[city] = False
        state.markers_left += 1
        if terms.board.rules.end.trigger_undone:
            state.triggered_in = 0


def name_colour(colour: int) -> str:
    """Return the name of a colour."""
    return GOODS[colour]


def has_city(terms: HexTerms, city: int) -> bool:
    """Return whether a number is that of a city."""
    return NOBODY < city < terms.city_count
