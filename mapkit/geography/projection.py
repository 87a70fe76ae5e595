"""Projection of degrees to millimetres of a page."""

from mapkit.core.base import Frozen


class Projection(Frozen):
    """Projection of a page: `crs` (PROJ), then scale and offset to millimetres, y downward.

    `x = offset_x + scale * easting`, `y = offset_y - scale * northing`.
    """

    name: str
    crs: str
    scale_mm_per_m: float
    offset_x_mm: float
    offset_y_mm: float
