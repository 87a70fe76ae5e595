"""What a match costs, on the United States board with four balanced players.

    python tests/bench/bench_playtest.py [MATCHES]

A match is measured against single-source runs of SciPy's Dijkstra on the same board; two workers against one; the
memory of many matches against that of few; and the time to the first result of the command, with compiled code that is
kept, against importing geopandas, networkx, pydantic, typer and svgwrite. Decisions are moves, destinations, purchases,
bids and sales.
"""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from memory import peak_mib
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

import mapkit
from mapkit.kinds.rail.api.playtesting import read_policy, table_of
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.playing.batch import MatchSetup, play_batch
from mapkit.kinds.rail.playing.log import play_logged_match

BATCH = 100
PLAYERS = 4
IMPORTS = "import geopandas, networkx, pydantic, typer, svgwrite"


def seconds_of_dijkstra(board: Board, runs: int = 400) -> float:
    """Return the time of a single-source run: from one milepost to all others, each milepost in turn."""
    place = {m.id: k for k, m in enumerate(board.mileposts)}
    a, b = (np.array([place[end] for end in ends]) for ends in zip(*((s.a, s.b) for s in board.segments), strict=True))
    size = len(place)
    graph = csr_matrix((np.ones(len(a)), (a, b)), shape=(size, size))
    dijkstra(graph, directed=False, indices=[0])
    start = time.process_time()
    for run in range(runs):
        dijkstra(graph, directed=False, indices=[run % size])
    return (time.process_time() - start) / runs


def seconds_of(table: MatchSetup, matches: int, workers: int, *, clock: bool = False) -> float:
    """Return the time of so many matches: of the processor, or by the clock."""
    now = time.perf_counter if clock else time.process_time
    start = now()
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda first: play_batch(table, first, BATCH), range(0, matches, BATCH)))
    return now() - start


def decisions(board: Board, table: MatchSetup, matches: int = 10) -> float:
    """Return the decisions of a match, on average."""
    what = ("rolls", "bonus", "destination", "arrives", "bids", "passes", "sells-back")
    logs = (play_logged_match(board, table, ["balanced"] * PLAYERS, match)[1] for match in range(matches))
    return sum(event.does in what for log in logs for event in log) / matches


def seconds_of_program(*arguments: str) -> float:
    """Return the least time of three runs of Python, by the clock."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


def main(matches: int) -> None:
    board = mapkit.load("usa")
    table = table_of(board, [read_policy("balanced")] * PLAYERS, PLAYERS, 1)
    play_batch(table, 0, 1)
    each = seconds_of(table, matches, 1) / matches
    run = seconds_of_dijkstra(board)
    print(f"match: {each * 1e3:.2f} ms of one processor, {1 / each:.0f} a second, {each / run:.0f} runs of Dijkstra")
    print(f"decisions: {decisions(board, table) / each:,.0f} a second")
    one, two = (seconds_of(table, matches, workers, clock=True) for workers in (1, 2))
    few = peak_mib()
    print(f"two workers: {one / two:.2f} times as fast as one, on {os.cpu_count()} processors")
    seconds_of(table, 4 * matches, 2)
    print(f"memory: {peak_mib() / few:.3f} times after four times as many matches")
    first = seconds_of_program("-m", "mapkit", "playtest", "usa", "-n", "100")
    imports = seconds_of_program("-c", IMPORTS)
    print(f"first result: {first:.1f} s, {first / imports:.2f} x the imports")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
