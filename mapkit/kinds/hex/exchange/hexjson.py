"""HexJSON, as open-innovations.org describes it: hexagons by column and row, rows counted upwards.

The layout says which lines are shifted, by the numbers of the file: odd or even rows to the right, odd or even columns
up. mapkit counts rows downwards, so a column that is shifted down here is one that is not shifted there. Row 0 has an
even number, so that readers which count from the top shift the same rows.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from mapkit.core.errors import SourceError
from mapkit.core.jsontext import json_text
from mapkit.document.checked import checked_row
from mapkit.exchange.plan import Exported
from mapkit.formats.json_reading import read_json
from mapkit.kinds.hex.exchange.as_rows import Rows, hex_rows
from mapkit.kinds.hex.exchange.format import HexExport, HexFormat, ReadHexes
from mapkit.kinds.hex.exchange.rest import KEY, joined_cities, rest_of, size_of, with_rest
from mapkit.kinds.hex.exchange.values import grid_of, whole
from mapkit.kinds.hex.grid.grid import HexGrid, Offset
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.model.terrain import PLAINS, SEA
from mapkit.kinds.hex.tables import EdgeRow, HexRow

_LAYOUTS: Final = ("odd-r", "even-r", "odd-q", "even-q")
_CITY: Final = ("colours", "cubes")
_ART_LENGTH: Final = 100


def hexjson(board: HexBoard) -> dict[str, Any]:
    """Return a board as HexJSON; what the format does not know of is under `edges` and `mapkit`."""
    top = _top(board.grid.rows)
    cities = {city.hex: city for city in board.cities}
    hexes: dict[str, Any] = {}
    for hexagon in board.hexes:
        cube = board.grid.hex_of(hexagon.id)
        if cube is None:
            continue
        column, row = board.grid.place(cube)
        one: dict[str, Any] = {"q": column, "r": top - row, "terrain": hexagon.terrain}
        if hexagon.art:
            one["art"] = hexagon.art
        city = cities.get(hexagon.id)
        if city is not None:
            one |= {"n": city.name, "city": city.id, "colours": list(city.colours), "cubes": city.cubes}
        hexes[hexagon.id] = one
    edges = {edge.id: {"kinds": list(edge.kinds), "cost": edge.cost} for edge in board.edges}
    return {"layout": _layout(board.grid), "hexes": hexes, "edges": edges, KEY: rest_of(board)}


def _top(rows: int) -> int:
    """Return the number of the uppermost row in a file: even, so that its rows keep their parity."""
    return rows - 1 + (rows - 1) % 2


def _layout(grid: HexGrid) -> Offset:
    turned: dict[Offset, Offset] = {"odd-q": "even-q", "even-q": "odd-q"}
    return turned.get(grid.offset, grid.offset)


def read_hexjson(path: Path) -> ReadHexes:
    """Return what a file of HexJSON holds: of any program, with what mapkit adds if it is there.

    Hexagons that the file leaves out are sea.

    Raises:
        SourceError: It is not HexJSON, or a value does not fit.
    """
    data, file = read_json(path), path.name
    hexes = data.get("hexes") if isinstance(data, dict) else None
    if not isinstance(hexes, dict) or not hexes:
        raise SourceError(f"{file}: there are no hexes; HexJSON has them by id under the key 'hexes'")
    layout = data.get("layout")
    if layout not in _LAYOUTS:
        raise SourceError(f"{file}: layout is {layout!r}; write one of {', '.join(_LAYOUTS)}")
    places = {
        name: (whole(one, "q", f"{file}: hexes.{name}"), whole(one, "r", f"{file}: hexes.{name}"))
        for name, one in hexes.items()
    }
    rest = data.get(KEY)
    grid, ids = _placed(places, layout, size_of(rest), file)
    edges = _edges(data.get("edges", {}), ids, grid, file)
    tables = with_rest(rest, grid, _hexes(hexes, ids, grid, rest, file), edges, file=file)
    found = [
        (str(one["city"]), ids[name], {"name": one.get("n", one["city"]), **{k: one[k] for k in _CITY if k in one}})
        for name, one in hexes.items()
        if isinstance(one.get("city"), str)
    ]
    if found or rest is not None:
        tables["cities"] = joined_cities(found, tables.get("cities", []), file=file)
    return ReadHexes(tables, _notes(hexes, rest))


def _placed(
    places: Mapping[str, tuple[int, int]], layout: Offset, size: Mapping[str, Any], file: str
) -> tuple[HexGrid, dict[str, str]]:
    """Return the grid of a file, and its names of hexagons -> ours."""
    seen: dict[tuple[int, int], str] = {}
    for name, place in places.items():
        if place in seen:
            raise SourceError(
                f"{file}: hexes.{name} is at q {place[0]}, r {place[1]}, where {seen[place]} is; move one"
            )
        seen[place] = name
    columns, rows = [q for q, _ in seen], [r for _, r in seen]
    left, top = min(columns), max(rows)
    by_rows = layout.endswith("r")
    odd = layout.startswith("odd")
    shifted = (top if by_rows else left) % 2 == (1 if odd else 0)
    first = shifted if by_rows else not shifted
    offset: Offset = ("even-r" if first else "odd-r") if by_rows else ("even-q" if first else "odd-q")
    grid = grid_of(file, offset=offset, columns=max(columns) - left + 1, rows=top - min(rows) + 1, **size)
    return grid, {name: grid.hex_id(grid.cube(q - left, top - r)) for name, (q, r) in places.items()}


def _hexes(hexes: Mapping[str, Any], ids: Mapping[str, str], grid: HexGrid, rest: object, file: str) -> Rows:
    there = {}
    for name, one in hexes.items():
        where = f"{file}: hexes.{name}"
        art = str(one.get("art", "") if rest is not None else one.get("art", one.get("n", "")))[:_ART_LENGTH]
        row = checked_row(HexRow, {"terrain": one.get("terrain", PLAINS), "art": art}, where)
        there[ids[name]] = (row.terrain, row.art)
    return hex_rows(((name, *there.get(name, (SEA, ""))) for name in map(grid.hex_id, grid.cubes)), file)


def _edges(edges: object, ids: Mapping[str, str], grid: HexGrid, file: str) -> Rows:
    if not isinstance(edges, dict):
        raise SourceError(f"{file}: edges is {edges!r}; write an object by edge, such as 5-12--5-13")
    out: Rows = []
    for name, one in edges.items():
        where = f"{file}: edges.{name}"
        a, _, b = str(name).partition("--")
        edge = grid.edge_of_hexes(ids.get(a, a), ids.get(b, b))
        if edge is None:
            raise SourceError(f"{where}: {a!r} and {b!r} share no edge; write the ids of two hexagons that touch")
        out.append((grid.edge_id(edge), checked_row(EdgeRow, one, where)))
    return out


def _notes(hexes: Mapping[str, Any], rest: object) -> tuple[str, ...]:
    if rest is not None:
        return ()
    names = sum("n" in one and not isinstance(one.get("city"), str) for one in hexes.values())
    return (f"{names} names of hexagons became hints of art; set cities where you want them",) if names else ()


def _write(board: HexBoard, asked: HexExport) -> Exported:
    return Exported({f"{asked.stem(board)}.hexjson": json_text(hexjson(board))})


FORMAT = HexFormat(
    "hexjson",
    "HexJSON",
    (".hexjson",),
    "everything; hexagons with terrain and cities as the format has them, the rest under keys of mapkit",
    "nothing",
    _write,
    read_hexjson,
)
