"""Author's own map layers, as replacements for those of the base map."""

from pydantic import Field

from mapkit.core.base import Frozen, Point, Slug

Ring = tuple[Point, ...]
Polygon = tuple[Ring, ...]
"""The outer ring, then holes; closed, `(lon, lat)` in degrees."""
Polyline = tuple[Point, ...]


class OwnLayers(Frozen):
    """The author's own layers in degrees (EPSG:4326), to five decimals; None stands for the layer of the base map."""

    land: tuple[Polygon, ...] | None = None
    lakes: tuple[Polygon, ...] | None = None
    rivers: tuple[Polyline, ...] | None = None
    borders: tuple[Polyline, ...] | None = None
    regions: dict[Slug, tuple[Polygon, ...]] | None = Field(
        default=None, description="Region id -> its areas; the ground of other regions follows from their mileposts"
    )
