"""Corridors measured: lines laid together, their lengths on the earth, and where their mileposts are wanted.

A section of one target gap `t` and `L` miles has the measure `L / t`; one that passes regions with different targets
has the sum of the measures of its parts. The number of steps is the rounded measure, and mileposts stand evenly in
it: so the gaps change where the target does, and no milepost has to stand at the border.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapkit.core.base import Point
from mapkit.core.geodesy import METRES_PER_MILE, geod
from mapkit.kinds.rail.trace.naming import Chunks, in_space
from mapkit.kinds.rail.trace.spacing.regions import Regions, Samples, Span, no_regions
from mapkit.kinds.rail.trace.spacing.types import Anchor, Section, SpacingRule

_TIE = 1e-6  # of a step: centimetres, far above rounding and far below what anybody draws
_CHUNK_MILES = 5.0
_SAMPLE_MILES = 1.0
_AT_ANCHOR_DEGREES = 1e-3  # a line starts at its anchor to about a hundred metres
_MIN_ON_LOOP = 2  # fewer would make a step from a milepost to itself, or two alike

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Measured:
    """A line with its lengths.

    Attributes:
        line: `(lon, lat)` in degrees, shape (n, 2).
        along: Miles to each vertex, shape (n,).
        azimuth: Of each edge at its start, degrees, shape (n - 1,).
    """

    line: Floats
    along: Floats
    azimuth: Floats

    @property
    def miles(self) -> float:
        """The length in miles."""
        return float(self.along[-1])

    def points(self, miles: Sequence[float] | Floats) -> list[Point]:
        """Return the points that far along the line, on its geodesic edges."""
        at = np.asarray(miles, dtype=np.float64)
        edge = np.clip(np.searchsorted(self.along, at, side="right") - 1, 0, len(self.azimuth) - 1)
        start = self.line[edge]
        lon, lat, _ = geod().fwd(
            start[:, 0], start[:, 1], self.azimuth[edge], (at - self.along[edge]) * METRES_PER_MILE
        )
        return [(float(x), float(y)) for x, y in zip(lon, lat, strict=True)]


@dataclass(frozen=True, eq=False)
class Corridor:
    """Sections that share one line, from the anchor with the smaller id to the other.

    Attributes:
        id: The id of the first section.
        a: Where the line starts.
        b: Where it ends.
        track: The line.
        railroads: All that run on it, sorted.
        members: The sections; True for one drawn the other way round.
        regions: Those that it passes.
        target: The gap asked for, or the mean of several.
        gap: The mean gap that it gets, in miles.
        stops: Where mileposts are wanted, in miles, shape (n,).
        gaps: The gap at each of them, in miles, shape (n,).
        tie: Whether one milepost fewer would do as well.
    """

    id: str
    a: Anchor
    b: Anchor
    track: Measured
    railroads: tuple[str, ...]
    members: tuple[tuple[Section, bool], ...]
    regions: tuple[str, ...]
    target: float
    gap: float
    stops: Floats
    gaps: Floats
    tie: bool

    @property
    def miles(self) -> float:
        """The length in miles."""
        return self.track.miles


def new_mileposts(miles: float, target: float, *, junctions: int = 0, junction_share: float = 0.5) -> int:
    """Return how many mileposts go between two anchors.

    `round(miles / target)` steps, at least one, have one milepost fewer. Each end that is a junction takes
    `1 - junction_share` of a step away. Ties, to a millionth of a step, go up.
    """
    return _rounded(miles / target + junctions * (1 - junction_share) - 1)


def _rounded(wanted: float) -> int:
    return max(0, math.floor(wanted + 0.5 + _TIE))


def anchors_of(sections: Sequence[Section]) -> list[Anchor]:
    """Return the anchors by id.

    Raises:
        ValueError: Two sections, or two different anchors, have one id.
    """
    out: dict[str, Anchor] = {}
    ids: set[str] = set()
    for section in sections:
        if section.id in ids:
            raise ValueError(f"section {section.id!r} is given twice")
        ids.add(section.id)
        for anchor in (section.a, section.b):
            if out.setdefault(anchor.id, anchor) != anchor:
                raise ValueError(f"anchor {anchor.id!r} is not the same in every section")
    return [out[ident] for ident in sorted(out)]


def corridors_of(
    sections: Sequence[Section], rule: SpacingRule, cities: Sequence[tuple[str, float, float]] = ()
) -> list[Corridor]:
    """Lay sections with the same line together, by id of the first, and say where they want mileposts.

    Args:
        sections: Those of the network.
        rule: How far apart.
        cities: Region, longitude and latitude of each city; needed if the rule has targets of regions.

    Raises:
        ValueError: A section has no length, or does not begin or end at its anchor.
    """
    groups: dict[tuple[str, str, tuple[Point, ...]], list[tuple[Section, bool, Floats]]] = defaultdict(list)
    for section in sorted(sections, key=lambda s: s.id):
        line = _checked_line(section)
        rounded = tuple((round(lon, 6), round(lat, 6)) for lon, lat in section.line)
        ways = (
            (section.a.id, section.b.id, rounded),
            (section.b.id, section.a.id, tuple(reversed(rounded))),
        )
        turned = ways[1] < ways[0]
        groups[min(ways)].append((section, turned, line[::-1] if turned else line))
    tracks = list(_measure([group[0][2] for group in groups.values()]))
    spans = _spans(tracks, cities) if rule.regions and cities and tracks else no_regions(len(tracks))
    return [
        _corridor([(section, turned) for section, turned, _ in group], track, own, rule)
        for group, track, own in zip(groups.values(), tracks, spans, strict=True)
    ]


def _spans(tracks: Sequence[Measured], cities: Sequence[tuple[str, float, float]]) -> Sequence[tuple[Span, ...]]:
    cut = chunks(tracks, miles=_SAMPLE_MILES)
    last = np.append(np.flatnonzero(np.diff(cut.line)), len(cut.line) - 1)
    line = np.concatenate((cut.line, cut.line[last]))
    along = np.concatenate((cut.along, cut.along[last] + cut.miles[last]))
    order = np.lexsort((along, line))
    xyz = np.concatenate((cut.start, cut.end[last]))
    return Regions(cities).spans(Samples(line[order], along[order], xyz[order]), len(tracks))


def _checked_line(section: Section) -> Floats:
    line = np.asarray(section.line, dtype=np.float64)
    if line.ndim != 2 or len(line) < 2 or not np.isfinite(line).all():  # noqa: PLR2004 - two points of two numbers
        raise ValueError(f"section {section.id!r} is not a line of finite coordinates")
    for anchor, (lon, lat) in ((section.a, line[0]), (section.b, line[-1])):
        aside = abs((lon - anchor.lon + 180) % 360 - 180)
        if max(aside, abs(lat - anchor.lat)) > _AT_ANCHOR_DEGREES:
            raise ValueError(f"section {section.id!r} does not reach its anchor {anchor.id!r}")
    return line


def _measure(lines: Sequence[Floats]) -> Iterator[Measured]:
    """Yield each line measured, all of them in one call."""
    if not lines:
        return
    starts = np.concatenate([line[:-1] for line in lines])
    ends = np.concatenate([line[1:] for line in lines])
    azimuth, _, metres = geod().inv(starts[:, 0], starts[:, 1], ends[:, 0], ends[:, 1])
    at = 0
    for line in lines:
        after = at + len(line) - 1
        # Summed line by line: a running sum over all of them would let one line round another's lengths.
        along = np.concatenate(([0.0], np.cumsum(metres[at:after]))) / METRES_PER_MILE
        yield Measured(line, along, np.asarray(azimuth[at:after]))
        at = after


def _corridor(
    members: Sequence[tuple[Section, bool]], track: Measured, spans: Sequence[Span], rule: SpacingRule
) -> Corridor:
    section, turned = members[0]
    a, b = (section.b, section.a) if turned else (section.a, section.b)
    miles = track.miles
    if miles <= 0:
        raise ValueError(f"section {section.id!r} has no length")
    railroads = tuple(sorted({railroad for each, _ in members for railroad in each.railroads}))
    targets = np.array([rule.target(railroads, span.region) for span in spans])
    borders = np.array([*(span.start for span in spans), miles])
    measures = np.concatenate(([0.0], np.cumsum(np.diff(borders) / targets)))
    total = float(measures[-1])
    spare = 1 - rule.junction_share
    junctions = (a.kind == "junction") + (b.kind == "junction")
    wanted = total + junctions * spare - 1
    count = _rounded(wanted)
    if a.id == b.id and count:
        count = max(count, _MIN_ON_LOOP)
    step = total / (count + 1 - junctions * spare) if count else total  # 1 would be what the rule asks for
    first = step * (rule.junction_share if a.kind == "junction" else 1.0)
    stops = np.interp(first + step * np.arange(count, dtype=np.float64), measures, borders)
    return Corridor(
        id=section.id,
        a=a,
        b=b,
        track=track,
        railroads=railroads,
        members=tuple(members),
        regions=tuple(sorted({span.region for span in spans} - {""})),
        target=float(targets[0]) if len(set(targets.tolist())) == 1 else round(miles / total, 6),
        gap=miles * step / total,
        stops=stops,
        gaps=step * targets[np.clip(np.searchsorted(borders, stops, side="right") - 1, 0, len(targets) - 1)],
        tie=count > 0 and abs(wanted + 0.5 - round(wanted + 0.5)) <= _TIE,
    )


def chunks(tracks: Sequence[Measured], *, miles: float = _CHUNK_MILES) -> Chunks:
    """Cut every line at its vertices, and longer edges between them, into chunks of at most so many miles."""
    start, azimuth, along, reach, number = [], [], [], [], []
    for index, track in enumerate(tracks):
        lengths = np.diff(track.along)
        parts = np.maximum(1, np.ceil(lengths / miles)).astype(np.int64)
        edge = np.repeat(np.arange(len(lengths)), parts)
        step = np.arange(len(edge)) - np.repeat(np.cumsum(parts) - parts, parts)
        length = (lengths / parts)[edge]
        start.append(track.line[:-1][edge])
        azimuth.append(track.azimuth[edge])
        along.append(track.along[:-1][edge] + step * length)
        reach.append(np.stack((step * length, (step + 1) * length)))
        number.append(np.full(len(edge), index, dtype=np.int64))
    points, directions = np.concatenate(start), np.concatenate(azimuth)
    from_vertex = np.concatenate(reach, axis=1)
    ends = [
        in_space(*geod().fwd(points[:, 0], points[:, 1], directions, each * METRES_PER_MILE)[:2])
        for each in from_vertex
    ]
    return Chunks(np.concatenate(number), ends[0], ends[1], np.concatenate(along), from_vertex[1] - from_vertex[0])
