"""Models of mileposts and track on the page, as traced and as cached."""

from mapkit.core.base import Frozen
from mapkit.core.problems import Problem
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.model.board import Junction, Milepost, Page, Piece, Segment
from mapkit.kinds.rail.model.network import Origin, TraceNote


class PlacedTrack(Frozen):
    """Mileposts and track on the page, each sorted by id.

    Args:
        own_ids: The ids of places whose names do not give them alone.
        problems: What cannot be used.
    """

    projection: Projection
    page: Page
    mileposts: tuple[Milepost, ...]
    junctions: tuple[Junction, ...]
    pieces: tuple[Piece, ...]
    segments: tuple[Segment, ...]
    notes: tuple[TraceNote, ...]
    own_ids: dict[str, str]
    problems: tuple[Problem, ...]


class StoredTrack(PlacedTrack):
    """Mileposts and track as the cache has them, and where they come from, by kind and id."""

    origins: dict[str, dict[str, Origin]]
