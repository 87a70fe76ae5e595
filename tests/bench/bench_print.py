"""Times the printing of the United States board, as ratios to drawing it and to other programs.

    python tests/bench/bench_print.py

PDF beside rsvg-convert's (librsvg), if that is installed; the tiled PDF beside a single page of the same board, in
seconds and bytes; PNG at 150 dpi beside rsvg-convert's. Each is the best of two, imports warm.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

import mapkit  # noqa: E402
from mapkit.press.job import PrintJob  # noqa: E402
from mapkit.press.printout import print_and_play  # noqa: E402
from mapkit.press.raster import svg_to_png  # noqa: E402
from mapkit.press.vector import svg_to_pdf  # noqa: E402

RUNS = 2
DPI = 150


def best(work: Callable[[], object]) -> float:
    """Return the seconds of the fastest of two runs."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> int:
    """Print a line a figure."""
    board = mapkit.load(ROOT / "build" / "usa" / "board.json")
    svg = mapkit.render_board(board)
    drawing = best(lambda: mapkit.render_board(board))
    page = best(lambda: svg_to_pdf(svg))
    tiled = best(lambda: print_and_play(svg, [], PrintJob(), title=board.title))
    png = best(lambda: svg_to_png(svg, DPI))
    size = len(print_and_play(svg, [], PrintJob(), title=board.title).pdf) / len(svg_to_pdf(svg))
    print(f"drawing the SVG         {drawing:6.2f} s")
    print(f"one page as PDF         {page:6.2f} s  {page / drawing:5.2f} x drawing")
    print(f"18 tiles, plan, ruler   {tiled:6.2f} s  {tiled / page:5.2f} x one page; {size:.2f} x its bytes")
    print(f"PNG at {DPI} dpi          {png:6.2f} s  {png / drawing:5.2f} x drawing")
    other = shutil.which("rsvg-convert")
    if other is None:
        print("rsvg-convert is not installed: nothing to compare with")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "board.svg"
        source.write_text(svg, encoding="utf-8")

        def convert(kind: str) -> None:
            target = Path(folder) / f"board.{kind}"
            width = ["-w", str(round(board.page.width / 25.4 * DPI))] if kind == "png" else []
            subprocess.run([other, "-f", kind, *width, "-o", target, source], check=True)

        for kind, ours in (("pdf", page), ("png", png)):
            theirs = best(lambda kind=kind: convert(kind))  # type: ignore[misc]
            print(f"rsvg-convert, {kind}       {theirs:6.2f} s  ours takes {ours / theirs:5.2f} x")
    return 0


if __name__ == "__main__":
    sys.exit(main())
