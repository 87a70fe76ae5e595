"""Payoff charts laid out on pages in the ways that people print them."""

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scans.pdf_writer import PdfPage, pdf, width

CUT = 24
"""Cities of the layout whose names are cut."""
SOURCES = Path(__file__).resolve().parents[2] / "sources"


@dataclass(frozen=True)
class Chart:
    """A chart to be printed: names, and thousands by row and column."""

    names: tuple[str, ...]
    amounts: tuple[tuple[float, ...], ...]

    def text(self, row: int, col: int) -> str:
        """Return a cell as it is printed."""
        return f"{self.amounts[row][col]:g}"


@cache
def chart_of(board: str) -> Chart:
    """Return the chart of a shipped board."""
    with (SOURCES / board / "charts" / "payoffs.csv").open(encoding="utf-8") as stream:
        head, *rows = csv.reader(stream)
    return Chart(tuple(head[1:]), tuple(tuple(map(float, row[1:])) for row in rows))


@dataclass(frozen=True)
class Grid:
    """Where rows and columns of a page stand."""

    left: float
    top: float
    wide: float
    high: float
    size: float

    def x(self, col: float) -> float:
        """Return the right edge of a column."""
        return self.left + (col + 1) * self.wide

    def y(self, row: float) -> float:
        """Return the base line of a row."""
        return self.top + (row + 1) * self.high


def _fitting(count_x: int, count_y: int, page: PdfPage, left: float = 105, top: float = 115) -> Grid:
    wide = (page.wide - left - 20) / count_x
    high = (page.high - top - 30) / count_y
    return Grid(left, top, wide, high, min(7.5, high * 0.85, wide / 2.3))


def _amounts(page: PdfPage, chart: Chart, grid: Grid, rows: Sequence[int], cols: Sequence[int], dash: str = "") -> None:
    for r, i in enumerate(rows):
        for c, j in enumerate(cols):
            text = dash if i == j else chart.text(i, j)
            page.text(grid.x(c) - 1, grid.y(r), text, grid.size, anchor="end")


def _names(page: PdfPage, chart: Chart, grid: Grid, rows: Sequence[int]) -> None:
    for r, i in enumerate(rows):
        page.text(grid.left - 4, grid.y(r), chart.names[i], grid.size, anchor="end")


def _cut(name: str, room: float, size: float) -> str:
    """Return as much of a name as fits: its beginning, or its first letter and its end."""
    while width(name, size) > room and len(name) > 2:
        name = name[:-1]
    return name


def square_with_standing_names(chart: Chart) -> bytes:
    """Names stand above the columns; dashes on the diagonal; a title and a note."""
    page, count = PdfPage(), len(chart.names)
    grid = _fitting(count, count, page)
    page.text(400, 14, "Payoffs of 1970, in thousands", 12, anchor="middle")
    page.text(20, 590, "Page 1 of 1", 6)
    for c in range(count):
        page.text(grid.x(c) - grid.wide / 4, grid.top, chart.names[c], grid.size, angle=90)
    _names(page, chart, grid, range(count))
    _amounts(page, chart, grid, range(count), range(count), dash="-")
    return pdf([page])


def names_read_downwards(chart: Chart) -> bytes:
    """Names are turned the other way, and repeated below."""
    page, count = PdfPage(font="Times-Roman"), len(chart.names)
    grid = _fitting(count, count + 8, page)
    for c in range(count):
        x = grid.x(c) - grid.wide * 0.7
        page.text(x, grid.top - 2, chart.names[c], grid.size, anchor="end", angle=-90)
        page.text(x, grid.y(count), chart.names[c], grid.size, angle=-90)
    _names(page, chart, grid, range(count))
    _amounts(page, chart, grid, range(count), range(count), dash="0")
    return pdf([page])


def slanted_names(chart: Chart) -> bytes:
    """Names are slanted by 45 degrees above a lower triangle without its diagonal, letter by letter."""
    page, count = PdfPage(letters=True), len(chart.names)
    grid = _fitting(count, count, page)
    for c in range(count - 1):
        page.text(grid.x(c) - grid.wide * 0.4, grid.y(c), chart.names[c], grid.size, angle=45)
    for i in range(1, count):
        page.text(grid.left - 4, grid.y(i), chart.names[i], grid.size, anchor="end")
        for j in range(i):
            page.text(grid.x(j) - 1, grid.y(i), chart.text(i, j), grid.size, anchor="end")
    return pdf([page])


