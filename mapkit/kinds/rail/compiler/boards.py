"""A board that is there already as what compiling its document would give: nothing of it is made again."""

from collections.abc import Iterable
from typing import Any, ClassVar, Final, Self

from mapkit.document.draft import Draft, Index
from mapkit.kinds.rail.compiler.board_rows import document_of_board
from mapkit.kinds.rail.compiler.charts import BoardCharts
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.compiler.frame import Frame
from mapkit.kinds.rail.compiler.layers import layers_of_board
from mapkit.kinds.rail.compiler.mileposts import Mileposts
from mapkit.kinds.rail.compiler.network import Laid, Lines, city_posts, ground_of_lines
from mapkit.kinds.rail.compiler.places import find_places
from mapkit.kinds.rail.compiler.railroads import DrawnTrack, RailroadTrack
from mapkit.kinds.rail.compiler.rows import ORIGIN, PlacedRows, Rows, Whole, network_junction
from mapkit.kinds.rail.compiler.settings import ReadSettings, read_settings
from mapkit.kinds.rail.compiler.tracing import TracedTrack
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.network import NetworkPiece, NetworkSegment
from mapkit.kinds.rail.model.source import RegionConfig, UnitsConfig
from mapkit.kinds.rail.tables import RailDocument


class Start(Index):
    """A document without sources, compiled; a draft's commands find it as an index.

    Args:
        compiled: The document and its board.
    """

    tables: ClassVar[tuple[str, ...]] = ()

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled

    @classmethod
    def of(cls, draft: Draft[Any]) -> Self:
        """Return the board of a draft's document before it was changed."""
        return cls(compile_document(draft.base, board_id="board"))


_KEPT: Final = 4
_RECENT: dict[int, tuple[Board, Compiled]] = {}
"""Boards that variants were applied to last: they are tried one after the other."""


def compiled_board(board: Board) -> Compiled:
    """Return a board with its document."""
    found = _RECENT.pop(id(board), None)
    if found is None or found[0] is not board:
        found = (board, of_board(board, document_of_board(board)))
    _RECENT[id(board)] = found
    while len(_RECENT) > _KEPT:
        _RECENT.pop(next(iter(_RECENT)), None)
    return found[1]


def of_board(board: Board, document: RailDocument) -> Compiled:
    """Return a board as compiled from its document.

    Args:
        board: The board.
        document: Its document (`document_of_board`).
    """
    settings = _settings(board, document)
    found = find_places(document, settings.config.gazetteer.countries)
    drawn = {railroad: DrawnTrack(*parts) for railroad, parts in _by_railroad(board).items()}
    tracks = {railroad: _in_degrees(railroad, track) for railroad, track in drawn.items()}
    posts = city_posts(document)
    lines = Lines(
        spots={},
        cities=frozenset(city.name for city in document.cities.values()),
        notes=board.provenance.notes,
        made_of=ground_of_lines(document, found),
        rows=Rows(document.mileposts, document.junctions, document.track, frozenset(document.railroads), tracks=tracks),
        whole=Whole(tracks, rows=tracks),
        posts=posts,
    )
    by_id = {milepost.id: milepost for milepost in board.mileposts}
    laid = Laid(
        mileposts=board.mileposts,
        junctions=board.junctions,
        pieces=board.pieces,
        segments=board.segments,
        places=Mileposts(),
        lines=lines,
        drawn=drawn,
        rows=PlacedRows(document.mileposts, posts, by_id),
        by_id=by_id,
    )
    return Compiled(
        id=board.id,
        document=document,
        board=board,
        problems=(),
        settings=settings,
        charts=BoardCharts.of_board(board, document, settings.config),
        layers=layers_of_board(board.layers, document),
        track=TracedTrack(
            document, settings.config, found, laid, settings.frame or Frame(board.projection, board.page)
        ),
    )


def _settings(board: Board, document: RailDocument) -> ReadSettings:
    said = board.provenance
    return read_settings(
        document,
        known={
            "title": board.title,
            "credits": said.credits,
            "licence": said.licence,
            "units": UnitsConfig.model_construct(**dict(board.units)),
            "regions": tuple(RegionConfig.model_construct(**dict(region)) for region in board.regions),
            "rules": board.rules,
            "drawing": board.drawing,
            "extensions": board.extensions,
        },
    )


def _by_railroad(board: Board) -> dict[str, Any]:
    """Return the junctions, pieces and segments of each railroad."""
    out: dict[str, tuple[list[Any], list[Any], list[Any]]] = {}
    kinds: Iterable[Iterable[Any]] = (board.junctions, board.pieces, board.segments)
    for number, elements in enumerate(kinds):
        for element in elements:
            out.setdefault(element.railroad, ([], [], []))[number].append(element)
    return {railroad: tuple(map(tuple, out[railroad])) for railroad in sorted(out)}


def _in_degrees(railroad: str, drawn: DrawnTrack) -> RailroadTrack:
    """Return drawn track as it was laid, each part in its place."""
    return RailroadTrack(
        tuple(network_junction(j.id, railroad, (j.lon, j.lat)) for j in drawn.junctions),
        tuple(
            NetworkPiece.model_construct(
                id=p.id, railroad=railroad, a=p.a, b=p.b, miles=p.miles, line=p.line, origin=ORIGIN
            )
            for p in drawn.pieces
        ),
        tuple(
            NetworkSegment.model_construct(
                id=s.id, railroad=railroad, a=s.a, b=s.b, miles=s.miles, pieces=s.pieces, origin=ORIGIN
            )
            for s in drawn.segments
        ),
    )
