"""The traced network, in degrees: mileposts, junctions, track pieces and segments."""

from typing import Literal

from pydantic import Field

from mapkit.core.base import Frozen, Point, Slug


class Origin(Frozen):
    """Origin of an element."""

    how: Literal["traced", "station list", "table", "generated", "solved", "computed", "imported", "variant"]
    file: str | None = Field(default=None, description="Path inside the source package")
    row: int | None = Field(default=None, ge=1, description="Line of the file, the header being 1")
    feature: str | None = Field(
        default=None,
        exclude_if=lambda value: value is None,
        description="The feature of a drawing that the row came from, `file#feature`; left out where there is none",
    )

    @property
    def where(self) -> str:
        """Return `file:row`, or the file or feature alone."""
        return f"{self.file}:{self.row}" if self.row is not None else f"{self.file}"


class NetworkMilepost(Frozen):
    """A point that costs one step to enter (RB-C03, RB-C04, RB-C05)."""

    id: Slug
    name: str
    kind: Literal["city", "dot"]
    lon: float
    lat: float
    origin: Origin


class NetworkJunction(Frozen):
    """A place off any milepost where lines of one railroad meet; passing it is free (RB-C10)."""

    id: Slug
    railroad: Slug
    name: str
    lon: float
    lat: float
    origin: Origin


class NetworkPiece(Frozen):
    """A stretch of one railroad's line between two consecutive mileposts or junctions.

    `line` holds `(lon, lat)` from `a` to `b`; `miles` is its geodesic length.
    """

    id: Slug
    railroad: Slug
    a: Slug
    b: Slug
    miles: float
    line: tuple[Point, ...]
    origin: Origin


class NetworkSegment(Frozen):
    """One step on one railroad between two mileposts, over one or more pieces (in order from `a`)."""

    id: Slug
    railroad: Slug
    a: Slug
    b: Slug
    miles: float
    pieces: tuple[Slug, ...] = Field(min_length=1)
    origin: Origin


class TraceNote(Frozen):
    """Change of a line on its way to the network, and its place (EPSG:4326)."""

    kind: Literal["repair", "ambiguity", "left out", "crossing", "spacing", "older package", "position", "seam"]
    message: str
    what: str = Field(default="", description="The kind of repair or doubt: `undershoot`, `pin between lines` ...")
    feature: str = Field(default="", description="The source feature, `file#feature`")
    lon: float | None = None
    lat: float | None = None
    row: int | None = Field(
        default=None, exclude_if=lambda row: row is None, description="Line of the file, where the feature is a row"
    )


class Network(Frozen):
    """Everything traced, each tuple sorted by id, the notes by kind and feature."""

    mileposts: tuple[NetworkMilepost, ...]
    junctions: tuple[NetworkJunction, ...]
    pieces: tuple[NetworkPiece, ...]
    segments: tuple[NetworkSegment, ...]
    notes: tuple[TraceNote, ...] = ()
