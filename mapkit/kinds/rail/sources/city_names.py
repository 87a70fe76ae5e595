"""Matching of city names in any spelling to the cities of a board, without guesses."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from mapkit.core.base import Point
from mapkit.core.errors import ChoiceError
from mapkit.core.geodesy import line_miles
from mapkit.core.names import edit_distance, fold
from mapkit.formats.cells.table import MAX_TEXT, Cell, quote_text
from mapkit.geography.gazetteer import load_gazetteer
from mapkit.geography.states import STATES
from mapkit.kinds.rail.model.left_out import NameLeftOut
from mapkit.kinds.rail.sources.letter_shapes import shape_key

# States of a city, from gazetteer places of its name nearby.

_COUNTRIES: Final = ("CA", "US")
_NEAR_MILES: Final = 40.0


@lru_cache(maxsize=10_000)
def home_states(name: str, point: Point) -> frozenset[str]:
    """Return the postal codes, in lower case, of the states with a place of this name near a point.

    Args:
        name: The name, without a state.
        point: Position of the city, degrees.

    Returns:
        Several codes for a city on a border; none if the gazetteer has no such place there.
    """
    return frozenset(
        place.division.casefold()
        for place in load_gazetteer(_COUNTRIES).named(name)
        if place.division and line_miles((point, (place.lon, place.lat))) <= _NEAR_MILES
    )


How = Literal[
    "exact", "spelling", "abbreviation", "state", "state left out", "state added", "twins", "cut", "accepted", "own"
]
"""Rule of a match: exact; equal except for case, accents and punctuation; `Saint` for `St.` and similar; the state
spelled differently; with a state that the board's name lacks; without a state that it has; a name for two cities that
share a milepost; a truncated name; confirmed by the user; or, without a board, not matched."""

MOST_OFFERED = 3
_WORD_FORMS = {"saint": "st", "sainte": "ste", "fort": "ft", "mount": "mt", "and": ""}
_INITIALS = re.compile(r"\b((?:[A-Za-z]\.\s?)+[A-Za-z])\b\.?")
_TWIN_SEPARATOR = re.compile(r"\s*(?:/|&|\+|,|\n|\band\b|\s[-\u2013]\s)\s*", re.IGNORECASE)
_TWIN_COUNT = 2
_ELLIPSIS = re.compile(r"['\u2019.\u2026]+")
_MAX_STATE_WORDS = 3
_MIN_PREFIX = 3
_LETTERS_PER_ERROR = 5
"""Number of letters of which one may be misread."""


class KnownCity(NamedTuple):
    """City of a board, the milepost that twins share (else its own name), and its position in degrees."""

    id: str
    name: str
    milepost: str = ""
    point: Point | None = None


class Match(NamedTuple):
    """City of a typed name, and its twin if the name is for both."""

    city: str
    how: How
    twin: str = ""


class CityNames:
    """Finder of cities by typed names.

    Args:
        board: Name of the board in messages.
        cities: Its cities.
        accept: Typed names that the user confirmed -> id or name of the city, or empty to leave it out.
        what: Noun for a city in messages.
        twins: Whether a name may be for two cities that share a milepost.

    Raises:
        SourceError: An accepted name leads to no city.
    """

    def __init__(
        self,
        board: str,
        cities: Sequence[KnownCity],
        accept: Mapping[str, str] | None = None,
        *,
        what: str = "city",
        twins: bool = False,
    ) -> None:
        self.board = board
        self.what = what
        self.twins = twins
        self.cities = tuple(cities)
        self.accept = dict(accept or {})
        self._exact = {fold(city_key): city for city in self.cities for city_key in (city.id, city.name)}
        self._keys: dict[str, list[KnownCity]] = {}
        self._bases: dict[str, list[tuple[KnownCity, str]]] = {}
        self._shared: dict[str, list[KnownCity]] = {}
        self._found: dict[str, Match | str] = {}
        self._fits: dict[str, int] = {}
        self._cuts: dict[str, Match | None] = {}
        for city in self.cities:
            self._keys.setdefault(name_to_key(city.name), []).append(city)
            for base_key, state in split_state(city.name):
                self._bases.setdefault(base_key, []).append((city, state))
            if city.milepost and fold(city.milepost) not in self._exact:
                self._shared.setdefault(fold(city.milepost), []).append(city)
        self._accepted: dict[str, Match] = {}
        for typed_name, target in self.accept.items():
            exact_city = self._exact.get(fold(target))
            cities = [exact_city] if exact_city is not None else []
            if twins and not cities:
                cities = self._shared.get(fold(target)) or self._find_twins(target)
            if target and not cities:
                hint = _suggest_names(self.nearest(target, self.cities))
                raise ChoiceError(f"--accept {typed_name}={target}: {target!r} is not a {what} of {board}{hint}")
            ids = [accepted_city.id for accepted_city in cities] or [""]
            self._accepted[fold(typed_name)] = Match(ids[0], "accepted", ids[1] if len(ids) > 1 else "")

    def find(self, typed: str) -> Match | str:
        """Return the city, or a phrase why there is none (`'Pitsburg' is not a city of ...`).

        A match with an empty city is a name that the user wants to leave out.
        """
        if typed not in self._found:
            self._found[typed] = self._find_uncached(typed)
        return self._found[typed]

    def fit(self, typed: str) -> int:
        """Return the quality of a match: 2 for the board's spelling, 1 for a loose or ambiguous match, 0 for none."""
        if typed not in self._fits:
            self._fits[typed] = self._rate_match(typed)
        return self._fits[typed]

    def _rate_match(self, typed: str) -> int:
        if len(typed) > MAX_TEXT:
            return 0
        if fold(typed) in self._accepted:
            return 2
        matched_cities, match_rule = self._match_cities(typed)
        return 2 if len(matched_cities) == 1 and match_rule in ("exact", "spelling") else int(len(matched_cities) > 0)

    def cut(self, typed: str) -> Match | None:
        """Return the city of a truncated name, `Alban` or `C'tte`, if only one city of the board fits.

        Only for charts with names above and beside the amounts, in which duplicate cities are detected.
        """
        if typed not in self._cuts:
            key_parts = [name_to_key(part) for part in _ELLIPSIS.split(typed.strip())] if len(typed) <= MAX_TEXT else []
            key_start, key_end = (
                ("".join(key_parts[:-1]), key_parts[-1])
                if len(key_parts) > 1 and key_parts[-1]
                else ("".join(key_parts), "")
            )
            matching_cities = [
                city
                for city in self.cities
                for name_key in [name_to_key(city.name)]
                if key_start
                and name_key.startswith(key_start)
                and name_key.endswith(key_end)
                and len(key_start) + len(key_end) < len(name_key)
            ]
            is_long_enough = len(key_start) + len(key_end) >= _MIN_PREFIX and self.fit(typed) == 0
            self._cuts[typed] = (
                Match(matching_cities[0].id, "cut") if is_long_enough and len(matching_cities) == 1 else None
            )
        return self._cuts[typed]

    def unused(self, typed: Iterable[str]) -> list[str]:
        """Return the accepted names that are not among those typed."""
        used_folds = {fold(name) for name in typed}
        return [name for name in self.accept if fold(name) not in used_folds]

    def _find_uncached(self, typed: str) -> Match | str:
        folded_name = fold(typed)
        if len(typed) > MAX_TEXT or not folded_name:
            return f"{quote_text(typed)} is not a {self.what} of {self.board}; correct it"
        if folded_name in self._accepted:
            return self._accepted[folded_name]
        matched_cities, match_rule = self._match_cities(typed)
        if len(matched_cities) == 1:
            return self._check_state(typed, matched_cities[0], match_rule)
        if (
            len(matched_cities) == _TWIN_COUNT
            and self.twins
            and len({city.milepost or city.id for city in matched_cities}) == 1
        ):
            return Match(matched_cities[0].id, "twins", matched_cities[1].id)
        if matched_cities:
            both_names = " and ".join(f"{city.name} ({city.id})" for city in matched_cities)
            return f"{typed!r} may be {both_names}; write it out, or choose one with --accept {f'{typed}=ID'!r}"
        return f"{typed!r} is not a {self.what} of {self.board}{self._suggest(typed)}"

    def _suggest(self, typed: str) -> str:
        near_twins = self.find_near_twins(typed)
        if not near_twins:
            return _suggest_names(self.nearest(typed, self.cities), typed)
        first_city, second_city = near_twins
        accepted_text = f"{typed}={first_city.id}/{second_city.id}"
        return f"; if it is {first_city.name} and {second_city.name}, give --accept {accepted_text!r}"

    def find_near_twins(self, typed: str) -> tuple[KnownCity, ...]:
        """Return the twins that a name such as `San Fran/Oakland` shortens; none if it does not."""
        name_parts = [part for part in _TWIN_SEPARATOR.split(typed) if part.strip()]
        if len(name_parts) != _TWIN_COUNT or len(typed) > MAX_TEXT or not self.twins:
            return ()
        first_cities, second_cities = ([city for _, city in self.nearest(part, self.cities)] for part in name_parts)
        return next(
            (
                (first_city, second_city)
                for first_city in first_cities
                for second_city in second_cities
                if first_city != second_city and first_city.milepost and first_city.milepost == second_city.milepost
            ),
            (),
        )

    def _check_state(self, typed: str, city: KnownCity, how: How) -> Match | str:
        """Return the match of a name, or a problem if the name has a wrong state."""
        if how != "state left out" or city.point is None:
            return Match(city.id, how)
        state = next(state for base_key, state in split_state(typed) if base_key in self._keys)
        city_states = home_states(city.name, city.point)
        if not city_states or state in city_states:
            return Match(city.id, how)
        correct_states = " or ".join(sorted(city_states)).upper()
        return (
            f"{typed!r} may be {city.name} ({city.id}), but that is in {correct_states}, "
            f"not in {state.upper()}; correct it, or "
            f"say that it is: --accept {f'{typed}={city.id}'!r}"
        )

    def _find_twins(self, typed: str) -> list[KnownCity]:
        """Return the twins of a name such as `San Francisco & Oakland`, in any order."""
        name_parts = [part for part in _TWIN_SEPARATOR.split(typed) if part.strip()]
        if len(name_parts) != _TWIN_COUNT:
            return []
        part_cities = [
            self._exact.get(fold(part)) or next(iter(self._keys.get(name_to_key(part), ())), None)
            for part in name_parts
        ]
        first_city, second_city = part_cities
        if (
            first_city is None
            or second_city is None
            or first_city == second_city
            or not first_city.milepost
            or first_city.milepost != second_city.milepost
        ):
            return []
        return [first_city, second_city]

    def _match_cities(self, typed: str) -> tuple[list[KnownCity], How]:
        """Return the cities that match a name by the strictest rule with any match, and the rule."""
        folded_name = fold(typed)
        if folded_name in self._exact:
            city = self._exact[folded_name]
            return [city], "exact" if typed in (city.name, city.id) else "spelling"
        if twin_cities := self._shared.get(folded_name) or self._find_twins(typed):
            return twin_cities, "spelling"
        typed_key = name_to_key(typed)
        if typed_key in self._keys:
            return self._keys[typed_key], "abbreviation"
        state_splits = split_state(typed)
        for base_key, state in state_splits:
            same_state = [city for city, own_state in self._bases.get(base_key, []) if own_state == state]
            if same_state:
                return same_state, "state"
        for base_key, _ in state_splits:
            if base_key in self._keys:
                return self._keys[base_key], "state left out"
        cities_without_state = [city for city, _ in self._bases.get(typed_key, [])]
        return cities_without_state, "state added"

    @staticmethod
    def nearest(typed: str, cities: Iterable[KnownCity]) -> list[tuple[int, KnownCity]]:
        """Return up to three cities with similar names and their edit distances, nearest first.

        Up to a third of the letters may differ; a shortened name (`Phila`) matches at any distance.
        """
        typed_keys = {name_to_key(typed), *(base for base, _ in split_state(typed))} - {""}
        nearest_by_id: dict[str, tuple[int, str, KnownCity]] = {}
        for city in cities:
            city_keys = {name_to_key(city.name), *(base for base, _ in split_state(city.name))}
            for typed_key in sorted(typed_keys):
                for city_key in sorted(city_keys):
                    max_distance = max(1, len(typed_key) // 3)
                    is_prefix = len(typed_key) >= _MIN_PREFIX and city_key.startswith(typed_key)
                    if not is_prefix and abs(len(typed_key) - len(city_key)) > max_distance:
                        continue
                    distance = edit_distance(typed_key, city_key)
                    if (is_prefix or distance <= max_distance) and (
                        city.id not in nearest_by_id or distance < nearest_by_id[city.id][0]
                    ):
                        nearest_by_id[city.id] = (distance, city.name, city)
        return [(distance, city) for distance, _, city in sorted(nearest_by_id.values())[:MOST_OFFERED]]


def find_similar_name(text: str, among: Iterable[CityNames]) -> str:
    """Return the only name that is similar to a misread one; empty if there is none, or several.

    One letter in five may differ, or only letters that look alike, such as `rn` and `m`.
    """
    name_lists = list(among)
    sorted_candidates = (
        (distance, city.name) for names in name_lists for distance, city in names.nearest(text, names.cities)
    )
    return _single_nearest(text, sorted(sorted_candidates)) or _find_look_alike(text, name_lists)


def _find_look_alike(text: str, among: Iterable[CityNames]) -> str:
    """Return the only name with letters that look like those of a misread one; empty if it is short."""
    text_key = name_to_key(text)
    text_shape = shape_key(text_key)
    matching_names = {
        city.name for names in among for city in names.cities if shape_key(name_to_key(city.name)) == text_shape
    }
    return matching_names.pop() if len(matching_names) == 1 and len(text_key) >= _LETTERS_PER_ERROR else ""


def find_similar_start(text: str, names: CityNames) -> str:
    """Return the only name with a beginning similar to a misread one, as in `nearly`; empty if it is short."""
    text_key = name_to_key(text)
    keyed_names = [(name_to_key(city.name), city.name) for city in names.cities]
    distances_of_starts = [
        (edit_distance(text_key, name_key[: len(text_key)]), name)
        for name_key, name in keyed_names
        if len(name_key) > len(text_key)
    ]
    return _single_nearest(text_key, sorted(distances_of_starts)) if len(text_key) >= _LETTERS_PER_ERROR else ""


def _single_nearest(text: str, nearest_names: Sequence[tuple[int, str]]) -> str:
    is_single = (
        bool(nearest_names)
        and nearest_names[0][0] <= max(1, len(text) // _LETTERS_PER_ERROR)
        and (len(nearest_names) == 1 or nearest_names[1][0] > nearest_names[0][0])
    )
    return nearest_names[0][1] if is_single else ""


def describe_unknown_name(cell: Cell, names: "CityNames | None") -> NameLeftOut:
    """Return a name that a board does not have, with similar names of the board, if there is one."""
    near_twins = names.find_near_twins(cell.text) if names is not None else ()
    similar_cities = names.nearest(cell.text, names.cities) if names is not None and len(cell.text) <= MAX_TEXT else []
    near_ids = [city.id for city in near_twins or [city for _, city in similar_cities]]
    return NameLeftOut(typed=cell.text[:MAX_TEXT], where=cell.where, near=tuple(near_ids), twins=bool(near_twins))


def _suggest_names(nearest_cities: list[tuple[int, KnownCity]], typed: str | None = None) -> str:
    if not nearest_cities:
        return "; correct it, or leave it out: --accept 'NAME=-'" if typed else "; give a city's id or name"
    similar_names = ", ".join(f"{city.name} (distance {distance})" for distance, city in nearest_cities)
    confirm_text = f"; if it is, give --accept {f'{typed}={nearest_cities[0][1].id}'!r}" if typed else ""
    return f"; similar names: {similar_names}{confirm_text}"


@lru_cache(maxsize=4096)
def _normalize_words(text: str) -> tuple[str, ...]:
    """Return the normalized words of a name; cached, since each typed name is compared with all of the board's."""
    plain_text = unicodedata.normalize("NFKD", _INITIALS.sub(lambda m: re.sub(r"[.\s]", "", m[1]), text)).casefold()
    plain_text = re.sub(r"['\u2019\u0300-\u036f]", "", plain_text)
    raw_words = re.sub(r"[^\w]|_", " ", plain_text).split()
    return tuple(_WORD_FORMS.get(word, word) for word in raw_words)


def name_to_key(name: str) -> str:
    """Return a name's letters with `Saint`, `Fort`, `Mount` and `and` normalized: `"Ft. Worth"` -> `"ftworth"`."""
    return "".join(_normalize_words(name))


def split_state(name: str) -> list[tuple[str, str]]:
    """Return `(key without the state, postal code)` if a name ends in a state: `"Portland, Ore."` -> portland, or."""
    name_words = _normalize_words(name)
    state_splits = []
    for word_count in range(1, min(_MAX_STATE_WORDS, len(name_words) - 1) + 1):
        state = STATES.get(
            "".join(name_words[-word_count:]).replace("ft", "fort") if word_count > 1 else name_words[-word_count]
        )
        if state:
            state_splits.append(("".join(name_words[:-word_count]), state))
    return state_splits
