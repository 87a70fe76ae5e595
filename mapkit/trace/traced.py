"""Lines that somebody drew become part of the network, beside station lists.

Drawings in pixels are placed by their control points; lines are joined (`noding`) railroad by railroad, at
mileposts that stand already, at points drawn for them, and at junctions; then mileposts are placed by rule
between them (`spacing`), and named. What was repaired, and what was left to the author, is kept as notes.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from pyproj import Transformer

from mapkit.errors import SourceError
from mapkit.model.base import Point
from mapkit.model.network import Network, NetworkJunction, NetworkMilepost, NetworkPiece, Origin, TraceNote
from mapkit.model.source import Source
from mapkit.sources.gazetteer import load_gazetteer
from mapkit.sources.names import fold, slug, without_state
from mapkit.trace.geodesy import METRES_PER_MILE, line_miles
from mapkit.trace.georeference import georeference
from mapkit.trace.noding import NodedNetwork, node_lines
from mapkit.trace.noding_arrays import Floats, Shapes
from mapkit.trace.segments import segments_of
from mapkit.trace.spacing import Anchor, AnchorKind, Section, Spaced, SpacingRule, space_mileposts

_NEVER_MI = 1e6  # a gap that no section reaches
_BRANCHES = 3


def add_traced(source: Source, base: Network) -> Network:
    """Return a network with the source's traced lines added to it; names in full.

    Args:
        source: With `traced` lines, `pinned` points, and control points if any are in pixels.
        base: The network of the station lists, with a milepost for every city.

    Raises:
        SourceError: Control points are missing or do not fix the picture, or two mileposts would have one id.
    """
    tracing = _Tracing(source, base)
    spaced = space_mileposts(
        tracing.sections(),
        rule=_rule(source),
        gazetteer_places=load_gazetteer(source.config.gazetteer.countries).places(),
        taken_names=[*(c.name for c in source.cities), *tracing.pin_names()],
    )
    junctions = {j.id: j for j in (*base.junctions, *tracing.junctions())}
    pieces = sorted((*base.pieces, *tracing.pieces(spaced)), key=lambda p: p.id)
    return Network(
        mileposts=tracing.mileposts(spaced),
        junctions=tuple(junctions[ident] for ident in sorted(junctions)),
        pieces=tuple(pieces),
        segments=segments_of(pieces, junctions),
        notes=tuple(sorted((*base.notes, *tracing.notes(spaced)), key=_note_order)),
    )


def _note_order(note: TraceNote) -> tuple[str, str, float, float, str]:
    return note.kind, note.feature, note.lon or 0.0, note.lat or 0.0, note.message


def _rule(source: Source) -> SpacingRule:
    spacing = source.config.spacing
    return SpacingRule(
        miles=_NEVER_MI if spacing.gap_mi is None else spacing.gap_mi,
        railroads=spacing.railroads,
        reach_miles=spacing.reach_mi,
    )


@dataclass(frozen=True)
class _Plane:
    """Equal-area metres around the lines."""

    to_metres: Transformer

    @classmethod
    def around(cls, points: Sequence[Point]) -> "_Plane":
        lon, lat = np.median(np.array(points), axis=0)
        crs = f"+proj=laea +lon_0={lon:.3f} +lat_0={lat:.3f} +datum=WGS84 +units=m +no_defs"
        return cls(Transformer.from_crs("EPSG:4326", crs, always_xy=True))

    def metres(self, points: Sequence[Point]) -> Floats:
        lonlat = np.array(points, dtype=np.float64).reshape(-1, 2)
        return np.column_stack(self.to_metres.transform(lonlat[:, 0], lonlat[:, 1]))

    def degrees(self, xy: Floats) -> list[Point]:
        lon, lat = self.to_metres.transform(xy[:, 0], xy[:, 1], direction="INVERSE")
        return [(round(float(x), 6), round(float(y), 6)) for x, y in zip(lon, lat, strict=True)]


class _Tracing:
    """One source's traced lines, noded; indices are those of its lines, nodes and edges."""

    def __init__(self, source: Source, base: Network) -> None:
        self._source, self._base = source, base
        lines, points = _placed(source)
        self._plane = _Plane.around([point for line in lines for point in line])
        self._railroads = sorted({line.railroad for line in source.traced})
        number = {railroad: i for i, railroad in enumerate(self._railroads)}
        self._pins = [*base.mileposts, *_new_pins(source, base.mileposts, points)]
        self._noded: NodedNetwork = node_lines(
            np.array([shapely.LineString(self._plane.metres(line)) for line in lines], dtype=object),
            railroad=np.array([number[line.railroad] for line in source.traced]),
            pins=as_array(shapely.points(self._plane.metres([(pin.lon, pin.lat) for pin in self._pins]))),
            tolerance=source.config.tracing.snap_mi * METRES_PER_MILE,
        )
        self._anchors = self._find_anchors()

    def _find_anchors(self) -> list[Anchor]:
        noded = self._noded
        degree = np.bincount(np.concatenate((noded.edge_a, noded.edge_b)), minlength=len(noded.node_xy))
        out: list[Anchor] = []
        for node, (lon, lat) in enumerate(self._plane.degrees(noded.node_xy)):
            pin = int(noded.node_pin[node])
            if pin >= 0:
                milepost = self._pins[pin]
                out.append(Anchor(milepost.id, "milepost", milepost.lon, milepost.lat, milepost.name))
                continue
            railroad = self._railroads[int(noded.node_railroad[node])]
            kind: AnchorKind = "junction" if degree[node] >= _BRANCHES else "end"
            out.append(Anchor(f"{railroad}--{_spot(lon, lat)}", kind, lon, lat))
        return out

    def sections(self) -> list[Section]:
        """Return every edge as a section; its id is that of its railroad, ends and number among such."""
        noded = self._noded
        count: Counter[str] = Counter()
        out: list[Section] = []
        for edge in range(len(noded.edge_a)):
            a, b = self._anchors[int(noded.edge_a[edge])], self._anchors[int(noded.edge_b[edge])]
            inner = self._plane.degrees(shapely.get_coordinates(noded.edge_lines[edge]))[1:-1]
            railroad = self._railroads[int(noded.edge_railroad[edge])]
            ident = f"{railroad}--{min(a.id, b.id)}--{max(a.id, b.id)}"
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
            for pin in self._pins
            if pin.name or pin.id in named
        ]
        drawn = {pin.id for pin in self._pins}
        out += [
            NetworkMilepost(id=m.id, name=m.name, kind="dot", lon=m.lon, lat=m.lat, origin=Origin(how="generated"))
            for m in spaced.mileposts
            if m.anchor not in drawn
        ]
        first: dict[str, NetworkMilepost] = {}
        for milepost in out:
            other = first.setdefault(milepost.id, milepost)
            if other is not milepost:
                raise SourceError(
                    f"{milepost.origin.where}: mileposts {other.name!r} and {milepost.name!r} give the same id "
                    f"{milepost.id!r}; rename one"
                )
        return tuple(first[ident] for ident in sorted(first))

    def junctions(self) -> Iterator[NetworkJunction]:
        """Yield the junctions that the lines make."""
        noded = self._noded
        line_at: dict[int, int] = {}
        for end in (noded.edge_a, noded.edge_b):
            for edge, node in enumerate(end.tolist()):
                line_at.setdefault(node, int(noded.edge_source[edge]))
        for node, anchor in enumerate(self._anchors):
            if anchor.kind == "junction":
                railroad = self._railroads[int(noded.node_railroad[node])]
                yield NetworkJunction(
                    id=anchor.id,
                    railroad=railroad,
                    name=anchor.id,
                    lon=round(anchor.lon, 5),
                    lat=round(anchor.lat, 5),
                    origin=self._origin(line_at[node]),
                )

    def pieces(self, spaced: Spaced) -> Iterator[NetworkPiece]:
        """Yield the track pieces, cut at the mileposts that were placed."""
        renamed = {m.anchor: m.id for m in spaced.mileposts if m.anchor}
        by_id = {section.section: section for section in spaced.sections}
        count: Counter[str] = Counter(piece.id for piece in self._base.pieces)
        for edge, section in enumerate(self.sections()):
            cut = by_id[section.id]
            ends = [renamed.get(section.a.id, section.a.id), *cut.mileposts, renamed.get(section.b.id, section.b.id)]
            railroad = section.railroads[0]
            for (a, b), line in zip(pairwise(ends), cut.pieces, strict=True):
                way = line if a <= b else line[::-1]
                first, last = min(a, b), max(a, b)
                prefix = f"{railroad}--"
                ident = f"{prefix}{first.removeprefix(prefix)}--{last.removeprefix(prefix)}"
                count[ident] += 1
                yield NetworkPiece(
                    id=ident if count[ident] == 1 else f"{ident}--{count[ident]}",
                    railroad=railroad,
                    a=first,
                    b=last,
                    miles=round(line_miles(way), 2),
                    line=tuple((round(lon, 5), round(lat, 5)) for lon, lat in way),
                    origin=self._origin(int(self._noded.edge_source[edge])),
                )

    def notes(self, spaced: Spaced) -> Iterator[TraceNote]:
        """Yield what was repaired, what is ambiguous, what was left out, and what could not be named."""
        traced, noded = self._source.traced, self._noded
        where = self._plane.degrees(np.array([(r.x, r.y) for r in noded.repairs]).reshape(-1, 2))
        for repair, (lon, lat) in zip(noded.repairs, where, strict=True):
            feature = traced[repair.source].feature
            miles = repair.size / METRES_PER_MILE
            yield TraceNote(
                kind="repair",
                message=f"{feature}: {repair.kind} of {miles:.2f} miles was mended",
                feature=feature,
                lon=round(lon, 5),
                lat=round(lat, 5),
            )
        where = self._plane.degrees(np.array([(d.x, d.y) for d in noded.ambiguities]).reshape(-1, 2))
        for doubt, (lon, lat) in zip(noded.ambiguities, where, strict=True):
            features = sorted({traced[line].feature for line in doubt.lines})
            pin = self._pins[doubt.pin].name or self._pins[doubt.pin].id if doubt.pin >= 0 else ""
            what = f"{doubt.kind}{f' ({pin})' if pin else ''}"
            yield TraceNote(
                kind="ambiguity",
                message=f"{', '.join(features) or 'the lines'}: {what}; draw it clearly, or make snap_mi smaller",
                feature=features[0] if features else "",
                lon=round(lon, 5),
                lat=round(lat, 5),
            )
        for text in self._source.import_notes:
            yield TraceNote(kind="left out", message=text, feature=text.partition(":")[0])
        for note in spaced.notes:
            yield TraceNote(kind="spacing", message=note.message, feature="", lon=note.lon, lat=note.lat)


