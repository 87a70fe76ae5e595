"""Legend below the map: title, scale, symbols, railroads with their prices (RB-C11, RB-C12), regions, credits.

Every text is measured before it is drawn, so nothing overlaps; parts without room are left out, symbols before the
scale.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, get_args

import numpy as np
import shapely

from mapkit.core import heavy
from mapkit.core.base import Area
from mapkit.core.geodesy import METRES_PER_MILE, line_miles
from mapkit.drawing.shapes import shape_path_data
from mapkit.drawing.svg_page import Element, SvgPage, data_attributes, format_mm, line_path_data
from mapkit.drawing.text_width import SANS, Family, text_width
from mapkit.drawing.title import draw_title_text
from mapkit.kinds.rail.model.board import Board, CityMark, Railroad
from mapkit.kinds.rail.render.board_layers import LAYERS
from mapkit.kinds.rail.render.board_theme import get_board_theme
from mapkit.kinds.rail.render.colours.railroad_styles import choose_railroad_styles, region_tint
from mapkit.kinds.rail.render.ground.ground_layers import hatch_stroke, make_hatching
from mapkit.kinds.rail.render.lines.tracks import draw_pattern_lines
from mapkit.kinds.rail.render.page_areas import LEAST_HEIGHT_MM, divide_page
from mapkit.kinds.rail.render.symbol_marks import draw_city_mark, draw_dot_mark, find_interchanges
from mapkit.kinds.rail.render.words import words_of

# Scale bar in miles and kilometres, true in the middle of the map.

_BAR_PARTS: Final = 4
_REACH_MM: Final = 20.0
_METRES_PER_KM: Final = 1000.0
LEAST_MM: Final = 18.0
"""Of a bar; a shorter one is not drawn."""


@dataclass(frozen=True)
class ScaleBar:
    """Scale bar of round length."""

    unit: str
    length: float
    """In units."""
    mm: float
    """On the page."""


def mm_per_metre(board: Board) -> float:
    """Return the length of a metre on the page in the middle of the map, the mean of both axes, to nine decimals."""
    left, top, right, bottom = board.page.frame
    x, y = (left + right) / 2, (top + bottom) / 2
    reach_mm = min(_REACH_MM, (right - left) / 4, (bottom - top) / 4)
    end_places = [(x - reach_mm, y), (x + reach_mm, y), (x, y - reach_mm), (x, y + reach_mm)]
    projection = board.projection
    to_degrees = heavy.pyproj.Transformer.from_crs(projection.crs, "EPSG:4326", always_xy=True)
    west, east, north, south = (
        to_degrees.transform(
            (x - projection.offset_x_mm) / projection.scale_mm_per_m,
            (projection.offset_y_mm - y) / projection.scale_mm_per_m,
        )
        for x, y in end_places
    )
    total_miles = line_miles([west, east]) + line_miles([north, south])
    return round(4 * reach_mm / (total_miles * METRES_PER_MILE), 9) if total_miles > 0 else projection.scale_mm_per_m


def choose_scale_bar(board: Board, unit: str, room: float) -> ScaleBar | None:
    """Return the longest bar of 1, 2 or 5 times a power of ten that fits the room (millimetres), or None."""
    mm_per_unit = mm_per_metre(board) * (METRES_PER_MILE if unit == "miles" else _METRES_PER_KM)
    best_bar = None
    for power in range(-1, 5):
        for digit in (1, 2, 5):
            bar_length = digit * 10.0**power
            if LEAST_MM <= bar_length * mm_per_unit <= room:
                best_bar = ScaleBar(unit, round(bar_length, 1), round(bar_length * mm_per_unit, 2))
    return best_bar


def scale_height_mm(size: float) -> float:
    """Return the height of the two bars and their figures, in millimetres, at a font size."""
    return 2 * 1.25 * size + 2.6


def draw_scale(document: SvgPage, parent: Element, board: Board, area: Area, size: float) -> bool:
    """Draw bars of miles and, below, of kilometres; return whether there was room.

    Args:
        document: The page.
        parent: Where to draw.
        board: The board.
        area: Room for both bars, drawn from its left at its bottom.
        size: Of the figures, millimetres.
    """
    left, _, right, bottom = area
    theme = document.theme
    words = words_of(board)
    text_room = text_width(f"{words.number(10_000)} {words('board.miles')}", size, family=theme.family)
    scale_bars = [
        bar for unit in ("miles", "km") if (bar := choose_scale_bar(board, unit, right - left - text_room)) is not None
    ]
    if len(scale_bars) < 2:  # noqa: PLR2004 - miles and kilometres
        return False
    scale_group = document.group(parent, {"id": "legend-scale", "font-size": format_mm(size), "fill": theme.ink})
    middle_y = bottom - 1.25 * size - 1.3
    for bar, is_above in zip(scale_bars, (True, False), strict=True):
        top = middle_y - 1.2 if is_above else middle_y
        part_mm = bar.mm / _BAR_PARTS
        for part_number in range(_BAR_PARTS):
            part_box = (left + part_number * part_mm, top, left + (part_number + 1) * part_mm, top + 1.2)
            part_colour = theme.ink if (part_number % 2 == 0) == is_above else theme.panel
            document.rect(scale_group, part_box, {"fill": part_colour, "stroke": theme.ink, "stroke-width": "0.15"})
        baseline = top - 0.35 * size if is_above else top + 1.2 + size
        document.text(scale_group, "0", (left, baseline), {})
        bar_end = left + bar.mm
        length_text = words.number(bar.length, 0 if bar.length == int(bar.length) else 1)
        length_label = f"{length_text} {words(f'board.{bar.unit}')}"
        document.text(
            scale_group, length_label, (bar_end - text_width(length_text, size, family=theme.family) / 2, baseline), {}
        )
    return True


LEAST_TEXT_MM: Final = 2.12
"""6 pt: nothing in the legend is set smaller, not even credits, except names that cannot be shortened."""
_LARGEST_TEXT_MM: Final = 6.0
_SAMPLE_EM: Final = 5.0
_GAP_EM: Final = 0.9
_COLUMN_GAP_EM: Final = 2.2
_HALF_CAP_EM: Final = 0.36
_LINE_SPACING: Final = 1.4
_CREDIT_SIZES_MM: Final = (2.6, 2.4, 2.2, LEAST_TEXT_MM)
_CREDIT_SHARE: Final = 0.3
_SHORTEST_NAME_EM: Final = 5.0
_SMALLER_SHARE: Final = 0.8
"""How much smaller the names of symbols may become in two columns."""
_SYMBOL_GAP_MM: Final = 0.6
"""Millimetres between a city's square and the symbol below it, at least."""
_ELLIPSIS: Final = "…"
_WIDE_RATIO: Final = 1.6
"""Width by height of a box from which its parts stand side by side."""
_BOXED_SCALE_MM: Final = 2.6
"""Size of figures of the scale in a box."""
_TINIEST_MM: Final = 0.5
"""Text that is not drawn in a box, as it would have no room at all."""
_COUNTED_KINDS: Final = ("railroads", "cities", "mileposts")
_CITY, _DOT, _JUNCTION, _INTERCHANGE = "board.city", "board.dot", "board.junction", "board.interchange"
_CITY_MARKS: Final[Mapping[str, CityMark | None]] = {_CITY: None, "board.capital": "capital", "board.port": "port"}


