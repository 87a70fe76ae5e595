"""Bids of mileposts for the names of places beside them, and names for those without a free place."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final
from zlib import crc32

import numpy as np

from mapkit.core.names import slug, without_state
from mapkit.kinds.rail.trace.naming import (
    OFF_LINE,
    LineChunks,
    NameBid,
    NameSlot,
    NearbyPlaces,
    best_bids,
    choose_free_name,
    to_geocentric,
)
from mapkit.kinds.rail.trace.spacing.measure import Corridor, cut_into_chunks
from mapkit.kinds.rail.trace.spacing.types import Anchor, SpacingRule

LAND_WORDS: Final = (
    "Road", "Halt", "Siding", "Cross", "Mill", "Bridge", "Wood", "Farm", "Hill", "Gate", "Green", "Lodge", "Quarry",
    "Fields", "Ford", "Tower", "Well", "Heath", "Spur", "Camp",
)  # fmt: skip
"""Words that make the name of a country station of that of a place, as in `Harbourton Road`."""
_NEAREST_ANCHORS: Final = 4
_POINT_WORDS: Final = {"end": "End", "milepost": "Stop"}
_LONGEST_MARK: Final = 4
"""Longer ids of railroads are names."""


def make_milepost_bids(
    corridors: Sequence[Corridor], places: NearbyPlaces, rule: SpacingRule
) -> dict[NameSlot, tuple[NameBid, ...]]:
    """Return the bids of each new milepost: for places within its half gap either way."""
    spaced_corridors = [corridor for corridor in corridors if len(corridor.stops)]
    if not spaced_corridors:
        return {}
    nearby_places = places.near(
        cut_into_chunks([corridor.track for corridor in spaced_corridors]), reach_miles=rule.reach_miles
    )
    pair_bounds = np.searchsorted(nearby_places.line, np.arange(len(spaced_corridors) + 1))
    bids_by_slot: dict[NameSlot, tuple[NameBid, ...]] = {}
    for corridor, first_pair, end_pair in zip(spaced_corridors, pair_bounds[:-1], pair_bounds[1:], strict=True):
        pairs = range(int(first_pair), int(end_pair))
        corridor_bids: dict[NameSlot, list[NameBid]] = defaultdict(list)
        for pair in pairs:
            along_mi = float(nearby_places.along[pair])
            stop_number = int(np.argmin(np.abs(corridor.stops - along_mi)))
            distance_mi = abs(float(corridor.stops[stop_number]) - along_mi)
            gap_mi = float(corridor.gaps[stop_number])
            if distance_mi <= gap_mi / 2:
                distance_gaps = (distance_mi + OFF_LINE * float(nearby_places.off[pair])) / gap_mi
                bid = places.bid(
                    int(nearby_places.place[pair]), gaps=distance_gaps, along=along_mi, worth=rule.population_worth
                )
                corridor_bids[NameSlot(corridor.id, stop_number + 1)].append(bid)
        bids_by_slot |= ((slot, best_bids(slot_bids)) for slot, slot_bids in corridor_bids.items())
    return bids_by_slot


def make_anchor_bids(
    anchors: Sequence[Anchor], places: NearbyPlaces, rule: SpacingRule
) -> dict[NameSlot, tuple[NameBid, ...]]:
    """Return the bids of nameless anchors: for places within reach of the point."""
    points = to_geocentric(np.array([a.lon for a in anchors]), np.array([a.lat for a in anchors]))
    no_lengths = np.zeros(len(anchors))
    nearby_places = places.near(
        LineChunks(np.arange(len(anchors)), points, points, no_lengths, no_lengths), reach_miles=rule.reach_miles
    )
    bids_by_slot: dict[NameSlot, list[NameBid]] = defaultdict(list)
    for anchor_number, place, off_mi in zip(nearby_places.line, nearby_places.place, nearby_places.off, strict=True):
        distance_gaps = OFF_LINE * float(off_mi) / rule.miles
        bid = places.bid(int(place), gaps=distance_gaps, along=0.0, worth=rule.population_worth)
        bids_by_slot[NameSlot(anchors[int(anchor_number)].id, 0)].append(bid)
    return {slot: best_bids(slot_bids) for slot, slot_bids in bids_by_slot.items()}


def make_base_names(corridors: Sequence[Corridor], places: NearbyPlaces) -> list[str]:
    """Return `Boston - Albany` for each corridor; repeated names get the railroads or the id added."""
    corridor_names: list[str] = []
    used_slugs: set[str] = set()
    for corridor in corridors:
        labels = [_anchor_label(anchor, places, corridor.railroads) for anchor in (corridor.a, corridor.b)]
        base_name = " - ".join(labels)
        with_railroads = f"{base_name} ({' '.join(corridor.railroads)})"
        corridor_names.append(choose_free_name((base_name, with_railroads, f"{base_name} ({corridor.id})"), used_slugs))
        used_slugs.add(slug(corridor_names[-1]))
    return corridor_names


def _anchor_label(anchor: Anchor, places: NearbyPlaces, railroads: Sequence[str]) -> str:
    """Return an anchor's own name, or that of the place nearest to it, even if it is taken; or one by its railroad."""
    name = without_state(anchor.name, places.codes)
    if not name and (nearest := places.nearest(anchor.lon, anchor.lat)):
        name = nearest.name
    return name if slug(name) else railroad_point_name(anchor, railroads)


class StopNames:
    """Names for mileposts where no place is near: the author's, then a named milepost nearby and a word.

    Args:
        listed: The author's names, in the order in which they are taken.
        anchors: Anchors; those with names lend them.
    """

    def __init__(self, listed: Sequence[str], anchors: Iterable[Anchor]) -> None:
        self._listed = listed
        self._anchors = [anchor for anchor in anchors if anchor.name]

    def near(self, lon: float, lat: float) -> list[str]:
        """Return names for a milepost, the best first."""
        by_distance = sorted(
            self._anchors, key=lambda anchor: (math.hypot(anchor.lon - lon, anchor.lat - lat), anchor.id)
        )
        nearby_names = [anchor.name for anchor in by_distance[:_NEAREST_ANCHORS]]
        words = rotate_words(lon, lat, LAND_WORDS)
        return [*self._listed, *(f"{name} {word}" for name in nearby_names for word in words)]


def rotate_words(x: float, y: float, words: Sequence[str]) -> list[str]:
    """Return words from one on that follows from the position, so that a point is called the same every time."""
    first_word = crc32(f"{x:.2f} {y:.2f}".encode())
    return [words[(first_word + number) % len(words)] for number in range(len(words))]


def railroad_point_name(anchor: Anchor, railroads: Iterable[str]) -> str:
    """Return a name such as `East Coast Junction`, for players, of a point without a place near it."""
    railroad = min(railroads, default="")
    railroad_text = railroad.upper() if len(railroad) <= _LONGEST_MARK else railroad.replace("-", " ").title()
    return f"{railroad_text} {_POINT_WORDS.get(anchor.kind, 'Junction')}".strip()
