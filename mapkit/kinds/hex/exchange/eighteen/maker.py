"""Games of 18xx-maker with a map of hexagons; a second file holds the data that its schema has no place for."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from mapkit.core.errors import SourceError
from mapkit.core.jsontext import json_text
from mapkit.core.names import slug
from mapkit.core.plurals import join_some
from mapkit.document.document import Setting
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
from mapkit.kinds.hex.grid.cubes import Edge
from mapkit.kinds.hex.grid.grid import HexGrid
from mapkit.kinds.hex.model.board import HexBoard, HexCity
from mapkit.kinds.hex.model.terrain import BLOCKED, PLAINS, SEA, known_terrains, terrain_words
from mapkit.kinds.hex.rules.colours import GOODS
from mapkit.kinds.hex.tables import EdgeRow, TerrainRow

ENDING: Final = ".18xx-maker.json"
REST_ENDING: Final = ".18xx-maker.mapkit.json"
_COLOUR_LETTERS: Final = {"black": "G"}
_BORDER_COLOURS: Final = {"ridge": "brown", "river": "blue", "impassable": "black", "ferry": "white"}
_KIND_BY_COLOUR: Final = {colour: kind for kind, colour in _BORDER_COLOURS.items()}
_TERRAIN_COLOURS: Final = {SEA: "water", BLOCKED: "gray"}
_OWN_COLOUR: Final = "#cfc9b8"
_COST_SIZE: Final = 11
_MAP_KEYS: Final = ("name", "title", "hexes", "borders", "borderTexts")
_CITY_KEYS: Final = ("name", "groups", "color")
"""Keys of an 18xx-maker game that become part of a board; notes list the others."""


def maker_game(board: HexBoard) -> dict[str, Any]:
    """Return a board as a game of 18xx-maker."""
    grid = board.grid
    hex_groups: dict[str, dict[str, Any]] = {}
    city_by_hex = {city.hex: city for city in board.cities}
    cost_by_terrain = {terrain.id: terrain.cost for terrain in board.terrains}
    for hexagon in board.hexes:
        cube = grid.hex_of(hexagon.id)
        if cube is None:
            continue
        city = city_by_hex.get(hexagon.id)
        content = _hex_content(hexagon.terrain, cost_by_terrain[hexagon.terrain]) | (
            _city_content(city) if city else {}
        )
        group = hex_groups.setdefault(hexagon.id if city else hexagon.terrain, {**content, "hexes": []})
        group["hexes"].append(coordinate(grid, cube))
    named_edges = [(edge, named_edge) for edge in board.edges if (named_edge := grid.edge_named(edge.id)) is not None]
    border_items = [
        {
            "color": _BORDER_COLOURS[kind],
            "coords": [f"{_owner_coordinate(grid, edge)}p{point}" for point in maker_points(grid, edge.side)],
        }
        for board_edge, edge in named_edges
        for kind in board_edge.kinds
    ]
    cost_items = [
        {
            "coord": f"{_owner_coordinate(grid, edge)}s{maker_side(grid, edge.side)}",
            "cost": board_edge.cost,
            "circle": _COST_SIZE,
        }
        for board_edge, edge in named_edges
        if board_edge.cost
    ]
    # 18xx-maker prints the title across the hexagons unless a map says not to
    map_data: dict[str, Any] = {"name": board.title, "title": False, "hexes": list(hex_groups.values())}
    map_data |= {"borders": border_items} if border_items else {}
    map_data |= {"borderTexts": cost_items} if cost_items else {}
    orientation = "horizontal" if grid.flat else "vertical"
    return {"info": {"title": board.title, "orientation": orientation}, "map": map_data}


def _owner_coordinate(grid: HexGrid, edge: Edge) -> str:
    return coordinate(grid, edge.owner)


def _hex_content(terrain: str, cost: int | None) -> dict[str, Any]:
    if terrain in (PLAINS, SEA, BLOCKED):
        return {"color": _TERRAIN_COLOURS.get(terrain, "plain")}
    terrain_item: dict[str, Any] = {"type": terrain} if cost is None else {"type": terrain, "cost": cost}
    return {"color": "plain", "terrain": [terrain_item]}


def _city_content(city: HexCity) -> dict[str, Any]:
    colour_letters = "".join(_COLOUR_LETTERS.get(colour, colour[0].upper()) for colour in city.wants)
    city_content: dict[str, Any] = {
        "cities": [{"name": {"name": city.name}, "color": city.colours[0], "groups": list(city.colours)}],
        "values": [{"value": city.cubes}],
    }
    return {**city_content, "labels": [{"label": colour_letters}]} if colour_letters else city_content


def _write_game(board: HexBoard, asked: HexExport) -> ExportedBoard:
    other_data = {**carried_data(board), "art": {hexagon.id: hexagon.art for hexagon in board.hexes if hexagon.art}}
    return ExportedBoard(
        {
            f"{asked.stem(board)}{ENDING}": json_text(maker_game(board)),
            f"{asked.stem(board)}{REST_ENDING}": json_text({KEY: other_data}),
        }
    )


def read_maker(path: Path) -> ReadHexes:
    """Return the board data of a game of 18xx-maker.

    The first map counts. What mapkit wrote beside the file is taken too. Notes list everything that is left out.

    Raises:
        SourceError: It has no map, or a value does not fit.
    """
    data, file = read_json(path), path.name
    maps = data.get("map") if isinstance(data, Mapping) else None
    map_data = maps[0] if isinstance(maps, list) and maps else maps
    if not isinstance(map_data, Mapping) or not isinstance(map_data.get("hexes"), list):
        raise SourceError(f"{file}: has no map with hexes; mapkit reads games of 18xx-maker that have one")
    groups = list(_iterate_groups(map_data["hexes"], file))
    place_by_coordinate = {
        coordinate_text: f"{file}: map.hexes[{number}]"
        for number, (texts, _) in enumerate(groups)
        for coordinate_text in texts
    }
    game_info = data.get("info")
    game_info = game_info if isinstance(game_info, Mapping) else {}
    second_data = _read_second_file(path)
    art = second_data.pop("art", {}) if second_data else {}
    grid = grid_of_coordinates(place_by_coordinate, flat=game_info.get("orientation") == "horizontal", file=file)
    grid = _complete_grid(grid, second_data)
    notes: list[str] = []
    own_terrains: dict[str, TerrainRow] = {}
    terrain_by_hex: dict[str, str] = {}
    city_rows: list[tuple[str, str, dict[str, Any]]] = []
    for number, (texts, group_data) in enumerate(groups):
        place_text = f"{file}: map.hexes[{number}]"
        terrain = _find_terrain(group_data, own_terrains, place_text, own_file=second_data is not None)
        for coordinate_text in texts:
            hex_id = grid.hex_id(hex_at(grid, coordinate_text, place_text))
            terrain_by_hex[hex_id] = terrain
            city_rows += [("", hex_id, items) for items in _city_fields(group_data, coordinate_text)]
    hex_ids = [grid.hex_id(cube) for cube in grid.cubes]
    rows = make_hex_rows(
        ((hex_id, terrain_by_hex.get(hex_id, SEA), str(art.get(hex_id, ""))) for hex_id in hex_ids), file
    )
    tables = merge_carried_data(second_data, grid, rows, _edge_rows(map_data, grid, file), file=file)
    if second_data is None:
        tables["terrains"] = list(own_terrains.items())
        title = game_info.get("title")
        if isinstance(title, str) and title:
            tables["settings"] = [("title", Setting(value=title[:200])), *tables["settings"]]
        notes.append("colours of cities and rules are not in the file; set them")
        notes += _list_losses(groups, own_terrains)
        other_keys = [f"map.{key}" for key in map_data if key not in _MAP_KEYS]
        other_keys += [key for key in data if key not in ("info", "map")]
        notes += [f"not taken from the file: {join_some(other_keys)}"] if other_keys else []
        notes += [f"taken: the first of {len(maps)} maps"] if isinstance(maps, list) and len(maps) > 1 else []
    tables["cities"] = merge_cities(city_rows, tables.get("cities", []), file=file)
    return ReadHexes(tables, tuple(notes))


def _read_second_file(path: Path) -> dict[str, Any] | None:
    """Return the second file of a game that mapkit wrote, if it exists."""
    if not path.name.endswith(ENDING):
        return None
    second_path = path.with_name(path.name.removesuffix(ENDING) + REST_ENDING)
    if not second_path.is_file():
        return None
    data = read_json(second_path)
    second_data = data.get(KEY) if isinstance(data, Mapping) else None
    if not isinstance(second_data, dict):
        raise SourceError(
            f"{second_path.name}: was changed after mapkit wrote it; export the board again, or remove the file"
        )
    return dict(second_data)


def _complete_grid(grid: HexGrid, rest: Mapping[str, Any] | None) -> HexGrid:
    """Return a grid with the size of hexagons and labels of the second file."""
    return grid if rest is None else HexGrid.model_validate({**grid.model_dump(), **carried_grid_size(rest)})


def _iterate_groups(found: Iterable[Any], file: str) -> Iterator[tuple[list[str], Mapping[str, Any]]]:
    number_by_text: dict[str, int] = {}
    group_by_text: dict[str, Mapping[str, Any]] = {}
    for number, group_data in enumerate(found):
        if isinstance(group_data, Mapping) and group_data.get("copy") in group_by_text:
            own_data = {key: value for key, value in group_data.items() if key != "copy"}
            group_data = {**group_by_text[group_data["copy"]], **own_data}  # noqa: PLW2901 - with what it copies
        coordinates = group_data.get("hexes") if isinstance(group_data, Mapping) else None
        if not isinstance(coordinates, list) or not all(isinstance(text, str) for text in coordinates):
            raise SourceError(f"{file}: map.hexes[{number}]: has no list of coordinates under 'hexes'; write one")
        for text in coordinates:
            if text in number_by_text:
                raise SourceError(
                    f"{file}: map.hexes[{number}]: {text} is there already in hexes[{number_by_text[text]}]"
                )
            number_by_text[text] = number
            group_by_text[text] = group_data
        yield coordinates, group_data


def _find_terrain(one: Mapping[str, Any], own: dict[str, TerrainRow], place: str, *, own_file: bool) -> str:
    """Return the terrain of hexagons, with a new row if mapkit does not know it.

    Elsewhere a gray hexagon with a city is printed track; in a file of ours it is blocked.
    """
    items = one.get("terrain")
    first_item = items[0] if isinstance(items, list) and items and isinstance(items[0], Mapping) else {}
    terrain_kind = str(first_item.get("type", "")).lower()
    if not terrain_kind:
        colour = str(one.get("color", "plain")).lower()
        if colour in ("water", "blue"):
            return SEA
        return BLOCKED if colour in ("gray", "grey", "offboard") and (own_file or not one.get("cities")) else PLAINS
    if terrain_kind in known_terrains():
        return terrain_kind
    if known_terrains()[terrain_words().get(terrain_kind, PLAINS)].games:
        return terrain_words()[terrain_kind]
    terrain_id = slug(terrain_kind) or "terrain"
    cost = first_item.get("cost")
    own[terrain_id] = validate_row(
        TerrainRow, {"name": terrain_kind, "cost": cost, "colour": _OWN_COLOUR}, f"{place}.terrain"
    )
    return terrain_id


def _list_losses(
    groups: Iterable[tuple[list[str], Mapping[str, Any]]], own_terrains: Mapping[str, TerrainRow]
) -> Iterator[str]:
    """Yield a note for each sort of content of hexagons that a board does not take, with values and coordinates."""
    items_by_key: dict[str, list[str]] = {}
    for texts, group_data in groups:
        for key, value in _list_unread(group_data, own_terrains):
            items_by_key.setdefault(key, []).append(_item_text(value, texts))
    for key, items in items_by_key.items():
        yield f"not taken from hexagons: {key}: {join_some(items, '; ')}"


def _list_unread(group_data: Mapping[str, Any], own_terrains: Mapping[str, TerrainRow]) -> Iterator[tuple[str, Any]]:
    """Yield sort and value of each content of hexagons that no row of the board holds."""
    first_read = {key for key in ("terrain", "cities") if key in group_data}
    first_read |= {"names"} if group_data.get("cities") else set()
    first_read |= {"values"} if any("cubes" in fields for fields in _city_fields(group_data, "")) else set()
    for key, value in group_data.items():
        rest = value[1:] if key in first_read and isinstance(value, list) else value
        if rest and key not in ("hexes", "color"):
            yield key, rest
    for terrain_item in _items(group_data.get("terrain"))[:1]:
        own_terrain = own_terrains.get(slug(str(terrain_item.get("type", ""))))
        if terrain_item.get("cost") and (own_terrain is None or own_terrain.cost != terrain_item["cost"]):
            yield "costs of terrain", terrain_item["cost"]
    for city_item in _items(group_data.get("cities"))[:1]:
        for key, value in city_item.items():
            if key not in _CITY_KEYS and (key, value) != ("size", 1):
                yield f"{key} of cities", value


def _items(value: object) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _item_text(value: object, texts: Sequence[str]) -> str:
    """Return the texts and numbers of a value with the hexagons that have it: `Dit (E3)`."""
    leaves = [str(leaf)[:40] for leaf in _iterate_leaves(value)]
    return f"{join_some(leaves)} ({join_some(texts)})" if leaves else join_some(texts)


def _iterate_leaves(value: object) -> Iterator[str | int | float]:
    if isinstance(value, Mapping | list):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _iterate_leaves(part)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield value


def _city_fields(one: Mapping[str, Any], text: str) -> Iterator[dict[str, Any]]:
    items = one.get("cities")
    if not isinstance(items, list) or not items or not isinstance(items[0], Mapping):
        return
    city_item = items[0]
    name_item = city_item.get("name")
    name_items = one.get("names")
    if (
        not isinstance(name_item, Mapping)
        and isinstance(name_items, list)
        and name_items
        and isinstance(name_items[0], Mapping)
    ):
        name_item = name_items[0]
    city_name = name_item.get("name") if isinstance(name_item, Mapping) else None
    fields: dict[str, Any] = {"name": str(city_name) if city_name else text}
    colour_groups = city_item.get("groups")
    if isinstance(colour_groups, list) and colour_groups and set(map(str, colour_groups)) <= {*GOODS, "gray"}:
        fields["colours"] = tuple(map(str, colour_groups))
        value_items = one.get("values")
        if isinstance(value_items, list) and value_items and isinstance(value_items[0], Mapping):
            fields["cubes"] = value_items[0].get("value")
    yield fields


def _edge_rows(drawn: Mapping[str, Any], grid: HexGrid, file: str) -> Rows:
    kinds_by_edge: dict[str, list[str]] = {}
    for number, border_item in enumerate(_get_list(drawn, "borders", file)):
        where = f"{file}: map.borders[{number}]"
        corners = [corner_at(grid, str(text), where) for text in _get_list(border_item, "coords", where)]
        for a, b in pairwise(corners):
            edge_id = grid.edge_id(edge_of_corners(grid, a, b, where))
            kind = _KIND_BY_COLOUR.get(str(border_item.get("color")), "impassable")
            if kind not in kinds_by_edge.setdefault(edge_id, []):
                kinds_by_edge[edge_id].append(kind)
    cost_by_edge: dict[str, Any] = {}
    for number, border_item in enumerate(_get_list(drawn, "borderTexts", file)):
        where = f"{file}: map.borderTexts[{number}]"
        edge_id = grid.edge_id(edge_at(grid, str(border_item.get("coord")), where))
        cost_by_edge[edge_id] = border_item.get("cost")
        kinds_by_edge.setdefault(edge_id, ["river"])
    return [
        (
            edge_id,
            validate_row(
                EdgeRow, {"kinds": tuple(items), "cost": cost_by_edge.get(edge_id, 0)}, f"{file}: edge {edge_id}"
            ),
        )
        for edge_id, items in kinds_by_edge.items()
    ]


def _get_list(data: Mapping[str, Any], key: str, where: str) -> list[Any]:
    items = data.get(key, [])
    item_type = str if key == "coords" else Mapping
    if not isinstance(items, list) or not all(isinstance(item, item_type) for item in items):
        raise SourceError(f"{where}: {key} is not a list as 18xx-maker writes it; correct it")
    return items


FORMAT = HexFormat(
    "18xx-maker",
    "18xx-maker game (JSON)",
    (ENDING,),
    "hexagons with terrain and costs, edges with costs, cities with colours and cubes; the rest in a file beside",
    "nothing, as long as both files stay together",
    _write_game,
    read_maker,
)
