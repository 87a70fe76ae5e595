"""Names for unnamed mileposts: real places beside the line, each given once.

A *slot* is a spot that wants a name. It bids for the names of the places beside it; a bid costs

    (miles along the line + 2 * miles off the line) / gap  -  worth * log10(population)

so that a nearer, closer or larger place is cheaper. Names are assigned in one round: each name goes to its
cheapest bid (ties: smaller owner id, then smaller number), and each slot takes the cheapest name that it won. The bids
of a slot depend on its own section only, so a change elsewhere affects a slot only through a name that it bids for
itself, and nothing propagates from slot to slot. The drawback: a name won by a slot that takes a better one stays
unused.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mapkit.core.geodesy import METRES_PER_MILE
from mapkit.core.names import slug
from mapkit.core.neighbours import find_nearest, find_pairs_within
from mapkit.geography.gazetteer_table import GazetteerPlace

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

OFF_LINE = 2.0  # a mile off the line counts as two along it
MAX_BIDS = 4  # of one slot; further places are left to others
_SEMI_MAJOR_M = 6378137.0  # WGS 84
_ECCENTRICITY2 = 0.0066943799901413165


class NameSlot(NamedTuple):
    """Place to be named: the `number`-th of a section (from 1), or an anchor (number 0)."""

    owner: str
    number: int


class NameBid(NamedTuple):
    """Cost at which a slot would take a name; `along` is the place's position on the line, in miles."""

    cost: float
    slug: str
    name: str
    along: float


@dataclass(frozen=True, eq=False)
class LineChunks:
    """Lines cut into stretches so short that each is straight in space to within a few metres.

    Attributes:
        line: The number of the line that each chunk belongs to, shape (n,).
        start: Its first point, metres from the centre of the earth, shape (n, 3).
        end: Its last point, shape (n, 3).
        along: Miles from the start of the line to the chunk, shape (n,).
        miles: Its length in miles, shape (n,).
    """

    line: Ints
    start: Floats
    end: Floats
    along: Floats
    miles: Floats


@dataclass(frozen=True, eq=False)
class NearbyPairs:
    """Pairs of a line and a place beside it, by line, then place; each pair once, at its closest point."""

    line: Ints
    place: Ints
    off: Floats
    along: Floats


def to_geocentric(lon: Floats, lat: Floats) -> Floats:
    """Return points of the WGS 84 ellipsoid in metres from the centre of the earth, shape (n, 3)."""
    lam, phi = np.radians(lon), np.radians(lat)
    normal_radius = _SEMI_MAJOR_M / np.sqrt(1 - _ECCENTRICITY2 * np.sin(phi) ** 2)
    return np.stack(
        (
            normal_radius * np.cos(phi) * np.cos(lam),
            normal_radius * np.cos(phi) * np.sin(lam),
            normal_radius * (1 - _ECCENTRICITY2) * np.sin(phi),
        ),
        axis=-1,
    )


class _GazetteerIndex:
    """Properties of places that do not depend on the taken names."""

    def __init__(self, places: Iterable[GazetteerPlace]) -> None:
        self.all = sorted(set(places))
        self.names = [place.printed_name for place in self.all]
        self.slugs = [slug(name) for name in self.names]
        self.bare = [slug(place.name) for place in self.all]
        self.log_population: Floats = np.log10(
            np.array([max(place.population, 1) for place in self.all], dtype=np.float64)
        )

    @cached_property
    def points(self) -> Floats:
        lon = np.array([place.lon for place in self.all], dtype=np.float64)
        lat = np.array([place.lat for place in self.all], dtype=np.float64)
        return to_geocentric(lon, lat)

    @cached_property
    def codes(self) -> frozenset[str]:
        return frozenset(place.division for place in self.all if place.division)


@lru_cache(maxsize=2)  # a gazetteer has tens of thousands of places, and boards are made again and again
def _index_places(places: tuple[GazetteerPlace, ...]) -> _GazetteerIndex:
    return _GazetteerIndex(places)


