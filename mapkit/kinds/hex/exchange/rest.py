"""What a format has no place for, carried along as one object; cities and settings are joined with it again."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from mapkit.core.names import fold, slug
from mapkit.document.checked import checked_row
from mapkit.document.document import Row, Setting
from mapkit.document.toml_file import settings_of
from mapkit.kinds.hex.exchange.as_rows import Rows, rows_of_board
from mapkit.kinds.hex.exchange.board_json import board_of
from mapkit.kinds.hex.grid.grid import HexGrid
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.model.terrain import PLAINS
from mapkit.kinds.hex.tables import CityRow

KEY: Final = "mapkit"
"""Under this name formats carry the rest."""
_NATIVE: Final = ("hexes", "edges")


def rest_of(board: HexBoard) -> dict[str, Any]:
    """Return all of a board but its hexagons and edges."""
    return board.model_dump(mode="json", exclude={*_NATIVE})


def with_rest(
    rest: Any,  # noqa: ANN401 - data of a foreign file
    grid: HexGrid,
    hexes: Rows,
    edges: Rows,
    *,
    file: str,
) -> dict[str, Rows]:
    """Return the tables of a board: hexagons and edges as a format has them, and the rest, if it carries one.

    Raises:
        SourceError: The rest is damaged.
    """
    if rest is None:
        return {"settings": list(settings_of(_bare(grid))), "hexes": hexes, "edges": edges}
    data = {**rest, "hexes": [], "edges": [], "grid": grid.model_dump()} if isinstance(rest, dict) else rest
    tables = rows_of_board(board_of(data, file=file, where=f"{KEY}."), f"{file}: {KEY}")
    return {**tables, "hexes": hexes, "edges": edges}


def size_of(rest: Any) -> dict[str, Any]:  # noqa: ANN401 - as above
    """Return size and labels of the grid of a rest, as far as they make sense."""
    grid = rest.get("grid") if isinstance(rest, dict) else None
    return {key: grid[key] for key in ("size_mm", "labels") if key in grid} if isinstance(grid, dict) else {}


def _bare(grid: HexGrid) -> dict[str, Any]:
    return {"kind": "hex", "grid": {**grid.model_dump(), "terrain": PLAINS}}


def joined_cities(found: Sequence[tuple[str, str, Mapping[str, Any]]], known: Rows, *, file: str) -> Rows:
    """Return rows of cities as a format has them, with what it does not hold taken from the rest.

    A city is known by its id, else by its name, else by its hexagon.

    Args:
        found: Id or nothing, hexagon, and fields of each city, the name among them.
        known: Rows of the rest.
        file: What to call the file.

    Raises:
        SourceError: A value does not fit.
    """
    rows = {key: row for key, row in known if isinstance(row, CityRow)}
    by_name = {fold(row.name): key for key, row in reversed(rows.items())}
    by_hex = {row.hex: key for key, row in rows.items()}
    used: set[str] = set()
    out: Rows = []
    for ident, hexagon, fields in found:
        name = str(fields.get("name", ""))
        key = next(
            (one for one in (ident, by_name.get(fold(name)), by_hex.get(hexagon)) if one in rows and one not in used),
            "",
        )
        base = rows[key].model_dump(exclude={"rank"}) if key else {}
        key = key or _free(ident or slug(name) or "city", used | rows.keys())
        used.add(key)
        out.append((key, checked_row(CityRow, {**base, **fields, "hex": hexagon}, f"{file}: city {name or key}")))
    order = {key: number for number, key in enumerate(rows)}
    return sorted(out, key=lambda one: order.get(one[0], len(order)))


def _free(wanted: str, taken: Iterable[str]) -> str:
    names = set(taken)
    key, number = wanted, 2
    while key in names:
        key, number = f"{wanted}-{number}", number + 1
    return key


def titled(tables: Mapping[str, list[tuple[str, Row]]], title: str) -> dict[str, list[tuple[str, Row]]]:
    """Return tables whose settings have a title."""
    settings = tables.get("settings", [])
    if any(key == "title" for key, _ in settings):
        return dict(tables)
    return {**tables, "settings": [("title", Setting(value=title)), *settings]}
