"""Destination charts laid out on pages in the ways that people print them."""

from collections.abc import Callable, Iterable

from mapkit.kinds.rail.model.board import SUMS, Board
from scans.pdf_writer import PdfPage, pdf, width

Charts = list[tuple[str, list[tuple[str, str, str]]]]
"""Name of each chart, and its rows: sum, odd, even."""
Placed = tuple[int, float, float, str, list[tuple[str, str, str]]]
"""Page, left, top, name and rows of a chart."""
_STEP = 13.0


def charts_of(board: Board) -> Charts:
    """Return the charts of a board by the names that are printed."""
    names = {city.id: city.name for city in board.cities} | {region.id: region.name for region in board.regions}
    names["regions"] = "Regions"
    return [
        (names[ident], [(s, names[chart.odd[s] or ""], names[chart.even[s] or ""]) for s in SUMS])
        for ident, chart in board.destinations.items()
    ]


def _blocks(charts: Charts, across: int, down: int, width: float) -> Iterable[Placed]:
    """Yield charts that fill pages row by row."""
    for at, (name, rows) in enumerate(charts):
        page, place = divmod(at, across * down)
        yield page, 40 + (place % across) * width, 60 + (place // across) * 185, name, rows


def side_by_side(charts: Charts) -> bytes:
    """Two charts beside each other, two below them; a title, shaded rows and a number on each page."""
    pages: list[PdfPage] = []
    for number, left, top, name, rows in _blocks(charts, 2, 2, 390):
        if number == len(pages):
            pages.append(PdfPage())
            pages[-1].text(421, 25, "Destinations for every train", 14, anchor="middle")
            pages[-1].text(421, 585, str(number + 7), 7, anchor="middle")
        page = pages[number]
        page.text(left, top - 6, name, 10)
        for x, word in ((0, "Sum"), (45, "Odd"), (180, "Even")):
            page.text(left + x, top + 7, word, 7)
        for k, row in enumerate(rows):
            y = top + 20 + k * _STEP
            if k % 2:
                page.box(left - 3, y - 10, 330, _STEP, 0.85)
            for x, text in zip((14, 45, 180), row, strict=True):
                page.text(left + x, y, text, 8, anchor="end" if x == 14 else "start")
    return pdf(pages)


def centred_below_titles(charts: Charts) -> bytes:
    """Names are centred in their columns; the title is centred above them; sums stand again behind the names."""
    pages = []
    for name, rows in charts:
        page = PdfPage(420, 300, font="Times-Roman")
        page.text(210, 30, name, 14, anchor="middle")
        page.text(120, 50, "ODD", 9, anchor="middle")
        page.text(290, 50, "EVEN", 9, anchor="middle")
        for k, (total, odd, even) in enumerate(rows):
            for x, text in ((20, total), (120, odd), (290, even), (400, total)):
                page.text(x, 70 + k * 18, text, 10, anchor="middle")
        pages.append(page)
    return pdf(pages)


def sums_between_the_names(charts: Charts) -> bytes:
    """Odd to the left of the sums, even to the right; three charts in a row."""
    pages: list[PdfPage] = []
    for number, left, top, name, rows in _blocks(charts, 2, 2, 400):
        if number == len(pages):
            pages.append(PdfPage(862))
        page = pages[number]
        page.text(left + 160, top - 8, name, 10, anchor="middle")
        page.text(left + 140, top + 5, "Odd", 7, anchor="end")
        page.text(left + 180, top + 5, "Even", 7)
        for k, (total, odd, even) in enumerate(rows):
            y = top + 18 + k * _STEP
            page.text(left + 140, y, odd, 8, anchor="end")
            page.text(left + 160, y, total, 8, anchor="middle")
            page.text(left + 180, y, even, 8)
    return pdf(pages)


def a_column_a_chart(charts: Charts) -> bytes:
    """A row for each of the 22 rolls and a column for each chart, on a wide page."""
    page = PdfPage(1200, 420)
    for c, (name, _) in enumerate(charts):
        page.text(90 + c * 138, 30, name, 8)
    for r in range(2 * len(SUMS)):
        parity, at = divmod(r, len(SUMS))
        page.text(20, 50 + r * 16, f"{('Odd', 'Even')[parity]} {SUMS[at]}", 8)
        for c, (_, rows) in enumerate(charts):
            page.text(90 + c * 138, 50 + r * 16, rows[at][1 + parity], 8)
    return pdf([page])


def names_on_two_lines(charts: Charts) -> bytes:
    """Long names go on below in narrow columns; the page is turned by the viewer."""
    pages = []
    for name, rows in charts:
        page = PdfPage(300, 420, rotate=180)
        page.text(60, 24, name, 12)
        page.text(60, 40, "Odd", 8)
        page.text(170, 40, "Even", 8)
        for k, (total, *pair) in enumerate(rows):
            page.text(20, 60 + k * 30, total, 9)
            for x, text in zip((60, 170), pair, strict=True):
                first, _, rest = text.partition(" ")
                page.text(x, 60 + k * 30, first, 9)
                if rest:
                    page.text(x, 70 + k * 30, rest, 9)
        pages.append(page)
    return pdf(pages)


def _wide(texts: Iterable[str], size: float) -> float:
    return max(width(text, size) for text in texts)


def as_wide_as_their_names(charts: Charts) -> bytes:
    """Two columns of blocks, each as wide as its names, the sums between them, as a browser sets tables."""
    page = PdfPage(595, 1000)
    for at, (name, rows) in enumerate(charts):
        column, row = at % 2, at // 2
        left, top = 30 + column * 290, 40 + row * 230 + column * 17
        odd = _wide((pair[1] for pair in rows), 9)
        page.text(left + odd / 2 + 15, top, name.upper(), 9, anchor="middle")
        page.text(left + odd / 2, top + 14, "Odd", 9, anchor="middle")
        page.text(left + odd + 40, top + 14, "Even", 9)
        for k, (total, first, second) in enumerate(rows):
            y = top + 28 + k * _STEP
            page.text(left, y, first, 9)
            page.text(left + odd + 14, y, total, 9, anchor="middle")
            page.text(left + odd + 24, y, second, 9)
    return pdf([page])


def cut_by_the_end_of_a_page(charts: Charts) -> bytes:
    """Two blocks side by side; the end of each page cuts them after the sum 5, and the next one has no headings."""
    pages: list[PdfPage] = []
    for at in range(0, len(charts), 2):
        pages += [PdfPage(500, 120), PdfPage(500, 160)]
        for column, (name, rows) in enumerate(charts[at : at + 2]):
            left = 30 + column * 230
            pages[-2].text(left + 90, 20, name, 10, anchor="middle")
            for x, word in ((10, "Roll"), (70, "Odd"), (160, "Even")):
                pages[-2].text(left + x, 34, word, 8, anchor="middle")
            for k, row in enumerate(rows):
                page, y = (pages[-2], 50 + k * _STEP) if k < 4 else (pages[-1], 20 + (k - 4) * _STEP)
                for x, text in zip((10, 70, 160), row, strict=True):
                    page.text(left + x, y, text, 7, anchor="middle")
    return pdf(pages)


def sums_before_odd_and_even(charts: Charts) -> bytes:
    """A list of its own for odd and for even, each with the sums; only the odd one has the title."""
    pages: list[PdfPage] = []
    for number, left, top, name, rows in _blocks(charts, 2, 2, 390):
        if number == len(pages):
            pages.append(PdfPage())
        page = pages[number]
        page.text(left, top - 20, name, 7)
        page.text(left + 30, top, "Odd", 9)
        page.text(left + 210, top, "Even", 9)
        for k, (total, odd, even) in enumerate(rows):
            y = top + 15 + k * _STEP
            for x, text in ((0, total), (22, odd), (180, total), (202, even)):
                page.text(left + x, y, text, 9)
    return pdf(pages)


def sums_behind_wrapped_names(charts: Charts) -> bytes:
    """Sums behind the names, in the middle of rows whose names go on below."""
    page = PdfPage(900, 1300)
    for at, (name, rows) in enumerate(charts):
        left, y = 30 + (at % 3) * 290, 40.0 + (at // 3) * 420
        page.text(left, y, name, 7)
        page.text(left + 20, y + 16, "ODD", 9)
        page.text(left + 120, y + 16, "EVEN", 9)
        y += 32
        for total, *pair in rows:
            parts = [text.split(" ", 1) for text in pair]
            high = max(len(part) for part in parts)
            for x, part in zip((0, 110), parts, strict=True):
                for line, text in enumerate(part):
                    page.text(left + x, y + (line + (high - len(part)) / 2) * 10, text, 9)
            page.text(left + 230, y + (high - 1) * 5, total, 9)
            y += high * 10 + 6
    return pdf([page])


def names_below_their_first_line(charts: Charts) -> bytes:
    """Names of up to three lines begin at their sum; a word stands above the sums between the names."""
    pages = []
    for name, rows in charts:
        page = PdfPage(420, 560)
        page.text(60, 20, name, 9)
        for x, word in ((40, "Odd"), (170, "Dice"), (220, "Even")):
            page.text(x, 32, word, 9)
        y = 44.0
        for total, *pair in rows:
            page.text(170, y, total, 9)
            parts = [text.split(" ", 2) for text in pair]
            for x, part in zip((40, 220), parts, strict=True):
                for line, text in enumerate(part):
                    page.text(x, y + 11 * line, text, 9)
            y += 11 * (max(map(len, parts)) - 1) + 12
        pages.append(page)
    return pdf(pages)


def touching_columns(charts: Charts) -> bytes:
    """A row a sum and a column a chart, first odd and then even; columns are two blanks apart where names are long."""
    page = PdfPage(1400, 420)
    for half, word in enumerate(("Odd", "Even")):
        top, left = 30 + half * 200, 40.0
        page.text(20, top, word, 9)
        for k, total in enumerate(SUMS):
            page.text(20, top + 30 + k * _STEP, str(total), 9)
        for name, rows in charts:
            names = [row[1 + half] for row in rows]
            page.text(left, top + 15, name, 9)
            for k, text in enumerate(names):
                page.text(left, top + 30 + k * _STEP, text, 9)
            left += _wide([name, *names], 9) + 5
    return pdf([page])


LAYOUTS: dict[str, Callable[[Charts], bytes]] = {
    make.__name__: make
    for make in (
        side_by_side,
        centred_below_titles,
        sums_between_the_names,
        a_column_a_chart,
        names_on_two_lines,
        as_wide_as_their_names,
        cut_by_the_end_of_a_page,
        sums_before_odd_and_even,
        sums_behind_wrapped_names,
        names_below_their_first_line,
        touching_columns,
    )
}
