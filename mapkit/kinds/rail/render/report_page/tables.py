"""The rows of the report's tables. Links lead to elements of the board; the script shows these on the map."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mapkit.core.findings import CheckReport, Finding
from mapkit.drawing.svg_page import SvgPage
from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board
from mapkit.kinds.rail.network.report import CityReport, RailroadReport, Report
from mapkit.kinds.rail.render.colours.railroad_styles import railroad_styles
from mapkit.kinds.rail.render.lines.tracks import stroke
from mapkit.kinds.rail.render.report_page.data import PageData, RailroadData, by_city
from mapkit.kinds.rail.render.report_page.pictures import share_bar

_SAMPLE_MM = 11.0


@dataclass(frozen=True)
class RailroadLine:
    """A row of the table of railroads: what the report says, how the page shows it."""

    row: RailroadReport
    figures: RailroadData
    sample: str
    bar: str
    connects: str


@dataclass(frozen=True)
class CityLine:
    """A row of the table of cities."""

    row: CityReport
    region: int
    region_name: str
    bar: str


@dataclass(frozen=True)
class ChartCell:
    """A cell of a destination chart: the tint of its region, and the city that it leads to, if it is a city's."""

    text: str
    tint: int
    city: str


@dataclass(frozen=True)
class ChartTable:
    """A destination chart: its title, and by sum the cells for odd and even; None is an empty cell."""

    title: str
    rows: tuple[tuple[str, tuple[ChartCell | None, ChartCell | None]], ...]


@dataclass(frozen=True)
class FindingItem:
    """A finding, and where the map shows it: the id of an element; empty if it shows nothing."""

    finding: Finding
    kind: str
    where: str
    target: str


@dataclass(frozen=True)
class RegionLine:
    """The chance of a region in percent, and the share of the likeliest one's in percent."""

    name: str
    index: int
    chance: float
    width: float


def railroad_rows(report: Report, data: PageData, samples: Mapping[str, str]) -> list[RailroadLine]:
    """Return the rows of railroads, by service."""
    drawn = {r.id: r for r in data.railroads}
    most = max((row.service for row in report.railroads), default=0.0)
    return [
        RailroadLine(
            row,
            drawn[row.railroad],
            samples[row.railroad],
            share_bar(row.service, row.monopoly, most),
            " ".join(data.railroads[k].short for k in drawn[row.railroad].connects),
        )
        for row in report.railroads
    ]


def city_rows(board: Board, report: Report) -> list[CityLine]:
    """Return the rows of cities, by chance."""
    region = {r.id: (k, r.name) for k, r in enumerate(board.regions)}
    most = max((row.chance for row in report.cities), default=0.0)
    return [CityLine(row, *region[row.region], share_bar(row.chance, 0.0, most)) for row in report.cities]


def chart_tables(board: Board, words: Words) -> list[ChartTable]:
    """Return the destination charts, region chart first."""
    if REGIONS not in board.destinations:
        return []
    index = {r.id: k for k, r in enumerate(board.regions)}
    names = {r.id: r.name for r in board.regions} | {REGIONS: words("report.regions")}
    content_names = names | {c.id: c.name for c in board.cities}
    region = {c.id: c.region for c in board.cities}

    def cell(chart: str, content: str | None) -> ChartCell | None:
        if content is None:
            return None
        tint = index.get(content if chart == REGIONS else region.get(content, ""), -1)
        return ChartCell(content_names.get(content, content), tint, "" if chart == REGIONS else content)

    return [
        ChartTable(
            names[chart],
            tuple(
                (
                    total,
                    (
                        cell(chart, board.destinations[chart].odd.get(total)),
                        cell(chart, board.destinations[chart].even.get(total)),
                    ),
                )
                for total in SUMS
            ),
        )
        for chart in (REGIONS, *(r.id for r in board.regions if r.id in board.destinations))
    ]


def finding_rows(board: Board, checks: CheckReport, data: PageData) -> list[FindingItem]:
    """Return the findings, most serious first, each with its place on the map."""
    return [
        FindingItem(
            finding,
            "accepted" if finding.accepted is not None else finding.severity.value,
            finding.place.text,
            _target(board, finding) if seen.points or seen.railroads else "",
        )
        for finding, seen in zip(checks.findings, data.findings, strict=True)
    ]


def _target(board: Board, finding: Finding) -> str:
    """Return the id of a drawn element of a finding, for a browser without scripts; the map if there is none."""
    for prefix, members in (
        ("c", board.cities), ("m", board.mileposts), ("j", board.junctions), ("s", board.segments),
        ("p", board.pieces), ("rr", board.railroads),
    ):  # fmt: skip
        known = {member.id for member in members}
        for element in finding.elements:
            if element in known:
                return f"{prefix}-{element}"
    return "ui-map"


def line_samples(document: SvgPage, board: Board) -> dict[str, str]:
    """Return a short stretch of each railroad's line, as it is drawn on the board."""
    out = {}
    styles = railroad_styles(board, document.theme)
    for railroad in board.railroads:
        group = document.group(document.group(document.layers["legend"], {}), {"fill": "none"})
        line = np.array([(0.6, 1.5), (_SAMPLE_MM - 0.6, 1.5)])
        stroke(document, group, styles[railroad.id], {"sample": line}, {"sample": {"class": "sample"}})
        out[railroad.id] = (
            f'<svg class="sample" viewBox="0 0 {_SAMPLE_MM:g} 3" aria-hidden="true" focusable="false">'
            f"{group.tostring()}</svg>"
        )
    return out


def region_rows(board: Board, report: Report) -> list[RegionLine]:
    """Return the chance of each region, likeliest first."""
    of_city = by_city(report)
    total: dict[str, float] = {r.id: 0.0 for r in board.regions}
    for city in board.cities:
        total[city.region] += of_city[city.id].chance
    most = max(total.values(), default=0.0) or 1.0
    order = sorted(enumerate(board.regions), key=lambda item: (-total[item[1].id], item[0]))
    return [RegionLine(region.name, k, total[region.id], 100 * total[region.id] / most) for k, region in order]
