"""Looking up place names in the gazetteer: places of GeoNames (CC BY 4.0), see `geonames/PROVENANCE.md`.

A name is `Altoona PA` (name and first-level division: US states, Canadian provinces, or the GeoNames
admin code of other countries) or just `Lisboa`. An exact spelling comes first, then one that differs in
case, accents and punctuation. An alternative name (`Clonmel` for `Cluain Meala`) is never taken silently, only offered.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal, Self

from mapkit.core.base import Point
from mapkit.core.errors import PlaceError
from mapkit.core.geodesy import line_miles
from mapkit.core.names import fold, has_odd_code, near_names
from mapkit.geography.gazetteer_table import GazetteerPlace, GazetteerTable, pack, shipped_table

_MAX_OFFERED = 4
_NEAR_MILES = 100.0
"""A place no further than this from the others is offered before a name that is more alike."""
_MILES_PER_DEGREE = 68.7  # at least, along a meridian

How = Literal["name", "alternative", "similar"]
"""What of a place fits a name: its own name, an alternative one, or neither, but it is spelled alike."""


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
        table: Where they stand.
        countries: ISO 3166 alpha-2 codes.
    """

    def __init__(self, table: GazetteerTable, countries: Iterable[str]) -> None:
        self._table = table
        self._countries = tuple(sorted(set(countries)))
        self._wanted = frozenset(self._countries)

    @classmethod
    def of(
        cls, places: Iterable[GazetteerPlace], called: Mapping[GazetteerPlace, tuple[str, ...]] | None = None
    ) -> Self:
        """Return a gazetteer of these places and of their alternative names."""
        table = GazetteerTable(pack(places, called or {}, {}))
        return cls(table, table.countries)

    def places(self) -> tuple[GazetteerPlace, ...]:
        """Return every place, sorted."""
        return self._sorted

    @cached_property
    def _sorted(self) -> tuple[GazetteerPlace, ...]:
        return tuple(sorted({self._table.place(row) for row in self._rows()}))

    def _rows(self) -> Iterator[int]:
        return (row for country in self._countries for row in self._table.rows(country))

    @cached_property
    def codes(self) -> frozenset[str]:
        """The codes of divisions that full names end with, such as `PA`."""
        return frozenset(code for country in self._countries for code in self._table.divisions(country))

    @cached_property
    def _codes(self) -> tuple[frozenset[str], tuple[int, ...]]:
        """The same, folded, and how long they are."""
        folded = frozenset(map(fold, self.codes))
        return folded, tuple(sorted({len(code) for code in folded}))

    def about(self, at: Point, miles: float) -> Iterator[tuple[GazetteerPlace, tuple[str, ...]]]:
        """Return the places in the band of latitudes within some miles of a point, with their alternative names."""
        reach = miles / _MILES_PER_DEGREE
        for country in self._countries:
            for row in self._table.between(country, at[1] - reach, at[1] + reach):
                yield self._table.place(row), self._table.called(row)

    def folding_to(self, folded: str) -> list[GazetteerPlace]:
        """Return the places whose name, with or without division, folds to this, in the order of the table."""
        found = [row for row in self._table.named(folded) if self._table.country(row) in self._wanted]
        codes, lengths = self._codes
        for length in lengths:
            if (code := folded[-length:]) in codes and len(folded) >= length:
                rows = self._table.named(folded[:-length])
                found += [
                    row
                    for row in rows
                    if self._table.country(row) in self._wanted and fold(self._table.division(row)) == code
                ]
        return [self._table.place(row) for row in sorted(set(found))]

    def spelled(self, name: str) -> Sequence[GazetteerPlace]:
        """Return the places of the very spelling."""
        return [place for place in self.folding_to(fold(name)) if name in {place.name, place.full_name}]

    def named(self, name: str) -> Sequence[GazetteerPlace]:
        """Return the places of a name: those of the very spelling, else those that differ in case and accents only."""
        found = self.folding_to(fold(name))
        return [place for place in found if name in {place.name, place.full_name}] or found

    def _also_called(self, name: str) -> list[Candidate]:
        """Return the places that have a name as an alternative one."""
        return [
            Candidate(self._table.place(row), "alternative", called)
            for row, called in self._table.also_called(fold(name))
            if self._table.country(row) in self._wanted
        ]

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
                f"write the name with its state, or add the right one to places.csv, such as {_row(name, offered[0])}"
            )
        alike = [one for one in offered if one.how == "alternative"]
        if alike:
            return (
                f"place {name!r} is only an alternative name in the gazetteer: {_listed(alike)}; "
                f"write the main name, or keep yours with a row in places.csv: {_row(name, alike[0])}"
            )
        said = f"; the nearest names are {_listed(offered)}" if offered else ""
        return f"place {name!r} is not in the gazetteer{said}; correct it, or add it to places.csv"

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
        also = [one for one in self._also_called(name) if all(one.place != o.place for o in own)]
        sure = [*_ordered(own, near), *_ordered(also, near)]
        if own or len(sure) >= most:
            return sure[:most]
        known = {one.place for one in sure}
        alike = [one for one in self._alike(name, near, most) if one.place not in known]
        return [*sure, *alike][:most]

    def _alike(self, name: str, near: Sequence[Point], most: int) -> list[Candidate]:
        """Return places spelled alike: those about `near` first."""
        about: dict[str, list[Candidate]] = defaultdict(list)
        for place, called in self._around(near).items():
            miles = _miles(place, near, most=_NEAR_MILES)
            if miles is not None and miles <= _NEAR_MILES:
                for own in {place.name, place.full_name}:
                    about[own].append(Candidate(place, "similar", "", miles))
                for other in called:
                    about[other].append(Candidate(place, "similar", "" if other == place.name else other, miles))
        alike = near_names(name, about, most=most)
        out = [one for key in alike for one in sorted(about[key], key=lambda one: (one.miles or 0.0, one.place))]
        out += [Candidate(place, "similar", "", _miles(place, near)) for place in self._nearest(name)]
        first: dict[GazetteerPlace, Candidate] = {}
        for one in out:
            first.setdefault(one.place, one)
        return list(first.values())

    def _around(self, near: Sequence[Point]) -> dict[GazetteerPlace, tuple[str, ...]]:
        """Return the places, with their alternative names, that may be near one of some points."""
        return {place: called for point in near for place, called in self.about(point, _NEAR_MILES)}

    def _nearest(self, name: str) -> list[GazetteerPlace]:
        bare, _, division = name.rpartition(" ")
        table = self._table
        rows = [row for row in self._rows() if table.division(row) == division] if bare and division else []
        keys = near_names(name, {f"{table.name(row)} {division}" for row in rows} or self._spellings, most=_MAX_OFFERED)
        elsewhere = self.spelled(bare) if bare else ()
        found = [place for key in keys for place in self.spelled(key)]
        largest = sorted(elsewhere, key=lambda p: (-p.population, p))
        return list(dict.fromkeys([*found, *largest]))

    @cached_property
    def _spellings(self) -> tuple[str, ...]:
        """Every name, with and without division, sorted."""
        table = self._table
        names = [(table.name(row), table.division(row)) for row in self._rows()]
        return tuple(sorted({text for name, code in names for text in (name, f"{name} {code}" if code else name)}))


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


