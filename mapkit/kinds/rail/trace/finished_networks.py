"""Conversion of a finished network to station lists without spacing or repairs.

Each vertex of a line is a stop of its list: a milepost at a drawn point, and a via elsewhere. So lines of a railroad
meet at shared vertices only. Lines of different railroads meet at points, at cities, and where a line ends: that
milepost belongs to every railroad within the snapping distance. Suspicious places are noted and not repaired.
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
from mapkit.kinds.rail.trace.georeferencing.placing import place_source
from mapkit.kinds.rail.trace.joined_lines import note_sort_key
from mapkit.kinds.rail.trace.near_misses import LaidTrack, note_near_misses
from mapkit.kinds.rail.trace.pins import Pin, gather_pins
from mapkit.kinds.rail.trace.plane import Plane
from mapkit.kinds.rail.trace.source import Source
from mapkit.kinds.rail.trace.station_lists import ListedLine, ListedPlace, ListedStop, TracedStationLists
from mapkit.kinds.rail.trace.stations import trace_stations

KEPT: Final = "kept as drawn"
"""Kind of the notes on finished networks; placing drawings again does not touch them."""

_MAX_SAME_MI: Final = 0.01
_TWO_STOPS: Final = 2
_MAX_END_REACH: Final = math.sqrt(2)
"""In snapping distances: greatest distance of an end from a milepost that its line passes just before."""


def list_finished_network(source: Source) -> TracedStationLists:
    """Return the lines of a source as station lists that keep their topology; the lists belong to no drawing.

    Args:
        source: With `traced` lines, `pinned` points, control points if any are in pixels, and its own station lists.

    Raises:
        SourceError: Control points are missing or do not fix the picture, or points contradict each other.
    """
    placed_source = place_source(_make_names_unique(source)) if source.traced else source
    base_network = trace_stations(placed_source)
    return _ListBuilder(placed_source, base_network).make_lists()


def _make_names_unique(source: Source) -> Source:
    """Make the names of a source's points unique; of equal names, the one nearest to its city is kept."""
    city_by_name = {fold(name): point for name, point in city_points(source.cities.values()).items()}
    by_name: defaultdict[str, list[int]] = defaultdict(list)
    for number, point in enumerate(source.pinned):
        by_name[fold(point.name)].append(number)
    pin_names = [point.name for point in source.pinned]
    taken_names = set(by_name)
    for folded_name, numbers in sorted(by_name.items()):
        first_pin = source.pinned[numbers[0]]
        nearest_to = city_by_name.get(folded_name, (first_pin.x, first_pin.y))
        by_distance = sorted(numbers, key=lambda n: (_distance_from(source.pinned[n], nearest_to), n))
        for pin_number in by_distance if not folded_name else by_distance[1:]:
            if (
                folded_name
                and _distance_from(
                    source.pinned[pin_number], (source.pinned[by_distance[0]].x, source.pinned[by_distance[0]].y)
                )
                < _MAX_SAME_MI
            ):
                continue
            pin_names[pin_number] = _free_name(
                pin_names[pin_number] or "Milepost", taken_names, first=2 if folded_name else 1
            )
            taken_names.add(fold(pin_names[pin_number]))
    pinned = tuple(
        p.model_copy(update={"name": pin_index}) for p, pin_index in zip(source.pinned, pin_names, strict=True)
    )
    notes = [
        _ambiguity_note(
            f"{renamed_pin.feature}: a second milepost {drawn_pin.name!r} is called {renamed_pin.name!r}; name it in "
            "full",
            renamed_pin.feature,
            renamed_pin,
        )
        for drawn_pin, renamed_pin in zip(source.pinned, pinned, strict=True)
        if drawn_pin.name and drawn_pin.name != renamed_pin.name
    ]
    return source.model_copy(update={"pinned": pinned, "import_notes": (*source.import_notes, *notes)})


def _distance_from(point: PinnedPoint, at: Point) -> float:
    """Return the distance of a point from a place in miles; in pixels only its order is meaningful."""
    if point.pixels:
        return float(abs(point.x - at[0]) + abs(point.y - at[1]))
    return line_miles(((point.x, point.y), at))


