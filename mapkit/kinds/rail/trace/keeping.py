"""A network that somebody made already becomes station lists as it is: nothing is joined, spaced or repaired.

Each vertex of a line is a stop of its list: a milepost where a point stands for one, and a via elsewhere. So lines of a
railroad meet where they share a vertex, and nowhere else. What looks amiss is noted and not repaired.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import PurePosixPath
from typing import Final

from mapkit.core.base import Point
from mapkit.core.geodesy import line_miles
from mapkit.core.names import fold
from mapkit.kinds.rail.model.network import Network, TraceNote
from mapkit.kinds.rail.model.source import PinnedPoint, TracedLine
from mapkit.kinds.rail.sources.places import city_points, coordinate_name
from mapkit.kinds.rail.trace.georeferencing.placing import place
from mapkit.kinds.rail.trace.listing import BEND, Listed, ListedLine, ListedPlace, ListedStop
from mapkit.kinds.rail.trace.pins import Pin, gather_pins
from mapkit.kinds.rail.trace.source import Source
from mapkit.kinds.rail.trace.stations import trace_stations
from mapkit.kinds.rail.trace.traced import note_order

KEPT: Final = "kept as drawn"
"""What notes are of that no drawing has; placing drawings again does not touch them."""

_SAME_MI: Final = 0.01
_PAIR: Final = 2


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


@dataclass
class _Run:
    """A line as stops by their names, and where the first of its vertices lie."""

    feature: str
    stops: list[str]


@dataclass
class _Keeping:
    """One source's lists in the making."""

    source: Source
    base: Network
    notes: list[TraceNote] = field(default_factory=list)
    places: dict[str, ListedPlace] = field(default_factory=dict)
    mileposts: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        gathered = gather_pins(self.source, self.base.mileposts)
        self.notes += gathered.notes
        self.pins = gathered.pins
        # Points of several names may be one pin, and each of them is where lines may end.
        self.at: dict[str, Pin] = {coordinate_name(pin.lon, pin.lat): pin for pin in reversed(gathered.pins)}
        self.own = {pin.milepost.id for pin in gathered.pins[len(self.base.mileposts) :]}
        self.own -= {milepost.id for milepost in self.base.mileposts}
        self.folds = {fold(pin.milepost.name) for pin in gathered.pins}

    def listed(self) -> Listed:
        """Return the lists of all railroads."""
        lines: list[ListedLine] = []
        traced = sorted(self.source.traced, key=lambda line: line.railroad)
        for railroad, own in groupby(traced, key=lambda line: line.railroad):
            runs = list(self._runs(railroad, list(own)))
            self._end_loose(railroad, runs)
            for number, (feature, stops) in enumerate(_chained(runs), start=1):
                stem = PurePosixPath(feature.partition("#")[0]).stem
                lines.append(ListedLine(railroad, f"{stem} {number}", "", tuple(map(self._stop, stops))))
        notes = {*self.notes, *self._idle(lines), *self.source.import_notes}
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
            yield _Run(line.feature, names)

    def _name(self, railroad: str, level: int, point: Point) -> str:
        """Return the place of a vertex: a milepost at which the railroad stops, or its coordinates."""
        spot = coordinate_name(*point)
        pin = self.at.get(spot)
        if pin is not None and (not pin.railroads or railroad in pin.railroads):
            return self._milepost(pin)
        if not level:
            return spot
        name = f"{railroad} level {level} {spot.removeprefix('@')}"
        self.places[name] = ListedPlace(round(point[0], 5), round(point[1], 5), BEND)
        return name

    def _milepost(self, pin: Pin) -> str:
        milepost = pin.milepost
        self.mileposts.add(milepost.name)
        if milepost.id in self.own:
            self.places.setdefault(milepost.name, ListedPlace(milepost.lon, milepost.lat, ""))
        return milepost.name

    def _end_loose(self, railroad: str, runs: Sequence[_Run]) -> None:
        """Set mileposts where a line ends off any: a station list cannot end otherwise."""
        arms = _arms(runs)
        for run in runs:
            for at in (0, -1):
                name = run.stops[at]
                if arms[name] > 1 or name in self.mileposts:
                    continue
                spot = self.places.get(name)
                lon, lat = (spot.lon, spot.lat) if spot else _point_of(name)
                own = _free(f"{railroad} end", self.folds, first=1)
                self.folds.add(fold(own))
                self.mileposts.add(own)
                self.places[own] = ListedPlace(lon, lat, "")
                run.stops[at] = own
                note = _doubt(
                    f"{run.feature}: {railroad} ends off any milepost, so {own!r} was set there; name it or join it",
                    run.feature,
                )
                self.notes.append(replace_place(note, lon, lat))

    def _stop(self, name: str) -> ListedStop:
        return (name, "milepost") if name in self.mileposts else (name, "via")

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


def _point_of(name: str) -> Point:
    lon, _, lat = name.removeprefix("@").partition(",")
    return float(lon), float(lat)


def _arms(runs: Iterable[_Run]) -> Counter[str]:
    """Return how many places each place is next to."""
    stretches = {frozenset(pair) for run in runs for pair in zip(run.stops, run.stops[1:], strict=False)}
    return Counter(name for stretch in stretches for name in stretch)


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
