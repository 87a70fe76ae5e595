"""Times every format of the United States board, and reading it back; exits 1 above 20 seconds or 500 MB together.

    python tests/bench/bench_export.py

Imports are warm: the small board of the tests is exported first. Formats share what they draw, so the first that asks
for a drawing is charged for it, as in one export. Both kinds of time are shown, since others may be at work here: the
processor's is what counts. The ratio is that of a format's processor time to writing the board file. Memory is the
greatest of the process so far, the baseline that with all modules loaded and nothing exported of the board.
"""

import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from memory import peak_mib  # noqa: E402 - beside this file
from tiny import tiny_board  # noqa: E402 - found by the path above

import mapkit  # noqa: E402
from mapkit.kinds.rail.exchange.format import ExportOptions, ReadingFormat  # noqa: E402
from mapkit.kinds.rail.exchange.gis.region_areas import _compute_areas  # noqa: E402
from mapkit.kinds.rail.exchange.registry import FORMATS, find_reader  # noqa: E402

MOST_SECONDS = 20.0
MOST_MB = 500.0


def read_back(files: dict[str, bytes]) -> None:
    """Print how long reading each file takes."""
    print(f"{'file':24} {'read, CPU s':>11}")
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            path = Path(folder) / name
            path.write_bytes(content)
            reader = find_reader(name)
            start = time.process_time()
            if reader is not None:
                reader.read(path)
            print(f"{name:24} {time.process_time() - start:11.2f}")


def main() -> int:
    """Print a line a format, and the sums; return whether the limits hold."""
    formats = FORMATS.named("all")
    for form in formats:
        form.export(tiny_board(), ExportOptions())
    board = mapkit.load(ROOT / "build" / "usa" / "board.json")
    _compute_areas.cache_clear()
    rows: list[tuple[str, float, float, float, float]] = []
    files: dict[str, bytes] = {}
    print(f"baseline {peak_mib():.0f} MB")
    for form in formats:
        start, cpu = time.perf_counter(), time.process_time()
        made = form.export(board, ExportOptions())
        wall, cpu = time.perf_counter() - start, time.process_time() - cpu
        contents = {n: c.encode() if isinstance(c, str) else c for n, c in made.files.items()}
        rows.append((form.name, wall, cpu, sum(map(len, contents.values())) / 1e6, peak_mib()))
        if isinstance(form, ReadingFormat):
            name = next(n for n in contents if n.endswith(form.suffixes[0].lstrip(".")) and ".schema" not in n)
            files[name] = contents[name]
    unit = next(row[2] for row in rows if row[0] == "engine")
    print(f"{'format':10} {'wall s':>7} {'CPU s':>7} {'ratio':>7} {'files MB':>8} {'peak MB':>8}")
    for name, wall, cpu, size, memory in rows:
        print(f"{name:10} {wall:7.2f} {cpu:7.2f} {cpu / unit:7.1f} {size:8.2f} {memory:8.0f}")
    wall, cpu, memory = sum(row[1] for row in rows), sum(row[2] for row in rows), max(row[4] for row in rows)
    print(f"all formats: {cpu:.1f} s of the processor, {wall:.1f} s by the clock; limit {MOST_SECONDS:.0f} s")
    print(f"peak memory: {memory:.0f} MB; limit {MOST_MB:.0f} MB")
    read_back(files)
    return int(cpu > MOST_SECONDS or memory > MOST_MB)


if __name__ == "__main__":
    sys.exit(main())
