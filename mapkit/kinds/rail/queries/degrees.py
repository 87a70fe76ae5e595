"""From page to map: degrees of points in millimetres, and usual distances of the board.

While something is dragged, the page says miles by itself: from a grid of degrees over the page, asked for once, and
from the limits that the checks have of the board as it is.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from pydantic import Field

from mapkit.core.base import Frozen, Point
from mapkit.geography.page_map import PageMap
from mapkit.geography.projection import Projection
from mapkit.kinds.protocol import QueryResult
from mapkit.kinds.queries import QueryError
from mapkit.kinds.rail.checks.geometry import least_milepost_distance, measure_usual_lengths
from mapkit.kinds.rail.queries.question import Asked, question

FULL, QUARTER = 180.0, 90.0
CELLS: Final = 24
"""Of a grid over the page, along its longer side."""


class DegreesOf(Frozen):
    """Points on the page, millimetres, y down."""

    points: tuple[Point, ...] = Field(max_length=100_000)


class Degrees(QueryResult):
    """The same points as `[lon, lat]` in degrees (EPSG:4326), to five decimals."""

    points: tuple[Point, ...]


@question("degrees", DegreesOf, Degrees)
def degrees(ask: DegreesOf, asked: Asked) -> Degrees:
    """Return points in degrees, by the projection of the session."""
    out = _degrees(asked.live.frame.projection, ask.points)
    if None in out:
        raise QueryError("this place lies off the map; choose one nearer to the board")
    return Degrees(points=tuple(place for place in out if place is not None))


class PageGrid(Frozen):
    """A grid over the whole page, asked for once."""


class GridDegrees(QueryResult):
    """A grid from edge to edge of the page in cells of one size, millimetres.

    `points` are `[lon, lat]` in degrees of its corners, row by row from the top, null off the map.
    """

    cell: Point
    columns: int
    points: tuple[Point | None, ...]


@question("page-grid", PageGrid, GridDegrees)
def page_grid(_ask: PageGrid, asked: Asked) -> GridDegrees:
    """Return a grid of degrees over the page."""
    page = asked.live.frame.page
    side = max(page.width, page.height) / CELLS
    columns, rows = (max(1, round(length / side)) for length in (page.width, page.height))
    spots = [
        (page.width * column / columns, page.height * row / rows)
        for row in range(rows + 1)
        for column in range(columns + 1)
    ]
    return GridDegrees(
        cell=(page.width / columns, page.height / rows),
        columns=columns,
        points=tuple(_degrees(asked.live.frame.projection, spots)),
    )


class WantedSpacing(Frozen):
    """The distances between mileposts of the board as it is now."""


class UsualMiles(Frozen):
    """How long segments usually are, miles: no shorter, most often, no longer (N10)."""

    least: float
    middle: float
    most: float


class SpacingLimits(QueryResult):
    """The miles below which two mileposts are too close together (N09), and usual segments.

    Null where the board has too little track to say.
    """

    near: float | None
    usual: UsualMiles | None


@question("spacing-limits", WantedSpacing, SpacingLimits)
def spacing_limits(_ask: WantedSpacing, asked: Asked) -> SpacingLimits:
    """Return the limits that the checks N09 and N10 have on this board."""
    board = asked.live.board
    usual = measure_usual_lengths(board)
    return SpacingLimits(
        near=least_milepost_distance(board), usual=None if usual is None else UsualMiles(**usual._asdict())
    )


def _degrees(projection: Projection, points: Sequence[Point]) -> list[Point | None]:
    """Return points of the page in degrees; None for those off the map, also for NaN and infinity."""
    found = PageMap(projection).to_degrees(np.asarray(points, dtype=np.float64).reshape(-1, 2))
    return [
        (round(lon, 5), round(lat, 5)) if -FULL <= lon <= FULL and -QUARTER <= lat <= QUARTER else None
        for lon, lat in zip(*(part.tolist() for part in found), strict=True)
    ]
