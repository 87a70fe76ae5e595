"""The strip below the map: title, scale, symbols, railroads with their prices (RB-C11, RB-C12), regions, credits.

Every text is measured before it is drawn, so nothing overlaps; what there is no room for is left out, symbols before
the scale.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely

from mapkit.core.base import Area
from mapkit.drawing.shapes import shape_d
from mapkit.drawing.svg_page import Element, SvgPage, data_attributes, line_d, mm
from mapkit.drawing.text_width import text_width
from mapkit.kinds.rail.model.board import Board, Railroad
from mapkit.kinds.rail.render.board_layers import LAYERS
from mapkit.kinds.rail.render.colours.railroad_styles import railroad_styles, region_tint
from mapkit.kinds.rail.render.ground.drawing import hatch_stroke, hatched
from mapkit.kinds.rail.render.lines.tracks import stroke
from mapkit.kinds.rail.render.own_theme import theme_of
from mapkit.kinds.rail.render.page_areas import LEAST_HEIGHT_MM, page_areas
from mapkit.kinds.rail.render.scale_bar import draw_scale, scale_height
from mapkit.kinds.rail.render.words import words_of

LEAST_TEXT_MM: Final = 2.12
"""6 pt: nothing in the legend is set smaller, not even credits, except names that cannot be shortened."""
_LARGEST_TEXT: Final = 6.0
_SAMPLE_EM: Final = 5.0
_GAP_EM: Final = 0.9
_COLUMN_GAP_EM: Final = 2.2
_CAP: Final = 0.36
_LEADING: Final = 1.4
_CREDITS: Final = (2.6, 2.4, 2.2, LEAST_TEXT_MM)
_CREDIT_SHARE: Final = 0.3
_SHORTEST_NAME_EM: Final = 5.0
_APART: Final = 0.6
"""Millimetres between a city's square and the symbol below it, at least."""
_ELLIPSIS: Final = "…"
_COUNTED: Final = ("railroads", "cities", "mileposts")
_CITY, _DOT, _JUNCTION = "board.city", "board.dot", "board.junction"


def with_legend(text: str, board: Board) -> str:
    """Return the picture of a board, made from the text of its map.

    Args:
        text: What `draw_board` made of the board without a legend, in the theme that its author chose. Prices may be
            others in the same order.
        board: The board with its prices.
    """
    page = SvgPage(
        board.page.width, board.page.height, title="", description="", theme=theme_of(board), layers=LAYERS[-1:]
    )
    draw_legend(page, board, page_areas(board)[1])
    legend = page.to_text()
    prices = {f"rr-{railroad.id}": railroad.price for railroad in board.railroads}
    priced = _PRICED.sub(lambda found: f"{found[1]}{prices[found[3]]}{found[2]}", text[: text.rindex(_LEGEND)])
    return priced + legend[legend.index(_LEGEND) :]


_LEGEND: Final = f'<g class="layer" id="layer-{LAYERS[-1]}"'
"""How the last layer of a picture begins; no text of a board has an angle bracket that is not escaped."""
_PRICED: Final = re.compile(r'(<g class="railroad"[^<>]* data-price=")-?\d+("[^<>]* id="(rr-[^"]+)")')


def draw_legend(document: SvgPage, board: Board, area: Area) -> None:
    """Fill the layer `legend`; a strip too low for it stays empty."""
    left, top, right, bottom = area
    if bottom - top < LEAST_HEIGHT_MM:
        return
    layer, theme = document.layers["legend"], document.theme
    frame = {"fill": "none", "stroke": theme.frame}
    document.rect(layer, area, frame | {"class": "legend-panel", "fill": theme.panel, "stroke-width": "0.9"})
    inset = (left + 1.3, top + 1.3, right - 1.3, bottom - 1.3)
    document.rect(layer, inset, frame | {"stroke-width": "0.25"})
    pad = min(7.0, 0.09 * (bottom - top))
    left, top, right, bottom = left + pad + 1.3, top + pad, right - pad - 1.3, bottom - pad
    bottom = _credits(document, layer, board, (left, top, right, bottom))
    width, gap = right - left, 2 * pad
    first = _title_width(board, width, bottom - top)
    key = _RegionKey.fit(board, 0.22 * width, bottom - top)
    second = right - key.width
    _title(document, layer, board, (left, top, left + first, bottom))
    _railroads(document, layer, board, (left + first + gap, top, second - gap, bottom))
    _regions(document, layer, board, key, (second, top, right, bottom))
    rules = [left + first + gap / 2] + ([second - gap / 2] if board.regions else [])
    for x in rules:
        rule = {"stroke": theme.border, "stroke-width": "0.25", "fill": "none"}
        document.path(layer, line_d([(x, top), (x, bottom)]), {"class": "rule"} | rule)