def _free_name(name: str, taken: Iterable[str], *, first: int) -> str:
    number = first
    while fold(f"{name} {number}") in taken:
        number += 1
    return f"{name} {number}"


def _ambiguity_note(message: str, feature: str, at: PinnedPoint | None = None) -> TraceNote:
    is_placed = at is not None and not at.pixels
    return TraceNote(
        kind="ambiguity",
        what=KEPT,
        message=message,
        feature=feature,
        lon=round(at.x, 5) if at is not None and is_placed else None,
        lat=round(at.y, 5) if at is not None and is_placed else None,
    )


@dataclass(eq=False)
class _Run:
    """Line as the names of its stops."""

    feature: str
    railroad: str
    level: int
    stops: list[str]
    renamed: dict[str, str] = field(default_factory=dict)
    """The mileposts that vertices become."""
    added: list[tuple[int, float, str]] = field(default_factory=list)
    """Mileposts between two vertices: after which stop, how far on, and their names."""

    def mileposts(self) -> set[str]:
        """Return the names of all stops, with the mileposts set so far."""
        return {*self.stops, *self.renamed.values(), *(name for *_, name in self.added)}

    def final_stops(self) -> list[str]:
        """Return the stops with the mileposts that were set."""
        added_stops = sorted(self.added)
        final_stops: list[str] = []
        for number, stop in enumerate(self.stops):
            final_stops.append(self.renamed.get(stop, stop))
            final_stops += [name for stop_before, _, name in added_stops if stop_before == number]
        return final_stops


@dataclass(frozen=True)
class _EndStop:
    """Vertex that must become a milepost because a line ends there, and the railroads through it."""

    name: str
    feature: str
    railroads: tuple[str, ...]
    level: int


