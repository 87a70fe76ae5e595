"""Mileposts and track on the page; those of documents that were read from files are cached on disk."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mapkit.core.kept import Basis, cache_folder, recalled
from mapkit.document.document import Row
from mapkit.evaluate import Reader, tracked
from mapkit.kinds.rail.compiler import late
from mapkit.kinds.rail.compiler.placed_track import PlacedTrack, StoredTrack
from mapkit.kinds.rail.compiler.settings import given_frame, setting
from mapkit.kinds.rail.model.network import Origin
from mapkit.kinds.rail.tables import RailDocument

STORED: Final = "stored"
"""The input of the evaluator that says whether track may be taken from the cache on disk."""


@tracked
def board_track(db: Reader) -> PlacedTrack:
    """Return mileposts and track."""
    return _stored_track(db) if db.input(STORED) else late.trace_track(db)


@tracked
def track_part(db: Reader, name: str) -> Any:  # noqa: ANN401 - of any attribute
    """Return one part of mileposts and track."""
    return getattr(board_track(db), name)


@tracked
def track_origins(db: Reader) -> Mapping[str, dict[str, Origin]]:
    """Return where mileposts, junctions, pieces and segments come from, by kind and id."""
    return _stored_track(db).origins if db.input(STORED) else late.network_origins(db)


@tracked
def _stored_track(db: Reader) -> StoredTrack:
    """Return the cached track of a document that was read from files.

    It is traced from that part of the document alone, so it cannot follow from what the key leaves out. Of railroads
    that is no more than that they are there.
    """
    railroads = {key: row.model_copy(update=_NO_MATTER) for key, row in db.table("railroads").items()}
    tables: dict[str, Mapping[str, Row]] = {name: db.table(name) for name in _TABLES}
    settings = {key: row for key, row in db.table("settings").items() if key.partition(".")[0] in _SETTINGS}
    origins = {at: origin for at, origin in db.document.origins.items() if at[0] in _TABLES}
    ground = RailDocument({**tables, "railroads": railroads, "settings": settings}, origins)
    known = cache_folder() is not None and given_frame(db) is None and not db.document.is_of_board
    basis = (
        Basis(values=tuple(_said(ground, [setting(db, key).model_dump_json() for key in _SETTINGS]))) if known else None
    )
    return recalled("track", basis, StoredTrack, lambda: late.trace_for_good(ground), worth=lambda t: not t.problems)


def _said(ground: RailDocument, settings: list[str]) -> Iterator[str]:
    """Yield all that a part of a document says."""
    yield from settings
    for name in ("railroads", *_TABLES):
        for key, row in ground.table(name).items():
            yield from (name, key, row.model_dump_json())
    yield from (repr(item) for item in ground.origins.items())


_SETTINGS: Final = ("projection", "page", "gazetteer")
_TABLES: Final = ("cities", "places", "lines", "mileposts", "junctions", "track", "files")
_NO_MATTER: Final = {
    "rank": 0.0,
    "name": "-",
    "short": "-",
    "price": 0,
    "public": False,
    "colour": "#000000",
    "pattern": "solid",
}
