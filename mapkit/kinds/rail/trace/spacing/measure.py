"""Measurement of corridors: shared lines, their geodesic lengths, and the target places of their mileposts.

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
from mapkit.kinds.rail.trace.naming import LineChunks, to_geocentric
from mapkit.kinds.rail.trace.spacing.regions import NearestRegions, Samples, Span, spans_without_regions
from mapkit.kinds.rail.trace.spacing.types import Anchor, Section, SpacingRule

_TIE_STEPS = 1e-6  # of a step: centimetres, far above rounding and far below the precision of drawings
_CHUNK_MILES = 5.0
_SAMPLE_MILES = 1.0
_AT_ANCHOR_DEGREES = 1e-3  # a line starts at its anchor to about a hundred metres
_MIN_ON_LOOP = 2  # fewer would make a step from a milepost to itself, or two alike

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class MeasuredLine:
    """Line with its lengths.

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
        """Length in miles."""
        return float(self.along[-1])

    def points(self, miles: Sequence[float] | Floats) -> list[Point]:
        """Return the points at these distances along the line, on its geodesic edges."""
        distances_mi = np.asarray(miles, dtype=np.float64)
        edge_number = np.clip(np.searchsorted(self.along, distances_mi, side="right") - 1, 0, len(self.azimuth) - 1)
        edge_start = self.line[edge_number]
        lon, lat, _ = geod().fwd(
            edge_start[:, 0],
            edge_start[:, 1],
            self.azimuth[edge_number],
            (distances_mi - self.along[edge_number]) * METRES_PER_MILE,
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
    track: MeasuredLine
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
        """Length in miles."""
        return self.track.miles


def count_new_mileposts(miles: float, target: float, *, junctions: int = 0) -> int:
    """Return the number of mileposts to place between two anchors.

    `round(miles / target)` steps, at least one, have one milepost fewer. Each end that is a junction takes
    half a step away. Ties, to a millionth of a step, go up.
    """
    return _round_count(miles / target + junctions / 2 - 1)


def _round_count(wanted: float) -> int:
    return max(0, math.floor(wanted + 0.5 + _TIE_STEPS))


def collect_anchors(sections: Sequence[Section]) -> list[Anchor]:
    """Return the anchors by id.

    Raises:
        ValueError: Two sections, or two different anchors, have one id.
    """
    anchor_by_id: dict[str, Anchor] = {}
    section_ids: set[str] = set()
    for section in sections:
        if section.id in section_ids:
            raise ValueError(f"section {section.id!r} is given twice")
        section_ids.add(section.id)
        for anchor in (section.a, section.b):
            if anchor_by_id.setdefault(anchor.id, anchor) != anchor:
                raise ValueError(f"anchor {anchor.id!r} is not the same in every section")
    return [anchor_by_id[ident] for ident in sorted(anchor_by_id)]


def measure_corridors(
    sections: Sequence[Section], rule: SpacingRule, cities: Sequence[tuple[str, float, float]] = ()
) -> list[Corridor]:
    """Group sections with the same line, by id of the first, and compute the places of their mileposts.

    Args:
        sections: Those of the network.
        rule: How far apart.
        cities: Region, longitude and latitude of each city; needed if the rule has targets of regions.

    Raises:
        ValueError: A section has no length, or does not begin or end at its anchor.
    """
    sections_by_line: dict[tuple[str, str, tuple[Point, ...]], list[tuple[Section, bool, Floats]]] = defaultdict(list)
    for section in sorted(sections, key=lambda s: s.id):
        line = np.asarray(section.line, dtype=np.float64)
        if line.ndim != 2 or len(line) < 2 or not np.isfinite(line).all():  # noqa: PLR2004 - two points of two numbers
            raise ValueError(f"section {section.id!r} is not a line of finite coordinates")
        for anchor, (end_lon, end_lat) in ((section.a, line[0]), (section.b, line[-1])):
            lon_distance = abs((end_lon - anchor.lon + 180) % 360 - 180)
            if max(lon_distance, abs(end_lat - anchor.lat)) > _AT_ANCHOR_DEGREES:
                raise ValueError(f"section {section.id!r} does not reach its anchor {anchor.id!r}")
        rounded_line = tuple((round(lon, 6), round(lat, 6)) for lon, lat in section.line)
        line_keys = (
            (section.a.id, section.b.id, rounded_line),
            (section.b.id, section.a.id, tuple(reversed(rounded_line))),
        )
        is_reversed = line_keys[1] < line_keys[0]
        sections_by_line[min(line_keys)].append((section, is_reversed, line[::-1] if is_reversed else line))
    tracks = list(_measure_lines([group[0][2] for group in sections_by_line.values()]))
    spans = _region_spans(tracks, cities) if rule.regions and cities and tracks else spans_without_regions(len(tracks))
    return [
        _make_corridor([(section, is_reversed) for section, is_reversed, _ in group], track, track_spans, rule)
        for group, track, track_spans in zip(sections_by_line.values(), tracks, spans, strict=True)
    ]


def _region_spans(
    tracks: Sequence[MeasuredLine], cities: Sequence[tuple[str, float, float]]
) -> Sequence[tuple[Span, ...]]:
    track_chunks = cut_into_chunks(tracks, miles=_SAMPLE_MILES)
    last_chunks = np.append(np.flatnonzero(np.diff(track_chunks.line)), len(track_chunks.line) - 1)
    sample_line = np.concatenate((track_chunks.line, track_chunks.line[last_chunks]))
    sample_along = np.concatenate(
        (track_chunks.along, track_chunks.along[last_chunks] + track_chunks.miles[last_chunks])
    )
    along_lines = np.lexsort((sample_along, sample_line))
    xyz = np.concatenate((track_chunks.start, track_chunks.end[last_chunks]))
    return NearestRegions(cities).spans(
        Samples(sample_line[along_lines], sample_along[along_lines], xyz[along_lines]), len(tracks)
    )


def _measure_lines(lines: Sequence[Floats]) -> Iterator[MeasuredLine]:
    """Yield each line measured, all of them in one call."""
    if not lines:
        return
    edge_starts = np.concatenate([line[:-1] for line in lines])
    edge_ends = np.concatenate([line[1:] for line in lines])
    azimuth, _, lengths_m = geod().inv(edge_starts[:, 0], edge_starts[:, 1], edge_ends[:, 0], edge_ends[:, 1])
    first_edge = 0
    for line in lines:
        end_edge = first_edge + len(line) - 1
        # Summed line by line: in one running sum, the lengths of a line would depend on the rounding of others.
        along = np.concatenate(([0.0], np.cumsum(lengths_m[first_edge:end_edge]))) / METRES_PER_MILE
        yield MeasuredLine(line, along, np.asarray(azimuth[first_edge:end_edge]))
        first_edge = end_edge


def _make_corridor(
    members: Sequence[tuple[Section, bool]], track: MeasuredLine, spans: Sequence[Span], rule: SpacingRule
) -> Corridor:
    section, is_reversed = members[0]
    a, b = (section.b, section.a) if is_reversed else (section.a, section.b)
    miles = track.miles
    if miles <= 0:
        raise ValueError(f"section {section.id!r} has no length")
    railroads = tuple(sorted({railroad for member_section, _ in members for railroad in member_section.railroads}))
    span_targets = np.array([rule.target(railroads, span.region) for span in spans])
    span_borders = np.array([*(span.start for span in spans), miles])
    border_measures = np.concatenate(([0.0], np.cumsum(np.diff(span_borders) / span_targets)))
    total_measure = float(border_measures[-1])
    junction_saving = 1 - rule.junction_share
    junction_count = (a.kind == "junction") + (b.kind == "junction")
    wanted_count = total_measure + junction_count * junction_saving - 1
    milepost_count = _round_count(wanted_count)
    if a.id == b.id and milepost_count:
        milepost_count = max(milepost_count, _MIN_ON_LOOP)
    step_measure = (
        total_measure / (milepost_count + 1 - junction_count * junction_saving) if milepost_count else total_measure
    )  # 1 would be what the rule asks for
    first_measure = step_measure * (rule.junction_share if a.kind == "junction" else 1.0)
    milepost_miles = np.interp(
        first_measure + step_measure * np.arange(milepost_count, dtype=np.float64), border_measures, span_borders
    )
    return Corridor(
        id=section.id,
        a=a,
        b=b,
        track=track,
        railroads=railroads,
        members=tuple(members),
        regions=tuple(sorted({span.region for span in spans} - {""})),
        target=float(span_targets[0]) if len(set(span_targets.tolist())) == 1 else round(miles / total_measure, 6),
        gap=miles * step_measure / total_measure,
        stops=milepost_miles,
        gaps=step_measure
        * span_targets[
            np.clip(np.searchsorted(span_borders, milepost_miles, side="right") - 1, 0, len(span_targets) - 1)
        ],
        tie=milepost_count > 0 and abs(wanted_count + 0.5 - round(wanted_count + 0.5)) <= _TIE_STEPS,
    )


def cut_into_chunks(tracks: Sequence[MeasuredLine], *, miles: float = _CHUNK_MILES) -> LineChunks:
    """Cut every line at its vertices, and longer edges between them, into chunks of at most `miles`."""
    start_parts, azimuth_parts, along_parts, reach_parts, number_parts = [], [], [], [], []
    for index, track in enumerate(tracks):
        edge_lengths = np.diff(track.along)
        chunk_counts = np.maximum(1, np.ceil(edge_lengths / miles)).astype(np.int64)
        edge_of_chunk = np.repeat(np.arange(len(edge_lengths)), chunk_counts)
        chunk_in_edge = np.arange(len(edge_of_chunk)) - np.repeat(np.cumsum(chunk_counts) - chunk_counts, chunk_counts)
        chunk_length = (edge_lengths / chunk_counts)[edge_of_chunk]
        start_parts.append(track.line[:-1][edge_of_chunk])
        azimuth_parts.append(track.azimuth[edge_of_chunk])
        along_parts.append(track.along[:-1][edge_of_chunk] + chunk_in_edge * chunk_length)
        reach_parts.append(np.stack((chunk_in_edge * chunk_length, (chunk_in_edge + 1) * chunk_length)))
        number_parts.append(np.full(len(edge_of_chunk), index, dtype=np.int64))
    points, directions = np.concatenate(start_parts), np.concatenate(azimuth_parts)
    from_vertex = np.concatenate(reach_parts, axis=1)
    chunk_ends = [
        to_geocentric(*geod().fwd(points[:, 0], points[:, 1], directions, distances_mi * METRES_PER_MILE)[:2])
        for distances_mi in from_vertex
    ]
    return LineChunks(
        np.concatenate(number_parts),
        chunk_ends[0],
        chunk_ends[1],
        np.concatenate(along_parts),
        from_vertex[1] - from_vertex[0],
    )
