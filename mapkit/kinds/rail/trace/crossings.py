"""Places off any milepost where lines of different railroads meet.

Where a line ends, both railroads get a milepost. Where lines only cross or part, they get one if the author asks
for it.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from mapkit.kinds.rail.trace.corridors.finding import Corridors
from mapkit.kinds.rail.trace.noding.arrays import Floats, Ints, Shapes, number_places
from mapkit.kinds.rail.trace.noding.joining import NodedNetwork

Track = tuple[str, int]
"""A railroad and a level; lines of two levels do not meet."""


@dataclass(frozen=True, order=True)
class MeetingPlace:
    """Place in the plane, the railroads that meet there, sorted, and whether a line ends there."""

    x: float
    y: float
    railroads: tuple[str, ...]
    of_end: bool


@dataclass(frozen=True)
class Joint:
    """Vertex of two tracks at the end of a drawn line."""

    at: tuple[float, float]
    tracks: tuple[int, int]


@dataclass(frozen=True)
class _Meeting:
    """Two tracks that meet at a point; a meeting at a node keeps the node's position."""

    at: tuple[float, float]
    tracks: tuple[int, int]
    of_node: bool
    of_end: bool


def find_meetings(
    noded: NodedNetwork,
    shared: Corridors,
    tracks: Sequence[Track],
    *,
    joints: Sequence[Joint],
    tolerance: float,
    crossings: bool,
) -> list[MeetingPlace]:
    """Find the places where a line ends on the line of another railroad.

    Meetings within the tolerance of a milepost of one of the two are left out; meetings within the tolerance of each
    other are merged.

    Args:
        noded: The lines, joined railroad by railroad.
        shared: Their sections.
        tracks: Railroads and levels by the railroad numbers of `noded`.
        joints: Vertices that several tracks share, at which a drawn line ends.
        tolerance: In the unit of the coordinates.
        crossings: Also return crossings, and branches on the line of another; corridors are not crossings.
    """
    search = _MeetingSearch(noded, shared, tracks, tolerance, crossings=crossings)
    meetings = [*search.at_nodes(), *search.at_joints(joints)]
    if crossings:
        meetings += search.on_lines()
    return sorted(_merge_meetings(meetings, tracks, tolerance))


