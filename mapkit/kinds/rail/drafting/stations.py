"""Names of the stations of a draft, and station lists of railroads."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from mapkit.core.names import fold
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.drafting.corridors import Corridor
from mapkit.kinds.rail.drafting.plan import PlannedLine, PlannedPlace
from mapkit.kinds.rail.drafting.plane import Floats, Plane
from mapkit.kinds.rail.drafting.spacing import Station
from mapkit.kinds.rail.drafting.stops import Stops
from mapkit.kinds.rail.trace.spacing.names import LAND_WORDS, rotate_words

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
