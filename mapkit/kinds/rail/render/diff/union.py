"""Two boards on one page: what both have, what only one has, and no page position that is not of that page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.core.base import Point
from mapkit.geography.page_map import PageMap
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.model.board import Board, Junction, Milepost, Page, Piece, Railroad, Segment
from mapkit.kinds.rail.model.difference import BoardDiff
from mapkit.kinds.rail.variants.matching import match_boards

GONE: Final = "was--"
"""Begins the ids of track that only board A has."""


@dataclass(frozen=True)
class Union:
    """Board B with what only A has, and where A's mileposts stood (A's id -> page millimetres)."""

    board: Board
    before: Mapping[str, Point]


def union_of(a: Board, b: Board, diff: BoardDiff) -> Union:
    """Return B with A's removed track, mileposts and railroads, on the page that has room for more of both.

    Cities and regions are B's alone; a removed city's milepost is a dot.
    """
    projection, page = _page(a, b)
    a, b = (_on(board, projection, page) for board in (a, b))
    places = match_boards(a, b).mileposts
    removed = {kind: {c.a for c in diff.of(kind, "removed")} for kind in ("milepost", "railroad", "segment")}
    railroads = {r.id for r in b.railroads} | removed["railroad"]
    gone = [s for s in a.segments if s.id in removed["segment"]]
    used = {piece for s in gone for piece in s.pieces}
    match = match_boards(a, b).railroads
    nodes = {m.id: places.get(m.id, m.id) for m in a.mileposts} | {j.id: GONE + j.id for j in a.junctions}

    def owner(railroad: str) -> str:
        return match.get(railroad, railroad)

    pieces = [
        p.model_copy(update={"id": GONE + p.id, "railroad": owner(p.railroad), "a": nodes[p.a], "b": nodes[p.b]})
        for p in a.pieces
        if p.id in used
    ]
    ends = {node for p in pieces for node in (p.a, p.b)}
    junctions = [
        j.model_copy(update={"id": GONE + j.id, "railroad": owner(j.railroad)})
        for j in a.junctions
        if GONE + j.id in ends
    ]
    segments = [
        s.model_copy(
            update={
                "id": GONE + s.id,
                "railroad": owner(s.railroad),
                "a": nodes[s.a],
                "b": nodes[s.b],
                "pieces": tuple(GONE + p for p in s.pieces),
            }
        )
        for s in gone
    ]
    mileposts = [m.model_copy(update={"kind": "dot"}) for m in a.mileposts if m.id in removed["milepost"]]
    board = b.model_copy(
        update={
            "mileposts": _sorted([*b.mileposts, *mileposts]),
            "railroads": _sorted([*b.railroads, *(r for r in a.railroads if r.id in railroads - _ids(b.railroads))]),
            "junctions": _sorted([*b.junctions, *junctions]),
            "pieces": _sorted([*b.pieces, *pieces]),
            "segments": _sorted([*b.segments, *segments]),
        }
    )
    return Union(board, {m.id: (m.x, m.y) for m in a.mileposts})


Element = Milepost | Railroad | Junction | Piece | Segment


def _ids(elements: Sequence[Element]) -> set[str]:
    return {e.id for e in elements}


def _sorted(elements: Sequence[Element]) -> tuple[Element, ...]:
    return tuple(sorted(elements, key=lambda e: e.id))


def _page(a: Board, b: Board) -> tuple[Projection, Page]:
    """Return B's page, or A's if fewer mileposts fall off that: a part of a board is shown on the whole."""
    if a.projection == b.projection and a.page == b.page:
        return b.projection, b.page
    points = [(m.lon, m.lat) for board in (a, b) for m in board.mileposts]
    off = {}
    for name, board in (("b", b), ("a", a)):
        left, top, right, bottom = board.page.frame
        spots = PageMap(board.projection).to_page(points)
        off[name] = sum(not (left <= x <= right and top <= y <= bottom) for x, y in spots)
    best = a if off["a"] < off["b"] else b
    return best.projection, best.page


def _on(board: Board, projection: Projection, page: Page) -> Board:
    """Return a board on another page."""
    if board.projection == projection:
        return board.model_copy(update={"page": page})
    to_page = PageMap(projection).to_page

    def moved(elements: Sequence[Milepost | Junction]) -> tuple[Milepost | Junction, ...]:
        spots = to_page([(e.lon, e.lat) for e in elements])
        return tuple(e.model_copy(update={"x": x, "y": y}) for e, (x, y) in zip(elements, spots, strict=True))

    pieces = {p.id: p.model_copy(update={"path": to_page(p.line)}) for p in board.pieces}
    return board.model_copy(
        update={
            "projection": projection,
            "page": page,
            "mileposts": moved(board.mileposts),
            "junctions": moved(board.junctions),
            "pieces": tuple(pieces.values()),
        }
    )
