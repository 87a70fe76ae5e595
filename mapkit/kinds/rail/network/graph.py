"""Linked mileposts of a board, and search for mileposts and railroads by name."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from mapkit.core.errors import UnknownNameError, did_you_mean
from mapkit.core.names import fold
from mapkit.kinds.rail.model.board import Board, Segment


def allowed_segments(board: Board, railroads: Collection[str] | None = None) -> tuple[Segment, ...]:
    """Return the segments of some railroads (ids), or all of them."""
    return tuple(s for s in board.segments if railroads is None or s.railroad in railroads)


def list_linked_pairs(
    board: Board, *, railroads: Collection[str] | None = None
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return `(milepost ids, pairs)`: the pairs of mileposts that segments join, each once, as indices of the ids."""
    milepost_ids = tuple(m.id for m in board.mileposts)
    index = {ident: i for i, ident in enumerate(milepost_ids)}
    pairs = {tuple(sorted((index[segment.a], index[segment.b]))) for segment in allowed_segments(board, railroads)}
    return milepost_ids, np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


def find_milepost(board: Board, name: str) -> str:
    """Return the id of the milepost of a city or milepost, given by id or name in any case or punctuation.

    Raises:
        UnknownNameError: Nothing has the name; the nearest is offered.
    """
    milepost_by_name: dict[str, str] = {}
    for milepost in board.mileposts:
        milepost_by_name |= {fold(milepost.id): milepost.id, fold(milepost.name): milepost.id}
    for city in board.cities:
        milepost_by_name |= {fold(city.id): city.milepost, fold(city.name): city.milepost}
    if fold(name) not in milepost_by_name:
        all_names = [*(m.name for m in board.mileposts), *(c.name for c in board.cities)]
        hint = did_you_mean(name, all_names)
        raise UnknownNameError(f"{name!r} is not a city or milepost of {board.title}{hint}")
    return milepost_by_name[fold(name)]


def find_railroads(board: Board, names: Sequence[str]) -> frozenset[str]:
    """Return the ids of railroads given by id, reporting mark or name.

    Raises:
        UnknownNameError: One is unknown; the nearest is offered.
    """
    railroad_by_name = {fold(railroad_name): r.id for r in board.railroads for railroad_name in (r.name, r.short, r.id)}
    for name in names:
        if fold(name) not in railroad_by_name:
            hint = did_you_mean(name, [railroad_name for r in board.railroads for railroad_name in (r.short, r.name)])
            marks = ", ".join(r.short for r in board.railroads)
            raise UnknownNameError(f"{name!r} is not a railroad of {board.title}{hint or f'; they are {marks}'}")
    return frozenset(railroad_by_name[fold(name)] for name in names)
