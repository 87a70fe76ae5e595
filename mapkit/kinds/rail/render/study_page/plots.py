"""Plots of shares as inline SVG: a mark for each, and a line for its interval."""

from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

from mapkit.drawing.svg_page import mm
from mapkit.playing.figures import Share

MARKS: Final = ("circle", "square", "diamond")
"""What marks of one row look like besides their colour."""
_ROW, _LEFT, _WIDE, _TOP, _FOOT = 22.0, 86.0, 560.0, 8.0, 40.0
_TALL, _COLUMN = 260.0, 30.0
_SIZE: Final = 4.0


class PlotRow(NamedTuple):
    """A row of shares that belong together: its name, and a share for each mark."""

    name: str
    shares: Sequence[Share]


def rows_svg(label: str, rows: Sequence[PlotRow], *, even: float, axis: str) -> str:
    """Return rows of marks with intervals, on a scale of percents.

    Args:
        label: What the plot shows, for who cannot see it.
        rows: From the top down.
        even: A share, of 1, to mark by a line: that of players who are as good as each other.
        axis: What the percents are of.
    """
    most = max((share.high for row in rows for share in row.shares if share.of), default=1.0)
    step = next(s for s in (0.02, 0.05, 0.1, 0.2) if most / s <= 8 or s == 0.2)  # noqa: PLR2004 - lines
    end = min(1.0, step * (int(most / step) + 1))
    tall = _ROW * len(rows)

    def x(share: float) -> float:
        return _LEFT + _WIDE * min(share, end) / end

    ticks = [k * step for k in range(round(end / step) + 1)]
    lines = [f'<path class="grid" d="{"".join(f"M{mm(x(tick))} {_TOP:g}v{tall:g}" for tick in ticks)}"/>']
    texts = [
        f'<text x="{mm(x(k * step))}" y="{_TOP + tall + 15:g}" text-anchor="middle">{100 * k * step:g} %</text>'
        for k in range(round(end / step) + 1)
    ]
    texts.append(f'<text x="{_LEFT + _WIDE:g}" y="{_TOP + tall + 32:g}" text-anchor="end">{escape(axis)}</text>')
    lines.append(f'<path class="even" d="M{mm(x(even))} {_TOP:g}v{tall:g}"/>')
    marks = []
    for k, row in enumerate(rows):
        middle = _TOP + _ROW * (k + 0.5)
        texts.append(f'<text x="{_LEFT - 8:g}" y="{mm(middle + 4)}" text-anchor="end">{escape(row.name)}</text>')
        gap = 5.0 if len(row.shares) > 1 else 0.0
        for number, share in enumerate(row.shares):
            if share.of:
                y = middle + gap * (number - (len(row.shares) - 1) / 2)
                marks.append(
                    _mark(number, x(share.share), y, (x(share.low), y, x(share.high), y), _said(row.name, share))
                )
    return _plot(label, _LEFT + _WIDE + 16, _TOP + tall + _FOOT, lines, marks, texts)


def columns_svg(label: str, rows: Sequence[PlotRow], *, even: float, axis: str) -> str:
    """Return columns of marks with intervals, from 0 to 100 %; arguments as for `rows_svg`, from the left on."""
    left, wide = 46.0, _COLUMN * len(rows)

    def y(share: float) -> float:
        return _TOP + _TALL * (1 - share)

    lines = [f'<path class="grid" d="{"".join(f"M{left:g} {mm(y(k / 5))}h{wide:g}" for k in range(6))}"/>']
    texts = [f'<text x="{left - 6:g}" y="{mm(y(k / 5) + 4)}" text-anchor="end">{20 * k} %</text>' for k in range(6)]
    lines.append(f'<path class="even" d="M{left:g} {mm(y(even))}h{wide:g}"/>')
    marks = []
    for k, row in enumerate(rows):
        middle = left + _COLUMN * (k + 0.5)
        if k % 2 == 0:
            texts.append(
                f'<text x="{mm(middle)}" y="{_TOP + _TALL + 15:g}" text-anchor="middle">{escape(row.name)}</text>'
            )
        for number, share in enumerate(row.shares):
            if share.of:
                x = middle + 6 * (number - (len(row.shares) - 1) / 2)
                marks.append(
                    _mark(number, x, y(share.share), (x, y(share.low), x, y(share.high)), _said(row.name, share))
                )
    texts.append(f'<text x="{left + wide:g}" y="{_TOP + _TALL + 32:g}" text-anchor="end">{escape(axis)}</text>')
    return _plot(label, left + wide + 16, _TOP + _TALL + _FOOT, lines, marks, texts)


def key_svg(number: int) -> str:
    """Return the mark of a series, for a key."""
    return (
        '<svg class="key" viewBox="0 0 14 14" aria-hidden="true" focusable="false">'
        f'<g class="mark-{number}">{_shape(number, 7, 7)}</g></svg>'
    )


def _said(name: str, share: Share) -> str:
    return f"{name}: {100 * share.share:.1f} %, {100 * share.low:.1f} to {100 * share.high:.1f} %, of {share.of:,}"


def _mark(number: int, x: float, y: float, line: tuple[float, float, float, float], tip: str) -> str:
    x0, y0, x1, y1 = map(mm, line)
    return (
        f'<g class="mark-{number}"><title>{escape(tip)}</title><path d="M{x0} {y0}L{x1} {y1}"/>'
        f"{_shape(number, x, y)}</g>"
    )


def _shape(number: int, x: float, y: float) -> str:
    kind = MARKS[number % len(MARKS)]
    if kind == "circle":
        return f'<circle cx="{mm(x)}" cy="{mm(y)}" r="{_SIZE:g}"/>'
    if kind == "square":
        return f'<rect x="{mm(x - _SIZE + 0.5)}" y="{mm(y - _SIZE + 0.5)}" width="7" height="7"/>'
    return f'<path class="shape" d="M{mm(x)} {mm(y - 5)}l5 5l-5 5l-5-5z"/>'


def _plot(
    label: str, wide: float, tall: float, lines: Sequence[str], marks: Sequence[str], texts: Sequence[str]
) -> str:
    return (
        f'<svg class="plot" viewBox="0 0 {wide:g} {tall:g}" role="img" aria-label="{escape(label)}">'
        f"{''.join(lines)}{''.join(marks)}{''.join(texts)}</svg>"
    )
