"""Union of two boards on one page, with all positions on that page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.core.base import Point
from mapkit.geography.page_map import PageMap
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.model.board import Board, Junction, Milepost, Page, Piece, Railroad, Segment
from mapkit.kinds.rail.model.difference import BoardDiff
from mapkit.kinds.rail.variants.matching import match_boards

REMOVED_PREFIX: Final = "was--"
"""Begins the ids of track that only board A has."""


@dataclass(frozen=True)
class BoardUnion:
    """Board B with the elements that only A has, and the old places of A's mileposts (A's id -> page millimetres)."""

    board: Board
    before: Mapping[str, Point]


def unite_boards(a: Board, b: Board, diff: BoardDiff) -> BoardUnion:
    """Return B with A's removed track, mileposts and railroads, on the page that has room for more of both.

    Cities and regions are B's alone; a removed city's milepost is a dot.
    """
    page_projection, shared_page = _choose_page(a, b)
    a, b = (_move_to_page(board, page_projection, shared_page) for board in (a, b))
    matched_mileposts = match_boards(a, b).mileposts
    removed_ids = {kind: {c.a for c in diff.of(kind, "removed")} for kind in ("milepost", "railroad", "segment")}
    railroad_ids = {r.id for r in b.railroads} | removed_ids["railroad"]
    removed_segments = [s for s in a.segments if s.id in removed_ids["segment"]]
    removed_pieces = {piece for s in removed_segments for piece in s.pieces}
    matched_railroads = match_boards(a, b).railroads
    node_ids = {m.id: matched_mileposts.get(m.id, m.id) for m in a.mileposts} | {
        j.id: REMOVED_PREFIX + j.id for j in a.junctions
    }

    def owner(railroad: str) -> str:
        return matched_railroads.get(railroad, railroad)

    added_pieces = [
        p.model_copy(
            update={"id": REMOVED_PREFIX + p.id, "railroad": owner(p.railroad), "a": node_ids[p.a], "b": node_ids[p.b]}
        )
        for p in a.pieces
        if p.id in removed_pieces
    ]
    piece_ends = {node for p in added_pieces for node in (p.a, p.b)}
    added_junctions = [
        j.model_copy(update={"id": REMOVED_PREFIX + j.id, "railroad": owner(j.railroad)})
        for j in a.junctions
        if REMOVED_PREFIX + j.id in piece_ends
    ]
    added_segments = [
        s.model_copy(
            update={
                "id": REMOVED_PREFIX + s.id,
                "railroad": owner(s.railroad),
                "a": node_ids[s.a],
                "b": node_ids[s.b],
                "pieces": tuple(REMOVED_PREFIX + p for p in s.pieces),
            }
        )
        for s in removed_segments
    ]
    added_mileposts = [m.model_copy(update={"kind": "dot"}) for m in a.mileposts if m.id in removed_ids["milepost"]]
    union_board = b.model_copy(
        update={
            "mileposts": _sort_by_id([*b.mileposts, *added_mileposts]),
            "railroads": _sort_by_id(
                [*b.railroads, *(r for r in a.railroads if r.id in railroad_ids - {r.id for r in b.railroads})]
            ),
            "junctions": _sort_by_id([*b.junctions, *added_junctions]),
            "pieces": _sort_by_id([*b.pieces, *added_pieces]),
            "segments": _sort_by_id([*b.segments, *added_segments]),
        }
    )
    return BoardUnion(union_board, {m.id: (m.x, m.y) for m in a.mileposts})


Element = Milepost | Railroad | Junction | Piece | Segment


def _sort_by_id(elements: Sequence[Element]) -> tuple[Element, ...]:
    return tuple(sorted(elements, key=lambda e: e.id))


def _choose_page(a: Board, b: Board) -> tuple[Projection, Page]:
    """Return B's page, or A's if fewer mileposts fall off that: a part of a board is shown on the whole."""
    if a.projection == b.projection and a.page == b.page:
        return b.projection, b.page
    milepost_points = [(m.lon, m.lat) for board in (a, b) for m in board.mileposts]
    off_page_counts = {}
    for board_name, board in (("b", b), ("a", a)):
        left, top, right, bottom = board.page.frame
        page_places = PageMap(board.projection).to_page(milepost_points)
        off_page_counts[board_name] = sum(not (left <= x <= right and top <= y <= bottom) for x, y in page_places)
    best_board = a if off_page_counts["a"] < off_page_counts["b"] else b
    return best_board.projection, best_board.page


def _move_to_page(board: Board, projection: Projection, page: Page) -> Board:
    """Move a board to another page."""
    if board.projection == projection:
        return board.model_copy(update={"page": page})
    to_page = PageMap(projection).to_page

    def moved(elements: Sequence[Milepost | Junction]) -> tuple[Milepost | Junction, ...]:
        page_places = to_page([(e.lon, e.lat) for e in elements])
        return tuple(e.model_copy(update={"x": x, "y": y}) for e, (x, y) in zip(elements, page_places, strict=True))

    moved_pieces = {p.id: p.model_copy(update={"path": to_page(p.line)}) for p in board.pieces}
    return board.model_copy(
        update={
            "projection": projection,
            "page": page,
            "mileposts": moved(board.mileposts),
            "junctions": moved(board.junctions),
            "pieces": tuple(moved_pieces.values()),
        }
    )
