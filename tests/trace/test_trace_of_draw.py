"""Tracing the drawing of a network gives the network: trace(draw(network)) == network."""

import csv
import io
import shutil
import tempfile
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from drawing import WRITERS, Picture, UndrawableError, control_points, draw
from hypothesis import HealthCheck, assume, example, given, reject, settings
from hypothesis import strategies as st
from sampling import examples

import mapkit
from mapkit.kinds.rail.model.board import Board

TEMPLATE = Path(mapkit.__file__).parent / "kinds" / "rail" / "sources" / "template"
RAILROADS = ("shore", "valley", "cross")
SIDE = 4  # places a side of the grid
STEP = 0.5  # degrees
MILES_PER_PIXEL = 0.1
TOLERANCE = 8.0  # pixels
PICTURE = Picture("EPSG:5070", (2_000_000.0, 2_400_000.0), MILES_PER_PIXEL * 1609.344)

Spot = tuple[int, int]
Walks = dict[str, list[list[Spot]]]


@st.composite
def walks(chosen: st.DrawFn) -> Walks:
    """Return lines of three railroads, each a walk over a grid by king's moves."""
    out: Walks = {}
    for railroad in RAILROADS:
        lines: list[list[Spot]] = []
        for _ in range(chosen(st.integers(0, 3))):
            line = [(chosen(st.integers(0, SIDE - 1)), chosen(st.integers(0, SIDE - 1)))]
            for move in chosen(st.lists(st.tuples(st.integers(-1, 1), st.integers(-1, 1)), min_size=1, max_size=7)):
                spot = (line[-1][0] + move[0], line[-1][1] + move[1])
                if spot != line[-1] and all(0 <= axis < SIDE for axis in spot):
                    line.append(spot)
            if len(line) > 1:
                lines.append(line)
        out[railroad] = lines
    return out


def package(folder: Path, lines: Walks, vias: set[tuple[str, Spot]]) -> Path:
    """Write station lists: a place is a milepost of a railroad unless it is one of its vias; line ends always are."""
    shutil.copytree(TEMPLATE, folder)
    for path in (folder / "lines").iterdir():
        path.unlink()
    arms: defaultdict[tuple[str, Spot], set[Spot]] = defaultdict(set)
    for railroad, walks_of in lines.items():
        for one, other in (pair for walk in walks_of for pair in pairwise(walk)):
            arms[railroad, one].add(other)
            arms[railroad, other].add(one)
    ends = {
        (railroad, spot) for railroad, walks_of in lines.items() for walk in walks_of for spot in walk[:: len(walk) - 1]
    }
    ends |= {spot for spot, others in arms.items() if len(others) == 1}
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["railroad", "line", "seq", "place", "kind"])
    for railroad, own in sorted(lines.items()):
        for number, walk in enumerate(own):
            for seq, spot in enumerate(walk):
                via = (railroad, spot) in vias - ends
                writer.writerow([railroad, f"line {number}", seq, place(spot), "via" if via else "milepost"])
    (folder / "lines" / "all.csv").write_text(text.getvalue(), encoding="utf-8")
    spots = [(x, y) for x in range(SIDE) for y in range(SIDE)]
    # Off the square a little, so that no two places stand in one line with a third.
    rows = [f"{place((x, y))},{-80 + STEP * x + 0.04 * (y % 3)},{38 + STEP * y + 0.05 * (x % 2)}" for x, y in spots]
    (folder / "places.csv").write_text("\n".join(["place,lon,lat", *rows, ""]), encoding="utf-8")
    return folder


def place(spot: Spot) -> str:
    return f"Place {spot[0]} {spot[1]}"


def graph(board: Board) -> list[tuple[str, str, str]]:
    return sorted((s.railroad, s.a, s.b) for s in board.segments)


def trace_of_draw(home: Board, folder: Path, kind: str, seed: int) -> Board:
    drawing = draw(home, PICTURE, tolerance=TOLERANCE, noise=2.0, ends=4.0, seed=seed, careful=True)
    shutil.copytree(TEMPLATE, folder)
    for path in (folder / "lines").iterdir():
        path.unlink()
    for name, data in WRITERS[kind](drawing, folder.parent.parent / "drawn").items():
        (folder / "lines" / name).write_bytes(data)
    (folder / "control_points.csv").write_text(control_points(home, PICTURE, 6), encoding="utf-8")
    config = folder / "board.toml"
    snap = f"[tracing]\nsnap_mi = {TOLERANCE * MILES_PER_PIXEL}\n\n[[regions]]"
    config.write_text(config.read_text(encoding="utf-8").replace("[[regions]]", snap, 1), encoding="utf-8")
    return mapkit.load(folder)


@pytest.mark.slow
@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(
    lines=walks(),
    vias=st.sets(st.tuples(st.sampled_from(RAILROADS), st.tuples(st.integers(0, 3), st.integers(0, 3)))),
    kind=st.sampled_from(["svg", "geojson", "graph in pixels"]),
    seed=st.integers(0, 999),
)
@example(
    lines={"shore": [[(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)]], "valley": [], "cross": []},
    vias={("shore", (1, 1))},
    kind="svg",
    seed=1,
)  # four arms meet at a junction
@example(
    lines={"shore": [[(0, 0), (1, 1)], [(0, 1), (1, 0)]], "valley": [[(0, 0), (1, 1)]], "cross": []},
    vias=set(),
    kind="svg",
    seed=2,
)  # lines of one railroad cross without meeting, another one runs along
@example(
    lines={"shore": [[(0, 0), (1, 0), (2, 0)]], "valley": [[(0, 0), (1, 0), (2, 0)]], "cross": []},
    vias={("valley", (1, 0))},
    kind="geojson",
    seed=3,
)  # one railroad passes where another stops
def test_trace_of_draw_is_the_network(lines: Walks, vias: set[tuple[str, Spot]], kind: str, seed: int) -> None:
    assume(any(lines.values()))
    with tempfile.TemporaryDirectory() as folder:
        try:
            home = mapkit.load(package(Path(folder) / "home" / "sources" / "board", lines, vias))
        except mapkit.MapkitError:  # more junctions in a row than make sense
            reject()
        try:
            board = trace_of_draw(home, Path(folder) / "drawn" / "sources" / "board", kind, seed)
        except UndrawableError:
            reject()
        assert graph(board) == graph(home)
        on_lines: defaultdict[str, set[str]] = defaultdict(set)
        for segment in home.segments:
            on_lines[segment.a].add(segment.railroad)
            on_lines[segment.b].add(segment.railroad)
        assert set(on_lines) <= {m.id for m in board.mileposts}
        assert sum(s.miles for s in board.segments) <= 1.1 * sum(s.miles for s in home.segments) + 1
