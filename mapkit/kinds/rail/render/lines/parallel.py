"""Where each track piece is drawn: parallel railroads side by side (RB-C09).

Pieces of different railroads that join the same two mileposts form a bundle with one centre line, the mean of their
real lines, and take lanes beside each other at an even distance, in an order with the fewest crossings (`lanes`).
Centre lines that come too near each other, or to another milepost, are moved apart, and bend smoothly through
nodes (`spacing`). Lanes do not pinch at a milepost: each railroad has its *port* there, so that railroads that run
on together pass it side by side, and one that leaves starts on its side. Where lanes reach beyond a dot, the dot is
drawn as a *bar* across them; into the square of a city they fan.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from mapkit.core.base import Point
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.lines.bundles import Bundle, find_bundles, find_joins, leaving
from mapkit.kinds.rail.render.lines.lanes import Edge, LaneOrder, order_lanes
from mapkit.kinds.rail.render.lines.polyline import Array, beside, curved, normals
from mapkit.kinds.rail.render.lines.spacing import Obstacles, Strand, spread
from mapkit.kinds.rail.render.spread.displace import Placement

_CURVE_PARTS: Final = 3
_LEAD_MM: Final = 7.0
_PORT_MARGIN_MM: Final = 0.15
_CLEARING_ROUNDS: Final = 8
_NOWHERE: Final = np.zeros(2)

Ports = Mapping[tuple[str, str], Array]
"""Node, railroad -> where the railroad passes it, from its middle."""


@dataclass(frozen=True)
class Drawn:
    """Lines and what they need of symbols, in page millimetres."""

    lines: dict[str, Array]
    """Piece (id) -> its line from its `a` to its `b`; beside others it ends beside the milepost's middle."""
    spots: dict[str, Point]
    """Junction (id) -> where it is drawn."""
    bars: dict[str, tuple[Point, Point]]
    """Milepost (id) that is not a city -> the middles of the outermost lanes, where they reach beyond its dot."""
    order: LaneOrder


def draw_lines(board: Board, placement: Placement, sizes: Sizes) -> Drawn:
    """Return where the lines of a board are drawn; every one ends within its mileposts' symbols."""
    placement = _junctions_clear(board, placement, sizes)
    bundles = find_bundles(board.pieces, placement)
    centres = spaced(board, bundles, placement, sizes)
    order = lane_order(bundles, centres)
    lanes = [_offsets(railroads, sizes.lane) for railroads in order.orders]
    ports = _ports(bundles, centres, lanes, _room(board, sizes))
    dots = {m.id for m in board.mileposts if m.kind == "dot"}
    bars = _bars({k: v for k, v in ports.items() if k[0] in dots}, placement.spots, sizes)
    ports = _at_bars(ports, bars, placement.spots, sizes)
    lines: dict[str, Array] = {}
    for bundle, centre, lane in zip(bundles, centres, lanes, strict=True):
        for piece in bundle.pieces:
            ends = tuple(ports.get((node, piece.railroad), _NOWHERE) for node in (bundle.start, bundle.end))
            line = beside(centre, lane[piece.railroad], (ends[0], ends[1]), _LEAD_MM)
            lines[piece.id] = line if piece.a == bundle.start else line[::-1]
    spots = {j.id: placement.spots[j.id] for j in board.junctions}
    return Drawn(lines, spots, bars, order)


def lane_order(bundles: Sequence[Bundle], centres: Sequence[Array]) -> LaneOrder:
    """Return the order of the railroads in each bundle, by the directions of the centre lines at the nodes."""
    return order_lanes(lane_edges(bundles, centres))


def lane_edges(bundles: Sequence[Bundle], centres: Sequence[Array]) -> list[Edge]:
    """State the ordering problem."""
    return [
        Edge(b.start, b.end, b.railroads, leaving(centre, at_start=True), leaving(centre, at_start=False))
        for b, centre in zip(bundles, centres, strict=True)
    ]


def spaced(board: Board, bundles: Sequence[Bundle], placement: Placement, sizes: Sizes) -> list[Array]:
    """Return the centre lines as drawn: apart from each other and from other mileposts, and curved."""
    strands = [
        Strand(b.centre, (b.start, b.end), (len(b.pieces) - 1) / 2 * sizes.lane + sizes.line / 2) for b in bundles
    ]
    joins = find_joins(bundles, frozenset(j.id for j in board.junctions))
    apart = spread(strands, obstacles_of(board, placement, sizes), sizes.clearance, joins)
    return [curved(centre, _CURVE_PARTS) for centre in apart]


def _offsets(railroads: Sequence[str], lane: float) -> dict[str, float]:
    """Return railroad -> how far right of the centre line it runs."""
    return {name: (i - (len(railroads) - 1) / 2) * lane for i, name in enumerate(railroads)}


