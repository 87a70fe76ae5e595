"""Mileposts by rule: evenly along the line between anchors, named after places beside it.

An *anchor* is a pinned milepost, a junction, an end of a line, or a meeting of lines at which the rule wants a
milepost. A *section* is the line between two anchors.
Between pinned mileposts and ends a section of `L` miles with a target gap of `t` gets `round(L / t)` steps, at
least one; a tie goes to the larger number (2.5 becomes 3), since shorter steps are less of a surprise to players
than longer ones. At a junction trains pass through, so it ends no step: the part of a step before it is half a
gap (`junction_share`), and the way through it is then as long as the other steps.

Each section is spaced alone, from its own line, ends, railroads and regions. Moving another section cannot move
its mileposts; it can only take a name that this section wants as well (see `rail.trace.naming`), which changes
that milepost's name, id and small shift.

`corridors` makes the sections of shared track, `spacing_measure` lays them together and says where mileposts are
wanted, `spacing_regions` gives the region, `spacing_names` bids for names, and this module puts them together.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from mapkit.core.base import Point
from mapkit.core.errors import SpacingError, did_you_mean
from mapkit.core.names import slug
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.trace.naming import Bid, NearbyPlaces, Slot, first_free, give_names, position_text
from mapkit.kinds.rail.trace.spacing.measure import Corridor, anchors_of, corridors_of, new_mileposts
from mapkit.kinds.rail.trace.spacing.names import anchor_bids, base_names, milepost_bids
from mapkit.kinds.rail.trace.spacing.types import (
    MANY_MILEPOSTS,
    MAX_MILEPOSTS,
    Anchor,
    AnchorKind,
    Section,
    Spaced,
    SpacedMilepost,
    SpacedSection,
    SpacingNote,
    SpacingRule,
    check_rule,
)

__all__ = [
    "Anchor",
    "AnchorKind",
    "Section",
    "Spaced",
    "SpacedMilepost",
    "SpacedSection",
    "SpacingNote",
    "SpacingRule",
    "new_mileposts",
    "space_mileposts",
]


_WHAT: dict[AnchorKind, str] = {"end": "end of line", "meeting": "meeting of lines", "milepost": "pinned milepost"}


def space_mileposts(
    sections: Sequence[Section],
    *,
    rule: SpacingRule,
    gazetteer_places: Iterable[GazetteerPlace],
    taken_names: Iterable[str] = (),
    cities: Iterable[tuple[str, float, float]] = (),
    many: bool = True,
) -> Spaced:
    """Place and name the mileposts that are not pinned.

    The result does not depend on the order of sections, places or names, nor on the direction of a line.

    Args:
        sections: A noded network; no two sections have the same id.
        rule: How far apart.
        gazetteer_places: Where names come from.
        taken_names: Names of cities and mileposts elsewhere on the board, with or without their state; the names of
            the anchors count without being listed.
        cities: Region, longitude and latitude of each city: a place on a line is in the region of the nearest.
        many: Whether more than `MANY_MILEPOSTS` may be placed.

    Raises:
        SourceError: The rule makes no sense.
        SpacingError: It asks for more than `MAX_MILEPOSTS` mileposts, or for many that nobody asked for; they are
            counted before any is placed.
        ValueError: A section has no length, does not begin at its anchor, or shares its id with another.
    """
    check_rule(rule)
    anchors = anchors_of(sections)
    corridors = corridors_of(sections, rule, tuple(cities))
    _check_number(corridors, many=many)
    taken = {slug(name) for name in (*taken_names, *(a.name for a in anchors), *(a.id for a in anchors))} - {""}
    places = NearbyPlaces(gazetteer_places, taken)
    bids = milepost_bids(corridors, places, rule)
    nameless = [anchor for anchor in anchors if anchor.kind != "junction" and not anchor.name]
    bids |= anchor_bids(nameless, places, rule)
    named = give_names(bids)
    used = taken | {bid.slug for bid in named.values()}
    described: list[SpacingNote] = []
    touching: dict[str, set[str]] = defaultdict(set)
    for corridor in corridors:
        touching[corridor.a.id].update(corridor.railroads)
        touching[corridor.b.id].update(corridor.railroads)
    mileposts = [_anchor_milepost(anchor, touching, named, used, described) for anchor in nameless]
    for corridor, base in zip(corridors, base_names(corridors, places), strict=True):
        mileposts += _section_mileposts(corridor, base, rule, named, used, described)
    notes = [*described, *_rule_notes(corridors), *_unused_overrides(corridors, rule)]
    return Spaced(
        mileposts=tuple(sorted(mileposts, key=lambda m: m.id)),
        sections=tuple(sorted(_spaced_sections(corridors, mileposts), key=lambda s: s.section)),
        notes=tuple(sorted(notes, key=lambda n: (n.kind, n.elements, n.message))),
    )


def _check_number(corridors: Sequence[Corridor], *, many: bool) -> None:
    count = sum(len(corridor.stops) for corridor in corridors)
    if count <= (MAX_MILEPOSTS if many else MANY_MILEPOSTS):
        return
    most = max(corridors, key=lambda c: len(c.stops))
    asked = (
        f"spacing: the rule gives {count:,} mileposts, {len(most.stops):,} of them on section {most.id!r} "
        f"({most.miles:.1f} miles, target {most.target:g})"
    )
    if count > MAX_MILEPOSTS:
        raise SpacingError(f"{asked}; at most {MAX_MILEPOSTS:,} are allowed; choose a larger gap")
    raise SpacingError(
        f"{asked}; boards of this family have a few hundred; choose a larger gap, or give --yes if you want them "
        '(in a command: "many": true)'
    )


def _anchor_milepost(
    anchor: Anchor,
    touching: Mapping[str, set[str]],
    named: Mapping[Slot, Bid],
    used: set[str],
    notes: list[SpacingNote],
) -> SpacedMilepost:
    bid = named.get(Slot(anchor.id, 0))
    here = position_text(anchor.lon, anchor.lat)
    name = bid.name if bid else first_free((here, f"{here} ({anchor.id})"), used)
    used.add(slug(name))
    if not bid:
        what = _WHAT.get(anchor.kind, "milepost")
        notes.append(_described(name, f"{what} {anchor.id!r}", (anchor.id,), (anchor.lon, anchor.lat)))
    return SpacedMilepost(
        id=slug(name),
        name=name,
        lon=anchor.lon,
        lat=anchor.lat,
        section="",
        anchor=anchor.id,
        number=0,
        miles=0.0,
        shift_miles=0.0,
        place=bid.name if bid else "",
        railroads=tuple(sorted(touching[anchor.id])),
    )


def _section_mileposts(
    corridor: Corridor,
    base: str,
    rule: SpacingRule,
    named: Mapping[Slot, Bid],
    used: set[str],
    notes: list[SpacingNote],
) -> Iterator[SpacedMilepost]:
    slots = [Slot(corridor.id, number) for number in range(1, len(corridor.stops) + 1)]
    shifts = [
        min(most, max(-most, named[slot].along - stop)) if slot in named else 0.0
        for slot, stop, most in zip(slots, corridor.stops.tolist(), (rule.shift * corridor.gaps).tolist(), strict=True)
    ]
    miles = [stop + shift for stop, shift in zip(corridor.stops.tolist(), shifts, strict=True)]
    for slot, at, shift, (lon, lat) in zip(slots, miles, shifts, corridor.track.points(miles), strict=True):
        bid = named.get(slot)
        plain = f"{base} {slot.number}"
        name = bid.name if bid else first_free((plain, f"{plain} ({corridor.id})"), used)
        used.add(slug(name))
        if not bid:
            where = f"milepost {slot.number} of section {corridor.id!r}"
            notes.append(_described(name, where, (slug(name),), (lon, lat)))
        yield SpacedMilepost(
            id=slug(name),
            name=name,
            lon=round(lon, 5),
            lat=round(lat, 5),
            section=corridor.id,
            anchor="",
            number=slot.number,
            miles=round(at, 6),
            shift_miles=round(shift, 6),
            place=bid.name if bid else "",
            railroads=corridor.railroads,
        )


def _spaced_sections(corridors: Sequence[Corridor], mileposts: Sequence[SpacedMilepost]) -> Iterator[SpacedSection]:
    own: dict[str, list[SpacedMilepost]] = defaultdict(list)
    for milepost in sorted(mileposts, key=lambda m: m.number):
        own[milepost.section].append(milepost)
    for corridor in corridors:
        stops = own[corridor.id] if len(corridor.stops) else []
        ids, pieces = tuple(m.id for m in stops), _cut(corridor, stops)
        back = tuple(tuple(reversed(piece)) for piece in reversed(pieces))
        for section, turned in corridor.members:
            yield SpacedSection(
                section=section.id,
                corridor=corridor.id,
                miles=round(corridor.miles, 6),
                target_miles=corridor.target,
                gap_miles=round(corridor.gap, 6),
                mileposts=tuple(reversed(ids)) if turned else ids,
                pieces=back if turned else pieces,
            )


def _cut(corridor: Corridor, stops: Sequence[SpacedMilepost]) -> tuple[tuple[Point, ...], ...]:
    vertices: list[Point] = [(float(lon), float(lat)) for lon, lat in corridor.track.line]
    after = np.searchsorted(corridor.track.along, [m.miles for m in stops], side="right").tolist()
    before = np.searchsorted(corridor.track.along, [m.miles for m in stops], side="left").tolist()
    points: list[Point] = [(m.lon, m.lat) for m in stops]
    starts = [0, *after]
    ends = [*before, len(vertices)]
    out: list[tuple[Point, ...]] = []
    for number, (low, high) in enumerate(zip(starts, ends, strict=True)):
        head = points[number - 1 : number] if number else []
        out.append((*head, *vertices[low:high], *points[number : number + 1]))
    return tuple(out)


def _described(name: str, what: str, elements: tuple[str, ...], at: Point) -> SpacingNote:
    return SpacingNote(
        kind="described",
        message=f"{what} is called {name!r}: no place beside it has a free name; pin a milepost there to name it",
        elements=elements,
        lon=round(at[0], 5),
        lat=round(at[1], 5),
    )


def _rule_notes(corridors: Iterable[Corridor]) -> Iterator[SpacingNote]:
    for corridor in corridors:
        lon, lat = corridor.track.line[0].tolist()
        where = (round(lon, 5), round(lat, 5))
        length = f"section {corridor.id!r} of {corridor.miles:.2f} miles"
        if corridor.tie:
            yield SpacingNote(
                "tie",
                f"{length} is half-way between {len(corridor.stops) - 1} and {len(corridor.stops)} new mileposts "
                f"at a target of {corridor.target:g} miles; mapkit chose the larger",
                (corridor.id,),
                *where,
            )
        if corridor.a.id == corridor.b.id and not len(corridor.stops):
            yield SpacingNote(
                "loop",
                f"{length} is a loop too short for a milepost, so no step uses it; remove it, or pin mileposts",
                (corridor.id,),
                *where,
            )


def _unused_overrides(corridors: Sequence[Corridor], rule: SpacingRule) -> Iterator[SpacingNote]:
    known = {
        "railroad": (rule.railroads, {railroad for corridor in corridors for railroad in corridor.railroads}),
        "region": (rule.regions, {region for corridor in corridors for region in corridor.regions}),
    }
    for what, (overrides, names) in known.items():
        for name in sorted(set(overrides) - names):
            message = f"the spacing rule names {what} {name!r}, which no line has{did_you_mean(name, names)}"
            yield SpacingNote("unused", message, (name,))
