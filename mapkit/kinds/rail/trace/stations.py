"""Conversion of station lists to a network.

The lines of one railroad are merged: a place named by several of its lines is one place, and a stretch
listed twice is one stretch. Mileposts stay mileposts. A via at which three or more arms of the railroad
meet is a junction (RB-C10); any other via only shapes the line. Track pieces are the track between
mileposts and junctions.

```
   A ---- v ---- B        A, B, C mileposts; v named by both lines of the railroad: a junction,
          |               three pieces A-v, v-B, v-C and three segments A-B, A-C, B-C
          C
```
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Literal, Protocol

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.core.geodesy import line_miles
from mapkit.core.names import joined_id, slug
from mapkit.kinds.rail.model.network import (
    Network,
    NetworkJunction,
    NetworkMilepost,
    NetworkPiece,
    Origin,
)
from mapkit.kinds.rail.model.source import StationRow
from mapkit.kinds.rail.sources.places import city_points
from mapkit.kinds.rail.sources.table_files import CITIES
from mapkit.kinds.rail.tables import City
from mapkit.kinds.rail.trace.segments import make_segments
from mapkit.kinds.rail.trace.source import Source

_MIN_BRANCHES = 3
_CACHED_PIECES = 50_000  # pieces of track: most of a railroad is the same after an edit


class Station(Protocol):
    """Place of a line, as a row of a station list."""

    @property
    def file(self) -> str:
        """Station list of the row."""

    @property
    def row(self) -> int:
        """Number of the row."""

    @property
    def railroad(self) -> str:
        """Id of the railroad."""

    @property
    def line(self) -> str:
        """Name of the line."""

    @property
    def place(self) -> str:
        """Full name of the place."""

    @property
    def kind(self) -> str:
        """`milepost` or `via`."""

    @property
    def lon(self) -> float:
        """Longitude in degrees."""

    @property
    def lat(self) -> float:
        """Latitude in degrees."""

    @property
    def feature(self) -> str:
        """Drawn feature that the line came from, or ""."""


@dataclass
class LaidRailroad:
    """Places and stretches of one railroad, from its station lists."""

    rows: dict[str, Station] = field(default_factory=dict)  # place -> its first row
    stretches: dict[frozenset[str], Station] = field(default_factory=dict)  # two places -> row of the later

    def neighbours(self) -> dict[str, list[str]]:
        """Return the places next to each place, sorted."""
        neighbours_by_place: dict[str, list[str]] = defaultdict(list)
        for stretch in self.stretches:
            first_place, second_place = sorted(stretch)
            neighbours_by_place[first_place].append(second_place)
            neighbours_by_place[second_place].append(first_place)
        return {place: sorted(ends) for place, ends in neighbours_by_place.items()}


def trace_stations(source: Source) -> Network:
    """Make the network of a source package's station lists; names are full place names.

    Every city gets its milepost, even if no line reaches it, which the checks report.

    Raises:
        SourceError: A place is milepost and via of one railroad, a line ends at a via, or two places
            give the same id.
    """
    railroads = gather_stations(source.stations)
    mileposts = station_mileposts(source.cities, source.stations)
    id_by_name = {m.name: m.id for m in mileposts}
    id_by_milepost = {row.place: id_by_name[row.place] for row in source.stations if row.kind == "milepost"}
    junctions: list[NetworkJunction] = []
    pieces: list[NetworkPiece] = []
    for railroad in sorted(railroads):
        own_junctions, own_pieces = lay_railroad(railroad, railroads[railroad], id_by_milepost)
        junctions.extend(own_junctions)
        pieces.extend(own_pieces)
    junctions.sort(key=lambda j: j.id)
    pieces.sort(key=lambda p: p.id)
    return Network(
        mileposts=tuple(mileposts),
        junctions=tuple(junctions),
        pieces=tuple(pieces),
        segments=make_segments(pieces, {j.id for j in junctions}),
    )


def gather_stations(rows: Iterable[Station]) -> dict[str, LaidRailroad]:
    """Return the places and stretches of each railroad (id).

    Raises:
        SourceError: A place is milepost and via of one railroad.
    """
    laid_railroads: dict[str, LaidRailroad] = defaultdict(LaidRailroad)
    stations_by_line: dict[tuple[str, str, str], list[Station]] = defaultdict(list)
    for row in rows:
        first_row = laid_railroads[row.railroad].rows.setdefault(row.place, row)
        if first_row.kind != row.kind:
            raise SourceError(
                f"{row.file}:{row.row}: {row.place!r} is a {row.kind} here, but a {first_row.kind} of "
                f"{row.railroad!r} at {first_row.file}:{first_row.row}; make it the same in both"
            )
        stations_by_line[row.railroad, row.file, row.line].append(row)
    for (railroad, _, _), line_stations in stations_by_line.items():
        for previous, following in pairwise(line_stations):
            laid_railroads[railroad].stretches.setdefault(frozenset((previous.place, following.place)), following)
    return laid_railroads


def station_mileposts(cities: Mapping[str, City], stations: Iterable[StationRow]) -> list[NetworkMilepost]:
    """Return every milepost, its `name` still the full place name."""
    milepost_by_name: dict[str, NetworkMilepost] = {}
    row_by_milepost: dict[str, int] = {}
    for number, city in enumerate(cities.values(), start=2):
        row_by_milepost.setdefault(city.milepost_name, number)
    for name, (lon, lat) in city_points(cities.values()).items():
        origin = Origin(how="table", file=CITIES, row=row_by_milepost[name])
        milepost_by_name[name] = NetworkMilepost(id=slug(name), name=name, kind="city", lon=lon, lat=lat, origin=origin)
    for row in stations:
        if row.kind == "milepost" and row.place not in milepost_by_name:
            milepost_by_name[row.place] = NetworkMilepost(
                id=slug(row.place),
                name=row.place,
                kind="dot",
                lon=round(row.lon, 5),
                lat=round(row.lat, 5),
                origin=_row_origin(row),
            )
    return list(sorted_by_id(milepost_by_name.values()))


def sorted_by_id(mileposts: Iterable[NetworkMilepost]) -> tuple[NetworkMilepost, ...]:
    """Return mileposts in the order of their ids.

    Raises:
        SourceError: Two of them give the same id.
    """
    milepost_by_id: dict[str, NetworkMilepost] = {}
    for milepost in mileposts:
        same_id_milepost = milepost_by_id.setdefault(milepost.id, milepost)
        if same_id_milepost is not milepost:
            raise SourceError(
                f"{milepost.origin.where}: mileposts {same_id_milepost.name!r} and {milepost.name!r} give the same id "
                f"{milepost.id!r}; rename one"
            )
    return tuple(milepost_by_id[ident] for ident in sorted(milepost_by_id))


def lay_railroad(
    railroad: str, laid: LaidRailroad, mileposts: dict[str, str]
) -> tuple[list[NetworkJunction], list[NetworkPiece]]:
    """Find the junctions of one railroad and cut its lines into pieces at mileposts and junctions.

    Args:
        railroad: Its id.
        laid: Its places and stretches.
        mileposts: Ids of mileposts by their places.

    Raises:
        SourceError: A line ends at a via.
    """
    neighbours_by_place = laid.neighbours()
    node_by_place: dict[str, str] = {}
    junctions: list[NetworkJunction] = []
    for place in sorted(neighbours_by_place):
        row = laid.rows[place]
        arm_count = len(neighbours_by_place[place])
        if row.kind == "milepost":
            node_by_place[place] = mileposts[place]
        elif arm_count >= _MIN_BRANCHES:
            node_by_place[place] = joined_id(railroad, _id_part(place))
            junctions.append(
                NetworkJunction(
                    id=node_by_place[place],
                    railroad=railroad,
                    name=place,
                    lon=round(row.lon, 5),
                    lat=round(row.lat, 5),
                    origin=_row_origin(row),
                )
            )
        elif arm_count == 1:
            raise SourceError(
                f"{row.file}:{row.row}: line {row.line!r} ends at {place!r}, which is a via; "
                "end it at a milepost, or join it to another line of the railroad"
            )
    return junctions, _cut_into_pieces(railroad, laid, neighbours_by_place, node_by_place)


def _id_part(place: str) -> str:
    """Return the part of ids for a place: its slug, or code points if it has no letters for one."""
    return slug(place) or "-".join(f"{ord(letter):x}" for letter in place)


def _cut_into_pieces(
    railroad: str, laid: LaidRailroad, neighbours: dict[str, list[str]], nodes: dict[str, str]
) -> list[NetworkPiece]:
    runs: list[list[str]] = []
    for start in sorted(nodes, key=lambda place: nodes[place]):
        for next_place in neighbours[start]:
            run_places = [start, next_place]
            while run_places[-1] not in nodes:
                neighbour_a, neighbour_b = neighbours[run_places[-1]]
                run_places.append(neighbour_b if neighbour_a == run_places[-2] else neighbour_a)
            end_nodes = (nodes[run_places[0]], nodes[run_places[-1]])
            if end_nodes[0] < end_nodes[1] or (end_nodes[0] == end_nodes[1] and run_places <= run_places[::-1]):
                runs.append(run_places)
    runs.sort(key=lambda run: (nodes[run[0]], nodes[run[-1]], len(run), run))
    id_counts: Counter[str] = Counter()
    track_pieces: list[NetworkPiece] = []
    for run_places in runs:
        ident = joined_id(railroad, _id_part(run_places[0]), _id_part(run_places[-1]))
        id_counts[ident] += 1
        line: tuple[Point, ...] = tuple(
            (round(laid.rows[place].lon, 5), round(laid.rows[place].lat, 5)) for place in run_places
        )
        origin = _row_origin(laid.stretches[frozenset(run_places[:2])])
        piece_id = ident if id_counts[ident] == 1 else f"{ident}--{id_counts[ident]}"
        track_pieces.append(_make_piece(piece_id, railroad, nodes[run_places[0]], nodes[run_places[-1]], line, origin))
    return track_pieces


@lru_cache(maxsize=_CACHED_PIECES)
def _make_piece(ident: str, railroad: str, a: str, b: str, line: tuple[Point, ...], origin: Origin) -> NetworkPiece:
    """Return a piece of track; cached, so that results derived from it are cached too."""
    miles = round(line_miles(line), 2)
    return NetworkPiece(id=ident, railroad=railroad, a=a, b=b, miles=miles, line=line, origin=origin)


def _row_origin(row: Station) -> Origin:
    """Return the origin of a row's data."""
    row_origin: Origin = _make_origin(row.file, row.row, row.feature)
    return row_origin


@lru_cache(maxsize=_CACHED_PIECES)
def _make_origin(file: str, row: int, feature: str) -> Origin:
    origin_kind: Literal["traced", "station list"] = "traced" if feature else "station list"
    return Origin(how=origin_kind, file=file, row=row, feature=feature or None)
