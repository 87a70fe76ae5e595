"""Where mileposts and track come from: the row of a table, or the stop of a line that names them first."""

from typing import Literal

from mapkit.core.names import slug
from mapkit.document.document import sort_rows
from mapkit.evaluate import Reader, tracked
from mapkit.kinds.rail.compiler.network import own_ids, railroads_with_track, spots, track_of
from mapkit.kinds.rail.compiler.origins import Origins, by_id, network_origin, row_origin
from mapkit.kinds.rail.compiler.places import find_places, in_file_order
from mapkit.kinds.rail.compiler.rows import ORIGIN
from mapkit.kinds.rail.model.network import Origin
from mapkit.kinds.rail.sources.table_files import CITIES
from mapkit.kinds.rail.tables import RailDocument


def _laid(document: RailDocument, origin: Origin, table: str, key: str) -> Origin:
    """Return where a part of the track stands; laid from a line, it names the line and the stop, counted from 1."""
    if origin is ORIGIN:
        return network_origin(document.origin(table, key))
    if origin.how != "station list" or origin.file is None or origin.row is None:
        return origin
    return stop_origin(document, origin.file, origin.row - 1)


@tracked
def network_origins(db: Reader) -> dict[str, Origins]:
    """Return the origins of mileposts, junctions, pieces and segments, by kind."""
    document: RailDocument = db.document
    tracks = [track_of(db, railroad) for railroad in railroads_with_track(db)]
    junctions = {e.id: _laid(document, e.origin, "junctions", e.id) for track in tracks for e in track.junctions}
    pieces = {e.id: _laid(document, e.origin, "track", e.id) for track in tracks for e in track.pieces}
    segments = {e.id: pieces[e.pieces[0]] for track in tracks for e in track.segments}
    mileposts = _mileposts(db)
    mileposts |= {key: network_origin(document.origin("mileposts", key)) for key in document.mileposts}
    origins = {"mileposts": mileposts, "junctions": junctions, "pieces": pieces, "segments": segments}
    return {kind: by_id(each) for kind, each in origins.items()}


def _mileposts(db: Reader) -> Origins:
    """Return the origins of mileposts: a city's row, else the first stop that names it."""
    document: RailDocument = db.document
    own, listed, found = own_ids(db)[0], spots(db), find_places(db).lines
    out: Origins = {}
    for key, row in sort_rows(document.cities):
        ident = own.get(row.milepost_name) or slug(row.milepost_name)
        if ident not in out:
            out[ident] = row_origin(document, "cities", key, file=CITIES)
    for key, _ in in_file_order(document.lines):
        line = found[key]
        for stop, number in zip(line.stops, line.typed, strict=True):
            ident = own.get(stop.place) or slug(stop.place)
            if stop.place in listed and ident not in out:
                out[ident] = stop_origin(document, key, number)
    return out


def stop_origin(document: RailDocument, line: str, number: int) -> Origin:
    """Return where a stop of a line stands; its number is counted from 0."""
    origin, listed = document.origin("lines", line), document.lines[line]
    feature = listed.feature or None
    how: Literal["traced", "station list"] = "traced" if feature else "station list"
    if origin is None:
        return Origin(how=how, file=listed.file, feature=feature)
    if origin.how == "variant":
        return Origin(how="variant", file=origin.file, row=origin.row or None)
    row = origin.rows[number] if number < len(origin.rows) else origin.row
    return Origin(how=how, file=origin.file, row=row or None, feature=feature)
