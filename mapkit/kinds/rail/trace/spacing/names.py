"""What mileposts bid for the names of places beside them, and what they are called where none is free."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from mapkit.core.names import slug, without_state
from mapkit.kinds.rail.trace.naming import (
    OFF_LINE,
    Bid,
    Chunks,
    Nearby,
    NearbyPlaces,
    Slot,
    best_bids,
    first_free,
    in_space,
    position_text,
)
from mapkit.kinds.rail.trace.spacing.measure import Corridor, chunks
from mapkit.kinds.rail.trace.spacing.types import Anchor, SpacingRule


def milepost_bids(
    corridors: Sequence[Corridor], places: NearbyPlaces, rule: SpacingRule
) -> dict[Slot, tuple[Bid, ...]]:
    """Return what each new milepost bids for: places that lie in its own half gap either way."""
    wanting = [corridor for corridor in corridors if len(corridor.stops)]
    if not wanting:
        return {}
    near = places.near(chunks([corridor.track for corridor in wanting]), reach_miles=rule.reach_miles)
    bounds = np.searchsorted(near.line, np.arange(len(wanting) + 1))
    out: dict[Slot, tuple[Bid, ...]] = {}
    for corridor, low, high in zip(wanting, bounds[:-1], bounds[1:], strict=True):
        out |= _corridor_bids(corridor, near, range(int(low), int(high)), places, rule)
    return out


def _corridor_bids(
    corridor: Corridor, near: Nearby, pairs: range, places: NearbyPlaces, rule: SpacingRule
) -> Iterator[tuple[Slot, tuple[Bid, ...]]]:
    found: dict[Slot, list[Bid]] = defaultdict(list)
    for pair in pairs:
        along = float(near.along[pair])
        stop = int(np.argmin(np.abs(corridor.stops - along)))
        away = abs(float(corridor.stops[stop]) - along)
        gap = float(corridor.gaps[stop])
        if away <= gap / 2:
            gaps = (away + OFF_LINE * float(near.off[pair])) / gap
            bid = places.bid(int(near.place[pair]), gaps=gaps, along=along, worth=rule.population_worth)
            found[Slot(corridor.id, stop + 1)].append(bid)
    return ((slot, best_bids(own)) for slot, own in found.items())


def anchor_bids(anchors: Sequence[Anchor], places: NearbyPlaces, rule: SpacingRule) -> dict[Slot, tuple[Bid, ...]]:
    """Return what nameless anchors bid for: places within reach of the point."""
    points = in_space(np.array([a.lon for a in anchors]), np.array([a.lat for a in anchors]))
    nothing = np.zeros(len(anchors))
    near = places.near(Chunks(np.arange(len(anchors)), points, points, nothing, nothing), reach_miles=rule.reach_miles)
    found: dict[Slot, list[Bid]] = defaultdict(list)
    for at, place, off in zip(near.line, near.place, near.off, strict=True):
        gaps = OFF_LINE * float(off) / rule.miles
        bid = places.bid(int(place), gaps=gaps, along=0.0, worth=rule.population_worth)
        found[Slot(anchors[int(at)].id, 0)].append(bid)
    return {slot: best_bids(own) for slot, own in found.items()}


def base_names(corridors: Sequence[Corridor], places: NearbyPlaces) -> list[str]:
    """Return `Boston - Albany` for each corridor; of several between the same names all but the first say more."""
    out: list[str] = []
    used: set[str] = set()
    for corridor in corridors:
        base = f"{_label(corridor.a, places)} - {_label(corridor.b, places)}"
        with_railroads = f"{base} ({' '.join(corridor.railroads)})"
        out.append(first_free((base, with_railroads, f"{base} ({corridor.id})"), used))
        used.add(slug(out[-1]))
    return out


def _label(anchor: Anchor, places: NearbyPlaces) -> str:
    """Return an anchor's own name, or that of the place nearest to it, whoever has it."""
    name = without_state(anchor.name, places.codes)
    if not name and (nearest := places.nearest(anchor.lon, anchor.lat)):
        name = nearest.name
    return name if slug(name) else position_text(anchor.lon, anchor.lat)
