"""What may lie under the track while one draws: the base map, lines of files, the board of an earlier moment."""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.editor.line_files import LineFiles, load_lines
from mapkit.editor.questions.moments import Moment, board_at
from mapkit.editor.questions.question import Asked, QuestionError, question
from mapkit.model.base import Frozen, Point
from mapkit.model.board import Projection
from mapkit.render.backdrop import Area, Backdrop, load_backdrop, place_lines

Path = list[tuple[float, float]]


class BaseMap(Frozen):
    """The base map has no settings: it is that of the session's page."""


class LineFile(Frozen):
    """A file of lines that was taken in."""

    id: str


class Ghost(Frozen):
    """The moment whose track is wanted."""

    moment: Moment = "saved"


@lru_cache(maxsize=2)
def _backdrop(projection: Projection, area: Area) -> Backdrop:
    return load_backdrop(projection, area)


@lru_cache(maxsize=8)
def _file_lines(kept: FilePath, projection: Projection, area: Area) -> list[Path]:
    return _lines(place_lines(load_lines(kept), projection, area))


@question("base-map", BaseMap)
def base_map(_: BaseMap, asked: Asked) -> dict[str, Any]:
    """Return paths in page millimetres, y downward, clipped to the page.

    `land` and `lakes` are areas, each a list of rings (the outer one, then holes); `rivers`, `borders` and `states`
    are lines.
    """
    frame = asked.live.frame
    found = _backdrop(frame.projection, (0.0, 0.0, frame.page.width, frame.page.height))
    return {
        "land": _areas([found.land]),
        "lakes": _areas(found.lakes),
        "rivers": _lines([found.rivers]),
        "borders": _lines([found.country_borders]),
        "states": _lines([found.state_borders]),
    }


@question("line-file", LineFile)
def line_file(ask: LineFile, asked: Asked) -> dict[str, Any]:
    """Return `lines`, the paths of a file in page millimetres, y downward, clipped to the page as the base map is."""
    if asked.folder is None:
        raise QuestionError("this board has no folder that files of lines could be kept beside")
    frame = asked.live.frame
    kept = LineFiles.of_board(asked.folder).folder_of(ask.id)
    return {"lines": _file_lines(kept, frame.projection, (0.0, 0.0, frame.page.width, frame.page.height))}


@question("ghost", Ghost)
def ghost(ask: Ghost, asked: Asked) -> dict[str, Any]:
    """Return the track of a moment, in the frame of the session: `lines`, and `dots` for mileposts."""
    board = board_at(asked, ask.moment)
    return {
        "lines": [[list(point) for point in segment.path] for segment in board.segments],
        "dots": [[milepost.x, milepost.y] for milepost in board.mileposts],
    }


def _areas(shapes: Iterable[BaseGeometry]) -> list[list[Path]]:
    parts = (part for shape in shapes for part in shapely.get_parts(shape))
    return [
        [_path(ring) for ring in (part.exterior, *part.interiors)]
        for part in parts
        if part.geom_type == "Polygon" and not part.is_empty
    ]


def _lines(shapes: Iterable[BaseGeometry]) -> list[Path]:
    parts = (one for shape in shapes for part in shapely.get_parts(shape) for one in shapely.get_parts(part))
    return [_path(part) for part in parts if part.geom_type in ("LineString", "LinearRing")]


def _path(line: BaseGeometry) -> Path:
    points: list[Point] = shapely.get_coordinates(line).round(2).tolist()
    return [(x, y) for x, y in points]
