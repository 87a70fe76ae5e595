"""How degrees become millimetres of a page."""

from mapkit.core.base import Frozen


class Projection(Frozen):
    """How degrees became millimetres: `crs` (PROJ), then scaled and shifted, y downward.

    `x = offset_x + scale * easting`, `y = offset_y - scale * northing`.
    """

    name: str
    crs: str
    scale_mm_per_m: float
    offset_x_mm: float
    offset_y_mm: float
