"""Destination charts and price lists as rule books print them, by Chromium and typst: blocks, rules, tints, capitals.

A seed draws a layout; `scan` makes a picture of a page as an office scanner does, skewed, with halftone and JPEG.
"""

import html
import shutil
from pathlib import Path
from typing import NamedTuple

import numpy as np
import typst
from PIL import Image

from mapkit.kinds.rail.model.board import Board
from scans.destination_pages import charts_of
from scans.pictures_of import Grey, Look, page_pictures, taken

BOARDS = ("usa", "portugal", "mexico", "germany", "india", "great-britain")
_WEB_FONTS = ("DejaVu Serif", "DejaVu Sans", "DejaVu Sans Condensed", "DejaVu Serif Condensed")
_TYPST_FONTS = ("Libertinus Serif", "New Computer Modern", "DejaVu Sans Mono")


class Layout(NamedTuple):
    """A printed table: program, font, where sums stand, and the look of rows, names and headings."""

    seed: int
    board: str
    program: str
    font: str
    points: float
    across: int
    sums: str
    rules: str
    small_capitals: bool
    title: str

    @property
    def name(self) -> str:
        """Return what it is like in one line."""
        return " ".join(map(str, (*self[:-2], "capitals" if self.small_capitals else "", self.title)))


def draw_layout(seed: int) -> Layout:
    """Return the layout of a seed; every third seed is for final figures."""
    random = np.random.default_rng((seed, 4902))
    program = ("chromium", "typst")[seed % 2]

    def choose(*options: str) -> str:
        return options[random.integers(len(options))]

    return Layout(
        seed,
        choose(*BOARDS),
        program,
        choose(*(_WEB_FONTS if program == "chromium" else _TYPST_FONTS)),
        float(random.choice([7.5, 8.5, 9.5])),
        int(random.integers(1, 4)),
        choose("left", "left", "middle", "both", "twice"),
        choose("none", "rows", "grid", "tint", "frame"),
        bool(random.random() < 0.4),
        choose("above", "band", "spanning"),
    )


def _grid(layout: Layout, rows: list[tuple[str, str, str]], words: tuple[str, str, str]) -> list[list[str]]:
    order = {"left": (0, 1, 2), "middle": (1, 0, 2), "both": (0, 1, 2, 0), "twice": (0, 1, 0, 2)}[layout.sums]
    return [[row[k] for k in order] for row in (words, *rows)]


def destination_page(layout: Layout, board: Board, folder: Path) -> list[Grey]:
    """Return the pages of a board's destination charts, 300 dots an inch."""
    words = (("Roll", "Sum", "Dice")[layout.seed % 3], "Odd", "Even")
    blocks = [(name, _grid(layout, rows, words)) for name, rows in charts_of(board)]
    title = ("Destination tables", "Where to go next", "Destinations")[layout.seed % 3]
    return _print(layout, title, blocks, folder)


def price_page(layout: Layout, board: Board, folder: Path) -> list[Grey]:
    """Return the pages of a board's price list, 300 dots an inch."""
    sign = ("$", "", "£")[layout.seed % 3]
    rows = [[one.name, f"{sign}{one.price:,}"] for one in board.railroads]
    if layout.sums in ("both", "middle"):
        rows = [[one.short, *row] for one, row in zip(board.railroads, rows, strict=True)]
    half = -(-len(rows) // layout.across)
    head = ["Railroad", "Price"] if len(rows[0]) == 2 else ["", "Railroad", "Price"]
    blocks = [("", [head, *rows[k : k + half]]) for k in range(0, len(rows), half)]
    return _print(layout, "Prices of railroads", blocks, folder)


def _print(layout: Layout, title: str, blocks: list[tuple[str, list[list[str]]]], folder: Path) -> list[Grey]:
    path = folder / f"{layout.seed}.pdf"
    if layout.program == "typst":
        source = folder / f"{layout.seed}.typ"
        source.write_text(_to_typst(layout, title, blocks), encoding="utf-8")
        typst.compile(str(source), output=str(path))
    else:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where it is installed

        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=shutil.which("chromium"))
            page = browser.new_page()
            page.set_content(_to_html(layout, title, blocks))
            page.pdf(path=path, prefer_css_page_size=True)
            browser.close()
    return page_pictures(path.read_bytes(), 300)


