"""Destination charts: the region chart and a chart for each region (RB-C14, RB-D01), four on a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.fit import FLOOR, LEADING, Room, fit_text, points_to_mm, wrap_text
from mapkit.drawing.inks import ink_on, paper_of
from mapkit.drawing.page import begin_page, body_area, page_number_text, page_sheet, title_with_page
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.text_width import text_width
from mapkit.kinds.rail.model.board import REGIONS, SUMS, DestinationChart
from mapkit.kinds.rail.network.destination_chances import WHOLE, count_chart_weights
from mapkit.kinds.rail.render.sheets.sheet_colours import choose_region_tint
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob

COLUMNS: Final = ("odd", "even")
_GAP_MM: Final = 6.0
_BAND_MM: Final = 10.0
_HEADS_MM: Final = 6.0
_SUM_MM: Final = 12.0
_ROW_MM: Final = 5.6
_PAD_MM: Final = 2.0
_LARGEST_SIZE: Final = points_to_mm(15)
_USUAL_SIZE: Final = points_to_mm(11)
_STRIPE_SHARE: Final = 0.28
_ODDS_SIZE: Final = points_to_mm(7.5)
_CORNER_MM: Final = 2.5
_HARD_SPACE: Final = "\u00a0"


@dataclass(frozen=True)
class _ChartSheet:
    id: str
    title: str
    colour: str
    fills: Mapping[str, str]
    cells: DestinationChart


def make_destination_sheets(job: SheetJob, *, odds: bool = True) -> list[Sheet]:
    """Return the destination charts, large; none if the board has none.

    Args:
        job: The board, its theme, the paper.
        odds: Whether to print the chance of each name, in exact fractions, below its chart.
    """
    all_charts = _list_charts(job)
    if not all_charts:
        return []
    across, down = (1, 1) if len(all_charts) == 1 else (2, 1) if len(all_charts) == 2 else (2, 2)  # noqa: PLR2004
    per_page = across * down
    left, top, right, bottom = body_area(job)
    chart_width, chart_height = (
        (right - left - _GAP_MM * (across - 1)) / across,
        (bottom - top - _GAP_MM * (down - 1)) / down,
    )
    text_size = _choose_common_size(job, all_charts, (chart_width - _SUM_MM) / 2 - 2 * _PAD_MM)
    pages = [all_charts[start : start + per_page] for start in range(0, len(all_charts), per_page)]
    sum_key = "both" if job.board.rules.movement.dice == 2 else "two"  # noqa: PLR2004 - a chart's rows are of two (RB-C14)
    roll_note = job.words("destinations.how", dice=job.words(f"destinations.{sum_key}"))
    chart_sheets = []
    for number, page_charts in enumerate(pages, 1):
        page_title = job.words("destinations.title")
        page_canvas = begin_page(job, page_title, note=roll_note, foot=page_number_text(job, number, len(pages)))
        for chart_number, chart in enumerate(page_charts):
            x, y = (
                left + (chart_number % across) * (chart_width + _GAP_MM),
                top + chart_number // across * (chart_height + _GAP_MM),
            )
            _draw_chart(job, page_canvas, chart, (x, y, x + chart_width, y + chart_height), size=text_size, odds=odds)
        page_text = page_number_text(job, number, len(pages))
        full_title = title_with_page(job, page_title, page_text)
        chart_sheets.append(page_sheet(f"destinations-{number}", full_title, page_canvas))
    return chart_sheets


def draw_single_charts(job: SheetJob, only: Sequence[str] = ()) -> list[Canvas]:
    """Return the destination charts, each as large as its text needs; those of some ids, or all."""
    charts = [chart for chart in _list_charts(job) if not only or chart.id in only]
    cell_ids = {i for chart in charts for c in COLUMNS for i in get_chart_column(chart.cells, c).values() if i}
    longest = max((text_width(job.names.get(i, i), _USUAL_SIZE, bold=True) for i in cell_ids), default=0.0)
    size = (_SUM_MM + 2 * (longest + 2 * _PAD_MM + 1.0), _BAND_MM + _HEADS_MM + len(SUMS) * _ROW_MM)
    canvases = []
    for chart in charts:
        canvas = Canvas(size, job.theme, title=chart.title, description=chart.title, clear=True)
        _draw_chart(job, canvas, chart, (0.0, 0.0, *size), size=_USUAL_SIZE, odds=False)
        canvases.append(canvas)
    return canvases


def _list_charts(job: SheetJob) -> list[_ChartSheet]:
    board = job.board
    paper_colour = paper_of(job.theme)
    region_tints = {region.id: choose_region_tint(job.theme, region) for region in board.regions}
    chart_sheets = []
    if REGIONS in board.destinations:
        title, chart = job.words("destinations.regions"), board.destinations[REGIONS]
        chart_sheets.append(_ChartSheet(REGIONS, title, job.theme.ink, region_tints, chart))
    for region in board.regions:
        if region.id in board.destinations:
            stripe_colour = mix_colours(region_tints[region.id], paper_colour, _STRIPE_SHARE)
            cell_fills = {city.id: stripe_colour for city in board.cities}
            chart_sheets.append(
                _ChartSheet(region.id, region.name, region_tints[region.id], cell_fills, board.destinations[region.id])
            )
    return [chart for chart in chart_sheets if any(get_chart_column(chart.cells, c)[s] for c in COLUMNS for s in SUMS)]


def get_chart_column(chart: DestinationChart, column: str) -> dict[str, str | None]:
    """Return a column of a chart, with all its sums."""
    column_cells = chart.odd if column == "odd" else chart.even
    return {dice_sum: column_cells.get(dice_sum) for dice_sum in SUMS}


def _choose_common_size(job: SheetJob, charts: Sequence[_ChartSheet], width: float) -> float:
    """Return one text size for all cells; a name that does not fit shrinks alone."""
    cell_ids = {
        i for chart in charts for c in COLUMNS for i in get_chart_column(chart.cells, c).values() if i is not None
    }
    fitting_sizes = [
        fit_text(job.names.get(i, i), Room(width, 20.0), _LARGEST_SIZE, bold=True, family=job.theme.family).size
        for i in cell_ids
    ]
    return max(min([_LARGEST_SIZE, *fitting_sizes]), _USUAL_SIZE)


def _draw_chart(job: SheetJob, canvas: Canvas, chart: _ChartSheet, area: Area, *, size: float, odds: bool) -> None:
    theme = job.theme
    left, top, right, bottom = area
    odds_text = _describe_odds(job, chart) if odds else ""
    odds_lines = len(wrap_text(odds_text, right - left, _ODDS_SIZE, family=theme.family)) if odds_text else 0
    foot_height = min(odds_lines * _ODDS_SIZE * LEADING + 1.5, (bottom - top) * 0.3) if odds_lines else 0.0
    chart_group = canvas.group({"class": "destination-chart"})
    band_ink = ink_on(chart.colour)
    canvas.box((left, top, right, top + 2 * _CORNER_MM), fill=chart.colour, radius=_CORNER_MM, parent=chart_group)
    canvas.box((left, top + _CORNER_MM, right, top + _BAND_MM), fill=chart.colour, parent=chart_group)
    title_type = TextStyle(points_to_mm(16), bold=True, fill=band_ink)
    canvas.words((left + 3, top, right - 3, top + _BAND_MM), chart.title, title_type, parent=chart_group)
    heads_top = top + _BAND_MM
    cells_top = heads_top + _HEADS_MM
    cells_bottom = bottom - foot_height
    column_edges = {"odd": (left + _SUM_MM, left + _SUM_MM + (right - left - _SUM_MM) / 2)}
    column_edges["even"] = (column_edges["odd"][1], right)
    head_type = TextStyle(points_to_mm(9), bold=True, fill=theme.quiet_ink)
    canvas.words(
        (left, heads_top, left + _SUM_MM, cells_top),
        job.words("destinations.sum"),
        head_type.but(align="middle"),
        parent=chart_group,
    )
    for column_name, (x0, x1) in column_edges.items():
        canvas.words(
            (x0 + _PAD_MM, heads_top, x1 - _PAD_MM, cells_top),
            job.words(f"destinations.{column_name}"),
            head_type,
            parent=chart_group,
        )
    row_height = (cells_bottom - cells_top) / len(SUMS)
    paper_colour = paper_of(theme)
    for row_number, total in enumerate(SUMS):
        y0, y1 = cells_top + row_number * row_height, cells_top + (row_number + 1) * row_height
        canvas.words(
            (left, y0, left + _SUM_MM, y1),
            total,
            TextStyle(points_to_mm(14), bold=True, align="middle"),
            parent=chart_group,
        )
        for column, (x0, x1) in column_edges.items():
            cell_id = get_chart_column(chart.cells, column)[total]
            cell_fill = chart.fills.get(cell_id or "", paper_colour)
            # in a region's own chart every second row is tinted; in the chart of regions every cell has its colour
            if chart.id == REGIONS or row_number % 2 == 0:
                canvas.box((x0, y0, x1, y1), fill=cell_fill, parent=chart_group)
            cell_data = {"chart": chart.id, "column": column, "sum": total} | ({"of": cell_id} if cell_id else {})
            column_name = job.names.get(cell_id, cell_id) if cell_id else "-"
            cell_box = (x0 + _PAD_MM, y0, x1 - _PAD_MM, y1)
            canvas.words(
                cell_box,
                column_name,
                TextStyle(size, bold=True, fill=theme.ink if cell_fill == paper_colour else ink_on(cell_fill)),
                data=cell_data,
                parent=chart_group,
            )
        canvas.line([(left, y0), (right, y0)], ink=theme.border, width=0.15, parent=chart_group)
    for x in (column_edges["odd"][0], column_edges["even"][0]):
        canvas.line([(x, heads_top), (x, cells_bottom)], ink=theme.border, width=0.25, parent=chart_group)
    canvas.line([(left, cells_bottom), (right, cells_bottom)], ink=theme.quiet_ink, width=0.4, parent=chart_group)
    if odds_text:
        odds_type = TextStyle(_ODDS_SIZE, fill=theme.quiet_ink, top=True, lines=odds_lines)
        canvas.words((left, cells_bottom + 1.2, right, bottom + FLOOR * 0.2), odds_text, odds_type, parent=chart_group)


def _describe_odds(job: SheetJob, chart: _ChartSheet) -> str:
    """Return the chances of the names on a chart, largest first, in lowest terms (RB-D03)."""
    sorted_weights = sorted(count_chart_weights(chart.cells).items(), key=lambda pair: (-pair[1], pair[0]))
    item_names = job.names
    odds = (f"{item_names.get(ident, ident)} {Fraction(weight, WHOLE)}" for ident, weight in sorted_weights)
    return job.words("destinations.odds", list=", ".join(odds_entry.replace(" ", _HARD_SPACE) for odds_entry in odds))