def add_legend(text: str, board: Board) -> str:
    """Complete the text of a map by its legend and prices.

    Args:
        text: Result of `draw_board` without a legend, in the author's theme. Prices may differ if their order is the
            same.
        board: The board with its prices.
    """
    legend_page = SvgPage(
        board.page.width, board.page.height, title="", description="", theme=get_board_theme(board), layers=LAYERS[-1:]
    )
    draw_legend(legend_page, board, divide_page(board)[1])
    legend_text = legend_page.to_text()
    price_of = {f"rr-{railroad.id}": railroad.price for railroad in board.railroads}
    priced_text = _PRICE_PATTERN.sub(
        lambda found: f"{found[1]}{price_of[found[3]]}{found[2]}", text[: text.rindex(_LEGEND_START)]
    )
    return priced_text + legend_text[legend_text.index(_LEGEND_START) :]


_LEGEND_START: Final = f'<g class="layer" id="layer-{LAYERS[-1]}"'
"""How the last layer of a picture begins; no text of a board has an angle bracket that is not escaped."""
_PRICE_PATTERN: Final = re.compile(r'(<g class="railroad"[^<>]* data-price=")-?\d+("[^<>]* id="(rr-[^"]+)")')


def draw_legend(document: SvgPage, board: Board, area: Area) -> None:
    """Fill the layer `legend`; a strip too low for it stays empty."""
    left, top, right, bottom = area
    if bottom - top < LEAST_HEIGHT_MM:
        return
    legend_layer, theme = document.layers["legend"], document.theme
    frame = {"fill": "none", "stroke": theme.frame}
    document.rect(
        legend_layer,
        area,
        frame
        | {
            "class": "legend-panel",
            "fill": theme.panel,
            "stroke-width": "2.8" if theme.border_frame == "band" else "0.9",
        },
    )
    if theme.border_frame != "band":
        inner_box = (left + 1.3, top + 1.3, right - 1.3, bottom - 1.3)
        document.rect(legend_layer, inner_box, frame | {"stroke-width": "0.25"})
    padding_mm = min(7.0, 0.09 * (bottom - top))
    left, top, right, bottom = left + padding_mm + 1.3, top + padding_mm, right - padding_mm - 1.3, bottom - padding_mm
    bottom = _draw_credits(document, legend_layer, board, (left, top, right, bottom))
    width, column_gap = right - left, 2 * padding_mm
    title_size = _fit_title_size(board, 0.22 * width, bottom - top, theme.family)
    first = text_width(board.title, title_size, bold=True, family=theme.family) + 2.0
    first = max(min(first, 0.22 * width), 0.16 * width)
    region_key = _RegionKey.fit(board, 0.22 * width, bottom - top, theme.family)
    regions_left = right - region_key.width
    _draw_title(document, legend_layer, board, (left, top, left + first, bottom))
    _draw_railroads(document, legend_layer, board, (left + first + column_gap, top, regions_left - column_gap, bottom))
    _draw_regions(document, legend_layer, board, region_key, (regions_left, top, right, bottom))
    rule_places = [left + first + column_gap / 2] + ([regions_left - column_gap / 2] if board.regions else [])
    for x in rule_places:
        rule_style = {"stroke": theme.border, "stroke-width": "0.25", "fill": "none"}
        document.path(legend_layer, line_path_data([(x, top), (x, bottom)]), {"class": "rule"} | rule_style)


