"""The map text of 18xx.games: a Ruby module with coordinates, terrain costs and borders."""

from collections.abc import Iterator, Mapping
from typing import Final

from mapkit.exchange.plan import Exported
from mapkit.kinds.hex.exchange.eighteen.coordinates import coordinate, games_edge
from mapkit.kinds.hex.exchange.format import HexExport, HexFormat
from mapkit.kinds.hex.grid.cubes import SIDES, Cube, edge_of
from mapkit.kinds.hex.model.board import HexBoard, HexCity, HexEdge
from mapkit.kinds.hex.model.terrain import BLOCKED, PLAINS, SEA, known_terrains

_BORDERS: Final = {"impassable": "impassable", "ridge": "mountain", "river": "water", "ferry": "water"}
_WIDTH: Final = 110
_LETTERS: Final = 26


def games_map(board: HexBoard) -> str:
    """Return the Ruby text of the map of a board.

    Hexagons of sea are left out and blocked ones are gray. Costs are thousands of dollars, as maps there have them. A
    border stands on one side of its edge only: that of the hexagon that comes first.
    """
    grid = board.grid
    white, gray = _hexes(board)
    names = {coordinate(grid, cube): city.name for city in board.cities if (cube := grid.hex_of(city.hex)) is not None}
    axes = "{ x: :letter, y: :number }" if grid.flat else "{ x: :number, y: :letter }"
    lines = [
        "# frozen_string_literal: true",
        "",
        "module Map",
        f"  LAYOUT = :{grid.orientation}",
        f"  AXES = {axes}.freeze",
        "",
        "  LOCATION_NAMES = {",
        *(f"    '{place}' => {_quoted(name)}," for place, name in names.items()),
        "  }.freeze",
        "",
        "  HEXES = {",
    ]
    for colour, groups in (("white", white), ("gray", gray)):
        if groups:
            lines.append(f"    {colour}: {{")
            for content, places in groups.items():
                lines += _group(places, content)
            lines.append("    },")
    return "\n".join([*lines, "  }.freeze", "end", ""])


def _hexes(board: HexBoard) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return what is in hexagons -> their coordinates: those of land, and those that are blocked."""
    homes = {city.hex: city for city in board.cities}
    costs = {terrain.id: terrain.cost for terrain in board.terrains}
    edges = {edge.id: edge for edge in board.edges}
    white: dict[str, list[str]] = {}
    gray: dict[str, list[str]] = {}
    for hexagon in board.hexes:
        cube = board.grid.hex_of(hexagon.id)
        city = homes.get(hexagon.id)
        if cube is None or (hexagon.terrain == SEA and city is None):
            continue
        if hexagon.terrain == BLOCKED and city is None:
            gray.setdefault("", []).append(coordinate(board.grid, cube))
            continue
        cost = costs[hexagon.terrain]
        parts = [] if city is None else _city(city)
        if hexagon.terrain != PLAINS and cost:
            parts.append(f"upgrade=cost:{_thousands(cost)},terrain:{_games_terrain(hexagon.terrain)}")
        parts += _borders(board, cube, edges)
        white.setdefault(";".join(parts), []).append(coordinate(board.grid, cube))
    return white, gray


def _games_terrain(terrain: str) -> str:
    known = known_terrains().get(terrain)
    return (known.games if known is not None else "") or "hill"


def _city(city: HexCity) -> list[str]:
    label = [f"label={''.join(_letter(colour) for colour in city.wants)}"] if city.wants else []
    return [f"city=revenue:{city.cubes}", *label]


def _borders(board: HexBoard, cube: Cube, edges: Mapping[str, HexEdge]) -> Iterator[str]:
    grid = board.grid
    for side in range(SIDES):
        edge = edges.get(grid.edge_id(edge_of(cube, side))) if cube.neighbour(side) in grid else None
        if edge is not None and edge.hexes[0] == grid.hex_id(cube):
            yield _border(edge, games_edge(grid, side))


def _group(places: list[str], content: str) -> list[str]:
    lines, row = [], "      ["
    for number, place in enumerate(places):
        word = f"'{place}'" + ("," if number < len(places) - 1 else "]")
        if len(row) + len(word) + 1 > _WIDTH:
            lines.append(row)
            row = "       "
        row += word if row.endswith("[") else f" {word}"
    return [*lines, f"{row} => '{content}',"]


def _letter(colour: str) -> str:
    return "G" if colour == "black" else colour[0].upper()


def _border(edge: HexEdge, number: int) -> str:
    kind = "impassable" if "impassable" in edge.kinds else edge.kinds[0]
    cost = f",cost:{_thousands(edge.cost)}" if edge.cost and kind != "impassable" else ""
    return f"border=edge:{number},type:{_BORDERS[kind]}{cost}"


def _thousands(cost: int) -> str:
    return f"{cost / 1000:g}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _write(board: HexBoard, asked: HexExport) -> Exported:
    losses = ["rules, cards, track and pieces"]
    if any("ferry" in edge.kinds for edge in board.edges):
        losses.append("that an edge is a ferry: it is a border of water")
    if (board.grid.columns if board.grid.flat else board.grid.rows) > _LETTERS:
        losses.append(f"that it can be read there: coordinates end at the letter Z, after {_LETTERS}")
    return Exported({f"{asked.stem(board)}-map.rb": games_map(board)}, tuple(losses))


FORMAT = HexFormat(
    "18xx-games",
    "18xx.games map (Ruby)",
    (".rb",),
    "hexagons with terrain and costs, borders with costs, cities with names, letters and cubes as revenue",
    "rules, cards, track, links and pieces",
    _write,
)
