"""A network that somebody made already becomes station lists as it is: nothing is spaced or repaired.

Each vertex of a line is a stop of its list: a milepost where a point stands for one, and a via elsewhere. So lines of a
railroad meet where they share a vertex, and nowhere else. Lines of different railroads meet at points, at cities, and
where a line ends: that milepost belongs to every railroad within the snapping distance. What looks amiss is noted and
not repaired.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from pathlib import PurePosixPath
from typing import Final

import numpy as np
import shapely

from mapkit.core.base import Point
from mapkit.core.geodesy import METRES_PER_MILE, line_miles
from mapkit.core.names import fold
from mapkit.kinds.rail.model.network import Network, TraceNote
from mapkit.kinds.rail.model.source import PinnedPoint, TracedLine
from mapkit.kinds.rail.sources.places import city_points, coordinate_name
from mapkit.kinds.rail.tables import BEND
from mapkit.kinds.rail.trace.georeferencing.placing import place
from mapkit.kinds.rail.trace.listing import Listed, ListedLine, ListedPlace, ListedStop
from mapkit.kinds.rail.trace.pins import Pin, gather_pins
from mapkit.kinds.rail.trace.plane import Plane
from mapkit.kinds.rail.trace.source import Source
from mapkit.kinds.rail.trace.stations import trace_stations
from mapkit.kinds.rail.trace.traced import note_order
from mapkit.kinds.rail.trace.unmet import LaidTrack, unmet_notes

KEPT: Final = "kept as drawn"
"""What notes are of that no drawing has; placing drawings again does not touch them."""

_SAME_MI: Final = 0.01
_PAIR: Final = 2
_BEYOND: Final = math.sqrt(2)
"""In snapping distances: how far an end can be from a milepost that its line passes just before."""


def list_kept(source: Source) -> Listed:
    """Return the lines of a source as station lists that keep their topology; the lists belong to no drawing.

    Args:
        source: With `traced` lines, `pinned` points, control points if any are in pixels, and its own station lists.

    Raises:
        SourceError: Control points are missing or do not fix the picture, or points contradict each other.
    """
    placed = place(_with_own_names(source)) if source.traced else source
    base = trace_stations(placed)
    return _Keeping(placed, base).listed()


def _with_own_names(source: Source) -> Source:
    """Return a source whose points have names of their own; of several, that nearest to a city of the name keeps it."""
    cities = {fold(name): at for name, at in city_points(source.cities.values()).items()}
    by_name: defaultdict[str, list[int]] = defaultdict(list)
    for number, point in enumerate(source.pinned):
        by_name[fold(point.name)].append(number)
    names = [point.name for point in source.pinned]
    taken = set(by_name)
    for key, numbers in sorted(by_name.items()):
        first = source.pinned[numbers[0]]
        near = cities.get(key, (first.x, first.y))
        order = sorted(numbers, key=lambda n: (_away(source.pinned[n], near), n))
        for at in order if not key else order[1:]:
            if key and _away(source.pinned[at], (source.pinned[order[0]].x, source.pinned[order[0]].y)) < _SAME_MI:
                continue
            names[at] = _free(names[at] or "Milepost", taken, first=2 if key else 1)
            taken.add(fold(names[at]))
    pinned = tuple(p.model_copy(update={"name": n}) for p, n in zip(source.pinned, names, strict=True))
    notes = [
        _doubt(
            f"{new.feature}: a second milepost {old.name!r} is called {new.name!r}; name it in full", new.feature, new
        )
        for old, new in zip(source.pinned, pinned, strict=True)
        if old.name and old.name != new.name
    ]
    return source.model_copy(update={"pinned": pinned, "import_notes": (*source.import_notes, *notes)})


def _away(point: PinnedPoint, at: Point) -> float:
    """Return how far a point is from a place: miles, or pixels, of which only the order counts."""
    if point.pixels:
        return float(abs(point.x - at[0]) + abs(point.y - at[1]))
    return line_miles(((point.x, point.y), at))


def _free(name: str, taken: Iterable[str], *, first: int) -> str:
    number = first
    while fold(f"{name} {number}") in taken:
        number += 1
    return f"{name} {number}"


def _doubt(message: str, feature: str, at: PinnedPoint | None = None) -> TraceNote:
    placed = at is not None and not at.pixels
    return TraceNote(
        kind="ambiguity",
        what=KEPT,
        message=message,
        feature=feature,
        lon=round(at.x, 5) if at is not None and placed else None,
        lat=round(at.y, 5) if at is not None and placed else None,
    )


@dataclass(eq=False)
class _Run:
    """A line as stops by their names."""

    feature: str
    railroad: str
    level: int
    stops: list[str]
    renamed: dict[str, str] = field(default_factory=dict)
    """The mileposts that vertices become."""
    added: list[tuple[int, float, str]] = field(default_factory=list)
    """Mileposts between two vertices: after which stop, how far on, and their names."""

    def mileposts(self) -> set[str]:
        """Return the names of all of its stops, as far as mileposts are set."""
        return {*self.stops, *self.renamed.values(), *(name for *_, name in self.added)}

    def final_stops(self) -> list[str]:
        """Return the stops with the mileposts that were set."""
        between = sorted(self.added)
        out: list[str] = []
        for number, stop in enumerate(self.stops):
            out.append(self.renamed.get(stop, stop))
            out += [name for after, _, name in between if after == number]
        return out


@dataclass(frozen=True)
class _EndStop:
    """A vertex that has to be a milepost, because a line ends there, and the railroads that have it."""

    name: str
    feature: str
    railroads: tuple[str, ...]
    level: int


@dataclass
class _Keeping:
    """One source's lists in the making."""

    source: Source
    base: Network
    notes: list[TraceNote] = field(default_factory=list)
    places: dict[str, ListedPlace] = field(default_factory=dict)
    mileposts: set[str] = field(default_factory=set)
    points: dict[str, Point] = field(default_factory=dict)

    def __post_init__(self) -> None:
        gathered = gather_pins(self.source, self.base.mileposts)
        self.notes += gathered.notes
        self.pins = gathered.pins
        # Points of several names may be one pin, and each of them is where lines may end.
        self.at: dict[str, Pin] = {coordinate_name(pin.lon, pin.lat): pin for pin in reversed(gathered.pins)}
        self.own = {pin.milepost.id for pin in gathered.pins[len(self.base.mileposts) :]}
        self.own -= {milepost.id for milepost in self.base.mileposts}
        self.own_names = {pin.milepost.name for pin in gathered.pins}
        self.folds = {fold(pin.milepost.name) for pin in gathered.pins}

    def listed(self) -> Listed:
        """Return the lines of all railroads."""
        lines: list[ListedLine] = []
        traced = sorted(self.source.traced, key=lambda line: line.railroad)
        runs = {
            railroad: list(self._runs(railroad, list(own)))
            for railroad, own in groupby(traced, key=lambda line: line.railroad)
        }
        self._set_end_mileposts(runs)
        for railroad, own in runs.items():
            for number, (feature, stops) in enumerate(_chained(own), start=1):
                stem = PurePosixPath(feature.partition("#")[0]).stem
                lines.append(ListedLine(railroad, f"{stem} {number}", "", tuple(map(self._stop, stops))))
        notes = {*self.notes, *self._idle(lines), *self._unmet(runs), *self.source.import_notes}
        return Listed(tuple(lines), self.places, tuple(sorted(notes, key=note_order)))

    def _runs(self, railroad: str, lines: Sequence[TracedLine]) -> Iterator[_Run]:
        """Yield each line as the names of its places, without those that lead nowhere or are a copy."""
        seen: set[tuple[str, ...]] = set()
        for line in lines:
            names = [name for name, _ in groupby(self._name(railroad, line.level, point) for point in line.line)]
            if len(names) < _PAIR:
                self.notes.append(_doubt(f"{line.feature}: leads from {names[0]!r} to itself; left out", line.feature))
                continue
            key = min(tuple(names), tuple(reversed(names)))
            if key in seen:
                self.notes.append(
                    _doubt(f"{line.feature}: the same track of {railroad} a second time; left out", line.feature)
                )
                continue
            seen.add(key)
            yield _Run(line.feature, railroad, line.level, names)

    def _name(self, railroad: str, level: int, point: Point) -> str:
        """Return the place of a vertex: a milepost at which the railroad stops, or its coordinates."""
        spot = coordinate_name(*point)
        pin = self.at.get(spot)
        if pin is not None and (not pin.railroads or railroad in pin.railroads):
            name = self._milepost(pin)
        elif level:
            name = f"{railroad} level {level} {spot.removeprefix('@')}"
            self.places[name] = ListedPlace(round(point[0], 5), round(point[1], 5), BEND)
        else:
            name = spot
        self.points[name] = point
        return name

    def _milepost(self, pin: Pin) -> str:
        milepost = pin.milepost
        self.mileposts.add(milepost.name)
        if milepost.id in self.own:
            self.places.setdefault(milepost.name, ListedPlace(milepost.lon, milepost.lat, ""))
        return milepost.name

    def _set_end_mileposts(self, runs: Mapping[str, Sequence[_Run]]) -> None:
        """Set a milepost where a line ends off any, for every railroad within the snapping distance.

        A station list cannot end otherwise. A milepost that stands within that distance is taken.
        """
        if not runs:
            return
        nearby = _NearbyTrack(runs, self.points, self.source.config.tracing.snap_mi)
        for end in _end_stops(runs, self.mileposts):
            own = [run for railroad in end.railroads for run in runs[railroad] if end.name in run.stops]
            if all(end.name in run.renamed for run in own):
                continue
            known = next((run.renamed[end.name] for run in own if end.name in run.renamed), None)
            pin = None if known else self._pin_near(end, own, nearby)
            name = known or (self._milepost(pin) if pin else self._new_milepost(end))
            joined = {run.railroad for run in own if _rename(run, end.name, name)}
            beside = nearby.beside(self.points[end.name], end.level)
            joined |= self._join(name, pin, [found for found in beside if found[0].railroad not in end.railroads], runs)
            self.notes.append(self._end_note(end, name, sorted(joined), pin))
        self._join_cities(runs, nearby)
        for own_runs in runs.values():
            for run in own_runs:
                run.stops = run.final_stops()

    def _join_cities(self, runs: Mapping[str, Sequence[_Run]], nearby: "_NearbyTrack") -> None:
        """Make each city, unless a point stands for it, a stop of every railroad within the snapping distance."""
        for pin in self.pins:
            if pin.milepost.kind == "city" and not pin.drawn:
                name = pin.milepost.name
                served = {railroad for railroad, own in runs.items() if any(name in run.mileposts() for run in own)}
                beside = [found for found in nearby.beside((pin.lon, pin.lat)) if found[0].railroad not in served]
                if beside:
                    self._join(self._milepost(pin), pin, beside, runs)

    def _join(
        self,
        name: str,
        pin: Pin | None,
        beside: Iterable[tuple[_Run, int, float]],
        runs: Mapping[str, Sequence[_Run]],
    ) -> set[str]:
        """Make a milepost a stop of lines beside it, and return the railroads that have it then.

        A vertex becomes the milepost, unless it is another one; between vertices it is added to its line.
        """
        joined: set[str] = set()
        for run, after, share in beside:
            vertex = {0.0: run.stops[after], 1.0: run.stops[after + 1]}.get(share, "")
            if vertex in self.mileposts or (pin and pin.railroads and run.railroad not in pin.railroads):
                continue
            if vertex:
                same = [other for other in runs[run.railroad] if vertex in other.stops]
                joined |= {run.railroad for other in same if _rename(other, vertex, name)}
            elif name not in run.mileposts():
                run.added.append((after, share, name))
                joined.add(run.railroad)
        return joined

    def _pin_near(self, end: _EndStop, own: Sequence[_Run], nearby: "_NearbyTrack") -> Pin | None:
        """Return the nearest milepost within the snapping distance of an end, of those that its lines may lead to.

        A milepost that a line passes less than the snapping distance before its end is as near.
        """
        at, snap_mi = self.points[end.name], self.source.config.tracing.snap_mi
        near = [
            (miles, number)
            for number, pin in enumerate(self.pins)
            if (miles := line_miles(((pin.lon, pin.lat), at))) <= _BEYOND * snap_mi
            and (miles <= snap_mi or nearby.is_passed_before(end, (pin.lon, pin.lat)))
            and all(not pin.railroads or run.railroad in pin.railroads for run in own)
            and all(pin.milepost.name not in run.mileposts() for run in own)
        ]
        return self.pins[min(near)[1]] if near else None

    def _new_milepost(self, end: _EndStop) -> str:
        name = _free(f"{end.railroads[0]} end", self.folds, first=1)
        lon, lat = self.points[end.name]
        self.folds.add(fold(name))
        self.mileposts.add(name)
        self.places[name] = ListedPlace(round(lon, 5), round(lat, 5), "")
        return name

    def _end_note(self, end: _EndStop, name: str, railroads: Sequence[str], pin: Pin | None) -> TraceNote:
        """Return what to say of the milepost at an end."""
        who = " and ".join(railroads)
        if pin is None:
            verb = "ends" if len(railroads) == 1 else "meet"
            text = f"{end.feature}: {who} {verb} off any milepost, so {name!r} was set there; name it or join it"
        else:
            miles = line_miles(((pin.lon, pin.lat), self.points[end.name]))
            text = f"{end.feature}: {who}: the end {miles:.2f} miles from {name!r} was taken to it"
        return replace_place(_doubt(text, end.feature), *self.points[end.name])

    def _stop(self, name: str) -> ListedStop:
        return (name, "milepost") if name in self.mileposts else (name, "via")

    def _unmet(self, runs: Mapping[str, Sequence[_Run]]) -> Iterator[TraceNote]:
        """Yield the places where railroads come near each other, or an end to a line, without meeting."""
        pieces = list(_cut(runs, self.mileposts))
        if not pieces:
            return
        at = self.points | {name: (place.lon, place.lat) for name, place in self.places.items()}
        at |= {pin.milepost.name: (pin.milepost.lon, pin.milepost.lat) for pin in self.pins}
        plane = Plane.around(list(at.values()))
        metres = dict(zip(at, plane.metres(list(at.values())), strict=True))
        tracks = sorted({(run.railroad, run.level) for run, _ in pieces})
        number = {name: n for n, name in enumerate(at)}
        laid = LaidTrack(
            lines=np.array([shapely.LineString([metres[name] for name in stops]) for _, stops in pieces], dtype=object),
            track=np.array([tracks.index((run.railroad, run.level)) for run, _ in pieces], dtype=np.int64),
            start=np.array([number[stops[0]] for _, stops in pieces], dtype=np.int64),
            end=np.array([number[stops[-1]] for _, stops in pieces], dtype=np.int64),
            features=[run.feature for run, _ in pieces],
            stop_xy=np.array(list(metres.values())),
            stop_names=[name if name in self.own_names else "" for name in at],
            is_milepost=[name in self.mileposts for name in at],
        )
        marks = {key: railroad.short for key, railroad in self.source.railroads.items()}
        for note in unmet_notes(laid, tracks, marks, plane, snap_mi=self.source.config.tracing.snap_mi):
            yield note.model_copy(update={"what": KEPT})

    def _idle(self, lines: Sequence[ListedLine]) -> Iterator[TraceNote]:
        """Yield the drawn points that no line leads to."""
        used = {name for line in lines for name, _ in line.stops}
        for pin in self.pins:
            if pin.drawn and pin.milepost.name not in used:
                feature = pin.milepost.origin.where
                note = _doubt(f"{feature}: no line leads to {pin.name!r}; it is not in any list", feature)
                yield replace_place(note, pin.lon, pin.lat)


