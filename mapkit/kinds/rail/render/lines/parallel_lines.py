"""Drawn lines of track pieces: parallel railroads side by side (RB-C09).

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
from mapkit.kinds.rail.render.lines.bundles import Bundle, find_bundles, find_joins, leaving_direction
from mapkit.kinds.rail.render.lines.lanes import CorridorEdge, LaneOrder, order_lanes
from mapkit.kinds.rail.render.lines.polyline import Array, fit_curve, line_normals, offset_line
from mapkit.kinds.rail.render.lines.spacing import LineObstacles, Strand, spread_strands
from mapkit.kinds.rail.render.spread.displacement import Placement

_PARTS_PER_STEP: Final = 3
_LEAD_MM: Final = 7.0
_PORT_MARGIN_MM: Final = 0.15
_CLEARING_ROUNDS: Final = 8
_NO_SHIFT: Final = np.zeros(2)

Ports = Mapping[tuple[str, str], Array]
"""Node, railroad -> offset of the railroad's line from the middle of the node."""


@dataclass(frozen=True)
class Drawn:
    """Lines of a board and the symbol changes that they need, in page millimetres."""

    lines: dict[str, Array]
    """Piece (id) -> its line from its `a` to its `b`; beside others it ends beside the milepost's middle."""
    spots: dict[str, Point]
    """Junction (id) -> where it is drawn."""
    bars: dict[str, tuple[Point, Point]]
    """Milepost (id) that is not a city -> the middles of the outermost lanes, where they reach beyond its dot."""
    order: LaneOrder


def draw_lines(board: Board, placement: Placement, sizes: Sizes) -> Drawn:
    """Return the drawn lines of a board; every one ends within its mileposts' symbols."""
    placement = _clear_junctions(board, placement, sizes)
    line_bundles = find_bundles(board.pieces, placement)
    centre_lines = space_centre_lines(board, line_bundles, placement, sizes)
    lanes_order = order_bundle_lanes(line_bundles, centre_lines)
    lane_offsets = [  # distances to the right of the centre line
        {railroad_id: (i - (len(railroads) - 1) / 2) * sizes.lane for i, railroad_id in enumerate(railroads)}
        for railroads in lanes_order.orders
    ]
    city_room = max(sizes.city_side / 2 - sizes.line / 2, 0.0)
    passing_room = {m.id: city_room for m in board.mileposts if m.kind == "city"} | {j.id: 0.0 for j in board.junctions}
    node_ports = _place_ports(line_bundles, centre_lines, lane_offsets, passing_room)
    dot_ids = {m.id for m in board.mileposts if m.kind == "dot"}
    dot_bars = _find_bars({k: v for k, v in node_ports.items() if k[0] in dot_ids}, placement.spots, sizes)
    node_ports = _move_to_bars(node_ports, dot_bars, placement.spots, sizes)
    piece_lines: dict[str, Array] = {}
    for bundle, centre, lane in zip(line_bundles, centre_lines, lane_offsets, strict=True):
        for piece in bundle.pieces:
            end_ports = tuple(node_ports.get((node, piece.railroad), _NO_SHIFT) for node in (bundle.start, bundle.end))
            lane_line = offset_line(centre, lane[piece.railroad], (end_ports[0], end_ports[1]), _LEAD_MM)
            piece_lines[piece.id] = lane_line if piece.a == bundle.start else lane_line[::-1]
    junction_spots = {j.id: placement.spots[j.id] for j in board.junctions}
    return Drawn(piece_lines, junction_spots, dot_bars, lanes_order)


def order_bundle_lanes(bundles: Sequence[Bundle], centres: Sequence[Array]) -> LaneOrder:
    """Return the order of the railroads in each bundle, by the directions of the centre lines at the nodes."""
    return order_lanes(make_lane_edges(bundles, centres))


def make_lane_edges(bundles: Sequence[Bundle], centres: Sequence[Array]) -> list[CorridorEdge]:
    """State the lane ordering problem: one edge a bundle."""
    return [
        CorridorEdge(
            b.start,
            b.end,
            b.railroads,
            leaving_direction(centre, at_start=True),
            leaving_direction(centre, at_start=False),
        )
        for b, centre in zip(bundles, centres, strict=True)
    ]


def space_centre_lines(board: Board, bundles: Sequence[Bundle], placement: Placement, sizes: Sizes) -> list[Array]:
    """Return the centre lines as drawn: apart from each other and from other mileposts, and curved."""
    bundle_strands = [
        Strand(b.centre, (b.start, b.end), (len(b.pieces) - 1) / 2 * sizes.lane + sizes.line / 2) for b in bundles
    ]
    smooth_joins = find_joins(bundles, frozenset(j.id for j in board.junctions))
    spaced_lines = spread_strands(
        bundle_strands, make_line_obstacles(board, placement, sizes), sizes.clearance, smooth_joins
    )
    return [fit_curve(centre, _PARTS_PER_STEP) for centre in spaced_lines]


