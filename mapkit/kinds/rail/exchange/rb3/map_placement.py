"""Georeferencing of an RB3 map by the names of its cities.

RB3 has map units and no coordinates, unless mapkit added its frame. The gazetteer has several places of most names, so
all cities are matched together: an affine map has to bring the chosen places onto the drawing. Cities that do not fit
it, or that the gazetteer lacks, are placed by the drawing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.base import Point
from mapkit.core.errors import ChoiceError, SourceError
from mapkit.core.geodesy import line_miles
from mapkit.core.names import fold
from mapkit.formats.degrees import LAST_LAT, LAST_LON
from mapkit.geography.country_names import country_problem
from mapkit.geography.gazetteer import find_places, known_countries
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.exchange.rb3.dot_rounding import nearest_units
from mapkit.kinds.rail.exchange.rb3.frame import RB3Frame
from mapkit.kinds.rail.exchange.rb3.model import RATIO, RB3File
from mapkit.kinds.rail.model.georeference import GeoreferenceReport
from mapkit.kinds.rail.model.source import ControlPoint
from mapkit.kinds.rail.trace.georeferencing.georeference import Georeference, georeference
from mapkit.kinds.rail.trace.georeferencing.picture_plane import plane_crs, project
from mapkit.kinds.rail.trace.georeferencing.plane_maps import Array, Homography, Scaling, fit_robust_affine

NOWHERE: Final = "none"
"""Country of a map of invented places, which is laid flat around longitude and latitude 0."""

_MIN_MATCHES = 5
_MAX_ROUNDS = 10
_NEAR_SHARE, _FAR_SHARE = 0.05, 0.12
"""Shares of a map's spread: candidates are searched within the first and rejected beyond the second."""
_TIMES_NEAR, _TIMES_FAR = 3, 4
_FLAT_DEGREES = 10.0
_SHORT_FORMS = {"st": "saint", "ft": "fort", "mt": "mount"}
_DEGREE_DECIMALS = 4


@dataclass(frozen=True)
class PlacedCity:
    """City found in the gazetteer, with its distance from the position that an affine map predicts."""

    name: str
    place: GazetteerPlace
    miles: float


@dataclass(frozen=True)
class RB3Placement:
    """Positions of all elements of a map on the earth.

    Attributes:
        cities: `(lon, lat)` of each city, in the order of the file.
        dots: `(lon, lat)` by region and dot number, without disabled dots.
        countries: Countries of the matched places (ISO 3166 alpha-2).
        found: Cities that were matched in the gazetteer.
        missing: Names of cities without a match, which are placed by the drawing.
        points: The control points: map units, y times the map's ratio, and places.
        affine: Fit of an affine map to them; None for a flat map.
        spline: Fit of the spline that places the dots.
        frame: The frame that the file states.
    """

    cities: tuple[Point, ...]
    dots: Mapping[tuple[int, int], Point]
    countries: tuple[str, ...]
    found: tuple[PlacedCity, ...] = ()
    missing: tuple[str, ...] = ()
    points: tuple[ControlPoint, ...] = ()
    affine: GeoreferenceReport | None = None
    spline: GeoreferenceReport | None = None
    frame: RB3Frame | None = None


def city_positions_in_units(rb3: RB3File) -> Array:
    """Return the places of the cities in map units, shape (n, 2), y stretched to the scale of x."""
    number_by_code = {region.code: n for n, region in enumerate(rb3.regions, 1)}
    city_dots = [rb3.dot(number_by_code[city.region], city.dot) for city in rb3.cities]
    return np.array([(dot.x, dot.y * RATIO) for dot in city_dots])


