"""What `mapkit payoffs read` makes of charts in PDFs that other programs printed: read, right, silent, in doubt.

    python tests/bench/bench_layouts.py [all|kept|rest|newer] [PART OF A NAME]

Prints `tests/scans/printed_layouts.py` with the programs that are installed, into the folder LAYOUTS if it is set.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

os.environ["MAPKIT_CACHE"] = "off"
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scans.printed_layouts import KEPT, LAYOUTS, NEWER, Printed, print_layouts
from scans.scores import REPOSITORY, score

from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.api.payoffs.reading import read_payoffs


def read_layout(layout: Printed, path: Path) -> tuple[int, int, int, int]:
    """Print what became of a chart; return its cells, and those right, silent and in doubt."""
    start = time.process_time()
    try:
        found = score(
            read_payoffs(path, board=layout.board, workspace=REPOSITORY),
            layout.chart,
            layout.board,
            square=layout.square,
        )
        figures, why = (found.cells, found.right, found.silent, found.doubtful), ""
    except MapkitError as error:
        figures, why = (0, 0, 0, 0), str(error).splitlines()[0].replace(str(path), "")[:230]
    print(f"{layout.name:44}", *(f"{n:5}" for n in figures), f"{time.process_time() - start:5.1f} s", why, flush=True)
    return figures


def main() -> None:
    """Read the layouts that were asked for, and print the sums."""
    part, named = (*sys.argv[1:], *("all", "")[len(sys.argv) - 1 :])
    layouts = [
        layout
        for layout in (NEWER if part == "newer" else LAYOUTS)
        if part in ("all", "newer") or (layout in KEPT) == (part == "kept")
        if named in layout.name
    ]
    with tempfile.TemporaryDirectory() as made:
        files = print_layouts(layouts, Path(os.environ.get("LAYOUTS") or made))
        figures = [read_layout(layout, path) for layout, path in files.items()]
    read = sum(f[0] > 0 for f in figures)
    perfect = sum(f[0] == f[1] > 0 and not f[3] for f in figures)
    print(f"layouts {len(layouts)}, printed {len(files)}, read {read}, perfect {perfect}")
    print("cells, right, silent, in doubt:", *(sum(column) for column in zip(*figures, strict=True)))


if __name__ == "__main__":
    main()
