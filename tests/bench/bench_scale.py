"""Times builds of boards of 1,000, 5,000 and 20,000 mileposts, each in a process of its own; exits 1 over a limit.

    python tests/bench/bench_scale.py                    # all three: two minutes
    python tests/bench/bench_scale.py --mileposts 1000

The boards follow the railroads of North America (Natural Earth), or a net of waves where that file is missing: twelve
railroads by area, a milepost every so many miles, 30 cities. They have far more mileposts than the page has room for,
so thousands of findings on the drawing come with them. Nothing is kept from one build to the next. Limits, in seconds
and GB: at 5,000 mileposts 18 s, at 20,000 60 s and 1.5 GB. The time for a milepost may grow by a third from the fewest
to the most.
"""

import argparse
import csv
import io
import json
import math
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from memory import peak_mib

import mapkit

HERE = Path(__file__).resolve().parents[2]
DATA = HERE.parent / "shared" / "data" / "naturalearth" / "ne_10m_railroads_north_america.json"
LIMITS = {5_000: (18.0, 1.5), 20_000: (60.0, 1.5)}
GROWTH_LIMIT = 4 / 3
CITIES = 30
COLOURS = (
    *("#e2671f", "#1e7d4f", "#1d3f8f", "#b01f2e", "#6a3d9a", "#8c564b"),
    *("#1f9ea8", "#7f7f00", "#d1459c", "#333333", "#4f7fd0", "#2f9e2f"),
)
EAST_MI = 55.0  # a degree of longitude, roughly, at 38 degrees north
NORTH_MI = 69.0

Line = list[tuple[float, float]]


def natural_earth(data: Path) -> list[Line]:
    """Return the lines of the file, in degrees, between 24 and 60 degrees north."""
    found = []
    for feature in json.loads(data.read_text(encoding="utf-8"))["features"]:
        shape = feature["geometry"]
        parts = shape["coordinates"] if shape["type"] == "MultiLineString" else [shape["coordinates"]]
        found += [[(round(x, 4), round(y, 4)) for x, y in line] for line in parts]
    return [line for line in found if all(24 < y < 60 and -130 < x < -60 for x, y in line)]


def waves() -> list[Line]:
    """Return a net of 40 by 40 wavy lines of the same size, cut where they meet."""
    at = [
        [(-124 + 1.4 * i + 0.3 * math.sin(j), 25 + 0.6 * j + 0.2 * math.sin(i)) for j in range(41)] for i in range(41)
    ]
    along = [[at[i][j], at[i + 1][j]] for i in range(40) for j in range(41)]
    return along + [[at[i][j], at[i][j + 1]] for i in range(41) for j in range(40)]


def miles(line: Line) -> float:
    """Return the rough length of a line."""
    return sum(math.hypot((b[0] - a[0]) * EAST_MI, (b[1] - a[1]) * NORTH_MI) for a, b in pairwise(line))


def stations(line: Line, gap: float) -> Line:
    """Return points on a line, its ends among them, about `gap` miles apart."""
    xy = np.array(line)
    run = np.concatenate([[0.0], np.cumsum(np.hypot(*((xy[1:] - xy[:-1]) * (EAST_MI, NORTH_MI)).T))])
    spots = np.linspace(0.0, run[-1], max(2, 1 + round(run[-1] / gap)))
    inner = [
        (round(float(np.interp(s, run, xy[:, 0])), 4), round(float(np.interp(s, run, xy[:, 1])), 4)) for s in spots
    ]
    return [line[0], *inner[1:-1], line[-1]]


