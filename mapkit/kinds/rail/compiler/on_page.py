"""Mileposts and track of a document on its page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import attrgetter
from typing import Literal, TypeVar

from mapkit.core.base import Point
from mapkit.evaluate import Reader, tracked
from mapkit.geography.land_plane import PLANE
from mapkit.kinds.rail.compiler.base_board import BASE, BaseBoard
from mapkit.kinds.rail.compiler.frame import FRAME, Frame, fit_frame
from mapkit.kinds.rail.compiler.layers import EVERYWHERE, find_layers
from mapkit.kinds.rail.compiler.mileposts import Spot
from mapkit.kinds.rail.compiler.network import (
    milepost_ids,
    milepost_names,
    points,
    railroads_with_track,
    spots,
    track_of,
)
from mapkit.kinds.rail.compiler.railroads import DrawnTrack
from mapkit.kinds.rail.compiler.settings import given_frame, page_settings
from mapkit.kinds.rail.model.board import Junction, Milepost, Piece, Segment
from mapkit.kinds.rail.model.network import NetworkJunction, NetworkPiece, NetworkSegment
from mapkit.kinds.rail.tables import Milepost as MilepostRow
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.rail.trace.segments import segment_path

E = TypeVar("E", Junction, Piece, Segment)
T = TypeVar("T", Junction, Piece, Segment, NetworkJunction, NetworkPiece, NetworkSegment)


@dataclass(frozen=True)
class Laid:
    """Mileposts and track on a page, each sorted by id.

    Args:
        mileposts: The mileposts.
        junctions: The junctions.
        pieces: The track pieces.
        segments: The segments.
        drawn: Track by railroad.
        by_id: The mileposts by id; one of a table goes before one of that id in lists.
        ids: The ids of mileposts of lists and cities by the full name of the place.
    """

    mileposts: tuple[Milepost, ...]
    junctions: tuple[Junction, ...]
    pieces: tuple[Piece, ...]
    segments: tuple[Segment, ...]
    drawn: Mapping[str, DrawnTrack] = field(repr=False)
    by_id: Mapping[str, Milepost] = field(repr=False)
    ids: Mapping[str, str] = field(repr=False)


@tracked
def lay_out(db: Reader) -> Laid:
    """Return mileposts and track on the page."""
    return Laid(
        mileposts=all_mileposts(db),
        junctions=_all_junctions(db),
        pieces=_all_pieces(db),
        segments=_all_segments(db),
        drawn={railroad: draw_track(db, railroad) for railroad in railroads_with_track(db)},
        by_id=mileposts_by_id(db),
        ids=milepost_ids(db),
    )


@tracked
def choose_frame(db: Reader) -> Frame:
    """Return the projection and page fit: the document's own, else the session's, else as they fit now.

    The page of an invented land shows all of its land and labels.

    The session's is left where the document asks for another projection than it was fitted to.
    """
    if (given := given_frame(db)) is not None:
        return given
    frame: Frame | None = db.input(FRAME)
    asked = page_settings(db)
    if frame is not None and frame.asked in (None, asked.projection):
        return frame
    shown = points(db)
    if asked.projection.name == PLANE and (layers := find_layers(db).layers) is not None:
        shown += tuple(point for (ring, *_) in layers.land or () for point in ring if layers.land != EVERYWHERE)
        shown += tuple(chain.from_iterable((layers.labels or {}).values()))
    return replace(fit_frame(asked, shown), asked=asked.projection)


@tracked
def _base(db: Reader) -> BaseBoard | None:
    """Return the board that the document was made of, where it lies on the same page."""
    base: BaseBoard | None = db.input(BASE)
    return base if base is not None and base.board.projection == choose_frame(db).projection else None


# Track


@tracked
def draw_track(db: Reader, railroad: str) -> DrawnTrack:
    """Return the track of a railroad with its places on the page."""
    track, frame, base = track_of(db, railroad), choose_frame(db), _base(db)
    frame.to_page(track.points)  # all at once is quicker than one by one
    junctions, pieces, segments = base.track.get(railroad, ((), (), ())) if base is not None else ((), (), ())
    known = {piece.id: piece for piece in pieces}
    drawn = db.each(_draw_piece, by_id(track.pieces), frame, known)
    return DrawnTrack(
        tuple(db.each(_draw_junction, by_id(track.junctions), frame, by_id(junctions)).values()),
        tuple(drawn.values()),
        tuple(db.each(_draw_segment, by_id(track.segments), drawn, known, by_id(segments)).values()),
    )


def by_id(elements: Iterable[T]) -> dict[str, T]:
    """Return elements by id."""
    return {element.id: element for element in elements}


def _draw_junction(ident: str, j: NetworkJunction, frame: Frame, known: Mapping[str, Junction]) -> Junction:
    old = known.get(ident)
    if old is not None and (old.railroad, old.lon, old.lat) == (j.railroad, j.lon, j.lat):
        return old
    ((x, y),) = frame.to_page([(j.lon, j.lat)])
    return Junction.model_construct(id=j.id, railroad=j.railroad, lon=j.lon, lat=j.lat, x=x, y=y)


def _draw_piece(ident: str, p: NetworkPiece, frame: Frame, known: Mapping[str, Piece]) -> Piece:
    old = known.get(ident)
    if old is not None and (old.a, old.b, old.miles, old.line) == (p.a, p.b, p.miles, p.line):
        return old
    path = frame.to_page(p.line)
    return Piece.model_construct(id=p.id, railroad=p.railroad, a=p.a, b=p.b, miles=p.miles, line=p.line, path=path)


def _draw_segment(
    ident: str,
    s: NetworkSegment,
    pieces: Mapping[str, Piece],
    known_pieces: Mapping[str, Piece],
    known: Mapping[str, Segment],
) -> Segment:
    old = known.get(ident)
    if (
        old is not None
        and (old.a, old.b, old.miles, old.pieces) == (s.a, s.b, s.miles, s.pieces)
        and all(pieces[key] is known_pieces.get(key) for key in s.pieces)
    ):
        return old
    path = segment_path(s.a, s.pieces, pieces)
    return Segment.model_construct(
        id=s.id, railroad=s.railroad, a=s.a, b=s.b, miles=s.miles, pieces=s.pieces, path=path
    )


@tracked
def _all_junctions(db: Reader) -> tuple[Junction, ...]:
    return _sorted(track.junctions for track in _in_order(db))


@tracked
def _all_pieces(db: Reader) -> tuple[Piece, ...]:
    return _sorted(track.pieces for track in _in_order(db))


@tracked
def _all_segments(db: Reader) -> tuple[Segment, ...]:
    return _sorted(track.segments for track in _in_order(db))


def _in_order(db: Reader) -> list[DrawnTrack]:
    """Return the track of all railroads, nearly sorted by id."""
    return [draw_track(db, railroad) for railroad in sorted(railroads_with_track(db), key="{}--".format)]


def _sorted(parts: Iterable[tuple[E, ...]]) -> tuple[E, ...]:
    return tuple(sorted(chain.from_iterable(parts), key=attrgetter("id")))


# Mileposts


@tracked
def mileposts_by_id(db: Reader) -> Mapping[str, Milepost]:
    """Return the mileposts by id, sorted."""
    listed, rows = _listed_mileposts(db), _tabled_mileposts(db)
    return dict(sorted({**listed, **rows}.items())) if listed and rows else listed or rows


@tracked
def all_mileposts(db: Reader) -> tuple[Milepost, ...]:
    """Return the mileposts, sorted by id."""
    return tuple(mileposts_by_id(db).values())


@tracked
def _listed_mileposts(db: Reader) -> dict[str, Milepost]:
    """Return the mileposts of station lists and cities by id, sorted."""
    at, ids = spots(db), milepost_ids(db)
    on_page = db.batch(_project_spots, at, choose_frame(db))
    found = db.each(_place_spot, at, on_page, ids, milepost_names(db))
    return {ident: found[place] for place, ident in ids.items()}


def _project_spots(spots: Mapping[str, Spot], frame: Frame) -> dict[str, Point]:
    return dict(zip(spots, frame.to_page([spot[1:] for spot in spots.values()]), strict=True))


def _place_spot(
    place: str, spot: Spot, on_page: Mapping[str, Point], ids: Mapping[str, str], names: Mapping[str, str]
) -> Milepost:
    (kind, lon, lat), (x, y) = spot, on_page[place]
    return Milepost(id=ids[place], name=names[place], kind=kind, lon=lon, lat=lat, x=x, y=y)


@tracked
def _tabled_mileposts(db: Reader) -> dict[str, Milepost]:
    """Return the mileposts of the table by id, sorted."""
    rows: Mapping[str, MilepostRow] = db.table("mileposts")
    if not rows:
        return {}
    on_page = db.batch(_project_rows, rows, choose_frame(db))
    base = _base(db)
    known = base.mileposts if base is not None else {}
    return dict(sorted(db.each(_place_row, rows, on_page, _city_posts(db), known).items()))


def _project_rows(rows: Mapping[str, MilepostRow], frame: Frame) -> dict[str, Point]:
    return dict(zip(rows, frame.to_page([(row.lon, row.lat) for row in rows.values()]), strict=True))


@tracked
def _city_posts(db: Reader) -> dict[str, bool]:
    """Return the ids of the table's mileposts with cities, each with True."""
    document: RailDocument = db.document
    return {document.milepost_of(city): True for city in document.cities.values()}


def _place_row(
    key: str,
    row: MilepostRow,
    on_page: Mapping[str, Point],
    cities: Mapping[str, bool],
    known: Mapping[str, Milepost],
) -> Milepost:
    kind: Literal["city", "dot"] = "city" if key in cities else "dot"
    old = known.get(key)
    if old is not None and (old.lon, old.lat) == (row.lon, row.lat):
        same = old.name == row.name and old.kind == kind
        return old if same else old.model_copy(update={"name": row.name, "kind": kind})
    x, y = on_page[key]
    return Milepost(id=key, name=row.name, kind=kind, lon=row.lon, lat=row.lat, x=x, y=y)
