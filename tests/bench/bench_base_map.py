"""Times what a page needs of the base map at each level, read from its files: the time of the processor.

python tests/bench/bench_base_map.py
"""

import time
from pathlib import Path

import mapkit
from mapkit.geography.backdrop import load_backdrop
from mapkit.geography.basemap import LEVELS, Level, load_layer
from mapkit.kinds.rail.render.page_areas import divide_page

ROUNDS = 3
PAGES = ("great-britain", "japan", "north-america")
"""Boards whose pages are timed at the level that their scale chooses."""
WORKSPACE = Path(__file__).resolve().parents[2]


def main() -> None:
    """Print the times."""
    for name in PAGES:
        own = mapkit.load(name, workspace=WORKSPACE)
        print(f"{name}: {_seconds(own, None):.3f} s")
    board = mapkit.load("ireland", workspace=WORKSPACE)
    for level in LEVELS:
        print(f"{board.id} at {level}: {_seconds(board, level):.3f} s")


def _seconds(board: mapkit.Board, level: Level | None) -> float:
    """Return the least time of a few rounds; None is the level of the page's scale."""
    area, _ = divide_page(board)
    load_backdrop(board.projection, area, level="110m")  # imports
    times = []
    for _ in range(ROUNDS):
        load_layer.cache_clear()
        start = time.process_time()
        load_backdrop(board.projection, area, level=level)
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    main()