def _title_size(board: Board, room: float, height: float) -> float:
    return min(16.0, 0.26 * height, room / max(text_width(board.title, 1.0, bold=True), 0.1))


def _title_width(board: Board, width: float, height: float) -> float:
    """Return the width of the title's block: a fifth of the strip, less if the title is short."""
    most = 0.22 * width
    size = _title_size(board, most, height)
    return max(min(text_width(board.title, size, bold=True) + 2.0, most), 0.16 * width)


def _title(document: SvgPage, layer: Element, board: Board, area: Area) -> None:
    """Draw the title, the counts, then from the bottom the scale, and between them the symbols."""
    theme = document.theme
    left, top, right, bottom = area
    room, height = right - left, bottom - top
    size = _title_size(board, room, height)
    group = document.group(layer, {"id": "legend-title", "fill": theme.ink})
    y = top + 0.74 * size
    document.text(group, board.title, (left, y), {"font-size": mm(size), "font-weight": "bold"})
    words = words_of(board)
    counted = {name: words.count(f"board.{name}", len(getattr(board, name))) for name in _COUNTED}
    counts = words("board.counts", **counted)
    small = max(min(0.075 * height, 4.6), LEAST_TEXT_MM)
    fitting = min(small, room / max(text_width(counts, 1.0), 0.1))
    if fitting >= LEAST_TEXT_MM:
        y += 0.3 * size + fitting
        document.text(group, counts, (left, y), {"font-size": mm(fitting), "fill": theme.quiet_ink})
    y += 0.5 * small
    scale = max(0.8 * small, LEAST_TEXT_MM)
    if bottom - y >= scale_height(scale) and draw_scale(document, layer, board, (left, y, right, bottom), scale):
        bottom -= scale_height(scale) + 0.6 * small
    _symbols(document, group, board, (left, y, right, bottom), small)


def symbols_of(board: Board) -> tuple[str, ...]:
    """Return the texts that say what the symbols of a board mean, of those that it has."""
    there = {
        _CITY: bool(board.cities),
        _DOT: any(milepost.kind == "dot" for milepost in board.mileposts),
        _JUNCTION: bool(board.junctions),
    }
    return tuple(name for name, has in there.items() if has)


def _symbols(document: SvgPage, group: Element, board: Board, area: Area, text: float) -> None:
    """Draw the symbols that the board has with their names, in rows, if all have room."""
    theme, sizes = document.theme, document.theme.sizes
    left, top, right, bottom = area
    names = symbols_of(board)
    if not names:
        return
    indent = sizes.city_side + 0.8 * text
    step = max(1.5 * text, sizes.city_side + _APART)
    words = words_of(board)
    text = min(text, (right - left - indent) / max(text_width(words(name), 1.0) for name in names))
    if bottom - top < step * len(names) or text < LEAST_TEXT_MM:
        return
    step = min(step * 1.25, (bottom - top) / len(names))
    middle, half = left + sizes.city_side / 2, sizes.city_side / 2
    for row, name in enumerate(names):
        at = top + step * (row + 0.5)
        if name == _CITY:
            document.rect(group, (middle - half, at - half, middle + half, at + half), {})
        elif name == _DOT:
            document.circle(group, (middle, at), sizes.dot_radius, {})
        else:
            ring = {"fill": theme.casing, "stroke": theme.ink, "stroke-width": "0.35"}
            document.circle(group, (middle, at), sizes.junction_radius * 1.4, ring)
        document.text(group, words(name), (left + indent, at + _CAP * text), {"font-size": mm(text)})


@dataclass(frozen=True)
class _Entry:
    """A railroad as the table shows it."""

    railroad: Railroad
    name: str
    price: str


