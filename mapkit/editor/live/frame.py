"""The projection and page fit of an editing session: fixed, so that nothing moves but what is edited."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from mapkit.errors import SourceError
from mapkit.model.base import Point
from mapkit.model.board import Page, Projection
from mapkit.model.source import BoardConfig
from mapkit.trace.page import PageMap, fit_page

_WEB = "EPSG:3857"
_LAST_LAT = 85.0
_REACH = (12.0, 8.0)
_LARGEST = 200_000
"""Points that are remembered; then they are forgotten, not the frame."""


@dataclass(frozen=True)
class Frame:
    """Takes degrees to millimetres of the page (y downward), and remembers what it has projected.

    Args:
        projection: The CRS, scale and offset.
        page: The page and its frame in millimetres.
    """

    projection: Projection
    page: Page
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


PLAIN: Final = Frame(
    Projection(name="crs", crs="EPSG:4326", scale_mm_per_m=1.0, offset_x_mm=0.0, offset_y_mm=0.0),
    Page(width=360, height=180, frame=(0, 0, 360, 180)),
)
"""Degrees as millimetres, until a board has a frame of its own."""


def fit_frame(config: BoardConfig, points: Iterable[Point]) -> Frame:
    """Return the frame that shows all points, as a build fits it.

    Where the projection or page cannot be used, which a build says, points are shown in the projection of web maps.
    """
    shown = list(points) or _around_the_middle(config)
    try:
        return Frame(*fit_page(config.projection, config.page, shown))
    except SourceError:
        web = config.projection.model_copy(update={"name": "crs", "crs": _WEB})
        page = config.page.model_copy(update={"margin": 0.0, "legend": 0.0})
        inside = [(lon, max(min(lat, _LAST_LAT), -_LAST_LAT)) for lon, lat in shown]
        return Frame(*fit_page(web, page, inside))


def _around_the_middle(config: BoardConfig) -> list[Point]:
    """Return corners around the middle of the projection, for a board on which there is nothing yet."""
    lon, lat = config.projection.lon_0 or 0.0, config.projection.lat_0 or 0.0
    south, north = max(lat - _REACH[1], -_LAST_LAT), min(lat + _REACH[1], _LAST_LAT)
    west, east = max(lon - _REACH[0], -180.0), min(lon + _REACH[0], 180.0)
    return [(west, south), (west, north), (east, south), (east, north), ((west + east) / 2, (south + north) / 2)]
