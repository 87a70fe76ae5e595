"""Control points proposed from names: a name fits several places, and the picture decides between them.

Two names with a place each determine a similarity map of the picture. Of many random pairs, the map that puts most
other names near one of their places is chosen (random sample consensus). Then an affine map is fitted to those, names
choose their places again, and names that are still far off are left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats, Ints
from mapkit.core.names import fold
from mapkit.geography.gazetteer import Gazetteer
from mapkit.kinds.rail.scanning.arrays import Bools
from mapkit.kinds.rail.tables import City

_MAX_PAIRS: Final = 4000
_RANDOM_SEED: Final = 1897
_ROUGH_SHARE: Final = 0.04
_FINE_SHARE: Final = 0.02
"""Tolerances of a name's place in the first and in the last map, as shares of the picture's diagonal."""
_MAX_TURN: Final = 0.35
"""Tangent of the greatest rotation of a board from north up."""
_MAX_PLACES: Final = 12
FEWEST: Final = 6
"""Fewest names that must agree on the position of a picture."""
_FITTING_ROUNDS: Final = 4
MOST: Final = 24
"""Most control points that are proposed."""


@dataclass(frozen=True)
class NamedSpot:
    """Spot of the picture, the name beside it, and the places of this name: degrees, shape (n, 2)."""

    x: float
    y: float
    name: str
    places: Floats


@dataclass(frozen=True)
class ControlPointProposal:
    """Spot of the picture, the name beside it, and its place in degrees."""

    x: float
    y: float
    name: str
    lon: float
    lat: float


def find_places_of(name: str, cities: Mapping[str, City], gazetteer: Gazetteer) -> Floats:
    """Return the possible places of a name, in degrees: the board's city, else places of the gazetteer."""
    city = cities.get(fold(name))
    if city is not None:
        return np.array([[city.lon, city.lat]])
    named_places = sorted(gazetteer.named(name), key=lambda place: (-place.population, place))[:_MAX_PLACES]
    return np.array([(place.lon, place.lat) for place in named_places]).reshape(-1, 2)


def propose_control_points(named: Sequence[NamedSpot], diagonal: float) -> list[ControlPointProposal]:
    """Return control points, spread over the picture; none if too few names agree.

    Args:
        named: Names with their places.
        diagonal: Of the picture, pixels.
    """
    known = [named_spot for named_spot in named if len(named_spot.places)]
    if len(known) < FEWEST:
        return []
    spot_xy = np.array([(named_spot.x, named_spot.y) for named_spot in known])
    name_index = np.concatenate([np.full(len(named_spot.places), i) for i, named_spot in enumerate(known)])
    place_lonlat = np.concatenate([named_spot.places for named_spot in known])
    place_xy = _project_conic(place_lonlat)
    first_matrix = _find_first_map(spot_xy, place_xy, name_index, _ROUGH_SHARE * diagonal)
    if first_matrix is None:
        return []
    matrix = first_matrix
    for reach in np.linspace(_ROUGH_SHARE, _FINE_SHARE, _FITTING_ROUNDS):
        chosen_places, distances_px = _choose_places(spot_xy, place_xy, name_index, matrix)
        is_good = distances_px <= reach * diagonal
        if is_good.sum() < FEWEST:
            return []
        matrix = np.linalg.lstsq(_affine_terms(place_xy[chosen_places[is_good]]), spot_xy[is_good], rcond=None)[0]
    chosen_places, distances_px = _choose_places(spot_xy, place_xy, name_index, matrix)
    is_good = distances_px <= _FINE_SHARE * diagonal
    picked_points = _choose_spread_points(spot_xy, distances_px, is_good)
    return [
        ControlPointProposal(
            known[i].x,
            known[i].y,
            known[i].name,
            *(round(float(v), 5) for v in place_lonlat[chosen_places[i]]),
        )
        for i in picked_points
    ]


