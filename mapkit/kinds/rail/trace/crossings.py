"""Where lines of different railroads meet off any milepost: places for mileposts, if the author wants them there."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from mapkit.kinds.rail.trace.corridors.finding import Corridors
from mapkit.kinds.rail.trace.noding.arrays import Floats, Shapes
from mapkit.kinds.rail.trace.noding.joining import NodedNetwork

Track = tuple[str, int]
"""A railroad and a level; lines of two levels do not meet."""


@dataclass(frozen=True, order=True)
class MeetingPlace:
    """A place in the plane, and the railroads that meet there, sorted."""

    x: float
    y: float
    railroads: tuple[str, ...]


@dataclass(frozen=True)
class _Meeting:
    """Two tracks at a place; one of a node stays where the node is."""

    at: tuple[float, float]
    tracks: tuple[int, int]
    of_node: bool


def find_crossings(
    noded: NodedNetwork, shared: Corridors, tracks: Sequence[Track], *, tolerance: float
) -> list[MeetingPlace]:
    """Return where lines of different railroads cross, or one ends or branches on the line of another.

    Corridors are not crossings. What lies within the tolerance of a pinned milepost, or of a site that both have, is
    left out; meetings within the tolerance of each other are one.

    Args:
        noded: The lines, joined railroad by railroad.
        shared: Their sections.
        tracks: What the railroad numbers of `noded` stand for.
        tolerance: In the unit of the coordinates.
    """
    found = _Found(noded, shared, tracks, tolerance)
    return sorted(_together([*found.at_nodes(), *found.on_lines()], tracks, tolerance))


class _Found:
    def __init__(self, noded: NodedNetwork, shared: Corridors, tracks: Sequence[Track], tolerance: float) -> None:
        self._tracks, self._shared, self._tolerance = tracks, shared, tolerance
        self._track = noded.edge_railroad[shared.section_edge].tolist()
        self._lines = shapely.STRtree(shared.section_lines)
        self._sites = shapely.STRtree(_points(shared.site_xy))
        self._at: defaultdict[int, set[int]] = defaultdict(set)
        for ends in (shared.section_a, shared.section_b):
            for section, site in enumerate(ends.tolist()):
                self._at[site].add(self._track[section])

    def _meet(self, one: int, other: int) -> bool:
        a, b = self._tracks[one], self._tracks[other]
        return a[0] != b[0] and a[1] == b[1]

    def at_nodes(self) -> Iterator[_Meeting]:
        """Yield the ends and junctions that lie on a line of another railroad."""
        shared = self._shared
        sites = [site for site in sorted(self._at) if shared.site_kind[site] != "milepost"]
        points = _points(shared.site_xy[sites])
        near, sections = self._lines.query(points, predicate="dwithin", distance=self._tolerance)
        found = np.column_stack((near, sections)).tolist()
        pairs = {(sites[number], self._track[section]) for number, section in found}
        for site, other in sorted(pairs):
            x, y = shared.site_xy[site].tolist()
            own = min((one for one in self._at[site] if self._meet(one, other)), default=None)
            if own is not None and other not in self._at[site] and not self._settled((x, y), own, other):
                yield _Meeting((x, y), (own, other), of_node=True)

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
                    yield _Meeting((x, y), (min(a, b), max(a, b)), of_node=False)

    def _settled(self, at: tuple[float, float], one: int, other: int) -> bool:
        """Return whether two tracks meet near a place already, or a milepost stands there."""
        near = self._sites.query(shapely.Point(at), predicate="dwithin", distance=self._tolerance)
        return any(
            self._shared.site_kind[site] == "milepost" or {one, other} <= self._at[site] for site in near.tolist()
        )


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
        yield MeetingPlace(x, y, tuple(sorted({tracks[t][0] for n in group for t in meetings[n].tracks})))
