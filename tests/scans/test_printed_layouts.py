"""Charts as a typesetting program prints them: names without amounts below them, lists, halves on several pages."""

import csv
from io import StringIO
from pathlib import Path

import pytest

from mapkit.kinds.rail.api.payoffs.reading import read_payoffs
from scans.pdf_writer import PdfPage, pdf
from scans.printed_layouts import SHAPES, Printed, print_layouts, to_html, to_text
from scans.scores import REPOSITORY, Score, score

pytestmark = pytest.mark.usefixtures("pdf_here")

LAYOUTS = [
    Printed("typst", shape, spelling, style, "portugal", 14)
    for shape, spelling, style in (
        ("upper", "slashed", "bare"),
        ("lower", "plain", "bare"),
        ("diagonal", "fixed", "ruled"),
        ("two pages", "plain", "bare"),
        ("three pages lower", "comma", "bare"),
        ("regions", "dollars", "bare"),
        ("pairs bare", "plain", "bare"),
        ("both sides", "thousands", "ruled"),
        ("summed", "fixed", "bare"),
        ("both merged", "fixed", "bare"),
        ("numbered names", "fixed", "ruled"),
        ("corner", "apostrophe", "bare"),
        ("footnoted", "plain", "bare"),
        ("quarters", "plain", "bare"),
    )
]
NOT_ALIGNED = frozenset({"pairs across", "by city", "three pages lower"})
"""Shapes that do not stand below each other in text, or in several tables of which later ones lack names."""


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.shape)
def test_each_layout_is_read_as_it_is_printed(layout: Printed, tmp_path: Path) -> None:
    (path,) = print_layouts([layout], tmp_path).values()
    found = read_payoffs(path, board=layout.board, workspace=REPOSITORY)
    cells = 14 * 13 if layout.square else 14 * 13 // 2
    assert score(found, layout.chart, layout.board, square=layout.square) == Score(cells, cells, 0, 0)


@pytest.mark.parametrize("kind", ["csv", "html", "text"])
def test_each_layout_is_read_from_files_without_pages(kind: str, tmp_path: Path) -> None:
    unread = []
    for shape in sorted(SHAPES.keys() - (NOT_ALIGNED if kind == "text" else frozenset())):
        style = "bare" if kind == "html" else "pandas"
        layout = Printed("text", shape, "plain", style, "portugal", 6 if shape == "pairs across" else 10)
        path = tmp_path / f"{shape}.{'html' if kind == 'html' else 'txt'}"
        stream = StringIO()
        for grid in layout.grids():
            csv.writer(stream).writerows([["" if text == "<" else text for text in row] for row in grid])
        text = stream.getvalue() if kind == "csv" else to_html(layout) if kind == "html" else to_text(layout)
        path.write_text(text, encoding="utf-8")
        read = read_payoffs(path, board="portugal", workspace=REPOSITORY)
        found = score(read, layout.chart, "portugal", square=layout.square)
        unread += [shape] if (found.right, found.silent) != (found.cells, 0) else []
    assert unread == []


def print_chart(path: Path, heads: dict[int, str], extra: list[tuple[float, float, str]]) -> tuple[Path, Printed]:
    """Print a chart with its columns in any order, headings in place of some names, and further texts."""
    layout = Printed("typst", "square", "plain", "bare", "portugal", 8)
    names, amounts = layout.chart.names, layout.chart.amounts
    order = (3, 0, 6, 1, 7, 2, 5, 4)
    page = PdfPage(700, 400)
    for c, j in enumerate(order):
        page.text(160 + 60 * c, 60, heads.get(c, names[j]), 6, anchor="end")
        for i in range(8):
            page.text(160 + 60 * c, 80 + 20 * i, f"{amounts[i][j]:g}" if i != j else "-", 8, anchor="end")
    for i, name in enumerate(names):
        page.text(20, 80 + 20 * i, name, 8)
    for x, y, text in extra:
        page.text(x, y, text, 8, anchor="end")
    path.write_bytes(pdf([page]))
    return path, layout


def test_columns_belong_to_the_names_above_them(tmp_path: Path) -> None:
    path, layout = print_chart(tmp_path / "chart.pdf", {}, [])
    found = read_payoffs(path, board="portugal", workspace=REPOSITORY)
    assert score(found, layout.chart, "portugal") == Score(56, 56, 0, 0)
    assert found.notes == ()


def test_every_number_on_a_page_is_read_or_named(tmp_path: Path) -> None:
    path, _ = print_chart(tmp_path / "chart.pdf", {}, [(690, 390, "1955"), (640, 390, "12.5")])
    found = read_payoffs(path, board="portugal", workspace=REPOSITORY)
    assert f"{path}: page 1: 2 numbers outside the chart: '12.5', '1955'" in found.notes
    assert not found.not_read


def test_a_number_between_the_rows_is_a_cell_not_read(tmp_path: Path) -> None:
    path, layout = print_chart(tmp_path / "chart.pdf", {}, [(340, 90, "44.5")])
    found = read_payoffs(path, board="portugal", workspace=REPOSITORY)
    (cell,) = found.not_read
    assert (cell.text, cell.why) == ("44.5", "stands between the cells of the chart; type the amount")
    assert score(found, layout.chart, "portugal").silent == 0
