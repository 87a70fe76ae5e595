"""Payoff charts as other programs print them: Chromium, Firefox, LibreOffice Calc and Writer, typst.

A layout is a shape (which cells stand where), a spelling of amounts, a style of page, and the program that prints it.
"""

import html
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import typst

from scans.chart_pages import Chart, chart_of

Grid = list[list[str]]
Spelled = Callable[[float], str]


class Printed(NamedTuple):
    """A layout: program, shape, spelling of amounts, style, board, number of cities."""

    program: str
    shape: str
    spelling: str = "plain"
    style: str = "ruled"
    board: str = "portugal"
    cities: int = 36

    @property
    def name(self) -> str:
        """Return its name, also of the file."""
        return "-".join((self.program, self.shape, self.spelling, self.style, self.board, str(self.cities)))

    @property
    def chart(self) -> Chart:
        """Return the chart that is printed."""
        chart = chart_of(self.board)
        return Chart(chart.names[: self.cities], tuple(row[: self.cities] for row in chart.amounts[: self.cities]))

    @property
    def square(self) -> bool:
        """Return whether both halves are printed."""
        return SHAPES[self.shape][1]

    def grids(self) -> list[Grid]:
        """Return its tables, a page each."""
        return SHAPES[self.shape][0](self.chart, SPELLINGS[self.spelling])


def _halves(value: float) -> str:
    whole, half = divmod(round(value * 2), 2)
    return f"{whole or ''}{'½' * half}"


SPELLINGS: dict[str, Spelled] = {
    "plain": lambda value: f"{value:g}",
    "fixed": lambda value: f"{value:.1f}",
    "comma": lambda value: f"{value:.1f}".replace(".", ","),
    "whole": lambda value: f"{value * 1000:.0f}",
    "dollars": lambda value: f"${value * 1000:,.0f}",
    "dollars apart": lambda value: f"$ {value * 1000:,.0f}",
    "spaced": lambda value: f"{value * 1000:,.0f}".replace(",", "\u202f"),
    "euros": lambda value: f"{value:.1f}".replace(".", ",") + "\u00a0€",
    "thousands": lambda value: f"{value:g}K",
    "halves": _halves,
    "apostrophe": lambda value: f"{value * 1000:,.0f}".replace(",", "\u2019"),
    "dots": lambda value: f"{value * 1000:,.0f}".replace(",", "."),
    "behind": lambda value: f"{value:.2f}".replace(".", ",") + " €",
    "pounds": lambda value: f"£{value:g}",
    "slashed": lambda value: _halves(value).replace("½", " 1/2").strip(),
}


def _square(chart: Chart, spelled: Spelled, dash: str = "") -> list[Grid]:
    rows = [
        [name, *(dash if i == j else spelled(value) for j, value in enumerate(chart.amounts[i]))]
        for i, name in enumerate(chart.names)
    ]
    return [[["", *chart.names], *rows]]


def _triangle(chart: Chart, spelled: Spelled, *, upper: bool = False, zero: bool = False) -> list[Grid]:
    [(head, *rows)] = _square(chart, spelled, "0" if zero else "")
    return [
        [head]
        + [
            [row[0], *(text if j == i or (j > i) == upper else "" for j, text in enumerate(row[1:]))]
            for i, row in enumerate(rows)
        ]
    ]


def _diagonal(chart: Chart, spelled: Spelled, *, upper: bool = False) -> list[Grid]:
    [(_, *rows)] = _triangle(chart, spelled, upper=upper)
    return [[[*row[1 : i + 1], row[0], *row[i + 2 :]] for i, row in enumerate(rows)]]


