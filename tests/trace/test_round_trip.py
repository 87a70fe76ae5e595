"""A board drawn as somebody would trace a scan becomes the same board again, in every format."""

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from drawing import WRITERS, Drawing, Picture, control_points, draw
from sampling import sample

import mapkit
from mapkit.kinds.rail.model.board import Board

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
MILES_PER_PIXEL = 0.25
TOLERANCE = 8.0  # pixels: an end may be 4 short, its vertex 2 off


def graph(board: Board) -> list[tuple[str, str, str]]:
    return sorted((s.railroad, s.a, s.b) for s in board.segments)


@pytest.fixture(scope="module")
def drawing(usa: Board) -> Drawing:
    """Vertices up to 2 px off, ends up to 4 px short or long, rotated and sheared."""
    picture = Picture(usa.projection.crs, (0.0, 0.0), MILES_PER_PIXEL * 1609.344)
    return draw(usa, picture, tolerance=TOLERANCE, noise=2.0, ends=4.0, seed=7)


@pytest.mark.parametrize("kind", sample(list(WRITERS), 2))
def test_the_united_states_drawn_in_pixels(kind: str, usa: Board, drawing: Drawing, tmp_path: Path) -> None:
    """The graph is equal, segment by segment, with 20 control points where the drawing is in pixels."""
    package = tmp_path / "sources" / "usa"
    shutil.copytree(ROOT / "sources" / "usa", package)
    for path in (package / "lines").iterdir():
        path.unlink()
    for name, data in WRITERS[kind](drawing, tmp_path / "drawn").items():
        (package / "lines" / name).write_bytes(data)
    (package / "control_points.csv").write_text(control_points(usa, drawing.picture, 20, seed=7), encoding="utf-8")
    config = (package / "board.toml").read_text(encoding="utf-8")
    snap = f"[tracing]\nsnap_mi = {TOLERANCE * MILES_PER_PIXEL}\n\n[[regions]]"
    (package / "board.toml").write_text(re.sub(r"\[\[regions\]\]", snap, config, count=1), encoding="utf-8")
    board = mapkit.load(package)
    missing = Counter(graph(usa)) - Counter(graph(board))
    added = Counter(graph(board)) - Counter(graph(usa))
    assert (list(missing), list(added)) == ([], [])
    assert {m.id for m in board.mileposts} == {m.id for m in usa.mileposts}