@dataclass
class _ListBuilder:
    """Station lists of one source under construction."""

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
        # Points of several names may be one pin, and lines may end at each of them.
        self.at: dict[str, Pin] = {coordinate_name(pin.lon, pin.lat): pin for pin in reversed(gathered.pins)}
        self.own = {pin.milepost.id for pin in gathered.pins[len(self.base.mileposts) :]}
        self.own -= {milepost.id for milepost in self.base.mileposts}
        self.own_names = {pin.milepost.name for pin in gathered.pins}
        self.folds = {fold(pin.milepost.name) for pin in gathered.pins}

    def make_lists(self) -> TracedStationLists:
        """Return the lines of all railroads."""
        listed_lines: list[ListedLine] = []
        traced_lines = sorted(self.source.traced, key=lambda line: line.railroad)
        runs_by_railroad = {
            railroad: list(self._make_runs(railroad, list(railroad_lines)))
            for railroad, railroad_lines in groupby(traced_lines, key=lambda line: line.railroad)
        }
        self._set_end_mileposts(runs_by_railroad)
        for railroad, railroad_lines in runs_by_railroad.items():
            for number, (feature, stops) in enumerate(_join_runs(railroad_lines), start=1):
                stem = PurePosixPath(feature.partition("#")[0]).stem
                listed_stops: list[ListedStop] = [
                    (name, "milepost") if name in self.mileposts else (name, "via") for name in stops
                ]
                listed_lines.append(ListedLine(railroad, f"{stem} {number}", "", tuple(listed_stops)))
        notes = {
            *self.notes,
            *self._note_idle_points(listed_lines),
            *self._note_unmet(runs_by_railroad),
            *self.source.import_notes,
        }
        return TracedStationLists(tuple(listed_lines), self.places, tuple(sorted(notes, key=note_sort_key)))

    def _make_runs(self, railroad: str, lines: Sequence[TracedLine]) -> Iterator[_Run]:
        """Yield each line as the names of its places, without lines to their own start and copies."""
        seen_stops: set[tuple[str, ...]] = set()
        for line in lines:
            stop_names = [
                name for name, _ in groupby(self._name_vertex(railroad, line.level, point) for point in line.line)
            ]
            if len(stop_names) < _TWO_STOPS:
                self.notes.append(
                    _ambiguity_note(f"{line.feature}: leads from {stop_names[0]!r} to itself; left out", line.feature)
                )
                continue
            undirected_names = min(tuple(stop_names), tuple(reversed(stop_names)))
            if undirected_names in seen_stops:
                self.notes.append(
                    _ambiguity_note(
                        f"{line.feature}: the same track of {railroad} a second time; left out", line.feature
                    )
                )
                continue
            seen_stops.add(undirected_names)
            yield _Run(line.feature, railroad, line.level, stop_names)

    def _name_vertex(self, railroad: str, level: int, point: Point) -> str:
        """Return the place of a vertex: a milepost of the railroad, or its coordinates."""
        coordinate_text = coordinate_name(*point)
        pin = self.at.get(coordinate_text)
        if pin is not None and (not pin.railroads or railroad in pin.railroads):
            name = self._use_milepost(pin)
        elif level:
            name = f"{railroad} level {level} {coordinate_text.removeprefix('@')}"
            self.places[name] = ListedPlace(round(point[0], 5), round(point[1], 5), BEND)
        else:
            name = coordinate_text
        self.points[name] = point
        return name

    def _use_milepost(self, pin: Pin) -> str:
        milepost = pin.milepost
        self.mileposts.add(milepost.name)
        if milepost.id in self.own:
            self.places.setdefault(milepost.name, ListedPlace(milepost.lon, milepost.lat, ""))
        return milepost.name

    def _set_end_mileposts(self, runs: Mapping[str, Sequence[_Run]]) -> None:
        """Set a milepost where a line ends off any, for every railroad within the snapping distance.

        A station list can only end at a milepost. An existing milepost within that distance is used.
        """
        if not runs:
            return
        nearby = _NearbyTrack(runs, self.points, self.source.config.tracing.snap_mi)
        for end in _find_end_stops(runs, self.mileposts):
            end_runs = [run for railroad in end.railroads for run in runs[railroad] if end.name in run.stops]
            if all(end.name in run.renamed for run in end_runs):
                continue
            known_name = next((run.renamed[end.name] for run in end_runs if end.name in run.renamed), None)
            pin = None if known_name else self._find_pin_near(end, end_runs, nearby)
            milepost_name = known_name or (self._use_milepost(pin) if pin else self._add_milepost(end))
            joined_railroads = {run.railroad for run in end_runs if _rename_vertex(run, end.name, milepost_name)}
            places_beside = nearby.places_beside_point(self.points[end.name], end.level)
            joined_railroads |= self._join_beside(
                milepost_name,
                pin,
                [beside for beside in places_beside if beside[0].railroad not in end.railroads],
                runs,
            )
            self.notes.append(self._end_note(end, milepost_name, sorted(joined_railroads), pin))
        self._join_cities(runs, nearby)
        for own_runs in runs.values():
            for run in own_runs:
                run.stops = run.final_stops()

    def _join_cities(self, runs: Mapping[str, Sequence[_Run]], nearby: "_NearbyTrack") -> None:
        """Make each city, unless a point stands for it, a stop of every railroad within the snapping distance."""
        for pin in self.pins:
            if pin.milepost.kind == "city" and not pin.drawn:
                city_name = pin.milepost.name
                served_railroads = {
                    railroad
                    for railroad, own_runs in runs.items()
                    if any(city_name in run.mileposts() for run in own_runs)
                }
                places_beside = [
                    beside
                    for beside in nearby.places_beside_point((pin.lon, pin.lat))
                    if beside[0].railroad not in served_railroads
                ]
                if places_beside:
                    self._join_beside(self._use_milepost(pin), pin, places_beside, runs)

    def _join_beside(
        self,
        name: str,
        pin: Pin | None,
        beside: Iterable[tuple[_Run, int, float]],
        runs: Mapping[str, Sequence[_Run]],
    ) -> set[str]:
        """Make a milepost a stop of lines beside it, and return the railroads that have it then.

        A vertex becomes the milepost unless it is another milepost; between vertices the milepost is added.
        """
        joined: set[str] = set()
        for run, stop_number, share in beside:
            vertex = {0.0: run.stops[stop_number], 1.0: run.stops[stop_number + 1]}.get(share, "")
            if vertex in self.mileposts or (pin and pin.railroads and run.railroad not in pin.railroads):
                continue
            if vertex:
                same_place = [other_run for other_run in runs[run.railroad] if vertex in other_run.stops]
                joined |= {run.railroad for other_run in same_place if _rename_vertex(other_run, vertex, name)}
            elif name not in run.mileposts():
                run.added.append((stop_number, share, name))
                joined.add(run.railroad)
        return joined

    def _find_pin_near(self, end: _EndStop, own: Sequence[_Run], nearby: "_NearbyTrack") -> Pin | None:
        """Return the nearest milepost within the snapping distance of an end, of those that its lines may lead to.

        A milepost that a line passes less than the snapping distance before its end counts as near.
        """
        end_xy, snap_mi = self.points[end.name], self.source.config.tracing.snap_mi
        near_pins = [
            (miles, number)
            for number, pin in enumerate(self.pins)
            if (miles := line_miles(((pin.lon, pin.lat), end_xy))) <= _MAX_END_REACH * snap_mi
            and (miles <= snap_mi or nearby.is_passed_before(end, (pin.lon, pin.lat)))
            and all(not pin.railroads or run.railroad in pin.railroads for run in own)
            and all(pin.milepost.name not in run.mileposts() for run in own)
        ]
        return self.pins[min(near_pins)[1]] if near_pins else None

    def _add_milepost(self, end: _EndStop) -> str:
        name = _free_name(f"{end.railroads[0]} end", self.folds, first=1)
        lon, lat = self.points[end.name]
        self.folds.add(fold(name))
        self.mileposts.add(name)
        self.places[name] = ListedPlace(round(lon, 5), round(lat, 5), "")
        return name

    def _end_note(self, end: _EndStop, name: str, railroads: Sequence[str], pin: Pin | None) -> TraceNote:
        """Return a note about the milepost at an end."""
        owners = " and ".join(railroads)
        if pin is None:
            verb = "ends" if len(railroads) == 1 else "meet"
            text = f"{end.feature}: {owners} {verb} off any milepost, so {name!r} was set there; name it or join it"
        else:
            miles = line_miles(((pin.lon, pin.lat), self.points[end.name]))
            text = f"{end.feature}: {owners}: the end {miles:.2f} miles from {name!r} was taken to it"
        return replace_place(_ambiguity_note(text, end.feature), *self.points[end.name])

    def _note_unmet(self, runs: Mapping[str, Sequence[_Run]]) -> Iterator[TraceNote]:
        """Yield notes on places where railroads, or an end and a line, come near without meeting."""
        cut_pieces = list(_cut_runs(runs, self.mileposts))
        if not cut_pieces:
            return
        position_of_name = self.points | {name: (place.lon, place.lat) for name, place in self.places.items()}
        position_of_name |= {pin.milepost.name: (pin.milepost.lon, pin.milepost.lat) for pin in self.pins}
        plane = Plane.around(list(position_of_name.values()))
        metres_of_name = dict(zip(position_of_name, plane.metres(list(position_of_name.values())), strict=True))
        tracks = sorted({(run.railroad, run.level) for run, _ in cut_pieces})
        stop_number = {name: n for n, name in enumerate(position_of_name)}
        laid_track = LaidTrack(
            lines=np.array(
                [shapely.LineString([metres_of_name[name] for name in stops]) for _, stops in cut_pieces], dtype=object
            ),
            track=np.array([tracks.index((run.railroad, run.level)) for run, _ in cut_pieces], dtype=np.int64),
            start=np.array([stop_number[stops[0]] for _, stops in cut_pieces], dtype=np.int64),
            end=np.array([stop_number[stops[-1]] for _, stops in cut_pieces], dtype=np.int64),
            features=[run.feature for run, _ in cut_pieces],
            stop_xy=np.array(list(metres_of_name.values())),
            stop_names=[name if name in self.own_names else "" for name in position_of_name],
            is_milepost=[name in self.mileposts for name in position_of_name],
        )
        railroad_marks = {key: railroad.short for key, railroad in self.source.railroads.items()}
        for note in note_near_misses(
            laid_track, tracks, railroad_marks, plane, snap_mi=self.source.config.tracing.snap_mi
        ):
            yield note.model_copy(update={"what": KEPT})

    def _note_idle_points(self, lines: Sequence[ListedLine]) -> Iterator[TraceNote]:
        """Yield notes on drawn points that no line leads to."""
        used_names = {name for line in lines for name, _ in line.stops}
        for pin in self.pins:
            if pin.drawn and pin.milepost.name not in used_names:
                feature = pin.milepost.origin.where
                note = _ambiguity_note(f"{feature}: no line leads to {pin.name!r}; it is not in any list", feature)
                yield replace_place(note, pin.lon, pin.lat)


