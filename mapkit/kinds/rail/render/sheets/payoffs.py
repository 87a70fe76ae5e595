"""Payoff chart as a triangle (RB-C13), split over pages if it is large, heads repeated."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.fit import FLOOR, Room, fit_text, points_to_mm
from mapkit.drawing.inks import ink_on, paper_of
from mapkit.drawing.page import begin_page, body_area, page_number_text, page_sheet, title_with_page
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.text_width import text_width
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.sheets.sheet_colours import choose_region_tint
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob

_TEXT_SIZES: Final = tuple(points_to_mm(points) for points in (10, 9, 8.5, 8, 7.5, 7, 6.5, 6))
_MOST_CELL_WIDTH: Final = 9.0
_MOST_CELL_HEIGHT: Final = 6.5
_CELL_PAD: Final = 0.45
_LONGEST_HEAD: Final = 34.0
_TRIANGLE_TEXT: Final = points_to_mm(8)
_GROUP_SIZE: Final = 5


@dataclass(frozen=True)
class _ChartBlock:
    """Rows and columns (indices of cities) on a page, below the diagonal."""

    rows: range
    columns: range


@dataclass(frozen=True)
class _PagePlan:
    """Division of the triangle into pages."""

    blocks: tuple[_ChartBlock, ...]
    text: float
    head: float
    landscape: bool


def get_chart_payoff(board: Board, a: int, b: int) -> float | None:
    """Return the payoff between two cities of the chart, from the cell below the diagonal if two differ (RB-C26)."""
    chart_rows = board.payoffs.thousands
    lower_cell = chart_rows[max(a, b)][min(a, b)]
    return chart_rows[min(a, b)][max(a, b)] if lower_cell is None else lower_cell


def make_payoff_sheets(job: SheetJob) -> list[Sheet]:
    """Return the payoff chart, on as few pages as its text allows; none if the board has none."""
    if not _has_payoffs(job.board):
        return []
    plan = _choose_plan(job)
    page_count = len(plan.blocks)
    chart_sheets = []
    for number, block in enumerate(plan.blocks, 1):
        foot = ". ".join(part for part in (_describe_twins(job), page_number_text(job, number, page_count)) if part)
        canvas = begin_page(
            job, job.words("payoffs.title"), note=_describe_unit(job), foot=foot, landscape=plan.landscape
        )
        left, top, right, bottom = body_area(job, landscape=plan.landscape)
        cell_width = min(_MOST_CELL_WIDTH, (right - left - plan.head) / len(block.columns))
        cell_height = min(_MOST_CELL_HEIGHT, (bottom - top - 2 * plan.head) / len(block.rows))
        chart_grid = _ChartGrid(block, left + plan.head, top + plan.head, cell_width, cell_height)
        _draw_block(job, canvas, chart_grid, plan.text, plan.head)
        page_text = page_number_text(job, number, page_count)
        sheet_title = title_with_page(job, job.words("payoffs.title"), page_text)
        chart_sheets.append(page_sheet(f"payoffs-{number}", sheet_title, canvas))
    return chart_sheets


def draw_payoff_triangle(job: SheetJob) -> Canvas | None:
    """Return the whole payoff chart in one piece, as large as its text needs; None if the board has none.

    The corner above the diagonal has its title and unit.
    """
    board = job.board
    if not _has_payoffs(board):
        return None
    count, text_size = len(board.payoffs.cities), _TRIANGLE_TEXT
    widest_cell, longest_name = _measure_texts(job)
    head = min(_LONGEST_HEAD, longest_name * text_size * 1.15 + 2.5)
    cell_width, cell_height = max(widest_cell * text_size * 1.1 + 2 * _CELL_PAD, text_size * 1.25), text_size * 1.25
    size = (head + cell_width * (count - 1), 2 * head + cell_height * (count - 1))
    title = job.words("payoffs.title")
    canvas = Canvas(size, job.theme, title=title, description=title, clear=True)
    chart_grid = _ChartGrid(_ChartBlock(range(1, count), range(count - 1)), head, head, cell_width, cell_height)
    _draw_block(job, canvas, chart_grid, text_size, head)
    left, height = 0.45 * size[0], 0.1 * size[1]
    canvas.words((left, 0.0, size[0], height), title, TextStyle(0.9 * height, bold=True, align="end"))
    unit_style = TextStyle(points_to_mm(9), fill=job.theme.quiet_ink, align="end", top=True, lines=3)
    canvas.words((left, height, size[0], 2 * height), _describe_unit(job), unit_style)
    return canvas


def _has_payoffs(board: Board) -> bool:
    """Return whether a board's payoff chart has any amount."""
    count = len(board.payoffs.cities)
    return any(get_chart_payoff(board, a, b) is not None for a in range(count) for b in range(a))


def _draw_block(job: SheetJob, canvas: Canvas, grid: "_ChartGrid", text: float, head: float) -> None:
    _draw_stripes(job, canvas, grid)
    _draw_heads(job, canvas, grid, text, head)
    _write_amounts(job, canvas, grid, text)


