"""Where an RB3 map lies on the earth: its cities are looked up by name, and its dots follow them.

RB3 has map units and no coordinates, unless mapkit wrote down where they lie. The gazetteer has several places of most
names, so that they are chosen together: those that one affine map brings onto the drawing. Cities that do not fit it,
or that the gazetteer lacks, are placed by the drawing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.geodesy import line_miles
from mapkit.core.names import fold
from mapkit.formats.degrees import LAST_LAT, LAST_LON
from mapkit.geography.gazetteer import known_countries, places_named
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.exchange.rb3.frame import RB3Frame
from mapkit.kinds.rail.exchange.rb3.model import RATIO, RB3File
from mapkit.kinds.rail.exchange.rb3.settling import nearest_units
from mapkit.kinds.rail.model.georeference import GeoreferenceReport
from mapkit.kinds.rail.model.source import ControlPoint
from mapkit.kinds.rail.trace.georeferencing.georeference import Georeference, georeference
from mapkit.kinds.rail.trace.georeferencing.picture_plane import plane_crs, project
from mapkit.kinds.rail.trace.georeferencing.plane_maps import Array, Homography, Scaling, robust_affine

NOWHERE: Final = "none"
"""The country of a map whose names mean no places: it is laid flat around longitude and latitude 0."""

_LEAST = 5
_ROUNDS = 10
_NEAR, _FAR = 0.05, 0.12
"""Shares of a map's spread: a place is looked for within the first, and does not fit beyond the second."""
_TIMES_NEAR, _TIMES_FAR = 3, 4
_FLAT_DEGREES = 10.0
_SHORT_FORMS = {"st": "saint", "ft": "fort", "mt": "mount"}
_DECIMALS = 4


@dataclass(frozen=True)
class PlacedCity:
    """A city that was found: its place in the gazetteer, and how far an affine map of all puts it from there."""

    name: str
    place: GazetteerPlace
    miles: float