def _fit_title_size(board: Board, room: float, height: float, family: Family) -> float:
    return min(16.0, 0.26 * height, room / max(text_width(board.title, 1.0, bold=True, family=family), 0.1))


def _draw_title(document: SvgPage, layer: Element, board: Board, area: Area) -> None:
    """Draw the title, the counts, then from the bottom the scale, and between them the symbols."""
    theme = document.theme
    left, top, right, bottom = area
    title_width, height = right - left, bottom - top
    title_size = _fit_title_size(board, title_width, height, theme.family)
    title_group = document.group(layer, {"id": "legend-title", "fill": theme.ink})
    y = draw_title_text(document, title_group, board.title, (left, top, right), title_size)
    counts_text = describe_counts(board)
    small_size = max(min(0.075 * height, 4.6), LEAST_TEXT_MM)
    fitting_size = min(small_size, title_width / max(text_width(counts_text, 1.0, family=theme.family), 0.1))
    if theme.symbols == "squares" and fitting_size >= LEAST_TEXT_MM:
        y += 0.3 * title_size + fitting_size
        document.text(
            title_group, counts_text, (left, y), {"font-size": format_mm(fitting_size), "fill": theme.quiet_ink}
        )
    y += 0.5 * small_size
    scale = max(0.8 * small_size, LEAST_TEXT_MM)
    if bottom - y >= scale_height_mm(scale) and draw_scale(document, layer, board, (left, y, right, bottom), scale):
        bottom -= scale_height_mm(scale) + 0.6 * small_size
    _draw_symbols(document, title_group, board, (left, y, right, bottom), small_size)


def describe_counts(board: Board) -> str:
    """Return the numbers of railroads, cities and mileposts in words."""
    words = words_of(board)
    kind_counts = {kind: words.count(f"board.{kind}", len(getattr(board, kind))) for kind in _COUNTED_KINDS}
    return words("board.counts", **kind_counts)


