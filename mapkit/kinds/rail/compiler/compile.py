"""From a document to its board: once for a build or a check, and again after each edit from what the edit changed.

A `Compiled` depends on nothing but its document and frame: what it takes from the one before is what would come out
the same. What a build refuses does not stop it; it is left out, or taken as `problems` says.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from mapkit.core.garbage import gc_paused
from mapkit.core.problems import Problem
from mapkit.kinds.rail.compiler import late
from mapkit.kinds.rail.compiler.assembling import in_order, missing_tables, without_charts
from mapkit.kinds.rail.compiler.charts import BoardCharts, read_charts
from mapkit.kinds.rail.compiler.frame import Frame, fit_frame
from mapkit.kinds.rail.compiler.kept_track import kept_track
from mapkit.kinds.rail.compiler.layers import FoundLayers, find_layers
from mapkit.kinds.rail.compiler.letters import undrawn_names
from mapkit.kinds.rail.compiler.provenance import (
    Parts,
    provenance_of_charts,
    provenance_of_files,
    provenance_of_rows,
)
from mapkit.kinds.rail.compiler.settings import ReadSettings, read_settings
from mapkit.kinds.rail.compiler.track import KeptTrack
from mapkit.kinds.rail.model.board import Board, SourceFile
from mapkit.kinds.rail.tables import RailDocument

if TYPE_CHECKING:
    from mapkit.kinds.rail.compiler.network import Laid
    from mapkit.kinds.rail.compiler.places import FoundPlaces
    from mapkit.kinds.rail.compiler.railroads import FoundLine
    from mapkit.kinds.rail.compiler.tracing import TracedTrack
    from mapkit.kinds.rail.network.region_of import Regions


@dataclass(frozen=True)
class Compiled:
    """A document as a board, and what of it cannot be built.

    Args:
        id: The board's id.
        document: What it was derived from.
        board: The board; its provenance names files and rows if those of the document are known.
        problems: What is left out or corrected, and why, with file and row where the document knows them.
        settings: `board.toml` as read.
        charts: The charts as the board has them.
        layers: The author's own layers.
        track: Mileposts and track, as traced or as kept.
        before: What gave the region of each milepost before an edit.
    """

    id: str
    document: RailDocument
    board: Board
    problems: tuple[Problem, ...]
    settings: ReadSettings = field(repr=False)
    charts: BoardCharts = field(repr=False)
    layers: FoundLayers = field(repr=False)
    track: "TracedTrack | KeptTrack" = field(repr=False)
    before: "Regions | None" = field(default=None, repr=False)

    @cached_property
    def traced(self) -> "TracedTrack":
        """Mileposts and track with what an edit takes from them; traced now where they were kept."""
        if isinstance(self.track, KeptTrack):
            return late.trace_track(self.document, self.settings.config, self.settings.frame)
        return self.track

    @property
    def frame(self) -> Frame:
        """Return the projection and page fit."""
        return self.traced.frame

    @property
    def found(self) -> "FoundPlaces":
        """Return the station lists with their places found."""
        return self.traced.found

    @property
    def laid(self) -> "Laid":
        """Return mileposts and track."""
        return self.traced.laid

    @cached_property
    def near(self) -> "Regions":
        """Return what gives the region of each milepost."""
        return late.Regions(self.board.cities, self.laid.by_id, self.before)

    @cached_property
    def cities_at(self) -> Mapping[str, tuple[str, ...]]:
        """Ids of the cities by milepost."""
        out: dict[str, tuple[str, ...]] = {}
        for city in self.board.cities:
            out[city.milepost] = (*out.get(city.milepost, ()), city.id)
        return out

    @property
    def regions(self) -> Mapping[str, str]:
        """Return the region of each milepost."""
        return self.near.of

    @property
    def lines(self) -> "Mapping[str, FoundLine]":
        """Return the station lists with their places found, by line id."""
        return self.found.lines


@gc_paused()
def compile_document(
    document: RailDocument,
    *,
    board_id: str,
    before: Compiled | None = None,
    frame: Frame | None = None,
    files: Sequence[SourceFile] | None = None,
    stamped: Iterable[str] = (),
    kept: bool = False,
) -> Compiled:
    """Return the board of a document, and all that keeps it from being built.

    Nothing that an author can fix stops it: that is left out or corrected, and reported in `problems`.

    Args:
        document: The document.
        board_id: The board's id, its folder's name.
        before: The board before the edit; it gives the frame, unless another projection is asked for now, and all that
            the edit cannot have changed.
        frame: The frame of a session; without one and without `before` it is fitted to the board.
        files: The files that the document was read from, for a board that says where everything comes from; None for
            one that does not. One that was made of a board always does.
        stamped: Of a document made of a board: the tables of which rows come from variants, in the order in which the
            provenance is to name what is new.
        kept: Whether mileposts and track may be kept from another time.
    """
    settings = read_settings(document, before.settings if before else None)
    config = settings.config
    track: TracedTrack | KeptTrack
    if kept:
        track = kept_track(document, config, settings.frame)
    else:
        track = late.trace_track(document, config, frame or settings.frame, before.traced if before else None)
    bare = without_charts(document, board_id, settings, track, before)
    charts = read_charts(document, config, bare, before.charts if before else None)
    layers = find_layers(document, config, before.layers if before else None)
    update: dict[str, object] = {
        "layers": layers.layers,
        "destinations": charts.destinations,
        "payoffs": charts.payoffs,
        "declared": charts.declared,
    }
    parts = Parts(document, config, charts, track.notes, lambda: track.origins)
    if document.is_of_board:
        then = (before.document, before.board.provenance) if before is not None else None
        update["provenance"] = provenance_of_rows(parts, track.segments, then, stamped)
    elif files is not None:
        update["provenance"] = provenance_of_files(parts, files)
    else:
        update["provenance"] = provenance_of_charts(parts, bare.provenance)
    board = bare.model_copy(update=update)
    problems = {*settings.problems, *track.problems, *charts.problems, *layers.problems}
    problems |= {*missing_tables(document), *undrawn_names(document, config)}
    return Compiled(
        id=board_id,
        document=document,
        board=board,
        problems=in_order(problems, document),
        settings=settings,
        charts=charts,
        layers=layers,
        track=track,
        before=before.near if before is not None else None,
    )


def refit(live: Compiled) -> Compiled:
    """Return the board with the projection and page fit that a build would choose now."""
    if live.settings.frame is not None:
        return live
    frame = fit_frame(live.settings.config, live.laid.lines.points)
    return compile_document(live.document, board_id=live.id, before=live, frame=frame)
