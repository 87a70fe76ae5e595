"""The payoff chart as a triangle (RB-C13), split over pages where it is large, heads repeated."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.fit import FLOOR, Room, fit, pt
from mapkit.drawing.inks import ink_on, paper_of
from mapkit.drawing.page import body_area, page, page_of, titled
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.text_width import text_width
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.sheets.inks import tint_of
from mapkit.kinds.rail.render.sheets.job import SheetJob

_SIZES: Final = tuple(pt(points) for points in (10, 9, 8.5, 8, 7.5, 7, 6.5, 6))
_WIDE: Final = 9.0
_HIGH: Final = 6.5
_PAD: Final = 0.45
_LONGEST_HEAD: Final = 34.0
_GROUP: Final = 5
_STRIPE: Final = 0.45


@dataclass(frozen=True)
class _Block:
    """Rows and columns (indices of cities) that a page shows, below the diagonal."""

    rows: range
    columns: range


@dataclass(frozen=True)
class _Plan:
    """How the triangle is cut into pages."""

    blocks: tuple[_Block, ...]
    text: float
    head: float
    landscape: bool


def payoff(board: Board, a: int, b: int) -> float | None:
    """Return the payoff between two cities of the chart, that below the diagonal where two differ (RB-C26)."""
    rows = board.payoffs.thousands
    low = rows[max(a, b)][min(a, b)]
    return rows[min(a, b)][max(a, b)] if low is None else low


def payoff_sheets(job: SheetJob) -> list[Sheet]:
    """Return the payoff chart, on as few pages as its text allows; none where the board has none."""
    board = job.board
    count = len(board.payoffs.cities)
    if not any(payoff(board, a, b) is not None for a in range(count) for b in range(a)):
        return []
    plan = _plan(job)
    total = len(plan.blocks)
    sheets = []
    for number, block in enumerate(plan.blocks, 1):
        foot = ". ".join(part for part in (_twins(job), page_of(job, number, total)) if part)
        canvas = page(job, job.words("payoffs.title"), note=_unit(job), foot=foot, landscape=plan.landscape)
        _draw(job, canvas, block, plan, body_area(job, landscape=plan.landscape))
        where = page_of(job, number, total)
        title = titled(job, job.words("payoffs.title"), where)
        sheets.append(Sheet(f"payoffs-{number}", title, canvas.to_text(), canvas.width, canvas.height, "page", None))
    return sheets


def _unit(job: SheetJob) -> str:
    board = job.board
    count = len(board.payoffs.cities)
    values = [v for a in range(count) for b in range(a) if (v := payoff(board, a, b)) is not None]
    halves = [v for v in values if v != int(v)]
    example = max(halves or values)
    words, unit = job.words, board.units.payoff
    said = words("payoffs.thousands") if unit == 1000 else words("payoffs.units", unit=job.money(unit))  # noqa: PLR2004
    return words("payoffs.example", unit=said, number=words.plain(example), amount=job.money(example * unit))


def _twins(job: SheetJob) -> str:
    """Return a sentence for cities that share a milepost (RB-C06)."""
    words = job.words
    at: dict[str, list[str]] = {}
    for city in job.board.cities:
        at.setdefault(city.milepost, []).append(city.name)
    pairs = [words("payoffs.and").join(names) for names in at.values() if len(names) > 1]
    return words("payoffs.twins", pairs=", ".join(pairs)) if pairs else ""


def _plan(job: SheetJob) -> _Plan:
    """Return the plan with the fewest pages, of those the largest text, of those the upright."""
    board = job.board
    count = len(board.payoffs.cities)
    labels = [job.names.get(city, city) for city in board.payoffs.cities]
    cells = [job.words.plain(v) for a in range(count) for b in range(a) if (v := payoff(board, a, b)) is not None]
    widest = max(text_width(text, 1.0) for text in cells)
    longest = max(text_width(label, 1.0, bold=True) for label in labels)
    best: tuple[tuple[int, float, bool], _Plan] | None = None
    for text in _SIZES:
        head = min(_LONGEST_HEAD, longest * text + 2.5)
        for landscape in (False, True):
            left, top, right, bottom = body_area(job, landscape=landscape)
            across = int((right - left - head) / max(widest * text + 2 * _PAD, text * 1.2))
            down = int((bottom - top - 2 * head) / (text * 1.2))
            blocks = _blocks(count, max(1, across), max(1, down))
            rank = (len(blocks), -text, landscape)
            if best is None or rank < best[0]:
                best = (rank, _Plan(blocks, text, head, landscape))
    assert best is not None  # noqa: S101 - there are sizes
    return best[1]


def _blocks(count: int, across: int, down: int) -> tuple[_Block, ...]:
    """Cut the triangle of `count` cities; parts of a side differ by one at most."""
    out = []
    for columns in _parts(0, count - 1, across):
        out += [_Block(rows, columns) for rows in _parts(columns.start + 1, count, down)]
    return tuple(out)


def _parts(start: int, end: int, most: int) -> list[range]:
    number = -(-(end - start) // most)
    cuts = [start + (end - start) * at // number for at in range(number + 1)]
    return [range(a, b) for a, b in pairwise(cuts)]


@dataclass(frozen=True)
class _Grid:
    """Where rows and columns of a block lie."""

    block: _Block
    left: float
    top: float
    wide: float
    high: float

    def x(self, column: int) -> float:
        return self.left + (column - self.block.columns.start) * self.wide

    def y(self, row: int) -> float:
        return self.top + (row - self.block.rows.start) * self.high

    def first(self, column: int) -> int:
        """Return the first row in which a column has a cell on this page."""
        return max(self.block.rows.start, column + 1)

    def last(self, row: int) -> int:
        """Return the last column in which a row has a cell on this page."""
        return min(self.block.columns.stop, row) - 1


def _draw(job: SheetJob, canvas: Canvas, block: _Block, plan: _Plan, area: Area) -> None:
    left, top, right, bottom = area
    wide = min(_WIDE, (right - left - plan.head) / len(block.columns))
    high = min(_HIGH, (bottom - top - 2 * plan.head) / len(block.rows))
    grid = _Grid(block, left + plan.head, top + plan.head, wide, high)
    _stripes(job, canvas, grid)
    _heads(job, canvas, grid, plan)
    _amounts(job, canvas, grid, plan.text)


def _stripes(job: SheetJob, canvas: Canvas, grid: _Grid) -> None:
    """Tint every second row, and rule off every fifth row and column, and the diagonal."""
    theme, block = job.theme, grid.block
    pale = mixed(theme.border, paper_of(theme), 0.16)
    group = canvas.group({"class": "stripes"})
    for row in block.rows:
        if row % 2:
            box = (grid.left, grid.y(row), grid.x(grid.last(row) + 1), grid.y(row + 1))
            canvas.box(box, fill=pale, parent=group)
    for row in block.rows:
        if (row + 1) % _GROUP == 0 or row + 1 == block.rows.stop:
            y = grid.y(row + 1)
            canvas.line([(grid.left, y), (grid.x(grid.last(row) + 1), y)], ink=theme.border, width=0.2, parent=group)
    for column in (*block.columns, block.columns.stop):
        main = column % _GROUP == 0 or column in (block.columns.start, block.columns.stop)
        start = grid.y(grid.first(max(column - 1, block.columns.start)))
        ends = [(grid.x(column), start), (grid.x(column), grid.y(block.rows.stop))]
        ink = theme.border if main else mixed(theme.border, paper_of(theme), 0.5)
        canvas.line(ends, ink=ink, width=0.2 if main else 0.1, parent=group)


def _heads(job: SheetJob, canvas: Canvas, grid: _Grid, plan: _Plan) -> None:
    """Name the rows at the left, and the columns above their first cell and again at the foot."""
    board, block = job.board, grid.block
    regions = {region.id: tint_of(job.theme, region) for region in board.regions}
    tints = {city.id: regions.get(city.region, paper_of(job.theme)) for city in board.cities}
    labels = [(city, job.names.get(city, city)) for city in board.payoffs.cities]
    text = _head_size([name for _, name in labels], grid, plan)
    bottom = grid.y(block.rows.stop)
    group = canvas.group({"class": "heads"})
    for row in block.rows:
        ident, name = labels[row]
        fill = tints.get(ident, paper_of(job.theme))
        y0, y1 = grid.y(row), grid.y(row + 1)
        canvas.box((grid.left - plan.head, y0, grid.left - 0.4, y1), fill=fill, parent=group)
        kind = Type(text, bold=True, align="end", fill=ink_on(fill))
        canvas.words((grid.left - plan.head + 0.6, y0, grid.left - 1.2, y1), name, kind, parent=group)
    for column in block.columns:
        ident, name = labels[column]
        fill = tints.get(ident, paper_of(job.theme))
        x0, x1 = grid.x(column), grid.x(column + 1)
        start = grid.y(grid.first(column))
        length = plan.head
        turned = Type(text, bold=True, turned=True, fill=ink_on(fill))
        edge = 0.12
        canvas.box((x0 + edge, start - length, x1 - edge, start - 0.4), fill=fill, parent=group)
        canvas.words((x0, start - length + 0.6, x1, start - 1.2), name, turned, parent=group)
        canvas.box((x0 + edge, bottom + 0.4, x1 - edge, bottom + length), fill=fill, parent=group)
        below = (x0, bottom + 1.2, x1, bottom + length - 0.6)
        canvas.words(below, name, turned.but(align="end"), parent=group)


def _head_size(names: Sequence[str], grid: _Grid, plan: _Plan) -> float:
    room = Room(plan.head - 1.8, min(grid.wide, grid.high))
    return max(FLOOR, min(fit(name, room, plan.text * 1.15, bold=True).size for name in names))


def _amounts(job: SheetJob, canvas: Canvas, grid: _Grid, text: float) -> None:
    """Write the amounts, whole thousands above each other, halves after them."""
    board, block = job.board, grid.block
    values = {
        (row, column): value
        for row in block.rows
        for column in range(block.columns.start, grid.last(row) + 1)
        if (value := payoff(board, row, column)) is not None
    }
    if not values:
        return
    words = job.words
    parts = {at: words.plain(value).partition(words.table.numbers.point) for at, value in values.items()}
    before = max(text_width(whole, 1.0) for whole, _, _ in parts.values())
    after = max(text_width(dot + rest, 1.0) for _, dot, rest in parts.values())
    size = min(text * 1.1, (grid.wide - 2 * _PAD) / (before + after), grid.high / 1.18)
    size = max(size, FLOOR)
    shift = (grid.wide + (before - after) * size) / 2
    looks = {"class": "payoffs", "font-size": f"{size:.2f}", "text-anchor": "end", "fill": job.theme.ink}
    group = canvas.group(looks)
    for (row, column), value in values.items():
        _, dot, rest = parts[row, column]
        x = grid.x(column) + shift + text_width(dot + rest, size)
        y = grid.y(row) + grid.high / 2 + 0.345 * size
        data = {"data-row": board.payoffs.cities[row], "data-column": board.payoffs.cities[column]}
        canvas.document.text(group, words.plain(value), (x, y), data)
