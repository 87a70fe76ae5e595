"""Times the placing of names, as ratios in one run.

    python tests/bench/bench_names.py

A made-up board of 2,000 mileposts, denser than the classic board anywhere, must have its names in under
a minute; the classic board's are shown beside the time that its lines take.
"""

import time
from collections.abc import Callable
from typing import TypeVar

import mapkit
from mapkit.core.base import Area
from mapkit.drawing.theme.sizes import ThemeSizes
from mapkit.kinds.rail.render.lines.parallel_lines import draw_lines
from mapkit.kinds.rail.render.page_areas import divide_page
from mapkit.kinds.rail.render.spread.displacement import displace_board
from mapkit.kinds.rail.render.symbols import list_symbol_boxes, place_squares
from mapkit.kinds.rail.render.text.board_names import list_board_names
from mapkit.kinds.rail.render.text.labels import LabelObstacles, NameToPlace, place_names

_T = TypeVar("_T")
MANY = 2_000
LIMIT_S = 60
PITCH_MM = 14.0
ROW = 50


def made_up() -> tuple[list[NameToPlace], LabelObstacles]:
    """Return names on a jittered grid; every tenth is a city."""
    names = []
    for i in range(MANY):
        x = 20 + PITCH_MM * (i % ROW) + (i * 37 % 23) / 6
        y = 20 + PITCH_MM * (i // ROW) + (i * 53 % 29) / 7
        city = i % 10 == 0
        half = 2.0 if city else 1.1
        text = ("Springfield", "Troy", "Kansas Mills", "Elm", "New Windsor")[i * 7 % 5]
        names.append(NameToPlace(str(i), text, x, y, half, half, 5.2 if city else 2.3, bold=city, gaps=(0.5, 1.1, 2.2)))
    boxes: list[Area] = [(n.x - n.hx, n.y - n.hy, n.x + n.hx, n.y + n.hy) for n in names]
    return names, LabelObstacles((0, 0, 40 + PITCH_MM * ROW, 40 + PITCH_MM * MANY / ROW), boxes, [])


def seconds(work: Callable[[], _T]) -> tuple[float, _T]:
    """Return the processor time of a piece of work, and its result."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def main() -> None:
    """Print the times."""
    names, ground = made_up()
    place_names(names[:20], ground)
    took, placed = seconds(lambda: place_names(names, ground))
    print(f"{MANY} mileposts: {len(placed)} names in {took:.1f} s; limit {LIMIT_S} s")
    board = mapkit.load("usa")
    sizes, (area, _) = ThemeSizes(), divide_page(board)
    placement = displace_board(board, sizes, area)
    lines_s, lines = seconds(lambda: list(draw_lines(board, placement, sizes).lines.values()))
    middles = place_squares(board, placement.spots, sizes)
    usa = LabelObstacles(area, list_symbol_boxes(board, placement.spots, middles, sizes), lines)
    names_s, _ = seconds(lambda: place_names(list_board_names(board, placement.spots, middles, sizes), usa))
    print(f"usa: names {names_s:.2f} s, lines {lines_s:.2f} s, ratio {names_s / lines_s:.1f}")


if __name__ == "__main__":
    main()