def _project_conic(degrees: Floats) -> Floats:
    """Project degrees to a plane, y downward, by a conic projection about their middle."""
    lon, lat = np.radians(degrees).T
    middle_lon, middle_lat = np.median(lon), np.median(lat)
    cone_constant = np.sin(middle_lat)
    if abs(cone_constant) < 1e-3:  # noqa: PLR2004 - a cone that is a cylinder
        return np.stack((lon - middle_lon, middle_lat - lat), axis=1)
    cone_radius = 1 / np.tan(middle_lat) - (lat - middle_lat)
    cone_angle = cone_constant * (lon - middle_lon)
    return np.stack(
        (cone_radius * np.sin(cone_angle), cone_radius * np.cos(cone_angle) - 1 / np.tan(middle_lat)), axis=1
    )


def _affine_terms(plane: Floats) -> Floats:
    return np.column_stack((plane, np.ones(len(plane))))


def _find_first_map(spots: Floats, plane: Floats, whose: Ints, reach: float) -> Floats | None:
    """Return the similarity map from two names that puts most names near one of their places."""
    random_numbers = np.random.default_rng(_RANDOM_SEED)
    first_places = np.searchsorted(whose, np.arange(len(spots)))
    best_map: tuple[int, Floats | None] = (0, None)
    for _ in range(_MAX_PAIRS):
        i, j = random_numbers.choice(len(spots), 2, replace=False)
        a, b = (_draw_place(random_numbers, int(first_places[k]), int((whose == k).sum())) for k in (i, j))
        plane_vector, picture_vector = complex(*(plane[b] - plane[a])), complex(*(spots[j] - spots[i]))
        if abs(plane_vector) < 1e-9 or abs(picture_vector) < 5 * reach:  # noqa: PLR2004 - too near each other to tell
            continue
        rotation_scale = picture_vector / plane_vector
        if rotation_scale.real <= 0 or abs(rotation_scale.imag) > _MAX_TURN * rotation_scale.real:
            continue
        matrix = np.array(
            [[rotation_scale.real, rotation_scale.imag], [-rotation_scale.imag, rotation_scale.real], [0.0, 0.0]]
        )
        matrix[2] = spots[i] - plane[a] @ matrix[:2]
        near_count = int((_choose_places(spots, plane, whose, matrix)[1] <= reach).sum())
        if near_count > best_map[0]:
            best_map = near_count, matrix
    return best_map[1] if best_map[0] >= FEWEST else None


def _draw_place(random: np.random.Generator, start: int, count: int) -> int:
    """Return a random place of a name; the first and largest in half of the cases."""
    return start if random.random() < 0.5 else start + int(random.integers(count))  # noqa: PLR2004


def _choose_places(spots: Floats, plane: Floats, whose: Ints, matrix: Floats) -> tuple[Ints, Floats]:
    """Return for each name its nearest place, and the distance in pixels."""
    distances_px = np.hypot(*(_affine_terms(plane) @ matrix - spots[whose]).T)
    by_name_and_distance = np.lexsort((distances_px, whose))
    first_rows = np.searchsorted(whose[by_name_and_distance], np.arange(len(spots)))
    chosen_places = by_name_and_distance[first_rows]
    return chosen_places, distances_px[chosen_places]


def _choose_spread_points(spots: Floats, off: Floats, good: Bools) -> list[int]:
    """Return good points spread over the picture, those nearer than the median, in their order."""
    candidates = np.flatnonzero(good & (off <= np.median(off[good])))
    candidate_middle = spots[candidates].mean(axis=0)
    picked_candidates = [int(np.hypot(*(spots[candidates] - candidate_middle).T).argmax())]
    far = np.hypot(*(spots[candidates] - spots[candidates[picked_candidates[0]]]).T)
    while len(picked_candidates) < min(MOST, len(candidates)) and far.max() > 0:
        picked_candidates.append(int(far.argmax()))
        far = np.minimum(far, np.hypot(*(spots[candidates] - spots[candidates[picked_candidates[-1]]]).T))
    return sorted(int(candidates[i]) for i in picked_candidates)