def _divide_box(area: Area) -> tuple[Area, Area, Area, Area]:
    """Divide a box among railroads, symbols, regions and scale: side by side if it is wide, else railroads on top."""
    left, top, right, bottom = area
    width, height = right - left, bottom - top
    gap, scale_top = 0.04 * width, bottom - scale_height_mm(_BOXED_SCALE_MM)
    if width >= _WIDE_RATIO * height:
        first, last = left + 0.22 * width, right - 0.22 * width
        railroads = (first + gap, top, last - gap, scale_top - 2.0)
        return (
            railroads,
            (left, top, first, bottom),
            (last, top, right, bottom),
            (railroads[0], scale_top, last, bottom),
        )
    lower_top, middle = scale_top - min(max(0.28 * height, 16.0), 56.0), (left + right) / 2
    symbols = (left, lower_top, middle - gap, scale_top - gap)
    regions = (middle, lower_top, right, scale_top - gap)
    return (left, top, right, lower_top - gap), symbols, regions, (left, scale_top, right, bottom)


def draw_boxed_legend(document: SvgPage, layer: Element, board: Board, area: Area) -> None:
    """Draw the legend without the title in a box; one that is far too small has the credits alone."""
    left, top, right, _ = area
    credits_top = _draw_credits(document, layer, board, area)
    railroads, symbols, regions, scale = _divide_box((left, top, right, credits_top))
    if measure_boxed_legend(board, area, document.theme.family) <= _TINIEST_MM:
        return
    _draw_railroads(document, layer, board, railroads)
    text_size = max(min(0.14 * (symbols[3] - symbols[1]), 3.6), LEAST_TEXT_MM)
    _draw_symbols(document, document.group(layer, {"fill": document.theme.ink}), board, symbols, text_size)
    draw_scale(document, layer, board, scale, _BOXED_SCALE_MM)
    region_key = _RegionKey.fit(board, regions[2] - regions[0], regions[3] - regions[1], document.theme.family)
    _draw_regions(document, layer, board, region_key, regions)


def measure_boxed_legend(board: Board, area: Area, family: Family) -> float:
    """Return the smallest size of text that a legend needs in a box, in millimetres."""
    left, top, right, bottom = area
    credit_size, lines = _fit_credits(board, area, family)
    railroads, _, regions, _ = _divide_box((left, top, right, bottom - (1.3 * len(lines) + 0.8) * credit_size))
    sizes = [credit_size, (regions[3] - regions[1]) / max(len(board.regions), 1) / _LINE_SPACING]
    if board.railroads:
        width, height = railroads[2] - railroads[0], railroads[3] - railroads[1]
        sizes.append(_fit_table(board, board.railroads, width, height, family).text if height > 0 else 0.0)
    return max(min(sizes), _TINIEST_MM)


def list_symbol_texts(board: Board) -> tuple[str, ...]:
    """Return the texts for the symbols of a board, of those that it has."""
    symbol_present = {
        _CITY: bool(board.cities),
        _DOT: any(milepost.kind == "dot" for milepost in board.mileposts),
        _JUNCTION: bool(board.junctions),
    }
    return tuple(symbol_key for symbol_key, is_present in symbol_present.items() if is_present)


