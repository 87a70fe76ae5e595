"""Ten times the size takes at most twelve times the work: steps, variants, mileposts, vertices.

Work is counted in lines of Python that run, so that no other load changes it; `bench/bench_growth.py` measures time.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import pytest
from edited import small_board

import mapkit
from mapkit.kinds.registry import open_session

if TYPE_CHECKING:
    from _typeshed import TraceFunction

GROWTH = 12.0
Work = Callable[[], object]


def open_steps(root: Path, size: int) -> Work:
    folder = small_board(root)
    session = open_session(folder)
    for n in range(size):
        session.do({"kind": "edit-city", "id": "boston", "weight": 1 + n % 2})
        if n % 10 == 0:
            session.undo()
    return lambda: open_session(folder)


def list_variants(root: Path, size: int) -> Work:
    small_board(root)
    (root / "variants").mkdir()
    for n in range(size):
        operation = '[[operations]]\nop = "edit-city"\nid = "boston"\nweight = 2\nreason = "x"\n'
        text = f'name = "v{n}"\nboard = "mymap"\n{operation}'
        (root / "variants" / f"v{n}.toml").write_text(text, encoding="utf-8", newline="\n")
    return lambda: mapkit.list_variants(workspace=root)


def load_mileposts(root: Path, size: int) -> Work:
    folder = small_board(root)
    rows = [f'CROSS,Long,{n},"@{-73 + n * 0.004:.5f},{43 + n % 7 * 0.01:.5f}",milepost' for n in range(1, size + 1)]
    text = "\n".join(["railroad,line,seq,place,kind", *rows, ""])
    (folder / "lines" / "long.csv").write_text(text, encoding="utf-8", newline="\n")
    return lambda: mapkit.check(mapkit.load("mymap", workspace=root), drawing=False)


def export_mileposts(root: Path, size: int) -> Work:
    load_mileposts(root, size)
    return lambda: mapkit.export("mymap", to="geojson", out=root / "exports", workspace=root)


def import_vertices(root: Path, size: int) -> Work:
    small_board(root)
    line = [[-73.75 + n * 0.003, 42.65 + n % 5 * 0.0002] for n in range(size)]
    geometry = {"type": "LineString", "coordinates": line}
    feature = {"type": "Feature", "properties": {"railroad": "NEW"}, "geometry": geometry}
    (root / "lines.geojson").write_text(json.dumps(feature), encoding="utf-8", newline="\n")
    return lambda: mapkit.import_lines(
        root / "lines.geojson", into="mymap", new_railroads=True, dry_run=True, workspace=root
    )


WORKS: dict[str, tuple[Callable[[Path, int], Work], int]] = {
    "steps": (open_steps, 40),
    "variants": (list_variants, 20),
    "mileposts": (load_mileposts, 40),
    "exported": (export_mileposts, 40),
    "vertices": (import_vertices, 300),
}


def count_lines(work: Work) -> int:
    """Return how many lines of Python run."""
    lines = 0

    def trace(_frame: FrameType, _event: str, _argument: Any) -> "TraceFunction":
        nonlocal lines
        lines += 1
        return trace

    former = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(former)
    return lines


@pytest.mark.parametrize("name", WORKS)
def test_ten_times_the_size_takes_twelve_times_the_work(name: str, tmp_path: Path) -> None:
    prepare, size = WORKS[name]
    prepare(tmp_path / "first", 3)()  # what is loaded and kept once
    least, few, many = (count_lines(prepare(tmp_path / str(n), n)) for n in (2, size, 10 * size))
    assert many - least <= GROWTH * (few - least), (least, few, many)
