"""The board by use and by income: lines as wide as they are ridden, railroads in the colour of what they earn."""

from collections.abc import Iterable, Mapping
from html import escape
from math import pi, sqrt
from typing import Final

from mapkit.drawing.svg_page import SvgPage, line_d, mm
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.model.study import Study
from mapkit.kinds.rail.render.ground.drawing import draw_ground
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.report_page.pictures import HEAT, circle_names
from mapkit.kinds.rail.render.words import words_of

GROUND: Final = ("water", "land", "regions", "lakes", "borders")
_CITY_PART: Final = 1 / 4000
"""Part of the map that the circle of a city takes to which a percent of all trips leads."""
_LINE_PART: Final = 1 / 90
"""Width of the most ridden segment, as a part of the map's longer side."""
_THIN_PART: Final = 1 / 900
_NAME_PART: Final = 1 / 75


def ground_svg(layout: Layout, theme: Theme) -> str:
    """Return the base map, which the maps of the page show by its ids; itself it takes no room."""
    document = SvgPage(
        layout.board.page.width, layout.board.page.height, title="", description="", theme=theme, layers=GROUND
    )
    draw_ground(document, layout.board, layout.ground)
    text = document.to_text().partition("?>\n")[2]
    start, end, rest = text.partition(">")
    return start.replace('role="img"', 'class="ground" aria-hidden="true" focusable="false"') + end + rest.strip()


def use_svg(layout: Layout, study: Study) -> str:
    """Return the map of use: each segment as wide as it is often ridden, each city as large as it is often reached."""
    board, side = layout.board, _side(layout)
    railroads = {r.id: r.short for r in board.railroads}
    names = {m.id: m.name for m in board.mileposts}
    times = {use.id: use.times for use in study.segments}
    most = max(times.values(), default=0.0) or 1.0
    lines = layout.segment_lines
    segments = sorted(board.segments, key=lambda s: (times[s.id], s.id))
    ridden = "".join(
        _line(
            lines[s.id],
            f"{railroads[s.railroad]}, {names[s.a]} - {names[s.b]}: {times[s.id]:.2f} times a match",
            {"stroke-width": mm(side * (_THIN_PART + (_LINE_PART - _THIN_PART) * times[s.id] / most))},
        )
        for s in segments
        if times[s.id] > 0
    )
    visits = _visits(layout, study)
    whole = sum(visits.values()) or 1.0
    left, top, right, bottom = layout.area
    radii = {m: sqrt(100 * n / whole * (right - left) * (bottom - top) * _CITY_PART / pi) for m, n in visits.items()}
    called = _cities_at(layout)
    circles = "".join(
        f'<circle cx="{mm(layout.spots[m][0])}" cy="{mm(layout.spots[m][1])}" r="{mm(r)}">'
        f"<title>{escape(f'{called[m]}: {visits[m]:.2f} arrivals a match')}</title></circle>"
        for m, r in radii.items()
    )
    shown = {m: f"{called[m]} {visits[m]:.2f}" for m in radii}
    labels = "".join(circle_names(layout, shown, radii, side * _NAME_PART))
    inner = (
        f'<g class="track">{_all_track(layout)}</g><g class="ridden">{ridden}</g>'
        f'<g class="cities">{circles}</g><g class="names" font-size="{mm(side * _NAME_PART)}">{labels}</g>'
    )
    return _map(
        layout, "use", "The board by use: lines are as wide as they are ridden, circles as cities are reached", inner
    )


def income_svg(layout: Layout, study: Study) -> str:
    """Return the map of income: each railroad in the colour of the fees that it earns in a match."""
    side = _side(layout)
    heat = income_classes(study)
    symbol = layout.board.units.symbol
    earns = {row.railroad: row for row in study.railroads}
    lines = layout.segment_lines
    of: dict[str, list[str]] = {}
    for segment in layout.board.segments:
        of.setdefault(segment.railroad, []).append(line_d(lines[segment.id]))
    drawn = []
    for ident in sorted(of, key=lambda r: (earns[r].income.mean, r)):
        tip = f"{earns[ident].short}: {symbol}{earns[ident].income.mean:,.0f} a match"
        d = " ".join(of[ident])
        drawn.append(
            f'<path class="edge" d="{d}" stroke-width="{mm(side * 4.2 * _THIN_PART)}"/>'
            f'<path class="heat-{heat[ident]}" d="{d}" stroke-width="{mm(side * 3 * _THIN_PART)}">'
            f"<title>{escape(tip)}</title></path>"
        )
    return _map(
        layout,
        "income",
        "The board by income: railroads in the colour of the fees that they earn",
        f'<g class="railroads">{"".join(drawn)}</g>',
    )


def income_classes(study: Study) -> dict[str, int]:
    """Return railroad -> the number of its colour in `HEAT`; the dearest class holds the one that earns most."""
    most = max((row.income.mean for row in study.railroads), default=0.0) or 1.0
    return {row.railroad: min(len(HEAT) - 1, int(len(HEAT) * row.income.mean / most)) for row in study.railroads}


def _visits(layout: Layout, study: Study) -> dict[str, float]:
    """Return milepost -> arrivals a match, the most first; twins share one (RB-C06)."""
    times = {use.id: use.times for use in study.cities}
    out: dict[str, float] = {}
    for city in layout.board.cities:
        out[city.milepost] = out.get(city.milepost, 0.0) + times[city.id]
    return dict(sorted(out.items(), key=lambda item: (-item[1], item[0])))


def _cities_at(layout: Layout) -> dict[str, str]:
    out: dict[str, str] = {}
    for city in layout.board.cities:
        out[city.milepost] = f"{out[city.milepost]}/{city.name}" if city.milepost in out else city.name
    return out


def _all_track(layout: Layout) -> str:
    width = mm(_side(layout) * _THIN_PART)
    return f'<path d="{" ".join(map(line_d, layout.segment_lines.values()))}" stroke-width="{width}"/>'


def _line(points: Iterable[tuple[float, float]], tip: str, attributes: Mapping[str, str]) -> str:
    given = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<path d="{line_d(list(points))}"{given}><title>{escape(tip)}</title></path>'


def _side(layout: Layout) -> float:
    left, top, right, bottom = layout.area
    return max(right - left, bottom - top)


def _map(layout: Layout, kind: str, label: str, inner: str) -> str:
    left, top, right, bottom = layout.area
    layers = "".join(f'<use href="#layer-{name}"/>' for name in GROUND)
    title = escape(f"{words_of(layout.board)('board.title', board=layout.board.title)}. {label}")
    return (
        f'<svg class="map {kind}" viewBox="{mm(left)} {mm(top)} {mm(right - left)} {mm(bottom - top)}" role="img" '
        f'aria-label="{title}">{layers}{inner}</svg>'
    )