def flat_placement(rb3: RB3File) -> RB3Placement:
    """Return a placement of a map of no country: around longitude and latitude 0, at most 20 degrees across."""
    dot_positions = {
        (region, dot_number): (dot.x, dot.y * RATIO)
        for region, region_dots in enumerate(rb3.dots, 1)
        for dot_number, dot in enumerate(region_dots.dots, 1)
        if not dot.retired
    }
    xy = np.array(list(dot_positions.values()))
    centre = (xy.max(axis=0) + xy.min(axis=0)) / 2
    scale = _FLAT_DEGREES / (float(np.abs(xy - centre).max()) or 1.0)
    dot_degrees = {
        dot_key: _round_point(float((x - centre[0]) * scale), float((centre[1] - y) * scale))
        for dot_key, (x, y) in dot_positions.items()
    }
    number_by_code = {region.code: n for n, region in enumerate(rb3.regions, 1)}
    return RB3Placement(
        cities=tuple(dot_degrees[number_by_code[city.region], city.dot] for city in rb3.cities),
        dots=dot_degrees,
        countries=("US",),
    )


def place_by_frame(rb3: RB3File, frame: RB3Frame, *, file: str) -> RB3Placement:
    """Return a placement by the frame of the file.

    RB3 has whole units only, so a city takes the place of its name in the gazetteer if its dot is nearest to that
    place.

    Raises:
        SourceError: A dot lies off the world.
    """
    dot_keys = _list_used_dots(rb3)
    dot_degrees = frame.to_degrees([rb3.dot(*dot_key)[:2] for dot_key in dot_keys])
    _refuse_off_world(
        dot_degrees,
        f"{file}: a dot lies off the world by the projection, origin and unit in [info]; correct these, or name the "
        "country with --country",
    )
    degrees_by_dot = dict(zip(dot_keys, dot_degrees, strict=True))
    number_by_code = {region.code: n for n, region in enumerate(rb3.regions, 1)}
    city_degrees: list[Point] = []
    matched_cities: list[PlacedCity] = []
    for city, candidates in zip(rb3.cities, _list_candidates(rb3), strict=True):
        dot_key = (number_by_code[city.region], city.dot)
        candidate_units = frame.to_units([(p.lon, p.lat) for p in candidates]).tolist() if candidates else []
        matching_places = [
            place
            for place, place_units in zip(candidates, candidate_units, strict=True)
            if nearest_units(place_units) == rb3.dot(*dot_key)[:2]
        ]
        city_degrees.append(
            (matching_places[0].lon, matching_places[0].lat) if matching_places else degrees_by_dot[dot_key]
        )
        if matching_places:
            matched_cities.append(
                PlacedCity(city.name, matching_places[0], line_miles((city_degrees[-1], degrees_by_dot[dot_key])))
            )
    return RB3Placement(
        cities=tuple(city_degrees),
        dots=degrees_by_dot,
        countries=tuple(sorted({city.place.country for city in matched_cities})) or ("US",),
        found=tuple(matched_cities),
        frame=frame,
    )


def place_by_names(rb3: RB3File, *, file: str, countries: Sequence[str] = ()) -> RB3Placement:
    """Place a map by the names of its cities.

    Args:
        rb3: The map.
        file: Name of the file in messages.
        countries: Countries to search (ISO 3166 alpha-2); by default the one with most of the names, and others for
            cities near their position in the drawing.

    Raises:
        SourceError: Too few cities are found where the drawing has them, or a country is unknown.
    """
    unknown_codes = sorted(set(countries) - known_countries())
    if unknown_codes:
        raise ChoiceError(f"{file}: --country: {country_problem(unknown_codes[0])}")
    all_candidates = _list_candidates(rb3)
    searched_countries = tuple(countries) or _guess_country(all_candidates)
    city_units = city_positions_in_units(rb3)
    near_candidates = [[place for place in places if place.country in searched_countries] for places in all_candidates]
    picked_places = _match_places(city_units, near_candidates, [] if countries else all_candidates)
    place_by_city = {n: place for n, place in enumerate(picked_places) if place is not None}
    if len(place_by_city) < _MIN_MATCHES or len(place_by_city) * 2 < len(rb3.cities):
        raise SourceError(
            f"{file}: the gazetteer has only {len(place_by_city)} of {len(rb3.cities)} cities where the map has them"
            f"{' in ' + ', '.join(searched_countries) if searched_countries else ''}; "
            f"name the country with --country, or give --country {NOWHERE} "
            "for a map without a country"
        )
    control_points = tuple(
        ControlPoint(
            file=file, row=n + 1, name=rb3.cities[n].name, x=city_units[n, 0], y=city_units[n, 1], lon=p.lon, lat=p.lat
        )
        for n, p in place_by_city.items()
    )
    crs = plane_crs(control_points, "albers")
    affine, spline = (georeference(control_points, model=model, projection=crs) for model in ("affine", "tps"))
    dot_model = affine if any(w.code == "folding" for w in spline.report().warnings) else spline
    miles_by_row = {point.row: point.miles for point in affine.report().points}
    return RB3Placement(
        cities=tuple(
            _round_point(place_by_city[n].lon, place_by_city[n].lat)
            if n in place_by_city
            else _to_degrees(dot_model, city_units[n : n + 1], file)[0]
            for n in range(len(rb3.cities))
        ),
        dots=_place_dots(rb3, dot_model, file),
        countries=tuple(sorted({place.country for place in place_by_city.values()})),
        found=tuple(PlacedCity(rb3.cities[n].name, p, miles_by_row[n + 1] or 0.0) for n, p in place_by_city.items()),
        missing=tuple(city.name for n, city in enumerate(rb3.cities) if n not in place_by_city),
        points=control_points,
        affine=affine.report(),
        spline=dot_model.report(),
    )


