"""HexJSON (open-innovations.org): hexagons by column and row, rows counted upwards.

The layout names the shifted lines by their numbers in the file: odd or even rows to the right, odd or even columns up.
mapkit counts rows downwards, so columns shifted down in mapkit are the columns not shifted in HexJSON. mapkit writes
the top row with an even number, so that readers that count from the top shift the same rows.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from mapkit.core.errors import SourceError
from mapkit.core.jsontext import json_text
from mapkit.document.row_validation import validate_row
from mapkit.exchange.plan import ExportedBoard
from mapkit.formats.json_reading import read_json
from mapkit.kinds.hex.exchange.board_rows import Rows, make_hex_rows
from mapkit.kinds.hex.exchange.carried_data import (
    KEY,
    carried_data,
    carried_grid_size,
    merge_carried_data,
    merge_cities,
)
from mapkit.kinds.hex.exchange.format import HexExport, HexFormat, ReadHexes
from mapkit.kinds.hex.exchange.values import make_grid, read_whole_number
from mapkit.kinds.hex.grid.grid import HexGrid, Offset
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.model.terrain import PLAINS, SEA
from mapkit.kinds.hex.tables import EdgeRow, HexRow

_KNOWN_LAYOUTS: Final = ("odd-r", "even-r", "odd-q", "even-q")
_CITY_FIELDS: Final = ("colours", "cubes")
_ART_LENGTH: Final = 100


def hexjson(board: HexBoard) -> dict[str, Any]:
    """Return a board as HexJSON; data unknown to the format is under `edges` and `mapkit`."""
    top_row = board.grid.rows - 1 + (board.grid.rows - 1) % 2
    city_by_hex = {city.hex: city for city in board.cities}
    item_by_hex: dict[str, Any] = {}
    for hexagon in board.hexes:
        cube = board.grid.hex_of(hexagon.id)
        if cube is None:
            continue
        column, row = board.grid.place(cube)
        hex_item: dict[str, Any] = {"q": column, "r": top_row - row, "terrain": hexagon.terrain}
        if hexagon.art:
            hex_item["art"] = hexagon.art
        city = city_by_hex.get(hexagon.id)
        if city is not None:
            hex_item |= {"n": city.name, "city": city.id, "colours": list(city.colours), "cubes": city.cubes}
        item_by_hex[hexagon.id] = hex_item
    item_by_edge = {edge.id: {"kinds": list(edge.kinds), "cost": edge.cost} for edge in board.edges}
    return {"layout": _layout_name(board.grid), "hexes": item_by_hex, "edges": item_by_edge, KEY: carried_data(board)}


def _layout_name(grid: HexGrid) -> Offset:
    turned_layouts: dict[Offset, Offset] = {"odd-q": "even-q", "even-q": "odd-q"}
    return turned_layouts.get(grid.offset, grid.offset)


def read_hexjson(path: Path) -> ReadHexes:
    """Read HexJSON of any program, with the additions of mapkit if there are any.

    Hexagons that the file leaves out are sea.

    Raises:
        SourceError: The file is not HexJSON, or a value is not valid.
    """
    data, file = read_json(path), path.name
    hexes = data.get("hexes") if isinstance(data, dict) else None
    if not isinstance(hexes, dict) or not hexes:
        raise SourceError(f"{file}: there are no hexes; HexJSON has them by id under the key 'hexes'")
    layout = data.get("layout")
    if layout not in _KNOWN_LAYOUTS:
        raise SourceError(f"{file}: layout is {layout!r}; write one of {', '.join(_KNOWN_LAYOUTS)}")
    place_by_name = {
        name: (
            read_whole_number(hex_item, "q", f"{file}: hexes.{name}"),
            read_whole_number(hex_item, "r", f"{file}: hexes.{name}"),
        )
        for name, hex_item in hexes.items()
    }
    other_data = data.get(KEY)
    grid, id_by_name = _place_hexes(place_by_name, layout, carried_grid_size(other_data), file)
    edges = _read_edges(data.get("edges", {}), id_by_name, grid, file)
    tables = merge_carried_data(
        other_data, grid, _read_hexes(hexes, id_by_name, grid, other_data, file), edges, file=file
    )
    city_rows = [
        (
            str(hex_item["city"]),
            id_by_name[name],
            {"name": hex_item.get("n", hex_item["city"]), **{k: hex_item[k] for k in _CITY_FIELDS if k in hex_item}},
        )
        for name, hex_item in hexes.items()
        if isinstance(hex_item.get("city"), str)
    ]
    if city_rows or other_data is not None:
        tables["cities"] = merge_cities(city_rows, tables.get("cities", []), file=file)
    return ReadHexes(tables, _import_notes(hexes, other_data))


def _place_hexes(
    places: Mapping[str, tuple[int, int]], layout: Offset, size: Mapping[str, Any], file: str
) -> tuple[HexGrid, dict[str, str]]:
    """Return the grid of a file, and the ids of hexagons by their names in the file."""
    name_by_place: dict[tuple[int, int], str] = {}
    for name, place in places.items():
        if place in name_by_place:
            raise SourceError(
                f"{file}: hexes.{name} is at q {place[0]}, r {place[1]}, where {name_by_place[place]} is; move one"
            )
        name_by_place[place] = name
    columns, rows = [q for q, _ in name_by_place], [r for _, r in name_by_place]
    left_column, top_row = min(columns), max(rows)
    is_by_rows = layout.endswith("r")
    is_odd = layout.startswith("odd")
    is_first_shifted = (top_row if is_by_rows else left_column) % 2 == (1 if is_odd else 0)
    is_even = is_first_shifted if is_by_rows else not is_first_shifted
    offset: Offset = ("even-r" if is_even else "odd-r") if is_by_rows else ("even-q" if is_even else "odd-q")
    grid = make_grid(file, offset=offset, columns=max(columns) - left_column + 1, rows=top_row - min(rows) + 1, **size)
    return grid, {name: grid.hex_id(grid.cube(q - left_column, top_row - r)) for name, (q, r) in places.items()}


def _read_hexes(hexes: Mapping[str, Any], ids: Mapping[str, str], grid: HexGrid, rest: object, file: str) -> Rows:
    content_by_hex = {}
    for name, hex_item in hexes.items():
        where = f"{file}: hexes.{name}"
        art = str(hex_item.get("art", "") if rest is not None else hex_item.get("art", hex_item.get("n", "")))[
            :_ART_LENGTH
        ]
        row = validate_row(HexRow, {"terrain": hex_item.get("terrain", PLAINS), "art": art}, where)
        content_by_hex[ids[name]] = (row.terrain, row.art)
    return make_hex_rows(((name, *content_by_hex.get(name, (SEA, ""))) for name in map(grid.hex_id, grid.cubes)), file)


def _read_edges(edges: object, ids: Mapping[str, str], grid: HexGrid, file: str) -> Rows:
    if not isinstance(edges, dict):
        raise SourceError(f"{file}: edges is {edges!r}; write an object by edge, such as 5-12--5-13")
    edge_rows: Rows = []
    for name, edge_item in edges.items():
        where = f"{file}: edges.{name}"
        a, _, b = str(name).partition("--")
        edge = grid.edge_of_hexes(ids.get(a, a), ids.get(b, b))
        if edge is None:
            raise SourceError(f"{where}: {a!r} and {b!r} share no edge; write the ids of two hexagons that touch")
        edge_rows.append((grid.edge_id(edge), validate_row(EdgeRow, edge_item, where)))
    return edge_rows


def _import_notes(hexes: Mapping[str, Any], rest: object) -> tuple[str, ...]:
    if rest is not None:
        return ()
    name_count = sum("n" in hex_item and not isinstance(hex_item.get("city"), str) for hex_item in hexes.values())
    return (
        (f"{name_count} names of hexagons became hints of art; set cities where you want them",) if name_count else ()
    )


def _write_hexjson(board: HexBoard, asked: HexExport) -> ExportedBoard:
    return ExportedBoard({f"{asked.stem(board)}.hexjson": json_text(hexjson(board))})


FORMAT = HexFormat(
    "hexjson",
    "HexJSON",
    (".hexjson",),
    "everything; hexagons with terrain and cities as the format has them, the rest under keys of mapkit",
    "nothing",
    _write_hexjson,
    read_hexjson,
)
