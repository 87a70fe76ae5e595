"""Detection of track that several railroads share, so that it is spaced once for all of them.

Lines of different railroads form a corridor where they run within the tolerance of each other for `MIN_SHARED`
tolerances or more, or from node to node, whether they were copied or traced twice by hand. Each line is cut into
sections at its own nodes, at those of the others, and where they part. The sections of a corridor have the same sites
at both ends, and all of them follow the line of the railroad with the smallest number. A section that was drawn
elsewhere is moved, and the distance is noted as a repair. Railroads that only cross, or touch for less, share nothing.

Order of work: `near` finds the stretches, `sites` the cuts, this module the sections.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely

from mapkit.kinds.rail.trace.corridors.shared_stretches import (
    LineArrays,
    SharedStretch,
    find_shared_stretches,
    lines_to_rails,
)
from mapkit.kinds.rail.trace.corridors.sites import SiteCuts, SiteKind, classify_nodes, find_cuts
from mapkit.kinds.rail.trace.noding.arrays import Floats, Ints, Shapes
from mapkit.kinds.rail.trace.noding.joining import NodedNetwork, Repair

_MIN_OFFSET = 0.01  # in tolerances: a line nearer than this coincides with the other one
_MIN_CLEARANCE = 1e-9


@dataclass(frozen=True)
class Corridors:
    """Sites of a network, and the sections of track between them.

    Attributes:
        site_kind: A pinned milepost; an end of a line, which becomes a milepost of every line through it; or a
            junction: of one railroad at least, or a place where lines part. Other lines pass through it.
        site_xy: Coordinates, shape (n, 2).
        node_site: The site of each node of the network; several nodes, of different railroads, may have the same.
        section_edge: The edge of each section. The sections of an edge are in order, from its node a to its node b.
        section_a: The site at the start of each section.
        section_b: The site at its end.
        section_corridor: Corridor of each section: its number. No two sections of a railroad have the same.
        section_lines: LineStrings from site a to site b; equal, or one the reverse of the other, in a corridor.
        repairs: Sections that were moved onto the shared line, as `offset from shared track`, with the Hausdorff
            distance as size.
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
class _DraftSection:
    """Section before lines are shared: the edge from `start` to `end` along it."""

    edge: int
    a: int
    b: int
    start: float
    end: float


def find_corridors(noded: NodedNetwork, *, tolerance: float) -> Corridors:
    """Cut the edges of a network into sections, and group sections that several railroads share.

    Without shared track every node is a site of its own and every edge a section of its own.

    Args:
        noded: A network of noded lines, in a plane.
        tolerance: How far apart the lines of one corridor may be; above 0, in the unit of the coordinates.

    Raises:
        ValueError: The tolerance is not above 0.
    """
    if not tolerance > 0 or not np.isfinite(tolerance):
        raise ValueError(f"tolerance {tolerance} is not above 0")
    track = lines_to_rails(noded.edge_lines)
    rank = _rank_edges(noded, track)
    edge_nodes = np.stack((noded.edge_a, noded.edge_b), axis=1)
    stretches = find_shared_stretches(
        track,
        railroad=noded.edge_railroad,
        rank=rank,
        nodes=edge_nodes,
        pinned=noded.node_pin >= 0,
        tolerance=tolerance,
    )
    if not stretches:
        return _keep_edges_as_sections(noded)
    cuts = find_cuts(noded, track, stretches, rank=rank, tolerance=tolerance)
    draft_sections = _cut_into_sections(noded, track, cuts)
    section_lines = np.empty(len(draft_sections), dtype=object)
    for number, draft_section in enumerate(draft_sections):
        inner_xy = track.between(draft_section.edge, draft_section.start, draft_section.end, clear=_MIN_CLEARANCE)
        section_lines[number] = shapely.LineString(
            np.concatenate((cuts.xy[[draft_section.a]], inner_xy, cuts.xy[[draft_section.b]]))
        )
    corridor = _group_sections(draft_sections, stretches, noded.edge_railroad, rank)
    repairs = list(_find_offsets(draft_sections, section_lines, corridor, track, noded, tolerance))
    section_lines = _align_lines(draft_sections, section_lines, corridor)
    return Corridors(
        site_kind=cuts.kinds,
        site_xy=cuts.xy,
        node_site=cuts.of_node,
        section_edge=np.array([part.edge for part in draft_sections], dtype=np.int64),
        section_a=np.array([part.a for part in draft_sections], dtype=np.int64),
        section_b=np.array([part.b for part in draft_sections], dtype=np.int64),
        section_corridor=corridor,
        section_lines=section_lines,
        repairs=tuple(sorted(repairs)),
    )


def _keep_edges_as_sections(noded: NodedNetwork) -> Corridors:
    edge_numbers = np.arange(len(noded.edge_a), dtype=np.int64)
    return Corridors(
        site_kind=tuple(classify_nodes(noded)),
        site_xy=noded.node_xy,
        node_site=np.arange(len(noded.node_xy), dtype=np.int64),
        section_edge=edge_numbers,
        section_a=noded.edge_a,
        section_b=noded.edge_b,
        section_corridor=edge_numbers,
        section_lines=noded.edge_lines,
        repairs=(),
    )


