"""Heat map of a payoff chart: each cell in the colour of its residual, suspects outlined."""

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
_LETTER_WIDTH = 4.6


@dataclass(frozen=True)
class HeatOrder:
    """Order of the cities in a heat map.

    Args:
        key: A word for ids.
        title: Title of the order.
        order: Indices of the cities.
        groups: Names of groups of neighbours, with the position at which each begins.
    """

    key: str
    title: str
    order: tuple[int, ...]
    groups: tuple[tuple[str, int], ...] = ()


Cells = Mapping[tuple[int, int], JudgedCell]


def residual_class(cell: JudgedCell | None) -> int:
    """Return the index of a cell's colour; `NO_AMOUNT` if it has no amount, or two that differ."""
    if cell is None or cell.value is None:
        return NO_AMOUNT
    return bisect(EDGES, (cell.value - cell.expected) / cell.sd)


def describe_cell(cell: JudgedCell, names: Sequence[str], words: Words) -> str:
    """Describe a cell in a line: cities, amount, expected amount, and the chance that it is wrong."""
    tip_text = words(
        "cell.tip",
        pair=" - ".join(names),
        value=words("cell.no_value") if cell.value is None else words.plain(cell.value),
        expected=words.number(cell.expected, 1),
        sd=words.number(cell.sd, 1),
    )
    return tip_text if cell.score is None else words("cell.tip_score", tip=tip_text, score=words.number(cell.score, 2))


def draw_residual_map(
    order: HeatOrder, cells: Cells, names: Sequence[str], suspects: Sequence[tuple[int, int]], words: Words
) -> str:
    """Return the heat map as inline SVG; `cells` are by indices of cities, the smaller first."""
    city_count = len(order.order)
    label_margin = round(max(map(len, names)) * _LETTER_WIDTH) + 6
    view_size = label_margin + city_count * SIDE + 2
    has_titles = city_count <= MOST_TITLED
    path_by_colour: dict[int, list[str]] = {}
    titled_cells: list[str] = []
    for r, i in enumerate(order.order):
        for c, j in enumerate(order.order):
            cell = cells.get((min(i, j), max(i, j)))
            if i == j or cell is None:
                continue
            d = f"M{c * SIDE} {r * SIDE}h{SIDE}v{SIDE}h-{SIDE}z"
            if has_titles and r < c:
                cell_title = escape(describe_cell(cell, (names[min(i, j)], names[max(i, j)]), words))
                titled_cells.append(f'<path class="k{residual_class(cell)}" d="{d}"><title>{cell_title}</title></path>')
            else:
                path_by_colour.setdefault(residual_class(cell), []).append(d)
    position_of = {city: k for k, city in enumerate(order.order)}
    opening_tag = (
        f'<svg class="heat" id="heat-{order.key}" viewBox="0 0 {view_size} {view_size}" tabindex="0" '
        f'role="application" data-margin="{label_margin}" data-order="{" ".join(map(str, order.order))}" '
        f'aria-label="{escape(words("checking.heat", order=order.title))}">'
    )
    group_starts = [first_position * SIDE for _, first_position in order.groups if first_position]
    group_lines = "".join(f"M0 {start}h{city_count * SIDE}M{start} 0v{city_count * SIDE}" for start in group_starts)
    svg_parts = [
        opening_tag,
        f'<g transform="translate({label_margin} {label_margin})">',
        f'<rect class="none" width="{city_count * SIDE}" height="{city_count * SIDE}"/>',
        *(f'<path class="k{k}" d="{"".join(path_by_colour[k])}"/>' for k in sorted(path_by_colour)),
        *titled_cells,
        *([f'<path class="parts" d="{group_lines}"/>'] if group_lines else []),
        *(
            _draw_mark(position_of[a], position_of[b], (a, b), cells, names, words)
            for i, j in suspects
            for a, b in ((i, j), (j, i))
        ),
        f'<rect class="at" width="{SIDE}" height="{SIDE}"/>',
        "</g>",
        *_draw_labels(order, names, label_margin),
        "</svg>",
    ]
    return "\n".join(svg_parts)


def _draw_mark(row: int, col: int, pair: tuple[int, int], cells: Cells, names: Sequence[str], words: Words) -> str:
    """Draw the outline of a suspect as a link to its section, left out of the Tab order."""
    i, j = min(pair), max(pair)
    cell = cells.get((i, j))
    cell_title = escape(describe_cell(cell, (names[i], names[j]), words)) if cell else ""
    return (
        f'<a href="#c-{i}-{j}" tabindex="-1"><title>{cell_title}</title>'
        f'<rect class="mark" x="{col * SIDE}" y="{row * SIDE}" width="{SIDE}" height="{SIDE}"/></a>'
    )


def _draw_labels(order: HeatOrder, names: Sequence[str], margin: int) -> list[str]:
    cell_middle = SIDE / 2 + 2.6
    row_labels = [
        f'<text x="{margin - 4}" y="{margin + k * SIDE + cell_middle:g}" text-anchor="end">{escape(names[city])}</text>'
        for k, city in enumerate(order.order)
    ]
    column_labels = [
        f'<text transform="translate({margin + k * SIDE + cell_middle:g} {margin - 4}) rotate(-90)">'
        f"{escape(names[city])}</text>"
        for k, city in enumerate(order.order)
    ]
    return ['<g class="names">', *row_labels, *column_labels, "</g>"]


def describe_legend(words: Words) -> list[str]:
    """Return the meaning of each colour, in residuals of standard deviations."""
    edge_texts = [f"{edge:+g}".replace("-", "\u2212") for edge in EDGES]
    return [
        words("checking.below", bound=edge_texts[0]),
        *(words("report.range", least=a, most=b) for a, b in pairwise(edge_texts)),
        words("checking.above", bound=edge_texts[-1]),
    ]
