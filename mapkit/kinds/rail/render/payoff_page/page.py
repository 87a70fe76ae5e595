"""Page of a payoff chart's check: one HTML file with the heat map, every cell's figures, and its route.

It loads nothing. Without scripts it has both orders, texts on the cells, and a section with the route
for each suspect; with them any cell may be pointed at.
"""

import json
from bisect import bisect
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import PurePath

import numpy as np
import shapely

from mapkit.core.findings import Finding, Severity
from mapkit.drawing.words.language import Words
from mapkit.drawing.words.script import words_for_script, words_script
from mapkit.formats.html import content_security_policy, read_page_part, render_html
from mapkit.geography.backdrop import load_backdrop
from mapkit.kinds.rail.charts.payoffs.distances import board_distances
from mapkit.kinds.rail.charts.payoffs.routes import RouteTrees, route_trees
from mapkit.kinds.rail.charts.payoffs.typing_slips import Slip
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.payoffs.diagnosis import JudgedCell, PayoffDiagnosis, finding_data
from mapkit.kinds.rail.render.page_areas import divide_page
from mapkit.kinds.rail.render.words import words_of
from mapkit.version import __version__

# Board drawing for the page of a payoff chart: each step has an id, so that a route is a list of steps.

SCALE = 2
"""Units of the drawing a millimetre: whole numbers place everything to half a millimetre."""
_TOLERANCE_MM = 0.6
_COAST_MM = 1.0
_SPECK_MM2 = 25.0
_RING = 4


@dataclass(frozen=True)
class RouteBoard:
    """Board drawing, with the shortest-path tree of each city.

    Args:
        svg: `<symbol id="board">` with the land, the steps `e0`, `e1`, ... and the cities.
        box: Its view box.
        trees: The shortest ways.
        steps: Numbers of the steps by pairs of mileposts, the smaller first.
        places: `(x, y)` of each milepost in units of the drawing.
    """

    svg: str
    box: tuple[int, int, int, int]
    trees: RouteTrees
    steps: dict[tuple[int, int], int]
    places: tuple[tuple[int, int], ...]

    def route(self, a: int, b: int) -> list[int]:
        """Return the steps of the shortest path between two cities of the chart."""
        return [self.steps[min(pair), max(pair)] for pair in self.trees.way(a, b)]

    def ways(self) -> list[list[int]]:
        """Return the tree of each city as a list for scripts: milepost, step that leads to it, milepost, step ...

        The path between two cities is in the list of the first; a list has only the steps of paths to later cities.
        """
        way_lists = []
        for a in range(len(self.trees.at)):
            step_by_milepost: dict[int, int] = {}
            for b in range(a + 1, len(self.trees.at)):
                milepost = self.trees.at[b]
                while (
                    milepost not in step_by_milepost
                    and milepost != self.trees.at[a]
                    and self.trees.before[a, milepost] >= 0
                ):
                    last = int(self.trees.before[a, milepost])
                    step_by_milepost[milepost] = self.steps[min(last, milepost), max(last, milepost)]
                    milepost = last
            way_lists.append(
                [number for milepost in sorted(step_by_milepost) for number in (milepost, step_by_milepost[milepost])]
            )
        return way_lists


