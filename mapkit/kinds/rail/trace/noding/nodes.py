"""Which places on lines are one node, which pins they belong to, and the stretches between them."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mapkit.core.arrays import connected, number_rows, ranges
from mapkit.core.neighbours import find_pairs_among, find_pairs_within
from mapkit.kinds.rail.trace.noding.arrays import (
    Bools,
    Chains,
    Events,
    Floats,
    Ints,
    PinOwners,
    join_events,
    norms,
    number_places,
    place_events,
)
from mapkit.kinds.rail.trace.noding.clean import Notes
from mapkit.kinds.rail.trace.noding.doubles import EXACT
from mapkit.kinds.rail.trace.noding.graph import Stretches
from mapkit.kinds.rail.trace.noding.near import Boxes, Near, near_pins

ON_LINE = 0.01  # of the tolerance: a pin this close lies on the line
CROWD = 4.0  # tolerances: places that are connected further than this are not one node
LONG = 3.0  # tolerances: lines near each other for longer than this are doubled, not just meeting

Doubt = tuple[str, float, float, int, int, int, tuple[int, ...]]  # the fields of an Ambiguity


@dataclass(frozen=True)
class Runs:
    """Stretches of chains near another chain: from vertex `low` to `high`; sorted by `key` (both chains) and low."""

    key: Ints
    low: Ints
    high: Ints
    low_row: Ints  # rows of Near
    high_row: Ints


@dataclass(frozen=True)
class Joints:
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
        """How far each event is from the place of its node."""
        away = self.node_xy.take(self.node, axis=0) - self.events.xy
        return norms(away[:, 0], away[:, 1])


def find_runs(chains: Chains, near: Near, tolerance: float) -> Runs:
    """Return where a chain runs near another one for longer than `LONG` tolerances."""
    of, to = chains.of_vertex[near.vertex].astype(np.int64), chains.of_vertex[near.seg].astype(np.int64)
    key = of * len(chains.first) + to
    head = np.ones(len(key), dtype=bool)
    head[1:] = (key[1:] != key[:-1]) | (near.vertex[1:] != near.vertex[:-1] + 1)
    low_row = np.flatnonzero(head)
    high_row = np.append(low_row[1:], len(key)) - 1 if len(key) else low_row
    long = chains.arc[near.vertex[high_row]] - chains.arc[near.vertex[low_row]] > LONG * tolerance
    low_row, high_row = low_row[long], high_row[long]
    order = np.lexsort((near.vertex[low_row], key[low_row]))
    low_row, high_row = low_row[order], high_row[order]
    return Runs(key[low_row], near.vertex[low_row], near.vertex[high_row], low_row, high_row)


def _in_run(chains: Chains, runs: Runs, seg: Ints, other: Ints) -> Bools:
    """Whether each segment lies in a run near the other chain."""
    if len(runs.key) == 0 or len(seg) == 0:
        return np.zeros(len(seg), dtype=bool)
    keys = np.unique(runs.key)
    wide = len(chains.xy) + 1
    want = chains.of_vertex[seg].astype(np.int64) * len(chains.first) + other
    rank = np.minimum(np.searchsorted(keys, want), len(keys) - 1)
    line = np.searchsorted(keys, runs.key) * wide + runs.low
    at = np.searchsorted(line, rank * wide + seg, side="right") - 1
    known = (keys[rank] == want) & (at >= 0)
    at = np.maximum(at, 0)
    inside: Bools = known & (runs.key[at] == want) & (seg + 1 <= runs.high[at])
    return inside


def join_places(chains: Chains, near: Near, runs: Runs, tolerance: float) -> Joints:
    """Gather crossings, ends on lines, and starts and ends of runs; those within the tolerance are one node."""
    n = len(chains.first)
    ends = place_events(chains, np.concatenate([chains.first, chains.last - 1]), np.repeat([0.0, 1.0], n), 1)
    # Lines that run together weave: their crossings mean nothing.
    other_a, other_b = (chains.of_vertex[cross].astype(np.int64) for cross in (near.cross_a, near.cross_b))
    woven = _in_run(chains, runs, near.cross_a, other_b) & _in_run(chains, runs, near.cross_b, other_a)
    crossed = [
        place_events(chains, near.cross_a[~woven], near.cross_t[~woven], 0),
        place_events(chains, near.cross_b[~woven], near.cross_u[~woven], 0),
    ]
    crossed[1] = replace(crossed[1], xy=crossed[0].xy)
    owner = chains.of_vertex[near.vertex]
    is_start, is_end = near.vertex == chains.first[owner], near.vertex == chains.last[owner]
    at_end = is_start | is_end
    landing = place_events(chains, near.seg[at_end], near.frac[at_end], 0)
    rows = np.unique(np.concatenate([runs.low_row, runs.high_row]))
    vertex = near.vertex[rows]
    closing = vertex == chains.last[chains.of_vertex[vertex]]
    leaving = place_events(chains, vertex - closing, closing.astype(np.float64), 1)
    beside = place_events(chains, near.seg[rows], near.frac[rows], 0)
    events = join_events(ends, *crossed, landing, leaving, beside)
    starts = np.cumsum([0, 2 * n, *(len(e.seg) for e in (*crossed, landing, leaving, beside))])
    one = np.concatenate(
        [np.arange(starts[1], starts[2]), np.arange(starts[3], starts[4]), np.arange(starts[4], starts[5])]
    )
    landed_from = owner[at_end] + np.where(is_start[at_end], 0, n)
    other = np.concatenate([np.arange(starts[2], starts[3]), landed_from, np.arange(starts[5], starts[6])])
    place = number_places(events.xy)
    node, crowded = _cluster(chains, events, place, one, other, tolerance)
    return Joints(events, node, _best_places(events, place, node), int(starts[3]), len(events.seg), crowded)


def _cluster(
    chains: Chains, events: Events, place: Ints, one: Ints, other: Ints, tolerance: float
) -> tuple[Ints, tuple[Doubt, ...]]:
    """Number the nodes: events that are linked, and those of one railroad within the tolerance of each other."""
    codes = number_rows(chains.railroad)[events.chain]
    wide = int(codes.max()) + 1
    point = number_rows(place * wide + codes)
    count = int(point.max()) + 1
    where, code = np.empty((count, 2)), np.empty(count, dtype=np.int64)
    where[point], code[point] = events.xy, codes
    here, there = find_pairs_among(where, tolerance)
    close = np.stack([here, there], axis=1)[code[here] == code[there]]
    sure = np.stack([point[one], point[other]], axis=1)
    of_point = connected(np.concatenate([sure, close]), count)
    size = _extent(where, of_point)
    big = size > CROWD * tolerance
    doubts: list[Doubt] = []
    if big.any():
        close = close[~big[of_point[close[:, 0]]]]
        doubts = _crowds(chains, events, of_point[point], big)
        of_point = connected(np.concatenate([sure, close]), count)
    return of_point[point], tuple(doubts)


def _crowds(chains: Chains, events: Events, group: Ints, big: Bools) -> list[Doubt]:
    rows = np.flatnonzero(big[group])
    rows = rows[np.argsort(group[rows], kind="stable")]
    doubts: list[Doubt] = []
    for inside in np.split(rows, np.flatnonzero(np.diff(group[rows])) + 1):
        x, y = events.xy[inside].min(axis=0).tolist()
        chain = events.chain[inside]
        lines = tuple(np.unique(chains.source[chain]).tolist())
        doubts.append(("crowded", x, y, -1, -1, int(chains.railroad[chain[0]]), lines))
    return doubts


def _extent(where: Floats, group: Ints) -> Floats:
    order = np.argsort(group, kind="stable")
    heads = np.flatnonzero(np.diff(group[order], prepend=-1))
    spans = np.maximum.reduceat(where[order], heads) - np.minimum.reduceat(where[order], heads)
    out: Floats = norms(spans[:, 0], spans[:, 1])
    return out


def _best_places(events: Events, place: Ints, node: Ints) -> Floats:
    """Return the place of each node: of its best known event, the lowest of several."""
    order = np.argsort((2 * node + events.rank) * len(place) + place)
    heads = np.flatnonzero(np.diff(node[order], prepend=-1))
    return events.xy[order[heads]]


def pin_doubts(pin_xy: Floats, owners: PinOwners, tolerance: float) -> list[Doubt]:
    """Return the pairs of pins within the tolerance of each other that a line could join both of."""
    if len(pin_xy) == 0:
        return []
    one, another = find_pairs_among(pin_xy, tolerance)
    return [
        ("pins within tolerance", *pin_xy[pin].tolist(), pin, other, -1, ())
        for pin, other in zip(one.tolist(), another.tolist(), strict=True)
        if not owners.apart(pin, other)
    ]


def join_pins(
    chains: Chains, boxes: Boxes, runs: Runs, joints: Joints, pin_xy: Floats, owners: PinOwners, tolerance: float
) -> tuple[Joints, list[Doubt]]:
    """Put pins on the lines that they are near, and make nodes near them theirs; pins become the first nodes.

    A pin near several chains of a railroad is on all of them if they meet there, end there or run together there;
    else it is on none, and that is reported.
    """
    doubts = list(joints.crowded)
    pins = len(pin_xy)
    if pins == 0:
        return joints, doubts
    pin, seg, frac, gap = near_pins(chains, boxes, pin_xy, tolerance)
    mine = owners.allow(pin, chains.railroad[chains.of_vertex[seg]])
    pin, seg, frac, gap = pin[mine], seg[mine], frac[mine], gap[mine]
    chain = chains.of_vertex[seg].astype(np.int64)
    code = chains.railroad[chain]
    order = np.lexsort((chain, gap, code, pin))
    pin, seg, chain, code = (values[order] for values in (pin, seg, chain, code))
    frac, gap = frac[order], gap[order]
    head = np.ones(len(pin), dtype=bool)
    head[1:] = (pin[1:] != pin[:-1]) | (code[1:] != code[:-1])
    group = np.cumsum(head) - 1
    nearest = np.flatnonzero(head)[group]
    together = head | _in_run(chains, runs, seg, chain[nearest]) | _in_run(chains, runs, seg[nearest], chain)
    together |= _meet(joints, pin_xy, pin, chain, chain[nearest], tolerance)
    ends = _ends_at(chains, pin_xy, pin, chain, tolerance)
    together |= ends | ends[nearest]
    apart = ~together & (gap[nearest] > ON_LINE * tolerance)
    doubtful = np.bincount(group[apart], minlength=int(head.sum())) > 0
    for which in np.flatnonzero(doubtful).tolist():
        rows = np.arange(*np.searchsorted(group, [which, which + 1]).tolist())
        where = int(pin[rows[0]])
        lines = tuple(np.unique(chains.source[chain[rows]]).tolist())
        doubts.append(("pin between lines", *pin_xy[where].tolist(), where, -1, int(code[rows[0]]), lines))
    keep = together & ~doubtful[group]
    at = _pin_at(pin_xy, place_events(chains, seg, frac, 0).xy)
    keep &= (at < 0) | (at == pin)  # what ends at the one of two pins is not led through the other
    own = place_events(chains, seg[keep], frac[keep], 0)
    whose = pin[keep]
    allowed = np.stack([whose, code[keep]], axis=1)
    node = _nodes_to_pins(chains, joints, pin_xy, allowed, tolerance)[joints.node]
    _at_pins(chains, joints, pin_xy, allowed, node)
    return (
        replace(
            joints,
            events=join_events(joints.events, own),
            node=np.concatenate([node, whose]),
            node_xy=np.concatenate([pin_xy, joints.node_xy]),
        ),
        doubts,
    )


def _ends_at(chains: Chains, pin_xy: Floats, pin: Ints, chain: Ints, tolerance: float) -> Bools:
    """Whether a chain begins or ends within the tolerance of the pin."""
    gaps = [norms(*(chains.xy[vertex[chain]] - pin_xy[pin]).T) for vertex in (chains.first, chains.last)]
    near: Bools = np.minimum(*gaps) <= tolerance
    return near


def _meet(joints: Joints, pin_xy: Floats, pin: Ints, chain: Ints, nearest: Ints, tolerance: float) -> Bools:
    """Whether two chains have a node in common within two tolerances of the pin."""
    ask = np.flatnonzero(chain != nearest)
    meet = np.zeros(len(pin), dtype=bool)
    if len(ask) == 0:
        return meet
    nodes, asked, _ = find_pairs_within(joints.node_xy, pin_xy[pin[ask]], 2 * tolerance)
    row = ask[asked]
    wide = int(joints.events.chain.max()) + 1
    known = np.unique(joints.node * wide + joints.events.chain)
    both = np.isin(nodes * wide + chain[row], known) & np.isin(nodes * wide + nearest[row], known)
    meet[row[both]] = True
    return meet


def _nodes_to_pins(chains: Chains, joints: Joints, pin_xy: Floats, allowed: Ints, tolerance: float) -> Ints:
    """Return the new number of each node: of the nearest pin that is on its railroad, else its own after the pins."""
    number = np.arange(len(joints.node_xy)) + len(pin_xy)
    if len(allowed) == 0:
        return number
    code = np.empty(len(joints.node_xy), dtype=np.int64)
    code[joints.node] = chains.railroad[joints.events.chain]
    node, pin, gap = find_pairs_within(joints.node_xy, pin_xy, tolerance)
    low = int(code.min())
    wide = int(code.max()) - low + 1
    fits = np.isin(pin * wide + code[node] - low, allowed[:, 0] * wide + allowed[:, 1] - low)
    node, pin, gap = node[fits], pin[fits], gap[fits]
    order = np.lexsort((pin, gap, node))[::-1]
    number[node[order]] = pin[order]
    return number


def _at_pins(chains: Chains, joints: Joints, pin_xy: Floats, allowed: Ints, node: Ints) -> None:
    """Give events exactly at a pin to it, though another pin may have their node."""
    at = _pin_at(pin_xy, joints.events.xy)
    rows = np.flatnonzero(at >= 0)
    may = set(map(tuple, allowed.tolist()))
    codes = chains.railroad[joints.events.chain[rows]].tolist()
    rows = rows[[pair in may for pair in zip(at[rows].tolist(), codes, strict=True)]]
    node[rows] = at[rows]


def _pin_at(pin_xy: Floats, xy: Floats) -> Ints:
    """Return the pin exactly at each place, else -1."""
    at = {place: pin for pin, place in enumerate(map(tuple, pin_xy.tolist()))}
    rows = np.flatnonzero(np.isin(xy[:, 0], pin_xy[:, 0]) & np.isin(xy[:, 1], pin_xy[:, 1]))
    out = np.full(len(xy), -1, dtype=np.int64)
    out[rows] = [at.get(place, -1) for place in map(tuple, xy[rows].tolist())]
    return out


def note_ends(chains: Chains, joints: Joints, pins: int, tolerance: float, notes: Notes) -> None:
    """Note every end that was moved to its node."""
    n = len(chains.first)
    node, xy, size = joints.node[: 2 * n], joints.events.xy[: 2 * n], joints.away[: 2 * n]
    moved = np.flatnonzero(size > EXACT * tolerance)
    owner = moved % n
    count = len(joints.node_xy)
    position = chains.arc[joints.events.seg] + joints.events.frac * (
        chains.arc[joints.events.seg + 1] - chains.arc[joints.events.seg]
    )
    chain = joints.events.chain
    inner = (position > chains.arc[chains.first[chain]]) & (position < chains.arc[chains.last[chain]])
    inner &= joints.events.rank == 0
    on_line = np.bincount(joints.node[inner], minlength=count) > 0
    cut = inner.copy()
    cut[: 2 * n] = False
    cut[joints.crossings :] = False
    beyond = np.isin(node[moved] * n + owner, joints.node[cut] * n + chain[cut])
    kind = np.select(
        [node[moved] < pins, beyond, on_line[node[moved]]], ["end at pin", "overshoot", "undershoot"], "gap"
    )
    for name in np.unique(kind).tolist():
        rows = moved[kind == name]
        notes.add(name, xy[rows], size[rows], chains.source[rows % n])


def cut_at_nodes(chains: Chains, joints: Joints, tolerance: float, notes: Notes) -> Stretches:
    """Return the stretches between events; those within one node are left out."""
    events = joints.events
    position = chains.arc[events.seg] + events.frac * (chains.arc[events.seg + 1] - chains.arc[events.seg])
    order = np.lexsort((joints.node, position, events.chain))
    here, there = order[:-1], order[1:]
    inside = events.chain[here] == events.chain[there]
    here, there = here[inside], there[inside]
    a, b = joints.node[here], joints.node[there]
    length = position[there] - position[here]
    short = (a == b) & (length <= CROWD * tolerance)
    n = len(chains.first)
    end_here, end_there = here < 2 * n, there < 2 * n
    lost = short & (length > ON_LINE * tolerance) & (end_here == end_there)
    lost &= (here < joints.pinned) & (there < joints.pinned)
    left = np.bincount(events.chain[here[~short]], minlength=n) > 0
    lost |= short & ~left[events.chain[here]] & (length > 0)  # a line that vanishes is reported, however short
    first = events.seg[here] + 1 + (events.frac[here] == 1)
    count = np.maximum(events.seg[there] - (events.frac[there] == 0) - first + 1, 0)
    lost |= _strays(chains, joints, np.flatnonzero(short), first, count, a, tolerance)
    notes.add("short piece", events.xy[here[lost]], length[lost], chains.source[events.chain[here[lost]]])
    _note_bends(chains, joints, tolerance, notes)
    chain = events.chain[here]
    return Stretches(a, b, first, count, chains.railroad[chain], chains.source[chain]).only(~short)


def _strays(
    chains: Chains, joints: Joints, rows: Ints, first: Ints, count: Ints, node: Ints, tolerance: float
) -> Bools:
    """Whether a vertex of a stretch, of some `rows`, lies farther than the tolerance from its node."""
    out = np.zeros(len(first), dtype=bool)
    vertex, row = ranges(first[rows], count[rows]), np.repeat(rows, count[rows])
    away = chains.xy.take(vertex, axis=0) - joints.node_xy.take(node[row], axis=0)
    out[row[norms(away[:, 0], away[:, 1]) > tolerance]] = True
    return out


def _note_bends(chains: Chains, joints: Joints, tolerance: float, notes: Notes) -> None:
    """Note every vertex, no end, that was moved to a node farther than the tolerance."""
    events, size = joints.events, joints.away
    far = np.flatnonzero((size > tolerance) & ((events.frac == 0) | (events.frac == 1)))
    vertex = events.seg[far] + (events.frac[far] == 1)
    inner = (vertex > chains.first[events.chain[far]]) & (vertex < chains.last[events.chain[far]])
    far = far[inner][np.unique(vertex[inner], return_index=True)[1]]
    notes.add("moved vertex", events.xy[far], size[far], chains.source[events.chain[far]])
