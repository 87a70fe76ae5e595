"""Parts of a board that decide a match: their hash, and whether a match can be played on them."""

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

from mapkit.core import heavy
from mapkit.core.errors import BoardError
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board

_SHOWN_PROBLEMS = 10


def hash_match_board(board: Board) -> str:
    """Return a hash of the parts of a board that a match depends on: track, cities, prices and charts."""
    match_parts = {
        "regions": [r.id for r in board.regions],
        "cities": [(c.id, c.region, c.milepost) for c in board.cities],
        "railroads": [(r.id, r.price, r.public) for r in board.railroads],
        "segments": [(s.id, s.railroad, s.a, s.b, s.pieces) for s in board.segments],
        "destinations": {chart_id: chart.model_dump() for chart_id, chart in board.destinations.items()},
        "payoffs": board.payoffs.model_dump(),
        "payoff": board.units.payoff,
    }
    return hashlib.sha256(json.dumps(match_parts, sort_keys=True).encode()).hexdigest()


def check_playable(board: Board) -> None:
    """Raise an error if no match can be played on a board.

    Raises:
        BoardError: Cells or payoffs are missing, cities are off the track, nothing is for sale; each with its cure.
    """
    problems = [*_list_empty_cells(board), *_list_missing_payoffs(board), *_list_missing_basics(board)]
    if problems:
        hidden_count = len(problems) - _SHOWN_PROBLEMS
        more_line = [f"... and {hidden_count} more"] if hidden_count > 0 else []
        raise BoardError(
            "\n".join([f"{board.id}: this board cannot be played on", *problems[:_SHOWN_PROBLEMS], *more_line])
        )


def _list_empty_cells(board: Board) -> Iterator[str]:
    region_ids, city_ids = {r.id for r in board.regions}, {c.id for c in board.cities}
    for chart_id in (REGIONS, *sorted(region_ids)):
        chart = board.destinations.get(chart_id)
        allowed_ids: Collection[str] = region_ids if chart_id == REGIONS else city_ids
        for parity in ("odd", "even"):
            column: Mapping[str, str | None] = getattr(chart, parity) if chart else {}
            empty_sums = [total for total in SUMS if column.get(total) not in allowed_ids]
            if empty_sums:
                yield f"destination chart {chart_id}: {parity} {', '.join(empty_sums)} is empty; fill it in"


def _list_missing_payoffs(board: Board) -> Iterator[str]:
    row_of = {city: k for k, city in enumerate(board.payoffs.cities)}
    city_ids = sorted(c.id for c in board.cities)
    for city in city_ids:
        if city not in row_of:
            yield f"payoff chart: {city} has no row; add it"
    for a, b in combinations([city for city in city_ids if city in row_of], 2):
        if board.payoffs.thousands[row_of[a]][row_of[b]] is None:
            yield f"payoff chart: {a} - {b} has no amount; add it"


def _list_missing_basics(board: Board) -> Iterator[str]:
    if all(r.public for r in board.railroads):
        yield "no railroad is for sale; add one"
    if len({c.milepost for c in board.cities}) < 2:  # noqa: PLR2004 - a trip leads from one place to another
        yield "a trip needs two cities at different mileposts; add one"
        return
    first_city = board.cities[0]
    network: heavy.networkx.Graph[str] = heavy.networkx.Graph((segment.a, segment.b) for segment in board.segments)
    network.add_nodes_from(city.milepost for city in board.cities)
    reachable_mileposts = heavy.networkx.node_connected_component(network, first_city.milepost)
    for city in board.cities:
        if city.milepost not in reachable_mileposts:
            yield f"{city.id}: no track leads there from {first_city.id}; join them"
