"""Station lists become a network.

The lines of one railroad are laid together: a place that several of its lines name is one place, and a
stretch listed twice is one stretch. Mileposts stay mileposts. A via at which three or more arms of the
railroad meet is a junction (RB-C10); any other via only shapes the line. Between mileposts and junctions
lie the track pieces.

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
from mapkit.kinds.rail.trace.segments import segments_of
from mapkit.kinds.rail.trace.source import Source

_BRANCHES = 3
_REMEMBERED = 50_000  # pieces of track: an edit lays most of a railroad as it was


class Station(Protocol):
    """A place of a line, as a row of a station list has it."""

    @property
    def file(self) -> str:
        """Where it stands."""

    @property
    def row(self) -> int:
        """Its row there."""

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
        """The feature of a drawing that the line came from, or nothing."""


@dataclass
class LaidRailroad:
    """One railroad's places and stretches, as its station lists give them."""

    rows: dict[str, Station] = field(default_factory=dict)  # place -> first row that names it
    stretches: dict[frozenset[str], Station] = field(default_factory=dict)  # two places -> row of the later

    def neighbours(self) -> dict[str, list[str]]:
        """Return the places next to each place, sorted."""
        out: dict[str, list[str]] = defaultdict(list)
        for stretch in self.stretches:
            one, other = sorted(stretch)
            out[one].append(other)
            out[other].append(one)
        return {place: sorted(ends) for place, ends in out.items()}


def trace_stations(source: Source) -> Network:
    """Make the network of a source package's station lists; names are full place names.

    Every city gets its milepost, whether a line reaches it or not (the checks say so).

    Raises:
        SourceError: A place is milepost and via of one railroad, a line ends at a via, or two places
            give the same id.
    """
    railroads = gather_stations(source.stations)
    mileposts = station_mileposts(source.cities, source.stations)
    ids = {m.name: m.id for m in mileposts}
    names = {row.place: ids[row.place] for row in source.stations if row.kind == "milepost"}
    junctions: list[NetworkJunction] = []
    pieces: list[NetworkPiece] = []
    for railroad in sorted(railroads):
        own, own_pieces = lay_railroad(railroad, railroads[railroad], names)
        junctions.extend(own)
        pieces.extend(own_pieces)
    junctions.sort(key=lambda j: j.id)
    pieces.sort(key=lambda p: p.id)
    return Network(
        mileposts=tuple(mileposts),
        junctions=tuple(junctions),
        pieces=tuple(pieces),
        segments=segments_of(pieces, {j.id for j in junctions}),
    )


def gather_stations(rows: Iterable[Station]) -> dict[str, LaidRailroad]:
    """Return the places and stretches of each railroad (id).

    Raises:
        SourceError: A place is milepost and via of one railroad.
    """
    railroads: dict[str, LaidRailroad] = defaultdict(LaidRailroad)
    lines: dict[tuple[str, str, str], list[Station]] = defaultdict(list)
    for row in rows:
        first = railroads[row.railroad].rows.setdefault(row.place, row)
        if first.kind != row.kind:
            raise SourceError(
                f"{row.file}:{row.row}: {row.place!r} is a {row.kind} here, but a {first.kind} of "
                f"{row.railroad!r} at {first.file}:{first.row}; make it the same in both"
            )
        lines[row.railroad, row.file, row.line].append(row)
    for (railroad, _, _), stops in lines.items():
        for before, after in pairwise(stops):
            railroads[railroad].stretches.setdefault(frozenset((before.place, after.place)), after)
    return railroads


def station_mileposts(cities: Mapping[str, City], stations: Iterable[StationRow]) -> list[NetworkMilepost]:
    """Return every milepost, its `name` still the full place name."""
    out: dict[str, NetworkMilepost] = {}
    rows: dict[str, int] = {}
    for number, city in enumerate(cities.values(), start=2):
        rows.setdefault(city.milepost_name, number)
    for name, (lon, lat) in city_points(cities.values()).items():
        origin = Origin(how="table", file=CITIES, row=rows[name])
        out[name] = NetworkMilepost(id=slug(name), name=name, kind="city", lon=lon, lat=lat, origin=origin)
    for row in stations:
        if row.kind == "milepost" and row.place not in out:
            out[row.place] = NetworkMilepost(
                id=slug(row.place),
                name=row.place,
                kind="dot",
                lon=round(row.lon, 5),
                lat=round(row.lat, 5),
                origin=_origin(row),
            )
    return list(sorted_by_id(out.values()))


