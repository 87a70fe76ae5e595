"""The mileposts of a document: those of its track and cities, made again only where something changed."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, NamedTuple, Protocol

from mapkit.core.names import slug, without_state
from mapkit.kinds.rail.compiler.frame import Frame
from mapkit.kinds.rail.compiler.railroads import RailroadTrack
from mapkit.kinds.rail.model.board import Milepost
from mapkit.kinds.rail.sources.places import city_points
from mapkit.kinds.rail.tables import City

Spot = tuple[Literal["city", "dot"], float, float]
"""The kind of a milepost, and where it lies, degrees (EPSG:4326)."""


@dataclass(frozen=True)
class Mileposts:
    """Mileposts by id, sorted; with the id, the kind and position, and the name to show of each by its place.

    `made_of` is what ids and names follow from beside places and kinds; `taken` is how many want each short name.
    """

    by_id: Mapping[str, Milepost] = field(default_factory=dict)
    ids: Mapping[str, str] = field(default_factory=dict)
    spots: Mapping[str, Spot] = field(default_factory=dict, repr=False)
    shown: Mapping[str, str] = field(default_factory=dict, repr=False)
    made_of: tuple[frozenset[str], Mapping[str, str], frozenset[str]] = (frozenset(), {}, frozenset())
    taken: Mapping[str, int] = field(default_factory=dict, repr=False)


class OldSpots(Protocol):
    """Where mileposts were before an edit."""

    @property
    def towns(self) -> Mapping[str, Spot]:
        """Return the kind and place of those of cities."""

    @property
    def spots(self) -> Mapping[str, Spot]:
        """Return the kind and place of each."""

    @property
    def tracks(self) -> Mapping[str, tuple[object, RailroadTrack]]:
        """Return the track of each railroad."""


def towns_of(cities: Iterable[City]) -> dict[str, Spot]:
    """Return the kind and place of the mileposts of cities, by the full name of the place."""
    return {name: ("city", lon, lat) for name, (lon, lat) in city_points(cities).items()}


def spots_of(
    towns: Mapping[str, Spot], tracks: Mapping[str, RailroadTrack], before: OldSpots | None = None
) -> dict[str, Spot]:
    """Return the kind and place of each milepost of track and cities, by the full name of its place.

    Args:
        towns: Those of cities.
        tracks: The track of each railroad.
        before: What an earlier document gave; what stayed is taken from there.
    """
    if before is None or before.tracks.keys() != tracks.keys() or before.towns.keys() != towns.keys():
        spots: dict[str, Spot] = {p: ("dot", lon, lat) for t in tracks.values() for p, lon, lat in t.mileposts}
        return {**spots, **towns}
    changed = [key for key, track in tracks.items() if before.tracks[key][1] is not track]
    moved: dict[str, Spot] = {p: ("dot", lon, lat) for key in changed for p, lon, lat in tracks[key].mileposts}
    gone = {place for key in changed for place in before.tracks[key][1].places} - moved.keys() - towns.keys()
    out = {**before.spots, **moved, **towns}
    for place in gone.difference(*(track.places for track in tracks.values())):
        del out[place]
    return out


def mileposts_of(
    spots: Mapping[str, Spot],
    cities: frozenset[str],
    own_ids: Mapping[str, str],
    frame: Frame,
    before: Mileposts | None,
    codes: frozenset[str] = frozenset(),
) -> Mileposts:
    """Return mileposts on the page.

    Args:
        spots: The kind and place of each.
        cities: The names of the cities.
        own_ids: Ids of places whose names do not give them alone.
        frame: Where they are shown.
        before: What they were before in the same frame; those that are as they were are the same objects.
        codes: Codes of divisions that names to show go without, beside those that look like states.
    """
    made_of = (cities, dict(own_ids), codes)
    old = before or Mileposts()
    moved = [place for place, spot in spots.items() if old.spots.get(place) != spot]
    gone = old.spots.keys() - spots.keys()
    if before is not None and old.made_of == made_of and not moved and not gone:
        return old
    if before is not None and old.made_of == made_of and _dots_alone(spots, old, moved, gone):
        named = _named_after(old, own_ids, moved, gone)
    else:
        named = _named(spots, cities, own_ids, old, codes)
    other = list(dict.fromkeys(chain(moved, named.other)))
    pages = frame.to_page([spots[place][1:] for place in other])
    new = {
        named.ids[place]: _milepost(named.ids[place], named.shown[place], spots[place], at)
        for place, at in zip(other, pages, strict=True)
    }
    by_id = dict(old.by_id)
    for place in chain(gone, named.other):
        if place in old.ids and named.ids.get(place) != old.ids[place]:
            by_id.pop(old.ids[place], None)
    came = new.keys() - by_id.keys()
    by_id.update(new)
    by_id = dict(sorted(by_id.items())) if came else by_id
    return Mileposts(by_id, named.ids, spots, named.shown, made_of, named.taken)


class _Named(NamedTuple):
    """The id and the name to show of each milepost by its place, and how many want each short name.

    `other` are places whose id or name is not what it was.
    """

    ids: Mapping[str, str]
    shown: Mapping[str, str]
    taken: Mapping[str, int]
    other: Collection[str]


def _named(
    spots: Mapping[str, Spot],
    cities: Iterable[str],
    own_ids: Mapping[str, str],
    old: Mileposts,
    codes: frozenset[str],
) -> _Named:
    taken = taken_names(spots, cities, codes)
    ids = {place: own_ids.get(place) or slug(place) for place in spots}
    shown = shown_names(spots, taken, codes)
    other = [place for place in spots if old.shown.get(place) != shown[place] or old.ids.get(place) != ids[place]]
    return _Named(ids, shown, taken, other)


def _dots_alone(spots: Mapping[str, Spot], old: Mileposts, moved: Iterable[str], gone: Iterable[str]) -> bool:
    """Return whether all that came or went are dots, and none became a city or the other way round."""
    kinds = ((old.spots.get(place, spots[place])[0], spots[place][0], place in old.spots) for place in moved)
    return all(was == now and (known or now == "dot") for was, now, known in kinds) and all(
        old.spots[place][0] == "dot" for place in gone
    )


def _named_after(old: Mileposts, own_ids: Mapping[str, str], moved: Iterable[str], gone: Collection[str]) -> _Named:
    """Return ids and names after dots came and went: of the others only the names that lose or gain a twin change."""
    came = [place for place in moved if place not in old.spots]
    if not came and not gone:
        return _Named(old.ids, old.shown, old.taken, ())
    taken, ids, shown = dict(old.taken), dict(old.ids), dict(old.shown)
    codes = old.made_of[2]
    bare = {without_state(place, codes) for place in chain(came, gone)}
    for places, step in ((came, 1), (gone, -1)):
        for place in places:
            taken[without_state(place, codes)] = taken.get(without_state(place, codes), 0) + step
    for place in gone:
        del ids[place], shown[place]
    others: list[str] = []
    if any(max(taken[name], old.taken.get(name, 0)) > 1 for name in bare):
        others = [place for place in ids if without_state(place, codes) in bare and old.spots[place][0] == "dot"]
    other = [*came, *others]
    for place in other:
        name = without_state(place, codes)
        ids[place] = own_ids.get(place) or slug(place)
        shown[place] = name if taken[name] == 1 else place
    return _Named(ids, shown, taken, other)


def _milepost(ident: str, name: str, spot: Spot, at: tuple[float, float]) -> Milepost:
    kind, lon, lat = spot
    return Milepost(id=ident, name=name, kind=kind, lon=lon, lat=lat, x=at[0], y=at[1])


def taken_names(
    spots: Mapping[str, Spot], cities: Iterable[str], codes: frozenset[str] = frozenset()
) -> Mapping[str, int]:
    """Return how many want each short name."""
    taken = Counter(without_state(place, codes) for place, spot in spots.items() if spot[0] == "dot")
    taken.update({*cities, *(place for place, spot in spots.items() if spot[0] == "city")})
    return dict(taken)


def shown_names(
    spots: Mapping[str, Spot], taken: Mapping[str, int], codes: frozenset[str] = frozenset()
) -> dict[str, str]:
    """Return the names to show: dots without their state where that leaves them distinct (as a build does)."""
    out = {}
    for place, spot in spots.items():
        bare = without_state(place, codes)
        out[place] = bare if spot[0] == "dot" and taken[bare] == 1 else place
    return out
