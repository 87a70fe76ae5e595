"""Traced lines become station lists: rows that give the same mileposts, junctions and track pieces.

A line is a stretch of a drawn feature over consecutive mileposts and junctions, in the direction in which it was drawn.
Mileposts and junctions are places with a name, so that their ids follow from it; bends are coordinates.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Literal

from mapkit.core.base import Point
from mapkit.core.names import fold, slug
from mapkit.kinds.rail.model.network import Network, TraceNote
from mapkit.kinds.rail.sources.places import coordinate_name
from mapkit.kinds.rail.tables import BEND, BY_RULE, JUNCTION
from mapkit.kinds.rail.trace.georeferencing.placing import place
from mapkit.kinds.rail.trace.source import Source
from mapkit.kinds.rail.trace.stations import trace_stations
from mapkit.kinds.rail.trace.traced import Joined, TrackRun

ListedStop = tuple[str, Literal["milepost", "via"]]


@dataclass(frozen=True)
class ListedLine:
    """A line of a station list: its stops by the names of their places, and the feature that it came from."""

    railroad: str
    name: str
    feature: str
    stops: tuple[ListedStop, ...]


@dataclass(frozen=True)
class ListedPlace:
    """A place that the lists name, in degrees (EPSG:4326), and what it is."""

    lon: float
    lat: float
    note: str


@dataclass(frozen=True)
class Listed:
    """Station lists of drawn lines, the places that they name, and what placing has to say."""

    lines: tuple[ListedLine, ...] = ()
    places: Mapping[str, ListedPlace] = field(default_factory=dict)
    notes: tuple[TraceNote, ...] = ()


def list_traced(source: Source, *, many: bool = True) -> Listed:
    """Place the traced lines of a source package, and return them as station lists.

    Args:
        source: With `traced` lines, `pinned` points, control points if any are in pixels, and the station lists that
            they are joined to.
        many: Whether more mileposts may be placed by rule than boards have.

    Raises:
        SourceError: Control points are missing or do not fix the picture, or two mileposts would have one id.
    """
    if not source.traced:
        return Listed(notes=source.import_notes)
    base = trace_stations(source)
    joined = Joined(place(source), base)
    spaced = joined.space(many=many)
    network = joined.network(spaced)
    return _Listing(network, base).listed(list(joined.runs(spaced)))


class _Listing:
    """One source's lists in the making.

    Args:
        network: All of its track; names in full.
        base: That of the station lists that it has already.
    """

    def __init__(self, network: Network, base: Network) -> None:
        self._network = network
        self._names = {milepost.id: milepost.name for milepost in network.mileposts}
        self._mileposts = {milepost.id: milepost for milepost in network.mileposts}
        self._junctions = {junction.id: junction for junction in network.junctions}
        self._given = {milepost.id for milepost in base.mileposts}
        self._places: dict[str, ListedPlace] = {}
        self._folds = {fold(name) for name in self._names.values()}
        self._bends: Counter[tuple[str, str]] = Counter()
        self._used: defaultdict[str, set[frozenset[str]]] = defaultdict(set)

    def listed(self, runs: list[TrackRun]) -> Listed:
        """Return the lists of all runs, those of one feature that follow each other as one line."""
        for run in runs:
            self._bends.update((run.railroad, name) for line in run.lines for name in map(_at, line[1:-1]))
        count: Counter[tuple[str, str]] = Counter()
        lines: list[ListedLine] = []
        for chain in _chains(runs):
            first = chain[0]
            name = line_name(first.feature)
            count[first.railroad, fold(name)] += 1
            number = count[first.railroad, fold(name)]
            lines.append(
                ListedLine(
                    first.railroad, name if number == 1 else f"{name} {number}", first.feature, self._stops(chain)
                )
            )
        return Listed(tuple(lines), dict(self._places), self._network.notes)

    def _stops(self, chain: list[TrackRun]) -> tuple[ListedStop, ...]:
        out: list[ListedStop] = [self._end(chain[0].ends[0])]
        for run in chain:
            for end, line in zip(run.ends[1:], run.lines, strict=True):
                out += self._vias(run.railroad, out[-1][0], self._end(end)[0], line)
                out.append(self._end(end))
        return tuple(out)

    def _end(self, ident: str) -> ListedStop:
        """Return a milepost or junction as a stop; those that no list names yet become places."""
        if ident in self._mileposts:
            milepost = self._mileposts[ident]
            if ident not in self._given:
                note = BY_RULE if milepost.origin.how == "generated" else milepost.origin.where
                self._places.setdefault(milepost.name, ListedPlace(milepost.lon, milepost.lat, note))
            return milepost.name, "milepost"
        junction = self._junctions[ident]
        name = ident.removeprefix(f"{junction.railroad}--")
        self._places.setdefault(name, ListedPlace(junction.lon, junction.lat, JUNCTION))
        return name, "via"

    def _vias(self, railroad: str, start: str, end: str, line: tuple[Point, ...]) -> Iterator[ListedStop]:
        """Yield the bends between two stops.

        A bend that the railroad has twice gets a name of its own, for places of one name are one place; so does a
        point of a stretch that would be the same as another, or end where it begins.
        """
        places: list[str] = []
        for point in line[1:-1]:
            name = _at(point)
            if places and name == places[-1]:
                continue
            places.append(self._bend(railroad, point) if self._bends[railroad, name] > 1 else name)
        whole = [start, *places, end]
        stretches = [frozenset(pair) for pair in pairwise(whole)]
        if any(len(stretch) == 1 or stretch in self._used[railroad] for stretch in stretches) or (
            start == end and len(places) == 1
        ):
            (x, y), (x2, y2) = line[0], line[1]
            places.insert(0, self._bend(railroad, ((x + x2) / 2, (y + y2) / 2)))
            whole = [start, *places, end]
            stretches = [frozenset(pair) for pair in pairwise(whole)]
        self._used[railroad].update(stretches)
        for name in places:
            yield name, "via"

    def _bend(self, railroad: str, point: Point) -> str:
        number = 1
        while fold(name := f"{railroad} bend {number}") in self._folds:
            number += 1
        self._folds.add(fold(name))
        self._places[name] = ListedPlace(round(point[0], 5), round(point[1], 5), BEND)
        return name


def _at(point: Point) -> str:
    return coordinate_name(*point)


def _chains(runs: list[TrackRun]) -> Iterator[list[TrackRun]]:
    """Yield runs that follow each other on one feature, as one line; no line passes a place twice."""
    chain: list[TrackRun] = []
    passed: set[str] = set()
    for run in runs:
        follows = bool(chain) and (
            (chain[0].feature, chain[0].railroad, chain[0].level) == (run.feature, run.railroad, run.level)
            and chain[-1].ends[-1] == run.ends[0]
            and passed.isdisjoint(run.ends[1:])
        )
        if chain and not follows:
            yield chain
            chain, passed = [], set()
        chain.append(run)
        passed.update(run.ends)
    if chain:
        yield chain


def line_name(feature: str) -> str:
    """Return what a line is called by its feature: `linha-do-norte` of `lines/portugal.svg#linha-do-norte`."""
    file, _, part = feature.partition("#")
    part = part.replace("/", " ")
    return part if slug(part) and not part.isdigit() else " ".join(filter(None, (PurePosixPath(file).stem, part)))
