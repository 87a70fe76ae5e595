"""From a document that was read from files to its board, for commands; mileposts and track may be kept.

They are kept by what they follow from, so that a new price or payoff traces nothing again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.core.collecting import uncollected
from mapkit.core.kept import Basis, cache_folder, recalled
from mapkit.core.problems import Problem
from mapkit.document.document import Row
from mapkit.kinds.rail.compiler import late
from mapkit.kinds.rail.compiler.assembling import in_order, missing_tables, without_charts
from mapkit.kinds.rail.compiler.charts import read_charts
from mapkit.kinds.rail.compiler.frame import Frame
from mapkit.kinds.rail.compiler.layers import find_layers
from mapkit.kinds.rail.compiler.letters import undrawn_names
from mapkit.kinds.rail.compiler.provenance import Parts, provenance_of_files
from mapkit.kinds.rail.compiler.settings import ReadSettings, read_settings
from mapkit.kinds.rail.compiler.track import KeptTrack, Sheet
from mapkit.kinds.rail.explicit.document import made_of_board
from mapkit.kinds.rail.model.board import Board, SourceFile
from mapkit.kinds.rail.model.source import BoardConfig
from mapkit.kinds.rail.tables import RailDocument


@dataclass(frozen=True)
class BuiltDocument:
    """What a build makes of a document.

    Args:
        document: The document.
        settings: `board.toml` as read.
        board: The board.
        problems: What of the document cannot be used.
    """

    document: RailDocument
    settings: ReadSettings
    board: Board
    problems: tuple[Problem, ...]


@uncollected()
def build_document(document: RailDocument, *, board_id: str, files: Sequence[SourceFile]) -> BuiltDocument:
    """Return the board and the problems of `compile_document`; mileposts and track may be kept from another time.

    Args:
        document: The document, which was read from files.
        board_id: The board's id, its folder's name.
        files: The files that it was read from.
    """
    settings = read_settings(document)
    config = settings.config
    track = _track(document, config, settings.frame)
    bare = without_charts(document, board_id, settings, track, track, None)
    charts, layers = read_charts(document, config, bare), find_layers(document, config)
    update: dict[str, object] = {
        "layers": layers.layers,
        "destinations": charts.destinations,
        "payoffs": charts.payoffs,
        "declared": charts.declared,
        "provenance": provenance_of_files(Parts(document, config, charts, track.notes, lambda: track.origins), files),
    }
    problems = {*settings.problems, *track.problems, *charts.problems, *layers.problems}
    problems |= {*missing_tables(document), *undrawn_names(document, config)}
    return BuiltDocument(document, settings, bare.model_copy(update=update), in_order(problems, document))


def _track(document: RailDocument, config: BoardConfig, frame: Frame | None) -> KeptTrack:
    """Return mileposts and track of a document that was read from files.

    They are made of the ground of the document alone, so they cannot follow from what their key leaves out.

    Args:
        document: The document.
        config: Its `board.toml`.
        frame: The projection and page fit, where the document gives them; then nothing is kept.
    """
    ground = _ground(document)
    sheet = Sheet(projection=config.projection, page=config.page, gazetteer=config.gazetteer)
    known = cache_folder() is not None and frame is None and not made_of_board(document)
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
