"""18xx-maker: a game with a map of hexagons; what its schema has no place for stands in a file beside."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from mapkit.core.errors import SourceError
from mapkit.core.jsontext import json_text
from mapkit.core.names import slug
from mapkit.document.checked import checked_row
from mapkit.document.document import Setting
from mapkit.exchange.plan import Exported
from mapkit.formats.json_reading import read_json
from mapkit.kinds.hex.exchange.as_rows import Rows, hex_rows
from mapkit.kinds.hex.exchange.eighteen.coordinates import (
    coordinate,
    corner_at,
    edge_at,
    edge_of_corners,
    grid_of_coordinates,
    hex_at,
    maker_points,
    maker_side,
)
from mapkit.kinds.hex.exchange.format import HexExport, HexFormat, ReadHexes
from mapkit.kinds.hex.exchange.rest import KEY, joined_cities, rest_of, size_of, with_rest
from mapkit.kinds.hex.grid.cubes import Edge
from mapkit.kinds.hex.grid.grid import HexGrid
from mapkit.kinds.hex.model.board import HexBoard, HexCity
from mapkit.kinds.hex.model.terrain import BLOCKED, PLAINS, SEA, known_terrains, terrain_words
from mapkit.kinds.hex.rules.colours import GOODS
from mapkit.kinds.hex.tables import EdgeRow, TerrainRow

ENDING: Final = ".18xx-maker.json"
REST_ENDING: Final = ".18xx-maker.mapkit.json"
_LETTERS: Final = {"black": "G"}
_BORDERS: Final = {"ridge": "brown", "river": "blue", "impassable": "black", "ferry": "white"}
_KINDS: Final = {colour: kind for kind, colour in _BORDERS.items()}
_COLOURS: Final = {SEA: "water", BLOCKED: "gray"}
_OWN_COLOUR: Final = "#cfc9b8"
_COST_SIZE: Final = 11


def maker_game(board: HexBoard) -> dict[str, Any]:
    """Return a board as a game of 18xx-maker."""
    grid = board.grid
    groups: dict[str, dict[str, Any]] = {}
    homes = {city.hex: city for city in board.cities}
    costs = {terrain.id: terrain.cost for terrain in board.terrains}
    for hexagon in board.hexes:
        cube = grid.hex_of(hexagon.id)
        if cube is None:
            continue
        city = homes.get(hexagon.id)
        content = _content(hexagon.terrain, costs[hexagon.terrain]) | (_city(city) if city else {})
        group = groups.setdefault(hexagon.id if city else hexagon.terrain, {**content, "hexes": []})
        group["hexes"].append(coordinate(grid, cube))
    named = [(edge, known) for edge in board.edges if (known := grid.edge_named(edge.id)) is not None]
    borders = [
        {
            "color": _BORDERS[kind],
            "coords": [f"{_owner(grid, edge)}p{point}" for point in maker_points(grid, edge.side)],
        }
        for one, edge in named
        for kind in one.kinds
    ]
    texts = [
        {"coord": f"{_owner(grid, edge)}s{maker_side(grid, edge.side)}", "cost": one.cost, "circle": _COST_SIZE}
        for one, edge in named
        if one.cost
    ]
    drawn: dict[str, Any] = {"name": board.title, "hexes": list(groups.values())}
    drawn |= {"borders": borders} if borders else {}
    drawn |= {"borderTexts": texts} if texts else {}
    orientation = "horizontal" if grid.flat else "vertical"
    return {"info": {"title": board.title, "orientation": orientation}, "map": drawn}


def _owner(grid: HexGrid, edge: Edge) -> str:
    return coordinate(grid, edge.owner)


def _content(terrain: str, cost: int | None) -> dict[str, Any]:
    if terrain in (PLAINS, SEA, BLOCKED):
        return {"color": _COLOURS.get(terrain, "plain")}
    one: dict[str, Any] = {"type": terrain} if cost is None else {"type": terrain, "cost": cost}
    return {"color": "plain", "terrain": [one]}


def _city(city: HexCity) -> dict[str, Any]:
    letters = "".join(_LETTERS.get(colour, colour[0].upper()) for colour in city.wants)
    out: dict[str, Any] = {
        "cities": [{"name": {"name": city.name}, "color": city.colours[0], "groups": list(city.colours)}],
        "values": [{"value": city.cubes}],
    }
    return {**out, "labels": [{"label": letters}]} if letters else out


def _write(board: HexBoard, asked: HexExport) -> Exported:
    rest = {**rest_of(board), "art": {one.id: one.art for one in board.hexes if one.art}}
    return Exported(
        {
            f"{asked.stem(board)}{ENDING}": json_text(maker_game(board)),
            f"{asked.stem(board)}{REST_ENDING}": json_text({KEY: rest}),
        }
    )


def read_maker(path: Path) -> ReadHexes:
    """Return what a game of 18xx-maker holds of a board.

    The first map counts. What mapkit wrote beside the file is taken too. Towns, track and tiles are left out.

    Raises:
        SourceError: It has no map, or a value does not fit.
    """
    data, file = read_json(path), path.name
    drawn = data.get("map") if isinstance(data, Mapping) else None
    drawn = drawn[0] if isinstance(drawn, list) and drawn else drawn
    if not isinstance(drawn, Mapping) or not isinstance(drawn.get("hexes"), list):
        raise SourceError(f"{file}: has no map with hexes; mapkit reads games of 18xx-maker that have one")
    groups = list(_groups(drawn["hexes"], file))
    where = {text: f"{file}: map.hexes[{number}]" for number, (texts, _) in enumerate(groups) for text in texts}
    info = data.get("info")
    info = info if isinstance(info, Mapping) else {}
    rest = _beside(path)
    art = rest.pop("art", {}) if rest else {}
    grid = grid_of_coordinates(where, flat=info.get("orientation") == "horizontal", file=file)
    grid = _whole_grid(grid, rest)
    notes: list[str] = []
    terrains: dict[str, TerrainRow] = {}
    hexes: dict[str, str] = {}
    cities: list[tuple[str, str, dict[str, Any]]] = []
    for number, (texts, one) in enumerate(groups):
        place = f"{file}: map.hexes[{number}]"
        terrain = _terrain(one, terrains, place, own_file=rest is not None)
        for text in texts:
            name = grid.hex_id(hex_at(grid, text, place))
            hexes[name] = terrain
            cities += [("", name, found) for found in _cities(one, text)]
    ids = [grid.hex_id(cube) for cube in grid.cubes]
    rows = hex_rows(((name, hexes.get(name, SEA), str(art.get(name, ""))) for name in ids), file)
    tables = with_rest(rest, grid, rows, _edges(drawn, grid, file), file=file)
    if rest is None:
        tables["terrains"] = list(terrains.items())
        title = info.get("title")
        if isinstance(title, str) and title:
            tables["settings"] = [("title", Setting(value=title[:200])), *tables["settings"]]
        notes.append("colours of cities and rules are not in the file; set them")
    tables["cities"] = joined_cities(cities, tables.get("cities", []), file=file)
    return ReadHexes(tables, tuple(notes))


def _beside(path: Path) -> dict[str, Any] | None:
    """Return what mapkit wrote beside a file of its own, if it is there."""
    if not path.name.endswith(ENDING):
        return None
    beside = path.with_name(path.name.removesuffix(ENDING) + REST_ENDING)
    if not beside.is_file():
        return None
    data = read_json(beside)
    rest = data.get(KEY) if isinstance(data, Mapping) else None
    if not isinstance(rest, dict):
        raise SourceError(f"{beside.name}: is not what mapkit wrote; export the board again, or remove the file")
    return dict(rest)


def _whole_grid(grid: HexGrid, rest: Mapping[str, Any] | None) -> HexGrid:
    """Return a grid with the size of hexagons and labels of the rest."""
    return grid if rest is None else HexGrid.model_validate({**grid.model_dump(), **size_of(rest)})


def _groups(found: Iterable[Any], file: str) -> Iterator[tuple[list[str], Mapping[str, Any]]]:
    seen: dict[str, int] = {}
    for number, one in enumerate(found):
        texts = one.get("hexes") if isinstance(one, Mapping) else None
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise SourceError(f"{file}: map.hexes[{number}]: has no list of coordinates under 'hexes'; write one")
        for text in texts:
            if text in seen:
                raise SourceError(f"{file}: map.hexes[{number}]: {text} is there already in hexes[{seen[text]}]")
            seen[text] = number
        yield texts, one


def _terrain(one: Mapping[str, Any], own: dict[str, TerrainRow], place: str, *, own_file: bool) -> str:
    """Return the terrain of hexagons, with a row of its own if mapkit does not know it.

    Elsewhere a gray hexagon with a city is printed track; in a file of ours it is blocked.
    """
    found = one.get("terrain")
    first = found[0] if isinstance(found, list) and found and isinstance(found[0], Mapping) else {}
    kind = str(first.get("type", "")).lower()
    if not kind:
        colour = str(one.get("color", "plain")).lower()
        if colour in ("water", "blue"):
            return SEA
        return BLOCKED if colour in ("gray", "grey", "offboard") and (own_file or not one.get("cities")) else PLAINS
    if kind in known_terrains():
        return kind
    if known_terrains()[terrain_words().get(kind, PLAINS)].games:
        return terrain_words()[kind]
    name = slug(kind) or "terrain"
    cost = first.get("cost")
    own[name] = checked_row(TerrainRow, {"name": kind, "cost": cost, "colour": _OWN_COLOUR}, f"{place}.terrain")
    return name


def _cities(one: Mapping[str, Any], text: str) -> Iterator[dict[str, Any]]:
    found = one.get("cities")
    if not isinstance(found, list) or not found or not isinstance(found[0], Mapping):
        return
    city = found[0]
    named = city.get("name")
    names = one.get("names")
    if not isinstance(named, Mapping) and isinstance(names, list) and names and isinstance(names[0], Mapping):
        named = names[0]
    name = named.get("name") if isinstance(named, Mapping) else None
    fields: dict[str, Any] = {"name": str(name) if name else text}
    groups = city.get("groups")
    if isinstance(groups, list) and groups and set(map(str, groups)) <= {*GOODS, "gray"}:
        fields["colours"] = tuple(map(str, groups))
        values = one.get("values")
        if isinstance(values, list) and values and isinstance(values[0], Mapping):
            fields["cubes"] = values[0].get("value")
    yield fields


def _edges(drawn: Mapping[str, Any], grid: HexGrid, file: str) -> Rows:
    kinds: dict[str, list[str]] = {}
    for number, one in enumerate(_listed(drawn, "borders", file)):
        where = f"{file}: map.borders[{number}]"
        corners = [corner_at(grid, str(text), where) for text in _listed(one, "coords", where)]
        for a, b in pairwise(corners):
            name = grid.edge_id(edge_of_corners(grid, a, b, where))
            kind = _KINDS.get(str(one.get("color")), "impassable")
            if kind not in kinds.setdefault(name, []):
                kinds[name].append(kind)
    costs: dict[str, Any] = {}
    for number, one in enumerate(_listed(drawn, "borderTexts", file)):
        where = f"{file}: map.borderTexts[{number}]"
        name = grid.edge_id(edge_at(grid, str(one.get("coord")), where))
        costs[name] = one.get("cost")
        kinds.setdefault(name, ["river"])
    return [
        (name, checked_row(EdgeRow, {"kinds": tuple(found), "cost": costs.get(name, 0)}, f"{file}: edge {name}"))
        for name, found in kinds.items()
    ]


def _listed(data: Mapping[str, Any], key: str, where: str) -> list[Any]:
    found = data.get(key, [])
    wanted = str if key == "coords" else Mapping
    if not isinstance(found, list) or not all(isinstance(one, wanted) for one in found):
        raise SourceError(f"{where}: {key} is not a list as 18xx-maker writes it; correct it")
    return found


FORMAT = HexFormat(
    "18xx-maker",
    "18xx-maker game (JSON)",
    (ENDING,),
    "hexagons with terrain and costs, edges with costs, cities with colours and cubes; the rest in a file beside",
    "nothing, as long as both files stay together",
    _write,
    read_maker,
)
