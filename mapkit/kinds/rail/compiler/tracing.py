"""From the tables of a package to its mileposts and track on the page."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mapkit.core.problems import Problem
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.compiler.frame import Frame, fit_frame, frame_problems
from mapkit.kinds.rail.compiler.letters import undrawn_stops
from mapkit.kinds.rail.compiler.network import Laid, lay_lines, place_lines
from mapkit.kinds.rail.compiler.network_origins import network_origins
from mapkit.kinds.rail.compiler.places import FoundPlaces, find_places
from mapkit.kinds.rail.compiler.provenance import Origins
from mapkit.kinds.rail.compiler.track import KeptTrack, TrackSettings
from mapkit.kinds.rail.model.board import Junction, Milepost, Page, Piece, Segment
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.tables import RailDocument


@dataclass(frozen=True)
class TracedTrack:
    """Mileposts and track of a document on a page, with all that an edit takes from it.

    Args:
        document: What they were traced from.
        config: The settings that they follow from.
        found: The station lists with their places found.
        laid: Mileposts and track.
        frame: The projection and page fit.
    """

    document: RailDocument = field(repr=False)
    config: TrackSettings = field(repr=False)
    found: FoundPlaces = field(repr=False)
    laid: Laid = field(repr=False)
    frame: Frame

    @property
    def projection(self) -> Projection:
        """Return the projection of the page."""
        return self.frame.projection

    @property
    def page(self) -> Page:
        """Return the page."""
        return self.frame.page

    @property
    def mileposts(self) -> tuple[Milepost, ...]:
        """Return the mileposts; likewise the others, each sorted by id."""
        return self.laid.mileposts

    @property
    def junctions(self) -> tuple[Junction, ...]:
        """Return the junctions."""
        return self.laid.junctions

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Return the track pieces."""
        return self.laid.pieces

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Return the segments."""
        return self.laid.segments

    @property
    def notes(self) -> tuple[TraceNote, ...]:
        """Return what happened to the lines."""
        return self.laid.notes

    @property
    def own_ids(self) -> Mapping[str, str]:
        """Return the ids of places whose names do not give them alone."""
        return self.laid.own_ids

    @cached_property
    def origins(self) -> dict[str, Origins]:
        """Where mileposts, junctions, pieces and segments come from, by kind and id."""
        return network_origins(self.document, self.found, self.laid.lines)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return what of it cannot be used."""
        refused = frame_problems(self.frame, self.config)
        return (*self.found.problems, *self.laid.lines.problems, *refused, *undrawn_stops(self.document, self.found))


def trace_track(
    document: RailDocument, config: TrackSettings, frame: Frame | None, before: TracedTrack | None = None
) -> TracedTrack:
    """Return mileposts and track of a document.

    Args:
        document: The document.
        config: Its `board.toml`.
        frame: The projection and page fit; without one it is that of `before`, unless another projection is asked for
            now, or fitted.
        before: The track before an edit; what the edit cannot have changed is taken from it.
    """
    found = find_places(document, config.gazetteer.countries, before.found if before is not None else None)
    lines = lay_lines(document, found, before.laid.lines if before is not None else None)
    old = before.frame if before is not None and before.config.projection == config.projection else None
    chosen = frame or old or fit_frame(config, lines.points)
    same_page = before is not None and before.frame.projection == chosen.projection
    laid = place_lines(lines, chosen, before.laid if before is not None and same_page else None)
    return TracedTrack(document, config, found, laid, chosen)


def traced_track(document: RailDocument, config: TrackSettings, frame: Frame | None) -> KeptTrack:
    """Return mileposts and track of a document that was read from files, as a build keeps them."""
    traced = trace_track(document, config, frame)
    return KeptTrack.model_construct(**{name: getattr(traced, name) for name in KeptTrack.model_fields})
