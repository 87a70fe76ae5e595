"""Times what a page needs of the base map at each level, read from its files: the time of the processor.

python tests/bench/bench_base_map.py
"""

import time
from pathlib import Path

import mapkit
from mapkit.geography.backdrop import load_backdrop
from mapkit.geography.basemap import LEVELS, load_layer
from mapkit.kinds.rail.render.page_areas import page_areas

ROUNDS = 3
WORKSPACE = Path(__file__).resolve().parents[2]


def main() -> None:
    """Print the times."""
    board = mapkit.load("ireland", workspace=WORKSPACE)
    area, _ = page_areas(board)
    load_backdrop(board.projection, area, level="110m")  # imports
    for level in LEVELS:
        times = []
        for _ in range(ROUNDS):
            load_layer.cache_clear()
            start = time.process_time()
            load_backdrop(board.projection, area, level=level)
            times.append(time.process_time() - start)
        print(f"{board.id} at {level}: {min(times):.3f} s")


if __name__ == "__main__":
    main()