def draw_route_board(board: Board, cities: tuple[str, ...]) -> RouteBoard:
    """Draw a board for a chart of these cities (ids of the board)."""
    city_trees = route_trees(board, cities)
    step_numbers = {pair: k for k, pair in enumerate(sorted(city_trees.segments))}
    map_area, _ = divide_page(board)
    base_map = load_backdrop(board.projection, map_area, own=board.layers)
    places = tuple((round(m.x * SCALE), round(m.y * SCALE)) for m in board.mileposts)
    step_lines = shapely.simplify(
        np.array(
            [shapely.LineString(board.segments[city_trees.segments[pair]].path) for pair in step_numbers],
            dtype=object,
        ),
        _TOLERANCE_MM,
    )
    city_names = {city.id: city.name for city in board.cities}
    left, top, right, bottom = (round(v * SCALE) for v in map_area)
    svg_parts = [
        '<symbol id="board" overflow="visible">',
        f'<rect class="water" x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"/>',
        f'<path class="land" d="{_format_areas(base_map.land)}"/>',
        f'<path class="water" d="{"".join(_format_areas(lake) for lake in base_map.lakes)}"/>',
        '<g class="rails">',
        *(f'<path id="e{k}" d="{_format_path(line.coords)}"/>' for k, line in enumerate(step_lines)),
        "</g>",
        f'<path class="dots" d="{"".join(f"M{x} {y}h0" for x, y in places)}"/>',
        '<g class="cities">',
        *(
            f'<path d="M{places[milepost_index][0]} '
            f'{places[milepost_index][1]}h0"><title>{escape(city_names[city])}</title></path>'
            for city, milepost_index in zip(cities, city_trees.at, strict=True)
        ),
        "</g>",
        "</symbol>",
    ]
    return RouteBoard("\n".join(svg_parts), (left, top, right - left, bottom - top), city_trees, step_numbers, places)


def _format_path(points: shapely.coords.CoordinateSequence, *, closed: bool = False) -> str:
    """Format path data in whole units, each point relative to the one before."""
    grid_points = [(round(x * SCALE), round(y * SCALE)) for x, y in points]
    point_moves = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(grid_points)]
    steps = " ".join(f"{dx} {dy}" for dx, dy in point_moves if dx or dy)
    return f"M{grid_points[0][0]} {grid_points[0][1]}" + (f"l{steps}" if steps else "h0") + ("z" if closed else "")


def _format_areas(shape: shapely.Geometry) -> str:
    path_parts = []
    for part in shapely.get_parts(shapely.simplify(shape, _COAST_MM)):
        if part.geom_type == "Polygon" and part.area >= _SPECK_MM2:
            path_parts += [_format_path(ring.coords, closed=True) for ring in (part.exterior, *part.interiors)
                    if len(ring.coords) >= _RING]  # fmt: skip
    return "".join(path_parts)


# Heat map of a payoff chart: each cell in the colour of its residual, suspects outlined.

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


MOST_DETAILS = 60
"""Suspects with a section of their own; the others are only in the list."""
_PAIR_SIZE = 2
_FIGURES = ("value", "expected", "score", "slip", "suggested", "route")
"""Figures of a cell in the panel, in order."""
_SURE_SCORE = 0.99

_Pair = tuple[int, int]


def render_payoff_page(found: PayoffDiagnosis, *, board: Board | None = None, words: Words | None = None) -> str:
    """Render the page as the text of an HTML file; equal diagnoses give equal text.

    Args:
        found: The result of the check; its findings are English in every language.
        board: The board that judged, for the order by region and the routes; None leaves them out.
        words: The language; the board's by default, English without a board.
    """
    words = words or words_of(board)
    city_index = {city: k for k, city in enumerate(found.cities)}
    cells = {(city_index[cell.a], city_index[cell.b]): cell for cell in found.cells}
    route_drawing = draw_route_board(board, found.cities) if board is not None else None
    miles = _measure_miles(found, board)
    suspect_cells, noted_cells = _split_suspects(found.findings, city_index, cells)
    heat_orders = _make_orders(found, board, words)
    script_data = json.dumps(
        _script_data(found, cells, route_drawing, miles, words),
        ensure_ascii=False,
        separators=(",", ":"),
        allow_nan=False,
    )
    detailed_cells = [*suspect_cells, *noted_cells][:MOST_DETAILS]
    page_style = "\n".join([read_page_part(__package__, "payoff_page.css"), *_css_rules(heat_orders)])
    page_script = "\n".join(['"use strict";', words_script(), read_page_part(__package__, "payoff_page.js")])
    return render_html(
        __package__,
        "page.html.jinja",
        words=words,
        title=words("checking.title", chart=PurePath(found.chart).name),
        policy=content_security_policy(page_style, page_script),
        style=page_style,
        script=page_script,
        data=script_data.replace("<", "\\u003c"),
        no_amount=NO_AMOUNT,
        legend=describe_legend(words),
        found=found,
        about=_describe_check(found, board, words),
        maps=[(order, draw_residual_map(order, cells, found.names, suspect_cells, words)) for order in heat_orders],
        figures=_FIGURES,
        drawn=route_drawing,
        findings=[_make_finding_line(finding, city_index, cells, words) for finding in found.findings],
        details=[_make_cell_detail(found, pair, cells[pair], route_drawing, miles, words) for pair in detailed_cells],
        noted=noted_cells,
        more=len(suspect_cells) + len(noted_cells) - len(detailed_cells),
        version=__version__,
    )


