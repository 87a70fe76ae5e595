"""From the page to the map: degrees of points in millimetres."""

from typing import Any

from pydantic import Field

from mapkit.editor.questions.question import Asked, QuestionError, question
from mapkit.model.base import Frozen, Point
from mapkit.trace.page import transformer

FULL, QUARTER = 180.0, 90.0


class DegreesOf(Frozen):
    """Points on the page, millimetres, y down."""

    points: tuple[Point, ...] = Field(max_length=100_000)


@question("degrees", DegreesOf)
def degrees(ask: DegreesOf, asked: Asked) -> dict[str, Any]:
    """Return `points`, `[lon, lat]` in degrees (EPSG:4326) to five decimals, by the projection of the session."""
    projection = asked.live.frame.projection
    out = []
    for x, y in ask.points:
        east = (x - projection.offset_x_mm) / projection.scale_mm_per_m
        north = (projection.offset_y_mm - y) / projection.scale_mm_per_m
        lon, lat = transformer(projection.crs).transform(east, north, direction="INVERSE")
        if not (-FULL <= lon <= FULL and -QUARTER <= lat <= QUARTER):  # also for NaN and infinity
            raise QuestionError("this place lies off the map; choose one nearer to the board")
        out.append((round(lon, 5), round(lat, 5)))
    return {"points": out}
