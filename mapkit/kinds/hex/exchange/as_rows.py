"""A board of hexagons as the rows of its source package, which compile to the same board."""

from collections.abc import Iterable, Mapping
from typing import Any

from mapkit.document.checked import checked_row
from mapkit.document.document import Row, document_of_rows
from mapkit.document.toml_file import settings_of
from mapkit.kinds.hex.model.board import HexBoard, HexCity
from mapkit.kinds.hex.model.terrain import PLAINS, known_terrains
from mapkit.kinds.hex.rules.reading import read_rules
from mapkit.kinds.hex.tables import (
    BaronRow,
    CityRow,
    ComponentRow,
    EdgeRow,
    HexDocument,
    HexRow,
    LinkRow,
    MajorLineRow,
    OperationsRow,
    SpaceRow,
    TerrainRow,
)

Rows = list[tuple[str, Row]]


def document_of_board(board: HexBoard) -> HexDocument:
    """Return a document that compiles to a board."""
    return document_of_rows(HexDocument, rows_of_board(board))


def rows_of_board(board: HexBoard, file: str = "board.json") -> dict[str, Rows]:
    """Return the rows of a board by table.

    Args:
        board: The board.
        file: Where it comes from, for messages.

    Raises:
        SourceError: A value of the board does not fit its table; that of a board which mapkit compiled does.
    """

    def rows(table: str, model: type[Row], elements: Iterable[tuple[str, Mapping[str, Any]]]) -> Rows:
        return [(key, checked_row(model, values, f"{file}: {table}.{key}")) for key, values in elements]

    def plain(table: str, model: type[Row], elements: Iterable[Any]) -> Rows:
        return rows(table, model, ((one.id, one.model_dump(exclude={"id"})) for one in elements))

    own = [one for one in board.terrains if one.id not in known_terrains()]
    return {
        "settings": list(settings_of(_settings(board))),
        "terrains": plain("terrains", TerrainRow, own),
        "hexes": hex_rows(((one.id, one.terrain, one.art) for one in board.hexes), file),
        "edges": rows("edges", EdgeRow, ((one.id, {"kinds": one.kinds, "cost": one.cost}) for one in board.edges)),
        "cities": rows("cities", CityRow, ((city.id, _city(city)) for city in board.cities)),
        "links": rows(
            "links",
            LinkRow,
            ((one.id, {**one.model_dump(exclude={"id"}), "b": one.b or ""}) for one in board.links),
        ),
        "lines": plain("lines", MajorLineRow, board.lines),
        "track": rows("track", SpaceRow, ((str(one.points), {"income": one.income}) for one in board.track)),
        "components": plain("components", ComponentRow, board.components),
        "operations": plain("operations", OperationsRow, board.operations),
        "barons": plain("barons", BaronRow, board.barons),
    }


def hex_rows(hexes: Iterable[tuple[str, str, str]], file: str) -> Rows:
    """Return rows of the hexagons that are not plains, or have a hint of art.

    Args:
        hexes: Id, terrain and art of each.
        file: Where they come from, for messages.

    Raises:
        SourceError: A terrain is not a name.
    """
    return [
        (name, checked_row(HexRow, {"terrain": terrain, "art": art}, f"{file}: hexes.{name}"))
        for name, terrain, art in hexes
        if terrain != PLAINS or art
    ]


def _city(city: HexCity) -> dict[str, Any]:
    by_players = tuple(f"{players}:{count}" for players, count in city.cubes_by_players.items())
    return {**city.model_dump(exclude={"id"}), "cubes_by_players": by_players}


def _settings(board: HexBoard) -> dict[str, Any]:
    texts = {"description": board.description, "license": board.license}
    rules = _rules(board)
    return {
        "kind": "hex",
        "title": board.title,
        **{key: text for key, text in texts.items() if text},
        **({"credits": list(board.credits)} if board.credits else {}),
        **({"example_track": True} if board.track_is_example else {}),
        "grid": {**board.grid.model_dump(), "terrain": PLAINS},
        **({"earth": board.earth.model_dump()} if board.earth is not None else {}),
        **({"rules": rules} if rules else {}),
    }


def _rules(board: HexBoard) -> dict[str, Any]:
    """Return the options that are on, and the settings that differ from what they make of the defaults."""
    base, _, _ = read_rules({"options": list(board.options)})
    wanted, usual = board.rules.model_dump(mode="json"), base.model_dump(mode="json")
    out: dict[str, Any] = {"options": list(board.options)} if board.options else {}
    for group, values in wanted.items():
        changed = _differences(values, usual[group])
        if changed:
            out[group] = changed
    return out


def _differences(wanted: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in wanted.items():
        if isinstance(value, Mapping):
            if inner := _differences(value, usual[key]):
                out[key] = inner
        elif value != usual[key] and value is not None:
            out[key] = value
    return out
