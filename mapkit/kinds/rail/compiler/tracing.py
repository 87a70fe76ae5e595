"""From the tables of a package to its mileposts and track on the page, for a build."""

from mapkit.kinds.rail.compiler.frame import Frame, fit_frame, frame_problems
from mapkit.kinds.rail.compiler.letters import undrawn_stops
from mapkit.kinds.rail.compiler.network import lay_lines, place_lines
from mapkit.kinds.rail.compiler.network_origins import network_origins
from mapkit.kinds.rail.compiler.places import find_places
from mapkit.kinds.rail.compiler.track import KeptTrack, Sheet
from mapkit.kinds.rail.tables import RailDocument


def traced_track(document: RailDocument, sheet: Sheet, frame: Frame | None) -> KeptTrack:
    """Return mileposts and track of a document that was read from files; all of these matter to it."""
    found = find_places(document, sheet.gazetteer.countries)
    lines = lay_lines(document, found)
    chosen = frame or fit_frame(sheet, lines.points)
    laid = place_lines(lines, chosen)
    problems = (*found.problems, *lines.problems, *frame_problems(chosen, sheet), *undrawn_stops(document, found))
    return KeptTrack.model_construct(
        projection=chosen.projection,
        page=chosen.page,
        mileposts=laid.mileposts,
        junctions=laid.junctions,
        pieces=laid.pieces,
        segments=laid.segments,
        notes=laid.notes,
        own_ids=dict(laid.own_ids),
        origins=network_origins(document, found, lines),
        problems=problems,
    )
