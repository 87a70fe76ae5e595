"""Times noding against shapely.node, and making the graph against momepy, as ratios in one run; exits 1 if one fails.

    python tests/bench/bench_noding.py                              # 1, 4 and 25 tiles, momepy at 4: minutes on 2 cores
    python tests/bench/bench_noding.py --tiles 1 4 25 100 --peer-tiles 4 9  # the limits in full

The railroads of North America (Natural Earth), laid out n times by translation, belong to one railroad. Ours
begins at the GeoDataFrame and ends at the joined graph; shapely.node begins and ends at geometry. They take turns,
and the best time of each counts. Each number of tiles has a process of its own, so that its peak memory is its own.
The ratio may be 2 for a few tiles, where the fixed costs count, and 1.2 from 25 on. Time is linear if a vertex
takes no longer at the most tiles than at the fewest, by a third.

momepy is not among the dependencies: `pip install momepy`; `--peer-tiles` without a number leaves it out.
"""

import argparse
import multiprocessing
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import geopandas as gpd
import networkx as nx
import numpy as np
import shapely
from memory import peak_mib
from numpy.typing import NDArray

from mapkit.kinds.rail.trace.noding.joining import NodedNetwork, join_noded, node_lines

HERE = Path(__file__).resolve().parents[2]
DATA = HERE.parent / "shared" / "data" / "naturalearth" / "ne_10m_railroads_north_america.json"
TOLERANCE = 0.001  # degrees
FEW_LIMIT = 2.0  # times shapely.node, at most
MANY_LIMIT = 1.2  # the same from so many tiles on:
MANY = 25
PEER_LIMIT = 5.0  # times ours, at least
LINEAR_LIMIT = 4 / 3  # of the time for a vertex, most tiles to fewest
MEMORY_LIMIT = 2.5  # GB


@dataclass(frozen=True)
class Row:
    """One measured ratio."""

    what: str
    ours: str
    theirs: str
    value: float
    limit: str
    bad: bool


def seconds(call: Callable[[], object]) -> float:
    """Return the processor time of one call; both sides have one thread, and others may be at work here."""
    start = time.process_time()
    call()
    return time.process_time() - start


