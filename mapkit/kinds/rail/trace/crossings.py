"""Places where lines of different railroads meet off any milepost.

Where a line ends, they get a milepost of both. Where lines only cross or part, they do if the author wants it.
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
    """A place in the plane, the railroads that meet there, sorted, and whether a line ends there."""

    x: float
    y: float
    railroads: tuple[str, ...]
    of_end: bool


@dataclass(frozen=True)
class Joint:
    """A vertex of two tracks at which a drawn line ends."""

    at: tuple[float, float]
    tracks: tuple[int, int]


@dataclass(frozen=True)
class _Meeting:
    """Two tracks at a place; one of a node stays where the node is."""

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
    """Return where a line ends on the line of another railroad.

    What lies within the tolerance of a milepost of one of the two is left out; meetings within the tolerance of each
    other are one.

    Args:
        noded: The lines, joined railroad by railroad.
        shared: Their sections.
        tracks: What the railroad numbers of `noded` stand for.
        joints: Vertices that several tracks share, at which a drawn line ends.
        tolerance: In the unit of the coordinates.
        crossings: Return too where lines cross, or one branches on the line of another; corridors are not crossings.
    """
    search = _MeetingSearch(noded, shared, tracks, tolerance, crossings=crossings)
    meetings = [*search.at_nodes(), *search.at_joints(joints)]
    if crossings:
        meetings += search.on_lines()
    return sorted(_together(meetings, tracks, tolerance))


def find_joints(lines: Shapes, line_tracks: Ints) -> list[Joint]:
    """Return the vertices that several tracks share and at which a line ends, except along track that they share.

    Args:
        lines: LineStrings in metres, as drawn.
        line_tracks: The track of each line.
    """
    xy, counts = shapely.get_coordinates(lines), shapely.get_num_coordinates(lines).astype(np.int64)
    last = np.cumsum(counts) - 1
    first = last - counts + 1
    place = number_places(np.round(xy) + 0.0)
    vertex_track = np.repeat(np.asarray(line_tracks, dtype=np.int64), counts)
    ends_at = np.zeros(int(place.max(initial=-1)) + 1, dtype=np.bool_)
    ends_at[place[first]] = ends_at[place[last]] = True
    tracks_at = np.unique(np.stack((place, vertex_track), axis=1), axis=0)[:, 0]
    several = ends_at & (np.bincount(tracks_at, minlength=len(ends_at)) > 1)
    firsts, lasts = set(first.tolist()), set(last.tolist())
    beside: defaultdict[int, defaultdict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    at: dict[int, tuple[float, float]] = {}
    for vertex in np.flatnonzero(several[place]).tolist():
        own = beside[int(place[vertex])][int(vertex_track[vertex])]
        at.setdefault(int(place[vertex]), (float(xy[vertex, 0]), float(xy[vertex, 1])))
        own |= set() if vertex in firsts else {int(place[vertex - 1])}
        own |= set() if vertex in lasts else {int(place[vertex + 1])}
    return [
        Joint(at[where], (one, other))
        for where, neighbours in beside.items()
        for one in neighbours
        for other in neighbours
        if one < other and not (neighbours[one] <= neighbours[other] or neighbours[other] <= neighbours[one])
    ]


class _MeetingSearch:
    def __init__(
        self, noded: NodedNetwork, shared: Corridors, tracks: Sequence[Track], tolerance: float, *, crossings: bool
    ) -> None:
        self._tracks, self._shared, self._tolerance, self._crossings = tracks, shared, tolerance, crossings
        self._track = noded.edge_railroad[shared.section_edge].tolist()
        self._lines = shapely.STRtree(shared.section_lines)
        self._sites = shapely.STRtree(_points(shared.site_xy))
        self._at = tracks_of_sites(noded, shared)

    def _meet(self, one: int, other: int) -> bool:
        a, b = self._tracks[one], self._tracks[other]
        return a[0] != b[0] and a[1] == b[1]

    def at_nodes(self) -> Iterator[_Meeting]:
        """Yield the ends, and with crossings the junctions, that lie on a line of another railroad."""
        shared = self._shared
        kinds = {"end", "junction"} if self._crossings else {"end"}
        sites = [site for site in sorted(self._at) if shared.site_kind[site] in kinds]
        points = _points(shared.site_xy[sites])
        near, sections = self._lines.query(points, predicate="dwithin", distance=self._tolerance)
        found = np.column_stack((near, sections)).tolist()
        pairs = {(sites[number], self._track[section]) for number, section in found}
        for site, other in sorted(pairs):
            x, y = shared.site_xy[site].tolist()
            own = min((one for one in self._at[site] if self._meet(one, other)), default=None)
            if own is not None and other not in self._at[site] and not self._settled((x, y), own, other):
                yield _Meeting((x, y), (own, other), of_node=True, of_end=shared.site_kind[site] == "end")

    def at_joints(self, joints: Sequence[Joint]) -> Iterator[_Meeting]:
        """Yield the joints of lines that may meet and do not yet."""
        for joint in joints:
            if self._meet(*joint.tracks) and not self._settled(joint.at, *joint.tracks):
                yield _Meeting(joint.at, joint.tracks, of_node=True, of_end=True)

    def on_lines(self) -> Iterator[_Meeting]:
        """Yield the crossings of sections that are not of one corridor."""
        shared = self._shared
        pairs = self._lines.query(shared.section_lines, predicate="intersects").T.tolist()
        for one, other in sorted((a, b) for a, b in pairs if a < b):
            a, b = self._track[one], self._track[other]
            if not self._meet(a, b) or shared.section_corridor[one] == shared.section_corridor[other]:
                continue
            both = shapely.intersection(shared.section_lines[one], shared.section_lines[other])
            for part in shapely.get_parts(both):
                x, y = shapely.get_coordinates(shapely.centroid(part))[0].tolist()
                if not self._settled((x, y), a, b):
                    yield _Meeting((x, y), (min(a, b), max(a, b)), of_node=False, of_end=False)

    def _settled(self, at: tuple[float, float], one: int, other: int) -> bool:
        """Return whether two tracks meet near a place already, or a milepost of one of them stands there."""
        near = self._sites.query(shapely.Point(at), predicate="dwithin", distance=self._tolerance)
        for site in near.tolist():
            stopping, kind = self._at.get(site, set()), self._shared.site_kind[site]
            if kind == "milepost" and (not stopping or stopping & {one, other}):
                return True
            if {one, other} <= stopping and (kind == "end" or self._crossings):
                return True
        return False


def tracks_of_sites(noded: NodedNetwork, shared: Corridors) -> dict[int, set[int]]:
    """Return the tracks that have each site."""
    track = noded.edge_railroad[shared.section_edge].tolist()
    out: defaultdict[int, set[int]] = defaultdict(set)
    for ends in (shared.section_a, shared.section_b):
        for section, site in enumerate(ends.tolist()):
            out[site].add(track[section])
    return dict(out)


def _points(xy: Floats) -> Shapes:
    return np.asarray(shapely.points(xy.reshape(-1, 2)), dtype=object)


def _together(meetings: Sequence[_Meeting], tracks: Sequence[Track], tolerance: float) -> Iterator[MeetingPlace]:
    """Yield one place for meetings near each other: that of a node, if one is among them, else the middle."""
    if not meetings:
        return
    points = _points(np.array([meeting.at for meeting in meetings]))
    beside: defaultdict[int, list[int]] = defaultdict(list)
    for a, b in shapely.STRtree(points).query(points, predicate="dwithin", distance=tolerance).T.tolist():
        beside[a].append(b)
    left = set(range(len(meetings)))
    for start in range(len(meetings)):
        if start not in left:
            continue
        left.discard(start)
        group, todo = [start], [start]
        while todo:
            fresh = sorted(left.intersection(beside[todo.pop()]))
            left.difference_update(fresh)
            group += fresh
            todo += fresh
        nodes = sorted(meetings[n].at for n in group if meetings[n].of_node)
        x, y = nodes[0] if nodes else np.mean([meetings[n].at for n in group], axis=0).tolist()
        railroads = tuple(sorted({tracks[t][0] for n in group for t in meetings[n].tracks}))
        yield MeetingPlace(x, y, railroads, any(meetings[n].of_end for n in group))
