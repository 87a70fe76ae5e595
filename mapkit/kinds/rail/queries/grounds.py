"""Layers under the edited board: the drawn board, lines of files, and an earlier moment."""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Final, Literal

import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Area, Colour, Frozen, Point
from mapkit.core.geodesy import METRES_PER_MILE
from mapkit.drawing.recorded_page import Paint, Shape
from mapkit.drawing.theme.sizes import ThemeName
from mapkit.drawing.theme.theme import THEMES
from mapkit.geography.backdrop import place_lines
from mapkit.geography.projection import Projection
from mapkit.kinds.protocol import QueryResult
from mapkit.kinds.queries import QueryError
from mapkit.kinds.rail.checks.region_areas import FAR_MI
from mapkit.kinds.rail.editing.line_files import LineFiles, load_lines
from mapkit.kinds.rail.queries.moments import Moment, board_at
from mapkit.kinds.rail.queries.question import Asked, question
from mapkit.kinds.rail.render.board_theme import apply_board_sizes
from mapkit.kinds.rail.render.screen.page_warp import find_cached_warp, solve_page
from mapkit.kinds.rail.render.screen.parts import draw_ground_part, get_track_part, load_true_backdrop

_COARSE: Final = 6
Path = tuple[Point, ...]
Paths = tuple[Path, ...]


class WantedPart(Frozen):
    """The part of the drawing that is wanted, and its theme or the board's own.

    `known` is the digest of what the page has of it, `warp` that of how the printed page moves it; nothing is the true
    map.
    """

    part: Literal["ground", "track"]
    warp: str = ""
    theme: ThemeName | Literal["board"] = "board"
    known: str = ""


class WantedWarp(Frozen):
    """Request for the warp of the present board, as it would be printed."""


class LineFile(Frozen):
    """A file of lines that was taken in."""

    id: str


class Ghost(Frozen):
    """Moment of the requested track."""

    moment: Moment = "saved"


@lru_cache(maxsize=8)
def _file_lines(kept: FilePath, projection: Projection, area: Area) -> Paths:
    return _lines(place_lines(load_lines(kept), projection, area))


class PartLayer(Frozen):
    """A layer in millimetres of the page: shapes from the bottom up, and the paints that they name."""

    paints: tuple[Paint, ...]
    shapes: tuple[Shape, ...]


class DrawnPart(QueryResult):
    """A part of the drawing: the layer `ground`, or `lines` and `symbols`; nothing if the page has it (`same`).

    `lines` are the drawn lines of segments by id. Colours are those that the theme has for names; millimetres are those
    of its symbols: the width of a line, the side of a square, the radius of a dot.
    """

    digest: str
    same: bool
    layers: dict[str, PartLayer]
    lines: dict[str, Path]
    ink: Colour
    halo: Colour
    line: float
    square: float
    dot: float


class SolvedStep(Frozen):
    """A small move of everything on the page: a uniform cubic B-spline over a frame in millimetres.

    `knots` are moves in millimetres, row by row, on a grid from edge to edge of the frame (left, top, right, bottom).
    """

    frame: Area
    knots: tuple[tuple[Point, ...], ...]


class SolvedWarp(QueryResult):
    """How the printed page moves places of the true map: steps, one after the other."""

    digest: str
    steps: tuple[SolvedStep, ...]


class OpenWater(Frozen):
    """The water of the base map that is well away from land, of the true map."""


class WaterDrawn(QueryResult):
    """Areas of water in page millimetres, y downward: rings by the even-odd rule.

    They keep as far off the coast as a port may lie by G08, for coasts are generalised.
    """

    rings: Paths


class FileLines(QueryResult):
    """The lines of a file in page millimetres, y downward, clipped to the page as the base map is."""

    lines: Paths


class GhostDrawn(QueryResult):
    """The track of a moment in page millimetres, y downward: lines, and dots for mileposts."""

    lines: Paths
    dots: tuple[Point, ...]