def _css_rules(orders: Sequence[HeatOrder]) -> list[str]:
    """Return the CSS rules of colours and of the choice of an order."""
    return [
        *(f".k{k} {{ fill: {colour}; }}" for k, colour in enumerate(COLOURS)),
        f".k{NO_AMOUNT} {{ fill: #77756f; }}",
        *(
            f"#o-{order.key}:checked ~ .maps .map-{order.key} {{ display: block; }}\n"
            f'#o-{order.key}:checked ~ .tabs label[for="o-{order.key}"] '
            "{ background: var(--ink); color: var(--page); }\n"
            f'#o-{order.key}:focus-visible ~ .tabs label[for="o-{order.key}"] {{ outline: 3px solid var(--route); }}'
            for order in orders
        ),
    ]


def _describe_check(diagnosis: PayoffDiagnosis, board: Board | None, words: Words) -> str:
    """Describe the number of judged amounts, the basis of the judgement, and its accuracy."""
    kind_counts = Counter(
        "kept" if finding.accepted is not None else f"{finding.severity.value}s" for finding in diagnosis.findings
    )
    finding_counts = [
        words.count(f"severity.{kind}", kind_counts[kind])
        for kind in ("errors", "warnings", "notes", "kept")
        if kind_counts[kind]
    ]
    count_text = words(
        "checking.counts",
        cities=words.count("board.cities", len(diagnosis.cities)),
        pairs=words.count("checking.pairs", len(diagnosis.cells)),
        findings=", ".join(finding_counts) or words("checking.none"),
    )
    basis_text = words(f"checking.by_{diagnosis.basis}", **({"board": board.title} if board is not None else {}))
    sd = diagnosis.sd or 0.0
    accuracy_text = words("checking.predicted", sd=words.number(sd, 2), least=words.number(3 * sd, 1))
    return f"{count_text} {basis_text} {accuracy_text}"


def _finding_cell(finding: Finding, city_index: dict[str, int]) -> _Pair | None:
    """Return the cell of a finding; findings on rows have none."""
    if len(finding.elements) != _PAIR_SIZE or finding.code in ("P09", "P10", "P11"):
        return None
    first_city, second_city = (city_index[city] for city in finding.elements)
    return min(first_city, second_city), max(first_city, second_city)


def _split_suspects(
    findings: Sequence[Finding], city_index: dict[str, int], cells: dict[_Pair, JudgedCell]
) -> tuple[list[_Pair], list[_Pair]]:
    """Return the cells called wrong or suspicious by findings, and those named by notes only."""
    named_cells: tuple[list[_Pair], list[_Pair]] = ([], [])
    for finding in findings:
        finding_cell = _finding_cell(finding, city_index)
        if finding_cell is not None and finding_cell in cells:
            named_cells[finding.severity is Severity.NOTE].append(finding_cell)
    suspects = list(dict.fromkeys(named_cells[0]))
    return suspects, [finding_cell for finding_cell in dict.fromkeys(named_cells[1]) if finding_cell not in suspects]


