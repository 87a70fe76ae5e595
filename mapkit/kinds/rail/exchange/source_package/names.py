"""What the places of a board are called in a source package, so that ids and names come back.

A milepost's id follows from its place's name, a dot is shown without its state, and a place has one position whoever
names it. So names are chosen, and where none gives both id and name, the name stays.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mapkit.core.base import Point
from mapkit.core.names import fold, slug
from mapkit.kinds.rail.model.board import Board, City, Junction

_STATE_LETTERS = (2, 3)


@dataclass
class PlaceNames:
    """Names of places, no two alike however they are typed.

    Attributes:
        cities: City id -> its name.
        mileposts: Milepost id -> the place's name.
        junctions: Junction id -> the place's name.
        positions: Place -> `(lon, lat)` in degrees, of all that are not cities.
    """

    cities: Mapping[str, str] = field(default_factory=dict)
    mileposts: dict[str, str] = field(default_factory=dict)
    junctions: dict[str, str] = field(default_factory=dict)
    positions: dict[str, Point] = field(default_factory=dict)
    _folds: set[str] = field(default_factory=set)
    _slugs: set[str] = field(default_factory=set)
    _numbers: dict[str, int] = field(default_factory=dict)
    """The highest number that a name was tried with; none below it comes free again."""

    def free(self, name: str) -> bool:
        """Return whether a place may have a name."""
        return bool(name) and name == name.strip() and bool(slug(name)) and fold(name) not in self._folds

    def take(self, wishes: Iterable[str]) -> str:
        """Return the first wish that is free, or the last one with a number."""
        name, ident = "", ""
        for wish in wishes:
            name = wish
            if self.free(wish) and slug(wish) not in self._slugs:
                break
        else:
            base = " ".join((name if slug(name) else f"place {name}").split())
            while not self.free(name) or slug(name) in self._slugs:
                name = self._next(base, 2)
        ident = slug(name)
        self._folds.add(fold(name))
        self._slugs.add(ident)
        return name

    def via(self, name: str, at: Point) -> str:
        """Return a place's name for a vertex of a line."""
        numbered = self._next(name, 1)
        while not self.free(numbered):
            numbered = self._next(name, 1)
        self._folds.add(fold(numbered))
        self.positions[numbered] = at
        return numbered

    def _next(self, base: str, first: int) -> str:
        """Return a name with the next number that it was not tried with, so that many of one name take linear time."""
        number = self._numbers[base] = max(self._numbers.get(base, 0) + 1, first)
        return f"{base} {number}"


def name_places(board: Board) -> PlaceNames:
    """Return the names of a board's places."""
    out = PlaceNames(cities=_city_names(board.cities))
    own: dict[str, list[str]] = {}
    for city in board.cities:
        own.setdefault(city.milepost, []).append(out.cities[city.id])
    cities = {fold(name) for name in out.cities.values()}
    for milepost in board.mileposts:
        if milepost.id in own:
            others = cities - {fold(name) for name in own[milepost.id]}
            wishes = (milepost.name, own[milepost.id][0], milepost.id)
            out.mileposts[milepost.id] = out.take([wish for wish in wishes if fold(wish) not in others])
    out._folds |= cities  # noqa: SLF001 - made here
    for milepost in board.mileposts:
        if milepost.id not in own:
            name = out.take(_dot_wishes(milepost.id, milepost.name))
            out.mileposts[milepost.id] = name
            out.positions[name] = (milepost.lon, milepost.lat)
    users = {(p.railroad, end) for p in board.pieces for end in (p.a, p.b)}
    at = {milepost.id: milepost for milepost in board.mileposts}
    named_at: dict[Point, list[str]] = {}
    for junction in board.junctions:
        tail = junction.id.removeprefix(f"{junction.railroad}--")
        there = at.get(tail)
        if there and (there.lon, there.lat) == (junction.lon, junction.lat):
            name = out.mileposts[tail]
            if (junction.railroad, tail) not in users and name in out.positions:
                out.junctions[junction.id] = name
                named_at.setdefault((junction.lon, junction.lat), []).append(junction.id)
                continue
        earlier = named_at.setdefault((junction.lon, junction.lat), [])
        out.junctions[junction.id] = name = _junction_name(out, junction, tail, earlier)
        earlier.append(junction.id)
        out.positions[name] = (junction.lon, junction.lat)
    return out


def _junction_name(out: PlaceNames, junction: Junction, tail: str, earlier: Iterable[str]) -> str:
    """Return the name of a place that other railroads' junctions, those named `earlier` where it is, may share."""
    for other in earlier:
        if slug(out.junctions[other]) == tail and not other.startswith(f"{junction.railroad}--"):
            return out.junctions[other]
    return out.take((tail, f"{tail} junction"))


def _city_names(cities: Iterable[City]) -> dict[str, str]:
    """Return names of cities, each of which neither a name nor the id of another is."""
    rows = list(cities)
    ids = {fold(city.id): city.id for city in rows}
    out: dict[str, str] = {}
    taken: set[str] = set()
    for city in rows:
        base = " ".join(city.name.split()) if city.name != city.name.strip() or not slug(city.name) else city.name
        name, number = base if fold(base) else city.id, 2
        while fold(name) in taken or ids.get(fold(name), city.id) != city.id:
            name, number = f"{base} {number}", number + 1
        taken.add(fold(name))
        out[city.id] = name
    return out


def _dot_wishes(ident: str, name: str) -> list[str]:
    """Return what a dot may be called: as it is, or with a state in front of which its name stands."""
    wishes = [name] if slug(name) == ident else []
    head, _, state = ident.rpartition("-")
    if head == slug(name) and len(state) in _STATE_LETTERS and state.isalpha():
        wishes.append(f"{name} {state.upper()}")
    return [*wishes, name]