@question("drawing", WantedPart, DrawnPart)
def drawing(ask: WantedPart, asked: Asked) -> DrawnPart:
    """Return a part of the board as it is drawn."""
    board = asked.live.board
    theme = apply_board_sizes(None if ask.theme == "board" else THEMES[ask.theme], board)
    warp = find_cached_warp(ask.warp)
    if warp is None:
        raise QueryError("the printed page has to be laid out again; the program was started again since")
    part = (draw_ground_part if ask.part == "ground" else get_track_part)(board, theme, warp)
    same = part.digest == ask.known
    layers = {} if same else part.layers
    return DrawnPart(
        digest=part.digest,
        same=same,
        layers={
            name: PartLayer(paints=tuple(layer["paints"]), shapes=tuple(layer["shapes"]))
            for name, layer in layers.items()
        },
        lines={} if same else {ident: tuple(line) for ident, line in part.lines.items()},
        ink=theme.ink,
        halo=theme.halo,
        line=theme.sizes.line,
        square=theme.sizes.city_side,
        dot=theme.sizes.dot_radius,
    )


@question("page-warp", WantedWarp, SolvedWarp)
def page_warp(_ask: WantedWarp, asked: Asked) -> SolvedWarp:
    """Return how the printed page moves the board as it is now."""
    board = asked.live.board
    warp = solve_page(board, apply_board_sizes(None, board).sizes)
    return SolvedWarp(
        digest=warp.digest,
        steps=tuple(
            SolvedStep(frame=step.frame, knots=tuple(tuple(map(tuple, row)) for row in step.knots.tolist()))
            for step in warp.steps
        ),
    )


@question("open-water", OpenWater, WaterDrawn)
def open_water(_ask: OpenWater, asked: Asked) -> WaterDrawn:
    """Return open water, well away from land."""
    backdrop = load_true_backdrop(asked.live.board)
    off = FAR_MI * METRES_PER_MILE * asked.live.frame.projection.scale_mm_per_m
    dry = shapely.difference(backdrop.land, shapely.union_all(list(backdrop.lakes)))
    # coarser is quicker, and lies within the distance that is kept
    ashore = shapely.simplify(shapely.buffer(shapely.simplify(dry, off / _COARSE), off, quad_segs=2), off / _COARSE)
    water = shapely.difference(shapely.box(*backdrop.area), ashore)
    parts = [part for part in shapely.get_parts(water) if part.geom_type == "Polygon" and part.area >= off**2]
    return WaterDrawn(rings=_lines(shapely.get_rings(parts)))


@question("line-file", LineFile, FileLines)
def line_file(ask: LineFile, asked: Asked) -> FileLines:
    """Return the lines of a file."""
    if asked.folder is None:
        raise QueryError("this board has no folder that files of lines could be kept beside")
    frame = asked.live.frame
    kept = LineFiles.of_board(asked.folder).folder_of(ask.id)
    return FileLines(lines=_file_lines(kept, frame.projection, (0.0, 0.0, frame.page.width, frame.page.height)))


@question("ghost", Ghost, GhostDrawn)
def ghost(ask: Ghost, asked: Asked) -> GhostDrawn:
    """Return the track of a moment, in the frame of the session."""
    board = board_at(asked, ask.moment)
    return GhostDrawn(
        lines=tuple(segment.path for segment in board.segments),
        dots=tuple((milepost.x, milepost.y) for milepost in board.mileposts),
    )


def _lines(shapes: Iterable[BaseGeometry]) -> Paths:
    parts = (one for shape in shapes for part in shapely.get_parts(shape) for one in shapely.get_parts(part))
    return tuple(_path(part) for part in parts if part.geom_type in ("LineString", "LinearRing"))


def _path(line: BaseGeometry) -> Path:
    points: list[Point] = shapely.get_coordinates(line).round(2).tolist()
    return tuple((x, y) for x, y in points)
