"""Pictures of the report: payoffs as a heat map and a histogram, odds as circles, shares as bars. Inline SVG."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain, islice, pairwise

from mapkit.drawing.svg_page import mm
from mapkit.drawing.text_width import text_width
from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.model.board import Board, Units
from mapkit.kinds.rail.network.report import Report
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.odds import radius

HEAT = ("#f6efd9", "#f3d9a4", "#ecb96a", "#dd8f45", "#c0613a", "#8f3a3c", "#56233a")
"""From the least payoff to the most; lightness falls all the way, so that no colour vision is needed."""
MOST_HEATED = 200
"""A heat map of more cities could not be read, and would be most of the page."""
SIDE = 10
_BAR = 100.0
_NAMED_CIRCLES = 30
_LARGER = 1.6
"""Radii, compared with circles drawn among railroads: here they have the land for themselves."""


@dataclass(frozen=True)
class Histogram:
    """Shares of all trips, in percent, by payoff in thousands: bin k holds payoffs from `k * width` up."""

    width: int
    shares: tuple[float, ...]
    mean: float
    known: float


def share_bar(share: float, part: float, most: float) -> str:
    """Return a bar for a share in percent, its `part` darker; `most` fills the width."""
    whole, dark = (_BAR * value / most if most else 0.0 for value in (share, part))
    return (
        f'<svg class="bar" viewBox="0 0 {_BAR:g} 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">'
        f'<rect class="bar-all" width="{mm(whole)}" height="10"/>'
        f'<rect class="bar-part" width="{mm(dark)}" height="10"/></svg>'
    )


def heat_order(board: Board, words: Words) -> tuple[list[int], list[tuple[str, int]]]:
    """Return the cities (positions in the board) by region, and where each region begins."""
    order: list[int] = []
    groups: list[tuple[str, int]] = []
    for region in board.regions:
        members = [k for k, city in enumerate(board.cities) if city.region == region.id]
        if members:
            groups.append((region.name, len(order)))
            order += sorted(members, key=lambda k: words.sort_key(board.cities[k].name))
    return order, groups


def heat_svg(board: Board, payoffs: Sequence[Sequence[float | None]], words: Words) -> str:
    """Return the payoff chart as a heat map, cities by region; the script shows the amounts of its cells."""
    order, groups = heat_order(board, words)
    n = len(order)
    names = [board.cities[k].name for k in order]
    margin = round(max((text_width(name, 8.0) for name in names), default=0.0)) + 16
    most = max((v for v in chain.from_iterable(payoffs) if v is not None), default=0.0)
    size, side = margin + n * SIDE + 2, n * SIDE
    starts = [start * SIDE for _, start in groups if start]
    parts = "".join(f"M0 {at}h{side}M{at} 0v{side}" for at in starts)
    middle = SIDE / 2 + 2.8
    opening = (
        f'<svg id="ui-heat" class="heat" viewBox="0 0 {size} {size}" tabindex="0" role="application" '
        f'data-margin="{margin}" data-side="{SIDE}" data-order="{" ".join(map(str, order))}" '
        f'aria-label="{escape(words("report.heat_label"))}">'
    )
    return "\n".join(
        [
            opening,
            f'<g transform="translate({margin} {margin})">',
            f'<rect class="heat-none" width="{side}" height="{side}"/>',
            *(f'<path class="heat-{k}" d="{d}"/>' for k, d in _cells(order, payoffs, most)),
            f'<path class="heat-parts" d="{parts}"/>' if parts else "",
            f'<rect class="heat-at" id="ui-heat-at" width="{SIDE}" height="{SIDE}"/>',
            "</g>",
            '<g class="heat-names">',
            *(
                f'<text x="{margin - 5}" y="{margin + k * SIDE + middle:g}" text-anchor="end">{escape(name)}</text>'
                for k, name in enumerate(names)
            ),
            *(
                f'<text transform="translate({margin + k * SIDE + middle:g} {margin - 5}) rotate(-90)">'
                f"{escape(name)}</text>"
                for k, name in enumerate(names)
            ),
            "</g></svg>",
        ]
    )


def _cells(order: Sequence[int], payoffs: Sequence[Sequence[float | None]], most: float) -> list[tuple[int, str]]:
    """Return path data by colour, neighbours of one colour in a row as one box."""
    runs: dict[int, list[str]] = {}
    for r, i in enumerate(order):
        colours = [heat_class(payoffs[i][j], most) if i != j else -1 for j in order]
        start = 0
        for c in range(1, len(order) + 1):
            if c == len(order) or colours[c] != colours[start]:
                if colours[start] >= 0:
                    width = (c - start) * SIDE
                    runs.setdefault(colours[start], []).append(f"M{start * SIDE} {r * SIDE}h{width}v{SIDE}h-{width}z")
                start = c
    return [(k, "".join(runs[k])) for k in sorted(runs)]


def heat_class(value: float | None, most: float) -> int:
    """Return the index of a payoff's colour, of equal steps from nothing to the most; -1 where there is no amount."""
    if value is None:
        return -1
    return min(int(value / most * len(HEAT)), len(HEAT) - 1) if most else 0


