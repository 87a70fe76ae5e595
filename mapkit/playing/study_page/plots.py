"""Plots of shares as inline SVG: a mark for each share, and a line for its interval."""

from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple, Protocol

from mapkit.drawing.svg_page import format_mm
from mapkit.playing.figures import Share

MARKS: Final = ("circle", "square", "diamond")
"""Shapes of the marks of one row."""
_ROW_HEIGHT, _LEFT, _PLOT_WIDTH, _TOP, _FOOT_HEIGHT = 22.0, 86.0, 560.0, 8.0, 40.0
_PLOT_HEIGHT, _COLUMN_WIDTH = 260.0, 30.0
_MARK_SIZE: Final = 4.0


class PlotRow(NamedTuple):
    """Row of shares that belong together: its name, and a share for each mark."""

    name: str
    shares: Sequence[Share]


class SeatWins(Protocol):
    """Seat with its name and its win rate."""

    @property
    def name(self) -> str:
        """Return the name."""

    @property
    def wins(self) -> Share:
        """Return the win rate."""


def draw_row_plot(label: str, rows: Sequence[PlotRow], *, even: float, axis: str) -> str:
    """Draw rows of marks with intervals, on a scale of percents.

    Args:
        label: Text alternative for readers who cannot see the plot.
        rows: From the top down.
        even: Share, of 1, to mark by a line: that of equally good players.
        axis: Label of the percents.
    """
    most_share = max((share.high for row in rows for share in row.shares if share.of), default=1.0)
    step = next(s for s in (0.02, 0.05, 0.1, 0.2) if most_share / s <= 8 or s == 0.2)  # noqa: PLR2004 - lines
    scale_end = min(1.0, step * (int(most_share / step) + 1))
    tall = _ROW_HEIGHT * len(rows)

    def x(share: float) -> float:
        return _LEFT + _PLOT_WIDTH * min(share, scale_end) / scale_end

    ticks = [k * step for k in range(round(scale_end / step) + 1)]
    grid_lines = [f'<path class="grid" d="{"".join(f"M{format_mm(x(tick))} {_TOP:g}v{tall:g}" for tick in ticks)}"/>']
    texts = [
        f'<text x="{format_mm(x(k * step))}" y="{_TOP + tall + 15:g}" text-anchor="middle">{100 * k * step:g} %</text>'
        for k in range(round(scale_end / step) + 1)
    ]
    texts.append(f'<text x="{_LEFT + _PLOT_WIDTH:g}" y="{_TOP + tall + 32:g}" text-anchor="end">{escape(axis)}</text>')
    grid_lines.append(f'<path class="even" d="M{format_mm(x(even))} {_TOP:g}v{tall:g}"/>')
    share_marks = []
    for k, row in enumerate(rows):
        row_middle = _TOP + _ROW_HEIGHT * (k + 0.5)
        texts.append(
            f'<text x="{_LEFT - 8:g}" y="{format_mm(row_middle + 4)}" text-anchor="end">{escape(row.name)}</text>'
        )
        mark_gap = 5.0 if len(row.shares) > 1 else 0.0
        for series_number, share in enumerate(row.shares):
            if share.of:
                y = row_middle + mark_gap * (series_number - (len(row.shares) - 1) / 2)
                share_marks.append(
                    _draw_mark(
                        series_number,
                        x(share.share),
                        y,
                        (x(share.low), y, x(share.high), y),
                        _share_text(row.name, share),
                    )
                )
    return _wrap_plot(label, _LEFT + _PLOT_WIDTH + 16, _TOP + tall + _FOOT_HEIGHT, grid_lines, share_marks, texts)


def draw_win_plot(seats: Sequence[SeatWins]) -> str:
    """Draw the win rates of seats, with a line at an even share."""
    label = "Win rates by seat: " + ", ".join(f"{one.name} {100 * one.wins.share:.1f} %" for one in seats)
    rows = [PlotRow(f"seat {one.name}", (one.wins,)) for one in seats]
    return draw_row_plot(label, rows, even=1 / len(seats), axis="of games")