def _place_dots(rb3: RB3File, page_placing: Georeference, file: str) -> dict[tuple[int, int], Point]:
    dot_keys = _list_used_dots(rb3)
    dot_positions = np.array([(rb3.dot(*key).x, rb3.dot(*key).y * RATIO) for key in dot_keys])
    return dict(zip(dot_keys, _to_degrees(page_placing, dot_positions, file), strict=True))


def _list_used_dots(rb3: RB3File) -> list[tuple[int, int]]:
    """Return region and number of every dot that is not retired."""
    return [(r, n) for r, dots in enumerate(rb3.dots, 1) for n, dot in enumerate(dots.dots, 1) if not dot.retired]


def _to_degrees(page_placing: Georeference, dot_positions: Array, file: str) -> list[Point]:
    point_degrees = page_placing.lonlat_or_nan(dot_positions)
    _refuse_off_world(
        point_degrees, f"{file}: a dot lies off the world when the cities are in place; check its x and y"
    )
    return [_round_point(float(lon), float(lat)) for lon, lat in point_degrees]


def _refuse_off_world(lonlat: Array | Sequence[Point], message: str) -> None:
    absolute_degrees = np.abs(np.array(lonlat, dtype=np.float64))
    if not (np.isfinite(absolute_degrees).all() and (absolute_degrees <= (LAST_LON, LAST_LAT)).all()):
        raise SourceError(message)


def _round_point(lon: float, lat: float) -> Point:
    return round(lon, _DEGREE_DECIMALS), round(lat, _DEGREE_DECIMALS)


def gazetteer_spellings(name: str) -> tuple[str, ...]:
    """Return gazetteer spellings of a city: each of twins, `Saint` for `St.`, without its state, `... City`."""
    spelling_list: list[str] = []
    for name_part in (name, *name.split("/")):
        name_words = name_part.split()
        spelling_list.append(name_part)
        spelling_list.append(" ".join(_SHORT_FORMS.get(fold(word), word) for word in name_words))
        if len(name_words) > 1 and len(name_words[-1]) in (2, 3) and name_words[-1].isupper():
            spelling_list.append(" ".join(name_words[:-1]))
        spelling_list.append(f"{name_part} City")
    return tuple(dict.fromkeys(spelling_list))


def _list_candidates(rb3: RB3File) -> list[list[GazetteerPlace]]:
    """Return candidate places of each city, the largest first."""
    spellings_by_city = [gazetteer_spellings(city.name) for city in rb3.cities]
    places_by_name = find_places({name for names in spellings_by_city for name in names})
    places_by_city = [
        {place for name in names for place in places_by_name.get(fold(name), ())} for names in spellings_by_city
    ]
    return [sorted(places, key=lambda p: (-p.population, p)) for places in places_by_city]


