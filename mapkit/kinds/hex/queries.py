"""Read-only queries of the page of hexagon boards."""

from typing import Final, Literal

from pydantic import Field

from mapkit.drawing.theme.files import find_theme
from mapkit.drawing.theme.theme import CLASSIC
from mapkit.kinds.hex.compiler import CompiledHexes
from mapkit.kinds.hex.network.ways import find_ways
from mapkit.kinds.hex.render.board import draw_board
from mapkit.kinds.hex.render.palette import PIGMENTS
from mapkit.kinds.hex.render.sheet import lay_out_sheet
from mapkit.kinds.protocol import QueryResult, View
from mapkit.kinds.queries import BoardSnapshot, PageQuestion, QueryError, Questions


class Picture(PageQuestion):
    """Drawing of the board, or of the saved one."""

    theme: str = Field(default="classic", max_length=40)
    at: Literal["now", "saved"] = "now"


class Drawing(QueryResult):
    """A drawing as SVG."""

    svg: str


class CheapestWay(PageQuestion):
    """The cheapest link between two cities."""

    a: str = Field(max_length=200)
    b: str = Field(max_length=200)


class WayFound(QueryResult):
    """A link: dollars, tiles and hexagons in order; null where none can be built."""

    cost: int | None
    tiles: int | None
    hexes: tuple[str, ...] = ()


def page_view(compiled: CompiledHexes) -> View:
    """Return the data that the page needs to place a pointer: grid, its position in millimetres, terrains."""
    board = compiled.board
    board_sheet, grid = lay_out_sheet(board), board.grid
    return {
        "grid": {
            "offset": grid.offset,
            "columns": grid.columns,
            "rows": grid.rows,
            "size": grid.size_mm,
            "left": board_sheet.left,
            "top": board_sheet.top,
            "width": board_sheet.width,
            "height": board_sheet.height,
        },
        "terrain": compiled.config.terrain,
        "terrains": [terrain.model_dump(mode="json") for terrain in board.terrains],
        "pigments": dict(PIGMENTS),
    }


def _draw_picture(asked: BoardSnapshot[CompiledHexes], question: Picture) -> Drawing:
    compiled = asked.live
    if question.at == "saved" and asked.document_at is not None:
        compiled = compiled.recompile(asked.document_at("saved"))
    return Drawing(svg=draw_board(compiled.board, find_theme(question.theme) or CLASSIC))


def _find_way(asked: BoardSnapshot[CompiledHexes], question: CheapestWay) -> WayFound:
    board = asked.live.board
    city_ids = {city.id for city in board.cities}
    for city_id in (question.a, question.b):
        if city_id not in city_ids:
            raise QueryError(f"{city_id!r} is not a city of the board")
    cheapest_way = None if question.a == question.b else find_ways(asked.live.db).way(question.a, question.b)
    if cheapest_way is None:
        return WayFound(cost=None, tiles=None)
    return WayFound(cost=cheapest_way.cost, tiles=cheapest_way.tiles, hexes=cheapest_way.hexes)


QUESTIONS: Final[Questions[CompiledHexes]] = {"picture": (Picture, _draw_picture), "way": (CheapestWay, _find_way)}
"""What the page asks."""