def table(rows: Iterator[tuple[object, ...]]) -> str:
    """Return rows as CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def package(folder: Path, lines: list[Line], wanted: int) -> None:
    """Write a source package of about so many mileposts."""
    low, high = 0.1, 2000.0
    while high / low > 1.001:
        gap = math.sqrt(low * high)
        count = len({spot for line in lines for spot in stations(line, gap)})
        low, high = (gap, high) if count > wanted else (low, gap)
    lists = [stations(line, high) for line in lines]
    lists = [[run[0], *(b for a, b in pairwise(run) if a != b)] for run in lists]
    names = {spot: f"Mile {n}" for n, spot in enumerate(sorted({spot for run in lists for spot in run}))}
    east = sorted(spot for spot in names)
    chosen = east[:: len(east) // CITIES][:CITIES]
    names |= {spot: f"City {n}" for n, spot in enumerate(chosen)}

    def railroad(run: Line) -> int:
        (x, y) = run[len(run) // 2]
        return min(5, max(0, int((x + 125) / 10.5))) * 2 + (y > 40)

    (folder / "lines").mkdir(parents=True)
    (folder / "charts").mkdir()
    region = {city: "west" if n < CITIES / 2 else "east" for n, city in enumerate(chosen)}
    files = {
        "board.toml": CONFIG,
        "railroads.csv": table(
            iter(
                [
                    ("id", "name", "short", "price", "public", "colour", "pattern"),
                    *(
                        (f"r{n}", f"Railroad {n}", f"R{n}", 10000, "false", COLOURS[n], "solid")
                        for n in range(len(COLOURS))
                    ),
                ]
            )
        ),
        "cities.csv": table(
            iter(
                [
                    ("id", "name", "region", "lon", "lat", "milepost", "weight"),
                    *((names[c].lower().replace(" ", "-"), names[c], region[c], *c, "", "") for c in chosen),
                ]
            )
        ),
        "places.csv": table(
            iter(
                [
                    ("place", "lon", "lat", "note"),
                    *((name, *spot, "made") for spot, name in names.items() if spot not in region),
                ]
            )
        ),
        "charts/destinations.csv": table(destinations(names, chosen, region)),
        "lines/all.csv": table(
            iter(
                [
                    ("railroad", "line", "seq", "place", "kind"),
                    *(
                        (f"r{railroad(run)}", f"line {n}", seq, names[spot], "milepost")
                        for n, run in enumerate(lists)
                        if len(run) > 1
                        for seq, spot in enumerate(run, 1)
                    ),
                ]
            )
        ),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def destinations(
    names: dict[tuple[float, float], str], chosen: Line, region: dict[tuple[float, float], str]
) -> Iterator[tuple[object, ...]]:
    """Yield the rows of the charts, cities in turn."""
    yield "chart", "sum", "odd", "even"
    for chart in ("regions", "west", "east"):
        own = ["West", "East"] if chart == "regions" else [names[c] for c in chosen if region[c] == chart]
        for n, total in enumerate(range(2, 13)):
            yield chart, total, own[2 * n % len(own)], own[(2 * n + 1) % len(own)]


CONFIG = """title = "Continent"
licence = "CC0-1.0"

[projection]
name = "albers"
lat_1 = 29.5
lat_2 = 45.5
lat_0 = 37.5
lon_0 = -96

[page]
width = 1000
height = 730
margin = 36
legend = 84

[gazetteer]
countries = ["US", "CA", "MX"]

[[regions]]
id = "west"
name = "West"
short = "W"
colour = "#cbdff0"

[[regions]]
id = "east"
name = "East"
short = "E"
colour = "#cfe3c8"

[payoffs]
model = "rail"
base = 0
rail = 5
step = 0.5
"""


def measured(data: Path, wanted: int) -> tuple[int, int, float, float, float]:
    """Return mileposts, findings, seconds of the processor to build, the most memory in GB, MB of findings.json."""
    os.environ["MAPKIT_CACHE"] = "off"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        package(folder / "sources" / "continent", natural_earth(data) if data.is_file() else waves(), wanted)
        start = time.process_time()
        built = mapkit.build("continent", workspace=folder, allow_errors=True)
        seconds = time.process_time() - start
        size = (built.folder / "findings.json").stat().st_size / 1e6
    peak = peak_mib() / 2**10
    return len(built.board.mileposts), len(built.checks.findings), seconds, peak, size


def main() -> int:
    """Print the table; return 1 if a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mileposts", type=int, nargs="*", default=[1_000, 5_000, 20_000])
    parser.add_argument("--data", type=Path, default=DATA)
    given: Any = parser.parse_args()
    if not given.data.is_file():
        print(f"{given.data} is missing: a net of waves in its place")
    print(f"{'mileposts':>9}  {'findings':>8}  {'build s':>8}  {'ms each':>8}  {'peak GB':>8}  {'findings MB':>11}")
    bad, each = False, []
    for wanted in sorted(given.mileposts):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            count, found, seconds, peak, size = pool.apply(measured, (given.data, wanted))
        each.append(seconds / count)
        limit_s, limit_gb = LIMITS.get(wanted, (math.inf, math.inf))
        over = seconds > limit_s or peak > limit_gb
        bad = bad or over
        print(
            f"{count:9}  {found:8}  {seconds:8.1f}  {each[-1] * 1000:8.2f}  {peak:8.2f}  {size:11.1f}  "
            f"{'FAIL' if over else ''}"
        )
    if len(each) > 1:
        growth = each[-1] / each[0]
        bad = bad or growth > GROWTH_LIMIT
        verdict = "FAIL" if growth > GROWTH_LIMIT else "pass"
        print(f"time a milepost, most to fewest: {growth:.2f} <= {GROWTH_LIMIT:.2f} {verdict}")
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
