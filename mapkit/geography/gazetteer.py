"""Lookup of place names in the gazetteer: places of GeoNames (CC BY 4.0), see `geonames/PROVENANCE.md`.

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
from mapkit.geography.gazetteer_table import GazetteerPlace, GazetteerTable, pack_table, shipped_table

_MAX_OFFERED = 4
_NEAR_MILES = 100.0
"""A place no further than this from the others is offered before a name that is more alike."""
_MILES_PER_DEGREE = 68.7  # at least, along a meridian

How = Literal["name", "alternative", "similar"]
"""How a place matches a name: by its own name, by an alternative one, or only by similar spelling."""


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
        place_text = str(self.place).removesuffix(")")
        called_text = f", also called {self.called}" if self.called else ""
        distance_text = (
            "" if self.miles is None else f", {self.miles:,.0f} mile{'s' if round(self.miles) != 1 else ''} away"
        )
        return f"{place_text}{called_text}{distance_text})"


class Gazetteer:
    """Populated places of some countries, by name.

    Args:
        table: Where they stand.
        countries: ISO 3166 alpha-2 codes.
    """

    def __init__(self, table: GazetteerTable, countries: Iterable[str]) -> None:
        self._table = table
        self._countries = tuple(sorted(set(countries)))
        self._country_set = frozenset(self._countries)

    @classmethod
    def of(
        cls, places: Iterable[GazetteerPlace], called: Mapping[GazetteerPlace, tuple[str, ...]] | None = None
    ) -> Self:
        """Return a gazetteer of these places and of their alternative names."""
        table = GazetteerTable(pack_table(places, called or {}, {}))
        return cls(table, table.countries)

    def places(self) -> tuple[GazetteerPlace, ...]:
        """Return every place, sorted."""
        return self._sorted_places

    @cached_property
    def _sorted_places(self) -> tuple[GazetteerPlace, ...]:
        return tuple(sorted({self._table.place(row) for row in self._all_rows()}))

    def _all_rows(self) -> Iterator[int]:
        return (row for country in self._countries for row in self._table.rows(country))

    @cached_property
    def codes(self) -> frozenset[str]:
        """Codes of divisions at the ends of full names, such as `PA`."""
        return frozenset(code for country in self._countries for code in self._table.divisions(country))

    @cached_property
    def _folded_codes(self) -> tuple[dict[str, set[int]], tuple[int, ...]]:
        """Numbers of divisions by folded code, and the lengths of these codes."""
        numbers_by_code: dict[str, set[int]] = {}
        for number, country, code in self._table.number_divisions():
            if code and country in self._country_set:
                numbers_by_code.setdefault(fold(code), set()).add(number)
        return numbers_by_code, tuple(sorted({len(code) for code in numbers_by_code}))

    def about(self, at: Point, miles: float) -> Iterator[tuple[GazetteerPlace, tuple[str, ...]]]:
        """Return the places in the band of latitudes within some miles of a point, with their alternative names."""
        reach_degrees = miles / _MILES_PER_DEGREE
        for country in self._countries:
            for row in self._table.between(country, at[1] - reach_degrees, at[1] + reach_degrees):
                yield self._table.place(row), self._table.called(row)

    def folding_to(self, folded: str) -> list[GazetteerPlace]:
        """Return the places with a name, with or without division, of this folded form, in the order of the table."""
        matched_rows = [row for row in self._table.named(folded) if self._table.country(row) in self._country_set]
        numbers_by_code, code_lengths = self._folded_codes
        for length in code_lengths:
            if len(folded) >= length and (numbers := numbers_by_code.get(folded[-length:])):
                matched_rows += self._table.named(folded[:-length], numbers)
        return [self._table.place(row) for row in sorted(set(matched_rows))]

    def spelled(self, name: str) -> Sequence[GazetteerPlace]:
        """Return the places of exactly this spelling."""
        return [place for place in self.folding_to(fold(name)) if name in {place.name, place.full_name}]

    def named(self, name: str) -> Sequence[GazetteerPlace]:
        """Return the places of a name: those spelled exactly so, else those that differ only in case and accents."""
        matched_places = self.folding_to(fold(name))
        return [place for place in matched_places if name in {place.name, place.full_name}] or matched_places

    def find(self, name: str, near: Sequence[Point] = ()) -> GazetteerPlace:
        """Return the only place of that name.

        Args:
            name: The name.
            near: Where the place should be, degrees: candidates near there are offered first.

        Raises:
            PlaceError: No place has the name, or several have it; the message offers candidates.
        """
        matched_places = self.named(name)
        if len(matched_places) == 1:
            return matched_places[0]
        raise PlaceError(self.why_not(name, near))

    def why_not(self, name: str, near: Sequence[Point] = ()) -> str:
        """Return the reason why a name has no unique place, with candidates; arguments as for `find`."""
        matched_places = self.named(name)
        candidates = self.candidates(name, near, most=_MAX_OFFERED)
        if matched_places:
            more_text = f" and {len(matched_places) - _MAX_OFFERED} more" if len(matched_places) > _MAX_OFFERED else ""
            return (
                f"place {name!r} is one of {len(matched_places)} places: {_list_candidates(candidates)}{more_text}; "
                "write the name with its state, or add the right one to places.csv, such as "
                f"{_places_row(name, candidates[0])}"
            )
        alternatives = [candidate for candidate in candidates if candidate.how == "alternative"]
        if alternatives:
            return (
                f"place {name!r} is only an alternative name in the gazetteer: {_list_candidates(alternatives)}; "
                f"write the main name, or keep yours with a row in places.csv: {_places_row(name, alternatives[0])}"
            )
        nearest_text = f"; the nearest names are {_list_candidates(candidates)}" if candidates else ""
        return f"place {name!r} is not in the gazetteer{nearest_text}; correct it, or add it to places.csv"

    def candidates(self, name: str, near: Sequence[Point] = (), *, most: int) -> list[Candidate]:
        """Return the candidates for a name, best first.

        Places of the name come first, then those that have it as an alternative name, then those spelled alike. Within
        each group the nearest comes first if `near` is given, else the largest; of places that are only spelled alike,
        those within 100 miles come first, by similarity, then the others.

        Args:
            name: The name.
            near: Where the place should be, degrees.
            most: The most to return.
        """
        exact_candidates = [Candidate(place, "name") for place in self.named(name)]
        alternative_candidates = [
            candidate
            for row, alternative_name in self._table.also_called(fold(name))
            if self._table.country(row) in self._country_set
            for candidate in [Candidate(self._table.place(row), "alternative", alternative_name)]
            if all(candidate.place != o.place for o in exact_candidates)
        ]
        certain_candidates = [
            *_sort_candidates(exact_candidates, near),
            *_sort_candidates(alternative_candidates, near),
        ]
        if exact_candidates or len(certain_candidates) >= most:
            return certain_candidates[:most]
        known_places = {candidate.place for candidate in certain_candidates}
        similar_candidates = [
            candidate for candidate in self._find_alike(name, near, most) if candidate.place not in known_places
        ]
        return [*certain_candidates, *similar_candidates][:most]

    def _find_alike(self, name: str, near: Sequence[Point], most: int) -> list[Candidate]:
        """Return places spelled alike, those near `near` first."""
        candidates_by_name: dict[str, list[Candidate]] = defaultdict(list)
        names_by_place = {
            place: alternative_names for point in near for place, alternative_names in self.about(point, _NEAR_MILES)
        }
        for place, alternative_names in names_by_place.items():
            distance_mi = _distance_miles(place, near, most=_NEAR_MILES)
            if distance_mi is not None and distance_mi <= _NEAR_MILES:
                for own_name in {place.name, place.full_name}:
                    candidates_by_name[own_name].append(Candidate(place, "similar", "", distance_mi))
                for other_name in alternative_names:
                    candidates_by_name[other_name].append(
                        Candidate(place, "similar", "" if other_name == place.name else other_name, distance_mi)
                    )
        similar_names = near_names(name, candidates_by_name, most=most)
        candidates = [
            candidate
            for similar_name in similar_names
            for candidate in sorted(candidates_by_name[similar_name], key=lambda one: (one.miles or 0.0, one.place))
        ]
        candidates += [
            Candidate(place, "similar", "", _distance_miles(place, near)) for place in self._nearest_spellings(name)
        ]
        candidate_by_place: dict[GazetteerPlace, Candidate] = {}
        for candidate in candidates:
            candidate_by_place.setdefault(candidate.place, candidate)
        return list(candidate_by_place.values())

    def _nearest_spellings(self, name: str) -> list[GazetteerPlace]:
        bare_name, _, division = name.rpartition(" ")
        table = self._table
        division_rows = (
            [row for row in self._all_rows() if table.division(row) == division] if bare_name and division else []
        )
        similar_names = near_names(
            name, {f"{table.name(row)} {division}" for row in division_rows} or self._spellings, most=_MAX_OFFERED
        )
        bare_places = self.spelled(bare_name) if bare_name else ()
        spelled_places = [place for similar_name in similar_names for place in self.spelled(similar_name)]
        largest_first = sorted(bare_places, key=lambda p: (-p.population, p))
        return list(dict.fromkeys([*spelled_places, *largest_first]))

    @cached_property
    def _spellings(self) -> tuple[str, ...]:
        """Every name, with and without division, sorted."""
        table = self._table
        names_and_codes = [(table.name(row), table.division(row)) for row in self._all_rows()]
        return tuple(
            sorted({text for name, code in names_and_codes for text in (name, f"{name} {code}" if code else name)})
        )


def _distance_miles(place: GazetteerPlace, near: Sequence[Point], *, most: float | None = None) -> float | None:
    """Return the distance of a place to the nearest of some points; None if there are none, or none within `most`."""
    if most is not None:
        near = [point for point in near if abs(point[1] - place.lat) * _MILES_PER_DEGREE <= most]
    return min((line_miles((point, (place.lon, place.lat))) for point in near), default=None)


def _sort_candidates(found: Sequence[Candidate], near: Sequence[Point]) -> list[Candidate]:
    """Return candidates sorted by distance, or without a reference point by size, largest first."""
    measured = [
        Candidate(candidate.place, candidate.how, candidate.called, _distance_miles(candidate.place, near))
        for candidate in found
    ]
    return sorted(measured, key=lambda one: (one.miles or 0.0, -one.place.population, one.place))


def _list_candidates(found: Sequence[Candidate]) -> str:
    return ", ".join(str(candidate) for candidate in found[:_MAX_OFFERED])


def _places_row(name: str, candidate: Candidate) -> str:
    return f"{name},{candidate.place.lon:.5f},{candidate.place.lat:.5f}"


@cache
def load_gazetteer(countries: tuple[str, ...]) -> Gazetteer:
    """Return the gazetteer of some countries (ISO 3166 alpha-2 codes), of places of 500 people and more."""
    return Gazetteer(shipped_table(), countries)


def division_codes_of(names: Iterable[str], countries: tuple[str, ...]) -> frozenset[str]:
    """Return the division codes of some countries, such as the `L` of `Bray L`; none unless a name may end with one.

    Args:
        names: Full names of places; where none may end with such a code, the gazetteer is not read.
        countries: Where they are (ISO 3166 alpha-2).
    """
    return load_gazetteer(countries).codes if any(map(has_odd_code, names)) else frozenset()


def known_countries() -> frozenset[str]:
    """Return the ISO 3166 alpha-2 codes of all countries."""
    return frozenset(shipped_table().countries)


def find_places(names: Collection[str]) -> dict[str, tuple[GazetteerPlace, ...]]:
    """Return the places of the world with the given names, by folded name.

    Args:
        names: Names, with or without division; case, accents and punctuation do not matter.

    Returns:
        Folded name -> places, the largest first; names that nothing has are left out.
    """
    world_gazetteer = load_gazetteer(tuple(sorted(known_countries())))
    places_by_name = {
        folded_name: world_gazetteer.folding_to(folded_name)
        for folded_name in sorted({fold(name) for name in names} - {""})
    }
    return {
        folded_name: tuple(sorted(places, key=lambda p: (-p.population, p)))
        for folded_name, places in places_by_name.items()
        if places
    }