def _draw_symbols(document: SvgPage, group: Element, board: Board, area: Area, text_size: float) -> None:
    """Draw the symbols that the board has with their names, in rows, if all but marks have room.

    Marks of cities and of dots where railroads meet go into a second column, if one is too low for them.
    """
    theme, sizes = document.theme, document.theme.sizes
    left, top, right, bottom = area
    base_names = list_symbol_texts(board)
    if not base_names:
        return
    text_indent = sizes.city_side + 0.8 * text_size
    row_step = max(1.5 * text_size, sizes.city_side + _SYMBOL_GAP_MM)
    words = words_of(board)
    marks = {city.mark for city in board.cities}
    mark_names = [f"board.{mark}" for mark in get_args(CityMark) if mark in marks]
    mark_names += [_INTERCHANGE] if find_interchanges(board, theme) else []
    row_count = max(len(base_names), int((bottom - top) / row_step))

    def fit_columns(names: Sequence[str], count: int) -> float:
        widest = max(text_width(words(name), 1.0, family=theme.family) for name in names)
        return min(text_size, ((right - left) / count - text_indent) / widest)

    symbol_names = (*base_names, *mark_names)
    columns = 1 if len(symbol_names) <= row_count else 2
    if columns > 1 and fit_columns(symbol_names[: 2 * row_count], columns) < _SMALLER_SHARE * text_size:
        columns = 1
    symbol_names = symbol_names[: columns * row_count]
    text_size = fit_columns(symbol_names, columns)
    if bottom - top < row_step * len(base_names) or text_size < LEAST_TEXT_MM:
        return
    row_count = min(row_count, len(symbol_names))
    row_step = min(row_step * 1.25, (bottom - top) / row_count)
    for number, symbol_name in enumerate(symbol_names):
        column_left = left + number // row_count * (right - left) / columns
        row_middle = top + row_step * (number % row_count + 0.5)
        middle = (column_left + sizes.city_side / 2, row_middle)
        if symbol_name in _CITY_MARKS:
            draw_city_mark(document, group, middle, {}, mark=_CITY_MARKS[symbol_name])
        elif symbol_name in (_DOT, _INTERCHANGE):
            draw_dot_mark(document, group, middle, {}, is_interchange=symbol_name == _INTERCHANGE)
        else:
            ring_fill = theme.ink if theme.symbols == "engraved" else theme.casing
            ring_style = {"fill": ring_fill, "stroke": theme.ink, "stroke-width": "0.35"}
            document.circle(group, middle, sizes.junction_radius * 1.4, ring_style)
        document.text(
            group,
            words(symbol_name),
            (column_left + text_indent, row_middle + _HALF_CAP_EM * text_size),
            {"font-size": format_mm(text_size)},
        )


@dataclass(frozen=True)
class _RailroadEntry:
    """Railroad with its texts in the table."""

    railroad: Railroad
    name: str
    price: str


@dataclass(frozen=True)
class _RailroadTable:
    """Layout of the rows of railroads; widths in ems, a column each."""

    text: float
    rows: int
    columns: tuple[tuple[_RailroadEntry, ...], ...]
    widths: tuple[tuple[float, float, float], ...]
    """Of marks, names and prices."""
    spare: float
    """Millimetres to put between columns."""


def _draw_railroads(document: SvgPage, layer: Element, board: Board, area: Area) -> None:
    theme = document.theme
    left, top, right, bottom = area
    sort_key = words_of(board).sort_key
    sorted_railroads = sorted(board.railroads, key=lambda r: (sort_key(r.name), r.id))
    if not sorted_railroads or right <= left:
        return
    railroad_table = _fit_table(board, sorted_railroads, right - left, bottom - top, document.theme.family)
    em, style_of = railroad_table.text, choose_railroad_styles(board, theme)
    row_height = min((bottom - top) / railroad_table.rows, 2.4 * em)
    first_row = top + ((bottom - top) - row_height * railroad_table.rows) / 2
    railroad_group = document.group(
        layer, {"id": "legend-railroads", "class": "legend-railroads", "font-size": format_mm(em)}
    )
    column_left = left
    for column_entries, (mark_width, name, price) in zip(railroad_table.columns, railroad_table.widths, strict=True):
        for index, entry in enumerate(column_entries):
            y = first_row + row_height * (index + 0.5)
            railroad = entry.railroad
            row_group = document.group(
                railroad_group,
                {"id": f"legend-rr-{railroad.id}", "class": "legend-railroad", "fill": theme.ink}
                | data_attributes({"railroad": railroad.id}),
            )
            sample_line = np.array([(column_left, y), (column_left + _SAMPLE_EM * em, y)])
            swatch = document.group(row_group, {"fill": "none"})
            draw_pattern_lines(
                document, swatch, style_of[railroad.id], {"sample": sample_line}, {"sample": {"class": "sample"}}
            )
            x, baseline = column_left + (_SAMPLE_EM + _GAP_EM) * em, y + _HALF_CAP_EM * em
            document.text(row_group, railroad.short, (x, baseline), {"font-weight": "bold"})
            x += (mark_width + _GAP_EM) * em
            if entry.name:
                document.text(row_group, entry.name, (x, baseline), {})
                x += (name + _GAP_EM) * em
            document.text(row_group, entry.price, (x + price * em, baseline), {"text-anchor": "end"})
        column_left += _row_width_em(mark_width, name, price) * em + _COLUMN_GAP_EM * em + railroad_table.spare


