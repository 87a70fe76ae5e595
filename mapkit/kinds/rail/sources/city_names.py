"""City names as people type them, matched to the cities of a board; nothing is ever guessed."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.names import edit_distance, fold
from mapkit.formats.cells.table import MAX_TEXT, Cell, shown
from mapkit.geography.states import STATES
from mapkit.kinds.rail.model.left_out import NameLeftOut
from mapkit.kinds.rail.sources.home_states import home_states
from mapkit.kinds.rail.sources.letter_shapes import shape_of

How = Literal[
    "exact", "spelling", "abbreviation", "state", "state left out", "state added", "twins", "cut", "accepted", "own"
]
"""How a name was matched: as typed; except for case, accents and punctuation; `Saint` for `St.` and the like; the state
written otherwise; with a state that the board's name lacks; without one that it has; a name for two cities that share a
milepost; a name cut short; by the user's word; or, where there is no board, not at all."""

MOST_OFFERED = 3
_WORDS = {"saint": "st", "sainte": "ste", "fort": "ft", "mount": "mt", "and": ""}
_INITIALS = re.compile(r"\b((?:[A-Za-z]\.\s?)+[A-Za-z])\b\.?")
_JOINED = re.compile(r"\s*(?:/|&|\+|,|\n|\band\b|\s[-\u2013]\s)\s*", re.IGNORECASE)
_BOTH = 2
_CUT = re.compile(r"['\u2019.\u2026]+")
_STATE_WORDS = 3
_PREFIX = 3
_OFF = 5
"""Letters of a name of which one may be misread."""


class KnownCity(NamedTuple):
    """A city of a board, the milepost that twins share (else its own name), and where it is, in degrees."""

    id: str
    name: str
    milepost: str = ""
    point: Point | None = None


class Match(NamedTuple):
    """A typed name's city, and its twin if the name is for both."""

    city: str
    how: How
    twin: str = ""


