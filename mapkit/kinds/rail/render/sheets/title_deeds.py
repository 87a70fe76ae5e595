"""Title deeds (RB-C12, RB-C16): a card for every railroad."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.base import Area, Point
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.fit import FLOOR, LEADING, points_to_mm, wrap_text
from mapkit.drawing.inks import ink_on
from mapkit.drawing.shapes import shape_path_data
from mapkit.drawing.sheet import CARD, Sheet
from mapkit.drawing.svg_page import Element, format_mm, line_path_data
from mapkit.drawing.text_width import Family, text_width
from mapkit.drawing.theme.theme import Theme
from mapkit.geography.backdrop import Backdrop, load_backdrop
from mapkit.kinds.rail.model.board import REGIONS, Board, Railroad, Style
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances
from mapkit.kinds.rail.network.service import calculate_access, calculate_monopoly, cities_by_railroad, find_connections
from mapkit.kinds.rail.render.colours.railroad_styles import choose_railroad_styles
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.lines.line_patterns import PENS
from mapkit.kinds.rail.render.lines.polyline import Array
from mapkit.kinds.rail.render.lines.tracks import draw_pattern_lines
from mapkit.kinds.rail.render.sheets.card import (
    INNER,
    begin_card,
    draw_band,
    draw_card_back,
    draw_frame,
    draw_line_sample,
)
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob

# Little map of a railroad for its deed: its lines over quiet land, cropped to their extent.

_EDGE_SHARE: Final = 0.1
_LEAST_SHARE: Final = 0.12
_FINE_MM: Final = 0.08
_SERVED_HALF_MM: Final = 0.7
_OTHER_HALF_MM: Final = 0.35
_NAME_GAP_MM: Final = 0.35
_LINE_MM: Final = 0.7
_CASING_MM: Final = 0.18
"""A line of the map, about half as wide as on the board, so that its pattern has room between two bends."""
_NAME_HIGH: Final = (0.72, 0.24)
"""Above and below the baseline, as a share of the size of text."""


@dataclass(frozen=True)
class LittleMapSource:
    """Common source of the little maps of a board."""

    layout: Layout
    ground: Backdrop
    lines: Mapping[str, Sequence[Array]]
    """Railroad (id) -> its drawn pieces from middle to middle of their mileposts, on the board's page."""
    track: NDArray[np.object_]
    """All drawn pieces as shapes, railroad by railroad."""
    owners: NDArray[np.str_]
    """The railroad (id) of each."""
    served: Mapping[str, frozenset[str]]
    order: Mapping[str, int]
    """City (id) -> its place among destinations, the likeliest first."""
    styles: Mapping[str, Style]
    """Railroad (id) -> how it is drawn."""


