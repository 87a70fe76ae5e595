"""What may lie under the track while one draws: the base map, lines of files, the board of an earlier moment."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path as FilePath

import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Area, Frozen, Point
from mapkit.core.memo import remembered
from mapkit.geography.backdrop import Backdrop, load_backdrop, place_lines
from mapkit.geography.own_layers import OwnLayers
from mapkit.geography.projection import Projection
from mapkit.kinds.asked import QuestionError
from mapkit.kinds.rail.editing.line_files import LineFiles, load_lines
from mapkit.kinds.rail.questions.moments import Moment, board_at
from mapkit.kinds.rail.questions.question import Asked, question
from mapkit.kinds.wire import Answer

Path = tuple[Point, ...]
Paths = tuple[Path, ...]
Rings = tuple[Paths, ...]


class BaseMap(Frozen):
    """The base map has no settings: it is that of the session's page."""


class LineFile(Frozen):
    """A file of lines that was taken in."""

    id: str


class Ghost(Frozen):
    """The moment whose track is wanted."""

    moment: Moment = "saved"


@dataclass(frozen=True, eq=False)
class _Layers:
    """The author's own layers, by which object they are: to hash all their points would take long."""

    own: OwnLayers | None


@remembered(4)
def _layers(own: OwnLayers | None) -> _Layers:
    return _Layers(own)


@lru_cache(maxsize=2)
def _backdrop(projection: Projection, area: Area, layers: _Layers) -> Backdrop:
    return load_backdrop(projection, area, own=layers.own)


@lru_cache(maxsize=8)
def _file_lines(kept: FilePath, projection: Projection, area: Area) -> Paths:
    return _lines(place_lines(load_lines(kept), projection, area))


class BaseMapDrawn(Answer):
    """Paths in page millimetres, y downward, clipped to the page.

    `land` and `lakes` are areas, each a list of rings (the outer one, then holes); `rivers`, `borders` and `states`
    are lines.
    """

    land: Rings
    lakes: Rings
    rivers: Paths
    borders: Paths
    states: Paths


class FileLines(Answer):
    """The lines of a file in page millimetres, y downward, clipped to the page as the base map is."""

    lines: Paths


class GhostDrawn(Answer):
    """The track of a moment in page millimetres, y downward: lines, and dots for mileposts."""

    lines: Paths
    dots: tuple[Point, ...]


@question("base-map", BaseMap, BaseMapDrawn)
def base_map(_: BaseMap, asked: Asked) -> BaseMapDrawn:
    """Return the base map."""
    frame = asked.live.frame
    page = (0.0, 0.0, frame.page.width, frame.page.height)
    found = _backdrop(frame.projection, page, _layers(asked.live.board.layers))
    return BaseMapDrawn(
        land=_areas([found.land]),
        lakes=_areas(found.lakes),
        rivers=_lines([found.rivers]),
        borders=_lines([found.country_borders]),
        states=_lines([found.state_borders]),
    )


@question("line-file", LineFile, FileLines)
def line_file(ask: LineFile, asked: Asked) -> FileLines:
    """Return the lines of a file."""
    if asked.folder is None:
        raise QuestionError("this board has no folder that files of lines could be kept beside")
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


def _areas(shapes: Iterable[BaseGeometry]) -> Rings:
    parts = (part for shape in shapes for part in shapely.get_parts(shape))
    return tuple(
        tuple(_path(ring) for ring in (part.exterior, *part.interiors))
        for part in parts
        if part.geom_type == "Polygon" and not part.is_empty
    )


def _lines(shapes: Iterable[BaseGeometry]) -> Paths:
    parts = (one for shape in shapes for part in shapely.get_parts(shape) for one in shapely.get_parts(part))
    return tuple(_path(part) for part in parts if part.geom_type in ("LineString", "LinearRing"))


def _path(line: BaseGeometry) -> Path:
    points: list[Point] = shapely.get_coordinates(line).round(2).tolist()
    return tuple((x, y) for x, y in points)