def replace_place(note: TraceNote, lon: float, lat: float) -> TraceNote:
    """Return a note at a place, degrees."""
    return note.model_copy(update={"lon": round(lon, 5), "lat": round(lat, 5)})


class _NearbyTrack:
    """The stretches between vertices, found by the distance from a point.

    Args:
        runs: Lines by railroad.
        points: Where their stops are, degrees.
        snap_mi: The snapping distance.
    """

    def __init__(self, runs: Mapping[str, Sequence[_Run]], points: Mapping[str, Point], snap_mi: float) -> None:
        self._plane = Plane.around(list(points.values()))
        self._points, self._reach = points, snap_mi * METRES_PER_MILE
        self._stretches = [(run, after) for own in runs.values() for run in own for after in range(len(run.stops) - 1)]
        metres = dict(zip(points, self._plane.metres(list(points.values())), strict=True))
        lines = [[metres[run.stops[after]], metres[run.stops[after + 1]]] for run, after in self._stretches]
        self._lines = np.asarray(shapely.linestrings(np.array(lines)), dtype=object)
        self._tree = shapely.STRtree(self._lines)

    def is_passed_before(self, end: _EndStop, point: Point) -> bool:
        """Return whether a line passes a point, degrees, less than the snapping distance before an end of it."""
        place, at = (shapely.Point(xy) for xy in self._plane.metres([point, self._points[end.name]]))
        near = self._tree.query(place, predicate="dwithin", distance=self._reach).tolist()
        return any(
            end.name in run.stops[after : after + 2]
            and shapely.distance(shapely.get_point(shapely.shortest_line(self._lines[number], place), 0), at)
            <= self._reach
            for number in near
            for run, after in [self._stretches[number]]
        )

    def beside(self, point: Point, level: int | None = None) -> list[tuple[_Run, int, float]]:
        """Return where railroads pass a point, degrees: the stretch, and how far along it from 0 to 1.

        Each railroad is given once, at its nearest place; a vertex within the snapping distance comes first.

        Args:
            point: `(lon, lat)`.
            level: The level of the lines; None for any.
        """
        at = shapely.Point(self._plane.metres([point])[0])
        best: dict[str, tuple[tuple[bool, float, int], _Run, int, float]] = {}
        for number in self._tree.query(at, predicate="dwithin", distance=self._reach).tolist():
            run, after = self._stretches[number]
            if level is not None and run.level != level:
                continue
            line = self._lines[number]
            vertices = [(float(shapely.distance(at, shapely.get_point(line, n))), float(n)) for n in range(_PAIR)]
            away, share = min(vertices)
            between = away > self._reach
            if between:
                away, share = float(shapely.distance(at, line)), float(line.project(at, normalized=True))
            rank = (between, away, number)
            if run.railroad not in best or rank < best[run.railroad][0]:
                best[run.railroad] = (rank, run, after, share)
        return [best[railroad][1:] for railroad in sorted(best)]


