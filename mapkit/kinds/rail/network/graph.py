"""A board's network as a matrix, and its mileposts and railroads by name."""

from collections.abc import Collection, Sequence

import numpy as np

from mapkit.core import heavy
from mapkit.core.errors import UnknownNameError, did_you_mean
from mapkit.core.names import fold
from mapkit.kinds.rail.model.board import Board, Segment


def allowed_segments(board: Board, railroads: Collection[str] | None = None) -> tuple[Segment, ...]:
    """Return the segments of some railroads (ids), or all of them."""
    return tuple(s for s in board.segments if railroads is None or s.railroad in railroads)


def to_csr(
    board: Board, *, railroads: Collection[str] | None = None
) -> tuple[tuple[str, ...], "heavy.sparse.csr_array[np.float64]"]:
    """Return `(milepost ids, adjacency)`: a symmetric n x n matrix of ones, rows in the order of the ids."""
    ids = tuple(m.id for m in board.mileposts)
    index = {ident: i for i, ident in enumerate(ids)}
    pairs = {tuple(sorted((index[s.a], index[s.b]))) for s in allowed_segments(board, railroads)}
    ends = np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2)
    rows, columns = np.concatenate((ends, ends[:, ::-1])).T
    return ids, heavy.sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(ids), len(ids)))


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
        raise UnknownNameError(f"{name!r} is not a city or milepost of {board.title}{hint}")
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
            raise UnknownNameError(f"{name!r} is not a railroad of {board.title}{hint or f'; they are {marks}'}")
    return frozenset(known[fold(name)] for name in names)
