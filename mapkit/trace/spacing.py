"""Mileposts by rule: evenly along the line between anchors, named after places beside it.

An *anchor* is a pinned milepost, a junction, or an end of a line. A *section* is the line between two anchors.
Between pinned mileposts and ends a section of `L` miles with a target gap of `t` gets `round(L / t)` steps, at
least one; a tie goes to the larger number (2.5 becomes 3), since shorter steps are less of a surprise to players
than longer ones. At a junction trains pass through, so it ends no step: the part of a step before it is half a
gap (`junction_share`), and the way through it is then as long as the other steps.

Each section is spaced by itself, from its own line, ends, railroads and region. Moving another section cannot move
its mileposts; it can only take a name that this section wants as well (see `mapkit.trace.naming`), which changes
that milepost's name, id and small shift.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pyproj import Geod

from mapkit.errors import SourceError, did_you_mean
from mapkit.model.base import Point
from mapkit.sources.gazetteer import GazetteerPlace
from mapkit.sources.names import slug, without_state
from mapkit.trace.geodesy import METRES_PER_MILE
from mapkit.trace.naming import (
    OFF_LINE,
    Bid,
    Chunks,
    Nearby,
    Places,
    Slot,
    best_bids,
    first_free,
    give_names,
    in_space,
    position_text,
)

MAX_MILEPOSTS = 100_000
MIN_GAP_MILES = 0.01
_TIE = 1e-6  # of a step: centimetres, far above rounding and far below what anybody draws
_CHUNK_MILES = 5.0
_AT_ANCHOR_DEGREES = 1e-3  # a line starts at its anchor to about a hundred metres
_MIN_ON_LOOP = 2  # fewer would make a step from a milepost to itself, or two alike
_MAX_SHIFT = 0.4

Floats = NDArray[np.float64]
AnchorKind = Literal["milepost", "junction", "end"]
NoteKind = Literal["described", "tie", "loop", "unused"]


@dataclass(frozen=True)
class Anchor:
    """Where sections begin and end; `lon`, `lat` in degrees (EPSG:4326).

    Attributes:
        id: Unique among anchors.
        kind: A pinned milepost; a junction, which never becomes a milepost; or an end of a line, which does.
        name: The milepost's name; a pinned milepost without one, and every end without one, is named here.
    """

    id: str
    kind: AnchorKind
    lon: float
    lat: float
    name: str = ""


@dataclass(frozen=True)
class Section:
    """A line between two anchors and the railroads that share it.

    Sections with the same ends and the same line, in either direction, are one corridor: they are spaced once and
    get the same mileposts.

    Attributes:
        id: Unique and stable; breaks ties and appears in names only where nothing else tells two apart.
        line: `(lon, lat)` in degrees from `a` to `b`; lengths are geodesic.
        railroads: All that run on the whole line. A corridor that several share for part of the way is cut where
            one joins or leaves, at a junction of that one; the others pass through it.
    """

    id: str
    a: Anchor
    b: Anchor
    line: tuple[Point, ...]
    railroads: tuple[str, ...]
    region: str = ""


@dataclass(frozen=True)
class SpacingRule:
    """How far apart mileposts are.

    Attributes:
        miles: Target gap of the board, in statute miles.
        railroads: Target gaps of single railroads; they go before the region's.
        regions: Target gaps of regions; they go before the board's. Of a corridor shared by several railroads, the
            smallest target counts.
        reach_miles: How far off the line a place may lie to give its name.
        shift: How far a milepost may move along the line towards its place, as a share of the gap: 0.1 changes no
            step by more than a fifth. 0 keeps them exactly even. At most 0.4.
        junction_share: The part of a gap between a junction and the nearest milepost, 0.5 to 1; 1 treats a
            junction like a milepost.
        population_worth: What a tenfold population is worth in a name's cost, as a share of the gap.
    """

    miles: float
    railroads: Mapping[str, float] = field(default_factory=dict)
    regions: Mapping[str, float] = field(default_factory=dict)
    reach_miles: float = 5.0
    shift: float = 0.1
    junction_share: float = 0.5
    population_worth: float = 0.1

    def target(self, railroads: Iterable[str], region: str) -> float:
        """Return the target gap of a section in miles: the smallest that one of its railroads has."""
        other = self.regions.get(region, self.miles)
        return min((self.railroads.get(railroad, other) for railroad in railroads), default=other)


@dataclass(frozen=True)
class SpacedMilepost:
    """A new milepost, or a new name for an anchor.

    Attributes:
        id: The slug of the name.
        section: The corridor's first section, by id; empty for an anchor.
        anchor: The end or nameless pinned milepost that it stands at; else empty.
        number: Its place in the corridor, from 1, counted from the end with the smaller anchor id; 0 for an anchor.
        miles: From that end, along the line.
        shift_miles: How far it was moved towards its place; negative is towards the start.
        place: The gazetteer's name of the place; empty if the name is a description.
        railroads: Those that share the corridor, sorted.
    """

    id: str
    name: str
    lon: float
    lat: float
    section: str
    anchor: str
    number: int
    miles: float
    shift_miles: float
    place: str
    railroads: tuple[str, ...]


@dataclass(frozen=True)
class SpacedSection:
    """A section as it was spaced.

    Attributes:
        section: Its id.
        corridor: The id of the section that it was spaced with; its own if it stands first.
        miles: Geodesic length.
        target_miles: The gap asked for.
        gap_miles: The gap before shifts; the length if it got no milepost.
        mileposts: Ids of its new mileposts from `a` to `b`, anchors not among them.
        pieces: The line from `a` to `b`, cut at them: one more than there are mileposts.
    """

    section: str
    corridor: str
    miles: float
    target_miles: float
    gap_miles: float
    mileposts: tuple[str, ...]
    pieces: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True)
class SpacingNote:
    """Something that the author may want to look at: what, where, and the ids that it is about."""

    kind: NoteKind
    message: str
    elements: tuple[str, ...]
    lon: float | None = None
    lat: float | None = None


@dataclass(frozen=True)
class Spaced:
    """The result, each list sorted by id."""

    mileposts: tuple[SpacedMilepost, ...]
    sections: tuple[SpacedSection, ...]
    notes: tuple[SpacingNote, ...]


@dataclass(frozen=True, eq=False)
class _Corridor:
    """Sections that share one line, from the anchor with the smaller id to the other."""

    id: str
    a: Anchor
    b: Anchor
    line: Floats
    along: Floats  # miles to each vertex
    azimuth: Floats  # of each edge at its start, degrees
    railroads: tuple[str, ...]
    members: tuple[tuple[Section, bool], ...]  # True: drawn the other way round
    target: float
    gap: float
    stops: Floats  # wanted, in miles
    tie: bool

    @property
    def miles(self) -> float:
        return float(self.along[-1])

    def points(self, miles: Sequence[float] | Floats) -> list[Point]:
        """Return the points that far along the line, on its geodesic edges."""
        at = np.asarray(miles, dtype=np.float64)
        edge = np.clip(np.searchsorted(self.along, at, side="right") - 1, 0, len(self.azimuth) - 1)
        start = self.line[edge]
        lon, lat, _ = _geod().fwd(
            start[:, 0], start[:, 1], self.azimuth[edge], (at - self.along[edge]) * METRES_PER_MILE
        )
        return [(float(x), float(y)) for x, y in zip(lon, lat, strict=True)]


@cache
def _geod() -> Geod:
    return Geod(ellps="WGS84")


def space_mileposts(
    sections: Sequence[Section],
    *,
    rule: SpacingRule,
    gazetteer_places: Iterable[GazetteerPlace],
    taken_names: Iterable[str] = (),
) -> Spaced:
    """Place and name the mileposts that are not pinned.

    The result does not depend on the order of sections, places or names, nor on the direction of a line.

    Args:
        sections: A noded network; no two sections have the same id.
        rule: How far apart.
        gazetteer_places: Where names come from.
        taken_names: Names of cities and mileposts elsewhere on the board, with or without their state; the names of
            the anchors count without being listed.

    Raises:
        SourceError: The rule makes no sense, or asks for more than `MAX_MILEPOSTS` mileposts.
        ValueError: A section has no length, does not begin at its anchor, or shares its id with another.
    """
    _check_rule(rule)
    anchors = _anchors(sections)
    corridors = _corridors(sections, rule)
    _check_number(corridors)
    taken = {slug(name) for name in (*taken_names, *(a.name for a in anchors), *(a.id for a in anchors))} - {""}
    places = Places(gazetteer_places, taken)
    bids = _bids(corridors, places, rule)
    nameless = [anchor for anchor in anchors if anchor.kind != "junction" and not anchor.name]
    bids |= _anchor_bids(nameless, places, rule)
    named = give_names(bids)
    used = taken | {bid.slug for bid in named.values()}
    described: list[SpacingNote] = []
    touching: dict[str, set[str]] = defaultdict(set)
    for corridor in corridors:
        touching[corridor.a.id].update(corridor.railroads)
        touching[corridor.b.id].update(corridor.railroads)
    mileposts = [_anchor_milepost(anchor, touching, named, used, described) for anchor in nameless]
    for corridor, base in zip(corridors, _bases(corridors, places), strict=True):
        mileposts += _section_mileposts(corridor, base, rule, named, used, described)
    notes = [*described, *_rule_notes(corridors), *_unused_overrides(sections, rule)]
    return Spaced(
        mileposts=tuple(sorted(mileposts, key=lambda m: m.id)),
        sections=tuple(sorted(_spaced_sections(corridors, mileposts), key=lambda s: s.section)),
        notes=tuple(sorted(notes, key=lambda n: (n.kind, n.elements, n.message))),
    )


def new_mileposts(miles: float, target: float, *, junctions: int = 0, junction_share: float = 0.5) -> int:
    """Return how many mileposts go between two anchors.

    `round(miles / target)` steps, at least one, have one milepost fewer. Each end that is a junction takes
    `1 - junction_share` of a step away. Ties, to a millionth of a step, go up.
    """
    return max(0, math.floor(_wanted(miles, target, junctions, junction_share) + 0.5 + _TIE))


def _wanted(miles: float, target: float, junctions: int, junction_share: float) -> float:
    return miles / target + junctions * (1 - junction_share) - 1


def _check_rule(rule: SpacingRule) -> None:
    named = {"miles": rule.miles}
    named |= {f"railroads.{key}": miles for key, miles in rule.railroads.items()}
    named |= {f"regions.{key}": miles for key, miles in rule.regions.items()}
    problems = [
        f"spacing: {key} is {miles:g}; write the gap in miles, at least {MIN_GAP_MILES:g}"
        for key, miles in named.items()
        if not (math.isfinite(miles) and miles >= MIN_GAP_MILES)
    ]
    limits = {
        "reach_miles": (rule.reach_miles, 0.0, 1000.0),
        "shift": (rule.shift, 0.0, _MAX_SHIFT),
        "junction_share": (rule.junction_share, 0.5, 1.0),
        "population_worth": (rule.population_worth, 0.0, 10.0),
    }
    problems += [
        f"spacing: {key} is {value:g}; write a number from {low:g} to {high:g}"
        for key, (value, low, high) in limits.items()
        if not low <= value <= high
    ]
    if problems:
        raise SourceError(problems)


def _check_number(corridors: Sequence[_Corridor]) -> None:
    count = sum(len(corridor.stops) for corridor in corridors)
    if count > MAX_MILEPOSTS:
        most = max(corridors, key=lambda c: len(c.stops))
        raise SourceError(
            f"spacing: the rule asks for {count} mileposts, {len(most.stops)} of them on section {most.id!r} "
            f"({most.miles:.1f} miles, target {most.target:g}); at most {MAX_MILEPOSTS} are allowed, "
            "so write a larger gap"
        )


def _anchors(sections: Sequence[Section]) -> list[Anchor]:
    out: dict[str, Anchor] = {}
    ids: set[str] = set()
    for section in sections:
        if section.id in ids:
            raise ValueError(f"section {section.id!r} is given twice")
        ids.add(section.id)
        for anchor in (section.a, section.b):
            if out.setdefault(anchor.id, anchor) != anchor:
                raise ValueError(f"anchor {anchor.id!r} is not the same in every section")
    return [out[ident] for ident in sorted(out)]


def _corridors(sections: Sequence[Section], rule: SpacingRule) -> list[_Corridor]:
    """Lay sections with the same line together, by id of the first."""
    groups: dict[tuple[str, str, tuple[Point, ...]], list[tuple[Section, bool, Floats]]] = defaultdict(list)
    for section in sorted(sections, key=lambda s: s.id):
        line = _checked_line(section)
        rounded = tuple((round(lon, 6), round(lat, 6)) for lon, lat in section.line)
        ways = (
            (section.a.id, section.b.id, rounded),
            (section.b.id, section.a.id, tuple(reversed(rounded))),
        )
        turned = ways[1] < ways[0]
        groups[min(ways)].append((section, turned, line[::-1] if turned else line))
    firsts = [group[0][2] for group in groups.values()]
    measured = zip(groups.values(), _measure(firsts), strict=True)
    return [_corridor(group, along, azimuth, rule) for group, (along, azimuth) in measured]


def _checked_line(section: Section) -> Floats:
    line = np.asarray(section.line, dtype=np.float64)
    if line.ndim != 2 or len(line) < 2 or not np.isfinite(line).all():  # noqa: PLR2004 - two points of two numbers
        raise ValueError(f"section {section.id!r} is no line of finite coordinates")
    for anchor, (lon, lat) in ((section.a, line[0]), (section.b, line[-1])):
        aside = abs((lon - anchor.lon + 180) % 360 - 180)
        if max(aside, abs(lat - anchor.lat)) > _AT_ANCHOR_DEGREES:
            raise ValueError(f"section {section.id!r} does not reach its anchor {anchor.id!r}")
    return line


def _measure(lines: Sequence[Floats]) -> Iterator[tuple[Floats, Floats]]:
    """Yield miles to each vertex and azimuth of each edge of each line, all measured in one call."""
    if not lines:
        return
    starts = np.concatenate([line[:-1] for line in lines])
    ends = np.concatenate([line[1:] for line in lines])
    azimuth, _, metres = _geod().inv(starts[:, 0], starts[:, 1], ends[:, 0], ends[:, 1])
    at = 0
    for line in lines:
        after = at + len(line) - 1
        # Summed line by line: a running sum over all of them would let one line round another's lengths.
        along = np.concatenate(([0.0], np.cumsum(metres[at:after]))) / METRES_PER_MILE
        yield along, np.asarray(azimuth[at:after])
        at = after


def _corridor(
    group: Sequence[tuple[Section, bool, Floats]], along: Floats, azimuth: Floats, rule: SpacingRule
) -> _Corridor:
    section, turned, line = group[0]
    a, b = (section.b, section.a) if turned else (section.a, section.b)
    miles = float(along[-1])
    if miles <= 0:
        raise ValueError(f"section {section.id!r} has no length")
    target = min(rule.target(each.railroads, each.region) for each, _, _ in group)
    spare = 1 - rule.junction_share
    junctions = (a.kind == "junction") + (b.kind == "junction")
    count = new_mileposts(miles, target, junctions=junctions, junction_share=rule.junction_share)
    raw = _wanted(miles, target, junctions, rule.junction_share)
    if a.id == b.id and count:
        count = max(count, _MIN_ON_LOOP)
    gap = miles / (count + 1 - junctions * spare) if count else miles
    first = gap * (rule.junction_share if a.kind == "junction" else 1.0)
    return _Corridor(
        id=section.id,
        a=a,
        b=b,
        line=line,
        along=along,
        azimuth=azimuth,
        railroads=tuple(sorted({railroad for each, _, _ in group for railroad in each.railroads})),
        members=tuple((each, way) for each, way, _ in group),
        target=target,
        gap=gap,
        stops=first + gap * np.arange(count, dtype=np.float64),
        tie=count > 0 and abs(raw + 0.5 - round(raw + 0.5)) <= _TIE,
    )


def _chunks(corridors: Sequence[_Corridor]) -> Chunks:
    """Cut every line at its vertices, and long edges between them."""
    start, azimuth, along, miles, number = [], [], [], [], []
    for index, corridor in enumerate(corridors):
        lengths = np.diff(corridor.along)
        parts = np.maximum(1, np.ceil(lengths / _CHUNK_MILES)).astype(np.int64)
        edge = np.repeat(np.arange(len(lengths)), parts)
        step = np.arange(len(edge)) - np.repeat(np.cumsum(parts) - parts, parts)
        length = (lengths / parts)[edge]
        start.append(corridor.line[:-1][edge])
        azimuth.append(corridor.azimuth[edge])
        along.append(corridor.along[:-1][edge] + step * length)
        miles.append(np.stack((step * length, (step + 1) * length)))
        number.append(np.full(len(edge), index, dtype=np.int64))
    points, directions = np.concatenate(start), np.concatenate(azimuth)
    from_vertex = np.concatenate(miles, axis=1)
    ends = [
        in_space(*_geod().fwd(points[:, 0], points[:, 1], directions, each * METRES_PER_MILE)[:2])
        for each in from_vertex
    ]
    return Chunks(np.concatenate(number), ends[0], ends[1], np.concatenate(along), from_vertex[1] - from_vertex[0])


def _bids(corridors: Sequence[_Corridor], places: Places, rule: SpacingRule) -> dict[Slot, tuple[Bid, ...]]:
    """Return what each new milepost bids for: places that lie in its own half gap either way."""
    wanting = [corridor for corridor in corridors if len(corridor.stops)]
    if not wanting:
        return {}
    near = places.near(_chunks(wanting), reach_miles=rule.reach_miles)
    bounds = np.searchsorted(near.line, np.arange(len(wanting) + 1))
    out: dict[Slot, tuple[Bid, ...]] = {}
    for corridor, low, high in zip(wanting, bounds[:-1], bounds[1:], strict=True):
        out |= _corridor_bids(corridor, near, range(int(low), int(high)), places, rule)
    return out


def _corridor_bids(
    corridor: _Corridor, near: Nearby, pairs: range, places: Places, rule: SpacingRule
) -> Iterator[tuple[Slot, tuple[Bid, ...]]]:
    found: dict[Slot, list[Bid]] = defaultdict(list)
    for pair in pairs:
        along = float(near.along[pair])
        stop = int(np.argmin(np.abs(corridor.stops - along)))
        away = abs(float(corridor.stops[stop]) - along)
        if away <= corridor.gap / 2:
            gaps = (away + OFF_LINE * float(near.off[pair])) / corridor.gap
            bid = places.bid(int(near.place[pair]), gaps=gaps, along=along, worth=rule.population_worth)
            found[Slot(corridor.id, stop + 1)].append(bid)
    return ((slot, best_bids(own)) for slot, own in found.items())


def _anchor_bids(anchors: Sequence[Anchor], places: Places, rule: SpacingRule) -> dict[Slot, tuple[Bid, ...]]:
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


def _bases(corridors: Sequence[_Corridor], places: Places) -> list[str]:
    """Return `Boston - Albany` for each corridor; of several between the same names all but the first say more."""
    out: list[str] = []
    used: set[str] = set()
    for corridor in corridors:
        base = f"{_label(corridor.a, places)} - {_label(corridor.b, places)}"
        with_railroads = f"{base} ({' '.join(corridor.railroads)})"
        out.append(first_free((base, with_railroads, f"{base} ({corridor.id})"), used))
        used.add(slug(out[-1]))
    return out


def _label(anchor: Anchor, places: Places) -> str:
    """Return an anchor's own name, or that of the place nearest to it, whoever has it."""
    name = without_state(anchor.name)
    if not name and (nearest := places.nearest(anchor.lon, anchor.lat)):
        name = nearest.name
    return name if slug(name) else position_text(anchor.lon, anchor.lat)


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
        what = "end of line" if anchor.kind == "end" else "pinned milepost"
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