def heat_key(most: float, units: Units, words: Words) -> list[tuple[str, str]]:
    """Return the scale of colours: from and to what amount each goes."""
    steps = [words.money(units.symbol, round(most * k / len(HEAT) * units.payoff)) for k in range(len(HEAT) + 1)]
    return list(pairwise(steps))


def histogram(payoffs: Sequence[Sequence[float | None]], chances: Sequence[float]) -> Histogram:
    """Count trips by payoff: both ends drawn by the charts, independently, never the same city.

    Args:
        payoffs: In thousands, a row a city.
        chances: Of the cities, in any unit; where all are 0, every pair counts the same.
    """
    odds = list(chances) if any(chances) else [1.0] * len(chances)
    trips = [
        (odds[i] * odds[j], payoffs[i][j])
        for i in range(len(odds))
        for j in range(len(odds))
        if i != j and odds[i] * odds[j] > 0
    ]
    whole = sum(weight for weight, _ in trips)
    paid = [(weight, value) for weight, value in trips if value is not None]
    if not paid or not whole:
        return Histogram(1, (), 0.0, 0.0)
    most = max(value for _, value in paid)
    width = next(w for w in (1, 2, 5, 10, 20, 50, 100, 1_000, 10_000, 10**9) if most / w < 25)  # noqa: PLR2004 - bars
    shares = [0.0] * (int(most // width) + 1)
    for weight, value in paid:
        shares[int(value // width)] += weight
    known = sum(weight for weight, _ in paid)
    mean = sum(weight * value for weight, value in paid) / known
    return Histogram(width, tuple(round(100 * s / known, 4) for s in shares), round(mean, 4), round(known / whole, 6))


def histogram_svg(found: Histogram, units: Units, words: Words) -> str:
    """Return the histogram with its mean marked."""
    bar, tall, left, top = 24.0, 150.0, 34.0, 18.0
    most = max(found.shares)
    step = next(s for s in (1, 2, 5, 10, 20, 50) if most / s <= 6)  # noqa: PLR2004 - lines
    wide, scale = bar * len(found.shares), tall / max(most, 1e-9)
    lines, bars, labels = [], [], []
    for k in range(int(most // step) + 1):
        y = top + tall - k * step * scale
        lines.append(f"M{left:g} {mm(y)}h{wide:g}")
        labels.append(f'<text x="{left - 5:g}" y="{mm(y + 3.5)}" text-anchor="end">{words.percent(k * step)}</text>')
    for k, share in enumerate(found.shares):
        low, high = (words.money(units.symbol, edge * found.width * units.payoff) for edge in (k, k + 1))
        tip = escape(words("report.bin", low=low, high=high, share=words.percent(share, 2)))
        bars.append(
            f'<rect x="{left + k * bar + 1:g}" y="{mm(top + tall - share * scale)}" width="{bar - 2:g}" '
            f'height="{mm(share * scale)}"><title>{tip}</title></rect>'
        )
        labels.append(
            f'<text x="{left + k * bar:g}" y="{top + tall + 14:g}" text-anchor="middle">{k * found.width}</text>'
            if k % 2 == 0
            else ""
        )
    mean = left + found.mean / found.width * bar
    mean_amount = words.money(units.symbol, round(found.mean * units.payoff))
    mean_text = words("report.mean", mean=words.number(found.mean, 1))
    axis = words("report.axis", unit=words.money(units.symbol, units.payoff))
    return (
        f'<svg class="histogram" viewBox="0 0 {left + wide + 14:g} {top + tall + 34:g}" role="img" '
        f'aria-label="{escape(words("report.histogram", mean=mean_amount))}">'
        f'<path class="grid" d="{"".join(lines)}"/><g class="bars">{"".join(bars)}</g>'
        f'<path class="mean" d="M{mm(mean)} {top - 4:g}V{top + tall:g}"/>'
        f'<text class="mean-text" x="{mm(mean + 4)}" y="{top + 2:g}">{escape(mean_text)}</text>{"".join(labels)}'
        f'<text x="{left + wide:g}" y="{top + tall + 29:g}" text-anchor="end">{escape(axis)}</text>'
        "</svg>"
    )


def odds_svg(layout: Layout, report: Report, words: Words) -> str:
    """Return the land with a circle for each city milepost, its area the chance; the largest are named.

    The land is that of the board on the same page, used again.
    """
    board = layout.board
    left, top, right, bottom = layout.area
    chance = {row.city: row.chance for row in report.cities}
    at: dict[str, list[str]] = {}
    for city in board.cities:
        at.setdefault(city.milepost, []).append(city.id)
    names = {city.id: city.name for city in board.cities}
    percent = {m: sum(chance[c] for c in cities) for m, cities in at.items()}
    order = sorted((m for m in percent if percent[m] > 0), key=lambda m: (-percent[m], m))
    circles = []
    for m in order:
        x, y = layout.spots[m]
        tip = ", ".join(f"{names[c]} {words.percent(chance[c], 3)}" for c in at[m])
        circles.append(
            f'<circle cx="{mm(x)}" cy="{mm(y)}" r="{mm(_LARGER * radius(board, percent[m]))}">'
            f"<title>{escape(tip)}</title></circle>"
        )
    size = max(right - left, bottom - top) / 75
    texts = {m: f"{'/'.join(names[c] for c in at[m])} {words.percent(percent[m], 1)}" for m in order}
    labels = circle_names(layout, texts, {m: _LARGER * radius(board, percent[m]) for m in order}, size)
    layers = "".join(f'<use href="#layer-{name}"/>' for name in ("water", "land", "regions", "lakes", "borders"))
    return (
        f'<svg class="odds" viewBox="{mm(left)} {mm(top)} {mm(right - left)} {mm(bottom - top)}" role="img" '
        f'aria-label="{escape(words("report.circles_label"))}">'
        f'{layers}<g class="odds-circles">{"".join(circles)}</g>'
        f'<g class="odds-names" font-size="{mm(size)}">{"".join(labels)}</g></svg>'
    )


def circle_names(layout: Layout, texts: Mapping[str, str], radii: Mapping[str, float], size: float) -> list[str]:
    """Name circles where a name fits: right, left, above, below; the first of `texts` first.

    Args:
        layout: Where the mileposts are.
        texts: Milepost (id) -> its name.
        radii: Milepost (id) -> that of its circle, millimetres.
        size: Of the names, millimetres.
    """
    left, top, right, bottom = layout.area
    taken: list[tuple[float, float, float, float]] = []
    out = []
    for m, text in islice(texts.items(), _NAMED_CIRCLES):
        x, y = layout.spots[m]
        r = radii[m]
        wide = text_width(text, size, bold=True)
        for sx, sy in (
            (x + r + size * 0.3, y + size * 0.35), (x - r - size * 0.3 - wide, y + size * 0.35),
            (x - wide / 2, y - r - size * 0.4), (x - wide / 2, y + r + size),
        ):  # fmt: skip
            box = (sx, sy - size * 0.8, sx + wide, sy + size * 0.25)
            inside = left < box[0] and box[2] < right and top < box[1] and box[3] < bottom
            if inside and all(box[0] >= b[2] or b[0] >= box[2] or box[1] >= b[3] or b[1] >= box[3] for b in taken):
                taken.append(box)
                out.append(f'<text x="{mm(sx)}" y="{mm(sy)}">{escape(text)}</text>')
                break
    return out