def _on_pages(grid: Grid, count: int) -> list[Grid]:
    step = -(-(len(grid[0]) - 1) // count)
    return [[[row[0], *row[k : k + step]] for row in grid] for k in range(1, len(grid[0]), step)]


def _pairs(chart: Chart, spelled: Spelled, blocks: int = 1, *, head: bool = True) -> list[Grid]:
    rows = [
        [a, b, spelled(chart.amounts[i][j])]
        for i, a in enumerate(chart.names)
        for j, b in enumerate(chart.names)
        if i < j
    ]
    high = -(-len(rows) // blocks)
    parts = [rows[k : k + high] for k in range(0, len(rows), high)]
    body = [[cell for part in parts for cell in (part[r] if r < len(part) else ["", "", ""])] for r in range(high)]
    return [[["From", "To", "Payoff"] * blocks, *body] if head else body]


def _regions(chart: Chart, spelled: Spelled, *, numbers: bool = True) -> list[Grid]:
    [(head, *rows)] = _square(chart, spelled, "—")
    marks = ["NE", "SE", "NC", "SC", "PL", "NW", "SW"]
    front = [
        [marks[7 * i // len(rows)], str(i + 1)] if numbers else [marks[7 * i // len(rows)]] for i in range(len(rows))
    ]
    titles = ["Region", "No."] if numbers else ["Region"]
    return [[[*titles, "City", *head[1:]], *([*a, *row] for a, row in zip(front, rows, strict=True))]]


def _merged(chart: Chart, spelled: Spelled) -> list[Grid]:
    [(head, *rows)] = _square(chart, spelled)
    spans = ["<" if k % 6 else f"Region {k // 6 + 1}" for k in range(len(chart.names))]
    return [[["", *spans], head, *rows]]


def _numbered(chart: Chart, spelled: Spelled) -> list[Grid]:
    [(_, *rows)] = _square(chart, spelled)
    return [[["", "", *map(str, range(1, len(rows) + 1))], *([str(k), *row] for k, row in enumerate(rows, start=1))]]


def _both_sides(chart: Chart, spelled: Spelled) -> list[Grid]:
    [(head, *rows)] = _square(chart, spelled, "-")
    return [[[*head, ""], *([*row, row[0]] for row in rows), [*head, ""]]]


def _summed(chart: Chart, spelled: Spelled) -> list[Grid]:
    [(head, *rows)] = _square(chart, spelled)
    sums = [spelled(sum(row) / (len(row) - 1)) for row in chart.amounts]
    return [[[*head, "Average"], *([*row, text] for row, text in zip(rows, sums, strict=True)), ["Average", *sums, ""]]]


def _capitals(chart: Chart, spelled: Spelled) -> list[Grid]:
    [(head, *rows)] = _square(chart, spelled)
    return [[[name.upper() for name in head], *([row[0].upper(), *row[1:]] for row in rows)]]


def _atlas(chart: Chart, spelled: Spelled) -> list[Grid]:
    [rows] = _diagonal(chart, spelled)
    count = len(rows)
    return [[[*row[: i + 1], *(["<"] * min(3, count - i - 1)), *row[i + 4 :]] for i, row in enumerate(rows)]]


def _both_merged(chart: Chart, spelled: Spelled) -> list[Grid]:
    [rows] = _merged(chart, spelled)
    marks = ["", "", *(f"Region {k // 6 + 1}" if k % 6 == 0 else "" for k in range(len(chart.names)))]
    return [[[mark, *row] for mark, row in zip(marks, rows, strict=True)]]


def _pairs_across(chart: Chart, spelled: Spelled) -> list[Grid]:
    [pairs] = _pairs(chart, spelled)
    return [[list(row) for row in zip(*pairs, strict=True)]]


def _flat_below(chart: Chart, spelled: Spelled) -> list[Grid]:
    [(head, *rows)] = _triangle(chart, spelled)
    return [[*rows, head]]


def _upper_right(chart: Chart, spelled: Spelled) -> list[Grid]:
    [(head, *rows)] = _triangle(chart, spelled, upper=True)
    return [[[*head[1:], ""], *([*row[1:], row[0]] for row in rows)]]


def _numbered_heads(chart: Chart, spelled: Spelled) -> list[Grid]:
    [(_, *rows)] = _square(chart, spelled)
    numbers = [str(k) for k in range(1, len(rows) + 1)]
    return [[["", "City", *numbers], *([number, *row] for number, row in zip(numbers, rows, strict=True))]]


def _numbered_names(chart: Chart, spelled: Spelled) -> list[Grid]:
    [(_, *rows)] = _square(chart, spelled)
    return [
        [["", *(str(k) for k in range(1, len(rows) + 1))]]
        + [[f"{k}. {row[0]}", *row[1:]] for k, row in enumerate(rows, start=1)]
    ]


def _both_numbered(chart: Chart, spelled: Spelled) -> list[Grid]:
    [(head, *rows)] = _square(chart, spelled)
    numbered = [f"{k} {name}" for k, name in enumerate(head[1:], start=1)]
    return [[["", *numbered], *([name, *row[1:]] for name, row in zip(numbered, rows, strict=True))]]


def _halves_down(chart: Chart, spelled: Spelled, *, heads: bool = True) -> list[Grid]:
    [(head, *rows)] = _square(chart, spelled, "-")
    half = len(rows) // 2
    return [[head, *rows[:half]], [head, *rows[half:]] if heads else rows[half:]]


def _quarters(chart: Chart, spelled: Spelled) -> list[Grid]:
    return [part for half in _halves_down(chart, spelled) for part in _on_pages(half, 2)]


def _shortened(chart: Chart, spelled: Spelled, letters: int = 4) -> list[Grid]:
    [(head, *rows)] = _square(chart, spelled)
    starts = [name[:letters] for name in head]
    return [[[f"{short}." if name != short else name for name, short in zip(head, starts, strict=True)], *rows]]


def _footnoted(chart: Chart, spelled: Spelled) -> list[Grid]:
    [(head, *rows)] = _square(chart, spelled, "-")
    marked = [
        [text + "*" if i % 7 == 3 and j == i + 2 else text for j, text in enumerate(row)] for i, row in enumerate(rows)
    ]
    note = ["* see rule 7", *[""] * (len(head) - 1)]
    return [[head, *marked, note]]


def _totalled(chart: Chart, spelled: Spelled) -> list[Grid]:
    [(head, *rows)] = _square(chart, spelled)
    sums = [spelled(sum(row)) for row in chart.amounts]
    return [
        [["No.", *head, "Total"]]
        + [[str(k), *row, total] for k, (row, total) in enumerate(zip(rows, sums, strict=True), start=1)]
        + [["", "Total", *sums, ""]]
    ]


def _boxed_heads(chart: Chart, spelled: Spelled) -> list[Grid]:
    [(head, *rows)] = _square(chart, spelled)
    return [[["From \\ To", *head[1:]], *rows]]


def _by_city(chart: Chart, spelled: Spelled) -> list[Grid]:
    return [
        [
            [name, ""],
            *(
                [other, spelled(value)]
                for other, value in zip(chart.names, chart.amounts[i], strict=True)
                if other != name
            ),
        ]
        for i, name in enumerate(chart.names)
    ]


def _once_named(chart: Chart, spelled: Spelled) -> list[Grid]:
    [(head, *rows)] = _pairs(chart, spelled)
    return [[head, *([row[0] if k == 0 or rows[k - 1][0] != row[0] else "", *row[1:]] for k, row in enumerate(rows))]]


SHAPES: dict[str, tuple[Callable[[Chart, Spelled], list[Grid]], bool]] = {
    "square": (_square, True),
    "dashed": (lambda chart, spelled: _square(chart, spelled, "–"), True),  # noqa: RUF001 - an en dash
    "zero": (lambda chart, spelled: _square(chart, spelled, "0"), True),
    "lower": (_triangle, False),
    "lower zero": (lambda chart, spelled: _triangle(chart, spelled, zero=True), False),
    "upper": (lambda chart, spelled: _triangle(chart, spelled, upper=True), False),
    "diagonal": (_diagonal, False),
    "diagonal upper": (lambda chart, spelled: _diagonal(chart, spelled, upper=True), False),
    "two pages": (lambda chart, spelled: _on_pages(_square(chart, spelled)[0], 2), True),
    "three pages lower": (lambda chart, spelled: _on_pages(_triangle(chart, spelled)[0], 3), False),
    "pairs": (_pairs, False),
    "pairs beside": (lambda chart, spelled: _pairs(chart, spelled, 3), False),
    "pairs bare": (lambda chart, spelled: _pairs(chart, spelled, 2, head=False), False),
    "regions": (_regions, True),
    "regions only": (lambda chart, spelled: _regions(chart, spelled, numbers=False), True),
    "merged": (_merged, True),
    "numbered": (_numbered, True),
    "both sides": (_both_sides, True),
    "summed": (_summed, True),
    "capitals": (_capitals, True),
    "atlas": (_atlas, False),
    "both merged": (_both_merged, True),
    "pairs across": (_pairs_across, False),
    "names below": (_flat_below, False),
    "upper right": (_upper_right, False),
    "numbered heads": (_numbered_heads, True),
    "numbered names": (_numbered_names, True),
    "both numbered": (_both_numbered, True),
    "halves down": (_halves_down, True),
    "halves down bare": (lambda chart, spelled: _halves_down(chart, spelled, heads=False), True),
    "quarters": (_quarters, True),
    "shortened": (_shortened, True),
    "footnoted": (_footnoted, True),
    "totalled": (_totalled, True),
    "corner": (_boxed_heads, True),
    "by city": (_by_city, True),
    "once named": (_once_named, False),
}

_STYLES = {
    "ruled": "td,th{border:1px solid #888;padding:1px 3px;text-align:right}",
    "bare": "td,th{padding:1px 4px;text-align:center}table{border-spacing:0}",
    "zebra": "td,th{padding:1px 3px;text-align:right}tr:nth-child(even){background:#ddd}table{border-spacing:0}",
    "left": "td,th{padding:1px 5px;text-align:left}",
    "serif": "*{font-family:'DejaVu Serif'}td,th{padding:1px 3px;text-align:right}",
    "mono": "*{font-family:'DejaVu Sans Mono'}td,th{padding:0 3px;text-align:right}",
    "standing": "td,th{text-align:right;padding:1px 2px}thead th{writing-mode:vertical-rl;transform:rotate(180deg)}",
    "downwards": "td,th{text-align:center;padding:1px 2px}thead th{writing-mode:vertical-rl}",
    "slanted": (
        "table{margin-top:60px}td,th{text-align:right;min-width:18px}"
        "thead th div{width:18px;height:10px;white-space:nowrap;transform-origin:left bottom;transform:rotate(-50deg)}"
    ),
    "narrow": "td,th{padding:0;text-align:right;border:1px solid #bbb}thead th div{width:24px;overflow-wrap:anywhere}",
}


def to_html(layout: Printed) -> str:
    """Return a layout as a web page; a cell `<` is joined to the one before it."""
    pages = []
    for grid in layout.grids():
        heads = (
            0 if layout.shape.startswith("diagonal") or layout.shape == "pairs bare" else 1 + (layout.shape == "merged")
        )
        lines = []
        for r, row in enumerate(grid):
            cells = []
            for c, text in enumerate(row):
                if text == "<":
                    continue
                span = next((k for k, more in enumerate([*row[c + 1 :], ""]) if more != "<"), 0) + 1
                tag = "th" if r < heads or c == 0 else "td"
                inner = html.escape(text)
                inner = f"<div>{inner}</div>" if r < heads else inner
                cells.append(f"<{tag}{f' colspan={span}' if span > 1 else ''}>{inner}</{tag}>")
            lines.append("<tr>" + "".join(cells) + "</tr>")
        body = "".join(lines)
        if heads:
            body = "<thead>" + "".join(lines[:heads]) + "</thead><tbody>" + "".join(lines[heads:]) + "</tbody>"
        pages.append(f"<table style='page-break-after:always'>{body}</table>")
    wide = max(len(grid[0]) for grid in layout.grids())
    size = 5 if wide > 40 else 7 if wide > 12 else 9
    size = 5 if size == 7 and layout.spelling in ("dollars", "spaced", "euros", "whole") else size
    if layout.program == "firefox" and wide > 30:
        size = min(size, 6)
    return (
        "<!DOCTYPE html><html><head><meta charset=utf-8><title>Payoffs</title><style>"
        f"@page{{size:420mm 297mm;margin:10mm}}*{{font:{size}pt 'DejaVu Sans'}}td{{white-space:nowrap}}"
        f"{_STYLES[layout.style]}</style></head>"
        f"<body><h3>Payoff chart</h3>{''.join(pages)}</body></html>"
    )


def to_csv(layout: Printed) -> str:
    """Return a layout as CSV, tables below one another."""
    return "\n".join(
        ",".join(f'"{cell}"' if "," in cell else cell for cell in (text.replace("<", "") for text in row))
        for grid in layout.grids()
        for row in grid
    )


def to_text(layout: Printed) -> str:
    """Return a layout as a program prints a matrix: columns padded with blanks, wrapped as R does."""
    parts = []
    for grid in layout.grids():
        widths = [max(len(row[c]) if c < len(row) else 0 for row in grid) for c in range(len(grid[0]))]
        per = len(grid[0]) if layout.style == "pandas" else 5
        for start in range(1, len(widths), per):
            columns = range(start, min(start + per, len(widths)))
            parts += [
                row[0].ljust(widths[0]) + "".join(" " + row[c].rjust(widths[c]) for c in columns if c < len(row))
                for row in grid
            ]
    return "\n".join(parts) + "\n"


def to_typst(layout: Printed) -> str:
    """Return a layout as a document of typst."""
    slanted, standing = layout.style == "slanted", layout.style == "standing"
    parts = []
    for grid in layout.grids():
        cells = []
        for r, row in enumerate(grid):
            for text in row:
                quoted = '"' + text.replace("<", "") + '"'
                if r == 0 and slanted:
                    cells.append(f"rotate(-45deg, reflow: false, origin: left + bottom, box(width: 14pt, {quoted}))")
                elif r == 0 and standing:
                    cells.append(f"rotate(-90deg, reflow: true, {quoted})")
                else:
                    cells.append(f"[#{quoted}]")
        stroke = "0.4pt + gray" if layout.style == "ruled" else "none"
        parts.append(
            f"#v(40pt)\n#table(columns: {len(grid[0])}, inset: 2pt, align: right, stroke: {stroke},\n"
            + ",\n".join(cells)
            + ")"
        )
    return (
        "#set page(width: 594mm, height: 420mm, margin: 15mm)\n#set text(size: 7pt)\n= Payoffs\n"
        + "\n#pagebreak()\n".join(parts)
    )


P = Printed
LAYOUTS: tuple[Printed, ...] = (
    P("chromium", "square"), P("chromium", "lower", style="bare"), P("chromium", "upper", "fixed", "zebra"),
    P("chromium", "diagonal", style="ruled"), P("chromium", "two pages", "dollars", "serif"),
    P("chromium", "pairs beside", "plain", "zebra"), P("chromium", "regions", "plain", "bare"),
    P("chromium", "merged", "fixed"), P("chromium", "square", "plain", "standing", "usa", 67),
    P("chromium", "zero", "plain", "slanted"), P("chromium", "both sides", "plain", "left"),
    P("chromium", "numbered", "plain", "ruled"), P("chromium", "summed", "fixed", "serif"),
    P("chromium", "capitals", "halves", "mono"), P("chromium", "square", "plain", "narrow"),
    P("chromium", "square", "euros", "ruled"), P("chromium", "lower", "slashed", "ruled"),
    P("firefox", "square", "plain", "left"), P("firefox", "lower zero", "comma", "ruled"),
    P("firefox", "diagonal upper", style="zebra"), P("firefox", "two pages", "plain", "standing"),
    P("firefox", "pairs", "dollars", "left", "portugal", 20), P("firefox", "lower", "plain", "slanted"),
    P("firefox", "regions only", "plain", "ruled"), P("firefox", "square", "dollars", "serif", "mexico", 30),
    P("firefox", "dashed", "halves", "bare"), P("firefox", "three pages lower", "plain", "ruled", "usa", 67),
    P("firefox", "square", "plain", "downwards", "usa", 40), P("firefox", "merged", "spaced", "ruled"),
    P("calc", "square", "plain", "csv"), P("calc", "lower", "fixed", "csv", "usa", 40),
    P("calc", "pairs", "plain", "csv", "portugal", 16), P("calc", "regions", "plain", "csv", "portugal", 24),
    P("calc", "upper", "plain", "csv", "mexico", 30), P("calc", "summed", "whole", "csv", "portugal", 30),
    P("calc", "both sides", "plain", "csv", "usa", 30), P("calc", "pairs beside", "plain", "csv", "portugal", 20),
    P("writer", "square", "plain", "ruled", "portugal", 20), P("writer", "lower", "plain", "ruled", "usa", 20),
    P("writer", "pairs", "dollars", "ruled", "portugal", 14), P("writer", "diagonal", "fixed", "ruled", "portugal", 18),
    P("writer", "square", "comma", "zebra", "mexico", 20),
    P("typst", "square"), P("typst", "lower zero", style="bare"), P("typst", "lower", "plain", "slanted"),
    P("typst", "square", "plain", "standing", "usa", 67), P("typst", "two pages", "halves", "bare"),
    P("typst", "pairs bare", "plain", "bare", "portugal", 16), P("typst", "regions", "dollars", "ruled"),
    P("typst", "numbered", "plain", "bare"), P("typst", "dashed", "thousands", "ruled"),
    P("typst", "upper", "slashed", "bare", "portugal", 24), P("typst", "square", "dollars apart", "bare", "usa", 30),
    P("text", "square", "plain", "pandas", "portugal", 20), P("text", "square", "fixed", "wrapped", "usa", 30),
    P("text", "lower", "plain", "wrapped"), P("text", "pairs", "fixed", "pandas", "portugal", 14),
)  # fmt: skip
NEWER: tuple[Printed, ...] = (
    P("chromium", "atlas", style="bare"), P("typst", "atlas", "plain", "ruled", "portugal", 24),
    P("firefox", "atlas", "fixed", "bare", "usa", 30), P("chromium", "both merged", "plain", "ruled"),
    P("calc", "both merged", "plain", "csv", "portugal", 20), P("typst", "both merged", "fixed", "bare"),
    P("chromium", "pairs across", "plain", "ruled", "portugal", 6), P("typst", "names below", "plain", "bare"),
    P("chromium", "names below", "plain", "zebra", "usa", 30), P("chromium", "upper right", "plain", "bare"),
    P("typst", "upper right", "dollars", "ruled", "portugal", 24),
    P("calc", "upper right", "plain", "csv", "portugal", 24), P("chromium", "numbered heads", "plain", "zebra"),
    P("typst", "numbered heads", "plain", "bare", "usa", 30),
    P("writer", "numbered heads", "plain", "ruled", "portugal", 20), P("chromium", "numbered names", "plain", "bare"),
    P("typst", "numbered names", "fixed", "ruled"), P("chromium", "both numbered", "plain", "standing"),
    P("typst", "both numbered", "plain", "slanted"), P("chromium", "halves down", "plain", "ruled"),
    P("typst", "halves down", "dollars", "bare", "usa", 30), P("chromium", "halves down bare", "plain", "zebra"),
    P("typst", "halves down bare", "plain", "bare"), P("chromium", "quarters", "plain", "bare"),
    P("typst", "quarters", "comma", "ruled", "usa", 40), P("chromium", "shortened", "plain", "ruled"),
    P("typst", "shortened", "plain", "bare"), P("chromium", "footnoted", "plain", "bare"),
    P("typst", "footnoted", "plain", "ruled", "portugal", 24), P("chromium", "totalled", "plain", "ruled"),
    P("calc", "totalled", "plain", "csv", "portugal", 24), P("typst", "totalled", "dollars", "bare", "portugal", 24),
    P("chromium", "corner", "plain", "ruled"), P("typst", "corner", "apostrophe", "bare", "portugal", 24),
    P("chromium", "by city", "plain", "bare", "portugal", 12),
    P("chromium", "once named", "plain", "ruled", "portugal", 14),
    P("typst", "once named", "dollars", "bare", "portugal", 12), P("chromium", "square", "dots", "bare"),
    P("chromium", "square", "behind", "ruled", "portugal", 24),
    P("typst", "square", "behind", "bare", "portugal", 24), P("firefox", "square", "pounds", "zebra", "mexico", 30),
    P("typst", "square", "spaced", "ruled", "portugal", 24), P("writer", "square", "pounds", "narrow", "usa", 20),
    P("chromium", "capitals", "dollars", "standing", "usa", 40),
    P("typst", "capitals", "fixed", "standing", "mexico", 30), P("chromium", "lower", "apostrophe", "downwards"),
    P("firefox", "both sides", "plain", "zebra"), P("writer", "totalled", "plain", "zebra", "portugal", 16),
    P("firefox", "regions only", "plain", "ruled", "usa", 30),
    P("firefox", "regions only", "plain", "ruled", "mexico", 30),
    P("firefox", "regions only", "fixed", "bare", "portugal", 30),
    P("firefox", "regions", "plain", "zebra", "usa", 28),
    P("text", "numbered names", "plain", "pandas", "portugal", 7),
    P("text", "totalled", "plain", "pandas", "portugal", 6), P("text", "upper", "plain", "pandas", "portugal", 7),
)  # fmt: skip
"""Layouts of further shapes; all were worked on."""
KEPT = LAYOUTS[2::3]
"""Layouts for final figures: no reader was changed because of them."""


def print_layouts(layouts: Sequence[Printed], folder: Path) -> dict[Printed, Path]:
    """Print layouts as PDF with the programs that are installed; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {layout: folder / f"{layout.name.replace(' ', '_')}.pdf" for layout in layouts}
    for program in dict.fromkeys(layout.program for layout in layouts):
        missing = {layout: path for layout, path in made.items() if layout.program == program and not path.exists()}
        if missing:
            _PROGRAMS[program](missing, folder)
    return {layout: path for layout, path in made.items() if path.exists()}


def _print_chromium(made: dict[Printed, Path], _folder: Path) -> None:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where it is installed

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"))
        page = browser.new_page()
        for layout, path in made.items():
            page.set_content(to_html(layout))
            page.pdf(path=path, prefer_css_page_size=True)
        browser.close()


def _print_firefox(made: dict[Printed, Path], _folder: Path) -> None:
    from firefox import firefox  # noqa: PLC0415 - likewise

    with tempfile.TemporaryDirectory() as home, firefox(Path(home)) as browser:
        for layout, path in made.items():
            web_page = path.with_suffix(".html")
            web_page.write_text(to_html(layout), encoding="utf-8")
            path.write_bytes(browser.print_pdf(web_page.as_uri(), wide_cm=42, high_cm=29.7))


def _print_office(made: dict[Printed, Path], folder: Path) -> None:
    office = shutil.which("soffice")
    if office is None:
        return
    for layout, path in made.items():
        kind = {"calc": "csv", "writer": "html", "text": "txt"}[layout.program]
        text = {"calc": to_csv, "writer": to_html, "text": to_text}[layout.program](layout)
        path.with_suffix(f".{kind}").write_text(text, encoding="utf-8")
    for program, infilter in (
        ("calc", "Text - txt - csv (StarCalc):44,34,76,1,,1033"),
        ("writer", "HTML (StarWriter)"),
        ("text", "Text (encoded):UTF8,LF,DejaVu Sans Mono"),
    ):
        kind = {"calc": "csv", "writer": "html", "text": "txt"}[program]
        names = [str(path.with_suffix(f".{kind}")) for layout, path in made.items() if layout.program == program]
        if names:
            command = [office, f"-env:UserInstallation={(folder / 'office').as_uri()}", "--headless"]
            command += [f"--infilter={infilter}", "--convert-to", "pdf", "--outdir", str(folder), *names]
            subprocess.run(command, check=True, capture_output=True, timeout=300)


def _print_typst(made: dict[Printed, Path], _folder: Path) -> None:

    for layout, path in made.items():
        source = path.with_suffix(".typ")
        source.write_text(to_typst(layout), encoding="utf-8")
        typst.compile(str(source), output=str(path))


_PROGRAMS: dict[str, Callable[[dict[Printed, Path], Path], None]] = {
    "chromium": _print_chromium,
    "firefox": _print_firefox,
    "calc": _print_office,
    "writer": _print_office,
    "text": _print_office,
    "typst": _print_typst,
}
