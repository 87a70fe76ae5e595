"""Conversion of traced lines to station lists that give the same mileposts, junctions and track pieces.

A line is a stretch of a drawn feature over consecutive mileposts and junctions, in its drawn direction. Mileposts and
junctions are places with names, from which their ids are derived; bends are coordinates.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Literal

from mapkit.core.base import Point
from mapkit.core.names import fold, slug
from mapkit.geography.land_plane import LandPlane
from mapkit.kinds.rail.model.network import Network, TraceNote
from mapkit.kinds.rail.sources.places import coordinate_name
from mapkit.kinds.rail.tables import BEND, BY_RULE, JUNCTION
from mapkit.kinds.rail.trace.georeferencing.placing import place_source
from mapkit.kinds.rail.trace.joined_lines import JoinedLines, TrackRun
from mapkit.kinds.rail.trace.source import Source
from mapkit.kinds.rail.trace.stations import trace_stations

ListedStop = tuple[str, Literal["milepost", "via"]]


@dataclass(frozen=True)
class ListedLine:
    """Line of a station list: its stops by the names of their places, and its feature."""

    railroad: str
    name: str
    feature: str
    stops: tuple[ListedStop, ...]


@dataclass(frozen=True)
class ListedPlace:
    """Place named in the lists, in degrees (EPSG:4326), with a note on its origin."""

    lon: float
    lat: float
    note: str


@dataclass(frozen=True)
class TracedStationLists:
    """Station lists of drawn lines, the places that they name, and the notes of placing them."""

    lines: tuple[ListedLine, ...] = ()
    places: Mapping[str, ListedPlace] = field(default_factory=dict)
    notes: tuple[TraceNote, ...] = ()


def list_traced_lines(source: Source, *, many: bool = True) -> TracedStationLists:
    """Place the traced lines of a source package, and return them as station lists.

    Args:
        source: With `traced` lines, `pinned` points, control points if any are in pixels, and the station lists that
            they are joined to.
        many: Whether more than `MANY_MILEPOSTS` may be placed by rule.

    Raises:
        SourceError: Control points are missing or do not fix the picture, or two mileposts would have one id.
    """
    if not source.traced:
        return TracedStationLists(notes=source.import_notes)
    base_network = trace_stations(source)
    joined_network = JoinedLines(place_source(source), base_network)
    spaced_network = joined_network.space(many=many)
    full_network = joined_network.network(spaced_network)
    return _ListBuilder(full_network, base_network, source.config.projection.land_plane).make_lists(
        list(joined_network.runs(spaced_network))
    )


class _ListBuilder:
    """Station lists of one source under construction.

    Args:
        network: All of its track; names in full.
        base: That of the station lists that it has already.
        plane: The plane of an invented land, on which junctions are named after x and y.
    """

    def __init__(self, network: Network, base: Network, plane: LandPlane | None) -> None:
        self._plane = plane
        self._network = network
        self._names = {milepost.id: milepost.name for milepost in network.mileposts}
        self._mileposts = {milepost.id: milepost for milepost in network.mileposts}
        self._junctions = {junction.id: junction for junction in network.junctions}
        self._given_mileposts = {milepost.id for milepost in base.mileposts}
        self._places: dict[str, ListedPlace] = {}
        self._folded_names = {fold(name) for name in self._names.values()}
        self._bend_counts: Counter[tuple[str, str]] = Counter()
        self._used_stretches: defaultdict[str, set[frozenset[str]]] = defaultdict(set)

    def make_lists(self, runs: list[TrackRun]) -> TracedStationLists:
        """Return the lists of all runs, those of one feature that follow each other as one line."""
        for run in runs:
            self._bend_counts.update(
                (run.railroad, name) for line in run.lines for name in map(_coordinate_name_of, line[1:-1])
            )
        name_counts: Counter[tuple[str, str]] = Counter()
        listed_lines: list[ListedLine] = []
        for chain in _join_runs(runs):
            first_run = chain[0]
            name = line_name(first_run.feature)
            name_counts[first_run.railroad, fold(name)] += 1
            number = name_counts[first_run.railroad, fold(name)]
            listed_lines.append(
                ListedLine(
                    first_run.railroad,
                    name if number == 1 else f"{name} {number}",
                    first_run.feature,
                    self._make_stops(chain),
                )
            )
        return TracedStationLists(tuple(listed_lines), dict(self._places), self._network.notes)

    def _make_stops(self, chain: list[TrackRun]) -> tuple[ListedStop, ...]:
        chain_stops: list[ListedStop] = [self._make_end_stop(chain[0].ends[0])]
        for run in chain:
            for end, line in zip(run.ends[1:], run.lines, strict=True):
                chain_stops += self._make_vias(run.railroad, chain_stops[-1][0], self._make_end_stop(end)[0], line)
                chain_stops.append(self._make_end_stop(end))
        return tuple(chain_stops)

    def _make_end_stop(self, ident: str) -> ListedStop:
        """Return a milepost or junction as a stop, and add it to the places if no list names it yet."""
        if ident in self._mileposts:
            milepost = self._mileposts[ident]
            if ident not in self._given_mileposts:
                note = BY_RULE if milepost.origin.how == "generated" else milepost.origin.where
                self._places.setdefault(milepost.name, ListedPlace(milepost.lon, milepost.lat, note))
            return milepost.name, "milepost"
        junction = self._junctions[ident]
        junction_name = ident.removeprefix(f"{junction.railroad}--")
        if self._plane is not None:
            junction_name = f"junction {' '.join(self._plane.cells(junction.lon, junction.lat))}"
        self._places.setdefault(junction_name, ListedPlace(junction.lon, junction.lat, JUNCTION))
        return junction_name, "via"

    def _make_vias(self, railroad: str, start: str, end: str, line: tuple[Point, ...]) -> Iterator[ListedStop]:
        """Yield the bends between two stops.

        A bend that the railroad has twice gets a name of its own, because places of one name are one place. So does a
        point of a stretch that would equal another one, or end at its start.
        """
        places: list[str] = []
        for point in line[1:-1]:
            point_name = _coordinate_name_of(point)
            if places and point_name == places[-1]:
                continue
            places.append(
                self._name_bend(railroad, point) if self._bend_counts[railroad, point_name] > 1 else point_name
            )
        all_stops = [start, *places, end]
        stretches = [frozenset(pair) for pair in pairwise(all_stops)]
        if any(len(stretch) == 1 or stretch in self._used_stretches[railroad] for stretch in stretches) or (
            start == end and len(places) == 1
        ):
            (x, y), (x2, y2) = line[0], line[1]
            places.insert(0, self._name_bend(railroad, ((x + x2) / 2, (y + y2) / 2)))
            all_stops = [start, *places, end]
            stretches = [frozenset(pair) for pair in pairwise(all_stops)]
        self._used_stretches[railroad].update(stretches)
        for point_name in places:
            yield point_name, "via"

    def _name_bend(self, railroad: str, point: Point) -> str:
        number = 1
        while fold(name := f"{railroad} bend {number}") in self._folded_names:
            number += 1
        self._folded_names.add(fold(name))
        self._places[name] = ListedPlace(round(point[0], 5), round(point[1], 5), BEND)
        return name


def _coordinate_name_of(point: Point) -> str:
    return coordinate_name(*point)


def _join_runs(runs: list[TrackRun]) -> Iterator[list[TrackRun]]:
    """Join runs that follow each other on one feature; no line passes a place twice."""
    chain: list[TrackRun] = []
    passed_places: set[str] = set()
    for run in runs:
        follows = bool(chain) and (
            (chain[0].feature, chain[0].railroad, chain[0].level) == (run.feature, run.railroad, run.level)
            and chain[-1].ends[-1] == run.ends[0]
            and passed_places.isdisjoint(run.ends[1:])
        )
        if chain and not follows:
            yield chain
            chain, passed_places = [], set()
        chain.append(run)
        passed_places.update(run.ends)
    if chain:
        yield chain


def line_name(feature: str) -> str:
    """Return the name of a line by its feature: `linha-do-norte` of `lines/portugal.svg#linha-do-norte`."""
    file, _, feature_name = feature.partition("#")
    feature_name = feature_name.replace("/", " ")
    return (
        feature_name
        if slug(feature_name) and not feature_name.isdigit()
        else " ".join(filter(None, (PurePosixPath(file).stem, feature_name)))
    )
