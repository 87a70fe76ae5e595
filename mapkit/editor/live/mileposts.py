"""The mileposts of a document: those of its track and cities, made anew only where something changed."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from mapkit.editor.live.frame import Frame
from mapkit.editor.live.places import Found
from mapkit.editor.live.railroads import Track
from mapkit.model.board import Milepost
from mapkit.sources.names import slug, without_state
from mapkit.sources.places import city_points

Spot = tuple[Literal["city", "dot"], float, float]
"""The kind of a milepost, and where it lies, degrees (EPSG:4326)."""


@dataclass(frozen=True)
class Mileposts:
    """Mileposts by id, sorted; with the id, the kind and position, and the name to show of each by its place.

    `made_of` is what ids and names follow from beside places and kinds.
    """

    by_id: Mapping[str, Milepost] = field(default_factory=dict)
    ids: Mapping[str, str] = field(default_factory=dict)
    spots: Mapping[str, Spot] = field(default_factory=dict, repr=False)
    shown: Mapping[str, str] = field(default_factory=dict, repr=False)
    made_of: tuple[frozenset[str], Mapping[str, str]] = (frozenset(), {})


def mileposts_of(
    found: Found, tracks: Iterable[Track], own_ids: Mapping[str, str], frame: Frame, before: Mileposts | None
) -> Mileposts:
    """Return the mileposts of track and cities.

    Args:
        found: Cities, with their places.
        tracks: The track of all railroads.
        own_ids: Ids of places whose names do not give them alone.
        frame: Where they are shown.
        before: What they were before in the same frame; those that are as they were are the same objects.
    """
    spots: dict[str, Spot] = {place: ("dot", lon, lat) for track in tracks for place, lon, lat in track.mileposts}
    spots |= {name: ("city", lon, lat) for name, (lon, lat) in city_points(found.cities).items()}
    made_of = (frozenset(city.name for city in found.cities), dict(own_ids))
    old = before or Mileposts()
    moved = [place for place, spot in spots.items() if old.spots.get(place) != spot]
    same_names = (
        old.made_of == made_of
        and old.spots.keys() == spots.keys()
        and all(old.spots[place][0] == spots[place][0] for place in moved)
    )
    if same_names and not moved:
        return old
    shown = old.shown if same_names else _shown(spots, made_of[0])
    ids = old.ids if same_names else {place: own_ids.get(place) or slug(place) for place in spots}
    if not same_names:
        moved = [
            place
            for place, spot in spots.items()
            if old.spots.get(place) != spot or old.shown[place] != shown[place] or old.ids[place] != ids[place]
        ]
    pages = frame.to_page([spots[place][1:] for place in moved])
    new = {
        ids[place]: _milepost(ids[place], shown[place], spots[place], at)
        for place, at in zip(moved, pages, strict=True)
    }
    if same_names:
        return Mileposts({**old.by_id, **new}, ids, spots, shown, made_of)
    kept = (old.by_id[ident] for ident in ids.values() if ident not in new)
    by_id = {milepost.id: milepost for milepost in sorted((*kept, *new.values()), key=lambda milepost: milepost.id)}
    return Mileposts(by_id, ids, spots, shown, made_of)


def _milepost(ident: str, name: str, spot: Spot, at: tuple[float, float]) -> Milepost:
    kind, lon, lat = spot
    return Milepost(id=ident, name=name, kind=kind, lon=lon, lat=lat, x=at[0], y=at[1])


def _shown(spots: Mapping[str, Spot], cities: Iterable[str]) -> dict[str, str]:
    """Return the names to show: dots without their state where that leaves them distinct (as a build does)."""
    taken = Counter(without_state(place) for place, spot in spots.items() if spot[0] == "dot")
    taken.update({*cities, *(place for place, spot in spots.items() if spot[0] == "city")})
    out = {}
    for place, spot in spots.items():
        bare = without_state(place)
        out[place] = bare if spot[0] == "dot" and taken[bare] == 1 else place
    return out
