"""Author's own map layers, as replacements for those of the base map."""

from pydantic import Field

from mapkit.core.base import Frozen, Point, Slug

Ring = tuple[Point, ...]
Polygon = tuple[Ring, ...]
"""The outer ring, then holes; closed, `(lon, lat)` in degrees."""
Polyline = tuple[Point, ...]
Layer = tuple[Polygon, ...] | tuple[Polyline, ...] | dict[str, tuple[Polygon, ...]] | dict[str, tuple[Point, ...]]


class OwnLayers(Frozen):
    """The author's own layers in degrees (EPSG:4326), to five decimals; None stands for the layer of the base map."""

    land: tuple[Polygon, ...] | None = None
    lakes: tuple[Polygon, ...] | None = None
    rivers: tuple[Polyline, ...] | None = None
    borders: tuple[Polyline, ...] | None = None
    mountains: tuple[Polyline, ...] | None = Field(
        default=None,
        exclude_if=lambda lines: lines is None,
        description="Ridges, or closed outlines of mountains; the base map has none",
    )
    labels: dict[str, tuple[Point, ...]] | None = Field(
        default=None,
        exclude_if=lambda labels: labels is None,
        description="Name of a sea, bay or range -> the middles of its labels; the base map has none",
    )
    regions: dict[Slug, tuple[Polygon, ...]] | None = Field(
        default=None, description="Region id -> its areas; the ground of other regions follows from their mileposts"
    )
