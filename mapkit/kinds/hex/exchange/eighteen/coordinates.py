"""Coordinates of the 18xx family: a letter along the straight lines, a doubled number along the others.

18xx-maker counts sides and points of a hexagon clockwise from 1: side 1 is the western side of a pointed hexagon and
the southern one of a flat one. 18xx.games counts edges clockwise from 0: edge 0 is south of a flat hexagon, south-west
of a pointed one.
"""

import re
from collections.abc import Mapping
from typing import Final

from mapkit.core.errors import SourceError
from mapkit.kinds.hex.exchange.values import make_grid
from mapkit.kinds.hex.grid.cubes import SIDES, Corner, Cube, Edge, corner_of, edge_of
from mapkit.kinds.hex.grid.grid import HexGrid, Offset, letters_to_number

_COORDINATE: Final = re.compile(r"([A-Z]{1,3})([1-9]\d{0,4})")
_POINT: Final = re.compile(r"([A-Z]{1,3}[1-9]\d{0,4})p([1-6])")
_SIDE: Final = re.compile(r"([A-Z]{1,3}[1-9]\d{0,4})s([1-6])")


def coordinate(grid: HexGrid, cube: Cube) -> str:
    """Return the coordinate of a hexagon."""
    return grid.label(cube, "18xx")


def maker_side(grid: HexGrid, direction: int) -> int:
    """Return the side of 18xx-maker that faces a direction of mapkit."""
    return ((SIDES if grid.flat else 4) - direction - 1) % SIDES + 1


def maker_direction(grid: HexGrid, side: int) -> int:
    """Return the direction that a side of 18xx-maker faces."""
    return ((SIDES if grid.flat else 4) - side) % SIDES


def maker_points(grid: HexGrid, direction: int) -> tuple[int, int]:
    """Return the two points of 18xx-maker at the ends of a side."""
    first_point = 4 if grid.flat else 5
    start_point, end_point = ((first_point - corner - 1) % SIDES + 1 for corner in (direction, direction - 1))
    return start_point, end_point


def games_edge(grid: HexGrid, direction: int) -> int:
    """Return the edge of 18xx.games that faces a direction."""
    return ((SIDES - 1 if grid.flat else 4) - direction) % SIDES


def grid_of_coordinates(found: Mapping[str, str], *, flat: bool, file: str) -> HexGrid:
    """Return the grid of a set of coordinates.

    Args:
        found: Coordinate -> where it stands, for messages.
        flat: Whether hexagons have a flat top.
        file: What to call the file.

    Raises:
        SourceError: One is not a coordinate, or they belong to lines that are shifted in different ways.
    """
    line_numbers, cross_numbers, is_shifted = [1], [1], None
    first_coordinate = ""
    for coordinate_text, where in found.items():
        match = _COORDINATE.fullmatch(coordinate_text)
        if match is None:
            raise SourceError(
                f"{where}: {coordinate_text!r} is not a coordinate; write letters and a number, such as B12"
            )
        line_number, number = letters_to_number(match[1]), int(match[2])
        is_line_shifted = (number % 2 == 0) == (line_number % 2 == 1)
        if is_shifted is None:
            is_shifted, first_coordinate = is_line_shifted, coordinate_text
        elif is_shifted != is_line_shifted:
            raise SourceError(
                f"{where}: {coordinate_text} lies half a hexagon off {first_coordinate}: "
                "letter and number of a map are both odd or both "
                "even, or never; correct the number"
            )
        line_numbers.append(line_number)
        cross_numbers.append((number + 1) // 2)
    axis_name = "q" if flat else "r"
    offset_by_shift: Mapping[tuple[str, bool], Offset] = {
        ("q", False): "odd-q",
        ("q", True): "even-q",
        ("r", False): "odd-r",
        ("r", True): "even-r",
    }
    columns, rows = (max(line_numbers), max(cross_numbers)) if flat else (max(cross_numbers), max(line_numbers))
    return make_grid(
        file, offset=offset_by_shift[axis_name, bool(is_shifted)], columns=columns, rows=rows, labels="18xx"
    )


def hex_at(grid: HexGrid, text: str, where: str) -> Cube:
    """Return the hexagon of a coordinate.

    Raises:
        SourceError: The map has none there.
    """
    cube = grid.labelled(text, "18xx")
    if cube is None:
        raise SourceError(f"{where}: {text!r} is not a hexagon of the map; correct it")
    return cube


def corner_at(grid: HexGrid, text: str, where: str) -> Corner:
    """Return the corner of a point such as `B12p3`.

    Raises:
        SourceError: It is not such a point.
    """
    match = _POINT.fullmatch(text)
    if match is None:
        raise SourceError(f"{where}: {text[:60]!r} is not a corner; write a hexagon and a point, such as B12p3")
    return corner_of(hex_at(grid, match[1], where), ((4 if grid.flat else 5) - int(match[2])) % SIDES)


def edge_at(grid: HexGrid, text: str, where: str) -> Edge:
    """Return the edge of a side such as `B12s3`.

    Raises:
        SourceError: It is not such a side, or is the rim of the map.
    """
    match = _SIDE.fullmatch(text)
    if match is None:
        raise SourceError(f"{where}: {text[:60]!r} is not an edge; write a hexagon and a side, such as B12s3")
    edge = edge_of(hex_at(grid, match[1], where), maker_direction(grid, int(match[2])))
    return require_inner_edge(grid, edge, f"{where}: {text}")


def edge_of_corners(grid: HexGrid, one: Corner, other: Corner, where: str) -> Edge:
    """Return the edge between two corners.

    Raises:
        SourceError: No edge joins them, or it is the rim of the map.
    """
    for edge in one.edges:
        if set(edge.corners) == {one, other}:
            return require_inner_edge(grid, edge, where)
    raise SourceError(f"{where}: no edge joins these two points; name the ends of one edge")


def require_inner_edge(grid: HexGrid, edge: Edge, where: str) -> Edge:
    """Return an edge, and refuse one that is not between two hexagons of the grid.

    Raises:
        SourceError: It is the rim of the map.
    """
    if all(cube in grid for cube in edge.hexes):
        return edge
    raise SourceError(f"{where}: lies on the rim of the map, with a hexagon on one side only; remove it")