def _row_width_em(mark: float, name: float, price: float) -> float:
    return _SAMPLE_EM + _GAP_EM + mark + _GAP_EM + name + (_GAP_EM if name else 0.0) + price


def _fit_table(
    board: Board, railroads: Sequence[Railroad], width: float, height: float, family: Family = SANS
) -> _RailroadTable:
    """Choose the columns that allow the largest text; shorten names, then drop them, if that is too small."""
    longest_name = max(text_width(r.name, 1.0, family=family) for r in railroads)
    best_table: _RailroadTable | None = None
    words = words_of(board)
    price_of = {
        r.id: words("board.public") if r.public else words.money(board.units.symbol, r.price) for r in railroads
    }
    for name_limit in (longest_name, 0.7 * longest_name, 0.5 * longest_name, _SHORTEST_NAME_EM, 0.0):
        railroad_entries = [
            _RailroadEntry(r, _shorten_name(r.name, name_limit, family), price_of[r.id]) for r in railroads
        ]
        widest_table = max(
            (
                _set_columns(railroad_entries, count, width, height, family)
                for count in range(1, len(railroad_entries) + 1)
            ),
            key=lambda t: (round(t.text, 4), -len(t.columns)),
        )
        if best_table is None or widest_table.text > best_table.text:
            best_table = widest_table
        if widest_table.text >= LEAST_TEXT_MM:
            return widest_table
    assert best_table is not None  # noqa: S101 - the first limit makes one
    return best_table