@dataclass(frozen=True)
class _Table:
    """How the rows of railroads are laid out; widths in ems, a column each."""

    text: float
    rows: int
    columns: tuple[tuple[_Entry, ...], ...]
    widths: tuple[tuple[float, float, float], ...]
    """Of marks, names and prices."""
    spare: float
    """Millimetres to put between columns."""


def _railroads(document: SvgPage, layer: Element, board: Board, area: Area) -> None:
    theme = document.theme
    left, top, right, bottom = area
    key = words_of(board).sort_key
    railroads = sorted(board.railroads, key=lambda r: (key(r.name), r.id))
    if not railroads or right <= left:
        return
    table = _fitted(board, railroads, right - left, bottom - top)
    em, styles = table.text, railroad_styles(board, theme)
    row_height = min((bottom - top) / table.rows, 2.4 * em)
    first = top + ((bottom - top) - row_height * table.rows) / 2
    group = document.group(layer, {"id": "legend-railroads", "class": "legend-railroads", "font-size": mm(em)})
    start = left
    for entries, (mark, name, price) in zip(table.columns, table.widths, strict=True):
        for index, entry in enumerate(entries):
            y = first + row_height * (index + 0.5)
            railroad = entry.railroad
            row = document.group(
                group,
                {"id": f"legend-rr-{railroad.id}", "class": "legend-railroad", "fill": theme.ink}
                | data_attributes({"railroad": railroad.id}),
            )
            sample = np.array([(start, y), (start + _SAMPLE_EM * em, y)])
            swatch = document.group(row, {"fill": "none"})
            stroke(document, swatch, styles[railroad.id], {"sample": sample}, {"sample": {"class": "sample"}})
            x, base = start + (_SAMPLE_EM + _GAP_EM) * em, y + _CAP * em
            document.text(row, railroad.short, (x, base), {"font-weight": "bold"})
            x += (mark + _GAP_EM) * em
            if entry.name:
                document.text(row, entry.name, (x, base), {})
                x += (name + _GAP_EM) * em
            document.text(row, entry.price, (x + price * em, base), {"text-anchor": "end"})
        start += _row_em(mark, name, price) * em + _COLUMN_GAP_EM * em + table.spare


def _row_em(mark: float, name: float, price: float) -> float:
    return _SAMPLE_EM + _GAP_EM + mark + _GAP_EM + name + (_GAP_EM if name else 0.0) + price


def _fitted(board: Board, railroads: Sequence[Railroad], width: float, height: float) -> _Table:
    """Choose the columns that allow the largest text; shorten names, then drop them, if that is too small."""
    longest = max(text_width(r.name, 1.0) for r in railroads)
    best: _Table | None = None
    for limit in (longest, 0.7 * longest, 0.5 * longest, _SHORTEST_NAME_EM, 0.0):
        entries = [_Entry(r, _shortened(r.name, limit), _price(board, r)) for r in railroads]
        found = max(
            (_columns(entries, count, width, height) for count in range(1, len(entries) + 1)),
            key=lambda t: (round(t.text, 4), -len(t.columns)),
        )
        if best is None or found.text > best.text:
            best = found
        if found.text >= LEAST_TEXT_MM:
            return found
    assert best is not None  # noqa: S101 - the first limit makes one
    return best


