"""Projection and page fit of an editing session, fixed so that only edited places move."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.problems import Problem, parse_problem
from mapkit.formats.degrees import LAST_BOARD_LAT
from mapkit.geography.page_map import PageMap
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.model.board import Page
from mapkit.kinds.rail.model.boxes import Extent
from mapkit.kinds.rail.model.source import PageConfig, ProjectionConfig
from mapkit.kinds.rail.trace.page import fit_page

FRAME: Final = "frame"
"""The input of the evaluator that holds the frame of a session."""
_WEB = "EPSG:3857"
_REACH = (12.0, 8.0)
_STEPS = 16
_WORLD = (-180.0, -60.0, 180.0, 80.0)
_LARGEST = 200_000
"""Points that are remembered; then they are forgotten, not the frame."""


@dataclass(frozen=True)
class PageSettings:
    """Settings of `board.toml` that determine the page."""

    projection: ProjectionConfig
    page: PageConfig


@dataclass(frozen=True)
class Frame:
    """Map from degrees to millimetres of the page (y downward), with a cache of projected points.

    Args:
        projection: The CRS, scale and offset.
        page: The page and its frame in millimetres.
        refused: Why the board's own projection or page cannot be used, and what it was fitted to.
        asked: The projection asked for that it was fitted to; None for a frame that is used whatever is asked for.
    """

    projection: Projection
    page: Page
    refused: tuple[str, object] | None = None
    asked: ProjectionConfig | None = None
    _known: dict[Point, Point] = field(default_factory=dict, repr=False, compare=False)

    def to_page(self, points: Sequence[Point]) -> tuple[Point, ...]:
        """Project points `(lon, lat)` to `(x, y)`, rounded to a hundredth of a millimetre."""
        known = self._known
        if len(known) > _LARGEST:
            known.clear()
        new = [point for point in dict.fromkeys(points) if point not in known]
        if new:
            known.update(zip(new, PageMap(self.projection).to_page(new), strict=True))
        return tuple(known[point] for point in points)


def fit_frame(config: PageSettings, points: Iterable[Point]) -> Frame:
    """Return the frame that shows all points, as a build fits it.

    Where the projection or page cannot be used, which a build says, points are shown in the projection of web maps.
    """
    shown = [*points, *_outline(config.page.extent)] or _around_the_middle(config)
    try:
        return Frame(*fit_page(config.projection, config.page, shown))
    except SourceError as error:
        web = config.projection.model_copy(update={"name": "crs", "crs": _WEB})
        page = config.page.model_copy(update={"margin": 0.0, "legend": 0.0})
        inside = [(lon, max(min(lat, LAST_BOARD_LAT), -LAST_BOARD_LAT)) for lon, lat in shown]
        return Frame(*fit_page(web, page, inside), refused=(str(error), (config.projection, config.page)))


def frame_problems(frame: Frame, config: PageSettings) -> tuple[Problem, ...]:
    """Return why the projection or page cannot be used, as long as they are those that the frame was fitted to."""
    if frame.refused is None or frame.refused[1] != (config.projection, config.page):
        return ()
    return (parse_problem(frame.refused[0], table="settings", key="projection"),)


def _outline(extent: Extent | None) -> Iterator[Point]:
    """Yield points along the sides of an extent; where a projection bends them, the corners are not the outermost."""
    if extent is None:
        return
    west, south, east, north = extent
    east += 360.0 if west > east else 0.0
    for step in range(_STEPS + 1):
        lon, lat = west + (east - west) * step / _STEPS, south + (north - south) * step / _STEPS
        yield from ((lon, south), (lon, north), (west, lat), (east, lat))


def _around_the_middle(config: PageSettings) -> list[Point]:
    """Return corners around the middle of the projection, for an empty board, or the world."""
    if config.projection.name == "auto":
        return list(_outline(_WORLD))
    lon, lat = config.projection.lon_0 or 0.0, config.projection.lat_0 or 0.0
    south, north = max(lat - _REACH[1], -LAST_BOARD_LAT), min(lat + _REACH[1], LAST_BOARD_LAT)
    west, east = max(lon - _REACH[0], -180.0), min(lon + _REACH[0], 180.0)
    return [(west, south), (west, north), (east, south), (east, north), ((west + east) / 2, (south + north) / 2)]