def _set_columns(
    entries: Sequence[_RailroadEntry], count: int, width: float, height: float, family: Family
) -> _RailroadTable:
    row_count = -(-len(entries) // count)
    entry_columns = tuple(tuple(entries[i : i + row_count]) for i in range(0, len(entries), row_count))
    column_widths = tuple(
        (
            max(text_width(e.railroad.short, 1.0, bold=True, family=family) for e in column),
            max(text_width(e.name, 1.0, family=family) for e in column),
            max(text_width(e.price, 1.0, family=family) for e in column),
        )
        for column in entry_columns
    )
    total_ems = sum(_row_width_em(*w) for w in column_widths) + _COLUMN_GAP_EM * (len(entry_columns) - 1)
    text_size = min(_LARGEST_TEXT_MM, width / total_ems, height / row_count / _LINE_SPACING)
    spare_width = (width - total_ems * text_size) / (len(entry_columns) - 1) if len(entry_columns) > 1 else 0.0
    return _RailroadTable(text_size, row_count, entry_columns, column_widths, min(spare_width, 5 * text_size))


def _shorten_name(name: str, limit: float, family: Family) -> str:
    """Cut a name with an ellipsis to at most so many ems."""
    if text_width(name, 1.0, family=family) <= limit:
        return name
    for cut_end in range(len(name) - 1, 0, -1):
        cut_name = name[:cut_end].rstrip(" ,.-") + _ELLIPSIS
        if text_width(cut_name, 1.0, family=family) <= limit:
            return cut_name
    return ""


@dataclass(frozen=True)
class _RegionKey:
    """Layout of the key of regions, in millimetres."""

    text: float
    step: float
    box: float
    width: float
    names: tuple[str, ...]

    @classmethod
    def fit(cls, board: Board, room: float, height: float, family: Family = SANS) -> "_RegionKey":
        """Return the largest key for the room; an empty one for a board without regions."""
        if not board.regions:
            return cls(0.0, 0.0, 0.0, 0.0, ())
        row_step = min(height / len(board.regions), 2.4 * _LARGEST_TEXT_MM)
        text_size = min(_LARGEST_TEXT_MM, row_step / _LINE_SPACING)
        longest_name = max(text_width(r.name, 1.0, family=family) for r in board.regions)
        # a swatch of 2.2 em and 0.8 em between
        text_size = max(min(text_size, room / (3.0 + longest_name)), min(text_size, LEAST_TEXT_MM))
        names = tuple(_shorten_name(r.name, room / text_size - 3.0, family) for r in board.regions)
        widest_name = max(text_width(name, text_size, family=family) for name in names)
        return cls(text_size, row_step, min(0.72 * row_step, 1.6 * text_size), 3.0 * text_size + widest_name, names)


def _draw_regions(document: SvgPage, layer: Element, board: Board, key: _RegionKey, area: Area) -> None:
    if not board.regions:
        return
    theme = document.theme
    left, top, _, bottom = area
    row_step = min(key.step, 2.4 * key.text)
    first_row = top + ((bottom - top) - row_step * len(board.regions)) / 2
    group = document.group(layer, {"id": "legend-regions", "font-size": format_mm(key.text), "fill": theme.ink})
    for row_number, (region, region_name) in enumerate(zip(board.regions, key.names, strict=True)):
        y = first_row + row_step * (row_number + 0.5)
        swatch_box = (left, y - key.box / 2, left + 2.2 * key.text, y + key.box / 2)
        document.rect(group, swatch_box, {"fill": theme.land})
        tint_opacity = theme.tint_opacity if theme.is_tinted else 0.0
        tint_style = {
            "fill": region_tint(region, theme),
            "fill-opacity": f"{tint_opacity:g}",
            "stroke": theme.region_edge,
            "stroke-width": "0.2",
        }
        document.rect(group, swatch_box, tint_style | data_attributes({"region": region.id}))
        if theme.tint == "hatch":
            lines = make_hatching(shapely.box(*swatch_box), row_number, share=0.35)
            document.path(
                group, shape_path_data(lines) or "M0,0", {"class": "hatch", "fill": "none"} | hatch_stroke(theme)
            )
        document.text(group, region_name, (left + 3.0 * key.text, y + _HALF_CAP_EM * key.text), {})


def _draw_credits(document: SvgPage, layer: Element, board: Board, area: Area) -> float:
    """Set the credits at the bottom, in as few lines as they need; return the new bottom of the area above."""
    theme = document.theme
    left, _, _, bottom = area
    text_size, lines = _fit_credits(board, area, theme.family)
    credit_group = document.group(
        layer, {"id": "legend-credits", "font-size": format_mm(text_size), "fill": theme.quiet_ink}
    )
    for index, line in enumerate(lines):
        y = bottom - 0.25 * text_size - (len(lines) - 1 - index) * 1.3 * text_size
        document.text(credit_group, line, (left, y), {})
    return bottom - len(lines) * 1.3 * text_size - 0.8 * text_size


def _fit_credits(board: Board, area: Area, family: Family) -> tuple[float, list[str]]:
    """Return the font size and lines of the credits at the bottom of an area."""
    left, top, right, bottom = area
    credit_texts = [*board.provenance.credits, words_of(board)("board.licence", licence=board.provenance.licence)]
    return _wrap_credits(credit_texts, right - left, _CREDIT_SHARE * (bottom - top), family)


def _wrap_credits(pieces: Sequence[str], width: float, height: float, family: Family) -> tuple[float, list[str]]:
    """Wrap the pieces; return the font size and lines, with an ellipsis if not all fit."""
    credit_lines: list[str] = []
    for text_size in _CREDIT_SIZES_MM:
        credit_lines = []
        for word in "  |  ".join(pieces).split(" "):
            longer_line = f"{credit_lines[-1]} {word}" if credit_lines else word
            if credit_lines and text_width(longer_line, text_size, family=family) <= width:
                credit_lines[-1] = longer_line
            else:
                credit_lines.append(word)
        credit_lines = [line.strip(" |") for line in credit_lines if line.strip(" |")]
        most_lines = max(1, int(height / (1.3 * text_size)))
        if len(credit_lines) <= most_lines:
            return text_size, credit_lines
    last_line = credit_lines[most_lines - 1]
    while last_line and text_width(last_line + _ELLIPSIS, text_size, family=family) > width:
        last_line = last_line[:-1]
    return text_size, [*credit_lines[: most_lines - 1], last_line.rstrip() + _ELLIPSIS]
