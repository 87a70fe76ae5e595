"""Projection of degrees to millimetres of a page."""

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.geography.land_plane import LandPlane


class Projection(Frozen):
    """Projection of a page: `crs` (PROJ), then scale and offset to millimetres, y downward.

    `x = offset_x + scale * easting`, `y = offset_y - scale * northing`.
    """

    name: str
    crs: str
    scale_mm_per_m: float
    offset_x_mm: float
    offset_y_mm: float
    plane: LandPlane | None = Field(
        default=None,
        exclude_if=lambda plane: plane is None,
        description="The plane of an invented land, whose degrees mean nothing; left out for a map of the earth",
    )
