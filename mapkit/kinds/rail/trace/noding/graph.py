"""Graph of elementary edges: merging of nodes of degree two that are not pins, and drawing of lines."""

from dataclasses import dataclass

import numpy as np
import shapely

from mapkit.core.arrays import concatenate_ranges, connected_components
from mapkit.kinds.rail.trace.noding.arrays import NO_INTS, Bools, Floats, Ints, Shapes


@dataclass(frozen=True)
class Stretches:
    """Elementary edges: a stretch of a chain between two events, from node `a` to node `b`.

    The vertices strictly between are `first` to `first + count - 1`.
    """

    a: Ints
    b: Ints
    first: Ints
    count: Ints
    railroad: Ints
    source: Ints

    def only(self, keep: Bools) -> "Stretches":
        """Return a selection of stretches."""
        return Stretches(
            self.a[keep],
            self.b[keep],
            self.first[keep],
            self.count[keep],
            self.railroad[keep],
            self.source[keep],
        )


@dataclass(frozen=True)
class MergedEdges:
    """Edges after merging: half-edges in order, `order[starts[i]:starts[i] + sizes[i]]`.

    Half-edge `2 * e` runs along stretch `e`, `2 * e + 1` against it. It is `final` if nothing more can be merged.
    """

    order: Ints
    starts: Ints
    sizes: Ints
    final: bool = True

    def only(self, edges: Ints) -> "MergedEdges":
        """Return a selection of edges."""
        sizes = self.sizes[edges]
        return MergedEdges(self.order[concatenate_ranges(self.starts[edges], sizes)], np.cumsum(sizes) - sizes, sizes)


def keep_unmerged(stretches: int) -> MergedEdges:
    """Return every stretch as an edge."""
    number = np.arange(stretches, dtype=np.int64)
    return MergedEdges(2 * number, number, np.ones(stretches, dtype=np.int64), final=False)