@dataclass(frozen=True)
class _MapView:
    """Transformation from the board's page to a card."""

    window: Area
    area: Area
    scale: float

    def place(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        return (points - (self.window[0], self.window[1])) * self.scale + (self.area[0], self.area[1])


def prepare_little_maps(board: Board, theme: Theme, shape: float, layout: Layout | None = None) -> LittleMapSource:
    """Lay the board out once, for the maps of all its railroads.

    Args:
        board: The board.
        theme: Its sizes, and how it draws railroads.
        shape: Width by height of the widest map; land is loaded as far as that reaches.
        layout: The board laid out with the theme's sizes; laid out here by default.
    """
    layout = layout or lay_out(board, theme.sizes, text=False)
    piece_lines: dict[str, list[Array]] = {railroad.id: [] for railroad in board.railroads}
    for piece in board.pieces:
        end_spots = [np.array([layout.spots[end]]) for end in (piece.a, piece.b)]
        piece_lines[piece.railroad].append(np.vstack((end_spots[0], layout.thin_lines[piece.id], end_spots[1])))
    city_chance = calculate_city_chances(board) if REGIONS in board.destinations else {}
    ranked_cities = sorted(board.cities, key=lambda c: (-city_chance.get(c.id, 0), c.id))
    city_rank = {city.id: rank for rank, city in enumerate(ranked_cities)}
    map_windows = [_make_window(layout, piece_lines[railroad.id], shape) for railroad in board.railroads]
    left, top, right, bottom = zip(layout.area, *map_windows, strict=True)
    seen_area = (min(left), min(top), max(right), max(bottom))
    base_map = load_backdrop(board.projection, seen_area, layout.warp, board.layers)
    owned_lines = [(ident, shapely.LineString(line)) for ident in sorted(piece_lines) for line in piece_lines[ident]]
    track_lines = np.array([line for _, line in owned_lines], dtype=object)
    line_owners = np.array([ident for ident, _ in owned_lines], dtype=np.str_)
    return LittleMapSource(
        layout,
        base_map,
        piece_lines,
        track_lines,
        line_owners,
        cities_by_railroad(board),
        city_rank,
        choose_railroad_styles(board, theme),
    )


def draw_little_map(canvas: Canvas, maps: LittleMapSource, railroad: Railroad, area: Area) -> None:
    """Draw a railroad's map in a box of a card; a railroad without track gets the whole board."""
    theme = canvas.theme
    map_window = _make_window(maps.layout, maps.lines[railroad.id], (area[2] - area[0]) / (area[3] - area[1]))
    map_view = _MapView(map_window, area, (area[2] - area[0]) / (map_window[2] - map_window[0]))
    map_group = canvas.group({"class": "little-map", "fill": "none", "stroke-linejoin": "round"})
    canvas.box(area, fill=theme.water, parent=map_group)
    _draw_land(canvas, map_group, maps, map_view)
    _draw_other_lines(canvas, map_group, maps, railroad, map_view)
    own_runs = {
        str(run_number): map_view.place(line) for run_number, line in enumerate(join_runs(maps.lines[railroad.id]))
    }
    track = canvas.group({}, map_group)
    fine_sizes = theme.sizes.model_copy(update={"line": _LINE_MM, "casing_edge": _CASING_MM})
    draw_pattern_lines(
        canvas.document, track, maps.styles[railroad.id], own_runs, {ident: {} for ident in own_runs}, fine_sizes
    )
    _draw_cities(canvas, map_group, maps, railroad, map_view)
    canvas.box(area, edge=theme.quiet_ink, width=0.2, parent=map_group)


def join_runs(lines: Sequence[Array]) -> list[Array]:
    """Join lines at common ends, so that a pattern runs on through mileposts."""
    if not lines:
        return []
    merged_lines = shapely.line_merge(shapely.MultiLineString([np.round(line, 2) for line in lines]))
    return [shapely.get_coordinates(shapely.remove_repeated_points(part)) for part in shapely.get_parts(merged_lines)]


def _make_window(layout: Layout, lines: Sequence[Array], shape: float) -> Area:
    """Return the extent of lines on the page, in a box's proportions, inside the map if possible."""
    left, top, right, bottom = layout.area
    line_points = np.concatenate(lines) if lines else np.array([(left, top), (right, bottom)])
    (x0, y0), (x1, y1) = line_points.min(axis=0), line_points.max(axis=0)
    least_width = _LEAST_SHARE * (right - left)
    window_width = max(float(x1 - x0) * (1 + 2 * _EDGE_SHARE), least_width)
    window_height = max(float(y1 - y0) * (1 + 2 * _EDGE_SHARE), least_width * 0.5)
    window_width, window_height = max(window_width, window_height * shape), max(window_height, window_width / shape)
    x = _keep_inside(float(x0 + x1) / 2 - window_width / 2, window_width, left, right)
    y = _keep_inside(float(y0 + y1) / 2 - window_height / 2, window_height, top, bottom)
    return (x, y, x + window_width, y + window_height)


def _keep_inside(start: float, size: float, low: float, high: float) -> float:
    if size >= high - low:
        return (low + high - size) / 2
    return min(max(start, low), high - size)


def _draw_land(canvas: Canvas, group: Element, maps: LittleMapSource, view: _MapView) -> None:
    theme = canvas.theme
    window_box = shapely.box(*view.window)

    def shown(shape: shapely.Geometry) -> str:
        clipped_shape = shapely.intersection(shape, window_box)
        if clipped_shape.is_empty:
            return ""
        return shape_path_data(shapely.simplify(shapely.transform(clipped_shape, view.place), _FINE_MM))

    land_path = shown(maps.ground.land)
    if land_path:
        land_style = {"fill": theme.land, "fill-rule": "evenodd", "stroke": theme.coast, "stroke-width": "0.15"}
        canvas.document.path(group, land_path, land_style)
    lake_path = " ".join(d for lake in maps.ground.lakes if (d := shown(lake)))
    if lake_path:
        canvas.document.path(group, lake_path, {"fill": theme.water, "fill-rule": "evenodd"})
    borders = " ".join(d for shape in (maps.ground.state_borders, maps.ground.country_borders) if (d := shown(shape)))
    if borders:
        border_style = {"stroke": mix_colours(theme.border, theme.land, 0.6), "stroke-width": "0.12"}
        canvas.document.path(group, borders, border_style)


def _draw_other_lines(
    canvas: Canvas, group: Element, maps: LittleMapSource, railroad: Railroad, view: _MapView
) -> None:
    theme = canvas.theme
    other_lines = maps.track[maps.owners != railroad.id]
    visible_lines = other_lines[shapely.intersects(other_lines, shapely.box(*view.window))]
    if not len(visible_lines):
        return
    clipped_lines = shapely.intersection(visible_lines, shapely.box(*view.window))
    placed_lines = shapely.simplify(shapely.transform(clipped_lines, view.place), _FINE_MM)
    path_parts = [line_path_data(part.coords) for part in shapely.get_parts(placed_lines)
             if part.geom_type == "LineString" and not part.is_empty]  # fmt: skip
    if path_parts:
        line_style = {"stroke": mix_colours(theme.quiet_ink, theme.land, 0.35), "stroke-width": "0.2"}
        canvas.document.path(group, " ".join(path_parts), line_style)


def _draw_cities(canvas: Canvas, group: Element, maps: LittleMapSource, railroad: Railroad, view: _MapView) -> None:
    """Draw served cities as squares, others small, and name served cities that have room."""
    theme, board = canvas.theme, maps.layout.board
    left, top, right, bottom = view.area
    city_places = {c.id: view.place(np.asarray(maps.layout.spots[c.milepost], dtype=float)) for c in board.cities}
    visible_places = {
        ident: (float(x), float(y)) for ident, (x, y) in city_places.items() if left < x < right and top < y < bottom
    }
    served_cities = maps.served[railroad.id]
    city_names = {c.id: c.name for c in board.cities}
    quiet_colour = mix_colours(theme.quiet_ink, theme.land, 0.55)
    for ident in sorted(visible_places):
        half_side = _SERVED_HALF_MM if ident in served_cities else _OTHER_HALF_MM
        x, y = visible_places[ident]
        x, y = min(max(x, left + half_side), right - half_side), min(max(y, top + half_side), bottom - half_side)
        edge_style = {"stroke": theme.casing, "stroke-width": "0.2"} if ident in served_cities else {}
        square_fill = theme.ink if ident in served_cities else quiet_colour
        square_box = (x - half_side, y - half_side, x + half_side, y + half_side)
        canvas.box(square_box, fill=square_fill, parent=group, attributes=edge_style)
    visible_served = sorted((i for i in visible_places if i in served_cities), key=lambda i: (maps.order[i], i))
    taken_boxes = [
        (x - _SERVED_HALF_MM, y - _SERVED_HALF_MM, x + _SERVED_HALF_MM, y + _SERVED_HALF_MM)
        for x, y in (visible_places[i] for i in visible_served)
    ]
    line_width = PENS[maps.styles[railroad.id].pattern].body * _LINE_MM
    track_shape = shapely.union_all([shapely.LineString(view.place(line)) for line in maps.lines[railroad.id]])
    track_shape = shapely.buffer(track_shape, line_width / 2, quad_segs=2)
    halo_group = canvas.group(
        {
            "fill": theme.land,
            "stroke": theme.land,
            "stroke-width": "0.55",
            "font-size": format_mm(FLOOR),
            "class": "halos",
        },
        group,
    )
    text_group = canvas.group({"fill": theme.ink, "font-size": format_mm(FLOOR + 0.005)}, group)
    for ident in visible_served:
        free_places = _find_free_places(
            city_names[ident], visible_places[ident], view.area, taken_boxes, canvas.theme.family
        )
        if not free_places:
            continue
        name_place, square_box = min(
            free_places, key=lambda s: round(shapely.area(shapely.intersection(track_shape, shapely.box(*s[1]))), 2)
        )
        taken_boxes.append(square_box)
        canvas.document.text(halo_group, city_names[ident], name_place, {})
        canvas.document.text(text_group, city_names[ident], name_place, {})


def _find_free_places(
    name: str, symbol_place: Point, area: Area, taken_boxes: Sequence[Area], family: Family
) -> list[tuple[Point, Area]]:
    """Return the places beside a square with room for a name, the best first, and their boxes."""
    free_places = []
    (x, y), name_width = symbol_place, text_width(name, FLOOR, family=family) * 1.02
    above, below = (share * FLOOR for share in _NAME_HIGH)
    name_offset = _SERVED_HALF_MM + _NAME_GAP_MM
    level_baseline = y + 0.34 * FLOOR
    for x0, baseline in (
        (x + name_offset, level_baseline),
        (x - name_offset - name_width, level_baseline),
        (x - name_width / 2, y - name_offset - below),
        (x - name_width / 2, y + name_offset + above),
        (x + name_offset, y - name_offset),
        (x + name_offset, y + name_offset + above * 0.6),
        (x - name_offset - name_width, y - name_offset),
        (x - name_offset - name_width, y + name_offset + above * 0.6),
    ):
        box = (x0 - 0.1, baseline - above, x0 + name_width + 0.1, baseline + below)
        is_inside = box[0] >= area[0] + 0.4 and box[1] >= area[1] + 0.4 and box[2] <= area[2] - 0.4 and (
            box[3] <= area[3] - 0.4
        )  # fmt: skip
        if is_inside and not any(
            box[0] < other_box[2] and other_box[0] < box[2] and box[1] < other_box[3] and other_box[1] < box[3]
            for other_box in taken_boxes
        ):
            free_places.append(((x0, baseline), box))
    return free_places


_BAND_MM: Final = 10.5
_STRIP_MM: Final = 3.6
_NAME_MM: Final = 7.6
_PAD_MM: Final = 2.4
_FACTS_MM: Final = 8.2
_TEXT_SIZE: Final = points_to_mm(6.5)
_LABEL_SIZE: Final = points_to_mm(6)
_HALF_PERCENT: Final = 50
_MAP_HEIGHTS_MM: Final = (15.0, 36.0)
"""Least and greatest height of the map."""
_WIDEST_MAP: Final = (INNER[2] - INNER[0]) / _MAP_HEIGHTS_MM[0]


@dataclass(frozen=True)
class _NameList:
    """List of names below a label."""

    label: str
    lines: tuple[str, ...]
    size: float

    @property
    def height(self) -> float:
        return LEADING * (_LABEL_SIZE + len(self.lines) * self.size) + 0.8


def make_deed_sheets(job: SheetJob) -> list[Sheet]:
    """Return a deed for every railroad, in alphabetical order of their names, all with the same back."""
    if not job.board.railroads:
        return []
    card_back = draw_card_back(job, job.words("deed.title"))
    return [
        Sheet(
            f"deed-{railroad.id}",
            job.words("deed.titled", railroad=railroad.name),
            card.to_text(),
            *CARD,
            "card",
            card_back,
        )
        for railroad, card in draw_deeds(job)
    ]


def draw_deeds(job: SheetJob, only: Sequence[str] = ()) -> Iterator[tuple[Railroad, Canvas]]:
    """Yield the fronts of the deeds, in alphabetical order; those of some railroads (ids), or all."""
    sorted_railroads = sorted(job.board.railroads, key=lambda r: (job.sort_key(r.name), r.id))
    deed_maps = prepare_little_maps(job.board, job.theme, _WIDEST_MAP, job.layout)
    met_railroads = find_connections(job.board)
    for railroad in sorted_railroads:
        if not only or railroad.id in only:
            yield railroad, _draw_deed(job, deed_maps, railroad, met_railroads[railroad.id])


def is_for_sale(job: SheetJob, railroad: Railroad) -> bool:
    """Return whether a railroad can be bought (RB-C11, RB-P10)."""
    return not railroad.public or job.board.rules.purchase.public_for_sale


def _draw_deed(job: SheetJob, maps: LittleMapSource, railroad: Railroad, meets: Sequence[str]) -> Canvas:
    theme, style = job.theme, job.styles[railroad.id]
    frame_colour = ink_on("#ffffff") if style.colour == "#ffffff" else style.colour
    card_canvas = begin_card(job, railroad.name, frame_colour)
    left, _, right, bottom = INNER
    top = _draw_heading(job, card_canvas, railroad)
    name_lists = _make_lists(job, maps, railroad, meets, bottom - top - _NAME_MM - _MAP_HEIGHTS_MM[0] - _FACTS_MM - 2.0)
    name_type = TextStyle(points_to_mm(11), bold=True, align="middle", lines=2)
    card_canvas.words(
        (left + _PAD_MM, top, right - _PAD_MM, top + _NAME_MM), railroad.name, name_type, data={"name": railroad.id}
    )
    top += _NAME_MM + 0.4
    free_height = bottom - 1.2 - top - _FACTS_MM - sum(part.height for part in name_lists)
    map_height = min(max(free_height, _MAP_HEIGHTS_MM[0]), _MAP_HEIGHTS_MM[1])
    draw_little_map(card_canvas, maps, railroad, (left, top, right, top + map_height))
    top += map_height
    spare_height = max(0.0, free_height - map_height)
    space_above = 0.6 + spare_height * 0.25
    _draw_facts(
        card_canvas,
        _list_figures(job, railroad),
        (left + _PAD_MM, top + space_above, right - _PAD_MM, top + space_above + _FACTS_MM - 1.4),
    )
    top += _FACTS_MM + spare_height * 0.5
    for part in name_lists:
        label_type = TextStyle(_LABEL_SIZE, bold=True, fill=theme.quiet_ink)
        card_canvas.words((left + _PAD_MM, top, right - _PAD_MM, top + LEADING * _LABEL_SIZE), part.label, label_type)
        y = top + LEADING * _LABEL_SIZE
        for line in part.lines:
            line_box = (left + _PAD_MM, y, right - _PAD_MM, y + LEADING * part.size)
            card_canvas.words(line_box, line, TextStyle(part.size))
            y += LEADING * part.size
        top += part.height + spare_height * 0.12
    draw_frame(card_canvas, frame_colour)
    return card_canvas


def _draw_heading(job: SheetJob, canvas: Canvas, railroad: Railroad) -> float:
    """Draw the band with initials and price, and the line's pattern below it; return the bottom edge."""
    railroad_style = job.styles[railroad.id]
    left, top, right, bottom = draw_band(canvas, _BAND_MM, railroad_style.colour)
    band_ink = ink_on(railroad_style.colour)
    mark_right = left + (right - left) * 0.58
    canvas.words(
        (left + _PAD_MM, top, mark_right, bottom), railroad.short, TextStyle(points_to_mm(21), bold=True, fill=band_ink)
    )
    price_text = job.money(railroad.price) if is_for_sale(job, railroad) else job.words("deed.public")
    price_type = TextStyle(points_to_mm(14), bold=True, fill=band_ink, align="end")
    canvas.words((mark_right, top, right - _PAD_MM, bottom), price_text, price_type, data={"price": railroad.id})
    draw_line_sample(canvas, railroad_style, left, right, bottom + _STRIP_MM / 2)
    return bottom + _STRIP_MM


def _list_figures(job: SheetJob, railroad: Railroad) -> list[tuple[str, str]]:
    """Return the figures of a deed, without those missing from the rules or charts."""
    board, rules, words = job.board, job.board.rules, job.words
    figure_rows = []
    if is_for_sale(job, railroad):
        # RB-A03 and RB-A05: what the bank pays, and where an auction begins, are shares of the list price
        sell_percent, bid_percent = rules.auction.sell_back_percent, rules.auction.opening_percent
        price_shares = (
            [("half_price", sell_percent)]
            if sell_percent == bid_percent == _HALF_PERCENT
            else [("bank_pays", sell_percent), ("first_bid", bid_percent)]
        )
        figure_rows += [
            (words(f"deed.{name}"), job.money(railroad.price * percent / 100)) for name, percent in price_shares
        ]
    else:
        figure_rows.append((words("deed.never_sold"), job.money(rules.fees.bank)))
    if REGIONS in board.destinations and any(calculate_access(board, [r.id]) for r in board.railroads):
        service_chance, monopoly_chance = (
            calculate_access(board, [railroad.id]),
            calculate_monopoly(board, [railroad.id]),
        )
        figure_rows.append((words("deed.destinations"), words.percent(float(service_chance) * 100, 1)))
        figure_rows.append((words("deed.alone"), words.percent(float(monopoly_chance) * 100, 1)))
    return figure_rows


def _draw_facts(canvas: Canvas, facts: Sequence[tuple[str, str]], area: tuple[float, float, float, float]) -> None:
    left, top, right, bottom = area
    fact_width = (right - left) / len(facts)
    label_bottom = top + (bottom - top) * 0.46
    for fact_number, (label, value) in enumerate(facts):
        x0, x1 = left + fact_number * fact_width, left + (fact_number + 1) * fact_width - 0.6
        text_align = "start" if fact_number == 0 else "end" if fact_number == len(facts) - 1 else "middle"
        label_type = TextStyle(_LABEL_SIZE, fill=canvas.theme.quiet_ink, align=text_align)  # type: ignore[arg-type]
        canvas.words((x0, top + 0.4, x1 + 0.6 * (fact_number == len(facts) - 1), label_bottom), label, label_type)
        value_kind = label_type.but(size=points_to_mm(10), bold=True, fill=canvas.theme.ink)
        canvas.words((x0, label_bottom, x1 + 0.6 * (fact_number == len(facts) - 1), bottom), value, value_kind)


def _make_lists(
    job: SheetJob, maps: LittleMapSource, railroad: Railroad, meets: Sequence[str], height: float
) -> list[_NameList]:
    """Return the cities served and the railroads met, shortened to fit; a shortened list ends in a count."""
    words = job.words
    city_names, reporting_marks = job.names, {r.id: r.short for r in job.board.railroads}
    served_names = sorted((city_names[c] for c in maps.served[railroad.id]), key=job.sort_key)
    met_marks = sorted((reporting_marks[ident] for ident in meets), key=job.sort_key)
    serves_label = words.count("deed.serves", len(served_names)) if served_names else words("deed.serves_none")
    labelled_lists = [
        (serves_label, served_names),
        (words("deed.meets") if met_marks else words("deed.meets_none"), met_marks),
    ]
    for text_size in (_TEXT_SIZE, FLOOR):
        name_lists = [_make_list(job, label, items, text_size) for label, items in labelled_lists]
        if sum(name_list.height for name_list in name_lists) <= height:
            return name_lists
    list_limits = [len(served_names), len(met_marks)]
    while sum(name_list.height for name_list in name_lists) > height and max(list_limits) > 1:
        longest = 0 if name_lists[0].height >= name_lists[1].height else 1
        list_limits[longest] -= 1
        name_lists[longest] = _make_list(job, *labelled_lists[longest], FLOOR, most=list_limits[longest])
    return name_lists


def _make_list(job: SheetJob, label: str, items: Sequence[str], size: float, *, most: int | None = None) -> _NameList:
    shown_items = list(items if most is None else items[:most])
    list_text = ", ".join(shown_items) + (
        job.words("deed.more", n=len(items) - len(shown_items)) if len(shown_items) < len(items) else ""
    )
    line_width = INNER[2] - INNER[0] - 2 * _PAD_MM - 0.1
    return _NameList(label, tuple(wrap_text(list_text, line_width, size, family=job.theme.family)), size)