def _place_ports(
    bundles: Sequence[Bundle],
    centres: Sequence[Array],
    lanes: Sequence[Mapping[str, float]],
    room: Mapping[str, float],
) -> Ports:
    """Return the port of each railroad with neighbours at a node, the mean over its bundles there."""
    wanted_ports: dict[tuple[str, str], list[Array]] = {}
    for bundle, centre, lane in zip(bundles, centres, lanes, strict=True):
        widest_lane = max(lane.values())
        if widest_lane == 0.0:
            continue
        end_normals = line_normals(centre)
        for node, end_normal in ((bundle.start, end_normals[0]), (bundle.end, end_normals[-1])):
            room_scale = min(1.0, room.get(node, widest_lane) / widest_lane)
            for railroad, offset in lane.items():
                wanted_ports.setdefault((node, railroad), []).append(room_scale * offset * end_normal)
    return {key: np.sum(vectors, axis=0) / len(vectors) for key, vectors in sorted(wanted_ports.items())}


def _find_bars(ports: Ports, spots: Mapping[str, Point], sizes: Sizes) -> dict[str, tuple[Point, Point]]:
    """Return for dots the two ports farthest apart, if one lies too far out for the dot to cover it."""
    ports_at: dict[str, list[Point]] = {}
    for (node, _), (dx, dy) in ports.items():
        ports_at.setdefault(node, []).append((float(dx), float(dy)))
    dot_reach = sizes.dot_radius - _PORT_MARGIN_MM
    dot_bars: dict[str, tuple[Point, Point]] = {}
    for node, node_ports in ports_at.items():
        if max(dx * dx + dy * dy for dx, dy in node_ports) > dot_reach * dot_reach:
            x, y = spots[node]
            bar_ends = max(combinations([(0.0, 0.0), *node_ports], 2), key=lambda pair: math.dist(*pair))
            dot_bars[node] = ((x + bar_ends[0][0], y + bar_ends[0][1]), (x + bar_ends[1][0], y + bar_ends[1][1]))
    return dot_bars


def _move_to_bars(
    ports: Ports, bars: Mapping[str, tuple[Point, Point]], spots: Mapping[str, Point], sizes: Sizes
) -> Ports:
    """Move ports that lie off the bar onto it: bundles that part at an angle have such ports."""
    moved_ports = dict(ports)
    for port_key, port in ports.items():
        if port_key[0] not in bars:
            continue
        bar_start, bar_end = (np.subtract(end, spots[port_key[0]]) for end in bars[port_key[0]])
        bar_vector = bar_end - bar_start
        nearest_point = (
            bar_start
            + np.clip((port - bar_start) @ bar_vector / max(float(bar_vector @ bar_vector), 1e-9), 0.0, 1.0)
            * bar_vector
        )
        distance_off = float(np.hypot(*(port - nearest_point)))
        if distance_off > sizes.dot_radius:
            moved_ports[port_key] = nearest_point + (port - nearest_point) * (
                (sizes.dot_radius - _PORT_MARGIN_MM) / distance_off
            )
    return moved_ports


def _clear_junctions(board: Board, placement: Placement, sizes: Sizes) -> Placement:
    """Move free junctions off the symbols of mileposts, where their lines would seem to stop (RB-C10)."""
    obstacles = make_line_obstacles(board, placement, sizes)
    clear_spots = dict(placement.spots)
    least_distance = obstacles.radius + sizes.line + sizes.clearance
    for junction in board.junctions:
        junction_place = np.array(clear_spots[junction.id], dtype=np.float64)
        for _ in range(_CLEARING_ROUNDS):
            gap_vectors = junction_place - obstacles.xy
            distance = np.sqrt((gap_vectors**2).sum(axis=1))
            if not len(gap_vectors) or (distance >= least_distance).all():
                break
            worst = int((distance - least_distance).argmin())
            push_direction = gap_vectors[worst] / distance[worst] if distance[worst] > 0 else np.array([0.0, -1.0])
            junction_place = obstacles.xy[worst] + push_direction * least_distance[worst]
        clear_spots[junction.id] = (round(float(junction_place[0]), 3), round(float(junction_place[1]), 3))
    return replace(placement, spots=clear_spots)


def make_line_obstacles(board: Board, placement: Placement, sizes: Sizes) -> LineObstacles:
    """Return the mileposts with the room of their symbols."""
    square_counts: dict[str, int] = {}
    for city in board.cities:
        square_counts[city.milepost] = square_counts.get(city.milepost, 0) + 1
    symbol_radius = [
        sizes.dot_radius + sizes.symbol_edge
        if m.kind == "dot"
        else sizes.city_side * 0.7 * max(1.0, square_counts.get(m.id, 1) * 0.8)
        for m in board.mileposts
    ]
    return LineObstacles(
        names=tuple(m.id for m in board.mileposts),
        xy=np.array([placement.spots[m.id] for m in board.mileposts], dtype=np.float64).reshape(-1, 2),
        radius=np.array(symbol_radius, dtype=np.float64),
    )
