"""Nodes of lines: clustering of places, assignment of pins, and the stretches between nodes."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mapkit.core.arrays import concatenate_ranges, connected_components, number_rows
from mapkit.core.neighbours import find_pairs_among, find_pairs_within
from mapkit.kinds.rail.trace.noding.arrays import (
    Bools,
    Chains,
    Events,
    Floats,
    Ints,
    PinOwners,
    join_events,
    number_places,
    place_events,
    vector_lengths,
)
from mapkit.kinds.rail.trace.noding.clean import RepairNotes
from mapkit.kinds.rail.trace.noding.doubles import EXACT
from mapkit.kinds.rail.trace.noding.graph import Stretches
from mapkit.kinds.rail.trace.noding.near_segments import NearSegments, RunBoxes, find_near_pins

ON_LINE = 0.01  # of the tolerance: a pin this close lies on the line
CROWD = 4.0  # tolerances: places that are connected further than this are not one node
LONG = 3.0  # tolerances: lines near each other for longer than this are doubled, not just meeting

Doubt = tuple[str, float, float, int, int, int, tuple[int, ...]]  # the fields of an Ambiguity


@dataclass(frozen=True)
class ParallelRuns:
    """Stretches of chains near another chain: from vertex `low` to `high`; sorted by `key` (both chains) and low."""

    key: Ints
    low: Ints
    high: Ints
    low_row: Ints  # rows of Near
    high_row: Ints


@dataclass(frozen=True)
class NodeJoints:
    """Events and the node of each; the first `2 * chains` events are starts, then ends, of the chains.

    Crossings follow up to `crossings`; events at pins begin with `pinned`.
    """

    events: Events
    node: Ints
    node_xy: Floats
    crossings: int
    pinned: int
    crowded: tuple[Doubt, ...]

    @cached_property
    def away(self) -> Floats:
        """Distance of each event from its node."""
        away = self.node_xy.take(self.node, axis=0) - self.events.xy
        return vector_lengths(away[:, 0], away[:, 1])


def find_runs(chains: Chains, near: NearSegments, tolerance: float) -> ParallelRuns:
    """Return the stretches of chains near another chain for longer than `LONG` tolerances."""
    own_chain, other_chain = chains.of_vertex[near.vertex].astype(np.int64), chains.of_vertex[near.seg].astype(np.int64)
    pair_key = own_chain * len(chains.first) + other_chain
    is_run_start = np.ones(len(pair_key), dtype=bool)
    is_run_start[1:] = (pair_key[1:] != pair_key[:-1]) | (near.vertex[1:] != near.vertex[:-1] + 1)
    low_row = np.flatnonzero(is_run_start)
    high_row = np.append(low_row[1:], len(pair_key)) - 1 if len(pair_key) else low_row
    is_long = chains.arc[near.vertex[high_row]] - chains.arc[near.vertex[low_row]] > LONG * tolerance
    low_row, high_row = low_row[is_long], high_row[is_long]
    by_key = np.lexsort((near.vertex[low_row], pair_key[low_row]))
    low_row, high_row = low_row[by_key], high_row[by_key]
    return ParallelRuns(pair_key[low_row], near.vertex[low_row], near.vertex[high_row], low_row, high_row)


def _is_in_run(chains: Chains, runs: ParallelRuns, seg: Ints, other: Ints) -> Bools:
    """Return whether each segment lies in a run near the other chain."""
    if len(runs.key) == 0 or len(seg) == 0:
        return np.zeros(len(seg), dtype=bool)
    distinct_keys = np.unique(runs.key)
    vertex_range = len(chains.xy) + 1
    wanted_key = chains.of_vertex[seg].astype(np.int64) * len(chains.first) + other
    key_rank = np.minimum(np.searchsorted(distinct_keys, wanted_key), len(distinct_keys) - 1)
    run_position = np.searchsorted(distinct_keys, runs.key) * vertex_range + runs.low
    run_index = np.searchsorted(run_position, key_rank * vertex_range + seg, side="right") - 1
    is_known = (distinct_keys[key_rank] == wanted_key) & (run_index >= 0)
    run_index = np.maximum(run_index, 0)
    is_inside: Bools = is_known & (runs.key[run_index] == wanted_key) & (seg + 1 <= runs.high[run_index])
    return is_inside


def join_places(chains: Chains, near: NearSegments, runs: ParallelRuns, tolerance: float) -> NodeJoints:
    """Gather crossings, ends on lines, and starts and ends of runs; those within the tolerance are one node."""
    n = len(chains.first)
    end_events = place_events(chains, np.concatenate([chains.first, chains.last - 1]), np.repeat([0.0, 1.0], n), 1)
    # Lines that run together cross each other at random, so these crossings are ignored.
    other_a, other_b = (chains.of_vertex[cross].astype(np.int64) for cross in (near.cross_a, near.cross_b))
    is_woven = _is_in_run(chains, runs, near.cross_a, other_b) & _is_in_run(chains, runs, near.cross_b, other_a)
    crossing_events = [
        place_events(chains, near.cross_a[~is_woven], near.cross_t[~is_woven], 0),
        place_events(chains, near.cross_b[~is_woven], near.cross_u[~is_woven], 0),
    ]
    crossing_events[1] = replace(crossing_events[1], xy=crossing_events[0].xy)
    owner_chain = chains.of_vertex[near.vertex]
    is_start, is_end = near.vertex == chains.first[owner_chain], near.vertex == chains.last[owner_chain]
    at_end = is_start | is_end
    landing_events = place_events(chains, near.seg[at_end], near.frac[at_end], 0)
    run_end_rows = np.unique(np.concatenate([runs.low_row, runs.high_row]))
    vertex = near.vertex[run_end_rows]
    is_last_vertex = vertex == chains.last[chains.of_vertex[vertex]]
    run_end_events = place_events(chains, vertex - is_last_vertex, is_last_vertex.astype(np.float64), 1)
    beside_events = place_events(chains, near.seg[run_end_rows], near.frac[run_end_rows], 0)
    events = join_events(end_events, *crossing_events, landing_events, run_end_events, beside_events)
    part_starts = np.cumsum(
        [0, 2 * n, *(len(e.seg) for e in (*crossing_events, landing_events, run_end_events, beside_events))]
    )
    first_linked = np.concatenate(
        [
            np.arange(part_starts[1], part_starts[2]),
            np.arange(part_starts[3], part_starts[4]),
            np.arange(part_starts[4], part_starts[5]),
        ]
    )
    landed_from = owner_chain[at_end] + np.where(is_start[at_end], 0, n)
    second_linked = np.concatenate(
        [np.arange(part_starts[2], part_starts[3]), landed_from, np.arange(part_starts[5], part_starts[6])]
    )
    place_number = number_places(events.xy)
    node, crowded = _cluster_events(chains, events, place_number, first_linked, second_linked, tolerance)
    # The place of a node is that of its best known event, the lowest of several.
    by_node_and_rank = np.argsort((2 * node + events.rank) * len(place_number) + place_number)
    node_heads = np.flatnonzero(np.diff(node[by_node_and_rank], prepend=-1))
    return NodeJoints(
        events, node, events.xy[by_node_and_rank[node_heads]], int(part_starts[3]), len(events.seg), crowded
    )


def _cluster_events(
    chains: Chains, events: Events, place: Ints, one: Ints, other: Ints, tolerance: float
) -> tuple[Ints, tuple[Doubt, ...]]:
    """Number the nodes: events that are linked, and those of one railroad within the tolerance of each other."""
    railroad_codes = number_rows(chains.railroad)[events.chain]
    code_range = int(railroad_codes.max()) + 1
    point_of_event = number_rows(place * code_range + railroad_codes)
    point_count = int(point_of_event.max()) + 1
    point_xy, point_code = np.empty((point_count, 2)), np.empty(point_count, dtype=np.int64)
    point_xy[point_of_event], point_code[point_of_event] = events.xy, railroad_codes
    first_point, second_point = find_pairs_among(point_xy, tolerance)
    close_pairs = np.stack([first_point, second_point], axis=1)[point_code[first_point] == point_code[second_point]]
    linked_pairs = np.stack([point_of_event[one], point_of_event[other]], axis=1)
    cluster_of_point = connected_components(np.concatenate([linked_pairs, close_pairs]), point_count)
    order = np.argsort(cluster_of_point, kind="stable")
    group_heads = np.flatnonzero(np.diff(cluster_of_point[order], prepend=-1))
    group_spans = np.maximum.reduceat(point_xy[order], group_heads) - np.minimum.reduceat(point_xy[order], group_heads)
    cluster_extent: Floats = vector_lengths(group_spans[:, 0], group_spans[:, 1])
    is_crowded = cluster_extent > CROWD * tolerance
    doubts: list[Doubt] = []
    if is_crowded.any():
        close_pairs = close_pairs[~is_crowded[cluster_of_point[close_pairs[:, 0]]]]
        group = cluster_of_point[point_of_event]
        crowded_rows = np.flatnonzero(is_crowded[group])
        crowded_rows = crowded_rows[np.argsort(group[crowded_rows], kind="stable")]
        for crowd_rows in np.split(crowded_rows, np.flatnonzero(np.diff(group[crowded_rows])) + 1):
            x, y = events.xy[crowd_rows].min(axis=0).tolist()
            chain = events.chain[crowd_rows]
            lines = tuple(np.unique(chains.source[chain]).tolist())
            doubts.append(("crowded", x, y, -1, -1, int(chains.railroad[chain[0]]), lines))
        cluster_of_point = connected_components(np.concatenate([linked_pairs, close_pairs]), point_count)
    return cluster_of_point[point_of_event], tuple(doubts)


def find_pin_doubts(pin_xy: Floats, owners: PinOwners, tolerance: float) -> list[Doubt]:
    """Return the pairs of pins within the tolerance of each other that a line could join."""
    if len(pin_xy) == 0:
        return []
    first_pins, second_pins = find_pairs_among(pin_xy, tolerance)
    return [
        ("pins within tolerance", *pin_xy[pin].tolist(), pin, other, -1, ())
        for pin, other in zip(first_pins.tolist(), second_pins.tolist(), strict=True)
        if not owners.apart(pin, other)
    ]


def join_pins(
    chains: Chains,
    boxes: RunBoxes,
    runs: ParallelRuns,
    joints: NodeJoints,
    pin_xy: Floats,
    owners: PinOwners,
    tolerance: float,
) -> tuple[NodeJoints, list[Doubt]]:
    """Put pins on the lines near them, and assign near nodes to them; pins become the first nodes.

    A pin near several chains of a railroad is on all of them if they meet, end or run together there; else it is on
    none, and that is reported as a doubt.
    """
    doubts = list(joints.crowded)
    pin_count = len(pin_xy)
    if pin_count == 0:
        return joints, doubts
    pin, seg, frac, gap = find_near_pins(chains, boxes, pin_xy, tolerance)
    is_allowed = owners.allow(pin, chains.railroad[chains.of_vertex[seg]])
    pin, seg, frac, gap = pin[is_allowed], seg[is_allowed], frac[is_allowed], gap[is_allowed]
    chain = chains.of_vertex[seg].astype(np.int64)
    code = chains.railroad[chain]
    by_pin_and_railroad = np.lexsort((chain, gap, code, pin))
    pin, seg, chain, code = (values[by_pin_and_railroad] for values in (pin, seg, chain, code))
    frac, gap = frac[by_pin_and_railroad], gap[by_pin_and_railroad]
    is_head = np.ones(len(pin), dtype=bool)
    is_head[1:] = (pin[1:] != pin[:-1]) | (code[1:] != code[:-1])
    group_number = np.cumsum(is_head) - 1
    nearest_row = np.flatnonzero(is_head)[group_number]
    is_joined = (
        is_head | _is_in_run(chains, runs, seg, chain[nearest_row]) | _is_in_run(chains, runs, seg[nearest_row], chain)
    )
    is_joined |= _has_common_node(joints, pin_xy, pin, chain, chain[nearest_row], tolerance)
    end_gaps = [vector_lengths(*(chains.xy[vertex[chain]] - pin_xy[pin]).T) for vertex in (chains.first, chains.last)]
    has_end: Bools = np.minimum(*end_gaps) <= tolerance
    is_joined |= has_end | has_end[nearest_row]
    is_apart = ~is_joined & (gap[nearest_row] > ON_LINE * tolerance)
    is_doubtful = np.bincount(group_number[is_apart], minlength=int(is_head.sum())) > 0
    for group_in_doubt in np.flatnonzero(is_doubtful).tolist():
        group_rows = np.arange(*np.searchsorted(group_number, [group_in_doubt, group_in_doubt + 1]).tolist())
        doubtful_pin = int(pin[group_rows[0]])
        lines = tuple(np.unique(chains.source[chain[group_rows]]).tolist())
        doubts.append(
            ("pin between lines", *pin_xy[doubtful_pin].tolist(), doubtful_pin, -1, int(code[group_rows[0]]), lines)
        )
    is_kept = is_joined & ~is_doubtful[group_number]
    exact_pin = _find_pin_at(pin_xy, place_events(chains, seg, frac, 0).xy)
    is_kept &= (exact_pin < 0) | (exact_pin == pin)  # a chain that ends at one of two pins is not led through the other
    pin_events = place_events(chains, seg[is_kept], frac[is_kept], 0)
    event_pins = pin[is_kept]
    allowed_pairs = np.stack([event_pins, code[is_kept]], axis=1)
    node = _assign_nodes_to_pins(chains, joints, pin_xy, allowed_pairs, tolerance)[joints.node]
    _assign_events_to_pins(chains, joints, pin_xy, allowed_pairs, node)
    return (
        replace(
            joints,
            events=join_events(joints.events, pin_events),
            node=np.concatenate([node, event_pins]),
            node_xy=np.concatenate([pin_xy, joints.node_xy]),
        ),
        doubts,
    )


def _has_common_node(
    joints: NodeJoints, pin_xy: Floats, pin: Ints, chain: Ints, nearest: Ints, tolerance: float
) -> Bools:
    """Return whether two chains have a node in common within two tolerances of the pin."""
    open_rows = np.flatnonzero(chain != nearest)
    has_common_node = np.zeros(len(pin), dtype=bool)
    if len(open_rows) == 0:
        return has_common_node
    nodes, asked_row, _ = find_pairs_within(joints.node_xy, pin_xy[pin[open_rows]], 2 * tolerance)
    row = open_rows[asked_row]
    chain_range = int(joints.events.chain.max()) + 1
    known_keys = np.unique(joints.node * chain_range + joints.events.chain)
    has_both = np.isin(nodes * chain_range + chain[row], known_keys) & np.isin(
        nodes * chain_range + nearest[row], known_keys
    )
    has_common_node[row[has_both]] = True
    return has_common_node


def _assign_nodes_to_pins(chains: Chains, joints: NodeJoints, pin_xy: Floats, allowed: Ints, tolerance: float) -> Ints:
    """Return the new number of each node: that of the nearest pin of its railroad, else its own after the pins."""
    node_number = np.arange(len(joints.node_xy)) + len(pin_xy)
    if len(allowed) == 0:
        return node_number
    node_railroad = np.empty(len(joints.node_xy), dtype=np.int64)
    node_railroad[joints.node] = chains.railroad[joints.events.chain]
    node, pin, gap = find_pairs_within(joints.node_xy, pin_xy, tolerance)
    lowest_code = int(node_railroad.min())
    code_range = int(node_railroad.max()) - lowest_code + 1
    is_allowed = np.isin(
        pin * code_range + node_railroad[node] - lowest_code, allowed[:, 0] * code_range + allowed[:, 1] - lowest_code
    )
    node, pin, gap = node[is_allowed], pin[is_allowed], gap[is_allowed]
    by_distance = np.lexsort((pin, gap, node))[::-1]
    node_number[node[by_distance]] = pin[by_distance]
    return node_number


def _assign_events_to_pins(chains: Chains, joints: NodeJoints, pin_xy: Floats, allowed: Ints, node: Ints) -> None:
    """Assign events exactly at a pin to it, even if another pin has their node."""
    exact_pin = _find_pin_at(pin_xy, joints.events.xy)
    event_rows = np.flatnonzero(exact_pin >= 0)
    allowed_pairs = set(map(tuple, allowed.tolist()))
    codes = chains.railroad[joints.events.chain[event_rows]].tolist()
    event_rows = event_rows[[pair in allowed_pairs for pair in zip(exact_pin[event_rows].tolist(), codes, strict=True)]]
    node[event_rows] = exact_pin[event_rows]


def _find_pin_at(pin_xy: Floats, xy: Floats) -> Ints:
    """Return the pin exactly at each place, else -1."""
    pin_by_place = {place: pin for pin, place in enumerate(map(tuple, pin_xy.tolist()))}
    candidate_rows = np.flatnonzero(np.isin(xy[:, 0], pin_xy[:, 0]) & np.isin(xy[:, 1], pin_xy[:, 1]))
    exact_pin = np.full(len(xy), -1, dtype=np.int64)
    exact_pin[candidate_rows] = [pin_by_place.get(place, -1) for place in map(tuple, xy[candidate_rows].tolist())]
    return exact_pin


def note_ends(chains: Chains, joints: NodeJoints, pins: int, tolerance: float, notes: RepairNotes) -> None:
    """Note every end that was moved to its node."""
    n = len(chains.first)
    node, xy, moved_distance = joints.node[: 2 * n], joints.events.xy[: 2 * n], joints.away[: 2 * n]
    moved_ends = np.flatnonzero(moved_distance > EXACT * tolerance)
    owner_chain = moved_ends % n
    node_count = len(joints.node_xy)
    event_position = chains.arc[joints.events.seg] + joints.events.frac * (
        chains.arc[joints.events.seg + 1] - chains.arc[joints.events.seg]
    )
    chain = joints.events.chain
    is_inner = (event_position > chains.arc[chains.first[chain]]) & (event_position < chains.arc[chains.last[chain]])
    is_inner &= joints.events.rank == 0
    has_line_through = np.bincount(joints.node[is_inner], minlength=node_count) > 0
    is_crossing = is_inner.copy()
    is_crossing[: 2 * n] = False
    is_crossing[joints.crossings :] = False
    is_overshoot = np.isin(node[moved_ends] * n + owner_chain, joints.node[is_crossing] * n + chain[is_crossing])
    repair_kinds = np.select(
        [node[moved_ends] < pins, is_overshoot, has_line_through[node[moved_ends]]],
        ["end at pin", "overshoot", "undershoot"],
        "gap",
    )
    for repair_kind in np.unique(repair_kinds).tolist():
        repaired_ends = moved_ends[repair_kinds == repair_kind]
        notes.add(repair_kind, xy[repaired_ends], moved_distance[repaired_ends], chains.source[repaired_ends % n])


def cut_at_nodes(chains: Chains, joints: NodeJoints, tolerance: float, notes: RepairNotes) -> Stretches:
    """Return the stretches between events; those within one node are left out."""
    events = joints.events
    event_position = chains.arc[events.seg] + events.frac * (chains.arc[events.seg + 1] - chains.arc[events.seg])
    along_chains = np.lexsort((joints.node, event_position, events.chain))
    start_event, end_event = along_chains[:-1], along_chains[1:]
    is_same_chain = events.chain[start_event] == events.chain[end_event]
    start_event, end_event = start_event[is_same_chain], end_event[is_same_chain]
    a, b = joints.node[start_event], joints.node[end_event]
    length = event_position[end_event] - event_position[start_event]
    is_short = (a == b) & (length <= CROWD * tolerance)
    n = len(chains.first)
    end_here, end_there = start_event < 2 * n, end_event < 2 * n
    is_lost = is_short & (length > ON_LINE * tolerance) & (end_here == end_there)
    is_lost &= (start_event < joints.pinned) & (end_event < joints.pinned)
    has_stretches = np.bincount(events.chain[start_event[~is_short]], minlength=n) > 0
    is_lost |= (
        is_short & ~has_stretches[events.chain[start_event]] & (length > 0)
    )  # a line that vanishes is reported, however short
    first_vertex = events.seg[start_event] + 1 + (events.frac[start_event] == 1)
    vertex_count = np.maximum(events.seg[end_event] - (events.frac[end_event] == 0) - first_vertex + 1, 0)
    # A vertex of a short stretch may lie farther than the tolerance from its node.
    rows = np.flatnonzero(is_short)
    has_stray = np.zeros(len(first_vertex), dtype=bool)
    vertex, row = concatenate_ranges(first_vertex[rows], vertex_count[rows]), np.repeat(rows, vertex_count[rows])
    node_offsets = chains.xy.take(vertex, axis=0) - joints.node_xy.take(a[row], axis=0)
    has_stray[row[vector_lengths(node_offsets[:, 0], node_offsets[:, 1]) > tolerance]] = True
    is_lost |= has_stray
    notes.add(
        "short piece",
        events.xy[start_event[is_lost]],
        length[is_lost],
        chains.source[events.chain[start_event[is_lost]]],
    )
    _note_bends(chains, joints, tolerance, notes)
    chain = events.chain[start_event]
    return Stretches(a, b, first_vertex, vertex_count, chains.railroad[chain], chains.source[chain]).only(~is_short)


def _note_bends(chains: Chains, joints: NodeJoints, tolerance: float, notes: RepairNotes) -> None:
    """Note every vertex, except ends, that moved farther than the tolerance to its node."""
    events, moved_distance = joints.events, joints.away
    moved_events = np.flatnonzero((moved_distance > tolerance) & ((events.frac == 0) | (events.frac == 1)))
    vertex = events.seg[moved_events] + (events.frac[moved_events] == 1)
    is_inner = (vertex > chains.first[events.chain[moved_events]]) & (vertex < chains.last[events.chain[moved_events]])
    moved_events = moved_events[is_inner][np.unique(vertex[is_inner], return_index=True)[1]]
    notes.add(
        "moved vertex", events.xy[moved_events], moved_distance[moved_events], chains.source[events.chain[moved_events]]
    )
