"""Pictures of the report as inline SVG: payoffs as a heat map and a histogram, odds as circles, shares as bars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain, islice, pairwise

from mapkit.drawing.inks import HEAT
from mapkit.drawing.svg_page import format_mm
from mapkit.drawing.text_width import text_width
from mapkit.drawing.words.language import Words
from mapkit.kinds.rail.model.board import Board, Units
from mapkit.kinds.rail.network.report import Report
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.odds import odds_radius_mm

MOST_HEATED = 200
"""A heat map of more cities could not be read, and would be most of the page."""
SIDE = 10
_BAR_WIDTH = 100.0
_NAMED_CIRCLES = 30
_RADIUS_FACTOR = 1.6
"""Radii, compared with circles drawn among railroads: here they have the land for themselves."""


@dataclass(frozen=True)
class Histogram:
    """Shares of all trips, in percent, by payoff in thousands: bin k holds payoffs from `k * width` up."""

    width: int
    shares: tuple[float, ...]
    mean: float
    known: float


def draw_share_bar(share: float, part: float, most: float) -> str:
    """Draw a bar for a share in percent, its `part` darker; `most` fills the width."""
    whole_width, part_width = (_BAR_WIDTH * value / most if most else 0.0 for value in (share, part))
    return (
        f'<svg class="bar" viewBox="0 0 {_BAR_WIDTH:g} 10" preserveAspectRatio="none" aria-hidden="true" '
        f'focusable="false"><rect class="bar-all" width="{format_mm(whole_width)}" height="10"/><rect class="bar-part" '
        f'width="{format_mm(part_width)}" height="10"/></svg>'
    )


def order_by_region(board: Board, words: Words) -> tuple[list[int], list[tuple[str, int]]]:
    """Return the cities (positions in the board) by region, and the start of each region."""
    city_order: list[int] = []
    region_groups: list[tuple[str, int]] = []
    for region in board.regions:
        region_cities = [k for k, city in enumerate(board.cities) if city.region == region.id]
        if region_cities:
            region_groups.append((region.name, len(city_order)))
            city_order += sorted(region_cities, key=lambda k: words.sort_key(board.cities[k].name))
    return city_order, region_groups


def draw_payoff_map(board: Board, payoffs: Sequence[Sequence[float | None]], words: Words) -> str:
    """Draw the payoff chart as a heat map, cities by region; the script shows the amounts of its cells."""
    city_order, region_groups = order_by_region(board, words)
    city_count = len(city_order)
    city_names = [board.cities[k].name for k in city_order]
    margin = round(max((text_width(name, 8.0) for name in city_names), default=0.0)) + 16
    most_payoff = max((v for v in chain.from_iterable(payoffs) if v is not None), default=0.0)
    view_size, grid_side = margin + city_count * SIDE + 2, city_count * SIDE
    group_starts = [start * SIDE for _, start in region_groups if start]
    group_lines = "".join(f"M0 {at}h{grid_side}M{at} 0v{grid_side}" for at in group_starts)
    middle = SIDE / 2 + 2.8
    opening_tag = (
        f'<svg id="ui-heat" class="heat" viewBox="0 0 {view_size} {view_size}" tabindex="0" role="application" '
        f'data-margin="{margin}" data-side="{SIDE}" data-order="{" ".join(map(str, city_order))}" '
        f'aria-label="{escape(words("report.heat_label"))}">'
    )
    return "\n".join(
        [
            opening_tag,
            f'<g transform="translate({margin} {margin})">',
            f'<rect class="heat-none" width="{grid_side}" height="{grid_side}"/>',
            *(f'<path class="heat-{k}" d="{d}"/>' for k, d in _merge_cells(city_order, payoffs, most_payoff)),
            f'<path class="heat-parts" d="{group_lines}"/>' if group_lines else "",
            f'<rect class="heat-at" id="ui-heat-at" width="{SIDE}" height="{SIDE}"/>',
            "</g>",
            '<g class="heat-names">',
            *(
                f'<text x="{margin - 5}" y="{margin + k * SIDE + middle:g}" text-anchor="end">{escape(name)}</text>'
                for k, name in enumerate(city_names)
            ),
            *(
                f'<text transform="translate({margin + k * SIDE + middle:g} {margin - 5}) '
                f'rotate(-90)">{escape(name)}</text>'
                for k, name in enumerate(city_names)
            ),
            "</g></svg>",
        ]
    )


def _merge_cells(order: Sequence[int], payoffs: Sequence[Sequence[float | None]], most: float) -> list[tuple[int, str]]:
    """Return path data by colour, with neighbours of one colour in a row as one box."""
    runs: dict[int, list[str]] = {}
    for r, i in enumerate(order):
        colours = [payoff_class(payoffs[i][j], most) if i != j else -1 for j in order]
        start = 0
        for c in range(1, len(order) + 1):
            if c == len(order) or colours[c] != colours[start]:
                if colours[start] >= 0:
                    width = (c - start) * SIDE
                    runs.setdefault(colours[start], []).append(f"M{start * SIDE} {r * SIDE}h{width}v{SIDE}h-{width}z")
                start = c
    return [(k, "".join(runs[k])) for k in sorted(runs)]


def payoff_class(value: float | None, most: float) -> int:
    """Return the index of a payoff's colour, in equal steps from nothing to the most; -1 without an amount."""
    if value is None:
        return -1
    return min(int(value / most * len(HEAT)), len(HEAT) - 1) if most else 0


