"""Detection of coordinates that lie among a board's cities only with longitude and latitude swapped.

Such coordinates are suspicious, not wrong: a board may reach from Moscow to Chita. They therefore become notes of the
kind `position`, reported by the check G07; coordinates that the gazetteer confirms for a name are never suspected.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.arrays import median
from mapkit.core.base import Point
from mapkit.geography.gazetteer import known_countries, load_gazetteer
from mapkit.kinds.rail.model.network import TraceNote
from mapkit.kinds.rail.model.source import PinnedPoint, TracedLine
from mapkit.kinds.rail.sources.city_positions import is_called
from mapkit.kinds.rail.tables import City

FAR_DEGREES: Final = 40.0
"""Distance from the median city at which coordinates become suspicious."""
NEAR_DEGREES: Final = 20.0
"""Distance from a city within which coordinates are right, as at the ends of a wide board."""
_MARGIN_SHARE: Final = 0.25
"""Margin around the cities, in parts of their extent."""
_MIN_MARGIN_DEGREES: Final = 2.0
_ACCEPT: Final = "swap them, or accept this if the place is meant"

_Degrees = NDArray[np.float64]


class SwapDetector:
    """Detector of coordinates that lie among the cities of a board only when swapped.

    Args:
        cities: The cities; some of them may be swapped. Without cities nothing is suspicious.
    """

    def __init__(self, cities: Iterable[City]) -> None:
        city_points = np.array([(city.lon, city.lat) for city in cities], dtype=np.float64).reshape(-1, 2)
        self._middle = np.array([median(city_points[:, 0]), median(city_points[:, 1])]) if len(city_points) else None
        self._cities = city_points[~self._are_far(city_points)]
        if len(self._cities):
            lower_corner, upper_corner = self._cities.min(axis=0), self._cities.max(axis=0)
            corner_margin = np.maximum((upper_corner - lower_corner) * _MARGIN_SHARE, _MIN_MARGIN_DEGREES)
            self._low, self._high = lower_corner - corner_margin, upper_corner + corner_margin

    def are_swapped(self, points: _Degrees) -> NDArray[np.bool_]:
        """Return for each point, `(lon, lat)` in degrees, whether it is among the cities only when swapped."""
        is_suspicious = self._are_far(points)
        for index in np.flatnonzero(is_suspicious):
            swapped_point = points[index, ::-1]
            nearest_distance = np.abs(self._cities - points[index]).max(axis=1).min(initial=np.inf)
            is_among_cities = len(self._cities) and ((self._low <= swapped_point) & (swapped_point <= self._high)).all()
            is_suspicious[index] = nearest_distance > NEAR_DEGREES and is_among_cities
        return is_suspicious

    def is_swapped(self, lon: float, lat: float) -> bool:
        """Return `are_swapped` of one point."""
        return bool(self.are_swapped(np.array([(lon, lat)], dtype=np.float64))[0])

    def _are_far(self, points: _Degrees) -> NDArray[np.bool_]:
        """Return for each point whether it is far from the median city, but near it when swapped."""
        if self._middle is None:
            return np.zeros(len(points), dtype=np.bool_)
        distances = np.abs(points - self._middle).max(axis=1)
        swapped_distances = np.abs(points[:, ::-1] - self._middle).max(axis=1)
        is_far: NDArray[np.bool_] = (distances > FAR_DEGREES) & (swapped_distances < FAR_DEGREES)
        return is_far


def find_swapped_places(places: Mapping[str, Point], cities: Iterable[City]) -> Iterator[tuple[str, str]]:
    """Yield the name and a message for each named place with coordinates that look swapped.

    Args:
        places: `(lon, lat)` in degrees by name; places that the gazetteer of the world confirms are skipped.
        cities: The cities of the board.
    """
    place_points = np.array(list(places.values()), dtype=np.float64).reshape(-1, 2)
    is_swapped = SwapDetector(cities).are_swapped(place_points)
    for (place_name, point), is_suspicious in zip(places.items(), is_swapped.tolist(), strict=True):
        if is_suspicious and not _is_in_gazetteer(place_name, point):
            lon, lat = point
            where = f"{place_name} lies at lon {lon:.4f}, lat {lat:.4f}, far from the cities"
            yield place_name, f"{where}, but among them with lon and lat swapped; {_ACCEPT}"


def find_swapped_drawings(drawn: Iterable[TracedLine | PinnedPoint], cities: Iterable[City]) -> list[TraceNote]:
    """Return notes on drawings in degrees that lie among the cities only when swapped.

    A drawing that lies elsewhere as a whole has one note at its first feature; of others, each such feature has one.

    Args:
        drawn: Lines and points of all drawings; those in pixels are skipped.
        cities: The cities of the board.
    """
    features_by_file: dict[str, list[TracedLine | PinnedPoint]] = defaultdict(list)
    for feature in drawn:
        if not feature.pixels:
            features_by_file[feature.feature.partition("#")[0]].append(feature)
    detector = SwapDetector(cities)
    return [note for _, features in sorted(features_by_file.items()) for note in _drawing_notes(features, detector)]


def _drawing_notes(features: Sequence[TracedLine | PinnedPoint], detector: SwapDetector) -> Iterator[TraceNote]:
    points_by_feature = [
        np.array(feature.line if isinstance(feature, TracedLine) else [(feature.x, feature.y)], dtype=np.float64)
        for feature in features
    ]
    lon, lat = np.median(np.concatenate(points_by_feature), axis=0).tolist()
    if detector.is_swapped(lon, lat):
        message = (
            f"the file lies around lon {lon:.2f}, lat {lat:.2f}, far from every city, but among the cities with "
            "longitude and latitude swapped; import it with --crs latlon, or accept this if the place is meant"
        )
        yield _make_note(features[0].feature, message, lon, lat)
        return
    for feature, own_points in zip(features, points_by_feature, strict=True):
        swapped_indices = np.flatnonzero(detector.are_swapped(own_points))
        if len(swapped_indices):
            lon, lat = own_points[swapped_indices[0]].tolist()
            if isinstance(feature, PinnedPoint) and _is_in_gazetteer(feature.name, (lon, lat)):
                continue
            message = (
                f"lon {lon:g}, lat {lat:g} is far from every city, but among the cities with the two swapped; {_ACCEPT}"
            )
            yield _make_note(feature.feature, message, lon, lat)


def _make_note(feature: str, message: str, lon: float, lat: float) -> TraceNote:
    return TraceNote(
        kind="position", what="swapped", message=f"{feature}: {message}", feature=feature, lon=lon, lat=lat
    )


def _is_in_gazetteer(name: str, point: Point) -> bool:
    """Return whether the gazetteer of the world has a place of a name within 30 miles of a point."""
    return bool(name) and is_called(load_gazetteer(tuple(sorted(known_countries()))), name, point)
