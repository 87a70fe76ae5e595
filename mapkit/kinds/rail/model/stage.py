"""Data of the stages of tracing, and counts of their changes."""

from typing import Literal, get_args

from pydantic import Field

from mapkit.core.base import Frozen, Point, Slug
from mapkit.kinds.rail.model.network import TraceNote

Stage = Literal["import", "georeference", "node", "space", "segment"]
STAGES: tuple[Stage, ...] = get_args(Stage)
"""In their order."""

Made = Literal["traced", "table", "station list", "generated"]
PointKind = Literal["city", "dot", "junction", "end"]


def origin_kind(how: str) -> Made:
    """Return how a point was made, as one of the kinds of stage points."""
    return next((name for name in get_args(Made) if name == how), "traced")


class StageLine(Frozen):
    """A line of a stage, `(lon, lat)` in degrees or pixels (y downward)."""

    feature: str = Field(description="The source feature: `lines/east.geojson#12`")
    railroad: Slug
    level: int = 0
    line: tuple[Point, ...] = Field(min_length=2)
    pixels: bool = False
    id: str = Field(default="", description="Of the track piece, from the stage `space` on")
    a: str = ""
    b: str = ""
    station_list: bool = Field(default=False, description="From a station list, which needs no tracing")


class StagePoint(Frozen):
    """A milepost, junction or end of a line."""

    feature: str = ""
    name: str = ""
    kind: PointKind
    x: float
    y: float
    railroads: tuple[Slug, ...] = ()
    pixels: bool = False
    how: Made
    pinned: bool = Field(default=False, description="The next stage takes its place and railroads from here")


class StageSegment(Frozen):
    """A segment with the lines of its pieces."""

    id: str
    railroad: Slug
    a: str
    b: str
    miles: float
    feature: str
    lines: tuple[tuple[Point, ...], ...]


class StageData(Frozen):
    """Data that a stage hands to the next."""

    board: Slug
    stage: Stage
    lines: tuple[StageLine, ...]
    points: tuple[StagePoint, ...]
    segments: tuple[StageSegment, ...] = ()
    notes: tuple[TraceNote, ...] = ()


class StageCounts(Frozen):
    """Counts after a stage, and its changes."""

    stage: Stage
    lines: int
    vertices: int
    miles: float | None = Field(description="Length of all lines; None while some are in pixels")
    mileposts: int
    changes: dict[str, int] = Field(description="What the stage did, by kind, such as `undershoot`")
    sizes: dict[str, float] = Field(default_factory=dict, description="Miles of repairs, by kind")


class TraceReport(Frozen):
    """The stages that ran, in order."""

    board: Slug
    stages: tuple[StageCounts, ...]