def sorted_by_id(mileposts: Iterable[NetworkMilepost]) -> tuple[NetworkMilepost, ...]:
    """Return mileposts in the order of their ids.

    Raises:
        SourceError: Two of them give the same id.
    """
    by_id: dict[str, NetworkMilepost] = {}
    for milepost in mileposts:
        other = by_id.setdefault(milepost.id, milepost)
        if other is not milepost:
            raise SourceError(
                f"{milepost.origin.where}: mileposts {other.name!r} and {milepost.name!r} give the same id "
                f"{milepost.id!r}; rename one"
            )
    return tuple(by_id[ident] for ident in sorted(by_id))


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
    neighbours = laid.neighbours()
    nodes: dict[str, str] = {}
    junctions: list[NetworkJunction] = []
    for place in sorted(neighbours):
        row = laid.rows[place]
        arms = len(neighbours[place])
        if row.kind == "milepost":
            nodes[place] = mileposts[place]
        elif arms >= _BRANCHES:
            nodes[place] = joined_id(railroad, _part(place))
            junctions.append(
                NetworkJunction(
                    id=nodes[place],
                    railroad=railroad,
                    name=place,
                    lon=round(row.lon, 5),
                    lat=round(row.lat, 5),
                    origin=_origin(row),
                )
            )
        elif arms == 1:
            raise SourceError(
                f"{row.file}:{row.row}: line {row.line!r} ends at {place!r}, which is a via; "
                "end it at a milepost, or join it to another line of the railroad"
            )
    return junctions, _cut(railroad, laid, neighbours, nodes)


def _part(place: str) -> str:
    """Return what stands for a place in ids; of a name without any Latin, Greek or Cyrillic letter its code points."""
    return slug(place) or "-".join(f"{ord(letter):x}" for letter in place)


def _cut(
    railroad: str, laid: LaidRailroad, neighbours: dict[str, list[str]], nodes: dict[str, str]
) -> list[NetworkPiece]:
    runs: list[list[str]] = []
    for start in sorted(nodes, key=lambda place: nodes[place]):
        for follow in neighbours[start]:
            run = [start, follow]
            while run[-1] not in nodes:
                one, other = neighbours[run[-1]]
                run.append(other if one == run[-2] else one)
            ends = (nodes[run[0]], nodes[run[-1]])
            if ends[0] < ends[1] or (ends[0] == ends[1] and run <= run[::-1]):
                runs.append(run)
    runs.sort(key=lambda run: (nodes[run[0]], nodes[run[-1]], len(run), run))
    count: Counter[str] = Counter()
    out: list[NetworkPiece] = []
    for run in runs:
        ident = joined_id(railroad, _part(run[0]), _part(run[-1]))
        count[ident] += 1
        line: tuple[Point, ...] = tuple(
            (round(laid.rows[place].lon, 5), round(laid.rows[place].lat, 5)) for place in run
        )
        origin = _origin(laid.stretches[frozenset(run[:2])])
        name = ident if count[ident] == 1 else f"{ident}--{count[ident]}"
        out.append(_piece(name, railroad, nodes[run[0]], nodes[run[-1]], line, origin))
    return out


@lru_cache(maxsize=_REMEMBERED)
def _piece(ident: str, railroad: str, a: str, b: str, line: tuple[Point, ...], origin: Origin) -> NetworkPiece:
    """Return a piece of track; the same object for the same track, so that what follows from it need not be redone."""
    miles = round(line_miles(line), 2)
    return NetworkPiece(id=ident, railroad=railroad, a=a, b=b, miles=miles, line=line, origin=origin)


def with_line(piece: NetworkPiece, line: tuple[Point, ...]) -> NetworkPiece:
    """Return a piece of track as it is where it runs elsewhere."""
    return _piece(piece.id, piece.railroad, piece.a, piece.b, line, piece.origin)


def _origin(row: Station) -> Origin:
    """Return where what a row gives came from."""
    found: Origin = _written(row.file, row.row, row.feature)
    return found


@lru_cache(maxsize=_REMEMBERED)
def _written(file: str, row: int, feature: str) -> Origin:
    how: Literal["traced", "station list"] = "traced" if feature else "station list"
    return Origin(how=how, file=file, row=row, feature=feature or None)
