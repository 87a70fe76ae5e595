"""The strip below the map: title, regions, railroads with their prices, credits."""

from dataclasses import dataclass
from math import ceil

from svgwrite.container import Group

from mapkit.model.board import Board, Railroad
from mapkit.render.ground import Frame
from mapkit.render.lettering import text_width
from mapkit.render.svg import FONT, group, rect, text
from mapkit.render.tracks import strokes

INK = "#22262b"
_QUIET = "#5d646c"
_LEAST_HEIGHT = 25.0
_COLUMN = 150.0
_ROW = 11.5


@dataclass(frozen=True)
class _Strip:
    left: float
    top: float
    right: float
    bottom: float


def draw_legend(board: Board, frame: Frame) -> Group:
    """Return the layer `legend`; empty where the page leaves less than 25 mm below the map."""
    layer = group("layer-legend", "layer legend", font_family=FONT, fill=INK)
    strip = _Strip(frame.left, frame.bottom + 5, frame.right, board.page.height - frame.left)
    if strip.bottom - strip.top < _LEAST_HEIGHT:
        return layer
    table_left = strip.left + max(0.2 * (strip.right - strip.left), 60.0)
    _title(layer, board, strip, table_left - 8)
    _railroads(layer, board, _Strip(table_left, strip.top, strip.right, strip.bottom - 5))
    _credits(layer, board, strip)
    return layer


def _fitting(content: str, size: float, width: float, *, bold: bool = False) -> float:
    """Return the size, made smaller where the text would be wider than it may."""
    return min(size, size * width / max(text_width(content, size, bold=bold), 1e-9))


def _title(layer: Group, board: Board, strip: _Strip, right: float) -> None:
    width = right - strip.left
    size = _fitting(board.title, 11.0, width, bold=True)
    layer.add(text(board.title, strip.left, strip.top + size, size, font_weight="bold"))
    top = strip.top + size + 5
    step = min(8.5, (strip.bottom - 6 - top) / max(len(board.regions), 1))
    for index, region in enumerate(board.regions):
        y = top + index * step
        layer.add(rect(strip.left, y, step * 1.3, step * 0.72, fill=region.colour, stroke=_QUIET, stroke_width=0.2))
        layer.add(text(region.name, strip.left + step * 1.75, y + step * 0.58, min(4.4, step * 0.62)))


def _railroads(layer: Group, board: Board, strip: _Strip) -> None:
    count = len(board.railroads)
    if not count:
        return
    height = strip.bottom - strip.top
    columns = max(1, min(int((strip.right - strip.left) / _COLUMN), ceil(count / max(int(height / _ROW), 1))))
    columns = max(columns, min(ceil(count / max(int(height / 6.0), 1)), count))
    rows = ceil(count / columns)
    width, step = (strip.right - strip.left) / columns, min(_ROW, height / rows)
    for index, railroad in enumerate(board.railroads):
        column, row = divmod(index, rows)
        _entry(layer, board, railroad, (strip.left + column * width, strip.top + (row + 0.5) * step, width - 8, step))


def _entry(layer: Group, board: Board, railroad: Railroad, place: tuple[float, float, float, float]) -> None:
    x, y, width, step = place
    size = min(4.2, step * 0.5)
    sample = min(24.0, width * 0.2)
    layer.add(strokes([(x, y), (x + sample, y)], railroad.style))
    price = f"{board.units.symbol}{railroad.price:,}" if not railroad.public else "public"
    short_left = x + sample + 3
    name_left = short_left + min(26.0, width * 0.2)
    name_width = x + width - text_width(price, size) - 4 - name_left
    baseline = y + size * 0.36
    short = _fitting(railroad.short, size, name_left - short_left - 2, bold=True)
    layer.add(text(railroad.short, short_left, baseline, short, font_weight="bold"))
    layer.add(text(railroad.name, name_left, baseline, _fitting(railroad.name, size, name_width)))
    layer.add(text(price, x + width, baseline, size, text_anchor="end"))


def _credits(layer: Group, board: Board, strip: _Strip) -> None:
    line = " · ".join((*board.provenance.credits, f"Licence: {board.provenance.licence}"))
    size = _fitting(line, 2.4, strip.right - strip.left)
    layer.add(text(line, strip.left, strip.bottom, size, fill=_QUIET))
