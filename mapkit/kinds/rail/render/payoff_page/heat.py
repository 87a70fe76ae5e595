"""A payoff chart as a heat map: each cell in the colour of its residual, suspects outlined."""

from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.model.payoffs.diagnosis import JudgedCell

EDGES = (-8.0, -4.0, -2.0, -1.0, 1.0, 2.0, 4.0, 8.0)
"""Residuals in standard deviations at which the colour changes."""
COLOURS = ("#14448c", "#4a82c4", "#9dc1e6", "#d6e5f3", "#f4f3ef", "#fbe0c2", "#f2ae6a", "#d5722a", "#8a3b08")
"""Blue for too little, orange for too much: told apart by all common kinds of colour vision, and by lightness."""
NO_AMOUNT = len(COLOURS)
SIDE = 10
MOST_TITLED = 100
"""Charts of more cities have no texts for single cells: they would be most of the page."""
_LETTER = 4.6


@dataclass(frozen=True)
class HeatOrder:
    """An order of the cities.

    Args:
        key: A word for ids.
        title: What to call it.
        order: Indices of the cities.
        groups: Names of groups of neighbours, with the position at which each begins.
    """

    key: str
    title: str
    order: tuple[int, ...]
    groups: tuple[tuple[str, int], ...] = ()


Cells = Mapping[tuple[int, int], JudgedCell]


def colour_class(cell: JudgedCell | None) -> int:
    """Return the index of a cell's colour; `NO_AMOUNT` where there is none, or two that differ."""
    if cell is None or cell.value is None:
        return NO_AMOUNT
    return bisect(EDGES, (cell.value - cell.expected) / cell.sd)


def cell_text(cell: JudgedCell, names: Sequence[str], words: Words) -> str:
    """Return a cell in a line: cities, amount, what is expected, and the chance that it is wrong."""
    text = words(
        "cell.tip",
        pair=" - ".join(names),
        value=words("cell.no_value") if cell.value is None else words.plain(cell.value),
        expected=words.number(cell.expected, 1),
        sd=words.number(cell.sd, 1),
    )
    return text if cell.score is None else words("cell.tip_score", tip=text, score=words.number(cell.score, 2))


def heat_svg(
    order: HeatOrder, cells: Cells, names: Sequence[str], suspects: Sequence[tuple[int, int]], words: Words
) -> str:
    """Return the heat map as inline SVG; `cells` are by indices of cities, the smaller first."""
    n = len(order.order)
    margin = round(max(map(len, names)) * _LETTER) + 6
    size = margin + n * SIDE + 2
    titled = n <= MOST_TITLED
    runs: dict[int, list[str]] = {}
    single: list[str] = []
    for r, i in enumerate(order.order):
        for c, j in enumerate(order.order):
            cell = cells.get((min(i, j), max(i, j)))
            if i == j or cell is None:
                continue
            d = f"M{c * SIDE} {r * SIDE}h{SIDE}v{SIDE}h-{SIDE}z"
            if titled and r < c:
                text = escape(cell_text(cell, (names[min(i, j)], names[max(i, j)]), words))
                single.append(f'<path class="k{colour_class(cell)}" d="{d}"><title>{text}</title></path>')
            else:
                runs.setdefault(colour_class(cell), []).append(d)
    place = {city: k for k, city in enumerate(order.order)}
    opening = (
        f'<svg class="heat" id="heat-{order.key}" viewBox="0 0 {size} {size}" tabindex="0" role="application" '
        f'data-margin="{margin}" data-order="{" ".join(map(str, order.order))}" '
        f'aria-label="{escape(words("checking.heat", order=order.title))}">'
    )
    parts = [
        opening,
        f'<g transform="translate({margin} {margin})">',
        f'<rect class="none" width="{n * SIDE}" height="{n * SIDE}"/>',
        *(f'<path class="k{k}" d="{"".join(runs[k])}"/>' for k in sorted(runs)),
        *single,
        *_group_lines(order, n),
        *(_mark(place[a], place[b], (a, b), cells, names, words) for i, j in suspects for a, b in ((i, j), (j, i))),
        f'<rect class="at" width="{SIDE}" height="{SIDE}"/>',
        "</g>",
        *_labels(order, names, margin),
        "</svg>",
    ]
    return "\n".join(parts)


def _mark(row: int, col: int, pair: tuple[int, int], cells: Cells, names: Sequence[str], words: Words) -> str:
    """Return the outline of a suspect, which leads to its section; the Tab key passes over it."""
    i, j = min(pair), max(pair)
    cell = cells.get((i, j))
    text = escape(cell_text(cell, (names[i], names[j]), words)) if cell else ""
    return (
        f'<a href="#c-{i}-{j}" tabindex="-1"><title>{text}</title>'
        f'<rect class="mark" x="{col * SIDE}" y="{row * SIDE}" width="{SIDE}" height="{SIDE}"/></a>'
    )


def _group_lines(order: HeatOrder, n: int) -> list[str]:
    starts = [start * SIDE for _, start in order.groups if start]
    d = "".join(f"M0 {at}h{n * SIDE}M{at} 0v{n * SIDE}" for at in starts)
    return [f'<path class="parts" d="{d}"/>'] if d else []


def _labels(order: HeatOrder, names: Sequence[str], margin: int) -> list[str]:
    middle = SIDE / 2 + 2.6
    rows = [
        f'<text x="{margin - 4}" y="{margin + k * SIDE + middle:g}" text-anchor="end">{escape(names[city])}</text>'
        for k, city in enumerate(order.order)
    ]
    columns = [
        f'<text transform="translate({margin + k * SIDE + middle:g} {margin - 4}) rotate(-90)">{escape(names[city])}'
        "</text>"
        for k, city in enumerate(order.order)
    ]
    return ['<g class="names">', *rows, *columns, "</g>"]


def legend(words: Words) -> list[str]:
    """Return what each colour means, in residuals of standard deviations."""
    bounds = [f"{edge:+g}".replace("-", "\u2212") for edge in EDGES]
    return [
        words("checking.below", bound=bounds[0]),
        *(words("report.range", least=a, most=b) for a, b in pairwise(bounds)),
        words("checking.above", bound=bounds[-1]),
    ]