def _ports(
    bundles: Sequence[Bundle],
    centres: Sequence[Array],
    lanes: Sequence[Mapping[str, float]],
    room: Mapping[str, float],
) -> Ports:
    """Return where railroads that have neighbours pass a node: the mean of what their bundles there would have."""
    wanted: dict[tuple[str, str], list[Array]] = {}
    for bundle, centre, lane in zip(bundles, centres, lanes, strict=True):
        widest = max(lane.values())
        if widest == 0.0:
            continue
        side = normals(centre)
        for node, normal in ((bundle.start, side[0]), (bundle.end, side[-1])):
            scale = min(1.0, room.get(node, widest) / widest)
            for railroad, offset in lane.items():
                wanted.setdefault((node, railroad), []).append(scale * offset * normal)
    return {key: np.sum(vectors, axis=0) / len(vectors) for key, vectors in sorted(wanted.items())}


def _bars(ports: Ports, spots: Mapping[str, Point], sizes: Sizes) -> dict[str, tuple[Point, Point]]:
    """Return dot -> the two ports that are farthest apart, where one lies too far out for the dot to cover it."""
    at: dict[str, list[Point]] = {}
    for (node, _), (dx, dy) in ports.items():
        at.setdefault(node, []).append((float(dx), float(dy)))
    reach = sizes.dot_radius - _PORT_MARGIN_MM
    found: dict[str, tuple[Point, Point]] = {}
    for node, here in at.items():
        if max(dx * dx + dy * dy for dx, dy in here) > reach * reach:
            x, y = spots[node]
            ends = max(combinations([(0.0, 0.0), *here], 2), key=lambda pair: math.dist(*pair))
            found[node] = ((x + ends[0][0], y + ends[0][1]), (x + ends[1][0], y + ends[1][1]))
    return found


def _at_bars(ports: Ports, bars: Mapping[str, tuple[Point, Point]], spots: Mapping[str, Point], sizes: Sizes) -> Ports:
    """Return the ports, moved onto the bar where one lies off it: bundles that part at an angle have such ports."""
    found = dict(ports)
    for key, port in ports.items():
        if key[0] not in bars:
            continue
        one, other = (np.subtract(end, spots[key[0]]) for end in bars[key[0]])
        way = other - one
        on = one + np.clip((port - one) @ way / max(float(way @ way), 1e-9), 0.0, 1.0) * way
        off = float(np.hypot(*(port - on)))
        if off > sizes.dot_radius:
            found[key] = on + (port - on) * ((sizes.dot_radius - _PORT_MARGIN_MM) / off)
    return found


def _junctions_clear(board: Board, placement: Placement, sizes: Sizes) -> Placement:
    """Move free junctions off the symbols of mileposts, where their lines would seem to stop (RB-C10)."""
    obstacles = obstacles_of(board, placement, sizes)
    spots = dict(placement.spots)
    least = obstacles.radius + sizes.line + sizes.clearance
    for junction in board.junctions:
        at = np.array(spots[junction.id], dtype=np.float64)
        for _ in range(_CLEARING_ROUNDS):
            gap = at - obstacles.xy
            distance = np.sqrt((gap**2).sum(axis=1))
            if not len(gap) or (distance >= least).all():
                break
            worst = int((distance - least).argmin())
            way = gap[worst] / distance[worst] if distance[worst] > 0 else np.array([0.0, -1.0])
            at = obstacles.xy[worst] + way * least[worst]
        spots[junction.id] = (round(float(at[0]), 3), round(float(at[1]), 3))
    return replace(placement, spots=spots)


def _room(board: Board, sizes: Sizes) -> dict[str, float]:
    """Return milepost -> how far from its middle a line may pass it."""
    inside = max(sizes.city_side / 2 - sizes.line / 2, 0.0)
    return {m.id: inside for m in board.mileposts if m.kind == "city"} | {j.id: 0.0 for j in board.junctions}


def obstacles_of(board: Board, placement: Placement, sizes: Sizes) -> Obstacles:
    """Return the mileposts, round them the room that their symbols take."""
    squares: dict[str, int] = {}
    for city in board.cities:
        squares[city.milepost] = squares.get(city.milepost, 0) + 1
    radius = [
        sizes.dot_radius + sizes.symbol_edge
        if m.kind == "dot"
        else sizes.city_side * 0.7 * max(1.0, squares.get(m.id, 1) * 0.8)
        for m in board.mileposts
    ]
    return Obstacles(
        names=tuple(m.id for m in board.mileposts),
        xy=np.array([placement.spots[m.id] for m in board.mileposts], dtype=np.float64).reshape(-1, 2),
        radius=np.array(radius, dtype=np.float64),
    )