def replace_place(note: TraceNote, lon: float, lat: float) -> TraceNote:
    """Return a note at a place, degrees."""
    return note.model_copy(update={"lon": round(lon, 5), "lat": round(lat, 5)})


class _NearbyTrack:
    """Spatial index of the stretches between vertices.

    Args:
        runs: Lines by railroad.
        points: Where their stops are, degrees.
        snap_mi: The snapping distance.
    """

    def __init__(self, runs: Mapping[str, Sequence[_Run]], points: Mapping[str, Point], snap_mi: float) -> None:
        self._plane = Plane.around(list(points.values()))
        self._points, self._reach = points, snap_mi * METRES_PER_MILE
        self._stretches = [
            (run, stop_number)
            for railroad_runs in runs.values()
            for run in railroad_runs
            for stop_number in range(len(run.stops) - 1)
        ]
        metres = dict(zip(points, self._plane.metres(list(points.values())), strict=True))
        lines = [
            [metres[run.stops[stop_number]], metres[run.stops[stop_number + 1]]] for run, stop_number in self._stretches
        ]
        self._lines = np.asarray(shapely.linestrings(np.array(lines)), dtype=object)
        self._tree = shapely.STRtree(self._lines)

    def is_passed_before(self, end: _EndStop, point: Point) -> bool:
        """Return whether a line passes a point, degrees, less than the snapping distance before an end of it."""
        place, at = (shapely.Point(xy) for xy in self._plane.metres([point, self._points[end.name]]))
        near_stretches = self._tree.query(place, predicate="dwithin", distance=self._reach).tolist()
        return any(
            end.name in run.stops[stop_number : stop_number + 2]
            and shapely.distance(shapely.get_point(shapely.shortest_line(self._lines[number], place), 0), at)
            <= self._reach
            for number in near_stretches
            for run, stop_number in [self._stretches[number]]
        )

    def places_beside_point(self, point: Point, level: int | None = None) -> list[tuple[_Run, int, float]]:
        """Return the place where each railroad passes a point, degrees: the stretch, and how far along it from 0 to 1.

        Each railroad is returned once, at its nearest place; vertices within the snapping distance take precedence.

        Args:
            point: `(lon, lat)`.
            level: The level of the lines; None for any.
        """
        at = shapely.Point(self._plane.metres([point])[0])
        best_by_railroad: dict[str, tuple[tuple[bool, float, int], _Run, int, float]] = {}
        for number in self._tree.query(at, predicate="dwithin", distance=self._reach).tolist():
            run, stop_number = self._stretches[number]
            if level is not None and run.level != level:
                continue
            line = self._lines[number]
            vertices = [(float(shapely.distance(at, shapely.get_point(line, n))), float(n)) for n in range(_TWO_STOPS)]
            distance_m, share = min(vertices)
            is_between = distance_m > self._reach
            if is_between:
                distance_m, share = float(shapely.distance(at, line)), float(line.project(at, normalized=True))
            rank = (is_between, distance_m, number)
            if run.railroad not in best_by_railroad or rank < best_by_railroad[run.railroad][0]:
                best_by_railroad[run.railroad] = (rank, run, stop_number, share)
        return [best_by_railroad[railroad][1:] for railroad in sorted(best_by_railroad)]


