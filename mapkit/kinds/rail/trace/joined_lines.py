"""Network of drawn lines, beside station lists.

Drawings in pixels are georeferenced by their control points. Lines are joined (`noding`) railroad by railroad, at
existing mileposts, at points drawn for them, and at junctions. Then mileposts are placed by rule between them
(`spacing`), and named. Repairs and ambiguities are returned as notes.
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
from mapkit.kinds.rail.model.stage import StageLine, StagePoint, origin_kind
from mapkit.kinds.rail.trace.corridors.finding import find_corridors
from mapkit.kinds.rail.trace.corridors.sites import classify_nodes
from mapkit.kinds.rail.trace.crossings import Joint, find_joints, find_meetings
from mapkit.kinds.rail.trace.near_misses import LaidTrack, note_near_misses
from mapkit.kinds.rail.trace.noding.arrays import Shapes
from mapkit.kinds.rail.trace.noding.joining import NodedNetwork, node_lines
from mapkit.kinds.rail.trace.noding.summary import NodingStats, summarise_noding
from mapkit.kinds.rail.trace.pins import Pin, Pins, gather_pins, spot_id
from mapkit.kinds.rail.trace.plane import Plane
from mapkit.kinds.rail.trace.repair_notes import repair_notes
from mapkit.kinds.rail.trace.segments import make_segments
from mapkit.kinds.rail.trace.source import Source
from mapkit.kinds.rail.trace.spacing.mileposts import (
    Anchor,
    AnchorKind,
    Section,
    SpacingResult,
    SpacingRule,
    space_mileposts,
)
from mapkit.kinds.rail.trace.stations import sorted_by_id
from mapkit.kinds.rail.trace.thinning import thin_dense_lines

_NO_SPACING_MI = 1e6  # a gap that no section reaches
_NO_TRACK = -1
_EXACT_DECIMALS = 15  # joined lines must still meet exactly when they are read back
_MIN_CROSSING_LINES = 2
_MAX_ROUNDS = 6  # a milepost moves lines, so that others may meet; three rounds are the most observed


def note_sort_key(note: TraceNote) -> tuple[bool, str, str, float, float, str]:
    """Return the sort key of notes: sums without a place first; then kind, feature, place, message."""
    return note.lon is not None, note.kind, note.feature, note.lon or 0.0, note.lat or 0.0, note.message


class TrackRun(NamedTuple):
    """Stretch of a drawn feature between two nodes: the ids of stops on it, and the lines between them."""

    feature: str
    railroad: str
    level: int
    ends: tuple[str, ...]
    lines: tuple[tuple[Point, ...], ...]


class JoinedLines:
    """Joined traced lines of one source; indices are those of its lines, nodes and edges.

    Args:
        source: Its lines and points in degrees.
        base: The network of the station lists, with a milepost for every city.

    Raises:
        SourceError: Drawn mileposts contradict each other.
    """

    def __init__(self, source: Source, base: Network) -> None:
        self._source, self._base = source, base
        # Centred on the cities, so that moving a line does not change the plane for all others.
        city_positions = [(city.lon, city.lat) for city in source.cities.values()]
        self._plane = Plane.around(city_positions or list(source.traced[0].line))
        # A track is a railroad on one level: lines of two tracks meet at mileposts only.
        self._tracks = sorted({(line.railroad, line.level) for line in source.traced})
        track_number = {track: i for i, track in enumerate(self._tracks)}
        self._line_tracks = np.array([track_number[line.railroad, line.level] for line in source.traced])
        self._lines: Shapes = np.array(
            [shapely.LineString(self._plane.metres(line.line)) for line in source.traced], dtype=object
        )
        self._tolerance = source.config.tracing.snap_mi * METRES_PER_MILE
        joints = find_joints(self._lines, self._line_tracks)
        self._lines = thin_dense_lines(self._lines, self._tolerance)
        self._node_lines(gather_pins(source, base.mileposts))
        for _ in range(_MAX_ROUNDS):
            if not (added_points := self._find_overshot_points() or self._find_meeting_points(joints)):
                break
            source = source.model_copy(update={"pinned": (*source.pinned, *added_points)})
            self._node_lines(gather_pins(source, base.mileposts))
        self._spots = self._find_spots()
        self._anchors = self._find_anchors()
        self._between_twins = self._find_between_twins()

    def _node_lines(self, gathered: Pins) -> None:
        """Join the lines at these pins, and find the track that they share."""
        self._gathered = gathered
        self._pins = [pin.milepost for pin in gathered.pins]
        self.noded: NodedNetwork = node_lines(
            self._lines,
            railroad=self._line_tracks,
            pins=as_array(shapely.points(self._plane.metres([(pin.lon, pin.lat) for pin in gathered.pins]))),
            pin_railroads=[self._tracks_at_pin(pin) for pin in gathered.pins],
            tolerance=self._tolerance,
        )
        self._shared = find_corridors(self.noded, tolerance=self._tolerance)

    def _find_meeting_points(self, joints: Sequence[Joint]) -> list[PinnedPoint]:
        """Return a nameless point for each place where different railroads should meet and do not yet.

        At the end of a line the point is for every railroad within the tolerance, unless lines are on several levels.
        """
        meeting_places = find_meetings(
            self.noded,
            self._shared,
            self._tracks,
            joints=joints,
            tolerance=self._tolerance,
            crossings=self._source.config.spacing.at_crossings,
        )
        places = self._plane.degrees(np.array([(m.x, m.y) for m in meeting_places]).reshape(-1, 2))
        is_flat = len({level for _, level in self._tracks}) == 1
        point_railroads = [() if meeting.of_end and is_flat else meeting.railroads for meeting in meeting_places]
        return [
            PinnedPoint(feature="", name="", x=lon, y=lat, railroads=railroads, generated=True)
            for railroads, (lon, lat) in zip(point_railroads, places, strict=True)
        ]

    def _find_overshot_points(self) -> list[PinnedPoint]:
        """Return a second point of each named milepost that a line passes by less than the tolerance.

        The lines that meet at that end lead to the milepost, because one of their own would be at the same place.
        """
        noded = self.noded
        edge_nodes = np.stack((noded.edge_a, noded.edge_b), axis=1)
        end_kinds = np.array(classify_nodes(noded))[edge_nodes]
        points_by_place: dict[tuple[float, float], PinnedPoint] = {}
        for edge, column in zip(*np.nonzero(end_kinds == "end"), strict=True):
            end_node, start_node = int(edge_nodes[edge, column]), int(edge_nodes[edge, 1 - column])
            pin_number = int(noded.node_pin[start_node])
            if pin_number < 0 or not self._pins[pin_number].name:
                continue
            pin, (x, y) = self._gathered.pins[pin_number], noded.node_xy[end_node].tolist()
            distance_off_line = shapely.distance(
                self._lines[int(noded.edge_source[edge])], shapely.Point(noded.node_xy[start_node])
            )
            distance_m = float(np.hypot(*(noded.node_xy[end_node] - noded.node_xy[start_node])))
            distance_beyond = np.sqrt(max(distance_m**2 - min(distance_off_line, self._tolerance) ** 2, 0.0))
            if distance_beyond <= self._tolerance and all(
                np.hypot(x - x2, y - y2) > self._tolerance for x2, y2 in points_by_place
            ):
                ((lon, lat),) = self._plane.degrees(noded.node_xy[[end_node]])
                name, pin_railroads = self._pins[pin_number].name, pin.railroads
                points_by_place[x, y] = PinnedPoint(
                    feature="", name=name, x=lon, y=lat, railroads=pin_railroads, generated=True
                )
        return list(points_by_place.values())

    def _tracks_at_pin(self, pin: Pin) -> set[int]:
        """Return the tracks that stop at a pin; an empty set means all."""
        pin_tracks = {track for track, (railroad, _) in enumerate(self._tracks) if railroad in pin.railroads}
        return pin_tracks or ({_NO_TRACK} if pin.railroads else pin_tracks)

    def stats(self) -> NodingStats:
        """Return the statistics of noding; lengths in metres."""
        return summarise_noding(self._lines, self.noded)

    def space(self, *, many: bool = True) -> SpacingResult:
        """Return the mileposts by rule between the anchors.

        Args:
            many: Whether more than `MANY_MILEPOSTS` may be placed.

        Raises:
            SourceError: The rule makes no sense, or asks for too many mileposts.
        """
        source = self._source
        spacing = source.config.spacing
        traced_railroads = {line.railroad for line in source.traced}
        public_gaps_mi = {
            key: spacing.public_gap_mi for key, r in source.railroads.items() if r.public and key in traced_railroads
        }
        return space_mileposts(
            [
                section
                for edge, section in zip(self._shared.section_edge.tolist(), self.sections(), strict=True)
                if edge not in self._between_twins
            ],
            rule=(
                SpacingRule(
                    miles=_NO_SPACING_MI if spacing.gap_mi is None else spacing.gap_mi,
                    railroads={railroad: gap_mi for railroad, gap_mi in public_gaps_mi.items() if gap_mi is not None}
                    | spacing.railroads,
                    regions=spacing.regions,
                    reach_miles=spacing.reach_mi,
                )
            ),
            gazetteer_places=load_gazetteer(source.config.gazetteer.countries).places(),
            taken_names=[*(c.name for c in source.cities.values()), *self.pin_names()],
            cities=[(city.region, city.lon, city.lat) for city in source.cities.values()],
            stop_names=spacing.names,
            is_invented=source.config.projection.land_plane is not None,
            many=many,
        )

    def network(self, spaced: SpacingResult) -> Network:
        """Return the network of station lists and lines; names in full.

        Raises:
            SourceError: Two mileposts would have one id, or junctions alone join hundreds of mileposts.
        """
        junction_by_id = {j.id: j for j in (*self._base.junctions, *self.junctions())}
        all_pieces = sorted((*self._base.pieces, *self.pieces(spaced)), key=lambda p: p.id)
        return Network(
            mileposts=self.mileposts(spaced),
            junctions=tuple(junction_by_id[ident] for ident in sorted(junction_by_id)),
            pieces=tuple(all_pieces),
            segments=make_segments(all_pieces, junction_by_id),
            notes=tuple(sorted({*self._base.notes, *self.notes(spaced)}, key=note_sort_key)),
        )

    def _find_spots(self) -> list[str]:
        """Return a name for the place of each site, numbered where another is within a hundred metres."""
        spot_counts: Counter[str] = Counter()
        spot_names: list[str] = []
        for lon, lat in self._plane.degrees(self._shared.site_xy):
            spot_name = spot_id(lon, lat)
            spot_counts[spot_name] += 1
            spot_names.append(spot_name if spot_counts[spot_name] == 1 else f"{spot_name}-{spot_counts[spot_name]}")
        return spot_names

    def _junction_id(self, track: int, site: int) -> str:
        railroad, level = self._tracks[track]
        return f"{railroad}--{self._spots[site]}{f'-level-{level}' if level else ''}"

    def _find_anchors(self) -> list[Anchor]:
        """Return the anchor at each site; off mileposts its id names its first railroad and its place."""
        noded, shared = self.noded, self._shared
        first_track = np.full(len(shared.site_xy), len(self._tracks), dtype=np.int64)
        for section_ends in (shared.section_a, shared.section_b):
            np.minimum.at(first_track, section_ends, noded.edge_railroad[shared.section_edge])
        site_pin = np.full(len(shared.site_xy), -1, dtype=np.int64)
        np.maximum.at(site_pin, shared.node_site, noded.node_pin)
        meeting_sites = self._find_meeting_sites()
        site_anchors: list[Anchor] = []
        for site, (lon, lat) in enumerate(self._plane.degrees(shared.site_xy)):
            if site_pin[site] >= 0:
                milepost = self._pins[int(site_pin[site])]
                site_anchors.append(Anchor(milepost.id, "milepost", milepost.lon, milepost.lat, milepost.name))
            else:
                anchor_kind: AnchorKind = "meeting" if site in meeting_sites else shared.site_kind[site]
                site_anchors.append(Anchor(self._junction_id(int(first_track[site]), site), anchor_kind, lon, lat))
        return site_anchors

    def _find_meeting_sites(self) -> set[int]:
        """Return the sites that become mileposts by rule: junctions of a railroad, places where railroads part."""
        spacing_config, shared = self._source.config.spacing, self._shared
        node_rows = zip(classify_nodes(self.noded), shared.node_site.tolist(), strict=True)
        junction_sites = {site for kind, site in node_rows if kind == shared.site_kind[site] == "junction"}
        parting_sites = {site for site, kind in enumerate(shared.site_kind) if kind == "junction"} - junction_sites
        return (junction_sites if spacing_config.at_junctions else set()) | (
            parting_sites if spacing_config.at_crossings else set()
        )

    def _find_between_twins(self) -> frozenset[int]:
        """Return the edges from one twin to the other: both are one milepost, so this track is not a step."""
        end_pins = self.noded.node_pin[np.stack((self.noded.edge_a, self.noded.edge_b)).astype(np.int64)]
        pin_edges = np.flatnonzero((end_pins[0] >= 0) & (end_pins[1] >= 0) & (end_pins[0] != end_pins[1])).tolist()
        return frozenset(
            edge for edge in pin_edges if self._pins[end_pins[0][edge]].id == self._pins[end_pins[1][edge]].id
        )

    def sections(self) -> list[Section]:
        """Return every section; its id consists of its railroad, its ends and a number."""
        shared = self._shared
        id_counts: Counter[str] = Counter()
        all_sections: list[Section] = []
        for number, edge in enumerate(shared.section_edge.tolist()):
            a, b = self._anchors[int(shared.section_a[number])], self._anchors[int(shared.section_b[number])]
            inner_points = self._plane.degrees(shapely.get_coordinates(shared.section_lines[number]))[1:-1]
            railroad = self._tracks[int(self.noded.edge_railroad[edge])][0]
            ident = joined_id(railroad, min(a.id, b.id), max(a.id, b.id))
            id_counts[ident] += 1
            ident = ident if id_counts[ident] == 1 else f"{ident}--{id_counts[ident]}"
            all_sections.append(Section(ident, a, b, ((a.lon, a.lat), *inner_points, (b.lon, b.lat)), (railroad,)))
        return all_sections

    def pin_names(self) -> list[str]:
        """Return the names of all mileposts that are pinned."""
        return [pin.name for pin in self._pins]

    def _origin(self, source_line: int) -> Origin:
        return Origin(how="traced", file=self._source.traced[source_line].feature)

    def mileposts(self, spaced: SpacingResult) -> tuple[NetworkMilepost, ...]:
        """Return all mileposts: existing ones, drawn ones, and those placed by rule.

        Raises:
            SourceError: Two would have the same id.
        """
        at_anchor = {m.anchor: m for m in spaced.mileposts if m.anchor}
        all_mileposts = [
            pin if pin.name else pin.model_copy(update={"id": at_anchor[pin.id].id, "name": at_anchor[pin.id].name})
            for pin in {pin.id: pin for pin in self._pins}.values()
            if pin.name or pin.id in at_anchor
        ]
        pin_ids = {pin.id for pin in self._pins}
        all_mileposts += [
            NetworkMilepost(id=m.id, name=m.name, kind="dot", lon=m.lon, lat=m.lat, origin=Origin(how="generated"))
            for m in spaced.mileposts
            if m.anchor not in pin_ids
        ]
        return sorted_by_id(all_mileposts)

    def junctions(self) -> Iterator[NetworkJunction]:
        """Yield the junctions of the lines."""
        noded = self.noded
        line_at: dict[int, int] = {}
        for edge_ends in (noded.edge_a, noded.edge_b):
            for edge, node in enumerate(edge_ends.tolist()):
                line_at.setdefault(node, int(noded.edge_source[edge]))
        kind_of_node = classify_nodes(noded)
        for node, site in enumerate(self._shared.node_site.tolist()):
            anchor = self._anchors[site]
            if kind_of_node[node] == anchor.kind == "junction":
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

    def pieces(self, spaced: SpacingResult) -> Iterator[NetworkPiece]:
        """Yield the track pieces, cut at the mileposts that were placed."""
        id_counts: Counter[str] = Counter(piece.id for piece in self._base.pieces)
        for edge, ends, lines in self._cut_edges(spaced):
            railroad = self._tracks[int(self.noded.edge_railroad[edge])][0]
            for (a, b), line in zip(pairwise(ends), lines, strict=True):
                ordered_line = line if a <= b else line[::-1]
                first_node, last_node = min(a, b), max(a, b)
                prefix = f"{railroad}--"
                ident = joined_id(railroad, first_node.removeprefix(prefix), last_node.removeprefix(prefix))
                id_counts[ident] += 1
                yield NetworkPiece(
                    id=ident if id_counts[ident] == 1 else f"{ident}--{id_counts[ident]}",
                    railroad=railroad,
                    a=first_node,
                    b=last_node,
                    miles=round(line_miles(ordered_line), 2),
                    line=tuple((round(lon, 5), round(lat, 5)) for lon, lat in ordered_line),
                    origin=self._origin(int(self.noded.edge_source[edge])),
                )

    def runs(self, spaced: SpacingResult) -> Iterator[TrackRun]:
        """Yield each line between nodes with the mileposts and junctions on it, in the direction of its feature."""
        for edge, ends, lines in self._cut_edges(spaced):
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
                line=tuple(self._plane.degrees(shapely.get_coordinates(line), decimals=_EXACT_DECIMALS)),
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
                how="generated" if pin.generated else origin_kind(milepost.origin.how),
                pinned=pin.drawn,
            )
        kind_of_node = classify_nodes(self.noded)
        for node, (lon, lat) in enumerate(self._plane.degrees(self.noded.node_xy)):
            kind = kind_of_node[node]
            if kind != "milepost":
                track = int(self.noded.node_railroad[node])
                yield StagePoint(kind=kind, x=lon, y=lat, railroads=(self._tracks[track][0],), how="traced")

    def cut_lines(self, spaced: SpacingResult) -> Iterator[StageLine]:
        """Yield the lines of the track pieces."""
        for edge, ends, lines in self._cut_edges(spaced):
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

    def _cut_edges(self, spaced: SpacingResult) -> Iterator[tuple[int, list[str], list[tuple[Point, ...]]]]:
        """Yield each edge with the mileposts and junctions on it, and the lines between those.

        Its sections are joined end to end across junctions of other railroads, which it passes.
        """
        id_by_anchor = {m.anchor: m.id for m in spaced.mileposts if m.anchor}
        section_by_id = {section.section: section for section in spaced.sections}
        sections = self.sections()
        section_rows = zip(self._shared.section_edge.tolist(), range(len(sections)), sections, strict=True)
        for edge, edge_rows in groupby(section_rows, key=lambda row: row[0]):
            if edge in self._between_twins:
                continue
            track = int(self.noded.edge_railroad[edge])
            stop_ids: list[str] = []
            stop_lines: list[tuple[Point, ...]] = []
            for _, number, section in edge_rows:
                end_sites = (int(self._shared.section_a[number]), int(self._shared.section_b[number]))
                end_ids = [
                    self._junction_id(track, site) if end.kind == "junction" else id_by_anchor.get(end.id, end.id)
                    for site, end in zip(end_sites, (section.a, section.b), strict=True)
                ]
                spaced_section = section_by_id[section.id]
                if stop_lines and section.a.kind == "junction":
                    stop_ids[-1:] = [*spaced_section.mileposts, end_ids[1]]
                    stop_lines[-1:] = [stop_lines[-1] + spaced_section.pieces[0][1:], *spaced_section.pieces[1:]]
                else:
                    stop_ids[-1:] = [end_ids[0], *spaced_section.mileposts, end_ids[1]]
                    stop_lines += spaced_section.pieces
            yield edge, stop_ids, stop_lines

    def notes(self, spaced: SpacingResult | None) -> Iterator[TraceNote]:
        """Yield notes on repairs, ambiguities, omissions and, once spaced, mileposts without a name."""
        traced, noded = self._source.traced, self.noded
        repairs = (*noded.repairs, *self._shared.repairs)
        note_positions = self._plane.degrees(np.array([(r.x, r.y) for r in repairs]).reshape(-1, 2))
        features = [line.feature for line in traced]
        yield from repair_notes(repairs, note_positions, features, snap_mi=self._source.config.tracing.snap_mi)
        note_positions = self._plane.degrees(np.array([(d.x, d.y) for d in noded.ambiguities]).reshape(-1, 2))
        for doubt, (lon, lat) in zip(noded.ambiguities, note_positions, strict=True):
            features = sorted({traced[line].feature for line in doubt.lines})
            pin = self._pins[doubt.pin].name or self._pins[doubt.pin].id if doubt.pin >= 0 else ""
            doubt_title = f"{doubt.kind}{f' ({pin})' if pin else ''}"
            yield TraceNote(
                kind="ambiguity",
                what=doubt.kind,
                message=f"{', '.join(features) or 'the lines'}: {doubt_title}; draw it clearly, or lower snap_mi",
                feature=features[0] if features else "",
                lon=round(lon, 5),
                lat=round(lat, 5),
            )
        yield from self._gathered.notes
        yield from self._note_between_twins()
        yield from self._note_crossings()
        yield from self._note_unmet()
        yield from self._source.import_notes
        if spaced is None:
            return
        yield from self._note_unused_points(spaced)
        for note in spaced.notes:
            yield TraceNote(kind="spacing", message=note.message, feature="", lon=note.lon, lat=note.lat)

    def _note_between_twins(self) -> Iterator[TraceNote]:
        """Yield notes on track left out because both of its ends are one milepost, at its first end."""
        for edge in sorted(self._between_twins):
            feature = self._source.traced[int(self.noded.edge_source[edge])].feature
            end_pins = [
                self._gathered.pins[self.noded.node_pin[n]] for n in (self.noded.edge_a[edge], self.noded.edge_b[edge])
            ]
            is_beyond_milepost = any(pin.generated for pin in end_pins)
            pin_names = " and ".join(sorted({pin.name for pin in end_pins}))
            miles = line_miles([(pin.lon, pin.lat) for pin in end_pins])
            yield TraceNote(
                kind="repair",
                what="end beyond milepost" if is_beyond_milepost else "track between twins",
                message=f"{feature}: the {miles:.2f} miles from {pin_names} to the end were left out, so that what "
                "meets there leads to the milepost"
                if is_beyond_milepost
                else f"{feature}: the track between {pin_names}, which share a milepost, is not a step and was "
                "left out",
                feature=feature,
                lon=round(end_pins[0].lon, 5),
                lat=round(end_pins[0].lat, 5),
            )

    def _note_crossings(self) -> Iterator[TraceNote]:
        """Yield notes on junctions of lines that only cross, as they may be unintended."""
        lines_by_node: defaultdict[int, list[int]] = defaultdict(list)
        for edge_ends in (self.noded.edge_a, self.noded.edge_b):
            for edge, node in enumerate(edge_ends.tolist()):
                lines_by_node[node].append(int(self.noded.edge_source[edge]))
        kind_of_node = classify_nodes(self.noded)
        for node, site in enumerate(self._shared.node_site.tolist()):
            anchor, lines = self._anchors[site], Counter(lines_by_node[node])
            if (
                kind_of_node[node] != "junction"
                or anchor.kind != "junction"
                or len(lines) < _MIN_CROSSING_LINES
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

    def _note_unmet(self) -> Iterator[TraceNote]:
        """Yield notes on places where railroads, or an end and a line, come near without meeting."""
        shared, traced = self._shared, self._source.traced
        laid_track = LaidTrack(
            lines=shared.section_lines,
            track=self.noded.edge_railroad[shared.section_edge],
            start=shared.section_a,
            end=shared.section_b,
            features=[traced[line].feature for line in self.noded.edge_source[shared.section_edge].tolist()],
            stop_xy=shared.site_xy,
            stop_names=[anchor.name for anchor in self._anchors],
            is_milepost=[anchor.kind != "junction" for anchor in self._anchors],
        )
        railroad_marks = {key: railroad.short for key, railroad in self._source.railroads.items()}
        snap_mi = self._source.config.tracing.snap_mi
        yield from note_near_misses(laid_track, self._tracks, railroad_marks, self._plane, snap_mi=snap_mi)

    def _note_unused_points(self, spaced: SpacingResult) -> Iterator[TraceNote]:
        """Yield notes on nameless points that no line passes and that are no mileposts."""
        named_anchors = {m.anchor for m in spaced.mileposts}
        for pin in self._pins:
            if not pin.name and pin.origin.how != "generated" and pin.id not in named_anchors:
                yield TraceNote(
                    kind="left out",
                    message=f"{pin.origin.file}: a nameless milepost that no line passes through was left out; move "
                    "it to its line, or raise snap_mi",
                    feature=pin.origin.file or "",
                    lon=pin.lon,
                    lat=pin.lat,
                )
        noded = self.noded
        joined_pins = noded.node_pin[np.concatenate((noded.edge_a, noded.edge_b)).astype(np.int64)]
        reported_pins = {*joined_pins.tolist(), *(doubt.pin for doubt in noded.ambiguities)}
        listed_mileposts = {end for piece in self._base.pieces for end in (piece.a, piece.b)}
        for number, gathered_pin in enumerate(self._gathered.pins):
            milepost = gathered_pin.milepost
            is_off_lines = (
                gathered_pin.drawn and milepost.name and milepost.kind == "dot" and milepost.id not in listed_mileposts
            )
            if is_off_lines and number not in reported_pins:
                yield TraceNote(
                    kind="ambiguity",
                    message=f"{milepost.origin.where}: no line passes through the milepost {milepost.name!r}; move "
                    "it to its line, or raise snap_mi",
                    feature=milepost.origin.file or "",
                    lon=round(gathered_pin.lon, 5),
                    lat=round(gathered_pin.lat, 5),
                )


def as_array(points: object) -> Shapes:
    """Return geometries as an array, also a single one."""
    return np.atleast_1d(np.asarray(points, dtype=object))
