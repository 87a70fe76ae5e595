"""Data for the page's script: the board's graph, drawn places, chances and payoffs, as one JSON object.

Lists refer to each other by position, which keeps the page small.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain

import numpy as np

from mapkit.core.base import Frozen, Point
from mapkit.core.findings import Finding
from mapkit.geography.page_map import PageMap
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.report import CityReport, Report
from mapkit.kinds.rail.network.service import mileposts_by_railroad
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.page_map.data import MapData, collect_map_data, round_point

_DECIMALS = 2


class RailroadData(Frozen):
    """Figures of a railroad, as in `mapkit report`, and the total miles of its track pieces."""

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
    """Place of a finding on the map: points to ring, in millimetres, and railroads to light up, by position."""

    points: tuple[Point, ...]
    railroads: tuple[int, ...]


class PageData(MapData):
    """Data of the page; `payoffs` in thousands, rows and columns as `cities`."""

    symbol: str
    payoff: int
    regions: tuple[str, ...]
    railroads: tuple[RailroadData, ...]
    payoffs: tuple[tuple[float | None, ...], ...]
    findings: tuple[FindingData, ...]


def collect_report_data(
    layout: Layout, report: Report, findings: Sequence[Finding] = (), texts: Collection[str] = ("board", "map")
) -> PageData:
    """Collect the data of a page; places are those of the layout, never those of the board file.

    Args:
        layout: Of the board.
        report: On the board.
        findings: To show on the map.
        texts: Groups of the texts used by the page's script.
    """
    board = layout.board
    railroad_position = {r.id: k for k, r in enumerate(board.railroads)}
    row_of_railroad = {row.railroad: row for row in report.railroads}
    touched_mileposts = mileposts_by_railroad(board)
    track_miles = dict.fromkeys(railroad_position, 0.0)
    for track_piece in board.pieces:
        track_miles[track_piece.railroad] += track_piece.miles
    shown_map = collect_map_data(layout, {row.city: row.chance for row in report.cities}, texts=texts)
    return PageData(
        **dict(shown_map),
        symbol=board.units.symbol,
        payoff=board.units.payoff,
        regions=tuple(r.name for r in board.regions),
        railroads=tuple(
            RailroadData(
                id=r.id,
                short=r.short,
                name=r.name,
                price=r.price,
                public=r.public,
                colour=r.style.colour,
                cities=len(row.cities),
                service=row.service,
                monopoly=row.monopoly,
                mileposts=len(touched_mileposts[r.id]),
                miles=round(track_miles[r.id], _DECIMALS),
                connects=tuple(railroad_position[other] for other in row.connects),
            )
            for r in board.railroads
            for row in [row_of_railroad[r.id]]
        ),
        payoffs=_list_payoffs(board),
        findings=locate_findings(findings, layout, railroad_position),
    )


def index_city_rows(report: Report) -> dict[str, CityReport]:
    """Return the report's rows of cities by id."""
    return {row.city: row for row in report.cities}


def locate_findings(
    findings: Sequence[Finding], layout: Layout, railroads: Mapping[str, int]
) -> tuple[FindingData, ...]:
    """Return the drawn place of each finding: of the elements it names, else of its longitude and latitude."""
    board = layout.board
    link_ends = {s.id: (s.a, s.b) for s in board.segments} | {p.id: (p.a, p.b) for p in board.pieces}
    page_map = PageMap(board.projection)
    finding_places = []
    for finding in findings:
        ring_points: list[Point] = []
        lit_railroads: list[int] = []
        for element in finding.elements:
            if element in layout.squares:
                ring_points.append(layout.squares[element])
            elif element in layout.spots:
                ring_points.append(layout.spots[element])
            elif element in link_ends:
                ring_points += [layout.spots[end] for end in link_ends[element]]
            elif element in railroads:
                lit_railroads.append(railroads[element])
        finding_place = finding.place
        if not ring_points and finding_place.lon is not None and finding_place.lat is not None:
            ((x, y),) = layout.warp(
                np.array(page_map.to_page([(finding_place.lon, finding_place.lat)]), dtype=np.float64)
            ).tolist()
            ring_points.append((x, y))
        finding_places.append(
            FindingData(points=tuple(dict.fromkeys(map(round_point, ring_points))), railroads=tuple(lit_railroads))
        )
    return tuple(finding_places)


def _list_payoffs(board: Board) -> tuple[tuple[float | None, ...], ...]:
    chart_row = {city: k for k, city in enumerate(board.payoffs.cities)}
    city_rows = [chart_row.get(city.id) for city in board.cities]
    chart_cells = board.payoffs.thousands
    if not any(chain.from_iterable(chart_cells)):
        return ()
    return tuple(tuple(None if i is None or j is None else chart_cells[i][j] for j in city_rows) for i in city_rows)
