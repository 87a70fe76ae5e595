"""What of a board a match is played on: its hash, and whether that can be played on at all."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

from mapkit.core.errors import BoardError
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board

_SHOWN = 10


def board_hash(board: Board) -> str:
    """Return a hash of what a match is played on: track, cities, prices, charts; not of names, places or rules."""
    played = {
        "regions": [r.id for r in board.regions],
        "cities": [(c.id, c.region, c.milepost) for c in board.cities],
        "railroads": [(r.id, r.price, r.public) for r in board.railroads],
        "segments": [(s.id, s.railroad, s.a, s.b, s.pieces) for s in board.segments],
        "destinations": {name: chart.model_dump() for name, chart in board.destinations.items()},
        "payoffs": board.payoffs.model_dump(),
        "payoff": board.units.payoff,
    }
    return hashlib.sha256(json.dumps(played, sort_keys=True).encode()).hexdigest()


def refuse_unplayable(board: Board) -> None:
    """Refuse a board on which no match can be played.

    Raises:
        BoardError: Cells or payoffs are missing, cities are off the track, nothing is for sale; each with its cure.
    """
    problems = [*_empty_cells(board), *_missing_payoffs(board), *_lacks(board)]
    if problems:
        more = len(problems) - _SHOWN
        rest = [f"... and {more} more"] if more > 0 else []
        raise BoardError("\n".join([f"{board.id}: nobody can play on this board", *problems[:_SHOWN], *rest]))


def _empty_cells(board: Board) -> Iterator[str]:
    regions, cities = {r.id for r in board.regions}, {c.id for c in board.cities}
    for name in (REGIONS, *sorted(regions)):
        chart = board.destinations.get(name)
        known: Collection[str] = regions if name == REGIONS else cities
        for parity in ("odd", "even"):
            column: Mapping[str, str | None] = getattr(chart, parity) if chart else {}
            gaps = [total for total in SUMS if column.get(total) not in known]
            if gaps:
                yield f"destination chart {name}: {parity} {', '.join(gaps)} is empty; fill it in"


def _missing_payoffs(board: Board) -> Iterator[str]:
    row = {city: k for k, city in enumerate(board.payoffs.cities)}
    cities = sorted(c.id for c in board.cities)
    for city in cities:
        if city not in row:
            yield f"payoff chart: {city} has no row; add it"
    for a, b in combinations([city for city in cities if city in row], 2):
        if board.payoffs.thousands[row[a]][row[b]] is None:
            yield f"payoff chart: {a} - {b} has no amount; add it"


def _lacks(board: Board) -> Iterator[str]:
    if all(r.public for r in board.railroads):
        yield "no railroad is for sale; add one"
    if len({c.milepost for c in board.cities}) < 2:  # noqa: PLR2004 - a trip leads from one place to another
        yield "a trip needs two cities at different mileposts; add one"
        return
    first = board.cities[0]
    there = _reached(board, first.milepost)
    for city in board.cities:
        if city.milepost not in there:
            yield f"{city.id}: no track leads there from {first.id}; join them"


def _reached(board: Board, start: str) -> set[str]:
    """Return the mileposts to which track leads from one of them."""
    near: dict[str, set[str]] = defaultdict(set)
    for segment in board.segments:
        near[segment.a].add(segment.b)
        near[segment.b].add(segment.a)
    found, left = {start}, [start]
    while left:
        more = near[left.pop()] - found
        found |= more
        left += more
    return found