def edge_end_nodes(stretches: Stretches, merged: MergedEdges) -> tuple[Ints, Ints]:
    """Return the first and the last node of each edge."""
    head = merged.order[merged.starts]
    tail = merged.order[merged.starts + merged.sizes - 1]
    a = np.where(head % 2 == 1, stretches.b[head // 2], stretches.a[head // 2])
    b = np.where(tail % 2 == 1, stretches.a[tail // 2], stretches.b[tail // 2])
    return a, b


def draw_stretches(stretches: Stretches, chosen: Ints, node_xy: Floats, chain_xy: Floats) -> Shapes:
    """Return the lines of some stretches, unmerged."""
    return draw(stretches, keep_unmerged(len(stretches.a)).only(chosen), node_xy, chain_xy)


def merge_stretches(stretches: Stretches, fixed: Bools) -> MergedEdges:
    """Join stretches of one railroad that meet at a node of degree two.

    Args:
        stretches: Stretches to join.
        fixed: For each node, whether it stays at any degree.
    """
    n = len(stretches.a)
    if n == 0:
        return MergedEdges(NO_INTS, NO_INTS, NO_INTS)
    half_edge_node = np.empty(2 * n, dtype=np.int64)
    half_edge_node[0::2], half_edge_node[1::2] = stretches.a, stretches.b
    node_degree = np.bincount(half_edge_node, minlength=len(fixed))
    is_through = (node_degree == 2) & ~fixed  # noqa: PLR2004
    through_halves = np.flatnonzero(is_through[half_edge_node])
    joint_halves = through_halves[np.argsort(half_edge_node[through_halves], kind="stable")].reshape(-1, 2)
    joint_halves = joint_halves[joint_halves[:, 0] ^ 1 != joint_halves[:, 1]]  # a loop at its own node stays a loop
    joint_halves = joint_halves[_keep_joints(stretches, joint_halves, n)]
    previous_half = np.full(2 * n, -1, dtype=np.int64)
    previous_half[joint_halves[:, 1]] = joint_halves[:, 0] ^ 1
    previous_half[joint_halves[:, 0]] = joint_halves[:, 1] ^ 1
    path_start, path_rank = _rank_half_edges(previous_half)
    # Each edge is found from both ends; the one that starts with the smaller half-edge stays.
    path_order = np.lexsort((path_rank, path_start))
    path_heads = np.flatnonzero(path_rank[path_order] == 0)
    path_sizes = np.diff(path_heads, append=2 * n)
    first_half, final_half = path_order[path_heads], path_order[path_heads + path_sizes - 1]
    is_kept = first_half < (final_half ^ 1)
    return MergedEdges(
        order=path_order[concatenate_ranges(path_heads[is_kept], path_sizes[is_kept])],
        starts=np.cumsum(path_sizes[is_kept]) - path_sizes[is_kept],
        sizes=path_sizes[is_kept],
    )


def _keep_joints(stretches: Stretches, at: Ints, n: int) -> Bools:
    """Mark the joints to keep: all but that at the first node of a ring that touches nothing else."""
    is_kept = np.ones(len(at), dtype=bool)
    if len(at) == 0:
        return is_kept
    ring_number = connected_components(at // 2, n)
    joint_ring = ring_number[at[:, 0] // 2]
    is_ring = np.bincount(joint_ring, minlength=n) == np.bincount(ring_number, minlength=n)
    ring_joints = np.flatnonzero(is_ring[joint_ring])
    node = np.where(
        at[ring_joints, 0] % 2 == 0, stretches.a[at[ring_joints, 0] // 2], stretches.b[at[ring_joints, 0] // 2]
    )
    by_node = ring_joints[np.lexsort((node, joint_ring[ring_joints]))]
    is_first = np.ones(len(by_node), dtype=bool)
    is_first[1:] = joint_ring[by_node][1:] != joint_ring[by_node][:-1]
    is_kept[by_node[is_first]] = False
    return is_kept


def _rank_half_edges(preceding: Ints) -> tuple[Ints, Ints]:
    """Return the first half-edge of the path of each, and its rank on the path, by pointer jumping."""
    jump = np.where(preceding < 0, np.arange(len(preceding)), preceding)
    rank = (preceding >= 0).astype(np.int64)
    active_halves = np.flatnonzero(preceding[jump] >= 0)
    while len(active_halves):
        next_jump = jump[active_halves]
        rank_gain, jump_target = rank[next_jump], jump[next_jump]
        rank[active_halves] += rank_gain
        jump[active_halves] = jump_target
        active_halves = active_halves[preceding[jump_target] >= 0]
    return jump, rank


def draw(stretches: Stretches, merged: MergedEdges, node_xy: Floats, chain_xy: Floats) -> Shapes:
    """Return the line of each merged edge; it starts and ends exactly at its nodes."""
    if len(merged.starts) == 0:
        return np.empty(0, dtype=object)
    edge, is_reversed = merged.order // 2, merged.order % 2 == 1
    count = stretches.count[edge]
    # Each half-edge contributes its starting node and its inner vertices; each edge ends with its last node.
    closing_vertex = np.zeros(len(edge), dtype=np.int64)
    last_half = merged.starts + merged.sizes - 1
    closing_vertex[last_half] = 1
    vertex_counts = count + 1 + closing_vertex
    vertex_ends = np.cumsum(vertex_counts)
    vertex_begins = vertex_ends - vertex_counts
    read_direction = np.where(is_reversed, -1, 1)
    inner_first = np.where(is_reversed, stretches.first[edge] + count - 1, stretches.first[edge])
    vertex_order = np.repeat(read_direction, vertex_counts) * np.arange(vertex_ends[-1], dtype=np.int64)
    vertex_order += np.repeat(inner_first - read_direction * (vertex_begins + 1), vertex_counts)
    closing_position = vertex_ends[last_half] - 1
    vertex_order[vertex_begins] = vertex_order[closing_position] = 0
    line_xy = chain_xy.take(vertex_order, axis=0)
    line_xy[vertex_begins] = node_xy[np.where(is_reversed, stretches.b[edge], stretches.a[edge])]
    line_xy[closing_position] = node_xy[np.where(is_reversed, stretches.a[edge], stretches.b[edge])[last_half]]
    line_sizes = np.add.reduceat(vertex_counts, merged.starts)
    lines = shapely.linestrings(line_xy, indices=np.repeat(np.arange(len(line_sizes)), line_sizes))
    return np.asarray(lines, dtype=np.object_)
