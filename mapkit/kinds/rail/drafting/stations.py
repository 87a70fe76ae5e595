"""Names of the stations of a draft, and station lists of railroads."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from mapkit.core.names import fold
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.drafting.corridors import Corridor
from mapkit.kinds.rail.drafting.plan import PlannedLine, PlannedPlace
from mapkit.kinds.rail.drafting.plane import Floats, Plane
from mapkit.kinds.rail.drafting.stops import Stops
from mapkit.kinds.rail.network.shortest_paths import find_shortest_paths
from mapkit.kinds.rail.trace.spacing.names import LAND_WORDS, rotate_words

# Mileposts of a draft: evenly spaced along each corridor, at places of the gazetteer where they fit.

_MOST_TRIP_STEPS: Final = 18.8
"""Mileposts of a trip on boards of many cities: 18.3 to 25.3 on the shipped boards."""
_TRIP_STEPS_PER_CITY: Final = 1.35
"""Mileposts of a trip for each city, at most, so that few cities are not joined by empty track."""
_BISECTIONS: Final = 14
_NAMELESS_COST: Final = 0.3
"""What a milepost without a place costs, in squares of a step."""
_SMALL_PLACE_COST: Final = 0.3
"""What a place of nobody costs; one of a million people costs nothing."""
_MILLION_LOG10: Final = 6.0
_NEAREST_STEPS: Final = 0.45
"""Two mileposts are never nearer than this share of a step."""
_TOLERANCE_STEPS: Final = 0.16
"""Steps by which a line may leave the stops between mileposts out."""


@dataclass(frozen=True)
class Station:
    """Place on a corridor: a milepost or a via.

    Attributes:
        at: Where, miles on the plane.
        stop: The stop; -1 at a point between stops.
        milepost: Whether it costs a step.
    """

    at: tuple[float, float]
    stop: int
    milepost: bool


def wanted_trip_steps(cities: int) -> float:
    """Return the target number of mileposts of a trip: 1.35 for each city, up to 18.8."""
    return min(_MOST_TRIP_STEPS, _TRIP_STEPS_PER_CITY * cities)


def choose_gap(links: Sequence[Corridor], chances: Mapping[int, float]) -> float:
    """Return the miles between mileposts that give a trip the target number of steps (bisection)."""
    wanted_steps = wanted_trip_steps(len(chances))
    longest_mi = max(link.miles for link in links)
    low_gap, high_gap = longest_mi / 200, longest_mi * 2
    for _ in range(_BISECTIONS):
        mid_gap = (low_gap * high_gap) ** 0.5
        low_gap, high_gap = (
            (mid_gap, high_gap) if mean_trip_steps(links, chances, mid_gap) > wanted_steps else (low_gap, mid_gap)
        )
    return float(f"{(low_gap * high_gap) ** 0.5:.3g}")


def mean_trip_steps(links: Sequence[Corridor], chances: Mapping[int, float], gap: float) -> float:
    """Return the mean mileposts of a trip between two different cities drawn by their chances."""
    nodes = sorted({end for link in links for end in link.ends})
    index_by_node = {node: index for index, node in enumerate(nodes)}
    edge_indices = np.array([[index_by_node[end] for end in link.ends] for link in links], dtype=np.int64)
    cities = sorted(chances)
    odds = np.array([chances[city] for city in cities])
    pair_odds = np.outer(odds, odds)
    np.fill_diagonal(pair_odds, 0.0)
    city_indices = [index_by_node[city] for city in cities]
    steps_by_link = np.array([float(count_steps(link.miles, gap)) for link in links])
    return float(
        (pair_odds * find_shortest_paths(edge_indices, steps_by_link, len(nodes), city_indices)[:, city_indices]).sum()
        / pair_odds.sum()
    )


def count_steps(miles: float, gap: float) -> int:
    """Return the number of steps of a corridor."""
    return max(1, int(miles / gap + 0.5))


def place_stations(link: Corridor, at: Floats, people: Callable[[int], int], gap: float) -> tuple[Station, ...]:
    """Return the stations of a corridor from end to end.

    Args:
        link: The corridor.
        at: Where stops are.
        people: How many live at a stop; 0 where it has no place.
        gap: Miles from milepost to milepost.
    """
    points = at[list(link.stops)]
    along_mi = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
    step_count = count_steps(float(along_mi[-1]), gap)
    inner_mileposts = _choose_mileposts(along_mi, [_milepost_cost(people(stop)) for stop in link.stops], step_count)
    sorted_positions = sorted(
        [(float(along_mi[k]), k) for k in range(len(points))]
        + [(position_mi, -1) for position_mi, k in inner_mileposts if k < 0]
    )
    milepost_positions = {(position_mi, k) for position_mi, k in inner_mileposts} | {
        (0.0, 0),
        (float(along_mi[-1]), len(points) - 1),
    }
    stations = [
        Station(
            _interpolate_point(points, along_mi, position_mi),
            link.stops[k] if k >= 0 else -1,
            (position_mi, k) in milepost_positions,
        )
        for position_mi, k in sorted_positions
    ]
    # Drop vias that the line passes closely without them
    off = gap * _TOLERANCE_STEPS
    kept_indices = [0]
    milepost_indices = [k for k, station in enumerate(stations) if station.milepost]
    for start, end in pairwise(milepost_indices):
        kept_indices += [*_find_bends(stations, start, end, off), end]
    return tuple(stations[k] for k in kept_indices)


def _milepost_cost(people: int) -> float:
    """Return the cost of a milepost at a place of a population: large places come first."""
    return (
        _NAMELESS_COST
        if people <= 0
        else round(max(0.0, _SMALL_PLACE_COST * (1 - math.log10(people) / _MILLION_LOG10)), 6)
    )


def _choose_mileposts(along: Floats, costs: Sequence[float], count: int) -> list[tuple[float, int]]:
    """Choose positions and stops (-1 between stops) of evenly spaced inner mileposts (dynamic programming)."""
    total_mi = float(along[-1])
    step_mi = total_mi / count
    candidates = [(float(position_mi), k) for k, position_mi in enumerate(along[1:-1].tolist(), 1)]
    candidates += [(round(step_mi * n, 4), -1) for n in range(1, count)]
    candidates.sort()
    best_by_step: list[dict[int, tuple[float, int]]] = [{-1: (0.0, -1)}]  # by steps taken: offer -> cost, offer before
    for _ in range(count - 1):
        best_here: dict[int, tuple[float, int]] = {}
        for k, (position_mi, stop) in enumerate(candidates):
            place_cost = costs[stop] if stop >= 0 else _NAMELESS_COST
            for earlier, (cost, _) in best_by_step[-1].items():
                earlier_mi = candidates[earlier][0] if earlier >= 0 else 0.0
                if position_mi - earlier_mi < _NEAREST_STEPS * step_mi:
                    continue
                total_cost = round(cost + ((position_mi - earlier_mi) / step_mi - 1) ** 2 + place_cost, 9)
                if k not in best_here or total_cost < best_here[k][0]:
                    best_here[k] = (total_cost, earlier)
        best_by_step.append(best_here)
    final_costs = [
        (cost + ((total_mi - (candidates[k][0] if k >= 0 else 0.0)) / step_mi - 1) ** 2, k)
        for k, (cost, _) in best_by_step[-1].items()
        if total_mi - (candidates[k][0] if k >= 0 else 0.0) >= _NEAREST_STEPS * step_mi
    ]
    chosen_mileposts, k = [], min(final_costs)[1]
    for step_number in range(count - 1, 0, -1):
        chosen_mileposts.append(candidates[k])
        k = best_by_step[step_number][k][1]
    return chosen_mileposts[::-1]


def _interpolate_point(points: Floats, along: Floats, far: float) -> tuple[float, float]:
    return (round(float(np.interp(far, along, points[:, 0])), 4), round(float(np.interp(far, along, points[:, 1])), 4))


def _find_bends(stations: Sequence[Station], start: int, end: int, off: float) -> list[int]:
    """Return the stations between two that are too far from the straight line (Douglas and Peucker 1973)."""
    if end - start < 2:  # noqa: PLR2004 - none between
        return []
    a, b = (np.array(stations[k].at) for k in (start, end))
    chord = b - a
    chord_mi = max(float(np.hypot(*chord)), 1e-9)
    inner_offsets = [np.array(stations[k].at) - a for k in range(start + 1, end)]
    chord_distances = [abs(float(chord[0] * offset[1] - chord[1] * offset[0])) / chord_mi for offset in inner_offsets]
    farthest = int(np.argmax(chord_distances))
    if chord_distances[farthest] <= off:
        return []
    k = start + 1 + farthest
    return [*_find_bends(stations, start, k, off), k, *_find_bends(stations, k, end, off)]


_SEA_WORDS: Final = (
    "Ferry", "Sound", "Channel", "Buoy", "Strait", "Bank", "Shoal", "Reach", "Lightship", "Anchorage", "Passage",
    "Roads",
)  # fmt: skip
_NEAREST_PLACES: Final = 4
_COORDINATES: Final = "@"


class StationNames:
    """Unique names of stations.

    Args:
        plane: The plane.
        stops: The stops, with their places.
        cities: The name of each city, by stop.
        taken: Further names that are taken.
        is_dry: Whether a point of the plane is land.
    """

    def __init__(
        self,
        plane: Plane,
        stops: Stops,
        cities: Mapping[int, str],
        taken: Sequence[str] = (),
        is_dry: Callable[[tuple[float, float]], bool] = lambda _: True,
    ) -> None:
        self._plane, self._stops, self._cities, self._is_dry = plane, stops, cities, is_dry
        self._taken = {fold(name) for name in (*cities.values(), *taken)}
        self._known: dict[tuple[float, float], str] = {}
        self.places: list[PlannedPlace] = []

    def of(self, station: Station) -> str:
        """Return the name of a station in station lists: its city, its place, or its coordinates."""
        if station.stop in self._cities:
            return self._cities[station.stop]
        if station.at not in self._known:
            self._known[station.at] = self._named(station)
        return self._known[station.at]

    def _named(self, station: Station) -> str:
        place = self._stops.places[station.stop] if station.stop >= 0 else None
        lon, lat = self._degrees(station, place)
        if place is None and not station.milepost:
            return f"{_COORDINATES}{lon:.5f},{lat:.5f}"
        name_candidates = [place.name, place.printed_name, *self._made_up(station)] if place else self._made_up(station)
        free_name = next((name for name in name_candidates if fold(name) not in self._taken), None)
        if free_name is None:
            free_name = next(
                numbered_name
                for n in range(2, 10_000)
                if fold(numbered_name := f"{name_candidates[0]} {n}") not in self._taken
            )
        self._taken.add(fold(free_name))
        note = "GeoNames" if place else "no place is near; a point of the line"
        self.places.append(PlannedPlace(name=free_name, lon=lon, lat=lat, note=note))
        return free_name

    def _degrees(self, station: Station, place: GazetteerPlace | None) -> tuple[float, float]:
        if place is not None:
            return place.lon, place.lat
        lon, lat = self._plane.to_degrees(np.array([station.at]))[0].tolist()
        return float(lon), float(lat)

    def _made_up(self, station: Station) -> list[str]:
        """Return names for a point without a place: a nearby place and a word, as for country stations."""
        named_stops = [stop for stop, place in enumerate(self._stops.places) if place is not None]
        offsets_mi = np.array(station.at) - self._stops.at[named_stops]
        nearest_indices = np.argsort(np.round(np.hypot(*offsets_mi.T), 6), kind="stable")[:_NEAREST_PLACES].tolist()
        place_names = [place.name for k in nearest_indices if (place := self._stops.places[named_stops[k]]) is not None]
        words = rotate_words(*station.at, LAND_WORDS if self._is_dry(station.at) else _SEA_WORDS)
        invented_names = [f"{place} {word}" for word in words for place in place_names]
        return invented_names or ["Halt"]


def make_station_lists(
    numbers: Sequence[int],
    links: Sequence[Corridor],
    stations: Sequence[Sequence[Station]],
    names: StationNames,
    at: Floats,
) -> tuple[PlannedLine, ...]:
    """Return the station lists of a railroad.

    Args:
        numbers: The corridors that it takes, by number.
        links: All corridors.
        stations: Their stations.
        names: Names of stations.
        at: Where stops are.
    """
    lines = []
    used_names: set[str] = set()
    for trail in _split_into_trails(numbers, links, at):
        trail_stations: list[Station] = []
        for number, forward in trail:
            link_stations = stations[number] if forward else stations[number][::-1]
            trail_stations += link_stations[1:] if trail_stations else link_stations
        named_stations = tuple((names.of(station), station.milepost) for station in trail_stations)
        line_name = base_name = f"{named_stations[0][0]} - {named_stations[-1][0]}"
        next_number = 2
        while fold(line_name) in used_names:
            line_name, next_number = f"{base_name} {next_number}", next_number + 1
        used_names.add(fold(line_name))
        lines.append(PlannedLine(name=line_name, stations=named_stations))
    return tuple(lines)


def _split_into_trails(numbers: Sequence[int], links: Sequence[Corridor], at: Floats) -> list[list[tuple[int, bool]]]:
    """Split corridors into few long trails that go straight on where they can: corridor and whether it runs forward."""
    unused_links = set(numbers)
    links_by_node: dict[int, list[int]] = defaultdict(list)
    for link_number in sorted(unused_links):
        for end in links[link_number].ends:
            links_by_node[end].append(link_number)
    trails = []
    while unused_links:
        unused_by_node = {
            node: [n for n in node_links if n in unused_links] for node, node_links in links_by_node.items()
        }
        odd_nodes = sorted(node for node, node_links in unused_by_node.items() if len(node_links) % 2)
        node = min(
            odd_nodes or [node for node, node_links in unused_by_node.items() if node_links],
            key=lambda n: (len(unused_by_node[n]), n),
        )
        trail: list[tuple[int, bool]] = []
        last_heading: Floats | None = None
        while True:
            onward_links = [n for n in links_by_node[node] if n in unused_links]
            if not onward_links:
                break
            link_number = min((-_turn_cosine(_heading(links[n], node, at), last_heading), n) for n in onward_links)[1]
            unused_links.discard(link_number)
            runs_forward = links[link_number].stops[0] == node
            trail.append((link_number, runs_forward))
            node = links[link_number].stops[-1] if runs_forward else links[link_number].stops[0]
            last_heading = -_heading(links[link_number], node, at)
        trails.append(trail)
    return trails


def _turn_cosine(heading: Floats, last_heading: Floats | None) -> float:
    """Return the cosine of the turn to a heading; 0 at the start of a line."""
    return 0.0 if last_heading is None else round(float(heading @ last_heading), 6)


def _heading(link: Corridor, node: int, at: Floats) -> Floats:
    """Return the direction of a corridor at a node."""
    stops = link.stops if link.stops[0] == node else link.stops[::-1]
    direction = at[stops[min(2, len(stops) - 1)]] - at[stops[0]]
    direction_mi = float(np.hypot(*direction))
    return np.asarray(direction / direction_mi if direction_mi else direction, dtype=np.float64)
