"""Conversion of a board of hexagons to the rows of its source package."""

from collections.abc import Iterable, Mapping
from typing import Any

from mapkit.document.document import Row
from mapkit.document.row_validation import validate_row
from mapkit.document.toml_file import settings_of
from mapkit.kinds.hex.model.board import HexBoard, HexCity
from mapkit.kinds.hex.model.terrain import PLAINS, known_terrains
from mapkit.kinds.hex.rules.reading import read_rules
from mapkit.kinds.hex.tables import (
    BaronRow,
    CityRow,
    ComponentRow,
    EdgeRow,
    HexRow,
    LinkRow,
    MajorLineRow,
    OperationsRow,
    SpaceRow,
    TerrainRow,
)

Rows = list[tuple[str, Row]]


def rows_of_board(board: HexBoard, file: str = "board.json") -> dict[str, Rows]:
    """Return the rows of a board by table.

    Args:
        board: The board.
        file: Where it comes from, for messages.

    Raises:
        SourceError: A value of the board does not fit its table; that of a board which mapkit compiled does.
    """

    def rows(table: str, model: type[Row], elements: Iterable[tuple[str, Mapping[str, Any]]]) -> Rows:
        return [(key, validate_row(model, values, f"{file}: {table}.{key}")) for key, values in elements]

    def plain(table: str, model: type[Row], elements: Iterable[Any]) -> Rows:
        return rows(table, model, ((one.id, one.model_dump(exclude={"id"})) for one in elements))

    own_terrains = [terrain for terrain in board.terrains if terrain.id not in known_terrains()]
    return {
        "settings": list(settings_of(_board_settings(board))),
        "terrains": plain("terrains", TerrainRow, own_terrains),
        "hexes": make_hex_rows(((hexagon.id, hexagon.terrain, hexagon.art) for hexagon in board.hexes), file),
        "edges": rows("edges", EdgeRow, ((edge.id, {"kinds": edge.kinds, "cost": edge.cost}) for edge in board.edges)),
        "cities": rows("cities", CityRow, ((city.id, _city_fields(city)) for city in board.cities)),
        "links": rows(
            "links",
            LinkRow,
            ((link.id, {**link.model_dump(exclude={"id"}), "b": link.b or ""}) for link in board.links),
        ),
        "lines": plain("lines", MajorLineRow, board.lines),
        "track": rows("track", SpaceRow, ((str(space.points), {"income": space.income}) for space in board.track)),
        "components": plain("components", ComponentRow, board.components),
        "operations": plain("operations", OperationsRow, board.operations),
        "barons": plain("barons", BaronRow, board.barons),
    }


def make_hex_rows(hexes: Iterable[tuple[str, str, str]], file: str) -> Rows:
    """Return rows of the hexagons that are not plains or have a hint of art.

    Args:
        hexes: Id, terrain and art of each.
        file: Where they come from, for messages.

    Raises:
        SourceError: A terrain is not a name.
    """
    return [
        (name, validate_row(HexRow, {"terrain": terrain, "art": art}, f"{file}: hexes.{name}"))
        for name, terrain, art in hexes
        if terrain != PLAINS or art
    ]


def _city_fields(city: HexCity) -> dict[str, Any]:
    count_by_players = tuple(f"{players}:{count}" for players, count in city.cubes_by_players.items())
    return {**city.model_dump(exclude={"id"}), "cubes_by_players": count_by_players}


def _board_settings(board: HexBoard) -> dict[str, Any]:
    text_by_key = {"description": board.description, "license": board.license}
    base_rules, _, _ = read_rules({"options": list(board.options)})
    board_values, base_values = board.rules.model_dump(mode="json"), base_rules.model_dump(mode="json")
    changed_rules: dict[str, Any] = {"options": list(board.options)} if board.options else {}
    for group, group_values in board_values.items():
        changed_values = _nested_differences(group_values, base_values[group])
        if changed_values:
            changed_rules[group] = changed_values
    return {
        "kind": "hex",
        "title": board.title,
        **{key: text for key, text in text_by_key.items() if text},
        **({"credits": list(board.credits)} if board.credits else {}),
        **({"example_track": True} if board.track_is_example else {}),
        "grid": {**board.grid.model_dump(), "terrain": PLAINS},
        **({"earth": board.earth.model_dump()} if board.earth is not None else {}),
        **({"rules": changed_rules} if changed_rules else {}),
    }


def _nested_differences(wanted: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    changed_values: dict[str, Any] = {}
    for key, value in wanted.items():
        if isinstance(value, Mapping):
            if changed_inner := _nested_differences(value, usual[key]):
                changed_values[key] = changed_inner
        elif value != usual[key] and value is not None:
            changed_values[key] = value
    return changed_values