def slanted_above_a_square(chart: Chart) -> bytes:
    """All names in one slanted row above a square."""
    page, count = PdfPage(), len(chart.names)
    grid = _fitting(count, count, page, left=105, top=115)
    for c in range(count):
        page.text(grid.x(c) - grid.wide * 0.3, grid.top, chart.names[c], grid.size, angle=60)
    _names(page, chart, grid, range(count))
    _amounts(page, chart, grid, range(count), range(count), dash="x")
    return pdf([page])


def names_on_the_diagonal(chart: Chart) -> bytes:
    """An upper triangle whose names step down the diagonal."""
    page, count = PdfPage(), len(chart.names)
    grid = _fitting(count, count, page, left=105)
    for c in range(1, count):
        page.text(grid.x(c) - grid.wide / 4, grid.top, chart.names[c], grid.size, angle=90)
    for i in range(count):
        page.text(grid.x(i) - 2, grid.y(i), chart.names[i], grid.size, anchor="end")
        for j in range(i + 1, count):
            page.text(grid.x(j) - 1, grid.y(i), chart.text(i, j), grid.size, anchor="end")
    return pdf([page])


def two_halves(chart: Chart) -> bytes:
    """A square on two pages; the second has the other columns, without the names of the rows."""
    count = len(chart.names)
    pages = []
    for cols in (range(count // 2), range(count // 2, count)):
        page = PdfPage(595, 842)
        grid = _fitting(len(cols), count, page)
        for c, j in enumerate(cols):
            page.text(grid.x(c) - grid.wide / 4, grid.top, chart.names[j], grid.size, angle=90)
        if cols[0] == 0:
            _names(page, chart, grid, range(count))
        _amounts(page, chart, grid, range(count), cols, dash="\u2013")
        pages.append(page)
    return pdf(pages)


def four_quarters(chart: Chart) -> bytes:
    """A square on four pages, each with its names, a running head and a number; turned by the viewer."""
    count = len(chart.names)
    halves = (range(count // 2), range(count // 2, count))
    pages = []
    for number, (rows, cols) in enumerate(((rows, cols) for rows in halves for cols in halves), start=1):
        page = PdfPage(595, 842, rotate=180 if number % 2 else 0)
        grid = _fitting(len(cols), len(rows), page, top=140)
        page.text(60, 30, f"Travel payoffs {number}", 9)
        page.text(540, 30, f"{number}", 9)
        for c, j in enumerate(cols):
            page.text(grid.x(c) - grid.wide / 4, grid.top, chart.names[j], grid.size, angle=90)
        _names(page, chart, grid, rows)
        _amounts(page, chart, grid, rows, cols, dash="0")
        pages.append(page)
    return pdf(pages)


def rows_go_on(chart: Chart) -> bytes:
    """Rows go on over three pages; names stand above the columns of the first only; with regions and numbers."""
    count = len(chart.names)
    pages = []
    third = -(-count // 3)
    for start in range(0, count, third):
        rows = range(start, min(start + third, count))
        page = PdfPage()
        grid = _fitting(count, third, page, left=150)
        if start == 0:
            for c in range(count):
                page.text(grid.x(c) - grid.wide / 4, grid.top - 12, chart.names[c], grid.size, angle=90)
                page.text(grid.x(c) - 1, grid.top - 2, str(c + 1), grid.size * 0.8, anchor="end")
        for r, i in enumerate(rows):
            page.text(20, grid.y(r), str(i + 1), grid.size, anchor="end")
            page.text(28, grid.y(r), ("North", "South")[i % 2], grid.size)
            page.text(60, grid.y(r), chart.names[i], grid.size)
        _amounts(page, chart, grid, rows, range(count), dash="0")
        pages.append(page)
    return pdf(pages)


def turned_sideways(chart: Chart) -> bytes:
    """A wide table printed sideways on an upright page, with shaded rows."""
    page, count = PdfPage(595, 842), len(chart.names)
    wide = PdfPage(842, 595)
    grid = _fitting(count, count, wide)
    for r in range(0, count, 2):
        page.box(595 - grid.y(r), 20, grid.high, 800, 0.9)

    def put(x: float, y: float, text: str, *, anchor: str = "start", angle: float = 0) -> None:
        page.text(y, 842 - x, text, grid.size, anchor=anchor, angle=angle + 90)

    for c in range(count):
        put(grid.x(c) - grid.wide / 4, grid.top, chart.names[c], angle=90)
    for i in range(count):
        put(grid.left - 4, grid.y(i), chart.names[i], anchor="end")
        for j in range(count):
            put(grid.x(j) - 1, grid.y(i), "" if i == j else chart.text(i, j), anchor="end")
    return pdf([page])


def cut_names(chart: Chart) -> bytes:
    """Upright names above the columns, cut where the column ends; amounts in whole money."""
    count = min(len(chart.names), CUT)
    page = PdfPage()
    grid = _fitting(count, count, page)
    for c in range(count):
        page.text(grid.x(c) - grid.wide / 2, grid.top, _cut(chart.names[c], grid.wide - 2, 7), 7, anchor="middle")
    _names(page, chart, grid, range(count))
    for i in range(count):
        for j in range(count):
            text = "-" if i == j else f"{chart.amounts[i][j] * 1000:,.0f}"
            page.text(grid.x(j) - grid.wide / 2, grid.y(i), text, min(grid.size, 6), anchor="middle")
    return pdf([page])


def pairs_in_a_list(chart: Chart) -> bytes:
    """Two names and an amount in each line, with dots between, over several pages."""
    pairs = [(i, j) for i in range(len(chart.names)) for j in range(i)]
    pages = []
    for start in range(0, len(pairs), 70):
        page = PdfPage(595, 842, font="Courier")
        page.text(60, 30, "From", 8)
        page.text(200, 30, "To", 8)
        page.text(460, 30, "Pays", 8, anchor="end")
        for r, (i, j) in enumerate(pairs[start : start + 70]):
            y = 45 + 11 * r
            page.text(60, y, chart.names[i], 8)
            page.text(200, y, chart.names[j] + " " + "." * (36 - len(chart.names[j])), 8)
            page.text(460, y, chart.text(i, j), 8, anchor="end")
        pages.append(page)
    return pdf(pages)


def numbered_with_regions(chart: Chart) -> bytes:
    """Slanted names with numbers; before the rows numbers, regions in the middle of theirs, and cities set left."""
    page, count = PdfPage(1200, 800), len(chart.names)
    grid = _fitting(count, count, page, left=190)
    page.text(14, 14, "Payoff chart", 6)
    for x, text in ((20, "No"), (60, "Region"), (100, "City")):
        page.text(x, grid.top - 14, text, grid.size)
    for i in range(count):
        page.text(grid.x(i) - grid.wide * 0.3, grid.top, f"{i + 1} {chart.names[i]}", grid.size, angle=60)
        page.text(30, grid.y(i), str(i + 1), grid.size, anchor="end")
        page.text(84, grid.y(i), chart.names[i], grid.size)
        for j in range(i + 1):
            text = "-" if i == j else chart.text(i, j)
            page.text(grid.x(j) - 1, grid.y(i), text, grid.size, anchor="end")
    for k, start in enumerate(range(0, count, 7)):
        middle = (start + min(start + 7, count) - 1) / 2
        page.text(81, grid.y(middle), f"Zone {'ABCDEFGHIJ'[k]}", grid.size, anchor="end")
    return pdf([page])


def names_on_two_lines(chart: Chart) -> bytes:
    """Names above the columns and beside the rows go on below, and stand in the middle of their cells."""
    page, count = PdfPage(60 + 42 * len(chart.names), 60 + 20 * len(chart.names)), len(chart.names)
    grid = Grid(60, 40, 42, 20, 7)
    for k, name in enumerate(chart.names):
        parts = name.split(" ", 1)
        for line, part in enumerate(parts):
            down = (line - (len(parts) - 1) / 2) * 8
            page.text(grid.x(k) - 20, grid.top + down, part, grid.size, anchor="middle")
            page.text(30, grid.y(k) + down, part, grid.size, anchor="middle")
        for j in range(count):
            text = "X" if k == j else chart.text(k, j)
            page.text(grid.x(j) - 20, grid.y(k), text, grid.size, anchor="middle")
    return pdf([page])


def columns_as_wide_as_their_names(chart: Chart) -> bytes:
    """Names go on below in columns that are wider than their longest word, as a browser sets them; amounts are left."""
    count = len(chart.names)
    words = [name.split() for name in chart.names]
    wides = [max(width(word, 6) for word in (*name, "44.5")) + 2.4 + 3 * len(name) for name in words]
    page = PdfPage(110 + sum(wides), 70 + 10 * count)
    left = 90.0
    for k, (name, wide) in enumerate(zip(words, wides, strict=True)):
        lines = [name[0]]
        for word in name[1:]:
            if width(f"{lines[-1]} {word}", 6) < wide:
                lines[-1] += f" {word}"
            else:
                lines.append(word)
        for line, text in enumerate(lines):
            page.text(left + wide / 2, 30 + (line - (len(lines) - 1) / 2) * 7, text, 6, anchor="middle")
        page.text(85, 50 + k * 10, chart.names[k], 6, anchor="end")
        for i in range(count):
            page.text(left + 1.2, 50 + i * 10, "-" if i == k else chart.text(i, k), 6)
        left += wide
    return pdf([page])


def pairs_in_four_columns(chart: Chart) -> bytes:
    """Lists of pairs side by side: two names with a dash between, dots, and an amount."""
    pairs = [(i, j) for i in range(len(chart.names)) for j in range(i)]
    high = min(70, (len(pairs) + 3) // 4)
    pages: list[PdfPage] = []
    for at, (i, j) in enumerate(pairs):
        column, row = divmod(at % (4 * high), high)
        if at % (4 * high) == 0:
            pages.append(PdfPage(842, 842))
            pages[-1].text(30, 30, "What trips pay", 14)
        left, y = 30 + 200 * column, 50 + 11 * row
        names = f"{chart.names[i]} \N{EN DASH} {chart.names[j]}"
        pages[-1].text(left, y, names, 6)
        begin = left + width(names, 6) + 3
        pages[-1].text(begin, y, "." * int((left + 150 - begin) / 1.7), 6)
        pages[-1].text(left + 170, y, f"${chart.amounts[i][j] * 1000:,.0f}", 6, anchor="end")
    return pdf(pages)


LAYOUTS: dict[str, Callable[[Chart], bytes]] = {
    make.__name__: make
    for make in (
        square_with_standing_names,
        names_read_downwards,
        slanted_names,
        slanted_above_a_square,
        names_on_the_diagonal,
        two_halves,
        four_quarters,
        rows_go_on,
        turned_sideways,
        cut_names,
        pairs_in_a_list,
        numbered_with_regions,
        names_on_two_lines,
        columns_as_wide_as_their_names,
        pairs_in_four_columns,
    )
}


def blocks_below_one_another(chart: Chart) -> bytes:
    """Two halves of the columns on one page, each with all rows and standing names."""
    page, count = PdfPage(), len(chart.names)
    half = count // 2
    for top, cols in ((90, range(half)), (370, range(half, count))):
        grid = Grid(105, top, 40, 15, 7)
        for c, j in enumerate(cols):
            page.text(grid.x(c) - 15, grid.top, chart.names[j], grid.size, angle=90)
        _names(page, chart, grid, range(count))
        _amounts(page, chart, grid, range(count), cols, dash="-")
    return pdf([page])


def names_before_the_diagonal(chart: Chart) -> bytes:
    """An upper triangle without heads; the name of each row ends at the diagonal."""
    page, count = PdfPage(), len(chart.names)
    grid = Grid(60, 60, 60, 15, 7)
    for i in range(count):
        page.text(grid.x(i) - 30, grid.y(i), chart.names[i], grid.size, anchor="end")
        for j in range(i + 1, count):
            page.text(grid.x(j) - 25, grid.y(i), chart.text(i, j), grid.size, anchor="end")
    return pdf([page])


def amounts_in_words(chart: Chart) -> bytes:
    """A square of amounts like `$ 2 500`, the sign and the thousands apart, below names cut to four letters."""
    page, count = PdfPage(), len(chart.names)
    grid = Grid(105, 60, 60, 15, 7)
    for c in range(count):
        page.text(grid.x(c) - 1, grid.top, chart.names[c][:4], grid.size, anchor="end")
    _names(page, chart, grid, range(count))
    for i in range(count):
        for j in range(count):
            text = f"$ {chart.amounts[i][j] * 1000:,.0f}".replace(",", " ") if i != j else "-"
            page.text(grid.x(j) - 1, grid.y(i), text, grid.size, anchor="end")
    return pdf([page])


SMALL_LAYOUTS = (blocks_below_one_another, names_before_the_diagonal, amounts_in_words)
"""Layouts for charts of few cities."""
