"""Times what mapkit computes with networkx, and what it computes otherwise, against networkx in one run.

    python tests/bench/bench_networkx.py

Processor time; they take turns, and the best time of each counts. Connected parts are those of each railroad.
"""

import time
from collections import defaultdict
from collections.abc import Callable

import networkx as nx
import numpy as np
from numpy.typing import NDArray

import mapkit
from mapkit.core.arrays import connected_components
from mapkit.kinds.rail.network.chain import measure_rail_miles
from mapkit.kinds.rail.network.distances import count_all_pairs_moves
from mapkit.kinds.rail.network.multigraph import board_to_multigraph, find_node_components, spurs

ROUNDS = 5
POINTS = 50_000


def seconds(call: Callable[[], object]) -> float:
    """Return the processor time of one call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def links() -> NDArray[np.int64]:
    """Return pairs of points, as those of a drawing that lie together: `POINTS` of each."""
    random = np.random.default_rng(1)
    first = random.integers(0, POINTS, POINTS)
    return np.column_stack((first, np.minimum(first + random.integers(0, 5, POINTS), POINTS - 1)))


def grouped(pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the group of each point, by networkx."""
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(POINTS))
    graph.add_edges_from(pairs.tolist())
    out = np.empty(POINTS, dtype=np.int64)
    for number, part in enumerate(nx.connected_components(graph)):
        out[list(part)] = number
    return out


def main() -> None:
    """Print the times on the United States."""
    board = mapkit.load("usa")
    network = board_to_multigraph(board)
    cities = sorted({city.milepost for city in board.cities})
    track = [(piece.a, piece.b) for piece in board.pieces]
    of_railroads: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for segment in board.segments:
        of_railroads[segment.railroad].append((segment.a, segment.b))
    pairs = links()
    calls: dict[str, Callable[[], object]] = {
        "distances of all pairs, rows of bits": lambda: count_all_pairs_moves(board),
        "distances of all pairs, networkx": lambda: dict(nx.all_pairs_shortest_path_length(network)),
        "miles from all cities, numpy": lambda: measure_rail_miles(board, cities),
        "miles from all cities, networkx": lambda: [
            nx.single_source_dijkstra_path_length(network, city, weight="miles") for city in cities
        ],
        "spurs, networkx": lambda: spurs(track),
        "connected parts, networkx": lambda: [find_node_components(ends) for ends in of_railroads.values()],
        "groups of 50,000 points, numpy": lambda: connected_components(pairs, POINTS),
        "groups of 50,000 points, networkx": lambda: grouped(pairs),
        "the board as a MultiGraph": lambda: board_to_multigraph(board),
    }
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, call in calls.items():
            best[name] = min(best[name], seconds(call))
    for name, found in best.items():
        print(f"{name}: {found * 1e3:.2f} ms")


if __name__ == "__main__":
    main()
