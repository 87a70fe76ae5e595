"""Destination charts: the region chart and a chart a region (RB-C14, RB-D01), four a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.fit import FLOOR, LEADING, Room, fit, pt, wrap
from mapkit.drawing.inks import ink_on, paper_of
from mapkit.drawing.page import body_area, page, page_of, titled
from mapkit.drawing.sheet import Sheet
from mapkit.kinds.rail.model.board import REGIONS, SUMS, DestinationChart
from mapkit.kinds.rail.network.chances import WHOLE, chart_weights
from mapkit.kinds.rail.render.sheets.inks import tint_of
from mapkit.kinds.rail.render.sheets.job import SheetJob

COLUMNS: Final = ("odd", "even")
_GAP: Final = 6.0
_BAND: Final = 10.0
_HEADS: Final = 6.0
_SUM: Final = 12.0
_PAD: Final = 2.0
_LARGEST: Final = pt(15)
_USUAL: Final = pt(11)
_STRIPE: Final = 0.28
_ODDS: Final = pt(7)
_ROUND: Final = 2.5
_HARD: Final = "\u00a0"


@dataclass(frozen=True)
class _Chart:
    id: str
    title: str
    colour: str
    fills: Mapping[str, str]
    cells: DestinationChart


def destination_sheets(job: SheetJob, *, odds: bool = True) -> list[Sheet]:
    """Return the destination charts, large; none where the board has none.

    Args:
        job: The board, its theme, the paper.
        odds: Whether each chart says below it, in exact fractions, what the chance of each name on it is.
    """
    charts = _charts(job)
    if not charts:
        return []
    across, down = (1, 1) if len(charts) == 1 else (2, 1) if len(charts) == 2 else (2, 2)  # noqa: PLR2004
    per_page = across * down
    left, top, right, bottom = body_area(job)
    width, height = (right - left - _GAP * (across - 1)) / across, (bottom - top - _GAP * (down - 1)) / down
    size = _common_size(job, charts, (width - _SUM) / 2 - 2 * _PAD)
    pages = [charts[at : at + per_page] for at in range(0, len(charts), per_page)]
    sheets = []
    for number, on_it in enumerate(pages, 1):
        title = job.words("destinations.title")
        canvas = page(job, title, note=_how(job), foot=page_of(job, number, len(pages)))
        for at, chart in enumerate(on_it):
            x, y = left + (at % across) * (width + _GAP), top + at // across * (height + _GAP)
            _draw(job, canvas, chart, (x, y, x + width, y + height), size=size, odds=odds)
        whole = page_of(job, number, len(pages))
        full = titled(job, title, whole)
        sheets.append(
            Sheet(f"destinations-{number}", full, canvas.to_text(), canvas.width, canvas.height, "page", None)
        )
    return sheets


def _how(job: SheetJob) -> str:
    dice = job.board.rules.movement.dice
    sums = "both" if dice == 2 else "two"  # noqa: PLR2004 - a chart's rows are of two (RB-C14)
    return job.words("destinations.how", dice=job.words(f"destinations.{sums}"))


def _charts(job: SheetJob) -> list[_Chart]:
    board = job.board
    ground = paper_of(job.theme)
    tints = {region.id: tint_of(job.theme, region) for region in board.regions}
    out = [_Chart(REGIONS, job.words("destinations.regions"), job.theme.ink, tints, board.destinations[REGIONS])] if (
        REGIONS in board.destinations
    ) else []  # fmt: skip
    for region in board.regions:
        if region.id in board.destinations:
            pale = mixed(tints[region.id], ground, _STRIPE)
            fills = {city.id: pale for city in board.cities}
            out.append(_Chart(region.id, region.name, tints[region.id], fills, board.destinations[region.id]))
    return [chart for chart in out if any(chart_column(chart.cells, c)[s] for c in COLUMNS for s in SUMS)]


def chart_column(chart: DestinationChart, column: str) -> dict[str, str | None]:
    """Return a column of a chart, with all its sums."""
    cells = chart.odd if column == "odd" else chart.even
    return {total: cells.get(total) for total in SUMS}


def _common_size(job: SheetJob, charts: Sequence[_Chart], width: float) -> float:
    """Return one size for all cells; a name that does not fit shrinks alone."""
    names = {i for chart in charts for c in COLUMNS for i in chart_column(chart.cells, c).values() if i is not None}
    sizes = [fit(job.names.get(i, i), Room(width, 20.0), _LARGEST, bold=True).size for i in names]
    return max(min([_LARGEST, *sizes]), _USUAL)


def _draw(job: SheetJob, canvas: Canvas, chart: _Chart, area: Area, *, size: float, odds: bool) -> None:
    theme = job.theme
    left, top, right, bottom = area
    said = _odds(job, chart) if odds else ""
    lines = len(wrap(said, right - left, _ODDS)) if said else 0
    foot = min(lines * _ODDS * LEADING + 1.5, (bottom - top) * 0.3) if lines else 0.0
    group = canvas.group({"class": "destination-chart"})
    ink = ink_on(chart.colour)
    canvas.box((left, top, right, top + 2 * _ROUND), fill=chart.colour, radius=_ROUND, parent=group)
    canvas.box((left, top + _ROUND, right, top + _BAND), fill=chart.colour, parent=group)
    kind = Type(pt(16), bold=True, fill=ink)
    canvas.words((left + 3, top, right - 3, top + _BAND), chart.title, kind, parent=group)
    first = top + _BAND
    start = first + _HEADS
    end = bottom - foot
    columns = {"odd": (left + _SUM, left + _SUM + (right - left - _SUM) / 2)}
    columns["even"] = (columns["odd"][1], right)
    head = Type(pt(9), bold=True, fill=theme.quiet_ink)
    canvas.words(
        (left, first, left + _SUM, start), job.words("destinations.sum"), head.but(align="middle"), parent=group
    )
    for name, (x0, x1) in columns.items():
        canvas.words((x0 + _PAD, first, x1 - _PAD, start), job.words(f"destinations.{name}"), head, parent=group)
    step = (end - start) / len(SUMS)
    ground = paper_of(theme)
    for row, total in enumerate(SUMS):
        y0, y1 = start + row * step, start + (row + 1) * step
        canvas.words((left, y0, left + _SUM, y1), total, Type(pt(14), bold=True, align="middle"), parent=group)
        for column, (x0, x1) in columns.items():
            ident = chart_column(chart.cells, column)[total]
            fill = chart.fills.get(ident or "", ground)
            # in a region's own chart every second row is tinted; in the chart of regions every cell has its colour
            if chart.id == REGIONS or row % 2 == 0:
                canvas.box((x0, y0, x1, y1), fill=fill, parent=group)
            data = {"chart": chart.id, "column": column, "sum": total} | ({"of": ident} if ident else {})
            name = job.names.get(ident, ident) if ident else "-"
            spot = (x0 + _PAD, y0, x1 - _PAD, y1)
            canvas.words(spot, name, Type(size, bold=True, fill=_ink(job, fill)), data=data, parent=group)
        canvas.line([(left, y0), (right, y0)], ink=theme.border, width=0.15, parent=group)
    for x in (columns["odd"][0], columns["even"][0]):
        canvas.line([(x, first), (x, end)], ink=theme.border, width=0.25, parent=group)
    canvas.line([(left, end), (right, end)], ink=theme.quiet_ink, width=0.4, parent=group)
    if said:
        quiet = Type(_ODDS, fill=theme.quiet_ink, top=True, lines=lines)
        canvas.words((left, end + 1.2, right, bottom + FLOOR * 0.2), said, quiet, parent=group)


def _ink(job: SheetJob, fill: str) -> str:
    return ink_on(fill) if fill != paper_of(job.theme) else job.theme.ink


def _odds(job: SheetJob, chart: _Chart) -> str:
    """Return the chances of the names on a chart, largest first, in lowest terms (RB-D03)."""
    weights = sorted(chart_weights(chart.cells).items(), key=lambda pair: (-pair[1], pair[0]))
    names = job.names
    odds = (f"{names.get(ident, ident)} {Fraction(weight, WHOLE)}" for ident, weight in weights)
    return job.words("destinations.odds", list=", ".join(one.replace(" ", _HARD) for one in odds))
