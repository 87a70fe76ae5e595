"""The base of every model: frozen, unknown keys refused."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(-+[a-z0-9]+)*$", max_length=200)]
"""A stable id: lower-case ASCII letters and digits, parts joined by hyphens."""

Colour = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]
"""A colour as `#rrggbb`, lower case."""

Point = tuple[float, float]
"""`(lon, lat)` in degrees (EPSG:4326), or `(x, y)` in millimetres of the page, y downward."""


class Frozen(BaseModel):
    """A value that never changes after it is made."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
