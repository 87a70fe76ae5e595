"""Input of tracing."""

from pydantic import Field

from mapkit.core.base import Frozen, Slug
from mapkit.formats.drawn_page import DrawnPage
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.model.source import BoardConfig, ControlPoint, PinnedPoint, StationRow, TracedLine
from mapkit.kinds.rail.tables import City, Railroad


class Source(Frozen):
    """Input of tracing, with names resolved to ids and places to coordinates (EPSG:4326)."""

    id: Slug
    config: BoardConfig
    railroads: dict[str, Railroad]
    cities: dict[str, City] = Field(description="In order")
    stations: tuple[StationRow, ...]
    traced: tuple[TracedLine, ...] = ()
    pinned: tuple[PinnedPoint, ...] = ()
    control_points: tuple[ControlPoint, ...] = ()
    pages: dict[str, DrawnPage] = Field(default={}, description="The pages of drawings in pixels, by file")
    import_notes: tuple[TraceNote, ...] = ()
