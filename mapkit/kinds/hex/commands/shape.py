"""Commands on the grid as a whole: resize, cut, and join another board."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import Field, ValidationError

from mapkit.core.base import JsonObject, Slug
from mapkit.core.invalid import invalid_value_message
from mapkit.document.command import Command, CommandError
from mapkit.document.document import Row, document_of_rows, last_rank, sort_rows
from mapkit.document.frame_commands import put_setting
from mapkit.kinds.hex.commands.cities import forget_city
from mapkit.kinds.hex.commands.command import COMMANDS, HexDraft, config_of
from mapkit.kinds.hex.config import Config, read_config
from mapkit.kinds.hex.grid.cubes import Cube
from mapkit.kinds.hex.grid.grid import MOST_HEXES, HexGrid
from mapkit.kinds.hex.model.terrain import BLOCKED, known_terrains
from mapkit.kinds.hex.shelf import shipped_board
from mapkit.kinds.hex.tables import CityRow, EdgeRow, HexDocument, HexRow

Side = Literal["east", "west", "north", "south"]
Amount = Annotated[int, Field(ge=-2000, le=2000)]
_MoveHex = Callable[[str], str | None]
R = TypeVar("R", bound=Row)
_FLIPPED_OFFSETS: Final = {"odd-q": "even-q", "even-q": "odd-q", "odd-r": "even-r", "even-r": "odd-r"}


def resize_grid(config: Config, left: int, top: int, right: int, bottom: int) -> HexGrid:
    """Return the grid with columns and rows added at its sides; a number below 0 cuts them off.

    Hexagons stay neighbours as they were: if an odd number of lines comes before the first, the offset turns around.

    Raises:
        CommandError: Nothing would be left, or too much would be there.
    """
    grid = config.grid
    columns, rows = grid.columns + left + right, grid.rows + top + bottom
    if columns < 1 or rows < 1:
        raise CommandError(f"of {grid.columns} columns and {grid.rows} rows nothing would be left; cut less")
    if columns * rows > MOST_HEXES:
        raise CommandError(f"{columns:,} by {rows:,} hexagons are more than {MOST_HEXES:,}; add less")
    is_flipped = (left if grid.flat else top) % 2
    new_offset = _FLIPPED_OFFSETS[grid.offset] if is_flipped else grid.offset
    return HexGrid.model_validate({**grid.model_dump(), "offset": new_offset, "columns": columns, "rows": rows})


def reshape(draft: HexDraft, left: int, top: int, right: int, bottom: int, *, cut: bool) -> HexGrid:
    """Add or cut columns and rows, and move everything on the board.

    Raises:
        CommandError: A city would be off the grid, unless `cut` says to remove it.
    """
    config = config_of(draft)
    grid, new_grid = config.grid, resize_grid(config, left, top, right, bottom)

    def moved(name: str) -> str | None:
        hexagon = grid.hex_of(name)
        if hexagon is None:
            return None
        column, row = grid.place(hexagon)
        new_hexagon = new_grid.cube(column + left, row + top)
        return new_grid.hex_id(new_hexagon) if new_hexagon in new_grid else None

    cities_cut = [key for key, row in draft.rows("cities", CityRow).items() if moved(row.hex) is None]
    if cities_cut and not cut:
        city_names = ", ".join(draft.rows("cities", CityRow)[key].name for key in cities_cut[:5])
        raise CommandError(f"{city_names} would be off the grid; move or remove them first, or use cut-board")
    for key in cities_cut:
        forget_city(draft, key)
    for key, city in list(draft.rows("cities", CityRow).items()):
        draft.update("cities", key, hex=moved(city.hex))
    _move_rows(draft, "hexes", HexRow, moved)
    _move_rows(draft, "edges", EdgeRow, lambda key: _move_edge_id(key, moved))
    put_setting(draft, "grid.offset", new_grid.offset)
    put_setting(draft, "grid.columns", new_grid.columns)
    put_setting(draft, "grid.rows", new_grid.rows)
    put_setting(draft, "grid.orientation", None)
    if config.earth is not None:
        line_distance_mm = 1.5 * grid.radius_mm
        corner_mm = (
            (-left * line_distance_mm, -top * grid.size_mm)
            if grid.flat
            else (-left * grid.size_mm, -top * line_distance_mm)
        )
        x, y = config.earth.metres(corner_mm)
        put_setting(draft, "earth.left", round(x, 3))
        put_setting(draft, "earth.top", round(y, 3))
    return new_grid


def _move_rows(draft: HexDraft, table: str, kind: type[R], moved: _MoveHex) -> None:
    rows = sort_rows(draft.rows(table, kind))
    for key, _ in rows:
        draft.drop(table, key)
    for key, row in rows:
        new_key = moved(key)
        if new_key is not None:
            draft.put(table, new_key, row)


def _move_edge_id(key: str, moved: _MoveHex) -> str | None:
    new_ends = [moved(hex_id) for hex_id in key.split("--")]
    return None if None in new_ends else "--".join(str(hex_id) for hex_id in new_ends)


@COMMANDS.command("grid")
class ResizeGrid(Command):
    """Add columns and rows at the sides of the grid, or cut empty ones off with numbers below 0."""

    kind: Literal["resize-grid"] = "resize-grid"
    left: Amount = 0
    top: Amount = 0
    right: Amount = 0
    bottom: Amount = 0

    def edit(self, draft: HexDraft) -> str:
        """Resize the grid; no city may be cut off."""
        if not (self.left or self.top or self.right or self.bottom):
            raise CommandError("nothing is added or cut; give left, top, right or bottom")
        new_grid = reshape(draft, self.left, self.top, self.right, self.bottom, cut=False)
        return f"Make the grid {new_grid.columns} by {new_grid.rows}"


@COMMANDS.command("grid")
class CutBoard(Command):
    """Keep some columns and rows, counted from 1, and remove the others with their cities."""

    kind: Literal["cut-board"] = "cut-board"
    columns: tuple[int, int] | None = Field(default=None, description="The first and last column that stay")
    rows: tuple[int, int] | None = Field(default=None, description="The first and last row that stay")

    def edit(self, draft: HexDraft) -> str:
        """Cut the grid to the columns and rows."""
        grid = config_of(draft).grid
        columns, rows = self.columns or (1, grid.columns), self.rows or (1, grid.rows)
        for axis_name, (first, last), axis_count in (("columns", columns, grid.columns), ("rows", rows, grid.rows)):
            if not 1 <= first <= last <= axis_count:
                raise CommandError(
                    f"{axis_name} {first} to {last} are not on a grid of {axis_count} {axis_name}; correct them"
                )
        reshape(draft, 1 - columns[0], 1 - rows[0], columns[1] - grid.columns, rows[1] - grid.rows, cut=True)
        return f"Cut the board to columns {columns[0]} to {columns[1]}, rows {rows[0]} to {rows[1]}"


@COMMANDS.command("grid")
class JoinBoard(Command):
    """Join another board along a side; its cities, links, lines and terrain come with it.

    Rules, cards, components and the track stay those of this board. Hexagons that neither board has are blocked.
    """

    kind: Literal["join-board"] = "join-board"
    board: Slug = Field(description="The name of a shipped board, or what to call the board of `tables`")
    tables: JsonObject = Field(default={}, description="Table -> key -> row of a board that is not shipped")
    side: Side
    shift: Amount = Field(default=0, description="How many hexagons it moves along that side, right or down")

    def edit(self, draft: HexDraft) -> str:
        """Enlarge the grid, and copy terrain, cities, links and lines of the other board."""
        other_document = self._other()
        other_config, own_config = read_config(other_document)[0], config_of(draft)
        if other_config.grid.flat != own_config.grid.flat:
            raise CommandError(
                f"{self.board} has {other_config.grid.orientation} hexagons and this board has not; turn one"
            )
        places = self._places(other_config.grid, own_config.grid)
        columns, rows = [place[0] for place in places.values()], [place[1] for place in places.values()]
        left, top = max(0, -min(columns)), max(0, -min(rows))
        right, bottom = max(0, max(columns) - own_config.grid.columns + 1), max(0, max(rows) - own_config.grid.rows + 1)
        own_places = {own_config.grid.place(hexagon) for hexagon in own_config.grid.cubes}
        overlapping_places = own_places & {*places.values()}
        if overlapping_places:
            raise CommandError(
                f"{len(overlapping_places)} hexagons of {self.board} would lie on this board; correct the shift"
            )
        new_grid = reshape(draft, left, top, right, bottom, cut=False)
        new_id_by_id = {
            other_config.grid.hex_id(hexagon): new_grid.hex_id(new_grid.cube(column + left, row + top))
            for hexagon, (column, row) in places.items()
        }
        taken_places = {(column + left, row + top) for column, row in own_places} | {
            (column + left, row + top) for column, row in places.values()
        }
        _copy_terrain(draft, other_document, other_config, new_id_by_id)
        rank = last_rank(draft.table("hexes"))
        for hexagon in new_grid.cubes:
            if new_grid.place(hexagon) not in taken_places:
                draft.put("hexes", new_grid.hex_id(hexagon), HexRow(terrain=BLOCKED, rank=rank))
                rank += 1
        _copy_cities(draft, other_document, new_id_by_id, self.board)
        return f"Join {self.board} in the {self.side}"

    def _other(self) -> HexDocument:
        if not self.tables:
            return shipped_board(self.board)
        rows_by_table: dict[str, list[tuple[str, Row]]] = {}
        for table, row_by_key in self.tables.items():
            model = HexDocument.schema.tables.get(table)
            if model is None or not isinstance(row_by_key, Mapping):
                raise CommandError(f"tables.{table} is not a table of a board; leave it out")
            try:
                rows_by_table[table] = [(key, model.model_validate(row)) for key, row in row_by_key.items()]
            except ValidationError as error:
                raise CommandError(f"tables.{table}: {invalid_value_message(error.errors()[0])}") from error
        return document_of_rows(HexDocument, rows_by_table)

    def _places(self, theirs: HexGrid, ours: HexGrid) -> dict[Cube, tuple[int, int]]:
        """Return the column and row on this board of each hexagon of the other; they may be off its grid.

        Moving cubes keeps neighbours; where the offsets do not meet, every second line of the other board comes to lie
        half a hexagon higher.
        """
        first_hexagon = theirs.cube(0, 0)
        start_place = {
            "east": (ours.columns, self.shift),
            "west": (-theirs.columns, self.shift),
            "south": (self.shift, ours.rows),
            "north": (self.shift, -theirs.rows),
        }[self.side]
        start_hexagon = ours.cube(*start_place)
        moved_hexagons = {
            hexagon: Cube(hexagon.q - first_hexagon.q + start_hexagon.q, hexagon.r - first_hexagon.r + start_hexagon.r)
            for hexagon in theirs.cubes
        }
        place_by_hexagon = {hexagon: ours.place(moved_hexagon) for hexagon, moved_hexagon in moved_hexagons.items()}
        return self._apart(place_by_hexagon, ours)

    def _apart(self, places: dict[Cube, tuple[int, int]], ours: HexGrid) -> dict[Cube, tuple[int, int]]:
        """Move the other board off this one, if half a hexagon of it came to lie on this one."""
        axis = 0 if self.side in ("east", "west") else 1
        if ours.flat == (axis == 0):
            return places
        axis_values = [place[axis] for place in places.values()]
        if self.side in ("east", "south"):
            axis_step = max(0, (ours.columns, ours.rows)[axis] - min(axis_values))
        else:
            axis_step = -max(0, max(axis_values) + 1)
        return {
            hexagon: (column + axis_step * (axis == 0), row + axis_step * (axis == 1))
            for hexagon, (column, row) in places.items()
        }


def _copy_terrain(draft: HexDraft, other: HexDocument, theirs: Config, names: Mapping[str, str]) -> None:
    usual_terrain = config_of(draft).terrain
    for key, row in sort_rows(other.table("terrains")):
        if key not in known_terrains() and key not in draft.table("terrains"):
            draft.put("terrains", key, row)
    rank = last_rank(draft.table("hexes"))
    for old, new in names.items():
        hex_row = other.get("hexes", old)
        own_row = hex_row if isinstance(hex_row, HexRow) else HexRow(terrain=theirs.terrain)
        if own_row.terrain != usual_terrain or own_row.art:
            draft.put("hexes", new, own_row.model_copy(update={"rank": rank}))
            rank += 1
    rank = last_rank(draft.table("edges"))
    for key, edge in sort_rows(other.table("edges")):
        new_edge_id = _move_edge_id(key, names.get)
        if new_edge_id is not None:
            draft.put("edges", new_edge_id, edge.model_copy(update={"rank": rank}))
            rank += 1


def _copy_cities(draft: HexDraft, other: HexDocument, names: Mapping[str, str], board: str) -> None:
    id_by_old_id: dict[str, str] = {}
    for key, city in sort_rows(other.table("cities")):
        if isinstance(city, CityRow) and city.hex in names:
            id_by_old_id[key] = key if key not in draft.table("cities") else f"{key}-{board}"
            rank = last_rank(draft.table("cities"))
            draft.put("cities", id_by_old_id[key], city.model_copy(update={"hex": names[city.hex], "rank": rank}))
    for table in ("links", "lines"):
        for key, row in sort_rows(other.table(table)):
            new_key = key if key not in draft.table(table) else f"{key}-{board}"
            renamed_fields: dict[str, Any] = {}
            for name in ("a", "b"):
                value = getattr(row, name, "")
                if value:
                    renamed_fields[name] = id_by_old_id.get(value, value)
            if hasattr(row, "cities"):
                renamed_fields["cities"] = tuple(id_by_old_id.get(city_id, city_id) for city_id in row.cities)
            draft.put(
                table,
                new_key,
                row.model_copy(update={**renamed_fields, "rank": last_rank(draft.table(table))}),
            )
