"""How long work on a board of 1,536 hexagons and 50 cities takes, beside a plain search of its links.

    python tests/bench/bench_hexes.py [EDITS]

The board is the Iberian peninsula on a grid of 48 columns. Edits paint hexagons, set edges and move cities, at random,
with a seed; each is planned, compiled and checked as in the editor. Links are compared with those of a search from
nothing. Ratios are to Dijkstra's method on dictionaries from every city.
"""

import heapq
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from mapkit.document.changes import apply
from mapkit.kinds.hex.compiler import CompiledHexes
from mapkit.kinds.hex.grid.cubes import edge_between
from mapkit.kinds.hex.kind import HEX
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.network.ways import Ways, find_ways
from mapkit.kinds.hex.tables import HexDocument
from mapkit.kinds.kind import RegionAsked

BOARD = "iberia"
ASKED = RegionAsked("Portugal, Spain", columns=48, cities=50)


def plain_search(board: HexBoard) -> int:
    """Search the cheapest way from every city by Dijkstra's method, and return how many hexagons were reached."""
    grid = board.grid
    costs = {terrain.id: terrain.cost for terrain in board.terrains}
    tile = {grid.hex_of(hexagon.id): costs[hexagon.terrain] for hexagon in board.hexes}
    edges = {grid.edge_named(edge.id): edge for edge in board.edges}
    homes = {grid.hex_of(city.hex) for city in board.cities}
    near = {cube: list(grid.neighbours(cube)) for cube in grid.cubes}
    reached = 0
    for home in homes:
        best: dict[Any, tuple[int, int]] = {}
        waiting: list[tuple[int, int, Any]] = [(0, 0, home)]
        while waiting:
            cost, tiles, at = heapq.heappop(waiting)
            if at in best:
                continue
            best[at] = (cost, tiles)
            for other in near[at]:
                laid, edge = tile[other], edges.get(edge_between(at, other))
                if other in best or other in homes or laid is None:
                    continue
                if edge is None or "impassable" not in edge.kinds:
                    heapq.heappush(waiting, (cost + laid + (edge.cost if edge else 0), tiles + 1, other))
        reached += len(best)
    return reached


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """Return the shortest time of several runs."""

    def once() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return min(once() for _ in range(times))


def random_edit(board: HexBoard, rng: random.Random) -> dict[str, Any]:
    """Return a command of an author."""
    grid = board.grid
    homes = {city.hex for city in board.cities}
    land = [hexagon.id for hexagon in board.hexes if hexagon.terrain != "sea" and hexagon.id not in homes]
    edges = [grid.edge_id(edge) for edge in grid.edges]
    return rng.choice(
        (
            {
                "kind": "paint-hexes",
                "hexes": rng.sample(land, rng.choice((1, 7, 19))),
                "terrain": rng.choice(("plains", "water", "mountain")),
            },
            {"kind": "set-edges", "edges": rng.sample(edges, 2), "kinds": rng.choice((["ridge"], ["impassable"], []))},
            {"kind": "move-city", "id": rng.choice(board.cities).id, "hex": rng.choice(land)},
        )
    )


def edit_times(document: HexDocument, compiled: CompiledHexes, edits: int) -> list[float]:
    """Return the seconds from each edit to its findings; links are compared with a search from nothing."""
    rng, times = random.Random(22), []  # noqa: S311 - tests are not secret
    HEX.findings(compiled)
    for _ in range(edits):
        command = random_edit(compiled.board, rng)
        start = time.perf_counter()
        document = apply(document, HEX.commands.read(command).plan(document).patch)
        compiled = HEX.compile(document, board_id=BOARD, evaluator=compiled.evaluator)
        HEX.findings(compiled)
        times.append(time.perf_counter() - start)
        if not (find_ways(compiled.db).keys == Ways(compiled.board).keys).all():
            raise AssertionError(f"links differ after {command}")
    return times


def main() -> None:
    """Print the figures."""
    edits = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    start = time.perf_counter()
    files, notes = HEX.region_files("Iberia", ASKED)
    made = time.perf_counter() - start
    document = HEX.document_of({name: data.decode() for name, data in files.items()})
    compiled = HEX.compile(document, board_id=BOARD)
    board = compiled.board
    peer = seconds(lambda: plain_search(board), 3)
    whole = seconds(lambda: HEX.check(HEX.compile(document, board_id=BOARD)))
    drawn = seconds(lambda: HEX.draw(compiled), 3)
    found = np.percentile(edit_times(document, compiled, edits), 95)
    print(f"{len(board.hexes)} hexagons, {len(board.cities)} cities; plain search {peer * 1000:.0f} ms")
    print(f"compile and check: {whole / peer:.2f} x the search ({whole * 1000:.0f} ms)")
    print(f"draw: {drawn / peer:.2f} x the search ({drawn * 1000:.0f} ms)")
    print(f"edit to checked reply, 95th percentile: {found / peer:.3f} x the search ({found * 1000:.1f} ms)")
    print(f"a new board with colours: {made:.1f} s; {notes[-1]}")


if __name__ == "__main__":
    main()
