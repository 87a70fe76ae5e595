"""How the editor's live wire follows the ink of boards that mapkit draws: runs that two clicks get right, and times.

    python tests/bench/bench_wires.py [BOARD [DPI [THEME...]]]

A run is a link between neighbouring mileposts. It is clicked on at the middle of both; it is right if 97 of 100 of the
way, outside the dots, lie within 1.5 line widths of what was drawn. The pointer moves along the run, a pixel or two a
frame. Times are those of the search alone, in Node.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import shapely
from bench_scans import WORKSPACE, colours_in, printed
from boardscans.truth import TrueLink
from boardscans.wear import Moved, clean, worn

from mapkit.drawing.colours.colour import rgb
from mapkit.formats.pixels import Pixels

WEB = WORKSPACE / "mapkit" / "editor" / "web"
REACH = 480
"""As in the editor: how far from the last click the ink is followed, pixels."""
NEAR = 0.97
WIDTHS = 1.5
DOT_MM = 2.0
FRAME = 2.0


def followed(pixels: Pixels, jobs: list[dict[str, object]], folder: Path) -> list[dict[str, list[float]]]:
    """Return what the live wire makes of each job."""
    module = folder / "livewire.mjs"
    source = WEB / "src" / "draw" / "livewire.ts"
    esbuild = str(WEB / "node_modules" / ".bin" / "esbuild")
    build = [esbuild, str(source), "--bundle", "--format=esm", f"--outfile={module}"]
    subprocess.run(build, check=True, capture_output=True)
    (folder / "picture.rgb").write_bytes(np.ascontiguousarray(pixels).tobytes())
    (folder / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
    height, width = pixels.shape[:2]
    script = Path(__file__).parent / "boardscans" / "wires.mjs"
    node = shutil.which("node") or "node"
    picture, listed = str(folder / "picture.rgb"), str(folder / "jobs.json")
    command = [node, str(script), str(module), picture, str(width), str(height), listed]
    done = subprocess.run(command, check=True, capture_output=True, encoding="utf-8")
    found: list[dict[str, list[float]]] = json.loads(done.stdout)
    return found


def job_of(link: TrueLink, moved: Moved, ink: str, size: tuple[int, int]) -> dict[str, object] | None:
    """Return the clicks and moves for a link; None if its end is out of reach of its beginning."""
    course = shapely.LineString(moved(link.line))
    steps = np.append(np.arange(FRAME, course.length, FRAME), course.length)
    spots = shapely.get_coordinates(shapely.line_interpolate_point(course, steps)).astype(int)
    spots = np.clip(spots, 0, (size[1] - 1, size[0] - 1))
    start = np.clip(moved(link.line)[0].astype(int), 0, (size[1] - 1, size[0] - 1))
    if np.abs(spots - start).max() > REACH:
        return None
    colour = [round(255 * float(part)) for part in rgb(ink)]
    return {"ink": colour, "from": start.tolist(), "to": spots[-1].tolist(), "reach": REACH, "moves": spots.tolist()}


def is_right(way: list[float], link: TrueLink, moved: Moved, dot: float) -> bool:
    """Say whether a way lies on what was drawn."""
    course = shapely.LineString(moved(link.line))
    points = np.asarray(shapely.points(np.array(way) + 0.5))
    ends = shapely.MultiPoint(moved(link.line)[[0, -1]])
    out = points[shapely.distance(points, ends) > dot]
    return not len(out) or float((shapely.distance(out, course) <= WIDTHS * link.width).mean()) >= NEAR


def report(name: str, theme: str, dpi: float) -> None:
    """Print one picture's figures, clean and worn."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        whole, truth, inks = printed(name, theme, dpi)
        for how in (clean, worn):
            pixels, moved = how(whole)
            colours = colours_in(pixels, truth, inks, moved, dpi)
            size = pixels.shape[0], pixels.shape[1]
            made_of = [(link, job_of(link, moved, colours[link.railroad], size)) for link in truth.links]
            jobs = [(link, job) for link, job in made_of if job is not None]
            found = followed(pixels, [job for _, job in jobs], folder)
            by: dict[str, list[bool]] = defaultdict(list)
            for (link, _), one in zip(jobs, found, strict=True):
                right = is_right(one["way"], link, moved, DOT_MM * dpi / 25.4)
                for group in ("all", *(f"case {case}" for case in link.cases), f"pattern {link.pattern}"):
                    by[group].append(right)
            ready = np.array([one["ready"] for one in found])
            frames = np.concatenate([one["frames"] for one in found])
            print(
                f"{name} {theme} {dpi:g} {how.__name__}, {size[1]} by {size[0]}: two clicks suffice for "
                f"{100 * np.mean(by['all']):.1f} % of {len(found)} runs; first way "
                f"{np.percentile(ready, 99):.0f} ms in 99 of 100, {ready.max():.0f} at most; frame "
                f"{np.percentile(frames, 99):.1f} ms in 99 of 100, {frames.max():.0f} at most"
            )
            for group, flags in sorted(by.items()):
                print(f"  {group}: {sum(flags)} of {len(flags)}", flush=True)


def main(arguments: Sequence[str]) -> None:
    """Print the figures of a board in some themes."""
    name = arguments[0] if arguments else "usa"
    dpi = float(arguments[1]) if len(arguments) > 1 else 100.0
    for theme in arguments[2:] or ("classic",):
        report(name, theme, dpi)


if __name__ == "__main__":
    main(sys.argv[1:])