def _describe_unit(job: SheetJob) -> str:
    board = job.board
    city_count = len(board.payoffs.cities)
    all_payoffs = [
        amount for a in range(city_count) for b in range(a) if (amount := get_chart_payoff(board, a, b)) is not None
    ]
    half_amounts = [amount for amount in all_payoffs if amount != int(amount)]
    example_amount = max(half_amounts or all_payoffs)
    words, payoff_unit = job.words, board.units.payoff
    thousands = payoff_unit == 1000  # noqa: PLR2004
    unit_text = words("payoffs.thousands") if thousands else words("payoffs.units", unit=job.money(payoff_unit))
    return words(
        "payoffs.example",
        unit=unit_text,
        number=words.plain(example_amount),
        amount=job.money(example_amount * payoff_unit),
    )


def _describe_twins(job: SheetJob) -> str:
    """Return a sentence for cities that share a milepost (RB-C06)."""
    words = job.words
    names_at: dict[str, list[str]] = {}
    for city in job.board.cities:
        names_at.setdefault(city.milepost, []).append(city.name)
    twin_names = [words("payoffs.and").join(names) for names in names_at.values() if len(names) > 1]
    return words("payoffs.twins", pairs=", ".join(twin_names)) if twin_names else ""


def _choose_plan(job: SheetJob) -> _PagePlan:
    """Return the plan with the fewest pages; among those, with the largest text, then upright."""
    board = job.board
    count = len(board.payoffs.cities)
    widest_cell, longest_name = _measure_texts(job)
    best_plan: tuple[tuple[int, float, bool], _PagePlan] | None = None
    for text_size in _TEXT_SIZES:
        head = min(_LONGEST_HEAD, longest_name * text_size + 2.5)
        for landscape in (False, True):
            left, top, right, bottom = body_area(job, landscape=landscape)
            most_columns = int((right - left - head) / max(widest_cell * text_size + 2 * _CELL_PAD, text_size * 1.2))
            most_rows = int((bottom - top - 2 * head) / (text_size * 1.2))
            chart_blocks = _divide_triangle(count, max(1, most_columns), max(1, most_rows))
            plan_rank = (len(chart_blocks), -text_size, landscape)
            if best_plan is None or plan_rank < best_plan[0]:
                best_plan = (plan_rank, _PagePlan(chart_blocks, text_size, head, landscape))
    assert best_plan is not None  # noqa: S101 - there are sizes
    return best_plan[1]


def _measure_texts(job: SheetJob) -> tuple[float, float]:
    """Return the widths of the longest amount and the longest name, in ems."""
    board = job.board
    count = len(board.payoffs.cities)
    cell_texts = [
        job.words.plain(amount)
        for a in range(count)
        for b in range(a)
        if (amount := get_chart_payoff(board, a, b)) is not None
    ]
    family = job.theme.family
    longest_name = max(
        text_width(job.names.get(city, city), 1.0, bold=True, family=family) for city in board.payoffs.cities
    )
    return max(text_width(text, 1.0, family=family) for text in cell_texts), longest_name


def _divide_triangle(count: int, across: int, down: int) -> tuple[_ChartBlock, ...]:
    """Divide the triangle of `count` cities; parts of a side differ by one at most."""
    chart_blocks = []
    for columns in _divide_range(0, count - 1, across):
        chart_blocks += [_ChartBlock(rows, columns) for rows in _divide_range(columns.start + 1, count, down)]
    return tuple(chart_blocks)


