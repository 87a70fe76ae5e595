"""What `mapkit payoffs read` makes of scans and photographs of printed charts: cells right, silent errors, doubts.

    python tests/bench/bench_charts.py [BOARD [LAYOUT [LOOK...]]]
    python tests/bench/bench_charts.py corpus [PART [BOARD...]]
    python tests/bench/bench_charts.py destinations [BOARD [LOOK...]]
    python tests/bench/bench_charts.py photographs [BOARD [SEED...]]

The first form reads one chart in some looks. The second reads the corpus: three boards, layouts of `tests/scans/`,
looks of scanners and cameras; of its cases, one in PART (1 by default, all). A line tells the height of a digit in
pixels, how many cells are printed, how many first readings are right, how many are wrong or left out without being
called doubtful (silent), how many are in doubt, the seconds, and those of all processors. The end is a table by the
height of a digit. The third form reads destination charts in ten layouts, as pictures and, if
they have several pages, as PDFs of pictures; a line tells how many cells are printed, right, wrong without a word
(silent), and left out with one. The fourth form reads photographs of 12 megapixels by hand, with perspective, curl,
shadow and JPEG 60, each seed in another layout; seeds from 101 on are for final figures.
"""

import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

os.environ["MAPKIT_CACHE"] = "off"  # pages that were read before would take no time
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from PIL import Image
from scans import destination_pages
from scans.chart_pages import CUT, LAYOUTS, Chart, chart_of
from scans.pictures_of import LOOKS, Grey, page_pictures, photograph, taken
from scans.scores import REPOSITORY, Score, score

from mapkit import ChartOptions, load, read_destinations
from mapkit.core.errors import MapkitError
from mapkit.formats.recognising.deskew import deskew_page
from mapkit.kinds.rail.api.payoffs.reading import read_payoffs
from mapkit.kinds.rail.sources.payoffs.file_content import ReadOptions

BOARDS = ("usa", "portugal", "mexico")
TRIANGLES = ("slanted_names", "names_on_the_diagonal")
ON_ONE_PAGE = (
    "square_with_standing_names",
    "names_read_downwards",
    "slanted_names",
    "slanted_above_a_square",
    "names_on_the_diagonal",
    "turned_sideways",
    "cut_names",
)
AMBIGUOUS = {"Ciudad": "ciudad-victoria"}
"""A heading of Mexico's that is cut where two cities begin alike; the user says which it is."""
PHOTOGRAPH_DPI = 340
"""A sheet of A4 is 4,000 pixels wide, as in a photograph of 12 megapixels."""
HEIGHTS = (0, 5, 7, 9, 12, 16, 1000)


class Case(NamedTuple):
    """A chart of a board, as it is laid out and looks."""

    board: str
    layout: str
    look: str


def picture_of(case: Case) -> tuple[Chart, Grey]:
    """Return a chart and the picture of it."""
    chart = chart_of(case.board)
    if case.layout == "cut_names":
        chart = Chart(chart.names[:CUT], tuple(row[:CUT] for row in chart.amounts[:CUT]))
    if case.look.isdecimal():
        page = page_pictures(LAYOUTS[case.layout](chart), PHOTOGRAPH_DPI)[0]
        return chart, photograph(page, PHOTOGRAPH_DPI / 25.4, int(case.look))
    look = LOOKS[case.look]
    return chart, taken(page_pictures(LAYOUTS[case.layout](chart), look.dpi)[0], look)


