"""Rows of the report's tables, with links to elements of the board that the script shows on the map."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mapkit.core.findings import CheckReport, Finding
from mapkit.drawing.svg_page import SvgPage
from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board
from mapkit.kinds.rail.network.report import CityReport, RailroadReport, Report
from mapkit.kinds.rail.render.colours.railroad_styles import choose_railroad_styles
from mapkit.kinds.rail.render.lines.tracks import draw_pattern_lines
from mapkit.kinds.rail.render.report_page.data import PageData, RailroadData, index_city_rows
from mapkit.kinds.rail.render.report_page.pictures import draw_share_bar

_SAMPLE_MM = 11.0


@dataclass(frozen=True)
class RailroadLine:
    """Row of the table of railroads: its figures in the report and on the page."""

    row: RailroadReport
    figures: RailroadData
    sample: str
    bar: str
    connects: str


@dataclass(frozen=True)
class CityLine:
    """Row of the table of cities."""

    row: CityReport
    region: int
    region_name: str
    bar: str


@dataclass(frozen=True)
class ChartCell:
    """Cell of a destination chart: the tint of its region, and the city that it leads to, if it is a city's."""

    text: str
    tint: int
    city: str


@dataclass(frozen=True)
class ChartTable:
    """Destination chart: its title, and by sum the cells for odd and even; None is an empty cell."""

    title: str
    rows: tuple[tuple[str, tuple[ChartCell | None, ChartCell | None]], ...]


@dataclass(frozen=True)
class FindingItem:
    """Finding, with its target on the map: the id of an element; empty if it shows nothing."""

    finding: Finding
    kind: str
    where: str
    target: str


@dataclass(frozen=True)
class RegionLine:
    """Chance of a region in percent, also relative to the likeliest region."""

    name: str
    index: int
    chance: float
    width: float


def make_railroad_rows(report: Report, data: PageData, samples: Mapping[str, str]) -> list[RailroadLine]:
    """Return the rows of railroads, by service."""
    data_by_id = {r.id: r for r in data.railroads}
    most_service = max((row.service for row in report.railroads), default=0.0)
    return [
        RailroadLine(
            row,
            data_by_id[row.railroad],
            samples[row.railroad],
            draw_share_bar(row.service, row.monopoly, most_service),
            " ".join(data.railroads[k].short for k in data_by_id[row.railroad].connects),
        )
        for row in report.railroads
    ]


def make_city_rows(board: Board, report: Report) -> list[CityLine]:
    """Return the rows of cities, by chance."""
    region_position = {r.id: (k, r.name) for k, r in enumerate(board.regions)}
    most = max((row.chance for row in report.cities), default=0.0)
    return [CityLine(row, *region_position[row.region], draw_share_bar(row.chance, 0.0, most)) for row in report.cities]


def make_chart_tables(board: Board, words: Words) -> list[ChartTable]:
    """Return the destination charts, region chart first."""
    if REGIONS not in board.destinations:
        return []
    region_index = {r.id: k for k, r in enumerate(board.regions)}
    chart_names = {r.id: r.name for r in board.regions} | {REGIONS: words("report.regions")}
    content_names = chart_names | {c.id: c.name for c in board.cities}
    region_of = {c.id: c.region for c in board.cities}

    def cell(chart: str, content: str | None) -> ChartCell | None:
        if content is None:
            return None
        tint_index = region_index.get(content if chart == REGIONS else region_of.get(content, ""), -1)
        return ChartCell(content_names.get(content, content), tint_index, "" if chart == REGIONS else content)

    return [
        ChartTable(
            chart_names[chart],
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


def make_finding_rows(board: Board, checks: CheckReport, data: PageData) -> list[FindingItem]:
    """Return the findings, most serious first, each with its place on the map."""
    return [
        FindingItem(
            finding,
            "accepted" if finding.accepted is not None else finding.severity.value,
            finding.place.text,
            _link_target(board, finding) if finding_place.points or finding_place.railroads else "",
        )
        for finding, finding_place in zip(checks.findings, data.findings, strict=True)
    ]


def _link_target(board: Board, finding: Finding) -> str:
    """Return the id of a drawn element of a finding, for a browser without scripts; the map if there is none."""
    for prefix, members in (
        ("c", board.cities), ("m", board.mileposts), ("j", board.junctions), ("s", board.segments),
        ("p", board.pieces), ("rr", board.railroads),
    ):  # fmt: skip
        member_ids = {member.id for member in members}
        for element in finding.elements:
            if element in member_ids:
                return f"{prefix}-{element}"
    return "ui-map"


def draw_line_samples(document: SvgPage, board: Board) -> dict[str, str]:
    """Draw a short stretch of each railroad's line, as on the board."""
    sample_svgs = {}
    style_of = choose_railroad_styles(board, document.theme)
    for railroad in board.railroads:
        sample_group = document.group(document.group(document.layers["legend"], {}), {"fill": "none"})
        sample_line = np.array([(0.6, 1.5), (_SAMPLE_MM - 0.6, 1.5)])
        draw_pattern_lines(
            document, sample_group, style_of[railroad.id], {"sample": sample_line}, {"sample": {"class": "sample"}}
        )
        sample_svgs[railroad.id] = (
            f'<svg class="sample" viewBox="0 0 {_SAMPLE_MM:g} 3" aria-hidden="true" focusable="false">'
            f"{sample_group.tostring()}</svg>"
        )
    return sample_svgs


def make_region_rows(board: Board, report: Report) -> list[RegionLine]:
    """Return the chance of each region, likeliest first."""
    row_of_city = index_city_rows(report)
    total: dict[str, float] = {r.id: 0.0 for r in board.regions}
    for city in board.cities:
        total[city.region] += row_of_city[city.id].chance
    most_chance = max(total.values(), default=0.0) or 1.0
    order = sorted(enumerate(board.regions), key=lambda item: (-total[item[1].id], item[0]))
    return [RegionLine(region.name, k, total[region.id], 100 * total[region.id] / most_chance) for k, region in order]