def _find_end_stops(runs: Mapping[str, Sequence[_Run]], mileposts: Collection[str]) -> list[_EndStop]:
    """Return the vertices off mileposts at an end of a railroad, or of a line on another railroad's vertex.

    Vertices along track that railroads share are left out.
    """
    neighbours_by_place: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for railroad, railroad_runs in runs.items():
        for run in railroad_runs:
            for first_stop, next_stop in pairwise(run.stops):
                neighbours_by_place[first_stop][railroad].add(next_stop)
                neighbours_by_place[next_stop][railroad].add(first_stop)
    end_stops: dict[str, _EndStop] = {}
    for run in (run for railroad_runs in runs.values() for run in railroad_runs):
        for stop_name in (run.stops[0], run.stops[-1]):
            neighbours = neighbours_by_place[stop_name]
            is_loose = len(neighbours[run.railroad]) == 1
            mine = neighbours[run.railroad]
            is_parting = any(not (next_stop <= mine or mine <= next_stop) for next_stop in neighbours.values())
            if stop_name not in mileposts and stop_name not in end_stops and (is_loose or is_parting):
                railroads = (run.railroad, *sorted(neighbours.keys() - {run.railroad}))
                end_stops[stop_name] = _EndStop(stop_name, run.feature, railroads, run.level)
    return list(end_stops.values())


