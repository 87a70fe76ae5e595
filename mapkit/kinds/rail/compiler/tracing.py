"""Mileposts and track of a document with all that a board says of them."""

from mapkit.core.problems import Problem
from mapkit.evaluate import Evaluator, Reader, tracked
from mapkit.kinds.rail.compiler.frame import frame_problems
from mapkit.kinds.rail.compiler.network import notes, own_ids, track_problems, undrawn_places
from mapkit.kinds.rail.compiler.network_origins import network_origins
from mapkit.kinds.rail.compiler.on_page import choose_frame, lay_out
from mapkit.kinds.rail.compiler.placed_track import PlacedTrack, StoredTrack
from mapkit.kinds.rail.compiler.places import find_places
from mapkit.kinds.rail.compiler.settings import page_settings
from mapkit.kinds.rail.tables import RailDocument


@tracked
def trace_track(db: Reader) -> PlacedTrack:
    """Return mileposts and track of a document."""
    laid, frame = lay_out(db), choose_frame(db)
    return PlacedTrack.model_construct(
        projection=frame.projection,
        page=frame.page,
        mileposts=laid.mileposts,
        junctions=laid.junctions,
        pieces=laid.pieces,
        segments=laid.segments,
        notes=notes(db),
        own_ids=own_ids(db)[0],
        problems=_problems(db),
    )


@tracked
def _problems(db: Reader) -> tuple[Problem, ...]:
    """Return the unusable parts of the track."""
    refused = frame_problems(choose_frame(db), page_settings(db))
    return (*find_places(db).problems, *track_problems(db), *refused, *undrawn_places(db))


def trace_for_good(document: RailDocument) -> StoredTrack:
    """Return mileposts and track of a document that was read from files, with where everything comes from."""
    db = Evaluator().reader(document)
    return StoredTrack.model_construct(**vars(trace_track(db)), origins=network_origins(db))
