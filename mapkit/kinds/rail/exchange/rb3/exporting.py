"""A board as an RB3 file, and what of the board the file does not hold."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from mapkit.core import heavy
from mapkit.core.errors import ExportError
from mapkit.kinds.rail.exchange.rb3.chances import outcomes, percents
from mapkit.kinds.rail.exchange.rb3.cities import PENS, MergedCities, merged_cities, sign_code
from mapkit.kinds.rail.exchange.rb3.lines import Edge, Node, Place, edge, polylines, shared_shifts
from mapkit.kinds.rail.exchange.rb3.losses import losses
from mapkit.kinds.rail.exchange.rb3.model import (
    CITY_DOT,
    DOT,
    JUNCTION,
    MAX_DOTS,
    NAMED,
    RATIO,
    Dot,
    Dots,
    RB3City,
    RB3File,
    RB3Point,
    RB3Railroad,
    RB3Region,
    RB3Route,
)
from mapkit.kinds.rail.exchange.rb3.text import number_text
from mapkit.kinds.rail.model.board import REGIONS, Board, Junction, Milepost

WIDTH: Final = 600
"""Map units across the page, as much as a published map has; doubled until no two dots fall together."""
_DOUBLINGS: Final = 6
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
    nodes = _nodes(board, cities, straight=straight)
    places, unit = _places(board, nodes)
    edges = railroad_edges(board, nodes, straight=straight)
    shifts = shared_shifts(edges, places)
    chances = _chances(board, cities)
    index = {milepost: n for n, milepost in enumerate(dict.fromkeys(c.milepost for c in cities), 1)}
    rb3 = RB3File(
        header=_header(board, unit, cities=len(cities)),
        regions=tuple(
            RB3Region(r.name, r.short, percent) for r, percent in zip(board.regions, chances[REGIONS], strict=True)
        ),
        region_keys=(),
        cities=tuple(
            RB3City(city.name, region.short, percent, index[city.milepost], nodes[city.milepost][1])
            for region in board.regions
            for city, percent in zip(
                (city for city in cities if city.region == region.id), chances[region.id], strict=True
            )
        ),
        railroads=tuple(_railroads(board)),
        dots=_dots(board, nodes, places, edges),
        routes=tuple(
            RB3Route(railroad.short, _lines(railroad.name, own, places, _own(shifts, n)))
            for n, (railroad, own) in enumerate(zip(board.railroads, edges, strict=True))
        ),
        payoffs=_payoffs(board, cities),
    )
    return rb3, losses(board, rb3, cities, edges, straight=straight)


def _nodes(board: Board, cities: Sequence[MergedCities], *, straight: bool) -> dict[str, Node]:
    """Return region and dot of every milepost and junction: in each region cities first, then dots, then junctions."""
    number = {region.id: n for n, region in enumerate(board.regions, 1)}
    own = {city.milepost: number[city.region] for city in cities}
    at = {milepost.id: (milepost.lon, milepost.lat) for milepost in board.mileposts}
    tree = heavy.spatial.cKDTree(_on_sphere([at[city.milepost] for city in cities]))
    junctions = () if straight else board.junctions
    others: list[Milepost | Junction] = [*(m for m in board.mileposts if m.id not in own), *junctions]
    near = np.atleast_1d(tree.query(_on_sphere([(m.lon, m.lat) for m in others] or [(0.0, 0.0)]))[1])
    region = own | {m.id: number[cities[n].region] for m, n in zip(others, near.tolist(), strict=False)}
    taken = dict.fromkeys(number.values(), 0)
    out: dict[str, Node] = {}
    for ident in (*sorted(own), *(m.id for m in others)):
        taken[region[ident]] += 1
        out[ident] = (region[ident], taken[region[ident]])
    for n, count in taken.items():
        if count > MAX_DOTS:
            raise ExportError(
                f"RB3: region {board.regions[n - 1].name!r} has {count} mileposts and junctions; RB3 holds {MAX_DOTS} "
                "a region. Divide the region, or use fewer mileposts"
            )
    return out


def _on_sphere(lonlat: Sequence[tuple[float, float]]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    lon, lat = np.radians(np.array(lonlat, dtype=np.float64)).T
    return np.round(np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)]), 12)


def _places(board: Board, nodes: Mapping[str, Node]) -> tuple[dict[Node, Place], float]:
    """Return whole map units of all dots, and map units across for a millimetre of the page."""
    spots: tuple[Milepost | Junction, ...] = (*board.mileposts, *board.junctions)
    at = {m.id: (m.x, m.y) for m in spots if m.id in nodes}
    unit = WIDTH / board.page.width
    for _ in range(_DOUBLINGS):
        if len({_place(xy, unit) for xy in at.values()}) == len(at):
            break
        unit *= 2
    return {nodes[ident]: _place(xy, unit) for ident, xy in at.items()}, unit


def _place(xy: tuple[float, float], unit: float) -> Place:
    return float(round(xy[0] * unit)), float(round(xy[1] * unit / RATIO))


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
    return tuple(Dots("9", "mapkit", "D", tuple(dots)) for _, dots in sorted(out.items()))


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


def _header(board: Board, unit: float, *, cities: int) -> tuple[tuple[str, str], ...]:
    values = {
        "game": "Rail Baron",
        "name": board.title,
        "version": "1.0",
        "by": "; ".join(board.provenance.credits),
        "copyright": board.provenance.licence,
        "description": "",
        "scalel": "0",
        "scalet": "0",
        "scalew": number_text(board.page.width * unit),
        "scaleh": number_text(board.page.height * unit / RATIO),
        "minver": "3.8",
        "regions": str(len(board.regions)),
        "rrs": str(len(board.railroads)),
        "cities": str(cities),
    }
    sign = sign_code(board.units.symbol)
    return (*values.items(), *((("cashchar", str(sign)),) if sign else ()))


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