def as_array(points: object) -> Shapes:
    """Return geometries as an array, of one too."""
    return np.atleast_1d(np.asarray(points, dtype=object))


def _spot(lon: float, lat: float) -> str:
    """Return a place to a thousandth of a degree as part of an id: `121741w-38545n`."""
    east, north = round(lon * 1000), round(lat * 1000)
    return f"{abs(east)}{'e' if east >= 0 else 'w'}-{abs(north)}{'n' if north >= 0 else 's'}"


def _placed(source: Source) -> tuple[list[Sequence[Point]], list[Point]]:
    """Return lines and points in degrees, those in pixels placed by the control points."""
    drawn = [row.feature for row in source.traced if row.pixels] + [p.feature for p in source.pinned if p.pixels]
    if not drawn:
        return [line.line for line in source.traced], [(pin.x, pin.y) for pin in source.pinned]
    if not source.control_points:
        file = drawn[0]
        raise SourceError(f"{file}: a drawing in pixels needs control_points.csv; add it (x, y and lon, lat or city)")
    fit = georeference(
        source.control_points, model=source.config.tracing.georeference, projection=source.config.projection
    )

    def degrees(points: Sequence[Point], feature: str) -> list[Point]:
        try:
            return [(float(lon), float(lat)) for lon, lat in fit.to_lonlat(points)]
        except SourceError as error:
            raise SourceError(f"{feature}: {error}") from error

    lines: list[Sequence[Point]] = [
        degrees(line.line, line.feature) if line.pixels else line.line for line in source.traced
    ]
    return lines, [degrees([(pin.x, pin.y)], pin.feature)[0] if pin.pixels else (pin.x, pin.y) for pin in source.pinned]


