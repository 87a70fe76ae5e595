"""Map text of 18xx.games: a Ruby module with coordinates, terrain costs and borders."""

from collections.abc import Iterator, Mapping
from typing import Final

from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.hex.exchange.eighteen.coordinates import coordinate, games_edge
from mapkit.kinds.hex.exchange.format import HexExport, HexFormat
from mapkit.kinds.hex.grid.cubes import SIDES, Cube, edge_of
from mapkit.kinds.hex.model.board import HexBoard, HexCity, HexEdge
from mapkit.kinds.hex.model.terrain import BLOCKED, PLAINS, SEA, known_terrains

_BORDER_KINDS: Final = {"impassable": "impassable", "ridge": "mountain", "river": "water", "ferry": "water"}
_LINE_WIDTH: Final = 110
_LETTERED_COUNT: Final = 52
"""Lines with coordinates that 18xx.games reads: A to Z, and AA to AZ."""


def games_map(board: HexBoard) -> str:
    """Return the Ruby text of the map of a board.

    Hexagons of sea are left out and blocked ones are gray. Costs are thousands of dollars, as maps there have them. A
    border stands on one side of its edge only: that of the hexagon that comes first.
    """
    grid = board.grid
    white_groups, gray_groups = _group_hexes(board)
    name_by_coordinate = {
        coordinate(grid, cube): city.name for city in board.cities if (cube := grid.hex_of(city.hex)) is not None
    }
    axes_text = "{ x: :letter, y: :number }" if grid.flat else "{ x: :number, y: :letter }"
    lines = [
        "# frozen_string_literal: true",
        "",
        "module Map",
        f"  LAYOUT = :{grid.orientation}",
        f"  AXES = {axes_text}.freeze",
        "",
        "  LOCATION_NAMES = {",
        *(f"    '{place}' => {_quote_text(name)}," for place, name in name_by_coordinate.items()),
        "  }.freeze",
        "",
        "  HEXES = {",
    ]
    for colour, groups in (("white", white_groups), ("gray", gray_groups)):
        if groups:
            lines.append(f"    {colour}: {{")
            for content, places in groups.items():
                lines += _group_lines(places, content)
            lines.append("    },")
    return "\n".join([*lines, "  }.freeze", "end", ""])


def _group_hexes(board: HexBoard) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return content of hexagons -> their coordinates, for land and for blocked hexagons."""
    city_by_hex = {city.hex: city for city in board.cities}
    cost_by_terrain = {terrain.id: terrain.cost for terrain in board.terrains}
    edge_by_id = {edge.id: edge for edge in board.edges}
    white_groups: dict[str, list[str]] = {}
    gray_groups: dict[str, list[str]] = {}
    for hexagon in board.hexes:
        cube = board.grid.hex_of(hexagon.id)
        city = city_by_hex.get(hexagon.id)
        if cube is None or (hexagon.terrain == SEA and city is None):
            continue
        if hexagon.terrain == BLOCKED and city is None:
            gray_groups.setdefault("", []).append(coordinate(board.grid, cube))
            continue
        cost = cost_by_terrain[hexagon.terrain]
        parts = [] if city is None else _city_parts(city)
        if hexagon.terrain != PLAINS and cost:
            known_terrain = known_terrains().get(hexagon.terrain)
            games_terrain = (known_terrain.games if known_terrain is not None else "") or "hill"
            parts.append(f"upgrade=cost:{_thousands_text(cost)},terrain:{games_terrain}")
        parts += _border_parts(board, cube, edge_by_id)
        white_groups.setdefault(";".join(parts), []).append(coordinate(board.grid, cube))
    return white_groups, gray_groups


def _city_parts(city: HexCity) -> list[str]:
    label_parts = [f"label={''.join(_colour_letter(colour) for colour in city.wants)}"] if city.wants else []
    return [f"city=revenue:{city.cubes}", *label_parts]


def _border_parts(board: HexBoard, cube: Cube, edges: Mapping[str, HexEdge]) -> Iterator[str]:
    grid = board.grid
    for side in range(SIDES):
        board_edge = edges.get(grid.edge_id(edge_of(cube, side))) if cube.neighbour(side) in grid else None
        if board_edge is not None and board_edge.hexes[0] == grid.hex_id(cube):
            kind = "impassable" if "impassable" in board_edge.kinds else board_edge.kinds[0]
            cost_part = f",cost:{_thousands_text(board_edge.cost)}" if board_edge.cost and kind != "impassable" else ""
            yield f"border=edge:{games_edge(grid, side)},type:{_BORDER_KINDS[kind]}{cost_part}"


def _group_lines(places: list[str], content: str) -> list[str]:
    full_lines, current_line = [], "      ["
    for number, place in enumerate(places):
        place_text = f"'{place}'" + ("," if number < len(places) - 1 else "]")
        if len(current_line) + len(place_text) + 1 > _LINE_WIDTH:
            full_lines.append(current_line)
            current_line = "       "
        current_line += place_text if current_line.endswith("[") else f" {place_text}"
    return [*full_lines, f"{current_line} => '{content}',"]


def _colour_letter(colour: str) -> str:
    return "G" if colour == "black" else colour[0].upper()


def _thousands_text(cost: int) -> str:
    return f"{cost / 1000:g}"


def _quote_text(text: str) -> str:
    escaped_text = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped_text}'"


def _write_map(board: HexBoard, asked: HexExport) -> ExportedBoard:
    losses = ["rules, cards, track and pieces"]
    if any("ferry" in edge.kinds for edge in board.edges):
        losses.append("that an edge is a ferry: it is a border of water")
    if (board.grid.columns if board.grid.flat else board.grid.rows) > _LETTERED_COUNT:
        losses.append(f"that it can be read there: coordinates end at AZ, after {_LETTERED_COUNT}")
    return ExportedBoard({f"{asked.stem(board)}-map.rb": games_map(board)}, tuple(losses))


FORMAT = HexFormat(
    "18xx-games",
    "18xx.games map (Ruby)",
    (".rb",),
    "hexagons with terrain and costs, borders with costs, cities with names, letters and cubes as revenue",
    "rules, cards, track, links and pieces",
    _write_map,
)