def _rank_edges(noded: NodedNetwork, track: LineArrays) -> Ints:
    """Rank edges by railroad, ends and length, independent of their drawn direction."""
    end_xy = np.concatenate((track.xy[track.first], track.xy[track.last]), axis=1)
    is_reversed = (end_xy[:, 0] > end_xy[:, 2]) | ((end_xy[:, 0] == end_xy[:, 2]) & (end_xy[:, 1] > end_xy[:, 3]))
    end_xy[is_reversed] = end_xy[is_reversed][:, [2, 3, 0, 1]]
    order = np.lexsort((track.lengths, *end_xy.T[::-1], noded.edge_railroad))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank


def _cut_into_sections(noded: NodedNetwork, track: LineArrays, cuts: SiteCuts) -> list[_DraftSection]:
    moved_by = np.linalg.norm(cuts.xy[cuts.of_node] - noded.node_xy, axis=1)
    draft_sections: list[_DraftSection] = []
    for edge, (a, b) in enumerate(zip(noded.edge_a.tolist(), noded.edge_b.tolist(), strict=True)):
        edge_cuts = cuts.cuts.get(edge)
        if edge_cuts is None:
            # If a site is not exactly at the node, the part of the line between them would be a spike.
            ends = (float(moved_by[a]), float(track.lengths[edge] - moved_by[b]))
            start, end = ends if ends[0] < ends[1] else (0.0, float(track.lengths[edge]))
            edge_cuts = [(start, int(cuts.of_node[a])), (end, int(cuts.of_node[b]))]
        draft_sections += [
            _DraftSection(edge, first_cut[1], next_cut[1], first_cut[0], next_cut[0])
            for first_cut, next_cut in pairwise(edge_cuts)
        ]
    return draft_sections


def _group_sections(parts: list[_DraftSection], shared: list[SharedStretch], railroad: Ints, rank: Ints) -> Ints:
    """Return for each section the number of the first section, by rank, of its corridor."""
    sections_of_edge: dict[int, list[int]] = defaultdict(list)
    for number, part in enumerate(parts):
        sections_of_edge[part.edge].append(number)
    group_of_section = list(range(len(parts)))
    sections_of_group: dict[int, list[int]] = {number: [number] for number in group_of_section}
    for stretch in shared:
        for number in sections_of_edge[stretch.one]:
            section_beside = _find_section_beside(stretch, parts, number, sections_of_edge[stretch.other])
            if section_beside is None or group_of_section[number] == group_of_section[section_beside]:
                continue
            kept_group, merged_group = (
                sections_of_group[group_of_section[number]],
                sections_of_group[group_of_section[section_beside]],
            )
            if {railroad[parts[n].edge] for n in kept_group} & {railroad[parts[n].edge] for n in merged_group}:
                continue
            merged_number = group_of_section[section_beside]
            kept_group += sections_of_group.pop(merged_number)
            for member_section in merged_group:
                group_of_section[member_section] = group_of_section[number]
    corridor_numbers = np.arange(len(parts), dtype=np.int64)
    for group_sections in sections_of_group.values():
        corridor_numbers[group_sections] = min(group_sections, key=lambda n: (int(rank[parts[n].edge]), n))
    return corridor_numbers


def _find_section_beside(
    stretch: SharedStretch, parts: list[_DraftSection], number: int, others: list[int]
) -> int | None:
    """Return the section of the other edge that has the same ends and lies beside the middle of this one."""
    own_section = parts[number]
    middle_beside = stretch.across((own_section.start + own_section.end) / 2, 0.0)
    if middle_beside is None:
        return None
    for other_number in others:
        other_section = parts[other_number]
        if other_section.start <= middle_beside <= other_section.end and {own_section.a, own_section.b} == {
            other_section.a,
            other_section.b,
        }:
            return other_number
    return None


def _align_lines(parts: list[_DraftSection], lines: Shapes, corridor: Ints) -> Shapes:
    """Replace the line of each section by that of the first section of its corridor."""
    aligned_lines = lines.copy()
    for number in np.flatnonzero(corridor != np.arange(len(parts))):
        part, first_section = parts[number], parts[corridor[number]]
        shared_line = lines[corridor[number]]
        is_reversed = part.a != first_section.a
        if part.a == part.b:  # a ring: the way round decides
            is_reversed = shapely.is_ccw(shared_line) != shapely.is_ccw(lines[number])
        aligned_lines[number] = shapely.reverse(shared_line) if is_reversed else shared_line
    return aligned_lines


def _find_offsets(
    parts: list[_DraftSection], lines: Shapes, corridor: Ints, track: LineArrays, noded: NodedNetwork, tolerance: float
) -> Iterator[Repair]:
    """Yield a repair for each section that moves onto the line of its corridor, with the distance."""
    for number in np.flatnonzero(corridor != np.arange(len(parts))):
        part = parts[number]
        end_points = [track.at(part.edge, at)[None] for at in (part.start, part.end)]
        inner_xy = track.between(part.edge, part.start, part.end, clear=_MIN_CLEARANCE)
        drawn_line = shapely.LineString(np.concatenate((end_points[0], inner_xy, end_points[1])))
        offset_size = float(shapely.hausdorff_distance(drawn_line, lines[corridor[number]]))
        if offset_size > _MIN_OFFSET * tolerance:
            x, y = shapely.get_coordinates(shapely.line_interpolate_point(drawn_line, 0.5, normalized=True))[0].tolist()
            yield Repair("offset from shared track", x, y, offset_size, int(noded.edge_source[part.edge]))
