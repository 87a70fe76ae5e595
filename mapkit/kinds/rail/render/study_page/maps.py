"""Maps of use and of income: lines as wide as they are ridden, railroads in the colour of their income."""

from html import escape
from math import pi, sqrt
from typing import Final

from mapkit.drawing.inks import HEAT
from mapkit.drawing.svg_page import SvgPage, format_mm, line_path_data
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.model.study import Study
from mapkit.kinds.rail.render.ground.ground_layers import draw_ground
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.report_page.pictures import draw_circle_names
from mapkit.kinds.rail.render.words import words_of

GROUND: Final = ("water", "land", "regions", "lakes", "borders")
_CITY_SHARE: Final = 1 / 4000
"""Share of the map's area for the circle of a city with one percent of all trips."""
_LINE_SHARE: Final = 1 / 90
"""Width of the most ridden segment, as a part of the map's longer side."""
_THIN_LINE_SHARE: Final = 1 / 900
_NAME_SHARE: Final = 1 / 75


def draw_ground_layers(layout: Layout, theme: Theme) -> str:
    """Return the base map, referenced by the maps of the page by its ids; it takes no room itself."""
    document = SvgPage(
        layout.board.page.width, layout.board.page.height, title="", description="", theme=theme, layers=GROUND
    )
    draw_ground(document, layout.board, layout.ground, layout.warp)
    return document.to_html().replace('role="img"', 'class="ground" aria-hidden="true" focusable="false"', 1)


def draw_use_map(layout: Layout, study: Study) -> str:
    """Draw the map of use: widths of segments by how often they are ridden, areas of cities by arrivals."""
    board, side = layout.board, _longer_side(layout)
    reporting_marks = {r.id: r.short for r in board.railroads}
    milepost_names = {m.id: m.name for m in board.mileposts}
    ride_counts = {use.id: use.times for use in study.segments}
    most_rides = max(ride_counts.values(), default=0.0) or 1.0
    segment_lines = layout.segment_lines
    sorted_segments = sorted(board.segments, key=lambda s: (ride_counts[s.id], s.id))
    ridden_paths = ""
    for segment in sorted_segments:
        rides = ride_counts[segment.id]
        if rides > 0:
            width = format_mm(side * (_THIN_LINE_SHARE + (_LINE_SHARE - _THIN_LINE_SHARE) * rides / most_rides))
            ends = f"{milepost_names[segment.a]} - {milepost_names[segment.b]}"
            title = escape(f"{reporting_marks[segment.railroad]}, {ends}: {rides:.2f} times a match")
            line_path = line_path_data(list(segment_lines[segment.id]))
            ridden_paths += f'<path d="{line_path}" stroke-width="{width}"><title>{title}</title></path>'
    visits = _count_visits(layout, study)
    total_visits = sum(visits.values()) or 1.0
    left, top, right, bottom = layout.area
    circle_radii = {
        m: sqrt(100 * n / total_visits * (right - left) * (bottom - top) * _CITY_SHARE / pi) for m, n in visits.items()
    }
    city_names = _join_city_names(layout)
    city_circles = "".join(
        f'<circle cx="{format_mm(layout.spots[m][0])}" cy="{format_mm(layout.spots[m][1])}" r="{format_mm(r)}">'
        f"<title>{escape(f'{city_names[m]}: {visits[m]:.2f} arrivals a match')}</title></circle>"
        for m, r in circle_radii.items()
    )
    label_texts = {m: f"{city_names[m]} {visits[m]:.2f}" for m in circle_radii}
    name_labels = "".join(draw_circle_names(layout, label_texts, circle_radii, side * _NAME_SHARE))
    all_track = " ".join(map(line_path_data, segment_lines.values()))
    map_content = (
        f'<g class="track"><path d="{all_track}" stroke-width="{format_mm(side * _THIN_LINE_SHARE)}"/></g>'
        f'<g class="ridden">{ridden_paths}</g>'
        f'<g class="cities">{city_circles}</g>'
        f'<g class="names" font-size="{format_mm(side * _NAME_SHARE)}">{name_labels}</g>'
    )
    return _wrap_map(
        layout,
        "use",
        "The board by use: lines are as wide as they are ridden, circles as cities are reached",
        map_content,
    )


def draw_income_map(layout: Layout, study: Study) -> str:
    """Draw the map of income: each railroad in the colour of its fees in a match."""
    longer_side = _longer_side(layout)
    heat_classes = classify_income(study)
    currency_symbol = layout.board.units.symbol
    row_of_railroad = {row.railroad: row for row in study.railroads}
    segment_lines = layout.segment_lines
    paths_by_railroad: dict[str, list[str]] = {}
    for segment in layout.board.segments:
        paths_by_railroad.setdefault(segment.railroad, []).append(line_path_data(segment_lines[segment.id]))
    railroad_paths = []
    for railroad_id in sorted(paths_by_railroad, key=lambda r: (row_of_railroad[r].income.mean, r)):
        row = row_of_railroad[railroad_id]
        tip_text = f"{row.short}: {currency_symbol}{row.income.mean:,.0f} a match"
        d = " ".join(paths_by_railroad[railroad_id])
        railroad_paths.append(
            f'<path class="edge" d="{d}" stroke-width="{format_mm(longer_side * 4.2 * _THIN_LINE_SHARE)}"/>'
            f'<path class="heat-{heat_classes[railroad_id]}" d="{d}" '
            f'stroke-width="{format_mm(longer_side * 3 * _THIN_LINE_SHARE)}"><title>{escape(tip_text)}</title></path>'
        )
    return _wrap_map(
        layout,
        "income",
        "The board by income: railroads in the colour of the fees that they earn",
        f'<g class="railroads">{"".join(railroad_paths)}</g>',
    )


def classify_income(study: Study) -> dict[str, int]:
    """Return the number of each railroad's colour in `HEAT`; the last class holds the highest income."""
    most_income = max((row.income.mean for row in study.railroads), default=0.0) or 1.0
    return {row.railroad: min(len(HEAT) - 1, int(len(HEAT) * row.income.mean / most_income)) for row in study.railroads}


def _count_visits(layout: Layout, study: Study) -> dict[str, float]:
    """Return arrivals a match at each milepost, the most first; twins share one (RB-C06)."""
    arrival_counts = {use.id: use.times for use in study.cities}
    visit_counts: dict[str, float] = {}
    for city in layout.board.cities:
        visit_counts[city.milepost] = visit_counts.get(city.milepost, 0.0) + arrival_counts[city.id]
    return dict(sorted(visit_counts.items(), key=lambda item: (-item[1], item[0])))


def _join_city_names(layout: Layout) -> dict[str, str]:
    names_by_milepost: dict[str, str] = {}
    for city in layout.board.cities:
        names_by_milepost[city.milepost] = (
            f"{names_by_milepost[city.milepost]}/{city.name}" if city.milepost in names_by_milepost else city.name
        )
    return names_by_milepost


def _longer_side(layout: Layout) -> float:
    left, top, right, bottom = layout.area
    return max(right - left, bottom - top)


def _wrap_map(layout: Layout, kind: str, label: str, inner: str) -> str:
    left, top, right, bottom = layout.area
    layer_uses = "".join(f'<use href="#layer-{name}"/>' for name in GROUND)
    map_title = escape(f"{words_of(layout.board)('board.title', board=layout.board.title)}. {label}")
    return (
        f'<svg class="map {kind}" viewBox="{format_mm(left)} {format_mm(top)} '
        f'{format_mm(right - left)} {format_mm(bottom - top)}" role="img" '
        f'aria-label="{map_title}">{layer_uses}{inner}</svg>'
    )