def _rename_vertex(run: _Run, vertex: str, milepost: str) -> bool:
    """Make a vertex a milepost unless the line would pass that milepost twice; return whether it is one."""
    if milepost not in run.mileposts():
        run.renamed.setdefault(vertex, milepost)
    return run.renamed.get(vertex) == milepost


def _cut_runs(runs: Mapping[str, Sequence[_Run]], mileposts: Collection[str]) -> Iterator[tuple[_Run, list[str]]]:
    """Yield the runs cut at mileposts and where more than two stretches of a railroad meet."""
    for railroad_runs in runs.values():
        stretches = {frozenset(pair) for run in railroad_runs for pair in pairwise(run.stops)}
        arm_counts = Counter(stop_name for stretch in stretches for stop_name in stretch)
        for run in railroad_runs:
            first_stop = 0
            for last_stop in range(1, len(run.stops)):
                stop_name = run.stops[last_stop]
                if last_stop == len(run.stops) - 1 or stop_name in mileposts or arm_counts[stop_name] > _TWO_STOPS:
                    yield run, run.stops[first_stop : last_stop + 1]
                    first_stop = last_stop


def _join_runs(runs: Sequence[_Run]) -> Iterator[tuple[str, list[str]]]:
    """Join runs that follow each other with no third run between, so that no list passes a place twice."""
    runs_at: defaultdict[str, list[int]] = defaultdict(list)
    for number, run in enumerate(runs):
        runs_at[run.stops[0]].append(number)
        runs_at[run.stops[-1]].append(number)
    unused_runs = set(range(len(runs)))
    for number, run in enumerate(runs):
        if number not in unused_runs:
            continue
        unused_runs.remove(number)
        stops = list(run.stops)
        for _ in range(_TWO_STOPS):  # onwards from either end
            _extend_stops(stops, runs, runs_at, unused_runs)
            stops.reverse()
        yield run.feature, stops


def _extend_stops(stops: list[str], runs: Sequence[_Run], at: Mapping[str, list[int]], left: set[int]) -> None:
    passed_stops = set(stops)
    while len(at[stops[-1]]) == _TWO_STOPS:
        next_run = next((number for number in at[stops[-1]] if number in left), None)
        if next_run is None:
            return
        next_stops = runs[next_run].stops if runs[next_run].stops[0] == stops[-1] else runs[next_run].stops[::-1]
        if not passed_stops.isdisjoint(next_stops[1:]):
            return
        left.remove(next_run)
        passed_stops.update(next_stops)
        stops += next_stops[1:]
