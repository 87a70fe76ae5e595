"""Places where railroads come within the snapping distance of each other without meeting, and ends just beyond it."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely

from mapkit.core.geodesy import METRES_PER_MILE
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.trace.corridors.near import MIN_SHARED
from mapkit.kinds.rail.trace.crossings import Track
from mapkit.kinds.rail.trace.noding.arrays import Floats, Ints, Shapes
from mapkit.kinds.rail.trace.plane import Plane

APART: Final = "apart"
"""The kind of doubt of a note on two railroads."""
_GAP_REACH: Final = 2.0
"""In snapping distances: an end is short of what lies within this distance."""


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
        """Return the tracks that have each stop."""
        out: list[set[int]] = [set() for _ in range(len(self.stop_xy))]
        for ends in (self.start, self.end):
            for stop, track in zip(ends.tolist(), self.track.tolist(), strict=True):
                out[stop].add(track)
        return out


@dataclass(frozen=True, order=True)
class _Unmet:
    """One place, or a stretch, at which two tracks are near each other; lengths in metres."""

    at: tuple[float, float]
    gap: float
    length: float
    lines: tuple[int, int]


def unmet_notes(
    laid: LaidTrack, tracks: Sequence[Track], marks: dict[str, str], plane: Plane, *, snap_mi: float
) -> Iterator[TraceNote]:
    """Yield a note for each place where two railroads are near each other and have no milepost there.

    Stretches along which two railroads run are one note for both. Tracks of different levels are apart by intent.

    Args:
        laid: The lines.
        tracks: What their numbers stand for.
        marks: The reporting mark of each railroad.
        plane: The plane that the lines are in.
        snap_mi: The snapping distance.
    """
    tolerance = snap_mi * METRES_PER_MILE
    for pair, found in sorted(_unmet_by_pair(laid, tracks, tolerance).items()):
        beside = [one for one in found if one.length > MIN_SHARED * tolerance]
        for group in ([beside] if beside else []) + [[one] for one in found if one not in beside]:
            first = min(group)
            names = [
                f"{marks.get(tracks[track][0], tracks[track][0])} ({laid.features[line]})"
                for track, line in zip(pair, first.lines, strict=True)
            ]
            yield _note("crossing", " and ".join(names) + _apart_text(group, snap_mi), laid, first, plane)
    for near, target in _gaps(laid, tracks, tolerance):
        text = (
            f"{laid.features[near.lines[0]]}: ends {near.gap / METRES_PER_MILE:.2f} miles from "
            f"{target or _line_text(laid, tracks, marks, near.lines[1])}, more than snap_mi = {snap_mi:g}; draw it to "
            f"there, or set snap_mi = {math.ceil(near.gap / METRES_PER_MILE * 10 + 0.5) / 10:.1f} under [tracing]"
        )
        yield _note("ambiguity", text, laid, near, plane)


def _line_text(laid: LaidTrack, tracks: Sequence[Track], marks: dict[str, str], line: int) -> str:
    railroad = tracks[int(laid.track[line])][0]
    return f"the line {laid.features[line]} of {marks.get(railroad, railroad)}"


def _note(kind: str, message: str, laid: LaidTrack, found: _Unmet, plane: Plane) -> TraceNote:
    ((lon, lat),) = plane.degrees(np.array([found.at]))
    values = {"kind": kind, "what": "gap" if kind == "ambiguity" else APART, "message": message}
    place = {"feature": laid.features[found.lines[0]], "lon": round(lon, 5), "lat": round(lat, 5)}
    return TraceNote.model_validate({**values, **place})


def _apart_text(group: Sequence[_Unmet], snap_mi: float) -> str:
    """Return what two railroads do near each other, and what their author can do."""
    miles = sum(one.length for one in group) / METRES_PER_MILE
    gap = min(one.gap for one in group) / METRES_PER_MILE
    if len(group) > 1 or miles > MIN_SHARED * snap_mi:
        places = f" in {len(group)} places" if len(group) > 1 else ""
        does = f"run within snap_mi = {snap_mi:g} of each other for {miles:.1f} miles{places} without a common milepost"
    elif gap:
        does = f"come within {gap:.2f} miles of each other without meeting"
    else:
        does = "cross without a milepost"
    return f" {does}, so trains cannot change there; if they can, draw a point there"


def _unmet_by_pair(laid: LaidTrack, tracks: Sequence[Track], tolerance: float) -> dict[tuple[int, int], list[_Unmet]]:
    """Return the places and stretches by the two tracks."""
    one, other = shapely.STRtree(laid.lines).query(laid.lines, predicate="dwithin", distance=tolerance)
    kinds = np.array([(number, level) for number, (_, level) in zip(_numbers(tracks), tracks, strict=True)])
    a, b = kinds[laid.track[one]], kinds[laid.track[other]]
    may_meet = (laid.track[one] < laid.track[other]) & (a[:, 0] != b[:, 0]) & (a[:, 1] == b[:, 1])
    one, other = one[may_meet], other[may_meet]
    if not len(one):
        return {}
    wide = np.full(len(laid.lines), None, dtype=object)
    wide[np.unique(other)] = shapely.buffer(laid.lines[np.unique(other)], tolerance, quad_segs=4)
    near = shapely.intersection(laid.lines[one], wide[other])
    by_pair: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for number, pair in enumerate(zip(laid.track[one].tolist(), laid.track[other].tolist(), strict=True)):
        by_pair[pair].append(number)
    at_stops = laid.tracks_at_stops()
    out: dict[tuple[int, int], list[_Unmet]] = {}
    for pair, numbers in by_pair.items():
        met = [stop for stop, own in enumerate(at_stops) if laid.is_milepost[stop] and own.issuperset(pair)]
        stops = shapely.multipoints(laid.stop_xy[met])
        zones = shapely.get_parts(shapely.union_all(shapely.buffer(near[numbers], tolerance / 2, quad_segs=4)))
        apart = [zone for zone in zones if not met or shapely.distance(zone, stops) > tolerance]
        out[pair] = [_unmet_in(zone, laid, near, one, other, numbers) for zone in apart]
    return out


def _numbers(tracks: Sequence[Track]) -> list[int]:
    railroads = sorted({railroad for railroad, _ in tracks})
    return [railroads.index(railroad) for railroad, _ in tracks]


def _unmet_in(
    zone: shapely.Geometry, laid: LaidTrack, near: Shapes, one: Ints, other: Ints, numbers: Sequence[int]
) -> _Unmet:
    """Return the place in a zone where two tracks are nearest, and how long the first of them runs there."""
    inside = [number for number in numbers if shapely.intersects(near[number], zone)]
    gaps = [float(shapely.distance(near[number], laid.lines[other[number]])) for number in inside]
    nearest = inside[int(np.argmin(gaps))]
    link = shapely.shortest_line(near[nearest], laid.lines[other[nearest]])
    x, y = shapely.get_coordinates(link)[0].tolist()
    length = float(shapely.length(shapely.union_all(shapely.intersection(near[inside], zone))))
    return _Unmet((x, y), min(gaps), length, (int(one[nearest]), int(other[nearest])))


def _gaps(laid: LaidTrack, tracks: Sequence[Track], tolerance: float) -> Iterator[tuple[_Unmet, str]]:
    """Yield the ends of lines that are short of another line, or of a milepost, whose name comes with it."""
    lines_at: defaultdict[int, list[int]] = defaultdict(list)
    for ends in (laid.start, laid.end):
        for line, stop in enumerate(ends.tolist()):
            lines_at[stop].append(line)
    beside = [{int(laid.start[line]), int(laid.end[line])} for line in range(len(laid.lines))]
    tree, stops = shapely.STRtree(laid.lines), shapely.STRtree(np.asarray(shapely.points(laid.stop_xy), dtype=object))
    reach = _GAP_REACH * tolerance
    for stop, lines in sorted(lines_at.items()):
        own = {int(laid.track[line]) for line in lines}
        if len(lines) > 1 or laid.stop_names[stop]:
            continue
        at, joined = shapely.Point(laid.stop_xy[stop]), beside[lines[0]]
        level = tracks[min(own)][1]
        found = [
            (float(shapely.distance(at, laid.lines[line])), "", line)
            for line in tree.query(at, predicate="dwithin", distance=reach).tolist()
            if not joined & beside[line] and tracks[int(laid.track[line])][1] == level
        ]
        found += [
            (float(np.hypot(*(laid.stop_xy[other] - laid.stop_xy[stop]))), laid.stop_names[other], lines[0])
            for other in stops.query(at, predicate="dwithin", distance=reach).tolist()
            if laid.stop_names[other] and other not in joined
        ]
        if found and (nearest := min(found))[0] > tolerance:
            x, y = laid.stop_xy[stop].tolist()
            yield _Unmet((x, y), nearest[0], 0.0, (lines[0], nearest[2])), nearest[1]
