"""A board's network as pairs, and its mileposts and railroads by name."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from mapkit.core.errors import UnknownNameError, did_you_mean
from mapkit.core.names import fold
from mapkit.kinds.rail.model.board import Board, Segment


def allowed_segments(board: Board, railroads: Collection[str] | None = None) -> tuple[Segment, ...]:
    """Return the segments of some railroads (ids), or all of them."""
    return tuple(s for s in board.segments if railroads is None or s.railroad in railroads)


def joined(board: Board, *, railroads: Collection[str] | None = None) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return `(milepost ids, pairs)`: the mileposts that segments join, each pair once, as places among the ids."""
    ids = tuple(m.id for m in board.mileposts)
    index = {ident: i for i, ident in enumerate(ids)}
    pairs = {tuple(sorted((index[s.a], index[s.b]))) for s in allowed_segments(board, railroads)}
    return ids, np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


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