def draw_column_plot(label: str, rows: Sequence[PlotRow], *, even: float, axis: str) -> str:
    """Draw columns of marks with intervals, from 0 to 100 %; arguments as for `rows_svg`, from the left on."""
    left, wide = 46.0, _COLUMN_WIDTH * len(rows)

    def y(share: float) -> float:
        return _TOP + _PLOT_HEIGHT * (1 - share)

    grid_lines = [f'<path class="grid" d="{"".join(f"M{left:g} {format_mm(y(k / 5))}h{wide:g}" for k in range(6))}"/>']
    texts = [
        f'<text x="{left - 6:g}" y="{format_mm(y(k / 5) + 4)}" text-anchor="end">{20 * k} %</text>' for k in range(6)
    ]
    grid_lines.append(f'<path class="even" d="M{left:g} {format_mm(y(even))}h{wide:g}"/>')
    share_marks = []
    for k, row in enumerate(rows):
        column_middle = left + _COLUMN_WIDTH * (k + 0.5)
        if k % 2 == 0:
            texts.append(
                f'<text x="{format_mm(column_middle)}" y="{_TOP + _PLOT_HEIGHT + 15:g}" '
                f'text-anchor="middle">{escape(row.name)}</text>'
            )
        for series_number, share in enumerate(row.shares):
            if share.of:
                x = column_middle + 6 * (series_number - (len(row.shares) - 1) / 2)
                share_marks.append(
                    _draw_mark(
                        series_number,
                        x,
                        y(share.share),
                        (x, y(share.low), x, y(share.high)),
                        _share_text(row.name, share),
                    )
                )
    texts.append(f'<text x="{left + wide:g}" y="{_TOP + _PLOT_HEIGHT + 32:g}" text-anchor="end">{escape(axis)}</text>')
    return _wrap_plot(label, left + wide + 16, _TOP + _PLOT_HEIGHT + _FOOT_HEIGHT, grid_lines, share_marks, texts)


def draw_key_mark(number: int) -> str:
    """Draw the mark of a series, for a key."""
    return (
        '<svg class="key" viewBox="0 0 14 14" aria-hidden="true" focusable="false">'
        f'<g class="mark-{number}">{_draw_shape(number, 7, 7)}</g></svg>'
    )


def _share_text(name: str, share: Share) -> str:
    return f"{name}: {100 * share.share:.1f} %, {100 * share.low:.1f} to {100 * share.high:.1f} %, of {share.of:,}"


def _draw_mark(number: int, x: float, y: float, line: tuple[float, float, float, float], tip: str) -> str:
    x0, y0, x1, y1 = map(format_mm, line)
    return (
        f'<g class="mark-{number}"><title>{escape(tip)}</title><path d="M{x0} {y0}L{x1} {y1}"/>'
        f"{_draw_shape(number, x, y)}</g>"
    )


def _draw_shape(number: int, x: float, y: float) -> str:
    mark_kind = MARKS[number % len(MARKS)]
    if mark_kind == "circle":
        return f'<circle cx="{format_mm(x)}" cy="{format_mm(y)}" r="{_MARK_SIZE:g}"/>'
    if mark_kind == "square":
        return (
            f'<rect x="{format_mm(x - _MARK_SIZE + 0.5)}" y="{format_mm(y - _MARK_SIZE + 0.5)}" width="7" height="7"/>'
        )
    return f'<path class="shape" d="M{format_mm(x)} {format_mm(y - 5)}l5 5l-5 5l-5-5z"/>'


def _wrap_plot(
    label: str, wide: float, tall: float, lines: Sequence[str], marks: Sequence[str], texts: Sequence[str]
) -> str:
    return (
        f'<svg class="plot" viewBox="0 0 {wide:g} {tall:g}" role="img" aria-label="{escape(label)}">'
        f"{''.join(lines)}{''.join(marks)}{''.join(texts)}</svg>"
    )
