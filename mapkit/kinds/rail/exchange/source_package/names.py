"""Names of a board's places in a source package, chosen so that ids and names are preserved.

The id of a milepost follows from the name of its place, a dot is shown without its state, and a place has one position
for all railroads. If no name gives both id and name, the name is preserved.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mapkit.core.base import Point
from mapkit.core.names import fold, slug
from mapkit.kinds.rail.model.board import Board, City, Junction

_STATE_LENGTHS = (2, 3)


@dataclass
class PlaceNames:
    """Names of places that remain distinct in any spelling.

    Attributes:
        cities: City id -> name of its place.
        mileposts: Milepost id -> the place's name.
        junctions: Junction id -> the place's name.
        positions: Place -> `(lon, lat)` in degrees, without cities.
    """

    cities: Mapping[str, str] = field(default_factory=dict)
    mileposts: dict[str, str] = field(default_factory=dict)
    junctions: dict[str, str] = field(default_factory=dict)
    positions: dict[str, Point] = field(default_factory=dict)
    _folds: set[str] = field(default_factory=set)
    _slugs: set[str] = field(default_factory=set)
    _numbers: dict[str, int] = field(default_factory=dict)
    """Highest number tried with a name; no lower number becomes free again."""

    def free(self, name: str) -> bool:
        """Return whether a name is available for a place."""
        return bool(name) and name == name.strip() and bool(slug(name)) and fold(name) not in self._folds

    def take(self, wishes: Iterable[str]) -> str:
        """Take the first wish that is free, or the last one with a number, and return it."""
        name, name_id = "", ""
        for wish in wishes:
            name = wish
            if self.free(wish) and slug(wish) not in self._slugs:
                break
        else:
            base_name = " ".join((name if slug(name) else f"place {name}").split())
            while not self.free(name) or slug(name) in self._slugs:
                name = self._next_numbered(base_name, 2)
        name_id = slug(name)
        self._folds.add(fold(name))
        self._slugs.add(name_id)
        return name

    def via(self, name: str, at: Point) -> str:
        """Return a place's name for a vertex of a line."""
        numbered_name = self._next_numbered(name, 1)
        while not self.free(numbered_name):
            numbered_name = self._next_numbered(name, 1)
        self._folds.add(fold(numbered_name))
        self.positions[numbered_name] = at
        return numbered_name

    def _next_numbered(self, base: str, first_number: int) -> str:
        """Return a name with its next untried number; many places of one name thus take linear time."""
        number = self._numbers[base] = max(self._numbers.get(base, 0) + 1, first_number)
        return f"{base} {number}"


def name_places(board: Board) -> PlaceNames:
    """Return the names of a board's places."""
    place_names = PlaceNames(cities=_name_cities(board.cities))
    city_names: dict[str, list[str]] = {}
    for city in board.cities:
        city_names.setdefault(city.milepost, []).append(place_names.cities[city.id])
    city_folds = {fold(place_name) for place_name in place_names.cities.values()}
    for milepost in board.mileposts:
        if milepost.id in city_names:
            other_folds = city_folds - {fold(place_name) for place_name in city_names[milepost.id]}
            wishes = (milepost.name, city_names[milepost.id][0], milepost.id)
            place_names.mileposts[milepost.id] = place_names.take(
                [wish for wish in wishes if fold(wish) not in other_folds]
            )
    place_names._folds |= city_folds  # noqa: SLF001 - made here
    for milepost in board.mileposts:
        if milepost.id not in city_names:
            place_name = place_names.take(_list_dot_wishes(milepost.id, milepost.name))
            place_names.mileposts[milepost.id] = place_name
            place_names.positions[place_name] = (milepost.lon, milepost.lat)
    used_ends = {(p.railroad, end_id) for p in board.pieces for end_id in (p.a, p.b)}
    milepost_by_id = {milepost.id: milepost for milepost in board.mileposts}
    named_at: dict[Point, list[str]] = {}
    for junction in board.junctions:
        id_tail = junction.id.removeprefix(f"{junction.railroad}--")
        same_milepost = milepost_by_id.get(id_tail)
        if same_milepost and (same_milepost.lon, same_milepost.lat) == (junction.lon, junction.lat):
            place_name = place_names.mileposts[id_tail]
            if (junction.railroad, id_tail) not in used_ends and place_name in place_names.positions:
                place_names.junctions[junction.id] = place_name
                named_at.setdefault((junction.lon, junction.lat), []).append(junction.id)
                continue
        earlier_junctions = named_at.setdefault((junction.lon, junction.lat), [])
        place_names.junctions[junction.id] = place_name = _name_junction(
            place_names, junction, id_tail, earlier_junctions
        )
        earlier_junctions.append(junction.id)
        place_names.positions[place_name] = (junction.lon, junction.lat)
    return place_names


def _name_junction(place_names: PlaceNames, junction: Junction, tail: str, earlier: Iterable[str]) -> str:
    """Return the name of a junction's place, shared with junctions of other railroads there (`earlier`) if possible."""
    for other_junction in earlier:
        if slug(place_names.junctions[other_junction]) == tail and not other_junction.startswith(
            f"{junction.railroad}--"
        ):
            return place_names.junctions[other_junction]
    return place_names.take((tail, f"{tail} junction"))


def _name_cities(cities: Iterable[City]) -> dict[str, str]:
    """Return names of cities that differ from all other names and ids."""
    city_list = list(cities)
    id_by_fold = {fold(city.id): city.id for city in city_list}
    name_by_city: dict[str, str] = {}
    taken_folds: set[str] = set()
    for city in city_list:
        base_name = " ".join(city.name.split()) if city.name != city.name.strip() or not slug(city.name) else city.name
        city_name, number = base_name if fold(base_name) else city.id, 2
        while fold(city_name) in taken_folds or id_by_fold.get(fold(city_name), city.id) != city.id:
            city_name, number = f"{base_name} {number}", number + 1
        taken_folds.add(fold(city_name))
        name_by_city[city.id] = city_name
    return name_by_city


def _list_dot_wishes(ident: str, name: str) -> list[str]:
    """Return candidate names of a dot: its own, or with the state at the end of its id."""
    wishes = [name] if slug(name) == ident else []
    id_head, _, state = ident.rpartition("-")
    if id_head == slug(name) and len(state) in _STATE_LENGTHS and state.isalpha():
        wishes.append(f"{name} {state.upper()}")
    return [*wishes, name]
