"""Charts as a typesetting program prints them: names without amounts below them, lists, halves on several pages."""

from pathlib import Path

import pytest

from mapkit.kinds.rail.api.payoffs.reading import read_payoffs
from scans.printed_layouts import Printed, print_layouts
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
    )
]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.shape)
def test_each_layout_is_read_as_it_is_printed(layout: Printed, tmp_path: Path) -> None:
    (path,) = print_layouts([layout], tmp_path).values()
    found = read_payoffs(path, board=layout.board, workspace=REPOSITORY)
    cells = 14 * 13 if layout.square else 14 * 13 // 2
    assert score(found, layout.chart, layout.board, square=layout.square) == Score(cells, cells, 0, 0)
