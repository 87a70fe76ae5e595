"""Cuts of lines that share a corridor: at each other's nodes, and where they part.

A *site* is a place that lines share: a node, the nodes of several railroads within two tolerances of each other along
a corridor, or a place where lines part off any node. Each site on one line of a corridor is passed to the lines
beside it, until all of them have it. Pinned mileposts are not passed on: noding has decided already which lines pass
through them.
"""

from bisect import bisect_left, insort
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import shapely

from mapkit.kinds.rail.trace.corridors.shared_stretches import LineArrays, SharedStretch
from mapkit.kinds.rail.trace.noding.arrays import Floats, Ints, Shapes
from mapkit.kinds.rail.trace.noding.joining import NodedNetwork

SiteKind = Literal["milepost", "end", "junction"]

_JOIN_REACH = 2.0  # in tolerances: sites of different railroads this near along a corridor are one
_PARTING_REACH = 3.0  # the end of a corridor is moved to a site of both lines this near
_MAX_BEND = 1.5  # a line is bent to a site by at most this
_MIN_APART = 0.05  # sites nearer than this along a line would leave a piece of no length
_MAX_MOVE = 3.0
_MIN_BRANCHES = 3
_KIND_RANK: dict[SiteKind, int] = {"milepost": 0, "end": 1, "junction": 2}


@dataclass(eq=False)
class _Site:
    """Site under construction; of merged sites, that of the smallest `rank` keeps its place."""

    kind: SiteKind
    xy: tuple[float, float]
    rank: tuple[int, int, float, float]
    railroads: set[int]
    edges: set[int]


@dataclass(frozen=True, eq=False)
class SiteCuts:
    """Sites, and the cuts of the edges that share track.

    Attributes:
        kinds: Kind of each site: a pin; an end of a line, which becomes a milepost of all lines there; else a
            junction, which lines pass.
        xy: Their places, shape (n, 2).
        of_node: The site of each node.
        cuts: For each edge that shares track: how far along it each of its sites lies, from its start to its end.
    """

    kinds: tuple[SiteKind, ...]
    xy: Floats
    of_node: Ints
    cuts: dict[int, list[tuple[float, int]]]


def classify_nodes(noded: NodedNetwork) -> list[SiteKind]:
    """Classify each node: a pin, a junction of three arms or more, or the end of a line."""
    arm_counts = np.bincount(np.concatenate((noded.edge_a, noded.edge_b)), minlength=len(noded.node_xy))
    return [
        "milepost" if pin >= 0 else "junction" if arms >= _MIN_BRANCHES else "end"
        for pin, arms in zip(noded.node_pin.tolist(), arm_counts.tolist(), strict=True)
    ]


def find_cuts(
    noded: NodedNetwork, track: LineArrays, shared: Sequence[SharedStretch], *, rank: Ints, tolerance: float
) -> SiteCuts:
    """Find the cuts of the edges that share track."""
    cutter = _Cutter(noded, track, shared, tolerance)
    cutter.hand_on_nodes(rank)
    cutter.cut_where_they_part()
    return cutter.make_cuts(noded)


