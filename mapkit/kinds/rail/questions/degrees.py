"""From the page to the map: degrees of points in millimetres."""

from pydantic import Field

from mapkit.core.base import Frozen, Point
from mapkit.geography.page_map import transformer
from mapkit.kinds.asked import QuestionError
from mapkit.kinds.rail.questions.question import Asked, question
from mapkit.kinds.wire import Answer

FULL, QUARTER = 180.0, 90.0


class DegreesOf(Frozen):
    """Points on the page, millimetres, y down."""

    points: tuple[Point, ...] = Field(max_length=100_000)


class Degrees(Answer):
    """The same points as `[lon, lat]` in degrees (EPSG:4326), to five decimals."""

    points: tuple[Point, ...]


@question("degrees", DegreesOf, Degrees)
def degrees(ask: DegreesOf, asked: Asked) -> Degrees:
    """Return points in degrees, by the projection of the session."""
    projection = asked.live.frame.projection
    out = []
    for x, y in ask.points:
        east = (x - projection.offset_x_mm) / projection.scale_mm_per_m
        north = (projection.offset_y_mm - y) / projection.scale_mm_per_m
        lon, lat = transformer(projection.crs).transform(east, north, direction="INVERSE")
        if not (-FULL <= lon <= FULL and -QUARTER <= lat <= QUARTER):  # also for NaN and infinity
            raise QuestionError("this place lies off the map; choose one nearer to the board")
        out.append((round(lon, 5), round(lat, 5)))
    return Degrees(points=tuple(out))
