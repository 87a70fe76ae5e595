"""Quality of a georeference: errors of its control points, and warnings."""

from typing import Literal

from mapkit.core.base import Frozen
from mapkit.formats.drawn_page import DrawnPage

PictureModel = Literal["affine", "projective", "tps"]
WarningCode = Literal[
    "bad-point",
    "bending",
    "folding",
    "mirrored",
    "nearly-on-a-line",
    "no-check",
    "other-projection",
    "outside-drawing",
    "outside-points",
]


class GeoreferenceWarning(Frozen):
    """Doubtful property of a georeference; `row` is the control point to look at."""

    code: WarningCode
    row: int | None
    message: str


class PointErrors(Frozen):
    """Errors of a control point.

    `dx`, `dy` lead from its pixel to the pixel at which the model puts its place. `left_out_*` is the same for the
    model fitted on the other points (None where they do not suffice); all
    are None where the model has no place or pixel. Lengths in pixels and statute miles;
    leave-one-out errors in pixels are calculated in the plane, with the affine map that lies closest to the picture.
    """

    row: int
    name: str
    x: float
    y: float
    lon: float
    lat: float
    dx: float | None
    dy: float | None
    pixels: float | None
    miles: float | None
    left_out_dx: float | None
    left_out_dy: float | None
    left_out_pixels: float | None
    left_out_miles: float | None


class DrawingExtent(Frozen):
    """Size of a drawing and extent of its content, in its own units with y downward.

    `page` is the upper left corner, width and height (None where the file gives none); `drawn` is left, top, right
    and bottom of all its lines and points (None where it has none).
    """

    file: str
    page: DrawnPage | None
    drawn: tuple[float, float, float, float] | None


class GeoreferenceReport(Frozen):
    """Accuracy of a georeference.

    `worst` is the row of the point that fits the others least (None where that is not known); `matrix` takes
    `(x, y, 1)` to the plane of `crs` (None for a spline, which is fixed by its points).
    """

    format: Literal["mapkit/georeference"] = "mapkit/georeference"
    model: PictureModel
    crs: str
    matrix: tuple[tuple[float, float, float], ...] | None
    rms_pixels: float | None
    rms_miles: float | None
    left_out_rms_pixels: float | None
    left_out_rms_miles: float | None
    miles_per_pixel: float
    worst: int | None
    warnings: tuple[GeoreferenceWarning, ...]
    points: tuple[PointErrors, ...]
    drawings: tuple[DrawingExtent, ...] = ()