def _columns(entries: Sequence[_Entry], count: int, width: float, height: float) -> _Table:
    rows = -(-len(entries) // count)
    columns = tuple(tuple(entries[i : i + rows]) for i in range(0, len(entries), rows))
    widths = tuple(
        (
            max(text_width(e.railroad.short, 1.0, bold=True) for e in column),
            max(text_width(e.name, 1.0) for e in column),
            max(text_width(e.price, 1.0) for e in column),
        )
        for column in columns
    )
    ems = sum(_row_em(*w) for w in widths) + _COLUMN_GAP_EM * (len(columns) - 1)
    text = min(_LARGEST_TEXT, width / ems, height / rows / _LEADING)
    spare = (width - ems * text) / (len(columns) - 1) if len(columns) > 1 else 0.0
    return _Table(text, rows, columns, widths, min(spare, 5 * text))


def _shortened(name: str, limit: float) -> str:
    """Return a name of at most so many ems, cut with an ellipsis."""
    if text_width(name, 1.0) <= limit:
        return name
    for end in range(len(name) - 1, 0, -1):
        cut = name[:end].rstrip(" ,.-") + _ELLIPSIS
        if text_width(cut, 1.0) <= limit:
            return cut
    return ""


def _price(board: Board, railroad: Railroad) -> str:
    words = words_of(board)
    return words("board.public") if railroad.public else words.money(board.units.symbol, railroad.price)


@dataclass(frozen=True)
class _RegionKey:
    """How the key of regions is laid out, in millimetres."""

    text: float
    step: float
    box: float
    width: float
    names: tuple[str, ...]

    @classmethod
    def fit(cls, board: Board, room: float, height: float) -> "_RegionKey":
        """Return the largest key in so much room; nothing for a board without regions."""
        if not board.regions:
            return cls(0.0, 0.0, 0.0, 0.0, ())
        step = min(height / len(board.regions), 2.4 * _LARGEST_TEXT)
        text = min(_LARGEST_TEXT, step / _LEADING)
        longest = max(text_width(r.name, 1.0) for r in board.regions)
        # a swatch of 2.2 em and 0.8 em between
        text = max(min(text, room / (3.0 + longest)), min(text, LEAST_TEXT_MM))
        names = tuple(_shortened(r.name, room / text - 3.0) for r in board.regions)
        widest = max(text_width(name, text) for name in names)
        return cls(text, step, min(0.72 * step, 1.6 * text), 3.0 * text + widest, names)


def _regions(document: SvgPage, layer: Element, board: Board, key: _RegionKey, area: Area) -> None:
    if not board.regions:
        return
    theme = document.theme
    left, top, _, bottom = area
    step = min(key.step, 2.4 * key.text)
    first = top + ((bottom - top) - step * len(board.regions)) / 2
    group = document.group(layer, {"id": "legend-regions", "font-size": mm(key.text), "fill": theme.ink})
    for row, (region, name) in enumerate(zip(board.regions, key.names, strict=True)):
        y = first + step * (row + 0.5)
        swatch = (left, y - key.box / 2, left + 2.2 * key.text, y + key.box / 2)
        document.rect(group, swatch, {"fill": theme.land})
        opacity = theme.tint_opacity if theme.tint == "fill" else 0.0
        tint = {
            "fill": region_tint(region, theme),
            "fill-opacity": f"{opacity:g}",
            "stroke": theme.region_edge,
            "stroke-width": "0.2",
        }
        document.rect(group, swatch, tint | data_attributes({"region": region.id}))
        if theme.tint == "hatch":
            lines = hatched(shapely.box(*swatch), row, share=0.35)
            document.path(group, shape_d(lines) or "M0,0", {"class": "hatch", "fill": "none"} | hatch_stroke(theme))
        document.text(group, name, (left + 3.0 * key.text, y + _CAP * key.text), {})


def _credits(document: SvgPage, layer: Element, board: Board, area: Area) -> float:
    """Set the credits at the bottom, in as few lines as they need; returns what is the bottom for the rest."""
    theme = document.theme
    left, top, right, bottom = area
    pieces = [*board.provenance.credits, words_of(board)("board.licence", licence=board.provenance.licence)]
    size, lines = _wrapped(pieces, right - left, _CREDIT_SHARE * (bottom - top))
    group = document.group(layer, {"id": "legend-credits", "font-size": mm(size), "fill": theme.quiet_ink})
    for index, line in enumerate(lines):
        y = bottom - 0.25 * size - (len(lines) - 1 - index) * 1.3 * size
        document.text(group, line, (left, y), {})
    return bottom - len(lines) * 1.3 * size - 0.8 * size


def _wrapped(pieces: Sequence[str], width: float, height: float) -> tuple[float, list[str]]:
    """Return a size and lines; without room for all in the smallest size, the last line ends in an ellipsis."""
    lines: list[str] = []
    for size in _CREDITS:
        lines = []
        for word in "  |  ".join(pieces).split(" "):
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and text_width(longer, size) <= width:
                lines[-1] = longer
            else:
                lines.append(word)
        lines = [line.strip(" |") for line in lines if line.strip(" |")]
        most = max(1, int(height / (1.3 * size)))
        if len(lines) <= most:
            return size, lines
    last = lines[most - 1]
    while last and text_width(last + _ELLIPSIS, size) > width:
        last = last[:-1]
    return size, [*lines[: most - 1], last.rstrip() + _ELLIPSIS]
