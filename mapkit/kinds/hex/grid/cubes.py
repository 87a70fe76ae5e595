"""Cube coordinates of hexagons, their edges and their corners.

A hexagon is a point `(q, r, s)` of whole numbers with `q + r + s = 0`; `s` is not stored. Everything that does not
depend on the shape of a board is calculated here. Directions are numbered 0 to 5, one sixth of a turn apart; edge `i`
of a hexagon faces direction `i`, and corner `i` lies between directions `i` and `i + 1`.

An edge belongs to two hexagons and a corner to three. Each has one canonical name, whichever hexagon it is asked of.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

SIDES: Final = 6
_HALF_SIDES: Final = 3
_CORNER_OWNERS: Final = {2: 3, 3: 4, 4: 4, 5: 5}
"""Corner of a hexagon -> the direction of the hexagon that owns it; corners 0 and 1 are its own."""


class Cube(NamedTuple):
    """Hexagon in cube coordinates; `q` grows to the right, `r` downward."""

    q: int
    r: int

    @property
    def s(self) -> int:
        """Return the third coordinate."""
        return -self.q - self.r

    def plus(self, other: "Cube", times: int = 1) -> "Cube":
        """Return the hexagon some steps away."""
        return Cube(self.q + times * other.q, self.r + times * other.r)

    def neighbour(self, side: int) -> "Cube":
        """Return the hexagon beyond an edge."""
        return self.plus(DIRECTIONS[side % SIDES])

    def neighbours(self) -> tuple["Cube", ...]:
        """Return the six hexagons around, by direction."""
        return tuple(self.plus(one) for one in DIRECTIONS)

    def side_to(self, other: "Cube") -> int | None:
        """Return the direction of a neighbour, or None for any other hexagon."""
        direction = Cube(other.q - self.q, other.r - self.r)
        return DIRECTIONS.index(direction) if direction in DIRECTIONS else None


DIRECTIONS: Final = (Cube(1, 0), Cube(1, -1), Cube(0, -1), Cube(-1, 0), Cube(-1, 1), Cube(0, 1))


class Edge(NamedTuple):
    """Edge by its owner: the hexagon that has it as edge 0, 1 or 2."""

    owner: Cube
    side: int

    @property
    def hexes(self) -> tuple[Cube, Cube]:
        """Return the two hexagons at the edge, the owner first."""
        return self.owner, self.owner.neighbour(self.side)

    @property
    def corners(self) -> tuple["Corner", "Corner"]:
        """Return the two ends."""
        return corner_of(self.owner, self.side - 1), corner_of(self.owner, self.side)


class Corner(NamedTuple):
    """Corner by its owner: the hexagon that has it as corner 0 or 1."""

    owner: Cube
    number: int

    @property
    def hexes(self) -> tuple[Cube, Cube, Cube]:
        """Return the three hexagons that meet there, the owner first."""
        return self.owner, self.owner.neighbour(self.number), self.owner.neighbour(self.number + 1)

    @property
    def edges(self) -> tuple[Edge, Edge, Edge]:
        """Return the three edges that meet there."""
        owner, first_neighbour, second_neighbour = self.hexes
        side = first_neighbour.side_to(second_neighbour)
        assert side is not None  # noqa: S101 - neighbours of a hexagon in directions that follow each other
        return edge_of(owner, self.number), edge_of(owner, self.number + 1), edge_of(first_neighbour, side)


def edge_of(hexagon: Cube, side: int) -> Edge:
    """Return an edge of a hexagon; its other hexagon may be the owner."""
    side %= SIDES
    return Edge(hexagon, side) if side < _HALF_SIDES else Edge(hexagon.neighbour(side), side - _HALF_SIDES)


def edge_between(one: Cube, other: Cube) -> Edge | None:
    """Return the edge between two hexagons, or None if they are not neighbours."""
    side = one.side_to(other)
    return None if side is None else edge_of(one, side)


def corner_of(hexagon: Cube, number: int) -> Corner:
    """Return a corner of a hexagon; one of the other two hexagons there may be the owner.

    Corners 2 and 4 of a hexagon are corner 0 of others, and 3 and 5 are corner 1.
    """
    number %= SIDES
    if number <= 1:
        return Corner(hexagon, number)
    return Corner(hexagon.neighbour(_CORNER_OWNERS[number]), number % 2)


def hex_distance(one: Cube, other: Cube) -> int:
    """Return the number of steps between two hexagons."""
    q, r = one.q - other.q, one.r - other.r
    return max(abs(q), abs(r), abs(q + r))


def hex_ring(centre: Cube, radius: int) -> Iterator[Cube]:
    """Yield the hexagons exactly some steps away, around the centre."""
    if radius == 0:
        yield centre
        return
    hexagon = centre.plus(DIRECTIONS[4], radius)
    for side in range(SIDES):
        for _ in range(radius):
            yield hexagon
            hexagon = hexagon.neighbour(side)


def hexes_within(centre: Cube, radius: int) -> Iterator[Cube]:
    """Yield the hexagons at most some steps away, the nearest first."""
    for steps in range(radius + 1):
        yield from hex_ring(centre, steps)


def round_cube(q: float, r: float) -> Cube:
    """Return the hexagon that contains a point with fractional coordinates `q` and `r`."""
    s = -q - r
    near_q, near_r, near_s = round(q), round(r), round(s)
    off_q, off_r, off_s = abs(near_q - q), abs(near_r - r), abs(near_s - s)
    if off_q > off_r and off_q > off_s:
        near_q = -near_r - near_s
    elif off_r > off_s:
        near_r = -near_q - near_s
    return Cube(near_q, near_r)