def list_payoff_classes(most: float, units: Units, words: Words) -> list[tuple[str, str]]:
    """Return the scale of colours: the lower and upper amount of each."""
    edge_texts = [words.money(units.symbol, round(most * k / len(HEAT) * units.payoff)) for k in range(len(HEAT) + 1)]
    return list(pairwise(edge_texts))


def count_trips_by_payoff(payoffs: Sequence[Sequence[float | None]], chances: Sequence[float]) -> Histogram:
    """Count trips by payoff: both ends drawn by the charts, independently, never the same city.

    Args:
        payoffs: In thousands, a row a city.
        chances: Of the cities, in any unit; where all are 0, every pair counts the same.
    """
    city_odds = list(chances) if any(chances) else [1.0] * len(chances)
    weighted_trips = [
        (city_odds[i] * city_odds[j], payoffs[i][j])
        for i in range(len(city_odds))
        for j in range(len(city_odds))
        if i != j and city_odds[i] * city_odds[j] > 0
    ]
    total_weight = sum(weight for weight, _ in weighted_trips)
    paid_trips = [(weight, value) for weight, value in weighted_trips if value is not None]
    if not paid_trips or not total_weight:
        return Histogram(1, (), 0.0, 0.0)
    most_payoff = max(value for _, value in paid_trips)
    bin_width = next(w for w in (1, 2, 5, 10, 20, 50, 100, 1_000, 10_000, 10**9) if most_payoff / w < 25)  # noqa: PLR2004 - bars
    bin_weights = [0.0] * (int(most_payoff // bin_width) + 1)
    for weight, value in paid_trips:
        bin_weights[int(value // bin_width)] += weight
    paid_weight = sum(weight for weight, _ in paid_trips)
    mean_payoff = sum(weight * value for weight, value in paid_trips) / paid_weight
    return Histogram(
        bin_width,
        tuple(round(100 * s / paid_weight, 4) for s in bin_weights),
        round(mean_payoff, 4),
        round(paid_weight / total_weight, 6),
    )


def draw_histogram(found: Histogram, units: Units, words: Words) -> str:
    """Draw the histogram with its mean marked."""
    bar_width, plot_height, plot_left, plot_top = 24.0, 150.0, 34.0, 18.0
    most_share = max(found.shares)
    line_step = next(s for s in (1, 2, 5, 10, 20, 50) if most_share / s <= 6)  # noqa: PLR2004 - lines
    plot_width, height_scale = bar_width * len(found.shares), plot_height / max(most_share, 1e-9)
    grid_lines, bar_rects, axis_labels = [], [], []
    for k in range(int(most_share // line_step) + 1):
        y = plot_top + plot_height - k * line_step * height_scale
        grid_lines.append(f"M{plot_left:g} {format_mm(y)}h{plot_width:g}")
        axis_labels.append(
            f'<text x="{plot_left - 5:g}" y="{format_mm(y + 3.5)}" text-anchor="end">'
            f"{words.percent(k * line_step)}</text>"
        )
    for k, share in enumerate(found.shares):
        low_amount, high_amount = (words.money(units.symbol, edge * found.width * units.payoff) for edge in (k, k + 1))
        tip_text = escape(words("report.bin", low=low_amount, high=high_amount, share=words.percent(share, 2)))
        bar_rects.append(
            f'<rect x="{plot_left + k * bar_width + 1:g}" '
            f'y="{format_mm(plot_top + plot_height - share * height_scale)}" '
            f'width="{bar_width - 2:g}" height="{format_mm(share * height_scale)}"><title>{tip_text}</title></rect>'
        )
        axis_labels.append(
            f'<text x="{plot_left + k * bar_width:g}" y="{plot_top + plot_height + 14:g}" '
            f'text-anchor="middle">{k * found.width}</text>'
            if k % 2 == 0
            else ""
        )
    mean_x = plot_left + found.mean / found.width * bar_width
    mean_amount = words.money(units.symbol, round(found.mean * units.payoff))
    mean_text = words("report.mean", mean=words.number(found.mean, 1))
    axis_text = words("report.axis", unit=words.money(units.symbol, units.payoff))
    return (
        f'<svg class="histogram" viewBox="0 0 {plot_left + plot_width + 14:g} {plot_top + plot_height + 34:g}" '
        f'role="img" aria-label="{escape(words("report.histogram", mean=mean_amount))}">'
        f'<path class="grid" d="{"".join(grid_lines)}"/><g class="bars">{"".join(bar_rects)}</g>'
        f'<path class="mean" d="M{format_mm(mean_x)} {plot_top - 4:g}V{plot_top + plot_height:g}"/>'
        f'<text class="mean-text" x="{format_mm(mean_x + 4)}" y="{plot_top + 2:g}">{escape(mean_text)}</text>'
        f'{"".join(axis_labels)}<text x="{plot_left + plot_width:g}" y="{plot_top + plot_height + 29:g}" '
        f'text-anchor="end">{escape(axis_text)}</text></svg>'
    )


def draw_odds_map(layout: Layout, report: Report, words: Words) -> str:
    """Draw the land with a circle for each city milepost, its area the chance; the largest are named.

    The land is that of the board on the same page, used again.
    """
    board = layout.board
    left, top, right, bottom = layout.area
    chance_of = {row.city: row.chance for row in report.cities}
    cities_at: dict[str, list[str]] = {}
    for city in board.cities:
        cities_at.setdefault(city.milepost, []).append(city.id)
    city_names = {city.id: city.name for city in board.cities}
    percent = {m: sum(chance_of[c] for c in cities) for m, cities in cities_at.items()}
    order = sorted((m for m in percent if percent[m] > 0), key=lambda m: (-percent[m], m))
    odds_circles = []
    for m in order:
        x, y = layout.spots[m]
        tip_text = ", ".join(f"{city_names[c]} {words.percent(chance_of[c], 3)}" for c in cities_at[m])
        odds_circles.append(
            f'<circle cx="{format_mm(x)}" cy="{format_mm(y)}" '
            f'r="{format_mm(_RADIUS_FACTOR * odds_radius_mm(board, percent[m]))}">'
            f"<title>{escape(tip_text)}</title></circle>"
        )
    name_size = max(right - left, bottom - top) / 75
    label_texts = {m: f"{'/'.join(city_names[c] for c in cities_at[m])} {words.percent(percent[m], 1)}" for m in order}
    name_labels = draw_circle_names(
        layout,
        label_texts,
        {m: _RADIUS_FACTOR * odds_radius_mm(board, percent[m]) for m in order},
        name_size,
    )
    layer_uses = "".join(f'<use href="#layer-{name}"/>' for name in ("water", "land", "regions", "lakes", "borders"))
    return (
        f'<svg class="odds" viewBox="{format_mm(left)} {format_mm(top)} '
        f'{format_mm(right - left)} {format_mm(bottom - top)}" role="img" '
        f'aria-label="{escape(words("report.circles_label"))}">'
        f'{layer_uses}<g class="odds-circles">{"".join(odds_circles)}</g>'
        f'<g class="odds-names" font-size="{format_mm(name_size)}">{"".join(name_labels)}</g></svg>'
    )


def draw_circle_names(layout: Layout, texts: Mapping[str, str], radii: Mapping[str, float], size: float) -> list[str]:
    """Name circles with room for a name: right, left, above, below; the first of `texts` first.

    Args:
        layout: Where the mileposts are.
        texts: Milepost (id) -> its name.
        radii: Milepost (id) -> that of its circle, millimetres.
        size: Of the names, millimetres.
    """
    left, top, right, bottom = layout.area
    taken_boxes: list[tuple[float, float, float, float]] = []
    name_elements = []
    for m, text in islice(texts.items(), _NAMED_CIRCLES):
        x, y = layout.spots[m]
        circle_radius = radii[m]
        text_length = text_width(text, size, bold=True)
        for sx, sy in (
            (x + circle_radius + size * 0.3, y + size * 0.35),
            (x - circle_radius - size * 0.3 - text_length, y + size * 0.35),
            (x - text_length / 2, y - circle_radius - size * 0.4),
            (x - text_length / 2, y + circle_radius + size),
        ):
            box = (sx, sy - size * 0.8, sx + text_length, sy + size * 0.25)
            is_inside = left < box[0] and box[2] < right and top < box[1] and box[3] < bottom
            if is_inside and all(
                box[0] >= b[2] or b[0] >= box[2] or box[1] >= b[3] or b[1] >= box[3] for b in taken_boxes
            ):
                taken_boxes.append(box)
                name_elements.append(f'<text x="{format_mm(sx)}" y="{format_mm(sy)}">{escape(text)}</text>')
                break
    return name_elements