def _divide_range(start: int, end: int, most: int) -> list[range]:
    part_count = -(-(end - start) // most)
    range_bounds = [start + (end - start) * part_number // part_count for part_number in range(part_count + 1)]
    return [range(a, b) for a, b in pairwise(range_bounds)]


@dataclass(frozen=True)
class _ChartGrid:
    """Positions of the rows and columns of a block."""

    block: _ChartBlock
    left: float
    top: float
    wide: float
    high: float

    def x(self, column: int) -> float:
        return self.left + (column - self.block.columns.start) * self.wide

    def y(self, row: int) -> float:
        return self.top + (row - self.block.rows.start) * self.high

    def first(self, column: int) -> int:
        """Return the first row with a cell of a column on this page."""
        return max(self.block.rows.start, column + 1)

    def last(self, row: int) -> int:
        """Return the last column with a cell of a row on this page."""
        return min(self.block.columns.stop, row) - 1


def _draw_stripes(job: SheetJob, canvas: Canvas, grid: _ChartGrid) -> None:
    """Tint every second row, and rule off every fifth row and column, and the diagonal."""
    theme, block = job.theme, grid.block
    stripe_colour = mix_colours(theme.border, paper_of(theme), 0.16)
    group = canvas.group({"class": "stripes"})
    for row in block.rows:
        if row % 2:
            stripe_box = (grid.left, grid.y(row), grid.x(grid.last(row) + 1), grid.y(row + 1))
            canvas.box(stripe_box, fill=stripe_colour, parent=group)
    for row in block.rows:
        if (row + 1) % _GROUP_SIZE == 0 or row + 1 == block.rows.stop:
            y = grid.y(row + 1)
            canvas.line([(grid.left, y), (grid.x(grid.last(row) + 1), y)], ink=theme.border, width=0.2, parent=group)
    for column in (*block.columns, block.columns.stop):
        is_main = column % _GROUP_SIZE == 0 or column in (block.columns.start, block.columns.stop)
        line_top = grid.y(grid.first(max(column - 1, block.columns.start)))
        line_ends = [(grid.x(column), line_top), (grid.x(column), grid.y(block.rows.stop))]
        line_ink = theme.border if is_main else mix_colours(theme.border, paper_of(theme), 0.5)
        canvas.line(line_ends, ink=line_ink, width=0.2 if is_main else 0.1, parent=group)


def _draw_heads(job: SheetJob, canvas: Canvas, grid: _ChartGrid, text: float, head: float) -> None:
    """Name the rows at the left, and the columns above their first cell and again at the foot."""
    board, block = job.board, grid.block
    tint_of_region = {region.id: choose_region_tint(job.theme, region) for region in board.regions}
    city_tints = {city.id: tint_of_region.get(city.region, paper_of(job.theme)) for city in board.cities}
    city_labels = [(city, job.names.get(city, city)) for city in board.payoffs.cities]
    head_room = Room(head - 1.8, min(grid.wide, grid.high))
    text_size = max(
        FLOOR,
        min(fit_text(name, head_room, text * 1.15, bold=True, family=job.theme.family).size for _, name in city_labels),
    )
    bottom = grid.y(block.rows.stop)
    head_group = canvas.group({"class": "heads"})
    for row in block.rows:
        city_id, city_name = city_labels[row]
        head_fill = city_tints.get(city_id, paper_of(job.theme))
        y0, y1 = grid.y(row), grid.y(row + 1)
        canvas.box((grid.left - head, y0, grid.left - 0.4, y1), fill=head_fill, parent=head_group)
        row_type = TextStyle(text_size, bold=True, align="end", fill=ink_on(head_fill))
        canvas.words((grid.left - head + 0.6, y0, grid.left - 1.2, y1), city_name, row_type, parent=head_group)
    for column in block.columns:
        city_id, city_name = city_labels[column]
        head_fill = city_tints.get(city_id, paper_of(job.theme))
        x0, x1 = grid.x(column), grid.x(column + 1)
        column_top = grid.y(grid.first(column))
        length = head
        column_type = TextStyle(text_size, bold=True, turned=True, fill=ink_on(head_fill))
        edge = 0.12
        canvas.box((x0 + edge, column_top - length, x1 - edge, column_top - 0.4), fill=head_fill, parent=head_group)
        canvas.words((x0, column_top - length + 0.6, x1, column_top - 1.2), city_name, column_type, parent=head_group)
        canvas.box((x0 + edge, bottom + 0.4, x1 - edge, bottom + length), fill=head_fill, parent=head_group)
        foot_box = (x0, bottom + 1.2, x1, bottom + length - 0.6)
        canvas.words(foot_box, city_name, column_type.but(align="end"), parent=head_group)


def _write_amounts(job: SheetJob, canvas: Canvas, grid: _ChartGrid, text: float) -> None:
    """Write the amounts, whole thousands above each other, halves after them."""
    board, block = job.board, grid.block
    values = {
        (row, column): value
        for row in block.rows
        for column in range(block.columns.start, grid.last(row) + 1)
        if (value := get_chart_payoff(board, row, column)) is not None
    }
    if not values:
        return
    words = job.words
    parts = {cell_key: words.plain(value).partition(words.table.numbers.point) for cell_key, value in values.items()}
    widest_whole = max(text_width(whole_text, 1.0, family=job.theme.family) for whole_text, _, _ in parts.values())
    widest_fraction = max(
        text_width(point_text + fraction_text, 1.0, family=job.theme.family)
        for _, point_text, fraction_text in parts.values()
    )
    text_size = min(text * 1.1, (grid.wide - 2 * _CELL_PAD) / (widest_whole + widest_fraction), grid.high / 1.18)
    text_size = max(text_size, FLOOR)
    point_shift = (grid.wide + (widest_whole - widest_fraction) * text_size) / 2
    text_style = {"class": "payoffs", "font-size": f"{text_size:.2f}", "text-anchor": "end", "fill": job.theme.ink}
    amount_group = canvas.group(text_style)
    for (row, column), value in values.items():
        _, point_text, fraction_text = parts[row, column]
        x = grid.x(column) + point_shift + text_width(point_text + fraction_text, text_size, family=job.theme.family)
        y = grid.y(row) + grid.high / 2 + 0.345 * text_size
        cell_data = {"data-row": board.payoffs.cities[row], "data-column": board.payoffs.cities[column]}
        canvas.document.text(amount_group, words.plain(value), (x, y), cell_data)
