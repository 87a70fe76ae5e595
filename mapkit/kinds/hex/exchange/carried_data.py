"""Board data without a place in a format, carried along as one object and merged again."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from mapkit.core.names import fold, slug
from mapkit.document.row_validation import validate_row
from mapkit.document.toml_file import settings_of
from mapkit.kinds.hex.exchange.board_json import parse_board
from mapkit.kinds.hex.exchange.board_rows import Rows, rows_of_board
from mapkit.kinds.hex.grid.grid import HexGrid
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.model.terrain import PLAINS
from mapkit.kinds.hex.tables import CityRow

KEY: Final = "mapkit"
"""Under this name formats carry the rest."""
_NATIVE_FIELDS: Final = ("hexes", "edges")


def carried_data(board: HexBoard) -> dict[str, Any]:
    """Return all of a board except its hexagons and edges."""
    return board.model_dump(mode="json", exclude={*_NATIVE_FIELDS})


def merge_carried_data(
    rest: Any,  # noqa: ANN401 - data of a foreign file
    grid: HexGrid,
    hexes: Rows,
    edges: Rows,
    *,
    file: str,
) -> dict[str, Rows]:
    """Return the tables of a board: hexagons and edges of a format, and the other data, if there is any.

    Raises:
        SourceError: The rest is damaged.
    """
    if rest is None:
        return {
            "settings": list(settings_of({"kind": "hex", "grid": {**grid.model_dump(), "terrain": PLAINS}})),
            "hexes": hexes,
            "edges": edges,
        }
    board_data = {**rest, "hexes": [], "edges": [], "grid": grid.model_dump()} if isinstance(rest, dict) else rest
    tables = rows_of_board(parse_board(board_data, file=file, where=f"{KEY}."), f"{file}: {KEY}")
    return {**tables, "hexes": hexes, "edges": edges}


def carried_grid_size(rest: Any) -> dict[str, Any]:  # noqa: ANN401 - as above
    """Return the size and labels of the grid in the other data, if they are there."""
    grid = rest.get("grid") if isinstance(rest, dict) else None
    return {key: grid[key] for key in ("size_mm", "labels") if key in grid} if isinstance(grid, dict) else {}


def merge_cities(found: Sequence[tuple[str, str, Mapping[str, Any]]], known: Rows, *, file: str) -> Rows:
    """Return rows of cities of a format, with missing fields from the other data.

    A city is known by its id, else by its name, else by its hexagon.

    Args:
        found: Id or nothing, hexagon, and fields of each city, the name among them.
        known: Rows of the rest.
        file: What to call the file.

    Raises:
        SourceError: A value does not fit.
    """
    row_by_key = {key: row for key, row in known if isinstance(row, CityRow)}
    key_by_name = {fold(row.name): key for key, row in reversed(row_by_key.items())}
    key_by_hex = {row.hex: key for key, row in row_by_key.items()}
    used_keys: set[str] = set()
    city_rows: Rows = []
    for ident, hexagon, fields in found:
        name = str(fields.get("name", ""))
        key = next(
            (
                candidate
                for candidate in (ident, key_by_name.get(fold(name)), key_by_hex.get(hexagon))
                if candidate in row_by_key and candidate not in used_keys
            ),
            "",
        )
        base_fields = row_by_key[key].model_dump(exclude={"rank"}) if key else {}
        key = key or _free_key(ident or slug(name) or "city", used_keys | row_by_key.keys())
        used_keys.add(key)
        city_rows.append(
            (key, validate_row(CityRow, {**base_fields, **fields, "hex": hexagon}, f"{file}: city {name or key}"))
        )
    order_by_key = {key: number for number, key in enumerate(row_by_key)}
    return sorted(city_rows, key=lambda one: order_by_key.get(one[0], len(order_by_key)))


def _free_key(wanted: str, taken: Iterable[str]) -> str:
    taken_names = set(taken)
    free_key, number = wanted, 2
    while free_key in taken_names:
        free_key, number = f"{wanted}-{number}", number + 1
    return free_key