def _section_mileposts(  # noqa: PLR0913, PLR0917 - the state of one pass over all corridors
    corridor: _Corridor,
    base: str,
    rule: SpacingRule,
    named: Mapping[Slot, Bid],
    used: set[str],
    notes: list[SpacingNote],
) -> Iterator[SpacedMilepost]:
    slots = [Slot(corridor.id, number) for number in range(1, len(corridor.stops) + 1)]
    most = rule.shift * corridor.gap
    shifts = [
        min(most, max(-most, named[slot].along - stop)) if slot in named else 0.0
        for slot, stop in zip(slots, corridor.stops.tolist(), strict=True)
    ]
    miles = [stop + shift for stop, shift in zip(corridor.stops.tolist(), shifts, strict=True)]
    for slot, at, shift, (lon, lat) in zip(slots, miles, shifts, corridor.points(miles), strict=True):
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


def _spaced_sections(corridors: Sequence[_Corridor], mileposts: Sequence[SpacedMilepost]) -> Iterator[SpacedSection]:
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


def _cut(corridor: _Corridor, stops: Sequence[SpacedMilepost]) -> tuple[tuple[Point, ...], ...]:
    vertices: list[Point] = [(float(lon), float(lat)) for lon, lat in corridor.line]
    after = np.searchsorted(corridor.along, [m.miles for m in stops], side="right").tolist()
    before = np.searchsorted(corridor.along, [m.miles for m in stops], side="left").tolist()
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
        message=f"{what} is called {name!r}: no place beside it has a name that is still free; "
        "pin a milepost there to name it",
        elements=elements,
        lon=round(at[0], 5),
        lat=round(at[1], 5),
    )


