"""What the page's script works on: the board's graph, drawn places, chances and payoffs, as one JSON object.

Lists refer to each other by position, which keeps the page small.
"""

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from mapkit.core.base import Frozen, Point
from mapkit.core.findings import CheckReport, Finding
from mapkit.geography.page_map import PageMap
from mapkit.kinds.rail.model.board import Board, Railroad
from mapkit.kinds.rail.network.report import CityReport, RailroadReport, Report
from mapkit.kinds.rail.network.service import mileposts_by_railroad
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.page_map.data import MapData, map_data, short

_DECIMALS = 2


class RailroadData(Frozen):
    """A railroad's figures, as `mapkit report` has them, and the miles of its track pieces together."""

    id: str
    short: str
    name: str
    price: int
    public: bool
    colour: str
    cities: int
    service: float
    monopoly: float
    mileposts: int
    miles: float
    connects: tuple[int, ...]


class FindingData(Frozen):
    """Where a finding is on the map: points to ring, in millimetres, and railroads to light up, by position."""

    points: tuple[Point, ...]
    railroads: tuple[int, ...]


class PageData(MapData):
    """Everything that the script knows; `payoffs` in thousands, rows and columns as `cities`."""

    symbol: str
    payoff: int
    regions: tuple[str, ...]
    railroads: tuple[RailroadData, ...]
    payoffs: tuple[tuple[float | None, ...], ...]
    findings: tuple[FindingData, ...]


def page_data(layout: Layout, report: Report, checks: CheckReport) -> PageData:
    """Gather the data of a page; places are those of the layout, never those of the board file."""
    board = layout.board
    railroad = {r.id: k for k, r in enumerate(board.railroads)}
    rows = {row.railroad: row for row in report.railroads}
    touched = mileposts_by_railroad(board)
    miles = dict.fromkeys(railroad, 0.0)
    for each in board.pieces:
        miles[each.railroad] += each.miles
    shown = map_data(layout, {row.city: row.chance for row in report.cities}, texts=("board", "map"))
    return PageData(
        **dict(shown),
        symbol=board.units.symbol,
        payoff=board.units.payoff,
        regions=tuple(r.name for r in board.regions),
        railroads=tuple(_railroad(r, rows[r.id], len(touched[r.id]), miles[r.id], railroad) for r in board.railroads),
        payoffs=_payoffs(board),
        findings=located(checks.findings, layout, railroad),
    )


def by_city(report: Report) -> dict[str, CityReport]:
    """Return the report's rows of cities by id."""
    return {row.city: row for row in report.cities}


def located(findings: Sequence[Finding], layout: Layout, railroads: Mapping[str, int]) -> tuple[FindingData, ...]:
    """Return where each finding is drawn: at the elements it names, else at its longitude and latitude."""
    board = layout.board
    ends = {s.id: (s.a, s.b) for s in board.segments} | {p.id: (p.a, p.b) for p in board.pieces}
    degrees = PageMap(board.projection)
    out = []
    for finding in findings:
        points: list[Point] = []
        lit: list[int] = []
        for element in finding.elements:
            if element in layout.squares:
                points.append(layout.squares[element])
            elif element in layout.spots:
                points.append(layout.spots[element])
            elif element in ends:
                points += [layout.spots[end] for end in ends[element]]
            elif element in railroads:
                lit.append(railroads[element])
        place = finding.place
        if not points and place.lon is not None and place.lat is not None:
            ((x, y),) = layout.warp(np.array(degrees.to_page([(place.lon, place.lat)]), dtype=np.float64)).tolist()
            points.append((x, y))
        out.append(FindingData(points=tuple(dict.fromkeys(map(short, points))), railroads=tuple(lit)))
    return tuple(out)


def _railroad(
    railroad: Railroad, row: RailroadReport, mileposts: int, miles: float, position: Mapping[str, int]
) -> RailroadData:
    return RailroadData(
        id=railroad.id,
        short=railroad.short,
        name=railroad.name,
        price=railroad.price,
        public=railroad.public,
        colour=railroad.style.colour,
        cities=len(row.cities),
        service=row.service,
        monopoly=row.monopoly,
        mileposts=mileposts,
        miles=round(miles, _DECIMALS),
        connects=tuple(position[other] for other in row.connects),
    )


def _payoffs(board: Board) -> tuple[tuple[float | None, ...], ...]:
    row = {city: k for k, city in enumerate(board.payoffs.cities)}
    at = [row.get(city.id) for city in board.cities]
    cells = board.payoffs.thousands
    if not any(chain.from_iterable(cells)):
        return ()
    return tuple(tuple(None if i is None or j is None else cells[i][j] for j in at) for i in at)
