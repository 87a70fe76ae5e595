"""Times moving mileposts apart, and the land with them, against projecting as many points by pyproj, in one run.

    python tests/bench/bench_displace.py

Land of 100,000 points is projected once and moved once, so the ratio says what moving adds. `displace` itself is set
against laying out the whole board. They take turns, and the best time of each counts.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyproj
from scipy.spatial.distance import pdist

import mapkit
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Board, Page
from mapkit.kinds.rail.render.layout import clear_layout_cache, lay_out
from mapkit.kinds.rail.render.page_areas import divide_page
from mapkit.kinds.rail.render.spread.displacement import displace_board

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from crowded import crowded_coast, scattered

ROUNDS = 5
POINTS = 100_000


def seconds(call: Callable[[], object]) -> float:
    """Return the wall-clock time of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def best(*calls: Callable[[], object]) -> list[float]:
    """Return the best time of each call; they take turns."""
    return [min(times) for times in zip(*([seconds(call) for call in calls] for _ in range(ROUNDS)), strict=True)]


def line(name: str, board: Board) -> None:
    """Print the figures of one board."""
    sizes, area = Sizes(), divide_page(board)[0]
    warp = displace_board(board, sizes, area).warp
    random = np.random.default_rng(0)
    page = random.uniform((0.0, 0.0), (board.page.width, board.page.height), (POINTS, 2))
    degrees = random.uniform((-120.0, 20.0), (-70.0, 50.0), (POINTS, 2))
    transform = pyproj.Transformer.from_crs("EPSG:4326", "EPSG:5070", always_xy=True).transform
    ours, moving, projecting = best(
        lambda: displace_board(board, sizes, area), lambda: warp(page), lambda: transform(degrees[:, 0], degrees[:, 1])
    )
    print(
        f"{name}: {len(board.mileposts)} mileposts placed in {ours * 1e3:.0f} ms; {POINTS} points of land moved in "
        f"{moving * 1e3:.0f} ms, {moving / projecting:.2f} x pyproj's projection of as many "
        f"({projecting * 1e3:.0f} ms)"
    )
    print(f"  {moves(board)}")


def moves(board: Board) -> str:
    """Return how far mileposts move, the least distance before and after, and how much segments turn."""
    spots = lay_out(board, text=False).spots
    before = np.array([(m.x, m.y) for m in board.mileposts])
    after = np.array([spots[m.id] for m in board.mileposts])
    far = np.hypot(*(after - before).T)
    least = [pdist(places).min() for places in (before, after)]
    row = {m.id: n for n, m in enumerate(board.mileposts)}
    ends = np.array([(row[s.a], row[s.b]) for s in board.segments], dtype=np.int64).reshape(-1, 2)
    (x, y), (u, v) = (np.diff(places[ends], axis=1)[:, 0].T for places in (before, after))
    turns = np.abs(np.degrees(np.arctan2(x * v - y * u, x * u + y * v)))
    turned = " / ".join(f"{np.percentile(turns, share):.1f}" for share in (50, 95, 100) if len(turns)) or "-"
    return (
        f"moved {np.median(far):.1f} / {far.max():.1f} mm (median / largest), least distance {least[0]:.1f} -> "
        f"{least[1]:.1f} mm, segments turned {turned} degrees (median / 95 % / largest)"
    )


def laid_out(board: Board) -> None:
    """Lay a board out, whatever is remembered."""
    clear_layout_cache()
    lay_out(board)


def main() -> None:
    """Print the figures."""
    usa = mapkit.load("usa")
    for name in ("usa", "portugal", "mexico"):
        line(name, mapkit.load(name))
    line("crowded coast", crowded_coast())
    line("anywhere", scattered(2000, page=Page(width=1000, height=730, frame=(36, 36, 964, 610))))
    part, whole = best(lambda: displace_board(usa, Sizes(), divide_page(usa)[0]), lambda: laid_out(usa))
    print(
        f"usa: displacement is {part / whole:.2f} of the layout ({part * 1e3:.0f} of {whole * 1e3:.0f} ms); limit 0.33"
    )


if __name__ == "__main__":
    main()
