"""Mileposts and track kept by what they follow from, so that a new price or payoff traces nothing again."""

from collections.abc import Iterator, Mapping
from typing import Final

from mapkit.core.kept import Basis, cache_folder, recalled
from mapkit.document.document import Row
from mapkit.kinds.rail.compiler import late
from mapkit.kinds.rail.compiler.frame import Frame
from mapkit.kinds.rail.compiler.track import KeptTrack, Sheet, TrackSettings
from mapkit.kinds.rail.tables import RailDocument


def kept_track(document: RailDocument, config: TrackSettings, frame: Frame | None) -> KeptTrack:
    """Return mileposts and track of a document that was read from files.

    They are made of the ground of the document alone, so they cannot follow from what their key leaves out.

    Args:
        document: The document.
        config: Its `board.toml`.
        frame: The projection and page fit, where the document gives them; then nothing is kept.
    """
    ground = _ground(document)
    sheet = Sheet(projection=config.projection, page=config.page, gazetteer=config.gazetteer)
    known = cache_folder() is not None and frame is None and not document.is_of_board
    basis = Basis(values=tuple(_said(ground, sheet))) if known else None

    def traced() -> KeptTrack:
        return late.traced_track(ground, sheet, frame)

    return recalled("track", basis, KeptTrack, traced, worth=lambda track: not track.problems)


def _ground(document: RailDocument) -> RailDocument:
    """Return what of a document its mileposts and track follow from: of railroads no more than that they are there."""
    railroads = {key: row.model_copy(update=_NO_MATTER) for key, row in document.railroads.items()}
    tables: dict[str, Mapping[str, Row]] = {name: document.table(name) for name in _TABLES}
    origins = {at: origin for at, origin in document.origins.items() if at[0] in _TABLES}
    return RailDocument({**tables, "railroads": railroads}, origins)


def _said(ground: RailDocument, sheet: Sheet) -> Iterator[str]:
    """Yield all that a ground and a sheet say."""
    yield sheet.model_dump_json()
    for name in ("railroads", *_TABLES):
        for key, row in ground.table(name).items():
            yield from (name, key, row.model_dump_json())
    yield from (repr(item) for item in ground.origins.items())


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
