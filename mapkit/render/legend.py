"""The strip below the map: title, railroads with their prices (RB-C11, RB-C12), symbols, regions, credits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.model.board import Board, Railroad
from mapkit.render.backdrop import Area
from mapkit.render.document import Document, Element, data_attributes, mm
from mapkit.render.page_areas import LEAST_HEIGHT_MM
from mapkit.render.text_width import text_width
from mapkit.render.tracks import stroke

_LARGEST_TEXT: Final = 4.0
_SAMPLE_EM: Final = 4.4
_GAP_EM: Final = 0.9
_CAP: Final = 0.36
_TITLE_SHARE: Final = 0.2
_TABLE_SHARE: Final = 0.66
_CREDIT_MM: Final = 4.0


def draw_legend(document: Document, board: Board, area: Area) -> None:
    """Fill the layer `legend`; a strip too low for it stays empty."""
    left, top, right, bottom = area
    if bottom - top < LEAST_HEIGHT_MM:
        return
    layer = document.layers["legend"]
    width = right - left
    bottom -= _CREDIT_MM
    first, second = left + width * _TITLE_SHARE, left + width * (_TITLE_SHARE + _TABLE_SHARE)
    _title(document, layer, board, (left, top, first, bottom))
    _railroads(document, layer, board, (first, top, second, bottom))
    _regions(document, layer, board, (second, top, right, bottom))
    _credits(document, layer, board, (left, bottom, right, bottom + _CREDIT_MM))


def _title(document: Document, layer: Element, board: Board, area: Area) -> None:
    theme, sizes = document.theme, document.theme.sizes
    left, top, right, bottom = area
    room = right - left - 4.0
    size = min(13.0, (bottom - top) * 0.2, room / max(text_width(board.title, 1.0, bold=True), 0.1))
    group = document.group(layer, {"id": "legend-title", "fill": theme.ink})
    document.text(group, board.title, (left, top + size * 0.8), {"font-size": mm(size), "font-weight": "bold"})
    counts = f"{len(board.railroads)} railroads, {len(board.cities)} cities, {len(board.mileposts)} mileposts"
    small = min(_LARGEST_TEXT, size * 0.4, room / max(text_width(counts, 1.0), 0.1))
    y = top + size * 0.8 + small * 2.0
    document.text(group, counts, (left, y), {"font-size": mm(small), "fill": theme.quiet_ink})
    y += small * 1.2
    step = min(small * 2.0, (bottom - y) / 4)
    side = min(sizes.city_side, step * 0.7)
    middle = left + sizes.city_side / 2
    for row, text in enumerate(("City", "Other milepost", "Free junction of one railroad")):
        at = y + step * (row + 0.5)
        if row == 0:
            half = side / 2
            document.rect(group, (middle - half, at - half, middle + half, at + half), {})
        elif row == 1:
            document.circle(group, (middle, at), sizes.dot_radius, {})
        else:
            ring = {"fill": "#ffffff", "stroke": theme.ink, "stroke-width": "0.3"}
            document.circle(group, (middle, at), sizes.junction_radius, ring)
        document.text(
            group,
            text,
            (left + sizes.city_side + small * 0.7, at + _CAP * small),
            {"font-size": mm(small)},
        )


@dataclass(frozen=True)
class _Table:
    """How the rows of railroads are laid out."""

    columns: int
    rows: int
    text: float
    mark: float
    name: float
    price: float


def _railroads(document: Document, layer: Element, board: Board, area: Area) -> None:
    theme = document.theme
    left, top, right, bottom = area
    railroads = sorted(board.railroads, key=lambda r: (r.name.casefold(), r.id))
    if not railroads:
        return
    prices = [_price(board, r) for r in railroads]
    table = _lay_out(railroads, prices, right - left, bottom - top)
    column = (right - left) / table.columns
    row_height = min((bottom - top) / table.rows, table.text * 2.6)
    group = document.group(layer, {"id": "legend-railroads", "class": "legend-railroads", "font-size": mm(table.text)})
    for index, (railroad, price) in enumerate(zip(railroads, prices, strict=True)):
        x = left + column * (index // table.rows)
        y = top + row_height * (index % table.rows + 0.5)
        base = y + _CAP * table.text
        row = document.group(
            group,
            {"id": f"legend-rr-{railroad.id}", "class": "legend-railroad", "fill": theme.ink}
            | data_attributes({"railroad": railroad.id}),
        )
        em = table.text
        sample = np.array([(x, y), (x + _SAMPLE_EM * em, y)])
        swatch = document.group(row, {"fill": "none"})
        stroke(document, swatch, railroad.style, {"sample": sample}, {"sample": {"class": "sample"}})
        x += (_SAMPLE_EM + _GAP_EM) * em
        document.text(row, railroad.short, (x, base), {"font-weight": "bold"})
        x += table.mark + _GAP_EM * em
        document.text(row, railroad.name, (x, base), {})
        x += table.name + _GAP_EM * em + table.price
        document.text(row, price, (x, base), {"text-anchor": "end"})


def _lay_out(railroads: Sequence[Railroad], prices: Sequence[str], width: float, height: float) -> _Table:
    """Choose the number of columns that allows the largest text."""
    mark = max(text_width(r.short, 1.0, bold=True) for r in railroads)
    name = max(text_width(r.name, 1.0) for r in railroads)
    price = max(text_width(p, 1.0) for p in prices)
    row = _SAMPLE_EM + mark + name + price + 5 * _GAP_EM
    best = (0.0, 1)
    for columns in range(1, len(railroads) + 1):
        rows = -(-len(railroads) // columns)
        text = min(_LARGEST_TEXT, width / columns / row, height / rows / 1.5)
        best = max(best, (text, columns))
    text, columns = best
    rows = -(-len(railroads) // columns)
    return _Table(columns, rows, text, mark * text, name * text, price * text)


def _price(board: Board, railroad: Railroad) -> str:
    return "public" if railroad.public else f"{board.units.symbol}{railroad.price:,}"


def _regions(document: Document, layer: Element, board: Board, area: Area) -> None:
    theme = document.theme
    left, top, right, bottom = area
    if not board.regions:
        return
    longest = max(text_width(r.name, 1.0) for r in board.regions)
    step = min((bottom - top) / len(board.regions), _LARGEST_TEXT * 2.6)
    box = min(step * 0.62, 6.0)
    text = min(_LARGEST_TEXT, step * 0.6, (right - left - box * 1.8) / longest)
    # the key stands at the right edge of the strip
    x = right - (box * 1.8 + longest * text)
    group = document.group(layer, {"id": "legend-regions", "font-size": mm(text), "fill": theme.ink})
    for row, region in enumerate(board.regions):
        y = top + step * (row + 0.5)
        swatch = (x, y - box / 2, x + box * 1.4, y + box / 2)
        document.rect(group, swatch, {"fill": theme.land})
        tint = {
            "fill": region.colour,
            "fill-opacity": f"{theme.tint_opacity:g}",
            "stroke": theme.border,
            "stroke-width": "0.2",
        }
        document.rect(group, swatch, tint | data_attributes({"region": region.id}))
        document.text(group, region.name, (x + box * 1.8, y + _CAP * text), {})


def _credits(document: Document, layer: Element, board: Board, area: Area) -> None:
    theme = document.theme
    left, top, right, bottom = area
    text = "  |  ".join([*board.provenance.credits, f"Board: {board.provenance.licence}"])
    size = min(2.2, (bottom - top) * 0.6, (right - left) / max(text_width(text, 1.0), 0.1))
    document.text(
        layer,
        text,
        (left, bottom - 0.3 * size),
        {"id": "legend-credits", "font-size": mm(size), "fill": theme.quiet_ink},
    )
