"""Mileposts of a document's lines placed again by rule, see `mapkit.kinds.rail.trace.spacing.mileposts`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from mapkit.core.base import Point
from mapkit.core.errors import MapkitError
from mapkit.core.names import fold
from mapkit.geography.gazetteer import load_gazetteer
from mapkit.kinds.rail.commands.command import CommandError, Draft
from mapkit.kinds.rail.commands.stops import check_lines, drop_unused_places, line_of, put_place, put_stops
from mapkit.kinds.rail.editing.place_names import countries_of, finder_of, place_id
from mapkit.kinds.rail.sources.places import PlaceFinder, coordinate_name
from mapkit.kinds.rail.tables import City, Line, Stop
from mapkit.kinds.rail.trace.spacing.mileposts import Anchor, Section, SpacingRule, space_mileposts


def respace(draft: Draft, lines: Sequence[str], *, gap_mi: float, reach_mi: float, many: bool = False) -> int:
    """Replace the mileposts of lines; return how many were placed.

    Args:
        draft: The document.
        lines: Ids of lines; stretches that they share are spaced once.
        gap_mi: Target gap, miles.
        reach_mi: How far off a line a place gives its name, miles.
        many: Whether more may be placed than boards have.

    Raises:
        CommandError: A line is not there, or cannot be spaced.
    """
    chosen = list(dict.fromkeys(lines))
    anchors = _Anchors(draft, chosen)
    try:
        stretches = [one for ident in chosen for one in _stretches(draft, ident, anchors)]
        spaced = space_mileposts(
            [stretch.section() for stretch in stretches],
            rule=SpacingRule(miles=gap_mi, reach_miles=reach_mi),
            gazetteer_places=load_gazetteer(countries_of(draft.document)).places(),
            taken_names=sorted(anchors.names),
            cities=[(c.region, c.lon, c.lat) for c in draft.rows("cities", City).values()],
            many=many,
        )
    except (MapkitError, ValueError) as error:
        raise CommandError(f"the line cannot be spaced: {error}") from error
    names = {m.id: m.name for m in spaced.mileposts}
    for milepost in spaced.mileposts:
        put_place(draft, milepost.name, milepost.lon, milepost.lat)
    found = {section.section: section for section in spaced.sections}
    before = [place for ident in chosen for place, _ in line_of(draft, ident).stops]
    for ident in chosen:
        stops: list[Stop] = []
        for stretch in (one for one in stretches if one.line == ident):
            section = found[stretch.ident]
            stops += stretch.spaced([names[m] for m in section.mileposts], section.pieces)
        line = line_of(draft, ident)
        put_stops(draft, ident, [*stops, line.stops[-1]])
    drop_unused_places(draft, before)
    check_lines(draft, {line_of(draft, ident).railroad for ident in chosen})
    return len(names)


class _Anchors:
    """Which places stay: cities, ends, junctions, and what other lines name."""

    def __init__(self, draft: Draft, chosen: list[str]) -> None:
        self.finder: PlaceFinder = finder_of(draft.document)
        lines = draft.rows("lines", Line)
        self.kept: set[str] = {fold(text) for c in draft.rows("cities", City).values() for text in (c.name, c.milepost)}
        self.names: set[str] = {c.name for c in draft.rows("cities", City).values()}
        arms: dict[tuple[str, str], set[str]] = {}
        for key, line in lines.items():
            ids = [place_id(place) for place, _ in line.stops]
            self.kept |= {ids[0], ids[-1]}
            self.names |= {place for place, kind in line.stops if kind == "via" and not place.startswith("@")}
            if key not in chosen:
                self.kept |= {ident for ident, (_, kind) in zip(ids, line.stops, strict=True) if kind == "milepost"}
                self.names |= {place for place, _ in line.stops if not place.startswith("@")}
            for one, other in pairwise(ids):
                arms.setdefault((line.railroad, one), set()).add(other)
                arms.setdefault((line.railroad, other), set()).add(one)
        self.kept |= {ident for (_, ident), others in arms.items() if len(others) > 2}  # noqa: PLR2004 - a junction
        self.names |= {key for key in draft.table("places") if fold(key) in self.kept}

    def point(self, place: str) -> Point:
        _, lon, lat = self.finder.find(place)
        return lon, lat


@dataclass(frozen=True)
class _Stretch:
    """A line from one place that stays to the next."""

    line: str
    ident: str
    railroad: str
    stops: tuple[Stop, ...]
    points: tuple[Point, ...]

    def section(self) -> Section:
        ends = []
        for index in (0, -1):
            place, kind = self.stops[index]
            lon, lat = self.points[index]
            via = kind == "via"
            ends.append(
                Anchor(
                    id=place_id(place),
                    kind="junction" if via else "milepost",
                    lon=lon,
                    lat=lat,
                    name="" if via else place,
                )
            )
        return Section(id=self.ident, a=ends[0], b=ends[1], line=self.points, railroads=(self.railroad,))

    def spaced(self, names: list[str], pieces: tuple[tuple[Point, ...], ...]) -> list[Stop]:
        """Return the stops without the last: the first, bends, and new mileposts between the pieces."""
        bends = iter(self.stops[1:-1])
        out: list[Stop] = [self.stops[0]]
        for number, piece in enumerate(pieces):
            for _ in piece[1:-1]:
                place, kind = next(bends)
                out.append((place if kind == "via" else self.bend(place), "via"))
            if number < len(names):
                out.append((names[number], "milepost"))
        return out

    def bend(self, place: str) -> str:
        """Return a place as coordinates."""
        index = next(n for n, (name, _) in enumerate(self.stops) if name == place)
        return coordinate_name(*self.points[index])


def _stretches(draft: Draft, ident: str, anchors: _Anchors) -> Iterator[_Stretch]:
    line = line_of(draft, ident)
    spots = [n for n, (place, _) in enumerate(line.stops) if place_id(place) in anchors.kept]
    seen: Counter[str] = Counter()
    for a, b in pairwise(spots):
        stops = line.stops[a : b + 1]
        seen[ident] += 1
        points = tuple(anchors.point(place) for place, _ in stops)
        yield _Stretch(ident, f"{ident}:{seen[ident]:04}", line.railroad, stops, points)