@cache
def load_gazetteer(countries: tuple[str, ...]) -> Gazetteer:
    """Return the gazetteer of some countries (ISO 3166 alpha-2 codes), of places of 500 people and more."""
    return Gazetteer(shipped_table(), countries)


def codes_in(names: Iterable[str], countries: tuple[str, ...]) -> frozenset[str]:
    """Return the codes by which the gazetteer tells places of some countries apart, such as the `L` of `Bray L`.

    Args:
        names: Full names of places; where none may end with such a code, the gazetteer is not read.
        countries: Where they are (ISO 3166 alpha-2).
    """
    return load_gazetteer(countries).codes if any(map(has_odd_code, names)) else frozenset()


def known_countries() -> frozenset[str]:
    """Return the ISO 3166 alpha-2 codes of all countries."""
    return frozenset(shipped_table().countries)


def country_problem(code: str) -> str | None:
    """Return what is wrong with the code of a country, with the right one where it is clear; None if nothing is."""
    countries = shipped_table().countries
    if code in countries:
        return None
    spelled = {fold(text): key for key, one in countries.items() for text in (one.name, one.iso3, key)}
    meant = {"uk": "GB", **spelled}.get(fold(code))
    cure = f"write {meant!r}" if meant else "use codes of two letters (ISO 3166), such as 'US'"
    return f"{code!r} is not the code of a country; {cure}"


def places_named(names: Collection[str]) -> dict[str, tuple[GazetteerPlace, ...]]:
    """Return all places of the world by folded name, of those names that are asked for.

    Args:
        names: Names, with or without division; case, accents and punctuation do not matter.

    Returns:
        Folded name -> places, the largest first; names that nothing has are left out.
    """
    world = load_gazetteer(tuple(sorted(known_countries())))
    found = {key: world.folding_to(key) for key in sorted({fold(name) for name in names} - {""})}
    return {key: tuple(sorted(places, key=lambda p: (-p.population, p))) for key, places in found.items() if places}