def _make_orders(diagnosis: PayoffDiagnosis, board: Board | None, words: Words) -> list[HeatOrder]:
    all_cities = tuple(range(len(diagnosis.cities)))
    heat_orders = [HeatOrder("chart", words("checking.as_chart"), all_cities)]
    if board is not None and board.regions:
        region_of = {city.id: city.region for city in board.cities}
        city_order: list[int] = []
        groups = []
        for region_entry in board.regions:
            groups.append((region_entry.name, len(city_order)))
            city_order += [k for k in all_cities if region_of[diagnosis.cities[k]] == region_entry.id]
        if len(city_order) == len(all_cities):
            heat_orders.append(HeatOrder("region", words("checking.by_region"), tuple(city_order), tuple(groups)))
    return heat_orders


@dataclass(frozen=True)
class FindingLine:
    """Texts of a finding in its row; `cell` is the target of its link."""

    finding: Finding
    cell: _Pair | None
    score: str
    suggested: str
    where: str


def _make_finding_line(
    finding: Finding, city_index: dict[str, int], cells: dict[_Pair, JudgedCell], words: Words
) -> FindingLine:
    finding_cell = _finding_cell(finding, city_index)
    details = finding_data(finding)
    score, suggested = details.get("score"), details.get("suggested")
    place = finding.place
    return FindingLine(
        finding,
        finding_cell if finding_cell in cells else None,
        "" if score is None else _format_score(score, words),
        "" if suggested is None else words.plain(suggested),
        "" if place.file is None else place.model_copy(update={"file": PurePath(place.file).name}).text,
    )


def _format_score(score: float, words: Words) -> str:
    return f"> {words.number(_SURE_SCORE, 2)}" if score > _SURE_SCORE else words.number(score, 2)


def _name_slip(cell: JudgedCell, words: Words) -> str:
    return words(f"slip.{Slip(cell.slip).name.lower()}") if cell.slip else ""


_MileTables = tuple[list[list[float]], list[list[float]]]


def _measure_miles(diagnosis: PayoffDiagnosis, board: Board | None) -> _MileTables | None:
    """Return rounded miles by rail, -1 without a route, and by air between all cities."""
    if board is None:
        return None
    distances = board_distances(board, diagnosis.cities)
    rail_miles = distances.rail if distances.rail is not None else distances.ground * float("nan")
    by_rail = [[-1.0 if v != v else round(v) for v in row] for row in rail_miles.tolist()]  # noqa: PLR0124
    return by_rail, distances.ground.round().tolist()


@dataclass(frozen=True)
class RouteEnd:
    """Name of an end of a route in a picture, on the side with more room."""

    name: str
    x: float
    y: float
    left_of: bool


@dataclass(frozen=True)
class CellDetail:
    """Section of a suspect: its figures, and its route by the steps of the board; None without a board."""

    pair: _Pair
    names: tuple[str, str]
    figures: tuple[tuple[str, str], ...]
    steps: tuple[int, ...] | None
    ends: tuple[RouteEnd, ...]