def measured(case: Case) -> tuple[float, Score]:
    """Print what became of a chart; return how many pixels a digit is high, and the score."""
    chart, picture = picture_of(case)
    level = deskew_page(picture)
    high = 0.0 if level is None else level.digit
    square = case.layout not in TRIANGLES
    start, busy = time.perf_counter(), time.process_time()
    why = ""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chart.png"
        Image.fromarray(picture).save(path)
        try:
            options = ReadOptions(accept=AMBIGUOUS if (case.board, case.layout) == ("mexico", "cut_names") else {})
            found = read_payoffs(path, board=case.board, workspace=REPOSITORY, options=options)
            out = score(found, chart, case.board, square=square)
        except MapkitError as error:
            count = len(chart.names)
            out = Score(count * (count - 1) // (1 if square else 2), 0, 0, 0)
            why = "  NOT READ: " + str(error).replace("\n", "; ")[:300]
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    print(
        f"{case.board:9} {case.layout:27} {case.look:10} {high:5.1f} px {out.cells:5} cells "
        f"{100 * out.right / out.cells:6.2f} % right {out.silent:3} silent {100 * out.doubtful / out.cells:5.2f} % "
        f"in doubt {seconds:4.0f} s, {busy:4.0f} s of processors{why}",
        flush=True,
    )
    return high, out


def corpus(part: int, boards: Sequence[str]) -> Iterator[Case]:
    """Yield one in `part` of the cases of the corpus."""
    cases = [Case(board, layout, look) for board in boards for layout in ON_ONE_PAGE for look in LOOKS]
    yield from cases[::part]


def table(scores: Sequence[tuple[float, str, Score]]) -> None:
    """Print the sums by the height of a digit, scans and photographs apart."""
    sums: dict[tuple[str, int], list[Score]] = defaultdict(list)
    for high, look, one in scores:
        band = max(low for low in HEIGHTS if low <= high)
        sums["photographs" if look.startswith("photo") or look.isdecimal() else "scans", band].append(one)
    for (kind, band), group in sorted(sums.items(), reverse=True):
        read = [one for one in group if one.right]
        cells = sum(one.cells for one in read)
        if not cells:
            print(f"{kind:11} {band:2} px and more: 0 of {len(group)} charts read")
            continue
        print(
            f"{kind:11} {band:2} px and more: {len(read)} of {len(group)} charts read, {cells:6} cells, "
            f"{100 * sum(one.right for one in read) / cells:6.2f} % right, {sum(one.silent for one in read)} silent, "
            f"{100 * sum(one.doubtful for one in read) / cells:.2f} % in doubt"
        )


def destinations(board: str, look: str, layout: str) -> None:
    """Print what became of the destination charts of a board."""
    model = load(board, workspace=REPOSITORY)
    of = LOOKS[look]
    clean = page_pictures(destination_pages.LAYOUTS[layout](destination_pages.charts_of(model)), of.dpi)
    pages = [Image.fromarray(taken(page, of, seed)) for seed, page in enumerate(clean, start=1)]
    printed = {
        (chart, parity, total): city
        for chart, one in model.destinations.items()
        for parity, cells in (("odd", one.odd), ("even", one.even))
        for total, city in cells.items()
    }
    why, right, silent, seconds = "", 0, 0, time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("charts.png" if len(pages) == 1 else "charts.pdf")
        if len(pages) == 1:
            pages[0].save(path)
        else:
            pages[0].save(path, save_all=True, append_images=pages[1:], resolution=of.dpi, quality=95)
        try:
            found = read_destinations(path, board=board, options=ChartOptions(leave_out=True), workspace=REPOSITORY)
        except MapkitError as error:
            why = "  NOT READ: " + str(error).replace("\n", "; ")[:300]
        else:
            for (chart, parity, total), city in printed.items():
                read = getattr(found.charts[chart], parity).get(total) if chart in found.charts else None
                right += read == city
                silent += read is not None and read != city
    seconds = time.perf_counter() - seconds
    print(
        f"{board:9} {layout:27} {look:10} {len(pages)} pages {len(printed):4} cells {right:4} right {silent:3} silent "
        f"{len(printed) - right - silent:4} left out {seconds:4.0f} s{why}",
        flush=True,
    )


def main(arguments: Sequence[str]) -> None:
    """Read charts and print what became of them."""
    if arguments[:1] == ["destinations"]:
        board = arguments[1] if len(arguments) > 1 else "portugal"
        for look in arguments[2:] or ("scan-150", "scan-200", "photo-250"):
            for layout in destination_pages.LAYOUTS:
                destinations(board, look, layout)
        return
    if arguments[:1] == ["photographs"]:
        board = arguments[1] if len(arguments) > 1 else "portugal"
        seeds = arguments[2:] or map(str, range(101, 108))
        cases = [Case(board, ON_ONE_PAGE[int(seed) % len(ON_ONE_PAGE)], seed) for seed in seeds]
    elif arguments[:1] == ["corpus"]:
        cases = list(corpus(int(arguments[1]) if len(arguments) > 1 else 1, arguments[2:] or BOARDS))
    else:
        board = arguments[0] if arguments else "usa"
        layout = arguments[1] if len(arguments) > 1 else "square_with_standing_names"
        cases = [Case(board, layout, look) for look in arguments[2:] or ("scan-200", "scan-300")]
    table([(high, case.look, one) for case in cases for high, one in [measured(case)]])


if __name__ == "__main__":
    main(sys.argv[1:])
