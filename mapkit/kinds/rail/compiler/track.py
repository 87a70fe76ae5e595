"""Mileposts and track as a build keeps them, and the settings that they follow from."""

from typing import Protocol

from mapkit.core.base import Frozen
from mapkit.core.problems import Problem
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.compiler.frame import PageSettings
from mapkit.kinds.rail.model.board import Junction, Milepost, Page, Piece, Segment
from mapkit.kinds.rail.model.network import Origin, TraceNote
from mapkit.kinds.rail.model.source import GazetteerConfig, PageConfig, ProjectionConfig


class TrackSettings(PageSettings, Protocol):
    """What of `board.toml` mileposts and track follow from."""

    @property
    def gazetteer(self) -> GazetteerConfig:
        """Return where places are looked up."""


class KeptTrack(Frozen):
    """Mileposts and track on the page, each sorted by id, and where they come from, by kind and id."""

    projection: Projection
    page: Page
    mileposts: tuple[Milepost, ...]
    junctions: tuple[Junction, ...]
    pieces: tuple[Piece, ...]
    segments: tuple[Segment, ...]
    notes: tuple[TraceNote, ...]
    own_ids: dict[str, str]
    """The ids of places whose names do not give them alone."""
    origins: dict[str, dict[str, Origin]]
    problems: tuple[Problem, ...]


class Sheet(Frozen):
    """What of `board.toml` they follow from."""

    projection: ProjectionConfig
    page: PageConfig
    gazetteer: GazetteerConfig