def _rule_notes(corridors: Iterable[_Corridor]) -> Iterator[SpacingNote]:
    for corridor in corridors:
        lon, lat = corridor.line[0].tolist()
        where = (round(lon, 5), round(lat, 5))
        length = f"section {corridor.id!r} of {corridor.miles:.2f} miles"
        if corridor.tie:
            yield SpacingNote(
                "tie",
                f"{length} lies half-way between {len(corridor.stops) - 1} and {len(corridor.stops)} new mileposts "
                f"at a target of {corridor.target:g} miles; it got the larger number",
                (corridor.id,),
                *where,
            )
        if corridor.a.id == corridor.b.id and not len(corridor.stops):
            yield SpacingNote(
                "loop",
                f"{length} is a loop too short for a milepost, so no step leads over it; remove it, or pin mileposts",
                (corridor.id,),
                *where,
            )


def _unused_overrides(sections: Sequence[Section], rule: SpacingRule) -> Iterator[SpacingNote]:
    known = {
        "railroad": (rule.railroads, {railroad for section in sections for railroad in section.railroads}),
        "region": (rule.regions, {section.region for section in sections} - {""}),
    }
    for what, (overrides, names) in known.items():
        for name in sorted(set(overrides) - names):
            message = f"the spacing rule names {what} {name!r}, which no line has{did_you_mean(name, names)}"
            yield SpacingNote("unused", message, (name,))