class NearbyPlaces:
    """Places of a gazetteer, found by position.

    Args:
        places: All of them; their order does not matter.
        taken: Slugs of names that are not to be given again.
    """

    def __init__(self, places: Iterable[GazetteerPlace], taken: Collection[str]) -> None:
        gazetteer_index = _index_places(tuple(places))
        self.all, self.names, self.slugs, self._known = (
            gazetteer_index.all,
            gazetteer_index.names,
            gazetteer_index.slugs,
            gazetteer_index,
        )
        self.free = np.array(
            [
                bool(full_slug) and full_slug not in taken and bare_slug not in taken
                for full_slug, bare_slug in zip(gazetteer_index.slugs, gazetteer_index.bare, strict=True)
            ],
            dtype=np.bool_,
        )

    @property
    def codes(self) -> frozenset[str]:
        """Return the codes of divisions that full names end with."""
        return self._known.codes

    def nearest(self, lon: float, lat: float) -> GazetteerPlace | None:
        """Return the place nearest to a point, taken or not; None if there is none at all."""
        if not self.all:
            return None
        nearest_index, _ = find_nearest(to_geocentric(np.array([lon]), np.array([lat])), self._known.points)
        return self.all[int(nearest_index[0])]

    def near(self, chunks: LineChunks, *, reach_miles: float) -> NearbyPairs:
        """Return the free places within `reach_miles` of each line."""
        if not self.all or not len(chunks.line):
            no_pairs = np.zeros(0, dtype=np.int64)
            return NearbyPairs(no_pairs, no_pairs, np.zeros(0), np.zeros(0))
        # A place within reach of a chunk is within reach and half the chunk's length of its middle.
        search_reach = (reach_miles + float(chunks.miles.max()) / 2) * METRES_PER_MILE + 1.0
        free_places = np.flatnonzero(self.free)
        chunk, place, _ = find_pairs_within(
            (chunks.start + chunks.end) / 2, self._known.points[free_places], search_reach
        )
        place = free_places[place]
        vectors = chunks.end[chunk] - chunks.start[chunk]
        offsets = self._known.points[place] - chunks.start[chunk]
        squared_lengths = np.sum(vectors * vectors, axis=1)
        chunk_share = np.clip(
            np.sum(offsets * vectors, axis=1) / np.where(squared_lengths > 0, squared_lengths, 1.0),
            0.0,
            1.0,
        )
        off_mi = np.round(np.linalg.norm(offsets - chunk_share[:, None] * vectors, axis=1) / METRES_PER_MILE, 6)
        along_mi = np.round(chunks.along[chunk] + chunk_share * chunks.miles[chunk], 6)
        line = chunks.line[chunk]
        nearest_order = np.lexsort((along_mi, off_mi, place, line))
        nearest_order = nearest_order[off_mi[nearest_order] <= reach_miles]
        line, place, off_mi, along_mi = (
            line[nearest_order],
            place[nearest_order],
            off_mi[nearest_order],
            along_mi[nearest_order],
        )
        is_first = np.ones(len(line), dtype=np.bool_)
        is_first[1:] = (line[1:] != line[:-1]) | (place[1:] != place[:-1])
        return NearbyPairs(line[is_first], place[is_first], off_mi[is_first], along_mi[is_first])

    def bid(self, at: int, *, gaps: float, along: float, worth: float) -> NameBid:
        """Return the bid for the name of place `at`, at a distance of `gaps` (see the module) and `along` the line."""
        bid_cost = gaps - worth * float(self._known.log_population[at])
        return NameBid(round(bid_cost, 6), self.slugs[at], self.names[at], along)


def best_bids(bids: Iterable[NameBid]) -> tuple[NameBid, ...]:
    """Return the cheapest bids of one slot, one a name, cheapest first."""
    bid_by_slug: dict[str, NameBid] = {}
    for bid in sorted(bids):
        bid_by_slug.setdefault(bid.slug, bid)
    return tuple(bid_by_slug.values())[:MAX_BIDS]


def give_names(bids: Mapping[NameSlot, Sequence[NameBid]]) -> dict[NameSlot, NameBid]:
    """Give each name to its cheapest bid, and each slot the cheapest name that it won.

    Returns:
        The bid by which each slot got its name; slots that won none are left out.
    """
    by_slug: dict[str, list[tuple[float, NameSlot, NameBid]]] = defaultdict(list)
    for slot, slot_bids in bids.items():
        for bid in slot_bids:
            by_slug[bid.slug].append((bid.cost, slot, bid))
    won_bids: dict[NameSlot, list[NameBid]] = defaultdict(list)
    for claims in by_slug.values():
        _, slot, bid = min(claims)
        won_bids[slot].append(bid)
    return {slot: min(won_bids[slot]) for slot in sorted(won_bids)}


def choose_free_name(names: Iterable[str], used: Collection[str]) -> str:
    """Return the first name with an unused slug, or the last name numbered from 2."""
    name = ""
    for name in names:
        if slug(name) and slug(name) not in used:
            return name
    number = 2
    while slug(f"{name} {number}") in used:
        number += 1
    return f"{name} {number}"
