"""Times the drawing of the United States board, as ratios in one run.

    python tests/bench/bench_drawing.py

With warm imports the board in full quality must be ready in under 3 seconds, and the names of 2,000 mileposts in
under a minute. Beside it stands what svgwrite alone takes to write as many elements with the same attributes.
"""

import time
from collections.abc import Callable
from typing import Any, Final
from xml.etree import ElementTree as ET

import bench_names
import shapely
import svgwrite

import mapkit
from mapkit.drawing.theme.sizes import ThemeSizes
from mapkit.geography.backdrop import load_backdrop
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render import layout as layouts
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.ground.region_ground import lay_ground
from mapkit.kinds.rail.render.lines.parallel_lines import draw_lines
from mapkit.kinds.rail.render.page_areas import divide_page
from mapkit.kinds.rail.render.spread.displacement import displace_board
from mapkit.kinds.rail.render.symbols import list_bar_boxes, list_symbol_boxes, place_squares
from mapkit.kinds.rail.render.text.board_names import list_board_names
from mapkit.kinds.rail.render.text.initials import place_initials
from mapkit.kinds.rail.render.text.labels import LabelObstacles, cover_names, place_names
from mapkit.kinds.rail.render.text.region_names import place_region_names

LIMIT_S: Final = 3.0
TURNS: Final = 3


def timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """Return the processor time and the time by the clock of a piece of work, and its result."""
    wall, start = time.perf_counter(), time.process_time()
    found = work()
    return time.process_time() - start, time.perf_counter() - wall, found


def best(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """Return the least of a few times, for others use the machine too, and the result."""
    return min((timed(work) for _ in range(TURNS)), key=lambda took: took[0])


def drawn(board: Board) -> str:
    """Return the board's picture, laid out again."""
    layouts.clear_layout_cache()
    return draw_board(layouts.lay_out(board)).to_text()


def written_by_svgwrite(root: ET.Element) -> str:
    """Return a file with the same elements and attributes, written by svgwrite alone."""
    drawing = svgwrite.Drawing(debug=False)

    def add(parent: Any, element: ET.Element) -> None:
        made = drawing.g(debug=False)
        made.elementname = element.tag.rsplit("}", 1)[-1]
        made.attribs.update({key.rsplit("}", 1)[-1]: value for key, value in element.attrib.items()})
        parent.add(made)
        for child in element:
            add(made, child)

    for child in root:
        add(drawing, child)
    text: str = drawing.tostring()
    return text


def stages(board: Board) -> list[tuple[str, float, float]]:
    """Return the stages with the processor time and the clock's time that each takes."""
    rows: list[tuple[str, float, float]] = []

    def stage(name: str, work: Callable[[], Any]) -> Any:
        cpu, wall, found = best(work)
        rows.append((name, cpu, wall))
        return found

    sizes, (area, _) = ThemeSizes(), divide_page(board)
    placement = stage("displace", lambda: displace_board(board, sizes, area))
    lines = stage("lines", lambda: draw_lines(board, placement, sizes))
    spots = {**placement.spots, **lines.spots}
    middles = place_squares(board, spots, sizes)
    symbols = list_symbol_boxes(board, spots, middles, sizes) + list_bar_boxes(lines.bars, sizes)
    ground = LabelObstacles(area, symbols, list(lines.lines.values()))
    names = stage("names", lambda: place_names(list_board_names(board, spots, middles, sizes), ground))
    taken = [*(shapely.box(*symbol) for symbol in symbols), *cover_names(names, 0.0)]
    backdrop = stage("backdrop", lambda: load_backdrop(board.projection, area, placement.warp))
    base = stage("ground", lambda: lay_ground(board, backdrop, spots))
    grounds = layouts.find_name_grounds(base.tints, base.backdrop, base.backdrop.area)
    stage("region names", lambda: place_region_names(board, grounds, lines=ground.lines, taken=taken, sizes=sizes))
    stage("initials", lambda: place_initials(board, lines.lines, taken=taken, area=area, sizes=sizes))
    layout = layouts.lay_out(board)
    document = stage("drawing", lambda: draw_board(layout))
    stage("text of the file", document.to_text)
    return rows


def main() -> None:
    """Print the times."""
    board = mapkit.load("usa")
    drawn(board)  # imports, fonts and the base map's layers
    cpu, wall, text = best(lambda: drawn(board))
    root = ET.fromstring(text)  # noqa: S314 - our own file
    alone, alone_wall, again = best(lambda: written_by_svgwrite(root))
    count = sum(1 for _ in root.iter())
    print(f"usa, {count} elements, {len(text)} characters: {cpu:.2f} s of the processor ({wall:.2f} s by the clock)")
    print(f"limit {LIMIT_S:.0f} s: {'kept' if cpu < LIMIT_S else 'NOT kept'}")
    print(f"svgwrite alone, {len(again)} characters: {alone:.2f} s ({alone_wall:.2f} s); ratio {cpu / alone:.1f}")
    for name, used, clock in stages(board):
        print(f"  {name:<18}{used:6.2f} s ({clock:5.2f} s)")
    bench_names.main()


if __name__ == "__main__":
    main()