def _end_stops(runs: Mapping[str, Sequence[_Run]], mileposts: Collection[str]) -> list[_EndStop]:
    """Return the vertices off mileposts at which a railroad ends, or a line on a vertex of another railroad.

    Vertices along track that railroads share are left out.
    """
    beside: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for railroad, own in runs.items():
        for run in own:
            for one, other in pairwise(run.stops):
                beside[one][railroad].add(other)
                beside[other][railroad].add(one)
    out: dict[str, _EndStop] = {}
    for run in (run for own in runs.values() for run in own):
        for name in (run.stops[0], run.stops[-1]):
            neighbours = beside[name]
            loose = len(neighbours[run.railroad]) == 1
            mine = neighbours[run.railroad]
            parts = any(not (other <= mine or mine <= other) for other in neighbours.values())
            if name not in mileposts and name not in out and (loose or parts):
                railroads = (run.railroad, *sorted(neighbours.keys() - {run.railroad}))
                out[name] = _EndStop(name, run.feature, railroads, run.level)
    return list(out.values())


def _rename(run: _Run, vertex: str, milepost: str) -> bool:
    """Make a vertex a milepost, unless the line would pass that milepost twice; return whether it is one."""
    if milepost not in run.mileposts():
        run.renamed.setdefault(vertex, milepost)
    return run.renamed.get(vertex) == milepost


