"""Commands on the grid as a whole: adding and cutting columns and rows, joining another board."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import Field, ValidationError

from mapkit.core.base import JsonObject, Slug
from mapkit.core.invalid import invalid
from mapkit.document.command import Command, CommandError
from mapkit.document.document import Row, document_of_rows, last_rank, ordered
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
_Move = Callable[[str], str | None]
R = TypeVar("R", bound=Row)
_FLIPPED: Final = {"odd-q": "even-q", "even-q": "odd-q", "odd-r": "even-r", "even-r": "odd-r"}


def resized(config: Config, left: int, top: int, right: int, bottom: int) -> HexGrid:
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
    flips = (left if grid.flat else top) % 2
    offset = _FLIPPED[grid.offset] if flips else grid.offset
    return HexGrid.model_validate({**grid.model_dump(), "offset": offset, "columns": columns, "rows": rows})


def reshape(draft: HexDraft, left: int, top: int, right: int, bottom: int, *, cut: bool) -> HexGrid:
    """Add or cut columns and rows, moving all that is on the board.

    Raises:
        CommandError: A city would be off the grid, unless `cut` says to remove it.
    """
    config = config_of(draft)
    grid, after = config.grid, resized(config, left, top, right, bottom)

    def moved(name: str) -> str | None:
        hexagon = grid.hex_of(name)
        if hexagon is None:
            return None
        column, row = grid.place(hexagon)
        there = after.cube(column + left, row + top)
        return after.hex_id(there) if there in after else None

    gone = [key for key, row in draft.rows("cities", CityRow).items() if moved(row.hex) is None]
    if gone and not cut:
        names = ", ".join(draft.rows("cities", CityRow)[key].name for key in gone[:5])
        raise CommandError(f"{names} would be off the grid; move or remove them first, or use cut-board")
    for key in gone:
        forget_city(draft, key)
    for key, city in list(draft.rows("cities", CityRow).items()):
        draft.update("cities", key, hex=moved(city.hex))
    _rekey(draft, "hexes", HexRow, moved)
    _rekey(draft, "edges", EdgeRow, lambda key: _moved_edge(key, moved))
    put_setting(draft, "grid.offset", after.offset)
    put_setting(draft, "grid.columns", after.columns)
    put_setting(draft, "grid.rows", after.rows)
    put_setting(draft, "grid.orientation", None)
    if config.earth is not None:
        along = 1.5 * grid.radius_mm
        corner = (-left * along, -top * grid.size_mm) if grid.flat else (-left * grid.size_mm, -top * along)
        x, y = config.earth.metres(corner)
        put_setting(draft, "earth.left", round(x, 3))
        put_setting(draft, "earth.top", round(y, 3))
    return after


def _rekey(draft: HexDraft, table: str, kind: type[R], moved: _Move) -> None:
    rows = ordered(draft.rows(table, kind))
    for key, _ in rows:
        draft.drop(table, key)
    for key, row in rows:
        there = moved(key)
        if there is not None:
            draft.put(table, there, row)


def _moved_edge(key: str, moved: _Move) -> str | None:
    ends = [moved(one) for one in key.split("--")]
    return None if None in ends else "--".join(str(one) for one in ends)


@COMMANDS.command("grid")
class ResizeGrid(Command):
    """Add columns and rows at the sides of the grid, or cut empty ones off with numbers below 0."""

    kind: Literal["resize-grid"] = "resize-grid"
    left: Amount = 0
    top: Amount = 0
    right: Amount = 0
    bottom: Amount = 0

    def edit(self, draft: HexDraft) -> str:
        """Plan it."""
        if not (self.left or self.top or self.right or self.bottom):
            raise CommandError("nothing is added or cut; give left, top, right or bottom")
        after = reshape(draft, self.left, self.top, self.right, self.bottom, cut=False)
        return f"Make the grid {after.columns} by {after.rows}"


@COMMANDS.command("grid")
class CutBoard(Command):
    """Keep some columns and rows, counted from 1, and remove the rest with its cities."""

    kind: Literal["cut-board"] = "cut-board"
    columns: tuple[int, int] | None = Field(default=None, description="The first and last column that stay")
    rows: tuple[int, int] | None = Field(default=None, description="The first and last row that stay")

    def edit(self, draft: HexDraft) -> str:
        """Plan it."""
        grid = config_of(draft).grid
        columns, rows = self.columns or (1, grid.columns), self.rows or (1, grid.rows)
        for what, (first, last), most in (("columns", columns, grid.columns), ("rows", rows, grid.rows)):
            if not 1 <= first <= last <= most:
                raise CommandError(f"{what} {first} to {last} are not on a grid of {most} {what}; correct them")
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
        """Plan it."""
        other = self._other()
        theirs, ours = read_config(other)[0], config_of(draft)
        if theirs.grid.flat != ours.grid.flat:
            raise CommandError(f"{self.board} has {theirs.grid.orientation} hexagons and this board has not; turn one")
        places = self._places(theirs.grid, ours.grid)
        columns, rows = [place[0] for place in places.values()], [place[1] for place in places.values()]
        left, top = max(0, -min(columns)), max(0, -min(rows))
        right, bottom = max(0, max(columns) - ours.grid.columns + 1), max(0, max(rows) - ours.grid.rows + 1)
        old = {ours.grid.place(one) for one in ours.grid.cubes}
        over = old & {*places.values()}
        if over:
            raise CommandError(f"{len(over)} hexagons of {self.board} would lie on this board; correct the shift")
        after = reshape(draft, left, top, right, bottom, cut=False)
        names = {
            theirs.grid.hex_id(one): after.hex_id(after.cube(column + left, row + top))
            for one, (column, row) in places.items()
        }
        taken = {(column + left, row + top) for column, row in old} | {
            (column + left, row + top) for column, row in places.values()
        }
        _take_terrain(draft, other, theirs, names)
        _block(draft, after, taken)
        _take_cities(draft, other, names, self.board)
        return f"Join {self.board} in the {self.side}"

    def _other(self) -> HexDocument:
        if not self.tables:
            return shipped_board(self.board)
        rows: dict[str, list[tuple[str, Row]]] = {}
        for table, found in self.tables.items():
            model = HexDocument.schema.tables.get(table)
            if model is None or not isinstance(found, Mapping):
                raise CommandError(f"tables.{table} is not a table of a board; leave it out")
            try:
                rows[table] = [(key, model.model_validate(row)) for key, row in found.items()]
            except ValidationError as error:
                raise CommandError(f"tables.{table}: {invalid(error.errors()[0])}") from error
        return document_of_rows(HexDocument, rows)

    def _places(self, theirs: HexGrid, ours: HexGrid) -> dict[Cube, tuple[int, int]]:
        """Return hexagons of the other board -> column and row on this one, which may be off its grid.

        Moving cubes keeps neighbours; where the offsets do not meet, every second line of the other board comes to lie
        half a hexagon higher.
        """
        first = theirs.cube(0, 0)
        start = {
            "east": (ours.columns, self.shift),
            "west": (-theirs.columns, self.shift),
            "south": (self.shift, ours.rows),
            "north": (self.shift, -theirs.rows),
        }[self.side]
        to = ours.cube(*start)
        moved = {one: Cube(one.q - first.q + to.q, one.r - first.r + to.r) for one in theirs.cubes}
        places = {one: ours.place(there) for one, there in moved.items()}
        return self._apart(places, ours)

    def _apart(self, places: dict[Cube, tuple[int, int]], ours: HexGrid) -> dict[Cube, tuple[int, int]]:
        """Move what came to lie on the board by the half hexagon off it again."""
        axis = 0 if self.side in ("east", "west") else 1
        if ours.flat == (axis == 0):
            return places
        values = [place[axis] for place in places.values()]
        if self.side in ("east", "south"):
            step = max(0, (ours.columns, ours.rows)[axis] - min(values))
        else:
            step = -max(0, max(values) + 1)
        return {one: (column + step * (axis == 0), row + step * (axis == 1)) for one, (column, row) in places.items()}


def _take_terrain(draft: HexDraft, other: HexDocument, theirs: Config, names: Mapping[str, str]) -> None:
    most = config_of(draft).terrain
    for key, row in ordered(other.table("terrains")):
        if key not in known_terrains() and key not in draft.table("terrains"):
            draft.put("terrains", key, row)
    rank = last_rank(draft.table("hexes"))
    for old, new in names.items():
        found = other.get("hexes", old)
        here = found if isinstance(found, HexRow) else HexRow(terrain=theirs.terrain)
        if here.terrain != most or here.art:
            draft.put("hexes", new, here.model_copy(update={"rank": rank}))
            rank += 1
    rank = last_rank(draft.table("edges"))
    for key, edge in ordered(other.table("edges")):
        there = _moved_edge(key, names.get)
        if there is not None:
            draft.put("edges", there, edge.model_copy(update={"rank": rank}))
            rank += 1


def _block(draft: HexDraft, after: HexGrid, taken: set[tuple[int, int]]) -> None:
    rank = last_rank(draft.table("hexes"))
    for hexagon in after.cubes:
        if after.place(hexagon) not in taken:
            draft.put("hexes", after.hex_id(hexagon), HexRow(terrain=BLOCKED, rank=rank))
            rank += 1


def _take_cities(draft: HexDraft, other: HexDocument, names: Mapping[str, str], board: str) -> None:
    ids: dict[str, str] = {}
    for key, city in ordered(other.table("cities")):
        if isinstance(city, CityRow) and city.hex in names:
            ids[key] = key if key not in draft.table("cities") else f"{key}-{board}"
            rank = last_rank(draft.table("cities"))
            draft.put("cities", ids[key], city.model_copy(update={"hex": names[city.hex], "rank": rank}))
    for table in ("links", "lines"):
        for key, row in ordered(other.table(table)):
            there = key if key not in draft.table(table) else f"{key}-{board}"
            draft.put(
                table, there, row.model_copy(update={**_renamed(row, ids), "rank": last_rank(draft.table(table))})
            )


def _renamed(row: Row, ids: Mapping[str, str]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name in ("a", "b"):
        value = getattr(row, name, "")
        if value:
            out[name] = ids.get(value, value)
    if hasattr(row, "cities"):
        out["cities"] = tuple(ids.get(one, one) for one in row.cities)
    return out