@dataclass(frozen=True)
class RB3Placement:
    """Where everything of a map lies.

    Attributes:
        cities: `(lon, lat)` of each city, in the order of the file.
        dots: `(lon, lat)` by region and dot number, disabled ones left out.
        countries: Of the places that were found (ISO 3166 alpha-2).
        found: Cities that the gazetteer has.
        missing: Names of those that it has not, or that do not fit; the drawing places them.
        points: The control points: map units, y times the map's ratio, and places.
        affine: How an affine map fits them; None for a flat map.
        spline: The same of the spline that places the dots.
        frame: Where the file itself says that it lies.
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


def pixels(rb3: RB3File) -> Array:
    """Return the places of the cities in map units, shape (n, 2), y stretched so that both units are as long."""
    number = {region.code: n for n, region in enumerate(rb3.regions, 1)}
    dots = [rb3.dot(number[city.region], city.dot) for city in rb3.cities]
    return np.array([(dot.x, dot.y * RATIO) for dot in dots])


def flat_placement(rb3: RB3File) -> RB3Placement:
    """Return a placement of a map of no country: around longitude and latitude 0, 20 degrees across at most."""
    at = {
        (region, number): (dot.x, dot.y * RATIO)
        for region, dots in enumerate(rb3.dots, 1)
        for number, dot in enumerate(dots.dots, 1)
        if not dot.retired
    }
    xy = np.array(list(at.values()))
    middle = (xy.max(axis=0) + xy.min(axis=0)) / 2
    scale = _FLAT_DEGREES / (float(np.abs(xy - middle).max()) or 1.0)
    dots = {key: _point(float((x - middle[0]) * scale), float((middle[1] - y) * scale)) for key, (x, y) in at.items()}
    number = {region.code: n for n, region in enumerate(rb3.regions, 1)}
    return RB3Placement(
        cities=tuple(dots[number[city.region], city.dot] for city in rb3.cities), dots=dots, countries=("US",)
    )


def place_by_frame(rb3: RB3File, frame: RB3Frame, *, file: str) -> RB3Placement:
    """Return a placement where the file says that the map lies.

    RB3 has whole units only: a city whose dot is the nearest to a place of its name in the gazetteer lies there.

    Raises:
        SourceError: A dot lies off the world.
    """
    keys = _used(rb3)
    lonlat = frame.to_degrees([rb3.dot(*key)[:2] for key in keys])
    _refuse_off_world(
        lonlat,
        f"{file}: a dot lies off the world by the projection, origin and unit in [info]; correct these, or name the "
        "country with --country",
    )
    dots = dict(zip(keys, lonlat, strict=True))
    number = {region.code: n for n, region in enumerate(rb3.regions, 1)}
    cities: list[Point] = []
    found: list[PlacedCity] = []
    for city, places in zip(rb3.cities, _candidates(rb3), strict=True):
        key = (number[city.region], city.dot)
        units = frame.to_units([(p.lon, p.lat) for p in places]).tolist() if places else []
        own = [place for place, at in zip(places, units, strict=True) if nearest_units(at) == rb3.dot(*key)[:2]]
        cities.append((own[0].lon, own[0].lat) if own else dots[key])
        if own:
            found.append(PlacedCity(city.name, own[0], line_miles((cities[-1], dots[key]))))
    return RB3Placement(
        cities=tuple(cities),
        dots=dots,
        countries=tuple(sorted({city.place.country for city in found})) or ("US",),
        found=tuple(found),
        frame=frame,
    )


def place_by_names(rb3: RB3File, *, file: str, countries: Sequence[str] = ()) -> RB3Placement:
    """Place a map by the names of its cities.

    Args:
        rb3: The map.
        file: What to call it in messages.
        countries: Where to look (ISO 3166 alpha-2); by default the country that has most of the names, and others for
            cities near where the drawing puts them.

    Raises:
        SourceError: Too few cities are found where the drawing has them, or a country is unknown.
    """
    unknown = sorted(set(countries) - known_countries())
    if unknown:
        raise SourceError(f"{file}: country {unknown[0]!r} is unknown; write its two-letter code, such as US")
    everywhere = _candidates(rb3)
    own = tuple(countries) or _country(everywhere)
    at = pixels(rb3)
    near = [[place for place in places if place.country in own] for places in everywhere]
    picked = _fitting(at, near, [] if countries else everywhere)
    found = {n: place for n, place in enumerate(picked) if place is not None}
    if len(found) < _LEAST or len(found) * 2 < len(rb3.cities):
        raise SourceError(
            f"{file}: the gazetteer has only {len(found)} of {len(rb3.cities)} cities where the map has them"
            f"{' in ' + ', '.join(own) if own else ''}; name the country with --country, or give --country {NOWHERE} "
            "for a map without a country"
        )
    points = tuple(
        ControlPoint(file=file, row=n + 1, name=rb3.cities[n].name, x=at[n, 0], y=at[n, 1], lon=p.lon, lat=p.lat)
        for n, p in found.items()
    )
    crs = plane_crs(points, "albers")
    affine, spline = (georeference(points, model=model, projection=crs) for model in ("affine", "tps"))
    used = affine if any(w.code == "folding" for w in spline.report().warnings) else spline
    miles = {point.row: point.miles for point in affine.report().points}
    return RB3Placement(
        cities=tuple(
            _point(found[n].lon, found[n].lat) if n in found else _points(used, at[n : n + 1], file)[0]
            for n in range(len(rb3.cities))
        ),
        dots=_dots(rb3, used, file),
        countries=tuple(sorted({place.country for place in found.values()})),
        found=tuple(PlacedCity(rb3.cities[n].name, p, miles[n + 1] or 0.0) for n, p in found.items()),
        missing=tuple(city.name for n, city in enumerate(rb3.cities) if n not in found),
        points=points,
        affine=affine.report(),
        spline=used.report(),
    )


def _dots(rb3: RB3File, placed: Georeference, file: str) -> dict[tuple[int, int], Point]:
    keys = _used(rb3)
    at = np.array([(rb3.dot(*key).x, rb3.dot(*key).y * RATIO) for key in keys])
    return dict(zip(keys, _points(placed, at, file), strict=True))


def _used(rb3: RB3File) -> list[tuple[int, int]]:
    """Return region and number of every dot that is not retired."""
    return [(r, n) for r, dots in enumerate(rb3.dots, 1) for n, dot in enumerate(dots.dots, 1) if not dot.retired]


def _points(placed: Georeference, at: Array, file: str) -> list[Point]:
    lonlat = placed.lonlat_or_nan(at)
    _refuse_off_world(lonlat, f"{file}: a dot lies off the world when the cities are in place; check its x and y")
    return [_point(float(lon), float(lat)) for lon, lat in lonlat]


def _refuse_off_world(lonlat: Array | Sequence[Point], said: str) -> None:
    at = np.abs(np.array(lonlat, dtype=np.float64))
    if not (np.isfinite(at).all() and (at <= (LAST_LON, LAST_LAT)).all()):
        raise SourceError(said)


def _point(lon: float, lat: float) -> Point:
    return round(lon, _DECIMALS), round(lat, _DECIMALS)


def spellings(name: str) -> tuple[str, ...]:
    """Return how the gazetteer may spell a city: each of twins, `Saint` for `St.`, without its state, `... City`."""
    out: list[str] = []
    for part in (name, *name.split("/")):
        words = part.split()
        out.append(part)
        out.append(" ".join(_SHORT_FORMS.get(fold(word), word) for word in words))
        if len(words) > 1 and len(words[-1]) in (2, 3) and words[-1].isupper():
            out.append(" ".join(words[:-1]))
        out.append(f"{part} City")
    return tuple(dict.fromkeys(out))


def _candidates(rb3: RB3File) -> list[list[GazetteerPlace]]:
    """Return the places that each city may be, the largest first."""
    spelled = [spellings(city.name) for city in rb3.cities]
    known = places_named({name for names in spelled for name in names})
    found = [{place for name in names for place in known.get(fold(name), ())} for names in spelled]
    return [sorted(places, key=lambda p: (-p.population, p)) for places in found]


def _country(candidates: Sequence[Sequence[GazetteerPlace]]) -> tuple[str, ...]:
    """Return the country that has most of the names; of those with as many, the one with most people in them."""
    names: Counter[str] = Counter()
    people: Counter[str] = Counter()
    for places in candidates:
        for country in {place.country for place in places}:
            names[country] += 1
            people[country] += max(place.population for place in places if place.country == country)
    return (max(names, key=lambda c: (names[c], people[c], c)),) if names else ()


def _fitting(
    at: Array, candidates: Sequence[Sequence[GazetteerPlace]], elsewhere: Sequence[Sequence[GazetteerPlace]]
) -> list[GazetteerPlace | None]:
    """Return the place of each city that one affine map brings near to its dot, None where there is none."""
    picked = [places[0] if places else None for places in candidates]
    for _ in range(_ROUNDS):
        fit = _Fit.of(at, picked)
        if fit is None:
            return [None] * len(picked)
        radius = max(_TIMES_NEAR * fit.usual, _NEAR)
        again = [fit.best(n, places, radius) or picked[n] for n, places in enumerate(candidates)]
        if again == picked:
            break
        picked = again
    fit = _Fit.of(at, picked)
    if fit is None:
        return [None] * len(picked)
    far = max(_TIMES_FAR * fit.usual, _FAR)
    kept = [place if place is not None and fit.away(n, [place])[0] <= far else None for n, place in enumerate(picked)]
    for n, places in enumerate(elsewhere):
        kept[n] = kept[n] or fit.best(n, places, _NEAR)
    return kept


@dataclass(frozen=True)
class _Fit:
    """An affine map from the drawing to the plane, both in their unit frames, that wrong places hardly move."""

    crs: str
    frame: Scaling
    predicted: Array
    usual: float

    @classmethod
    def of(cls, at: Array, picked: Sequence[GazetteerPlace | None]) -> "_Fit | None":
        have = [n for n, place in enumerate(picked) if place is not None]
        places = [place for place in picked if place is not None]
        if len(have) < _LEAST:
            return None
        rows = [ControlPoint(row=1, x=0, y=0, lon=place.lon, lat=place.lat) for place in places]
        crs = plane_crs(rows, "azimuthal")
        plane = project(crs, np.array([(place.lon, place.lat) for place in places]))
        if not np.isfinite(plane).all():
            return None
        own, frame = Scaling.around(at[have]), Scaling.around(plane)
        source, target = own.to_unit(at), frame.to_unit(plane)
        predicted = Homography(robust_affine(source[have], target)).forward(source)
        return cls(crs, frame, predicted, float(np.median(np.hypot(*(predicted[have] - target).T))))

    def away(self, n: int, places: Sequence[GazetteerPlace]) -> Array:
        """Return how far places lie from where city `n` should, in the unit frame."""
        plane = self.frame.to_unit(project(self.crs, np.array([(place.lon, place.lat) for place in places])))
        out: Array = np.nan_to_num(np.hypot(*(plane - self.predicted[n]).T), nan=np.inf)
        return out

    def best(self, n: int, places: Sequence[GazetteerPlace], radius: float) -> GazetteerPlace | None:
        """Return the largest place within a radius, None if there is none."""
        if not places:
            return None
        near = self.away(n, places) <= radius
        return next((place for place, inside in zip(places, near, strict=True) if inside), None)