def tiled(data: Path, tiles: int) -> gpd.GeoDataFrame:
    """Return the lines, laid out `tiles` times in rows."""
    lines = gpd.read_file(data).geometry.to_numpy()
    xy, counts = shapely.get_coordinates(lines), shapely.get_num_coordinates(lines)
    indices = np.repeat(np.arange(len(lines)), counts)
    wide = int(np.ceil(np.sqrt(tiles)))
    shifts = [np.array([100.0 * (i % wide), 70.0 * (i // wide)]) for i in range(tiles)]
    laid = [np.asarray(shapely.linestrings(xy + shift, indices=indices)) for shift in shifts]
    return gpd.GeoDataFrame(geometry=np.concatenate(laid))


def ours(frame: gpd.GeoDataFrame) -> object:
    """Return the noded, joined graph."""
    return node_lines(frame.geometry.to_numpy(), railroad=np.zeros(len(frame), dtype=np.int64), tolerance=TOLERANCE)


def against_node(data: Path, tiles: int, rounds: int) -> tuple[int, float, float, float]:
    """Return vertices, our best time, shapely's, and the memory at our peak."""
    frame = tiled(data, tiles)
    vertices = int(shapely.get_num_coordinates(frame.geometry.to_numpy()).sum())
    mine = [seconds(lambda: ours(frame))]
    used = peak_mib() / 2**10
    theirs = []
    together = shapely.multilinestrings(frame.geometry.to_numpy())
    for _ in range(rounds):
        theirs.append(seconds(lambda: shapely.node(together)))
        mine.append(seconds(lambda: ours(frame)))
    return vertices, min(mine), min(theirs), used


def against_momepy(data: Path, tiles: int, rounds: int) -> tuple[int, float, float, tuple[int, int, int, int], str]:
    """Return noded lines, our best time, momepy's, nodes and edges of ours and theirs, and why they differ."""
    import momepy  # noqa: PLC0415

    frame = tiled(data, tiles)
    noded = shapely.get_parts(shapely.node(shapely.multilinestrings(frame.geometry.to_numpy())))
    given = gpd.GeoDataFrame(geometry=noded, crs=3857)  # metres in name only; momepy warns of degrees
    codes: NDArray[np.int64] = np.zeros(len(noded), dtype=np.int64)
    mine, theirs = [], []
    graph: Any = None
    for _ in range(rounds):
        mine.append(seconds(lambda: join_noded(given.geometry.to_numpy(), railroad=codes)))
        start = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            graph = momepy.gdf_to_nx(momepy.remove_false_nodes(given), approach="primal")
        theirs.append(time.process_time() - start)
    network = join_noded(given.geometry.to_numpy(), railroad=codes)
    counts = (len(network.node_xy), graph.number_of_nodes(), len(network.edge_a), graph.number_of_edges())
    return len(noded), min(mine), min(theirs), counts, difference(network, graph)


def difference(network: NodedNetwork, graph: Any) -> str:
    """Return what kinds of nodes only one of the two has, with their numbers; empty if there is none."""
    mine: nx.MultiGraph[tuple[float, float]] = nx.MultiGraph()
    place = [(x, y) for x, y in network.node_xy.tolist()]
    mine.add_edges_from((place[a], place[b]) for a, b in zip(network.edge_a, network.edge_b, strict=True))
    out = []
    for name, one, other in (("only ours", mine, graph), ("only momepy", graph, mine)):
        kinds: dict[str, int] = {}
        for node in one:
            if node not in other:
                loop = one.has_edge(node, node)
                kind = f"degree {one.degree(node)}{', with a loop' if loop else ''}"
                kinds[kind] = kinds.get(kind, 0) + 1
        out += [f"{name}: {count} nodes of {kind}" for kind, count in sorted(kinds.items())]
    return "; ".join(out)


def alone(call: Callable[..., Any], *given: object) -> Any:
    """Return what a call in a process of its own returns."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(call, given)


def node_rows(data: Path, tile_counts: list[int], rounds: int) -> list[Row]:
    """Return the rows against shapely.node, of memory and of growth."""
    rows: list[Row] = []
    each: list[float] = []
    for tiles in tile_counts:
        vertices, mine, theirs, used = alone(against_node, data, tiles, rounds)
        each.append(mine / vertices * 1e6)
        name, ratio = f"{tiles} tiles, {vertices} vertices", mine / theirs
        limit = FEW_LIMIT if tiles < MANY else MANY_LIMIT
        sides = f"{mine:.3f} s", f"{theirs:.3f} s"
        rows.append(Row(f"{name}: x shapely.node", *sides, ratio, f"<= {limit}", ratio > limit))
        rows.append(Row(f"{name}: peak GB", "", "", used, f"<= {MEMORY_LIMIT}", used > MEMORY_LIMIT))
    if len(each) > 1:
        growth = each[-1] / each[0]
        what = f"time a vertex, {tile_counts[-1]} tiles to {tile_counts[0]}"
        sides = f"{each[-1]:.3f} us", f"{each[0]:.3f} us"
        rows.append(Row(what, *sides, growth, f"<= {LINEAR_LIMIT:.2f}", growth > LINEAR_LIMIT))
    return rows


def peer_rows(data: Path, tile_counts: list[int], rounds: int) -> list[Row]:
    """Return the rows against momepy; counts that differ are bad unless `difference` says why."""
    rows: list[Row] = []
    for tiles in tile_counts:
        lines, mine, theirs, counts, why = alone(against_momepy, data, tiles, rounds)
        ratio = theirs / mine
        name = f"{tiles} tiles, {lines} noded lines"
        rows.append(
            Row(
                f"{name}: momepy x ours",
                f"{mine:.3f} s",
                f"{theirs:.3f} s",
                ratio,
                f">= {PEER_LIMIT:.0f}",
                ratio < PEER_LIMIT,
            )
        )
        for kind, one, other in (("nodes", *counts[:2]), ("edges", *counts[2:])):
            rows.append(
                Row(f"{name}: {kind}", str(one), str(other), one / other, "= 1, or why", one != other and not why)
            )
        if why:
            print(f"{name}: {why}")
    return rows


def main() -> int:
    """Print the table; return 1 if a limit is not kept."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tiles", type=int, nargs="*", default=[1, 4, 25])
    parser.add_argument("--peer-tiles", type=int, nargs="*", default=[4])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--data", type=Path, default=DATA)
    given = parser.parse_args()
    if not given.data.is_file():
        print(f"{given.data} is missing: nothing measured; give the Natural Earth railroads with --data")
        return 0
    rows = node_rows(given.data, sorted(given.tiles), given.rounds)
    rows += peer_rows(given.data, given.peer_tiles, given.rounds)
    wide = max((len(row.what) for row in rows), default=0)
    print(f"{'':{wide}}  {'ours':>10}  {'theirs':>10}  {'value':>7}  {'limit':>12}")
    for row in rows:
        verdict = "FAIL" if row.bad else "pass"
        print(f"{row.what:{wide}}  {row.ours:>10}  {row.theirs:>10}  {row.value:7.2f}  {row.limit:>12}  {verdict}")
    return int(any(row.bad for row in rows))


if __name__ == "__main__":
    sys.exit(main())
