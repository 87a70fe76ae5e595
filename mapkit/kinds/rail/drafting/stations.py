"""Names of the stations of a draft, and the station lists of each railroad."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Final
from zlib import crc32

import numpy as np

from mapkit.core.names import fold
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.drafting.corridors import Corridor
from mapkit.kinds.rail.drafting.plan import PlannedLine, PlannedPlace
from mapkit.kinds.rail.drafting.plane import Floats, Plane
from mapkit.kinds.rail.drafting.spacing import Station
from mapkit.kinds.rail.drafting.stops import Stops

_AT_LAND: Final = (
    "Road", "Halt", "Siding", "Cross", "Mill", "Bridge", "Wood", "Farm", "Hill", "Gate", "Green", "Lodge", "Quarry",
    "Fields", "Ford", "Tower", "Well", "Heath", "Spur", "Camp",
)  # fmt: skip
_AT_SEA: Final = (
    "Ferry", "Sound", "Channel", "Buoy", "Strait", "Bank", "Shoal", "Reach", "Lightship", "Anchorage", "Passage",
    "Roads",
)  # fmt: skip
_NEAREST: Final = 4
_COORDINATES: Final = "@"


class StationNames:
    """Gives each station its name, once.

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
        """Return what a station list calls a station: its city, its place, or where it is."""
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
        names = [place.name, place.full_name, f"{place.name} ({place.country})"] if place else self._made_up(station)
        name = next((name for name in names if fold(name) not in self._taken), None)
        if name is None:
            name = next(new for n in range(2, 10_000) if fold(new := f"{names[0]} {n}") not in self._taken)
        self._taken.add(fold(name))
        note = "GeoNames" if place else "no place is near; a point of the line"
        self.places.append(PlannedPlace(name=name, lon=lon, lat=lat, note=note))
        return name

    def _degrees(self, station: Station, place: GazetteerPlace | None) -> tuple[float, float]:
        if place is not None:
            return place.lon, place.lat
        lon, lat = self._plane.to_degrees(np.array([station.at]))[0].tolist()
        return float(lon), float(lat)

    def _made_up(self, station: Station) -> list[str]:
        """Return names for a point without a place: a place nearby and a word, as stations in the country have."""
        named = [stop for stop, place in enumerate(self._stops.places) if place is not None]
        away = np.array(station.at) - self._stops.at[named]
        nearest = np.argsort(np.round(np.hypot(*away.T), 6), kind="stable")[:_NEAREST].tolist()
        places = [place.name for k in nearest if (place := self._stops.places[named[k]]) is not None]
        words = _AT_LAND if self._is_dry(station.at) else _AT_SEA
        first = crc32(
            f"{station.at[0]:.2f} {station.at[1]:.2f}".encode()
        )  # so a point is called the same in all drafts
        turned = [words[(first + k) % len(words)] for k in range(len(words))]
        found = [f"{place} {word}" for word in turned for place in places]
        return found or ["Halt"]


def lines_of(
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
    called: set[str] = set()
    for way in _trails(numbers, links, at):
        found: list[Station] = []
        for number, forward in way:
            own = stations[number] if forward else stations[number][::-1]
            found += own[1:] if found else own
        listed = tuple((names.of(one), one.milepost) for one in found)
        name = first = f"{listed[0][0]} - {listed[-1][0]}"
        more = 2
        while fold(name) in called:
            name, more = f"{first} {more}", more + 1
        called.add(fold(name))
        lines.append(PlannedLine(name=name, stations=listed))
    return tuple(lines)


def _trails(numbers: Sequence[int], links: Sequence[Corridor], at: Floats) -> list[list[tuple[int, bool]]]:
    """Return corridors as few long lines, each straight on where it can: corridor and whether it runs forward."""
    left = set(numbers)
    beside: dict[int, list[int]] = defaultdict(list)
    for number in sorted(left):
        for end in links[number].ends:
            beside[end].append(number)
    out = []
    while left:
        open_at = {node: [n for n in found if n in left] for node, found in beside.items()}
        odd = sorted(node for node, found in open_at.items() if len(found) % 2)
        node = min(odd or [node for node, found in open_at.items() if found], key=lambda n: (len(open_at[n]), n))
        way: list[tuple[int, bool]] = []
        before: Floats | None = None
        while True:
            onward = [n for n in beside[node] if n in left]
            if not onward:
                break
            number = min((-_along(_heading(links[n], node, at), before), n) for n in onward)[1]
            left.discard(number)
            forward = links[number].stops[0] == node
            way.append((number, forward))
            node = links[number].stops[-1] if forward else links[number].stops[0]
            before = -_heading(links[number], node, at)
        out.append(way)
    return out


def _along(heading: Floats, before: Floats | None) -> float:
    """Return how far a heading goes straight on: the cosine; 0 at the start of a line."""
    return 0.0 if before is None else round(float(heading @ before), 6)


def _heading(link: Corridor, node: int, at: Floats) -> Floats:
    """Return the direction in which a corridor leaves a node."""
    stops = link.stops if link.stops[0] == node else link.stops[::-1]
    way = at[stops[min(2, len(stops) - 1)]] - at[stops[0]]
    long = float(np.hypot(*way))
    return np.asarray(way / long if long else way, dtype=np.float64)