class _Cutter:
    def __init__(
        self, noded: NodedNetwork, track: LineArrays, shared: Sequence[SharedStretch], tolerance: float
    ) -> None:
        self._track, self._shared, self._tolerance = track, shared, tolerance
        self._lines: Shapes = noded.edge_lines
        self._railroad = noded.edge_railroad.tolist()
        self._stretches_of_edge: dict[int, list[SharedStretch]] = defaultdict(list)
        for stretch in shared:
            self._stretches_of_edge[stretch.one].append(stretch)
            self._stretches_of_edge[stretch.other].append(stretch.turned())
        self._spans_of_edge = {
            edge: np.array([(s.along[0], s.along[-1]) for s in stretches])
            for edge, stretches in self._stretches_of_edge.items()
        }
        self._sites = [
            _Site(kind, (x, y), (_KIND_RANK[kind], int(railroad), x, y), {int(railroad)} - {-1}, set())
            for kind, (x, y), railroad in zip(
                classify_nodes(noded), noded.node_xy.tolist(), noded.node_railroad, strict=True
            )
        ]
        self._parent_site = list(range(len(self._sites)))
        self._cuts: dict[int, list[tuple[float, int]]] = {}
        for edge in sorted(self._stretches_of_edge):
            a, b = int(noded.edge_a[edge]), int(noded.edge_b[edge])
            self._cuts[edge] = [(0.0, a), (float(track.lengths[edge]), b)]
            self._sites[a].edges.add(edge)
            self._sites[b].edges.add(edge)
        self._queue: deque[tuple[int, float, int]] = deque()

    def _find_root(self, site: int) -> int:
        while self._parent_site[site] != site:
            self._parent_site[site] = self._parent_site[self._parent_site[site]]
            site = self._parent_site[site]
        return site

    def hand_on_nodes(self, rank: Ints) -> None:
        """Pass ends to the lines beside, then junctions."""
        ranked_cuts = [
            (self._sites[site].rank, int(rank[edge]), edge, along, site) for edge, along, site in self._all_cuts()
        ]
        self._queue.extend((edge, along, site) for _, _, edge, along, site in sorted(ranked_cuts))
        self._hand_on_queued()

    def cut_where_they_part(self) -> None:
        """Add a site at each end of a stretch where both lines have none yet, first where most lines run."""
        stretch_ends = [
            (stretch, float(stretch.along[at]), float(stretch.beside[at])) for stretch in self._shared for at in (0, -1)
        ]
        stretch_ends.sort(
            key=lambda end: (
                -len(self._stretches_at(end[0].one, end[1], 0)) - len(self._stretches_at(end[0].other, end[2], 0))
            )
        )
        for stretch, along, beside in stretch_ends:
            if self._sites_near(stretch.one, along, _PARTING_REACH) & self._sites_near(
                stretch.other, beside, _PARTING_REACH
            ):
                continue
            x, y = self._track.at(stretch.one, along).tolist()
            site = len(self._sites)
            self._sites.append(_Site("junction", (x, y), (len(_KIND_RANK), 0, x, y), set(), set()))
            self._parent_site.append(site)
            self._cut_at_site(stretch.one, along, site)
            self._hand_on_queued()

    def _stretches_at(self, edge: int, along: float, tolerances: float) -> list[SharedStretch]:
        """Return the stretches of an edge that reach a place on it."""
        reach = tolerances * self._tolerance
        first_along, last_along = self._spans_of_edge[edge].T
        return [
            self._stretches_of_edge[edge][n]
            for n in np.flatnonzero((first_along - reach <= along) & (along <= last_along + reach))
        ]

    def _all_cuts(self) -> Iterable[tuple[int, float, int]]:
        return [(edge, along, site) for edge, cuts in self._cuts.items() for along, site in cuts]

    def _cuts_near(self, edge: int, along: float, tolerances: float) -> list[tuple[float, int]]:
        """Return the sites near a place on an edge with their distances, nearest first."""
        reach, cuts = tolerances * self._tolerance, self._cuts[edge]
        first_cut, end_cut = (
            bisect_left(cuts, (along - reach, -1)),
            bisect_left(cuts, (along + reach, len(self._sites))),
        )
        return sorted((abs(cut_along - along), self._find_root(site)) for cut_along, site in cuts[first_cut:end_cut])

    def _sites_near(self, edge: int, along: float, tolerances: float) -> set[int]:
        return {site for _, site in self._cuts_near(edge, along, tolerances)}

    def _hand_on_queued(self) -> None:
        while self._queue:
            edge, along, site = self._queue.popleft()
            for stretch in self._stretches_at(edge, along, _JOIN_REACH):
                beside = stretch.across(along, _JOIN_REACH * self._tolerance)
                if beside is not None:
                    self._cut_at_site(
                        stretch.other, min(max(beside, 0.0), float(self._track.lengths[stretch.other])), site
                    )

    def _cut_at_site(self, edge: int, along: float, site: int) -> None:
        """Cut an edge at a site: at an existing site that can be merged with it, or at a new one."""
        root = self._find_root(site)
        root_site = self._sites[root]
        if root_site.kind == "milepost" or edge in root_site.edges:
            return
        if np.hypot(*(self._track.at(edge, along) - root_site.xy)) > _MAX_BEND * self._tolerance:
            return
        nearby_cuts = self._cuts_near(edge, along, _JOIN_REACH)
        if any(self._merge_sites(root, nearby_site) for _, nearby_site in nearby_cuts):
            return
        if not nearby_cuts or nearby_cuts[0][0] > _MIN_APART * self._tolerance:
            insort(self._cuts[edge], (along, root))
            root_site.edges.add(edge)
            self._queue.append((edge, along, root))

    def _merge_sites(self, one: int, other: int) -> bool:
        """Merge two sites, unless a railroad or an edge has both, or one is pinned."""
        first_site, second_site = self._sites[one], self._sites[other]
        if (
            "milepost" in {first_site.kind, second_site.kind}
            or first_site.railroads & second_site.railroads
            or first_site.edges & second_site.edges
        ):
            return False
        kept_site, merged_site = (one, other) if first_site.rank <= second_site.rank else (other, one)
        self._parent_site[merged_site] = kept_site
        self._sites[kept_site].railroads |= self._sites[merged_site].railroads
        self._sites[kept_site].edges |= self._sites[merged_site].edges
        return True

    def make_cuts(self, noded: NodedNetwork) -> SiteCuts:
        """Number the remaining sites, and move each cut to the point of its line nearest to the site."""
        node_count = len(noded.node_xy)
        used_sites = {self._find_root(site) for site in range(node_count)}
        used_sites |= {self._find_root(site) for _, _, site in self._all_cuts()}
        new_number = {site: new_index for new_index, site in enumerate(sorted(used_sites))}
        kept_sites = [self._sites[site] for site in sorted(used_sites)]
        return SiteCuts(
            kinds=tuple(site.kind for site in kept_sites),
            xy=np.array([site.xy for site in kept_sites], dtype=np.float64).reshape(-1, 2),
            of_node=np.array([new_number[self._find_root(node)] for node in range(node_count)], dtype=np.int64),
            cuts={
                edge: [
                    (along, new_number[self._find_root(site)])
                    for along, (_, site) in zip(moved_along, cuts, strict=True)
                ]
                for edge, cuts in self._cuts.items()
                for moved_along in [self._move_cuts(edge, cuts)]
            },
        )

    def _move_cuts(self, edge: int, cuts: Sequence[tuple[float, int]]) -> list[float]:
        along_before = np.array([along for along, _ in cuts])
        xy = np.array([self._sites[self._find_root(site)].xy for _, site in cuts])
        along_after = shapely.line_locate_point(self._lines[edge], shapely.points(xy))
        along_after = np.where(
            np.abs(along_after - along_before) <= _MAX_MOVE * self._tolerance, along_after, along_before
        )
        is_monotonic = bool(np.all(np.diff(along_after) > _MIN_APART * self._tolerance / 2))
        moved_along: list[float] = (along_after if is_monotonic else along_before).tolist()
        return moved_along