def _to_html(layout: Layout, title: str, blocks: list[tuple[str, list[list[str]]]]) -> str:
    line = "0.7pt solid black"
    rules = {
        "none": "",
        "rows": f"td {{ border-bottom: {line} }}",
        "grid": f"td {{ border: {line} }}",
        "tint": "tr:nth-child(odd) td { background: #d8d8d8 }",
        "frame": f"table {{ border: {line} }}",
    }[layout.rules]
    capitals = "td.name { font-variant: small-caps }" if layout.small_capitals else ""
    band = "caption, th { background: #333; color: white }" if layout.title == "band" else ""
    style = (
        "@page { size: A4; margin: 12mm } * { print-color-adjust: exact }"
        f"body {{ font: {layout.points}pt '{layout.font}' }}"
        "div { display: inline-block; vertical-align: top; margin: 0 14pt 12pt 0; break-inside: avoid }"
        f"table {{ border-collapse: collapse }} td {{ padding: 1pt 4pt }} caption {{ font-weight: bold }}{rules}"
        f"{capitals}{band}"
    )
    tables = []
    for k, (name, (head, *rows)) in enumerate(blocks):
        spanning = layout.title == "spanning" and name
        caption = f"<tr><td colspan={len(head)} align=center><b>{html.escape(name.upper())}</b></td></tr>"
        heading = caption if spanning else f"<caption>{html.escape(name)}</caption>" if name else ""
        lines = "".join(
            "<tr>"
            + "".join(f"<td{'' if c.isdecimal() else ' class=name'}>{html.escape(c)}</td>" for c in row)
            + "</tr>"
            for row in (head, *rows)
        )
        ends = "<br>" if (k + 1) % layout.across == 0 else ""
        tables.append(f"<div><table>{heading}{lines}</table></div>{ends}")
    return f"<meta charset=utf-8><style>{style}</style><h2>{title}</h2>" + "".join(tables)


def _to_typst(layout: Layout, title: str, blocks: list[tuple[str, list[list[str]]]]) -> str:
    stroke = {"none": "none", "rows": "(bottom: 0.6pt)", "grid": "0.6pt", "tint": "none", "frame": "none"}[layout.rules]
    fill = "(_, y) => if calc.odd(y) { luma(215) }" if layout.rules == "tint" else "none"

    def cell(text: str) -> str:
        quoted = '"' + text.replace('"', '\\"') + '"'
        return f"smallcaps({quoted})" if layout.small_capitals and not text.isdecimal() else quoted

    parts = []
    for name, rows in blocks:
        cells = [cell(text) for row in rows for text in row]
        if name and layout.title == "spanning":
            cells.insert(0, f'table.cell(colspan: {len(rows[0])}, align: center, strong("{name.upper()}"))')
        table = f"table(columns: {len(rows[0])}, inset: (x: 4pt, y: 2pt), stroke: {stroke}, fill: {fill}, " + (
            ", ".join(cells) + ")"
        )
        if layout.rules == "frame":
            table = f"box(stroke: 0.7pt, {table})"
        heading = {
            "spanning": "[]",
            "above": f'strong("{name}")',
            "band": f'box(fill: luma(40), inset: 3pt, text(fill: white, strong("{name}")))',
        }[layout.title]
        parts.append(f"stack(spacing: 5pt, {heading if name else '[]'}, {table})")
    return (
        f'#set page(paper: "a4", margin: 12mm)\n#set text(font: "{layout.font}", size: {layout.points}pt)\n= {title}\n'
        f"#grid(columns: {layout.across}, column-gutter: 14pt, row-gutter: 12pt, {', '.join(parts)})"
    )


def scan(page: Grey, seed: int) -> Grey:
    """Return a greyscale scan: skewed, soft, with noise and JPEG; tints of every second one are printed in halftone."""
    random = np.random.default_rng((seed, 77))
    if seed % 2:
        y, x = np.mgrid[: page.shape[0], : page.shape[1]]
        screen = 127 + 60 * (np.sin((x + y) * 2 * np.pi / 5.6) + np.sin((x - y) * 2 * np.pi / 5.6))
        is_tint = (page > 60) & (page < 250)
        page = np.where(is_tint, np.where(page > screen, 255, 40), page).astype(np.uint8)
    look = Look(
        dpi=300,
        turn=random.uniform(-1.8, 1.8),
        noise=random.uniform(3, 8),
        blur=random.uniform(0.6, 1.1),
        jpeg=int(random.integers(60, 86)),
        ink=int(random.integers(10, 50)),
        shade=random.uniform(0, 0.15),
    )
    return taken(page, look, seed)


def save_scans(pages: list[Grey], path: Path, seed: int) -> Path:
    """Write scans of pages as a picture, or several as a PDF of pictures; return the file."""
    pictures = [Image.fromarray(scan(page, seed)) for page in pages]
    if len(pictures) == 1:
        pictures[0].save(path.with_suffix(".png"))
        return path.with_suffix(".png")
    pictures[0].save(path.with_suffix(".pdf"), save_all=True, append_images=pictures[1:], resolution=300, quality=80)
    return path.with_suffix(".pdf")
