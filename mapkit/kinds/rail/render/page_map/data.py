"""Data for the script of a map: the board's network and drawn places, as one JSON object.

Lists refer to each other by position, which keeps pages small.
"""

import json
from collections.abc import Collection, Mapping

from mapkit.core.base import Frozen, Point
from mapkit.drawing.short_paths import shorten_paths
from mapkit.drawing.svg_page import SvgPage
from mapkit.drawing.words.script import ScriptWords, words_for_script
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.words import words_of

_DECIMALS = 2


class MilepostData(Frozen):
    """Milepost at its drawn place, millimetres of the page; `city` if it is a square."""

    id: str
    name: str
    city: bool
    x: float
    y: float


class CityData(Frozen):
    """City: milepost and region by position, middle of its square in millimetres, chance in percent."""

    id: str
    name: str
    region: int
    milepost: int
    x: float
    y: float
    chance: float


class SegmentData(Frozen):
    """Segment: railroad and ends by position, hundredths of miles, and its pieces by position."""

    id: str
    railroad: int
    a: int
    b: int
    miles: int
    pieces: tuple[int, ...]


class MapData(Frozen):
    """Data of a map.

    `page` (width, height), `area` (the map: left, top, right, bottom) and `text` (of cities' names) in millimetres.
    """

    words: ScriptWords
    title: str
    page: Point
    area: tuple[float, float, float, float]
    text: float
    mileposts: tuple[MilepostData, ...]
    cities: tuple[CityData, ...]
    segments: tuple[SegmentData, ...]


def collect_map_data(layout: Layout, chances: Mapping[str, float], *, texts: Collection[str]) -> MapData:
    """Collect the data of a map; places are those of the layout, never those of the board file.

    Args:
        layout: Of the board.
        chances: City (id) -> its chance in percent; the likeliest are named first.
        texts: Groups of the texts used by the page's script.
    """
    board = layout.board
    milepost_position = {m.id: k for k, m in enumerate(board.mileposts)}
    railroad_position = {r.id: k for k, r in enumerate(board.railroads)}
    region_position = {r.id: k for k, r in enumerate(board.regions)}
    piece_position = {p.id: k for k, p in enumerate(board.pieces)}
    left, top, right, bottom = layout.area
    return MapData(
        words=words_for_script(words_of(board), texts),
        title=board.title,
        page=(board.page.width, board.page.height),
        area=(*round_point((left, top)), *round_point((right, bottom))),
        text=layout.sizes.city_text,
        mileposts=tuple(
            MilepostData(id=m.id, name=m.name, city=m.kind == "city", x=x, y=y)
            for m in board.mileposts
            for x, y in [round_point(layout.spots[m.id])]
        ),
        cities=tuple(
            CityData(
                id=c.id,
                name=c.name,
                region=region_position[c.region],
                milepost=milepost_position[c.milepost],
                x=x,
                y=y,
                chance=chances.get(c.id, 0.0),
            )
            for c in board.cities
            for x, y in [round_point(layout.squares[c.id])]
        ),
        segments=tuple(
            SegmentData(
                id=s.id,
                railroad=railroad_position[s.railroad],
                a=milepost_position[s.a],
                b=milepost_position[s.b],
                miles=round(s.miles * 100),
                pieces=tuple(piece_position[p] for p in s.pieces),
            )
            for s in board.segments
        ),
    )


def format_script_json(data: MapData) -> str:
    """Return the data as JSON for a script element, without `<`."""
    json_text = json.dumps(data.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return json_text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def format_inline_board(document: SvgPage) -> str:
    """Return the board as an element of the page; no longer one image, as its parts can be reached."""
    board_svg = shorten_paths(document.to_html())
    return board_svg.replace('role="img"', 'role="group" id="ui-board" focusable="false"', 1)


def round_point(point: Point) -> Point:
    """Round a point, millimetres, to the decimals of pages."""
    return round(float(point[0]), _DECIMALS), round(float(point[1]), _DECIMALS)
