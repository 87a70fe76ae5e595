"""Times noding against shapely.node, and making the graph against momepy, as ratios in one run.

    python tests/bench/bench_noding.py [--tiles 1 9 25 100] [--peer-tiles 4] [--data FILE]

The railroads of North America (Natural Earth), laid out n times by translation, belong to one railroad. Ours
begins at the GeoDataFrame and ends at the joined graph; shapely.node begins and ends at geometry. They take turns,
and the best time of each counts. Each number of tiles has a process of its own, so that its peak memory is its own.
The peer momepy is not among the dependencies: install it.
"""

import argparse
import multiprocessing
import resource
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.trace.noding import join_noded, node_lines

HERE = Path(__file__).resolve().parents[2]
DATA = HERE.parent / "shared" / "data" / "naturalearth" / "ne_10m_railroads_north_america.json"
TOLERANCE = 0.001  # degrees
ROUNDS = 3


def seconds(call: Callable[[], object]) -> float:
    """Return the wall-clock time of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def tiled(data: Path, tiles: int) -> gpd.GeoDataFrame:
    """Return the lines, laid out `tiles` times in rows."""
    lines = gpd.read_file(data).geometry.to_numpy()
    xy, counts = shapely.get_coordinates(lines), shapely.get_num_coordinates(lines)
    indices = np.repeat(np.arange(len(lines)), counts)
    wide = int(np.ceil(np.sqrt(tiles)))
    shifts = [np.array([100.0 * (i % wide), 70.0 * (i // wide)]) for i in range(tiles)]
    laid = [np.asarray(shapely.linestrings(xy + shift, indices=indices)) for shift in shifts]
    return gpd.GeoDataFrame(geometry=np.concatenate(laid))


def peak() -> float:
    """Return the most memory this process has used, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def ours(frame: gpd.GeoDataFrame) -> object:
    """Return the noded, joined graph."""
    return node_lines(frame.geometry.to_numpy(), railroad=np.zeros(len(frame), dtype=np.int64), tolerance=TOLERANCE)


def against_node(data: Path, tiles: int) -> tuple[int, float, float, float, float]:
    """Return vertices, our best time, shapely's, the memory before and at our peak."""
    frame = tiled(data, tiles)
    vertices = int(shapely.get_num_coordinates(frame.geometry.to_numpy()).sum())
    before = peak()
    mine = [seconds(lambda: ours(frame))]
    used = peak()
    theirs = []
    together = shapely.multilinestrings(frame.geometry.to_numpy())
    for _ in range(ROUNDS):
        theirs.append(seconds(lambda: shapely.node(together)))
        mine.append(seconds(lambda: ours(frame)))
    return vertices, min(mine), min(theirs), before, used


def against_momepy(data: Path, tiles: int) -> None:
    """Print times and counts from noded lines to the graph."""
    import momepy  # noqa: PLC0415

    frame = tiled(data, tiles)
    noded = shapely.get_parts(shapely.node(shapely.multilinestrings(frame.geometry.to_numpy())))
    given = gpd.GeoDataFrame(geometry=noded, crs=3857)  # metres in name only; momepy warns of degrees
    codes: NDArray[np.int64] = np.zeros(len(noded), dtype=np.int64)
    best: dict[str, float] = {"ours": np.inf, "momepy": np.inf}
    graph: Any = None
    for _ in range(ROUNDS):
        best["ours"] = min(best["ours"], seconds(lambda: join_noded(given.geometry.to_numpy(), railroad=codes)))
        start = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            graph = momepy.gdf_to_nx(momepy.remove_false_nodes(given), approach="primal")
        best["momepy"] = min(best["momepy"], time.perf_counter() - start)
    network = join_noded(given.geometry.to_numpy(), railroad=codes)
    print(
        f"{tiles} tiles, {len(noded)} noded lines to graph: momepy takes {best['momepy'] / best['ours']:.1f} x ours "
        f"({best['ours']:.3f} s, {best['momepy']:.3f} s); target 5\n"
        f"    nodes {len(network.node_xy)} (momepy {graph.number_of_nodes()}), "
        f"edges {len(network.edge_a)} (momepy {graph.number_of_edges()})"
    )


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tiles", type=int, nargs="*", default=[1, 9, 25])
    parser.add_argument("--peer-tiles", type=int, default=4)
    parser.add_argument("--data", type=Path, default=DATA)
    given = parser.parse_args()
    if not given.data.is_file():
        print(f"{given.data} is missing: nothing measured; give the Natural Earth railroads with --data")
        return
    for tiles in given.tiles:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            vertices, mine, theirs, before, used = pool.apply(against_node, (given.data, tiles))
        print(
            f"{tiles} tiles, {vertices} vertices: {mine / theirs:.2f} x shapely.node ({mine:.3f} s, {theirs:.3f} s), "
            f"{mine / vertices * 1e6:.3f} us a vertex, peak {used:.2f} GB (lines alone {before:.2f}); target 1.5"
        )
    if given.peer_tiles:
        against_momepy(given.data, given.peer_tiles)


if __name__ == "__main__":
    main()
