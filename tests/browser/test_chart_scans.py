"""A scan of a payoff chart in the editor: read beside the editing, pasted, and settled beside its picture."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from editing import Editing, Served, serving
from numpy.typing import NDArray
from optional import recogniser
from PIL import Image
from playwright.sync_api import expect
from scans.chart_pages import LAYOUTS, Chart, _fitting, chart_of
from scans.pdf_writer import PdfPage
from scans.pictures_of import POINTS, page_pictures

REPOSITORY = Path(__file__).resolve().parents[2]
LAYOUT = LAYOUTS["square_with_standing_names"]
COUNT = 10
DPI = 200
LONG_MS = 120_000
IN_DOUBT = re.compile(r"Next of (\d+) in doubt")


@pytest.fixture
def portugal(tmp_path: Path) -> Iterator[Served]:
    folder = tmp_path / "sources" / "portugal"
    shutil.copytree(REPOSITORY / "sources" / "portugal", folder)
    with serving(folder) as served:
        yield served


def changed_chart() -> Chart:
    """Return the first cities of the chart, with 31.5 between the first two."""
    chart = chart_of("portugal")
    amounts = [list(row[:COUNT]) for row in chart.amounts[:COUNT]]
    amounts[0][1] = amounts[1][0] = 31.5
    return Chart(chart.names[:COUNT], tuple(map(tuple, amounts)))


def blotted() -> NDArray[np.uint8]:
    """Return the picture of that chart with ink over half of the amount in the first row and the third column."""
    picture = page_pictures(LAYOUT(changed_chart()), DPI)[0].copy()
    page = PdfPage()
    grid = _fitting(COUNT, COUNT, page)
    right, base = ((side - 1) * DPI / POINTS for side in (grid.x(2), grid.y(0)))
    high = grid.size * DPI / POINTS
    picture[
        round(base - 0.8 * high) : round(base + 0.1 * high), round(right - 1.3 * high) : round(right - 0.6 * high)
    ] = 0
    return picture


def test_a_scan_is_pasted_and_its_doubts_are_settled_beside_it(
    editing: Editing, portugal: Served, tmp_path: Path
) -> None:
    recogniser()
    path = tmp_path / "scan.png"
    Image.fromarray(blotted()).save(path)
    with editing(portugal) as page:
        page.keyboard.press("Alt+y")
        expect(page.locator("#payoff-grid")).to_be_focused()
        page.get_by_role("button", name="Copy and paste").click()
        page.get_by_role("menuitem", name="Read a payoff chart from a PDF or a picture").click()
        page.get_by_label("PDF or picture of a payoff chart").set_input_files(path)
        paste = page.get_by_role("dialog", name="Paste into the payoff chart")
        expect(paste).to_be_visible(timeout=LONG_MS)
        paste.get_by_role("button", name="Paste 1 payoff").click()
        expect(page.locator("#payoff-1-0")).to_contain_text("31.5")
        pane = page.get_by_role("complementary", name="Scan of the chart")
        expect(pane.get_by_role("status")).to_contain_text("Braga - Porto: the scan says 31.5.")
        expect(pane.locator(".scan-mark")).to_be_visible()
        pane.get_by_role("button", name=IN_DOUBT).click()
        expect(page.locator("#payoff-0-2")).to_have_class(re.compile("doubted"))
        page.locator("#payoff-0-2").click()
        expect(pane.get_by_role("status")).to_contain_text("Porto - Guimarães: the scan says")
        said = pane.get_by_role("group", name="What the cell says")
        before = int(IN_DOUBT.findall(pane.inner_text())[0])
        said.get_by_role("button", name="Leave it as it is").click()
        expect(page.locator("#payoff-0-2")).not_to_have_class(re.compile("doubted"))
        left = f"Next of {before - 1} in doubt" if before > 1 else "No cell in doubt"
        expect(pane.get_by_role("button", name=left)).to_be_visible()
        pane.get_by_role("button", name="Close the scan").click()
        expect(pane).to_have_count(0)


def test_a_picture_of_something_else_says_so_and_changes_nothing(
    editing: Editing, portugal: Served, tmp_path: Path
) -> None:
    recogniser()
    path = tmp_path / "white.png"
    Image.new("L", (300, 200), 255).save(path)
    with editing(portugal) as page:
        page.keyboard.press("Alt+y")
        page.get_by_role("button", name="Copy and paste").click()
        page.get_by_role("menuitem", name="Read a payoff chart from a PDF or a picture").click()
        page.get_by_label("PDF or picture of a payoff chart").set_input_files(path)
        dialog = page.get_by_role("dialog", name="Read a chart from a PDF or a picture")
        expect(dialog.get_by_role("alert")).to_contain_text("no chart found", timeout=LONG_MS)
        expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()