def _guess_country(candidates: Sequence[Sequence[GazetteerPlace]]) -> tuple[str, ...]:
    """Return the country with most of the names; of equals, the one with most people in them."""
    name_counts: Counter[str] = Counter()
    people_counts: Counter[str] = Counter()
    for places in candidates:
        for country in {place.country for place in places}:
            name_counts[country] += 1
            people_counts[country] += max(place.population for place in places if place.country == country)
    return (max(name_counts, key=lambda c: (name_counts[c], people_counts[c], c)),) if name_counts else ()


def _match_places(
    dot_positions: Array, candidates: Sequence[Sequence[GazetteerPlace]], elsewhere: Sequence[Sequence[GazetteerPlace]]
) -> list[GazetteerPlace | None]:
    """Return the place of each city that one affine map brings near to its dot; None without one."""
    picked_places = [places[0] if places else None for places in candidates]
    for _ in range(_MAX_ROUNDS):
        affine_fit = _AffineFit.of(dot_positions, picked_places)
        if affine_fit is None:
            return [None] * len(picked_places)
        search_radius = max(_TIMES_NEAR * affine_fit.usual, _NEAR_SHARE)
        next_places = [
            affine_fit.best(n, places, search_radius) or picked_places[n] for n, places in enumerate(candidates)
        ]
        if next_places == picked_places:
            break
        picked_places = next_places
    affine_fit = _AffineFit.of(dot_positions, picked_places)
    if affine_fit is None:
        return [None] * len(picked_places)
    max_distance = max(_TIMES_FAR * affine_fit.usual, _FAR_SHARE)
    kept_places = [
        place if place is not None and affine_fit.away(n, [place])[0] <= max_distance else None
        for n, place in enumerate(picked_places)
    ]
    for n, places in enumerate(elsewhere):
        kept_places[n] = kept_places[n] or affine_fit.best(n, places, _NEAR_SHARE)
    return kept_places


@dataclass(frozen=True)
class _AffineFit:
    """Robust affine map from the drawing to the plane, both in their unit frames."""

    crs: str
    frame: Scaling
    predicted: Array
    usual: float

    @classmethod
    def of(cls, at: Array, picked: Sequence[GazetteerPlace | None]) -> "_AffineFit | None":
        matched_indices = [n for n, place in enumerate(picked) if place is not None]
        matched_places = [place for place in picked if place is not None]
        if len(matched_indices) < _MIN_MATCHES:
            return None
        plane_points = [ControlPoint(row=1, x=0, y=0, lon=place.lon, lat=place.lat) for place in matched_places]
        crs = plane_crs(plane_points, "azimuthal")
        plane_positions = project(crs, np.array([(place.lon, place.lat) for place in matched_places]))
        if not np.isfinite(plane_positions).all():
            return None
        drawing_scaling, plane_scaling = Scaling.around(at[matched_indices]), Scaling.around(plane_positions)
        source, target = drawing_scaling.to_unit(at), plane_scaling.to_unit(plane_positions)
        predicted = Homography(fit_robust_affine(source[matched_indices], target)).forward(source)
        return cls(crs, plane_scaling, predicted, float(np.median(np.hypot(*(predicted[matched_indices] - target).T))))

    def away(self, n: int, places: Sequence[GazetteerPlace]) -> Array:
        """Return the distances of places from the predicted position of city `n`, in the unit frame."""
        unit_positions = self.frame.to_unit(project(self.crs, np.array([(place.lon, place.lat) for place in places])))
        distances: Array = np.nan_to_num(np.hypot(*(unit_positions - self.predicted[n]).T), nan=np.inf)
        return distances

    def best(self, n: int, places: Sequence[GazetteerPlace], radius: float) -> GazetteerPlace | None:
        """Return the largest place within a radius, or None."""
        if not places:
            return None
        is_near = self.away(n, places) <= radius
        return next((place for place, is_inside in zip(places, is_near, strict=True) if is_inside), None)