class CityNames:
    """Finds cities by what people type.

    Args:
        board: What to call the board in messages.
        cities: Its cities.
        accept: Typed names that the user confirmed -> id or name of the city, or empty to leave it out.
        what: What to call one in messages.
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
        self._exact = {fold(key): city for city in self.cities for key in (city.id, city.name)}
        self._keys: dict[str, list[KnownCity]] = {}
        self._bases: dict[str, list[tuple[KnownCity, str]]] = {}
        self._shared: dict[str, list[KnownCity]] = {}
        self._found: dict[str, Match | str] = {}
        self._fits: dict[str, int] = {}
        self._cuts: dict[str, Match | None] = {}
        for city in self.cities:
            self._keys.setdefault(key_of(city.name), []).append(city)
            for base, state in split_state(city.name):
                self._bases.setdefault(base, []).append((city, state))
            if city.milepost and fold(city.milepost) not in self._exact:
                self._shared.setdefault(fold(city.milepost), []).append(city)
        self._accepted: dict[str, str] = {}
        for typed, target in self.accept.items():
            if target and fold(target) not in self._exact:
                hint = _offer(self.nearest(target, self.cities))
                raise SourceError(f"--accept {typed}={target}: {target!r} is not a {what} of {board}{hint}")
            self._accepted[fold(typed)] = self._exact[fold(target)].id if target else ""

    def find(self, typed: str) -> Match | str:
        """Return the city, or in words why there is none (`'Pitsburg' is not a city of ...`).

        A match with an empty city is a name that the user wants left out.
        """
        if typed not in self._found:
            self._found[typed] = self._find(typed)
        return self._found[typed]

    def fit(self, typed: str) -> int:
        """Say how well a name is known: 2 as spelled on the board, 1 loosely or as one of several, 0 not."""
        if typed not in self._fits:
            self._fits[typed] = self._fit(typed)
        return self._fits[typed]

    def _fit(self, typed: str) -> int:
        if len(typed) > MAX_TEXT:
            return 0
        if fold(typed) in self._accepted:
            return 2
        cities, how = self._fitting(typed)
        return 2 if len(cities) == 1 and how in ("exact", "spelling") else int(len(cities) > 0)

    def cut(self, typed: str) -> Match | None:
        """Return the city of a name that is cut short, `Alban` or `C'tte`, if only one of the board fits.

        Only for charts with names above and beside the amounts: there, a city that is named twice is found.
        """
        if typed not in self._cuts:
            parts = [key_of(part) for part in _CUT.split(typed.strip())] if len(typed) <= MAX_TEXT else []
            start, end = ("".join(parts[:-1]), parts[-1]) if len(parts) > 1 and parts[-1] else ("".join(parts), "")
            fits = [
                city
                for city in self.cities
                for name in [key_of(city.name)]
                if start and name.startswith(start) and name.endswith(end) and len(start) + len(end) < len(name)
            ]
            enough = len(start) + len(end) >= _PREFIX and self.fit(typed) == 0
            self._cuts[typed] = Match(fits[0].id, "cut") if enough and len(fits) == 1 else None
        return self._cuts[typed]

    def unused(self, typed: Iterable[str]) -> list[str]:
        """Return the accepted names that are not among those typed."""
        used = {fold(name) for name in typed}
        return [name for name in self.accept if fold(name) not in used]

    def _find(self, typed: str) -> Match | str:
        folded = fold(typed)
        if len(typed) > MAX_TEXT or not folded:
            return f"{shown(typed)} is not a {self.what} of {self.board}; correct it"
        if folded in self._accepted:
            return Match(self._accepted[folded], "accepted")
        cities, how = self._fitting(typed)
        if len(cities) == 1:
            return self._in_its_state(typed, cities[0], how)
        if len(cities) == _BOTH and self.twins and len({city.milepost or city.id for city in cities}) == 1:
            return Match(cities[0].id, "twins", cities[1].id)
        if cities:
            both = " and ".join(f"{city.name} ({city.id})" for city in cities)
            return f"{typed!r} may be {both}; write it out, or choose one with --accept {f'{typed}=ID'!r}"
        return f"{typed!r} is not a {self.what} of {self.board}{_offer(self.nearest(typed, self.cities), typed)}"

    def _in_its_state(self, typed: str, city: KnownCity, how: How) -> Match | str:
        """Return the match of a name, unless it puts the city in a state that it is not in."""
        if how != "state left out" or city.point is None:
            return Match(city.id, how)
        state = next(state for base, state in split_state(typed) if base in self._keys)
        homes = home_states(city.name, city.point)
        if not homes or state in homes:
            return Match(city.id, how)
        right = " or ".join(sorted(homes)).upper()
        return (
            f"{typed!r} may be {city.name} ({city.id}), but that is in {right}, not in {state.upper()}; correct it, or "
            f"say that it is: --accept {f'{typed}={city.id}'!r}"
        )

    def _both(self, typed: str) -> list[KnownCity]:
        """Return the twins that a name such as `San Francisco & Oakland` names, in any order."""
        parts = [part for part in _JOINED.split(typed) if part.strip()]
        if len(parts) != _BOTH:
            return []
        found = [self._exact.get(fold(part)) or next(iter(self._keys.get(key_of(part), ())), None) for part in parts]
        one, other = found
        if one is None or other is None or one == other or not one.milepost or one.milepost != other.milepost:
            return []
        return [one, other]

    def _fitting(self, typed: str) -> tuple[list[KnownCity], How]:
        """Return the cities that a name fits by the strictest rule that any fits, and the rule."""
        folded = fold(typed)
        if folded in self._exact:
            city = self._exact[folded]
            return [city], "exact" if typed in (city.name, city.id) else "spelling"
        if both := self._shared.get(folded) or self._both(typed):
            return both, "spelling"
        key = key_of(typed)
        if key in self._keys:
            return self._keys[key], "abbreviation"
        split = split_state(typed)
        for base, state in split:
            same = [city for city, own in self._bases.get(base, []) if own == state]
            if same:
                return same, "state"
        for base, _ in split:
            if base in self._keys:
                return self._keys[base], "state left out"
        added = [city for city, _ in self._bases.get(key, [])]
        return added, "state added"

    @staticmethod
    def nearest(typed: str, cities: Iterable[KnownCity]) -> list[tuple[int, KnownCity]]:
        """Return up to three cities whose names are near, with the edit distance, nearest first.

        A name may be a third of its letters off; a shortened one (`Phila`) is near whatever its distance.
        """
        wanted = {key_of(typed), *(base for base, _ in split_state(typed))} - {""}
        out: dict[str, tuple[int, str, KnownCity]] = {}
        for city in cities:
            names = {key_of(city.name), *(base for base, _ in split_state(city.name))}
            for one in sorted(wanted):
                for other in sorted(names):
                    limit = max(1, len(one) // 3)
                    short = len(one) >= _PREFIX and other.startswith(one)
                    if not short and abs(len(one) - len(other)) > limit:
                        continue
                    distance = edit_distance(one, other)
                    if (short or distance <= limit) and (city.id not in out or distance < out[city.id][0]):
                        out[city.id] = (distance, city.name, city)
        return [(distance, city) for distance, _, city in sorted(out.values())[:MOST_OFFERED]]


def nearly(text: str, among: Iterable[CityNames]) -> str:
    """Return the one name that a misread one is nearly; empty if none is, or several.

    A letter in five may be off, or all that differs are letters that look alike, such as `rn` and `m`.
    """
    known = list(among)
    near = ((distance, city.name) for names in known for distance, city in names.nearest(text, names.cities))
    return _one(text, sorted(near)) or _of_like_letters(text, known)


def _of_like_letters(text: str, among: Iterable[CityNames]) -> str:
    """Return the one name whose letters look like those of a misread one; empty if it is short."""
    key = key_of(text)
    shape = shape_of(key)
    found = {city.name for names in among for city in names.cities if shape_of(key_of(city.name)) == shape}
    return found.pop() if len(found) == 1 and len(key) >= _OFF else ""


def nearly_cut(text: str, names: CityNames) -> str:
    """Return the one name of which a misread one is nearly the beginning, as `nearly` does; empty if it is short."""
    key = key_of(text)
    longer = [(key_of(city.name), city.name) for city in names.cities]
    starts = [(edit_distance(key, own[: len(key)]), name) for own, name in longer if len(own) > len(key)]
    return _one(key, sorted(starts)) if len(key) >= _OFF else ""


def _one(text: str, near: Sequence[tuple[int, str]]) -> str:
    one = bool(near) and near[0][0] <= max(1, len(text) // _OFF) and (len(near) == 1 or near[1][0] > near[0][0])
    return near[0][1] if one else ""


def stranger(cell: Cell, names: "CityNames | None") -> NameLeftOut:
    """Return a name that a board does not have, with those that are near; without a board there are none."""
    near = names.nearest(cell.text, names.cities) if names is not None and len(cell.text) <= MAX_TEXT else []
    return NameLeftOut(typed=cell.text[:MAX_TEXT], where=cell.where, near=tuple(city.id for _, city in near))


def _offer(near: list[tuple[int, KnownCity]], typed: str | None = None) -> str:
    if not near:
        return "; correct it, or leave it out: --accept 'NAME=-'" if typed else "; give a city's id or name"
    names = ", ".join(f"{city.name} (distance {distance})" for distance, city in near)
    confirm = f"; if it is, give --accept {f'{typed}={near[0][1].id}'!r}" if typed else ""
    return f"; similar names: {names}{confirm}"


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    """Return the words of a name in one form; every name that was typed is held against all of the board's."""
    plain = unicodedata.normalize("NFKD", _INITIALS.sub(lambda m: re.sub(r"[.\s]", "", m[1]), text)).casefold()
    plain = re.sub(r"['\u2019\u0300-\u036f]", "", plain)
    words = re.sub(r"[^\w]|_", " ", plain).split()
    return tuple(_WORDS.get(word, word) for word in words)


def key_of(name: str) -> str:
    """Return a name's letters with `Saint`, `Fort`, `Mount` and `and` in one form: `"Ft. Worth"` -> `"ftworth"`."""
    return "".join(_words(name))


def split_state(name: str) -> list[tuple[str, str]]:
    """Return `(key without the state, postal code)` if a name ends in a state: `"Portland, Ore."` -> portland, or."""
    words = _words(name)
    out = []
    for count in range(1, min(_STATE_WORDS, len(words) - 1) + 1):
        state = STATES.get("".join(words[-count:]).replace("ft", "fort") if count > 1 else words[-count])
        if state:
            out.append(("".join(words[:-count]), state))
    return out
