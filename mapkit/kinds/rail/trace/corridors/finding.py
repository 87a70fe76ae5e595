"""Track that several railroads share: cut at each other's nodes, so that it is spaced once for all of them.

Lines of different railroads that run within the tolerance of each other for `MIN_SHARED` tolerances or more, or from
node to node, are one corridor there, whether they were copied or traced twice by hand. Each is cut into sections at
its own nodes, at those of the others, and where they part. The sections of a corridor have the same sites at both
ends, and all of them follow the line of the railroad with the smallest number; how far another one was drawn from it
is a repair. Railroads that only cross, or touch for less, share nothing.

The order of work: `corridor_near` finds the stretches, `corridor_sites` the cuts, this module the sections.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely

from mapkit.kinds.rail.trace.corridors.near import Rails, Shared, rails, shared_stretches
from mapkit.kinds.rail.trace.corridors.sites import Cuts, SiteKind, find_cuts, node_kinds
from mapkit.kinds.rail.trace.noding.arrays import Floats, Ints, Shapes
from mapkit.kinds.rail.trace.noding.joining import NodedNetwork, Repair

_ASIDE = 0.01  # in tolerances: a line nearer than this lies on the other one
_CLEAR = 1e-9


@dataclass(frozen=True)
class Corridors:
    """Sites, and the sections between them.

    Attributes:
        site_kind: A pinned milepost; an end of a line, which becomes a milepost of every line through it; or a
            junction: of one railroad at least, or a place where lines part. Other lines pass through it.
        site_xy: Coordinates, shape (n, 2).
        node_site: The site of each node of the network; several nodes, of different railroads, may have the same.
        section_edge: The edge that each section is a part of. The sections of an edge follow each other, from its
            node a to its node b.
        section_a: The site at the start of each section.
        section_b: The site at its end.
        section_corridor: Sections with the same number, no two of one railroad, are one corridor.
        section_lines: LineStrings from site a to site b; equal, or one the reverse of the other, in a corridor.
        repairs: Sections that were moved onto the line that they share, as `offset from shared track`: the size is
            the greatest distance from it.
    """

    site_kind: tuple[SiteKind, ...]
    site_xy: Floats
    node_site: Ints
    section_edge: Ints
    section_a: Ints
    section_b: Ints
    section_corridor: Ints
    section_lines: Shapes
    repairs: tuple[Repair, ...]


@dataclass(frozen=True, eq=False)
class _Part:
    """A section before lines are shared: the edge from `start` to `end` along it."""

    edge: int
    a: int
    b: int
    start: float
    end: float


def find_corridors(noded: NodedNetwork, *, tolerance: float) -> Corridors:
    """Cut the edges of a network into sections, and find those that several railroads share.

    Without shared track every node is a site of its own and every edge a section of its own.

    Args:
        noded: A network of noded lines, in a plane.
        tolerance: How far apart the lines of one corridor may be; above 0, in the unit of the coordinates.

    Raises:
        ValueError: The tolerance is not above 0.
    """
    if not tolerance > 0 or not np.isfinite(tolerance):
        raise ValueError(f"tolerance {tolerance} is not above 0")
    track = rails(noded.edge_lines)
    rank = _rank(noded, track)
    nodes = np.stack((noded.edge_a, noded.edge_b), axis=1)
    shared = shared_stretches(
        track,
        railroad=noded.edge_railroad,
        rank=rank,
        nodes=nodes,
        pinned=noded.node_pin >= 0,
        tolerance=tolerance,
    )
    if not shared:
        return _unshared(noded)
    cuts = find_cuts(noded, track, shared, rank=rank, tolerance=tolerance)
    parts = _parts(noded, track, cuts)
    lines = _lines(track, cuts, parts)
    corridor = _grouped(parts, shared, noded.edge_railroad, rank)
    repairs = list(_offsets(parts, lines, corridor, track, noded, tolerance))
    lines = _laid_together(parts, lines, corridor)
    return Corridors(
        site_kind=cuts.kinds,
        site_xy=cuts.xy,
        node_site=cuts.of_node,
        section_edge=np.array([part.edge for part in parts], dtype=np.int64),
        section_a=np.array([part.a for part in parts], dtype=np.int64),
        section_b=np.array([part.b for part in parts], dtype=np.int64),
        section_corridor=corridor,
        section_lines=lines,
        repairs=tuple(sorted(repairs)),
    )


def _unshared(noded: NodedNetwork) -> Corridors:
    edges = np.arange(len(noded.edge_a), dtype=np.int64)
    return Corridors(
        site_kind=tuple(node_kinds(noded)),
        site_xy=noded.node_xy,
        node_site=np.arange(len(noded.node_xy), dtype=np.int64),
        section_edge=edges,
        section_a=noded.edge_a,
        section_b=noded.edge_b,
        section_corridor=edges,
        section_lines=noded.edge_lines,
        repairs=(),
    )


def _rank(noded: NodedNetwork, track: Rails) -> Ints:
    """Return the place of each edge by railroad, ends and length, whichever way it was drawn."""
    ends = np.concatenate((track.xy[track.first], track.xy[track.last]), axis=1)
    turned = (ends[:, 0] > ends[:, 2]) | ((ends[:, 0] == ends[:, 2]) & (ends[:, 1] > ends[:, 3]))
    ends[turned] = ends[turned][:, [2, 3, 0, 1]]
    order = np.lexsort((track.lengths, *ends.T[::-1], noded.edge_railroad))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank


def _parts(noded: NodedNetwork, track: Rails, cuts: Cuts) -> list[_Part]:
    moved = np.linalg.norm(cuts.xy[cuts.of_node] - noded.node_xy, axis=1)
    out: list[_Part] = []
    for edge, (a, b) in enumerate(zip(noded.edge_a.tolist(), noded.edge_b.tolist(), strict=True)):
        own = cuts.cuts.get(edge)
        if own is None:
            # Where a site is not quite at the node, what the line draws between them would be a spike.
            ends = (float(moved[a]), float(track.lengths[edge] - moved[b]))
            start, end = ends if ends[0] < ends[1] else (0.0, float(track.lengths[edge]))
            own = [(start, int(cuts.of_node[a])), (end, int(cuts.of_node[b]))]
        out += [_Part(edge, one[1], two[1], one[0], two[0]) for one, two in pairwise(own)]
    return out


def _lines(track: Rails, cuts: Cuts, parts: list[_Part]) -> Shapes:
    out = np.empty(len(parts), dtype=object)
    for number, part in enumerate(parts):
        inner = track.between(part.edge, part.start, part.end, clear=_CLEAR)
        out[number] = shapely.LineString(np.concatenate((cuts.xy[[part.a]], inner, cuts.xy[[part.b]])))
    return out


def _grouped(parts: list[_Part], shared: list[Shared], railroad: Ints, rank: Ints) -> Ints:
    """Return for each section the number of the first one, by rank, that it lies on."""
    of_edge: dict[int, list[int]] = defaultdict(list)
    for number, part in enumerate(parts):
        of_edge[part.edge].append(number)
    group = list(range(len(parts)))
    members: dict[int, list[int]] = {number: [number] for number in group}
    for stretch in shared:
        for number in of_edge[stretch.one]:
            beside = _beside(stretch, parts, number, of_edge[stretch.other])
            if beside is None or group[number] == group[beside]:
                continue
            one, two = members[group[number]], members[group[beside]]
            if {railroad[parts[n].edge] for n in one} & {railroad[parts[n].edge] for n in two}:
                continue
            gone = group[beside]
            one += members.pop(gone)
            for each in two:
                group[each] = group[number]
    out = np.arange(len(parts), dtype=np.int64)
    for same in members.values():
        out[same] = min(same, key=lambda n: (int(rank[parts[n].edge]), n))
    return out


def _beside(stretch: Shared, parts: list[_Part], number: int, others: list[int]) -> int | None:
    """Return the section of the other edge that has the same ends and the middle of this one."""
    part = parts[number]
    middle = stretch.across((part.start + part.end) / 2, 0.0)
    if middle is None:
        return None
    for other in others:
        beside = parts[other]
        if beside.start <= middle <= beside.end and {part.a, part.b} == {beside.a, beside.b}:
            return other
    return None


def _laid_together(parts: list[_Part], lines: Shapes, corridor: Ints) -> Shapes:
    """Give every section the line of the first of its corridor."""
    out = lines.copy()
    for number in np.flatnonzero(corridor != np.arange(len(parts))):
        part, first = parts[number], parts[corridor[number]]
        line = lines[corridor[number]]
        turned = part.a != first.a
        if part.a == part.b:  # a ring: the way round decides
            turned = shapely.is_ccw(line) != shapely.is_ccw(lines[number])
        out[number] = shapely.reverse(line) if turned else line
    return out


def _offsets(
    parts: list[_Part], lines: Shapes, corridor: Ints, track: Rails, noded: NodedNetwork, tolerance: float
) -> Iterator[Repair]:
    """Yield how far each section, as it was drawn, lies from the line that it will follow."""
    for number in np.flatnonzero(corridor != np.arange(len(parts))):
        part = parts[number]
        ends = [track.at(part.edge, at)[None] for at in (part.start, part.end)]
        inner = track.between(part.edge, part.start, part.end, clear=_CLEAR)
        drawn = shapely.LineString(np.concatenate((ends[0], inner, ends[1])))
        size = float(shapely.hausdorff_distance(drawn, lines[corridor[number]]))
        if size > _ASIDE * tolerance:
            x, y = shapely.get_coordinates(shapely.line_interpolate_point(drawn, 0.5, normalized=True))[0].tolist()
            yield Repair("offset from shared track", x, y, size, int(noded.edge_source[part.edge]))
