"""What a board from a file must hold beyond its form, so that nothing that is made of it stops halfway."""

import math
from collections.abc import Iterator

from pyproj import CRS
from pyproj.exceptions import CRSError

from mapkit.core.errors import SourceError
from mapkit.kinds.rail.model.board import Board

MOST_PRICE = 10_000_000
"""Of a railroad, in currency units, as in `railroads.csv`."""
_SHOWN = 20


def refuse_unusable(board: Board, file: str) -> None:
    """Refuse a board that a person or a program edited into one that cannot be drawn, played or exported.

    Args:
        board: As it was read.
        file: What messages call its file.

    Raises:
        SourceError: A projection that nothing can be projected with, a name without letters, a price or an amount out
            of bounds, or a payoff chart that is not square.
    """
    found = [f"{file}: {problem}" for problem in _problems(board)]
    if found:
        more = [f"{file}: and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
        raise SourceError([*found[:_SHOWN], *more])


def _problems(board: Board) -> Iterator[str]:
    projection = board.projection
    try:
        CRS.from_user_input(projection.crs)
    except CRSError:
        yield f"projection.crs is {projection.crs!r}, which PROJ does not know; write it as it was"
    if not (math.isfinite(projection.scale_mm_per_m) and projection.scale_mm_per_m > 0):
        yield f"projection.scale_mm_per_m is {projection.scale_mm_per_m:g}; write a number above 0"
    if not board.title.strip():
        yield "title is empty; write a name"
    for kind in ("regions", "mileposts", "cities", "railroads"):
        for part in getattr(board, kind):
            if not part.name.strip():
                yield f"{kind}: {part.id}: name is empty; write a name"
    for railroad in board.railroads:
        if not 0 <= railroad.price <= MOST_PRICE:
            yield f"railroads: {railroad.id}: price is {railroad.price}; write an amount from 0 to {MOST_PRICE}"
    yield from _of_chart(board)


def _of_chart(board: Board) -> Iterator[str]:
    cities, rows = board.payoffs.cities, board.payoffs.thousands
    if len(rows) != len(cities):
        yield f"payoffs: {len(rows)} rows for {len(cities)} cities; write one row for each city"
    for city, row in zip(cities, rows, strict=False):
        if len(row) != len(cities):
            says = f"{len(row)} amounts for {len(cities)} cities"
            yield f"payoffs: row {city}: {says}; write null for one that is missing"
        for other, amount in zip(cities, row, strict=False):
            if amount is not None and not 0 <= amount < math.inf:
                yield f"payoffs: {city} to {other} is {amount:g}; write an amount of 0 or more"
