"""Mileposts by rule: evenly along the line between anchors, named after places beside it.

An *anchor* is a pinned milepost, a junction, an end of a line, or a meeting of lines at which the rule wants a
milepost. A *section* is the line between two anchors.
Between pinned mileposts and ends a section of `L` miles with a target gap of `t` gets `round(L / t)` steps, at
least one; a tie goes to the larger number (2.5 becomes 3), since shorter steps are less of a surprise to players
than longer ones. At a junction trains pass through, so it ends no step: the part of a step before it is half a
gap (`junction_share`), and the way through it is then as long as the other steps.

Each section is spaced by itself, from its own line, ends, railroads and regions. Moving another section cannot move
its mileposts; it can only take a name that this section also bids for (see `rail.trace.naming`), which changes that
milepost's name, id and small shift.

`corridors` makes the sections of shared track, `measure` groups them and computes the places of mileposts, `regions`
finds the region, `names` bids for names, and this module combines the results.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from mapkit.core.base import Point
from mapkit.core.errors import SpacingError, did_you_mean
from mapkit.core.names import slug
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.trace.naming import NameBid, NameSlot, NearbyPlaces, choose_free_name, give_names
from mapkit.kinds.rail.trace.spacing.measure import Corridor, collect_anchors, count_new_mileposts, measure_corridors
from mapkit.kinds.rail.trace.spacing.names import (
    StopNames,
    make_anchor_bids,
    make_base_names,
    make_milepost_bids,
    railroad_point_name,
)
from mapkit.kinds.rail.trace.spacing.types import (
    MANY_MILEPOSTS,
    MAX_MILEPOSTS,
    Anchor,
    AnchorKind,
    Section,
    SpacedMilepost,
    SpacedSection,
    SpacingNote,
    SpacingResult,
    SpacingRule,
    check_rule,
)

__all__ = [
    "Anchor",
    "AnchorKind",
    "Section",
    "SpacedMilepost",
    "SpacedSection",
    "SpacingNote",
    "SpacingResult",
    "SpacingRule",
    "count_new_mileposts",
    "space_mileposts",
]


_ANCHOR_TITLES: dict[AnchorKind, str] = {
    "end": "end of line",
    "meeting": "meeting of lines",
    "milepost": "pinned milepost",
}


def space_mileposts(
    sections: Sequence[Section],
    *,
    rule: SpacingRule,
    gazetteer_places: Iterable[GazetteerPlace],
    taken_names: Iterable[str] = (),
    cities: Iterable[tuple[str, float, float]] = (),
    stop_names: Sequence[str] = (),
    is_invented: bool = False,
    many: bool = True,
) -> SpacingResult:
    """Place and name the mileposts that are not pinned.

    The result does not depend on the order of sections, places or names, nor on the direction of a line.

    Args:
        sections: A noded network; no two sections have the same id.
        rule: Distances between mileposts.
        gazetteer_places: Places to name mileposts after.
        taken_names: Names of cities and mileposts elsewhere on the board, with or without their state; the names of
            the anchors count without being listed.
        cities: Region, longitude and latitude of each city: a place on a line is in the region of the nearest.
        stop_names: The author's names for mileposts without a place, in the order in which they are taken.
        is_invented: Whether others are named after named mileposts nearby, for want of a gazetteer.
        many: Whether more than `MANY_MILEPOSTS` may be placed.

    Raises:
        SourceError: The rule makes no sense.
        SpacingError: It asks for more than `MAX_MILEPOSTS` mileposts, or for many that nobody asked for; they are
            counted before any is placed.
        ValueError: A section has no length, does not begin at its anchor, or shares its id with another.
    """
    check_rule(rule)
    anchors = collect_anchors(sections)
    corridors = measure_corridors(sections, rule, tuple(cities))
    _check_count(corridors, many=many)
    taken_slugs = {slug(name) for name in (*taken_names, *(a.name for a in anchors), *(a.id for a in anchors))} - {""}
    free_places = NearbyPlaces(gazetteer_places, taken_slugs)
    bids_by_slot = make_milepost_bids(corridors, free_places, rule)
    nameless_anchors = [anchor for anchor in anchors if anchor.kind != "junction" and not anchor.name]
    bids_by_slot |= make_anchor_bids(nameless_anchors, free_places, rule)
    bid_by_slot = give_names(bids_by_slot)
    used_slugs = taken_slugs | {bid.slug for bid in bid_by_slot.values()}
    described_notes: list[SpacingNote] = []
    railroads_by_anchor: dict[str, set[str]] = defaultdict(set)
    for corridor in corridors:
        railroads_by_anchor[corridor.a.id].update(corridor.railroads)
        railroads_by_anchor[corridor.b.id].update(corridor.railroads)
    own_names = StopNames(stop_names, anchors if is_invented else ())
    mileposts = [
        _make_anchor_milepost(anchor, railroads_by_anchor, bid_by_slot, own_names, used_slugs, described_notes)
        for anchor in nameless_anchors
    ]
    for corridor, base in zip(corridors, make_base_names(corridors, free_places), strict=True):
        mileposts += _make_section_mileposts(corridor, base, rule, bid_by_slot, own_names, used_slugs, described_notes)
    all_notes = [*described_notes, *_note_ties_and_loops(corridors), *_note_unused_overrides(corridors, rule)]
    return SpacingResult(
        mileposts=tuple(sorted(mileposts, key=lambda m: m.id)),
        sections=tuple(sorted(_make_spaced_sections(corridors, mileposts), key=lambda s: s.section)),
        notes=tuple(sorted(all_notes, key=lambda n: (n.kind, n.elements, n.message))),
    )


def _check_count(corridors: Sequence[Corridor], *, many: bool) -> None:
    total_count = sum(len(corridor.stops) for corridor in corridors)
    if total_count <= (MAX_MILEPOSTS if many else MANY_MILEPOSTS):
        return
    longest_corridor = max(corridors, key=lambda c: len(c.stops))
    count_text = (
        f"spacing: the rule gives {total_count:,} mileposts, {len(longest_corridor.stops):,} of them on section "
        f"{longest_corridor.id!r} ({longest_corridor.miles:.1f} miles, target {longest_corridor.target:g})"
    )
    if total_count > MAX_MILEPOSTS:
        raise SpacingError(f"{count_text}; at most {MAX_MILEPOSTS:,} are allowed; choose a larger gap")
    raise SpacingError(
        f"{count_text}; boards of this family have a few hundred; choose a larger gap, or give --yes if you want them "
        '(in a command: "many": true)'
    )


def _make_anchor_milepost(
    anchor: Anchor,
    touching: Mapping[str, set[str]],
    named: Mapping[NameSlot, NameBid],
    own_names: StopNames,
    used: set[str],
    notes: list[SpacingNote],
) -> SpacedMilepost:
    winning_bid = named.get(NameSlot(anchor.id, 0))
    made_up_names = [] if winning_bid else own_names.near(anchor.lon, anchor.lat)
    plain_name = railroad_point_name(anchor, touching[anchor.id])
    name = winning_bid.name if winning_bid else choose_free_name((*made_up_names, plain_name), used)
    used.add(slug(name))
    if not winning_bid and name not in made_up_names:
        anchor_title = _ANCHOR_TITLES.get(anchor.kind, "milepost")
        notes.append(_note_described(name, f"{anchor_title} {anchor.id!r}", (anchor.id,), (anchor.lon, anchor.lat)))
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
        place=winning_bid.name if winning_bid else "",
        railroads=tuple(sorted(touching[anchor.id])),
    )


def _make_section_mileposts(
    corridor: Corridor,
    base: str,
    rule: SpacingRule,
    named: Mapping[NameSlot, NameBid],
    own_names: StopNames,
    used: set[str],
    notes: list[SpacingNote],
) -> Iterator[SpacedMilepost]:
    slots = [NameSlot(corridor.id, number) for number in range(1, len(corridor.stops) + 1)]
    shifts_mi = [
        min(max_shift, max(-max_shift, named[slot].along - stop)) if slot in named else 0.0
        for slot, stop, max_shift in zip(
            slots, corridor.stops.tolist(), (rule.shift * corridor.gaps).tolist(), strict=True
        )
    ]
    places_mi = [stop + shift for stop, shift in zip(corridor.stops.tolist(), shifts_mi, strict=True)]
    for slot, place_mi, shift, (lon, lat) in zip(
        slots, places_mi, shifts_mi, corridor.track.points(places_mi), strict=True
    ):
        winning_bid = named.get(slot)
        plain_name = f"{base} {slot.number}"
        made_up_names = [] if winning_bid else own_names.near(lon, lat)
        all_names = (*made_up_names, plain_name, f"{plain_name} ({corridor.id})")
        name = winning_bid.name if winning_bid else choose_free_name(all_names, used)
        used.add(slug(name))
        if not winning_bid and name not in made_up_names:
            milepost_title = f"milepost {slot.number} of section {corridor.id!r}"
            notes.append(_note_described(name, milepost_title, (slug(name),), (lon, lat)))
        yield SpacedMilepost(
            id=slug(name),
            name=name,
            lon=round(lon, 5),
            lat=round(lat, 5),
            section=corridor.id,
            anchor="",
            number=slot.number,
            miles=round(place_mi, 6),
            shift_miles=round(shift, 6),
            place=winning_bid.name if winning_bid else "",
            railroads=corridor.railroads,
        )


def _make_spaced_sections(
    corridors: Sequence[Corridor], mileposts: Sequence[SpacedMilepost]
) -> Iterator[SpacedSection]:
    mileposts_by_section: dict[str, list[SpacedMilepost]] = defaultdict(list)
    for milepost in sorted(mileposts, key=lambda m: m.number):
        mileposts_by_section[milepost.section].append(milepost)
    for corridor in corridors:
        stops = mileposts_by_section[corridor.id] if len(corridor.stops) else []
        vertices: list[Point] = [(float(lon), float(lat)) for lon, lat in corridor.track.line]
        first_vertices = np.searchsorted(corridor.track.along, [m.miles for m in stops], side="right").tolist()
        end_vertices = np.searchsorted(corridor.track.along, [m.miles for m in stops], side="left").tolist()
        points: list[Point] = [(m.lon, m.lat) for m in stops]
        starts = [0, *first_vertices]
        ends = [*end_vertices, len(vertices)]
        line_pieces: list[tuple[Point, ...]] = []
        for number, (first_vertex, end_vertex) in enumerate(zip(starts, ends, strict=True)):
            start_point = points[number - 1 : number] if number else []
            line_pieces.append((*start_point, *vertices[first_vertex:end_vertex], *points[number : number + 1]))
        ids, pieces = tuple(m.id for m in stops), tuple(line_pieces)
        reversed_pieces = tuple(tuple(reversed(piece)) for piece in reversed(pieces))
        for section, is_reversed in corridor.members:
            yield SpacedSection(
                section=section.id,
                corridor=corridor.id,
                miles=round(corridor.miles, 6),
                target_miles=corridor.target,
                gap_miles=round(corridor.gap, 6),
                mileposts=tuple(reversed(ids)) if is_reversed else ids,
                pieces=reversed_pieces if is_reversed else pieces,
            )


def _note_described(name: str, what: str, elements: tuple[str, ...], at: Point) -> SpacingNote:
    return SpacingNote(
        kind="described",
        message=f"{what} is called {name!r}: no place beside it has a free name; pin a milepost there to name it",
        elements=elements,
        lon=round(at[0], 5),
        lat=round(at[1], 5),
    )


def _note_ties_and_loops(corridors: Iterable[Corridor]) -> Iterator[SpacingNote]:
    for corridor in corridors:
        lon, lat = corridor.track.line[0].tolist()
        start_position = (round(lon, 5), round(lat, 5))
        section_text = f"section {corridor.id!r} of {corridor.miles:.2f} miles"
        if corridor.tie:
            yield SpacingNote(
                "tie",
                f"{section_text} is half-way between {len(corridor.stops) - 1} and {len(corridor.stops)} new mileposts "
                f"at a target of {corridor.target:g} miles; mapkit chose the larger",
                (corridor.id,),
                *start_position,
            )
        if corridor.a.id == corridor.b.id and not len(corridor.stops):
            yield SpacingNote(
                "loop",
                f"{section_text} is a loop too short for a milepost, so no step uses it; remove it, or pin mileposts",
                (corridor.id,),
                *start_position,
            )


def _note_unused_overrides(corridors: Sequence[Corridor], rule: SpacingRule) -> Iterator[SpacingNote]:
    overrides_and_names = {
        "railroad": (rule.railroads, {railroad for corridor in corridors for railroad in corridor.railroads}),
        "region": (rule.regions, {region for corridor in corridors for region in corridor.regions}),
    }
    for override_kind, (overrides, names) in overrides_and_names.items():
        for name in sorted(set(overrides) - names):
            message = f"the spacing rule names {override_kind} {name!r}, which no line has{did_you_mean(name, names)}"
            yield SpacingNote("unused", message, (name,))
