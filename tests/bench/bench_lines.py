"""Crossings of parallel railroads before and after ordering, and the time that lines take, as ratios in one run.

python tests/bench/bench_lines.py
"""

import time
from collections.abc import Callable
from pathlib import Path

import mapkit
from mapkit.drawing.theme.sizes import Sizes
from mapkit.geography.backdrop import load_backdrop
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.lines.bundles import find_bundles
from mapkit.kinds.rail.render.lines.lanes import count_crossings, order_lanes
from mapkit.kinds.rail.render.lines.parallel_lines import draw_lines, make_lane_edges, space_centre_lines
from mapkit.kinds.rail.render.page_areas import divide_page
from mapkit.kinds.rail.render.spread.displacement import displace_board

ROUNDS = 5
WORKSPACE = Path(__file__).resolve().parents[2]


def best(run: Callable[[], object]) -> float:
    """Return the processor time of the best of some runs."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def report(board: Board) -> None:
    """Print one board's figures."""
    sizes = Sizes()
    area, _ = divide_page(board)
    placement = displace_board(board, sizes, area)
    bundles = find_bundles(board.pieces, placement)
    edges = make_lane_edges(bundles, space_centre_lines(board, bundles, placement, sizes))
    before = count_crossings(edges, [edge.railroads for edge in edges])
    found = order_lanes(edges)
    lines = best(lambda: draw_lines(board, placement, sizes))
    order = best(lambda: order_lanes(edges))
    ground = best(lambda: load_backdrop(board.projection, area))
    print(
        f"{board.id}: crossings {before} by id, {found.crossings} ordered ({found.forced} forced), "
        f"{'proven' if found.proven else 'not proven'}; lines {lines:.2f} s, of it order {order * 1000:.0f} ms; "
        f"{lines / ground:.2f} x the base map"
    )


def main() -> None:
    """Print the figures of the shipped boards."""
    for name in ("usa", "portugal", "mexico"):
        report(mapkit.load(name, workspace=WORKSPACE))


if __name__ == "__main__":
    main()
