"""Places where railroads come within the snapping distance without meeting, and ends just beyond it."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely

from mapkit.core.geodesy import METRES_PER_MILE
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.trace.corridors.shared_stretches import MIN_SHARED
from mapkit.kinds.rail.trace.crossings import Track
from mapkit.kinds.rail.trace.noding.arrays import Floats, Ints, Shapes
from mapkit.kinds.rail.trace.plane import Plane

APART: Final = "apart"
"""The kind of doubt of a note on two railroads."""
_GAP_REACH_TOLERANCES: Final = 2.0
"""In snapping distances: greatest gap between an end and its likely target."""


@dataclass(frozen=True, eq=False)
class LaidTrack:
    """Lines between stops, in metres of a plane.

    Attributes:
        lines: LineStrings.
        track: The railroad and level of each line, as a number.
        start: The stop at the start of each line.
        end: The stop at its end.
        features: The drawn feature that each line comes from.
        stop_xy: Coordinates of the stops, shape (n, 2).
        stop_names: The name of each milepost; empty for stops without a name.
        is_milepost: Whether trains stop there; they pass through junctions.
    """

    lines: Shapes
    track: Ints
    start: Ints
    end: Ints
    features: Sequence[str]
    stop_xy: Floats
    stop_names: Sequence[str]
    is_milepost: Sequence[bool]

    def tracks_at_stops(self) -> list[set[int]]:
        """Return the tracks through each stop."""
        tracks_by_stop: list[set[int]] = [set() for _ in range(len(self.stop_xy))]
        for ends in (self.start, self.end):
            for stop, track in zip(ends.tolist(), self.track.tolist(), strict=True):
                tracks_by_stop[stop].add(track)
        return tracks_by_stop


@dataclass(frozen=True, order=True)
class _NearMiss:
    """Place or stretch of two tracks near each other; lengths in metres."""

    at: tuple[float, float]
    gap: float
    length: float
    lines: tuple[int, int]


def note_near_misses(
    laid: LaidTrack, tracks: Sequence[Track], marks: dict[str, str], plane: Plane, *, snap_mi: float
) -> Iterator[TraceNote]:
    """Yield a note for each place where two railroads are near each other and have no milepost.

    Stretches along which two railroads run are one note for both. Tracks of different levels are apart by intent.

    Args:
        laid: The lines.
        tracks: Railroads and levels by number.
        marks: The reporting mark of each railroad.
        plane: The plane that the lines are in.
        snap_mi: The snapping distance.
    """
    tolerance = snap_mi * METRES_PER_MILE
    for pair, near_misses in sorted(_find_near_misses(laid, tracks, tolerance).items()):
        long_stretches = [near_miss for near_miss in near_misses if near_miss.length > MIN_SHARED * tolerance]
        for group in ([long_stretches] if long_stretches else []) + [
            [near_miss] for near_miss in near_misses if near_miss not in long_stretches
        ]:
            first_miss = min(group)
            line_titles = [
                f"{marks.get(tracks[track][0], tracks[track][0])} ({laid.features[line]})"
                for track, line in zip(pair, first_miss.lines, strict=True)
            ]
            yield _make_note(
                "crossing", " and ".join(line_titles) + _apart_text(group, snap_mi), laid, first_miss, plane
            )
    for end_gap, target_name in _find_gaps(laid, tracks, tolerance):
        gap_text = (
            f"{laid.features[end_gap.lines[0]]}: ends {end_gap.gap / METRES_PER_MILE:.2f} miles from "
            f"{target_name or _line_text(laid, tracks, marks, end_gap.lines[1])}, more than snap_mi = {snap_mi:g}; "
            "draw it to "
            f"there, or set snap_mi = {math.ceil(end_gap.gap / METRES_PER_MILE * 10 + 0.5) / 10:.1f} under [tracing]"
        )
        yield _make_note("ambiguity", gap_text, laid, end_gap, plane)


def _line_text(laid: LaidTrack, tracks: Sequence[Track], marks: dict[str, str], line: int) -> str:
    railroad = tracks[int(laid.track[line])][0]
    return f"the line {laid.features[line]} of {marks.get(railroad, railroad)}"


def _make_note(kind: str, message: str, laid: LaidTrack, found: _NearMiss, plane: Plane) -> TraceNote:
    ((lon, lat),) = plane.degrees(np.array([found.at]))
    note_fields = {"kind": kind, "what": "gap" if kind == "ambiguity" else APART, "message": message}
    place_fields = {"feature": laid.features[found.lines[0]], "lon": round(lon, 5), "lat": round(lat, 5)}
    return TraceNote.model_validate({**note_fields, **place_fields})


def _apart_text(group: Sequence[_NearMiss], snap_mi: float) -> str:
    """Return the description of two railroads near each other, with a cure."""
    length_mi = sum(near_miss.length for near_miss in group) / METRES_PER_MILE
    gap_mi = min(near_miss.gap for near_miss in group) / METRES_PER_MILE
    if len(group) > 1 or length_mi > MIN_SHARED * snap_mi:
        places = f" in {len(group)} places" if len(group) > 1 else ""
        behaviour_text = (
            f"run within snap_mi = {snap_mi:g} of each other for {length_mi:.1f} miles{places} without a "
            "common milepost"
        )
    elif gap_mi:
        behaviour_text = f"come within {gap_mi:.2f} miles of each other without meeting"
    else:
        behaviour_text = "cross without a milepost"
    return f" {behaviour_text}, so trains cannot change there; if they can, draw a point there"


def _find_near_misses(
    laid: LaidTrack, tracks: Sequence[Track], tolerance: float
) -> dict[tuple[int, int], list[_NearMiss]]:
    """Return the places and stretches by the two tracks."""
    own_line, other_line = shapely.STRtree(laid.lines).query(laid.lines, predicate="dwithin", distance=tolerance)
    railroads = sorted({railroad for railroad, _ in tracks})
    railroad_and_level = np.array([(railroads.index(railroad), level) for railroad, level in tracks])
    a, b = railroad_and_level[laid.track[own_line]], railroad_and_level[laid.track[other_line]]
    may_meet = (laid.track[own_line] < laid.track[other_line]) & (a[:, 0] != b[:, 0]) & (a[:, 1] == b[:, 1])
    own_line, other_line = own_line[may_meet], other_line[may_meet]
    if not len(own_line):
        return {}
    buffered_lines = np.full(len(laid.lines), None, dtype=object)
    buffered_lines[np.unique(other_line)] = shapely.buffer(laid.lines[np.unique(other_line)], tolerance, quad_segs=4)
    near_parts = shapely.intersection(laid.lines[own_line], buffered_lines[other_line])
    numbers_by_pair: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for number, pair in enumerate(zip(laid.track[own_line].tolist(), laid.track[other_line].tolist(), strict=True)):
        numbers_by_pair[pair].append(number)
    at_stops = laid.tracks_at_stops()
    near_misses: dict[tuple[int, int], list[_NearMiss]] = {}
    for pair, numbers in numbers_by_pair.items():
        met_stops = [
            stop for stop, stop_tracks in enumerate(at_stops) if laid.is_milepost[stop] and stop_tracks.issuperset(pair)
        ]
        stop_points = shapely.multipoints(laid.stop_xy[met_stops])
        zones = shapely.get_parts(shapely.union_all(shapely.buffer(near_parts[numbers], tolerance / 2, quad_segs=4)))
        unmet_zones = [zone for zone in zones if not met_stops or shapely.distance(zone, stop_points) > tolerance]
        near_misses[pair] = [
            _near_miss_in_zone(zone, laid, near_parts, own_line, other_line, numbers) for zone in unmet_zones
        ]
    return near_misses


def _near_miss_in_zone(
    zone: shapely.Geometry, laid: LaidTrack, near: Shapes, one: Ints, other: Ints, numbers: Sequence[int]
) -> _NearMiss:
    """Return the place in a zone where two tracks are nearest, and the length of the first of them there."""
    parts_in_zone = [number for number in numbers if shapely.intersects(near[number], zone)]
    part_gaps = [float(shapely.distance(near[number], laid.lines[other[number]])) for number in parts_in_zone]
    nearest_part = parts_in_zone[int(np.argmin(part_gaps))]
    shortest_link = shapely.shortest_line(near[nearest_part], laid.lines[other[nearest_part]])
    x, y = shapely.get_coordinates(shortest_link)[0].tolist()
    zone_length = float(shapely.length(shapely.union_all(shapely.intersection(near[parts_in_zone], zone))))
    return _NearMiss((x, y), min(part_gaps), zone_length, (int(one[nearest_part]), int(other[nearest_part])))


def _find_gaps(laid: LaidTrack, tracks: Sequence[Track], tolerance: float) -> Iterator[tuple[_NearMiss, str]]:
    """Yield the ends of lines that are short of another line, or of a milepost, with its name."""
    lines_at: defaultdict[int, list[int]] = defaultdict(list)
    for ends in (laid.start, laid.end):
        for line, stop in enumerate(ends.tolist()):
            lines_at[stop].append(line)
    stops_of_line = [{int(laid.start[line]), int(laid.end[line])} for line in range(len(laid.lines))]
    line_tree, stop_tree = (
        shapely.STRtree(laid.lines),
        shapely.STRtree(np.asarray(shapely.points(laid.stop_xy), dtype=object)),
    )
    reach = _GAP_REACH_TOLERANCES * tolerance
    for stop, lines in sorted(lines_at.items()):
        own_tracks = {int(laid.track[line]) for line in lines}
        if len(lines) > 1 or laid.stop_names[stop]:
            continue
        stop_point, joined_stops = shapely.Point(laid.stop_xy[stop]), stops_of_line[lines[0]]
        level = tracks[min(own_tracks)][1]
        near_targets = [
            (float(shapely.distance(stop_point, laid.lines[line])), "", line)
            for line in line_tree.query(stop_point, predicate="dwithin", distance=reach).tolist()
            if not joined_stops & stops_of_line[line] and tracks[int(laid.track[line])][1] == level
        ]
        near_targets += [
            (float(np.hypot(*(laid.stop_xy[other_stop] - laid.stop_xy[stop]))), laid.stop_names[other_stop], lines[0])
            for other_stop in stop_tree.query(stop_point, predicate="dwithin", distance=reach).tolist()
            if laid.stop_names[other_stop] and other_stop not in joined_stops
        ]
        if near_targets and (nearest_target := min(near_targets))[0] > tolerance:
            x, y = laid.stop_xy[stop].tolist()
            yield _NearMiss((x, y), nearest_target[0], 0.0, (lines[0], nearest_target[2])), nearest_target[1]
