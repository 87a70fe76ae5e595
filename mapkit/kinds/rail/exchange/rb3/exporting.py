"""A board as an RB3 file, and what of the board the file does not hold."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeVar

import numpy as np

from mapkit.core.base import Point
from mapkit.core.errors import ExportError
from mapkit.core.names import slug
from mapkit.kinds.rail.exchange.rb3.chances import MADE_UP, outcomes, percents
from mapkit.kinds.rail.exchange.rb3.cities import PENS, MergedCities, merged_cities, sign_code
from mapkit.kinds.rail.exchange.rb3.frame import RB3Frame
from mapkit.kinds.rail.exchange.rb3.lines import Edge, Node, Place, edge, polylines, shared_shifts
from mapkit.kinds.rail.exchange.rb3.losses import losses
from mapkit.kinds.rail.exchange.rb3.model import (
    CITY_DOT,
    DOT,
    EDITOR,
    JUNCTION,
    MAX_DOTS,
    NAMED,
    ORDER,
    Dot,
    Dots,
    Raw,
    RB3City,
    RB3File,
    RB3Point,
    RB3Railroad,
    RB3Region,
    RB3Route,
)
from mapkit.kinds.rail.exchange.rb3.scenery import scenery
from mapkit.kinds.rail.exchange.rb3.settling import settled
from mapkit.kinds.rail.exchange.rb3.sides import label_hints
from mapkit.kinds.rail.exchange.rb3.text import number_text
from mapkit.kinds.rail.model.board import REGIONS, Board, Junction, Milepost
from mapkit.kinds.rail.network.region_of import milepost_regions

Dotted = TypeVar("Dotted", Milepost, Junction)

_STEP: Final = 0.5
_COLOURS16: Final = (
    (0, 0, 0), (0, 0, 170), (0, 170, 0), (0, 170, 170), (170, 0, 0), (170, 0, 170), (170, 85, 0), (170, 170, 170),
    (85, 85, 85), (85, 85, 255), (85, 255, 85), (85, 255, 255), (255, 85, 85), (255, 85, 255), (255, 255, 85),
    (255, 255, 255),
)  # fmt: skip
"""The text palette of old PCs, red, green, blue."""


def board_to_rb3(board: Board, *, straight: bool = False) -> tuple[RB3File, tuple[str, ...]]:
    """Return a board as an RB3 file, and what of it is lost.

    Mileposts become dots of the region of the nearest city, track pieces steps of routes, twins one city.

    Args:
        board: The board.
        straight: Write a segment that runs through junctions as one step; by default junctions are dots of colour 13,
            and the track between them steps.

    Raises:
        ExportError: RB3 cannot hold the board.
    """
    cities = merged_cities(board)
    frame = RB3Frame.of_board(board)
    here, places_of = settled_board(board, frame, straight=straight)
    nodes = dot_numbers(here, cities, places_of)
    places = {nodes[ident]: place for ident, place in places_of.items()}
    edges = railroad_edges(here, nodes, straight=straight)
    shifts = shared_shifts(edges, places)
    chances = _chances(board, cities)
    hints = label_hints({city.milepost: city.name for city in cities}, places_of, frame.width)
    index = {milepost: n for n, milepost in enumerate(dict.fromkeys(c.milepost for c in cities), 1)}
    rb3 = RB3File(
        header=_header(board, frame, cities=len(cities)),
        regions=tuple(
            RB3Region(r.name, r.short, percent) for r, percent in zip(board.regions, chances[REGIONS], strict=True)
        ),
        region_keys=(),
        cities=tuple(
            RB3City(
                city.name, region.short, percent, index[city.milepost], nodes[city.milepost][1], hints[city.milepost]
            )
            for region in board.regions
            for city, percent in zip(
                (city for city in cities if city.region == region.id), chances[region.id], strict=True
            )
        ),
        railroads=tuple(_railroads(here)),
        dots=_dots(here, nodes, places, edges),
        routes=tuple(
            RB3Route(railroad.short, _lines(railroad.name, own, places, _own(shifts, n)))
            for n, (railroad, own) in enumerate(zip(here.railroads, edges, strict=True))
        ),
        payoffs=_payoffs(board, cities),
        other=_sections(here, frame, places_of),
    )
    return rb3, losses(board, rb3, frame, cities, edges, straight=straight)


def settled_board(board: Board, frame: RB3Frame, *, straight: bool) -> tuple[Board, dict[str, Place]]:
    """Return the board with all dots on whole map units, railroads by their marks; and the units of each dot (id).

    Whatever follows from places follows from these, so that a map that was read and is written again is the same.
    """
    dots: tuple[Milepost | Junction, ...] = (*board.mileposts, *(() if straight else board.junctions))
    units = frame.to_units([(dot.lon, dot.lat) for dot in dots])
    if not np.isfinite(units).all():
        bad = next(dot.id for dot, at in zip(dots, units, strict=True) if not np.isfinite(at).all())
        raise ExportError(f"RB3: {bad!r} has no place in the board's projection; correct it, or choose another")
    places = settled({dot.id: (x, y) for dot, (x, y) in zip(dots, units.tolist(), strict=True)})
    lonlat = dict(zip(places, frame.to_degrees(list(places.values())), strict=True))
    here = board.model_copy(
        update={
            "mileposts": tuple(_at(m, lonlat[m.id]) for m in board.mileposts),
            "railroads": tuple(sorted(board.railroads, key=lambda r: (slug(r.short), r.id))),
            "junctions": () if straight else tuple(_at(j, lonlat[j.id]) for j in board.junctions),
        }
    )
    return here, places


def _at(dot: Dotted, lonlat: Point) -> Dotted:
    return dot.model_copy(update={"lon": lonlat[0], "lat": lonlat[1]})


def dot_numbers(board: Board, cities: Sequence[MergedCities], places: Mapping[str, Place]) -> dict[str, Node]:
    """Return region and dot of every milepost and junction that has a place.

    In each region cities come first, in the order of the payoff chart, then dots, then junctions, both from left to
    right.

    Raises:
        ExportError: A region has more than 999.
    """
    number = {region.id: n for n, region in enumerate(board.regions, 1)}
    region = _regions(board, cities)
    own = [city.milepost for city in cities]
    ranks = {j.id: 1 for j in board.junctions} | {m.id: 0 for m in board.mileposts}
    others = sorted(places.keys() - set(own), key=lambda ident: (ranks[ident], places[ident], ident))
    taken = dict.fromkeys(number.values(), 0)
    out: dict[str, Node] = {}
    for ident in (*own, *others):
        n = number[region[ident]]
        taken[n] += 1
        out[ident] = (n, taken[n])
    for n, count in taken.items():
        if count > MAX_DOTS:
            raise ExportError(
                f"RB3: region {board.regions[n - 1].name!r} has {count} mileposts and junctions; RB3 holds {MAX_DOTS} "
                "a region. Divide the region, or use fewer mileposts"
            )
    return out


def _regions(board: Board, cities: Sequence[MergedCities]) -> Mapping[str, str]:
    """Return the region of every milepost and junction: a junction is like a milepost without a city."""
    junctions = (Milepost(id=j.id, name=j.id, kind="dot", lon=j.lon, lat=j.lat, x=j.x, y=j.y) for j in board.junctions)
    first = [city.cities[0] for city in cities]
    return milepost_regions(first, {m.id: m for m in (*board.mileposts, *junctions)})


def _sections(board: Board, frame: RB3Frame, places: Mapping[str, Place]) -> tuple[Raw, ...]:
    """Return the sections that are kept as text, in the order of a file."""
    found = (Raw("info", frame.info()), *scenery(board, frame, places))
    return tuple(sorted(found, key=lambda raw: ORDER.index(raw.name)))


def railroad_edges(board: Board, nodes: Mapping[str, Node], *, straight: bool) -> list[frozenset[Edge]]:
    """Return the pairs of dots that each railroad joins, in the order of the railroads."""
    out: dict[str, set[Edge]] = {railroad.id: set() for railroad in board.railroads}
    for track in board.segments if straight else board.pieces:
        if track.a != track.b:
            out[track.railroad].add(edge(nodes[track.a], nodes[track.b]))
    return [frozenset(out[railroad.id]) for railroad in board.railroads]


def _own(shifts: Mapping[tuple[int, Edge], int], index: int) -> dict[Edge, int]:
    return {pair: shift for (whose, pair), shift in shifts.items() if whose == index}


def _lines(
    name: str, own: frozenset[Edge], places: Mapping[Node, Place], shifts: Mapping[Edge, int]
) -> tuple[tuple[RB3Point, ...], ...]:
    if not own:
        raise ExportError(f"RB3: railroad {name!r} has no segment; give it a line or remove it")
    return polylines(own, places, shifts)


def _dots(
    board: Board, nodes: Mapping[str, Node], places: Mapping[Node, Place], edges: Sequence[frozenset[Edge]]
) -> tuple[Dots, ...]:
    """Return the dots of the regions; each railroad's mark stands beside one that is its alone, if it has one."""
    colours = {nodes[m.id]: CITY_DOT if m.kind == "city" else DOT for m in board.mileposts}
    colours |= {nodes[junction.id]: JUNCTION for junction in board.junctions if junction.id in nodes}
    users: dict[Node, set[int]] = defaultdict(set)
    for n, own in enumerate(edges):
        for pair in own:
            for node in pair:
                users[node].add(n)
    for n in range(len(edges)):
        alone = sorted(node for node, whose in users.items() if whose == {n} and colours[node] == DOT)
        if alone:
            colours[alone[len(alone) // 2]] = DOT + NAMED
    out: dict[int, list[Dot]] = {n: [] for n in range(1, len(board.regions) + 1)}
    for node in sorted(colours):
        out[node[0]].append(Dot(*places[node], colours[node]))
    return tuple(Dots("9", EDITOR, "D", tuple(dots)) for _, dots in sorted(out.items()))


def _chances(board: Board, cities: Sequence[MergedCities]) -> dict[str, tuple[float, ...]]:
    """Return percentages by chart, regions and cities in the order in which they are written."""
    out: dict[str, tuple[float, ...]] = {}
    charts: list[tuple[str, str, list[tuple[str, ...]]]] = [(REGIONS, "regions", [(r.id,) for r in board.regions])]
    for r in board.regions:
        groups = [tuple(c.id for c in m.cities) for m in cities if m.region == r.id]
        if not groups:
            raise ExportError(f"RB3: region {r.name!r} has no city; give it one or remove it")
        charts.append((r.id, r.name, groups))
    for chart, name, members in charts:
        if chart not in board.destinations:
            raise ExportError(f"RB3: there is no destination chart of {name}; fill it in")
        parts = outcomes(board.destinations[chart], name)
        strangers = sorted(set(parts) - {ident for group in members for ident in group})
        if strangers:
            raise ExportError(f"RB3: the destination chart of {name} leads to {strangers[0]!r}, which is not in it")
        out[chart] = percents([sum(parts[ident] for ident in group) for group in members])
    return out


def _header(board: Board, frame: RB3Frame, *, cities: int) -> tuple[tuple[str, str], ...]:
    values = {
        "game": "Rail Baron",
        "name": board.title,
        "version": "1.0",
        "by": "; ".join(credit for credit in board.provenance.credits if credit != MADE_UP),
        "copyright": "" if board.provenance.licence == "unknown" else board.provenance.licence,
        "description": "",
        "scalel": "0",
        "scalet": "0",
        "scalew": number_text(frame.width),
        "scaleh": number_text(frame.height),
        "minver": "3.8",
        "regions": str(len(board.regions)),
        "rrs": str(len(board.railroads)),
        "cities": str(cities),
    }
    return (*values.items(), ("cashchar", str(sign_code(board.units.symbol) or ord("$"))))


def _railroads(board: Board) -> Iterator[RB3Railroad]:
    for railroad in board.railroads:
        red, green, blue = (int(railroad.style.colour[k : k + 2], 16) for k in (1, 3, 5))
        near = min(
            range(len(_COLOURS16)),
            key=lambda n: sum((a - b) ** 2 for a, b in zip(_COLOURS16[n], (red, green, blue), strict=True)),
        )
        pen = PENS.get(railroad.style.pattern, 0)
        yield RB3Railroad(railroad.name, "", railroad.short, near, pen, railroad.price, blue, green, red, str(near))


def _payoffs(board: Board, cities: Sequence[MergedCities]) -> tuple[tuple[float, ...], ...]:
    """Return the upper triangle in thousands.

    Raises:
        ExportError: An amount is missing, differs between the two halves, or is not a multiple of 0.5 thousand.
    """
    chart = board.payoffs.thousands
    out: list[tuple[float, ...]] = []
    for k, row in enumerate(cities[:-1]):
        amounts: list[float] = []
        for col in cities[k + 1 :]:
            value, mirrored = chart[row.at][col.at], chart[col.at][row.at]
            start = f"RB3: the payoff between {row.name} and {col.name}"
            if value is None or mirrored is None:
                raise ExportError(f"{start} is missing; fill it in")
            if value != mirrored:
                raise ExportError(f"{start} is {value:g} one way and {mirrored:g} the other; RB3 has one; correct it")
            thousands = value * board.units.payoff / 1000
            if thousands < 0 or thousands % _STEP:
                raise ExportError(f"{start} is {thousands:g} thousand; RB3 has steps of 0.5 thousand; round it")
            amounts.append(thousands)
        out.append(tuple(amounts))
    return tuple(out)
