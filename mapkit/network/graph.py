"""The one bridge from a board to graph libraries: NetworkX for people, SciPy for speed."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
from scipy.sparse import csr_array

from mapkit.errors import UnknownNameError, did_you_mean
from mapkit.model.board import Board, Segment
from mapkit.sources.names import fold

if TYPE_CHECKING:
    MilepostGraph = nx.MultiGraph[str]


def allowed_segments(board: Board, railroads: Collection[str] | None = None) -> tuple[Segment, ...]:
    """Return the segments of some railroads (ids), or all of them."""
    return tuple(s for s in board.segments if railroads is None or s.railroad in railroads)


def to_networkx(board: Board) -> "MilepostGraph":
    """Return the board as a multigraph (RB-C09).

    Nodes are milepost ids with `name`, `kind`, `lon`, `lat`, `x`, `y`; edges are keyed by segment id, with
    `railroad`, `miles` and `pieces`.
    """
    graph: MilepostGraph = nx.MultiGraph()
    for milepost in board.mileposts:
        graph.add_node(milepost.id, **milepost.model_dump(exclude={"id"}))
    for segment in board.segments:
        graph.add_edge(
            segment.a,
            segment.b,
            key=segment.id,
            railroad=segment.railroad,
            miles=segment.miles,
            pieces=segment.pieces,
        )
    return graph


def to_csr(
    board: Board, *, railroads: Collection[str] | None = None
) -> tuple[tuple[str, ...], "csr_array[np.float64]"]:
    """Return `(milepost ids, adjacency)`: a symmetric n x n matrix of ones, rows in the order of the ids."""
    ids = tuple(m.id for m in board.mileposts)
    index = {ident: i for i, ident in enumerate(ids)}
    pairs = {tuple(sorted((index[s.a], index[s.b]))) for s in allowed_segments(board, railroads)}
    ends = np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2)
    rows, columns = np.concatenate((ends, ends[:, ::-1])).T
    return ids, csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(ids), len(ids)))


def find_milepost(board: Board, name: str) -> str:
    """Return the id of the milepost of a city or milepost, given by id or name in any case or punctuation.

    Raises:
        UnknownNameError: Nothing has the name; the nearest is offered.
    """
    known: dict[str, str] = {}
    for milepost in board.mileposts:
        known |= {fold(milepost.id): milepost.id, fold(milepost.name): milepost.id}
    for city in board.cities:
        known |= {fold(city.id): city.milepost, fold(city.name): city.milepost}
    if fold(name) not in known:
        names = [*(m.name for m in board.mileposts), *(c.name for c in board.cities)]
        hint = did_you_mean(name, names)
        raise UnknownNameError(f"{name!r} is no city or milepost of {board.title}{hint}")
    return known[fold(name)]


def find_railroads(board: Board, names: Sequence[str]) -> frozenset[str]:
    """Return the ids of railroads given by id, reporting mark or name.

    Raises:
        UnknownNameError: One is unknown; the nearest is offered.
    """
    known = {fold(key): r.id for r in board.railroads for key in (r.name, r.short, r.id)}
    for name in names:
        if fold(name) not in known:
            hint = did_you_mean(name, [key for r in board.railroads for key in (r.short, r.name)])
            marks = ", ".join(r.short for r in board.railroads)
            raise UnknownNameError(f"{name!r} is no railroad of {board.title}{hint or f'; they are {marks}'}")
    return frozenset(known[fold(name)] for name in names)