def find_joints(lines: Shapes, line_tracks: Ints) -> list[Joint]:
    """Find the vertices of several tracks at the end of a line, except along shared track.

    Args:
        lines: LineStrings in metres, as drawn.
        line_tracks: The track of each line.
    """
    xy, counts = shapely.get_coordinates(lines), shapely.get_num_coordinates(lines).astype(np.int64)
    last = np.cumsum(counts) - 1
    first = last - counts + 1
    place_number = number_places(np.round(xy) + 0.0)
    vertex_track = np.repeat(np.asarray(line_tracks, dtype=np.int64), counts)
    has_end = np.zeros(int(place_number.max(initial=-1)) + 1, dtype=np.bool_)
    has_end[place_number[first]] = has_end[place_number[last]] = True
    tracks_at = np.unique(np.stack((place_number, vertex_track), axis=1), axis=0)[:, 0]
    is_shared_end = has_end & (np.bincount(tracks_at, minlength=len(has_end)) > 1)
    first_vertices, last_vertices = set(first.tolist()), set(last.tolist())
    neighbours_by_place: defaultdict[int, defaultdict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    xy_by_place: dict[int, tuple[float, float]] = {}
    for vertex in np.flatnonzero(is_shared_end[place_number]).tolist():
        neighbours = neighbours_by_place[int(place_number[vertex])][int(vertex_track[vertex])]
        xy_by_place.setdefault(int(place_number[vertex]), (float(xy[vertex, 0]), float(xy[vertex, 1])))
        neighbours |= set() if vertex in first_vertices else {int(place_number[vertex - 1])}
        neighbours |= set() if vertex in last_vertices else {int(place_number[vertex + 1])}
    return [
        Joint(xy_by_place[place_index], (first_track, second_track))
        for place_index, neighbours in neighbours_by_place.items()
        for first_track in neighbours
        for second_track in neighbours
        if first_track < second_track
        and not (
            neighbours[first_track] <= neighbours[second_track] or neighbours[second_track] <= neighbours[first_track]
        )
    ]


class _MeetingSearch:
    def __init__(
        self, noded: NodedNetwork, shared: Corridors, tracks: Sequence[Track], tolerance: float, *, crossings: bool
    ) -> None:
        self._tracks, self._shared, self._tolerance, self._crossings = tracks, shared, tolerance, crossings
        self._track_of_section = noded.edge_railroad[shared.section_edge].tolist()
        self._lines = shapely.STRtree(shared.section_lines)
        self._sites = shapely.STRtree(_make_points(shared.site_xy))
        self._tracks_at_site = find_tracks_of_sites(noded, shared)

    def _may_meet(self, one: int, other: int) -> bool:
        a, b = self._tracks[one], self._tracks[other]
        return a[0] != b[0] and a[1] == b[1]

    def at_nodes(self) -> Iterator[_Meeting]:
        """Yield the ends, and with crossings the junctions, that lie on a line of another railroad."""
        shared = self._shared
        kinds = {"end", "junction"} if self._crossings else {"end"}
        sites = [site for site in sorted(self._tracks_at_site) if shared.site_kind[site] in kinds]
        points = _make_points(shared.site_xy[sites])
        site_numbers, sections = self._lines.query(points, predicate="dwithin", distance=self._tolerance)
        near_pairs = np.column_stack((site_numbers, sections)).tolist()
        site_tracks = {(sites[number], self._track_of_section[section]) for number, section in near_pairs}
        for site, other_track in sorted(site_tracks):
            x, y = shared.site_xy[site].tolist()
            own_track = min(
                (site_track for site_track in self._tracks_at_site[site] if self._may_meet(site_track, other_track)),
                default=None,
            )
            if (
                own_track is not None
                and other_track not in self._tracks_at_site[site]
                and not self._is_settled((x, y), own_track, other_track)
            ):
                yield _Meeting((x, y), (own_track, other_track), of_node=True, of_end=shared.site_kind[site] == "end")

    def at_joints(self, joints: Sequence[Joint]) -> Iterator[_Meeting]:
        """Yield the joints of lines that may meet and do not yet."""
        for joint in joints:
            if self._may_meet(*joint.tracks) and not self._is_settled(joint.at, *joint.tracks):
                yield _Meeting(joint.at, joint.tracks, of_node=True, of_end=True)

    def on_lines(self) -> Iterator[_Meeting]:
        """Yield the crossings of sections that are not of one corridor."""
        shared = self._shared
        section_pairs = self._lines.query(shared.section_lines, predicate="intersects").T.tolist()
        for section_a, section_b in sorted(
            (first_track, second_track) for first_track, second_track in section_pairs if first_track < second_track
        ):
            first_track, second_track = self._track_of_section[section_a], self._track_of_section[section_b]
            if (
                not self._may_meet(first_track, second_track)
                or shared.section_corridor[section_a] == shared.section_corridor[section_b]
            ):
                continue
            intersection = shapely.intersection(shared.section_lines[section_a], shared.section_lines[section_b])
            for part in shapely.get_parts(intersection):
                x, y = shapely.get_coordinates(shapely.centroid(part))[0].tolist()
                if not self._is_settled((x, y), first_track, second_track):
                    yield _Meeting(
                        (x, y),
                        (min(first_track, second_track), max(first_track, second_track)),
                        of_node=False,
                        of_end=False,
                    )

    def _is_settled(self, at: tuple[float, float], one: int, other: int) -> bool:
        """Return whether two tracks meet near a place already, or one of them has a milepost there."""
        nearby_sites = self._sites.query(shapely.Point(at), predicate="dwithin", distance=self._tolerance)
        for site in nearby_sites.tolist():
            site_tracks, kind = self._tracks_at_site.get(site, set()), self._shared.site_kind[site]
            if kind == "milepost" and (not site_tracks or site_tracks & {one, other}):
                return True
            if {one, other} <= site_tracks and (kind == "end" or self._crossings):
                return True
        return False


def find_tracks_of_sites(noded: NodedNetwork, shared: Corridors) -> dict[int, set[int]]:
    """Return the tracks through each site."""
    section_tracks = noded.edge_railroad[shared.section_edge].tolist()
    tracks_by_site: defaultdict[int, set[int]] = defaultdict(set)
    for ends in (shared.section_a, shared.section_b):
        for section, site in enumerate(ends.tolist()):
            tracks_by_site[site].add(section_tracks[section])
    return dict(tracks_by_site)


def _make_points(xy: Floats) -> Shapes:
    return np.asarray(shapely.points(xy.reshape(-1, 2)), dtype=object)


def _merge_meetings(meetings: Sequence[_Meeting], tracks: Sequence[Track], tolerance: float) -> Iterator[MeetingPlace]:
    """Merge meetings near each other: at the first node among them, otherwise at their mean."""
    if not meetings:
        return
    points = _make_points(np.array([meeting.at for meeting in meetings]))
    near_meetings: defaultdict[int, list[int]] = defaultdict(list)
    for a, b in shapely.STRtree(points).query(points, predicate="dwithin", distance=tolerance).T.tolist():
        near_meetings[a].append(b)
    remaining = set(range(len(meetings)))
    for start in range(len(meetings)):
        if start not in remaining:
            continue
        remaining.discard(start)
        group, to_visit = [start], [start]
        while to_visit:
            new_members = sorted(remaining.intersection(near_meetings[to_visit.pop()]))
            remaining.difference_update(new_members)
            group += new_members
            to_visit += new_members
        node_places = sorted(meetings[n].at for n in group if meetings[n].of_node)
        x, y = node_places[0] if node_places else np.mean([meetings[n].at for n in group], axis=0).tolist()
        railroads = tuple(sorted({tracks[t][0] for n in group for t in meetings[n].tracks}))
        yield MeetingPlace(x, y, railroads, any(meetings[n].of_end for n in group))
