"""Lines that somebody drew become part of the network, beside station lists.

Drawings in pixels are placed by their control points; lines are joined (`noding`) railroad by railroad, at
mileposts that stand already, at points drawn for them, and at junctions; then mileposts are placed by rule
between them (`spacing`), and named. What was repaired, and what was left to the author, is kept as notes.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
import shapely

from mapkit.core.base import Point
from mapkit.core.geodesy import METRES_PER_MILE, line_miles
from mapkit.core.names import joined_id
from mapkit.geography.gazetteer import load_gazetteer
from mapkit.kinds.rail.model.network import Network, NetworkJunction, NetworkMilepost, NetworkPiece, Origin, TraceNote
from mapkit.kinds.rail.model.source import PinnedPoint
from mapkit.kinds.rail.model.stage import StageLine, StagePoint, made
from mapkit.kinds.rail.trace.corridors.finding import find_corridors
from mapkit.kinds.rail.trace.corridors.sites import node_kinds
from mapkit.kinds.rail.trace.crossings import Joint, find_joints, find_meetings
from mapkit.kinds.rail.trace.noding.arrays import Shapes
from mapkit.kinds.rail.trace.noding.joining import NodedNetwork, node_lines
from mapkit.kinds.rail.trace.noding.summary import NodingStats, summarise
from mapkit.kinds.rail.trace.pins import Pin, Pins, gather_pins, spot_id
from mapkit.kinds.rail.trace.plane import Plane
from mapkit.kinds.rail.trace.repair_notes import repair_notes
from mapkit.kinds.rail.trace.segments import segments_of
from mapkit.kinds.rail.trace.source import Source
from mapkit.kinds.rail.trace.spacing.mileposts import (
    Anchor,
    AnchorKind,
    Section,
    Spaced,
    SpacingRule,
    space_mileposts,
)
from mapkit.kinds.rail.trace.stations import sorted_by_id
from mapkit.kinds.rail.trace.unmet import LaidTrack, unmet_notes

_NEVER_MI = 1e6  # a gap that no section reaches
_NO_TRACK = -1
_EXACT = 15  # decimals: joining the lines once more must not find them apart
_CROSSING = 2
_ROUNDS = 6  # a milepost moves lines, so that others may meet; more than three rounds were never seen


def note_order(note: TraceNote) -> tuple[bool, str, str, float, float, str]:
    """Return what notes are sorted by: those without a place first, which sum up; kind, feature, place, words."""
    return note.lon is not None, note.kind, note.feature, note.lon or 0.0, note.lat or 0.0, note.message


def _rule(source: Source) -> SpacingRule:
    spacing = source.config.spacing
    traced = {line.railroad for line in source.traced}
    public = {key: spacing.public_gap_mi for key, r in source.railroads.items() if r.public and key in traced}
    return SpacingRule(
        miles=_NEVER_MI if spacing.gap_mi is None else spacing.gap_mi,
        railroads={railroad: gap for railroad, gap in public.items() if gap is not None} | spacing.railroads,
        regions=spacing.regions,
        reach_miles=spacing.reach_mi,
    )


class TrackRun(NamedTuple):
    """A stretch of a drawn feature between two nodes: the ids of stops on it, and the line between each two."""

    feature: str
    railroad: str
    level: int
    ends: tuple[str, ...]
    lines: tuple[tuple[Point, ...], ...]


class Joined:
    """One source's traced lines, joined; indices are those of its lines, nodes and edges.

    Args:
        source: Its lines and points in degrees.
        base: The network of the station lists, with a milepost for every city.

    Raises:
        SourceError: Drawn mileposts contradict each other.
    """

    def __init__(self, source: Source, base: Network) -> None:
        self._source, self._base = source, base
        # Around the cities: moving a line must not move the plane that all others are joined in.
        cities = [(city.lon, city.lat) for city in source.cities.values()]
        self._plane = Plane.around(cities or list(source.traced[0].line))
        # A track is a railroad on one level: lines of two tracks meet at mileposts only.
        self._tracks = sorted({(line.railroad, line.level) for line in source.traced})
        number = {track: i for i, track in enumerate(self._tracks)}
        self._line_tracks = np.array([number[line.railroad, line.level] for line in source.traced])
        self._lines: Shapes = np.array(
            [shapely.LineString(self._plane.metres(line.line)) for line in source.traced], dtype=object
        )
        self._tolerance = source.config.tracing.snap_mi * METRES_PER_MILE
        joints = find_joints(self._lines, self._line_tracks)
        self._node(gather_pins(source, base.mileposts))
        for _ in range(_ROUNDS):
            if not (added := self._overshot_points() or self._meeting_points(joints)):
                break
            source = source.model_copy(update={"pinned": (*source.pinned, *added)})
            self._node(gather_pins(source, base.mileposts))
        self._spots = self._find_spots()
        self._anchors = self._find_anchors()
        self._between_twins = self._find_between_twins()

    def _node(self, gathered: Pins) -> None:
        """Join the lines at these pins, and find what they share."""
        self._gathered = gathered
        self._pins = [pin.milepost for pin in gathered.pins]
        self.noded: NodedNetwork = node_lines(
            self._lines,
            railroad=self._line_tracks,
            pins=as_array(shapely.points(self._plane.metres([(pin.lon, pin.lat) for pin in gathered.pins]))),
            pin_railroads=[self._stopping(pin) for pin in gathered.pins],
            tolerance=self._tolerance,
        )
        self._shared = find_corridors(self.noded, tolerance=self._tolerance)

    def _meeting_points(self, joints: Sequence[Joint]) -> list[PinnedPoint]:
        """Return a nameless point for each place where different railroads are to meet and do not yet.

        Where a line ends it is one of every railroad within the tolerance, unless some are on other levels.
        """
        meetings = find_meetings(
            self.noded,
            self._shared,
            self._tracks,
            joints=joints,
            tolerance=self._tolerance,
            crossings=self._source.config.spacing.at_crossings,
        )
        places = self._plane.degrees(np.array([(m.x, m.y) for m in meetings]).reshape(-1, 2))
        flat = len({level for _, level in self._tracks}) == 1
        owners = [() if meeting.of_end and flat else meeting.railroads for meeting in meetings]
        return [
            PinnedPoint(feature="", name="", x=lon, y=lat, railroads=railroads, generated=True)
            for railroads, (lon, lat) in zip(owners, places, strict=True)
        ]

    def _overshot_points(self) -> list[PinnedPoint]:
        """Return a second point of each named milepost that a line ends less than the tolerance beyond.

        The lines that meet at that end lead to the milepost, for a milepost of their own would be at the same place.
        """
        noded = self.noded
        ends = np.stack((noded.edge_a, noded.edge_b), axis=1)
        kinds = np.array(node_kinds(noded))[ends]
        out: dict[tuple[float, float], PinnedPoint] = {}
        for edge, column in zip(*np.nonzero(kinds == "end"), strict=True):
            end, start = int(ends[edge, column]), int(ends[edge, 1 - column])
            number = int(noded.node_pin[start])
            if number < 0 or not self._pins[number].name:
                continue
            pin, (x, y) = self._gathered.pins[number], noded.node_xy[end].tolist()
            off = shapely.distance(self._lines[int(noded.edge_source[edge])], shapely.Point(noded.node_xy[start]))
            away = float(np.hypot(*(noded.node_xy[end] - noded.node_xy[start])))
            beyond = np.sqrt(max(away**2 - min(off, self._tolerance) ** 2, 0.0))
            if beyond <= self._tolerance and all(np.hypot(x - x2, y - y2) > self._tolerance for x2, y2 in out):
                ((lon, lat),) = self._plane.degrees(noded.node_xy[[end]])
                name, owners = self._pins[number].name, pin.railroads
                out[x, y] = PinnedPoint(feature="", name=name, x=lon, y=lat, railroads=owners, generated=True)
        return list(out.values())

    def _stopping(self, pin: Pin) -> set[int]:
        """Return the tracks that stop at a pin; none stands for all."""
        own = {track for track, (railroad, _) in enumerate(self._tracks) if railroad in pin.railroads}
        return own or ({_NO_TRACK} if pin.railroads else own)

    def stats(self) -> NodingStats:
        """Return what joining did, in numbers; lengths in metres."""
        return summarise(self._lines, self.noded)

    def space(self, *, many: bool = True) -> Spaced:
        """Return the mileposts by rule between the anchors.

        Args:
            many: Whether more may be placed than boards have.

        Raises:
            SourceError: The rule makes no sense, or asks for too many mileposts.
        """
        source = self._source
        return space_mileposts(
            [
                section
                for edge, section in zip(self._shared.section_edge.tolist(), self.sections(), strict=True)
                if edge not in self._between_twins
            ],
            rule=_rule(source),
            gazetteer_places=load_gazetteer(source.config.gazetteer.countries).places(),
            taken_names=[*(c.name for c in source.cities.values()), *self.pin_names()],
            cities=[(city.region, city.lon, city.lat) for city in source.cities.values()],
            many=many,
        )

    def network(self, spaced: Spaced) -> Network:
        """Return the network of station lists and lines; names in full.

        Raises:
            SourceError: Two mileposts would have one id, or junctions alone join hundreds of mileposts.
        """
        junctions = {j.id: j for j in (*self._base.junctions, *self.junctions())}
        pieces = sorted((*self._base.pieces, *self.pieces(spaced)), key=lambda p: p.id)
        return Network(
            mileposts=self.mileposts(spaced),
            junctions=tuple(junctions[ident] for ident in sorted(junctions)),
            pieces=tuple(pieces),
            segments=segments_of(pieces, junctions),
            notes=tuple(sorted({*self._base.notes, *self.notes(spaced)}, key=note_order)),
        )

    def _find_spots(self) -> list[str]:
        """Return a name for the place of each site, its own even where another is within a hundred metres."""
        count: Counter[str] = Counter()
        out: list[str] = []
        for lon, lat in self._plane.degrees(self._shared.site_xy):
            spot = spot_id(lon, lat)
            count[spot] += 1
            out.append(spot if count[spot] == 1 else f"{spot}-{count[spot]}")
        return out

    def _junction_id(self, track: int, site: int) -> str:
        railroad, level = self._tracks[track]
        return f"{railroad}--{self._spots[site]}{f'-level-{level}' if level else ''}"

    def _find_anchors(self) -> list[Anchor]:
        """Return the anchor at each site; off mileposts its id names its first railroad and its place."""
        noded, shared = self.noded, self._shared
        track = np.full(len(shared.site_xy), len(self._tracks), dtype=np.int64)
        for ends in (shared.section_a, shared.section_b):
            np.minimum.at(track, ends, noded.edge_railroad[shared.section_edge])
        pin = np.full(len(shared.site_xy), -1, dtype=np.int64)
        np.maximum.at(pin, shared.node_site, noded.node_pin)
        meetings = self._meetings()
        out: list[Anchor] = []
        for site, (lon, lat) in enumerate(self._plane.degrees(shared.site_xy)):
            if pin[site] >= 0:
                milepost = self._pins[int(pin[site])]
                out.append(Anchor(milepost.id, "milepost", milepost.lon, milepost.lat, milepost.name))
            else:
                kind: AnchorKind = "meeting" if site in meetings else shared.site_kind[site]
                out.append(Anchor(self._junction_id(int(track[site]), site), kind, lon, lat))
        return out

    def _meetings(self) -> set[int]:
        """Return the sites that the rule makes mileposts: junctions of a railroad, places where railroads part."""
        rule, shared = self._source.config.spacing, self._shared
        kinds = zip(node_kinds(self.noded), shared.node_site.tolist(), strict=True)
        junctions = {site for kind, site in kinds if kind == shared.site_kind[site] == "junction"}
        partings = {site for site, kind in enumerate(shared.site_kind) if kind == "junction"} - junctions
        return (junctions if rule.at_junctions else set()) | (partings if rule.at_crossings else set())

    def _find_between_twins(self) -> frozenset[int]:
        """Return the edges from one twin to the other: both are one milepost, so this track is not a step."""
        ends = self.noded.node_pin[np.stack((self.noded.edge_a, self.noded.edge_b)).astype(np.int64)]
        apart = np.flatnonzero((ends[0] >= 0) & (ends[1] >= 0) & (ends[0] != ends[1])).tolist()
        return frozenset(edge for edge in apart if self._pins[ends[0][edge]].id == self._pins[ends[1][edge]].id)

    def sections(self) -> list[Section]:
        """Return every section; its id is that of its railroad, ends and number among such."""
        shared = self._shared
        count: Counter[str] = Counter()
        out: list[Section] = []
        for number, edge in enumerate(shared.section_edge.tolist()):
            a, b = self._anchors[int(shared.section_a[number])], self._anchors[int(shared.section_b[number])]
            inner = self._plane.degrees(shapely.get_coordinates(shared.section_lines[number]))[1:-1]
            railroad = self._tracks[int(self.noded.edge_railroad[edge])][0]
            ident = joined_id(railroad, min(a.id, b.id), max(a.id, b.id))
            count[ident] += 1
            ident = ident if count[ident] == 1 else f"{ident}--{count[ident]}"
            out.append(Section(ident, a, b, ((a.lon, a.lat), *inner, (b.lon, b.lat)), (railroad,)))
        return out

    def pin_names(self) -> list[str]:
        """Return the names of all mileposts that are pinned."""
        return [pin.name for pin in self._pins]

    def _origin(self, source_line: int) -> Origin:
        return Origin(how="traced", file=self._source.traced[source_line].feature)

    def mileposts(self, spaced: Spaced) -> tuple[NetworkMilepost, ...]:
        """Return all mileposts: those that stood already, drawn ones, and those placed by rule.

        Raises:
            SourceError: Two would have the same id.
        """
        named = {m.anchor: m for m in spaced.mileposts if m.anchor}
        out = [
            pin if pin.name else pin.model_copy(update={"id": named[pin.id].id, "name": named[pin.id].name})
            for pin in {pin.id: pin for pin in self._pins}.values()
            if pin.name or pin.id in named
        ]
        drawn = {pin.id for pin in self._pins}
        out += [
            NetworkMilepost(id=m.id, name=m.name, kind="dot", lon=m.lon, lat=m.lat, origin=Origin(how="generated"))
            for m in spaced.mileposts
            if m.anchor not in drawn
        ]
        return sorted_by_id(out)

    def junctions(self) -> Iterator[NetworkJunction]:
        """Yield the junctions that the lines make."""
        noded = self.noded
        line_at: dict[int, int] = {}
        for end in (noded.edge_a, noded.edge_b):
            for edge, node in enumerate(end.tolist()):
                line_at.setdefault(node, int(noded.edge_source[edge]))
        kinds = node_kinds(noded)
        for node, site in enumerate(self._shared.node_site.tolist()):
            anchor = self._anchors[site]
            if kinds[node] == anchor.kind == "junction":
                track = int(noded.node_railroad[node])
                ident = self._junction_id(track, site)
                yield NetworkJunction(
                    id=ident,
                    railroad=self._tracks[track][0],
                    name=ident,
                    lon=round(anchor.lon, 5),
                    lat=round(anchor.lat, 5),
                    origin=self._origin(line_at[node]),
                )

    def pieces(self, spaced: Spaced) -> Iterator[NetworkPiece]:
        """Yield the track pieces, cut at the mileposts that were placed."""
        count: Counter[str] = Counter(piece.id for piece in self._base.pieces)
        for edge, ends, lines in self._edges(spaced):
            railroad = self._tracks[int(self.noded.edge_railroad[edge])][0]
            for (a, b), line in zip(pairwise(ends), lines, strict=True):
                way = line if a <= b else line[::-1]
                first, last = min(a, b), max(a, b)
                prefix = f"{railroad}--"
                ident = joined_id(railroad, first.removeprefix(prefix), last.removeprefix(prefix))
                count[ident] += 1
                yield NetworkPiece(
                    id=ident if count[ident] == 1 else f"{ident}--{count[ident]}",
                    railroad=railroad,
                    a=first,
                    b=last,
                    miles=round(line_miles(way), 2),
                    line=tuple((round(lon, 5), round(lat, 5)) for lon, lat in way),
                    origin=self._origin(int(self.noded.edge_source[edge])),
                )

    def runs(self, spaced: Spaced) -> Iterator[TrackRun]:
        """Yield each line between nodes with the mileposts and junctions on it, in the direction of its feature."""
        for edge, ends, lines in self._edges(spaced):
            railroad, level = self._tracks[int(self.noded.edge_railroad[edge])]
            feature = self._source.traced[int(self.noded.edge_source[edge])].feature
            yield TrackRun(feature, railroad, level, tuple(ends), tuple(lines))

    def joined_lines(self) -> Iterator[StageLine]:
        """Yield the lines between nodes, as they were drawn."""
        for edge, line in enumerate(self.noded.edge_lines):
            railroad, level = self._tracks[int(self.noded.edge_railroad[edge])]
            yield StageLine(
                feature=self._source.traced[int(self.noded.edge_source[edge])].feature,
                railroad=railroad,
                level=level,
                line=tuple(self._plane.degrees(shapely.get_coordinates(line), decimals=_EXACT)),
            )

    def joined_points(self) -> Iterator[StagePoint]:
        """Yield mileposts where they are drawn, junctions, and ends of lines."""
        for pin in self._gathered.pins:
            milepost = pin.milepost
            yield StagePoint(
                feature=milepost.origin.where,
                name=pin.name,
                kind=milepost.kind,
                x=pin.lon,
                y=pin.lat,
                railroads=pin.railroads,
                how="generated" if pin.generated else made(milepost.origin.how),
                pinned=pin.drawn,
            )
        kinds = node_kinds(self.noded)
        for node, (lon, lat) in enumerate(self._plane.degrees(self.noded.node_xy)):
            kind = kinds[node]
            if kind != "milepost":
                track = int(self.noded.node_railroad[node])
                yield StagePoint(kind=kind, x=lon, y=lat, railroads=(self._tracks[track][0],), how="traced")

    def cut_lines(self, spaced: Spaced) -> Iterator[StageLine]:
        """Yield the lines of the track pieces."""
        for edge, ends, lines in self._edges(spaced):
            railroad, level = self._tracks[int(self.noded.edge_railroad[edge])]
            for (a, b), line in zip(pairwise(ends), lines, strict=True):
                yield StageLine(
                    feature=self._source.traced[int(self.noded.edge_source[edge])].feature,
                    railroad=railroad,
                    level=level,
                    line=line,
                    a=a,
                    b=b,
                )

    def _edges(self, spaced: Spaced) -> Iterator[tuple[int, list[str], list[tuple[Point, ...]]]]:
        """Yield each edge with the mileposts and junctions on it, and the lines between those.

        Its sections are laid end to end, over junctions of other railroads, which it passes.
        """
        renamed = {m.anchor: m.id for m in spaced.mileposts if m.anchor}
        by_id = {section.section: section for section in spaced.sections}
        sections = self.sections()
        rows = zip(self._shared.section_edge.tolist(), range(len(sections)), sections, strict=True)
        for edge, own in groupby(rows, key=lambda row: row[0]):
            if edge in self._between_twins:
                continue
            track = int(self.noded.edge_railroad[edge])
            ends: list[str] = []
            lines: list[tuple[Point, ...]] = []
            for _, number, section in own:
                sites = (int(self._shared.section_a[number]), int(self._shared.section_b[number]))
                names = [
                    self._junction_id(track, site) if end.kind == "junction" else renamed.get(end.id, end.id)
                    for site, end in zip(sites, (section.a, section.b), strict=True)
                ]
                cut = by_id[section.id]
                if lines and section.a.kind == "junction":
                    ends[-1:] = [*cut.mileposts, names[1]]
                    lines[-1:] = [lines[-1] + cut.pieces[0][1:], *cut.pieces[1:]]
                else:
                    ends[-1:] = [names[0], *cut.mileposts, names[1]]
                    lines += cut.pieces
            yield edge, ends, lines

    def notes(self, spaced: Spaced | None) -> Iterator[TraceNote]:
        """Yield what was repaired, what is ambiguous, what was left out, and, once spaced, what could not be named."""
        traced, noded = self._source.traced, self.noded
        repairs = (*noded.repairs, *self._shared.repairs)
        where = self._plane.degrees(np.array([(r.x, r.y) for r in repairs]).reshape(-1, 2))
        features = [line.feature for line in traced]
        yield from repair_notes(repairs, where, features, snap_mi=self._source.config.tracing.snap_mi)
        where = self._plane.degrees(np.array([(d.x, d.y) for d in noded.ambiguities]).reshape(-1, 2))
        for doubt, (lon, lat) in zip(noded.ambiguities, where, strict=True):
            features = sorted({traced[line].feature for line in doubt.lines})
            pin = self._pins[doubt.pin].name or self._pins[doubt.pin].id if doubt.pin >= 0 else ""
            what = f"{doubt.kind}{f' ({pin})' if pin else ''}"
            yield TraceNote(
                kind="ambiguity",
                what=doubt.kind,
                message=f"{', '.join(features) or 'the lines'}: {what}; draw it clearly, or lower snap_mi",
                feature=features[0] if features else "",
                lon=round(lon, 5),
                lat=round(lat, 5),
            )
        yield from self._gathered.notes
        yield from self._left_between_twins()
        yield from self._crossings()
        yield from self._unmet()
        yield from self._source.import_notes
        if spaced is None:
            return
        yield from self._unused(spaced)
        for note in spaced.notes:
            yield TraceNote(kind="spacing", message=note.message, feature="", lon=note.lon, lat=note.lat)

    def _left_between_twins(self) -> Iterator[TraceNote]:
        """Yield the track that was left out because both of its ends are one milepost, at its first end."""
        for edge in sorted(self._between_twins):
            feature = self._source.traced[int(self.noded.edge_source[edge])].feature
            pins = [
                self._gathered.pins[self.noded.node_pin[n]] for n in (self.noded.edge_a[edge], self.noded.edge_b[edge])
            ]
            cut = any(pin.generated for pin in pins)
            names = " and ".join(sorted({pin.name for pin in pins}))
            miles = line_miles([(pin.lon, pin.lat) for pin in pins])
            yield TraceNote(
                kind="repair",
                what="end beyond milepost" if cut else "track between twins",
                message=f"{feature}: the {miles:.2f} miles from {names} to the end were left out, so that what meets "
                "there leads to the milepost"
                if cut
                else f"{feature}: the track between {names}, which share a milepost, is not a step and was left out",
                feature=feature,
                lon=round(pins[0].lon, 5),
                lat=round(pins[0].lat, 5),
            )

    def _crossings(self) -> Iterator[TraceNote]:
        """Yield the junctions at which lines only cross: what an author may not have meant."""
        arms: defaultdict[int, list[int]] = defaultdict(list)
        for end in (self.noded.edge_a, self.noded.edge_b):
            for edge, node in enumerate(end.tolist()):
                arms[node].append(int(self.noded.edge_source[edge]))
        kinds = node_kinds(self.noded)
        for node, site in enumerate(self._shared.node_site.tolist()):
            anchor, lines = self._anchors[site], Counter(arms[node])
            if (
                kinds[node] != "junction"
                or anchor.kind != "junction"
                or len(lines) < _CROSSING
                or any(count % 2 for count in lines.values())
            ):
                continue
            features = sorted(self._source.traced[line].feature for line in lines)
            yield TraceNote(
                kind="crossing",
                message=f"{' and '.join(features)} cross away from any milepost and were joined there; if trains "
                "cannot change from one to the other, give one of them another level",
                feature=features[0],
                lon=round(anchor.lon, 5),
                lat=round(anchor.lat, 5),
            )

    def _unmet(self) -> Iterator[TraceNote]:
        """Yield the places where railroads come near each other, or an end to a line, without meeting."""
        shared, traced = self._shared, self._source.traced
        laid = LaidTrack(
            lines=shared.section_lines,
            track=self.noded.edge_railroad[shared.section_edge],
            start=shared.section_a,
            end=shared.section_b,
            features=[traced[line].feature for line in self.noded.edge_source[shared.section_edge].tolist()],
            stop_xy=shared.site_xy,
            stop_names=[anchor.name for anchor in self._anchors],
            is_milepost=[anchor.kind != "junction" for anchor in self._anchors],
        )
        marks = {key: railroad.short for key, railroad in self._source.railroads.items()}
        snap_mi = self._source.config.tracing.snap_mi
        yield from unmet_notes(laid, self._tracks, marks, self._plane, snap_mi=snap_mi)

    def _unused(self, spaced: Spaced) -> Iterator[TraceNote]:
        """Yield the nameless points that no line passes, which are not mileposts."""
        named = {m.anchor for m in spaced.mileposts}
        for pin in self._pins:
            if not pin.name and pin.origin.how != "generated" and pin.id not in named:
                yield TraceNote(
                    kind="left out",
                    message=f"{pin.origin.file}: a nameless milepost that no line passes through was left out; move "
                    "it to its line, or raise snap_mi",
                    feature=pin.origin.file or "",
                    lon=pin.lon,
                    lat=pin.lat,
                )
        yield from self._off_lines()

    def _off_lines(self) -> Iterator[TraceNote]:
        """Yield the drawn mileposts with a name that no line passes, of which nothing else is reported."""
        noded = self.noded
        joined = noded.node_pin[np.concatenate((noded.edge_a, noded.edge_b)).astype(np.int64)]
        reported = {*joined.tolist(), *(doubt.pin for doubt in noded.ambiguities)}
        listed = {end for piece in self._base.pieces for end in (piece.a, piece.b)}
        for number, pin in enumerate(self._gathered.pins):
            milepost = pin.milepost
            off = pin.drawn and milepost.name and milepost.kind == "dot" and milepost.id not in listed
            if off and number not in reported:
                yield TraceNote(
                    kind="ambiguity",
                    message=f"{milepost.origin.where}: no line passes through the milepost {milepost.name!r}; move "
                    "it to its line, or raise snap_mi",
                    feature=milepost.origin.file or "",
                    lon=round(pin.lon, 5),
                    lat=round(pin.lat, 5),
                )


def as_array(points: object) -> Shapes:
    """Return geometries as an array, of one too."""
    return np.atleast_1d(np.asarray(points, dtype=object))
