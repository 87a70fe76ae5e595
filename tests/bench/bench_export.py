"""Times every format of the United States board, and reading it back; limit 20 seconds together.

    python tests/bench/bench_export.py

Imports are warm: the small board of the tests is exported first. Memory is the peak of the process.
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from tiny import tiny_board  # noqa: E402 - found by the path above

import mapkit  # noqa: E402
from mapkit.exchange.form import ExportOptions, ReadingFormat  # noqa: E402
from mapkit.exchange.region_areas import _areas  # noqa: E402
from mapkit.exchange.registry import named_formats  # noqa: E402


def main() -> None:
    """Print a line a format, and the sums."""
    board = mapkit.load(ROOT / "build" / "usa" / "board.json")
    formats = named_formats("all")
    for form in formats:
        form.export(tiny_board(), ExportOptions())
    _areas.cache_clear()
    total = 0.0
    print(f"{'format':10} {'export s':>9} {'read s':>8} {'MB':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for form in formats:
            start = time.perf_counter()
            made = form.export(board, ExportOptions())
            wrote = time.perf_counter() - start
            total += wrote
            size = sum(len(c.encode() if isinstance(c, str) else c) for c in made.files.values())
            read = ""
            if isinstance(form, ReadingFormat):
                name = next(n for n in made.files if n.endswith(form.suffixes[0]) and ".schema" not in n)
                path = Path(folder) / name
                content = made.files[name]
                path.write_bytes(content.encode() if isinstance(content, str) else content)
                start = time.perf_counter()
                form.read(path)
                read = f"{time.perf_counter() - start:8.2f}"
            print(f"{form.name:10} {wrote:9.2f} {read:8} {size / 1e6:7.2f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"all formats: {total:.1f} s; limit 20 s. Peak memory of the process: {peak:.0f} MB; limit 500 MB")


if __name__ == "__main__":
    main()