def _make_cell_detail(
    diagnosis: PayoffDiagnosis,
    pair: _Pair,
    cell: JudgedCell,
    route_drawing: RouteBoard | None,
    mile_tables: _MileTables | None,
    words: Words,
) -> CellDetail:
    i, j = pair
    city_names = (diagnosis.names[i], diagnosis.names[j])
    is_flagged = cell.score is not None and cell.score >= diagnosis.flag

    def thousand(amount: float) -> str:
        return words("cell.thousand", amount=words.plain(amount))

    expected_text = words("cell.close_to", expected=words.number(cell.expected, 1), sd=words.number(cell.sd, 2))
    figure_rows = [
        ("value", words("cell.none_or_two") if cell.value is None else thousand(cell.value)),
        ("expected", expected_text),
        ("score", words("cell.not_judged") if cell.score is None else _format_score(cell.score, words)),
        ("slip", _name_slip(cell, words) if is_flagged else words("cell.not_suspected")),
        ("suggested", thousand(cell.suggested) if is_flagged and cell.suggested is not None else "\u2013"),
    ]
    titled_rows = [(words(f"cell.{name}"), figure_text) for name, figure_text in figure_rows]
    if route_drawing is None or mile_tables is None:
        return CellDetail(pair, city_names, tuple(titled_rows), None, ())
    route_steps = tuple(route_drawing.route(i, j))
    titled_rows.append(
        (words("cell.route"), _describe_route(mile_tables[0][i][j], len(route_steps), mile_tables[1][i][j], words))
    )
    left, _, width, _ = route_drawing.box
    route_ends = []
    for city, name in zip(pair, city_names, strict=True):
        x, y = route_drawing.places[route_drawing.trees.at[city]]
        route_ends.append(RouteEnd(name, x, y, left_of=x > left + width / 2))
    return CellDetail(pair, city_names, tuple(titled_rows), route_steps, tuple(route_ends))


def _describe_route(rail: float, mileposts: int, air: float, words: Words) -> str:
    air_text = words.count("map.miles", round(air))
    if rail < 0:
        return words("cell.no_way", air=air_text)
    milepost_text = words.count("board.mileposts", mileposts)
    return words("cell.way", miles=words.count("map.miles", round(rail)), mileposts=milepost_text, air=air_text)


def _script_data(
    diagnosis: PayoffDiagnosis,
    cells: dict[_Pair, JudgedCell],
    route_drawing: RouteBoard | None,
    mile_tables: _MileTables | None,
    words: Words,
) -> dict[str, object]:
    """Return the data for the script, a list for each column: pairs above the diagonal, row by row; null for twins."""
    city_count = len(diagnosis.cities)
    city_pairs = [(i, j) for i in range(city_count) for j in range(i + 1, city_count)]
    pair_cells = [cells.get(pair) for pair in city_pairs]
    slip_names = sorted({_name_slip(cell, words) for cell in diagnosis.cells})
    slip_number = {slip: k for k, slip in enumerate(slip_names)}
    script_data: dict[str, object] = {
        "words": words_for_script(words, ("cell", "map", "board")).model_dump(mode="json"),
        "names": diagnosis.names,
        "side": SIDE,
        "flag": diagnosis.flag,
        "value": [cell and _shorten_number(cell.value, 3) for cell in pair_cells],
        "expected": [cell and _shorten_number(cell.expected, 2) for cell in pair_cells],
        "sd": [0 if cell is None else _shorten_number(max(cell.sd, 0.01), 2) for cell in pair_cells],
        "score": [cell and _shorten_number(cell.score, 3) for cell in pair_cells],
        "slips": slip_names,
        "slip": [0 if cell is None else slip_number[_name_slip(cell, words)] for cell in pair_cells],
        "suggested": [
            _shorten_number(cell.suggested, 3) if cell is not None and (cell.score or 0) >= diagnosis.flag else 0
            for cell in pair_cells
        ],
    }
    if route_drawing is not None and mile_tables is not None:
        script_data |= {
            "rail": [_shorten_number(mile_tables[0][i][j], 0) for i, j in city_pairs],
            "air": [_shorten_number(mile_tables[1][i][j], 0) for i, j in city_pairs],
            "at": route_drawing.trees.at,
            "ways": route_drawing.ways(),
            "ends": [end for pair in route_drawing.steps for end in pair],
            "places": [v for place in route_drawing.places for v in place],
            "middle": route_drawing.box[0] + route_drawing.box[2] / 2,
        }
    return script_data


def _shorten_number(value: float | None, digits: int) -> float | int | None:
    """Round a number to a form with as few characters as possible."""
    if value is None:
        return None
    rounded_value = round(value, digits)
    return int(rounded_value) if rounded_value == int(rounded_value) else rounded_value
