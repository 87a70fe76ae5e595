"""Dense lines are thinned before noding: they hardly move, their ends stay, and drawn lines stay as they are."""

import json
from pathlib import Path

import numpy as np
import shapely
from hypothesis import given
from hypothesis import strategies as st

from mapkit.kinds.rail.importing.traced_files import read_traced
from mapkit.kinds.rail.tables import Railroad
from mapkit.kinds.rail.trace.noding.joining import node_lines
from mapkit.kinds.rail.trace.thinning import thin_dense_lines

MILE = 1609.344
WALKS = st.lists(
    st.lists(st.tuples(st.floats(-20, 20), st.floats(5, 30)), min_size=30, max_size=120), min_size=1, max_size=4
)


@given(WALKS)
def test_dense_lines_move_by_a_thousandth_of_the_tolerance_at_most(walks: list[list[tuple[float, float]]]) -> None:
    lines = np.array([shapely.LineString(np.cumsum(walk, axis=0)) for walk in walks], dtype=object)
    thin = thin_dense_lines(lines, MILE)
    for line, thin_line in zip(lines, thin, strict=True):
        assert shapely.hausdorff_distance(line, thin_line) <= 0.001 * MILE + 1e-6
        assert (thin_line.coords[0], thin_line.coords[-1]) == (line.coords[0], line.coords[-1])
        assert set(thin_line.coords) <= set(line.coords)


def test_lines_with_a_vertex_each_hundred_metres_stay() -> None:
    lines = np.array([shapely.LineString([(100.0 * n, n % 2) for n in range(500)])], dtype=object)
    assert thin_dense_lines(lines, MILE) is lines


def test_dense_lines_give_the_network_of_their_corners() -> None:
    """A cross, a loop and a line that ends short of another one, with a vertex every 10 metres and without."""
    corners = [
        [(0, 0), (30_000, 0), (60_000, 8_000)],
        [(30_000, -20_000), (30_000, 20_000)],
        [(45_000, 20_000), (52_000, 5_900)],
        [(0, 0), (-5_000, 9_000), (-9_000, 0), (0, 0)],
    ]
    sparse = np.array([shapely.LineString(line) for line in corners], dtype=object)
    railroad = np.zeros(len(corners), dtype=np.int64)
    networks = [
        node_lines(lines, railroad=railroad, tolerance=MILE)
        for lines in (sparse, thin_dense_lines(shapely.segmentize(sparse, 10.0), MILE))
    ]
    assert [repair.kind for repair in networks[0].repairs] == [repair.kind for repair in networks[1].repairs]
    assert networks[0].edge_a.tolist() == networks[1].edge_a.tolist()
    assert networks[0].edge_b.tolist() == networks[1].edge_b.tolist()
    np.testing.assert_allclose(networks[0].node_xy, networks[1].node_xy, atol=0.01)


def test_dense_lines_in_degrees_are_thin_as_soon_as_they_are_read(tmp_path: Path) -> None:
    corners = shapely.LineString([(-3.7, 40.4), (-2.9, 41.0), (-0.88, 41.65)])
    dense = shapely.segmentize(corners, 0.0005)
    feature = {"type": "Feature", "properties": {"railroad": "red"}, "geometry": json.loads(shapely.to_geojson(dense))}
    (tmp_path / "red.geojson").write_text(json.dumps(feature), encoding="utf-8")
    railroads = {"red": Railroad(name="Red", short="R", price=4000, public=False, colour="#aa0000", pattern="solid")}
    (line,) = read_traced(tmp_path, ["red.geojson"], railroads=railroads, crs=None, mapping=None, snap_mi=1.0).lines
    assert line.line == tuple(corners.coords)
