"""Command that replaces the mileposts of lines by rule, see `mapkit.kinds.rail.trace.spacing.mileposts`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from pydantic import Field

from mapkit.core.base import Point
from mapkit.core.errors import MapkitError
from mapkit.core.names import fold
from mapkit.core.plurals import count_noun
from mapkit.geography.gazetteer import load_gazetteer
from mapkit.kinds.rail.commands import late
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.stops import check_lines, drop_unused_places, need_line, put_place, put_stops
from mapkit.kinds.rail.editing.config import land_plane_of
from mapkit.kinds.rail.editing.place_names import countries_of, finder_of, place_id
from mapkit.kinds.rail.sources.places import PlaceFinder, coordinate_name
from mapkit.kinds.rail.tables import City, Line, Stop


@command("lines", form="lines")
class RespaceLines(Command):
    """Replace the mileposts of lines by others, evenly about `gap_mi` miles apart, named after places beside the line.

    Cities, ends, junctions and mileposts that other lines share stay. The course of the lines stays: mileposts that
    go become bends.
    """

    kind: Literal["respace-lines"] = "respace-lines"
    lines: tuple[str, ...] = Field(min_length=1, max_length=1000)
    gap_mi: float = Field(ge=0.5, le=1000)
    reach_mi: float = Field(default=5.0, gt=0, le=100)
    many: bool = Field(default=False, description="Place more than 1,000 mileposts")

    def edit(self, draft: Draft) -> str:
        """Replace the mileposts of the lines."""
        line_ids = tuple(dict.fromkeys(self.lines))
        milepost_count = _respace_lines(draft, line_ids, gap_mi=self.gap_mi, reach_mi=self.reach_mi, many=self.many)
        count_text = count_noun(milepost_count, "milepost")
        line_text = need_line(draft, line_ids[0]).name if len(line_ids) == 1 else count_noun(len(line_ids), "line")
        return f"Space {line_text} about every {self.gap_mi:g} miles ({count_text})"


def _respace_lines(draft: Draft, lines: Sequence[str], *, gap_mi: float, reach_mi: float, many: bool = False) -> int:
    """Replace the mileposts of lines; return the number of new ones.

    Args:
        draft: The document.
        lines: Ids of lines; stretches that they share are spaced once.
        gap_mi: Target gap, miles.
        reach_mi: How far off a line a place gives its name, miles.
        many: Whether more may be placed than boards have.

    Raises:
        CommandError: A line is not there, or cannot be spaced.
    """
    line_ids = list(dict.fromkeys(lines))
    anchors = _Anchors(draft, line_ids)
    try:
        line_stretches = [
            stretch_of_line for ident in line_ids for stretch_of_line in _split_line(draft, ident, anchors)
        ]
        spaced_network = late.space_mileposts(
            [stretch.section() for stretch in line_stretches],
            rule=late.SpacingRule(miles=gap_mi, reach_miles=reach_mi),
            gazetteer_places=load_gazetteer(countries_of(draft.document)).places(),
            taken_names=sorted(anchors.names),
            cities=[(c.region, c.lon, c.lat) for c in draft.rows("cities", City).values()],
            is_invented=land_plane_of(draft.document) is not None,
            many=many,
        )
    except (MapkitError, ValueError) as error:
        raise CommandError(f"the line cannot be spaced: {error}") from error
    name_by_id = {m.id: m.name for m in spaced_network.mileposts}
    for milepost in spaced_network.mileposts:
        put_place(draft, milepost.name, milepost.lon, milepost.lat)
    section_by_id = {section.section: section for section in spaced_network.sections}
    places_before = [place for ident in line_ids for place, _ in need_line(draft, ident).stops]
    for ident in line_ids:
        new_stops: list[Stop] = []
        for stretch in (stretch_of_line for stretch_of_line in line_stretches if stretch_of_line.line == ident):
            section = section_by_id[stretch.ident]
            new_stops += stretch.make_stops([name_by_id[m] for m in section.mileposts], section.pieces)
        line = need_line(draft, ident)
        put_stops(draft, ident, [*new_stops, line.stops[-1]])
    drop_unused_places(draft, places_before)
    check_lines(draft, {need_line(draft, ident).railroad for ident in line_ids})
    return len(name_by_id)


class _Anchors:
    """Places that stay: cities, ends, junctions, and places of other lines."""

    def __init__(self, draft: Draft, chosen: list[str]) -> None:
        self.finder: PlaceFinder = finder_of(draft.document)
        lines = draft.rows("lines", Line)
        self.kept: set[str] = {fold(text) for c in draft.rows("cities", City).values() for text in (c.name, c.milepost)}
        self.names: set[str] = {c.name for c in draft.rows("cities", City).values()}
        neighbours_by_place: dict[tuple[str, str], set[str]] = {}
        for line_id, line in lines.items():
            place_ids = [place_id(place) for place, _ in line.stops]
            self.kept |= {place_ids[0], place_ids[-1]}
            self.names |= {place for place, kind in line.stops if kind == "via" and not place.startswith("@")}
            if line_id not in chosen:
                self.kept |= {
                    ident for ident, (_, kind) in zip(place_ids, line.stops, strict=True) if kind == "milepost"
                }
                self.names |= {place for place, _ in line.stops if not place.startswith("@")}
            for first_id, next_id in pairwise(place_ids):
                neighbours_by_place.setdefault((line.railroad, first_id), set()).add(next_id)
                neighbours_by_place.setdefault((line.railroad, next_id), set()).add(first_id)
        self.kept |= {ident for (_, ident), neighbour_ids in neighbours_by_place.items() if len(neighbour_ids) > 2}  # noqa: PLR2004 - a junction
        self.names |= {place for place in draft.table("places") if fold(place) in self.kept}

    def point(self, place: str) -> Point:
        _, lon, lat = self.finder.find(place)
        return lon, lat


@dataclass(frozen=True)
class _Stretch:
    """Part of a line from one place that stays to the next."""

    line: str
    ident: str
    railroad: str
    stops: tuple[Stop, ...]
    points: tuple[Point, ...]

    def section(self) -> "late.Section":
        end_anchors = []
        for index in (0, -1):
            place, kind = self.stops[index]
            lon, lat = self.points[index]
            is_via = kind == "via"
            end_anchors.append(
                late.Anchor(
                    id=place_id(place),
                    kind="junction" if is_via else "milepost",
                    lon=lon,
                    lat=lat,
                    name="" if is_via else place,
                )
            )
        return late.Section(
            id=self.ident, a=end_anchors[0], b=end_anchors[1], line=self.points, railroads=(self.railroad,)
        )

    def make_stops(self, names: list[str], pieces: tuple[tuple[Point, ...], ...]) -> list[Stop]:
        """Return the stops without the last: the first, bends, and new mileposts between the pieces."""
        bends = iter(self.stops[1:-1])
        new_stops: list[Stop] = [self.stops[0]]
        for number, piece in enumerate(pieces):
            for _ in piece[1:-1]:
                place, kind = next(bends)
                new_stops.append((place if kind == "via" else self.bend(place), "via"))
            if number < len(names):
                new_stops.append((names[number], "milepost"))
        return new_stops

    def bend(self, place: str) -> str:
        """Return the coordinates of a place as its name."""
        stop_index = next(n for n, (name, _) in enumerate(self.stops) if name == place)
        return coordinate_name(*self.points[stop_index])


def _split_line(draft: Draft, ident: str, anchors: _Anchors) -> Iterator[_Stretch]:
    line = need_line(draft, ident)
    anchor_indices = [n for n, (place, _) in enumerate(line.stops) if place_id(place) in anchors.kept]
    stretch_counts: Counter[str] = Counter()
    for a, b in pairwise(anchor_indices):
        stops = line.stops[a : b + 1]
        stretch_counts[ident] += 1
        points = tuple(anchors.point(place) for place, _ in stops)
        yield _Stretch(ident, f"{ident}:{stretch_counts[ident]:04}", line.railroad, stops, points)