def _new_pins(source: Source, known: Sequence[NetworkMilepost], points: Sequence[Point]) -> Iterator[NetworkMilepost]:
    """Yield drawn points that are no milepost yet; a nameless one has its place as id until it is named.

    A point with the name of a milepost, with or without its state, is that milepost.

    Raises:
        SourceError: A point lies at the very place of a milepost with another name.
    """
    names = {fold(name) for m in known for name in (m.name, without_state(m.name))}
    at = {_near(m.lon, m.lat): m.name for m in known}
    for pin, (lon, lat) in zip(source.pinned, points, strict=True):
        if pin.name and fold(pin.name) in names:
            continue
        other = at.setdefault(_near(lon, lat), pin.name)
        if other != pin.name:
            raise SourceError(
                f"{pin.feature}: milepost {pin.name!r} lies where {other or 'a nameless one'!r} lies; remove one, or "
                "give both the same name"
            )
        if pin.name:
            names.add(fold(pin.name))
        yield NetworkMilepost(
            id=slug(pin.name) or f"pin--{_spot(lon, lat)}",
            name=pin.name,
            kind="dot",
            lon=round(lon, 5),
            lat=round(lat, 5),
            origin=Origin(how="traced", file=pin.feature),
        )


def _near(lon: float, lat: float) -> tuple[int, int]:
    """Return a place to a hundred metres or less."""
    return round(lon * 1000), round(lat * 1000)