def _cut(runs: Mapping[str, Sequence[_Run]], mileposts: Collection[str]) -> Iterator[tuple[_Run, list[str]]]:
    """Yield the runs cut at mileposts and where more than two stretches of a railroad meet."""
    for own in runs.values():
        stretches = {frozenset(pair) for run in own for pair in pairwise(run.stops)}
        arms = Counter(name for stretch in stretches for name in stretch)
        for run in own:
            first = 0
            for last in range(1, len(run.stops)):
                name = run.stops[last]
                if last == len(run.stops) - 1 or name in mileposts or arms[name] > _PAIR:
                    yield run, run.stops[first : last + 1]
                    first = last


def _chained(runs: Sequence[_Run]) -> Iterator[tuple[str, list[str]]]:
    """Yield runs that follow each other where no third meets them, as one list; none passes a place twice."""
    at: defaultdict[str, list[int]] = defaultdict(list)
    for number, run in enumerate(runs):
        at[run.stops[0]].append(number)
        at[run.stops[-1]].append(number)
    left = set(range(len(runs)))
    for number, run in enumerate(runs):
        if number not in left:
            continue
        left.remove(number)
        stops = list(run.stops)
        for _ in range(_PAIR):  # onwards from either end
            _extend(stops, runs, at, left)
            stops.reverse()
        yield run.feature, stops


def _extend(stops: list[str], runs: Sequence[_Run], at: Mapping[str, list[int]], left: set[int]) -> None:
    passed = set(stops)
    while len(at[stops[-1]]) == _PAIR:
        follow = next((number for number in at[stops[-1]] if number in left), None)
        if follow is None:
            return
        more = runs[follow].stops if runs[follow].stops[0] == stops[-1] else runs[follow].stops[::-1]
        if not passed.isdisjoint(more[1:]):
            return
        left.remove(follow)
        passed.update(more)
        stops += more[1:]
